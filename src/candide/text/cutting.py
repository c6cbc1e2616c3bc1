"""Texts cut into words and into runs of letters, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from candide.errors import BadValue, shortened
from candide.labels import is_missing

LONG_WORDS, ALL_WORDS = re.compile(r"\b\w\w+\b"), re.compile(r"\b\w+\b")
SPACES, NO_SPACES, SURROGATE = re.compile(r"\s\s+"), re.compile(r"\S+"), re.compile("[\ud800-\udfff]")
REPLACED = "\ufffd"
Sizes = tuple[int, int]
Placed = tuple[str, int, int]


def as_text(value: Any) -> str:
    """The text of a cell: nothing if it is missing, bytes read as UTF-8, halves of surrogate pairs made U+FFFD.

    >>> as_text(None), as_text("caf\\u00e9".encode()), as_text("a\\ud800b") == "a\\ufffdb"
    ('', 'café', True)
    """
    if isinstance(value, str):
        return value if value.isascii() else SURROGATE.sub(REPLACED, value)
    if isinstance(value, (bytes, bytearray)):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError as error:
            byte = f"byte {error.start} is 0x{value[error.start]:02x} ({error.reason})"
            where = shortened(bytes(value[max(0, error.start - 20) : error.start]).decode("utf-8", "replace"))
            raise BadValue(f"a text must be UTF-8: {byte}, after {where}. Decode it first: text.decode(...).") from None
    if is_missing(value):
        return ""
    kind = type(value).__name__
    raise BadValue(
        f"a text must be a string, not of type {kind}: {repr(value)[:60]}. Make it one first, with str(...)."
    )


def pattern(short: bool) -> re.Pattern[str]:
    """What a word is: letters, digits and underscores, two or more unless short ones count."""
    return ALL_WORDS if short else LONG_WORDS


def words(text: str, short: bool) -> Iterator[Placed]:
    """The words of a text."""
    for match in pattern(short).finditer(text):
        yield match[0], match.start(), match.end()


def runs(count: int, sizes: Sizes) -> Iterator[tuple[int, int]]:
    """From where to where runs of each size go, in a row of so many things."""
    for size in range(sizes[0], min(sizes[1], count) + 1):
        for start in range(count - size + 1):
            yield start, start + size


def letters(text: str, sizes: Sizes) -> Iterator[Placed]:
    """Runs of characters, spaces among them."""
    for start, end in runs(len(text), sizes):
        yield text[start:end], start, end


def letters_in_words(text: str, sizes: Sizes) -> Iterator[Placed]:
    """Runs of characters in words that have got a space at each end; a word too short for a size is one run."""
    for match in NO_SPACES.finditer(text):
        padded, first, last = f" {match[0]} ", match.start(), match.end()
        for start, end in runs(len(padded), sizes):
            yield padded[start:end], max(first + start - 1, first), min(first + end - 1, last)
        if len(padded) < sizes[0]:
            yield padded, first, last


def single_spaced(text: str) -> str:
    """Two or more white characters become a space; one stays what it is, as in scikit-learn."""
    return SPACES.sub(" ", text)


class Places:
    """Where the characters of a text that was lower-cased and single-spaced stood in the text itself.

    `first[k]` and `last[k]` say where the k-th character begins and ends there: İ becomes two characters, and many
    spaces become one.
    """

    __slots__ = ("first", "last")

    def __init__(self, text: str, lower: bool, spaced: bool) -> None:
        self.first = [at for at, letter in enumerate(text) for _ in range(len(letter.lower()) if lower else 1)]
        self.last = [at + 1 for at in self.first]
        if spaced:
            self._join(text.lower() if lower else text)

    def _join(self, text: str) -> None:
        first, last, done = [], [], 0
        for match in SPACES.finditer(text):
            first += [*self.first[done : match.start()], self.first[match.start()]]
            last += [*self.last[done : match.start()], self.last[match.end() - 1]]
            done = match.end()
        self.first, self.last = first + self.first[done:], last + self.last[done:]

    def of(self, pieces: Iterable[Placed]) -> Iterator[Placed]:
        """The pieces with their places in the text itself."""
        for piece, start, end in pieces:
            if start < end:
                yield piece, self.first[start], self.last[end - 1]
            else:  # a space that is not in the text, before or after a word
                edge = self.first[start] if start < len(self.first) else self.last[-1]
                yield piece, edge, edge
