"""How the columns of a table are held: as labels, as numbers, as instants, or not at all."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from candide.errors import UnknownColumn

Held = Literal["labels", "truths", "numbers", "logs", "dates", "times", "text", "nothing", "unknown"]
PARTS: dict[Held, tuple[str, ...]] = {"dates": ("month", "weekday", "hour"), "times": ("hour",)}


@dataclass(frozen=True, slots=True)
class Field:
    """A column: how it is held, and why if it is left out. `gaps` counts whether it is missing, as evidence."""

    name: str
    held: Held
    why: str = ""
    gaps: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        """The columns of labels that it gives: itself, the parts of a date, whether it is missing."""
        own = (self.name,) if self.held in ("labels", "truths") else ()
        parts = tuple(f"{part} of {self.name}" for part in PARTS.get(self.held, ()))
        return own + parts + ((f"{self.name} is missing",) if self.gaps and self.is_used else ())

    @property
    def numbers(self) -> tuple[str, ...]:
        """The columns of numbers that it gives."""
        if self.held == "logs":
            return (f"log of {self.name}",)
        return (self.name,) if self.held in ("numbers", "dates", "times") else ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The columns of texts that it gives."""
        return (self.name,) if self.held == "text" else ()

    @property
    def is_used(self) -> bool:
        return self.held not in ("nothing", "unknown")


@dataclass(frozen=True, slots=True)
class Schema:
    """The columns of a table, in order.

    >>> Schema((Field("city", "labels"), Field("age", "numbers"))).numbers
    ('age',)
    """

    fields: tuple[Field, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.fields)

    @property
    def labels(self) -> tuple[str, ...]:
        """The columns that are counted by their labels."""
        return tuple(name for field in self.fields for name in field.labels)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The columns that are counted as numbers."""
        return tuple(name for field in self.fields for name in field.numbers)

    @property
    def texts(self) -> tuple[str, ...]:
        """The columns whose words are counted."""
        return tuple(name for field in self.fields for name in field.texts)

    def __iter__(self) -> Iterator[Field]:
        return iter(self.fields)

    def __getitem__(self, name: str) -> Field:
        for field in self.fields:
            if field.name == name:
                return field
        raise UnknownColumn.named(name, "the table", self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __or__(self, other: Schema) -> Schema:
        """Both: a column that was all missing so far takes what the other knows of it; new ones come last."""
        known = {field.name: field for field in other}
        mine = [known.get(f.name, f) if f.held == "unknown" else f for f in self.fields]
        mine = [known[f.name] if f.name in known and known[f.name].held == "nothing" else f for f in mine]
        return Schema((*mine, *(field for field in other if field.name not in self)))

    def absent(self, names: Collection[str]) -> list[str]:
        """The columns that are used and that a table of these columns does not have."""
        given = set(names)
        return [field.name for field in self.fields if field.is_used and field.name not in given]

    def without(self, names: Mapping[str, str]) -> Schema:
        """With some columns left out, and why."""
        return Schema(tuple(replace(f, held="nothing", why=names[f.name]) if f.name in names else f for f in self))

    @classmethod
    def of(cls, fields: Iterable[Any]) -> Schema:
        return cls(tuple(fields))
