"""tf-idf by the definition of lectures, and by that of scikit-learn."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from candide.errors import BadAnalyzer, BadValue
from candide.text import Analyzer, tfidf

DOCUMENTS = st.lists(
    st.lists(st.sampled_from(["to", "be", "or", "not", "that", "the", "éa"]), max_size=8).map(" ".join)
)


@given(DOCUMENTS.filter(lambda texts: any(map(str.strip, texts))), st.sampled_from([(1, 1), (1, 2)]))
def test_as_scikit_learn(texts: list[str], sizes: tuple[int, int]) -> None:
    peer = TfidfVectorizer(ngram_range=sizes)
    expected = peer.fit_transform(texts)
    matrix, words = tfidf(texts, "sklearn", Analyzer.of(ngrams=sizes))
    assert words == peer.get_feature_names_out().tolist()
    np.testing.assert_allclose(matrix.toarray(), expected.toarray(), rtol=0, atol=1e-12)


def test_by_definition() -> None:
    texts = ["The car is driven on the road", "The truck is driven on the highway"]
    matrix, words = tfidf(texts)
    row = dict(zip(words, matrix.toarray()[0].tolist(), strict=True))
    assert row["car"] == pytest.approx(1 / 7 * log(2))
    assert row["the"] == row["is"] == row["truck"] == 0


def test_texts_without_words() -> None:
    matrix, words = tfidf(["", None, "?"])
    assert (matrix.shape, words) == ((3, 0), [])
    assert tfidf([], "sklearn")[0].shape == (0, 0)


def test_mistakes() -> None:
    with pytest.raises(BadAnalyzer, match="kind"):
        tfidf(["a"], "bm25")  # type: ignore[arg-type]
    with pytest.raises(BadValue, match="put it into a list"):
        tfidf("a text")
