"""A line in the head of a message, and nothing else."""

from __future__ import annotations

from email import message_from_bytes, policy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from candide.data.mail.marking import folded, marked, shown

VALUE = ["spam", "p=0.9987", "words=free,winner"]
LINE = b"X-Candide: spam; p=0.9987; words=free,winner"


def test_the_line_is_added_and_everything_else_stays() -> None:
    rest = b"Subject: x\nTo: y\n\nbody\n\nX-Candide: in the body\n"
    assert marked(rest, VALUE) == LINE + b"\n" + rest


def test_lines_end_as_those_of_the_message() -> None:
    rest = b"Subject: x\r\n\r\nbody\n"
    assert marked(rest, VALUE) == LINE + b"\r\n" + rest


def test_the_line_of_a_mailbox_stays_first() -> None:
    assert marked(b"From me Mon\nSubject: x\n\nb", VALUE) == b"From me Mon\n" + LINE + b"\nSubject: x\n\nb"


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
@pytest.mark.parametrize(
    "old", [[b"X-Candide: ham"], [b"x-cAndide : ham;", b"\tp=0.1", b" more"], [b"X-Candide:ham", b"X-Candide:"]]
)
def test_lines_that_were_there_go(old: list[bytes], ends: bytes) -> None:
    before, after = b"A: 1" + ends, b"X-Candide-Not: 2" + ends + ends + b"body"
    assert marked(before + ends.join([*old, b""]) + after, VALUE) == LINE + ends + before + after


def test_a_line_after_a_lone_return_goes_too() -> None:
    assert b"ham" not in marked(b"Subject: x\rX-Candide: ham\nTo: y\n\n", VALUE)


@pytest.mark.parametrize("message", [b"", b"no head", b"no head\n\nmore", b"\nbody", b"\r\nbody", b" odd\nA: 1\n\nb"])
def test_messages_without_a_head_get_one(message: bytes) -> None:
    found = message_from_bytes(marked(message, VALUE))
    assert found["X-Candide"] == "spam; p=0.9987; words=free,winner"
    assert found.keys() == ["X-Candide"]
    assert marked(message, VALUE).endswith(message)


@given(st.binary(max_size=80), st.sampled_from([b"\n", b"\r\n"]))
def test_the_body_is_the_same_byte_for_byte(body: bytes, ends: bytes) -> None:
    message = b"Subject: x" + ends + b"X-Candide: ham" + ends + ends + body
    assert marked(message, VALUE).split(ends * 2, 1)[1] == body


@given(st.lists(st.text(max_size=50), max_size=20))
def test_no_word_breaks_the_line(words: list[str]) -> None:
    value = ["spam", "p=0.5000", f"words={shown(words)}"]
    line = folded(value)
    assert line.isascii()
    assert all(len(one) <= 78 for one in line.split("\n"))
    assert all(one.startswith(" ") for one in line.split("\n")[1:])
    assert all(32 <= ord(letter) < 127 or letter == "\n" for letter in line)
    found = message_from_bytes(marked(b"Subject: x\n\nb", value), policy=policy.default)
    assert found.keys() == ["X-Candide", "Subject"]
    assert found["X-Candide"].count(";") == 2


def test_words_that_would_be_heads() -> None:
    assert shown(["free\nBcc: all", "a;b", "new york", "été"]) == "free%0ABcc%3A%20all,a%3Bb,new%20york,%C3%A9t%C3%A9"
    assert shown(["x" * 100, ""]) == ""


def test_a_head_that_begins_badly_stays_a_head() -> None:
    message = b"X-Foo\0: a\nFrom: a@b.c\nSubject: free pills\n\nbody\n"
    assert marked(message, ["spam"]) == b"X-Candide: spam\n" + message
