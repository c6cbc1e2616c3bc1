"""One row at a time, in plain Python: no table is made of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from math import exp
from typing import Any

import numpy as np

from candide.data.schema import Schema
from candide.scorecard import Floats, Lookup, Scorecard, Steps

Look = Callable[[Any], Any]  # a cell → its evidence a class, or None where it has none


class OneRow:
    """The same sums as an engine's, for rows that are mappings of plain cells."""

    def __init__(self, scorecard: Scorecard, looks: list[tuple[str, Look]]) -> None:
        self.start: list[float] = scorecard.start.tolist()
        self.looks = looks

    @classmethod
    def of(cls, scorecard: Scorecard, schema: Schema) -> OneRow | None:
        """Nothing where a term or a column needs more than a look into a table."""
        plain = {one.name: one.held for one in schema if one.is_used}
        looks: list[tuple[str, Look]] = []
        for term in scorecard.terms:
            for j, name in enumerate(term.columns):
                held = plain.get(name)
                if isinstance(term, Steps) and held == "numbers":
                    looks.append((name, _steps(term.cuts[j].tolist(), term.tables[j].tolist())))
                elif isinstance(term, Lookup) and held in ("labels", "numbers") and term.sizes is None:
                    levels = dict(zip(term.levels[j], term.tables[j].tolist(), strict=True))
                    unseen = term.unseen[j].tolist()
                    looks.append((name, (_label if held == "labels" else _value)(levels, unseen)))
                else:
                    return None
        return cls(scorecard, looks)

    def posterior(self, row: Mapping[str, Any]) -> Floats | None:
        """P(class | row), or None where a cell is of a type that needs a closer look."""
        scores = self.start
        try:
            for name, look in self.looks:
                evidence = look(row.get(name))
                if evidence is not None:
                    scores = [score + part for score, part in zip(scores, evidence, strict=True)]
        except TypeError:
            return None
        best = max(scores)
        shares = [exp(score - best) for score in scores]
        total = sum(shares)
        return np.array([[share / total for share in shares]])


def _steps(cuts: list[float], table: list[list[float]]) -> Look:
    def look(cell: Any) -> Any:
        if cell is None:
            return None
        if type(cell) is not float and type(cell) is not int:
            raise TypeError("not a plain number")
        return None if cell != cell else table[bisect_right(cuts, cell)]

    return look


def _label(levels: dict[Any, list[float]], unseen: list[float]) -> Look:
    def look(cell: Any) -> Any:
        if cell is None:
            return None
        if type(cell) is not str:
            if cell != cell:
                return None  # what pandas writes for a gap
            raise TypeError("not a plain string")
        return levels.get(cell, unseen)

    return look


def _value(levels: dict[Any, list[float]], unseen: list[float]) -> Look:
    def look(cell: Any) -> Any:
        if cell is None:
            return None
        if type(cell) is not float and type(cell) is not int:
            raise TypeError("not a plain number")
        return None if cell != cell else levels.get(float(cell), unseen)

    return look
