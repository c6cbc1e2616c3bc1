"""What becomes of each character, by its code point, as Python's strings say."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["CODES", "SPACE", "characters", "word_cases"]

Codes = NDArray[np.int32]

CODES = 0x40000  # no character from here on is a letter, a digit or white space, or has another case
SPACE = 1 << 24  # marks white space in the table of characters
SIGMA, DOTTED = 0x3A3, 0x130  # lowered by context, and into two characters: documents with them come here lowered


@cache
def word_cases(lower: bool) -> Codes:
    """The code point that each one becomes in a word, 0 where it is not in a word: \\w of Python's `re`."""
    points, after = _lowered(lower)
    inside = np.char.isalnum(after.view("<U1")) | (after == ord("_"))
    return _table(np.zeros(CODES, np.int32), points, np.where(inside, after, 0))


@cache
def characters(lower: bool) -> Codes:
    """The code point that each one becomes, plus SPACE where it is white space."""
    points, after = _lowered(lower)
    return _table(
        np.arange(CODES, dtype=np.int32), points, after + np.where(np.char.isspace(after.view("<U1")), SPACE, 0)
    )


def _lowered(lower: bool) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    points = np.concatenate([np.arange(0xD800), np.arange(0xE000, CODES)]).astype("<u4")
    points = points[(points != SIGMA) & (points != DOTTED)] if lower else points
    if not lower:
        return points, points
    text = points.tobytes().decode("utf-32-le").lower()
    return points, np.frombuffer(text.encode("utf-32-le"), "<u4")


def _table(table: Codes, points: NDArray[np.uint32], after: NDArray[Any]) -> Codes:
    table[points] = after
    table.flags.writeable = False
    return table
