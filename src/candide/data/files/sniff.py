"""What columns hold, from their first rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from candide.data.files.engine import told
from candide.data.files.kinds import ORDER, TEXT, WIDER, doubtful, known, present, unlikely, value
from candide.data.files.relation import Relation

FEW = 8
GLANCE = 1000
TIMES = ("DATE", "TIMESTAMP")
Trial = tuple[int, str]  # the place of a column, a kind
Found = dict[Trial, int | None]  # how many cells are not of the kind; None where there are no cells


def sniffed(
    connection: Any, relation: Relation, places: Iterable[int], rows: int, missing: Sequence[str]
) -> dict[int, str | None]:
    """The narrowest kind that holds every cell of the first rows; None for a column without a cell.

    A glance at a thousand rows proposes kinds, which the sample must confirm: most columns of text are told by the
    glance, and cost the sample nothing.
    """
    sample = _Sample(connection, relation, rows, tuple(missing))
    kinds = sample.glance(places)
    if sample.whole:
        return kinds
    kinds |= sample.narrowest([place for place, kind in kinds.items() if kind is None])
    trials = {place: kind for place, kind in kinds.items() if kind is not None and kind != TEXT}
    while trials:
        seen = sample.wrong(list(trials.items()))
        changed = {place: WIDER.get(kind, TEXT) for place, kind in trials.items() if seen[place, kind]}
        kinds |= changed
        trials = {place: kind for place, kind in changed.items() if kind != TEXT}
    return kinds


@dataclass(slots=True)
class _Sample:
    """The first rows of a file, of which the very first are kept in the table `glance`."""

    connection: Any
    relation: Relation
    rows: int
    missing: tuple[str, ...]
    whole: bool = False  # the glance saw all of it

    def glance(self, places: Iterable[int]) -> dict[int, str | None]:
        """The narrowest kinds in the very first rows; a kind that fails in a few is not tried on all of them."""
        asked = {place: _asked(self.relation, place) for place in places}
        with told(self.relation.part.name):
            cells = ", ".join(f"c{place}" for place in asked)
            rows = f"SELECT [{cells}] AS cells FROM ({self.relation.sql} LIMIT {GLANCE + 1})"
            ((held,),) = self.connection.execute(f"CREATE OR REPLACE TEMP TABLE glance AS {rows}").fetchall()
            self.connection.execute(f"CREATE OR REPLACE TEMP TABLE few AS FROM glance LIMIT {FEW}")
        self.whole = held <= GLANCE or self.rows <= GLANCE
        seats = {place: seat for seat, place in enumerate(asked, 1)}
        few: Found = {}
        for tried in ORDER:
            trials = [(place, tried) for place, kinds in asked.items() if tried in kinds]
            few |= self._counted(trials, seats, "few")
        left = {place: [kind for kind in kinds if not few[place, kind]] for place, kinds in asked.items()}
        found: dict[int, str | None] = dict.fromkeys(asked, TEXT)
        while left := {place: kinds for place, kinds in left.items() if kinds}:
            trials = [(place, kinds[0]) for place, kinds in left.items()]
            seen = self._counted(trials, seats, f"(FROM glance LIMIT {GLANCE})")
            for place, kinds in left.items():
                kind = kinds.pop(0)
                if seen[place, kind] == 0 or (seen[place, kind] is None and kind == asked[place][0]):
                    found[place] = kind if seen[place, kind] == 0 else None
                    kinds.clear()
        return found

    def narrowest(self, places: Iterable[int]) -> dict[int, str | None]:
        """The narrowest kinds in all rows."""
        asked = {place: _asked(self.relation, place) for place in places}
        seen = self.wrong(_pairs(asked))
        fits = {place: next((kind for kind in kinds if seen[place, kind] == 0), TEXT) for place, kinds in asked.items()}
        return fits | dict.fromkeys(place for place, kinds in asked.items() if seen[place, kinds[0]] is None)

    def wrong(self, trials: Sequence[Trial]) -> Found:
        """For each column and kind: how many cells of all rows are not of the kind."""
        places = dict.fromkeys(place for place, _ in trials)
        cells = ", ".join(f"c{place}" for place in places)
        rows = f"(SELECT [{cells}] AS cells FROM ({self.relation.sql} LIMIT {self.rows}))"
        return self._counted(trials, {place: seat for seat, place in enumerate(places, 1)}, rows)

    def _counted(self, trials: Sequence[Trial], seats: dict[int, int], rows: str) -> Found:
        """The same for rows of lists, in which a column has its seat."""
        if not trials:
            return {}
        trials = sorted(trials, key=lambda trial: trial[1])
        with told(self.relation.part.name):
            query = _counting([kind for _, kind in trials], rows, self.missing)
            counts = self.connection.execute(query, [[seats[place] for place, _ in trials]]).fetchall()
        found: Found = dict.fromkeys(trials)
        return found | {trials[trial]: wrong for trial, wrong in counts}


def _asked(relation: Relation, place: int) -> tuple[str, ...]:
    return TIMES if place in relation.strings else ORDER


def _pairs(asked: dict[int, tuple[str, ...]]) -> list[Trial]:
    return [(place, kind) for place, kinds in asked.items() for kind in kinds]


def _counting(kinds: Sequence[str], rows: str, missing: Sequence[str]) -> str:
    """The query that counts, for each trial, the cells that are not of its kind; the seats are its parameter.

    Cells are laid in one long column, those of a kind side by side: a thousand aggregates take DuckDB seconds to plan.
    """
    ends = {kind: place for place, kind in enumerate(kinds, 1)}
    tests = " ".join(f"WHEN trial < {end} THEN {_test(kind)}" for kind, end in ends.items())
    return (
        f"SELECT trial, sum(CASE {tests} END) FROM (SELECT {known('c', missing)} AS c, trial FROM "
        f"(SELECT unnest(list_select(cells, ?)) AS c, unnest(range({len(kinds)})) AS trial FROM {rows})) "
        "WHERE c IS NOT NULL GROUP BY trial"
    )


def _test(kind: str) -> str:
    """SQL for a cell c: 0 if it is of the kind, 1 if not, NULL if it says nothing."""
    doubt = f"{doubtful('c', value('c', kind), kind)} OR {unlikely('c', kind)}"
    return f"CASE WHEN {doubt} THEN CASE WHEN {present('c', kind)} THEN 1 END ELSE 0 END"
