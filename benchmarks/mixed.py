"""How much faster does NaiveBayes count and classify a table of strings, numbers and gaps?"""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OrdinalEncoder

from benchmarks import real
from benchmarks.race import MeasureRow, Options, RaceRow, Table, calls, duel
from candide import NaiveBayes

TITLE = "Mixed tables"
QUESTION = """\
`NaiveBayes()` on the census table adult (or a synthetic one of its shape, where it is absent) as a pandas frame,
against scikit-learn's pipeline: gaps filled, strings encoded, numbers cut into ten quantile bins, then CategoricalNB.
candide derives its tables of probabilities, and their calibration, when they are first asked for; so a fit is also
timed together with the first prediction."""

ROWS, LEVELS, NUMBERS = 48_842, (9, 16, 7, 15, 6, 5, 2, 42), 6
MICROSECONDS = 100.0


def frame(options: Options) -> tuple[str, pd.DataFrame, np.ndarray]:
    """A name for the table, its columns, and the labels."""
    if (options.data / "adult.parquet").exists():
        table = real.read(options.data, "adult").drop_columns(["split"]).to_pandas()
        table = table.head(options.size(len(table), 3_000))
        return f"adult {len(table):,} x {table.shape[1] - 1}", table.drop(columns="label"), table["label"].to_numpy(str)
    rows = options.size(ROWS, 3_000)
    return f"synthetic {rows:,} x {len(LEVELS) + NUMBERS}", *synthetic(rows)


def synthetic(rows: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Strings with gaps and whole numbers, all of them somewhat dependent on the class."""
    rng = np.random.default_rng(4)
    y = (rng.random(rows) < 0.24).astype(np.int64)
    columns: dict[str, Any] = {}
    for j, count in enumerate(LEVELS):
        steps = rng.dirichlet(np.full(count, 1.0), 2).cumsum(axis=1)[:, :-1]
        cells = np.array([f"level {level}" for level in range(count)], dtype=object)
        column = cells[(rng.random(rows)[:, None] > steps[y]).sum(axis=1)]
        column[rng.random(rows) < (0.05 if j < 3 else 0.0)] = None
        columns[f"label {j}"] = column.tolist()
    for j in range(NUMBERS):
        columns[f"number {j}"] = np.round(rng.gamma(2.0, 20.0, rows) * (1 + 0.3 * y)).astype(np.int64)
    return pd.DataFrame(columns), np.where(y, "more", "less")


def pipeline(X: pd.DataFrame) -> Pipeline:
    """What the user of scikit-learn writes."""
    numbers = X.select_dtypes("number").columns
    strings = X.columns.difference(numbers)
    levels = OrdinalEncoder(dtype=np.int64)
    bins = KBinsDiscretizer(10, encode="ordinal", quantile_method="averaged_inverted_cdf", subsample=None)
    columns = ColumnTransformer(
        [
            ("strings", make_pipeline(SimpleImputer(strategy="most_frequent"), levels), strings),
            ("numbers", bins, numbers),
        ]
    )
    return make_pipeline(columns, CategoricalNB())


def accuracy(model: Any, X: pd.DataFrame, y: np.ndarray) -> float:
    """On the rows that were learnt: that both have learnt something."""
    return float(np.mean(model.predict(X) == y))


def duels(name: str, X: pd.DataFrame, y: np.ndarray, options: Options) -> list[RaceRow]:
    """Fit, first prediction, and more predictions."""
    ours, theirs = NaiveBayes().fit(X, y), pipeline(X).fit(X, y)
    compared = f"accuracy {accuracy(ours, X, y):.4f} / {accuracy(theirs, X, y):.4f}"
    if accuracy(ours, X, y) < accuracy(theirs, X, y):
        raise AssertionError(f"worse than the peer on its own rows: {compared}")
    first = X.head(1)
    return [
        duel(f"fit {name}", lambda: NaiveBayes().fit(X, y), lambda: pipeline(X).fit(X, y), options,
             target=10, compared=compared),
        duel(f"fit and first prediction {name}", lambda: NaiveBayes().fit(X, y).predict(first),
             lambda: pipeline(X).fit(X, y).predict(first), options, compared=compared),
        duel(f"predict_proba {name}", lambda: ours.predict_proba(X), lambda: theirs.predict_proba(X), options,
             target=5, compared=compared),
    ]  # fmt: skip


def one_row(X: pd.DataFrame, y: np.ndarray, options: Options) -> MeasureRow:
    """A mapping of columns to cells, as a service would get it."""
    ours, theirs = NaiveBayes().fit(X, y), pipeline(X).fit(X, y)
    row = X.head(1).to_dict("records")[0]
    frames = calls({"peer": lambda: theirs.predict(pd.DataFrame([row]))}, options.size(200, 10))
    taken = calls({"candide": lambda: ours.predict([row])}, options.size(4000, 100))
    mine, peer = (float(np.median(times)) * 1e6 for times in (taken["candide"], frames["peer"]))
    met = None if options.quick else mine < MICROSECONDS
    return MeasureRow("predict one dict, median", f"{mine:,.0f} us", f"{peer:,.0f} us", f"< {MICROSECONDS:g} us", met)


def tables(options: Options) -> Iterator[Table]:
    """The races, then one row."""
    name, X, y = frame(options)
    warnings.filterwarnings("ignore", "Bins whose width are too small", UserWarning)
    yield Table(name, tuple(duels(name, X, y, options)))
    yield Table("One row", (one_row(X, y, options),))
