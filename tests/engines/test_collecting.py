"""What the engine counts, however the rows are cut into blocks and shared among threads."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from candide.counts import CountLevels, MeasureCoMoments, MeasureMoments, SumTotals, Tally
from candide.data import Matrix
from candide.engines import Memory
from candide.errors import (
    BadLabels,
    BadShape,
    BadValue,
    BadWeights,
    NegativeValue,
    NotFinite,
    NotSupported,
    TooLarge,
)
from candide.labels import Labels

COLUMNS = range(3)
LEVELS, MOMENTS, COMOMENTS = CountLevels(COLUMNS), MeasureMoments(COLUMNS), MeasureCoMoments(COLUMNS)
TOTALS, ABOVE = SumTotals(COLUMNS), SumTotals(COLUMNS, above=1.0)
REQUESTS = (LEVELS, MOMENTS, COMOMENTS, TOTALS, ABOVE)
EDGES = [1, 2, 5, 4096, 4097, 16_384, 16_385, 65_536, 65_537]


@pytest.fixture(params=["plain", "compiled"], autouse=True)
def kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANDIDE_KERNELS", request.param)


def source(n: int, weighed: bool = False, classes: int = 3) -> Matrix:
    rng = np.random.default_rng(n)
    names = Labels.of(range(classes))
    y = rng.integers(0, classes, n).astype(np.uint8)
    return Matrix(rng.integers(0, 5, (n, 3)).astype(float), names, y, rng.integers(0, 4, n) / 4 if weighed else None)


def right(tally: Tally, rows: Matrix) -> None:
    """The counts against NumPy's own sums, class by class."""
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    X = rows.X.toarray() if sp.issparse(rows.X) else np.asarray(rows.X, dtype=float)
    for c in range(len(rows.classes)):
        mine, w = X[rows.y == c], weights[rows.y == c]
        assert tally.seen.weights[c] == pytest.approx(w.sum(), rel=1e-12)
        if TOTALS in tally.statistics:
            np.testing.assert_allclose(tally[TOTALS].sums[c], w @ mine, rtol=1e-12)
            np.testing.assert_allclose(tally[ABOVE].sums[c], w @ (mine > 1), rtol=1e-12)
        if MOMENTS in tally.statistics and w.sum() > 0:
            mean = w @ mine / w.sum()
            away = mine - mean
            np.testing.assert_allclose(tally[MOMENTS].mean[c], mean, rtol=1e-12)
            np.testing.assert_allclose(tally[MOMENTS].scatter[c], w @ away**2, rtol=1e-10, atol=1e-10)
            np.testing.assert_allclose(tally[COMOMENTS].scatter[c], (w * away.T) @ away, rtol=1e-9, atol=1e-9)
        if LEVELS in tally.statistics:
            for levels, table, cells in zip(tally[LEVELS].levels, tally[LEVELS].tables, mine.T, strict=True):
                held = [w[cells == level].sum() for level in levels]
                np.testing.assert_allclose(table[:, c], held, rtol=1e-12)


