"""Whatever is wrong with a file, the answer is a `BadModel` that says what, or the model as it was; never another."""

from __future__ import annotations

import json
import os
import struct
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy
from forge import forged, parts, retold, signed, write
from hypothesis import given, settings
from hypothesis import strategies as st
from models import mixed

from candide.errors import BadModel
from candide.labels import Labels
from candide.storage import describe, load, save


def saved(value: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        save(value, Path(folder) / "x.candide")
        return (Path(folder) / "x.candide").read_bytes()


GOOD = saved(mixed())
SMALL = saved((Labels.of(["a", "b"]), np.arange(4)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.candide"


def refused(path: Path, data: bytes, words: str = ".") -> None:
    with pytest.raises(BadModel, match=words) as caught:
        load(write(path, data))
    assert str(caught.value).startswith(str(path))


# ---------------------------------------------------------------- accidents


def test_every_altered_byte_is_noticed(path: Path) -> None:
    for place in range(len(GOOD)):
        refused(path, GOOD[:place] + bytes([GOOD[place] ^ (1 << place % 8)]) + GOOD[place + 1 :])


def test_every_truncation_is_noticed(path: Path) -> None:
    for length in range(0, len(GOOD), 3):
        refused(path, GOOD[:length])


@settings(deadline=None, max_examples=200)
@given(st.integers(0, len(GOOD)), st.binary(min_size=1, max_size=9))
def test_every_insertion_is_noticed(place: int, more: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        refused(Path(folder) / "x.candide", GOOD[:place] + more + GOOD[place:])


@settings(deadline=None, max_examples=200)
@given(st.binary(max_size=200))
def test_bytes_that_were_never_a_model(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        refused(Path(folder) / "x.candide", data)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", r"the file is empty\. Give a file that"),
        (b"age,city\n31,Rome\n", "not a model file"),
        (b"PK\x03\x04" + bytes(60), "not a model file"),
        (bytes(100), "not a model file"),
        (b"\xff" * 100, "not a model file"),
        (safetensors.numpy.save({"weight": np.zeros(3)}), "header does not begin as candide's does"),
        (GOOD[:900], r"the header should have [\d,]+ bytes and ends after 892.*cut short"),
        (GOOD[:-1], r"the tensors should have .* bytes, the file has .*cut short or altered"),
        (GOOD + b"\0", r"the tensors should have .* bytes, the file has"),
        (GOOD[:-1] + b"\1", "the checksum is wrong"),
    ],
    ids=["empty", "csv", "zip", "zeros", "ones", "safetensors", "header", "short", "long", "last byte"],
)
def test_what_is_wrong_is_said(path: Path, data: bytes, words: str) -> None:
    refused(path, data, words)


def test_a_newer_format_names_both_versions(path: Path) -> None:
    newer = forged(GOOD, lambda header: header["__metadata__"].update({"candide.format": "7"}))
    refused(path, newer, r"format 7.* reads formats up to 1\. Install a newer candide")
    with pytest.raises(BadModel, match="format 7"):
        describe(path)


def test_no_file_at_all(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "nothing.candide")


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no endless device here")
def test_an_endless_device_is_not_read() -> None:
    with pytest.raises(BadModel, match="device or a pipe"):
        load("/dev/zero")


# ---------------------------------------------------------------- containers that contradict themselves


def entry(name: str, **changes: Any) -> Callable[[dict[str, Any]], None]:
    return lambda header: header[name].update(changes)


def test_the_forge_leaves_a_good_file_good(path: Path) -> None:
    assert repr(load(write(path, forged(GOOD, lambda header: None)))) == repr(mixed())
    assert repr(load(write(path, retold(GOOD, lambda tree: tree)))) == repr(mixed())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (entry("1", dtype="F64"), None),  # of the same width: another type is for the tree to refuse
        (entry("1", dtype="F32"), "'1' of F32 .4. needs 16 bytes"),
        (entry("1", dtype="C64"), "unknown dtype 'C64'"),
        (entry("1", dtype=["F64"]), "unknown dtype"),
        (entry("1", shape=[5]), r"'1' of I64 \[5\] needs 40 bytes"),
        (entry("1", shape=[1 << 60]), "needs 9223372036854775808 bytes"),
        (entry("1", shape=[1 << 80]), "impossible shape"),
        (entry("1", shape=[-4]), "impossible shape"),
        (entry("1", shape=[4.0]), "impossible shape"),
        (entry("1", shape=4), "impossible shape"),
        (entry("1", shape=[True] * 40), "impossible shape"),
        (entry("1", data_offsets=[0, 32]), "overlap or gap"),
        (entry("1", data_offsets=[32, 64]), "overlap or gap"),
        (entry("1", data_offsets=[56, 24]), "impossible|needs"),
        (entry("1", data_offsets=[24]), "impossible"),
        (entry("1", extra=1), "should have a dtype, a shape and data_offsets"),
        (lambda header: header.update({"1": 5}), "should have a dtype"),
        (lambda header: header.update(more={"dtype": "U8", "shape": [1 << 40], "data_offsets": [58, 58 + (1 << 40)]}),
         "the tensors should have"),
        (lambda header: header.pop("1"), "overlap or gap|should have"),
        (lambda header: header.update({"no": {"dtype": "U8", "shape": [0, 1 << 61], "data_offsets": [58, 58]}}),
         "impossible shape"),
        (lambda header: header["__metadata__"].pop("candide.model"), "no 'candide.model'"),
        (lambda header: header["__metadata__"].update({"more": 5}), "metadata should be strings"),
        (lambda header: header["__metadata__"].update({"candide.model": "[" * 100_000}), "nested too deeply|JSON"),
        (lambda header: header["__metadata__"].update({"candide.model": "[" * 500 + "]" * 500}), "nested more than 64"),
        (lambda header: header["__metadata__"].update({"candide.model": "9" * 5000}), "not readable as JSON"),
        (lambda header: header["__metadata__"].update({"candide.model": "NaN"}), "NaN, which is no JSON"),
        (lambda header: header["__metadata__"].update({"candide.model": '{"a":1,"a":2}'}), "the key 'a' twice"),
        (lambda header: header["__metadata__"].update({"candide.model": "[1,"}), "not readable as JSON"),
    ],
)  # fmt: skip
def test_headers_that_contradict_themselves(path: Path, change: Any, words: str | None) -> None:
    data = forged(SMALL, change)
    if words is None:
        assert load(write(path, data))[1].dtype == np.float64
    else:
        refused(path, data, words)


def test_a_tensor_named_twice(path: Path) -> None:
    header, arrays = parts(SMALL)
    text = json.dumps(header, separators=(",", ":"))
    again = json.dumps({"1": header["1"]})[1:-1]
    refused(path, signed(f"{text[:-1]},{again}}}".encode(), arrays), "the key '1' twice")


@pytest.mark.parametrize("length", [0, 1, 1 << 20, 1 << 32, (1 << 64) - 1])
def test_a_claimed_length_of_the_header_is_not_believed(path: Path, length: int) -> None:
    refused(path, struct.pack("<Q", length) + GOOD[8:])


def test_booleans_are_0_or_1(path: Path) -> None:
    refused(path, forged(SMALL, entry("0.values.bytes", dtype="BOOL")), "BOOL and has bytes other than 0 and 1")


# ---------------------------------------------------------------- trees that contradict themselves

TALLY = ("Model", "tally", "Tally")


def dig(tree: Any, *keys: Any) -> Any:
    for key in keys:
        tree = tree[key]
    return tree


def put(*keys: Any, to: Any) -> Callable[[Any], Any]:
    """The tree with something else at one place."""

    def change(tree: Any) -> Any:
        dig(tree, *keys[:-1])[keys[-1]] = to
        return tree

    return change


COUNTS = (*TALLY, "statistics", "dict", 0, 1, "Counts")
MOMENTS = (*TALLY, "statistics", "dict", 1, 1, "Moments")
SEEN = (*TALLY, "seen", "ClassWeights")
LABELS = {"Labels": {"values": {"objects": {"shape": [2], "items": {"list": ["a", "b"]}}}}}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (put(*SEEN, "weights", to={"array": "none"}), r"tally\.seen\.weights: the file has no tensor 'none'"),
        (put(*SEEN, "weights", to={"array": 5}), "the file has no tensor 5"),
        (put(*SEEN, "weights", to={"array": "tally.statistics.0.tables.1"}), r"shape \[3\], not \[3, 3\]"),
        (put(*SEEN, "weights", to={"array": "tally.seen.classes.values.offsets"}), "weights should be an array of F64"),
        (put(*SEEN, "weights", to=[1.0, 2.0, 3.0]), "weights should be an array of F64"),
        (put(*SEEN, "classes", to={"tuple": ["a"]}), "ClassWeights.classes should be Labels, not tuple"),
        (put(*SEEN, "classes", to=LABELS), "should have the shape"),
        (put(*COUNTS, "levels", "tuple", 0, to=LABELS), r"tables\.0 should have the shape \[2, 3\]"),
        (put(*COUNTS, "levels", to={"tuple": []}), "a table a column"),
        (put(*COUNTS, "more", to=1), "Counts has no field 'more'"),
        (put(*COUNTS, "request", to={"SumTotals": {"columns": {"tuple": ["city", "job"]}, "above": None}}),
         "Counts.request should be CountLevels, not SumTotals"),
        (put(*COUNTS, "request", "CountLevels", "columns", "tuple", to=["job", "city"]), "a statistic answers"),
        (put(*COUNTS, "request", "CountLevels", "columns", "tuple", to=["job", "job"]), "a column is named twice"),
        (put(*COUNTS, "request", "CountLevels", "columns", "tuple", to=[["job"], "b"]), "unhashable"),
        (put(*COUNTS, to={}), "Counts lacks its field 'request'"),
        (put(*COUNTS, to=3), "the fields of Counts should be an object"),
        (put(*MOMENTS, "n", to={"array": "tally.statistics.1.pivot"}), None),
        (put(*MOMENTS, "second", to={"tuple": []}), "Moments.second should be Double"),
        (put("Model", "engine", to={"Model": {}}), "Model has no field 'engine'"),
        (put("Model", "prior", to=5), "should be a prior over shares"),
        (put("Model", "events", "dict", 0, 1, to=None), "NoneType is no event model"),
        (put("Model", "events", "dict", 0, 1, to={"Multinomial": {}}), "is needed and was not counted"),
        (put("Model", "events", "dict", 0, 1, "Categorical", "prior", "Dirichlet", "a", to=-1), "at least 0, not -1"),
        (put("Model", "events", "dict", 0, 1, "Categorical", "prior", to={"WeakNormal": {"rows": 1}}), "prior over"),
        (put("Model", "events", "dict", 0, to=[1]), "a list should stand here, of 2"),
        (put("Model", "events", "dict", 0, 0, to=[1]), "unhashable"),
        (put(*TALLY, "statistics", to=[]), "should be Mapping"),
        (lambda tree: {"os.system": {"command": "true"}}, "'os.system' is no kind of value"),
        (lambda tree: {"Popen": {"args": "true"}}, "'Popen' is no kind of value"),
        (lambda tree: {"Model": {}, "Tally": {}}, "an object has one key"),
        (lambda tree: {}, "an object has one key"),
        (lambda tree: {"int": "0xzz"}, "int '0xzz'"),
        (lambda tree: {"int": 5}, "int 5"),
        (lambda tree: {"fraction": ["0x1", "0x0"]}, "fraction"),
        (lambda tree: {"float": "1.5"}, "written as a number"),
        (lambda tree: {"datetime": "yesterday"}, "datetime 'yesterday'"),
        (lambda tree: {"scalar": ["object", "1"]}, "'object' is no type of a number"),
        (lambda tree: {"range": [0, 5, 0]}, "range"),
        (lambda tree: {"times": ["tally.seen.weights", "M8[s]"]}, "a tensor of I64 and a unit"),
        (lambda tree: {"times": ["tally.seen.classes.values.offsets", "O"]}, "a tensor of I64 and a unit"),
        (lambda tree: {"dict": [["a", 1], ["a", 2]]}, "the key 'a' occurs twice"),
        (lambda tree: {"objects": {"shape": [3], "items": {"list": [1, 2]}}}, r"do not have the shape \[3\]"),
        (lambda tree: {"objects": {"shape": [-2, -1], "items": {"list": [1, 2]}}}, "do not have the shape"),
        (lambda tree: {"objects": {"shape": [2], "items": {"zip": [{"list": [1]}, {"list": [1, 2]}]}}}, "tuples"),
        (lambda tree: {"objects": {"shape": [2], "items": {"maps": []}}}, "no kind of items"),
        (lambda tree: {"strings": {"width": 1, "shape": [1], "items": {"list": ["abc"]}}}, "at most 1 characters"),
        (lambda tree: {"strings": {"width": 9, "shape": [1], "items": {"list": [5]}}}, "strings of at most 9"),
        (lambda tree: {"Labels": {"values": {"objects": {"shape": [2], "items": {"list": ["a", "a"]}}}}}, "twice"),
        (lambda tree: {"Labels": {"values": {"objects": {"shape": [1], "items": {"list": [None]}}}}}, "missing"),
        (lambda tree: {"Labels": {"values": {"strings": {"width": 1, "shape": [2], "items": {"list": ["b", "a"]}}}}},
         "rising order"),
    ],
)  # fmt: skip
def test_trees_that_contradict_themselves(path: Path, change: Any, words: str | None) -> None:
    data = retold(GOOD, change)
    if words is None:
        assert load(write(path, data)) is not None
    else:
        refused(path, data, words)


