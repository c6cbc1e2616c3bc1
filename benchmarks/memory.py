"""How much memory does a fit need beyond its input?"""

from collections.abc import Iterator

from benchmarks.peak import Peak, peak
from benchmarks.race import MeasureRow, Options, Table

TITLE = "Memory"
QUESTION = (
    "The highest resident memory during a fit, less the memory before it, in a fresh process which has fitted once "
    "before. The model is what pickle writes; the working memory is the peak without the model, of which at most "
    "twice the size of scikit-learn's model is taken off, so that rows kept in a model are not overlooked."
)
TARGET = 0.1
WORD_MODELS = ("MultinomialNB", "BernoulliNB", "ComplementNB")

# estimator, problem, where scikit-learn keeps its peer and under which name
FITS = (
    ("GaussianNB", "normal", "sklearn.naive_bayes", "GaussianNB"),
    ("GaussianNB", "normal-20", "sklearn.naive_bayes", "GaussianNB"),
    ("GaussianNB", "normal-float32", "sklearn.naive_bayes", "GaussianNB"),
    ("GaussianDiscriminant", "correlated", "sklearn.discriminant_analysis", "LinearDiscriminantAnalysis"),
    ("CategoricalNB", "levels-int8", "sklearn.naive_bayes", "CategoricalNB"),
    ("CategoricalNB", "levels-int64", "sklearn.naive_bayes", "CategoricalNB"),
    *((model, "words", "sklearn.naive_bayes", model) for model in WORD_MODELS),
    ("MultinomialNB", "words-1000", "sklearn.naive_bayes", "MultinomialNB"),
)


def mb(size: float) -> str:
    """Bytes as megabytes."""
    return f"{size / 1e6:,.1f} MB"


def text(working: int, found: Peak) -> str:
    """Working memory, absolute and as a share of the input."""
    return f"{mb(working)} = {working / found.input:.1%}"


def rows(options: Options) -> Iterator[MeasureRow]:
    """Both libraries, one fit a row."""
    for estimator, problem, library, name in FITS:
        ours = peak("candide", estimator, problem, options.quick)
        theirs = peak(library, name, problem, options.quick)
        mine, yours = ours.working(2 * theirs.model), theirs.working(theirs.model)
        met = None if options.quick else mine < TARGET * ours.input
        sizes = f"input {mb(ours.input)}; models {mb(ours.model)} / {mb(theirs.model)}"
        label, bound = f"{estimator}.fit, {problem}", f"< {TARGET:.0%} of the input"
        yield MeasureRow(label, text(mine, ours), text(yours, theirs), bound, met, sizes)


def tables(options: Options) -> Iterator[Table]:
    """One row a fit."""
    yield Table("Working memory of a fit, beyond its input and its model", tuple(rows(options)))
