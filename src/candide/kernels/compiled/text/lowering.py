"""Documents in lower case, and which of their bytes are in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.kernels.compiled.base import Array, kernel
from candide.kernels.compiled.lanes import integer
from candide.kernels.compiled.text.inline import NONE, inlined
from candide.kernels.compiled.text.masks import BYTES, cyrillic, leading, lowered, lowest, put_two
from candide.kernels.compiled.text.utf8 import decoded, spell, width_of

__all__ = ["AHEAD", "lower_case"]

AHEAD = BYTES + 4  # bytes that are looked at from a place on: a vector and the rest of its last character
SOME = 40  # bytes that are read one by one: however long they become, these are no more than 64

_ZERO, _ONE, _ALL, _LAST = np.uint64(0), np.uint64(1), np.uint64(0xFFFFFFFFFFFFFFFF), np.uint64(63)


@inlined
def lower_case(
    data: Array, lo: Any, hi: Any, step: Any, cases: Any, low: Any, to: Any, marks: Any, edge: Any, edge_read: Any
) -> Any:
    """Write the lowered bytes lo..hi-1 from low[to] on, and a bit a byte into `marks`: is it in a word? Where it ended.

    `to` is a multiple of 64; the bits up to the next one are 0.
    """
    marks[to >> 6] = _ZERO
    while lo < hi:
        n = min(hi - lo, BYTES)
        if lo + AHEAD <= len(data):
            inside, valid = lowered(data, lo, low, to, step), _ALL >> np.uint64(BYTES - n)
            heads = leading(data, lo) & valid
            if heads != _ZERO:
                ready = cyrillic(data, lo, low, to, step != np.uint8(0)) & valid
                n -= np.int64((heads & ready) >> np.uint64(n - 1))  # a character that ends in the next 64 bytes
                heads, inside = heads & ~ready, inside | ready
            if heads == _ZERO and n:
                _mark(marks, to, inside & (_ALL >> np.uint64(BYTES - n)))
                lo += n
                to += n
                continue
            taken, put = _others(data, lo, n, inside, heads, cases, low, to, marks)
        else:
            for q in range(AHEAD):
                edge[q] = data[lo + q] if lo + q < hi else 0
            inside = lowered(edge_read, 0, low, to, step)
            heads = leading(edge_read, 0) & (_ALL >> np.uint64(BYTES - n))
            taken, put = _others(edge_read, NONE, n, inside, heads, cases, low, to, marks)
        lo += taken
        to += put
    return to


@kernel
def _others(source: Array, at: int, n: Any, inside: Any, heads: Any, cases: Any, low: Any, to: int, marks: Any) -> Any:
    """Up to 64 bytes, `inside` being those known to be in a word; how many are read and written.

    `heads` begin characters; one that becomes another of as many bytes, as nearly all do, is written over itself.
    """
    rest = max(n, 1)
    odd: Any = n == 0
    while heads != _ZERO:
        q = lowest(heads)
        heads &= heads - _ONE
        b = integer(source, at + q)
        if b < 0xE0:
            if q + 2 > n:
                n = q
                break
            code = np.int64(cases[np.uint64(((b & 31) << 6) | (integer(source, at + q + 1) & 63))])
            put_two(low, to + q, 0x80C0 | (code >> 6) | ((code & 63) << 8))
            inside |= np.uint64(3 if code else 0) << np.uint64(q)
            odd |= (code > 0) & ((code < 0x80) | (code > 0x7FF))
            continue
        width = 3 if b < 0xF0 else 4
        if q + width > n:
            n = q
            break
        code = _case(cases, decoded(source, at + q))
        if code == 0:
            continue
        if code < 0x800 or (code < 0x10000) != (width == 3):
            odd = True
            break
        spell(low, to + q, code)
        inside |= np.uint64((1 << width) - 1) << np.uint64(q)
    if odd or n == 0:
        return _slowly(source, at, rest, cases, low, to, marks)
    _mark(marks, to, inside & (_ALL >> np.uint64(BYTES - n)))
    return n, n


@kernel
def _slowly(source: Array, at: int, rest: int, cases: Any, low: Any, to: int, marks: Any) -> Any:
    """Characters one by one, because one becomes shorter or longer; as `_others`."""
    read = written = 0
    inside = _ZERO
    while read < min(rest, SOME):
        code = _case(cases, decoded(source, at + read))
        size = spell(low, to + written, code)
        if code:
            inside |= np.uint64((1 << size) - 1) << np.uint64(written)
        read += width_of(integer(source, at + read))
        written += size
    _mark(marks, to, inside)
    return min(read, rest), written


@inlined
def _mark(marks: Any, to: int, bits: Any) -> None:
    """Bits from place `to` on; the number that holds it has only lower ones so far."""
    shift = np.uint64(to) & _LAST
    marks[np.uint64(to >> 6)] |= bits << shift
    marks[np.uint64((to >> 6) + 1)] = (bits >> _ONE) >> (_LAST - shift)


@inlined
def _case(cases: Any, code: int) -> Any:
    """What a code point becomes."""
    return integer(cases, code) if code < len(cases) else 0
