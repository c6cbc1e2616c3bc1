"""Names of classes and levels: one order, whoever was met first."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.engines import Memory
from candide.errors import BadLabels
from candide.labels import Labels, code_type, is_missing

NAMES = st.one_of(
    st.integers(-5, 5),
    st.booleans(),
    st.floats(-2, 2).map(lambda x: round(x * 4) / 4),
    st.text("abc", max_size=2),
    st.tuples(st.integers(0, 2), st.text("ab", max_size=1)),
)
LISTS = st.lists(NAMES, max_size=8)
NUMBERS = st.one_of(
    *(st.lists(kind, max_size=8) for kind in (st.integers(-(2**62), 2**62), st.text("aé\u4e2d 0", max_size=3)))
)


def same(one: Labels, other: Labels) -> None:
    assert one == other
    assert len(one) == len(other)
    assert list(one) == list(other)


@given(LISTS, LISTS)
def test_uniting_commutes(a: list[Any], b: list[Any]) -> None:
    same(Labels.of(a) | Labels.of(b), Labels.of(b) | Labels.of(a))


@given(LISTS, LISTS, LISTS)
def test_uniting_associates(a: list[Any], b: list[Any], c: list[Any]) -> None:
    x, y, z = Labels.of(a), Labels.of(b), Labels.of(c)
    same((x | y) | z, x | (y | z))


@given(LISTS, LISTS)
def test_uniting_holds_both(a: list[Any], b: list[Any]) -> None:
    both = Labels.of(a) | Labels.of(b)
    same(both, Labels.of([*a, *b]))
    assert len(both) == len(set(a) | set(b))
    for values in (a, b):
        ours = Labels.of(values)
        places = ours.places_in(both)
        assert [both[place] for place in places] == list(ours)


@given(LISTS)
def test_uniting_with_oneself_or_nothing(a: list[Any]) -> None:
    labels = Labels.of(a)
    same(labels | labels, labels)
    same(labels | Labels.of([]), labels)
    same(Labels.of([]) | labels, labels)


@given(LISTS, st.randoms(use_true_random=False))
def test_the_order_is_canonical(a: list[Any], random: Any) -> None:
    shuffled = a.copy()
    random.shuffle(shuffled)
    same(Labels.of(a), Labels.of(shuffled))


@given(LISTS)
def test_codes_find_every_label(a: list[Any]) -> None:
    labels, codes = Labels.encode(a)
    assert [labels[code] for code in codes] == a
    assert labels.codes(a).tolist() == codes.tolist()
    assert (labels.codes(["none of them", (), 99]) == -1).all()


@given(NUMBERS, NUMBERS)
def test_typed_arrays_and_lists_agree(a: list[Any], b: list[Any]) -> None:
    arrays = [np.array(values) if values else np.array([], dtype=object) for values in (a, b)]
    objects = []
    for values in (a, b):
        cells = np.empty(len(values), dtype=object)
        cells[:] = values
        objects.append(cells)
    for left in (a, arrays[0], objects[0]):
        for right in (b, arrays[1], objects[1]):
            both = Labels.of(left) | Labels.of(right)
            assert set(both) == set(a) | set(b)
            assert (Labels.of(left).codes(right) >= 0).tolist() == [value in set(a) for value in b]


@pytest.mark.parametrize(
    "dtype", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "?", "f4", "f8", "U2", "S2", ">i4", "M8[D]"]
)
@pytest.mark.parametrize("n", [0, 1, 5, 300])
@pytest.mark.parametrize("encode", [Labels.encode, Memory().encode], ids=["labels", "engine"])
def test_encoding_is_numpys(dtype: str, n: int, encode: Any) -> None:
    values = np.random.default_rng(n).integers(-100 if dtype[0] in "if>" else 0, 100, n)
    values = values.astype(dtype) if dtype[0] != "M" else values.astype(np.int64).astype(dtype)
    labels, codes = encode(values)
    distinct, places = np.unique(values, return_inverse=True)
    np.testing.assert_array_equal(labels.values, distinct)
    np.testing.assert_array_equal(codes, places)
    assert labels.values.dtype == values.dtype
    assert codes.dtype == code_type(len(distinct))


@pytest.mark.parametrize("encode", [Labels.encode, Memory().encode], ids=["labels", "engine"])
@pytest.mark.parametrize(
    "ends",
    [
        (-128, 127, np.int8),
        (0, 255, np.uint8),
        (0, 256, np.int64),
        (-(2**63), 2**63 - 1, np.int64),
        (2**63 - 1, 2**63 + 1, np.uint64),
        (2**64 - 2, 2**64 - 1, np.uint64),
        (2**62, 2**62 + 65_536, np.int64),
        (0, 65_536, np.int32),
        (-3, 65_534, np.int32),
    ],
    ids=str,
)
def test_encoding_the_ends_of_ranges(encode: Any, ends: tuple[int, int, Any]) -> None:
    low, high, dtype = ends
    values = np.array([high, low, low, high], dtype=dtype)
    labels, codes = encode(values)
    assert list(labels) == [low, high]
    assert codes.tolist() == [1, 0, 0, 1]
    assert labels.values.dtype == dtype


@pytest.mark.parametrize("late", [999, -999, 255, 256])
def test_encoding_when_the_first_labels_mislead(late: int) -> None:
    values = np.zeros(10_000, dtype=np.int64)
    values[1] = 3
    values[-1] = late
    labels, codes = Memory().encode(values)
    assert list(labels) == sorted([0, 3, late])
    np.testing.assert_array_equal(labels.values[codes], values)


def test_encoding_in_blocks() -> None:
    for n in (65_535, 65_536, 65_537, 150_000):
        values = np.arange(n) % 700 - 50
        for encode in (Labels.encode, Memory().encode):
            labels, codes = encode(values)
            np.testing.assert_array_equal(labels.values, np.arange(-50, 650))
            np.testing.assert_array_equal(codes, values + 50)


def test_the_least_type_of_codes() -> None:
    assert [code_type(n) for n in (0, 256, 257, 65_536, 65_537)] == [np.uint8, np.uint8, np.uint16, np.uint16, np.int32]
    labels, codes = Labels.encode(np.arange(70_000)[::-1])
    assert codes.dtype == np.int32
    np.testing.assert_array_equal(labels.values[codes], np.arange(70_000)[::-1])


def test_numbers_come_before_words_and_words_before_tuples() -> None:
    assert list(Labels.of(["b", 2, (1, "x"), "a", 1.5, True])) == [True, 1.5, 2, "a", "b", (1, "x")]


def test_equal_numbers_are_one_label() -> None:
    assert len(Labels.of([1, 1.0, True])) == 1
    assert len(Labels.of([1]) | Labels.of(np.array([1.0]))) == 1
    assert Labels.of([1, 2]) == Labels.of(np.array([1.0, 2.0]))


def test_whole_numbers_no_float_can_tell_apart_stay_apart() -> None:
    big, more = np.array([2**63 + 1, 2**63 + 2], dtype=np.uint64), np.array([-1, 2**53 + 1])
    both = Labels.of(big) | Labels.of(more)
    assert list(both) == [-1, 2**53 + 1, 2**63 + 1, 2**63 + 2]
    assert Labels.of(big).places_in(both).tolist() == [2, 3]
    assert Labels.of(np.array([2**53, 2**53 + 1])).codes(np.array([2.0**53])).tolist() == [0]


@pytest.mark.parametrize("values", [["a", "a\0"], [-1, 2**63 + 1], [-1, 2**53 + 1, 2**63], [1, 2**70]], ids=repr)
def test_a_list_of_labels_keeps_every_one(values: list[Any]) -> None:
    """NumPy would cut a NUL at the end, and make floats of whole numbers that share no type."""
    labels, codes = Labels.encode(values)
    assert list(labels) == values
    assert codes.tolist() == list(range(len(values)))


@pytest.mark.parametrize("value", [None, float("nan"), np.float32("nan"), np.float64("nan")], ids=repr)
def test_what_is_not_known_is_no_label(value: Any) -> None:
    assert is_missing(value)
    with pytest.raises(BadLabels, match="a label is missing"):
        Labels.of(["a", value])


@pytest.mark.parametrize("value", [0, "", "nan", False, (), np.nan_to_num(np.nan)], ids=repr)
def test_what_is_known_is_not_missing(value: Any) -> None:
    assert not is_missing(value)
    assert list(Labels.of([value])) == [value]


def test_a_day_that_is_not_known_is_missing() -> None:
    with pytest.raises(BadLabels, match="a label is missing"):
        Labels.of(np.array(["2024-01-01", "NaT"], dtype="M8[D]"))


@pytest.mark.parametrize("value", [[1], {"a": 1}, {1}], ids=repr)
def test_what_cannot_be_compared_is_no_label(value: Any) -> None:
    with pytest.raises(BadLabels, match="a label must be a plain value such as a string or a number"):
        Labels.of([value, "a"])
    assert Labels.of(["a", 1]).codes([value]).tolist() == [-1]


def test_labels_cannot_be_changed() -> None:
    for labels in (Labels.of(["a", "b"]), Labels.encode(np.array([3, 1]))[0], Labels.of([1, "a"])):
        with pytest.raises(ValueError, match="read-only"):
            labels.values[0] = labels.values[1]


def test_labels_do_not_follow_the_array_they_came_from() -> None:
    values = np.array([1, 2, 3])
    labels = Labels.of(values)
    values[:] = 9
    assert list(labels) == [1, 2, 3]


def test_picking() -> None:
    labels = Labels.of(["a", "b", "c"])
    assert list(labels.pick(np.array([True, False, True]))) == ["a", "c"]
    assert list(labels.pick(np.array([2]))) == ["c"]
    assert labels[1] == "b"
    assert type(Labels.of(np.array([1, 2]))[0]) is int


@pytest.mark.parametrize("values", [["a", "b"], [1, "a"], [], [1.5, 2.0], [(1, 2)]], ids=str)
def test_pickle(values: list[Any]) -> None:
    labels = Labels.of(values)
    same(pickle.loads(pickle.dumps(labels)), labels)


def test_equal_labels_hash_alike() -> None:
    assert hash(Labels.of([1, 2])) == hash(Labels.of(np.array([2.0, 1.0])))
    assert Labels.of(["a"]) != Labels.of(["b"])
    assert Labels.of(["a"]) != ["a"]


def test_a_long_list_is_shown_in_part() -> None:
    assert repr(Labels.of(range(20))) == "Labels(0, 1, 2, 3, 4, 5, 6, 7, …)"
    assert repr(Labels.of([])) == "Labels()"


def test_what_pandas_does_not_know_is_no_label() -> None:
    for value in (pd.NA, pd.NaT):
        assert is_missing(value)
        with pytest.raises(BadLabels, match="a label is missing"):
            Labels.of(["a", value])
