"""How much faster does CategoricalNB count levels and look them up?"""

from collections.abc import Iterator

import numpy as np
from sklearn.naive_bayes import CategoricalNB as Peer

from benchmarks.data import Problem, levels
from benchmarks.race import Options, RaceRow, Table, agree, duel
from candide import CategoricalNB

TITLE = "CategoricalNB"
QUESTION = "Fit and predict_proba on codes of ten levels, against scikit-learn's CategoricalNB."
TARGETS = {2: (100, 40), 10: (200, 12)}


def same_counts(ours: CategoricalNB, theirs: Peer) -> str:
    """Assert that every level of every column was counted alike in every class."""
    for mine, yours in zip(ours.category_count_, theirs.category_count_, strict=True):
        agree("category_count_", mine, yours)
    return "category_count_ (exact)"


def duels(name: str, problem: Problem, targets: tuple[float, float], options: Options) -> list[RaceRow]:
    """Fit and predict_proba on one problem."""
    X, y = problem.X, problem.y
    ours, theirs = CategoricalNB().fit(X, y), Peer().fit(X, y)
    counts = same_counts(ours, theirs)
    proba = agree("predict_proba", ours.predict_proba(X), theirs.predict_proba(X), atol=1e-9)
    return [
        duel(f"fit {name}", lambda: CategoricalNB().fit(X, y), lambda: Peer().fit(X, y), options,
             target=targets[0], compared=counts),
        duel(f"predict_proba {name}", lambda: ours.predict_proba(X), lambda: theirs.predict_proba(X), options,
             target=targets[1], compared=proba),
    ]  # fmt: skip


def tables(options: Options) -> Iterator[Table]:
    """Both numbers of classes, both widths of codes."""
    rows = options.size(1_000_000, 20_000)
    raced: list[RaceRow] = []
    for classes, targets in TARGETS.items():
        for dtype in (np.int8, np.int64):
            name = f"{np.dtype(dtype).name}, {classes} classes"
            raced += duels(name, levels(rows, 30, classes, dtype), targets, options)
    yield Table(f"{rows:,} x 30 codes of 10 levels", tuple(raced))
