"""C1 to C9: classifiers whose cells are levels, yes or no, or numbers of words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from exact import (
    assert_floats_agree,
    class_prior,
    fractions,
    labelled,
    likelihood,
    posterior,
    queries,
    shown,
    taught,
    weights,
)
from numpy.testing import assert_allclose
from tables import PLAY_TENNIS, SEVEN, Worked

from candide import BernoulliNB, CategoricalNB, MultinomialNB
from candide.classifier import Model, learn
from candide.errors import BadPrior, UndefinedPosterior
from candide.events import Bernoulli, Categorical, FullJoint, Multinomial
from candide.explain import linear_weights
from candide.priors import Beta, Dirichlet, MaximumLikelihood, MEstimate, Pseudo

AS_COUNTED = MaximumLikelihood()
EVERY_ROW = list(product((0, 1), repeat=3))
SIZES = (2, 3, 5, 4, 2)


def binary(d: int) -> Worked:
    """Every combination of d yes-or-no features, once in each of two classes."""
    rows = [(*cells, y) for cells in product((0, 1), repeat=d) for y in (0, 1)]
    return Worked(tuple(f"f{j}" for j in range(d)), "y", rows)


def many_valued(sizes: Sequence[int], classes: int) -> Worked:
    """As few rows as show every level of columns with that many values, in each class."""
    rows = [(*(i % size for size in sizes), c) for i in range(max(sizes)) for c in range(classes)]
    return Worked(tuple(f"x{j}" for j in range(len(sizes))), "y", rows)


def cells_of_tables(model: Model) -> int:
    """How many numbers the tables of levels hold."""
    return sum(table.size for statistic in model.tally.statistics.values() for table in statistic.tables)


def assert_log_odds(model: Model, data: Worked, rows: Sequence[Sequence[Any]]) -> None:
    """w·x + b is the log-odds of the second class."""
    w, b = linear_weights(model.scorecard)
    joint = model.log_joint(queries(data, *rows)).values
    assert_allclose(np.array(rows) @ w + b, joint[:, 1] - joint[:, 0], rtol=1e-12, atol=1e-12)


# ---------------------------------------------------------------- C1, the full joint


@pytest.mark.parametrize("d", [1, 2, 3, 6])
def test_c1_parameters_of_naive_bayes(d: int) -> None:
    assert taught(binary(d), Bernoulli()).parameters == 2 * d + 1
    assert taught(binary(d), Categorical()).parameters == 2 * d + 1


@pytest.mark.parametrize("d", [1, 2, 3, 6])
def test_c1_parameters_of_the_full_joint(d: int) -> None:
    assert taught(binary(d), FullJoint()).parameters == 2 ** (d + 1) - 1


@pytest.mark.parametrize(("d", "cells"), [(2, 8), (3, 12)])
def test_c1_tables_of_levels_of_binary_columns(d: int, cells: int) -> None:
    assert cells_of_tables(taught(binary(d), Categorical())) == cells


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_c1_tables_of_levels_of_wider_columns(classes: int) -> None:
    data = many_valued(SIZES, classes)
    assert cells_of_tables(taught(data, Categorical())) == 16 * classes
    whole = data._replace(rows=[(*row, c) for row in product(*map(range, SIZES)) for c in range(classes)])
    assert cells_of_tables(taught(whole, Categorical())) == 16 * classes
    assert cells_of_tables(taught(whole, FullJoint())) == 240 * classes


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_c1_parameters_of_wider_columns(classes: int) -> None:
    """A table that adds to 1 in each class (naive Bayes: in each column of each class) has one number less."""
    data = many_valued(SIZES, classes)
    assert taught(data, Categorical()).parameters == (16 - len(SIZES)) * classes + classes - 1
    assert taught(data, FullJoint()).parameters == 240 * classes - 1


def test_c1_share_of_the_equal_rows() -> None:
    event = FullJoint()
    model = taught(SEVEN, event)
    counted = model.tally[event.needs(SEVEN.columns)]
    half = Fraction(1, 2)
    shares = {(1, 1, 1): half, (0, 0, 0): half, (1, 0, 0): Fraction(1), (1, 0, 1): Fraction(1), (0, 1, 0): Fraction(0)}
    for row, share in shares.items():
        assert event.posterior(counted, row) == {0: 1 - share, 1: share}
    answers = model.posterior(queries(SEVEN, *shares)).of(1)
    assert_allclose(answers, [float(share) for share in shares.values()], rtol=0, atol=1e-12)


@pytest.mark.parametrize("row", [(0, 0, 1), (0, 1, 1), (1, 1, 0)])
def test_c1_a_row_never_seen_has_no_posterior(row: tuple[int, ...]) -> None:
    event = FullJoint()
    model = taught(SEVEN, event)
    with pytest.raises(UndefinedPosterior, match=r"never seen.*0/0"):
        event.posterior(model.tally[event.needs(SEVEN.columns)], row)
    for ask in (model.posterior, model.decide, model.log_joint, model.log_posterior):
        with pytest.raises(UndefinedPosterior, match=r"never seen.*0/0"):
            ask(queries(SEVEN, row))


def test_c1_a_row_never_seen_may_be_given_the_class_prior() -> None:
    model = taught(SEVEN, FullJoint(unseen="prior"))
    assert_allclose(model.posterior(queries(SEVEN, (0, 0, 1))).values, [[3 / 7, 4 / 7]], rtol=0, atol=1e-12)


# ---------------------------------------------------------------- C2, Bernoulli


def plane(p: Fraction, yes: Sequence[tuple[Fraction, Fraction]]) -> tuple[list[float], float]:
    """w_j = ln[p¹(1−p⁰) / (p⁰(1−p¹))], b = ln(p/(1−p)) + Σ ln[(1−p¹)/(1−p⁰)]; `yes` holds pairs p⁰, p¹."""
    w = [math.log(one * (1 - zero) / (zero * (1 - one))) for zero, one in yes]
    return w, math.log(p / (1 - p)) + sum(math.log((1 - one) / (1 - zero)) for zero, one in yes)


def test_c2_by_counting() -> None:
    model = taught(SEVEN, Bernoulli(AS_COUNTED))
    yes = {y: [row for row in SEVEN.rows if row[-1] == y] for y in (0, 1)}
    assert class_prior(model)[1] == Fraction(sum(row[-1] for row in SEVEN.rows), len(SEVEN.rows)) == Fraction(4, 7)
    for j, column in enumerate(SEVEN.columns):
        shares = {y: Fraction(sum(row[j] for row in rows), len(rows)) for y, rows in yes.items()}
        assert likelihood(model, column, 1) == shares
        assert likelihood(model, column, 0) == {y: 1 - share for y, share in shares.items()}
    assert_floats_agree(model, *EVERY_ROW)


@pytest.mark.parametrize("belief", [AS_COUNTED, Dirichlet(1), Beta(2, 3)], ids=["counted", "Laplace", "Beta"])
def test_c2_the_decision_is_linear(belief: Any) -> None:
    model = taught(SEVEN, Bernoulli(belief))
    shares = [likelihood(model, column, 1) for column in SEVEN.columns]
    w, b = plane(class_prior(model)[1], [(share[0], share[1]) for share in shares])
    found, constant = linear_weights(model.scorecard)
    assert_allclose(found, w, rtol=1e-13)
    assert constant == pytest.approx(b, rel=1e-13)
    assert_log_odds(model, SEVEN, EVERY_ROW)


def test_c2_the_weights_of_the_seven_rows() -> None:
    w, b = linear_weights(taught(SEVEN, Bernoulli(AS_COUNTED)).scorecard)
    assert_allclose(w, np.log([6, 1 / 6, 2]), rtol=1e-14)
    assert b == pytest.approx(math.log(27 / 32), rel=1e-13)


# ---------------------------------------------------------------- C3, the pitfall


CONSTANT = Worked(
    ("always", "never", "f"), "y", [(1, 0, 1, "a"), (1, 0, 0, "a"), (1, 0, 0, "a"), (1, 0, 1, "b"), (1, 0, 1, "b")]
)


@pytest.mark.parametrize("row", [(0, 0, 1), (1, 1, 1), (0, 1, 1)])
@pytest.mark.parametrize("kind", [Bernoulli, Categorical])
def test_c3_an_unseen_value_is_zero_over_zero_in_every_class(row: tuple[int, ...], kind: Any) -> None:
    counted = taught(CONSTANT, Bernoulli(AS_COUNTED))
    assert weights(counted, row) == {"a": 0, "b": 0}
    with pytest.raises(ZeroDivisionError):
        posterior(counted, row)

    # In floats such a cell says the same of both classes: what is left is the prior and the other columns.
    model = taught(CONSTANT, kind(AS_COUNTED))
    bare = learn({("f",): Bernoulli(AS_COUNTED)}, labelled(CONSTANT))
    answer = model.posterior(queries(CONSTANT, row)).values
    assert_allclose(answer, [[float(share) for share in posterior(bare, row[2:]).values()]], rtol=0, atol=1e-8)
    assert np.isfinite(model.log_joint(queries(CONSTANT, row)).values).all()
    assert np.isfinite(model.log_posterior(queries(CONSTANT, row))).all()


def test_c3_one_virtual_example_each_is_the_remedy() -> None:
    model = taught(CONSTANT, Bernoulli(Dirichlet(1)))
    assert likelihood(model, "always", 0) == likelihood(model, "never", 1) == {"a": Fraction(1, 5), "b": Fraction(1, 4)}
    assert_floats_agree(model, *EVERY_ROW)


# ---------------------------------------------------------------- C4, Laplace's rule by pseudo-examples


@pytest.mark.parametrize("belief", [Beta(1, 1), Dirichlet(1)])
@pytest.mark.parametrize("data", [SEVEN, CONSTANT], ids=["seven", "constant"])
def test_c4_an_all_ones_and_an_all_zeros_row_in_each_class(data: Worked, belief: Beta | Dirichlet) -> None:
    classes = {row[-1] for row in data.rows}
    added = [(cell,) * len(data.columns) + (y,) for y in classes for cell in (0, 1)]
    padded = taught(data._replace(rows=data.rows + added), Bernoulli(AS_COUNTED))
    model = taught(data, Bernoulli(belief), prior=Dirichlet(2))

    for j, column in enumerate(data.columns):
        rule = {y: (_yes(data, y, j) + 1, _rows(data, y) + 2) for y in classes}
        expected = {y: Fraction(*parts) for y, parts in rule.items()}
        assert likelihood(padded, column, 1) == likelihood(model, column, 1) == expected
    shares = {y: Fraction(_rows(data, y) + 2, len(data.rows) + 4) for y in classes}
    assert class_prior(padded) == class_prior(model) == shares
    for row in EVERY_ROW:
        assert weights(padded, row) == weights(model, row)
    both = [m.posterior(queries(data, *EVERY_ROW)).values for m in (padded, model)]
    assert_allclose(*both, rtol=0, atol=1e-14)
    assert_floats_agree(model, *EVERY_ROW)


def _rows(data: Worked, y: Any) -> int:
    return sum(row[-1] == y for row in data.rows)


def _yes(data: Worked, y: Any, j: int) -> int:
    return sum(row[j] for row in data.rows if row[-1] == y)


# ---------------------------------------------------------------- C5, categorical


@pytest.mark.parametrize("alpha", [0, 1, 2, Fraction(1, 2), Fraction(1, 10)])
def test_c5_additive_smoothing(alpha: Any) -> None:
    model = taught(PLAY_TENNIS, Categorical(Dirichlet(alpha)), prior=Dirichlet(alpha))
    rows = {k: [row for row in PLAY_TENNIS.rows if row[-1] == k] for k in ("No", "Yes")}
    for i, column in enumerate(PLAY_TENNIS.columns):
        levels = {row[i] for row in PLAY_TENNIS.rows}
        for level in levels:
            counts = {k: sum(row[i] == level for row in members) for k, members in rows.items()}
            expected = {k: (counts[k] + alpha) / Fraction(len(rows[k]) + alpha * len(levels)) for k in rows}
            assert likelihood(model, column, level) == expected
    assert class_prior(model) == {k: (len(rows[k]) + alpha) / Fraction(14 + 2 * alpha) for k in rows}
    if alpha:
        assert_floats_agree(model, *(row[:-1] for row in PLAY_TENNIS.rows))


def test_c5_without_smoothing_a_share_is_a_share() -> None:
    model = taught(PLAY_TENNIS, Categorical(AS_COUNTED))
    assert likelihood(model, "Outlook", "Overcast") == {"No": 0, "Yes": Fraction(4, 9)}
    assert likelihood(taught(PLAY_TENNIS, Categorical(Dirichlet(0))), "Outlook", "Rain") == likelihood(
        model, "Outlook", "Rain"
    )


def test_c5_a_level_beyond_the_data_counts_in_the_denominator() -> None:
    """Where J is known to be 3 although two levels were seen, the third has its share too."""
    codes = np.array([[0], [0], [1]])
    model = CategoricalNB(alpha=1, min_categories=3).fit(codes, ["a", "a", "b"])
    assert_allclose(np.exp(model.feature_log_prob_[0]), [[3 / 5, 1 / 5, 1 / 5], [1 / 4, 2 / 4, 1 / 4]], rtol=1e-14)


# ---------------------------------------------------------------- C6, mean and mode


def test_c6_the_mean_is_additive_smoothing() -> None:
    n = fractions([5, 4, 0])
    for a in (1, 2, Fraction(1, 2), Fraction(7, 3)):
        assert Dirichlet(a).mean(n, n.sum(), 3).tolist() == [(x + a) / (9 + 3 * a) for x in n]


def test_c6_the_mode_is_another_estimator() -> None:
    n = fractions([5, 4, 0])
    for a in (1, 2, Fraction(7, 3)):
        mode = Dirichlet(a).mode(n, n.sum(), 3).tolist()
        assert mode == [(x + a - 1) / (9 + 3 * (a - 1)) for x in n]
        assert mode != Dirichlet(a).mean(n, n.sum(), 3).tolist()
    assert Dirichlet(1).mode(n, n.sum(), 3).tolist() == [Fraction(5, 9), Fraction(4, 9), 0]
    assert Dirichlet(1).likeliest(n, n.sum(), 3).tolist() == [Fraction(5, 9), Fraction(4, 9), 0]


def test_c6_on_a_table() -> None:
    """The shares of Outlook in the class No, by mean and by mode, from the model's own counts."""
    model = taught(PLAY_TENNIS, Categorical(Dirichlet(2)))
    counted = model.tally[model.events[PLAY_TENNIS.columns].needs(PLAY_TENNIS.columns)]
    n = fractions(counted.tables[0])[:, 0]
    assert list(counted.levels[0]) == ["Overcast", "Rain", "Sunny"]
    assert Dirichlet(2).mean(n, n.sum(), 3).tolist() == [Fraction(2, 11), Fraction(4, 11), Fraction(5, 11)]
    assert Dirichlet(2).mode(n, n.sum(), 3).tolist() == [Fraction(1, 8), Fraction(3, 8), Fraction(4, 8)]


