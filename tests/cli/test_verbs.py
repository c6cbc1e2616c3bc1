"""Each verb does what the library does."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from commands import ROWS, TABLE, Run

import candide
from candide.cli.options import pairs
from candide.data.files import Files
from candide.errors import BadValue

Plain = Callable[..., Any]
Put = Callable[[str, "str | bytes"], str]


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def cells(names: str = "count letter size") -> list[dict[str, Any]]:
    wanted = names.split()
    return [{k: v for k, v in zip(("count", "letter", "size"), row, strict=False) if k in wanted} for row in ROWS]


# ---------------------------------------------------------------- train


def test_training_says_what_it_took_every_column_for(plain: Plain, table: str) -> None:
    said = plain("train", table, "--label", "answer")
    assert said["model"] == "table.candide"
    assert Path("table.candide").exists()
    assert said["rows"] == 210
    assert {one["column"]: one["kind"] for one in said["columns"]} == {
        "letter": "categorical",
        "count": "categorical",
        "size": "numeric",
    }
    assert sum(one["rows"] for one in said["classes"]) == 210
    assert said["estimate"]["accuracy"] > said["estimate"]["majority"]


def test_the_model_is_the_one_that_the_library_fits(run: Run, model: str) -> None:
    mine = candide.NaiveBayes().fit(cells(), [row[-1] for row in ROWS])
    theirs = candide.load(model)
    assert theirs.target_ == "answer"
    np.testing.assert_allclose(theirs.predict_proba(cells()), mine.predict_proba(cells()), rtol=1e-12)


def test_columns_are_what_the_user_says(plain: Plain, table: str) -> None:
    told = ["--columns", "size=gaussian,count=numeric", "--columns", "letter=ignore"]
    kinds = {one["column"]: one["kind"] for one in plain("train", table, "-l", "answer", *told)["columns"]}
    assert kinds == {"size": "gaussian", "count": "binned", "letter": "left out"}


def test_settings_of_another_model(plain: Plain, table: str) -> None:
    plain("train", table, "-l", "answer", "--columns", "letter=ignore", "--missing", "level", "-o", "one.candide")
    said = plain("train", table, "-l", "answer", "--like", "one.candide", "-o", "two.candide")
    assert {one["column"] for one in said["columns"] if one["kind"] == "left out"} >= {"letter"}
    assert candide.load("two.candide").missing == "level"


def test_rows_without_a_label_are_left_out_and_counted(run: Run, put: Put) -> None:
    put("gaps.csv", TABLE + "1,p,2.0,\n")
    done = run("train", "gaps.csv", "-l", "answer")
    assert "1 of 211 rows have no label" in done.stderr
    assert "210 rows of answer" in done.stdout


def test_folds_judge_rows_by_models_that_have_not_seen_them(plain: Plain, put: Put) -> None:
    random = np.random.default_rng(5)
    put("noise.csv", "x,y\n" + "".join(f"v{random.integers(60)},{random.integers(2)}\n" for _ in range(400)))
    said = plain("evaluate", "noise.csv", "--label", "y", "--folds", "4")
    assert [report["rows"] for report in said["reports"]] == [100] * 4
    assert said["means"]["accuracy"] < 0.6  # a model that had seen them would do better


def test_a_class_that_only_one_part_has(plain: Plain, put: Put) -> None:
    put("rare.csv", TABLE + "1,p,2.0,maybe\n")
    said = plain("evaluate", "rare.csv", "--label", "answer", "--folds", "3")
    assert sum(report["rows"] for report in said["reports"]) == 211


# ---------------------------------------------------------------- predict


def test_predictions_are_those_of_the_library_in_order(run: Run, model: str, table: str) -> None:
    rows = read(run("predict", model, table, "--proba").stdout)
    loaded = candide.load(model)
    shares = loaded.predict_proba(cells())
    assert [row["prediction"] for row in rows] == loaded.predict(cells()).tolist()
    assert [float(row["P(yes)"]) for row in rows] == shares[:, 1].tolist()
    assert [float(row["probability"]) for row in rows] == shares.max(axis=1).tolist()


@pytest.mark.parametrize("name", ["out.csv", "out.jsonl", "out.json", "out.parquet", "out.tsv", "out.csv.gz"])
def test_predictions_into_files(run: Run, model: str, table: str, name: str) -> None:
    run("predict", model, table, "--keep", "size,letter", "-o", name)
    with Files.open(name) as files:
        found = [row for batch in files.batches() for row in batch.to_pylist()]
    assert list(found[0]) == ["size", "letter", "prediction", "probability"]
    assert [row["size"] for row in found] == [row[2] for row in ROWS]


def test_predictions_of_a_pipe(run: Run, model: str) -> None:
    done = run("predict", model, "-", "--format", "jsonl", "--json", stdin='{"letter": "p"}\n{"count": 6}\n')
    assert len(json.loads(done.stdout)) == 2


def test_all_columns_pass_through(run: Run, model: str, table: str) -> None:
    rows = read(run("predict", model, table, "--with-data").stdout)
    assert list(rows[0]) == ["count", "letter", "size", "answer", "prediction", "probability"]
    assert rows[4]["letter"] == ROWS[4][1]


def test_no_rows_no_predictions(run: Run, model: str, put: Put) -> None:
    assert run("predict", model, put("head.csv", "count,letter\n")).stdout == "prediction,probability\n"


def test_numbers_and_truths_as_labels_stay_what_they_are(run: Run, put: Put) -> None:
    put("n.csv", "a,y\n" + "1,0\n2,1\n" * 20)
    run("train", "n.csv", "-l", "y")
    run("predict", "n.candide", "n.csv", "-o", "n.parquet")
    assert pq.read_table("n.parquet")["prediction"].to_pylist()[:2] == [0, 1]


def test_names_that_look_like_numbers_in_new_data_are_still_names(run: Run, put: Put) -> None:
    put("zip.csv", "zip,y\n" + "01234,a\n12340,b\n" * 20)
    run("train", "zip.csv", "-l", "y")
    rows = read(run("predict", "zip.candide", put("new.csv", "zip\n12340\n")).stdout)
    assert rows[0]["prediction"] == "b"
    assert float(rows[0]["probability"]) > 0.9


def test_what_stood_for_a_gap_in_training_does_so_later(run: Run, put: Put) -> None:
    put("gap.csv", "x,y\n" + "1,a\n2.5,b\n?,b\n" * 20)
    run("train", "gap.csv", "-l", "y", "--na", "?")
    said = run("explain", "gap.candide", "--data", "gap.csv", "--row", "3").stdout
    assert "missing: no evidence: x" in said


# ---------------------------------------------------------------- explain


def test_an_explanation_adds_up_to_the_prediction(plain: Plain, run: Run, model: str, table: str) -> None:
    rows = read(run("predict", model, table, "--proba").stdout)
    for number in (1, 17, 210):
        said = plain("explain", model, "--data", table, "--row", str(number))
        total = np.array(said["prior"]) + said["constant"] + np.sum([c["evidence"] for c in said["columns"]], axis=0)
        share = np.exp(total) / np.exp(total).sum()
        assert share[1] == pytest.approx(float(rows[number - 1]["P(yes)"]), rel=1e-12)
        assert said["prediction"] == rows[number - 1]["prediction"]
        derived = plain("explain", model, "--data", table, "--row", str(number), "--derive")
        assert derived["posterior"][1]["decimal"] == pytest.approx(share[1], rel=1e-12)


def test_rows_may_be_written_in_two_ways(plain: Plain, model: str) -> None:
    one = plain("explain", model, "count=3", "letter=q", "size=1.5")
    assert one == plain("explain", model, '{"count": 3, "letter": "q", "size": 1.5}')


def test_missing_and_unseen_cells_are_told(run: Run, model: str) -> None:
    said = run("explain", model, "letter=zebra", "count=", "size=2").stdout
    assert "missing: no evidence: count" in said
    assert "never seen: no evidence: letter=zebra" in said


@pytest.mark.parametrize("unit", ["bits", "nats", "decibans"])
def test_units(run: Run, model: str, unit: str) -> None:
    assert f" {unit}" in run("explain", model, "letter=p", "--unit", unit).stdout
    assert "| prior |" in run("explain", model, "letter=p", "--unit", unit, "--markdown").stdout


# ---------------------------------------------------------------- show


def test_columns_are_shown_by_what_they_say(plain: Plain, run: Run, model: str) -> None:
    columns = plain("show", model)["columns"]
    bits = [one["information_bits"] for one in columns]
    assert bits == sorted(bits, reverse=True)
    assert columns[0]["column"] == "count"
    assert columns[-1]["column"] == "size"
    assert "count" in run("show", model).stdout


def test_information_is_that_of_the_counts(plain: Plain, put: Put, run: Run) -> None:
    put("half.csv", "x,y\n" + "a,0\nb,1\n" * 500)
    run("train", "half.csv", "-l", "y")
    assert plain("show", "half.candide")["columns"][0]["information_bits"] == pytest.approx(1.0, abs=0.02)


def test_one_column(plain: Plain, run: Run, model: str) -> None:
    said = plain("show", model, "letter")
    assert [level["level"] for level in said["levels"]] == ["p", "q", "r"]
    assert sum(sum(level["rows"]) for level in said["levels"]) == 210
    assert "Did you mean 'letter'?" in run("show", model, "leter", code=1).stderr


# ---------------------------------------------------------------- update, forget, merge


def test_counts_add_and_subtract(run: Run, model: str, put: Put, table: str) -> None:
    head, *rows = TABLE.splitlines(keepends=True)
    put("one.csv", head + "".join(rows[:100]))
    put("two.csv", head + "".join(rows[100:]))
    run("train", "one.csv", "-l", "answer")
    run("train", "two.csv", "-l", "answer")
    run("update", "one.candide", "two.csv", "-o", "updated.candide")
    run("merge", "one.candide", "two.candide", "-o", "merged.candide")
    run("forget", "updated.candide", "two.csv", "-o", "forgotten.candide")
    whole = run("predict", model, table, "--proba").stdout
    assert run("predict", "updated.candide", table, "--proba").stdout == whole
    assert run("predict", "merged.candide", table, "--proba").stdout == whole
    one = run("predict", "one.candide", table, "--proba").stdout
    assert one != whole
    assert run("predict", "forgotten.candide", table).stdout == run("predict", "one.candide", table).stdout


def test_what_was_never_counted_cannot_be_forgotten(run: Run, model: str, put: Put) -> None:
    before = Path(model).read_bytes()
    done = run("forget", model, put("strange.csv", "count,letter,size,answer\n99,z,1,yes\n"), code=1)
    assert "never added" in done.stderr
    assert Path(model).read_bytes() == before


def test_models_that_predict_different_things_do_not_join(run: Run, model: str, table: str) -> None:
    run("train", table, "-l", "letter", "-o", "other.candide")
    assert "predicts 'letter'" in run("merge", model, "other.candide", "-o", "no.candide", code=1).stderr
    assert not Path("no.candide").exists()


# ---------------------------------------------------------------- the rest


def test_held_out_data_are_judged(plain: Plain, model: str, table: str) -> None:
    said = plain("evaluate", model, table)
    predicted = candide.load(model).predict(cells())
    assert said["accuracy"] == pytest.approx(np.mean(predicted == np.array([row[-1] for row in ROWS])))


def test_rows_of_unknown_classes_are_left_out_of_the_judgement(run: Run, model: str, put: Put) -> None:
    done = run("evaluate", model, put("more.csv", TABLE + "1,p,1,perhaps\n"), "--json")
    assert json.loads(done.stdout)["rows"] == 210
    assert "'perhaps'" in done.stderr


def test_examples(run: Run, plain: Plain) -> None:
    assert [one["id"] for one in plain("example")] == [f"{letter}{n}" for letter in "DE" for n in range(1, 7)]
    assert "= 18/875 = 0.0206" in run("example", "d2").stdout
    assert "Erratum" in run("example", "D5").stdout
    assert "| --- |" in run("example", "D1", "--markdown").stdout


@pytest.mark.parametrize("kind", ["reliability", "nomogram", "densities size", "boundary size count"])
@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_pictures(run: Run, model: str, kind: str, suffix: str) -> None:
    run("plot", model, *kind.split(), "-o", f"picture.{suffix}")
    start = {"png": b"\x89PNG", "svg": b"<?xml"}[suffix]
    assert Path(f"picture.{suffix}").read_bytes().startswith(start)


def test_a_picture_of_data(run: Run, table: str) -> None:
    run("plot", table, "boundary", "count", "size", "--label", "answer", "-o", "b.png")
    assert Path("b.png").stat().st_size > 1000


def test_dates(run: Run, put: Put) -> None:
    days = "".join(f"2024-{i % 12 + 1:02}-{i % 28 + 1:02},{'ab'[i % 12 > 5]}\n" for i in range(200))
    put("days.csv", "day,y\n" + days)
    run("train", "days.csv", "-l", "y")
    assert "month of day" in run("show", "days.candide").stdout
    rows = read(run("predict", "days.candide", put("new.csv", "day\n2024-01-05\n2024-12-24\n\n")).stdout)
    assert [row["prediction"] for row in rows][:2] == ["a", "b"]
    assert "day=2024-12-24" in run("explain", "days.candide", "day=2024-12-24").stdout


def test_pairs_of_names_that_hold_the_signs() -> None:
    assert pairs(["a,b=1,c=d=2"], "--x") == {"a,b": "1", "c=d": "2"}
    with pytest.raises(BadValue, match="COLUMN=VALUE"):
        pairs(["a"], "--x")


def test_costs_and_abstention_are_heeded(run: Run, tmp_path: Path) -> None:
    rows = [{"x": i % 10, "s": "ab"[i % 7 > 2]} for i in range(200)]
    chance = np.random.default_rng(0).random(200)
    y = ["no" if chance[i] < (i % 10) / 10 else "yes" for i in range(200)]
    shy = candide.NaiveBayes(reject=0.25).fit(rows, y)
    careful = candide.NaiveBayes(costs={"yes": {"no": 9}}).fit(rows, y)
    (tmp_path / "rows.csv").write_text("x,s\n" + "".join(f"{row['x']},{row['s']}\n" for row in rows))
    for name, model in (("shy", shy), ("careful", careful)):
        candide.save(model, tmp_path / f"{name}.candide")
        done = run("predict", str(tmp_path / f"{name}.candide"), str(tmp_path / "rows.csv"))
        said = [line.split(",")[0] for line in done.stdout.splitlines()[1:]]
        assert said == ["" if label is None else label for label in model.predict(rows).tolist()]
    assert {"", "no"} <= {"" if label is None else label for label in shy.predict(rows)}
