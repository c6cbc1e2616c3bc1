"""How much faster does TextNB count and classify texts?"""

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.corpora import Corpus, cyrillic, made, newsgroups, real
from benchmarks.race import Lap, MeasureRow, Options, RaceRow, Table, agree, lap, load, race, short_duel
from benchmarks.text_children import child, write
from benchmarks.text_peers import TextRow, alike, by_duckdb, by_polars, counted, notes, pipeline, text_duel
from candide import TextNB

TITLE = "Texts"
QUESTION = """\
`TextNB(preset="notes")`, which is the same model, against scikit-learn's `CountVectorizer()` and `MultinomialNB()`;
with two threads. candide reads Arrow strings, as files and dataframes have them, scikit-learn a list of strings.
Megabytes are those of UTF-8. Made-up words are as frequent as Zipf and Mandelbrot say, each class has its own order of
them; in Cyrillic they are the same words in other letters. Vocabulary, counts and probabilities are compared once."""

FITS, PREDICTIONS = (50, 25, 15), (40, 25, 10)  # aims: Newsgroups, made-up words, in Cyrillic
MICROSECONDS, TUNING, MEMORY, THREADS = 100.0, 3.0, 3.0, 1.6


def corpora(options: Options) -> list[tuple[Corpus, Corpus]]:
    """Documents to learn from, and to classify."""
    latin, other = made(options.size(200, 2)), made(options.size(40, 1), script="cyrillic")
    return [newsgroups(options.texts, options.quick), (latin, some(latin, options)), (other, some(other, options))]


def some(corpus: Corpus, options: Options) -> Corpus:
    """Documents of about 20 MB."""
    rows = np.arange(0, len(corpus.labels), max(1, round(corpus.megabytes / options.size(20, 1))))
    return corpus.take(rows)


def duels(
    learnt: Corpus, asked: Corpus, aims: tuple[float | None, float | None], options: Options
) -> Iterator[TextRow]:
    """Fit, fit and classify one document, classify many."""
    strings, questions, one = learnt.strings(), asked.strings(), learnt.take(np.array([0]))
    ours, theirs = notes().fit(learnt.texts, learnt.labels), pipeline().fit(strings, learnt.labels)
    compared = alike(ours, theirs, asked)
    fit: Any = lambda: notes().fit(learnt.texts, learnt.labels)  # noqa: E731
    peer: Any = lambda: pipeline().fit(strings, learnt.labels)  # noqa: E731
    yield text_duel("fit", learnt, fit, peer, options, target=aims[0], compared=compared)
    if learnt.megabytes < 100:
        yield text_duel("fit and a prediction", learnt, lambda: fit().predict(one.texts),
                        lambda: peer().predict(one.strings()), options, target=None, compared=compared)  # fmt: skip
        yield text_duel("fit a list of strings", learnt, lambda: notes().fit(strings, learnt.labels), peer, options,
                        target=None, compared=compared)  # fmt: skip
    same = float(np.mean(ours.predict(asked.texts) == theirs.predict(questions)))
    if same < 1:
        raise AssertionError(f"{1 - same:.2%} of the predictions differ")
    yield text_duel("predict", asked, lambda: ours.predict(asked.texts), lambda: theirs.predict(questions), options,
                    target=aims[1], compared="predictions (exact)")  # fmt: skip


def neighbours(corpus: Corpus, asked: Corpus, options: Options) -> TextRow:
    """Words and pairs of words."""
    strings = corpus.strings()
    ours, theirs = notes(2).fit(corpus.texts, corpus.labels), pipeline(2).fit(strings, corpus.labels)
    return text_duel("fit words and pairs,", corpus, lambda: notes(2).fit(corpus.texts, corpus.labels),
                     lambda: pipeline(2).fit(strings, corpus.labels), options, target=20,
                     compared=alike(ours, theirs, asked))  # fmt: skip


def engines(corpus: Corpus, options: Options) -> Iterator[TextRow]:
    """Polars and DuckDB count the same words; the quicker of the two is the mark."""
    model = notes().fit(corpus.texts, corpus.labels)
    queries = {"Polars": by_polars(corpus), "DuckDB": by_duckdb(corpus)}
    said = {name: counted(model, query()) for name, query in queries.items()}
    times = race({"candide": lambda: notes().fit(corpus.texts, corpus.labels), **queries}, options)
    best = min(queries, key=lambda name: times[name].wall)
    for name in queries:
        target = options.aim(3) if name == best else None
        row = RaceRow(f"count {corpus.label}", times["candide"], times[name], target, said[name])
        yield TextRow(row, corpus.megabytes, name)


