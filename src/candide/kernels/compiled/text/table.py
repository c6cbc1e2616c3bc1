"""A hash table of words: the letters of all of them in one array, and slots that lead there.

A slot is a key and a length with a number; the length of an empty one is 0. A word of up to eight bytes is its own
key, so that finding it never looks at letters. Numbers are given in order of first sight, whatever the seed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from candide.kernels.compiled.base import Array, Ints, kernel
from candide.kernels.compiled.lanes import integer, prefetch
from candide.kernels.compiled.text.inline import inlined
from candide.kernels.compiled.text.masks import eight, folded, put_eight

__all__ = ["BATCH", "Table", "intern", "look_up", "place_of", "room"]

BATCH = 256  # words whose slots are asked for before the first of them is looked at
SPARE = 8  # bytes behind the letters, so that eight can be read from the last
WORDS, LETTERS, SEED = 0, 1, 2  # what `size` holds
FULL = -2  # no number of a word

_ONE, _EIGHT, _HALF, _LOW = np.uint64(1), np.uint64(8), np.uint64(32), np.uint64(0xFFFFFFFF)
_ALL, _BITS = np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(64)
_MIX, _OTHER = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)


class Table(NamedTuple):
    """`slots[capacity, 2]`, a power of two; `letters`; `starts` of the words in it; `size`: words, bytes, the seed."""

    slots: NDArray[np.uint64]
    letters: NDArray[np.uint8]
    starts: Ints
    size: Ints


@inlined
def place_of(key: Any, seed: Any, last: Any) -> Any:
    """The first slot to look at. The seed is secret: nobody can write many words that share a slot."""
    return folded(key ^ seed, _MIX) & last


@inlined
def key_of(letters: Array, at: int, n: int, seed: Any) -> Any:
    """The bytes themselves, up to eight of them, else a hash."""
    if n <= 8:
        return eight(letters, at) & (_ALL >> (_BITS - _EIGHT * np.uint64(n)))
    last = at + n - 8
    key = seed ^ np.uint64(n)
    while at < last:
        key = folded(eight(letters, at) ^ key, _OTHER)
        at += 8
    return folded(eight(letters, last) ^ key, _OTHER)


@inlined
def same(a: Array, i: int, b: Array, j: int, n: int) -> Any:
    """Whether n bytes, more than eight, are equal."""
    for p in range(0, n - 8, 8):
        if eight(a, i + p) != eight(b, j + p):
            return False
    return eight(a, i + n - 8) == eight(b, j + n - 8)


@kernel
def look_up(
    source: Array, begins: Ints, lengths: Ints, keys: Any, count: int, table: Table, grow: bool, ids: Any, used: int
) -> bool:
    """Write the numbers of `count` words of `source` from ids[used] on; False if new words found no room.

    A word is new where its slot is empty, and −1 unless the table grows. Every step asks for what the next one reads:
    slots, then of words that are not their own keys where their letters begin, then these letters.
    """
    slots, letters, starts, size = table
    seed, last = np.uint64(size[SEED]), np.uint64(len(slots) - 1)
    for q in range(count):
        key = key_of(source, integer(begins, q), integer(lengths, q), seed)
        keys[np.uint64(q)] = key
        prefetch(slots, np.int64(place_of(key, seed, last) << _ONE))
    for q in range(count):
        at, n, key = integer(begins, q), integer(lengths, q), keys[np.uint64(q)]
        place, length = place_of(key, seed, last), np.uint64(n) << _HALF
        what = slots[place, 1]
        while what != np.uint64(0) and not (slots[place, 0] == key and (what & ~_LOW) == length):
            place = (place + _ONE) & last
            what = slots[place, 1]
        found = np.int64(what & _LOW) if what != np.uint64(0) else np.int64(-1)
        if found < 0 and grow:
            if size[WORDS] + 1 >= len(starts) or size[LETTERS] + n + SPARE > len(letters):
                return False
            found = _added(source, at, n, letters, starts, size)
            slots[place, 0], slots[place, 1] = key, length | np.uint64(found)
        ids[np.uint64(used + q)] = found
        prefetch(starts, max(found, 0))
    for q in range(count):
        if integer(lengths, q) > 8:
            prefetch(letters, integer(starts, max(integer(ids, used + q), 0)))
    for q in range(count):
        at, n, found = integer(begins, q), integer(lengths, q), integer(ids, used + q)
        if n > 8 and found >= 0 and not same(letters, integer(starts, found), source, at, n):
            found = _namesake(source, at, n, keys[np.uint64(q)], table, grow)
            if found == FULL:
                return False
            ids[np.uint64(used + q)] = found
    return True


@kernel
def _namesake(source: Array, at: int, n: int, key: Any, table: Table, grow: bool) -> Any:
    """The number of a word that shares key and length with another, as hardly any ever will; FULL without room."""
    slots, letters, starts, size = table
    last, length = np.uint64(len(slots) - 1), np.uint64(n) << _HALF
    place = place_of(key, np.uint64(size[SEED]), last)
    while slots[place, 1] != np.uint64(0):
        what = slots[place, 1]
        if slots[place, 0] == key and (what & ~_LOW) == length:
            found = np.int64(what & _LOW)
            if same(letters, integer(starts, found), source, at, n):
                return found
        place = (place + _ONE) & last
    if not grow:
        return np.int64(-1)
    if size[WORDS] + 1 >= len(starts) or size[LETTERS] + n + SPARE > len(letters):
        return np.int64(FULL)
    found = _added(source, at, n, letters, starts, size)
    slots[place, 0], slots[place, 1] = key, length | np.uint64(found)
    return found


@inlined
def _added(source: Array, at: int, n: int, letters: Array, starts: Ints, size: Ints) -> Any:
    """Copy a new word, and some bytes behind it, to the end of the letters; its number."""
    number, to = size[WORDS], size[LETTERS]
    for p in range(0, n, 8):
        put_eight(letters, to + p, eight(source, at + p))
    size[WORDS], size[LETTERS] = number + 1, to + n
    starts[number + 1] = to + n
    return np.int64(number)


def room(slots: NDArray[np.uint64], capacity: int, seed: int) -> NDArray[np.uint64]:
    """The same words or pairs in that many slots, a power of two."""
    larger = np.zeros((capacity, 2), np.uint64)
    _moved(slots, larger, seed)
    return larger


@kernel
def _moved(slots: Any, larger: Any, seed: int) -> None:
    last = np.uint64(len(larger) - 1)
    for i in range(len(slots)):
        if slots[i, 1] != np.uint64(0):
            place = place_of(slots[i, 0], np.uint64(seed), last)
            while larger[place, 1] != np.uint64(0):
                place = (place + _ONE) & last
            larger[place, 0], larger[place, 1] = slots[i, 0], slots[i, 1]


def intern(letters: NDArray[np.uint8], starts: Ints, at: int, table: Table, grow: bool, ids: NDArray[np.int32]) -> int:
    """Write the numbers in `table` of the words from number `at` on; the first that found no room, or all of them.

    `letters` has eight bytes to spare behind the last word.
    """
    return int(_intern(letters, starts, at, len(ids), table, grow, ids))


@kernel
def _intern(letters: Any, starts: Ints, at: int, end: int, table: Table, grow: bool, ids: Any) -> int:
    begins, lengths, keys = np.empty(BATCH, np.int64), np.empty(BATCH, np.int64), np.empty(BATCH, np.uint64)
    while at < end:
        count = min(BATCH, end - at)
        for q in range(count):
            begins[q], lengths[q] = starts[at + q], starts[at + q + 1] - starts[at + q]
        if not look_up(letters, begins, lengths, keys, count, table, grow, ids, at):
            break
        at += count
    return at