@pytest.mark.parametrize("n", EDGES)
@pytest.mark.parametrize("weighed", [False, True], ids=["rows", "weights"])
@pytest.mark.parametrize("threads", ["1", "2"])
def test_around_the_edges_of_blocks(n: int, weighed: bool, threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANDIDE_THREADS", threads)
    rows = source(n, weighed)
    right(Memory().collect(REQUESTS, rows), rows)


@pytest.mark.parametrize("n", [16, 16_385])
@pytest.mark.parametrize("layout", ["Fortran", "backwards", "i8", "u1", ">f4", "f2", "?"])
def test_layouts_and_types(n: int, layout: str) -> None:
    rows = source(n, weighed=True)
    X = {"Fortran": np.asfortranarray, "backwards": lambda X: X[::-1].copy()[::-1]}.get(
        layout, lambda X: X.astype(layout)
    )(rows.X)
    rows = Matrix(X, rows.classes, rows.y, rows.weights)
    right(Memory().collect(REQUESTS, rows), rows)


@pytest.mark.parametrize("n", [16, 16_385])
@pytest.mark.parametrize("kind", [sp.csr_matrix, sp.csr_array])
def test_sparse_rows(n: int, kind: Any) -> None:
    rows = source(n, weighed=True)
    rows = Matrix(kind(rows.X), rows.classes, rows.y, rows.weights)
    right(Memory().collect([TOTALS, ABOVE], rows), rows)


def test_a_class_that_no_row_has() -> None:
    rows = source(50)
    wide = Matrix(rows.X, Labels.of(range(70)), rows.y)
    tally = Memory().collect(REQUESTS, wide)
    right(tally, wide)
    assert (tally[MOMENTS].n[3:] == 0).all()


def test_a_class_that_comes_late() -> None:
    n = 20_000
    rows = source(n)
    y = np.where(np.arange(n) == n - 1, 2, rows.y % 2).astype(np.uint8)
    late = Matrix(rows.X + 1e8, rows.classes, y)
    right(Memory().collect([MOMENTS, COMOMENTS], late), late)


@pytest.mark.parametrize("classes", [256, 257])
def test_codes_of_classes_wider_than_a_byte(classes: int) -> None:
    rng = np.random.default_rng(classes)
    y = rng.permutation(np.repeat(np.arange(classes), 4)).astype(np.uint16)
    rows = Matrix(rng.integers(0, 5, (len(y), 3)).astype(float), Labels.of(range(classes)), y)
    right(Memory().collect(REQUESTS, rows), rows)


@pytest.mark.parametrize("late", [70_000.0, 4.5, 300.0])
def test_levels_when_the_first_rows_mislead(late: float) -> None:
    rows = source(10_000)
    rows.X[-1, 1] = late
    tally = Memory().collect([LEVELS], rows)
    assert list(tally[LEVELS].levels[1]) == [0, 1, 2, 3, 4, late]
    right(tally, rows)


@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf])
@pytest.mark.parametrize("row", [0, 9_999])
def test_levels_that_cannot_be(value: float, row: int) -> None:
    rows = source(10_000)
    rows.X[row, 1] = value
    with pytest.raises(NegativeValue if value < 0 else NotFinite):
        Memory().collect([LEVELS], rows)


@pytest.mark.parametrize("value", [-1.0, np.nan, np.inf])
@pytest.mark.parametrize("row", [0, 9_999])
def test_totals_that_cannot_be(value: float, row: int) -> None:
    rows = source(10_000)
    rows.X[row, 1] = value
    for X in (rows.X, sp.csr_array(rows.X)):
        with pytest.raises(NegativeValue if value < 0 else NotFinite):
            Memory().collect([TOTALS], Matrix(X, rows.classes, rows.y))


def test_totals_beyond_a_float() -> None:
    with pytest.raises(TooLarge, match="more than a float can hold"):
        Memory().collect([SumTotals(range(1))], Matrix(np.full((3, 1), 1e308), Labels.of([0]), np.zeros(3, np.uint8)))


def test_an_infinite_total_of_either_sign_is_named() -> None:
    X = np.array([[np.inf], [-np.inf]])
    with pytest.raises(NotFinite, match="inf in row 0, column 0"):
        Memory().collect([SumTotals(range(1))], Matrix(X, Labels.of([0]), np.zeros(2, np.uint8)))


def test_tables_that_would_not_fit() -> None:
    d = 200_000
    with pytest.raises(TooLarge, match=r"1 scatter matrices of 200000 columns need 320 GB"):
        Memory().collect(
            [MeasureCoMoments(range(d))], Matrix(np.zeros((1, d), np.float32), Labels.of([0]), np.zeros(1, np.uint8))
        )


def test_requests_an_engine_knows() -> None:
    assert all(Memory().can(request) for request in REQUESTS)
    assert not Memory().can("the mean of everything")
    with pytest.raises(NotSupported, match="the mean of everything"):
        Memory().collect(["the mean of everything"], source(2))


