"""The safetensors format: eight bytes, a JSON header, and arrays one after the other.

    length of the header, 64 bits, little-endian | header | arrays

The header maps a name to `dtype`, `shape` and `data_offsets`, and `__metadata__` to strings. Ours begins with two
strings at fixed places: the format's number, and the SHA-256 of the whole file as it is with 64 zeros in that place.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from candide.errors import BadModel, TooLarge
from candide.storage import strict_json
from candide.storage.layout import DTYPES, NAMES, Entry, read_entry

Array = NDArray[Any]

HEADER_AT_MOST = 100_000_000  # bytes, as in the safetensors library
BEGINNING = re.compile(rb'\{"__metadata__":\{"candide\.format":"([1-9]\d{0,5})","candide\.sha256":"([0-9a-f]{64})"')
UNSIGNED = b"0" * 64
DAMAGED = "The file was cut short or altered: copy it again, or save the model again."
FOREIGN = "Give a file that candide.storage.save wrote."


@dataclass(frozen=True, slots=True)
class Header:
    """What the file says of itself; `raw` is its beginning, byte for byte, up to the first array."""

    raw: bytes
    format: int
    metadata: Mapping[str, str]
    entries: Mapping[str, Entry]


def pieces(arrays: Mapping[str, Array], metadata: Mapping[str, str], form: int) -> list[Any]:
    """The file as a list of bytes and buffers.

    Wide items come first, so that every array begins at a multiple of its item size without a gap.
    """
    ordered = sorted(arrays.items(), key=lambda item: -item[1].dtype.itemsize)
    header: dict[str, Any] = {"__metadata__": {"candide.format": str(form), "candide.sha256": UNSIGNED.decode()}}
    header["__metadata__"].update(metadata)
    place = 0
    for name, array in ordered:
        place, begin = place + array.nbytes, place
        header[name] = {"dtype": NAMES[array.dtype], "shape": array.shape, "data_offsets": [begin, place]}
    raw = _padded(strict_json.dumps(header).encode("ascii"))
    buffers = [as_bytes(array) for _, array in ordered]
    return [raw.replace(UNSIGNED, checksum(raw, buffers).encode(), 1), *buffers]


def checksum(raw: bytes, buffers: Iterable[Any]) -> str:
    """SHA-256 of the file, the place of the checksum itself taken as 64 zeros."""
    start, end = _signature(raw)
    digest = hashlib.sha256(raw[:start] + UNSIGNED + raw[end:])
    for buffer in buffers:
        digest.update(buffer)
    return digest.hexdigest()


def read_header(file: BinaryIO, size: int, newest: int) -> Header:
    """The beginning of a file of `size` bytes; nothing is believed that the size does not bear out."""
    if size == 0:
        raise BadModel(f"the file is empty. {FOREIGN}")
    start = file.read(8)
    length = int.from_bytes(start, "little")
    if len(start) < 8 or length < 2 or length > HEADER_AT_MOST:
        raise BadModel(f"this is not a model file (it does not begin as a safetensors file does). {FOREIGN}")
    text = file.read(min(length, size - 8))
    known = BEGINNING.match(text)
    if known is None:
        raise BadModel(f"this is not a model file (its header does not begin as candide's does). {FOREIGN}")
    form = int(known[1])
    if form > newest:
        raise BadModel(
            f"the file has format {form}, and this version of candide reads formats up to {newest}. Install a newer "
            "candide (pip install --upgrade candide)."
        )
    if len(text) < length:
        raise BadModel(f"the header should have {length:,} bytes and ends after {len(text):,}. {DAMAGED}")
    metadata, entries = _parsed(text, size - 8 - length)
    return Header(start + text, form, metadata, entries)


def read_arrays(file: BinaryIO, size: int, header: Header) -> dict[str, Array]:
    """The arrays that follow the header, read-only, once the checksum has been found right."""
    buffer = np.empty(size - len(header.raw), np.uint8)
    read = file.readinto(buffer.data) if len(buffer) else 0  # type: ignore[attr-defined]
    stored = header.raw[slice(*_signature(header.raw))].decode()
    if read < len(buffer) or checksum(header.raw, [buffer]) != stored:
        raise BadModel(f"the checksum is wrong. {DAMAGED}")
    buffer.flags.writeable = False
    return {name: _array(name, entry, buffer) for name, entry in header.entries.items()}


def _array(name: str, entry: Entry, buffer: NDArray[np.uint8]) -> Array:
    part = buffer[entry.begin : entry.end]
    if entry.dtype == "BOOL" and (part > 1).any():
        raise BadModel(f"tensor {name!r} is BOOL and has bytes other than 0 and 1")
    dtype = np.dtype(DTYPES[entry.dtype])
    if entry.begin % dtype.itemsize:
        raise BadModel(f"tensor {name!r} does not begin at a multiple of its items' size")
    return part.view(dtype).reshape(entry.shape)


def _parsed(text: bytes, room: int) -> tuple[dict[str, str], dict[str, Entry]]:
    try:
        header = strict_json.loads(text.decode("utf-8"), "the header")
    except UnicodeDecodeError as error:
        raise BadModel(f"the header is no UTF-8 at byte {error.start}. {DAMAGED}") from None
    metadata = header.pop("__metadata__")
    if not all(isinstance(value, str) for value in metadata.values()):
        raise BadModel("the metadata should be strings")
    entries = {name: read_entry(name, said) for name, said in header.items()}
    place = 0
    for name, entry in sorted(entries.items(), key=lambda item: (item[1].begin, item[1].end)):
        if entry.begin != place:
            raise BadModel(f"tensor {name!r} begins at byte {entry.begin}, where {place} is next: overlap or gap")
        place = entry.end
    if place != room:
        raise BadModel(f"the tensors should have {place:,} bytes, the file has {room:,} for them. {DAMAGED}")
    return metadata, entries


def _padded(text: bytes) -> bytes:
    """The length and the header, with blanks up to a multiple of eight bytes."""
    text += b" " * (-len(text) % 8)
    if len(text) > HEADER_AT_MOST:
        raise TooLarge(
            f"the header of the model file would have {len(text):,} bytes, {HEADER_AT_MOST:,} at most can be read: a "
            "model of very many columns, or of labels that are neither strings nor numbers."
        )
    return len(text).to_bytes(8, "little") + text


def _signature(raw: bytes) -> tuple[int, int]:
    """Where the checksum stands."""
    known = BEGINNING.match(raw, 8)
    assert known is not None
    return known.span(2)


def as_bytes(array: Array) -> memoryview:
    """The items of an array in the order of its last axis."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
