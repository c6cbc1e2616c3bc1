"""A decision before it is summed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.labels import Labels
from candide.scorecard import Floats, Scorecard

NATS_TO_BITS = float(1 / np.log(2))


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """`prior + constant + parts.sum(axis=1)` is the log joint, for every row and class.

    `parts[i, j, c]` is what column j of row i says for class c; `constant` is what is said whatever the row, such as
    the absence of every word.
    """

    classes: Labels
    columns: Sequence[Any]
    prior: Floats
    constant: Floats
    parts: Floats

    @classmethod
    def of(cls, scorecard: Scorecard, parts: list[NDArray[Any]]) -> Evidence:
        columns = [name for term in scorecard.terms for name in term.columns]
        joined = np.concatenate(parts, axis=1) if parts else np.zeros((0, 0, len(scorecard.classes)))
        return cls(scorecard.classes, columns, scorecard.log_prior, scorecard.constant, joined)

    @property
    def log_joint(self) -> Floats:
        """The sum, a row a row and a column a class."""
        return np.asarray(self.prior + self.constant + self.parts.sum(axis=1))

    def __len__(self) -> int:
        return len(self.parts)

    def text(self, row: int = 0, most: int = 12) -> str:
        """One row's sum as lines: bits for the winning class over its strongest rival, the weightiest columns first."""
        total = self.log_joint[row]
        order = np.argsort(-total, kind="stable")
        winner, rival = int(order[0]), int(order[min(1, len(order) - 1)])
        share = np.exp(total - total.max())
        names = [f"{self.classes[winner]} {share[winner] / share.sum():.4f}"]
        names += [f"{self.classes[rival]} {share[rival] / share.sum():.4f}"] if rival != winner else []
        lines = ["  against  ".join(names)]
        for name, bits in self._bits(row, winner, rival, most):
            lines.append(f"  {name:<28.28} {bits:+10.3f} bits")
        lines.append(f"  {'sum':<28} {(total[winner] - total[rival]) * NATS_TO_BITS:+10.3f} bits")
        return "\n".join(lines)

    def _bits(self, row: int, winner: int, rival: int, most: int) -> list[tuple[str, float]]:
        sides = self.parts[row, :, winner] - self.parts[row, :, rival]
        order = np.argsort(-np.abs(sides), kind="stable")
        lines = [("prior", float(self.prior[winner] - self.prior[rival]))]
        if self.constant.any():
            lines.append(("whatever the row", float(self.constant[winner] - self.constant[rival])))
        lines += [(str(self.columns[j]), float(sides[j])) for j in order[:most]]
        if len(order) > most:
            lines.append((f"{len(order) - most} more columns", float(sides[order[most:]].sum())))
        return [(name, nats * NATS_TO_BITS) for name, nats in lines]

    def __repr__(self) -> str:
        return f"Evidence({len(self)} rows, {len(self.columns)} columns, {len(self.classes)} classes)"