@pytest.mark.parametrize("threads", ["1", "2"])
def test_threads_count_the_same(threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = source(60_000, weighed=True)
    monkeypatch.setenv("CANDIDE_THREADS", "1")
    one = Memory().collect(REQUESTS, rows)
    monkeypatch.setenv("CANDIDE_THREADS", threads)
    other = Memory().collect(REQUESTS, rows)
    np.testing.assert_array_equal(one.seen.weights, other.seen.weights)
    np.testing.assert_array_equal(one[TOTALS].sums, other[TOTALS].sums)
    np.testing.assert_array_equal(one[MOMENTS].mean, other[MOMENTS].mean)
    np.testing.assert_allclose(one[COMOMENTS].scatter, other[COMOMENTS].scatter, rtol=1e-12)


def test_the_input_is_left_alone() -> None:
    rows = source(5_000, weighed=True)
    kept = [array.copy() for array in (rows.X, rows.y, rows.weights)]
    for array in (rows.X, rows.y, rows.weights):
        array.flags.writeable = False
    Memory().collect(REQUESTS, rows)
    for array, before in zip((rows.X, rows.y, rows.weights), kept, strict=True):
        np.testing.assert_array_equal(array, before)


@pytest.mark.parametrize(
    "y",
    [np.array([0, 1, 5]), np.array([0, -1, 1]), np.array([0, 1]), np.array([0.0, 1, 1]), np.array(["a", "b", "c"])],
    ids=str,
)
def test_labels_that_are_no_places_among_the_classes(y: Any) -> None:
    """A kernel would write where they say."""
    with pytest.raises(BadLabels, match=r"y is one label a row|y holds places among the 2 classes, 0 to 1"):
        Memory().collect(REQUESTS, Matrix(np.ones((3, 3)), Labels.of([0, 1]), y))


@pytest.mark.parametrize("weights", [np.ones(2), np.array([1, np.nan, 1]), np.array([1, -1, 1])], ids=str)
def test_weights_that_are_no_repetitions(weights: Any) -> None:
    with pytest.raises(BadWeights):
        Memory().collect(REQUESTS, Matrix(np.ones((3, 3)), Labels.of([0, 1]), np.array([0, 1, 1]), weights))


@pytest.mark.parametrize(
    "parts",
    [
        (Labels.of([0, 1]), [0, 1, 1]),
        ([0, 1], np.array([0, 1, 1])),
        (Labels.of([0, 1]), np.array([0, 1, 1]), [1, 1, 1]),
    ],
    ids=["y", "classes", "weights"],
)
def test_lists_where_arrays_are_needed(parts: Any) -> None:
    with pytest.raises((BadLabels, BadWeights), match=r"Labels.encode gives both|weights are an array"):
        Memory().collect(REQUESTS, Matrix(np.ones((3, 3)), *parts))


def test_rows_without_labels() -> None:
    with pytest.raises(BadLabels, match="no labels to learn from"):
        Memory().collect(REQUESTS, Matrix(np.ones((3, 3))))


@pytest.mark.parametrize("request_", [MOMENTS, COMOMENTS, TOTALS, ABOVE], ids=str)
@pytest.mark.parametrize("X", [np.array([["a", "b", "c"]] * 3), np.array([["a", 1, 2]] * 3, dtype=object)], ids=str)
def test_words_cannot_be_summed(request_: Any, X: Any) -> None:
    with pytest.raises(BadValue, match="not numbers"):
        Memory().collect([request_], Matrix(X, Labels.of([0, 1]), np.array([0, 1, 1])))


def test_words_of_a_matrix_are_levels() -> None:
    words = np.array([["a", "b", "c"], ["a", "b", "d"], ["b", "b", "d"]])
    for X in (words, words.astype(object)):
        counts = Memory().collect([LEVELS], Matrix(X, Labels.of([0, 1]), np.array([0, 1, 1])))[LEVELS]
        assert [list(levels) for levels in counts.levels] == [["a", "b"], ["b"], ["c", "d"]]
        assert counts.tables[0].tolist() == [[1, 1], [0, 1]]


@pytest.mark.parametrize("request_", [LEVELS, MOMENTS, COMOMENTS], ids=str)
def test_what_needs_dense_rows(request_: Any) -> None:
    rows = source(20)
    with pytest.raises(NotSupported, match="make it dense"):
        Memory().collect([request_], Matrix(sp.csr_array(rows.X), rows.classes, rows.y))


def test_a_sparse_matrix_whose_columns_do_not_exist() -> None:
    X = sp.csr_array(np.eye(3))
    X.indices = X.indices + 7
    with pytest.raises(BadShape, match="does not hold together"):
        Memory().collect([TOTALS], Matrix(X, Labels.of([0, 1]), np.array([0, 1, 1])))


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize("row", [0, 9_999])
def test_a_gap_is_no_no(kind: Any, row: int) -> None:
    rows = source(10_000)
    rows.X[row, 1] = np.nan
    with pytest.raises(NotFinite, match=f"NaN in row {row}, column 1"):
        Memory().collect([ABOVE], Matrix(kind(rows.X), rows.classes, rows.y))
    weights = np.where(np.arange(10_000) == row, 0.0, 1.0)
    left_out = Matrix(kind(rows.X), rows.classes, rows.y, weights)
    known = Matrix(np.nan_to_num(rows.X), rows.classes, rows.y, weights)
    np.testing.assert_array_equal(
        Memory().collect([ABOVE], left_out)[ABOVE].sums, Memory().collect([ABOVE], known)[ABOVE].sums
    )


@pytest.mark.parametrize("dtype", [np.longdouble, np.float16])
def test_sums_of_floats_of_other_widths(dtype: Any) -> None:
    rows = source(50)
    X = sp.csr_array(rows.X)
    X.data = X.data.astype(dtype)
    right(Memory().collect([TOTALS, ABOVE], Matrix(X, rows.classes, rows.y)), rows)


def test_wide_columns_share_the_memory_there_is() -> None:
    """A table of every level of every column would take 2 GB."""
    X = np.full((3, 2_000), 60_000)
    X[1] = np.arange(2_000)
    columns = CountLevels(range(2_000))
    tracemalloc.start()
    counts = Memory().collect([columns], Matrix(X, Labels.of([0, 1]), np.array([0, 1, 0])))[columns]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 28
    assert list(counts.levels[7]) == [7, 60_000]
    assert counts.tables[7].tolist() == [[0, 1], [2, 0]]


def test_more_classes_and_columns_than_memory() -> None:
    classes = Labels.of(range(1 << 20))
    X = np.broadcast_to(np.zeros((1, 1), np.uint8), (1, 1 << 20))
    with pytest.raises(TooLarge, match="tables of 1048576 columns and 1048576 classes need"):
        Memory().collect([CountLevels(range(1 << 20))], Matrix(X, classes, np.zeros(1, np.int32)))


def moments_of(X: Any, y: Any, weights: Any = None, classes: int = 1) -> Any:
    rows = Matrix(np.asarray(X, dtype=float), Labels.of(range(classes)), np.asarray(y, dtype=np.uint8), weights)
    request = MeasureMoments(range(rows.X.shape[1]))
    return Memory().collect([request], rows)[request]


@pytest.mark.parametrize("gap", [5, 5000])
def test_a_column_whose_first_cells_are_missing(gap: int) -> None:
    late = np.full((gap + 15, 2), np.nan)
    late[gap:, 0] = 1.7e9 + np.arange(15)
    found = moments_of(late, np.zeros(gap + 15))
    np.testing.assert_allclose(found.variance, [[56 / 3, 0.0]], rtol=1e-12)


def test_a_class_whose_cells_are_missing_for_long() -> None:
    X, y = np.zeros((9000, 1)), np.arange(9000) % 2
    X[y == 1] = np.nan
    X[8001::2, 0] = 1.7e9 + np.arange(500)
    found = moments_of(X, y, classes=2)
    np.testing.assert_allclose(found.variance[1], np.arange(500).var(), rtol=1e-12)


def test_rows_that_do_not_count_lend_no_pivot() -> None:
    X, w = np.r_[np.full((5, 1), 1e15), np.arange(8.0)[:, None]], np.r_[np.zeros(5), np.ones(8)]
    rows = Matrix(X, Labels.of([0]), np.zeros(13, np.uint8), w)
    for request in (MeasureMoments(range(1)), MeasureCoMoments(range(1))):
        found = Memory().collect([request], rows)[request]
        np.testing.assert_allclose(found.scatter.ravel(), [42.0], rtol=1e-12)
        assert 0 <= found.pivot[0, 0] <= 7


@pytest.mark.parametrize("request_", [MeasureMoments(range(1)), MeasureCoMoments(range(1))], ids=["flat", "full"])
def test_overflow_is_blamed_on_what_caused_it(request_: Any) -> None:
    def counted(X: Any, w: Any) -> Any:
        return Memory().collect([request_], Matrix(np.array(X), Labels.of([0]), np.zeros(2, np.uint8), np.array(w)))

    with pytest.raises(TooLarge, match=r"sample weights up to 1e\+140 times squares of cells up to 2e\+80"):
        counted([[1e80], [2e80]], [1e140, 1e140])
    with pytest.raises(TooLarge, match=r"a value too large: 1e\+160"):
        counted([[1e160], [2e80]], [1.0, 2.0])
