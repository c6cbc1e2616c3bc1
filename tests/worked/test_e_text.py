"""E1 to E6: texts, on paper, in floats and from the command."""

from __future__ import annotations

import json
from fractions import Fraction
from math import log

import numpy as np
import pytest
from typer.testing import CliRunner

from candide import TextNB
from candide.cli.app import app
from candide.data.text_examples import TEXT_EXAMPLES, TextCase, TextExample
from candide.explain import Derivation
from candide.explain.text_worked import analyzer, pages, text_derivations
from candide.text import Analyzer, tfidf

CASES = [(example, case) for example in TEXT_EXAMPLES.values() for case in example.cases]
NAMES = [f"{example.id}-{example.cases.index(case)}" for example, case in CASES]

# What a reader must find.
FIGURES = {
    "E1-0": ["3/6 = 1/2", "(1 + 1)/(6 + 7) = 2/13", "(0 + 1)/(6 + 7) = 1/13", "2/2197", "0.5000000", "a tie"],
    "E2-0": ["(1 + 1)/(14 + 20) = 1/17", "(0 + 1)/(9 + 20) = 1/29", "3/49130 = 6.106e-05", "4/121945 = 3.280e-05",
             "0.6505410", "Never seen, and therefore ignored: with."],
    "E3-0": ["(2 + 1)/(11 + 14) = 3/25", "(1 + 1)/(9 + 14) = 2/23", "54/1953125 = 2.765e-05", "8/1399205 = 5.718e-06",
             "0.8286396", "Erratum"],
    "E3-1": ["(1 + 1)/(8 + 14) = 1/11", "1/146410", "0.8018995", "Erratum"],
    "E5-0": ["0.6505410"],
}  # fmt: skip


def learnt(example: TextExample, case: TextCase) -> TextNB:
    texts, labels = zip(*(case.texts or example.texts), strict=True)
    return TextNB(preset="notes", analyzer=analyzer(example)).fit(list(texts), list(labels))


def derived(example: TextExample, case: TextCase) -> Derivation:
    return text_derivations(example)[example.cases.index(case)][1]


@pytest.mark.parametrize(("example", "case"), CASES, ids=NAMES)
def test_every_figure_is_written_down(example: TextExample, case: TextCase) -> None:
    derivation = derived(example, case)
    for written in (derivation.text(), derivation.markdown().replace("\\", "")):
        for figure in FIGURES[f"{example.id}-{example.cases.index(case)}"]:
            assert figure in written


@pytest.mark.parametrize(("example", "case"), CASES, ids=NAMES)
def test_products_are_those_expected(example: TextExample, case: TextCase) -> None:
    derivation = derived(example, case)
    assert not case.expected or dict(zip(derivation.classes, derivation.weights or (), strict=True)) == case.expected


@pytest.mark.parametrize(("example", "case"), CASES, ids=NAMES)
def test_the_classifier_says_the_same(example: TextExample, case: TextCase) -> None:
    model, expected = learnt(example, case), derived(example, case)
    np.testing.assert_allclose(model.predict_proba([case.query])[0], expected.posterior, rtol=0, atol=1e-13)
    assert model.predict([case.query])[0] == expected.decision
    again = model.derive(case.query)
    assert (again.weights, again.shares, again.best) == (expected.weights, expected.shares, expected.best)


def test_e1_merges_forms_and_ties() -> None:
    example = TEXT_EXAMPLES["E1"]
    (case,) = example.cases
    model = learnt(example, case)
    assert analyzer(example).tokens(case.query) == ["aggression", "threatening", "address"]
    assert sum(len(analyzer(example).tokens(text)) for text, _ in example.texts) == 12
    assert derived(example, case).is_tie
    assert model.predict_proba([case.query])[0].tolist() == pytest.approx([0.5, 0.5], abs=1e-15)
    assert model.predict([case.query])[0] == "Campaigning"
    said = model.derive(case.query).text()
    assert "Stop words, left out: an, and." in said
    assert "aggressive as aggression" in said


