"""What columns hold, from their first rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from candide.data.files.engine import told
from candide.data.files.kinds import ORDER, TEXT, WIDER
from candide.data.files.relation import Relation

GLANCE = 1000
TIMES = ("DATE", "TIMESTAMP")


def sniffed(
    connection: Any, relation: Relation, places: Iterable[int], rows: int, missing: Sequence[str]
) -> dict[int, str | None]:
    """The narrowest kind that holds every cell of the first rows; None for a column without a cell.

    A glance at a thousand rows proposes kinds, which the sample must confirm: most columns of text are told by the
    glance, and cost the sample nothing.
    """

    def wrong(trials: Sequence[tuple[int, str]], rows: int) -> dict[tuple[int, str], int | None]:
        """For each column and kind: how many cells are not of the kind; None where there are no cells."""
        if not trials:
            return {}
        with told(relation.part.name):
            counts = connection.execute(relation.trials(trials, rows, missing)).fetchall()
        found: dict[tuple[int, str], int | None] = dict.fromkeys(trials)
        return found | {trials[trial]: wrong for trial, wrong in counts}

    def narrowest(places: Iterable[int], rows: int) -> dict[int, str | None]:
        asked = {place: TIMES if place in relation.strings else ORDER for place in places}
        seen = wrong([(place, kind) for place, kinds in asked.items() for kind in kinds], rows)
        fits = {place: next((kind for kind in kinds if seen[place, kind] == 0), TEXT) for place, kinds in asked.items()}
        return fits | dict.fromkeys(place for place, kinds in asked.items() if seen[place, kinds[0]] is None)

    kinds = narrowest(places, GLANCE)
    kinds |= narrowest([place for place, kind in kinds.items() if kind is None], rows)
    trials = {place: kind for place, kind in kinds.items() if kind is not None and kind != TEXT}
    while trials:
        seen = wrong(list(trials.items()), rows)
        changed = {place: WIDER.get(kind, TEXT) for place, kind in trials.items() if seen[place, kind]}
        kinds |= changed
        trials = {place: kind for place, kind in changed.items() if kind != TEXT}
    return kinds
