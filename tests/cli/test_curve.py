"""The learning curve of tables and of texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import Run

Plain = Callable[..., Any]
Put = Callable[[str, "str | bytes"], str]
TOPICS = {
    "garden": "soil seeds roses water the spade in spring",
    "kitchen": "flour butter oven salt the spoon in winter",
    "harbour": "ropes anchor sails tide the pilot in autumn",
}


def messages(n: int) -> str:
    """Short texts on three topics, each with words of its own and of the others."""
    lines = ["topic,body"]
    for i in range(n):
        topic = list(TOPICS)[i % 3]
        own, other = TOPICS[topic].split(), TOPICS[list(TOPICS)[(i + 1) % 3]].split()
        chosen = [own[i * j % len(own)] for j in range(1, 6)] + [other[i % len(other)]]
        lines.append(f"{topic},{' '.join(chosen)} and so it went on day {i} of that year")
    return "\n".join(lines) + "\n"


@pytest.fixture
def texts(put: Put) -> str:
    return put("texts.csv", messages(240))


def test_more_rows_of_a_table_teach_more(plain: Plain, table: str) -> None:
    said = plain("curve", table, "--label", "answer", "--sizes", "4,20,140", "--subsets", "5")
    assert (said["rows"], said["judged"], said["file"]) == (210, 70, None)
    assert [(one["model"], one["size"]) for one in said["curve"]] == [("naive", 4), ("naive", 20), ("naive", 140)]
    few, _, many = (sum(one["accuracy"]) / 5 for one in said["curve"])
    assert many > max(few, 0.9)
    assert all(len(one["log_loss"]) == 5 for one in said["curve"])


def test_models_of_texts_learn_the_same_rows(plain: Plain, texts: str) -> None:
    models = "default,notes,lecture,sklearn-mnb,sklearn-logistic"
    words = ("curve", texts, "-l", "topic", "--text", "body", "--models", models, "--sizes", "10,160")
    said = plain(*words)
    found = {(one["model"], one["size"]): one for one in said["curve"]}
    assert len(found) == 10
    for size in (10, 160):
        ours, theirs = found["notes", size], found["sklearn-mnb", size]
        assert ours["accuracy"] == theirs["accuracy"]
        assert ours["log_loss"] == pytest.approx(theirs["log_loss"], rel=1e-9)
    assert said == plain(*words)


def test_one_column_of_texts_need_not_be_named(run: Run, texts: str) -> None:
    lines = run("curve", texts, "-l", "topic", "--sizes", "10").stdout.splitlines()
    assert lines[1].split() == ["rows", "learnt", "default", "best", "notes"]
    assert lines[2].split()[0] == "10"


def test_usual_sizes_end_with_all_that_is_not_judged(plain: Plain, table: str) -> None:
    sizes = [one["size"] for one in plain("curve", table, "-l", "answer", "--subsets", "1")["curve"]]
    assert sizes == sorted(set(sizes))
    assert sizes[-1] == 140


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_a_picture_with_a_mark(run: Run, texts: str, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    name = f"curve.{suffix}"
    said = run("curve", texts, "-l", "topic", "--models", "default,notes", "--mark", "0.89=the notes", "-o", name)
    assert f"written to {name}" in said.stdout
    drawn = Path(name).read_bytes()
    assert drawn[:4] == b"\x89PNG" if suffix == "png" else b"the notes: 89 %" in drawn


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--models", "naive"), "reads tables"),
        (("--models", "oracle"), "there is no model 'oracle'"),
        (("--text", "subject"), "subject"),
        (("--sizes", "10,many"), "--sizes takes whole numbers"),
        (("--sizes", "2"), "a row of every class"),
        (("--sizes", "161"), "is judged, not learnt"),
        (("--mark", "89=the notes"), "--mark takes an accuracy"),
    ],
)
def test_what_cannot_be_drawn_is_refused(run: Run, texts: str, words: tuple[str, ...], told: str) -> None:
    assert told in run("curve", texts, "-l", "topic", *words, code=1).stderr


def test_texts_alone_are_for_models_of_texts(run: Run, table: str) -> None:
    assert "reads a column of texts" in run("curve", table, "-l", "answer", "--models", "default", code=1).stderr
    assert "--label" in run("curve", table, code=2).stderr


def test_rows_of_one_class_show_no_curve(run: Run, put: Put) -> None:
    put("one.csv", "size,answer\n1,a\n2,a\n3,a\n4,a\n")
    assert "show no curve" in run("curve", "one.csv", "-l", "answer", code=1).stderr
