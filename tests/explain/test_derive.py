"""The derivation on paper: what it says, and that it says what the model says."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from candide.classifier import Model, learn
from candide.counts import ClassWeights, Columns, SumTotals, Totals
from candide.data import Table
from candide.errors import BadValue, NotFinite, UndefinedPosterior, UnknownColumn
from candide.events import Bernoulli, Categorical, Complement, FullGaussian, FullJoint, Gaussian, Multinomial
from candide.explain import Derivation, columns, derive
from candide.priors import (
    Beta,
    Dirichlet,
    Given,
    MaximumLikelihood,
    MEstimate,
    PluginNormal,
    Pseudo,
    Uniform,
    WeakNormal,
)
from candide.scorecard import IMPOSSIBLE, Linear

AS_COUNTED = MaximumLikelihood()
NAMES = "sky wind yes sure words more height weight label"
ROWS = [
    ("sun", "calm", 1, 0.7, 2, 0, 1.5, 20.0, "a"),
    ("sun", "storm", 0, 0.2, 0, 1, 1.75, 22.5, "a"),
    ("rain", "calm", 1, 0.9, 1, 1, 2.5, 21.0, "b"),
    ("snow", None, 1, 0.1, 3, 2, 3.0, 20.5, "b"),
    ("rain", "calm", 0, 0.4, 0, 5, 2.75, None, "c"),
]
DAYS = Table.of(NAMES, ROWS, target="label")


def on_paper(model: Model, row: Mapping[Any, Any], **more: Any) -> Derivation:
    return derive(model.tally, model.events, model.prior, row, target="label", **more)


def one(row: Mapping[Any, Any]) -> Table:
    return Table.of(list(row), [list(row.values())])


def assert_agree(model: Model, row: Mapping[Any, Any]) -> Derivation:
    """The same posterior, and the same decision."""
    derivation = on_paper(model, row)
    ruled_out = derivation.is_undefined or model.scorecard.start.min() < IMPOSSIBLE / 2
    rounding = 1e-8 if ruled_out else 1e-12  # the model's sums of 10⁶ for each zero are that coarse
    np.testing.assert_allclose(derivation.posterior, model.posterior(one(row)).values[0], rtol=0, atol=rounding)
    assert derivation.decision == model.tally.classes[int(model.decide(one(row))[0])]
    assert sum(derivation.shares) == 1 if derivation.shares else True
    for written in (derivation.text(), derivation.text(width=80), derivation.markdown()):
        assert "nan" not in written
    json.dumps(derivation.json(), allow_nan=False)
    return derivation


# ---------------------------------------------------------------- agreement with the model

BELIEFS = st.sampled_from(
    [AS_COUNTED, Dirichlet(1), Dirichlet(0.1), Dirichlet(Fraction(1, 3)), MEstimate(4), MEstimate(2.5), Pseudo()]
)
PRIORS = st.sampled_from([AS_COUNTED, Uniform(), Dirichlet(0.5), MEstimate(3)])


@dataclass(frozen=True)
class Asked:
    """A table, and a row that may hold gaps and strangers."""

    rows: list[tuple[Any, ...]]
    query: tuple[Any, ...]


def tables(cell: st.SearchStrategy[Any], asked: st.SearchStrategy[Any]) -> st.SearchStrategy[Asked]:
    """Up to a dozen rows of two columns."""
    row = st.tuples(cell, cell, st.sampled_from("abc"))
    return st.builds(Asked, st.lists(row, min_size=1, max_size=12), st.tuples(asked, asked))


def check(data: Asked, event: Any, prior: Any) -> None:
    model = learn({("x", "y"): event}, Table.of("x y label", data.rows, target="label"), prior)
    assert_agree(model, dict(zip("xy", data.query, strict=True)))


LEVELS = st.sampled_from(["u", "v", "w", None])


@settings(max_examples=300, deadline=None)
@given(tables(LEVELS, st.sampled_from(["u", "v", "w", "never", None])), BELIEFS, PRIORS)
def test_levels_agree_with_the_model(data: Asked, belief: Any, prior: Any) -> None:
    check(data, Categorical(belief), prior)


@settings(max_examples=200, deadline=None)
@given(tables(st.sampled_from([0, 1]), st.sampled_from([0, 1, 2])), BELIEFS, PRIORS)
def test_yes_and_no_agree_with_the_model(data: Asked, belief: Any, prior: Any) -> None:
    check(data, Bernoulli(belief), prior)


@settings(max_examples=200, deadline=None)
@given(tables(st.integers(0, 4), st.sampled_from([0, 1, 2, 7, 0.5])), BELIEFS, PRIORS)
def test_words_agree_with_the_model(data: Asked, belief: Any, prior: Any) -> None:
    check(data, Multinomial(belief), prior)


@settings(max_examples=200, deadline=None)
@given(
    tables(st.one_of(st.none(), st.integers(-20, 20).map(lambda x: x / 4)), st.one_of(st.none(), st.floats(-9, 9))),
    st.sampled_from([Gaussian(WeakNormal()), Gaussian(PluginNormal(0.1)), Gaussian(PluginNormal(0.1), shared=True)]),
    PRIORS,
)
def test_densities_agree_with_the_model(data: Asked, event: Any, prior: Any) -> None:
    check(data, event, prior)


@pytest.mark.parametrize(
    ("columns", "event"),
    [
        (("sky", "wind"), FullJoint(unseen="prior")),
        (("words", "more"), Complement()),
        (("words", "more"), Complement(norm=True)),
        (("height", "words"), FullGaussian(shrinkage="auto")),
        (("height", "words"), FullGaussian()),
        (("yes",), Bernoulli(Beta(2, 3), above=None)),
        (("sure",), Bernoulli(Dirichlet([1, 2]), above=0.5)),
        (("words",), Categorical(sizes=(6,))),
        (("sky",), Categorical(Dirichlet([1, 2, 3]))),
        (("words", "more"), Multinomial(Dirichlet([0.5, 2]))),
        (("height", "weight"), Gaussian()),
    ],
    ids=lambda what: type(what).__name__ if not isinstance(what, tuple) else "",
)
def test_every_event_model_can_be_derived(columns: tuple[str, ...], event: Any) -> None:
    model = learn({columns: event}, DAYS)
    for row in ROWS:
        cells = dict(zip(NAMES.split(), row, strict=True))
        if isinstance(event, (Gaussian, Categorical, FullJoint)) or None not in (cells[name] for name in columns):
            assert_agree(model, {name: cells[name] for name in columns})


def test_blocks_of_several_kinds_multiply() -> None:
    events: dict[Columns, Any] = {
        ("sky",): Categorical(),
        ("height", "weight"): Gaussian(WeakNormal()),
        ("yes",): Bernoulli(),
    }
    derivation = assert_agree(learn(events, DAYS), {"sky": "rain", "height": 2.0, "weight": None, "yes": 1})
    assert [step.column for step in derivation.steps] == ["sky", "height", "weight", "yes"]
    assert derivation.weights is None


@pytest.mark.parametrize("prior", [Given([0.2, 0.3, 0.5]), Given([1 / 3, 1 / 3, 1 / 3]), Uniform(), Dirichlet(2)])
def test_class_priors_are_fractions(prior: Any) -> None:
    derivation = assert_agree(learn({("sky",): Categorical()}, DAYS, prior), {"sky": "rain"})
    assert derivation.weights is not None
    if isinstance(prior, Given):
        assert [factor.value for factor in derivation.prior] == [
            Fraction(x).limit_denominator(10) for x in prior.shares
        ]  # type: ignore[union-attr]


def test_weights_that_are_no_whole_numbers_are_written_as_they_are_meant() -> None:
    table = Table.of("sky label", [("sun", "a"), ("rain", "a"), ("sun", "b")], "label", np.array([0.1, 0.5, 1.0]))
    derivation = assert_agree(learn({("sky",): Categorical()}, table), {"sky": "rain"})
    assert "P(sky=rain | a) = (1/2 + 1)/(3/5 + 2) = 15/26" in re.sub(" +", " ", derivation.text())


def test_values_far_beyond_what_was_learnt_are_decided() -> None:
    model = learn({("height",): Gaussian(WeakNormal())}, DAYS)
    assert_agree(model, {"height": 1e200})
    assert_agree(learn({("height",): Gaussian()}, DAYS), {"height": 1e200})


# ---------------------------------------------------------------- what is said


def test_a_missing_cell_is_no_evidence_and_no_factor() -> None:
    model = learn({("sky", "wind"): Categorical()}, DAYS)
    derivation = on_paper(model, {"sky": "sun", "wind": None})
    assert "wind is missing: no evidence." in derivation.remarks
    assert "P(wind" not in derivation.text()
    without = on_paper(learn({("sky",): Categorical()}, DAYS), {"sky": "sun"})
    assert derivation.shares == without.shares


def test_a_level_that_no_row_had_is_equal_in_every_class() -> None:
    derivation = on_paper(learn({("sky",): Categorical(AS_COUNTED)}, DAYS), {"sky": "hail"})
    assert [factor.value for factor in derivation.steps[0].factors] == [Fraction(1, 4)] * 3
    assert any("sky=hail was never seen" in said and "no evidence" in said for said in derivation.remarks)
    assert derivation.shares == tuple(factor.value for factor in derivation.prior)


def test_a_gap_among_yes_and_no_is_refused_as_by_the_model() -> None:
    model = learn({("yes",): Bernoulli()}, DAYS)
    with pytest.raises(NotFinite, match="column 'yes' of the row is nan"):
        on_paper(model, {"yes": None})
    with pytest.raises(NotFinite):
        model.posterior(Table.of("yes", [(None,)]))


def test_a_column_that_never_varies_says_nothing() -> None:
    table = Table.of("x label", [(1.0, "a"), (1.0, "b"), (1.0, "b")], target="label")
    derivation = assert_agree(learn({("x",): Gaussian()}, table), {"x": 5.0})
    assert derivation.remarks[0] == "x never varies: no evidence."


def test_zero_frequency_is_named_and_smoothing_shown() -> None:
    row = {"sky": "sun", "wind": "storm"}
    counted = on_paper(learn({("sky", "wind"): Categorical(AS_COUNTED)}, DAYS), row)
    assert counted.zeros == (0, 2, 2)
    assert counted.remarks[0].startswith("Zero frequency: sky=sun with b or c; wind=storm with b or c.")
    smoothed = on_paper(learn({("sky", "wind"): Categorical()}, DAYS), row)
    assert "(0 + 1)/(2 + 3) = 1/5" in smoothed.text()
    assert smoothed.remarks[0].startswith("Never seen together, and yet not 0")


def test_a_row_that_no_class_can_have_produced() -> None:
    days = Table.of(
        "sky wind label", [("sun", "calm", "a"), ("sun", "calm", "a"), ("rain", "calm", "b")], target="label"
    )
    storm = Table.of("sky wind label", [("fog", "storm", "c")], target="label")
    model = learn({("sky", "wind"): Categorical(AS_COUNTED)}, days) + learn(
        {("sky", "wind"): Categorical(AS_COUNTED)}, storm
    )
    derivation = assert_agree(model, {"sky": "sun", "wind": "storm"})
    assert derivation.is_undefined
    assert derivation.weights == (0, 0, 0)
    assert derivation.shares == (Fraction(2, 3), 0, Fraction(1, 3))  # b has two zeros, a and c one
    text = derivation.text()
    assert "divides 0 by 0" in text
    assert "P(a) · Π′ = 1/2 · 1 = 0.5000" in text
    assert "P(a | row) → 2/3 = 0.6666667" in text


def test_a_tie_goes_to_the_first_class_in_class_order() -> None:
    table = Table.of("sky label", [("sun", "b"), ("sun", "a"), ("rain", "c")], target="label")
    derivation = assert_agree(learn({("sky",): Categorical()}, table), {"sky": "sun"})
    assert derivation.is_tie
    assert (derivation.decision, derivation.best) == ("a", ("a", "b"))
    assert "label = a (a tie)" in derivation.text()
    assert "A tie of a and b" in derivation.text()


def test_words_that_do_not_occur_are_not_written_down() -> None:
    derivation = on_paper(learn({("words", "more"): Multinomial()}, DAYS), {"words": 2, "more": 0})
    assert [(step.column, step.factors[0].power) for step in derivation.steps] == [("words", 2)]
    assert "P(words | a)^2 = ((2 + 1)/(3 + 2))^2 = 9/25" in derivation.text()


def test_densities_are_shown_with_their_figures() -> None:
    table = Table.of("height label", [(1.0, "a"), (3.0, "a"), (4.0, "b"), (8.0, "b")], target="label")
    text = on_paper(learn({("height",): Gaussian(PluginNormal(0))}, table), {"height": 3.0}).text()
    assert "p(height=3 | a) = N(3; 2, 1) = 0.2420" in text
    assert "p(height=3 | b) = N(3; 6, 4) = 0.0648" in text
    assert "decimals" in text


def test_scores_are_called_scores() -> None:
    assert any("scores" in said for said in on_paper(learn({("words",): Complement()}, DAYS), {"words": 1}).remarks)


def test_notes_and_errata_come_last() -> None:
    model = learn({("sky",): Categorical()}, DAYS)
    derivation = on_paper(model, {"sky": "rain"}, note="Calibrated at 1.2.", errata=["Erratum: none."])
    assert derivation.remarks[-2:] == ("Erratum: none.", "Calibrated at 1.2.")
    assert derivation.text().endswith("* Erratum: none.\n* Calibrated at 1.2.")


def test_lines_fit_the_terminal() -> None:
    names = [f"c{j}" for j in range(30)]
    rows = [[j % (i + 2) for j in range(30)] + ["ab"[i % 2]] for i in range(6)]
    model = learn({tuple(names): Categorical()}, Table.of([*names, "label"], rows, target="label"))
    derivation = assert_agree(model, dict.fromkeys(names, 0))
    assert max(map(len, derivation.text(width=80).splitlines())) <= 80


def test_of_many_columns_the_weightiest_are_shown_and_the_rest_as_one() -> None:
    names = [f"c{j}" for j in range(30)]
    rows = [[1] * 29 + [i % 2] + ["ab"[i % 2]] for i in range(6)]
    model = learn({tuple(names): Categorical()}, Table.of([*names, "label"], rows, target="label"))
    text = on_paper(model, dict.fromkeys(names, 1)).text(most=3)
    assert "P(c29=1 | b)" in text
    assert "27 more columns" in text
    assert "c7" not in text


def test_thousands_of_columns_keep_their_posterior() -> None:
    """Fractions of thousands of digits are left out, not printed."""
    names = [f"c{j}" for j in range(2000)]
    rng = np.random.default_rng(0)
    rows = [[*map(int, rng.integers(0, 3, 2000)), "ab"[i % 2]] for i in range(20)]
    model = learn({tuple(names): Categorical()}, Table.of([*names, "label"], rows, target="label"))
    derivation = assert_agree(model, dict(zip(names, rows[0], strict=False)))
    assert derivation.json()["products"][0]["fraction"] is None
    assert len(derivation.text()) < 20_000


@pytest.mark.parametrize("event", [Bernoulli(), Multinomial(), Categorical()])
def test_tables_too_wide_for_fractions_are_derived_in_decimals(event: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    model, row = learn({("words", "more"): event}, DAYS), {"words": 2, "more": 1}
    fractions = assert_agree(model, row)
    monkeypatch.setattr(columns, "CELLS_AT_MOST", 5)
    decimals = assert_agree(model, row)
    assert fractions.weights is not None
    assert decimals.weights is None
    np.testing.assert_allclose(decimals.logs, fractions.logs, rtol=1e-12)


def test_names_of_any_kind_are_written_on_one_line() -> None:
    table = Table.of(["a|b", ("k", 1), "label"], [("x|y\nz", 1.0, 0), ("*b*", 2.0, 1)], target="label")
    model = learn({("a|b",): Categorical()}, table)
    derivation = assert_agree(model, {"a|b": "x|y\nz"})
    assert len({line.replace("\\|", "").count("|") for line in derivation.markdown().splitlines()[:6]}) == 1
    assert r"x|y\nz" in derivation.text()


# ---------------------------------------------------------------- refusals


def test_a_column_that_the_row_does_not_have_is_named() -> None:
    with pytest.raises(UnknownColumn, match=r"'sky' is not in the row .*Did you mean 'skye'"):
        on_paper(learn({("sky",): Categorical()}, DAYS), {"skye": "sun"})


def test_text_where_a_number_is_needed_is_refused() -> None:
    with pytest.raises(BadValue, match="'tall' in column 'height'"):
        on_paper(learn({("height",): Gaussian()}, DAYS), {"height": "tall"})


@pytest.mark.parametrize("event", [Multinomial(), Bernoulli(above=None), FullGaussian(), Complement()])
def test_a_gap_that_the_model_refuses_is_refused_here(event: Any) -> None:
    table = Table.of("x label", [(1, "a"), (0, "a"), (1, "b"), (0, "b")], target="label")
    model = learn({("x",): event}, table)
    with pytest.raises(NotFinite):
        model.posterior(one({"x": None}))
    with pytest.raises(NotFinite, match="column 'x' of the row is nan"):
        on_paper(model, {"x": None})


def test_a_combination_never_seen_is_refused_as_by_the_model() -> None:
    with pytest.raises(UndefinedPosterior, match="never seen"):
        on_paper(learn({("sky", "wind"): FullJoint()}, DAYS), {"sky": "rain", "wind": "storm"})


# ---------------------------------------------------------------- an event model of one's own


@dataclass(frozen=True, slots=True)
class Poisson:
    """x | c ~ Poisson(λ)."""

    def needs(self, columns: Columns) -> SumTotals:
        return SumTotals(columns)

    def term(self, statistic: Totals, seen: ClassWeights) -> Linear:
        rates = (statistic.sums + 1) / (seen.weights[:, None] + 1)
        return Linear(statistic.request.columns, np.log(rates).T.copy(), -rates.sum(axis=1))

    def parameters(self, statistic: Totals) -> int:
        return int(statistic.sums.size)


def test_an_event_model_of_ones_own_shows_its_evidence() -> None:
    model = learn({("words", "more"): Poisson()}, DAYS)
    derivation = assert_agree(model, {"words": 2, "more": 1})
    written = re.sub(" +", " ", derivation.text())
    assert "f(words=2 | b) = e^1.02165 = 2.7778" in written  # λ = 5/3
    assert "f(whatever the row | a) = e^-1.66667" in written
