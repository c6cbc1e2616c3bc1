"""How much memory does a fit need beyond its input?"""

from collections.abc import Iterator

from benchmarks.peak import Peak, peak
from benchmarks.race import MeasureRow, Options, Table

TITLE = "Memory"
QUESTION = (
    "The highest resident memory during a fit, less the memory before it, in a fresh process which has fitted once "
    "before. The model is what pickle writes; the working memory is the peak without the model."
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


def text(found: Peak) -> str:
    """Working memory, absolute and as a share of the input."""
    return f"{mb(found.working)} = {found.working / found.input:.1%}"


def rows(options: Options) -> Iterator[MeasureRow]:
    """Both libraries, one fit a row."""
    for estimator, problem, library, name in FITS:
        ours = peak("candide", estimator, problem, options.quick)
        theirs = peak(library, name, problem, options.quick)
        sizes = f"input {mb(ours.input)}; models {mb(ours.model)} / {mb(theirs.model)}"
        yield MeasureRow(f"{estimator}.fit, {problem}", text(ours), text(theirs), f"< {TARGET:.0%} of the input",
                         None if options.quick else ours.working < TARGET * ours.input, sizes)  # fmt: skip


def tables(options: Options) -> Iterator[Table]:
    """One row a fit."""
    yield Table("Working memory of a fit, beyond its input and its model", tuple(rows(options)))