def with_numbers(name: str, *numbers: float) -> bytes:
    """The good file with other numbers in one of its tensors."""
    header, arrays = parts(GOOD)
    begin = header[name]["data_offsets"][0]
    new = np.array(numbers).tobytes()
    length = int.from_bytes(GOOD[:8], "little")
    return signed(GOOD[8 : 8 + length], arrays[:begin] + new + arrays[begin + len(new) :])


@pytest.mark.parametrize(
    ("name", "number", "words"),
    [
        ("tally.statistics.0.tables.1", np.nan, r"tally\.statistics\.0: Counts: tables\.1 holds a NaN"),
        ("tally.statistics.0.tables.1", -1.0, r"tally\.statistics\.0: Counts: tables\.1 holds a number below 0"),
        ("tally.statistics.0.tables.1", np.inf, "an infinity"),
        ("tally.seen.weights", -0.5, r"tally\.seen: ClassWeights: weights holds a number below 0"),
        ("tally.seen.weights", np.nan, "weights holds a NaN"),
        ("tally.statistics.1.n", -1.0, "n holds a number below 0"),
        ("tally.statistics.1.first.low", np.nan, "low holds a NaN"),
        ("tally.statistics.2.sums", -3.0, "sums holds a number below 0"),
    ],
)
def test_counts_are_counts(path: Path, name: str, number: float, words: str) -> None:
    refused(path, with_numbers(name, number), words)


