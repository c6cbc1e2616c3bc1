"""A classifier of texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import pyarrow as pa

from candide.classifier import Batch
from candide.classifier.settings import DEFAULTS
from candide.data.arrow import as_arrow, as_texts, is_text
from candide.data.columns import as_strings
from candide.data.frame import Frame
from candide.engines import Memory
from candide.errors import BadTable, BadValue
from candide.estimators.learner import NOT_YET, Learner
from candide.estimators.one_text import OneText
from candide.estimators.presets import preset_of, words_event
from candide.estimators.tidy import parted, words_of
from candide.explain import Derivation, Evidence
from candide.explain.telling import telling
from candide.scorecard import Floats, WordSum

TEXT = "text"  # what the only column is called


class TextNB(Learner):
    """Naive Bayes for texts: a list of strings, a Series, a column of a dataframe.

    The default weighs words by what multinomial and complement models of log-counts at unit length say, as strongly as
    texts that were kept justify. `preset="best"` counts neighbouring words, too, and keeps more texts; `preset="notes"`
    is the plain recipe of textbooks, (n + 1)/(N + V), without calibration. `analyzer` says what words are: an
    `Analyzer` or a mapping of its options; `ngrams`, `stop`, `stem`, `lemma` and `forms` are options by themselves.

    >>> texts, labels = ["win a prize", "lunch at noon", "claim your prize"], ["spam", "ham", "spam"]
    >>> model = TextNB(preset="notes").fit(texts, labels)
    >>> model.predict(["a prize for lunch?"]).tolist()
    ['spam']
    """

    def __init__(
        self,
        preset: str = "default",
        *,
        analyzer: Any = None,
        ngrams: Any = None,
        stop: Any = None,
        stem: str | None = None,
        lemma: str | None = None,
        forms: Mapping[str, str] | None = None,
        model: str | None = None,
        values: str | None = None,
        alpha: float | None = None,
        tfidf: str | None = None,
        min_df: float = 1,
        max_df: float = 1.0,
        max_words: int | None = None,
        priors: Any = None,
        class_weight: Any = None,
        costs: Any = None,
        reject: float | None = None,
        calibrate: bool | None = None,
        keep_rows: int | None = None,
    ) -> None:
        self.preset = preset
        self.analyzer = analyzer
        self.ngrams = ngrams
        self.stop = stop
        self.stem = stem
        self.lemma = lemma
        self.forms = forms
        self.model = model
        self.values = values
        self.alpha = alpha
        self.tfidf = tfidf
        self.min_df = min_df
        self.max_df = max_df
        self.max_words = max_words
        self.priors = priors
        self.class_weight = class_weight
        self.costs = costs
        self.reject = reject
        self.calibrate = calibrate
        self.keep_rows = keep_rows

    def words(self, label: Any = None, most: int = 10) -> dict[Any, list[tuple[str, float, float]]]:
        """The words that speak most for each class, or for one: each with its bits and how many texts have it."""
        return telling(self.model_.scorecard, self.tally_, TEXT, label, most)

    def explain(self, X: Any) -> Evidence:
        """The evidence of texts; `.words(row)` opens one into its words, each with its places in the text.

        >>> texts = ["win a prize", "lunch at noon", "claim your prize"]
        >>> model = TextNB(preset="notes").fit(texts, ["spam", "ham", "spam"])
        >>> model.explain(["A prize!"]).words().words[0].places
        ((2, 7),)
        """
        return super().explain(X)

    def derive(self, row: Any) -> Derivation:
        """The decision about one text on paper; with `preset="notes"` in exact fractions."""
        return super().derive([row] if isinstance(row, str) else row)

    # ---------------------------------------------------------------- how

    @classmethod
    def _made(cls, settings: Mapping[str, Any]) -> Self:
        return cls(**settings["text_nb"])

    def _settings(self) -> dict[str, Any]:
        """The settings of a table of one column, and the parameters they were made of."""
        event = words_event(self)
        preset, own = preset_of(self.preset), self.get_params(deep=False)
        return {
            **DEFAULTS,
            **{name: own[name] for name in ("class_weight", "costs", "reject")},
            "priors": preset.priors if self.priors is None else self.priors,
            "calibrate": preset.calibrate if self.calibrate is None else self.calibrate,
            "keep_rows": preset.keep_rows if self.keep_rows is None else self.keep_rows,
            "columns": {TEXT: event},
            "text_nb": own,
        }

    # ---------------------------------------------------------------- data in

    def _read(self, X: Any, y: Any, sample_weight: Any, reset: bool) -> Batch:
        if isinstance(y, str):
            self.target_ = y
            table, y = parted(as_arrow(X), y)
            if table.num_columns != 1:
                names = ", ".join(map(repr, table.column_names))
                raise BadTable(f"TextNB reads one column of texts, the table has {names}; use NaiveBayes for all.")
            X = table.column(0)
        labels = words_of(y)
        if labels is None:
            table, y, weights = self._labelled(X, y, sample_weight, reset=reset)
            classes, codes = Memory().encode(y)
            return Batch(table, classes, codes, weights)
        table, _, weights = self._labelled(X, np.zeros(len(labels), dtype=np.int8), sample_weight, reset=reset)
        return Batch.of(table, labels, weights)

    def _matrix(self, X: Any, reset: bool) -> Any:
        """Texts as a table of one column."""
        column = _texts(X)
        if not len(column):
            raise BadTable("Found array with 0 sample(s) while a minimum of 1 is required.")
        return pa.table({TEXT: column})

    def _rows(self, X: Any) -> Any:
        self.tally_  # noqa: B018  (says that the classifier is not fitted)
        return Frame(self._matrix(X, reset=False), self.schema_)

    def _quickly(self, X: Any) -> Floats | None:
        """One text, without Arrow."""
        if type(X) is not list or len(X) != 1 or type(X[0]) is not str or "model_" not in vars(self):
            return None
        if self.one_row_ is NOT_YET:
            terms = self.model_.scorecard.terms
            self.one_row_ = OneText(self.model_.scorecard) if terms and isinstance(terms[0], WordSum) else None
        return None if self.one_row_ is None else self.one_row_.posterior(X[0])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.input_tags.allow_nan = True
        return tags


def _texts(X: Any) -> Any:
    """Any sequence of strings as one Arrow array."""
    if isinstance(X, str):
        raise BadValue(f"expected several texts, got one string: put it into a list, [{X[:20]!r}].")
    if isinstance(X, (pa.Array, pa.ChunkedArray)):
        return as_texts(TEXT, X)
    if hasattr(X, "to_arrow"):  # a Series of Polars
        return as_texts(TEXT, pa.chunked_array([X.to_arrow()]))
    dtype = getattr(X, "dtype", None)
    if dtype is not None and hasattr(X, "array") and not isinstance(X, np.ndarray):  # a Series of pandas
        try:
            found = X.array.__arrow_array__() if hasattr(X.array, "__arrow_array__") else pa.array(X, from_pandas=True)
        except (pa.ArrowException, TypeError):
            found = None
        if found is not None and (is_text(found.type) or pa.types.is_null(found.type)):
            return as_texts(TEXT, pa.chunked_array([found]) if isinstance(found, pa.Array) else found)
    if getattr(X, "ndim", 1) != 1:
        raise BadValue(f"expected a list of texts, got an array of shape {X.shape}: pass one column of it.")
    if not hasattr(X, "__len__"):
        X = list(X)
    try:
        return pa.array(X, pa.large_string(), from_pandas=True)
    except (pa.ArrowException, TypeError, UnicodeError):
        cells = np.empty(len(X), dtype=object)
        cells[:] = list(X)
        return as_strings(TEXT, cells)
