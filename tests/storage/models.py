"""Models of every kind of column, prior and label that a file may hold."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from candide.classifier import Model, learn
from candide.data import Table
from candide.events import Bernoulli, Categorical, Complement, FullGaussian, FullJoint, Gaussian, Multinomial
from candide.priors import (
    Beta,
    Dirichlet,
    Given,
    MaximumLikelihood,
    MEstimate,
    PluginNormal,
    Pseudo,
    Uniform,
    WeakNormal,
)

ROWS = [
    ("Rome", "nurse", 1.72, 64.5, 3, 0, "yes"),
    ("Oslo", "smith", 1.81, 80.25, 0, 2, "no"),
    ("Kyiv", "nurse", 1.65, 58.0, 1, 1, "yes"),
    (None, "clerk", 1.9, 91.0, 0, 4, "no"),
    ("Rome", "smith", 1.77, 71.5, 2, 0, "yes"),
    ("東京", "clerk", 1.7, 66.0, 0, 3, "maybe"),
]
TABLE = Table.of("city job height weight clicks visits buys", ROWS, target="buys")
EVENTS = {
    ("city", "job"): Categorical(Dirichlet(0.5)),
    ("height", "weight"): Gaussian(WeakNormal(2.0)),
    ("clicks", "visits"): Multinomial(),
}
ASKED = Table.of("city job height weight clicks visits", [row[:-1] for row in ROWS])


def mixed() -> Model:
    """Levels, numbers and sums in one model."""
    return learn(EVENTS, TABLE, Dirichlet(1))


MODELS = {
    "mixed": mixed,
    "joint": lambda: learn({("city", "job"): FullJoint("prior")}, TABLE),
    "discriminant": lambda: learn({("height", "weight"): FullGaussian(shrinkage=0.25)}, TABLE, Uniform()),
    "plain": lambda: learn({("height", "weight"): Gaussian(PluginNormal(1e-3), shared=True)}, TABLE),
    "complement": lambda: learn({("clicks", "visits"): Complement(Pseudo(1, 2), norm=True)}, TABLE),
    "bernoulli": lambda: learn({("clicks", "visits"): Bernoulli(Beta(1, 3), above=0.5)}, TABLE),
    "shares": lambda: learn({("job",): Categorical(MEstimate(3, 1 / 3))}, TABLE, Given([0.2, 0.3, 0.5])),
    "arrays": lambda: learn({("job",): Categorical(Dirichlet(np.array([1.0, 2, 3])))}, TABLE, MaximumLikelihood()),
    "fractions": lambda: learn({("job",): Categorical(Dirichlet(Fraction(1, 3)))}, TABLE, MaximumLikelihood()),
}
