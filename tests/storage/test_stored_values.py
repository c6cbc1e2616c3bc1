"""What goes into a file comes out of it: the same values, of the same types."""

from __future__ import annotations

import math
import tempfile
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from candide.errors import NotStorable
from candide.labels import Labels
from candide.storage import describe, load, save


def again(value: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "value.candide"
        save(value, path)
        return load(path)


def alike(one: Any, other: Any) -> None:
    """Equal, of equal types, NaN and the sign of zero included."""
    assert type(one) is type(other)
    if isinstance(one, np.ndarray):
        assert one.dtype == other.dtype
        assert one.shape == other.shape
        if one.dtype == object:
            alike(one.ravel().tolist(), other.ravel().tolist())
        else:
            assert one.tobytes() == other.tobytes()
    elif isinstance(one, (list, tuple)):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            alike(a, b)
    elif isinstance(one, dict):
        alike(list(one.items()), list(other.items()))
    elif isinstance(one, float):
        assert math.isnan(one) == math.isnan(other)
        assert math.isnan(one) or (one == other and math.copysign(1, one) == math.copysign(1, other))
    else:
        assert one == other


TEXT = st.text(st.characters(codec=None) | st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF), max_size=6)
ZONES = st.none() | st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
SIMPLE = (
    st.none() | st.booleans() | st.integers() | st.integers(-(10**60), 10**60) | st.floats() | TEXT | st.fractions()
    | st.datetimes(timezones=ZONES) | st.dates() | st.times(timezones=ZONES) | st.timedeltas()
    | st.decimals(allow_nan=False)
)  # fmt: skip
KEYS = st.integers() | TEXT | st.tuples(TEXT, st.integers(0, 3)) | st.dates()
VALUES = st.recursive(
    SIMPLE, lambda inner: st.lists(inner, max_size=4) | st.lists(inner, max_size=4).map(tuple) |
    st.dictionaries(KEYS, inner, max_size=3), max_leaves=12
)  # fmt: skip


@given(VALUES)
@settings(deadline=None, max_examples=300)
def test_values_come_back_as_they_were(value: Any) -> None:
    alike(again(value), value)


@given(hnp.arrays(hnp.scalar_dtypes() | hnp.unicode_string_dtypes(max_len=5), hnp.array_shapes(min_side=0, max_dims=3)))
@settings(deadline=None, max_examples=300)
def test_arrays_keep_dtype_and_shape(array: np.ndarray) -> None:
    if array.dtype.kind == "c" or array.dtype == np.longdouble != np.float64:
        with pytest.raises(NotStorable, match=f"an array of {array.dtype}"):
            again(array)
        return
    found = again(array)
    assert found.dtype == array.dtype.newbyteorder("=")
    assert found.shape == array.shape
    np.testing.assert_array_equal(found, array)


@given(st.lists(SIMPLE | st.tuples(TEXT, st.integers()), max_size=6))
@settings(deadline=None)
def test_arrays_of_any_values_come_back(values: list[Any]) -> None:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    alike(again(array), array)


@pytest.mark.parametrize(
    "scalar",
    [np.float32(0.1), np.float64("nan"), np.int8(-3), np.uint64(2**64 - 1), np.bool_(True), np.float16(2.5),
     np.datetime64("2024-02-29T12:00", "s"), np.datetime64("NaT"), np.timedelta64(5, "D")],
)  # fmt: skip
def test_numpys_own_numbers_keep_their_type(scalar: Any) -> None:
    found = again((scalar,))[0]
    assert found.dtype == scalar.dtype
    np.testing.assert_array_equal(found, scalar)


@pytest.mark.parametrize("columns", [range(0), range(3, 30, 4), ("a", ("b", 2)), ()])
def test_names_of_columns(columns: Any) -> None:
    alike(again(columns), columns)


def test_strings_of_every_sort() -> None:
    strings = [
        "",
        "\0",
        "a\0b",
        "a\0",
        "œuf",
        "👩‍🌾",
        "\ud83d",
        "\ude00",
        "\ud83d\ude00",
        "😀",
        "e\u0301",
        "\uffff",
        " ",
    ]
    array = np.empty(len(strings), dtype=object)
    array[:] = strings
    assert again(array).tolist() == strings
    assert again(strings) == strings
    assert list(again(Labels.of(strings))) == list(Labels.of(strings))