@pytest.mark.parametrize(
    ("id", "place", "label", "share", "sizes"),
    [
        ("E2", 0, "−", 0.6505410, {"−": 14, "+": 9, "V": 20}),
        ("E3", 0, "Sports", 0.8286396, {"Sports": 11, "Not sports": 9, "V": 14}),
        ("E3", 1, "Sports", 0.8018995, {"Sports": 11, "Not sports": 8, "V": 14}),
    ],
)
def test_sizes_and_posteriors(id: str, place: int, label: str, share: float, sizes: dict[str, int]) -> None:
    example = TEXT_EXAMPLES[id]
    case = example.cases[place]
    derivation = derived(example, case)
    at = derivation.classes.index(label)
    assert derivation.posterior[at] == pytest.approx(share, abs=5e-8)
    tokens = [(token, own) for text, own in case.texts or example.texts for token in analyzer(example).tokens(text)]
    assert len({token for token, _ in tokens}) == sizes.pop("V")
    assert {own: sum(each == own for _, each in tokens) for own in sizes} == sizes


def test_e4_the_tools() -> None:
    tools, weights = pages(TEXT_EXAMPLES["E4"])
    said = dict(tools.rows)
    assert said["without stop words"] == "cowardly, act"
    assert said["stems"] == "it, was, coward, act"
    assert said["lemmas"].split(", ")[1] == "be"
    assert said["n-grams of 1 and 2"].endswith("it was, was cowardly, cowardly act")
    assert ("An inspiring address", "an", "1/3", "ln(6/3)", "0.2310") in weights.rows
    assert float(weights.rows[0][-1]) == pytest.approx(log(6) / 3, abs=5e-5)
    texts = [text for text, _ in TEXT_EXAMPLES["E4"].texts]
    matrix, words = tfidf(texts, "notes", Analyzer.of(stop="english"))
    assert "an" not in words
    assert matrix[0, words.index("inspiring")] == pytest.approx(log(6) / 2)


def test_e4_word_order_and_unseen_words_are_ignored() -> None:
    example = TEXT_EXAMPLES["E2"]
    model = learnt(example, example.cases[0])
    shares = model.predict_proba(["no fun predictable", "predictable with no fun", "fun no whatsoever predictable"])
    np.testing.assert_allclose(shares, shares[:1].repeat(3, axis=0), rtol=1e-14)


def test_e5_shares_of_all_words() -> None:
    (page,) = pages(TEXT_EXAMPLES["E5"])
    assert page.heads == ("word", "P(w | +)", "P(w | −)")
    assert len(page.rows) == 20
    assert ("the", "(2 + 1)/(9 + 20) = 3/29", "(0 + 1)/(14 + 20) = 1/34") in page.rows
    for column in (1, 2):
        assert sum(Fraction(row[column].rpartition(" = ")[2]) for row in page.rows) == 1


def test_e6_is_honest_about_the_header() -> None:
    said = " ".join(
        [*(page.said for page in pages(TEXT_EXAMPLES["E6"])), *map(str, pages(TEXT_EXAMPLES["E6"])[0].rows)]
    )
    for figure in ("Newsgroups:", "89.2 %", "86.1 %", "82.9 %", "candide curve"):
        assert figure in said


@pytest.mark.parametrize("id", TEXT_EXAMPLES)
def test_the_command_shows_each(id: str) -> None:
    shown = CliRunner().invoke(app, ["example", id.lower()], prog_name="candide")
    assert shown.exit_code == 0, shown.output
    assert shown.stdout.startswith(f"{id}: {TEXT_EXAMPLES[id].title}")
    values = json.loads(CliRunner().invoke(app, ["example", id, "--json"], prog_name="candide").stdout)
    assert len(values["cases"]) == len(TEXT_EXAMPLES[id].cases)
    assert [page["title"] for page in values["pages"]] == [page.title for page in pages(TEXT_EXAMPLES[id])]
    table = CliRunner().invoke(app, ["example", id, "--markdown"], prog_name="candide").stdout
    assert table.startswith(f"# {id}: ")


def test_the_command_lists_them() -> None:
    shown = CliRunner().invoke(app, ["example"], prog_name="candide").stdout
    assert all(f"{id} " in shown for id in [*TEXT_EXAMPLES, "D1", "D6"])
