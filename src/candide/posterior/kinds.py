"""Numbers have kinds: only a log joint can be normalised into a posterior."""

from __future__ import annotations

from dataclasses import dataclass

from candide.errors import UnknownClass
from candide.kernels import for_work
from candide.labels import Labels
from candide.scorecard import Floats


@dataclass(frozen=True, slots=True, eq=False)
class LogJoint:
    """log P(class, row) up to something equal for all classes of a row."""

    classes: Labels
    values: Floats

    def posterior(self) -> Posterior:
        """Bayes' theorem: P(c | row) = P(c, row) / Σ P(c', row)."""
        values = self.values.copy()
        for_work(values.size).normalise(values)
        return Posterior(self.classes, values)


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Sums that rank classes but are no logarithms of probabilities, such as the complement's."""

    classes: Labels
    values: Floats

    def as_if_log_joint(self) -> LogJoint:
        """Read as a log joint all the same, as scikit-learn does; what comes out is not a probability."""
        return LogJoint(self.classes, self.values)


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """P(class | row): rows add to 1."""

    classes: Labels
    values: Floats

    def of(self, label: object) -> Floats:
        """The probability of one class, row by row."""
        place = int(self.classes.codes([label])[0])
        if place < 0:
            raise UnknownClass.asked(label, self.classes)
        return self.values[:, place]
