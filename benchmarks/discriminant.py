"""How much faster are linear and quadratic discriminants when co-moments are counted?"""

from collections.abc import Iterator
from functools import partial

from sklearn.base import ClassifierMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

from benchmarks.data import Problem, correlated
from benchmarks.race import Options, RaceRow, Table, agree, duel
from candide import GaussianDiscriminant

TITLE = "GaussianDiscriminant"
QUESTION = "A shared covariance against LinearDiscriminantAnalysis, one a class against QuadraticDiscriminantAnalysis."
FIT_TARGET, PROBA_TARGET = 10, 3

# name, shared, the peer, how near the probabilities must be (the svd solver divides by n - k instead of by n)
PEERS = (
    ("shared, LDA svd", True, partial(LinearDiscriminantAnalysis, solver="svd"), 1e-4),
    ("shared, LDA lsqr", True, partial(LinearDiscriminantAnalysis, solver="lsqr"), 1e-8),
    ("per class, QDA", False, partial(QuadraticDiscriminantAnalysis), 1e-4),
)


def duels(
    name: str, shared: bool, peer: partial[ClassifierMixin], atol: float, problem: Problem, options: Options
) -> list[RaceRow]:
    """Fit and predict_proba against one peer."""
    X, y = problem.X, problem.y
    ours, theirs = GaussianDiscriminant(shared=shared).fit(X, y), peer().fit(X, y)
    means = agree("means_", ours.means_, theirs.means_, rtol=1e-9, atol=1e-12)
    proba = agree("predict_proba", ours.predict_proba(X), theirs.predict_proba(X), atol=atol)
    return [
        duel(f"fit {name}", lambda: GaussianDiscriminant(shared=shared).fit(X, y), lambda: peer().fit(X, y), options,
             target=FIT_TARGET, compared=f"{means}, {proba}"),
        duel(f"predict_proba {name}", lambda: ours.predict_proba(X), lambda: theirs.predict_proba(X), options,
             target=PROBA_TARGET, compared=proba),
    ]  # fmt: skip


def tables(options: Options) -> Iterator[Table]:
    """One table of all peers."""
    rows = options.size(1_000_000, 20_000)
    problem = correlated(rows, 20, 3)
    raced = [row for peer in PEERS for row in duels(*peer, problem, options)]
    yield Table(f"{rows:,} x 20 float64, 3 classes", tuple(raced))
