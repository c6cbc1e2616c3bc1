"""What fractions leave behind when all is taken away again: nothing, and no refusal; whole numbers are exact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from candide.counts import Cells, ClassWeights, CountCells, CountLevels, Counts, KeepRows, Rows, SumTotals, Totals
from candide.errors import NeverAdded
from candide.labels import Labels

CLASSES = Labels.of(["a", "b"])


def class_weights(n: float) -> Any:
    return ClassWeights(CLASSES, np.array([n, 1.0]))


def totals(n: float) -> Any:
    return Totals(SumTotals(("x",)), CLASSES, np.array([[n], [1.0]]))


def counts(n: float) -> Any:
    return Counts(CountLevels(("x",)), CLASSES, (Labels.of(["l"]),), (np.array([[n, 1.0]]),))


def cells(n: float) -> Any:
    return Cells(CountCells(("x",)), CLASSES, (0,), (np.array([7]),), (np.array([[n, 1.0]]),))


def rows(n: float) -> Any:
    hashes, y = np.array([1, 2], dtype=np.uint64), np.array([0, 1])
    empty = np.zeros((2, 0))
    return Rows(
        KeepRows((), ()), CLASSES, (1 << 64) - 1, hashes, y, np.array([n, 1.0]), (), empty.astype(np.int64), empty
    )


def held(statistic: Any) -> float:
    """The number of class a, whatever it is called."""
    match statistic:
        case ClassWeights():
            return float(statistic.weights[0])
        case Rows():
            return float(statistic.weights[statistic.y == 0].sum())
        case Totals():
            return float(statistic.sums[0, 0])
        case _:
            return float(statistic.tables[0][0, 0]) if len(statistic.tables[0]) else 0.0


kinds = pytest.mark.parametrize("of", [class_weights, totals, counts, cells, rows], ids=lambda of: of.__name__)


def again(statistic: Any) -> Any:
    """Through arrays and back, aged and grown young, over more classes and back."""
    kind, request, wider = type(statistic), statistic.request, Labels.of(["a", "b", "c"])
    stored = kind.from_arrays(request, statistic.classes, statistic.to_arrays())
    return ((stored * 0.5) * 2.0).over(wider).only(CLASSES)


@kinds
@pytest.mark.parametrize("pass_on", [lambda same: same, again], ids=["as it is", "stored"])
def test_all_that_was_added_can_be_taken_away(of: Callable[[float], Any], pass_on: Any) -> None:
    parts = [1e6 + 0.1, 0.3, 1.0 / 3, 0.7, 12_345.678]
    whole = of(parts[0]) + of(parts[1]) + of(parts[2]) + of(parts[3]) + of(parts[4]) + of(1.0)
    for part in parts:
        whole = pass_on(whole - of(part))
    assert held(whole) == pytest.approx(1.0, rel=1e-9)
    assert held(whole - of(1.0)) == 0.0


@kinds
def test_merged_roundings_add_up(of: Callable[[float], Any]) -> None:
    one, other = ((of(1e6 + 0.1) + of(0.3)) - of(1e6 + 0.1) for _ in range(2))
    both = (one + other) - of(0.6)
    assert held(both) == 0.0


@kinds
def test_whole_numbers_are_exact(of: Callable[[float], Any]) -> None:
    left = (of(2.0**52) + of(1.0)) - of(2.0**52)
    assert held(left) == 1.0
    with pytest.raises(NeverAdded):
        left - of(2.0)
    assert held(left - of(1.0)) == 0.0


@kinds
def test_more_than_rounding_is_refused(of: Callable[[float], Any]) -> None:
    left = (of(1e3 + 0.5) + of(0.25)) - of(1e3 + 0.5)
    with pytest.raises(NeverAdded):
        left - of(0.2500001)
