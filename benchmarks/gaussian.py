"""How much faster does GaussianNB count and classify, and how near to the memory's speed?"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from sklearn.naive_bayes import GaussianNB as Peer

from benchmarks.data import Problem, normal
from benchmarks.race import Lap, MeasureRow, Options, RaceRow, Table, agree, duel, race
from candide import GaussianNB

TITLE = "GaussianNB"
QUESTION = "Fit and predict_proba against scikit-learn's GaussianNB on dense matrices."
BANDWIDTH_TARGET = 0.6


def same_model(ours: GaussianNB, theirs: Peer, problem: Problem) -> str:
    """Assert equal means and variances; single-precision sums are compared with a double-precision peer."""
    if problem.X.dtype == np.float64:
        agree("theta_", ours.theta_, theirs.theta_, rtol=1e-9, atol=1e-12)
        return agree("theta_, var_", ours.var_, theirs.var_, rtol=1e-9)
    exact = Peer().fit(problem.X.astype(np.float64), problem.y)
    agree("theta_", ours.theta_, exact.theta_, rtol=1e-6, atol=1e-6)
    return agree("theta_, var_ with the peer's on float64", ours.var_, exact.var_, rtol=1e-6)


def same_proba(ours: GaussianNB, theirs: Peer, problem: Problem) -> str:
    """Assert equal probabilities, as near as the peer's precision allows."""
    atol = 1e-9 if problem.X.dtype == np.float64 else 2e-3
    return agree("predict_proba", ours.predict_proba(problem.X), theirs.predict_proba(problem.X), atol=atol)


def duels(name: str, problem: Problem, targets: tuple[float, float], options: Options) -> list[RaceRow]:
    """Fit and predict_proba on one problem."""
    X, y = problem.X, problem.y
    ours, theirs = GaussianNB().fit(X, y), Peer().fit(X, y)
    model, proba = same_model(ours, theirs, problem), same_proba(ours, theirs, problem)
    return [
        duel(f"fit {name}", lambda: GaussianNB().fit(X, y), lambda: Peer().fit(X, y), options,
             target=targets[0], compared=model),
        duel(f"predict_proba {name}", lambda: ours.predict_proba(X), lambda: theirs.predict_proba(X), options,
             target=targets[1], compared=proba),
    ]  # fmt: skip


def sums(X: np.ndarray, options: Options) -> dict[str, Lap]:
    """How fast numpy.sum reads the same matrix, with one thread and with two."""
    half = len(X) // 2
    with ThreadPoolExecutor(2) as pool:
        both = {"1 thread": lambda: X.sum(), "2 threads": lambda: list(pool.map(np.sum, (X[:half], X[half:])))}
        list(pool.map(np.sum, (X[:half], X[half:])))
        return race(both, options)


def bandwidth(X: np.ndarray, fit: Lap, options: Options) -> Iterator[MeasureRow]:
    """The fit's reading speed as a share of what numpy.sum reaches."""
    speed = X.nbytes / fit.wall / 1e9
    for threads, times in sums(X, options).items():
        reached = X.nbytes / times.wall / 1e9
        share = speed / reached
        yield MeasureRow(
            f"fit, reading speed against numpy.sum with {threads}", f"{speed:.1f} GB/s = {share:.0%}",
            f"{reached:.1f} GB/s", f">= {BANDWIDTH_TARGET:.0%}", None if options.quick else share >= BANDWIDTH_TARGET,
        )  # fmt: skip


def tables(options: Options) -> Iterator[Table]:
    """The races, then the bandwidth."""
    rows, wide = options.size(1_000_000, 20_000), options.size(200_000, 5_000)
    problem = normal(rows, 50, 2)
    first = duels(f"{rows:,} x 50 float64, 2 classes", problem, (30, 18), options)
    reading = tuple(bandwidth(problem.X, first[0].candide, options))
    del problem
    many = duels(f"{wide:,} x 100 float64, 20 classes", normal(wide, 100, 20), (13, 30), options)
    single = normal(rows, 50, 2, np.float32)
    small = duels(f"{rows:,} x 50 float32, 2 classes", single, (25, 10), options)
    yield Table("Fit and predict_proba", tuple(first + many + small))
    yield Table("Reading speed of the fit", reading)
