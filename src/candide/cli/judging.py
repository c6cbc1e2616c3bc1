"""Predictions against what was true."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from candide.cli.say import note
from candide.errors import BadLabels

if TYPE_CHECKING:
    import pyarrow as pa

    from candide.classifier import TableModel
    from candide.labels import Labels
    from candide.posterior import Report


class Judge:
    """Adds up the reports of batches. Rows of classes that the model does not know are left out, and counted."""

    def __init__(self, table: TableModel, label: str) -> None:
        from candide.posterior import Report

        self.table, self.label = table, label
        self.sum: Report = Report.zero(table.classes)
        self.strange: dict[Any, int] = {}

    def see(self, batch: pa.RecordBatch) -> None:
        """Judge the predictions of rows that have labels."""
        from candide.data.dictionaries import words
        from candide.posterior import Report

        if not batch.num_rows:
            return
        names, codes = words(batch.column(self.label))
        labels = names.to_pylist()
        places = _places(self.table.classes, labels)
        for place in np.flatnonzero(places < 0).tolist():
            self.strange[labels[place]] = self.strange.get(labels[place], 0) + int((codes == place).sum())
        truth = places[codes]
        known = truth >= 0
        frame = self.table.frame(batch.drop_columns([self.label]))
        values = self.table.model.posterior(frame).values
        self.sum = self.sum + Report.of(self.table.classes, values[known], truth[known])

    def tell(self) -> None:
        """Say what could not be judged."""
        if not self.strange:
            return
        names = ", ".join(map(repr, list(self.strange)[:8]))
        rows = sum(self.strange.values())
        if not self.sum.rows:
            raise BadLabels(
                f"no row has a label that the model knows ({names}; the model's: "
                f"{', '.join(map(repr, list(self.table.classes)[:8]))})."
            )
        note(f"note: {rows:,} rows are of classes that the model has never seen ({names}) and are left out.")


def _places(classes: Labels, labels: list[Any]) -> np.ndarray:
    """The place of each label among the classes, also where one side has numbers and the other their names."""
    cells = np.empty(len(labels), dtype=object)
    cells[:] = labels
    places = classes.codes(cells)
    if len(places) and (places < 0).all():
        written = np.array([str(label) for label in labels], dtype=object)
        names = {str(label): place for place, label in enumerate(classes)}
        places = np.array([names.get(label, -1) for label in written], dtype=np.int64)
    return places
