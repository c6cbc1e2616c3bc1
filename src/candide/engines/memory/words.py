"""Words of documents as numbers, block by block."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from candide.engines.memory.neighbours import Neighbours

__all__ = ["Interner", "Neighbours", "Reading", "prepared"]

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]
Places = NDArray[np.int32]
Unit = Literal["words", "letters", "letters in words"]

WORDS, LETTERS = 1 << 12, 1 << 16  # a table begins with room for so many words, of so many bytes in all
BLOCK = 1 << 19  # words that are counted or weighed at a time, or those of one document


@cache
def kernels() -> Any:
    """The compiled kernels: there are no others for texts."""
    return import_module("candide.kernels.compiled.text")


@dataclass(frozen=True, slots=True)
class Reading:
    """What is numbered: words, or `low` to `high` neighbouring letters, of the text or of each of its words.

    A word is a run of letters, digits and underscores; of two at least, unless `short`.
    """

    unit: Unit = "words"
    lower: bool = True
    short: bool = False
    low: int = 1
    high: int = 1


class Interner:
    """Gives each distinct word a number, in order of first sight. One thread at a time may use it.

    >>> data = np.frombuffer("to be or not to be".encode(), np.uint8)
    >>> [ids.tolist() for _, _, ids, _ in Interner().blocks(data, np.array([0, 18]))]
    [[0, 1, 2, 3, 0, 1]]
    """

    def __init__(self, reading: Reading = Reading(), grow: bool = True, words: int = WORDS, letters: int = LETTERS):
        self.reading, self.grow = reading, grow
        self._kernels = kernels()
        room = 1 << max(1, words).bit_length()
        size = np.array([0, 0, secrets.randbits(62)], np.int64)
        self._table = self._kernels.Table(
            np.zeros((2 * room, 2), np.uint64), np.zeros(max(1, letters), np.uint8), np.zeros(room + 1, np.int64), size
        )
        self._ids, self._ends = np.empty(BLOCK, np.int32), np.empty(BLOCK // 8, np.int64)

    @classmethod
    def of(cls, starts: Ints, letters: Bytes, reading: Reading = Reading(), grow: bool = False) -> Self:
        """The words of a vocabulary, with their places in it as numbers."""
        spare = np.zeros(kernels().SPARE, np.uint8)
        made = cls(reading, grow, len(starts) - 1, len(letters) + len(spare))
        made._added(np.array(starts, np.int64), np.concatenate([letters, spare]), len(starts) - 1)
        return made

    def __len__(self) -> int:
        return int(self._table.size[0])

    @property
    def starts(self) -> Ints:
        """Where the letters of each word begin, and where the last ends."""
        starts: Ints = self._table.starts[: len(self) + 1]
        return starts

    @property
    def letters(self) -> Bytes:
        """All words in UTF-8, one after the other."""
        letters: Bytes = self._table.letters[: self._table.size[1]]
        return letters

    def blocks(self, data: Bytes, offsets: Ints, rows: Ints | None = None) -> Iterator[tuple[int, int, Places, Ints]]:
        """Blocks (lo, hi, ids, ends): document rows[lo + i] has ids[ends[i] : ends[i + 1]]; −1 is no word of ours.

        The arrays are written over by the next block. Documents with letters that are lowered by context must have
        gone through `prepared`.
        """
        rows = np.arange(len(offsets) - 1) if rows is None else np.asarray(rows, np.int64)
        done = 0
        while done < len(rows):
            count, fitted = self._read(data, offsets, rows, done)
            if count:
                ends = self._ends[: count + 1]
                yield done, done + count, self._ids[: ends[-1]], ends
                done += count
            elif fitted:
                size = int(offsets[rows[done] + 1] - offsets[rows[done]])
                self._ids = np.empty((size + 2) * (1 + self.reading.high - self.reading.low), np.int32)
            if not fitted:
                self._widen(self._is_full)

    def merge(self, other: Interner) -> Ints:
        """Add the words of another; the number here of each word there.

        >>> one = Interner.of(np.array([0, 1, 2]), np.frombuffer(b"ab", np.uint8), grow=True)
        >>> two = Interner.of(np.array([0, 1, 2]), np.frombuffer(b"ca", np.uint8))
        >>> one.merge(two).tolist(), bytes(one.letters)
        ([2, 0], b'abc')
        """
        return self._added(other._table.starts, other._table.letters, len(other))

    def learn(self, ends: Ints, letters: Bytes) -> Ints:
        """Add words, the first of which ends at ends[1]; the number of each."""
        return self._added(ends, letters, len(ends) - 1)

    def _added(self, starts: Ints, letters: Bytes, count: int) -> Ints:
        places, done = np.empty(count, np.int32), 0
        while done < count:
            done = self._kernels.intern(letters, starts, done, self._table, True, places)
            if done < count:
                self._widen(self._is_full)
        return places.astype(np.int64)

    def _read(self, data: Bytes, offsets: Ints, rows: Ints, at: int) -> tuple[int, bool]:
        how, k = self.reading, self._kernels
        out = self._table, self.grow, self._ids, self._ends
        answer: tuple[int, bool]
        if how.unit == "words":
            cases = k.word_cases(how.lower)
            answer = k.word_ids(data, offsets, rows, at, how.lower, how.short, cases, *out)
        else:
            cases, inside = k.characters(how.lower), how.unit == "letters in words"
            answer = k.letter_ids(data, offsets, rows, at, how.low, how.high, inside, cases, *out)
        return answer

    def _widen(self, words: bool) -> None:
        """Twice the room, for words or for letters."""
        slots, letters, starts, size = self._table
        if words:
            slots = self._kernels.room(slots, 2 * len(slots), size[2])
            starts = np.concatenate([starts, np.zeros(len(starts) - 1, np.int64)])
        else:
            letters = np.concatenate([letters, np.zeros(len(letters), np.uint8)])
        self._table = self._kernels.Table(slots, letters, starts, size)

    @property
    def _is_full(self) -> bool:
        return len(self) >= len(self._table.starts) - 1


def prepared(data: Bytes, offsets: Ints, reading: Reading = Reading()) -> tuple[Bytes, Ints]:
    """The same documents, those with letters that are lowered by context (Σ, İ) lowered already.

    >>> bytes(prepared(np.frombuffer("ΟΔΟΣ".encode(), np.uint8), np.array([0, 8]))[0]).decode()
    'οδος'
    """
    found = np.zeros(len(offsets) - 1, np.bool_)
    if not reading.lower or not kernels().special(data, offsets, found):
        return data, offsets
    parts, sizes, last = [], np.diff(offsets), 0
    for i in np.flatnonzero(found).tolist():
        lowered = bytes(data[offsets[i] : offsets[i + 1]]).decode().lower().encode()
        parts += [data[offsets[last] : offsets[i]], np.frombuffer(lowered, np.uint8)]
        sizes[i], last = len(lowered), i + 1
    parts.append(data[offsets[last] : offsets[-1]])
    return np.concatenate(parts), np.concatenate([[0], np.cumsum(sizes)])
