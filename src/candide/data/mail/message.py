"""A message as one text for a classifier."""

from __future__ import annotations

import re

from candide.data.mail import markup, tokens
from candide.data.mail.charsets import decoded, storable
from candide.data.mail.fields import fields
from candide.data.mail.parts import Limits, Part, parted, parts

TAG = re.compile(r"<([a-zA-Z][a-zA-Z0-9]{0,15})")
KNOWN = re.compile(rb"(?:from|to|cc|subject|date|received|return-path|message-id|delivered-to)[ \t]*:", re.IGNORECASE)


def as_text(message: bytes, limits: Limits = Limits()) -> str:
    """Words for the head and for what the parts are, then what a reader would see of them; every message has a text.

    It is the same wherever a message lies: lines may end as they like, and empty ones at the end do not count.

    >>> as_text(b"Subject: Win!\\n\\nClick <http://example.com>").splitlines()[1:]
    ['part_text_plain', 'Click <http://example.com>', 'url_example_com url_com']
    """
    head, body = parted(message[: limits.message], limits)
    found = fields(head)
    lines = [" ".join(dict.fromkeys(tokens.of_head(found)))]
    for part in parts(found, body, limits):
        lines += _lines(part)
    return storable("\n".join(line.replace("\r\n", "\n").strip("\n") for line in lines))


def is_message(start: bytes) -> bool:
    """Whether bytes begin as messages do: with a line of an mbox, or with lines that every message has."""
    if start.startswith((b"From ", b">From ")):
        start = start.partition(b"\n")[2]
    head, _ = parted(start, Limits())
    lines = head.split(b"\n", 40)[:40]
    first = lines[0] if lines else b""
    return re.match(rb"[!-9;-~]+[ \t]*:", first) is not None and any(KNOWN.match(line) for line in lines)


def _lines(part: Part) -> list[str]:
    """What a part is; if it is a text, that, and where it links to; of a message within, its subject and sender."""
    lines = [" ".join(tokens.of_part(part.type, part.charset, part.file))]
    lines += [field.value for field in part.inner if field.name in ("subject", "from")]
    if not part.type.startswith("text/") or not part.data:
        return lines
    text = decoded(part.data, part.charset)
    if part.type != "text/html":
        return [*lines, text, " ".join(tokens.of_links(text))]
    text, tags = markup.plain(text)
    named = dict.fromkeys(mark[1].lower() for mark in map(TAG.match, tags) if mark)
    links = tokens.of_links("\n".join([*tags, text]))
    return [*lines, text, " ".join([*(tokens.joined("tag", name) for name in named), *links])]
