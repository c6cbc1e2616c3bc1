"""Compiled kernels for texts against scikit-learn and NumPy: the same words, the same counts, the same scores."""

from __future__ import annotations

import random
import re
import sys
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_matrix
from sklearn.feature_extraction.text import CountVectorizer

from candide.counts.occurrences import LOGS
from candide.data.arrow import as_texts
from candide.engines.memory.neighbours import Neighbours
from candide.engines.memory.texts import written
from candide.engines.memory.words import Interner, Reading, prepared
from candide.kernels import plain_text
from candide.kernels.compiled import text as kernels

POOLS = [
    "abcXYZ019_ .,-'\n",
    "ab cd éÀßÿ×÷ Ööñ",
    "abc İΣσς\u212aK ȺȾ ẞ",
    "ΟΔΟΣ ΣΑΣ' ά Ώ.Σ",
    "абвГДЕ ЁёЀѐ .Ѵѵ҂ Ԁԁ",
    "אבג ד,أبت ث، ١٢ ً",
    "日本語テキスト 。a　ｂＢ",
    "😀𝒳𐐀𐐨 é١٢३½²_ x\u0307\u00ad\u200d",
    "ab \t\n\x0b\u2003\x85\xa0\x1c\0\x00c",
    "".join(map(chr, range(0x250))),
]
LENGTHS = [0, 1, 2, 3, 5, 30, 62, 63, 64, 65, 66, 127, 128, 129, 200, 700]


def texts(column: Any) -> tuple[Any, Any]:
    """Bytes and offsets of a column, as the engine takes them."""
    found = written(as_texts("text", column))
    return found.letters, found.starts


def documents(n: int, seed: int = 0) -> list[str]:
    """Texts in many scripts that begin, end and change around the edges of 64 bytes."""
    draw = random.Random(seed)
    found = ["", "y" * 100_000, "й" * 50_000, "İ" * 100]
    while len(found) < n:
        text = "".join(draw.choices(draw.choice(POOLS), k=draw.choice(LENGTHS)))
        if draw.random() < 0.2:
            text += "".join(map(chr, draw.choices(range(0x20, 0x3000), k=20)))
        if draw.random() < 0.3:
            text = "x" * draw.randrange(140) + text
        found.append(text)
    return found


def spelled(interner: Interner) -> list[str]:
    letters, starts = bytes(interner.letters), interner.starts.tolist()
    return [letters[a:b].decode() for a, b in pairwise(starts)]


def read(interner: Interner, docs: list[str], rows: Any = None) -> tuple[Any, Any]:
    """All ids, and where those of each document end."""
    data, offsets = prepared(*texts(pa.array(docs, pa.string())), interner.reading)
    data.flags.writeable = offsets.flags.writeable = False
    ids, ends, last = [np.empty(0, np.int32)], [np.zeros(1, np.int64)], 0
    for lo, hi, some, stops in interner.blocks(data, offsets, rows):
        assert (lo, hi - lo) == (last, len(stops) - 1)
        last = hi
        ends.append(stops[1:] + sum(map(len, ids)))
        ids.append(some.copy())
    assert last == (len(docs) if rows is None else len(rows))
    return np.concatenate(ids), np.concatenate(ends)


def matrix(ids: Any, ends: Any, columns: list[Any], places: dict[Any, int]) -> Any:
    """Counts as scikit-learn has them."""
    assert set(columns) == set(places)
    assert len(columns) == len(places)
    rows = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
    at = np.array([places[c] for c in columns], dtype=np.int64)[ids]
    return coo_matrix((np.ones(len(ids), np.int64), (rows, at)), shape=(len(ends) - 1, len(places))).tocsr()


WORDS = [
    (20_000, Reading(), {}),
    (5_000, Reading(lower=False), {"lowercase": False}),
    (5_000, Reading(short=True), {"token_pattern": r"(?u)\b\w+\b"}),
    (5_000, Reading(lower=False, short=True), {"lowercase": False, "token_pattern": r"(?u)\b\w+\b"}),
]
LETTERS = [
    (1_500, Reading("letters", low=1, high=3), {"analyzer": "char", "ngram_range": (1, 3)}),
    (
        800,
        Reading("letters", lower=False, low=4, high=4),
        {"analyzer": "char", "ngram_range": (4, 4), "lowercase": False},
    ),
    (1_500, Reading("letters in words", low=1, high=3), {"analyzer": "char_wb", "ngram_range": (1, 3)}),
    (800, Reading("letters in words", low=3, high=5), {"analyzer": "char_wb", "ngram_range": (3, 5)}),
]


