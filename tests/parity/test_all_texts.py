"""Every real text at hand: the same words, as often in each class, as scikit-learn's CountVectorizer finds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from sklearn.feature_extraction.text import CountVectorizer

from candide import TextNB

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "text"
FILES = sorted(FOLDER.glob("*.parquet"))


@pytest.mark.skipif(not FILES, reason="the real texts do not lie beside the project")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_words_and_counts(path: Path) -> None:
    table = pq.read_table(path)
    column = next(name for name in ("text", "description") if name in table.column_names)
    table = table.filter(table[column].is_valid())
    model = TextNB(preset="notes").fit(table[column], table["label"])
    bag = next(held for request, held in model.tally_.statistics.items() if hasattr(request, "analyzers")).bags[0]
    peer = CountVectorizer()
    X = peer.fit_transform(table[column].to_pylist())
    assert sorted(bag.vocabulary.words()) == sorted(peer.vocabulary_)
    places = np.array([peer.vocabulary_[word] for word in bag.vocabulary.words()])
    y = np.searchsorted(model.classes_, table["label"].to_numpy(zero_copy_only=False).astype(model.classes_.dtype))
    for c in range(len(model.classes_)):
        wanted = np.asarray(X[y == c].sum(axis=0)).ravel()[places]
        mine = np.zeros(len(places))
        at = slice(bag.words.starts[c], bag.words.starts[c + 1])
        mine[bag.words.ids[at]] = bag.words.values[at, 0]
        np.testing.assert_array_equal(mine, wanted)
