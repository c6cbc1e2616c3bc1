"""A tree and arrays → values. Nothing is made but the small values of `small.py` and the classes of `registry.py`."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.errors import BadModel
from candide.storage import text
from candide.storage.encode import DEPTH, Path, where
from candide.storage.registry import CLASSES, Kind
from candide.storage.small import TIMES, WORDS

# Strings are padded to the widest and tuples are made from columns: a small file may ask for much, up to this.
BYTES_A_BYTE = 64
BYTES_AT_LEAST = 1 << 24


class Decoder:
    """The values of one file of `size` bytes."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]], size: int = 0) -> None:
        self._arrays = arrays
        self._room = BYTES_AT_LEAST + BYTES_A_BYTE * size
        self._made: dict[str, NDArray[Any]] = {}

    def value(self, node: Any, path: Path = ()) -> Any:
        """The value of one tree; `path` says where it stands."""
        if len(path) > DEPTH:
            raise _bad(path[:4], f"values are nested more than {DEPTH} deep")
        if isinstance(node, list):
            return [self.value(part, (*path, str(i))) for i, part in enumerate(node)]
        if not isinstance(node, dict):
            return node
        if len(node) != 1:
            raise _bad(path, f"an object has one key, its kind, not {len(node)}")
        ((kind, body),) = node.items()
        if kind in CLASSES:
            return self._instance(CLASSES[kind], body, path)
        if kind in WORDS:
            return _guarded(path, f"{kind} {body!r}"[:80], WORDS[kind].read, body)
        read = {
            "tuple": self._tuple, "dict": self._dict, "array": self._tensor, "times": self._times,
            "strings": self._strings, "objects": self._strings,
        }.get(kind)  # fmt: skip
        if read is None:
            raise _bad(path, f"{kind!r} is no kind of value that this version of candide knows")
        return read(body, path)

    def _instance(self, kind: Kind, body: Any, path: Path) -> Any:
        known = {field.name: field for field in fields(kind.cls) if field.name not in kind.left_out}
        name = kind.cls.__name__
        if not isinstance(body, dict):
            raise _bad(path, f"the fields of {name} should be an object")
        for field in body.keys() - known.keys():
            raise _bad(path, f"{name} has no field {field!r}")
        for field in known.values():
            if field.name not in body and field.default is MISSING and field.default_factory is MISSING:
                raise _bad(path, f"{name} lacks its field {field.name!r}")
        parts = {field: self.value(part, (*path, field)) for field, part in body.items()}
        value = _guarded(path, name, lambda: kind.cls(**parts))
        _guarded(path, name, kind.check, value)
        return value

    def _tuple(self, body: Any, path: Path) -> tuple[Any, ...]:
        return tuple(self.value(part, (*path, str(i))) for i, part in enumerate(_list(body, path)))

    def _dict(self, body: Any, path: Path) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for i, pair in enumerate(_list(body, path)):
            key, part = _list(pair, path, 2)
            key = self.value(key, (*path, f"key{i}"))
            if _guarded(path, "a key", found.__contains__, key):
                raise _bad(path, f"the key {key!r} occurs twice")
            found[key] = self.value(part, (*path, str(i)))
        return found

    def _tensor(self, name: Any, path: Path) -> NDArray[Any]:
        if not (isinstance(name, str) and name in self._arrays):
            raise _bad(path, f"the file has no tensor {name!r}")
        return self._arrays[name]

    def _times(self, body: Any, path: Path) -> NDArray[Any]:
        name, unit = _list(body, path, 2)
        array = self._tensor(name, path)
        if array.dtype != np.int64 or not (isinstance(unit, str) and TIMES.fullmatch(unit)):
            raise _bad(path, "times are a tensor of I64 and a unit")
        view: NDArray[Any] = _guarded(path, unit, lambda: array.view(f"<{unit}"))
        return view

    def _strings(self, body: Any, path: Path) -> NDArray[Any]:
        """An array of strings or of any values; the same one twice is made once."""
        if not isinstance(body, dict) or not {"shape", "items"} <= body.keys() <= {"shape", "items", "width"}:
            raise _bad(path, "an array of values should have a shape and items")
        known = json.dumps(body)
        if known not in self._made:
            items = self._column(body["items"], path)
            array = self._padded(items, body["width"], path) if "width" in body else self._objects(items, path)
            shape = _list(body["shape"], path)
            if not all(type(n) is int and n >= 0 for n in shape) or math.prod(shape) != len(items):
                raise _bad(path, f"{len(items)} values do not have the shape {shape!r}")
            array = _guarded(path, "the shape", array.reshape, shape)
            array.flags.writeable = False
            self._made[known] = array
        return self._made[known]

    def _objects(self, items: list[Any], path: Path) -> NDArray[Any]:
        self._spend(len(items), path)
        array = np.empty(len(items), dtype=object)
        array[:] = items
        return array

    def _padded(self, items: list[Any], width: Any, path: Path) -> NDArray[Any]:
        """NumPy's strings, all as wide as the widest; as objects where that would be out of proportion."""
        fits = type(width) is int and set(map(type, items)) <= {str} and max(map(len, items), default=0) <= width
        if not fits or width >= 1 << 28:
            raise _bad(path, f"strings of at most {width!r} characters should stand here")
        if 4 * width * len(items) > self._room:
            return self._objects(items, path)
        self._spend(width * len(items) // 2, path)
        return np.array(items, dtype=f"<U{width}")

    def _column(self, body: Any, path: Path) -> list[Any]:
        if not isinstance(body, dict) or len(body) != 1:
            raise _bad(path, "the items of an array should be an object with one key, their kind")
        ((kind, parts),) = body.items()
        match kind:
            case "list":
                return [self.value(part, (*path, str(i))) for i, part in enumerate(_list(parts, path))]
            case "text":
                data, offsets = (self._tensor(name, path) for name in _list(parts, path, 2))
                self._spend(offsets.size, path)
                return list(_guarded(path, "text", text.unpack, data, offsets))
            case "plain":
                array = self._tensor(parts, path)
                self._spend(array.size, path)
                return list(array.ravel().tolist())
            case "zip":
                columns = [self._column(part, (*path, str(i))) for i, part in enumerate(_list(parts, path))]
                self._spend(sum(map(len, columns)), path)
                return list(_guarded(path, "tuples", lambda: list(zip(*columns, strict=True))))
            case _:
                raise _bad(path, f"{kind!r} is no kind of items that this version of candide knows")

    def _spend(self, items: int, path: Path) -> None:
        """Eight bytes an item."""
        self._room -= 8 * items
        if self._room < 0:
            raise _bad(path, "the file asks for more memory than its size can account for")


def _list(body: Any, path: Path, length: int | None = None) -> list[Any]:
    if not isinstance(body, list) or length not in (None, len(body)):
        raise _bad(path, "a list should stand here" + ("" if length is None else f", of {length}"))
    return body


def _guarded(path: Path, what: str, make: Any, *parts: Any) -> Any:
    """Whatever a constructor or a check makes of values that nobody vouches for, the answer is one error."""
    try:
        return make(*parts)
    except Exception as error:
        raise _bad(path, f"{what}: {error}") from error


def _bad(path: Path, what: str) -> BadModel:
    return BadModel(f"{where(path)}: {what}")
