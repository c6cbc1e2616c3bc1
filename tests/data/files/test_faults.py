"""Files that are not as they should be: every mistake has its message."""

from __future__ import annotations

import gzip
import os
from typing import Any

import pyarrow as pa
import pytest

from candide.data.files import Files
from candide.errors import BadFile, ColumnChanged, NoSuchFile, TooLarge, UnknownColumn

LONG = "a,b,c\n" + "1,x,2020-01-01\n" * 200_001


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("", ["is empty"]),
        ("\n\n", ["is empty"]),
        ("a,b,a\n1,2,3\n", ["more than one column 'a'"]),
        ("a,b\n1,2\n3\n4,5\n", ["line 3", "1 cell where the header has 2", "'3'"]),
        ("a,b\n1,2\n3,4,5\n", ["line 3", "3 cells where the header has 2", "'3,4,5'"]),
        ('a,b\n1,2\n"3,4\n5,6\n', ["line 3", "quoted cell does not end", '"3,4']),
        ('a,b\n1,2\n"3"x,4\n', ["line 3", '"3"x,4']),
        ('"a,b\n1,2\n', ["first line"]),
        (b"a,b\n1,caf\xe9\n", ["byte 0xe9 at place 9, line 2", "--encoding latin-1"]),
        (b"caf\xe9,b\n1,2\n", ["byte 0xe9", "line 1", "encoding="]),
        ("a,b\n1,2\n".encode("utf-16-le"), ["NUL", "--encoding utf-16-le"]),
    ],
)
def test_bad_csv(read: Any, data: bytes | str, words: list[str]) -> None:
    with pytest.raises(BadFile) as told:
        read(data)
    for word in ["t.csv", *words]:
        assert word in str(told.value)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("1.5,x,2020-01-01", ["line 200003", "column 'a'", "'1.5'", "whole numbers", "--types a=number"]),
        ("?,x,2020-01-01", ["column 'a'", "'?'", "--types a=string", "missing=['?']"]),
        ("1,x,2020-01-01 10:00", ["column 'c'", "--types c=timestamp"]),
        ("1,x,soon", ["column 'c'", "'soon'", "--types c=string"]),
    ],
)
def test_a_column_that_changes_after_the_sample(read: Any, row: str, words: list[str]) -> None:
    with pytest.raises(ColumnChanged) as told:
        read(LONG + row + "\n")
    for word in words:
        assert word in str(told.value)


def test_what_the_message_says_helps(read: Any) -> None:
    assert read(LONG + "1.5,x,2020-01-01\n", types={"a": "number"})[-1]["a"] == 1.5
    assert read(LONG + "?,x,2020-01-01\n", missing=["?"])[-1]["a"] is None


def test_gaps_after_the_sample_are_gaps(read: Any) -> None:
    assert read(LONG + ',,\n"","",""\n')[-2:] == [{"a": None, "b": None, "c": None}, {"a": None, "b": "", "c": None}]


def test_the_line_of_a_cell_below_cells_of_many_lines(read: Any) -> None:
    with pytest.raises(BadFile, match="line 7: column 'b' should hold whole numbers: 'y'"):
        read('\na,b\n"1\n2\n",2\n"3",4\nx,y\n', types={"b": "integer"})


def test_bad_rows_are_skipped_and_counted(put: Any) -> None:
    path = put("t.csv", b'a,b\n1,x\n2\n3,y,z\nfour,z\n5,\xff\n6,v\n"7"7,w\n8,u\n')
    with Files.open(path, skip_bad_rows=True, types={"a": "integer"}) as files:
        for _ in range(2):
            assert [row["a"] for batch in files.batches() for row in batch.to_pylist()] == [1, 6, 8]
            assert files.bad_rows == 5
        assert "column 'a' should hold whole numbers: 'four'" in str(files.first_bad)


