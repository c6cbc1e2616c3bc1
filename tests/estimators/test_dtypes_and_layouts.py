"""A number is a number, whatever holds it and however it lies in memory."""

from __future__ import annotations

import pickle
import tracemalloc
from typing import Any

import numpy as np
import pytest
from bestiary import GAPS, MODELS, X, every, fitted, of, refused, sound, with_cell, y

from candide.errors import TooLarge

WHOLE = [f"{order}{kind}" for kind in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8") for order in "<>"]
FLOATS = ["<f2", ">f2", "<f4", ">f4", ">f8", "g"]


def agree(model: Any, other: Any, rows: Any, rtol: float = 1e-9) -> None:
    np.testing.assert_allclose(sound(model, rows), sound(other, np.asarray(rows, dtype=float)), rtol=rtol)


@every
@pytest.mark.parametrize("dtype", [*WHOLE, *FLOATS])
def test_whole_numbers_of_every_type(name: str, dtype: str) -> None:
    agree(fitted(name, X.astype(dtype)), fitted(name), X.astype(dtype))
    agree(fitted(name, X), fitted(name), X.astype(dtype))
    model = MODELS[name]().partial_fit(X[:7], y[:7], classes=[0, 1]).partial_fit(X[7:].astype(dtype), y[7:])
    agree(model, fitted(name), X)
    model.forget(X[7:].astype(dtype), y[7:])
    assert model.class_count_.tolist() == [4, 3]


@of(*(name for name in MODELS if name != "quadratic"))
def test_yes_and_no(name: str) -> None:
    yes = X > 1
    agree(fitted(name, yes), fitted(name, yes.astype(float)), yes)


@every
def test_objects_that_are_numbers(name: str) -> None:
    agree(fitted(name, X.astype(object)), fitted(name), X.astype(object))
    agree(fitted(name, X.astype(int).tolist()), fitted(name), X.astype(int).tolist())


@of(*GAPS)
def test_none_among_objects_is_a_gap(name: str) -> None:
    rows = X.astype(object)
    rows[3, 1] = None
    agree(fitted(name, rows), fitted(name, with_cell(np.nan, row=3)), rows)


def layouts(rows: np.ndarray) -> dict[str, np.ndarray]:
    """The same numbers, laid out differently."""
    still = rows.copy()
    still.flags.writeable = False
    wide = np.zeros((len(rows), 9))
    wide[:, ::3] = rows
    return {
        "Fortran": np.asfortranarray(rows),
        "read-only": still,
        "every other row": np.repeat(rows, 2, axis=0)[::2],
        "every third column": wide[:, ::3],
        "backwards": rows[::-1].copy()[::-1],
        "columns backwards": rows[:, ::-1].copy()[:, ::-1],
        "one row in a view": np.broadcast_to(rows, (2, *rows.shape))[1],
        "float32 Fortran": np.asfortranarray(rows, dtype=np.float32),
        "unaligned": np.frombuffer(b"\0" + rows.tobytes(), dtype=float, offset=1).reshape(rows.shape),
    }


@every
@pytest.mark.parametrize("layout", layouts(X))
def test_however_it_lies_in_memory(name: str, layout: str) -> None:
    rows = layouts(X)[layout]
    before = rows.copy()
    labels = y.copy()
    labels.flags.writeable = False
    agree(fitted(name, rows, labels), fitted(name), rows)
    agree(fitted(name).forget(rows[:9], labels[:9]), fitted(name, X[9:], y[9:]), rows)
    np.testing.assert_array_equal(rows, before)


@of(*(name for name in MODELS if name not in GAPS))
def test_a_masked_array_without_masked_cells(name: str) -> None:
    agree(fitted(name, np.ma.masked_array(X, mask=False)), fitted(name), X)


@every
@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_a_matrix_object_is_refused(name: str) -> None:
    with refused(TypeError, "np.matrix is not supported"):
        fitted(name, np.matrix(X))


@of("bernoulli", "multinomial", "complement", "categorical")
def test_numbers_above_two_to_the_63(name: str) -> None:
    big = np.array([[2**63 + 2**20], [2**63 + 2**30], [3], [4]], dtype=np.uint64)
    model = fitted(name, big, [0, 1, 0, 1])
    sound(model, big)
    if name == "categorical":
        assert model.predict(big).tolist() == [0, 1, 0, 1]
        assert [levels.values.tolist() for levels in model.tally_.statistics.popitem()[1].levels] == [
            sorted(big[:, 0].tolist())
        ]


def test_neighbouring_codes_beyond_the_precision_of_a_float() -> None:
    for base, dtype in ((2**60, np.int64), (2**63, np.uint64)):
        rows = np.array([[base + 1], [base + 2]] * 2, dtype=dtype)
        assert fitted("categorical", rows, [0, 1, 0, 1]).predict(rows).tolist() == [0, 1, 0, 1]


def test_neighbouring_codes_stay_apart_when_batches_have_other_types() -> None:
    """A float cannot tell 2⁶³ + 1 from 2⁶³ + 2: joining levels of two types must not pass through one."""
    big = np.array([[2**63 + 1], [2**63 + 2]], dtype=np.uint64)
    model = fitted("categorical", big, [0, 1]).partial_fit(np.array([[3], [4]]), [0, 1])
    (table,) = next(iter(model.tally_.statistics.values())).tables
    assert table.sum() == 4
    assert model.predict(big).tolist() == [0, 1]


HUGE = np.array([[10**9], [3], [3], [5]])


@pytest.mark.parametrize("dtype", [np.int64, np.uint32, np.float64])
def test_huge_codes_need_no_table_of_their_width(dtype: Any) -> None:
    rows, labels = HUGE.astype(dtype), [0, 1, 1, 0]
    tracemalloc.start()
    model = fitted("categorical", rows, labels)
    posterior = sound(model, np.array([[10**9], [3], [4], [2 * 10**9]]).astype(dtype))
    model.partial_fit(rows + 7, labels).forget(rows, labels).merge(fitted("categorical", rows, labels))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    np.testing.assert_allclose(posterior, [[2 / 3, 1 / 3], [1 / 4, 3 / 4], [0.5, 0.5], [0.5, 0.5]], rtol=1e-8)
    assert peak < 20e6
    assert model.n_categories_.tolist() == [10**9 + 8]
    fresh = fitted("categorical", rows, labels)
    for shown in ("feature_log_prob_", "category_count_"):
        with refused(TooLarge, "column 0 has 1,000,000,001 categories"):
            getattr(fresh, shown)


def test_min_categories_need_no_table_of_their_width() -> None:
    tracemalloc.start()
    model = fitted("categorical", min_categories=10**12)
    sound(model, X)
    assert tracemalloc.get_traced_memory()[1] < 20e6
    tracemalloc.stop()
    assert model.n_categories_.tolist() == [10**12] * 3


@pytest.mark.parametrize("code", [255, 256, 65535, 65536, 70_000, 1 << 20, 1 << 21])
@pytest.mark.parametrize("dtype", [np.int64, np.uint32, np.float64])
def test_codes_around_the_widths_of_tables(code: int, dtype: Any) -> None:
    rows = np.array([[code, 1], [3, 0], [3, 1], [code - 1, 0]]).astype(dtype)
    model = fitted("categorical", rows, [0, 1, 1, 0])
    size = code + 1
    asked = np.array([[code, 1], [3, 1], [code - 2, 1], [code + 1, 1]]).astype(dtype)
    first = np.array([2 / 3, 1 / 4, 1 / 2, 1 / 2])
    np.testing.assert_allclose(sound(model, asked)[:, 0], first, rtol=1e-9)
    assert model.n_categories_.tolist() == [size, 2]


def test_fractions_are_categories() -> None:
    rows = np.array([[0.5], [1.5], [0.5], [2.0]])
    model = fitted("categorical", rows, [0, 1, 0, 1])
    assert model.n_categories_.tolist() == [3]
    np.testing.assert_allclose(sound(model, rows[:3]), [[3 / 4, 1 / 4], [1 / 3, 2 / 3], [3 / 4, 1 / 4]])
    np.testing.assert_allclose(sound(model, np.array([[0.75], [1.0], [9.0]])), 0.5)
    np.testing.assert_allclose(np.exp(model.feature_log_prob_[0]), [[3 / 5, 1 / 5, 1 / 5], [1 / 5, 2 / 5, 2 / 5]])


def test_fractions_that_come_later_are_categories_too() -> None:
    whole, broken = np.array([[1.0], [2.0], [1.0], [0.0]]), np.array([[1.5], [2.5], [1.0], [0.0]])
    labels = [0, 1, 1, 0]
    batches = fitted("categorical", whole, labels).partial_fit(broken, labels)
    at_once = fitted("categorical", np.r_[whole, broken], labels * 2)
    np.testing.assert_allclose(sound(batches, broken), at_once.predict_proba(broken), rtol=1e-12)
    batches.forget(broken, labels)
    np.testing.assert_allclose(
        sound(batches, whole), fitted("categorical", whole, labels).predict_proba(whole), rtol=1e-12
    )
    assert batches.n_categories_.tolist() == [3]


def test_a_float_that_is_whole_is_the_integer() -> None:
    rows = X.astype(np.int64)
    model = fitted("categorical", rows)
    for other in (rows.astype(np.float32), rows.astype(np.uint8), rows.astype(float)):
        np.testing.assert_allclose(model.predict_proba(other), model.predict_proba(rows), rtol=1e-12)


def test_a_code_without_weight_is_no_category() -> None:
    model = MODELS["categorical"]().fit([[1], [9], [1], [0]], [0, 1, 1, 0], sample_weight=[1, 0, 1, 1])
    assert model.n_categories_.tolist() == [2]


@every
def test_a_wide_model_goes_through_pickle(name: str) -> None:
    rng = np.random.default_rng(0)
    width = {"linear": 30, "quadratic": 30, "categorical": 1_000}.get(name, 5_000)
    rows = rng.integers(0, 3, (200, width)).astype(float)
    labels = rng.integers(0, 3, 200)
    model = fitted(name, rows, labels)
    packed = pickle.dumps(model)
    again = pickle.loads(packed)
    np.testing.assert_array_equal(again.predict_proba(rows[:5]), model.predict_proba(rows[:5]))
    again.partial_fit(rows[:50], labels[:50]).forget(rows[:50], labels[:50])
    np.testing.assert_allclose(again.predict_proba(rows[:5]), model.predict_proba(rows[:5]), rtol=1e-6, atol=1e-12)
    assert pickle.loads(pickle.dumps(model.tally_)).classes == model.tally_.classes


def test_the_number_of_categories_may_be_more_than_an_integer_holds() -> None:
    for rows, sizes in (([[0], [2**63 - 1]], [2**63]), ([[0, 1], [2**64 - 1, 1]], [2**64, 2])):
        model = fitted("categorical", np.array(rows, dtype=np.uint64 if len(sizes) == 2 else np.int64), [0, 1])
        assert model.n_categories_.tolist() == sizes
    assert fitted("categorical").n_categories_.dtype == np.int64


def test_many_wide_columns_of_categories() -> None:
    rows = np.full((3, 2_000), 60_000)
    model = fitted("categorical", rows, [0, 1, 0])
    assert model.n_categories_.tolist() == [60_001] * 2_000
    sound(model, rows)
