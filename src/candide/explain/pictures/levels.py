"""What the values of one column say between two classes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from candide.errors import BadValue
from candide.explain.pictures.paper import words
from candide.explain.sums import NATS_TO_BITS
from candide.scorecard import IMPOSSIBLE, Floats

# Evidence beyond this many bits is that of a value one class never has: it says all there is to say.
NEVER = -IMPOSSIBLE * NATS_TO_BITS / 10

# What such a value counts for when columns are put in order.
MOST_SAID = 20.0

LONGEST = 26  # characters of a level
FEW = 4  # labels that find room in one line above the ruler and one below


class Levels(NamedTuple):
    """log P(level | second) / P(level | first) of each level, in nats, and how often each occurs if that is known.

    A column counted in bins gives the edges of the bins, numbers and one more than there are bins, for labels.
    """

    name: object
    labels: Any
    log_odds: ArrayLike
    shares: ArrayLike | None = None


class Scale:
    """`Levels`, checked and in bits."""

    def __init__(self, levels: Levels) -> None:
        bits = np.asarray(levels.log_odds, dtype=float).ravel() * NATS_TO_BITS
        labels = list(levels.labels)
        self.name = levels.name
        self.is_binned = len(labels) == len(bits) + 1 and np.asarray(labels).dtype.kind in "iuf"
        if not self.is_binned and len(labels) != len(bits):
            raise BadValue(
                f"column {levels.name!r} has {len(labels)} labels and {len(bits)} log-odds; give one of each a level, "
                "or the edges of bins, numbers and one more than there are bins."
            )
        shares = np.ones(len(bits)) if levels.shares is None else np.asarray(levels.shares, dtype=float).ravel()
        if len(shares) != len(bits):
            raise BadValue(f"column {levels.name!r} has {len(bits)} levels and {len(shares)} shares; give one a level.")
        named = _bins(labels) if self.is_binned else [str(label) for label in labels]
        known = ~np.isnan(bits)
        self.bits, self.shares = bits[known], shares[known]
        self.labels = [label for label, is_known in zip(named, known, strict=True) if is_known]
        self.has_shares = levels.shares is not None
        if not self.is_binned:
            self._join_never()
            self.labels = [words(label, LONGEST) for label in self.labels]

    def _join_never(self) -> None:
        """Levels that one class never has stand on the same spot: they share a dot and a label."""
        for side in (-1, 1):
            same = np.flatnonzero(self.is_never & (np.sign(self.bits) == side))
            if len(same) > 1:
                self.labels[same[0]] = ", ".join(self.labels[i] for i in same)
                self.shares[same[0]] = self.shares[same].sum()
                kept = np.setdiff1d(np.arange(len(self.bits)), same[1:])
                self.bits, self.shares = self.bits[kept], self.shares[kept]
                self.labels = [self.labels[i] for i in kept]

    @property
    def is_never(self) -> Any:
        """Where one class never has the level."""
        return np.abs(self.bits) >= NEVER

    @property
    def finite(self) -> Floats:
        """The bits of levels that both classes have."""
        return np.asarray(self.bits[~self.is_never])

    @property
    def information(self) -> float:
        """How many bits a value says on average or, where shares are not known, how far levels are apart."""
        said = np.clip(self.bits, -MOST_SAID, MOST_SAID)
        if not len(said):
            return 0.0
        if self.has_shares and self.shares.sum() > 0:
            return float(np.abs(said) @ self.shares / self.shares.sum())
        return float(said.max() - said.min())

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the most it can say."""
        said = np.clip(self.bits, -MOST_SAID, MOST_SAID)
        return (float(said.min()), float(said.max())) if len(said) else (0.0, 0.0)

    @property
    def tall(self) -> float:
        """How many inches its row takes."""
        return 1.45 if self.is_binned else 0.62 if len(self.bits) <= FEW else 0.96

    @property
    def by_weight(self) -> list[int]:
        """Levels in the order in which they deserve a label: the commonest, both ends, then the rest."""
        if not len(self.bits):
            return []
        order = np.argsort(-(self.shares if self.has_shares else np.abs(self.bits)), kind="stable").tolist()
        first = order[:2] if self.has_shares else []
        ends = [0, len(self.bits) - 1] if self.is_binned else []
        return list(dict.fromkeys([*ends, *first, int(self.bits.argmin()), int(self.bits.argmax()), *order]))


def _bins(edges: list[Any]) -> list[str]:
    """Names of bins: < 3, 3 – 5, ≥ 5."""
    names = []
    for low, high in pairwise(edges):
        if not np.isfinite(low):
            names.append("all" if not np.isfinite(high) else f"< {high:.4g}")
        else:
            names.append(f"{low:.4g} – {high:.4g}" if np.isfinite(high) else f"≥ {low:.4g}")
    return names
