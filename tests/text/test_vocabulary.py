"""Distinct words and their numbers."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from candide.errors import BadVocabulary
from candide.text import Vocabulary

WORD = st.text(st.characters(exclude_categories=["Cs"]), max_size=4) | st.sampled_from(["a", "b", "ab", "", "a\0", "é"])
WORDS = st.lists(WORD, max_size=12)
UNHURRIED = settings(deadline=None)


def distinct(words: list[str]) -> list[str]:
    return list(dict.fromkeys(words))


@UNHURRIED
@given(WORDS)
def test_words_come_in_the_order_of_first_sight(words: list[str]) -> None:
    held = Vocabulary.of(words)
    assert held.words() == list(held) == [held[place] for place in range(len(held))] == distinct(words)
    assert [held[place - len(held)] for place in range(len(held))] == distinct(words)
    assert b"".join(word.encode() for word in distinct(words)) == held.letters.tobytes()


@UNHURRIED
@given(WORDS, WORDS)
def test_codes_are_places(words: list[str], asked: list[str]) -> None:
    held, known = Vocabulary.of(words), distinct(words)
    expected = [known.index(word) if word in known else -1 for word in asked]
    for form in (asked, iter(asked), pa.array(asked, pa.string()), pa.array(asked, pa.large_string())):
        codes = held.codes(form)
        assert codes.dtype == np.int64
        assert codes.tolist() == expected


def test_a_few_words_are_looked_up_among_many() -> None:
    held = Vocabulary.of(f"w{k}" for k in range(1000))
    for form in (["w7", "x", "w999"], pa.array(["w7", "x", "w999"])):
        assert held.codes(form).tolist() == [7, -1, 999]
    many = pa.array([f"w{k}" for k in range(1500)])
    assert held.codes(many).tolist() == [*range(1000), *[-1] * 500]


@UNHURRIED
@given(WORDS, WORDS)
def test_a_union_has_our_words_first(words: list[str], more: list[str]) -> None:
    one, other = Vocabulary.of(words), Vocabulary.of(more)
    both, places = one.union(other)
    assert both == Vocabulary.of(words + more)
    assert [both[place] for place in places.tolist()] == list(other)
    assert both.union(other)[0] == both.union(one)[0] == both


@UNHURRIED
@given(WORDS)
def test_the_order_is_that_of_the_bytes(words: list[str]) -> None:
    held = Vocabulary.of(words)
    order = held.order()
    assert order.dtype == np.int64
    assert [held[place] for place in order.tolist()] == sorted(distinct(words), key=str.encode) == sorted(held)


@UNHURRIED
@given(WORDS, st.randoms(use_true_random=False))
def test_some_words_are_picked_by_mask_or_place(words: list[str], random: Any) -> None:
    held = Vocabulary.of(words)
    mask = np.array([random.random() < 0.5 for _ in held], dtype=bool)
    assert list(held.pick(mask)) == [word for word, kept in zip(held, mask.tolist(), strict=True) if kept]
    places = random.sample(range(len(held)), len(held) // 2)
    assert list(held.pick(np.array(places))) == [held[place] for place in places]


@UNHURRIED
@given(WORDS, WORDS)
def test_equal_are_the_same_words_in_the_same_order(words: list[str], more: list[str]) -> None:
    one, other = Vocabulary.of(words), Vocabulary.of(more)
    assert (one == other) == (distinct(words) == distinct(more))
    again = pickle.loads(pickle.dumps(one))
    assert again == one == Vocabulary.checked(one.starts, one.letters)
    assert hash(again) == hash(one)
    assert one != words


def test_arrow_shares_the_memory() -> None:
    held = Vocabulary.of(["to", "be", "œuvre"])
    words = held.arrow()
    assert words.to_pylist() == ["to", "be", "œuvre"]
    assert words.buffers()[2].address == held.letters.ctypes.data
    assert words.buffers()[1].address == held.starts.ctypes.data


def test_any_arrow_strings_will_do() -> None:
    words = ["x", "to", "be", "to", "or"]
    for array in (
        pa.array(words)[1:],
        pa.array(words, pa.large_string())[1:],
        pa.chunked_array([words[1:3], words[3:]]),
        pa.array(words, pa.string_view())[1:],
        pa.array(words).dictionary_encode()[1:],
    ):
        assert list(Vocabulary.of(array)) == ["to", "be", "or"]


def test_nothing_can_be_written() -> None:
    held = Vocabulary.of(["to", "be"])
    for values in (held.starts, held.letters, Vocabulary.of([]).starts):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 1
    with pytest.raises(AttributeError):
        held.starts = np.zeros(1, np.int64)  # type: ignore[misc]


def test_rows_of_any_layout_will_do() -> None:
    held = Vocabulary(np.array([0, 7, 2, 7])[::2], np.frombuffer(b"txox", np.uint8)[::2])
    assert held.words() == ["to"]
    assert held.order().tolist() == held.codes(["to"]).tolist() == [0]


def test_no_words_at_all() -> None:
    none = Vocabulary.of([])
    assert len(none) == 0
    assert not none.words()
    assert none.codes(["a"]).tolist() == [-1]
    assert none.order().tolist() == []
    assert none.pick(np.zeros(0, bool)) == none.pick(np.array([])) == none
    with pytest.raises(IndexError):
        none[0]


def test_it_shows_its_first_words() -> None:
    assert repr(Vocabulary.of("abcdefghij")) == "Vocabulary(a, b, c, d, e, f, g, h, …)"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["a", 3], "word 1 is 3; a word must be a string"),
        (["a", None], "word 1 is missing"),
        (["a", "b\ud800"], "word 1 is .*UTF-8"),
        ([b"\xff"], "UTF-?8"),
        (pa.array(["a", None]), "word 1 is missing"),
        (pa.array([1, 2]), "strings"),
    ],
)
def test_what_is_no_word_is_refused(words: Any, told: str) -> None:
    with pytest.raises(BadVocabulary, match=told):
        Vocabulary.of(words)


LETTERS = np.frombuffer("abcé".encode(), np.uint8)


@pytest.mark.parametrize(
    ("starts", "letters"),
    [
        ([], LETTERS), ([0], LETTERS), ([1, 5], LETTERS), ([0, 6], LETTERS), ([0, 3, 2, 5], LETTERS),
        ([0, 4, 5], LETTERS), ([0, 9, 5], LETTERS), ([[0, 5]], LETTERS), ([0, -3, 5], LETTERS),
        ([0.0, 5.0], LETTERS), ([0, 5], LETTERS.astype(int)), ([0, 5], LETTERS[None]),
    ],
)  # fmt: skip
def test_bytes_that_are_no_words_are_refused(starts: list[Any], letters: Any) -> None:
    with pytest.raises(BadVocabulary):
        Vocabulary(np.array(starts) if starts else np.zeros(0, np.int64), letters)


def test_a_file_may_not_hold_a_word_twice() -> None:
    with pytest.raises(BadVocabulary, match="the word 'a' stands twice"):
        Vocabulary.checked(np.array([0, 1, 2, 3]), np.frombuffer(b"aba", np.uint8))
