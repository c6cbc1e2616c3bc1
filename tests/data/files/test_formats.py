"""Formats, several files, streams, progress."""

from __future__ import annotations

import datetime as dt
import decimal
import gzip
import io
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from candide.data.files import Files
from candide.errors import BadFile

ROWS = [{"a": 1, "b": "x"}, {"a": 2, "b": None}]
CSV = b"a,b\n1,x\n2,\n"
JSONL = b'{"a": 1, "b": "x"}\n{"a": 2}\n'
TABLES = Path(__file__).parents[4] / "shared" / "data" / "tables"


def zstd(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as out:
        out.write(data)
    return bytes(sink.getvalue().to_pybytes())


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("t.csv", CSV),
        ("t.CSV", CSV),
        ("t.tsv", CSV.replace(b",", b"\t")),
        ("t.csv.gz", gzip.compress(CSV, mtime=0)),
        ("t.csv.gz", CSV),
        ("t.csv", gzip.compress(CSV, mtime=0)),
        ("t.csv.zst", zstd(CSV)),
        ("t.jsonl", JSONL),
        ("t.ndjson", JSONL),
        ("t.jsonl", b"\xef\xbb\xbf" + JSONL),
        ("t.jsonl.gz", gzip.compress(JSONL, mtime=0)),
        ("t.jsonl.zst", zstd(JSONL)),
        ("t.json", JSONL),
        ("t.json", b'[{"a": 1, "b": "x"},\n {"a": 2, "b": null}]'),
        ("t.json", b'{"a": 1,\n "b": "x"}\n{"a": 2}'),
    ],
)
def test_formats(read: Any, name: str, data: bytes) -> None:
    assert read(data, name) == ROWS


def test_a_format_by_name(read: Any) -> None:
    assert read(CSV, "t.data", format="csv") == ROWS
    assert read(JSONL, "t", format="ndjson") == ROWS


def test_json_keeps_its_own_kinds(read: Any) -> None:
    rows = read(
        b'{"n": 1, "s": "1", "l": [1, {"x": 2}], "t": true, "d": "2020-01-02", "m": 1}\n{"n": 2.5, "m": "x"}', "t.jsonl"
    )
    assert rows[0] == {"n": 1.0, "s": "1", "l": '[1,{"x":2}]', "t": True, "d": dt.date(2020, 1, 2), "m": "1"}
    assert rows[1] == {"n": 2.5, "s": None, "l": None, "t": None, "d": None, "m": "x"}


def test_json_keys_of_any_kind(read: Any) -> None:
    assert read(b'{"": 1, "a\'b\\"c": 2, "x/y~": 3, "A": 4, "a": 5}\n', "t.jsonl") == [
        {"": 1, "a'b\"c": 2, "x/y~": 3, "A": 4, "a": 5}
    ]


def test_parquet(tmp_path: Path) -> None:
    cells: dict[str, tuple[Any, Any, Any]] = {  # as written, as read, the type when read
        "i8": (pa.array([1, None], pa.int8()), [1, None], pa.int64()),
        "u64": (pa.array([2**63, 1], pa.uint64()), [2**63, 1], pa.uint64()),
        "f32": (pa.array([0.5, None], pa.float32()), [0.5, None], pa.float64()),
        "dec": (pa.array([decimal.Decimal("1.50"), None]), [decimal.Decimal("1.50"), None], pa.decimal128(3, 2)),
        "day": (pa.array([dt.date(2020, 1, 2), None]), [dt.date(2020, 1, 2), None], pa.date32()),
        "zone": (
            pa.array([dt.datetime(2020, 1, 2, 12), None], pa.timestamp("us", "Europe/Berlin")),
            [dt.datetime(2020, 1, 2, 12), None],
            pa.timestamp("us"),
        ),
        "list": (pa.array([[1, 2], None]), ["[1,2]", None], pa.string()),
        "struct": (pa.array([{"x": 1}, {"x": None}]), ['{"x":1}', '{"x":null}'], pa.string()),
        "bytes": (pa.array([b"ab", "é".encode()]), ["ab", "é"], pa.string()),
        "dict": (pa.array(["x", None]).dictionary_encode(), ["x", None], pa.string()),
        "text": (pa.array(["", "007"]), ["", "007"], pa.string()),
        "flag": (pa.array([True, None]), [True, None], pa.bool_()),
        "Flag": (pa.array([1, 2]), [1, 2], pa.int64()),
    }
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({name: written for name, (written, _, _) in cells.items()}), path)
    with Files.open(path) as files:
        (batch,) = files.batches()
        assert batch.schema == files.schema
        assert batch.to_pydict() == {name: expected for name, (_, expected, _) in cells.items()}
        assert dict(zip(files.names, files.schema.types, strict=True)) == {
            name: kind for name, (_, _, kind) in cells.items()
        }
        assert files.done == 1.0


def test_parquet_with_types_and_gaps(tmp_path: Path) -> None:
    pq.write_table(pa.table({"zip": [7, 8], "age": ["5", "?"]}), tmp_path / "t.parquet")
    with Files.open(tmp_path / "t.parquet", types={"zip": "string", "age": "integer"}, missing=["?"]) as files:
        assert next(files.batches()).to_pydict() == {"zip": ["7", "8"], "age": [5, None]}


