"""How good predictions are: rows of tables of quality."""

from dataclasses import dataclass

import numpy as np

from benchmarks.race import verdict

MEASURES = {"accuracy": 1, "log_loss": -1, "brier": -1, "ece": -1}  # whether more is better
CONTESTANTS = ("candide", "mixed", "10 bins")


@dataclass(frozen=True, slots=True)
class SetRow:
    """One measure of all contestants on one table: means over folds and their standard errors."""

    table: str
    shape: str
    means: tuple[float, ...]
    errors: tuple[float, ...]
    difference: tuple[float, float]
    missed: bool = False

    @staticmethod
    def headers() -> tuple[str, ...]:
        """The columns of the table."""
        return ("table", "rows x columns, classes", *CONTESTANTS, "better than the best peer by")

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        shown = [f"{mean:.4f} ± {error:.4f}" for mean, error in zip(self.means, self.errors, strict=True)]
        return (self.table, self.shape, *shown, "{:+.4f} ± {:.4f}".format(*self.difference))


@dataclass(frozen=True, slots=True)
class MeanRow:
    """One measure over all tables."""

    measure: str
    means: tuple[float, ...]
    gains: tuple[tuple[float, float], ...]
    wins: tuple[tuple[int, int], ...]
    missed: bool = False

    @staticmethod
    def headers() -> tuple[str, ...]:
        """The columns of the table."""
        peers = [cell for peer in CONTESTANTS[1:] for cell in (f"better than {peer} by", "on tables")]
        return ("mean of", *CONTESTANTS, *peers, "verdict")

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        compared = [
            cell
            for (gain, error), (won, all_) in zip(self.gains, self.wins, strict=True)
            for cell in (f"{gain:+.4f} ± {error:.4f}", f"{won} of {all_}")
        ]
        means = [f"{mean:.4f}" for mean in self.means]
        return (self.measure, *means, *compared, verdict(True, self.missed))


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """A measure of every contestant on every fold of one table, shape (folds, contestants)."""

    table: str
    shape: str
    folds: dict[str, np.ndarray]
    ece: np.ndarray  # of all folds together

    def mean(self, measure: str) -> np.ndarray:
        """One number a contestant."""
        return self.ece if measure == "ece" else self.folds[measure].mean(axis=0)

    def row(self, measure: str) -> SetRow:
        """A row of the measure's table; the difference is between the same folds."""
        found, means, sign = self.folds[measure], self.mean(measure), MEASURES[measure]
        peer = 1 + int((sign * means[1:]).argmax())
        gain = sign * (means[0] - means[peer])
        spread = float(error(found[:, 0] - found[:, peer]))
        return SetRow(self.table, self.shape, tuple(means), tuple(error(found)), (gain, spread))


def mean_row(measure: str, scores: list[Scores]) -> MeanRow:
    """All tables count alike; the error is that of the mean over tables. It is a miss to be worse than a peer."""
    found = np.stack([one.mean(measure) for one in scores])
    gains = MEASURES[measure] * (found[:, :1] - found[:, 1:])
    errors = error(gains)
    return MeanRow(
        measure.replace("_", "-"),
        tuple(found.mean(axis=0)),
        tuple(zip(gains.mean(axis=0), errors, strict=True)),
        tuple((int(won), len(found)) for won in (gains > 0).sum(axis=0)),
        bool((gains.mean(axis=0) < 0).any()),
    )


def error(values: np.ndarray) -> np.ndarray:
    """The standard error of the mean along the first axis; overlapping folds make it a little too small."""
    return (
        np.asarray(values.std(axis=0, ddof=1) / len(values) ** 0.5) if len(values) > 1 else np.zeros(values.shape[1:])
    )
