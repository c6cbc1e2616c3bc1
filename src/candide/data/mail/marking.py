"""A message with a line about it in its head."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

NAME = "X-Candide"
OLD = re.compile(  # from the beginning of a line, or after a lone CR, which some programs take for one
    rb"(?:(?<=[\r\n])|\A)X-Candide[ \t]*:[^\r\n]*(?:\r\n|\r|\n|\Z)(?:[ \t][^\r\n]*(?:\r\n|\r|\n|\Z))*", re.IGNORECASE
)
MAILBOX = re.compile(rb"(?:>?From [^\n]*\n)*")  # a line of an mbox, before the head
FIELD = re.compile(rb"[!-9;-~]+[ \t]*:")
BLANK = re.compile(rb"^\r?\n", re.MULTILINE)
WIDTH = 76
LONGEST = 40  # of a word that is shown


def marked(message: bytes, value: Sequence[str]) -> bytes:
    """The message with `X-Candide: value; value; …` at the top of its head, and without such lines that it had.

    Everything else, and the body altogether, is byte for byte what it was; lines end as those of the message do.
    """
    start = MAILBOX.match(message)
    before = start.end() if start else 0
    blank = BLANK.search(message, before)
    end = len(message) if blank is None else blank.start()
    ends = b"\r\n" if message[: message.find(b"\n") + 1].endswith(b"\r\n") else b"\n"
    has_head = (blank is not None and end == before) or _is_head(message[before:end])
    head = OLD.sub(b"", message[before:end]) if has_head else b""
    line = folded(value).replace("\n", ends.decode()).encode("ascii") + ends
    apart = b"" if has_head else ends  # a message without a head gets one
    return b"".join([message[:before], line, head, apart, message[end if has_head else before :]])


def _is_head(lines: bytes) -> bool:
    """Whether lines are fields, or were meant to be: the most of them, whatever the first one is."""
    listed = lines.splitlines()
    fields = sum(FIELD.match(line) is not None for line in listed)
    rest = sum(line[:1] in (b" ", b"\t") for line in listed)
    if FIELD.match(lines) is not None:
        return True
    return lines[:1] not in (b" ", b"\t") and fields > 0 and 2 * (fields + rest) >= len(listed)


def folded(value: Sequence[str]) -> str:
    """The line, broken before it grows wide; `value` holds nothing but visible ASCII.

    >>> folded(["spam", "p=0.9987", "words=free,winner"])
    'X-Candide: spam; p=0.9987; words=free,winner'
    """
    lines = [f"{NAME}:"]
    for j, part in enumerate(value):
        whole = part + ";" * (j < len(value) - 1)
        for place, piece in enumerate(re.findall(r"[^,]*,|[^,]+$", whole)):
            gap = "" if place else " "
            if len(lines[-1]) + len(gap) + len(piece) > WIDTH:
                lines.append("")
                gap = " "
            lines[-1] += gap + piece
    return "\n".join(lines)


def shown(words: Sequence[str]) -> str:
    """Words as they may stand in a head: no letter of them breaks a line or ends a part."""
    quoted = [quote(word, safe="!*'~-_.", errors="replace") for word in words]
    return ",".join(word for word in quoted if 0 < len(word) <= LONGEST)
