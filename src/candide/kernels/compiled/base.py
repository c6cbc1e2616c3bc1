"""The numba options, once; and what every entry point does to its arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
F = TypeVar("F", bound=Callable[..., Any])

_njit: Any = numba.njit  # its type hints know no dictionary of options

# Serial and without the interpreter lock: threads come from outside. `parallel=True` compiles slowly, kills forked
# children and aborts under threads. boundscheck is named because an environment variable could switch it on.
_OPTIONS = {"nogil": True, "cache": True, "boundscheck": False, "error_model": "numpy"}


def kernel(function: F) -> F:
    """Compile with IEEE arithmetic as written: double-double sums rely on every rounding."""
    return cast(F, _njit(**_OPTIONS)(function))


def sealed(array: Array) -> Array:
    """A read-only C-contiguous view: read-only arrays are a type of their own to numba, so that one type serves all."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def floats(X: Array) -> Array:
    """Sealed float64 or float32."""
    return sealed(X if X.dtype in (np.float64, np.float32) else X.astype(np.float64))


def numbers(data: Array) -> Array:
    """Sealed numbers of any type, truth values as bytes."""
    return sealed(data.view(np.uint8) if data.dtype == np.bool_ else data)


def doubles(a: Array) -> Floats:
    """Sealed float64."""
    return sealed(a.astype(np.float64, copy=False))


def classes(y: Array) -> Array:
    """Sealed class codes as uint8 or int32: two compiled forms are enough."""
    return sealed(y if y.dtype == np.uint8 else y.astype(np.int32, copy=False))


def unsigned(codes: Array, widths: Ints) -> tuple[Array, Array]:
    """Sealed codes seen as unsigned, and the last code of each column (widths are positive) in their type.

    A negative code becomes a large one; the last code is no larger than the signed type allows, so it is out of range.
    """
    codes = codes.view(np.uint8) if codes.dtype == np.bool_ else codes
    largest = np.iinfo(codes.dtype).max
    kind = np.dtype(f"u{codes.dtype.itemsize}")
    last = np.minimum((widths - 1).astype(np.uint64), np.uint64(largest))
    return sealed(codes.view(kind)), sealed(last.astype(kind))
