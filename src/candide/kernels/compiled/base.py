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
_LOOSE = {"contract", "nsz", "arcp", "reassoc"}  # infinities and NaN keep their meaning


def kernel(function: F) -> F:
    """Compile with IEEE arithmetic as written: double-double sums rely on every rounding."""
    return cast(F, _njit(**_OPTIONS)(function))


def loose_kernel(function: F) -> F:
    """Compile with sums in any order, for plain sums and scores only."""
    return cast(F, _njit(fastmath=_LOOSE, **_OPTIONS)(function))


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


def unsigned(codes: Array, widths: Ints) -> tuple[Array, Ints]:
    """Sealed codes seen as unsigned, and widths cut to what the signed type can hold: -1 is then out of range, too."""
    size = codes.dtype.itemsize
    if codes.dtype.kind == "i":
        widths = np.minimum(widths, np.int64(np.iinfo(codes.dtype).max) + (codes.dtype.itemsize < 8))
    elif codes.dtype.kind == "b":
        codes = codes.view(np.uint8)
    return sealed(codes.view(f"u{size}")), sealed(widths.astype(np.int64, copy=False))