TEXT = saved(np.array(["aé", "b"]))


@pytest.mark.parametrize(
    ("offsets", "words"),
    [((0, 2, 4), "middle of a character"), ((1, 3, 4), "rise from 0"), ((0, 9, 4), "rise from 0"),
     ((0, 3, 5), "rise from 0"), ((0, -1, 4), "rise from 0")],
)  # fmt: skip
def test_offsets_of_texts(path: Path, offsets: tuple[int, ...], words: str) -> None:
    header, arrays = parts(TEXT)
    text = json.dumps(header, separators=(",", ":")).encode()
    refused(path, signed(text + b" " * (-len(text) % 8), struct.pack("<3q", *offsets) + arrays[24:]), words)


def test_bytes_that_are_no_text(path: Path) -> None:
    header, arrays = parts(TEXT)
    text = json.dumps(header, separators=(",", ":")).encode()
    refused(path, signed(text + b" " * (-len(text) % 8), arrays[:24] + b"a\xff\xffb"), "no UTF-8 at byte 1")


# ---------------------------------------------------------------- files that ask for more than they hold


def test_a_small_file_cannot_fill_the_memory(path: Path) -> None:
    """Many tuples of one column, and one long string that pads a million empty ones."""
    names = saved(np.array([True] * 100_000, dtype=object))
    columns = {"zip": [{"plain": "value"}] * 10_000}
    refused(path, retold(names, lambda tree: {"objects": {"shape": [100_000], "items": columns}}), "more memory than")
    strings = ["x" * 100_000] + [""] * 100_000
    array = np.empty(len(strings), dtype=object)
    array[:] = strings

    def padded(tree: Any) -> Any:
        return {"strings": {"width": 100_000, **tree["objects"]}}

    found = load(write(path, retold(saved(array), padded)))
    assert found.dtype == object
    assert found.tolist() == strings


