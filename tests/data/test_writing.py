"""Rows out: what is written can be read again, and there is never half a file."""

from __future__ import annotations

import datetime as dt
import gzip
import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from candide.data.files import Files
from candide.data.writing import Writer
from candide.errors import BadFile

BATCH = pa.RecordBatch.from_pydict(
    {"id": [1, 2, 3], "class": ["yes", None, ""], "p": [0.25, None, 1e-9], "day": [dt.date(2020, 1, 2), None, None]}
)
CSV = 'id,class,p,day\n1,yes,0.25,2020-01-02\n2,,,\n3,"",1e-9,\n'


def written(path: Path, *batches: pa.RecordBatch, **options: Any) -> bytes:
    with Writer.open(path, **options) as out:
        for batch in batches:
            out.write(batch)
    return path.read_bytes()


def again(path: Path, **options: Any) -> list[dict[str, Any]]:
    with Files.open(path, **options) as files:
        return [row for batch in files.batches() for row in batch.to_pylist()]


def test_csv(tmp_path: Path) -> None:
    assert written(tmp_path / "t.csv", BATCH).decode() == CSV
    assert written(tmp_path / "t.tsv", BATCH).decode() == CSV.replace(",", "\t")
    assert written(tmp_path / "t", BATCH, format="csv").decode() == CSV


def test_json(tmp_path: Path) -> None:
    lines = written(tmp_path / "t.jsonl", BATCH).decode().splitlines()
    assert json.loads(lines[1]) == {"id": 2, "class": None, "p": None, "day": None}
    assert json.loads(written(tmp_path / "t.json", BATCH, BATCH)) == [json.loads(line) for line in lines] * 2


def test_what_is_no_number_in_json_is_null(tmp_path: Path) -> None:
    numbers = pa.RecordBatch.from_pydict({"x": [float("nan"), float("inf")], "l": [[float("nan")], [1.0]]})
    assert json.loads(written(tmp_path / "t.json", numbers)) == [{"x": None, "l": [None]}, {"x": None, "l": [1.0]}]


@pytest.mark.parametrize(
    "name", ["t.csv", "t.tsv", "t.jsonl", "t.json", "t.parquet", "t.csv.gz", "t.csv.zst", "t.jsonl.gz"]
)
def test_what_is_written_is_read(tmp_path: Path, name: str) -> None:
    written(tmp_path / name, BATCH, BATCH)
    assert again(tmp_path / name) == BATCH.to_pylist() * 2


def test_gzip_is_gzip(tmp_path: Path) -> None:
    assert gzip.decompress(written(tmp_path / "t.csv.gz", BATCH)).decode() == CSV


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(*[st.none() | st.text(st.characters(codec="utf-8"), max_size=6)] * 2), min_size=1, max_size=8)
)
def test_any_text_comes_back_from_csv(tmp_path: Path, rows: list[tuple[str | None, str | None]]) -> None:
    batch = pa.RecordBatch.from_pydict(
        {"a": [a for a, _ in rows], "b": [b for _, b in rows]}, schema=pa.schema({"a": "string", "b": "string"})
    )
    written(tmp_path / "t.csv", batch)
    assert again(tmp_path / "t.csv", types={"a": "string", "b": "string"}) == batch.to_pylist()


@pytest.mark.parametrize(
    ("name", "expected"), [("t.csv", b"id,class,p,day\n"), ("t.jsonl", b""), ("t.json", b"[\n\n]\n")]
)
def test_no_rows(tmp_path: Path, name: str, expected: bytes) -> None:
    assert written(tmp_path / name, schema=BATCH.schema) == expected


def test_no_rows_of_parquet(tmp_path: Path) -> None:
    written(tmp_path / "t.parquet", schema=BATCH.schema)
    with Files.open(tmp_path / "t.parquet") as files:
        assert files.schema == BATCH.schema
        assert list(files.batches()) == []


def fail(out: Writer) -> None:
    """Rows, then a mistake that is none of the writer's."""
    with out:
        out.write(BATCH)
        raise ZeroDivisionError


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.json.gz"])
def test_a_failure_leaves_what_was_there(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("old")
    with pytest.raises(ZeroDivisionError):
        fail(Writer.open(tmp_path / name))
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(name, "old")]


def test_the_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    out = Writer.open(tmp_path / "t.csv")
    out.write(BATCH)
    assert not (tmp_path / "t.csv").exists()
    out.close()
    out.close()
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_permissions_and_links(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        written(tmp_path / "new.csv", BATCH)
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "new.csv").stat().st_mode) == 0o640
    (tmp_path / "kept.csv").touch(0o600)
    (tmp_path / "link.csv").symlink_to(tmp_path / "kept.csv")
    written(tmp_path / "link.csv", BATCH)
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "kept.csv").read_text() == CSV
    assert stat.S_IMODE((tmp_path / "kept.csv").stat().st_mode) == 0o600


def test_places_where_no_file_can_be(tmp_path: Path) -> None:
    for path in (tmp_path / "no" / "t.csv", tmp_path, tmp_path / "t.doc"):
        with pytest.raises(BadFile):
            Writer.open(path, format="csv" if path == tmp_path else None)


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.parquet"])
def test_batches_of_other_columns_are_refused(tmp_path: Path, name: str) -> None:
    out = Writer.open(tmp_path / name, schema=BATCH.schema)
    with pytest.raises(BadFile, match="'class'"):
        out.write(pa.RecordBatch.from_pydict({"z": [1]}))
    out.discard()
    assert list(tmp_path.iterdir()) == []


PROGRAM = """
import pyarrow as pa, sys
from candide.data.writing import Writer
batch = pa.RecordBatch.from_pydict({"id": list(range(1000))})
with Writer.open("-", format=sys.argv[1]) as out:
    for _ in range(int(sys.argv[2])):
        out.write(batch)
print(out.broken, file=sys.stderr)
"""


@pytest.mark.parametrize("format", ["csv", "jsonl", "json", "parquet"])
def test_standard_output(tmp_path: Path, format: str) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, format, "2"], capture_output=True, check=True)
    (tmp_path / "t").write_bytes(done.stdout)
    assert again(tmp_path / "t", format=format) == [{"id": i} for i in range(1000)] * 2
    assert done.stderr == b"False\n"


@pytest.mark.skipif(os.name == "nt", reason="pipes break otherwise on Windows")
@pytest.mark.parametrize("format", ["csv", "jsonl", "json", "parquet"])
def test_a_pipe_that_nobody_reads(format: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, format, "200"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.read(10)
        running.stdout.close()
        assert running.stderr.read() == b"True\n"
    assert running.returncode == 0
