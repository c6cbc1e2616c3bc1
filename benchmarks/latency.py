"""How long does one row take?"""

from collections.abc import Iterator

import numpy as np
from sklearn import naive_bayes

import candide
from benchmarks.data import normal, words
from benchmarks.race import Options, RaceRow, Table, agree, short_duel

TITLE = "One row"
QUESTION = "predict_proba of one row by a fitted estimator: the median of many calls, taking turns."
TARGET = 3.0


def one_row(name: str, model: str, X: object, y: np.ndarray, row: object, options: Options) -> RaceRow:
    """Race one model over one row."""
    ours, theirs = getattr(candide, model)().fit(X, y), getattr(naive_bayes, model)().fit(X, y)
    compared = agree("predict_proba", ours.predict_proba(row), theirs.predict_proba(row), atol=1e-9)
    return short_duel(
        f"{model}.predict_proba, {name}", lambda: ours.predict_proba(row), lambda: theirs.predict_proba(row),
        options, target=TARGET, compared=compared,
    )  # fmt: skip


def tables(options: Options) -> Iterator[Table]:
    """A dense row of measurements, and a row of word counts dense and sparse."""
    numbers, texts = normal(2_000, 20, 3), words(2_000, 1_000, 5)
    rows = (
        one_row("20 columns", "GaussianNB", numbers.X, numbers.y, numbers.X[:1].copy(), options),
        one_row("1,000 columns dense", "MultinomialNB", texts.X, texts.y, texts.X[:1].toarray(), options),
        one_row("1,000 columns CSR", "MultinomialNB", texts.X, texts.y, texts.X[:1], options),
    )
    yield Table("One row, median of many calls", rows)
