"""How good are the predictions of TextNB beside those of scikit-learn's classifiers of texts?"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.datasets import _twenty_newsgroups as usenet
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from benchmarks.corpora import Corpus, halves, newsgroups, real
from benchmarks.race import Options, Table
from benchmarks.text_measures import Aims, Judged, LanguageRow, QualityRow, SpamRow, languages, spam
from candide import TextNB
from candide.estimators.curves import lecture

TITLE = "Quality on texts"
QUESTION = """\
`TextNB()` and `TextNB(preset="best")` beside scikit-learn's classifiers: multinomial naive Bayes on counts, and on
tf-idf complement naive Bayes, logistic regression (C = 10, where it takes less than a minute: with few classes) and a
linear support vector machine, which has no probabilities. Log-loss in nats, calibration error of 15 bins of equal
width. 20 Newsgroups as it is split by date, with and without headers, quotes and footers; all else at random, two
thirds to learn from: the same splits for everyone. Means over splits, with their standard errors. Nothing was tuned
here, but the defaults of candide were found on eleven corpora, some of which these are. The 19,997 messages have the
line `Newsgroups:` that names the answer; `candide, notes` there is Mitchell's recipe."""

FEW = 10  # classes
DEFAULT, BEST, NOTES = "candide", "candide, best", "candide, notes"
AIMS: dict[str, dict[str, Aims]] = {
    "20 Newsgroups": {DEFAULT: Aims(0.855, 0.54), BEST: Aims(0.862, 0.52)},
    "20 Newsgroups, bodies": {DEFAULT: Aims(0.723, ece=0.04), BEST: Aims(0.734, ece=0.04)},
    "19,997 Newsgroups": {DEFAULT: Aims(0.93, ece=0.04), BEST: Aims(ece=0.04)},
    "SMS": {DEFAULT: Aims(0.987, 0.050, 0.04, alarms=2.5), BEST: Aims(0.989, 0.045, 0.04, alarms=1.0)},
    "sentence polarity": {DEFAULT: Aims(0.77, 0.465, 0.04), BEST: Aims(0.78, 0.455, 0.04)},
    "AG news": {DEFAULT: Aims(ece=0.04), BEST: Aims(ece=0.04)},
    "Chinese reviews": {DEFAULT: Aims(ece=0.04), BEST: Aims(ece=0.04)},
    "79 languages": {DEFAULT: Aims(ece=0.04)},
}
Makers = dict[str, Callable[[], Any]]


def contestants(classes: int, **how: Any) -> Makers:
    """Everyone; `how` tells scikit-learn and candide alike what to count."""
    ours, theirs = ({"analyzer": how["ours"]}, how["theirs"]) if how else ({}, {})
    found: Makers = {
        DEFAULT: lambda: TextNB(**ours),
        BEST: lambda: TextNB("best", **ours),
        "multinomial": lambda: make_pipeline(CountVectorizer(**theirs), MultinomialNB()),
        "complement": lambda: make_pipeline(TfidfVectorizer(**theirs), ComplementNB()),
        "support vectors": lambda: make_pipeline(TfidfVectorizer(**theirs), LinearSVC()),
    }
    if classes < FEW:
        found["logistic"] = lambda: make_pipeline(TfidfVectorizer(**theirs), LogisticRegression(C=10, max_iter=2_000))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """Texts to learn from and to judge by, one pair a split."""

    name: str
    splits: list[tuple[Corpus, Corpus]]
    makers: Makers

    @classmethod
    def drawn(cls, name: str, corpus: Corpus, splits: int, options: Options, **how: Any) -> "Task":
        """Two thirds and one third, at random."""
        rows = np.random.default_rng(5).permutation(len(corpus.labels))[: options.size(len(corpus.labels), 1_500)]
        some = corpus.take(np.sort(rows))
        pairs = [(some.take(a), some.take(b)) for a, b in halves(some.labels, options.size(splits, 1))]
        return cls(name, pairs, contestants(len(np.unique(corpus.labels)), **how))


