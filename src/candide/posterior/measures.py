"""How good predicted probabilities are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from candide.errors import MergeMismatch
from candide.labels import Labels
from candide.posterior import printed
from candide.posterior.checks import checked_probabilities, checked_truth, checked_weights
from candide.posterior.decide import best
from candide.posterior.ranking import Ranking
from candide.posterior.reliability import Reliability
from candide.scorecard import Floats

if TYPE_CHECKING:
    from candide.posterior.folds import Folds

# The least probability that a true class is taken to have had: one that was thought impossible costs 36 nats, not
# infinitely many. It is scikit-learn's floor, the spacing of floats at 1.
FLOOR = float(np.finfo(float).eps)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Report:
    """What came of predictions: sums over rows, so that the report of two parts is the sum of their reports.

    `confusion[t, d]` is the weight of the rows of class t decided as d. What cannot be said, such as the accuracy of no
    rows or the precision of a class that was never decided, is None.

    >>> report = Report.of(Labels.of(["no", "yes"]), [[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]], [0, 0, 1])
    >>> round(report.accuracy, 4), report.auc
    (0.6667, 1.0)
    """

    classes: Labels
    rows: int
    confusion: Floats
    sum_log_loss: float
    sum_brier: float
    reliability: Reliability
    ranking: Ranking

    @classmethod
    def of(
        cls, classes: Labels, probabilities: ArrayLike, truth: ArrayLike, weights: ArrayLike | None = None
    ) -> Report:
        """Judge P(class | row), a column a class in their order, by the places of the true classes.

        The decided class is the most probable, the first in order of several.
        """
        values = checked_probabilities(np.asarray(probabilities), len(classes))
        places = checked_truth(truth, len(values), len(classes))
        w = checked_weights(weights, len(values))
        decided = best(values) if values.size else np.zeros(len(values), np.int64)
        at = np.arange(len(values))
        of_truth = values[at, places]
        squares = np.einsum("ij,ij->i", values, values) - 2.0 * of_truth + 1.0
        pairs = np.bincount(places * len(classes) + decided, w, len(classes) ** 2).astype(float)
        return cls(
            classes,
            len(values),
            pairs.reshape(len(classes), len(classes)),
            0.0 - float(w @ np.log(np.clip(of_truth, FLOOR, 1.0))),
            float(w @ np.maximum(squares, 0.0)),
            Reliability.of(values[at, decided], decided == places, w),
            Ranking.of(values, places, w),
        )

    @classmethod
    def zero(cls, classes: Labels) -> Report:
        """The report of no rows, to add others to."""
        return cls.of(classes, np.zeros((0, len(classes))), np.zeros(0, np.int64))

    @staticmethod
    def mean_of(reports: Iterable[Report]) -> Folds:
        """Every measure's mean over reports, such as those of the folds of a cross-validation, and its error."""
        from candide.posterior.folds import Folds

        return Folds(tuple(reports))

    def __add__(self, other: Report) -> Report:
        if self.classes != other.classes:
            raise MergeMismatch(f"reports on {self.classes} and on {other.classes} do not add; judge both by the same.")
        return Report(
            self.classes,
            self.rows + other.rows,
            self.confusion + other.confusion,
            self.sum_log_loss + other.sum_log_loss,
            self.sum_brier + other.sum_brier,
            self.reliability + other.reliability,
            self.ranking + other.ranking,
        )

    @property
    def weight(self) -> float:
        """Σ w: the number of rows, if they have no weights."""
        return float(self.confusion.sum())

    @property
    def accuracy(self) -> float | None:
        """The share of rows decided right."""
        return self._per_weight(float(np.trace(self.confusion)))

    @property
    def majority(self) -> float | None:
        """The accuracy of always deciding for the most frequent class."""
        return self._per_weight(float(self.confusion.sum(axis=1).max(initial=0.0)))

    @property
    def balanced_accuracy(self) -> float | None:
        """The mean of `recall` over the classes that have rows."""
        known = [share for share in self.recall if share is not None]
        return float(np.mean(known)) if known else None

    @property
    def log_loss(self) -> float | None:
        """The mean of −log P(true class | row), in nats; a probability below 2⁻⁵² counts as 2⁻⁵²."""
        return self._per_weight(self.sum_log_loss)

    @property
    def brier(self) -> float | None:
        """The mean of Σ_c (P(c | row) − [c is true])², from 0 to 2."""
        return self._per_weight(self.sum_brier)

    @property
    def ece(self) -> float | None:
        """Expected calibration error: how far probabilities of decided classes are from the shares that were right."""
        return self.reliability.error

    @property
    def auc(self) -> float | None:
        """The area under the ROC curve; of more than two classes the plain mean of each against the rest."""
        return self.ranking.auc

    @property
    def auc_error(self) -> float:
        """The most that `auc` can be wrong by: 0 but for sums of more than 2¹⁸ different scores, which are binned."""
        return self.ranking.error

    @property
    def recall(self) -> tuple[float | None, ...]:
        """Of the rows of each class, the share decided as such."""
        return _ratios(self.confusion.diagonal(), self.confusion.sum(axis=1))

    @property
    def precision(self) -> tuple[float | None, ...]:
        """Of the rows decided as each class, the share that are."""
        return _ratios(self.confusion.diagonal(), self.confusion.sum(axis=0))

    @property
    def measures(self) -> dict[str, float | None]:
        """The measures that are one number, by name."""
        names = ("accuracy", "balanced_accuracy", "log_loss", "brier", "ece", "auc")
        return {name: getattr(self, name) for name in names}

    def text(self) -> str:
        """The report as lines to read."""
        return printed.text(self)

    def markdown(self) -> str:
        """The report as tables in Markdown."""
        return printed.markdown(self)

    def plain(self) -> dict[str, Any]:
        """The report as plain values: dicts, lists, strings, numbers and None."""
        return printed.plain(self)

    def json(self) -> str:
        """`plain()` as JSON."""
        return printed.json_of(self.plain())

    def _per_weight(self, total: float) -> float | None:
        weight = self.weight
        return total / weight if weight > 0 else None

    def __repr__(self) -> str:
        shown = ", ".join(f"{name} {printed.number(value)}" for name, value in self.measures.items())
        return f"Report({self.rows:,} rows, {len(self.classes)} classes; {shown})"


def _ratios(part: Floats, whole: Floats) -> tuple[float | None, ...]:
    return tuple(float(a / b) if b > 0 else None for a, b in zip(part, whole, strict=True))
