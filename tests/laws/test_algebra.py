"""What was counted can be added, taken away and aged. One law covers every statistic."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest
from compare import same
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import FRACTIONS, OFFSETS, REQUESTS, WHOLE, Rows, rows

from candide.counts import ClassWeights, Tally
from candide.engines import Memory
from candide.errors import BadWeights, MergeMismatch, NeverAdded
from candide.labels import Labels

MANY = settings(max_examples=300, deadline=None)
offsets = pytest.mark.parametrize("offset", OFFSETS)


@offsets
def test_parts_add_up_to_the_whole(offset: float) -> None:
    @MANY
    @given(rows(offset, WHOLE), rows(offset, WHOLE))
    def law(a: Rows, b: Rows) -> None:
        same(a.tally() + b.tally(), (a + b).tally())

    law()


@MANY
@given(rows(0.0, FRACTIONS), rows(0.0, FRACTIONS))
def test_parts_add_up_to_the_whole_when_weights_are_fractions(a: Rows, b: Rows) -> None:
    same(a.tally() + b.tally(), (a + b).tally(), exact=False)


@offsets
def test_addition_commutes_and_associates(offset: float) -> None:
    @MANY
    @given(rows(offset, WHOLE), rows(offset, WHOLE), rows(offset, WHOLE))
    def law(a: Rows, b: Rows, c: Rows) -> None:
        x, y, z = a.tally(), b.tally(), c.tally()
        same(x + y, y + x)
        same((x + y) + z, x + (y + z))

    law()


@given(rows(weights=WHOLE))
def test_zero_changes_nothing(a: Rows) -> None:
    tally = a.tally()
    same(tally + zero(tally, tally.classes), tally)
    same(zero(tally, Labels.of([])) + tally, tally)


@offsets
def test_taking_a_part_away_leaves_the_rest(offset: float) -> None:
    @MANY
    @given(rows(offset, WHOLE), rows(offset, WHOLE))
    def law(a: Rows, b: Rows) -> None:
        whole = (a + b).tally()
        same(whole - b.tally(), a.tally(), rtol=1e-9, whole=whole)

    law()


@MANY
@given(rows(0.0, FRACTIONS), rows(0.0, FRACTIONS))
def test_forgetting_a_batch_undoes_learning_it(a: Rows, b: Rows) -> None:
    """A batch counted about the pivots of what was there is taken away as it was added."""
    before = a.tally()
    after = before + b.tally(before)
    same(after - b.tally(after), before, exact=False, rtol=1e-12, whole=after)


@offsets
def test_weight_is_repetition(offset: float) -> None:
    @MANY
    @given(rows(offset, WHOLE))
    def law(a: Rows) -> None:
        same(a.tally(), a.repeated().tally())

    law()


@given(rows(weights=WHOLE), st.sampled_from([0.5, 0.25, 2.0, 3.0]))
def test_ageing_scales_every_weight(a: Rows, factor: float) -> None:
    aged = Rows(a.labels, a.cells, [weight * factor for weight in a.weights])
    same(a.tally() * factor, aged.tally(), exact=False)


@given(rows(weights=WHOLE), rows(weights=WHOLE))
def test_ageing_distributes_over_addition(a: Rows, b: Rows) -> None:
    same((a.tally() + b.tally()) * 0.5, a.tally() * 0.5 + b.tally() * 0.5)


@given(rows(weights=WHOLE))
def test_what_was_never_added_cannot_be_taken_away(a: Rows) -> None:
    stranger = Rows(["d"], [("Rome", "smith", 1.0, 1.0, 1, 1, "ice fox")], [1.0])
    with pytest.raises(NeverAdded, match="class 'd'"):
        a.tally() - stranger.tally()


def test_the_refusal_names_class_column_and_level() -> None:
    a = Rows(
        ["a", "a"],
        [("Rome", "smith", 1.0, 1.0, 1, 1, "ice fox"), ("Oslo", "nurse", 2.0, 1.0, 1, 1, "ice fox")],
        [1.0, 1.0],
    )
    b = Rows(["a"], [("Kyiv", "smith", 1.0, 1.0, 1, 1, "ice fox")], [1.0])
    with pytest.raises(NeverAdded, match=r"class 'a', column 'city' holds a count of level 'Kyiv' of 0, asked .* 1"):
        a.tally() - b.tally()


def test_values_that_were_never_added_show_in_the_spread() -> None:
    a = Rows(["a"] * 3, [("Rome", "smith", float(x), 1.0, 1, 1, "ice fox") for x in (1, 2, 3)], [1.0] * 3)
    b = Rows(["a"], [("Rome", "smith", 50.0, 1.0, 1, 1, "ice fox")], [1.0])
    with pytest.raises(NeverAdded, match="column 'height' holds a sum of squares"):
        a.tally() - b.tally()


def test_an_outlier_is_forgotten_without_a_trace() -> None:
    rng = np.random.default_rng(0)
    plain = [("Rome", "smith", float(x), float(y), 1, 1, "ice fox") for x, y in rng.normal(size=(500, 2))]
    a = Rows(["a"] * 500, plain, [1.0] * 500)
    outlier = Rows(["a"], [("Rome", "smith", 1e12, 0.0, 1, 1, "ice fox")], [1.0])
    both = a.tally() + outlier.tally(a.tally())
    left = both - outlier.tally(both)
    request = REQUESTS[2]
    np.testing.assert_allclose(left[request].variance, a.tally()[request].variance, rtol=1e-12)


def test_classes_and_levels_that_only_the_other_had_go_with_it() -> None:
    a = Rows(["a"], [("Rome", "smith", 1.0, 1.0, 1, 1, "ice fox")], [1.0])
    b = Rows(["b"], [("Oslo", "nurse", 1.0, 1.0, 1, 1, "ice fox")], [1.0])
    left = (a.tally() + b.tally()) - b.tally()
    assert left.classes == Labels.of(["a"])
    assert left[REQUESTS[0]].levels == (Labels.of(["Rome"]), Labels.of(["smith"]))


@pytest.mark.parametrize("factor", [-1.0, float("nan"), float("inf")])
def test_counts_age_by_a_sensible_factor(factor: float) -> None:
    with pytest.raises(BadWeights, match="finite factor"):
        Rows(["a"], [("Rome", "smith", 1.0, 1.0, 1, 1, "ice fox")], [1.0]).tally() * factor


def test_tallies_of_different_things_do_not_add() -> None:
    table = Rows(["a"], [("Rome", "smith", 1.0, 1.0, 1, 1, "ice fox")], [1.0]).table()
    engine = Memory()
    one, other = engine.collect(REQUESTS[:1], table), engine.collect(REQUESTS[1:2], table)
    with pytest.raises(MergeMismatch, match="count different things"):
        one + other


@given(rows(weights=WHOLE))
def test_statistics_go_through_arrays_and_back(a: Rows) -> None:
    tally = a.tally()
    rebuilt = {
        request: type(statistic).from_arrays(request, statistic.classes, statistic.to_arrays())
        for request, statistic in tally.statistics.items()
    }
    seen = ClassWeights.from_arrays(None, tally.classes, tally.seen.to_arrays())
    same(Tally(seen, rebuilt), tally)


def zero(like: Tally, classes: Labels) -> Tally:
    empty = {request: type(statistic).zero(request, classes) for request, statistic in like.statistics.items()}
    return Tally(ClassWeights.zero(classes), empty)


@given(rows(weights=WHOLE), rows(weights=WHOLE))
def test_sum_adds_from_nothing_and_factors_stand_on_either_side(a: Rows, b: Rows) -> None:
    x, y = a.tally(), b.tally()
    same(sum([x, y]), x + y)  # type: ignore[arg-type]
    same(0.5 * x, x * 0.5)


def test_what_is_no_tally_does_not_add() -> None:
    tally = Rows(["a"], [("Rome", "smith", 1.0, 1.0, 1, 1, "ice fox")], [1.0]).tally()
    for wrong in (lambda: tally + 1, lambda: 1 + tally, lambda: tally - 1):
        with pytest.raises(MergeMismatch, match="cannot join"):
            wrong()
    with pytest.raises(BadWeights, match="not by 'a'"):
        tally * "a"


def test_classes_of_words_and_of_numbers_do_not_meet() -> None:
    row = [("Rome", "smith", 1.0, 1.0, 1, 1, "ice fox")]
    with pytest.raises(MergeMismatch, match="one side's are strings"):
        Rows(["1"], row, [1.0]).tally() + Rows([1], row, [1.0]).tally()


def arrays_of(value: Any) -> list[np.ndarray]:
    """The arrays a statistic holds, those of the values in it too."""
    if isinstance(value, np.ndarray):
        return [value]
    parts = value if isinstance(value, tuple) else []
    if is_dataclass(value) and not isinstance(value, Labels):
        parts = [getattr(value, field.name) for field in fields(value)]
    return [array for part in parts for array in arrays_of(part)]


@given(rows(weights=WHOLE))
def test_what_was_counted_cannot_be_written_over(a: Rows) -> None:
    tally = a.tally()
    for statistic in (tally.seen, *tally.statistics.values()):
        assert arrays_of(statistic)
        assert not any(array.flags.writeable for array in arrays_of(statistic))
