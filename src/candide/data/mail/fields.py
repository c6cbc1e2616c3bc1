"""The head of a message: names and values."""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.header import decode_header

from candide.data.mail.charsets import decoded

FIELD = re.compile(rb"^([!-9;-~]+)[ \t]*:[ \t]*(.*(?:\n[ \t].*)*)", re.MULTILINE)
LONGEST = 1 << 13  # of a value
MOST = 500


@dataclass(frozen=True, slots=True)
class Field:
    """A name in small letters, the value as it came, and as it is meant to be read."""

    name: str
    raw: str

    @property
    def value(self) -> str:
        """On one line, words in other charsets decoded."""
        line = " ".join(self.raw.split())
        if "=?" not in line:
            return line
        try:
            found = decode_header(line)
        except (HeaderParseError, binascii.Error, ValueError):
            return line
        return "".join(text if isinstance(text, str) else decoded(text, charset) for text, charset in found)


def fields(head: bytes) -> tuple[Field, ...]:
    """The fields in order; lines that are none are passed over.

    >>> [(one.name, one.value) for one in fields(b"Subject: =?utf-8?q?caf=C3=A9?=\\n")]
    [('subject', 'café')]
    """
    found = []
    for mark in FIELD.finditer(head):
        found.append(Field(mark[1].decode("ascii").lower(), decoded(mark[2][:LONGEST])))
        if len(found) == MOST:
            break
    return tuple(found)
