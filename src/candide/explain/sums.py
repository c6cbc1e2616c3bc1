"""A sum of evidence laid out: lines for a terminal, a table for a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from candide.explain import figures
from candide.explain.lines import Line, lines
from candide.explain.words import Word
from candide.scorecard import IMPOSSIBLE, Floats

if TYPE_CHECKING:
    from candide.explain.evidence import Evidence

Unit = Literal["bits", "nats", "decibans"]

NATS_TO_BITS = float(1 / np.log(2))
UNITS: dict[str, float] = {"bits": NATS_TO_BITS, "nats": 1.0, "decibans": float(10 / np.log(10))}
CLASSES_AT_MOST = 6  # side by side in a terminal


def text(evidence: Evidence, row: int, most: int, unit: Unit) -> str:
    """The winning class over its strongest rival."""
    shown, share = _order(evidence, row)[:2], evidence.posterior[row]
    out = ["  against  ".join(f"{evidence.classes[c]} {share[c]:.4f}" for c in shown.tolist())]
    for name, nats, said in _between(evidence, row, shown, most):
        out.append(f"  {name:<28.28} {float(nats) * UNITS[unit]:+10.3f} {unit}{_aside(said)}")
    return "\n".join(out)


def text_of_each(evidence: Evidence, row: int, most: int, unit: Unit) -> str:
    """Each class over the average class, a column a class."""
    order, share = _order(evidence, row), evidence.posterior[row]
    shown = order[:CLASSES_AT_MOST]
    head = f"over the average, {unit}"
    out = [f"  {head:<28}" + "".join(f" {figures.name(evidence.classes[c]):>11.11}" for c in shown.tolist())]
    for name, nats, said in _each(evidence, row, most):
        out.append(f"  {name:<28.28}" + "".join(f" {_number(nats[c], unit):>11}" for c in shown) + _aside(said))
    out.append(f"  {'posterior':<28}" + "".join(f" {share[c]:>11.4f}" for c in shown))
    left = len(order) - len(shown)
    return "\n".join([*out, *([f"  and {left} less probable class{'es' * (left > 1)}"] if left else [])])


def markdown(evidence: Evidence, row: int, most: int, unit: Unit) -> str:
    """Two classes against each other, each of more over the average class."""
    order, share, e = _order(evidence, row), evidence.posterior[row], figures.escaped
    names = [e(figures.name(evidence.classes[c])) for c in order.tolist()]
    if len(order) <= 2:
        sides = [f"{name} {share[c]:.4f}" for name, c in zip(names, order, strict=True)]
        heads = ["", f"{' against '.join(sides)}, {unit}"]
        rows = [[e(name), _number(nats, unit), e(said)] for name, nats, said in _between(evidence, row, order, most)]
    else:
        heads = [f"over the average, {unit}", *names]
        each = _each(evidence, row, most)
        rows = [[e(name), *(_number(nats[c], unit) for c in order), e(said)] for name, nats, said in each]
        rows.append(["posterior", *(f"{share[c]:.4f}" for c in order), ""])
    remarks = any(cells[-1] for cells in rows)
    rows = [[*heads, ""], ["---", *["---:"] * (len(heads) - 1), "---"], *rows]
    return "\n".join(f"| {' | '.join(cells if remarks else cells[:-1])} |" for cells in rows)


def _order(evidence: Evidence, row: int) -> NDArray[np.int64]:
    """Classes, the most probable first."""
    return np.argsort(-evidence.log_joint[row], kind="stable")


def _between(evidence: Evidence, row: int, order: NDArray[np.int64], most: int) -> list[Line]:
    """What speaks for the first class over the second."""
    first, second = int(order[0]), int(order[min(1, len(order) - 1)])
    nats = np.vstack([evidence.prior, evidence.constant, evidence.parts[row], evidence.log_joint[row]])
    names = [figures.name(evidence.classes[c]) for c in dict.fromkeys((first, second))]

    def over(said: Floats) -> Any:
        return said[first] - said[second]

    def seen(word: Word) -> str:
        return ", ".join(f"{name} {n:.6g}" for name, n in zip(names, word.seen[[first, second]], strict=False))

    return lines(evidence, row, nats[:, first] - nats[:, second], most, (over, seen))


def _each(evidence: Evidence, row: int, most: int) -> list[Line]:
    """What speaks for every class over the average class."""
    ways = (lambda said: said - said.mean(), lambda word: f"{word.seen.sum():.6g}")
    return lines(evidence, row, evidence.centred(row), most, ways)


def _number(nats: float, unit: Unit) -> str:
    return "impossible" if nats < IMPOSSIBLE / 2 else f"{nats * UNITS[unit]:+.3f}"


def _aside(said: str) -> str:
    return f"  {said}" if said else ""
