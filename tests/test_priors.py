"""What was believed, for every shape of counts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from candide.classifier import learn
from candide.data import Table
from candide.errors import BadPrior
from candide.events import Bernoulli, Categorical, Event, Multinomial
from candide.priors import Belief, Dirichlet, Given, MaximumLikelihood, Pseudo, Uniform

ROWS = [("a", 1, "p"), ("b", 0, "q"), ("a", 1, "p"), ("c", 3, "q")]
TABLE = Table.of("job n y", ROWS, target="y")


@pytest.mark.parametrize("prior", [Uniform(), Given([1.0])], ids=str)
@pytest.mark.parametrize("shape", [(1,), (3, 1), (2, 3, 1)])
def test_shares_that_are_known_have_the_shape_of_the_counts(prior: Belief, shape: tuple[int, ...]) -> None:
    np.testing.assert_array_equal(prior.mean(np.zeros(shape), 0, 1), np.ones(shape))


def test_known_shares_are_those_of_every_class() -> None:
    counts = np.zeros((2, 3))
    np.testing.assert_array_equal(Given([0.2, 0.3, 0.5]).mean(counts, 0, 3), [[0.2, 0.3, 0.5]] * 2)
    np.testing.assert_array_equal(Uniform().mean(counts, 0, 3), np.full((2, 3), 1 / 3))


@pytest.mark.parametrize(
    ("column", "event"),
    [
        ("job", Categorical(Uniform())),
        ("job", Categorical(Given([0.2, 0.3, 0.5]))),
        ("n", Categorical(Uniform(), sizes=(5,))),
        ("n", Bernoulli(Uniform())),
        ("n", Bernoulli(Given([0.3, 0.7]))),
        ("n", Multinomial(Uniform())),
        ("n", Multinomial(Given([1.0]))),
    ],
    ids=str,
)
def test_what_is_known_beforehand_tells_no_class_from_another(column: str, event: Event) -> None:
    posterior = learn({(column,): event}, TABLE).posterior(TABLE)
    np.testing.assert_allclose(posterior.values, 0.5)


def test_known_shares_are_the_likelihood() -> None:
    model = learn({("n",): Bernoulli(Given([0.3, 0.7]))}, TABLE)
    joint = model.log_joint(Table.of("n", [(0,), (1,)])).values
    np.testing.assert_allclose(joint, np.log([[0.5 * 0.3] * 2, [0.5 * 0.7] * 2]))


def test_known_shares_that_do_not_fit() -> None:
    with pytest.raises(BadPrior, match="2 given for 3"):
        learn({("job",): Categorical(Given([0.5, 0.5]))}, TABLE).posterior(TABLE)
    with pytest.raises(BadPrior, match="5 shares were given, one for each possibility, of which 3 were seen"):
        learn({("n",): Categorical(Given([0.2] * 5), sizes=(5,))}, TABLE).posterior(TABLE)


def test_fractions_of_nothing_are_even() -> None:
    none, half = np.array([Fraction(0), Fraction(0)]), Fraction(1, 2)
    assert MaximumLikelihood().mean(none, Fraction(0), 2).tolist() == [half, half]
    assert Uniform().mean(none, Fraction(0), 2).tolist() == [half, half]
    some = np.array([[Fraction(1), Fraction(3)], [Fraction(0), Fraction(0)]])
    shares = MaximumLikelihood().mean(some, some.sum(axis=1, keepdims=True), 2)
    assert shares.tolist() == [[Fraction(1, 4), Fraction(3, 4)], [half, half]]


def test_nothing_counted_and_nothing_believed_is_no_posterior() -> None:
    rng = np.random.default_rng(0)
    for counts in (np.zeros(3), np.array([[1.0, 2.0], [0.0, 0.0]])):
        with pytest.raises(BadPrior, match="no posterior to draw shares from"):
            Dirichlet(0).draw(counts, rng)


@pytest.mark.parametrize("a", [1e-300, 1e-6, 1e-2, 1.0])
def test_draws_are_shares_however_little_was_believed(a: float) -> None:
    shares = Dirichlet(a).draw(np.zeros((4000, 2)), np.random.default_rng(1))
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    np.testing.assert_allclose(shares.mean(axis=0), 0.5, atol=0.05)


@pytest.mark.parametrize("wrong", [(-5, 1), (1, -1), (float("nan"), 1), (1, float("inf"))])
def test_counts_cannot_start_below_nothing(wrong: tuple[float, float]) -> None:
    with pytest.raises(BadPrior, match="must be finite and at least 0"):
        Pseudo(*wrong)
