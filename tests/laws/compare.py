"""When two tallies say the same."""

from __future__ import annotations

import numpy as np

from candide.counts import Cells, CoMoments, Counts, Moments, Rows, Tally, Totals
from candide.counts.cells import coarser


def same(one: Tally, other: Tally, exact: bool = True, rtol: float = 1e-12, whole: Tally | None = None) -> None:
    """Equal classes and levels; equal counts (exactly, or to rounding); equal moments to `rtol`.

    A difference keeps the roundings of the `whole` it was taken from, where the two sides have different pivots. Its
    cells are as coarse as those of the whole, and of its rows only those are kept which the whole kept.
    """
    assert one.classes == other.classes
    near(one.seen.weights, other.seen.weights, exact)
    assert one.statistics.keys() == other.statistics.keys()
    for request, mine in one.statistics.items():
        theirs = other[request]
        match mine:
            case Counts():
                assert mine.levels == theirs.levels
                for a, b in zip(mine.tables, theirs.tables, strict=True):
                    near(a, b, exact)
            case Totals():
                near(mine.sums, theirs.sums, exact)
            case Moments() | CoMoments():
                near(mine.n, theirs.n, exact)
                moments_near(mine, theirs, rtol, mine if whole is None else whole[request])
            case Cells():
                assert mine.shifts == theirs.shifts or whole is not None
                for a, b in zip(mine.columns(), theirs.columns(), strict=True):
                    shift = max(a[0], b[0])
                    (_, keys, table), (_, others, counts) = coarser(a, shift), coarser(b, shift)
                    np.testing.assert_array_equal(keys, others)
                    near(table, counts, exact)
            case Rows():
                assert mine.last == theirs.last or whole is not None
                last = min(mine.last, theirs.last)
                rows_near(mine.up_to(last), theirs.up_to(last), exact)
            case _:
                others = theirs.to_arrays()
                for name, array in mine.to_arrays().items():
                    if not name.endswith("most"):  # what roundings are a share of, no count
                        near(array, others[name], exact)


def near(a: np.ndarray, b: np.ndarray, exact: bool) -> None:
    np.testing.assert_allclose(a, b, rtol=0 if exact else 1e-9, atol=0 if exact else 1e-12)


def moments_near(one: Moments | CoMoments, other: Moments | CoMoments, rtol: float, whole: Moments | CoMoments) -> None:
    """Means to rounding; scatters relative to themselves, or to the rounding of the squares they were part of."""
    n = one.n if isinstance(one, Moments) else one.n[:, None]
    np.testing.assert_allclose(np.where(n > 0, one.mean, 0), np.where(n > 0, other.mean, 0), rtol=1e-15, atol=rtol)
    size = 1.0 + float(np.abs(whole.second.value).max(initial=0.0))
    np.testing.assert_allclose(one.scatter, other.scatter, rtol=rtol, atol=1e-13 * size)


def rows_near(one: Rows, other: Rows, exact: bool) -> None:
    """The same rows, and names of the levels which they have."""
    assert one.names == other.names
    for part in ("hashes", "y", "levels", "numbers"):
        np.testing.assert_array_equal(getattr(one, part), getattr(other, part))
    near(one.weights, other.weights, exact)