def test_no_bad_rows(put: Any) -> None:
    with Files.open(put("t.csv", "a\n1\n"), skip_bad_rows=True) as files:
        assert sum(batch.num_rows for batch in files.batches()) == 1
        assert (files.bad_rows, files.first_bad) == (0, None)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("t.csv.gz", gzip.compress(b"a,b\n" + b"1,2\n" * 9000, mtime=0)[:-20]),
        ("t.csv.gz", b"\x1f\x8b\x08\0" + b"nonsense" * 20),
        ("t.csv.zst", b"\x28\xb5\x2f\xfd" + b"nonsense" * 20),
        ("t.parquet", b"PAR1 and no more"),
        ("t.parquet", b""),
        ("t.parquet", b"a,b\n1,2\n"),
        ("t.json", b""),
        ("t.json", b"[]"),
        ("t.json", b"5"),
        ("t.json", b'[{"a": 1}, {"a":'),
        ("t.jsonl", b'{"a": 1}\n{"a":\n'),
        ("t.jsonl", b'{"a": 1}\n[2]\n'),
        ("t.jsonl", b'{"a": "\xff"}\n'),
        ("t.xlsx", b"PK"),
        ("t", b"a\n1\n"),
    ],
)
def test_other_broken_files(read: Any, name: str, data: bytes) -> None:
    with pytest.raises(BadFile, match=name):
        read(data, name)


@pytest.mark.parametrize("cut", [4, 20_000])
def test_a_zstd_file_that_was_cut_short(read: Any, cut: int) -> None:
    """DuckDB reads what is there, and says nothing."""
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as out:
        out.write(b"a,b\n" + b"".join(b"%d,%d\n" % (i, i * i * 77) for i in range(50_000)))
    with pytest.raises(BadFile):
        read(sink.getvalue().to_pybytes()[:-cut], "t.csv.zst")


def test_bad_json_rows_are_skipped_and_counted(put: Any) -> None:
    with Files.open(put("t.jsonl", '{"a": 1}\n{"a":\n5\n{"a": 3}\n'), skip_bad_rows=True) as files:
        assert [row["a"] for batch in files.batches() for row in batch.to_pylist()] == [1, 3]
        assert files.bad_rows == 2


def test_files_that_are_not_there(put: Any) -> None:
    path = put("customers.csv", "a\n1\n")
    with pytest.raises(NoSuchFile, match=r"custmers\.csv.*Did you mean.*customers\.csv"):
        Files.open(path.replace("customers", "custmers"))
    with pytest.raises(NoSuchFile):
        Files.open(path.replace("customers", "*.nothing"))
    with pytest.raises(NoSuchFile, match="no file was named"):
        Files.open([])
    with pytest.raises(BadFile, match="is a directory"):
        Files.open(os.path.dirname(path))


@pytest.mark.parametrize("path", ["https://example.org/a.csv", "s3://bucket/a.parquet", "gs://b/*.csv"])
def test_nothing_is_fetched(path: str) -> None:
    with pytest.raises(NoSuchFile, match="only files on this machine"):
        Files.open(path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
def test_forbidden_files(put: Any) -> None:
    path = put("t.csv", "a\n1\n")
    os.chmod(path, 0)
    with pytest.raises(BadFile, match="permissions"):
        Files.open(path)


@pytest.mark.parametrize(
    "options",
    [
        {"format": "xls"},
        {"types": {"a": "int4"}},
        {"encoding": "klingon"},
        {"encoding": "utf-16"},
        {"delimiter": "::"},
        {"delimiter": '"'},
        {"memory_limit": "much"},
    ],
)
def test_bad_options(read: Any, options: dict[str, Any]) -> None:
    with pytest.raises(BadFile):
        read("a,b\n1,2\n", **options)


def test_a_type_for_a_column_that_is_not_there(read: Any) -> None:
    with pytest.raises(UnknownColumn, match="Did you mean 'income'"):
        read("income,b\n1,2\n", types={"incme": "string"})


def test_too_little_memory(read: Any) -> None:
    with pytest.raises(TooLarge, match="memory_limit"):
        read("a,b\n" + "1,2\n" * 1000, memory_limit="1MB")


def test_closed_files_are_not_read(put: Any) -> None:
    files = Files.open(put("t.csv", "a\n1\n"))
    files.close()
    with pytest.raises(BadFile, match="closed"):
        next(files.batches())
