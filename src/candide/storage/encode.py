"""Values → a tree that JSON can hold, and arrays beside it.

What JSON has a word for stands for itself; everything else is an object with one key, its kind:

    {"tuple": […]}  {"dict": [[key, value], …]}  {"Counts": {"request": …, "classes": …, …}}  {"array": "name"}
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.errors import CandideError, NotStorable
from candide.storage import text
from candide.storage.container import as_bytes
from candide.storage.layout import NAMES
from candide.storage.registry import CLASSES, NAME_OF
from candide.storage.small import WORD_OF, WORDS

Path = tuple[str, ...]

DEPTH = 64  # of values within values, read or written
SAFE = 1 << 53  # whole numbers below it are the same in every language that reads JSON


class Encoder:
    """One tree; `arrays` fills as values are met. Equal arrays are stored once."""

    def __init__(self) -> None:
        self.arrays: dict[str, NDArray[Any]] = {}
        self._stored: dict[tuple[str, tuple[int, ...], bytes], str] = {}

    def node(self, value: Any, path: Path = ()) -> Any:
        """The tree of one value; `path` says where it stands."""
        if len(path) > DEPTH:
            raise NotStorable(f"{where(path[:4])} …: values are nested more than {DEPTH} deep, or hold themselves.")
        kind = type(value)
        if _stands_for_itself(value):
            return value
        if kind is list:
            return [self.node(part, (*path, str(i))) for i, part in enumerate(value)]
        if kind is tuple:
            return {"tuple": [self.node(part, (*path, str(i))) for i, part in enumerate(value)]}
        if kind in (dict, MappingProxyType):
            return {"dict": self._pairs(value, path)}
        if kind in (np.ndarray, np.memmap):
            return self._array(value, path)
        if kind in NAME_OF:
            return {NAME_OF[kind]: self._fields(value, path)}
        return self._small(value, path)

    def _fields(self, value: Any, path: Path) -> dict[str, Any]:
        kind = CLASSES[NAME_OF[type(value)]]
        if kind.as_written is not None:
            value = kind.as_written(value)
        try:
            kind.check(value)
        except CandideError as error:
            raise NotStorable(f"{where(path)}: {error}.") from error
        names = [field.name for field in fields(kind.cls) if field.name not in kind.left_out]
        return {name: self.node(getattr(value, name), (*path, name)) for name in names}

    def _pairs(self, value: Mapping[Any, Any], path: Path) -> list[Any]:
        return [
            [self.node(key, (*path, f"key{i}")), self.node(part, (*path, str(i)))]
            for i, (key, part) in enumerate(value.items())
        ]

    def _small(self, value: Any, path: Path) -> Any:
        if isinstance(value, np.str_):
            return self.node(str(value), path)
        name = "scalar" if isinstance(value, np.generic) else WORD_OF.get(type(value))
        if name is None:
            kind = f"{type(value).__module__}.{type(value).__qualname__}"
            raise NotStorable(
                f"{where(path)}: a {kind} has no place in a model file ({_shown(value)}). It holds "
                "strings, numbers, dates, tuples, lists, mappings, arrays and candide's own values."
            )
        try:
            return {name: WORDS[name].write(value)}
        except NotStorable as error:
            raise NotStorable(f"{where(path)}: {error}.") from None

    def _array(self, array: NDArray[Any], path: Path) -> Any:
        kind = array.dtype.kind
        if kind in "UOT":
            said = {"shape": list(array.shape), "items": self._column(array.ravel().tolist(), path)}
            return {"strings": {"width": array.dtype.itemsize // 4, **said}} if kind == "U" else {"objects": said}
        little = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).reshape(array.shape)
        if kind in "mM":
            return {"times": [self._tensor(little.view(np.int64), path), array.dtype.str[1:]]}
        if little.dtype not in NAMES:
            raise NotStorable(f"{where(path)}: an array of {array.dtype} has no place in a model file.")
        return {"array": self._tensor(little, path)}

    def _column(self, items: list[Any], path: Path) -> dict[str, Any]:
        """Many values, in arrays where they are of one simple kind."""
        kinds = set(map(type, items))
        if kinds == {str}:
            data, offsets = text.pack(items)
            return {"text": [self._tensor(data, (*path, "bytes")), self._tensor(offsets, (*path, "offsets"))]}
        if kinds in ({float}, {bool}) or (kinds == {int} and -(1 << 63) <= min(items) and max(items) < 1 << 63):
            return {"plain": self._tensor(np.array(items), path)}
        if kinds == {tuple} and len(set(map(len, items))) == 1 and items[0] and len(path) < DEPTH:
            columns = zip(*items, strict=True)
            return {"zip": [self._column(list(column), (*path, str(i))) for i, column in enumerate(columns)]}
        return {"list": [self.node(item, (*path, str(i))) for i, item in enumerate(items)]}

    def _tensor(self, array: NDArray[Any], path: Path) -> str:
        digest = hashlib.sha256(as_bytes(array)).digest()
        name = ".".join(path) or "value"
        stored = self._stored.setdefault((array.dtype.str, array.shape, digest), name)
        if stored == name:
            self.arrays[name] = array
        return stored


def where(path: Path) -> str:
    return ".".join(path) or "the model"


def _stands_for_itself(value: Any) -> bool:
    """JSON gives it back as it was."""
    kind = type(value)
    if kind is int:
        return bool(-SAFE < value < SAFE)
    if kind is float:
        return math.isfinite(value)
    if kind is str:
        return bool(value.isascii()) or not any("\ud800" <= character <= "\udfff" for character in value)
    return value is None or kind is bool


def _shown(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) < 60 else f"{shown[:60]}…"