@pytest.mark.parametrize(("n", "reading", "options"), WORDS + LETTERS, ids=lambda x: str(x)[:40])
def test_the_words_are_those_of_count_vectorizer(n: int, reading: Reading, options: Any) -> None:
    docs = documents(n)
    peer = CountVectorizer(**options)
    counts = peer.fit_transform(docs)
    interner = Interner(reading, words=1, letters=1)
    ids, ends = read(interner, docs)
    assert (matrix(ids, ends, spelled(interner), peer.vocabulary_) != counts).nnz == 0
    first = np.unique(ids, return_index=True)[1]
    assert (np.diff(first) > 0).all(), "numbers are given in order of first sight"


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(), max_size=8))
def test_words_of_any_texts(docs: list[str]) -> None:
    interner = Interner(Reading(short=True))
    ids, ends = read(interner, docs)
    words = spelled(interner)
    for d, text in enumerate(docs):
        assert [words[i] for i in ids[ends[d] : ends[d + 1]]] == re.findall(r"\w+", text.lower())


def test_every_character_is_lowered_and_told_from_others_as_by_python() -> None:
    every = [chr(c) for c in range(sys.maxunicode + 1) if not 0xD800 <= c < 0xE000]
    docs = [" a".join(every[i : i + 5000]) for i in range(0, len(every), 5000)]
    for lower in (True, False):
        interner = Interner(Reading(lower=lower, short=True))
        ids, ends = read(interner, docs)
        words = spelled(interner)
        for d, text in enumerate(docs):
            wanted = re.findall(r"\w+", text.lower() if lower else text)
            assert [words[i] for i in ids[ends[d] : ends[d + 1]].tolist()] == wanted


def test_known_words_keep_their_places_and_others_are_unknown() -> None:
    docs = documents(500, 1)
    free = Interner()
    ids, ends = read(free, docs)
    half = len(free) // 2
    known = Interner.of(free.starts[: half + 1], free.letters[: free.starts[half]])
    some, stops = read(known, docs)
    np.testing.assert_array_equal(some, np.where(ids < half, ids, -1))
    np.testing.assert_array_equal(stops, ends)
    assert len(known) == half


def test_documents_in_any_order_and_merged_vocabularies() -> None:
    docs = documents(1000, 2)
    rows = np.random.default_rng(0).permutation(len(docs))[:700]
    one, two, whole = Interner(words=1), Interner(words=1), Interner()
    ids, _ = read(whole, docs, rows)
    first, _ = read(one, docs, rows[:400])
    second, _ = read(two, docs, rows[400:])
    places = one.merge(two)
    assert spelled(one) == spelled(whole)
    np.testing.assert_array_equal(np.concatenate([first, places[second]]), ids)


def test_a_word_that_is_longer_than_all_others() -> None:
    docs = ["ab", "long" * 100_000, "long" * 100_000 + "er", "ab"]
    ids, ends = read(Interner(), docs)
    assert (ids.tolist(), ends.tolist()) == ([0, 1, 2, 0], [0, 1, 2, 3, 4])


