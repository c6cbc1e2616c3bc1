"""What the words of a text say adds up to the prediction, and they stand where it says."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from candide import NaiveBayes, TextNB, Words
from candide.errors import NotDrawn, UnknownColumn

WORDS = ["win", "prize", "free", "cash", "now", "lunch", "noon", "meeting", "tomorrow", "notes"]
NO_WORDS = {"ham": 4, "spam": 0, "work": 7}
rng = np.random.default_rng(11)
LABELS = rng.choice(["ham", "spam", "work"], 240).tolist()
TEXTS = [
    " ".join(WORDS[(NO_WORDS[label] + int(i)) % len(WORDS)] for i in rng.integers(0, 4, rng.integers(1, 9)))
    for label in LABELS
]
ASKED = ["Win, WIN a free lunch: meeting tomorrow!", "blarg", "", "notes of the meeting", "prize prize prize now"]
OPTIONS: dict[str, dict[str, Any]] = {
    "default": {},
    "best": {"preset": "best"},
    "notes": {"preset": "notes"},
    "notes in pairs": {"preset": "notes", "ngrams": (1, 2)},
    "bernoulli": {"model": "bernoulli"},
    "complement": {"model": "complement"},
    "tf-idf": {"tfidf": "sklearn"},
    "stop words and forms": {"stop": ["now"], "forms": {"cash": "money", "prize": "money"}},
    "stems": {"stem": "english", "stop": "english"},
    "letters": {"analyzer": {"unit": "letters in words"}},
    "few words": {"min_df": 20, "max_df": 0.9},
    "priors": {"priors": {"ham": 0.98, "spam": 0.01, "work": 0.01}},
}


def learnt(name: str) -> TextNB:
    return TextNB(**OPTIONS[name]).fit(TEXTS, LABELS)


MODELS = {name: learnt(name) for name in OPTIONS}


def assert_adds_up(model: Any, asked: Any, column: str) -> None:
    """Prior and words are the log joint; with the calibration in it, the prediction."""
    evidence = model.explain(asked)
    np.testing.assert_allclose(evidence.posterior, model.predict_proba(asked), rtol=0, atol=1e-12)
    place = list(evidence.columns).index(column)
    for row in range(len(evidence)):
        text = evidence.words(row, column)
        np.testing.assert_allclose(text.sum, evidence.parts[row, place], rtol=1e-12, atol=1e-12)
        others = np.delete(evidence.parts[row], place, axis=0).sum(axis=0)
        joint = evidence.prior + evidence.constant + others + text.sum
        shares = np.exp(joint - joint.max())
        np.testing.assert_allclose(shares / shares.sum(), model.predict_proba(asked)[row], rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", OPTIONS)
def test_words_add_up_to_the_prediction(name: str) -> None:
    assert_adds_up(MODELS[name], ASKED, "text")


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(list(OPTIONS)), st.lists(st.sampled_from([*WORDS, "a", "İstanbul", "£5", "the", "\n"]), max_size=15)
)
def test_words_of_any_text_add_up(name: str, words: list[str]) -> None:
    assert_adds_up(MODELS[name], [" ".join(words)], "text")


def test_texts_beside_other_columns() -> None:
    rows = [{"body": text, "hour": i % 5, "city": "xyz"[i % 3]} for i, text in enumerate(TEXTS)]
    model = NaiveBayes(columns={"body": Words()}).fit(rows, LABELS)
    asked = [{"body": text, "hour": 3, "city": "y"} for text in ASKED] + [{"body": None, "hour": 1, "city": None}]
    assert_adds_up(model, asked, "body")
    lines = model.explain(asked).text(0).splitlines()
    assert any(line.strip().startswith("body: “win” ×2") for line in lines)
    assert any(line.strip().startswith("hour=3") for line in lines)
    assert "body=?" in model.explain(asked).text(5)
    assert model.explain(asked).words(5).words == ()


@pytest.mark.parametrize("each", [False, True])
@pytest.mark.parametrize("most", [2, 40])
@pytest.mark.parametrize("name", ["default", "best", "notes", "bernoulli"])
def test_the_lines_add_up(name: str, most: int, each: bool) -> None:
    lines = MODELS[name].explain(ASKED).text(0, most=most, unit="nats", each=each).splitlines()[1:]
    numbers = [[float(n) for n in re.findall(r"(?<=\s)[+-]\d+\.\d{3}\b", line)] for line in lines]
    until = next(i for i, line in enumerate(lines) if line.split()[0] == "sum")
    np.testing.assert_allclose(np.sum(numbers[:until], axis=0), numbers[until], atol=2e-3 * until)
    assert any("more words" in line for line in lines) == (most == 2)
    assert sum("as a whole" in line for line in lines) == (name != "notes")


def test_words_stand_where_it_says() -> None:
    asked = "Win CASH, win the prize!"
    for word in MODELS["stop words and forms"].explain([asked]).words().words:
        assert (
            {asked[i:j].lower() for i, j in word.places} <= {"cash", "prize"} if word.word == "money" else {word.word}
        )
    words = {word.word: word for word in MODELS["stop words and forms"].explain([asked]).words().words}
    assert words["money"].places == ((4, 8), (18, 23))
    assert words["win"].times == 2
    pair = next(word for word in MODELS["best"].explain(["now Free  cash"]).words().words if word.word == "free cash")
    assert pair.places == ((4, 14),)


def test_stop_words_are_not_evidence_and_unknown_words_are_named() -> None:
    found = MODELS["stop words and forms"].explain(["now blarg win zonk blarg"]).words()
    assert [word.word for word in found.words] == ["win"]
    assert found.unknown == ("blarg", "zonk")
    assert found.size == 4
    assert "not known: blarg, zonk" in MODELS["default"].explain(["blarg win zonk"]).text()


def test_how_many_texts_of_each_class_have_a_word() -> None:
    model = MODELS["best"]
    for word in model.explain(["free cash now"]).words().words:
        having = [sum(f" {word.word} " in f" {t} " for t, own in zip(TEXTS, LABELS, strict=True) if own == label)
                  for label in model.classes_]  # fmt: skip
        assert word.seen.tolist() == having
    notes = MODELS["notes"].explain(["free cash"]).words()
    assert notes.seen == "times"
    free = next(word for word in notes.words if word.word == "free")
    assert free.seen.sum() == sum(text.split().count("free") for text in TEXTS)


def test_words_as_plain_values() -> None:
    values = json.loads(json.dumps(MODELS["default"].explain(ASKED).json(0), allow_nan=False))
    text = values["columns"][0]
    total = np.array(text["whole"]) + np.sum([word["evidence"] for word in text["words"]], axis=0)
    np.testing.assert_allclose(total, text["evidence"], rtol=1e-12)
    win = next(word for word in text["words"] if word["word"] == "win")
    assert (win["times"], win["places"]) == (2, [[0, 3], [5, 8]])


def test_a_table_for_a_page() -> None:
    table = MODELS["default"].explain(["win | a prize"]).markdown()
    assert {line.count(" | ") for line in table.splitlines()[2:]} == {4}
    assert "“prize”" in table


def test_only_columns_of_texts_have_words() -> None:
    rows = [{"body": text, "also": text, "hour": i % 5} for i, text in enumerate(TEXTS)]
    model = NaiveBayes(columns={"body": Words(), "also": Words()}).fit(rows, LABELS)
    evidence = model.explain(rows[:1])
    assert evidence.words(0, "also").column == "also"
    with pytest.raises(UnknownColumn, match="'hour' is not in"):
        evidence.words(0, "hour")
    with pytest.raises(UnknownColumn, match="several columns of texts"):
        evidence.words()
    with pytest.raises(UnknownColumn):
        NaiveBayes().fit([{"hour": i % 5} for i in range(240)], LABELS).explain([{"hour": 1}]).words()


def test_telling_words() -> None:
    told = MODELS["notes"].words("spam", most=3)["spam"]
    assert {word for word, *_ in told} <= set(WORDS[:4])
    assert all(seen > 20 for *_, seen in told)


def test_texts_are_not_drawn() -> None:
    rows = [{"body": text, "hour": i % 5} for i, text in enumerate(TEXTS)]
    with pytest.raises(NotDrawn, match="'body' holds texts"):
        NaiveBayes(columns={"body": Words()}).fit(rows, LABELS).sample(2)


# ---------------------------------------------------------------- on paper


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("text", ASKED)
def test_derivations_end_in_the_prediction(name: str, text: str) -> None:
    model = MODELS[name]
    derivation = model.derive(text)
    np.testing.assert_allclose(derivation.posterior, model.predict_proba([text])[0], rtol=0, atol=1e-12)
    assert derivation.weights is not None or not name.startswith("notes")
    for written in (derivation.text(), derivation.markdown(), json.dumps(derivation.json(), allow_nan=False)):
        assert written


def test_repeated_words_are_powers() -> None:
    said = MODELS["notes"].derive("prize prize prize").text()
    assert "P(prize | spam)^3" in said
    assert "))^3 = " in said


def test_stop_words_forms_and_unseen_words_are_said() -> None:
    model = TextNB(preset="notes", stop=["now"], forms={"cash": "money"}).fit(TEXTS, LABELS)
    said = model.derive("now cash blarg").text()
    assert "Stop words, left out: now." in said
    assert "cash as money" in said
    assert "Never seen, and therefore ignored: blarg." in said


def test_derivations_of_missing_and_of_two_texts() -> None:
    rows = [{"body": text, "hour": i % 5} for i, text in enumerate(TEXTS)]
    model = NaiveBayes(columns={"body": Words()}).fit(rows, LABELS)
    assert "body is missing: no evidence" in model.derive({"hour": 3}).text()
    row = {"body": "win a prize", "hour": 3}
    assert "f(body: win | " in model.derive(row).text()
    np.testing.assert_allclose(model.derive(row).posterior, model.predict_proba([row])[0], atol=1e-12)
