"""The verbs on tables that have a column of texts."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands import Run

import candide

Plain = Callable[..., Any]
Put = Callable[[str, "str | bytes"], str]

RNG = np.random.default_rng(4)
SOME = {"spam": ["win", "a", "free", "prize", "now", "call", "claim", "cash", "urgent"],
        "ham": ["see", "you", "at", "lunch", "tomorrow", "ok", "thanks", "the", "meeting"]}  # fmt: skip
LABELS = RNG.choice(["ham", "spam"], 300, p=[0.6, 0.4]).tolist()
BODIES = [", ".join(f"{RNG.choice(SOME[own if RNG.random() < 0.8 else 'ham'])} {i}" for _ in range(6))
          for i, own in enumerate(LABELS)]  # fmt: skip
ROWS = [{"body": body, "hour": i % 24, "kind": own} for i, (body, own) in enumerate(zip(BODIES, LABELS, strict=True))]


def as_csv(rows: list[dict[str, Any]]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


@pytest.fixture
def mails(put: Put) -> str:
    return put("mails.csv", as_csv(ROWS))


@pytest.fixture
def learnt(run: Run, mails: str) -> str:
    run("train", mails, "-l", "kind", "-o", "mails.candide")
    return "mails.candide"


def explained(run: Run, model: str, *words: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("explain", model, *words, "--json").stdout)
    return found


def test_training_takes_sentences_for_text(plain: Plain, mails: str) -> None:
    kinds = {one["column"]: one["kind"] for one in plain("train", mails, "-l", "kind")["columns"]}
    assert kinds == {"body": "text", "hour": "numeric"}


def test_a_column_can_be_said_to_be_text(plain: Plain, put: Put) -> None:
    put("few.csv", "code,y\n" + "12 34,a\n56 34,b\n" * 30)
    first = plain("train", "few.csv", "-l", "y", "--columns", "code=text", "-o", "text.candide")
    assert {one["kind"] for one in first["columns"]} == {"text"}
    put("numbers.csv", "code,y\n" + "12,a\n56,b\n" * 30)
    numbers = plain("train", "numbers.csv", "-l", "y", "--columns", "code=text", "-o", "digits.candide")
    assert {one["kind"] for one in numbers["columns"]} == {"text"}
    assert plain("predict", "digits.candide", put("new.csv", "code\n56\n12\n"))[0]["prediction"] == "b"


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_every_format(run: Run, learnt: str, put: Put, kind: str) -> None:
    if kind == "csv":
        put("rows.csv", as_csv(ROWS))
    elif kind == "jsonl":
        put("rows.jsonl", "\n".join(map(json.dumps, ROWS)))
    else:
        pq.write_table(pa.Table.from_pylist(ROWS), "rows.parquet")
    rows = list(csv.DictReader(io.StringIO(run("predict", learnt, f"rows.{kind}", "--proba").stdout)))
    expected = candide.load(learnt).predict_proba([{"body": row["body"], "hour": row["hour"]} for row in ROWS])
    np.testing.assert_allclose([float(row["P(spam)"]) for row in rows], expected[:, 1], rtol=1e-9)
    run("train", f"rows.{kind}", "-l", "kind", "-o", "again.candide")
    assert "accuracy" in run("evaluate", "again.candide", f"rows.{kind}").stdout
    row = explained(run, learnt, "--data", f"rows.{kind}", "--row", "7")
    np.testing.assert_allclose(row["posterior"], expected[6], rtol=1e-9)


def test_parts_make_the_whole(run: Run, plain: Plain, learnt: str, put: Put) -> None:
    put("one.csv", as_csv(ROWS[:170]))
    put("two.csv", as_csv(ROWS[170:]))
    for name in ("one", "two"):
        run("train", f"{name}.csv", "-l", "kind", "-o", f"{name}.candide")
    run("merge", "one.candide", "two.candide", "-o", "both.candide")
    run("update", "one.candide", "two.csv", "-o", "more.candide")
    run("forget", "more.candide", "two.csv", "-o", "less.candide")
    asked = [{"body": row["body"], "hour": 3} for row in ROWS]

    def said(path: str) -> Any:
        return candide.load(path).predict_proba(asked)

    np.testing.assert_allclose(said("both.candide"), said(learnt), rtol=0, atol=1e-9)
    np.testing.assert_allclose(said("more.candide"), said(learnt), rtol=0, atol=1e-9)
    assert plain("show", "less.candide")["rows"] == 170
    assert plain("show", "less.candide")["texts"][0]["why"] == plain("show", "one.candide")["texts"][0]["why"]


def test_words_explain(run: Run, learnt: str) -> None:
    said = run("explain", learnt, "body=Win a prize, win blarg", "hour=3").stdout
    assert "body: “win” ×2" in said
    assert "texts: spam" in said
    assert "not known: blarg" in said
    found = explained(run, learnt, "body=Win a prize, win blarg", "hour=3")
    text = next(one for one in found["columns"] if one["column"] == "body")
    total = np.array(text["whole"]) + np.sum([word["evidence"] for word in text["words"]], axis=0)
    np.testing.assert_allclose(total, text["evidence"], rtol=1e-12)
    assert next(word for word in text["words"] if word["word"] == "win")["places"] == [[0, 3], [13, 16]]
    assert "| body: “win” ×2 |" in run("explain", learnt, "body=Win a prize, win blarg", "--markdown").stdout
    assert "more words" in run("explain", learnt, f"body={' '.join(SOME['spam'])}", "--most", "2").stdout


def test_texts_on_paper(run: Run, learnt: str) -> None:
    said = run("explain", learnt, "body=win a prize", "hour=3", "--derive").stdout
    assert "f(body: win | spam)" in said
    found = json.loads(run("explain", learnt, "body=win a prize", "hour=3", "--derive", "--json").stdout)
    answer = candide.load(learnt).predict_proba([{"body": "win a prize", "hour": 3}])[0]
    np.testing.assert_allclose([one["decimal"] for one in found["posterior"]], answer, rtol=1e-9)


def test_a_classifier_of_texts_in_the_command(run: Run, plain: Plain) -> None:
    candide.save(candide.TextNB(preset="notes").fit(BODIES, LABELS), "notes.candide")
    said = run("explain", "notes.candide", "text=win a prize prize", "--derive").stdout
    assert "P(prize | spam)^2" in said
    assert "“prize” ×2" in run("explain", "notes.candide", "text=win a prize prize").stdout
    assert plain("show", "notes.candide")["texts"][0]["column"] == "text"


def test_showing_the_words_of_each_class(run: Run, plain: Plain, learnt: str) -> None:
    said = run("show", learnt).stdout
    assert "words in 300 texts" in said
    assert "hour" in said
    full = plain("show", learnt, "body", "--most", "3")
    assert [one["label"] for one in full["classes"]] == ["ham", "spam"]
    spam = [word["word"] for word in full["classes"][1]["words"]]
    assert len(spam) == 3
    assert set(spam) <= set(SOME["spam"])
    lines = run("show", learnt, "body").stdout.splitlines()
    assert lines[1].split() == ["class", "word", "bits", "seen", "in"]
    assert "Did you mean 'body'?" in run("show", learnt, "bod", code=1).stderr


@pytest.mark.parametrize("words", [("densities", "body"), ("boundary", "body", "hour"), ("nomogram",)])
def test_pictures_of_texts_are_refused(run: Run, learnt: str, words: tuple[str, ...]) -> None:
    said = run("plot", learnt, *words, code=1).stderr
    assert "column 'body' holds texts" in said
    assert "candide show" in said


def test_reliability_needs_no_columns(run: Run, learnt: str) -> None:
    pytest.importorskip("matplotlib")
    run("plot", learnt, "reliability", "-o", "r.svg")
