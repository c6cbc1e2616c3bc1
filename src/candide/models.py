"""Classifiers in files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from candide import storage
from candide.classifier import TableModel
from candide.errors import NotStorable
from candide.estimators import NaiveBayes, TextNB

NOTHING: Mapping[str, Any] = {}


def save(classifier: NaiveBayes | TextNB, path: str | os.PathLike[str], about: Mapping[str, Any] = NOTHING) -> None:
    """Write a fitted classifier, whole or not at all; `about` is plain values that describe it."""
    if not isinstance(classifier, (NaiveBayes, TextNB)):
        raise NotStorable(
            f"a NaiveBayes or a TextNB can be saved, not a {type(classifier).__name__}; see candide.storage.save."
        )
    storage.save(classifier.saved().settled(), path, about)


def load(path: str | os.PathLike[str]) -> NaiveBayes | TextNB:
    """A classifier that was saved: it predicts, and goes on learning, merging and forgetting."""
    found = storage.load(path)
    if not isinstance(found, TableModel):
        raise NotStorable(f"{os.fspath(path)} holds a {type(found).__name__}; read it with candide.storage.load.")
    return TextNB.of(found) if "text_nb" in found.settings else NaiveBayes.of(found)
