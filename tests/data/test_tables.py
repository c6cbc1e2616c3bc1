"""Tables of named columns and matrices of numbers, as an engine sees them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from candide.classifier import learn
from candide.counts import CountLevels, MeasureMoments, SumTotals
from candide.data import Matrix, Table, is_sparse
from candide.engines import Memory
from candide.errors import AmbiguousColumn, BadLabels, BadShape, BadValue, BadWeights, UnknownColumn
from candide.events import Gaussian
from candide.labels import Labels, is_missing

ROWS = [("sunny", 30.0, "yes"), ("rain", None, "no"), (None, 20.0, "yes"), ("sunny", float("nan"), "no")]
TABLE = Table.of("sky degrees play", ROWS, target="play")


def test_columns_and_classes() -> None:
    assert TABLE.columns == ("sky", "degrees")
    assert TABLE.n_rows == 4
    assert list(TABLE.classes) == ["no", "yes"]
    assert TABLE.y.tolist() == [1, 0, 1, 0]
    assert TABLE.values("sky").tolist() == ["sunny", "rain", None, "sunny"]


def test_names_with_blanks_are_given_as_a_list() -> None:
    table = Table.of(["the sky", 7], [("sunny", 1)])
    assert table.columns == ("the sky", 7)
    assert len(table.classes) == 0
    assert table.y.tolist() == []


def test_what_is_missing_is_no_number() -> None:
    np.testing.assert_array_equal(TABLE.numbers(["degrees"]), [[30], [np.nan], [20], [np.nan]])


def test_a_compound_column_holds_tuples() -> None:
    table = Table.of("a b c", [(1, "x", 0), (2, None, 0), (1, "x", 1), (float("nan"), "y", 1)], target="c")
    assert table.values(("a", "b")).tolist() == [(1, "x"), None, (1, "x"), None]
    counts = Memory().collect([CountLevels((("a", "b"),))], table)[CountLevels((("a", "b"),))]
    assert list(counts.levels[0]) == [(1, "x")]
    assert counts.tables[0].tolist() == [[1, 1]]


def test_a_tuple_may_also_be_the_name_of_a_column() -> None:
    table = Table.of([("a", "b"), "a", "b"], [(1, 2, 3)])
    assert table.values(("a", "b")).tolist() == [1]


def test_levels_of_a_column_with_gaps() -> None:
    request = CountLevels(("sky",))
    counts = Memory().collect([request], TABLE)[request]
    assert list(counts.levels[0]) == ["rain", "sunny"]
    assert counts.tables[0].tolist() == [[1, 0], [1, 1]]


def test_moments_of_a_column_with_gaps() -> None:
    request = MeasureMoments(("degrees",))
    moments = Memory().collect([request], TABLE)[request]
    assert moments.n.tolist() == [[0], [2]]
    assert moments.mean.tolist() == [[0], [25]]


def test_taking_rows() -> None:
    weights = np.array([1.0, 2.0, 3.0, 4.0])
    table = Table(TABLE.cells, TABLE.classes, TABLE.y, weights).take(np.array([3, 0]))
    assert table.values("sky").tolist() == ["sunny", "sunny"]
    assert table.y.tolist() == [0, 1]
    assert table.weights is not None
    assert table.weights.tolist() == [4, 1]
    assert list(table.classes) == ["no", "yes"]
    assert Table.of("a", [(1,), (2,)]).take(np.array([1])).values("a").tolist() == [2]


def test_a_column_that_is_not_there() -> None:
    with pytest.raises(
        UnknownColumn, match=r"'skye' is not in the table \(it has: sky, degrees\). Did you mean 'sky'?"
    ):
        TABLE.values("skye")
    with pytest.raises(UnknownColumn, match=r"'ply' is not in the table .* Did you mean 'play'?"):
        Table.of("sky degrees play", ROWS, target="ply")
    with pytest.raises(UnknownColumn, match="'night' is not in the table"):
        TABLE.numbers(["degrees", "night"])
    with pytest.raises(UnknownColumn, match="'play' is not in the table"):
        TABLE.values(("sky", "play"))


def test_rows_of_another_length() -> None:
    with pytest.raises(BadLabels, match=r"row 1 has 2 cells, the table has 3 columns: \['rain', 1.0\]"):
        Table.of("sky degrees play", [ROWS[0], ("rain", 1.0)], target="play")


def test_a_class_that_is_missing() -> None:
    with pytest.raises(BadLabels, match="a label is missing"):
        Table.of("sky play", [("sunny", None), ("rain", "no")], target="play")


def test_a_table_of_nothing() -> None:
    assert Table.of("", []).n_rows == 0
    assert Table.of("a b", []).n_rows == 0
    assert Table.of("a b", []).numbers(["b", "a"]).shape == (0, 2)


def test_cells_that_are_lists_stay_cells() -> None:
    table = Table.of("a", [([1, 2],), ([3, 4],)])
    assert table.values("a").tolist() == [[1, 2], [3, 4]]
    assert table.values("a").shape == (2,)


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_matrix, sp.csr_array], ids=["dense", "csr_matrix", "csr_array"])
def test_columns_of_a_matrix(kind: object) -> None:
    cells = np.arange(12.0).reshape(4, 3)
    X = kind(cells)  # type: ignore[operator]
    matrix = Matrix(X, columns=("a", "b", "c"))
    assert is_sparse(X) == (kind is not np.asarray)
    assert matrix.n_rows == 4
    assert matrix.numbers(("a", "b", "c")) is X
    some = matrix.numbers(("c", "a"))
    np.testing.assert_array_equal(some.toarray() if is_sparse(some) else some, cells[:, [2, 0]])
    taken = matrix.take(np.array([2, 0])).numbers(("b",))
    np.testing.assert_array_equal(taken.toarray() if is_sparse(taken) else taken, cells[[2, 0]][:, [1]])


def test_columns_without_names_are_numbered() -> None:
    matrix = Matrix(np.arange(6).reshape(2, 3))
    assert matrix.values(2).tolist() == [2, 5]
    assert matrix.numbers([1]).tolist() == [[1], [4]]
    assert matrix.numbers(range(3)) is matrix.X


def test_a_compound_column_of_a_matrix() -> None:
    matrix = Matrix(np.array([[1.0, 2.0], [np.nan, 2.0]]))
    assert matrix.values((0, 1)).tolist() == [(1.0, 2.0), None]


def test_a_table_and_a_matrix_count_the_same() -> None:
    rng = np.random.default_rng(0)
    cells, labels = rng.integers(0, 4, (50, 3)), rng.integers(0, 3, 50)
    classes, y = Labels.encode(labels)
    weights = rng.integers(1, 4, 50).astype(float)
    matrix = Matrix(cells, classes, y, weights, ("a", "b", "c"))
    table = Table.of(["a", "b", "c", "y"], np.c_[cells, labels].tolist(), "y", weights)
    names = ("a", "b", "c")
    levels, moments = CountLevels(names), MeasureMoments(names)
    one, other = (Memory().collect([levels, moments], source) for source in (matrix, table))
    assert one[levels].levels == other[levels].levels
    for mine, theirs in zip(one[levels].tables, other[levels].tables, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    np.testing.assert_allclose(one[moments].mean, other[moments].mean)
    np.testing.assert_allclose(one[moments].scatter, other[moments].scatter)
    totals = SumTotals(names)
    np.testing.assert_array_equal(
        Memory().collect([totals], matrix)[totals].sums, Memory().collect([totals], table)[totals].sums
    )


def test_weights_of_a_table_may_be_a_list() -> None:
    table = Table.of("sky play", [("sunny", "yes"), ("rain", "no")], target="play", weights=[1, 3])
    assert Memory().collect([CountLevels(("sky",))], table).seen.weights.tolist() == [3, 1]


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([1, -2], "number of repetitions, not -2"),
        ([1, float("nan")], r"not nan \(row 1\)"),
        ([float("inf"), 1], r"not inf \(row 0\)"),
        ([1], r"2 rows, but weights of the shape \(1,\)"),
        (2, r"weights of the shape \(\)"),
        ([0, 0], "all zero"),
        (["a", "b"], "numbers of repetitions, one a row"),
        ([1e308, 1e308], "more than can be counted"),
    ],
    ids=str,
)
def test_weights_of_a_table_are_checked(weights: Any, said: str) -> None:
    with pytest.raises(BadWeights, match=said):
        Table.of("sky play", [("sunny", "yes"), ("rain", "no")], target="play", weights=weights)


def test_two_columns_of_one_name() -> None:
    with pytest.raises(AmbiguousColumn, match="the table has 2 columns named 'k'"):
        Table.of("k k play", [(1, 2, "yes")], target="play")
    matrix = Matrix(np.ones((2, 2)), Labels.of([0]), np.zeros(2, np.uint8), columns=("k", "k"))
    with pytest.raises(AmbiguousColumn, match="the matrix has 2 columns named 'k'"):
        learn({("k",): Gaussian()}, matrix)


def test_a_word_where_a_number_is_needed() -> None:
    with pytest.raises(BadValue, match="column 'sky' holds 'sunny', which is no number"):
        TABLE.numbers(["sky"])


def test_gaps_of_pandas_are_gaps() -> None:
    table = Table.of("sky degrees", [(pd.NA, pd.NA), (pd.NaT, 2)])
    np.testing.assert_array_equal(table.numbers(["degrees"]), [[np.nan], [2]])
    assert [is_missing(cell) for cell in table.values("sky")] == [True, True]


@pytest.mark.parametrize(
    "X", [[[1, 2]], np.ones(3), np.ones((2, 2, 2)), sp.coo_array(np.eye(2)), sp.csc_array(np.eye(2))]
)
def test_what_is_no_matrix(X: Any) -> None:
    with pytest.raises(BadShape, match="X is a 2-D array or a CSR matrix"):
        Matrix(X)


@pytest.mark.parametrize("columns", [("a",), ("a", "b", "c")])
def test_names_that_do_not_fit_the_columns(columns: Any) -> None:
    with pytest.raises(BadShape, match=f"X has 2 columns, and there are {len(columns)} names"):
        Matrix(np.ones((3, 2)), columns=columns)


def test_a_column_that_the_matrix_does_not_have() -> None:
    matrix = Matrix(np.ones((3, 2)))
    for look in (matrix.values, lambda name: matrix.numbers([name])):
        with pytest.raises(UnknownColumn, match="2 is not in the matrix"):
            look(2)
    with pytest.raises(UnknownColumn, match="'b' is not in the matrix"):
        Matrix(np.ones((3, 1)), columns=("a",)).values("b")