MIXED = [
    ["ham", "spam"],
    [3, 1, 2],
    [0.5, -1.25],
    [True, False],
    ["yes", 1, 2.5, (1, "a")],
    [("Rome", 3), ("Oslo", 1)],
    [("Rome",), ("Oslo", 1)],
    [("a", ("b", 1)), ("a", ("c", 2))],
    [2**70, 1],
    [date(2024, 1, 1), date(2023, 1, 1)],
    [Fraction(1, 3), Fraction(2, 3)],
    [Decimal("1.10"), Decimal("2")],
    [np.int64(3), np.int64(5)],
    [],
]


@pytest.mark.parametrize("values", MIXED, ids=repr)
def test_labels_of_every_kind(values: list[Any]) -> None:
    labels = Labels.of(values)
    found = again(labels)
    assert found == labels
    assert found.values.dtype == labels.values.dtype
    assert [type(value) for value in found] == [type(value) for value in labels]
    assert found.codes(values).tolist() == labels.codes(values).tolist()


def test_a_million_names_are_saved_and_loaded_at_once(tmp_path: Path) -> None:
    """In about 0.3 s each way; the bound is for busy machines."""
    labels = Labels.of([f"user{i:07d}@example.org"[: 15 + i % 6] for i in range(1_000_000)])
    start = perf_counter()
    save(labels, tmp_path / "names.candide")
    saved = perf_counter()
    found = load(tmp_path / "names.candide")
    loaded = perf_counter()
    assert found == labels
    assert saved - start < 5
    assert loaded - saved < 5
    assert (tmp_path / "names.candide").stat().st_size < 30e6


def test_equal_arrays_are_stored_once(tmp_path: Path) -> None:
    save((np.arange(5), np.arange(5), np.arange(5.0)), tmp_path / "x.candide")
    assert describe(tmp_path / "x.candide")["tensors"] == {"0": ("I64", (5,)), "2": ("F64", (5,))}


def test_loaded_arrays_cannot_be_written_to(tmp_path: Path) -> None:
    one, two = again((np.arange(5), np.array(["a", "b"])))
    assert not one.flags.writeable
    assert not two.flags.writeable


def nested(depth: int) -> list[Any]:
    return [nested(depth - 1)] if depth else []


CYCLE: list[Any] = []
CYCLE.append(CYCLE)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (object(), r"the model: a builtins\.object has no place"),
        ({"a": (1, {2, 3})}, r"0\.1: a builtins\.set has no place"),
        (print, "builtin_function_or_method has no place"),
        (int, "builtins.type has no place"),
        (1j, "complex has no place"),
        ([np.zeros(2, dtype="V3")], "0: an array of"),
        ([np.array([b"x"])], "0: an array of"),
        (nested(80), "nested more than 64 deep"),
        (CYCLE, "nested more than 64 deep"),
        (Labels(np.array(["b", "a"])), "rising order"),
    ],
)
def test_what_has_no_place_is_refused_before_anything_is_written(tmp_path: Path, value: Any, words: str) -> None:
    with pytest.raises(NotStorable, match=words):
        save(value, tmp_path / "x.candide")
    assert list(tmp_path.iterdir()) == []


def test_about_is_read_without_the_arrays(tmp_path: Path) -> None:
    about = {"rows": 150, "when": datetime(2024, 5, 1, 12, 30), "source": "iris.csv", "share": Fraction(1, 3)}
    save(Labels.of(["a"]), tmp_path / "x.candide", about)
    assert describe(tmp_path / "x.candide")["about"] == about


@pytest.mark.parametrize(("about", "words"), [({"x": np.arange(3)}, "no arrays"), ({1: "x"}, "keys of about")])
def test_about_is_plain(tmp_path: Path, about: Any, words: str) -> None:
    with pytest.raises(NotStorable, match=words):
        save(Labels.of(["a"]), tmp_path / "x.candide", about)


def test_times_without_a_fixed_offset_are_refused(tmp_path: Path) -> None:
    zoneinfo = pytest.importorskip("zoneinfo")
    try:
        zone = zoneinfo.ZoneInfo("Europe/Rome")
    except zoneinfo.ZoneInfoNotFoundError:
        pytest.skip("no time zones are installed here")
    with pytest.raises(NotStorable, match="time zone"):
        save(time(12, tzinfo=zone), tmp_path / "x.candide")
