"""Models are values: learnt, read, added, aged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from candide.classifier import Model, learn
from candide.data import Matrix, Table
from candide.errors import (
    BadLabels,
    BadWeights,
    MergeMismatch,
    NotFinite,
    UndefinedPosterior,
    UnknownClass,
    UnknownColumn,
)
from candide.events import Bernoulli, Categorical, Gaussian
from candide.labels import Labels

TABLE = Table.of("job n y", [("a", 1, "p"), ("b", 0, "q"), ("a", 1, "p"), ("c", 3, "q")], target="y")
ASKED = Table.of("job n", [("a", 1), ("c", None)])
MODEL = learn({("job",): Categorical()}, TABLE)
READINGS: dict[str, Callable[[Model, Any], Any]] = {
    "posterior": Model.posterior,
    "log_posterior": Model.log_posterior,
    "log_joint": Model.log_joint,
    "decide": Model.decide,
    "ties": Model.ties,
    "evidence": Model.evidence,
}
readings = pytest.mark.parametrize("read", READINGS.values(), ids=READINGS)
twins = pytest.mark.parametrize("kernels", ["plain", "compiled"])


def test_the_probability_of_a_class_that_is_none() -> None:
    posterior = MODEL.posterior(ASKED)
    np.testing.assert_allclose(posterior.of("p") + posterior.of("q"), 1.0)
    for label in ("P", "z", 1, None, ("p", "q")):
        with pytest.raises(UnknownClass, match=r"is no class \(there are: p, q\)"):
            posterior.of(label)
    numbered = learn({("n",): Gaussian()}, Matrix(np.eye(2), Labels.of([3, 5]), np.array([0, 1]), columns=("n", "m")))
    assert numbered.posterior(Matrix(np.ones((1, 2)), columns=("n", "m"))).of(5).shape == (1,)


@twins
def test_a_gap_is_no_answer_to_yes_or_no(kernels: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANDIDE_KERNELS", kernels)
    rows = [(1, 0, "p"), (None, 1, "q"), (1, 1, "q")]
    with pytest.raises(NotFinite, match="NaN in row 1, column 0"):
        learn({("x", "z"): Bernoulli()}, Table.of("x z y", rows, target="y"))


@twins
@readings
def test_a_gap_is_not_scored_as_no(read: Any, kernels: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANDIDE_KERNELS", kernels)
    model = learn({("n",): Bernoulli()}, TABLE)
    with pytest.raises(NotFinite, match="NaN"):
        read(model, ASKED)


def test_there_must_be_rows_and_labels() -> None:
    with pytest.raises(BadLabels, match="name the column that holds them"):
        learn({("job",): Categorical()}, ASKED)
    with pytest.raises(BadLabels, match="no rows to learn from"):
        learn({("job",): Categorical()}, Table.of("job y", [], target="y"))


def test_a_name_alone_is_one_column() -> None:
    model = learn({"job": Categorical()}, TABLE)
    np.testing.assert_array_equal(model.posterior(ASKED).values, MODEL.posterior(ASKED).values)
    again = Model(MODEL.tally, {"job": Categorical()})
    np.testing.assert_array_equal(again.posterior(ASKED).values, MODEL.posterior(ASKED).values)
    assert repr(again) == repr(MODEL)


@readings
@pytest.mark.parametrize("width", [0, 1])
def test_a_narrower_matrix_names_the_column_it_lacks(read: Any, width: int) -> None:
    rows = Matrix(np.arange(6.0).reshape(3, 2), Labels.of([0, 1]), np.array([0, 1, 0]))
    model = learn({(0, 1): Gaussian()}, rows)
    with pytest.raises(UnknownColumn, match=f"{width} is not in the matrix"):
        read(model, Matrix(np.ones((2, width))))


def test_columns_are_found_by_name_in_a_wider_matrix() -> None:
    rows = Matrix(np.arange(6.0).reshape(3, 2), Labels.of([0, 1]), np.array([0, 1, 0]))
    model = learn({(0, 1): Gaussian()}, rows)
    wider = Matrix(np.c_[rows.X, np.full((3, 2), 1e9)])
    np.testing.assert_array_equal(model.posterior(wider).values, model.posterior(rows).values)


@readings
def test_a_model_without_classes_says_so(read: Any) -> None:
    with pytest.raises(UndefinedPosterior, match="the model has no classes"):
        read(MODEL - MODEL, ASKED)


def test_evidence_of_no_columns_is_the_prior() -> None:
    evidence = learn({}, TABLE).evidence(ASKED)
    assert len(evidence) == 2
    np.testing.assert_allclose(evidence.log_joint, np.log(0.5))
    assert evidence.text(1).startswith("p 0.5000  against  q 0.5000")


def test_models_add_up_and_age_from_either_side() -> None:
    assert sum([MODEL, MODEL]).tally.seen.weights.tolist() == [4, 4]  # type: ignore[union-attr]
    for aged in (0.5 * MODEL, MODEL * 0.5, np.float64(0.5) * MODEL):
        assert aged.tally.seen.weights.tolist() == [1, 1]


@pytest.mark.parametrize(
    "wrong", [lambda: MODEL + 1, lambda: 1 + MODEL, lambda: MODEL - None, lambda: MODEL + MODEL.tally]
)
def test_what_is_no_model_does_not_add(wrong: Callable[[], Any]) -> None:
    with pytest.raises(MergeMismatch, match="cannot join"):
        wrong()


def test_models_age_by_numbers() -> None:
    for factor in ("a", None, MODEL, -1):
        with pytest.raises(BadWeights, match="finite factor"):
            MODEL * factor  # type: ignore[operator]


def test_models_of_words_and_numbers_do_not_meet() -> None:
    numbers = learn({("job",): Categorical()}, Table.of("job y", [("a", 1), ("b", 2)], target="y"))
    with pytest.raises(MergeMismatch, match="one side's are strings"):
        MODEL + numbers