@pytest.mark.parametrize(("heads", "tails", "yes", "no"), [(7, 3, 2, 2), (7, 3, 5, 1), (0, 4, 3, 2), (1, 1, 10, 30)])
def test_c6_a_coin(heads: int, tails: int, yes: int, no: int) -> None:
    """θ_MAP = (β_H + ζ_H − 1) / (β_H + ζ_H + β_T + ζ_T − 2), the top of the posterior density."""
    belief, n = Beta(yes, no), fractions([tails, heads])
    theta = belief.mode(n, n.sum(), 2)[1]
    assert theta == Fraction(heads + yes - 1, heads + yes + tails + no - 2)
    assert belief.mean(n, n.sum(), 2)[1] == Fraction(heads + yes, heads + yes + tails + no)

    def density(x: Fraction) -> Fraction:
        return x ** (heads + yes - 1) * (1 - x) ** (tails + no - 1)

    grid = [Fraction(i, 1000) for i in range(1, 1000)]
    assert all(density(x) < density(theta) for x in grid if x != theta)


def test_c6_draws_have_the_posterior_mean() -> None:
    n = np.array([[5.0, 4.0, 0.0]])
    drawn = np.concatenate([Dirichlet(1).draw(n, np.random.default_rng(seed)) for seed in range(4000)])
    assert_allclose(drawn.mean(axis=0), [6 / 12, 5 / 12, 1 / 12], atol=0.01)


