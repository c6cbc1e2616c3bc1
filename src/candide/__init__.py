"""candide: a model is what was counted, plus what you believed before."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from candide.version import __version__ as __version__

if TYPE_CHECKING:
    from candide.estimators import (
        BernoulliNB,
        CategoricalNB,
        ComplementNB,
        GaussianDiscriminant,
        GaussianNB,
        MultinomialNB,
        NaiveBayes,
        TextNB,
    )
    from candide.events import Bernoulli, Binned, Categorical, Gaussian, LogNormal, Poisson, Words
    from candide.models import load, save

ESTIMATORS = [
    "BernoulliNB",
    "CategoricalNB",
    "ComplementNB",
    "GaussianDiscriminant",
    "GaussianNB",
    "MultinomialNB",
    "NaiveBayes",
    "TextNB",
]
FILES = ["load", "save"]
EVENTS = ["Bernoulli", "Binned", "Categorical", "Gaussian", "LogNormal", "Poisson", "Words"]

__all__ = [
    "Bernoulli",
    "BernoulliNB",
    "Binned",
    "Categorical",
    "CategoricalNB",
    "ComplementNB",
    "Gaussian",
    "GaussianDiscriminant",
    "GaussianNB",
    "LogNormal",
    "MultinomialNB",
    "NaiveBayes",
    "Poisson",
    "TextNB",
    "Words",
    "load",
    "save",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: importing candide must not import scikit-learn."""
    if name in ESTIMATORS:
        return getattr(import_module("candide.estimators"), name)
    if name in EVENTS:
        return getattr(import_module("candide.events"), name)
    if name in FILES:
        return getattr(import_module("candide.models"), name)
    raise AttributeError(f"module 'candide' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
