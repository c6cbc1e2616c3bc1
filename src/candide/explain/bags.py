"""What was counted of the words of a column."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.counts import CountTokens, Tally, Tokens
from candide.counts.bag import Bag
from candide.counts.occurrences import COUNTS, DOCUMENTS, Occurrences
from candide.errors import UnknownColumn
from candide.scorecard import Floats


def bag_of(tally: Tally, column: Any) -> tuple[Bag, int]:
    """The bag of a column of texts, and which of its numbers tells where words were seen: texts, if they were counted,
    else occurrences.
    """
    for request, statistic in tally.statistics.items():
        if isinstance(request, CountTokens) and isinstance(statistic, Tokens) and column in request.columns:
            bag = statistic.bags[list(request.columns).index(column)]
            return bag, DOCUMENTS if request.documents else COUNTS
    texts = [name for request in tally.statistics if isinstance(request, CountTokens) for name in request.columns]
    raise UnknownColumn.named(column, "the model's columns of texts", texts)


def unit_of(number: int) -> str:
    """What a number of a bag counts."""
    return "texts" if number == DOCUMENTS else "times"


def seen_in(held: Occurrences, things: NDArray[np.int64], number: int) -> Floats:
    """One of the numbers that were counted of some things: a row a thing, a column a class; 0 for what is unknown."""
    out = np.zeros((len(things), held.classes))
    for c in range(held.classes):
        first, last = int(held.starts[c]), int(held.starts[c + 1])
        own = held.ids[first:last]
        at = np.searchsorted(own, things)
        known = at < len(own)
        known[known] = own[at[known]] == things[known]
        out[known, c] = held.values[first + at[known], number]
    return out


def pair_places(bag: Bag, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of each pair of words in the bag, −1 where it is none of its pairs."""
    place_of = {pair: place for place, pair in enumerate(map(tuple, bag.pairs.tolist()))}
    return np.array([place_of.get(tuple(pair), -1) for pair in pairs.tolist()], dtype=np.int64)
