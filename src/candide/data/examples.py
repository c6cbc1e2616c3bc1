"""Small tables from lectures, with the figures that come out of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from candide.data.table import Table


@dataclass(frozen=True, slots=True)
class Case:
    """A row to classify, and the products P(class) Π P(cell | class) that are expected, as far as they are known.

    `alpha` virtual examples of each level are added, or `m` of each column in even shares (an m-estimate); with
    neither, shares are as counted. The class prior is as counted.
    """

    query: tuple[Any, ...]
    expected: Mapping[Any, Fraction] = field(default_factory=dict)
    alpha: int = 0
    m: int = 0

    @property
    def smoothing(self) -> str:
        """In words."""
        if self.m:
            return f"m-estimate with m = {self.m}"
        return f"α = {self.alpha}" if self.alpha else "as counted"


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled table, the label in the last place of a row, and the rows that are asked of it.

    >>> EXAMPLES["D2"].table().classes
    Labels(No, Yes)
    """

    id: str
    title: str
    target: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    cases: tuple[Case, ...]
    cells: Literal["levels", "yes or no"] = "levels"
    erratum: str = ""

    def table(self) -> Table:
        """The rows with their labels, to learn from."""
        return Table.of([*self.columns, self.target], self.rows, target=self.target)

    def queries(self) -> Table:
        """The rows that are asked, to classify."""
        return Table.of(self.columns, dict.fromkeys(case.query for case in self.cases))


def _read(body: str) -> tuple[tuple[str, ...], ...]:
    """One row a line."""
    return tuple(tuple(line.split()) for line in body.strip().splitlines())


def _with(rows: tuple[tuple[str, ...], ...], place: int, row: str) -> tuple[tuple[str, ...], ...]:
    return (*rows[:place], tuple(row.split()), *rows[place + 1 :])


_SEVEN = ((1, 1, 1, 1), (1, 1, 1, 0), (0, 0, 0, 1), (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 1), (0, 1, 0, 0))

_TENNIS = _read("""
    Sunny    Hot  High   Weak   No
    Sunny    Hot  High   Strong No
    Overcast Hot  High   Weak   Yes
    Rain     Mild High   Weak   Yes
    Rain     Cool Normal Weak   Yes
    Rain     Cool Normal Strong No
    Overcast Cool Normal Strong Yes
    Sunny    Mild High   Weak   No
    Sunny    Cool Normal Weak   Yes
    Rain     Mild Normal Weak   Yes
    Sunny    Mild Normal Strong Yes
    Overcast Mild High   Strong Yes
    Overcast Hot  Normal Weak   Yes
    Rain     Mild High   Strong No
""")

_ECONOMY = _read("""
    Good Avg  Avg  Good Great
    Avg  Avg  Good Good Ok
    Poor Good Good Avg  Ok
    Good Avg  Good Good Great
    Avg  Good Good Avg  Great
    Good Avg  Avg  Avg  Bad
    Poor Avg  Good Avg  Bad
    Avg  Avg  Avg  Avg  Bad
    Good Good Avg  Avg  Ok
""")

_LOAN = _read("""
    Yes Single   High No
    No  Married  High No
    No  Single   Low  No
    Yes Married  High No
    No  Divorced Low  Yes
    No  Married  Low  No
    Yes Divorced High No
    No  Single   Low  Yes
    No  Married  Low  No
    No  Single   Low  Yes
""")

_PETS = _read("""
    Dog Medium Black Yes
    Dog Big    White No
    Rat Small  White Yes
    Cow Big    White Yes
    Cow Small  Brown No
    Cow Big    Black Yes
    Rat Big    Brown No
    Dog Small  Brown Yes
    Dog Medium Brown Yes
    Cow Medium White No
    Dog Small  Black Yes
    Rat Medium Black No
    Rat Small  Brown No
    Cow Big    White Yes
""")

_DAY = ("Sunny", "Cool", "High", "Strong")
_YEAR = ("Good", "Avg", "Good", "Avg")
_BORROWER = ("No", "Married", "High")
_BRANCHES = ("IT", "Chemicals", "Crops", "Exports")

_LISTED = (
    Example(
        "D1",
        "Seven rows of three features, each a yes or a no",
        "y",
        ("f1", "f2", "f3"),
        _SEVEN,
        (
            Case((0, 0, 0), {0: Fraction(4, 63), 1: Fraction(3, 56)}),
            Case((1, 0, 0), {0: Fraction(2, 63), 1: Fraction(9, 56)}),
            Case((1, 1, 1), {0: Fraction(2, 63), 1: Fraction(3, 56)}),
        ),
        cells="yes or no",
    ),
    Example(
        "D2",
        "Fourteen days: is tennis played?",
        "Play",
        ("Outlook", "Temperature", "Humidity", "Wind"),
        _TENNIS,
        (
            Case(_DAY, {"No": Fraction(18, 875), "Yes": Fraction(1, 189)}),
            Case(_DAY, {"No": Fraction(25, 1372), "Yes": Fraction(6, 847)}, alpha=1),
        ),
        erratum="in print one table names a humidity 'Moderate'; it is Normal, and humidity has two levels.",
    ),
    Example(
        "D3",
        "Nine years: how did the economy do?",
        "Economy",
        _BRANCHES,
        _ECONOMY,
        (Case(_YEAR, {"Bad": Fraction(1, 27), "Great": Fraction(8, 243), "Ok": Fraction(4, 243)}),),
    ),
    Example(
        "D4",
        "The same nine years with good exports in the fifth: a share of zero",
        "Economy",
        _BRANCHES,
        _with(_ECONOMY, 4, "Avg Good Good Good Great"),
        (
            Case(_YEAR, {"Bad": Fraction(1, 27), "Great": Fraction(0), "Ok": Fraction(4, 243)}),
            Case(_YEAR, {"Bad": Fraction(32, 1125), "Great": Fraction(3, 250), "Ok": Fraction(2, 125)}, alpha=1),
            Case(_YEAR, m=4),
            Case(_YEAR, m=2),
        ),
    ),
    Example(
        "D5",
        "Ten loans: does the borrower default?",
        "Defaulted",
        ("Owner", "Marital", "Income"),
        _LOAN,
        (
            Case(_BORROWER, {"No": Fraction(32, 245), "Yes": Fraction(0)}),
            Case(_BORROWER, {"No": Fraction(35, 324), "Yes": Fraction(1, 125)}, alpha=1),
        ),
        erratum="in print the product of No is .1309; 32/245 is .1306.",
    ),
    Example(
        "D6",
        "Fourteen animals: is it a pet?",
        "Pet",
        ("Animal", "Size", "Color"),
        _PETS,
        (Case(("Cow", "Medium", "Black"), {"No": Fraction(1, 126), "Yes": Fraction(9, 448)}),),
    ),
)

EXAMPLES: Mapping[str, Example] = {example.id: example for example in _LISTED}
