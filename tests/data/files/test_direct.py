"""Files that Arrow reads by itself hold what a query finds in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import candide.data.files.cells as cells
from candide.data.dictionaries import is_marked
from candide.data.files import Files
from candide.data.files.direct import Direct, Unsure
from candide.errors import BadFile, CandideError

CELLS = {  # what the first row holds, and what may come below it
    "integer": (
        "1",
        [
            "-0",
            "+1",
            "007",
            "1.0",
            "1e3",
            "0x1F",
            "1_000",
            "9223372036854775808",
            "nan",
            '""',
            '"1"',
            " ",
            " 12",
            "12 ",
        ],
    ),
    "number": (
        "2.5",
        [
            "+1",
            ".5",
            "5.",
            "1e400",
            "4.9e-324",
            "0.30000000000000004",
            "-inf",
            "nan",
            "infinity",
            "1_0",
            "0x1F",
            " ",
            " 1",
        ],
    ),
    "boolean": ("true", ["tRue", "t", "0", "False", " true", '""']),
    "date": (
        "2020-01-02",
        ["0001-01-01", "9999-12-31", "10000-01-01", "2020-1-2", "2020-02-30", "2020-01-02T00:00", "infinity"],
    ),
    "string": (
        "x",
        [
            "null",
            '""',
            '"a,b"',
            '"a""b"',
            'a"b',
            '"a"b',
            'ab"',
            "'x'",
            "\\N",
            "é",
            "",
            ' "x"',
            '"a\nb"',
            "\ufeff",
            "a\rb",
            "\x00",
        ],
    ),
}
PIECES = st.sampled_from(
    ["a", "7", "", '"', '""', '"b"', '"c,d"', '",', ',"', '"\n', '\n"', ",", "\n", "\r\n", "\r", " ", "0x1", "\ufeff"]
)
SOME = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def never(self: Direct) -> Any:
    raise Unsure


def seen(files: Files, **options: Any) -> Any:
    """Everything that a reader of the file can see."""
    try:
        found = [batch for batch in files.batches(**options) if batch.validate(full=True) is None]
    except CandideError as error:
        return type(error), str(error)
    columns = {name: [str(cell) for batch in found for cell in _plain(batch.column(name))] for name in files.names}
    return columns, files.bad_rows, files.first_bad


def _plain(column: Any) -> Any:
    """Cells that Python can show: it has no date for DuckDB's infinity."""
    return column.cast(pa.int32()) if pa.types.is_date32(column.type) else column


