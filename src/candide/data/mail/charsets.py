"""Bytes as text, whatever they say they are."""

from __future__ import annotations

import codecs

WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "ks_c_5601-1987": "cp949", "euc-kr": "cp949", "big5": "big5hkscs"}
LONG = 1 << 16  # bytes, from which on a text may have been cut
NO_CHARSETS = {"idna", "punycode", "raw_unicode_escape", "undefined", "unicode_escape"}  # codecs of Python's own


def decoded(data: bytes, charset: str | None = None) -> str:
    """The text in the charset that is declared, else in UTF-8, else in Latin-1, in which all bytes are letters.

    >>> decoded("né".encode(), "no-such"), decoded(b"n\\xe9", "utf-8")
    ('né', 'né')
    """
    for name in filter(None, (charset, "utf-8")):
        try:
            return _strictly(data, name)
        except (LookupError, ValueError, TypeError, AttributeError):  # ValueError: also a NUL in the name
            continue
    return data.decode("latin-1")


def storable(text: str) -> str:
    """Without NULs, which some put between letters, and without halves of surrogate pairs, which UTF-8 has not."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def _strictly(data: bytes, charset: str) -> str:
    """Long texts may have been cut within their last letter, which is left out then."""
    name = charset.strip().strip("\"'").lower()
    found = codecs.lookup(WIDER.get(name, name))
    if found.name.replace("-", "_") in NO_CHARSETS or not getattr(found, "_is_text_encoding", True):
        raise LookupError(name)
    try:
        return str(data.decode(found.name))
    except UnicodeDecodeError as error:
        if len(data) < LONG or error.start < len(data) - 4:
            raise
        return str(data[: error.start].decode(found.name))
