"""A derivation laid out: lines for a terminal, a table for a page."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import numpy as np

from candide.explain import figures
from candide.explain.factors import Factor, Step

if TYPE_CHECKING:
    from candide.explain.derive import Derivation

GAP = 3  # blanks between two classes side by side
LEAST = 40  # characters of a line


def text(derivation: Derivation, width: int, most: int) -> str:
    """Counts to fractions, product, posterior, decision, remarks."""
    width, steps = max(width, LEAST), _shown(derivation, most)
    blocks = [
        _shares(derivation, steps, width),
        _products(derivation, steps, width),
        [
            *_posterior(derivation, width),
            f"{derivation.target} = {figures.name(derivation.decision)}{_tie(derivation)}",
        ],
        [line for said in derivation.remarks for line in textwrap.wrap(f"* {said}", width, subsequent_indent="  ")],
    ]
    return "\n\n".join("\n".join(lines) for lines in blocks if lines)


def markdown(derivation: Derivation, most: int) -> str:
    """A row a column of the data, a column a class; the decision and the remarks below."""
    e, d = figures.escaped, derivation
    rows = [["", *(e(_class(d, c)) for c in range(len(d.classes)))], ["---"] * (len(d.classes) + 1)]
    rows.append([f"P({e(d.target)})", *(e(factor.written) for factor in d.prior)])
    rows += [[e(step.event), *(e(factor.written) for factor in step.factors)] for step in _shown(d, most)]
    rows.append(["product", *(e(_weight(d, c)) for c in range(len(d.classes)))])
    rows.append([f"P({e(d.target)} \\| row)", *(e(_answer(d, c)) for c in range(len(d.classes)))])
    lines = [f"| {' | '.join(cells)} |" for cells in rows]
    lines += ["", f"**{e(d.target)} = {e(figures.name(d.decision))}**{_tie(d)}"]
    return "\n".join([*lines, *([""] if d.remarks else []), *(f"* {e(said)}" for said in d.remarks)])


def _shown(derivation: Derivation, most: int) -> list[Step]:
    """The steps that say something; of too many the weightiest, in their order, and the others as one."""
    loud = [step for step in derivation.steps if not step.silent]
    if len(loud) <= most:
        return loud
    logs = np.array([[factor.log for factor in step.factors] for step in loud])
    kept = sorted(np.argsort(-np.ptp(logs, axis=1), kind="stable")[:most].tolist())
    rest = np.delete(logs, kept, axis=0).sum(axis=0)
    others = tuple(Factor.density(log, "") for log in rest)
    return [*(loud[i] for i in kept), Step(None, None, f"{len(loud) - most} more columns", others)]


def _shares(derivation: Derivation, steps: list[Step], width: int) -> list[str]:
    """P(c) and P(cell | c): two classes side by side where they fit, else one after the other."""
    blocks = []
    for c, first in enumerate(derivation.prior):
        label = _class(derivation, c)
        names = [f"P({label})", *(_named(step, c, label) for step in steps)]
        worked = [first.written, *(step.factors[c].written for step in steps)]
        blocks.append(_aligned(names, worked))
    if len(blocks) == 2:
        left = max(map(len, blocks[0])) + GAP
        beside = [f"{one:<{left}}{other}" for one, other in zip(*blocks, strict=True)]
        if max(map(len, beside)) <= width:
            return beside
    return "\n\n".join("\n".join(lines) for lines in blocks).split("\n")


def _named(step: Step, c: int, label: str) -> str:
    """P for a share, p for a density, f for any other factor."""
    factor = step.factors[c]
    sign = "P" if factor.value is not None else "p" if factor.formula[:2] in ("N(", "t(") else "f"
    power = f"^{factor.power}" if factor.power != 1 else ""
    return f"{sign}({step.event} | {label}){power}"


def _products(derivation: Derivation, steps: list[Step], width: int) -> list[str]:
    labels = [f"P({_class(derivation, c)}) · Π" for c in range(len(derivation.classes))]
    lines: list[str] = []
    for c, start in enumerate(_aligned(labels, [""] * len(labels))):
        factors = [derivation.prior[c].short, *(step.factors[c].short for step in steps)]
        lines += _wrapped(start, " · ".join(factors) + f" = {_weight(derivation, c)}", width)
    return lines + (_without_zeros(derivation, steps, width) if derivation.is_undefined else [])


def _without_zeros(derivation: Derivation, steps: list[Step], width: int) -> list[str]:
    """What decides where every product is 0."""
    least, lines = min(derivation.zeros), ["", f"With the fewest zeros ({min(derivation.zeros)}), which are left out:"]
    for c, n in enumerate(derivation.zeros):
        if n == least:
            factors = [f for f in (derivation.prior[c], *(step.factors[c] for step in steps)) if not f.zeros]
            rest = sum(factor.log for factor in factors)
            written = " · ".join(factor.short for factor in factors) or "1"
            ending = f" = {figures.decimal(float(np.exp(rest)), rest)}"
            lines += _wrapped(f"P({_class(derivation, c)}) · Π′ = ", written + ending, width)
    return lines


def _posterior(derivation: Derivation, width: int) -> list[str]:
    labels = [f"P({_class(derivation, c)} | row)" for c in range(len(derivation.classes))]
    if derivation.is_undefined:
        return [line.replace(" = ", " → ", 1) for line in _aligned(labels, _answers(derivation))]
    weights = [_brief(derivation, c) for c in range(len(labels))]
    total, starts = " + ".join(weights), [start.rstrip() for start in _aligned(labels, [""] * len(labels))]
    lines = [
        f"{start} {_bracketed(weight)} / ({total}) = {answer}"
        for start, weight, answer in zip(starts, weights, _answers(derivation), strict=True)
    ]
    if len(weights) > 1 and max(map(len, lines)) <= width:
        return lines
    of_row = [f"{_bracketed(w)} / P(row) = {answer}" for w, answer in zip(weights, _answers(derivation), strict=True)]
    first, *others = _aligned(["P(row)", *labels], [total, *of_row])
    head = first[: first.index(" = ") + 3]
    return [*_wrapped(head, total, width), *others]


def _answers(derivation: Derivation) -> list[str]:
    return [_answer(derivation, c) for c in range(len(derivation.classes))]


def _answer(derivation: Derivation, c: int) -> str:
    exact = figures.fraction(derivation.shares[c]) if derivation.shares else ""
    decimal = figures.share(derivation.posterior[c])
    return f"{exact} = {decimal}" if "/" in exact else exact or decimal


def _weight(derivation: Derivation, c: int) -> str:
    """The product: 18/875 = 0.0206."""
    number = figures.decimal(_number(derivation, c), derivation.logs[c])
    exact = figures.fraction(derivation.weights[c]) if derivation.weights else ""
    return f"{exact} = {number}" if "/" in exact else exact or number


def _brief(derivation: Derivation, c: int) -> str:
    exact = figures.fraction(derivation.weights[c]) if derivation.weights else ""
    return exact or figures.decimal(_number(derivation, c), derivation.logs[c])


def _number(derivation: Derivation, c: int) -> float:
    if derivation.weights:
        return float(derivation.weights[c])
    return 0.0 if derivation.zeros[c] else float(np.exp(min(derivation.logs[c], 700.0)))


def _class(derivation: Derivation, c: int) -> str:
    """A class by name; one that is a number, with the name of what it is."""
    label = derivation.classes[c]
    return figures.name(label) if isinstance(label, str) else f"{derivation.target}={figures.name(label)}"


def _tie(derivation: Derivation) -> str:
    return " (a tie)" if derivation.is_tie else ""


def _bracketed(written: str) -> str:
    return f"({written})" if "/" in written else written


def _aligned(names: list[str], values: list[str]) -> list[str]:
    wide = max(map(len, names))
    return [f"{name:<{wide}} = {value}" for name, value in zip(names, values, strict=True)]


def _wrapped(start: str, rest: str, width: int) -> list[str]:
    """A long line broken before its signs, the rest under its beginning."""
    indent = " " * min(len(start), width // 3)
    lines, line = [], start
    for i, word in enumerate(_terms(rest)):
        if i and len(line) + len(word) > width:
            lines.append(line.rstrip())
            line = indent + word.lstrip()
        else:
            line += word
    return [*lines, line]


def _terms(written: str) -> list[str]:
    """Pieces that each begin with their sign: "a", " · b", " = c"."""
    pieces: list[str] = []
    for word in written.split(" "):
        if not pieces or word in ("·", "+", "="):
            pieces.append(word if not pieces else f" {word}")
        else:
            pieces[-1] += f" {word}"
    return pieces
