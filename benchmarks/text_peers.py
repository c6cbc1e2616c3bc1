"""What others do with texts: scikit-learn's pipeline, and queries of Polars and DuckDB that count the same words."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import Pipeline, make_pipeline

from benchmarks.corpora import Corpus
from benchmarks.race import Lap, Options, RaceRow, agree, duel
from candide import TextNB
from candide.counts import Tokens
from candide.events.words import LARGE


@dataclass(frozen=True, slots=True)
class TextRow:
    """A race over so many megabytes of UTF-8."""

    race: RaceRow
    megabytes: float
    peer: str = "scikit-learn"

    @staticmethod
    def headers() -> tuple[str, ...]:
        """The columns of the table."""
        return (
            "work", "candide ms", "MB/s", "MB/CPU s", "peer", "peer ms", "MB/s", "MB/CPU s", "wall ratio", "CPU ratio",
            "target", "verdict", "laps", "compared",
        )  # fmt: skip

    @property
    def missed(self) -> bool:
        """Whether there is a target and the wall ratio is below it."""
        return self.race.missed

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        work, ours, theirs, *rest = self.race.cells()
        return (work, ours, *self._speeds(self.race.candide), self.peer, theirs, *self._speeds(self.race.peer), *rest)

    def _speeds(self, lap: Lap) -> tuple[str, str]:
        return f"{self.megabytes / lap.wall:,.3g}", f"{self.megabytes / max(lap.cpu, 1e-9):,.3g}"


def pipeline(longest: int = 1) -> Pipeline:
    """What the user of scikit-learn writes."""
    return make_pipeline(CountVectorizer(ngram_range=(1, longest)), MultinomialNB())


def notes(longest: int = 1) -> TextNB:
    """The same model."""
    return TextNB(preset="notes", ngrams=(1, longest))


def text_duel(
    work: str, corpus: Corpus, ours: Any, theirs: Any, options: Options, *, target: float | None, compared: str,
    peer: str = "scikit-learn",
) -> TextRow:  # fmt: skip
    """Race over the documents of a corpus."""
    row = duel(f"{work} {corpus.label}", ours, theirs, options, target=target, compared=compared)
    return TextRow(row, corpus.megabytes, peer)


def alike(ours: TextNB, theirs: Pipeline, asked: Corpus) -> str:
    """Assert the same vocabulary, the same counts, and the same probabilities of some documents.

    Of very many weights candide keeps half the digits.
    """
    (bag,) = next(s.bags for s in ours.tally_.statistics.values() if isinstance(s, Tokens))
    names, peers = np.array(bag.names()), theirs[0].get_feature_names_out()
    order = np.argsort(names)
    np.testing.assert_array_equal(names[order], np.sort(peers).astype(names.dtype), err_msg="vocabulary")
    words, pairs = len(bag.vocabulary), len(bag.pairs)
    counts = np.concatenate([bag.words.table(0, words), bag.twos.table(0, pairs)], axis=1)[:, order]
    for c, row in enumerate(theirs[1].feature_count_):
        agree("counts", counts[c], row[np.argsort(peers)])
    some = asked.take(np.arange(0, len(asked.labels), max(1, len(asked.labels) // 500)))
    near = {"rtol": 1e-9, "atol": 1e-9} if counts.size <= LARGE else {"atol": 2e-5}
    found = agree("probabilities", ours.predict_proba(some.texts), theirs.predict_proba(some.strings()), **near)
    return f"{len(names):,} words and their counts (exact), {found}"


SQL = r"""
SELECT label, word, count(*) AS n
FROM (SELECT label, unnest(regexp_extract_all(lower(text), '[\p{L}\p{N}_]{2,}')) AS word FROM documents)
GROUP BY label, word
"""


def by_duckdb(corpus: Corpus) -> Any:
    """Counts by class and word."""
    import duckdb

    connection = duckdb.connect()
    connection.register("documents", pa.table({"text": corpus.texts, "label": pa.array(corpus.labels.tolist())}))
    return lambda: connection.sql(SQL).to_arrow_table()


def by_polars(corpus: Corpus) -> Any:
    """The same, streamed. Words are cut by what parts them: asking for matches is slower."""
    import polars as pl

    table = pl.DataFrame({"text": pl.from_arrow(corpus.texts), "label": corpus.labels.tolist()})
    words = pl.col("text").str.to_lowercase().str.replace_all(r"\W+", " ").str.split(" ").alias("word")
    query = (
        table.lazy().select("label", words).explode("word").filter(pl.col("word").str.len_chars() > 1)
        .group_by("label", "word").agg(pl.len().alias("n"))
    )  # fmt: skip
    return lambda: query.collect(engine="streaming").to_arrow()


def counted(model: TextNB, found: Any) -> str:
    """Assert that a table of counts says what the model has counted, but for letters that engines see otherwise."""
    (bag,) = next(s.bags for s in model.tally_.statistics.values() if isinstance(s, Tokens))
    ours, theirs = float(bag.words.values[:, 0].sum()), float(np.sum(found["n"].to_numpy()))
    agree("words counted", theirs, ours, rtol=5e-3)
    return f"{ours:,.0f} words, {theirs - ours:+,.0f} of the peer's"
