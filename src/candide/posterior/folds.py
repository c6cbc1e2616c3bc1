"""Several reports side by side, such as those of the folds of a cross-validation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from math import sqrt
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np

from candide.errors import TooSmall
from candide.posterior import printed

if TYPE_CHECKING:
    from candide.posterior.measures import Report


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Folds:
    """Every measure's mean over reports, m̄ = Σ m_i / r, and its standard error √(Σ (m_i − m̄)² / (r(r − 1))).

    A report that has no such measure, such as the AUC of a fold with one class, is left out of its mean. Folds share
    most of their training rows, so the standard error says less than it would of independent samples.
    """

    reports: tuple[Report, ...]

    def __post_init__(self) -> None:
        if not self.reports:
            raise TooSmall("there is no mean of no reports; give at least one.")

    @property
    def pooled(self) -> Report:
        """One report on all rows together."""
        return reduce(add, self.reports)

    def values(self, measure: str) -> list[float]:
        """One measure of each report that has it."""
        found = (report.measures[measure] for report in self.reports)
        return [value for value in found if value is not None]

    @property
    def means(self) -> dict[str, float | None]:
        """The mean of each measure, None where no report has it."""
        known = {name: self.values(name) for name in printed.TITLES}
        return {name: float(np.mean(values)) if values else None for name, values in known.items()}

    @property
    def errors(self) -> dict[str, float | None]:
        """The standard error of each mean, None where fewer than two reports have the measure."""
        known = {name: self.values(name) for name in printed.TITLES}
        return {name: _error(values) for name, values in known.items()}

    def text(self) -> str:
        """Means and standard errors as lines to read."""
        return printed.aligned("", self._lines())

    def markdown(self) -> str:
        """Means and standard errors as a table in Markdown."""
        return printed.table("", self._lines())

    def plain(self) -> dict[str, Any]:
        """Means, standard errors and every report as plain values."""
        return {"means": self.means, "errors": self.errors, "reports": [report.plain() for report in self.reports]}

    def json(self) -> str:
        """`plain()` as JSON."""
        return printed.json_of(self.plain())

    def _lines(self) -> list[list[str]]:
        means, errors = self.means, self.errors
        lines = [["measure", "mean", "standard error", "least", "most"]]
        for name, title in printed.TITLES.items():
            values = self.values(name)
            ends = [min(values), max(values)] if values else [None, None]
            lines.append([title, *map(printed.number, (means[name], errors[name], *ends))])
        lines.append(["rows", f"{np.mean([report.rows for report in self.reports]):,.1f}", *[""] * 3])
        return lines

    def __repr__(self) -> str:
        named = zip(self.means.items(), self.errors.values(), strict=True)
        shown = ", ".join(f"{name} {printed.number(mean)} ± {printed.number(error)}" for (name, mean), error in named)
        return f"Folds({len(self.reports)} reports; {shown})"


def _error(values: list[float]) -> float | None:
    return float(np.std(values, ddof=1)) / sqrt(len(values)) if len(values) > 1 else None