def test_c6_a_mode_on_the_edge_is_refused() -> None:
    with pytest.raises(BadPrior, match="no mode"):
        Dirichlet(Fraction(1, 2)).mode(fractions([3, 0]), Fraction(3), 2)


# ---------------------------------------------------------------- C7, the m-estimate


@pytest.mark.parametrize("m", [1, 2, 3, 4, 10, Fraction(1, 2)])
@pytest.mark.parametrize("p", [(2, 2, 2), (3, 2, 1), (0, 5, 1)], ids=["even", "uneven", "with a zero"])
def test_c7_m_virtual_examples_in_the_shares_p(m: Any, p: tuple[int, ...]) -> None:
    n, shares = fractions([2, 0, 3]), [Fraction(part, 6) for part in p]
    found = MEstimate(m, shares).mean(n, n.sum(), 3).tolist()
    assert found == [(x + m * share) / (5 + m) for x, share in zip(n, shares, strict=True)]
    assert sum(found) == 1


@pytest.mark.parametrize("m", [1, 2, 3, 4, 10])
@pytest.mark.parametrize("p", [None, Fraction(1, 3)])
def test_c7_even_shares_need_not_be_written_out(m: int, p: Fraction | None) -> None:
    n = fractions([2, 0, 3])
    assert MEstimate(m, p).mean(n, n.sum(), 3).tolist() == [(x + Fraction(m, 3)) / (5 + m) for x in n]


