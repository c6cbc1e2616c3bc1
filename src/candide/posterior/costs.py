"""Numbers a class, and costs of decisions, as users write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from candide.errors import BadPrior
from candide.labels import Labels


def by_class(values: Any, classes: Labels, what: str, default: float = 0.0) -> Any:
    """One number a class: a mapping of classes in the order of the classes, anything else as it is."""
    if not isinstance(values, Mapping):
        return values
    places = classes.codes(list(values))
    if (places < 0).any():
        strange = [name for name, place in zip(values, places, strict=True) if place < 0]
        raise BadPrior(f"{what}: {strange} are no classes (there are: {list(classes)}).")
    out = np.full(len(classes), default)
    out[places] = list(values.values())
    return out


def cost_table(costs: Any, classes: Labels) -> Any:
    """A row a decision, a column a class, from {decision: {class: cost}}; other decisions cost 1 where they are wrong.

    >>> cost_table({"spam": {"ham": 9}}, Labels.of(["ham", "spam"]))
    array([[0., 1.],
           [9., 0.]])
    """
    if not isinstance(costs, Mapping):
        return costs
    rows = {decided: by_class(row, classes, f"costs of {decided!r}") for decided, row in costs.items()}
    table = 1.0 - np.eye(len(classes))
    places = classes.codes(list(rows))
    if (places < 0).any():
        strange = [name for name, place in zip(rows, places, strict=True) if place < 0]
        raise BadPrior(f"costs: {strange} are no classes (there are: {list(classes)}).")
    for place, row in zip(places, rows.values(), strict=True):
        table[place] = row
    return table
