"""Numbers in bins: what is looked up is what was counted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from candide.counts import CountCells
from candide.data import Table
from candide.engines import Memory
from candide.events import Binned
from candide.events.binned import fine_bins

TINY, HUGE = 5e-324, 1.7976931348623157e308
values = st.one_of(
    st.sampled_from([0.0, -0.0, TINY, -TINY, 2 * TINY, HUGE, -HUGE, np.inf, -np.inf, 1.0, np.nextafter(1.0, 2.0)]),
    st.floats(allow_nan=False),
    st.integers(-3, 3).map(float),
)


@pytest.mark.parametrize("most", [2, 4, 4096])
@pytest.mark.parametrize("bins", [2, 3, 128])
def test_every_number_falls_into_the_bin_that_counted_it(bins: int, most: int) -> None:
    @settings(max_examples=150, deadline=None)
    @given(st.lists(st.tuples(values, st.sampled_from("ab")), min_size=1, max_size=30))
    def law(rows: list[tuple[float, str]]) -> None:
        request = CountCells(("x",), most=most)
        counted = Memory().collect([request], Table.of("x y", rows, target="y"))[request]
        cuts, table = fine_bins(counted, 0, bins)
        assert len(table) == len(cuts) + 1 <= bins
        places = np.searchsorted(cuts, [x for x, _ in rows], side="right")
        found = np.zeros_like(table)
        np.add.at(found, (places, [counted.classes.codes([y])[0] for _, y in rows]), 1)
        np.testing.assert_array_equal(found, table)

    law()


def test_evidence_is_finite_and_silent_where_the_cell_is_missing() -> None:
    request = CountCells(("x",))
    rows = [(x, y) for x in (-np.inf, -HUGE, 0.0, TINY, HUGE, np.inf) for y in "ab"] + [(1.0, "a")]
    tally = Memory().collect([request], Table.of("x y", rows, target="y"))
    parts = Binned().term(tally[request], tally.seen).parts(np.array([[np.inf], [-np.inf], [3.0], [np.nan]]))
    assert np.isfinite(parts).all()
    assert not parts[3].any()
