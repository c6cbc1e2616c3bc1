"""How good models become with the rows they learn from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.counts import Tokens
from candide.errors import BadPrior, TooSmall
from candide.estimators.table import NaiveBayes
from candide.estimators.text import TextNB
from candide.scorecard import Floats

__all__ = ["MODELS", "TEXTS_ONLY", "Grown", "grown", "lecture", "named", "refuse", "usual_sizes"]

COMMON, RARE = 100, 3  # words that the lecture leaves out: the so many commonest, and those seen less often
SHARE = 3  # one row in so many is judged
Told = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, eq=False)
class Grown:
    """One model's accuracy and log-loss (None: it has no probabilities): a row a size, a column a random subset."""

    model: str
    sizes: Sequence[int]
    accuracy: Floats
    log_loss: Floats | None


def grown(
    X: Any,
    y: NDArray[Any],
    models: Sequence[str],
    sizes: Sequence[int],
    subsets: int = 3,
    seed: int = 0,
    told: Told = lambda done, total: None,
) -> list[Grown]:
    """Each model learns the first so many rows of several shuffles; the last third of each is judged.

    X is an Arrow table, or an Arrow array of texts. The rows that are learnt begin with one of each class, so that no
    class is unheard of; all models learn the same ones.
    """
    n, k = len(y), len(np.unique(y))
    refuse(n, k, sizes)
    found = np.full((2, len(models), len(sizes), subsets), np.nan)
    done, total = 0, len(models) * len(sizes) * subsets
    for s in range(subsets):
        order = _shuffled(y, np.random.default_rng([seed, s]))
        asked = np.sort(order[n - n // SHARE :])
        for i, size in enumerate(sizes):
            learnt = np.sort(order[:size])
            for m, name in enumerate(models):
                model = MODELS[name](X.take(learnt), y[learnt])
                found[:, m, i, s] = _judged(model, X.take(asked), y[asked])
                done += 1
                told(done, total)
    losses = (None if np.isnan(loss).all() else loss for loss in found[1])
    return [Grown(name, tuple(sizes), a, loss) for name, a, loss in zip(models, found[0], losses, strict=True)]


def usual_sizes(n: int, k: int) -> list[int]:
    """100, 200, 500, 1,000 ... up to all rows that are not judged; fewer where there are not so many.

    >>> usual_sizes(2_000, 3)
    [100, 200, 500, 1000, 1334]
    """
    most = n - n // SHARE
    steps = [int(step * 10**power) for power in range(1, 12) for step in (1, 2, 5)]
    least = max(k, min(100, most // 8))
    return [size for size in steps if least <= size < 0.9 * most] + [most]


def refuse(n: int, k: int, sizes: Sequence[int]) -> None:
    """Sizes must leave a row of every class to learn from, and a third of all rows to judge."""
    most = n - n // SHARE
    if k < 2 or most < k or n < SHARE:
        raise TooSmall(
            f"{n:,} rows of {k} class{'es' * (k != 1)} show no curve: give more rows, of two classes at least."
        )
    for size in sizes:
        if not k <= size <= most:
            raise TooSmall(
                f"size {size:,} is not between {k:,}, a row of every class, and {most:,}: a third of the {n:,} rows is "
                "judged, not learnt."
            )


def _shuffled(y: NDArray[Any], random: np.random.Generator) -> NDArray[np.int64]:
    """All rows at random, but one of each class first."""
    order = random.permutation(len(y))
    _, first = np.unique(y[order], return_index=True)
    return np.concatenate([order[np.sort(first)], np.delete(order, first)])


def _judged(model: Any, X: Any, y: NDArray[Any]) -> tuple[float, float]:
    """Accuracy, and −log P(truth) on average."""
    if not hasattr(model, "predict_log_proba"):
        return float(np.mean(model.predict(X) == y)), np.nan
    logs = np.asarray(model.predict_log_proba(X))
    places = np.searchsorted(model.classes_, y)
    return float(np.mean(logs.argmax(axis=1) == places)), float(-logs[np.arange(len(y)), places].mean())


def lecture(texts: Any, y: NDArray[Any]) -> TextNB:
    """The recipe of Mitchell's lecture: (n + 1)/(N + V) without the hundred commonest words and the rare ones."""
    counted = TextNB("notes").fit(texts, y).tally_
    (bag,) = next(one.bags for one in counted.statistics.values() if isinstance(one, Tokens))
    often = bag.words.totals(len(bag.vocabulary))[:, 0]
    left_out = often < RARE
    left_out[np.argsort(-often, kind="stable")[:COMMON]] = True
    return TextNB("notes", stop=bag.vocabulary.pick(left_out).words() or None).fit(texts, y)


def _sklearn(make: Callable[[], Any]) -> Callable[[Any, Any], Any]:
    """A pipeline of scikit-learn that reads Arrow."""
    return lambda texts, y: _OfStrings(make().fit(texts.to_pylist(), y))


@dataclass(frozen=True, slots=True, eq=False)
class _OfStrings:
    """A pipeline that is asked about Arrow strings."""

    pipeline: Any

    @property
    def classes_(self) -> Any:
        return self.pipeline.classes_

    def predict_log_proba(self, texts: Any) -> Any:
        return self.pipeline.predict_log_proba(texts.to_pylist())


def _multinomial() -> Any:
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.pipeline import make_pipeline

    return make_pipeline(CountVectorizer(), MultinomialNB())


def _logistic() -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    return make_pipeline(TfidfVectorizer(), LogisticRegression(C=10, max_iter=2_000))


MODELS: Mapping[str, Callable[[Any, Any], Any]] = {
    "naive": lambda table, y: NaiveBayes().fit(table, y),
    "default": lambda texts, y: TextNB().fit(texts, y),
    "best": lambda texts, y: TextNB("best").fit(texts, y),
    "notes": lambda texts, y: TextNB("notes").fit(texts, y),
    "lecture": lecture,
    "sklearn-mnb": _sklearn(_multinomial),
    "sklearn-logistic": _sklearn(_logistic),
}
TEXTS_ONLY = tuple(name for name in MODELS if name != "naive")


def named(models: Sequence[str], texts: bool) -> Sequence[str]:
    """Models that can read what there is, or an error."""
    for name in models:
        if name not in MODELS:
            raise BadPrior(f"there is no model {name!r}; choose from {', '.join(MODELS)}.")
        if texts != (name in TEXTS_ONLY):
            what = "a column of texts: name one" if name in TEXTS_ONLY else "tables: name no column of texts"
            raise BadPrior(f"model {name!r} reads {what}.")
    return models
