"""The parts of a message: texts, attachments, messages within it."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from email.utils import collapse_rfc2231_value

from candide.data.mail.fields import Field, fields

BLANK = re.compile(rb"^\r?\n", re.MULTILINE)
NO_LETTER = re.compile(rb"[^A-Za-z0-9+/]")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a message is looked at: bytes of it, of its head and of each part, parts, and parts within parts."""

    message: int = 1 << 23
    head: int = 1 << 16
    part: int = 1 << 18
    parts: int = 200
    depth: int = 16


@dataclass(frozen=True, slots=True)
class Part:
    """What it is, such as text/html, the charset it declares, its file's name, its bytes as before sending; `inner` is
    the head of a message within."""

    type: str
    charset: str | None
    file: str | None
    data: bytes
    inner: tuple[Field, ...] = ()


def parted(message: bytes, limits: Limits) -> tuple[bytes, bytes]:
    """The head, with its last line end, and what comes after the blank line."""
    blank = BLANK.search(message, 0, limits.head)
    return (message[: limits.head], b"") if blank is None else (message[: blank.start()], message[blank.end() :])


def parts(head: tuple[Field, ...], body: bytes, limits: Limits) -> Iterator[Part]:
    """The parts in order; of those that hold parts, these. What is beyond the limits is left out."""
    waiting = [(head, body, 0)]
    seen = 0
    while waiting and seen < limits.parts:
        own, data, depth = waiting.pop()
        seen += 1
        described = _described(own)
        kind = described.get_content_type()
        inside = _inside(described, kind, data, limits) if depth < limits.depth else None
        if inside is None:
            encoding = str(described.get("Content-Transfer-Encoding", "")).strip().lower()
            name = _said(described, "filename", "Content-Disposition") or _said(described, "name")
            yield Part(kind, _said(described, "charset"), name, unpacked(data[: limits.part], encoding))
            continue
        if kind == "message/rfc822":
            yield Part(kind, None, None, b"", inside[0][0])
        waiting += [(*each, depth + 1) for each in reversed(inside)]


def unpacked(data: bytes, encoding: str) -> bytes:
    """The bytes as they were before they were made fit for sending; what is no letter of Base64 is passed over."""
    if encoding == "base64":
        letters = NO_LETTER.sub(b"", data)
        return binascii.a2b_base64(letters[: len(letters) & ~3] + _last(letters))
    return binascii.a2b_qp(data) if encoding == "quoted-printable" else data


def _last(letters: bytes) -> bytes:
    """The last two or three letters, filled up; one alone holds no byte."""
    rest = letters[len(letters) & ~3 :]
    return rest + b"=" * (4 - len(rest)) if len(rest) > 1 else b""


def _inside(described: Message, kind: str, data: bytes, limits: Limits) -> list[tuple[tuple[Field, ...], bytes]] | None:
    """Heads and bodies of the parts within a part; None if it has none."""
    if kind == "message/rfc822":
        pieces = [data]
    elif kind.startswith("multipart/"):
        boundary = _said(described, "boundary")
        if not boundary:
            return None
        pieces = _between(data, boundary.rstrip().encode("utf-8", "surrogateescape"), limits.parts)
    else:
        return None
    heads = [parted(piece, limits) for piece in pieces]
    return [(fields(head), body) for head, body in heads] or None


def _between(data: bytes, boundary: bytes, most: int) -> list[bytes]:
    """What stands between lines of --boundary, up to the one that ends in --; the last part need not be closed."""
    line = re.compile(rb"^--" + re.escape(boundary) + rb"(--)?[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
    found: list[bytes] = []
    start = -1
    for mark in line.finditer(data):
        if start >= 0:
            found.append(data[start : mark.start()])
        start = -1 if mark[1] else mark.end()
        if mark[1] or len(found) >= most:
            return found
    if start >= 0:
        found.append(data[start:])
    return found


def _described(own: tuple[Field, ...]) -> Message:
    """The fields that say what a part is, for Python's email package to take apart."""
    message = Message()
    for field in own:
        if field.name in ("content-type", "content-transfer-encoding", "content-disposition"):
            message[field.name] = " ".join(field.raw.split())
    return message


def _said(described: Message, name: str, header: str = "Content-Type") -> str | None:
    try:
        value = described.get_param(name, None, header)
        return None if value is None else collapse_rfc2231_value(value)
    except Exception:  # the package stumbles over some that are broken: then nothing is said
        return None
