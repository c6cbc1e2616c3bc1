"""How each event model's columns are worked out on paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from candide.counts import ClassWeights, Columns
from candide.errors import UndefinedPosterior
from candide.events import Bernoulli, Categorical, Event, FullJoint, Gaussian, Multinomial, Words
from candide.events.words import FittedWords
from candide.explain import figures
from candide.explain.block import (
    EMPTY,
    MISSING,
    UNSEEN,
    Block,
    Row,
    cell,
    finite,
    known,
    number_of,
    parts_of,
    place_of,
)
from candide.explain.exact import Virtual, fractions
from candide.explain.factors import Factor, Step, shares_of
from candide.explain.text_steps import of_text
from candide.labels import is_missing
from candide.scorecard import Linear, Quadratic, StudentT, safe_log

CELLS_AT_MOST = 1 << 18  # of tables that are turned into fractions: a second or two
POWER_AT_MOST = 4096  # of a share that is multiplied out


def steps(columns: Columns, event: Event, statistic: Any, seen: ClassWeights, row: Row) -> Iterator[Step]:
    """The steps of one event model's columns, worked out in the way of that model, or by the evidence of its term."""
    return WAYS.get(type(event), of_term)(Block(columns, event, statistic, seen), row)


def of_levels(block: Block, row: Row) -> Iterator[Step]:
    """n of N rows have the level. One that no row had gets 1/(J + 1) in every class."""
    if sum(table.size for table in block.statistic.tables) > CELLS_AT_MOST:
        yield from of_term(block, row)
        return
    event = block.believed
    for j, column in enumerate(block.columns):
        value, size = cell(row, column), event.size(block.statistic, j)
        said = f"{figures.name(column)}={figures.name(value)}"
        place = place_of(block.statistic.levels[j], value, None if event.sizes is None else event.sizes[j])
        if place == MISSING:
            yield Step.nothing(column, value, said, block.k, _missing(column))
        elif place == UNSEEN:
            factors = (Factor.exactly(Fraction(1, size + 1)),) * block.k
            yield Step(
                column, value, said, factors, f"{said} was never seen: an equal share in every class, no evidence."
            )
        else:
            table = fractions(block.statistic.tables[j])
            counted = replace(block.statistic, tables=_with(block.statistic.tables, j, table))
            values = event.empty_shares(counted, j) if place == EMPTY else event.shares(counted, j)[:, place]
            n = np.zeros(block.k) if place == EMPTY else table[place]
            virtual = Virtual.of(event.prior, size)
            yield Step(column, value, said, shares_of(virtual, max(place, 0), values, n, table.sum(axis=0)))


def of_yes_or_no(block: Block, row: Row) -> Iterator[Step]:
    """n of N rows of the class say yes, or no."""
    _ = block.term  # refuses columns that are not yes or no
    if 4 * block.statistic.sums.size > CELLS_AT_MOST:  # every column is a factor here, whatever the row
        yield from of_term(block, row)
        return
    event, rows = block.believed, fractions(block.seen.weights)
    virtual = Virtual.of(event.prior, 2)
    every_yes = np.minimum(fractions(block.statistic.sums), rows[:, None])
    shares = event.shares(every_yes, np.broadcast_to(rows[:, None], every_yes.shape))
    for j, column in enumerate(block.columns):
        value = cell(row, column)
        number = number_of(column, value)
        x = finite(column, number) if event.above is None else float(known(column, number) > event.above)
        said = _yes_or_no(column, number, event.above, x)
        yes, values = every_yes[:, j], shares[:, j]
        if x in (0.0, 1.0):
            n = yes if x else rows - yes
            factors = shares_of(virtual, int(x), values[:, int(x)], n, rows)
        else:
            logs = safe_log(values) @ np.array([1 - x, x])
            factors = tuple(Factor.density(part, f"P(no)^{1 - x:g} · P(yes)^{x:g}") for part in logs)
        yield Step(column, value, said, factors)


def of_words(block: Block, row: Row) -> Iterator[Step]:
    """n of N words are this one, as often as it occurs. θ⁰ = 1: words that do not occur are not written down."""
    sums = block.statistic.sums
    if sums.size > CELLS_AT_MOST:
        yield from of_term(block, row)
        return
    event, counted = block.believed, fractions(sums)
    totals, shares = counted.sum(axis=1), event.shares(replace(block.statistic, sums=counted))
    virtual = Virtual.of(event.prior, sums.shape[1])
    for j, column in enumerate(block.columns):
        value = cell(row, column)
        x = finite(column, number_of(column, value))
        said = figures.name(column)
        if x > 0 and x.is_integer() and x <= POWER_AT_MOST:
            factors = shares_of(virtual, j, shares[:, j], counted[:, j], totals, int(x))
            yield Step(column, value, said, factors)
        elif x:
            logs = x * safe_log(shares[:, j])
            yield Step(column, value, said, tuple(Factor.density(part, f"θ^{x:g}") for part in logs))


