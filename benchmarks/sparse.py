"""How much faster are the models of words on a sparse matrix?"""

from collections.abc import Iterator
from dataclasses import replace

from sklearn import naive_bayes

import candide
from benchmarks.data import Problem, words
from benchmarks.race import Options, RaceRow, Table, agree, duel

TITLE = "Sparse counts"
QUESTION = (
    "MultinomialNB, BernoulliNB and ComplementNB on CSR matrices of 100 cells a row. Tables which are derived from "
    "the counts may be computed at the first prediction, so a fit is also timed together with one predicted row."
)
MODELS = ("MultinomialNB", "BernoulliNB", "ComplementNB")


def duels(
    model: str, name: str, problem: Problem, targets: tuple[float, float | None, float], options: Options,
    *, scored: int | None = None,
) -> list[RaceRow]:  # fmt: skip
    """Fit, fit with a first prediction, and predict_proba (of the first `scored` rows) of one model."""
    X, y, one, part = problem.X, problem.y, problem.X[:1], problem.X[:scored]
    mine, yours = getattr(candide, model), getattr(naive_bayes, model)
    ours, theirs = mine().fit(X, y), yours().fit(X, y)
    counts = agree("feature_count_", ours.feature_count_, theirs.feature_count_)
    proba = agree("predict_proba", ours.predict_proba(part), theirs.predict_proba(part), atol=1e-9)
    label = f"{model} {name}"
    fitted = f"predict_proba {label}" if scored is None else f"predict_proba {label}, {part.shape[0]:,} rows"
    return [
        duel(f"fit {label}", lambda: mine().fit(X, y), lambda: yours().fit(X, y), options,
             target=targets[0], compared=counts),
        duel(f"fit and predict one row {label}", lambda: mine().fit(X, y).predict(one),
             lambda: yours().fit(X, y).predict(one), options, target=targets[1], compared=counts),
        duel(fitted, lambda: ours.predict_proba(part), lambda: theirs.predict_proba(part), options,
             target=targets[2], compared=proba),
    ]  # fmt: skip


def twenty_classes(options: Options) -> Iterator[Table]:
    """All models on equally frequent and on Zipf frequent columns."""
    size = options.size(100_000, 3_000)
    for name, zipf, fit_target in (("uniform", False, 8.0), ("Zipf", True, 4.5)):
        problem = words(size, size, 20, zipf=zipf)
        rows = [row for model in MODELS for row in duels(model, name, problem, (fit_target, None, 2.0), options)]
        yield Table(f"{size:,} x {size:,}, 20 classes, {name} columns", tuple(rows))


def many_classes(options: Options) -> Iterator[Table]:
    """MultinomialNB with a thousand classes, in few laps because the peer needs seconds and gigabytes."""
    size, classes = options.size(100_000, 3_000), options.size(1_000, 100)
    few = replace(options, rounds=min(options.rounds, 2))
    problem = words(size, size, classes)
    rows = duels("MultinomialNB", f"{classes:,} classes", problem, (30.0, None, 1.0), few, scored=size // 20)
    yield Table(f"{size:,} x {size:,}, {classes:,} classes, uniform columns", tuple(rows))


def tables(options: Options) -> Iterator[Table]:
    """Twenty classes, then many."""
    yield from twenty_classes(options)
    yield from many_classes(options)