def test_pairs_are_those_of_count_vectorizer() -> None:
    docs = documents(3000, 3)
    peer = CountVectorizer(ngram_range=(2, 2))
    counts = peer.fit_transform(docs)
    interner, pairs = Interner(), Neighbours(room=1)
    ids, ends = read(interner, docs)
    twos, stops = pairs.of(ids, ends)
    words = spelled(interner)
    names = [f"{words[a]} {words[b]}" for a, b in pairs.pairs.tolist()]
    assert (matrix(twos, stops, names, peer.vocabulary_) != counts).nnz == 0
    known = Neighbours.known(pairs.pairs[: len(pairs) // 2])
    np.testing.assert_array_equal(known.of(ids, ends)[0], np.where(twos < len(known), twos, -1))
    some, _ = known.of(np.array([0, -1, 1, 0], np.int32), np.array([0, 4]))
    assert some[:2].tolist() == [-1, -1], "a pair with an unknown word is unknown"


def test_pairs_of_another_under_new_numbers() -> None:
    pairs = Neighbours.known(np.array([[0, 1], [5, 2]]))
    pairs.grow = True
    assert pairs.merge(np.array([[5, 2], [7, 7], [0, 1]])).tolist() == [1, 2, 0]
    assert pairs.pairs.tolist() == [[0, 1], [5, 2], [7, 7]]


def test_forms_replace_words_and_stop_words_are_dropped() -> None:
    ids, ends = np.array([0, 1, 2, -1, 3, 1, 1, 2], np.int32), np.array([0, 3, 3, 6, 7, 8])
    kept = kernels.mapped(ids, ends, np.array([4, -1, 0, 0], np.int32))
    assert (ids[:kept].tolist(), ends.tolist()) == ([4, 0, -1, 0, 0], [0, 2, 2, 4, 4, 5])


def stream(seed: int, n: int = 300, v: int = 50) -> tuple[Any, Any, Any]:
    """Documents of words, some unknown, and a matrix of their counts."""
    rng = np.random.default_rng(seed)
    sizes = rng.choice([0, 1, 2, 20, 300], n)
    ends = np.concatenate([[0], np.cumsum(sizes)])
    ids = np.minimum(rng.geometric(0.1, ends[-1]) - 2, v - 1).astype(np.int32)
    X = np.zeros((n, v))
    rows = np.repeat(np.arange(n), sizes)
    np.add.at(X, (rows[ids >= 0], ids[ids >= 0]), 1.0)
    return sealed(ids), sealed(ends), X


def sealed(array: Any) -> Any:
    array.flags.writeable = False
    return array


@pytest.mark.parametrize("weighted", [False, True])
def test_counts_documents_and_shares(weighted: bool) -> None:
    ids, ends, X = stream(0)
    n, v = X.shape
    w = sealed(np.random.default_rng(1).integers(0, 4, n).astype(float)) if weighted else None
    each = np.ones(n) if w is None else w
    times, touched = np.zeros(v, np.int32), np.empty(v, np.int32)
    counts, held, shares = np.zeros((3, v))
    listed = kernels.count_ids(ids, ends, 0, 150, w, times, counts, held, shares, touched, 0, LOGS)
    listed = kernels.count_ids(ids, ends, 150, n - 20, w, times, counts, held, shares, touched, listed, LOGS)
    part, each = X[: n - 20], each[: n - 20]
    logs = LOGS[part.astype(int)].astype(float)
    norms = np.sqrt((logs**2).sum(axis=1, keepdims=True))
    np.testing.assert_array_equal(counts, each @ part)
    np.testing.assert_array_equal(held, each @ (part > 0))
    np.testing.assert_array_equal(shares, each @ np.rint(kernels.SHARE * logs / np.where(norms, norms, 1.0)))
    assert sorted(touched[:listed].tolist()) == np.flatnonzero(counts).tolist()
    assert not times.any()
    alone = np.zeros(v)
    assert kernels.count_ids(ids, ends, 0, n - 20, w, times, alone, None, None, touched, 0, LOGS) == listed
    np.testing.assert_array_equal(alone, counts)


@pytest.mark.parametrize("k", [1, 2, 3, 8, 20, 70])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kind", [kernels.COUNT, kernels.ONCE, kernels.LOG])
@pytest.mark.parametrize("unit_length", [False, True])
def test_scores_of_documents(k: int, dtype: Any, kind: int, unit_length: bool) -> None:
    ids, ends, X = stream(2, 60)
    rng = np.random.default_rng(3)
    weights = sealed(rng.normal(size=(X.shape[1], k)).astype(dtype))
    x = [X, (X > 0).astype(float), np.log1p(X)][kind]
    strange = np.diff(ends) - X.sum(axis=1)
    lengths, one = x.sum(axis=1), np.log(2.0) if kind == kernels.LOG else 1.0
    lengths += strange * one
    if unit_length:
        norms = np.sqrt((x**2).sum(axis=1) + strange * one**2)
        norms[norms == 0] = 1.0
        x, lengths = x / norms[:, None], lengths / norms
    times, before, found = np.zeros(X.shape[1], np.int32), rng.normal(size=(len(X), k)), np.full(len(X), np.nan)
    out = before.copy()
    kernels.weigh(ids, ends, weights, kind, unit_length, times, out, found)
    np.testing.assert_allclose(out, before + x @ weights.astype(float), rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(found, lengths, rtol=1e-11)
    assert not times.any()


def test_documents_lowered_by_context_are_found_wherever_they_are() -> None:
    docs = [f"{'a' * n}{c}{'b' * m}" for n in range(60, 70) for m in (0, 1, 70) for c in ("Σ", "İ", "σ", "ı", "")]
    data, offsets = texts(pa.array(docs))
    for first, last in [(0, len(docs)), (1, 2), (7, len(docs) - 1)]:
        found = np.zeros(last - first, np.bool_)
        some = kernels.special(data, offsets[first : last + 1], found)
        assert found.tolist() == ["Σ" in d or "İ" in d for d in docs[first:last]]
        assert some == found.any()


def test_texts_have_the_same_hash_in_both_twins() -> None:
    docs = [*documents(300, 5), *("a" * n for n in range(20)), "\0", "\0\0", "a\0"]
    data, offsets = texts(pa.array(docs))
    ours, theirs = np.empty(len(docs), np.uint64), np.empty(len(docs), np.uint64)
    plain_text.hash_texts(data, offsets, ours)
    kernels.hash_texts(data, offsets, theirs)
    np.testing.assert_array_equal(ours, theirs)
    assert len(set(ours.tolist())) == len(set(docs))


def test_bytes_that_are_no_text_do_no_harm() -> None:
    data = np.frombuffer(b"ab \xf0\x9f\xc3\xff\xfe ok" * 50 + b"\xe2\x82", np.uint8)
    for reading in (Reading(), Reading("letters", low=1, high=2)):
        for end in range(len(data) - 90, len(data) + 1):
            assert list(Interner(reading).blocks(data[:end], np.array([0, end])))


@pytest.mark.parametrize("size", [1, 63, 64, 65, 5_000])
@pytest.mark.parametrize("width", [1, 3])
def test_sums_of_parts_are_laid_in_the_order_of_their_things(size: int, width: int) -> None:
    draw = np.random.default_rng(size + width)
    expected, bits, marked, parts = np.zeros((size, width)), np.zeros((size + 63) // 64, np.uint64), 0, []
    for _ in range(3):
        places = draw.permutation(size)
        ids = draw.permutation(size)[: size // 2 + 1].astype(np.int32)
        sums = draw.integers(1, 9, (width, len(ids))).astype(float)
        expected[places[ids]] += sums.T
        marked += kernels.mark(ids, places, bits)
        parts.append((ids, places, sums))
    some = np.flatnonzero(expected[:, 0])
    found, ranks, out = np.full(marked, -1), np.empty(len(bits), np.int32), np.zeros((marked, 3))
    kernels.list_marked(bits, ranks, found)
    np.testing.assert_array_equal(found, some)
    for ids, places, sums in parts:
        kernels.lay(ids, places, sums, bits, ranks, out)
    np.testing.assert_array_equal(out[:, :width], expected[some])
    assert not out[:, width:].any()


def test_sums_that_are_moved_out_leave_zeros() -> None:
    sums = np.arange(24.0).reshape(3, 8)
    touched = np.array([5, 0, 7], np.int32)
    ids, moved = kernels.moved_out(touched, sums)
    assert ids.tolist() == [5, 0, 7]
    np.testing.assert_array_equal(moved, np.arange(24.0).reshape(3, 8)[:, touched])
    assert not sums[:, touched].any()
    assert sums.sum() == 276 - moved.sum()


def namesake(word: bytes, first: bytes, seed: int) -> bytes:
    """Sixteen bytes that begin otherwise and have the same key, as one who knew the seed could find them."""

    def mixed(eight: bytes, key: int) -> int:
        product = (int.from_bytes(eight, "little") ^ key) * 0xD6E8FEB86659FD93
        return (product & (2**64 - 1)) ^ (product >> 64)

    key = seed ^ 16
    return first + (int.from_bytes(word[8:], "little") ^ mixed(word[:8], key) ^ mixed(first, key)).to_bytes(8, "little")


@pytest.mark.parametrize("grow", [False, True])
def test_words_with_one_key_are_told_apart(grow: bool) -> None:
    interner = Interner(grow=True)
    word = b"experimentations"[:16]
    other = namesake(word, b"counters", int(interner._table.size[2]))
    letters = np.frombuffer(word + other + word + bytes(8), np.uint8)
    if grow:
        assert interner.learn(np.array([0, 16, 32, 48]), letters).tolist() == [0, 1, 0]
        assert interner.learn(np.array([0, 16, 32, 48]), letters).tolist() == [0, 1, 0]
        return
    interner.learn(np.array([0, 16]), letters)
    ids = np.empty(3, np.int32)
    assert kernels.intern(letters, np.array([0, 16, 32, 48]), 0, interner._table, False, ids) == 3
    assert ids.tolist() == [0, -1, 0]