def of_densities(block: Block, row: Row) -> Iterator[Step]:
    """The height of the bell curve at the cell: N(x; mean, variance), or Student's t(x; middle, scale², degrees)."""
    parts, term = parts_of(block, row), block.term
    assert isinstance(term, (Quadratic, StudentT)), "a Gaussian has no other terms"
    for j, column in enumerate(block.columns):
        value = cell(row, column)
        said = f"{figures.name(column)}={figures.name(value)}"
        if is_missing(value):
            yield Step.nothing(column, value, said, block.k, _missing(column))
        elif not term.precision[:, j].any():
            yield Step.nothing(column, value, said, block.k, f"{figures.name(column)} never varies: no evidence.")
        else:
            curves = [_curve(term, c, j, value) for c in range(block.k)]
            yield Step(column, value, said, tuple(map(Factor.density, parts[j], curves)))


def of_combinations(block: Block, row: Row) -> Iterator[Step]:
    """n of the class's rows are equal to this one."""
    column = tuple(block.columns)
    values = tuple(cell(row, name) for name in column)
    said = ", ".join(f"{figures.name(name)}={figures.name(value)}" for name, value in zip(column, values, strict=True))
    if any(map(is_missing, values)):
        yield Step.nothing(column, values, said, block.k, _missing(said))
        return
    place = place_of(block.statistic.levels[0], values, None)
    if place >= 0:
        table, rows = fractions(block.statistic.tables[0]), fractions(block.seen.weights)
        shares = [n / (total or Fraction(1)) for n, total in zip(table[place], rows, strict=True)]
        yield Step(column, values, said, shares_of(Virtual.of(None, 1), 0, shares, table[place], rows))
    elif block.event.unseen == "error":
        raise UndefinedPosterior(
            f"{values!r} (columns {column!r}) was never seen, so #(x, y) / #(x) is 0/0; use a model with independent "
            "columns, or FullJoint(unseen='prior')."
        )
    else:
        yield Step.nothing(column, values, said, block.k, f"{said} was never seen together: no evidence.")


def of_term(block: Block, row: Row) -> Iterator[Step]:
    """Any event model: its evidence in nats, as the power of e that it is; and what it says whatever the row."""
    parts, term = parts_of(block, row), block.term
    for j, column in enumerate(term.columns):
        names = column if isinstance(column, tuple) and column not in row else (column,)
        values = tuple(cell(row, name) for name in names)
        said = ", ".join(
            f"{figures.name(name)}={figures.name(value)}" for name, value in zip(names, values, strict=True)
        )
        value = values if len(names) > 1 else values[0]
        if any(map(is_missing, values)) and not parts[j].any():
            yield Step.nothing(column, value, said, block.k, _missing(column))
        elif parts[j].any() or not isinstance(term, Linear):  # a word that does not occur is not written down
            yield Step(column, value, said, tuple(Factor.density(part, f"e^{part:.6g}") for part in parts[j]))
    if term.constant.any():
        factors = tuple(Factor.density(part, f"e^{part:.6g}") for part in term.constant)
        yield Step(tuple(term.columns), None, "whatever the row", factors)


# How the columns of each event model are worked out; the others show the evidence of their term.
WAYS: dict[type, Callable[[Block, Row], Iterator[Step]]] = {
    Bernoulli: of_yes_or_no,
    Categorical: of_levels,
    FullJoint: of_combinations,
    Gaussian: of_densities,
    Multinomial: of_words,
    Words: of_text,
    FittedWords: of_text,
}


def _missing(column: Any) -> str:
    return f"{figures.name(column)} is missing: no evidence."


def _with(tables: tuple[Any, ...], j: int, table: Any) -> tuple[Any, ...]:
    return (*tables[:j], table, *tables[j + 1 :])


def _yes_or_no(column: Any, number: float, above: float | None, x: float) -> str:
    if above is None or number in (0.0, 1.0):
        return f"{figures.name(column)}={figures.name(number)}"
    return f"{figures.name(column)}{'>' if x else '≤'}{above:g}"


def _curve(term: Quadratic | StudentT, c: int, j: int, value: Any) -> str:
    """The density with its figures put in."""
    x, mean = figures.name(number_of("", value)), f"{term.mean[c, j]:.6g}"
    if isinstance(term, Quadratic):
        return f"N({x}; {mean}, {1 / term.precision[c, j]:.6g})"
    degrees = 2 * term.half[c, j] - 1
    return f"t({x}; {mean}, {1 / (term.precision[c, j] * degrees):.6g}, {degrees:g})"
