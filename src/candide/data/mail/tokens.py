"""Words for what is no text: whom a message is from, where it links to, what it carries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from candide.data.mail.fields import Field

NAMED = {
    "subject": "subject",
    "from": "from",
    "sender": "sender",
    "to": "to",
    "cc": "to",
    "reply-to": "reply",
    "return-path": "return",
    "list-id": "list",
    "organization": "organization",
    "x-mailer": "mailer",
    "user-agent": "mailer",
    "content-transfer-encoding": "encoding",
    "x-priority": "priority",
    "precedence": "precedence",
}
USUAL = ("from", "to", "date", "subject", "message-id")
WORD = re.compile(r"\w+")
HOST = re.compile(r"\b(?:[a-z0-9][a-z0-9-]{0,62}\.){1,20}[a-z][a-z0-9-]{1,62}\b")
NUMBERS = re.compile(r"\b(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}\b")
LINK = re.compile(r"(?:https?|ftp)://(?:[^\s/@<>\"']{0,80}@)?([a-z0-9.-]{1,120})", re.IGNORECASE)
MOST = 300  # words of one field, links of one part


def of_head(head: Sequence[Field]) -> Iterator[str]:
    """Words of the fields that matter, each with the field's name before it, and which of the usual ones are not there.

    >>> " ".join(of_head([Field("from", "Al <x@a.example.com>")]))[:71]
    'from_al from_x from_a_example_com from_example_com from_com without_to '
    """
    met = {field.name for field in head}
    for field in head:
        if field.name == "received":
            yield from _received(field.raw)
        elif field.name == "content-type":
            yield joined("type", field.value.partition(";")[0].lower()[:60])
        elif field.name in NAMED:
            yield from _words(NAMED[field.name], field.value)
    yield from (joined("without", name) for name in USUAL if name not in met)


def of_links(text: str) -> list[str]:
    """The hosts that a text or a tag points to.

    >>> of_links("see http://www.example.com/x?y=1")
    ['url_www_example_com', 'url_example_com', 'url_com']
    """
    hosts = list(dict.fromkeys(mark[1].lower().strip(".-") for mark in LINK.finditer(text)))
    return [joined("url", domain) for host in hosts[:MOST] for domain in domains(host)]


def of_part(kind: str, charset: str | None, file: str | None) -> Iterator[str]:
    """What a part is, and what its file is called."""
    yield joined("part", kind)
    if charset:
        yield joined("charset", charset.lower()[:40])
    if file:
        stem, dot, end = file.lower().rpartition(".")
        yield joined("file", end[:20] if dot else "")
        yield from (joined("file", word) for word in WORD.findall(stem)[:20])


def joined(prefix: str, text: str) -> str:
    """One word of a prefix and a text, whatever signs this has."""
    return "_".join([prefix, *WORD.findall(text)])


def domains(host: str) -> list[str]:
    """A host, and every domain that it is in; of an address in numbers its first three.

    >>> domains("www.example.com")
    ['www.example.com', 'example.com', 'com']
    """
    labels = host.split(".")
    if all(label.isdigit() for label in labels):
        return [host, ".".join(labels[:3])]
    return [".".join(labels[i:]) for i in range(max(0, len(labels) - 4), len(labels))]


def _words(prefix: str, value: str) -> Iterator[str]:
    """Hosts whole and by domains, all else word by word."""
    low = value.lower()
    hosts = dict.fromkeys(HOST.findall(low)[:MOST]) if prefix != "subject" else {}
    for word in WORD.findall(HOST.sub(" ", low) if hosts else low)[:MOST]:
        yield f"{prefix}_{word}"
    for host in hosts:
        yield from (joined(prefix, domain) for domain in domains(host))


def _received(value: str) -> Iterator[str]:
    """The hosts and networks that a message came through."""
    low = value.lower()
    for host in dict.fromkeys(HOST.findall(low)[:10]):
        yield from (joined("via", domain) for domain in domains(host)[-3:])
    yield from (joined("via", network) for network in dict.fromkeys(NUMBERS.findall(low)))
