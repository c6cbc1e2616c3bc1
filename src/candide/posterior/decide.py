"""From scores or probabilities to a decision. The first in order wins a tie."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from candide.errors import BadCosts
from candide.kernels import for_work
from candide.posterior.checks import checked_probabilities
from candide.scorecard import Floats

# Equal sums, added in another order, differ in their last digits: a tie is that much of the numbers added (`size`).
TIE = 64 * float(np.finfo(float).eps)

# The place of no class: the decision not to decide.
NOBODY = -1


def best(scores: Floats, size: float = 1.0, places: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """The place of each row's class: the first whose score is the highest, or as good as."""
    places = np.empty(len(scores), dtype=np.int64) if places is None else places
    for_work(scores.size).first_best(scores, TIE, size, places)
    return places


def ties(scores: Floats, size: float = 1.0) -> NDArray[np.bool_]:
    """Which classes share the highest score of their row; True in more than one place is a tie."""
    top = scores.max(axis=1, keepdims=True)
    return np.asarray((scores >= top - TIE * np.maximum(size, np.abs(top))) & (scores > -np.inf))


def cheapest(posterior: Floats, costs: ArrayLike) -> NDArray[np.int64]:
    """The place of each row's decision of least expected cost, R(d | x) = Σ_c costs[d, c] P(c | x).

    `costs[d, c]` is the cost of deciding d when c is true, a row a decision: there may be more or fewer decisions than
    classes. With cost 1 for every error this is the most probable class.

    >>> cheapest(np.array([[0.8, 0.2]]), [[0, 10], [1, 0]]).tolist()  # missing the second class is ten times as bad
    [1]
    """
    expected, size = _expected(posterior, costs)
    return best(-expected, size)


def abstain(posterior: Floats, reject: float, costs: ArrayLike | None = None) -> NDArray[np.int64]:
    """The place of each row's decision, or −1 where it costs more to decide than not to (Chow 1970).

    `reject` is the cost of not deciding. Without `costs` an error costs 1, and a row is rejected where
    1 − max_c P(c | x) > reject: 0 rejects all that is not certain, 1 nothing. With `costs` (see `cheapest`) a row is
    rejected where its least expected cost is more than `reject`.

    >>> abstain(np.array([[0.95, 0.05], [0.6, 0.4]]), reject=0.1).tolist()
    [0, -1]
    """
    values = checked_probabilities(posterior)
    limit = _checked_reject(reject, costs is None)
    expected, size = _expected(values, 1.0 - np.eye(values.shape[1]) if costs is None else costs)
    places = best(-expected, size)
    if len(places):
        places[expected.min(axis=1) > limit + TIE * max(size, abs(limit))] = NOBODY
    return places


def _expected(posterior: Floats, costs: ArrayLike) -> tuple[Floats, float]:
    """What each decision costs on average, a row a row, and the size of the numbers added."""
    values = checked_probabilities(posterior)
    table = _checked_costs(costs, values.shape[1])
    return values @ table.T, float(np.abs(table).max(initial=0.0))


def _checked_costs(costs: ArrayLike, classes: int) -> Floats:
    try:
        table = np.asarray(costs, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadCosts(
            f"costs must be a table of numbers, a row a decision and a column a class; got {costs!r:.60}."
        ) from None
    if table.ndim != 2 or table.shape[1] != classes or not len(table):
        raise BadCosts(
            f"costs have shape {table.shape}; they need a row a decision and {classes} columns, one a class: "
            "costs[d, c] is the cost of deciding d when c is true."
        )
    if not np.isfinite(table).all():
        d, c = np.argwhere(~np.isfinite(table))[0]
        raise BadCosts(f"costs[{d}, {c}] is {table[d, c]}; for a decision never to be taken give a large number.")
    return table


def _checked_reject(reject: Any, is_share: bool) -> float:
    try:
        limit = float(reject)
    except (TypeError, ValueError):
        limit = float("nan")
    if np.isnan(limit) or (is_share and not 0.0 <= limit <= 1.0):
        allowed = "a share of an error's cost, from 0 to 1" if is_share else "a number, in the unit of the costs"
        raise BadCosts(f"reject is {reject!r}; the cost of not deciding is {allowed}.")
    return limit