# ---------------------------------------------------------------- anything else

NODES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["a", "city", "job", "error", "auto", "tally.seen.weights", "tally.statistics.0.tables.0"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["tuple", "dict", "array", "times", "strings", "objects", "list", "plain", "zip", "text",
                         "Labels", "Dirichlet", "Given", "MEstimate", "Counts", "range", "scalar", "int", "values",
                         "a", "columns", "shape", "items", "width"]),
        inner, max_size=2,
    ),
    max_leaves=6,
)  # fmt: skip


def places(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every node but the root."""
    children = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [found for key, child in children for found in [(*path, key), *places(child, (*path, key))]]


TREE = json.loads(parts(GOOD)[0]["__metadata__"]["candide.model"])


@settings(deadline=None, max_examples=600)
@given(st.sampled_from(places(TREE)), NODES)
def test_any_other_tree_is_refused_or_is_a_model(place: tuple[Any, ...], node: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = write(Path(folder) / "x.candide", retold(GOOD, put(*place, to=node)))
        with suppress(BadModel):
            save(load(file), file)


HEADER = len(json.dumps(parts(GOOD)[0]))


@settings(deadline=None, max_examples=400)
@given(st.integers(160, HEADER - 1), st.integers(0, 8), st.binary(max_size=8))
def test_any_other_header_is_refused_or_is_a_model(place: int, lost: int, more: bytes) -> None:
    length = int.from_bytes(GOOD[:8], "little")
    text, arrays = GOOD[8 : 8 + length], GOOD[8 + length :]
    with tempfile.TemporaryDirectory() as folder:
        file = write(Path(folder) / "x.candide", signed(text[:place] + more + text[place + lost :], arrays))
        with suppress(BadModel):
            save(load(file), file)