def tasks(options: Options) -> Iterator[Task]:
    """What there is beside the project."""
    folder = options.texts
    if (folder / "20newsgroups_bydate.parquet").exists():
        pair = newsgroups(folder, options.quick)
        yield Task("20 Newsgroups", [pair], contestants(20))
        yield Task("20 Newsgroups, bodies", [(stripped(pair[0]), stripped(pair[1]))], contestants(20))
    for name, file, splits in (
        ("19,997 Newsgroups", "20newsgroups_19997", 1),
        ("SMS", "sms_spam", 5),
        ("sentence polarity", "sentence_polarity", 5),
        ("AG news", "ag_news_test", 5),
    ):
        found = real(folder, file)
        if found is not None:
            task = Task.drawn(name, found, splits, options)
            yield with_notes(task) if splits == 1 else task
    letters = {"ours": {"unit": "letters", "ngrams": (1, 2)}, "theirs": {"analyzer": "char", "ngram_range": (1, 2)}}
    if (found := real(folder, "zh_hotel_reviews")) is not None:
        yield Task.drawn("Chinese reviews", found, 5, options, **letters)


def with_notes(task: Task) -> Task:
    """And the recipe of Mitchell's lecture."""
    return replace(task, makers=task.makers | {NOTES: Recipe})


class Recipe:
    """Mitchell's recipe behind the methods that are asked for here."""

    def fit(self, texts: Any, labels: np.ndarray) -> "Recipe":
        """Count all words, then all but the commonest and the rare ones."""
        self.model = lecture(texts, labels)
        self.classes_ = self.model.classes_
        return self

    def predict_log_proba(self, texts: Any) -> np.ndarray:
        """As the model says."""
        return np.asarray(self.model.predict_log_proba(texts))


def stripped(corpus: Corpus) -> Corpus:
    """Without what names the group: headers, quoted lines, signatures."""
    texts = [
        usenet.strip_newsgroup_footer(usenet.strip_newsgroup_quoting(usenet.strip_newsgroup_header(text)))
        for text in corpus.strings()
    ]
    return replace(corpus, texts=pa.array(texts, pa.large_string()))


def judged(maker: Callable[[], Any], splits: list[tuple[Corpus, Corpus]]) -> Judged:
    """One contestant on all splits."""
    found, began = [], time.perf_counter()
    for learnt, asked in splits:
        ours = not hasattr(maker(), "steps")
        X, Q = (learnt.texts, asked.texts) if ours else (learnt.strings(), asked.strings())
        model = maker().fit(X, learnt.labels)
        if hasattr(model, "predict_log_proba") and not (not ours and isinstance(model[-1], LinearSVC)):
            found.append((asked.labels, model.classes_, model.predict_log_proba(Q)))
        else:
            found.append((asked.labels, model.classes_, np.asarray(model.predict(Q))))
    return Judged.of(found, time.perf_counter() - began)


def quality(options: Options) -> Iterator[tuple[Task, dict[str, Judged]]]:
    """Task after task."""
    for task in tasks(options):
        yield task, {name: judged(maker, task.splits) for name, maker in task.makers.items()}


def tables(options: Options) -> Iterator[Table]:
    """A table a set, two about false alarms, one about languages."""
    for task, found in quality(options):
        aims = AIMS.get(task.name, {})
        documents = f"{len(task.splits[0][0].labels):,} to learn from, {len(task.splits[0][1].labels):,} to judge by"
        rows = (QualityRow(name, one, aims.get(name, Aims()), not options.quick) for name, one in found.items())
        yield Table(f"{task.name}: {documents}, {len(task.splits)} split{'s' * (len(task.splits) > 1)}", tuple(rows))
        if task.name == "SMS":
            alarms: list[SpamRow] = [
                spam(name, one, aims.get(name, Aims()), not options.quick)
                for name, one in found.items()
                if one.log_loss is not None
            ]
            yield Table("SMS: false alarms among 1,000 wanted messages", tuple(alarms))
    if (sentences := real(options.texts, "language_id_lingua")) is not None:
        how = {
            "ours": {"unit": "letters in words", "ngrams": (1, 3)},
            "theirs": {"analyzer": "char_wb", "ngram_range": (1, 3)},
        }
        task = Task.drawn("79 languages", sentences, 1, options, **how)
        makers = {DEFAULT: task.makers[DEFAULT], "candide, notes": lambda: TextNB("notes", analyzer=how["ours"]),
                  "multinomial": task.makers["multinomial"]}  # fmt: skip
        found = {name: judged(maker, task.splits) for name, maker in makers.items()}
        aims = AIMS[task.name]
        rows = tuple(QualityRow(name, one, aims.get(name, Aims()), not options.quick) for name, one in found.items())
        yield Table("79 languages: words and sentences, runs of 1 to 3 letters", rows)
        lines: list[LanguageRow] = [languages(name, one, task.splits[0][1]) for name, one in found.items()]
        yield Table("79 languages: the share of each that was recognised", tuple(lines))