@pytest.mark.parametrize("size", [2, 3, 5])
def test_c7_m_equal_to_the_number_of_values_is_laplace(size: int) -> None:
    n = fractions(range(size))
    expected = Dirichlet(1).mean(n, n.sum(), size).tolist()
    assert MEstimate(size).mean(n, n.sum(), size).tolist() == expected
    assert MEstimate(size, Fraction(1, size)).mean(n, n.sum(), size).tolist() == expected


def test_c7_in_a_model() -> None:
    """Wind has two values: two virtual days of even wind are Laplace's rule, four are not."""
    data = PLAY_TENNIS._replace(columns=("Wind",), rows=[row[3:] for row in PLAY_TENNIS.rows])
    two, four, laplace = (taught(data, Categorical(belief)) for belief in (MEstimate(2), MEstimate(4), Dirichlet(1)))
    assert likelihood(two, "Wind", "Weak") == likelihood(laplace, "Wind", "Weak")
    assert likelihood(four, "Wind", "Weak") == {"No": Fraction(2 + 2, 5 + 4), "Yes": Fraction(6 + 2, 9 + 4)}
    assert_floats_agree(four, ("Weak",), ("Strong",))


# ---------------------------------------------------------------- C8, multinomial


# Five messages of six words; "ham" has three words in all, "spam" nine, and "lunch" is in none of them.
MAIL = Worked(
    ("cheap", "dear", "lunch", "meeting", "money", "win"),
    "y",
    [
        (0, 1, 0, 1, 0, 0, "ham"),
        (0, 0, 0, 1, 0, 0, "ham"),
        (2, 0, 0, 0, 1, 1, "spam"),
        (0, 1, 0, 0, 2, 0, "spam"),
        (0, 0, 0, 0, 0, 2, "spam"),
    ],
)
LETTERS = [(0, 1, 0, 2, 0, 0), (1, 0, 0, 0, 2, 0), (0, 0, 3, 0, 0, 1), (1, 1, 1, 1, 1, 1), (0, 0, 0, 0, 0, 0)]


