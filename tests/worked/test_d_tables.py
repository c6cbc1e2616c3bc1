"""D1 to D6: tables to classify, on paper and in floats."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from exact import (
    assert_floats_agree,
    class_prior,
    likelihood,
    posterior,
    queries,
    shown,
    taught,
    weights,
)
from numpy.testing import assert_allclose
from tables import ECONOMY, ECONOMY_WITHOUT_AVG_EXPORTS, LOAN, PETS, PLAY_TENNIS, SEVEN, Worked

from candide import BernoulliNB, CategoricalNB
from candide.classifier import Model
from candide.events import Bernoulli, Categorical
from candide.labels import Labels
from candide.posterior import ties
from candide.priors import Dirichlet, MaximumLikelihood, MEstimate

AS_COUNTED = MaximumLikelihood()
LAPLACE = Dirichlet(1)


def label_given(model: Model, data: Worked, *row: object) -> object:
    return model.tally.classes[int(model.decide(queries(data, row))[0])]


def coded(data: Worked) -> tuple[np.ndarray, list[object], list[Labels]]:
    """The table as the codes 0, 1, 2, … that CategoricalNB reads."""
    *columns, y = zip(*data.rows, strict=True)
    levels, codes = zip(*(Labels.encode(column) for column in columns), strict=True)
    return np.stack(codes, axis=1).astype(int), list(y), list(levels)


def facade(data: Worked, row: tuple[str, ...], alpha: float) -> dict[object, float]:
    """What the estimator says about the row."""
    X, y, levels = coded(data)
    asked = np.array([[list(names).index(value) for names, value in zip(levels, row, strict=True)]])
    model = CategoricalNB(alpha=alpha).fit(X, y)
    assert model.predict(asked)[0] == model.classes_[np.argmax(model.predict_proba(asked)[0])]
    return dict(zip(model.classes_.tolist(), model.predict_proba(asked)[0], strict=True))


# ---------------------------------------------------------------- D1, seven rows of yes and no


SEVEN_QUERIES = {
    (0, 0, 0): (Fraction(3, 56), Fraction(4, 63), ".4576271", 0),
    (1, 0, 0): (Fraction(9, 56), Fraction(2, 63), ".8350515", 1),
    (1, 1, 1): (Fraction(3, 56), Fraction(2, 63), ".6279070", 1),
}


def test_d1_counts_to_shares() -> None:
    model = taught(SEVEN, Bernoulli(AS_COUNTED))
    assert class_prior(model) == {0: Fraction(3, 7), 1: Fraction(4, 7)}
    yes = [likelihood(model, column, 1) for column in SEVEN.columns]
    assert [shares[1] for shares in yes] == [Fraction(3, 4), Fraction(1, 4), Fraction(1, 2)]
    assert [shares[0] for shares in yes] == [Fraction(1, 3), Fraction(2, 3), Fraction(1, 3)]


@pytest.mark.parametrize("event", [Bernoulli(AS_COUNTED), Categorical(AS_COUNTED)])
@pytest.mark.parametrize("row", SEVEN_QUERIES)
def test_d1_weights_and_posterior(row: tuple[int, ...], event: Bernoulli | Categorical) -> None:
    one, zero, share, label = SEVEN_QUERIES[row]
    model = taught(SEVEN, event)
    assert weights(model, row) == {0: zero, 1: one}
    assert shown(posterior(model, row)[1], 7) == share
    assert label_given(model, SEVEN, *row) == label
    assert_floats_agree(model, row)


def test_d1_by_the_estimators() -> None:
    X, y = np.array(SEVEN.rows)[:, :3], np.array(SEVEN.rows)[:, 3]
    asked, expected = np.array(list(SEVEN_QUERIES)), [share for _, _, share, _ in SEVEN_QUERIES.values()]
    for model in (BernoulliNB(alpha=0), CategoricalNB(alpha=0)):
        answers = model.fit(X, y).predict_proba(asked)
        assert [shown(share, 7) for share in answers[:, 1]] == expected
        assert model.predict(asked).tolist() == [0, 1, 1]
        joint = [[float(zero), float(one)] for one, zero, _, _ in SEVEN_QUERIES.values()]
        assert_allclose(np.exp(model.predict_joint_log_proba(asked)), joint, rtol=1e-13)
    shares = np.exp(BernoulliNB(alpha=0).fit(X, y).feature_log_prob_)
    assert_allclose(shares, [[1 / 3, 2 / 3, 1 / 3], [3 / 4, 1 / 4, 1 / 2]], rtol=1e-15)


# ---------------------------------------------------------------- D2, tennis


TENNIS_QUERY = ("Sunny", "Cool", "High", "Strong")


def test_d2_as_counted() -> None:
    model = taught(PLAY_TENNIS, Categorical(AS_COUNTED))
    assert class_prior(model) == {"No": Fraction(5, 14), "Yes": Fraction(9, 14)}
    product = weights(model, TENNIS_QUERY)
    assert product == {"No": Fraction(18, 875), "Yes": Fraction(1, 189)}
    assert (shown(product["No"], 4), shown(product["Yes"], 4)) == (".0206", ".0053")
    assert shown(posterior(model, TENNIS_QUERY)["No"], 4) == ".7954"
    assert label_given(model, PLAY_TENNIS, *TENNIS_QUERY) == "No"
    assert_floats_agree(model, TENNIS_QUERY)
    assert shown(facade(PLAY_TENNIS, TENNIS_QUERY, alpha=0)["No"], 4) == ".7954"


def test_d2_one_virtual_example_of_each_level() -> None:
    model = taught(PLAY_TENNIS, Categorical(LAPLACE))
    assert weights(model, TENNIS_QUERY) == {"No": Fraction(25, 1372), "Yes": Fraction(6, 847)}
    assert shown(posterior(model, TENNIS_QUERY)["No"], 7) == ".7200667"
    assert label_given(model, PLAY_TENNIS, *TENNIS_QUERY) == "No"
    assert_floats_agree(model, TENNIS_QUERY)
    assert shown(facade(PLAY_TENNIS, TENNIS_QUERY, alpha=1)["No"], 7) == ".7200667"


def test_d2_humidity_has_two_values() -> None:
    """Erratum: "Moderate" is another name, in one table in print, of the value Normal."""
    model = taught(PLAY_TENNIS, Categorical(AS_COUNTED))
    (counts,) = model.tally.statistics.values()
    assert list(counts.levels[PLAY_TENNIS.columns.index("Humidity")]) == ["High", "Normal"]


# ---------------------------------------------------------------- D3 and D4, the economy


ECONOMY_QUERY = ("Good", "Avg", "Good", "Avg")


def test_d3_three_classes() -> None:
    model = taught(ECONOMY, Categorical(AS_COUNTED))
    assert class_prior(model) == {"Bad": Fraction(1, 3), "Great": Fraction(1, 3), "Ok": Fraction(1, 3)}
    assert weights(model, ECONOMY_QUERY) == {"Bad": Fraction(1, 27), "Great": Fraction(8, 243), "Ok": Fraction(4, 243)}
    assert posterior(model, ECONOMY_QUERY) == {"Bad": Fraction(3, 7), "Great": Fraction(8, 21), "Ok": Fraction(4, 21)}
    assert label_given(model, ECONOMY, *ECONOMY_QUERY) == "Bad"
    assert_floats_agree(model, ECONOMY_QUERY)
    assert facade(ECONOMY, ECONOMY_QUERY, alpha=0) == pytest.approx({"Bad": 3 / 7, "Great": 8 / 21, "Ok": 4 / 21})


def test_d4_one_cell_changed_makes_a_zero() -> None:
    assert [i for i, row in enumerate(ECONOMY.rows) if row != ECONOMY_WITHOUT_AVG_EXPORTS.rows[i]] == [4]
    model = taught(ECONOMY_WITHOUT_AVG_EXPORTS, Categorical(AS_COUNTED))
    assert likelihood(model, "Exports", "Avg") == {"Bad": 1, "Great": 0, "Ok": Fraction(2, 3)}
    assert weights(model, ECONOMY_QUERY)["Great"] == 0
    assert_floats_agree(model, ECONOMY_QUERY)


@pytest.mark.parametrize(("m", "share"), [(4, Fraction(2, 7)), (2, Fraction(1, 5))])
@pytest.mark.parametrize("p", [Fraction(1, 2), None, [Fraction(1, 2), Fraction(1, 2)]])
def test_d4_m_estimate(m: int, share: Fraction, p: object) -> None:
    belief = MEstimate(m, p)  # type: ignore[arg-type]
    data = ECONOMY_WITHOUT_AVG_EXPORTS._replace(
        columns=("Exports",), rows=[row[3:] for row in ECONOMY_WITHOUT_AVG_EXPORTS.rows]
    )
    model = taught(data, Categorical(belief))
    assert likelihood(model, "Exports", "Avg")["Great"] == share
    assert_floats_agree(model, ("Avg",), ("Good",))


def test_d4_one_virtual_example_of_each_level() -> None:
    model = taught(ECONOMY_WITHOUT_AVG_EXPORTS, Categorical(LAPLACE))
    product = {"Bad": Fraction(32, 1125), "Great": Fraction(3, 250), "Ok": Fraction(2, 125)}
    assert weights(model, ECONOMY_QUERY) == product
    assert label_given(model, ECONOMY, *ECONOMY_QUERY) == "Bad"
    assert_floats_agree(model, ECONOMY_QUERY)
    answers = facade(ECONOMY_WITHOUT_AVG_EXPORTS, ECONOMY_QUERY, alpha=1)
    assert answers == pytest.approx({label: float(w / sum(product.values())) for label, w in product.items()})


# ---------------------------------------------------------------- D5, loans


LOAN_QUERY = ("No", "Married", "High")


def test_d5_a_class_that_cannot_be() -> None:
    model = taught(LOAN, Categorical(AS_COUNTED))
    assert class_prior(model) == {"No": Fraction(7, 10), "Yes": Fraction(3, 10)}
    product = weights(model, LOAN_QUERY)
    assert product == {"No": Fraction(32, 245), "Yes": 0}
    assert shown(product["No"], 4) == ".1306"  # erratum: .1309 in print
    assert posterior(model, LOAN_QUERY) == {"No": 1, "Yes": 0}
    assert label_given(model, LOAN, *LOAN_QUERY) == "No"
    assert_floats_agree(model, LOAN_QUERY)
    assert model.posterior(queries(LOAN, LOAN_QUERY)).values.tolist() == [[1.0, 0.0]]
    assert facade(LOAN, LOAN_QUERY, alpha=0) == {"No": 1.0, "Yes": 0.0}


def test_d5_one_virtual_example_of_each_level() -> None:
    model = taught(LOAN, Categorical(LAPLACE))
    assert weights(model, LOAN_QUERY) == {"No": Fraction(35, 324), "Yes": Fraction(1, 125)}
    assert shown(posterior(model, LOAN_QUERY)["No"], 7) == ".9310492"
    assert label_given(model, LOAN, *LOAN_QUERY) == "No"
    assert_floats_agree(model, LOAN_QUERY)
    assert shown(facade(LOAN, LOAN_QUERY, alpha=1)["No"], 7) == ".9310492"


# ---------------------------------------------------------------- D6, pets


PETS_QUERY = ("Cow", "Medium", "Black")


def test_d6_pets() -> None:
    model = taught(PETS, Categorical(AS_COUNTED))
    assert class_prior(model) == {"No": Fraction(6, 14), "Yes": Fraction(8, 14)}
    assert weights(model, PETS_QUERY) == {"No": Fraction(1, 126), "Yes": Fraction(9, 448)}
    assert shown(posterior(model, PETS_QUERY)["Yes"], 7) == ".7168142"
    assert label_given(model, PETS, *PETS_QUERY) == "Yes"
    assert_floats_agree(model, PETS_QUERY)
    assert shown(facade(PETS, PETS_QUERY, alpha=0)["Yes"], 7) == ".7168142"


# ---------------------------------------------------------------- all of them


@pytest.mark.parametrize(
    "belief", [AS_COUNTED, LAPLACE, Dirichlet(Fraction(1, 2))], ids=["counted", "Laplace", "Jeffreys"]
)
@pytest.mark.parametrize("data", [SEVEN, PLAY_TENNIS, ECONOMY, LOAN, PETS], ids=lambda data: data.target)
def test_every_row_of_every_table_agrees_with_its_fractions(data: Worked, belief: Dirichlet) -> None:
    model = taught(data, Categorical(belief))
    assert_floats_agree(model, *(row[:-1] for row in data.rows))


@pytest.mark.parametrize("data", [SEVEN, PLAY_TENNIS, ECONOMY, LOAN, PETS], ids=lambda data: data.target)
def test_rows_in_any_order_make_one_model(data: Worked) -> None:
    asked = queries(data, *(row[:-1] for row in data.rows))
    forth, back = (
        taught(data._replace(rows=rows), Categorical(LAPLACE)).log_joint(asked).values
        for rows in (data.rows, data.rows[::-1])
    )
    assert np.array_equal(forth, back)


def test_none_of_the_queries_is_a_tie() -> None:
    for data, row in ((PLAY_TENNIS, TENNIS_QUERY), (ECONOMY, ECONOMY_QUERY), (LOAN, LOAN_QUERY), (PETS, PETS_QUERY)):
        model = taught(data, Categorical(AS_COUNTED))
        assert ties(model.log_joint(queries(data, row)).values).sum() == 1
