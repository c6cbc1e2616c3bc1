"""One character and its bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

from candide.kernels.compiled.base import Array, kernel
from candide.kernels.compiled.lanes import integer
from candide.kernels.compiled.text.inline import inlined

__all__ = ["decoded", "spell", "width_of"]


@inlined
def width_of(b: int) -> Any:
    """The number of bytes of a character that begins with this one."""
    return np.int64(1 + (b >= 0xC0) + (b >= 0xE0) + (b >= 0xF0))


@inlined
def decoded(source: Array, at: int) -> Any:
    """The code point whose bytes begin there; some number where there are none."""
    b = integer(source, at)
    if b < 0xC0:
        return b
    code = ((b & 31) << 6) | (integer(source, at + 1) & 63)
    if b >= 0xE0:
        code = ((code & 0x3FF) << 6) | (integer(source, at + 2) & 63)
    if b >= 0xF0:
        code = ((code & 0x7FFF) << 6) | (integer(source, at + 3) & 63)
    return code


@kernel
def spell(target: Any, to: int, code: Any) -> Any:
    """Write a character; the number of its bytes."""
    if code < 0x80:
        target[np.uint64(to)] = code
        return 1
    size = 2 + (code >= 0x800) + (code >= 0x10000)
    for p in range(size - 1, 0, -1):
        target[np.uint64(to + p)] = 0x80 | (code & 63)
        code >>= 6
    target[np.uint64(to)] = (0xF00 >> size) & 0xFF | code
    return size