def test_several_files_in_order(put: Any, tmp_path: Path) -> None:
    put("b.csv", "b,a\ny,2.5\n")
    put("a.csv", "a,b\n1,x\n")
    put("c.jsonl", '{"a": 3, "b": "z"}\n')
    with Files.open([tmp_path / "*.csv", str(tmp_path / "c.jsonl")]) as files:
        rows = [row for batch in files.batches() for row in batch.to_pylist()]
        assert rows == [{"a": 1.0, "b": "x"}, {"a": 2.5, "b": "y"}, {"a": 3.0, "b": "z"}]
        assert files.bytes == sum(path.stat().st_size for path in tmp_path.iterdir())


def test_kinds_of_several_files_unite(put: Any, tmp_path: Path) -> None:
    put("a.csv", "n,d,s,e\n1,2020-01-01,5,\n")
    put("b.csv", "n,d,s,e\n,2020-01-01 10:00,x,7\n")
    with Files.open(tmp_path / "*.csv") as files:
        assert files.schema.types == [pa.int64(), pa.timestamp("us"), pa.string(), pa.int64()]
        assert [row["s"] for batch in files.batches() for row in batch.to_pylist()] == ["5", "x"]


def test_files_of_other_columns_are_refused(put: Any, tmp_path: Path) -> None:
    put("a.csv", "a,b\n1,2\n")
    put("b.csv", "a,c\n1,2\n")
    with pytest.raises(BadFile, match=r"\.csv has no column '[bc]'"):
        Files.open(tmp_path / "*.csv")


def test_json_files_may_have_different_keys(put: Any, tmp_path: Path) -> None:
    put("a.jsonl", '{"a": 1}\n')
    put("b.jsonl", '{"b": "x"}\n')
    with Files.open(tmp_path / "*.jsonl") as files:
        assert [row for batch in files.batches() for row in batch.to_pylist()] == [
            {"a": 1, "b": None},
            {"a": None, "b": "x"},
        ]


@pytest.mark.skipif(os.name == "nt", reason="names that Windows does not allow")
@pytest.mark.parametrize(
    "name", ["a*b.csv", "a?.csv", "a[1].csv", "a'b\".csv", "a\nb.csv", "a\\*.csv", "~a.csv", "k=1.csv", "-.csv"]
)
def test_names_of_files(put: Any, name: str) -> None:
    put("aXb.csv", "other\n1\n")
    put("a1.csv", "other\n1\n")
    with Files.open(put(name, "a\n1\n")) as files:
        assert [batch.to_pydict() for batch in files.batches()] == [{"a": [1]}]


def test_every_call_reads_from_the_start(put: Any) -> None:
    with Files.open(put("t.csv", "a\n" + "".join(f"{i}\n" for i in range(5000)))) as files:
        assert files.done == 0.0
        one, two = files.batches(rows=1000), files.batches(rows=1000)
        first = next(one)
        assert first == next(two)
        assert first.num_rows <= 1000
        one.close()
        rest = [first, *two]
        assert pa.Table.from_batches(rest).column("a").to_pylist() == list(range(5000))
        assert files.done == 1.0


def test_progress_grows(put: Any) -> None:
    path = put("t.csv", "a,b\n" + "".join(f"{i},some text to fill the line\n" for i in range(400_000)))
    with Files.open([path, path]) as files:
        seen = [files.done for _ in files.batches()]
    assert None not in seen
    assert seen == sorted(seen)  # type: ignore[type-var]
    assert 0 <= seen[0] < 0.6 < seen[-1] <= 1  # type: ignore[operator]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    for data, format in (
        (CSV, None),
        (gzip.compress(CSV, mtime=0), "csv"),
        (JSONL, "jsonl"),
        (CSV.decode().encode("utf-16"), None),
    ):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        with Files.open("-", format=format) as files:
            assert files.bytes is None
            for _ in range(2):
                assert [row for batch in files.batches() for row in batch.to_pylist()] == ROWS


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_named_pipes(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(CSV,))
    writer.start()
    with Files.open(pipe) as files:
        assert [row for batch in files.batches() for row in batch.to_pylist()] == ROWS
    writer.join()


def test_importing_candide_imports_neither_duckdb_nor_pyarrow() -> None:
    code = "import sys, candide, candide.data; assert not {'duckdb', 'pyarrow'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", ["adult", "mushroom", "pima_diabetes_na"])
def test_real_tables_are_the_same_as_csv(name: str, tmp_path: Path) -> None:
    if not TABLES.is_dir():
        pytest.skip("the real tables are not on this machine")
    from candide.data.writing import Writer

    with Files.open(TABLES / f"{name}.parquet") as files:
        table = pa.Table.from_batches(files.batches(), schema=files.schema)
    with Writer.open(tmp_path / "t.csv", schema=table.schema) as out:
        for batch in table.to_batches():
            out.write(batch)
    with Files.open(tmp_path / "t.csv") as files:
        again = pa.Table.from_batches(files.batches(), schema=files.schema)
    numbers = [field.name for field in table.schema if pa.types.is_floating(field.type)]
    assert again.column_names == table.column_names
    for column in table.column_names:
        cells = again.column(column).cast(
            table.schema.field(column).type if column in numbers else again.schema.field(column).type
        )
        assert cells.to_pylist() == table.column(column).to_pylist()
