"""The words in which checks are written."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from candide.errors import BadModel

NUMBERS = (bool, int, float, Fraction, np.number)


def nothing(value: Any) -> None:
    """For classes that check themselves when they are made."""


def demand(holds: bool, what: str) -> None:
    if not holds:
        raise BadModel(what)


def of_type(value: Any, name: str, *types: type) -> None:
    """A field is of one of the types."""
    found = getattr(value, name)
    wanted = " or ".join("nothing" if kind is type(None) else kind.__name__ for kind in types)
    demand(isinstance(found, types), f"{type(value).__name__}.{name} should be {wanted}, not {type(found).__name__}")


def optional_number(value: Any, name: str) -> None:
    of_type(value, name, type(None), *NUMBERS)


def floats(array: Any, shape: tuple[int, ...], what: str) -> None:
    """An array of finite float64 in this shape."""
    demand(isinstance(array, np.ndarray) and array.dtype == np.float64, f"{what} should be an array of F64")
    demand(array.shape == shape, f"{what} should have the shape {list(shape)}, not {list(array.shape)}")
    demand(bool(np.isfinite(array).all()), f"{what} holds a NaN or an infinity")


def weights(array: Any, shape: tuple[int, ...], what: str) -> None:
    """Sums of weights: finite and at least 0."""
    floats(array, shape, what)
    demand(not (array < 0).any(), f"{what} holds a number below 0")