@pytest.mark.parametrize("virtual", [1, 2, Fraction(1, 2)])
def test_c8_shares_of_all_words(virtual: Any) -> None:
    model = taught(MAIL, Multinomial(Dirichlet(virtual)))
    sums = {y: [_yes(MAIL, y, j) for j in range(6)] for y in ("ham", "spam")}
    assert {y: sum(counts) for y, counts in sums.items()} == {"ham": 3, "spam": 9}
    for j, word in enumerate(MAIL.columns):
        expected = {y: (counts[j] + virtual) / Fraction(sum(counts) + 6 * virtual) for y, counts in sums.items()}
        assert likelihood(model, word, 1) == expected
    assert_floats_agree(model, *LETTERS)


def test_c8_the_multinomial_coefficient_is_equal_for_all_classes() -> None:
    """P(x | c) = m!/Πx_j! · Πθ^x is what scipy computes; the model leaves the first factor out."""
    from scipy.stats import multinomial

    model = taught(MAIL, Multinomial(Dirichlet(1)))
    theta = np.array([[float(likelihood(model, word, 1)[y]) for word in MAIL.columns] for y in ("ham", "spam")])
    for letter in LETTERS:
        joint = model.log_joint(queries(MAIL, letter)).values[0]
        whole = multinomial.logpmf(letter, sum(letter), theta) + np.log([2 / 5, 3 / 5])
        coefficient = math.lgamma(sum(letter) + 1) - sum(math.lgamma(x + 1) for x in letter)
        assert_allclose(whole - joint, [coefficient] * 2, rtol=1e-12, atol=1e-12)
        share = np.exp(whole) / np.exp(whole).sum()
        assert_allclose(model.posterior(queries(MAIL, letter)).values[0], share, rtol=0, atol=1e-12)


