"""Models as the command reads and writes them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from candide.errors import BadModel, BadPrior, BadTable

if TYPE_CHECKING:
    from candide.classifier import TableModel

READ_AS = {"labels": "string", "truths": "string", "numbers": "number", "logs": "number", "text": "string"}


@dataclass(frozen=True, slots=True)
class Saved:
    """A model file: what it holds, and what it says about itself."""

    path: str
    table: TableModel
    about: Mapping[str, Any]

    @classmethod
    def load(cls, path: str) -> Saved:
        """Read a model; scikit-learn is not needed for that."""
        from candide import storage
        from candide.classifier import TableModel

        found = storage.load(path)
        if not isinstance(found, TableModel):
            raise BadModel(f"{path} holds a {type(found).__name__}, not a classifier of tables.")
        if not len(found.classes):
            raise BadModel(f"{path} is a model that has seen no row.")
        return cls(path, found, storage.describe(path)["about"])

    @property
    def target(self) -> str:
        """The column that the model predicts."""
        return "class" if self.table.target is None else self.table.target

    @property
    def gaps(self) -> list[str]:
        """What stood for a missing cell in the data it learnt from."""
        return [str(mark) for mark in self.about.get("na") or ()]

    def types(self) -> dict[str, str]:
        """How text files must be read to mean what they meant in training."""
        types = {one.name: READ_AS[one.held] for one in self.table.schema if one.held in READ_AS}
        return types | {self.target: _type_of(self.table.classes)}


def save(table: TableModel, path: str, about: Mapping[str, Any]) -> None:
    """Write a model, whole or not at all, with what is known about it."""
    from candide import storage

    storage.save(table.settled(), path, {**about, "rows": weight(table)})


def weight(table: TableModel) -> float:
    """How many rows a model has counted."""
    return float(table.model.tally.seen.weights.sum())


def refuse_missing_folder(path: str) -> None:
    """Say before the work that its result would have no place."""
    folder = os.path.dirname(path)
    if folder and not os.path.isdir(folder):
        raise FileNotFoundError(2, "there is no such folder", folder)
    if os.path.isdir(path):
        raise IsADirectoryError(21, "this is a folder, name a file in it", path)


def events(kinds: Mapping[str, str]) -> dict[str, Any]:
    """The event model of each column that the user gave a kind."""
    from candide.events import Bernoulli, Binned, Categorical, Gaussian, LogNormal, Poisson, Words

    known: dict[str, Any] = {
        "categorical": Categorical,
        "bernoulli": Bernoulli,
        "numeric": Binned,
        "gaussian": Gaussian,
        "lognormal": LogNormal,
        "poisson": Poisson,
        "text": Words,
        "ignore": lambda: None,
    }
    for column, kind in kinds.items():
        if kind not in known:
            raise BadPrior(f"--columns {column}={kind}: the kind is one of {', '.join(known)}.")
    return {column: known[kind]() for column, kind in kinds.items()}


def only_column(names: Sequence[str], wanted: str, where: str) -> str:
    """A column by its name, or an error that knows which ones there are."""
    from candide.errors import UnknownColumn

    if wanted not in names:
        raise UnknownColumn.named(wanted, where, names)
    return wanted


def settings_like(path: str | None, given: Mapping[str, Any]) -> dict[str, Any]:
    """The defaults, or the settings of another model, with what was given that is no default."""
    from candide.classifier.settings import DEFAULTS

    said = {name: value for name, value in given.items() if value != DEFAULTS[name]}
    return {**DEFAULTS, **(Saved.load(path).table.settings if path else {}), **said}


def with_texts(settings: Mapping[str, Any], files: Any) -> dict[str, Any]:
    """The settings, in which documents are texts, whatever they look like."""
    from candide.events import Words

    said = settings["columns"] or {}
    texts = {name: Words() for name in getattr(files, "texts", ()) if name not in said}
    return {**settings, "columns": {**said, **texts} or None}


def nothing_learnt(rows: int, label: str) -> BadTable:
    """No row could be counted."""
    if rows:
        return BadTable(f"all {rows:,} rows have no label: every cell of column {label!r} is missing.")
    return BadTable("the data have no rows: there is nothing to learn from.")


def _type_of(classes: Any) -> str:
    kinds = {bool: "boolean", int: "integer", float: "number"}
    found = {kinds.get(type(label), "string") for label in classes}
    return found.pop() if len(found) == 1 else "string"
