"""A classifier of texts."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import candide
from candide import NaiveBayes, TextNB, Words
from candide.classifier import Batch
from candide.errors import BadAnalyzer, BadPrior, BadTable, BadValue, NeverAdded, UnknownColumn
from candide.text.analyzer import Analyzer

HAM = "see you at lunch|are you home now|the meeting is at noon|call me when you can|thanks for the notes|ok love you"
SPAM = "win a free prize now|free entry call now|urgent you won cash|claim your free phone|cash prize waiting call"
TEXTS = [*HAM.split("|"), *SPAM.split("|")] * 3
LABELS = (["ham"] * 6 + ["spam"] * 5) * 3
RNG = np.random.default_rng(0)


@pytest.mark.parametrize("preset", ["default", "notes"])
@pytest.mark.filterwarnings("ignore:Can't test estimator")  # with data of its own, which are numbers
def test_scikit_learns_own_checks(preset: str) -> None:
    check_estimator(TextNB(preset=preset))


def corpus(n: int, seed: int = 0, k: int = 3) -> tuple[list[str], list[str]]:
    """Texts of a few hundred made-up words, whose frequencies differ from class to class."""
    rng = np.random.default_rng(seed)
    words = np.array([f"w{i}" for i in range(300)])
    shares = rng.dirichlet(np.full(300, 0.1), k)
    y = rng.integers(0, k, n)
    texts = [" ".join(rng.choice(words, rng.integers(0, 40), p=shares[c])) for c in y]
    return texts, [f"class {c}" for c in y]


@pytest.mark.parametrize("kernels", ["plain", "compiled"])
def test_the_notes_are_scikit_learns_multinomial(kernels: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANDIDE_KERNELS", kernels)
    texts, y = corpus(400)
    peer = make_pipeline(CountVectorizer(), MultinomialNB()).fit(texts, y)
    model = TextNB(preset="notes").fit(texts, y)
    fresh, _ = corpus(100, 9)
    assert_allclose(model.predict_proba([*fresh, "unknown w1"]), peer.predict_proba([*fresh, "unknown w1"]), atol=1e-9)
    bag = next(held for request, held in model.tally_.statistics.items() if hasattr(request, "analyzers")).bags[0]
    counts = dict(zip(bag.vocabulary.words(), bag.words.table(0, len(bag.vocabulary)).T, strict=True))
    names, wanted = peer[0].get_feature_names_out(), peer[1].feature_count_
    assert counts.keys() == set(names)
    assert all((counts[name] == column).all() for name, column in zip(names, wanted.T, strict=True))


def test_words_and_pairs_are_drawn_from_one_urn() -> None:
    texts, y = corpus(200)
    peer = make_pipeline(CountVectorizer(ngram_range=(1, 2)), MultinomialNB()).fit(texts, y)
    model = TextNB(preset="notes", ngrams=(1, 2)).fit(texts, y)
    assert_allclose(model.predict_proba(corpus(50, 2)[0]), peer.predict_proba(corpus(50, 2)[0]), atol=1e-9)


@pytest.mark.parametrize("kernels", ["plain", "compiled"])
def test_bernoulli_and_complement_are_scikit_learns(kernels: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANDIDE_KERNELS", kernels)
    texts, y = corpus(300)
    fresh, _ = corpus(60, 5)
    peer: Any = make_pipeline(CountVectorizer(binary=True), BernoulliNB()).fit(texts, y)
    ours = TextNB(preset="notes", model="bernoulli").fit(texts, y)
    assert_allclose(ours.predict_proba(fresh), peer.predict_proba(fresh), atol=1e-9)
    peer = make_pipeline(CountVectorizer(binary=True), MultinomialNB()).fit(texts, y)
    ours = TextNB(preset="notes", values="once").fit(texts, y)
    assert_allclose(ours.predict_proba(fresh), peer.predict_proba(fresh), atol=1e-9)
    peer = make_pipeline(CountVectorizer(), ComplementNB()).fit(texts, y)
    ours = TextNB(preset="notes", model="complement").fit(texts, y)
    assert (ours.predict(fresh) == peer.predict(fresh)).all()


OPTIONS: list[dict[str, Any]] = [
    {},
    {"preset": "best"},
    {"preset": "notes"},
    {"stop": ["w1", "w2"], "forms": {"w3": "w4"}},
    {"ngrams": (1, 2), "stop": ["w1", "w2"], "preset": "notes"},
    {"analyzer": {"unit": "letters in words", "ngrams": (1, 3)}},
    {"min_df": 5, "max_df": 0.4},
    {"model": "bernoulli"},
    {"analyzer": {"buckets": 128}},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_compiled_and_plain_agree(options: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    texts, y = corpus(200)
    fresh = [*corpus(50, 3)[0], "", "w1 w2 nothing known w3 W4"]
    found = {}
    for kernels in ("plain", "compiled"):
        monkeypatch.setenv("CANDIDE_KERNELS", kernels)
        model = TextNB(**options).fit(texts, y)
        found[kernels] = model.predict_proba(fresh)
        one = np.concatenate([model.predict_proba([text]) for text in fresh])
        assert_allclose(one, found[kernels], atol=1e-9)
    assert_allclose(found["plain"], found["compiled"], atol=1e-9)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_parts_merged_batches_in_a_row_and_all_at_once_are_the_same(options: Any, tmp_path: Path) -> None:
    texts, y = corpus(150)
    whole = TextNB(**options).fit(texts, y)
    parts = [TextNB(**options).fit(texts[i::2], y[i::2]) for i in range(2)]
    row = TextNB(**options)
    for i in range(0, 150, 50):
        row.partial_fit(texts[i : i + 50], y[i : i + 50])
    more = ["class 0"] * len(TEXTS)
    back = TextNB(**options).fit([*texts, *TEXTS], [*y, *more]).forget(TEXTS, more)
    files = []
    for place, model in enumerate([whole, parts[0].merge(parts[1]), row, back]):
        assert_allclose(model.predict_proba(texts), whole.predict_proba(texts), atol=1e-9)
        candide.save(model, tmp_path / f"{place}.candide")
        files.append(model.tally_)
    for tally in files[1:]:
        for request, statistic in tally.statistics.items():
            if hasattr(request, "analyzers"):
                mine, theirs = statistic.to_arrays(), files[0][request].to_arrays()
                assert all(np.array_equal(mine[name], theirs[name]) for name in mine if "most" not in name)
    loaded = candide.load(tmp_path / "0.candide")
    assert isinstance(loaded, TextNB)
    assert_allclose(loaded.predict_proba(texts), whole.predict_proba(texts), atol=1e-12)
    assert (tmp_path / "0.candide").read_bytes()[:20000] == (tmp_path / "1.candide").read_bytes()[:20000] or options
    loaded.partial_fit(["a new word"], ["a new class"])
    assert "a new class" in loaded.classes_


def test_weight_is_repetition() -> None:
    texts, y = corpus(60)
    times = RNG.integers(1, 4, 60)
    repeated = TextNB(preset="notes").fit(np.repeat(texts, times).tolist(), np.repeat(y, times).tolist())
    weighted = TextNB(preset="notes").fit(texts, y, sample_weight=times)
    assert_allclose(weighted.predict_proba(texts), repeated.predict_proba(texts), rtol=1e-12)


@pytest.mark.parametrize(
    "made",
    [
        lambda t: t,
        tuple,
        np.array,
        lambda t: np.array(t, dtype=object),
        pd.Series,
        lambda t: pd.Series(t, dtype="string[pyarrow]"),
        lambda t: pd.Series(t, dtype="category"),
        pl.Series,
        pa.array,
        lambda t: pa.chunked_array([t[:5], t[5:]]),
        lambda t: pa.array(t).dictionary_encode(),
        lambda t: pa.array(t, pa.string_view()),
    ],
)
def test_texts_may_come_as_any_sequence(made: Any) -> None:
    plain = TextNB().fit(TEXTS, LABELS)
    model = TextNB().fit(made(TEXTS), LABELS)
    assert_allclose(model.predict_proba(made(TEXTS)), plain.predict_proba(TEXTS))


def test_a_missing_text_says_nothing() -> None:
    model = TextNB().fit([*TEXTS, None, np.nan], [*LABELS, "ham", "spam"])
    prior = np.array([19, 16]) + 1.0
    plain = TextNB(preset="notes").fit([*TEXTS, None, None], [*LABELS, "ham", "spam"])
    assert_allclose(plain.predict_proba([None, "free"])[0], (prior - 1) / (prior - 1).sum())
    assert np.isfinite(model.predict_proba([None, "", "…"])).all()


@pytest.mark.parametrize(
    ("X", "error"),
    [
        ("one text", BadValue),
        ([1, 2], BadValue),
        (["a", 3], BadValue),
        ([], BadTable),
        (np.array([["a"], ["b"]]), BadValue),
        ([b"caf\xe9", b"b"], ValueError),
    ],
)
def test_what_is_no_text_is_refused(X: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        TextNB().fit(X, ["p", "q"][: max(1, len(X))] if not isinstance(X, str) else ["p"])


def test_parameters_that_cannot_be() -> None:
    for options in ({"preset": "foo"}, {"model": "foo"}, {"alpha": -1.0}, {"tfidf": "foo"}, {"values": "foo"}):
        with pytest.raises(BadPrior):
            TextNB(**options).fit(TEXTS, LABELS)
    for wrong in ({"analyzer": 3}, {"analyzer": Analyzer(), "stop": ["a"]}, {"stem": "klingon"}):
        with pytest.raises(BadAnalyzer):
            TextNB(**wrong).fit(TEXTS, LABELS)
    with pytest.raises(BadPrior, match="words are counted alone"):
        TextNB(ngrams=(1, 3)).fit(TEXTS, LABELS)


@pytest.mark.parametrize(
    "texts",
    [
        ["a b c", "d e f"],
        ["\0\0 nul", "lone \ud800 surrogate"],
        ["", ""],
        [None, None],
        ["the", "of"],
        ["x" * 100_000, "y " * 50_000],
        ["İstanbul ΟΔΟΣ", "日本語テキスト"],
    ],
)
@pytest.mark.parametrize("preset", ["default", "best", "notes"])
def test_strange_texts(texts: Any, preset: str) -> None:
    model = TextNB(preset=preset, stop=["the", "of"]).fit(texts, ["p", "q"])
    assert np.isfinite(model.predict_proba([*texts, "something else"])).all()


def test_one_class_one_text_and_a_class_without_words() -> None:
    assert TextNB().fit(["hello there"], ["p"]).predict(["anything"]).tolist() == ["p"]
    model = TextNB().fit(["hello there", "", ""], ["p", "q", "q"])
    assert model.predict(["hello", "hello there"]).tolist() == ["p", "p"]


def test_forgetting_what_was_not_learnt() -> None:
    model = TextNB().fit(TEXTS, LABELS)
    with pytest.raises(NeverAdded):
        model.forget(["never seen"], ["ham"])
    assert model.predict(["free prize"]).tolist() == ["spam"]


def test_a_bounded_vocabulary_keeps_the_words_of_most_texts() -> None:
    model = TextNB(preset="notes", max_words=5).fit(TEXTS, LABELS)
    words = {word for found in model.words(most=99).values() for word, *_ in found}
    assert len(words) <= 5
    assert "you" in words


def test_ageing_halves_what_was_counted() -> None:
    model = TextNB(preset="notes").fit(TEXTS, LABELS)
    aged = pickle.loads(pickle.dumps(model)).age(0.5)
    assert_allclose(aged.class_count_, model.class_count_ / 2)


def test_old_words_expire() -> None:
    model = TextNB().fit(TEXTS, LABELS)
    model.partial_fit(["once upon a time"], ["ham"]).age(0.5, expire=0.75)
    words = {word for found in model.words(most=99).values() for word, *_ in found}
    assert "upon" not in words
    assert "free" in words


def test_buckets_keep_the_model_small() -> None:
    texts, y = corpus(300)
    small = TextNB(analyzer={"buckets": 64}).fit(texts, y)
    assert all(word.startswith("#") for found in small.words(most=99).values() for word, *_ in found)
    assert (small.predict(texts) == y).mean() > 0.9
    letters = TextNB(analyzer={"unit": "letters", "ngrams": (1, 3), "buckets": 32}).fit(texts, y)
    tokens = next(held for request, held in letters.tally_.statistics.items() if hasattr(request, "analyzers"))
    assert len(tokens.bags[0].vocabulary) <= 32


def test_it_is_a_classifier_like_others() -> None:
    assert cross_val_score(TextNB(), TEXTS, LABELS, cv=3).mean() > 0.8
    search = GridSearchCV(TextNB(preset="notes"), {"alpha": [0.1, 1.0], "ngrams": [(1, 1), (1, 2)]}, cv=3)
    assert search.fit(TEXTS, LABELS).best_score_ > 0.8
    assert clone(TextNB(stop=["a"])).stop == ["a"]
    frame = pd.DataFrame({"body": TEXTS, "y": LABELS})
    assert TextNB().fit(frame, "y").predict(["free prize"]).tolist() == ["spam"]


def test_words_that_tell() -> None:
    found = TextNB().fit(TEXTS, LABELS).words("spam", 3)
    assert "free" in {word for word, *_ in found["spam"]}


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.sampled_from(["multinomial", "complement"]), st.sampled_from(["count", "once", "log"]))
def test_leaving_a_text_out_is_refitting_without_it(seed: int, kind: Any, values: Any) -> None:
    """With even virtual words, of which the words of the whole corpus are known: no idf, no shares of the corpus."""
    texts, y = corpus(25, seed, 2)
    if len(set(y)) < 2:
        return
    event = Words(kind=kind, values=values, virtual=0.5, fit=False)
    model = NaiveBayes({"body": event}).fit(pa.table({"body": texts}), y)
    rows = model.model_.rows
    assert rows is not None
    said = event.left_out(model.tally_[event.needs(("body",))], model.tally_.seen, rows)
    places = {text: i for i, text in enumerate(texts)}
    vocabulary = sorted({word for text in texts for word in text.split()})
    for i in range(0, len(rows), 5):
        text = rows.texts[0][i]
        assert text is not None
        if texts.count(text) > 1:
            continue
        rest = [j for j in range(25) if j != places[text]]
        wanted = by_hand([texts[j] for j in rest], [y[j] for j in rest], text, vocabulary, kind, values)
        got = said[i] - said[i].mean()
        assert_allclose(got, wanted - wanted.mean(), atol=1e-5)


def by_hand(texts: list[str], y: list[str], text: str, words: list[str], kind: str, values: str) -> np.ndarray:
    """Σ x·log θ (or −log of the complement's θ), from the definition; words only this text has count as nothing."""
    place = {word: i for i, word in enumerate(words)}

    def x(one: str) -> np.ndarray:
        counts = np.bincount([place[w] for w in one.split()], minlength=len(words)).astype(float)
        if values == "once":
            return np.minimum(counts, 1.0)
        if values == "log":
            logs = np.log1p(counts)
            return logs / max(np.sqrt(logs @ logs), 1e-300)
        return counts

    classes = sorted({*y, "class 0", "class 1"})
    sums = np.array(
        [sum((x(t) for t, c in zip(texts, y, strict=True) if c == name), np.zeros(len(words))) for name in classes]
    )
    if kind == "complement":
        sums = sums.sum(axis=0) - sums
    theta = np.log(sums + 0.5) - np.log(sums.sum(axis=1, keepdims=True) + 0.5 * len(words))
    others = np.array([any(w in t.split() for t in texts) for w in words])
    return (theta if kind == "multinomial" else -theta) @ (x(text) * others)


def test_noise_gives_the_prior() -> None:
    rng = np.random.default_rng(1)
    words = np.array(["alpha", "beta", "gamma", "delta", "eps", "zeta", "eta", "theta"])
    texts = [" ".join(rng.choice(words, 8)) for _ in range(400)]
    y = rng.choice(["p", "q"], 400).tolist()
    model = TextNB().fit(texts[:300], y[:300])
    probabilities, places, _ = model.leave_one_out()
    assert (probabilities.argmax(axis=1) == places).mean() < 0.6
    assert np.abs(model.predict_proba(texts[300:]) - 0.5).max() < 0.15
    assert np.abs(model.predict_proba([None]) - 0.5).max() < 0.1


def test_a_model_of_texts_reads_its_column_and_no_other() -> None:
    model = TextNB().fit(TEXTS, LABELS).saved()
    table = pa.table({"id": [1], "text": ["free prize"]})
    assert model.with_rows(Batch.of(table, pa.array(["spam"]))).schema.names == ("text",)
    with pytest.raises(UnknownColumn):
        model.with_rows(Batch.of(pa.table({"body": ["free prize"]}), pa.array(["spam"])))


def test_very_many_classes() -> None:
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice([f"w{j}" for j in range(50)], 5)) for _ in range(900)]
    model = TextNB().fit(texts, [f"L{i % 450}" for i in range(900)])
    assert np.isfinite(model.predict_proba(texts[:3])).all()


@pytest.mark.parametrize("options", [{"min_df": np.nan}, {"min_df": -1}, {"max_df": 5.5}, {"max_words": -5}], ids=str)
def test_bounds_that_cannot_be(options: dict[str, Any]) -> None:
    with pytest.raises(BadPrior, match="min_df is a number of texts"):
        TextNB(**options).fit(TEXTS, LABELS)


def test_half_a_surrogate_pair_in_a_row() -> None:
    rows = [{"body": text} for text in TEXTS]
    model = NaiveBayes({"body": Words()}).fit(rows, LABELS)
    assert np.isfinite(model.predict_proba([{"body": "free \ud800 prize"}])).all()
