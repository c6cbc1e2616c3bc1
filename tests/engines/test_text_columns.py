"""Texts in any form Arrow has, as bytes and offsets."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from candide.data.arrow import as_texts
from candide.engines.memory.texts import written

TEXTS = ["né", None, "", "two words", "né", "a\0b"]
FORMS = {
    "string": pa.array(TEXTS, pa.string()),
    "large": pa.array(TEXTS, pa.large_string()),
    "view": pa.array(TEXTS, pa.string_view()),
    "dictionary": pa.array(TEXTS).dictionary_encode(),
    "chunks": pa.chunked_array([TEXTS[:2], [], TEXTS[2:]], pa.string()),
    "one chunk": pa.chunked_array([TEXTS], pa.string()),
    "slice": pa.array(["x", "yz", *TEXTS, "z"]).slice(2, len(TEXTS)),
    "slice of chunks": pa.chunked_array([["x", *TEXTS[:3]], [*TEXTS[3:], "z"]]).slice(1, len(TEXTS)),
}


def texts(column: Any) -> tuple[Any, Any]:
    """Bytes and offsets of a column, as the engine takes them."""
    found = written(as_texts("text", column))
    return found.letters, found.starts


def decoded(column: Any) -> list[str]:
    data, offsets = texts(column)
    assert (data.dtype, offsets.dtype, len(offsets)) == (np.uint8, np.int64, len(column) + 1)
    return [bytes(data[a:b]).decode() for a, b in pairwise(offsets)]


@pytest.mark.parametrize("form", FORMS)
def test_texts_are_those_of_the_column_and_missing_ones_are_empty(form: str) -> None:
    assert decoded(FORMS[form]) == [text or "" for text in TEXTS]


def test_bytes_below_a_missing_text_are_not_read() -> None:
    whole = pa.array(["a", "secret", "b"], pa.large_string())
    _, starts, letters = whole.buffers()
    hidden = pa.Array.from_buffers(pa.large_string(), 3, [pa.py_buffer(b"\x05"), starts, letters])
    assert decoded(hidden) == ["a", "", "b"]


@pytest.mark.parametrize("column", [pa.array([], pa.string()), pa.array([None, None], pa.string()), pa.nulls(2)])
def test_nothing_is_read_from_nothing(column: Any) -> None:
    assert decoded(column) == [""] * len(column)


def test_a_single_chunk_is_not_copied() -> None:
    column = pa.array(["some", "text"], pa.large_string())
    assert texts(column)[0].ctypes.data == column.buffers()[2].address
