"""What the cells of a CSV file become."""

from __future__ import annotations

import datetime as dt
import math
from typing import Any

import pytest

from candide.data.files import Files


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1", "-2", "+3"], [1, -2, 3]),
        (["1", "2.5"], [1.0, 2.5]),
        (["1.0", "2.0"], [1.0, 2.0]),
        ([" 5", "7 "], [5, 7]),
        (["1e3", "2"], [1000, 2]),
        (["9007199254740993", "1"], [9007199254740993, 1]),
        (["123456789012345678901234567890", "0"], [1.2345678901234568e29, 0.0]),
        (["007", "010"], ["007", "010"]),
        (["true", "False"], [True, False]),
        (["yes", "no"], ["yes", "no"]),
        (["T", "F"], ["T", "F"]),
        (["2020-01-02"], [dt.date(2020, 1, 2)]),
        (["2020-01-02", "2020-01-02 10:30"], [dt.datetime(2020, 1, 2), dt.datetime(2020, 1, 2, 10, 30)]),
        (["2020-01-02T03:04:05+01:00"], [dt.datetime(2020, 1, 2, 2, 4, 5)]),
        (["02/03/2021", "13/04/2021"], ["02/03/2021", "13/04/2021"]),
        (["12:30", "13:00"], ["12:30", "13:00"]),
        (["1", "?"], ["1", "?"]),
        (["NA", "x"], ["NA", "x"]),
        (["0x10", "12"], ["0x10", "12"]),
    ],
)
def test_kinds(read: Any, cells: list[str], values: list[Any]) -> None:
    rows = read("a,b\n" + "".join(f"{cell},-\n" for cell in cells))
    found = [row["a"] for row in rows]
    assert found == values
    assert list(map(type, found)) == list(map(type, values))


def test_an_empty_cell_is_missing_and_a_quoted_one_is_a_string(read: Any) -> None:
    assert [row["a"] for row in read('a,b\n"",1\n,2\nx,3\n')] == ["", None, "x"]


def test_a_quoted_empty_cell_among_numbers_is_missing(read: Any) -> None:
    assert [row["a"] for row in read('"a","b"\n"1","x"\n"","y"\n"2",""\n')] == [1, None, 2]


def test_marks_of_gaps(read: Any) -> None:
    rows = read('a,b\n?,"?"\n5,x\n -1 ,NA\n', missing=["?", "NA", "-1"])
    assert rows == [{"a": None, "b": None}, {"a": 5, "b": "x"}, {"a": None, "b": None}]


def test_nan_among_numbers(read: Any) -> None:
    rows = read("a,b\nNaN,nan\n1.5,2\n")
    assert math.isnan(rows[0]["a"])
    assert [row["b"] for row in rows] == [None, 2]


def test_a_column_without_a_cell_is_text_and_fits_any_later_one(read: Any) -> None:
    assert read("a,b\n,1\n,2\n") == [{"a": None, "b": 1}, {"a": None, "b": 2}]


def test_a_column_whose_first_cell_comes_late(read: Any) -> None:
    rows = read("a,b\n" + ",1\n" * 5000 + "5,1\n")
    assert rows[-1] == {"a": 5, "b": 1}


def test_what_the_user_says_a_column_is(read: Any) -> None:
    assert read("a,b\n007,5\n1,6\n", types={"a": "number", "b": "string"})[0] == {"a": 7.0, "b": "5"}


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfa,b\n1,\xc3\xa9\n",
        "a,b\n1,é\n".encode("utf-16"),
        "\ufeffa,b\n1,é\n".encode("utf-16-be"),
        "a,b\n1,é\n".encode("utf-32"),
    ],
)
def test_marks_of_byte_order(read: Any, data: bytes) -> None:
    assert read(data) == [{"a": 1, "b": "é"}]


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16-le", "UTF-8"])
def test_encodings(read: Any, encoding: str) -> None:
    assert read("a,b\n1,é\n".encode(encoding), encoding=encoding) == [{"a": 1, "b": "é"}]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(read: Any, end: str) -> None:
    assert read(end.join(["a,b", "1,x", "2,y", ""])) == [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]


@pytest.mark.parametrize("data", ["a,b\r\n1,x\n2,y\r\n", "a,b\n1,x\r\n2,y\n"])
def test_mixed_line_ends(read: Any, data: str) -> None:
    assert read(data) == [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]


def test_line_ends_in_quotes_and_nul(read: Any) -> None:
    assert read('a,b\n"1\n2","x""y"\nz\0,w\n') == [{"a": "1\n2", "b": 'x"y'}, {"a": "z\0", "b": "w"}]


@pytest.mark.parametrize(
    ("mark", "name"), [(",", "t.csv"), (";", "t.csv"), ("\t", "t.csv"), ("|", "t.txt"), ("\t", "t.tsv")]
)
def test_separators(read: Any, mark: str, name: str) -> None:
    assert read(f'a{mark}b\n1{mark}"x,y;z"\n', name) == [{"a": 1, "b": "x,y;z"}]


def test_a_column_of_text_alone_is_not_separated(read: Any) -> None:
    assert read("text\nhello; world | all\n") == [{"text": "hello; world | all"}]


def test_a_separator_of_ones_own(read: Any) -> None:
    assert read("a~b\n1~2\n", delimiter="~") == [{"a": 1, "b": 2}]


def test_columns_without_a_name(read: Any) -> None:
    assert read(",a,\n1,2,3\n") == [{"column1": 1, "a": 2, "column3": 3}]


def test_names_that_differ_in_case(read: Any) -> None:
    assert read("a,A\n1,2\n") == [{"a": 1, "A": 2}]


def test_names_with_blanks_and_quotes(put: Any) -> None:
    with Files.open(put("t.csv", '"the ""sky""", x\n1,2\n')) as files:
        assert files.names == ('the "sky"', "x")
        assert files.schema.names == list(files.names)


@pytest.mark.parametrize("data", ["a,b\n", "a,b", "\n\na,b\r\n"])
def test_a_header_alone_is_a_table_without_rows(put: Any, data: str) -> None:
    with Files.open(put("t.csv", data)) as files:
        assert files.names == ("a", "b")
        assert list(files.batches()) == []
