"""The small tables that the worked examples count."""

from __future__ import annotations

from typing import Any, NamedTuple

from candide.data.examples import EXAMPLES


class Worked(NamedTuple):
    """Rows with the label in the last place."""

    columns: tuple[str, ...]
    target: str
    rows: list[tuple[Any, ...]]


def named(example: str) -> Worked:
    """The table of an example."""
    found = EXAMPLES[example]
    return Worked(found.columns, found.target, list(found.rows))


SEVEN = named("D1")
PLAY_TENNIS = named("D2")
ECONOMY = named("D3")
ECONOMY_WITHOUT_AVG_EXPORTS = named("D4")
LOAN = named("D5")
PETS = named("D6")
