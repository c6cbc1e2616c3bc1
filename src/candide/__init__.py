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
    )

__all__ = ["BernoulliNB", "CategoricalNB", "ComplementNB", "GaussianDiscriminant", "GaussianNB", "MultinomialNB"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: importing candide must not import scikit-learn."""
    if name in __all__:
        return getattr(import_module("candide.estimators"), name)
    raise AttributeError(f"module 'candide' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
