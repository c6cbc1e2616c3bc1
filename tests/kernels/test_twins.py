"""Every kernel gives the same in NumPy and in numba, whatever the types, shapes and faults of the data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from candide.kernels import compiled, plain

SHAPES = [(0, 3, 2), (1, 1, 1), (1, 5, 3), (7, 8, 2), (37, 13, 4), (200, 20, 5), (301, 9, 20), (65, 17, 33)]
FLOATS = [np.float64, np.float32]
CODES = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]


def read_only(*arrays: Any) -> list[Any]:
    """Copies that nobody may write to (None stays None)."""
    copies = [None if a is None else np.array(a) for a in arrays]
    for copy in copies:
        if copy is not None:
            copy.flags.writeable = False
    return copies


def both(name: str, inputs: list[Any], outputs: list[Any]) -> tuple[list[Any], list[Any], Any, Any]:
    """Outputs and answers of the plain and the compiled kernel, each from its own copies of the outputs."""
    ours, theirs = [o.copy() for o in outputs], [o.copy() for o in outputs]
    a = getattr(plain, name)(*read_only(*inputs), *ours)
    b = getattr(compiled, name)(*read_only(*inputs), *theirs)
    return ours, theirs, a, b


def agree(name: str, inputs: list[Any], outputs: list[Any], rtol: float = 1e-12, atol: float = 1e-12) -> None:
    ours, theirs, a, b = both(name, inputs, outputs)
    assert a == b
    for p, q in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(q, p, rtol=rtol, atol=atol)


def table(seed: int, r: int, d: int, dtype: Any = np.float64, missing: bool = False) -> Any:
    X = np.random.default_rng(seed).normal(1.0, 3.0, (r, d)).astype(dtype)
    if missing and r:
        X[np.random.default_rng(seed + 1).random((r, d)) < 0.1] = np.nan
        X[0] = np.nan
    return X


def class_codes(seed: int, r: int, k: int) -> Any:
    return np.random.default_rng(seed).integers(0, k, r).astype(np.uint8 if k % 2 else np.int64)


def weights(kind: str, r: int) -> Any:
    w = np.random.default_rng(5).random(r)
    w[::4] = 0.0
    return {"none": None, "some": w}[kind]


def csr(seed: int, r: int, d: int, values: Any = np.float64, index: Any = np.int32) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, d + 1, r)
    indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(index)
    indices = np.concatenate([np.zeros(0), *(rng.permutation(d)[:n] for n in lengths)]).astype(index)
    return indptr, indices, rng.integers(0, 5, len(indices)).astype(values)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("kind", ["none", "some"])
def test_moments(shape: Any, dtype: Any, missing: bool, kind: str) -> None:
    r, d, k = shape
    pivot = np.random.default_rng(1).normal(size=(k, d))
    inputs = [table(2, r, d, dtype, missing), class_codes(3, r, k), weights(kind, r), pivot]
    ours, theirs, _, _ = both("moments", inputs, [np.ones((k, d)) for _ in range(5)])
    np.testing.assert_allclose(theirs[0], ours[0], rtol=1e-14)
    for hi, lo in ((1, 2), (3, 4)):
        np.testing.assert_allclose(theirs[hi] + theirs[lo], ours[hi] + ours[lo], rtol=1e-14, atol=1e-13)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["none", "some"])
def test_comoments(shape: Any, kind: str) -> None:
    r, d, k = shape
    inputs = [table(2, r, d), class_codes(3, r, k), weights(kind, r), np.ones((k, d))]
    outputs = [np.zeros(k), *(np.zeros((k, d)) for _ in range(2)), *(np.zeros((k, d, d)) for _ in range(2))]
    ours, theirs, _, _ = both("comoments", inputs, outputs)
    np.testing.assert_allclose(theirs[0], ours[0], rtol=1e-14)
    np.testing.assert_allclose(theirs[1] + theirs[2], ours[1] + ours[2], rtol=1e-13, atol=1e-12)
    np.testing.assert_allclose(np.triu(theirs[3] + theirs[4]), np.triu(ours[3] + ours[4]), rtol=1e-13, atol=1e-11)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", CODES)
@pytest.mark.parametrize("kind", ["none", "some"])
def test_level_counts(shape: Any, dtype: Any, kind: str) -> None:
    r, d, k = shape
    widths = np.random.default_rng(1).integers(1, 7, d)
    offsets = np.cumsum(widths) - widths
    X = np.random.default_rng(2).integers(0, widths, (r, d)).astype(dtype)
    inputs = [X, class_codes(3, r, k), weights(kind, r), offsets, widths]
    agree("level_counts", inputs, [np.ones((widths.sum(), k))])


@pytest.mark.parametrize("bad", [0, 1, 10, 11, 36])
@pytest.mark.parametrize("value", [-1, -128, 5, 127])
def test_level_counts_stops_before_the_row_it_cannot_count(twin: Any, bad: int, value: int) -> None:
    X = np.zeros((37, 4), np.int8)
    X[bad, 2] = value
    counts = np.zeros((4 * 200, 1))
    widths = np.array([200, 200, 5, 200])
    assert twin.level_counts(X, np.zeros(37, np.uint8), None, np.arange(4) * 200, widths, counts) == bad
    assert counts.sum() == 4 * bad


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8, np.bool_])
@pytest.mark.parametrize("above", [None, 1.0])
@pytest.mark.parametrize("kind", ["none", "some"])
def test_totals(shape: Any, dtype: Any, above: float | None, kind: str) -> None:
    r, d, k = shape
    X = np.random.default_rng(2).integers(0, 9, (r, d)).astype(dtype)
    agree("totals", [X, class_codes(3, r, k), weights(kind, r), above], [np.ones((k, d))])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("types", [(np.float64, np.int32), (np.float32, np.int64), (np.int64, np.int32)])
@pytest.mark.parametrize("above", [None, 1.0])
@pytest.mark.parametrize("kind", ["none", "some"])
def test_sparse_totals(shape: Any, types: Any, above: float | None, kind: str) -> None:
    r, d, k = shape
    indptr, indices, data = csr(2, r, d, *types)
    for lo in (0, r // 2):  # the second is a slice of a longer matrix
        part = [indptr[lo:], indices, data, class_codes(3, r, k)[lo:]]
        w = weights(kind, r)
        agree("sparse_totals", [*part, None if w is None else w[lo:], above], [np.ones((k, d))])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("missing", [False, True])
def test_add_quadratic(shape: Any, dtype: Any, missing: bool) -> None:
    r, d, k = shape
    mean, precision, log_norm = np.random.default_rng(4).random((3, k, d))
    agree("add_quadratic", [table(2, r, d, dtype, missing), mean, precision, log_norm], [np.ones((r, k))])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("missing", [False, True])
def test_add_student(shape: Any, missing: bool) -> None:
    r, d, k = shape
    mean, precision, half, log_norm = np.random.default_rng(4).random((4, k, d))
    agree("add_student", [table(2, r, d, missing=missing), mean, precision, half, log_norm], [np.ones((r, k))])


@pytest.mark.parametrize("scale", [1e-300, 1e-20, 1e-8, 1.0, 1e8, 1e200, 1e308])
def test_add_student_is_exact_for_small_and_large_distances(scale: float) -> None:
    X = np.sqrt(scale) * np.random.default_rng(1).random((100, 3))
    one = np.ones((2, 3))
    agree("add_student", [X, 0 * one, one, one, 0 * one], [np.zeros((100, 2))], rtol=5e-15, atol=0.0)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", FLOATS)
def test_add_full_quadratic(shape: Any, dtype: Any) -> None:
    r, d, k = shape
    mean, constant = np.random.default_rng(4).random((k, d)), np.random.default_rng(5).random(k)
    whiten = np.tril(np.random.default_rng(6).normal(size=(k, d, d)))
    agree("add_full_quadratic", [table(2, r, d, dtype), mean, whiten, constant], [np.ones((r, k))])


@pytest.mark.parametrize("shape", [*SHAPES, (1500, 3, 2)])
@pytest.mark.parametrize("dtype", CODES)
@pytest.mark.parametrize("bad", [False, True])
def test_add_lookup(shape: Any, dtype: Any, bad: bool) -> None:
    r, d, k = shape
    rng = np.random.default_rng(1)
    widths = rng.integers(1, 7, d)
    offsets = np.cumsum(widths) - widths
    X = rng.integers(0, widths, (r, d)).astype(dtype)
    if bad and r:
        X[rng.random((r, d)) < 0.1] = np.iinfo(dtype).max
        X[rng.random((r, d)) < 0.1] = 6
        X[rng.random((r, d)) < 0.1] = np.iinfo(dtype).min
    tables = rng.normal(size=(widths.sum(), k)), rng.normal(size=(d, k))
    agree("add_lookup", [X, offsets, widths, *tables], [np.ones((r, k))])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8, np.bool_])
@pytest.mark.parametrize("above", [None, 0.5])
def test_add_linear(shape: Any, dtype: Any, above: float | None) -> None:
    r, d, k = shape
    X = np.random.default_rng(2).integers(0, 3, (r, d)).astype(dtype)
    weights = np.random.default_rng(3).normal(size=(d, k))
    for origin in (None, np.random.default_rng(4).normal(size=d)):
        agree("add_linear", [X, weights, above, origin], [np.ones((r, k))])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("types", [(np.float64, np.int32), (np.float32, np.int64), (np.int64, np.int32)])
@pytest.mark.parametrize("above", [None, 0.5])
def test_add_sparse_linear(shape: Any, types: Any, above: float | None) -> None:
    r, d, k = shape
    indptr, indices, data = csr(2, r, d, *types)
    table_of = np.random.default_rng(3).normal(size=(d, k))
    for lo in (0, r // 2):
        agree("add_sparse_linear", [indptr[lo:], indices, data, table_of, above], [np.ones((r - lo, k))])


@pytest.mark.parametrize("name", ["normalise", "log_normalise"])
@pytest.mark.parametrize("k", [1, 2, 3, 8, 10, 33])
def test_normalising(name: str, k: int) -> None:
    scores = np.random.default_rng(1).normal(-3.0, 200.0, (3001, k))
    scores[::7] *= 1e-3
    agree(name, [], [scores], rtol=1e-14, atol=0.0 if name == "normalise" else 1e-14)


@pytest.mark.parametrize("k", [2, 3, 9])
def test_normalising_rows_with_no_proper_score(twin: Any, k: int) -> None:
    scores = np.zeros((4, k))
    scores[0, 0], scores[1, 1], scores[2] = np.nan, -np.inf, -np.inf
    for name in ("normalise", "log_normalise"):
        out = scores.copy()
        getattr(twin, name)(out)
        assert np.isnan(out[[0, 2]]).all()
        np.testing.assert_allclose(np.exp(out[3]) if name == "log_normalise" else out[3], 1 / k)
        assert out[1, 1] == (0.0 if name == "normalise" else -np.inf)


@pytest.mark.parametrize("dtype", [*CODES, np.bool_])
def test_narrow(twin: Any, dtype: Any) -> None:
    """Small whole numbers become codes; a value out of range is told."""
    values = np.array([1, 0, 1, 1, 0], dtype) if dtype == np.bool_ else np.array([7, 5, 7, 9, 5], dtype)
    low = int(values.min())
    codes, occurs = np.zeros(5, np.uint8), np.zeros(5, np.uint8)
    assert twin.narrow(read_only(values)[0], low, codes, occurs)
    assert (codes + low).tolist() == values.astype(int).tolist()
    assert np.flatnonzero(occurs).tolist() == sorted({int(v) - low for v in values})
    assert not twin.narrow(values, low + 1, codes, occurs)
    assert not twin.narrow(values, low, codes, occurs[:1])


@pytest.mark.parametrize("kind", ["none", "some"])
@pytest.mark.parametrize("r", [0, 1, 6, 203])
def test_class_weights(kind: str, r: int) -> None:
    agree("class_weights", [class_codes(3, r, 5), weights(kind, r)], [np.ones(5)])


def test_begin() -> None:
    agree("begin", [np.array([1.0, 2.0, 3.0])], [np.zeros((7, 3))])


@pytest.mark.parametrize("tie", [0.0, 1e-9])
def test_first_best(twin: Any, tie: float) -> None:
    inf, nan = np.inf, np.nan
    out = np.array([[1, 2, 2], [1e9, 1e9 + 0.5, 0], [-inf, -inf, -5], [-inf] * 3, [inf, 0, inf], [0, nan, 1.0]])
    labels = np.zeros(6, np.int64)
    twin.first_best(out, tie, 1.0, labels)
    assert labels.tolist() == [1, 0 if tie else 1, 2, -1, -1, -1]


def test_a_full_byte_of_levels(twin: Any) -> None:
    X = np.arange(2048).astype(np.uint8).reshape(-1, 1)
    scores = np.zeros((2048, 2))
    twin.add_lookup(X, np.array([0]), np.array([256]), np.arange(512.0).reshape(256, 2), np.zeros((1, 2)), scores)
    np.testing.assert_array_equal(scores[:256], np.arange(512.0).reshape(256, 2))


def spread_numbers(kind: str, r: int) -> Any:
    rng = np.random.default_rng(7)
    x = {
        "normal": rng.normal(size=r),
        "large offset": 1e8 + rng.normal(size=r),
        "few values": rng.integers(-3, 4, r) * 1.0,
        "whole": rng.integers(-200, 200, r) * 1.0 - 1e6,
        "all scales": rng.normal(size=r) * 10.0 ** rng.integers(-300, 300, r),
        "odd": rng.choice([np.inf, -np.inf, 0.0, -0.0, 5e-324, np.nan, 1.0], r),
    }[kind]
    x[: r // 10] = np.nan
    return x


@pytest.mark.parametrize("kind", ["normal", "large offset", "few values", "whole", "all scales", "odd"])
@pytest.mark.parametrize("most", [2, 3, 7, 100])
@pytest.mark.parametrize("weighted", ["none", "some"])
@pytest.mark.parametrize("r", [0, 1, 1000])
def test_count_cells(kind: str, most: int, weighted: str, r: int) -> None:
    inputs = [spread_numbers(kind, r), class_codes(3, r, 3), weights(weighted, r)]
    ours, theirs, a, b = both("count_cells", inputs, [np.zeros(most, np.int64), np.zeros((most, 3))])
    assert a == b
    size = a[1]
    orders = [np.argsort(side[0][:size]) for side in (ours, theirs)]
    np.testing.assert_array_equal(ours[0][orders[0]], theirs[0][orders[1]])
    np.testing.assert_allclose(ours[1][orders[0]], theirs[1][orders[1]], rtol=1e-12)
    assert not theirs[1][size:].any()


@pytest.mark.parametrize("kind", ["normal", "few values", "odd"])
@pytest.mark.parametrize("steps", [1, 2, 3, 128, 129])
def test_add_steps(kind: str, steps: int) -> None:
    cuts = np.linspace(-2, 2, steps - 1) if steps < 128 else np.unique(np.round(np.linspace(-3, 3, steps - 1), 3))
    table_of_steps = np.random.default_rng(1).normal(size=(len(cuts) + 1, 3))
    agree("add_steps", [spread_numbers(kind, 300), cuts, table_of_steps], [np.ones((300, 3))])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("k", [3, 9])
def test_a_gap_shows_where_steps_are_counted_and_scored(shape: Any, dtype: Any, k: int) -> None:
    r, d, _ = shape
    X, y = table(2, r, d, dtype, missing=True), class_codes(3, r, k)
    ours, theirs, _, _ = both("totals", [X, y, None, 1.0], [np.ones((k, d))])
    lost = np.array([[np.isnan(X[y == c, j]).any() for j in range(d)] for c in range(k)])
    for sums in (*ours, *theirs):
        np.testing.assert_array_equal(np.isnan(sums), lost)
    agree("add_linear", [X, np.ones((d, k)), 1.0, None], [np.ones((r, k))])
    out = np.zeros((r, k))
    compiled.add_linear(X, np.ones((d, k)), 1.0, None, out)
    np.testing.assert_array_equal(np.isnan(out).any(axis=1), np.isnan(X).any(axis=1))


@pytest.mark.parametrize("k", [3, 20, 40])
@pytest.mark.parametrize("r", [3, 60])
def test_a_stored_gap_shows_where_steps_are_counted_and_scored(k: int, r: int) -> None:
    indptr, indices, data = csr(2, r, 7)
    data[-1] = np.nan
    ours, theirs, _, _ = both(
        "sparse_totals", [indptr, indices, data, class_codes(3, r, k), None, 1.0], [np.ones((k, 7))]
    )
    assert np.isnan(ours[0]).sum() == np.isnan(theirs[0]).sum() == 1
    np.testing.assert_allclose(theirs[0], ours[0])
    agree("add_sparse_linear", [indptr, indices, data, np.ones((7, k)), 1.0], [np.ones((r, k))])
