"""The messages that the README quotes are the messages that users get."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from candide import CategoricalNB, ComplementNB, GaussianDiscriminant, GaussianNB, MultinomialNB, NaiveBayes

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
QUOTED = dict(re.findall(r"\| `(\w+): (.*?)` \|", README))
AB = ["a", "b"]
MAIL = MultinomialNB().partial_fit([[1, 2]], ["ham"], classes=["ham", "spam"])

GOTCHAS: dict[str, Callable[[], Any]] = {
    "UnknownColumn": lambda: NaiveBayes({"ctiy": None}).fit([{"city": "Rome", "age": 3}], ["a"]),
    "UnknownClass": lambda: MAIL.partial_fit([[1, 2]], ["eggs"]),
    "NotFinite": lambda: MultinomialNB().fit([[1, np.nan], [2, 1]], AB),
    "SingularWarning": lambda: GaussianDiscriminant().fit([[1, 2], [2, 4], [3, 6], [4, 8.0]], AB * 2).predict([[1, 2]]),
    "NeverAdded": lambda: CategoricalNB().fit([[1], [0]], AB).forget([[1]], ["b"]),
    "TooLarge": lambda: GaussianNB().fit([[1e200], [2.0], [3.0]], ["a", "a", "b"]),
    "BadPrior": lambda: ComplementNB(class_prior=[0.5, 0.2, 0.3]).fit([[1, 2], [2, 1]], AB),
}


def test_each_is_tried() -> None:
    assert QUOTED.keys() == GOTCHAS.keys()


@pytest.mark.parametrize("name", GOTCHAS)
def test_message(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises((ValueError, UserWarning)) as told:
            GOTCHAS[name]()
    assert (type(told.value).__name__, str(told.value)) == (name, QUOTED[name])
