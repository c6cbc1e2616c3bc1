"""The engine's sums are the sums of the scorecard's own parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from candide.data import Matrix, Table
from candide.engines import Memory
from candide.engines.memory.score import values_of
from candide.errors import NotFinite, NotSupported
from candide.labels import Labels
from candide.scorecard import IMPOSSIBLE, FullQuadratic, Linear, Lookup, Quadratic, Scorecard, StudentT, Term

CLASSES = Labels.of(["a", "b", "c"])
K = len(CLASSES)
rng = np.random.default_rng(11)


@pytest.fixture(params=["plain", "compiled"], autouse=True)
def kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANDIDE_KERNELS", request.param)


def quadratic(d: int) -> Quadratic:
    return Quadratic(range(d), rng.normal(size=(K, d)), rng.random((K, d)), rng.normal(size=(K, d)))


def student(d: int) -> StudentT:
    return StudentT(range(d), *(rng.random((K, d)) for _ in range(4)))


def full(d: int) -> FullQuadratic:
    return FullQuadratic(range(d), rng.normal(size=(K, d)), np.tril(rng.normal(size=(K, d, d))), rng.normal(size=K))


def linear(d: int, above: float | None = None) -> Linear:
    return Linear(range(d), rng.normal(size=(d, K)), rng.normal(size=K), above)


def lookup(d: int, sizes: bool = True, kind: Any = np.int64) -> Lookup:
    """Levels 0, 2, 4 of seven (or any number) in every column."""
    levels = tuple(Labels.of(np.array([0, 2, 4], dtype=kind)) for _ in range(d))
    tables = tuple(rng.normal(size=(3, K)) for _ in range(d))
    unseen, empty = rng.normal(size=(d, K)), rng.normal(size=(d, K))
    return Lookup(range(d), levels, tables, unseen, (7,) * d if sizes else None, empty if sizes else None)


TERMS = {
    "quadratic": quadratic,
    "student": student,
    "full": full,
    "linear": linear,
    "above": lambda d: linear(d, 0.5),
    "levels": lookup,
    "levels without sizes": lambda d: lookup(d, sizes=False),
    "levels that are floats": lambda d: lookup(d, kind=float),
}
GAPS = ("quadratic", "student", "levels", "levels without sizes", "levels that are floats")
terms = pytest.mark.parametrize("kind", TERMS)


def rows(kind: str, n: int, d: int, gaps: bool = False) -> np.ndarray:
    X = rng.integers(0, 9, (n, d)).astype(float) if "levels" in kind else rng.normal(size=(n, d))
    if gaps:
        X[rng.random((n, d)) < 0.2] = np.nan
    return X


def expected(card: Scorecard, source: Any) -> np.ndarray:
    """Prior, constants and parts, added up as the definition says."""
    total = np.repeat(card.log_prior[None], source.n_rows, axis=0)
    for term in card.terms:
        total = total + term.constant + term.parts(values_of(term, source)).sum(axis=1)
    return total


def agree(card: Scorecard, source: Any, rtol: float = 1e-10) -> None:
    scores, right = Memory().score(card, source), expected(card, source)
    scale = 1.0 + np.abs(right).max(initial=0.0)
    np.testing.assert_allclose(scores, right, rtol=rtol, atol=1e-12 * scale)
    parts = Memory().parts(card, source)
    summed = card.start + sum((part.sum(axis=1) for part in parts), np.zeros((source.n_rows, K)))
    np.testing.assert_allclose(summed, right, rtol=rtol, atol=1e-12 * scale)
    np.testing.assert_allclose(np.asarray(Memory().in_full(card, source), dtype=float), right, rtol=rtol, atol=1e-9)


def card_of(*some: Term) -> Scorecard:
    return Scorecard(CLASSES, np.log([0.5, 0.3, 0.2]), some)


@terms
@pytest.mark.parametrize("shape", [(1, 1), (17, 1), (17, 5), (3, 40), (0, 3)], ids=str)
def test_one_term(kind: str, shape: tuple[int, int]) -> None:
    agree(card_of(TERMS[kind](shape[1])), Matrix(rows(kind, *shape)))


@pytest.mark.parametrize("kind", GAPS)
def test_cells_that_are_missing(kind: str) -> None:
    agree(card_of(TERMS[kind](4)), Matrix(rows(kind, 50, 4, gaps=True)))
    agree(card_of(TERMS[kind](4)), Matrix(np.full((3, 4), np.nan)))


@terms
@pytest.mark.parametrize("dtype", ["f4", "i8", "u1", "i2", ">f8", ">i4", "?", "f2"])
def test_types_of_cells(kind: str, dtype: str) -> None:
    X = rng.integers(0, 9, (60, 3)).astype(dtype)
    agree(card_of(TERMS[kind](3)), Matrix(X), rtol=1e-6 if dtype == "f4" else 1e-9)


@terms
@pytest.mark.parametrize("layout", ["Fortran", "strided", "read-only", "backwards"])
def test_layouts(kind: str, layout: str) -> None:
    X = rows(kind, 60, 3)
    made = {
        "Fortran": np.asfortranarray(X),
        "strided": np.repeat(X, 2, axis=0)[::2],
        "read-only": X.copy(),
        "backwards": X[::-1],
    }[layout]
    if layout == "read-only":
        made.flags.writeable = False
    agree(card_of(TERMS[kind](3)), Matrix(made))


@terms
@pytest.mark.parametrize("n", [4096, 4097, 10_923, 16_384, 16_385])
@pytest.mark.parametrize("threads", ["1", "2"])
def test_around_the_edges_of_blocks(kind: str, n: int, threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANDIDE_THREADS", threads)
    term, X = TERMS[kind](2), rows(kind, n, 2)
    agree(card_of(term), Matrix(X))
    if n == 16_385:
        agree(card_of(term), Matrix(np.asfortranarray(X)))


@pytest.mark.parametrize("kind", ["linear", "above"])
@pytest.mark.parametrize("n", [1, 15, 16, 17, 10_923, 16_385])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i1", "?"])
def test_sparse_rows(kind: str, n: int, dtype: str) -> None:
    X = rng.poisson(0.3, (n, 6)).astype(dtype)
    term = TERMS[kind](6)
    agree(card_of(term), Matrix(sp.csr_array(X)))
    np.testing.assert_allclose(
        Memory().score(card_of(term), Matrix(sp.csr_matrix(X))), Memory().score(card_of(term), Matrix(X)), rtol=1e-9
    )


@pytest.mark.parametrize("kind", ["quadratic", "student", "full"])
def test_terms_that_need_dense_rows(kind: str) -> None:
    with pytest.raises(NotSupported, match="needs dense rows"):
        Memory().score(card_of(TERMS[kind](2)), Matrix(sp.csr_array(np.eye(2))))


def test_a_term_no_engine_knows() -> None:
    class Strange:
        columns = range(2)
        constant = np.zeros(K)

    with pytest.raises(NotSupported, match="cannot add Strange"):
        Memory().score(card_of(Strange()), Matrix(np.eye(2)))  # type: ignore[arg-type]


@terms
def test_wide_rows(kind: str) -> None:
    d = 60 if kind == "full" else 3_000
    agree(card_of(TERMS[kind](d)), Matrix(rows(kind, 30, d)))


def test_no_terms_and_no_columns() -> None:
    agree(card_of(), Matrix(np.zeros((5, 2))))
    for kind in ("quadratic", "linear", "student", "full"):
        agree(card_of(TERMS[kind](0)), Matrix(np.zeros((5, 0))))


def test_several_terms_over_several_columns() -> None:
    names = ("city", "age", "height", "clicks")
    cells = np.c_[rng.integers(0, 9, 40), rng.normal(size=(40, 2)), rng.poisson(1.0, 40)]
    cells[3, 0] = cells[4, 1] = np.nan
    some = (
        Lookup(("city",), (Labels.of([0, 2, 4]),), (rng.normal(size=(3, K)),), rng.normal(size=(1, K))),
        Quadratic(("height", "age"), *(rng.random((K, 2)) for _ in range(3))),
        Linear(("clicks",), rng.normal(size=(1, K)), rng.normal(size=K)),
        StudentT(("age",), *(rng.random((K, 1)) for _ in range(4))),
    )
    agree(card_of(*some), Matrix(cells, columns=names))
    table = Table.of(names, [[None if np.isnan(cell) else cell for cell in row] for row in cells.tolist()])
    agree(card_of(*some), table)
    np.testing.assert_allclose(
        Memory().score(card_of(*some), table), Memory().score(card_of(*some), Matrix(cells, columns=names)), rtol=1e-12
    )


def test_levels_that_are_words() -> None:
    levels = (Labels.of(["rain", "sunny"]), Labels.of([1, "x"]))
    term = Lookup(("sky", "b"), levels, tuple(rng.normal(size=(2, K)) for _ in levels), rng.normal(size=(2, K)))
    table = Table.of("sky b", [("rain", 1), ("snow", "x"), (None, 2.0), ("sunny", float("nan"))])
    assert values_of(term, table).tolist() == [[0, 0], [-1, 1], [-2, -1], [1, -2]]
    agree(card_of(term), table)


def test_places_of_codes() -> None:
    """−1 is beyond the sizes, −2 missing, −3 a code below them that no row had."""
    term = lookup(1)
    for X in (np.array([[0.0], [1], [2], [3], [6], [7], [np.nan], [2.5], [1e300], [np.inf]]),):
        assert values_of(term, Matrix(X)).ravel().tolist() == [0, -3, 1, -3, -3, -1, -2, -1, -1, -1]
        agree(card_of(term), Matrix(X))
    whole = np.array([[0], [1], [2], [6], [7], [10**9]])
    assert values_of(term, Matrix(whole)).ravel().tolist() == [0, -3, 1, -3, -1, -1]
    agree(card_of(term), Matrix(whole))


@pytest.mark.parametrize("size", [(1 << 20) - 1, 1 << 20, (1 << 20) + 1, 10**9])
def test_codes_around_the_widest_table(size: int) -> None:
    tables, unseen, empty = (rng.normal(size=(2, K)),), rng.normal(size=(1, K)), rng.normal(size=(1, K))
    term = Lookup(range(1), (Labels.of(np.array([3, size - 1])),), tables, unseen, (size,), empty)
    source = Matrix(np.array([[3], [size - 1], [size - 2], [size], [0]]))
    right = np.stack([tables[0][0], tables[0][1], empty[0], unseen[0], empty[0]]) + card_of().log_prior
    np.testing.assert_allclose(Memory().score(card_of(term), source), right)
    np.testing.assert_allclose(Memory().score(card_of(term), Matrix(source.X.astype(float))), right)


def test_impossible_is_a_number() -> None:
    term = Linear(range(1), np.full((1, K), IMPOSSIBLE), np.zeros(K))
    assert np.isfinite(Memory().score(card_of(term), Matrix(np.array([[1.0], [1000.0]])))).all()


@pytest.mark.parametrize("kind", ["quadratic", "student", "full", "linear"])
def test_the_wide_sums_stay_finite_where_a_float_overflows(kind: str) -> None:
    card = card_of(TERMS[kind](2))
    wide = Memory().in_full(card, Matrix(np.array([[1e300, 0.0], [1e308, 1e308]])))
    assert np.isfinite(wide).all()


@pytest.mark.parametrize("kind", ["quadratic", "student", "full", "linear"])
@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_what_made_a_sum_no_number_is_named(kind: str, value: float) -> None:
    card, source = card_of(TERMS[kind](2)), Matrix(np.array([[0.0, 0.0], [0.0, value]]))
    if np.isnan(value) and kind in ("quadratic", "student"):
        Memory().refuse_strange(card, source)  # a gap is no fault there
        return
    with pytest.raises(NotFinite, match=rf"{'NaN' if np.isnan(value) else 'inf'}.* in row 1, column 1"):
        Memory().refuse_strange(card, source)


def test_visiting_sees_every_row_once() -> None:
    card, X = card_of(quadratic(2)), rng.normal(size=(40_000, 2))
    seen, scores = np.zeros(len(X), dtype=int), np.empty((len(X), K))

    def look(lo: int, hi: int, part: np.ndarray) -> None:
        seen[lo:hi] += 1
        scores[lo:hi] = part

    Memory().visit(card, Matrix(X), look)
    assert (seen == 1).all()
    np.testing.assert_array_equal(scores, Memory().score(card, Matrix(X)))
    Memory().visit(card, Matrix(X[:0]), look)


def test_finishing_changes_every_row_once() -> None:
    card, X = card_of(linear(2)), rng.normal(size=(40_000, 2))

    def add_one(part: np.ndarray) -> None:
        part += 1

    np.testing.assert_allclose(Memory().score(card, Matrix(X), add_one), Memory().score(card, Matrix(X)) + 1)


@pytest.mark.parametrize("d", [1, 9])
@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
def test_a_gap_is_neither_yes_nor_no(d: int, kind: Any) -> None:
    X = rng.integers(0, 2, (5, d)).astype(float)
    X[3, d - 1] = np.nan
    term = linear(d, 0.5)
    scores = Memory().score(card_of(term), Matrix(kind(X)))
    assert np.isnan(scores[3]).all()
    assert np.isfinite(np.delete(scores, 3, axis=0)).all()
    assert np.isnan(term.parts(X)[3, d - 1]).all()


@pytest.mark.parametrize("dtype", [np.longdouble, np.float16])
@pytest.mark.parametrize("kind", ["linear", "above"])
def test_sparse_floats_of_other_widths(kind: str, dtype: Any) -> None:
    rows = rng.poisson(0.5, (30, 4)).astype(float)
    X = sp.csr_array(rows)
    X.data = X.data.astype(dtype)
    card = card_of(TERMS[kind](4))
    np.testing.assert_allclose(Memory().score(card, Matrix(X)), Memory().score(card, Matrix(rows)), rtol=1e-12)


def test_levels_of_a_sparse_matrix_are_refused() -> None:
    with pytest.raises(NotSupported, match="make it dense"):
        Memory().score(card_of(lookup(2)), Matrix(sp.csr_array(np.eye(2))))
