"""Which event model each column of a table follows, chosen from what was counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from candide.counts import Columns, CountCells, CountLevels, CountTokens, Tally
from candide.events import Binned, Categorical, FewValues, Words
from candide.priors import MEstimate

FEW = 8  # different whole numbers that are taken for names
FAITHFUL = MEstimate(1)  # one virtual row in even shares: light where levels are many


@dataclass(frozen=True, slots=True)
class Choice:
    """What a column is taken for: its event model, or why it has none."""

    column: str
    kind: str
    event: Any = None
    why: str = ""

    def __str__(self) -> str:
        return f"{self.column}: {self.kind}" + (f" ({self.why})" if self.why else "")


def choose(tally: Tally, given: Mapping[str, Any]) -> list[Choice]:
    """A choice a counted column; `given` event models come first."""
    choices = []
    for request, statistic in tally.statistics.items():
        if isinstance(request, CountLevels):
            choices += [_of_levels(str(name), statistic, j, given) for j, name in enumerate(request.columns)]
        elif isinstance(request, CountCells):
            choices += [_of_numbers(str(name), statistic, j, given) for j, name in enumerate(request.columns)]
        elif isinstance(request, CountTokens):
            choices += [_of_texts(str(name), statistic, j, given) for j, name in enumerate(request.columns)]
    return choices


def events(choices: list[Choice]) -> dict[Columns, Any]:
    """Columns with the same event model share it."""
    groups: dict[Any, list[str]] = {}
    for choice in choices:
        if choice.event is not None:
            groups.setdefault(_key(choice), []).append(choice.column)
    found = {_key(choice): choice.event for choice in choices if choice.event is not None}
    return {tuple(names): found[key] for key, names in groups.items()}


def _key(choice: Choice) -> str:
    """Texts stay apart: each has a vocabulary of its own."""
    return repr(choice.event) + (choice.column if isinstance(choice.event, Words) else "")


def _of_texts(name: str, statistic: Any, j: int, given: Mapping[str, Any]) -> Choice:
    bag = statistic.bags[j]
    documents = float(bag.documents.sum())
    if not len(bag.vocabulary):
        return Choice(name, "left out", None, "every cell is missing" if documents == 0 else "no text has a word")
    pairs = f" and {len(bag.pairs):,} pairs" if len(bag.pairs) else ""
    return Choice(
        name, "text", given.get(name, Words()), f"{len(bag.vocabulary):,} words{pairs} in {documents:,.0f} texts"
    )


def _of_levels(name: str, statistic: Any, j: int, given: Mapping[str, Any]) -> Choice:
    levels, rows = len(statistic.levels[j]), float(statistic.tables[j].sum())
    if name in given:
        return Choice(name, type(given[name]).__name__.lower(), given[name], "as you said")
    if levels < 2:
        return Choice(name, "left out", None, "every cell is missing" if levels == 0 else "it never varies")
    if levels == 2:
        return Choice(name, "Bernoulli", Categorical(FAITHFUL), "two values")
    return Choice(name, "categorical", Categorical(FAITHFUL), f"{levels:,} levels in {rows:,.0f} rows")


def _of_numbers(name: str, statistic: Any, j: int, given: Mapping[str, Any]) -> Choice:
    cells, values = len(statistic.keys[j]), statistic.values(j)
    if name in given:
        return Choice(name, type(given[name]).__name__.lower(), given[name], "as you said")
    if cells < 2:
        return Choice(name, "left out", None, "every cell is missing" if cells == 0 else "it never varies")
    if cells == 2 and values is not None:
        return Choice(name, "Bernoulli", FewValues(FAITHFUL), "two values")
    if values is not None and cells <= FEW and bool(np.all(values == np.floor(values))):
        return Choice(name, "categorical", FewValues(FAITHFUL), f"{cells} whole numbers")
    different = f"{cells:,} values" if values is not None else "many values"
    return Choice(name, "numeric", Binned(), f"{different}, binned")
