"""Sparse rows of every format say what the same rows say when dense."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from bestiary import MODELS, SPARSE, X, fitted, of, refused, sound, with_cell, y

from candide.errors import BadPrior, NegativeValue, NotFinite

FORMATS = ("csr", "csc", "coo", "lil", "dok", "bsr", "dia")
THIN = np.where(X > 2, X, 0.0)
THIN[5:8] = 0  # rows that hold nothing


def as_parts(rows: np.ndarray) -> sp.csr_matrix:
    """Every cell stored in two parts, in the wrong order, among zeros that are stored."""
    place = np.argwhere(np.ones(rows.shape, dtype=bool))[::-1]
    i, j = np.concatenate([place, place, place]).T
    data = np.concatenate([rows[place[:, 0], place[:, 1]] * share for share in (0.25, 0.75, 0.0)])
    order = np.argsort(i, kind="stable")
    indptr = np.concatenate([[0], np.cumsum(np.bincount(i, minlength=len(rows)))])
    return sp.csr_matrix((data[order], j[order], indptr), shape=rows.shape)


def as_long(rows: np.ndarray, kind: Any = sp.csr_matrix) -> Any:
    """With 64-bit indices."""
    matrix = kind(rows)
    matrix.indices = matrix.indices.astype(np.int64)
    matrix.indptr = matrix.indptr.astype(np.int64)
    return matrix


def unsorted(rows: np.ndarray) -> sp.csr_matrix:
    """Columns backwards in every row."""
    matrix = sp.csr_matrix(rows)
    for lo, hi in zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True):
        matrix.indices[lo:hi] = matrix.indices[lo:hi][::-1].copy()
        matrix.data[lo:hi] = matrix.data[lo:hi][::-1].copy()
    matrix.has_sorted_indices = False
    return matrix


KINDS = {
    **{name: lambda rows, name=name: sp.csr_matrix(rows).asformat(name) for name in FORMATS},
    "csr_array": sp.csr_array,
    "csc_array": sp.csc_array,
    "coo_array": sp.coo_array,
    "parts": as_parts,
    "long": as_long,
    "long array": lambda rows: as_long(rows, sp.csr_array),
    "unsorted": unsorted,
    "float32": lambda rows: sp.csr_matrix(rows, dtype=np.float32),
    "int8": lambda rows: sp.csr_matrix(rows.astype(np.int8)),
    "uint64": lambda rows: sp.csr_array(rows.astype(np.uint64)),
}


@of(*SPARSE)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weights", [None, np.arange(40) % 3 / 2])
def test_the_same_as_dense(name: str, kind: str, weights: Any) -> None:
    rows = KINDS[kind](THIN)
    before = rows.copy()
    model = MODELS[name]().fit(rows, y, sample_weight=weights)
    dense = MODELS[name]().fit(THIN, y, sample_weight=weights)
    np.testing.assert_allclose(model.feature_count_, dense.feature_count_, rtol=1e-12)
    expected = dense.predict_proba(THIN)
    np.testing.assert_allclose(sound(model, rows), expected, rtol=1e-9)
    np.testing.assert_allclose(model.predict_proba(THIN), expected, rtol=1e-9)
    np.testing.assert_allclose(dense.predict_joint_log_proba(rows), dense.predict_joint_log_proba(THIN), rtol=1e-9)
    np.testing.assert_allclose(model.explain(rows).log_joint, model.predict_joint_log_proba(rows), rtol=1e-9)
    assert rows.dtype == before.dtype
    np.testing.assert_array_equal(rows.toarray(), before.toarray())


@of(*SPARSE)
def test_batches_forgetting_and_merging(name: str) -> None:
    rows = sp.csr_array(THIN)
    model = MODELS[name]().partial_fit(rows[:11], y[:11], classes=[0, 1]).partial_fit(sp.csc_matrix(THIN[11:]), y[11:])
    np.testing.assert_allclose(sound(model, rows), fitted(name, THIN).predict_proba(THIN), rtol=1e-12)
    merged = fitted(name, rows[:11], y[:11]).merge(fitted(name, THIN[11:], y[11:]))
    np.testing.assert_allclose(sound(merged, rows), fitted(name, THIN).predict_proba(THIN), rtol=1e-12)
    model.forget(rows[:11], y[:11])
    np.testing.assert_allclose(sound(model, rows), fitted(name, THIN[11:], y[11:]).predict_proba(THIN), rtol=1e-12)


@of(*(name for name in MODELS if name not in SPARSE))
def test_models_of_dense_columns_say_so(name: str) -> None:
    with refused(TypeError, "Sparse data was passed for X, but dense data is required"):
        fitted(name, sp.csr_matrix(X))
    with refused(TypeError, "Sparse data was passed for X, but dense data is required"):
        fitted(name).predict(sp.csr_matrix(X))


@of(*SPARSE)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_cell_that_is_no_number(name: str, value: float) -> None:
    bad = sp.csr_matrix(with_cell(value, row=4, column=2))
    said = "NaN" if np.isnan(value) else "infinity"
    with refused(ValueError, f"Input X contains {said}"):
        fitted(name, bad)
    model = fitted(name)
    for ask in ("predict", "predict_proba", "predict_log_proba", "predict_joint_log_proba"):
        with refused(ValueError, f"Input X contains {said}"):
            getattr(model, ask)(bad)


@of("multinomial", "complement")
def test_the_refusal_says_where_it_is(name: str) -> None:
    with refused(NotFinite, "NaN in row 4, column 2"):
        fitted(name, sp.csr_matrix(with_cell(np.nan, row=4, column=2)))
    with refused(NotFinite, "inf in row 4, column 2"):
        fitted(name, sp.csr_matrix(with_cell(np.inf, row=4, column=2)))


@of("multinomial", "complement")
def test_negative_cells(name: str) -> None:
    with refused(NegativeValue, "Negative values in data passed to"):
        fitted(name, sp.csr_matrix(with_cell(-1.0)))


def test_parts_of_a_cell_are_added_before_they_are_judged() -> None:
    """3 + (−1) is 2, which is no negative cell, and 0.4 + 0.4 is above 0.5."""
    parts = sp.csr_matrix((np.array([3.0, -1.0, 1.0]), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2))
    assert fitted("multinomial", parts, [0, 1]).feature_count_.tolist() == [[2, 0], [0, 1]]
    parts = sp.csr_matrix((np.array([0.4, 0.4, 1.0]), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2))
    assert fitted("bernoulli", parts, [0, 1], binarize=0.5).feature_count_.tolist() == [[1, 0], [0, 1]]


def test_a_threshold_below_zero_would_make_a_yes_of_every_cell_that_is_not_stored() -> None:
    with refused(BadPrior, "Cannot binarize a sparse matrix with threshold < 0", "-0.5"):
        fitted("bernoulli", sp.csr_matrix(X), binarize=-0.5)
    sound(fitted("bernoulli", X, binarize=-0.5), X)


@of(*SPARSE)
def test_rows_that_hold_nothing(name: str) -> None:
    nothing = sp.csr_matrix((40, 3))
    posterior = sound(fitted(name, nothing), nothing)
    np.testing.assert_allclose(posterior, 0.5)
    sound(fitted(name, THIN), sp.csr_matrix((4, 3)))


@of(*SPARSE)
def test_a_million_columns(name: str) -> None:
    rng = np.random.default_rng(3)
    n, d = 300, 1_000_000
    rows = sp.csr_matrix((np.ones(n * 20), rng.integers(0, d, n * 20), np.arange(0, n * 20 + 1, 20)), shape=(n, d))
    labels = np.arange(n) % 2
    rows = sp.csr_matrix(rows + sp.csr_matrix((np.full(n, 5.0), (np.arange(n), labels)), shape=(n, d)))
    tracemalloc.start()
    model = fitted(name, rows, labels)
    posterior = sound(model, rows)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40 * 8 * d  # some tables of two classes, never rows times columns
    assert (posterior.argmax(axis=1) == labels).all()
    dense = sp.csr_matrix(rows[:2]).toarray()
    np.testing.assert_allclose(model.predict_proba(dense), posterior[:2], rtol=1e-6, atol=1e-300)


@of(*SPARSE)
@pytest.mark.parametrize("dtype", [np.longdouble, np.float16])
def test_floats_of_other_widths(name: str, dtype: Any) -> None:
    rows = sp.csr_matrix(X)
    rows.data = rows.data.astype(dtype)
    model = fitted(name, rows)
    np.testing.assert_allclose(sound(model, rows), fitted(name).predict_proba(X), rtol=1e-12)
    np.testing.assert_allclose(model.explain(rows).parts, fitted(name).explain(X).parts, rtol=1e-12)
