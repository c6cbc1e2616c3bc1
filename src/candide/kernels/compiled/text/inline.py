"""Kernels for use within kernels: numba passes an array as seven numbers, too many for a few bytes."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from candide.kernels.compiled.base import _OPTIONS, F, _njit

__all__ = ["NONE", "inlined"]

NONE: Any = np.int64(0)  # a plain 0 is a type of its own to numba, for which all that is called is compiled again


def inlined(function: F) -> F:
    """As `kernel`, but never called: its code is repeated wherever it is used."""
    return cast(F, _njit(**_OPTIONS, forceinline=True)(function))
