"""Whatever the bytes: a table or a CandideError."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from candide.data.files import Files
from candide.errors import CandideError

CELLS = st.sampled_from(
    [
        "",
        '""',
        "1",
        "-2.5",
        "007",
        "x",
        "é",
        '"a,b"',
        '"a\nb"',
        '"open',
        'x"y',
        "nan",
        "2020-01-02",
        "2020-01-02T10:00Z",
        "true",
        "1e999",
        "\0",
    ]
)
SEEDS = {
    "csv": b'a,b,c\n1,"x, y",2020-01-02\n2,,2020-01-03\n3,"z""z",\n',
    "jsonl": b'{"a": 1, "b": "x", "c": [1, 2]}\n{"a": 2.5, "b": null}\n{"a": 3, "b": ""}\n',
    "json": b'[{"a": 1, "b": "x"}, {"a": 2, "b": {"c": null}}]',
}
OFTEN = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@st.composite
def tables(draw: st.DrawFn) -> bytes:
    rows = draw(st.lists(st.lists(CELLS, min_size=1, max_size=4), min_size=1, max_size=12))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    return end.join(draw(st.sampled_from([",", ";"])).join(row) for row in rows).encode()


@st.composite
def mutated(draw: st.DrawFn, seed: bytes) -> bytes:
    data = bytearray(seed)
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        stop = min(len(data), start + draw(st.integers(0, 5)))
        data[start:stop] = draw(
            st.binary(max_size=5) | st.sampled_from([b'"', b"\n", b"\r\n", b",", b"{", b"]", b"\xff\xfe"])
        )
    return bytes(data)


def try_to_read(path: Path, data: bytes, **options: Any) -> None:
    path.write_bytes(data)
    try:
        with Files.open(path, **options) as files:
            rows = 0
            for batch in files.batches():
                assert batch.schema == files.schema
                batch.validate(full=True)
                rows += batch.num_rows
            assert rows + files.bad_rows <= data.count(b"\n") + data.count(b"\r") + data.count(b"{") + 1
    except CandideError:
        pass


@OFTEN
@given(tables(), st.booleans())
def test_tables_of_odd_cells(tmp_path: Path, data: bytes, skip: bool) -> None:
    try_to_read(tmp_path / "t.csv", data, skip_bad_rows=skip)


@OFTEN
@given(st.binary(max_size=200), st.booleans())
def test_any_bytes(tmp_path: Path, data: bytes, skip: bool) -> None:
    try_to_read(tmp_path / "t.csv", data, skip_bad_rows=skip)


@OFTEN
@given(st.data(), st.sampled_from(sorted(SEEDS)), st.booleans())
def test_mutated_files(tmp_path: Path, data: st.DataObject, format: str, skip: bool) -> None:
    try_to_read(tmp_path / f"t.{format}", data.draw(mutated(SEEDS[format])), skip_bad_rows=skip)


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "cp1252"])
@OFTEN
@given(data=st.binary(max_size=60))
def test_any_bytes_in_other_encodings(tmp_path: Path, encoding: str, data: bytes) -> None:
    try_to_read(tmp_path / "t.csv", b"a,b\n" + data, encoding=encoding)
