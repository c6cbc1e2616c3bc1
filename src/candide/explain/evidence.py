"""A decision before it is summed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.counts import Tally
from candide.counts.bag import Bag
from candide.errors import UnknownColumn
from candide.explain import figures, sums
from candide.explain.bags import bag_of
from candide.explain.words import TextEvidence
from candide.labels import Labels, is_missing
from candide.scorecard import IMPOSSIBLE, Floats, Lookup, Scorecard, WordSum

MISSING = "missing: no evidence"
UNSEEN = "never seen: no evidence"


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """`prior + constant + parts.sum(axis=1)` is the log joint, for every row and class.

    `parts[i, j, c]` is what column j of row i says for class c; `constant` is what is said whatever the row, such as
    the absence of every word. `values[i, j]`, the cell, and `unseen[i, j]`, whether no row had it before, are there if
    the cells were given; then `words` opens a column of texts.
    """

    classes: Labels
    columns: Sequence[Any]
    prior: Floats
    constant: Floats
    parts: Floats
    values: NDArray[Any] | None = None
    unseen: NDArray[np.bool_] | None = None
    texts: Mapping[int, tuple[WordSum, Bag, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, scorecard: Scorecard, parts: list[NDArray[Any]], rows: int = 0) -> Evidence:
        columns = [name for term in scorecard.terms for name in term.columns]
        joined = np.concatenate(parts, axis=1) if parts else np.zeros((rows, 0, len(scorecard.classes)))
        return cls(scorecard.classes, columns, scorecard.log_prior, scorecard.constant, joined)

    def with_cells(self, scorecard: Scorecard, cells: Mapping[Any, Any], tally: Tally | None = None) -> Evidence:
        """The same with the cells that were read: an array, or a list, of values for each column.

        With the `tally` texts can be opened into their words.
        """
        values = np.empty(self.parts.shape[:2], dtype=object)
        unseen = np.zeros(values.shape, dtype=bool)
        terms = [(term, place) for term in scorecard.terms for place in range(len(term.columns))]
        for j, (term, place) in enumerate(terms):
            values[:, j] = _cells(cells, term.columns[place])
            if isinstance(term, Lookup):
                size = -1 if term.sizes is None else term.sizes[place]
                strange = term.levels[place].codes(values[:, j]) < 0
                unseen[:, j] = [odd and not _known(cell, size) for odd, cell in zip(strange, values[:, j], strict=True)]
        texts = {
            j: (term, *bag_of(tally, term.columns[place]))
            for j, (term, place) in enumerate(terms)
            if tally is not None and isinstance(term, WordSum)
        }
        return replace(self, values=values, unseen=unseen, texts=texts)

    def words(self, row: int = 0, column: Any = None) -> TextEvidence:
        """What the words of a text say, each by itself; `column` may be left out if there is one column of texts."""
        names = [self.columns[j] for j in self.texts]
        if column is None and len(names) > 1:
            raise UnknownColumn(f"there are several columns of texts ({', '.join(map(str, names))}): name one of them.")
        column = names[0] if column is None and names else column
        if column not in names:
            raise UnknownColumn.named(column, "the columns whose words can be shown", names)
        return self.opened(row, list(self.columns).index(column))

    def opened(self, row: int, j: int) -> TextEvidence:
        """The words of the text in column j."""
        term, bag, number = self.texts[j]
        return TextEvidence.of(term, self.cell(row, j), bag, number)

    def cell(self, row: int, j: int) -> Any:
        """A cell, None if it is not known."""
        return None if self.values is None else self.values[row, j]

    @property
    def log_joint(self) -> Floats:
        """The sum, a row a row and a column a class."""
        return np.asarray(self.prior + self.constant + self.parts.sum(axis=1))

    @property
    def posterior(self) -> Floats:
        """P(class | row), a column a class."""
        total = self.log_joint
        share = np.exp(total - total.max(axis=1, keepdims=True))
        return np.asarray(share / share.sum(axis=1, keepdims=True))

    def centred(self, row: int = 0) -> Floats:
        """What speaks for each class over the average class: prior, constant, each column, and their sum in the end.

        From every line its mean over the classes is taken away, of those that it does not rule out. What is taken is
        the same for all classes, so that differences between classes are log odds, the lines add up to the last one,
        and that one normalises to the posterior. (The odds of a class against all the others together have no such sum:
        what a column adds to them depends on the columns before it.)
        """
        lines = np.vstack([self.prior, self.constant, self.parts[row]])
        possible = lines > IMPOSSIBLE / 2
        number = np.maximum(possible.sum(axis=1, keepdims=True), 1)
        mean = np.where(possible, lines, 0.0).sum(axis=1, keepdims=True) / number
        return np.vstack([lines - mean, (lines - mean).sum(axis=0)])

    def __len__(self) -> int:
        return len(self.parts)

    def text(self, row: int = 0, most: int = 12, unit: sums.Unit = "bits", each: bool = False) -> str:
        """One row's sum as lines, the weightiest columns and words first: for the winning class over its strongest
        rival, or for `each` class over the average class (see `centred`), the most probable classes first.

        One bit doubles the odds; ten decibans multiply them by ten; a nat is a natural logarithm.
        """
        return sums.text_of_each(self, row, most, unit) if each else sums.text(self, row, most, unit)

    def markdown(self, row: int = 0, most: int = 12, unit: sums.Unit = "bits") -> str:
        """One row's sum as a table: two classes against each other, each of more over the average class."""
        return sums.markdown(self, row, most, unit)

    def json(self, row: int = 0) -> dict[str, Any]:
        """One row's sum as plain values: a list has a number a class, in nats; −10⁶ stands for the logarithm of 0."""
        columns = [
            {
                "column": figures.plain(name),
                **({} if self.values is None else {"value": figures.plain(self.values[row, j])}),
                "evidence": self.parts[row, j].tolist(),
                "remark": self.remark(row, j),
                **(self.opened(row, j).json() if j in self.texts else {}),
            }
            for j, name in enumerate(self.columns)
        ]
        return {
            "classes": [figures.plain(label) for label in self.classes],
            "unit": "nats",
            "prior": self.prior.tolist(),
            "constant": self.constant.tolist(),
            "columns": columns,
            "sum": self.log_joint[row].tolist(),
            "posterior": self.posterior[row].tolist(),
        }

    def name(self, row: int, j: int) -> str:
        """A column, with its cell if that is known."""
        if self.values is None:
            return str(self.columns[j])
        return f"{figures.name(self.columns[j])}={figures.name(self.values[row, j])}"

    def remark(self, row: int, j: int) -> str:
        """Why a cell says nothing, if it is known."""
        if self.values is None or np.ptp(self.parts[row, j]):
            return ""
        if is_missing(self.values[row, j]):
            return MISSING
        return UNSEEN if self.unseen is not None and self.unseen[row, j] else ""

    def __repr__(self) -> str:
        return f"Evidence({len(self)} rows, {len(self.columns)} columns, {len(self.classes)} classes)"


def _cells(cells: Mapping[Any, Any], column: Any) -> list[Any]:
    """The cells of a column; of a compound one, tuples."""
    if isinstance(column, tuple) and column not in cells:
        rows = zip(*(cells[part] for part in column), strict=True)
        return [None if any(map(is_missing, row)) else row for row in rows]
    return list(cells[column])


def _known(cell: Any, size: int) -> bool:
    """Missing, or a whole number that is a level although no row had it."""
    whole = isinstance(cell, (int, float, np.number)) and 0 <= cell < size and float(cell).is_integer()
    return is_missing(cell) or bool(whole)