def same(monkeypatch: pytest.MonkeyPatch, path: str | Path, **options: Any) -> Any:
    """What is seen, which does not depend on who reads."""
    try:
        files = Files.open(path, **options)
    except CandideError:
        return None
    with files:
        ours = seen(files)
        assert seen(files, words=True) == ours
        with monkeypatch.context() as changed:
            changed.setattr(Direct, "batches", never)
            assert seen(files) == ours
    return ours


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files of which a query was asked."""
    found: list[str] = []
    query = Files._queried

    def note(self: Files, connection: Any, place: int, relation: Any, rows: int, after: int) -> Any:
        found.append(relation.part.name)
        return query(self, connection, place, relation, rows, after)

    monkeypatch.setattr(Files, "_queried", note)
    return found


@pytest.mark.parametrize("kind", CELLS)
def test_cells_of_each_kind(put: Any, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    usual, odd = CELLS[kind]
    for cell in odd:
        path = put("t.csv", f"a,b\n{usual},x\n{cell},y\n,{cell}")
        same(monkeypatch, path, types={"a": kind, "b": "string"})


@SOME
@given(st.lists(PIECES, max_size=14), st.sampled_from([",", ";"]), st.booleans())
def test_quotes_and_line_ends(
    put: Any, monkeypatch: pytest.MonkeyPatch, pieces: list[str], mark: str, skip: bool
) -> None:
    path = put("t.csv", ("a,b\n1,x\n" + "".join(pieces)).replace(",", mark))
    same(monkeypatch, path, skip_bad_rows=skip)


@pytest.mark.parametrize("rows", ['"b"c,d\n', '""b,c\n', 'b",c\n', '"b,"c,"d"\n', '"b","c\n', '"b""c",d\n', "0x1,b\n"])
def test_rows_that_readers_may_take_in_different_ways(put: Any, asked: list[str], rows: str) -> None:
    path = put("t.csv", "a,b\n" + "1,2\n" * 3 + rows)
    try:
        with Files.open(path) as files:
            list(files.batches())
    except CandideError:
        return
    assert asked == [path]


@pytest.mark.parametrize("rows", ["b,c\n", '"b","c"\n', '"b;c",""\n', ",\n", '"é",-1.5\n', "true,2020-01-02\n"])
def test_rows_that_everybody_takes_alike(put: Any, asked: list[str], rows: str) -> None:
    with Files.open(put("t.csv", "\n\na,b\n" + 3 * rows)) as files:
        assert sum(batch.num_rows for batch in files.batches()) == 3
        assert files.done == 1.0
    assert not asked


@pytest.mark.parametrize("last", ["1.5,x\n", "oops,x\n", "1,x,3\n", '1,"x"y\n', "1.0,x\n"])
@pytest.mark.parametrize("skip", [False, True])
def test_a_query_goes_on_where_arrow_ends(
    put: Any, monkeypatch: pytest.MonkeyPatch, asked: list[str], last: str, skip: bool
) -> None:
    monkeypatch.setattr(cells, "BLOCK", 1 << 10)
    rows = "".join(f"{i},{'abc'[i % 3]}\n" for i in range(1000))
    path = put("t.csv", "a,b\n" + rows + last + rows)
    found = same(monkeypatch, path, types={"a": "integer"}, skip_bad_rows=skip)
    if found is None:  # it was seen when the file was opened
        assert not skip
        return
    assert asked == [path] * 3
    if skip:
        assert len(found[0]["a"]) + found[1] == 2001
    elif last != "1.0,x\n":
        assert "line 1002" in found[1]


def test_batches_are_no_longer_than_asked_for(put: Any) -> None:
    rows = "".join(f"{i},x\n" for i in range(1000))
    with Files.open(put("t.csv", "a,b\n" + rows)) as files:
        lengths = [batch.num_rows for batch in files.batches(300)]
        assert max(lengths) <= 300
        assert [cell for batch in files.batches(300) for cell in batch["a"].to_pylist()] == list(range(1000))


def test_reading_may_end_early(put: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "BLOCK", 1 << 10)
    with Files.open(put("t.csv", "a,b\n" + "1,x\n" * 5000)) as files:
        for _ in range(20):
            batches = files.batches()
            next(batches)
            batches.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("groups", [100, 5_000])
def test_parquet_is_the_same_by_a_query(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, groups: int) -> None:
    rng = np.random.default_rng(1)
    draw = rng.integers(0, 5, 5_000)
    gaps = rng.random(5_000) < 0.1
    word = np.array(["", "a", "é", "b c", '"'], dtype=object)[draw]
    columns = {
        "i8": pa.array(draw.astype(np.int8), mask=gaps),
        "u32": pa.array(draw.astype(np.uint32)),
        "f32": pa.array((draw / 3).astype(np.float32), mask=gaps),
        "f64": pa.array(np.where(draw == 2, np.nan, draw / 7)),
        "flag": pa.array(draw > 2, mask=gaps),
        "day": pa.array(draw.astype(np.int32), pa.int32(), mask=gaps).cast(pa.date32()),
        "word": pa.array(word, mask=gaps),
        "large": pa.array(word, pa.large_string()),
        "id": pa.array([f"id {i}" for i in range(5_000)]),
    }
    pq.write_table(pa.table(columns), tmp_path / "a.parquet", row_group_size=groups)
    turned = pa.table(dict(reversed(columns.items())))
    pq.write_table(turned, tmp_path / "b.parquet")
    same(monkeypatch, tmp_path / "*.parquet")


def test_who_counts_gets_dictionaries_of_few_words(put: Any, tmp_path: Path, asked: list[str]) -> None:
    table = pa.table({"id": [f"a{i}" for i in range(20_000)], "word": ["x", "y", "z", None] * 5_000, "n": [0] * 20_000})
    pq.write_table(table, tmp_path / "t.parquet")
    put("t.csv", "id,word,n\n" + "".join(f"a{i},{'xyz '[i % 4].strip()},0\n" for i in range(20_000)))
    for name in ("t.parquet", "t.csv"):
        with Files.open(tmp_path / name) as files:
            (plain,) = files.batches()
            assert plain.schema == files.schema
            (batch,) = files.batches(words=True)
            assert batch.to_pydict() == plain.to_pydict() == table.to_pydict()
            assert [is_marked(field) for field in batch.schema] == [False, True, False]
    assert not asked


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    broken = pa.array([b"ab", b"\xff"]).view(pa.string())
    pq.write_table(pa.table({"a": broken, "b": [1, 2]}), tmp_path / "t.parquet")
    with Files.open(tmp_path / "t.parquet") as files, pytest.raises(CandideError):
        list(files.batches())


@pytest.mark.parametrize("words", [False, True])
def test_bytes_that_are_no_text_are_found_late_in_csv(put: Any, monkeypatch: pytest.MonkeyPatch, words: bool) -> None:
    monkeypatch.setattr("candide.data.files.study.SAMPLE", 1000)
    path = put("t.csv", b"a,b\n" + b"1,x\n" * 300_000 + b"2,\xff\n")
    with Files.open(path) as files, pytest.raises(BadFile, match="line 300002: not UTF-8"):
        list(files.batches(words=words))


def test_parquet_that_is_damaged_inside(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": [f"word {i}" for i in range(5000)]}), path, use_dictionary=False, compression="none")
    data = bytearray(path.read_bytes())
    data[10:400] = b"\xff" * 390
    path.write_bytes(data)
    with Files.open(path) as files, pytest.raises(CandideError):
        list(files.batches())
