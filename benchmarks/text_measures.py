"""Accuracy, log-loss, calibration, false alarms: what is said of classifiers of texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.corpora import Corpus
from benchmarks.race import verdict

BINS, ALLOWED = 15, 2.5  # of the calibration error; false alarms in a thousand


@dataclass(frozen=True, slots=True)
class Aims:
    """What was hoped for: at least this accuracy, at most these losses."""

    accuracy: float | None = None
    log_loss: float | None = None
    ece: float | None = None
    alarms: float | None = None

    def words(self) -> str:
        """As a cell."""
        named = ((">=", self.accuracy), ("<=", self.log_loss), ("<=", self.ece))
        return " / ".join("–" if aim is None else f"{sign} {aim:g}" for sign, aim in named) if self.any else ""

    @property
    def any(self) -> bool:
        """Whether anything was hoped for."""
        return any(aim is not None for aim in (self.accuracy, self.log_loss, self.ece))


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """Truth, classes and log probabilities (or only the decisions) of each split, and what they come to."""

    splits: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]]
    accuracy: np.ndarray
    log_loss: np.ndarray | None
    ece: np.ndarray | None
    seconds: float

    @classmethod
    def of(cls, splits: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]], seconds: float) -> "Judged":
        """One number a split."""
        if splits[0][2].ndim == 1:
            right = np.array([np.mean(decided == truth) for truth, _, decided in splits])
            return cls(splits, right, None, None, seconds)
        found = np.array([_measured(*split) for split in splits])
        return cls(splits, found[:, 0], found[:, 1], found[:, 2], seconds)


def _measured(truth: np.ndarray, classes: np.ndarray, logs: np.ndarray) -> tuple[float, float, float]:
    places = np.searchsorted(classes, truth)
    right = logs.argmax(axis=1) == places
    sure = np.exp(logs.max(axis=1))
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)
    gaps = np.bincount(bins, right - sure, BINS)
    surprise = -logs[np.arange(len(places)), places]
    return float(right.mean()), float(surprise.mean()), float(np.abs(gaps).sum() / len(truth))


def shown(values: np.ndarray | None) -> str:
    """The mean, and its standard error where there are several."""
    if values is None:
        return "–"
    error = f" ± {values.std(ddof=1) / len(values) ** 0.5:.4f}" if len(values) > 1 else ""
    return f"{values.mean():.4f}{error}"


@dataclass(frozen=True, slots=True, eq=False)
class QualityRow:
    """One contestant on one set."""

    name: str
    judged: Judged
    aims: Aims
    counts: bool

    @staticmethod
    def headers() -> tuple[str, ...]:
        """The columns of the table."""
        return ("classifier", "accuracy", "log-loss", "ECE", "targets", "verdict", "seconds, all splits")

    @property
    def missed(self) -> bool:
        """Whether a target was not reached, as it is shown: to three digits."""
        found = self.judged
        short = self.aims.accuracy is not None and round(float(found.accuracy.mean()), 3) < self.aims.accuracy
        pairs = ((found.log_loss, self.aims.log_loss), (found.ece, self.aims.ece))
        much = any(v is not None and aim is not None and round(float(v.mean()), 3) > aim for v, aim in pairs)
        return self.counts and (short or much)

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        found = self.judged
        aimed = self.counts and self.aims.any
        values = (shown(found.accuracy), shown(found.log_loss), shown(found.ece))
        return (self.name, *values, self.aims.words(), verdict(aimed, self.missed), f"{found.seconds:,.1f}")


@dataclass(frozen=True, slots=True)
class SpamRow:
    """How many wanted messages would be lost, and how many others found."""

    name: str
    alarms: float
    recall: float
    threshold: float
    at_threshold: float
    target: float | None
    counts: bool

    @staticmethod
    def headers() -> tuple[str, ...]:
        """The columns of the table."""
        return (
            "classifier", "false alarms at P >= 0.5", "spam found", "P for 2.5 false alarms", "spam found there",
            "target", "verdict",
        )  # fmt: skip

    @property
    def missed(self) -> bool:
        """Whether there are more than was hoped for."""
        return self.counts and self.target is not None and round(self.alarms, 2) > self.target

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        aim = "" if self.target is None else f"<= {self.target:g}"
        values = (f"{self.alarms:.2f}", f"{self.recall:.1%}", f"{self.threshold:.3f}", f"{self.at_threshold:.1%}")
        return (self.name, *values, aim, verdict(self.counts and self.target is not None, self.missed))


def spam(name: str, judged: Judged, aims: Aims, counts: bool) -> SpamRow:
    """All splits together: spam is what is believed to be spam with a probability of a half, and of more."""
    truth = np.concatenate([split[0] for split in judged.splits]) == "spam"
    p = np.concatenate([np.exp(logs[:, np.searchsorted(classes, "spam")]) for _, classes, logs in judged.splits])
    ham = np.sort(p[~truth])[::-1]
    threshold = float(np.nextafter(ham[int(len(ham) * ALLOWED / 1_000)], 2))
    alarms = 1_000 * float(np.mean(ham >= 0.5))
    found = float(np.mean(p[truth] >= 0.5)), threshold, float(np.mean(p[truth] >= threshold))
    return SpamRow(name, alarms, *found, aims.alarms, counts)


@dataclass(frozen=True, slots=True)
class LanguageRow:
    """How even recall is over classes, and how fast all documents were classified, learning included."""

    name: str
    recalls: np.ndarray
    worst: str
    speed: float
    missed: bool = False

    @staticmethod
    def headers() -> tuple[str, ...]:
        """The columns of the table."""
        return ("classifier", "mean", "median", "least", "below 90 %", "the worst", "MB/s, learning and judging")

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        r = self.recalls
        values = (r.mean(), np.median(r), r.min())
        return (self.name, *(f"{v:.3f}" for v in values), str(int((r < 0.9).sum())), self.worst, f"{self.speed:,.1f}")


def languages(name: str, judged: Judged, asked: Any) -> LanguageRow:
    """The recall of every class."""
    truth, classes, logs = judged.splits[0]
    right = classes[logs.argmax(axis=1)] == truth
    recalls = np.array([right[truth == language].mean() for language in classes])
    worst = ", ".join(f"{classes[i]} {recalls[i]:.2f}" for i in np.argsort(recalls)[:6])
    assert isinstance(asked, Corpus), "documents were judged"
    return LanguageRow(name, recalls, worst, 3 * asked.megabytes / judged.seconds)
