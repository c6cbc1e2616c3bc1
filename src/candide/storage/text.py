"""Strings, many at a time: one run of UTF-8 and the places where each string begins and ends."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from candide.errors import BadModel

Bytes = NDArray[np.uint8]
Offsets = NDArray[np.int64]

# Half a surrogate pair is no character, yet Python reads it from file names and broken JSON: it is kept as it is.
SURROGATES = "surrogatepass"


def pack(strings: list[str]) -> tuple[Bytes, Offsets]:
    """String i is the bytes from `offsets[i]` up to `offsets[i + 1]`.

    >>> data, offsets = pack(["ham", "", "œuf"])
    >>> bytes(data).decode(), offsets.tolist()
    ('hamœuf', [0, 3, 3, 7])
    """
    whole = "".join(strings)
    data = np.frombuffer(whole.encode("utf-8", SURROGATES), np.uint8)
    places = np.zeros(len(strings) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, strings), np.int64, len(strings)), out=places[1:])
    if len(data) == len(whole):
        return data, places
    starts = np.append(np.flatnonzero(_begins_character(data)), len(data))
    return data, starts[places]


def unpack(data: Bytes, offsets: Offsets) -> list[str]:
    """The strings again.

    >>> unpack(*pack(["ham", "", "œuf"]))
    ['ham', '', 'œuf']
    """
    _check(data, offsets)
    try:
        whole = data.tobytes().decode("utf-8", SURROGATES)
    except UnicodeDecodeError as error:
        raise BadModel(f"the text is no UTF-8 at byte {error.start}") from None
    places = offsets
    if len(whole) != len(data):
        begins = np.append(_begins_character(data), True)
        if not begins[offsets].all():
            raise BadModel("an offset points into the middle of a character")
        places = (np.cumsum(begins) - 1)[offsets]
    return [whole[start:end] for start, end in pairwise(places.tolist())]


def _check(data: Bytes, offsets: Offsets) -> None:
    if data.dtype != np.uint8 or offsets.dtype != np.int64 or data.ndim != 1 or offsets.ndim != 1:
        raise BadModel("text is a row of U8 bytes and a row of I64 offsets")
    if not len(offsets) or offsets[0] != 0 or offsets[-1] != len(data) or (offsets[1:] < offsets[:-1]).any():
        raise BadModel(f"the offsets of a text of {len(data)} bytes rise from 0 to {len(data)}; these do not")


def _begins_character(data: Bytes) -> NDArray[np.bool_]:
    """UTF-8 marks the bytes inside a character by the bits 10xxxxxx."""
    return np.asarray((data & 0xC0) != 0x80)