def default(corpus: Corpus, options: Options) -> Iterator[MeasureRow]:
    """What the default preset counts, and what it makes of that when it is first asked."""

    def scored() -> Any:
        model = TextNB().fit(corpus.texts, corpus.labels)
        return model.model_.scorecard

    scored()
    times = race({"count": lambda: TextNB().fit(corpus.texts, corpus.labels), "all": scored}, options)
    ratio = times["all"].wall / times["count"].wall
    note = f"counts {corpus.megabytes / times['count'].wall:,.0f} MB/s"
    yield MeasureRow(f"TextNB(), {corpus.label}: fit, beside fit and tuning", f"{times['count'].wall * 1e3:,.0f} ms",
                     f"{times['all'].wall * 1e3:,.0f} ms", f"<= {TUNING:g} x", _met(ratio <= TUNING, options),
                     f"{ratio:.2f} x; CPU {times['all'].cpu / times['count'].cpu:.2f} x; {note}")  # fmt: skip


def message(options: Options) -> Iterator[Table]:
    """One short text."""
    found = real(options.texts, "sms_spam") or some(made(1), options)
    strings = found.strings()
    ours, theirs = notes().fit(found.texts, found.labels), pipeline().fit(strings, found.labels)
    asked = [strings[10]]
    compared = agree("predict_proba", ours.predict_proba(asked), theirs.predict_proba(asked), atol=1e-9)
    row = short_duel(f"predict_proba of {len(asked[0])} letters, {found.name}", lambda: ours.predict_proba(asked),
                     lambda: theirs.predict_proba(asked), options, target=5, compared=compared)  # fmt: skip
    yield Table("One message, median of many calls", (row,))
    mine = row.candide.wall * 1e6
    tuned = TextNB().fit(found.texts, found.labels)
    tuned.predict_proba(asked)
    times = min(lap(lambda: [tuned.predict_proba(asked) for _ in range(1_000)]).wall for _ in range(options.rounds))
    yield Table("The same in microseconds", (
        MeasureRow("preset notes", f"{mine:,.1f} us", f"{row.peer.wall * 1e6:,.0f} us", f"< {MICROSECONDS:g} us",
                   _met(mine < MICROSECONDS, options)),
        MeasureRow("preset default", f"{times * 1e3:,.1f} us", "", f"< {MICROSECONDS:g} us",
                   _met(times * 1e3 < MICROSECONDS, options)),
    ))  # fmt: skip


def children(options: Options) -> Iterator[MeasureRow]:
    """One thread and two, and the memory of either."""
    with tempfile.TemporaryDirectory() as folder:
        path, best = Path(folder) / "texts.arrow", dict[int, Lap]()
        write(path, options)
        for _ in range(options.rounds):
            for threads in (1, 2):
                times = child(path, threads).lap
                best[threads] = best[threads].best(times) if threads in best else times
        found = child(path, 2, at_once=True)
    one, two = best[1], best[2]
    gain, ratio = one.wall / two.wall, found.beyond / found.tables
    yield MeasureRow("fit with two threads, beside one", f"{two.wall:.2f} s", f"{one.wall:.2f} s", f">= {THREADS:g} x",
                     _met(gain >= THREADS, options),
                     f"{gain:.2f} x; CPU {two.cpu:.2f} / {one.cpu:.2f} s; load {load()}")  # fmt: skip
    yield MeasureRow("peak memory beyond the documents, beside the model's tables", f"{found.beyond / 1e6:,.0f} MB",
                     f"{found.tables / 1e6:,.0f} MB", f"<= {MEMORY:g} x", _met(ratio <= MEMORY, options),
                     f"{ratio:.2f} x")  # fmt: skip


def _met(met: bool, options: Options) -> bool | None:
    return None if options.quick else met


def tables(options: Options) -> Iterator[Table]:
    """Races, then quantities."""
    groups = corpora(options)
    for (learnt, asked), *aims in zip(groups, FITS, PREDICTIONS, strict=True):
        yield Table(learnt.label, tuple(duels(learnt, asked, (aims[0], aims[1]), options)))
    if sentences := cyrillic(options.texts):
        yield Table(sentences.label, tuple(duels(sentences, sentences, (None, None), options)))
    (news, asked), (words, _), (letters, _) = groups
    few = replace(some(words, options), name="made-up words")
    yield Table("Pairs of neighbouring words", (neighbours(news, asked, options), neighbours(few, few, options)))
    yield Table(
        "Counting with Polars and DuckDB", (*engines(news, options), *engines(few, options), *engines(letters, options))
    )
    yield Table("Tuning", (*default(news, options), *default(words, options)))
    yield from message(options)
    yield Table(f"{options.size(200, 2)} MB in a process of its own", tuple(children(options)))