def test_c8_the_decision_is_linear() -> None:
    model = taught(MAIL, Multinomial(Dirichlet(1)))
    shares = [likelihood(model, word, 1) for word in MAIL.columns]
    w, b = linear_weights(model.scorecard)
    assert_allclose(w, [math.log(share["spam"]) - math.log(share["ham"]) for share in shares], rtol=1e-13)
    assert b == pytest.approx(math.log(3 / 5) - math.log(2 / 5), rel=1e-13)
    assert_log_odds(model, MAIL, LETTERS)


def test_c8_by_the_estimator() -> None:
    X, y = np.array([row[:-1] for row in MAIL.rows]), [row[-1] for row in MAIL.rows]
    answers = MultinomialNB(alpha=1).fit(X, y).predict_proba(np.array(LETTERS))
    exact = [posterior(taught(MAIL, Multinomial(Dirichlet(1))), letter)["spam"] for letter in LETTERS]
    assert_allclose(answers[:, 1], [float(share) for share in exact], rtol=0, atol=1e-12)


# ---------------------------------------------------------------- C9, the home-made spam filter


def test_c9_counts_start_at_one_and_denominators_at_two() -> None:
    model = taught(MAIL, Multinomial(Pseudo(1, 2)))
    sums = np.array([[_yes(MAIL, y, j) for j in range(6)] for y in ("ham", "spam")])
    vectors = np.log((np.ones(6) + sums) / (2.0 + sums.sum(axis=1, keepdims=True)))
    spam = 3 / 5  # the share of documents
    written_out = np.array(LETTERS) @ vectors.T + np.log([1 - spam, spam])
    assert_allclose(model.log_joint(queries(MAIL, *LETTERS)).values, written_out, rtol=1e-13)
    assert model.decide(queries(MAIL, *LETTERS)).tolist() == written_out.argmax(axis=1).tolist()
    assert class_prior(model)["spam"] == Fraction(3, 5)
    assert likelihood(model, "money", 1) == {"ham": Fraction(1, 5), "spam": Fraction(4, 11)}
    assert_floats_agree(model, *LETTERS)
    assert_log_odds(model, MAIL, LETTERS)


def test_c9_is_not_additive_smoothing() -> None:
    variant, usual = (taught(MAIL, Multinomial(belief)) for belief in (Pseudo(1, 2), Dirichlet(1)))
    sums = [sum(likelihood(model, word, 1)["spam"] for word in MAIL.columns) for model in (variant, usual)]
    assert sums == [Fraction(15, 11), 1]
    letter = (0, 0, 2, 0, 1, 0)  # twice a word that no message had, and once "money"
    ham, spam = posterior(variant, letter).values()
    assert (ham, spam) == (Fraction(1331, 2081), Fraction(750, 2081))
    assert posterior(variant, letter) != posterior(usual, letter)
    places = [int(model.decide(queries(MAIL, letter))[0]) for model in (variant, usual)]
    assert [variant.tally.classes[place] for place in places] == ["ham", "spam"]


def test_c9_with_two_words_it_is() -> None:
    """denominator = start · size: then both are the same prior."""
    n = fractions([[3, 0], [1, 6]])
    total = n.sum(axis=1, keepdims=True)
    assert Pseudo(1, 2).mean(n, total, 2).tolist() == Dirichlet(1).mean(n, total, 2).tolist()


def test_one_tally_serves_every_prior() -> None:
    """C5 to C9 differ in what is believed, not in what is counted."""
    laplace = taught(SEVEN, Bernoulli(Dirichlet(1)))
    reread = replace(laplace, events={SEVEN.columns: Bernoulli(AS_COUNTED)})
    assert weights(reread, (1, 0, 0)) == {0: Fraction(2, 63), 1: Fraction(9, 56)}
    X, y = np.array(SEVEN.rows)[:, :3], np.array(SEVEN.rows)[:, 3]
    asked = np.array([[1, 0, 0]])
    assert shown(BernoulliNB(alpha=0).fit(X, y).predict_proba(asked)[0, 1], 7) == shown(
        reread.posterior(queries(SEVEN, (1, 0, 0))).of(1)[0], 7
    )
