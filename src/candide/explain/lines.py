"""The lines of a sum of evidence."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from candide.explain.words import TextEvidence, Word
from candide.labels import is_missing
from candide.scorecard import Floats

if TYPE_CHECKING:
    from candide.explain.evidence import Evidence

Line = tuple[str, Any, str]  # what speaks; what it says, in nats; a remark
Ways = tuple[Callable[[Floats], Any], Callable[[Word], str]]  # what evidence is compared to; where a word was seen


def lines(evidence: Evidence, row: int, nats: Floats, most: int, ways: Ways) -> list[Line]:
    """Prior, constant if there is one, the weightiest columns and words, the others together, what texts say as wholes,
    the sum.

    `nats` has what each line without words says.
    """
    texts = {j: evidence.opened(row, j) for j in evidence.texts if not is_missing(evidence.cell(row, j))}
    columns, words, wholes = _columns(evidence, row, nats, texts), [], []
    for text in texts.values():
        column = f"{text.column}: " if len(evidence.columns) > 1 else ""
        words += [_word(word, column, text.seen, ways) for word in text.words]
        if text.whole.any() or text.unknown:
            wholes.append((f"{text.column} as a whole", ways[0](text.whole), text.remark))
    listed = [*columns, *words]
    order = np.argsort([-_weight(said) for _, said, _ in listed], kind="stable").tolist()
    shown: list[Line] = [("prior", nats[0], "")]
    if evidence.constant.any():
        shown.append(("whatever the row", nats[1], ""))
    shown += [listed[i] for i in order[:most]]
    for what, first, last in (("column", 0, len(columns)), ("word", len(columns), len(listed))):
        rest = [listed[i][1] for i in order[most:] if first <= i < last]
        if rest:
            shown.append((f"{len(rest):,} more {what}{'s' * (len(rest) > 1)}", np.sum(rest, axis=0), ""))
    return [*shown, *wholes, ("sum", nats[-1], "")]


def _columns(evidence: Evidence, row: int, nats: Floats, texts: dict[int, TextEvidence]) -> list[Line]:
    """All but the texts."""
    places = [j for j in range(len(evidence.columns)) if j not in texts]
    return [(evidence.name(row, j), nats[2 + j], evidence.remark(row, j)) for j in places]


def _word(word: Word, column: str, unit: str, ways: Ways) -> Line:
    times = f" ×{word.times}" if word.times > 1 else ""
    return f"{column}“{word.word}”{times}", ways[0](word.evidence), f"{unit}: {ways[1](word)}"


def _weight(said: Any) -> float:
    return float(np.abs(said).max(initial=0.0))
