"""Strings that arrive as dictionaries are counted like strings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from commands import Run

from candide import storage

ROWS = 400


@pytest.fixture
def tables(here: Path) -> list[str]:
    """The same rows in three files; an id, few words, a date among strings, gaps, labels that come in blocks."""
    rng = np.random.default_rng(0)
    word = np.array(["x", "y", "zz"])[rng.integers(0, 3, ROWS)]
    when = np.array(["2020-01-02", "2021-03-04"])[rng.integers(0, 2, ROWS)]
    columns = {
        "id": [f"row {i}" for i in range(ROWS)],
        "word": pa.array(word, mask=rng.random(ROWS) < 0.1),
        "when": when,
        "size": rng.integers(0, 9, ROWS),
        "answer": pa.array(np.repeat(["a", "b", "c", "d"], ROWS // 4), mask=rng.random(ROWS) < 0.05),
    }
    table = pa.table(columns)
    pq.write_table(table, here / "many.parquet", compression="none", use_dictionary=False)
    pq.write_table(table, here / "few.parquet")
    pa.csv.write_csv(table, here / "rows.csv")
    return ["many.parquet", "few.parquet", "rows.csv"]


def test_one_model_of_every_file(run: Run, plain: Any, tables: list[str]) -> None:
    said = [plain("train", name, "-l", "answer", "-o", "m", "--types", "when=string") for name in tables]
    assert all(one | {"model": ""} == said[0] | {"model": ""} for one in said)
    kinds = {one["column"]: one["kind"] for one in said[0]["columns"]}
    assert kinds["id"] == "left out"
    assert [one["label"] for one in said[0]["classes"]] == ["a", "b", "c", "d"]


def test_every_verb_counts_and_judges_alike(run: Run, plain: Any, tables: list[str]) -> None:
    run("train", "rows.csv", "-l", "answer", "-o", "dated.candide")
    found = []
    for name in tables:
        run("update", "dated.candide", name, "-o", "more.candide")
        run("forget", "more.candide", name, "-o", "less.candide")
        assert (
            storage.load("less.candide").model.tally.seen.weights.sum()
            == storage.load("dated.candide").model.tally.seen.weights.sum()
        )
        found.append([plain("evaluate", "dated.candide", name), plain("evaluate", name, "-l", "answer", "--folds", 3)])
    assert found[1][0] == found[0][0] == found[2][0]
    assert found[1][1] == found[0][1]


def test_labels_that_the_model_does_not_know(run: Run, tables: list[str], here: Path) -> None:
    table = pq.read_table(here / "few.parquet")
    pq.write_table(table.slice(0, ROWS // 2), here / "half.parquet")
    run("train", "half.parquet", "-l", "answer", "-o", "half.candide")
    done = run("evaluate", "half.candide", "few.parquet")
    assert "classes that the model has never seen ('c', 'd')" in done.stderr
