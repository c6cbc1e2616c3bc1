"""C15 and C16: what is too small for a float, and what is equal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from exact import assert_floats_agree, log, posterior, queries, taught, weights
from numpy.testing import assert_allclose
from tables import SEVEN, Worked

from candide import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from candide.classifier import Model, learn
from candide.data import Table
from candide.events import Bernoulli, Categorical, Gaussian, Multinomial
from candide.posterior import ties
from candide.priors import Dirichlet, MaximumLikelihood, PluginNormal

AS_COUNTED = MaximumLikelihood()
WIDE = 1000
NAMES = tuple(f"f{j}" for j in range(WIDE))


def finite(model: Model, source: Table) -> np.ndarray:
    """The log joint of some rows, once it is sure that nothing overflowed, underflowed or is no number."""
    joint = model.log_joint(source).values
    assert np.isfinite(joint).all()
    assert np.isfinite(model.log_posterior(source)).all()
    assert_allclose(model.posterior(source).values.sum(axis=1), 1.0, rtol=1e-12)
    assert (model.decide(source) >= 0).all()
    return joint


# ---------------------------------------------------------------- C15, a thousand improbable features


def rare(yes: dict[str, int]) -> Table:
    """Of 100,000 rows of each class so many are yes in every column; equal rows are one row with a weight."""
    rows = [(*(cell,) * WIDE, label) for label in yes for cell in (1, 0)]
    times = [weight for n in yes.values() for weight in (n, 100_000 - n)]
    return Table.of([*NAMES, "y"], rows, target="y", weights=np.array(times, dtype=float))


@pytest.mark.parametrize("kind", [Bernoulli, Categorical])
def test_c15_a_thousand_probabilities_of_one_in_100_000(kind: Any) -> None:
    assert math.prod([1e-5] * WIDE) == 0.0  # the product is nothing to a float
    model = learn({NAMES: kind(AS_COUNTED)}, rare({"a": 1, "b": 2, "c": 3}))
    row = (1,) * WIDE
    joint = finite(model, Table.of(NAMES, [row]))[0]

    exact = weights(model, row)
    assert exact == {
        label: Fraction(1, 3) * Fraction(n, 100_000) ** WIDE for label, n in (("a", 1), ("b", 2), ("c", 3))
    }
    assert_allclose(joint, [log(weight) for weight in exact.values()], rtol=1e-13)
    assert joint[0] == pytest.approx(-WIDE * math.log(1e5) - math.log(3), rel=1e-13)
    assert_allclose(model.log_posterior(Table.of(NAMES, [row]))[0, 0], -WIDE * math.log(3), rtol=1e-10)
    assert_floats_agree(model, row)


def test_c15_equal_classes_stay_equal_far_below_the_least_float() -> None:
    model = learn({NAMES: Bernoulli(AS_COUNTED)}, rare({"a": 1, "b": 1}))
    source = Table.of(NAMES, [(1,) * WIDE])
    assert model.posterior(source).values.tolist() == [[0.5, 0.5]]
    assert ties(finite(model, source)).all()


def test_c15_words() -> None:
    """A letter of 1,000 words, each of them one in 100,000."""
    data = Worked(("rare", "rest"), "y", [(1, 99_999, "a"), (3, 99_997, "b")])
    model, letter = taught(data, Multinomial(AS_COUNTED)), (WIDE, 0)
    assert weights(model, letter)["a"] == Fraction(1, 2) * Fraction(1, 100_000) ** WIDE
    finite(model, queries(data, letter))
    assert_floats_agree(model, letter)


def test_c15_bell_curves() -> None:
    """Rows a thousand deviations away in every column: the densities are nothing, their ratio is not."""
    rows = [(*(float(x),) * WIDE, label) for label, centre in (("a", 0), ("b", 1)) for x in (centre - 1, centre + 1)]
    model = learn({NAMES: Gaussian(PluginNormal(0.0))}, Table.of([*NAMES, "y"], rows, target="y"))
    source = Table.of(NAMES, [(x,) * WIDE for x in (-1000.0, 0.5, 1000.0)])
    joint = finite(model, source)
    assert_allclose(joint[:, 1] - joint[:, 0], [WIDE * (x - 0.5) for x in (-1000.0, 0.5, 1000.0)], rtol=1e-9, atol=1e-6)
    assert model.decide(source).tolist() == [0, 0, 1]


@pytest.mark.parametrize("kind", [Bernoulli, Categorical])
def test_c15_impossible_in_every_class(kind: Any) -> None:
    """All columns zero in both classes: no class has −∞, and the prior is what is left to go by."""
    rows = [(*(0,) * WIDE, label) for label in ("a", "b", "b")] + [(*(1,) * WIDE, "c")]
    table = Table.of([*NAMES, "y"], rows, target="y")
    row = (1, 0) * (WIDE // 2)  # half of the cells are impossible in whichever class
    model = learn({NAMES: kind(AS_COUNTED)}, table)
    assert set(weights(model, row).values()) == {0}
    source = Table.of(NAMES, [row])
    finite(model, source)
    assert_allclose(model.posterior(source).values, [[1 / 4, 1 / 2, 1 / 4]], rtol=1e-4)
    assert model.tally.classes[int(model.decide(source)[0])] == "b"


def test_c15_fewer_impossible_cells_win() -> None:
    model = taught(SEVEN._replace(rows=[(1, 1, 1, 0), (1, 1, 0, 1)]), Bernoulli(AS_COUNTED))
    source = queries(SEVEN, (0, 0, 0))
    assert weights(model, (0, 0, 0)) == {0: 0, 1: 0}
    assert model.posterior(source).values.tolist() == [[0.0, 1.0]]


@pytest.mark.parametrize("model", [BernoulliNB(alpha=0), CategoricalNB(alpha=0), MultinomialNB(alpha=0)], ids=str)
def test_c15_estimators_without_smoothing(model: Any) -> None:
    X = np.array([[0] * WIDE, [0] * (WIDE - 1) + [1], [1] + [0] * (WIDE - 1)])
    model.fit(X, ["a", "a", "b"])
    asked = np.array([[1] * WIDE, [0] * WIDE, [0, 1] * (WIDE // 2)])
    for answers in (model.predict_joint_log_proba(asked), model.predict_log_proba(asked)):
        assert np.isfinite(answers).all()
    assert_allclose(model.predict_proba(asked).sum(axis=1), 1.0, rtol=1e-12)


def test_c15_an_estimator_of_numbers() -> None:
    X = np.repeat([[0.0], [1.0], [10.0], [11.0]], WIDE, axis=1)
    answers = GaussianNB().fit(X, ["a", "a", "b", "b"]).predict_log_proba(X * 1e3)
    assert np.isfinite(answers).all()


# ---------------------------------------------------------------- C16, ties


def tied(model: Model, source: Table) -> list[list[Any]]:
    """The classes that share the highest score of each row."""
    masks = model.ties(source)
    return [[label for label, best in zip(model.tally.classes, mask, strict=True) if best] for mask in masks]


def given(model: Model, source: Table) -> list[Any]:
    return [model.tally.classes[place] for place in model.decide(source).tolist()]


@pytest.mark.parametrize("labels", [("a", "b"), ("b", "a"), (2, 10), (10, 2), (True, False)])
def test_c16_the_first_class_in_class_order_whichever_was_met_first(labels: tuple[Any, Any]) -> None:
    data = Worked(("f",), "y", [(0, labels[0]), (1, labels[0]), (1, labels[1]), (0, labels[1])])
    model = taught(data, Bernoulli(Dirichlet(1)))
    source = queries(data, (0,), (1,))
    assert tied(model, source) == [sorted(labels)] * 2
    assert given(model, source) == [min(labels)] * 2
    assert_allclose(model.posterior(source).values, 0.5, rtol=0, atol=1e-15)


def test_c16_a_tie_of_some() -> None:
    """Three classes, of which the last two are equal and better than the first."""
    rows = [(0, "a"), (0, "a"), (1, "b"), (0, "b"), (0, "c"), (1, "c")]
    data = Worked(("f",), "y", rows)
    for kind in (Bernoulli, Categorical):
        model = taught(data, kind(Dirichlet(1)))
        source = queries(data, (1,), (0,))
        assert tied(model, source) == [["b", "c"], ["a"]]
        assert given(model, source) == ["b", "a"]
        assert posterior(model, (1,)) == {"a": Fraction(1, 5), "b": Fraction(2, 5), "c": Fraction(2, 5)}


def test_c16_no_tie_where_the_difference_is_small() -> None:
    times = np.array([1_000_000.0, 1_000_001.0])
    model = learn({("f",): Bernoulli(Dirichlet(1))}, Table.of("f y", [(1, "a"), (1, "b")], target="y", weights=times))
    source = Table.of("f", [(1,)])
    assert tied(model, source) == [["b"]]
    assert given(model, source) == ["b"]


SPEECHES = Worked(
    ("act", "address", "aggressive", "coward", "inspiring", "speech", "threatening"),
    "topic",
    [
        (0, 1, 0, 0, 1, 0, 0, "Campaigning"),
        (0, 0, 1, 0, 0, 1, 0, "Campaigning"),
        (1, 0, 0, 1, 0, 0, 0, "Law and Order"),
        (0, 0, 0, 1, 0, 1, 0, "Campaigning"),
        (0, 0, 0, 0, 0, 1, 1, "Law and Order"),
        (1, 0, 1, 0, 0, 0, 0, "Law and Order"),
    ],
)
SPEECH = (0, 1, 1, 0, 0, 0, 1)  # an aggressive and threatening address


def test_c16_six_speeches() -> None:
    """Campaigning 2·2·1 thirteenths, Law and Order 1·2·2: one product, its factors in another order."""
    model = taught(SPEECHES, Multinomial(Dirichlet(1)))
    assert weights(model, SPEECH) == {"Campaigning": Fraction(2, 2197), "Law and Order": Fraction(2, 2197)}
    source = queries(SPEECHES, SPEECH)
    assert tied(model, source) == [["Campaigning", "Law and Order"]]
    assert given(model, source) == ["Campaigning"]
    assert_floats_agree(model, SPEECH)

    X, y = np.array([row[:-1] for row in SPEECHES.rows]), [row[-1] for row in SPEECHES.rows]
    assert MultinomialNB(alpha=1).fit(X, y).predict([SPEECH]).tolist() == ["Campaigning"]


def shuffled_factors(d: int, counts: tuple[int, int], rows: int, seed: int) -> tuple[Worked, tuple[int, ...]]:
    """Two classes whose d columns have the same numbers of yes, in another order: all yes is a tie."""
    rng = np.random.default_rng(seed)
    yes = rng.integers(*counts, size=d)
    cells = [(np.arange(rows)[:, None] < n).astype(int).tolist() for n in (yes, yes[rng.permutation(d)])]
    data = [(*row, label) for label, table in zip("ab", cells, strict=True) for row in table]
    return Worked(tuple(f"f{j}" for j in range(d)), "y", data), (1,) * d


def assert_ties(kind: Any, d: int, counts: tuple[int, int], rows: int, seeds: Sequence[int]) -> None:
    """Equal products are ties, whatever the order of their factors, although their sums of logarithms differ."""
    uneven, missed, second = 0, [], []
    for seed in seeds:
        data, row = shuffled_factors(d, counts, rows, seed)
        model = taught(data, kind(Dirichlet(1)))
        exact = weights(model, row)
        assert exact["a"] == exact["b"]
        source = queries(data, row)
        joint = model.log_joint(source).values[0]
        uneven += joint[0] != joint[1]
        missed += [seed] if tied(model, source) != [["a", "b"]] else []
        second += [seed] if given(model, source) != ["a"] else []
    assert uneven, "no rounding at all: these ties are no test"
    assert not missed, "ties that were not reported"
    assert not second, "the label is not the first class in class order"


@pytest.mark.parametrize("kind", [Bernoulli, Categorical, Multinomial])
@pytest.mark.parametrize("d", [20, 100])
def test_c16_equal_products_in_another_order(kind: Any, d: int) -> None:
    assert_ties(kind, d, (1, 60), 60, range(8))


@pytest.mark.parametrize("kind", [Bernoulli, Categorical, Multinomial])
@pytest.mark.parametrize("d", [20, 100])
def test_c16_equal_products_of_what_is_nearly_always_so(kind: Any, d: int) -> None:
    """The factors are near 1, so that their sum of logarithms is small beside the logarithms of the complements."""
    assert_ties(kind, d, (180, 200), 200, range(12))


def test_c16_the_estimators_too() -> None:
    for seed in range(8):
        data, row = shuffled_factors(60, (1, 60), 60, seed)
        X, y = np.array([cells[:-1] for cells in data.rows]), [cells[-1] for cells in data.rows]
        for model in (BernoulliNB(), CategoricalNB(), MultinomialNB()):
            assert model.fit(X, y).predict(np.array([row])).tolist() == ["a"]
