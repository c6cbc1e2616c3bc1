"""Where an array lies in a file, and of what kind it is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from candide.errors import BadModel

DTYPES = {
    "BOOL": "?", "U8": "|u1", "I8": "|i1", "U16": "<u2", "I16": "<i2", "F16": "<f2",
    "U32": "<u4", "I32": "<i4", "F32": "<f4", "U64": "<u8", "I64": "<i8", "F64": "<f8",
}  # fmt: skip
NAMES = {np.dtype(code): name for name, code in DTYPES.items()}

EMPTY_AT_MOST = 1 << 31  # times of nothing: what an empty array's sums may come to


@dataclass(frozen=True, slots=True)
class Entry:
    """Where an array lies among the bytes after the header."""

    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int


def read_entry(name: str, said: Any) -> Entry:
    """One array's place, if what is said of it agrees with itself."""
    if not isinstance(said, dict) or said.keys() != {"dtype", "shape", "data_offsets"}:
        raise BadModel(f"tensor {name!r} should have a dtype, a shape and data_offsets")
    dtype, shape, offsets = said["dtype"], said["shape"], said["data_offsets"]
    if not (isinstance(dtype, str) and dtype in DTYPES):
        raise BadModel(f"tensor {name!r} has the unknown dtype {dtype!r} (known: {', '.join(DTYPES)})")
    if not (_whole(shape) and len(shape) <= 32 and _whole(offsets) and len(offsets) == 2):
        raise BadModel(f"tensor {name!r} has an impossible shape or place: {shape!r}, {offsets!r}")
    if not math.prod(shape) and math.prod(n or 1 for n in shape) > EMPTY_AT_MOST:
        raise BadModel(f"tensor {name!r} is empty and has an impossible shape: {shape!r}")
    width = np.dtype(DTYPES[dtype]).itemsize * math.prod(shape)
    if offsets[1] - offsets[0] != width:
        raise BadModel(f"tensor {name!r} of {dtype} {shape!r} needs {width} bytes, its place is {offsets!r}")
    return Entry(dtype, tuple(shape), offsets[0], offsets[1])


def _whole(numbers: Any) -> bool:
    return isinstance(numbers, list) and all(type(n) is int and 0 <= n < 1 << 62 for n in numbers)
