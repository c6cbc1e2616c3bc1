"""Neighbouring letters of documents as numbers of a table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.kernels.compiled.base import Array, Ints, kernel, sealed
from candide.kernels.compiled.lanes import integer
from candide.kernels.compiled.text.casing import SPACE
from candide.kernels.compiled.text.inline import NONE
from candide.kernels.compiled.text.table import BATCH, Table, look_up
from candide.kernels.compiled.text.utf8 import decoded, spell, width_of

__all__ = ["letter_ids"]

BLANK = 32
SLACK = 64  # beyond what the characters need, so that eight bytes can be read from any place on


def letter_ids(
    data: Array,
    offsets: Ints,
    rows: Ints,
    at: int,
    low: int,
    high: int,
    inside: bool,
    codes: NDArray[np.int32],
    table: Table,
    grow: bool,
    ids: NDArray[np.int32],
    ends: Ints,
) -> tuple[int, bool]:
    """As `word_ids`, for any `low` to `high` neighbouring characters: of the text, white space of two characters and
    more being one blank; or `inside` words, what stands between white space, with a blank before and after each.

    A word that is shorter, with its blanks, counts once. `codes` is the table `characters`; `ids` needs room for
    (bytes + 2) (high − low + 1).
    """
    read = sealed(data), sealed(offsets), sealed(rows)
    done, fitted = _letter_ids(*read, at, low, high, inside, codes, table, grow, ids, ends)
    return int(done), bool(fitted)


@kernel
def _letter_ids(
    data: Array, offsets: Ints, rows: Ints, at: int, low: int, high: int, inside: bool, codes: Any, table: Table,
    grow: bool, ids: Any, ends: Ints,
) -> Any:  # fmt: skip
    """A document at a time: its characters, then stretch by stretch all that stand together."""
    text, cuts = np.empty(4096, np.uint8), np.empty(2048, np.int64)
    begins, lengths, keys = np.empty(BATCH, np.int64), np.empty(BATCH, np.int64), np.empty(BATCH, np.uint64)
    used, done, most = NONE, 0, min(len(rows) - at, len(ends) - 1)
    ends[0] = 0
    while done < most:
        i = rows[at + done]
        n = offsets[i + 1] - offsets[i]
        if used + (n + 2) * (high - low + 1) > len(ids):
            break
        if n + (n >> 1) + SLACK > len(text) or n + SLACK > len(cuts):
            text, cuts = np.empty(2 * n + SLACK, np.uint8), np.empty(n + SLACK, np.int64)
        count = _characters(data, offsets[i], offsets[i + 1], inside, codes, text, cuts)
        a, waiting = NONE, NONE
        while a < count:
            b = _stretch(text, cuts, a, count) if inside else count
            for size in range(low, high + 1):
                if size > b - a and not inside:
                    break
                width: Any = min(size, b - a)
                for p in range(a, b - width + 1):
                    begins[waiting], lengths[waiting] = cuts[p], cuts[p + width] - cuts[p]
                    waiting += 1
                    if waiting == BATCH:
                        if not look_up(text, begins, lengths, keys, waiting, table, grow, ids, used):
                            return done, False
                        used += waiting
                        waiting = NONE
                if size >= b - a:
                    break
            a = b - 1 if inside and b < count else count
        if not look_up(text, begins, lengths, keys, waiting, table, grow, ids, used):
            return done, False
        used += waiting
        done += 1
        ends[done] = used
    return done, True


@kernel
def _stretch(text: Any, cuts: Ints, a: int, count: int) -> Any:
    """Where the word that begins with the blank at `a` ends: behind the next blank."""
    a += 1
    while a < count and text[cuts[a]] != BLANK:
        a += 1
    return min(a + 1, count)


@kernel
def _characters(data: Array, at: Any, stop: Any, inside: bool, codes: Any, text: Any, cuts: Ints) -> Any:
    """Write the characters, and where each begins; how many there are.

    Of a run of white space one blank is left; inside words of every one, and there is one at either end.
    """
    count, to, spaces = NONE, NONE, NONE
    if inside:
        text[0], cuts[0], to, count, spaces = BLANK, 0, NONE + 1, NONE + 1, NONE + 1
    while at < stop:
        code, width = integer(data, at), width_of(integer(data, at))
        if width <= stop - at:
            code = decoded(data, at)
        at += min(width, stop - at)
        if code < len(codes):
            code = integer(codes, code)
        if code >= SPACE and (spaces or inside):
            if not spaces:
                cuts[count] = to
                count += 1
            to = cuts[count - 1]
            text[to] = BLANK
            to += 1
            spaces += 1
            continue
        spaces = np.int64(code >= SPACE)
        cuts[count] = to
        to += spell(text, to, code & (SPACE - 1))
        count += 1
    if inside and not spaces:
        text[to], cuts[count] = BLANK, to
        to += 1
        count += 1
    cuts[count] = to
    return 0 if inside and count == 1 else count
