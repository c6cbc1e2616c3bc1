"""Files of many columns are read list by list: the same values, the same complaints."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import candide.data.files.values as values
from candide.data.files import Files
from candide.data.files.direct import Direct, Unsure
from candide.errors import CandideError

CELLS = """1 -1 +3 007 1.0 1.5 1e3 1e-1 0x10 0b11 1_000 .5 5. 9007199254740993 9223372036854775808 1e400 nan NaN -nan
inf "" infinity true FALSE t yes 2020-01-02 2020-01-02T10:00 2020-01-02T03:04:05+01:00 2020-13-01 12:30 epoch ? é"""
ODD = ("", " ", " 5", "7 ", " true ", " 2020-01-02", '"1,5"', '"a\nb"')
KINDS = ("string", "integer", "number", "boolean", "date", "timestamp")


def seen(path: str, **options: Any) -> tuple[Any, ...]:
    """Everything that a reader of the file can see."""
    with Files.open(path, **options) as files:
        try:
            table = pa.Table.from_batches(files.batches(), schema=files.schema).combine_chunks()
        except CandideError as error:
            return files.schema, type(error), str(error)
        return files.schema, [str(column) for column in table.columns], files.bad_rows, files.first_bad


def _never(self: Direct) -> Any:
    raise Unsure


def same(monkeypatch: pytest.MonkeyPatch, path: str, **options: Any) -> tuple[Any, ...]:
    """What is seen, which does not depend on how the query is put."""
    monkeypatch.setattr(Direct, "batches", _never)
    monkeypatch.setattr(values, "WIDE", 1 << 30)
    one = seen(path, **options)
    monkeypatch.setattr(values, "WIDE", 1)
    assert seen(path, **options) == one
    return one


@pytest.mark.parametrize("missing", [(), ("?", "-1")])
@pytest.mark.parametrize("kind", KINDS)
def test_cells_in_lists(put: Any, monkeypatch: pytest.MonkeyPatch, kind: str, missing: Any) -> None:
    rows = "".join(f"2,{cell},y,\n,,z,\n" for cell in [*CELLS.split(), *ODD])
    path = put("t.csv", "a,b,c,d\n1,,x,2.5\n" + rows)
    types = {"a": "integer", "b": kind, "d": "number"}
    same(monkeypatch, path, types=types, missing=missing, skip_bad_rows=True)
    same(monkeypatch, path, types=types, missing=missing)
    same(monkeypatch, path, missing=missing)


@pytest.mark.parametrize("cell", ["1.5", "1e-1", "0x10", "x", "nan", '"\n"', "9223372036854775808"])
def test_a_cell_in_a_list(put: Any, monkeypatch: pytest.MonkeyPatch, cell: str) -> None:
    same(monkeypatch, put("t.csv", f"a,b\n1,2\n3,{cell}\n"), types={"a": "integer", "b": "integer"})


def test_the_first_cell_in_the_order_of_columns_is_told(put: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put("t.csv", "a,b,c,d\n1,2020-01-01,3,4.5\n1,soon,x,y\n1,2020-01-01,1.5,y\n,,,y\n1,2,3\n")
    types = {"a": "integer", "b": "date", "c": "integer", "d": "number"}
    found = same(monkeypatch, path, types=types, skip_bad_rows=True)
    assert found[2] == 4
    assert "line 3: column 'b' should hold dates (2024-12-31): 'soon'" in found[3]


@pytest.mark.parametrize("text", ['{"a": 1, "b": "x"}\n5\n{"a": "y", "b": null}\n', '{"a": 1.5, "b": "2020-01-01"}\n'])
def test_json_in_lists(put: Any, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    for options in ({}, {"types": {"a": "integer"}}, {"types": {"a": "integer"}, "skip_bad_rows": True}):
        same(monkeypatch, put("t.jsonl", text), **options)


def test_a_file_of_many_columns(put: Any) -> None:
    """More rows than a glance, of which the last tells what a column is."""
    kinds = (["1", "-5", ""], ["0.5", "nan", "3"], ["x", "", "007"], ["true", "", "false"], ["2020-01-02", "", ""])
    head = ",".join(f"c{j}" for j in range(1000))
    rows = [",".join(kinds[j % 5][(i + j) % 3] for j in range(1000)) for i in range(1500)]
    last = ",".join(["2.5", "7", "y", "", "2020-01-02 10:00"] * 200)
    with Files.open(put("t.csv", "\n".join([head, *rows, last]))) as files:
        types = list(map(str, files.schema.types))
        assert types == ["double", "double", "string", "bool", "timestamp[us]"] * 200
        batches = list(files.batches())
    for batch in batches:
        batch.validate(full=True)
    assert sum(batch.num_rows for batch in batches) == 1501
    first = next(row for batch in batches for row in batch.slice(0, 1).to_pylist())
    assert [first[f"c{j}"] for j in (0, 6, 2, 3)] == [1.0, 0.5, "007", True]


def test_a_bad_cell_far_right(put: Any) -> None:
    head = ",".join(f"c{j}" for j in range(1000))
    row = ",".join(["1"] * 1000)
    path = put("t.csv", f"{head}\n{row}\n{row[:-1]}x\n")
    words = "line 3: column 'c999' should hold whole numbers: 'x'"
    with Files.open(path, types={"c999": "integer"}) as files, pytest.raises(CandideError, match=words):
        list(files.batches())
