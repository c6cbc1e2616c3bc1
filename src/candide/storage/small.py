"""Small values that JSON has no word for, each written as {word: text}."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from candide.errors import BadModel, NotStorable
from candide.storage.text import SURROGATES

TIMES = re.compile(r"[Mm]8(\[\d{0,9}(Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)\])?")
SCALARS = re.compile(r"bool|u?int(8|16|32|64)|float(16|32|64)")


@dataclass(frozen=True, slots=True)
class Word:
    """How values of one type are written and read."""

    type: type
    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def _write_time(value: Any) -> str:
    if value.tzinfo is not None and value.utcoffset() is None:
        raise NotStorable(f"{value!r} has a time zone without a fixed offset; give it a date, or leave the zone out")
    return str(value.isoformat())


def _read_float(text: str) -> float:
    if text not in ("nan", "inf", "-inf"):
        raise BadModel(f"{text!r} is written as a number, not so")
    return float(text)


def _read_fraction(parts: list[str]) -> Fraction:
    top, bottom = (int(part, 16) for part in parts)
    return Fraction(top, bottom)


def write_scalar(value: np.generic) -> list[str]:
    """NumPy's own numbers and times keep their type: [dtype, value]."""
    kind = value.dtype.kind
    if kind in "mM":
        return [value.dtype.str[1:], str(value.view(np.int64))]
    if not SCALARS.fullmatch(value.dtype.name):
        raise NotStorable(f"{value!r} is of NumPy's type {value.dtype}, for which there is no place in a model file")
    return [value.dtype.name, repr(float(value)) if kind == "f" else str(int(value))]


def _read_scalar(parts: list[str]) -> Any:
    name, text = parts
    if TIMES.fullmatch(name):
        return np.int64(int(text)).view(np.dtype(f"<{name}"))
    if not SCALARS.fullmatch(name):
        raise BadModel(f"{name!r} is no type of a number")
    return np.dtype(name).type(float(text) if name.startswith("float") else int(text))


WORDS: dict[str, Word] = {
    "int": Word(int, hex, lambda text: int(text, 16)),
    "float": Word(float, repr, _read_float),
    "str": Word(
        str,
        lambda text: text.encode("utf-8", SURROGATES).hex(),
        lambda digits: bytes.fromhex(digits).decode("utf-8", SURROGATES),
    ),
    "fraction": Word(Fraction, lambda value: [hex(value.numerator), hex(value.denominator)], _read_fraction),
    "decimal": Word(Decimal, str, Decimal),
    "datetime": Word(datetime, _write_time, datetime.fromisoformat),
    "date": Word(date, date.isoformat, date.fromisoformat),
    "time": Word(time, _write_time, time.fromisoformat),
    "timedelta": Word(
        timedelta, lambda value: [value.days, value.seconds, value.microseconds], lambda parts: timedelta(*parts)
    ),
    "range": Word(range, lambda value: [value.start, value.stop, value.step], lambda parts: range(*parts)),
    "scalar": Word(np.generic, write_scalar, _read_scalar),
}
WORD_OF = {word.type: name for name, word in WORDS.items()}
