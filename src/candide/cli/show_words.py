"""What a model has learnt of texts, as `candide show` prints it."""

from __future__ import annotations

from typing import Any

from candide.cli import say
from candide.cli.models import Saved

WORDS, CLASSES = 6, 20  # of each class, and classes, in an overview


def overview(saved: Saved) -> list[str]:
    """A block for each column of texts: a few words for each class."""
    return [_few(saved, column) for column in saved.table.texts]


def _few(saved: Saved, column: str) -> str:
    found = list(saved.table.words(column, most=WORDS).items())
    lines = [
        (say.name(label), ", ".join(f"{say.name(word)} {bits:+.2f}" for word, bits, _ in words))
        for label, words in found[:CLASSES]
    ]
    left = len(found) - CLASSES
    more = [f"and {left} more class{'es' * (left > 1)}"] if left > 0 else []
    heads = ("class", "what tells most for it (over the average class, in bits)")
    return "\n".join([f"{say.name(column)}: {_size(saved, column)}", say.table(heads, lines), *more])


def in_full(saved: Saved, column: str, most: int) -> str:
    """Each class's words, with their evidence and the texts that have them."""
    lines = [
        (say.name(label), say.name(word), f"{bits:+.3f}", f"{seen:,.6g}")
        for label, words in saved.table.words(column, most=most).items()
        for word, bits, seen in words
    ]
    title = f"{say.name(column)}: {_size(saved, column)}"
    below = "bits: what a text of this word alone says for the class over the average class"
    return "\n".join([say.table(("class", "word", "bits", "seen in"), lines, numbers=(2, 3), title=title), below])


def plain(saved: Saved, column: str, most: int) -> dict[str, Any]:
    """The same as plain values."""
    return {
        "column": column,
        "kind": "text",
        "why": _size(saved, column),
        "classes": [
            {"label": label, "words": [{"word": word, "bits": bits, "seen": seen} for word, bits, seen in words]}
            for label, words in saved.table.words(column, most=most).items()
        ],
    }


def _size(saved: Saved, column: str) -> str:
    return next(one.why for one in saved.table.kinds if one.column == column)
