"""How good is NaiveBayes on real tables, and how honest are its probabilities?"""

from collections.abc import Callable, Iterator

import numpy as np

from benchmarks import real, report
from benchmarks.mixed_peers import binned, mixed
from benchmarks.quality import MEASURES, Scores, mean_row
from benchmarks.race import MeasureRow, Options, Table
from benchmarks.real import RealTable
from candide import NaiveBayes
from candide.posterior import Report

TITLE = "Quality on real tables"
QUESTION = """\
`NaiveBayes()` with its defaults against what scikit-learn has for such tables, by stratified tenfold cross-validation,
the same folds for all. *mixed* is GaussianNB on the numbers plus CategoricalNB on the strings; *10 bins* is
CategoricalNB on the strings and ten quantile bins of each number. There, gaps in numbers are filled with the median or
are a bin of their own, and gaps in strings are a level. Tables are cut to 8,000 rows; classes of fewer than 5 rows and
tables of fewer than 50 are left out. Log-loss is in nats; Brier is the sum over classes; ECE has 15 bins, and is that
of all folds together (that of one fold of a small table is mostly chance). An error is the standard error over folds
(of a table) or over tables (of a mean).

For orientation only, since tables and folds are others: over 54 tables, half of which are these, Weka's NaiveBayes had
a mean accuracy of .7998 and log-loss of .9856; with kernel densities .8218 and .7466; with MDL bins .8210 and .6372."""

Predict = Callable[[RealTable, RealTable], np.ndarray]


def ours(train: RealTable, test: RealTable) -> np.ndarray:
    """The default classifier."""
    return NaiveBayes().fit(train.X, train.y).predict_proba(test.X)


PREDICT: tuple[Predict, ...] = (ours, mixed, binned)


def scores(table: RealTable, predict: tuple[Predict, ...] = PREDICT) -> Scores:
    """Every contestant on every fold."""
    reports = [[Report.of(table.classes, one(train, test), test.y) for one in predict] for train, test in table.folds()]
    folds = {measure: np.array([[getattr(one, measure) for one in row] for row in reports]) for measure in MEASURES}
    whole = np.array([Report.mean_of(one).pooled.ece for one in zip(*reports, strict=True)])
    return Scores(table.name, f"{len(table.y):,} x {table.X.num_columns}, {len(table.classes)}", folds, whole)


def adult(options: Options) -> Table:
    """The usual split of the census table, all of its rows."""
    whole = real.read(options.data, "adult")
    is_train = whole["split"].to_numpy(zero_copy_only=False) == "train"
    table = RealTable.of("adult", whole)
    train, test = table.take(np.flatnonzero(is_train)), table.take(np.flatnonzero(~is_train))
    mine, *theirs = (Report.of(table.classes, one(train, test), test.y) for one in PREDICT)
    rows = []
    for measure, bound in (("accuracy", 0.84), ("log_loss", 0.36), ("brier", None), ("ece", None)):
        value, peers = getattr(mine, measure), " / ".join(f"{getattr(one, measure):.4f}" for one in theirs)
        met = None if bound is None else value >= bound if MEASURES[measure] > 0 else value <= bound
        aim = "" if bound is None else f"{'>=' if MEASURES[measure] > 0 else '<='} {bound:g}"
        rows.append(MeasureRow(measure.replace("_", "-"), f"{value:.4f}", peers, aim, met, "peers: mixed / 10 bins"))
    return Table(f"adult, {len(train.y):,} rows to learn from and {len(test.y):,} to judge by", tuple(rows))


def tables(options: Options) -> Iterator[Table]:
    """Means first, then the usual split of adult, then every table."""
    if not any(options.data.glob("*.parquet")):
        report.say(f"no real tables in {options.data}; name their folder with --data\n")
        return
    found = [scores(table) for table in real.usual(options.data, 6 if options.quick else None)]
    yield Table(f"Means over {len(found)} tables", tuple(mean_row(measure, found) for measure in MEASURES))
    if (options.data / "adult.parquet").exists():
        yield adult(options)
    for measure in MEASURES:
        yield Table(f"{measure.replace('_', '-')} by table", tuple(one.row(measure) for one in found))
