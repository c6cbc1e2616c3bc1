"""Many classes: codes wider than a byte, and wider than two."""

from __future__ import annotations

import numpy as np
import pytest
from bestiary import MODELS, every, fitted, of, sound


def grid(classes: int, copies: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows that spell their class in base 10, and the labels, shuffled."""
    labels = np.repeat(np.arange(classes), copies)
    digits = labels[:, None] // 10 ** np.arange(6) % 10
    order = np.random.default_rng(classes).permutation(len(labels))
    return digits[order].astype(float), labels[order]


@every
@pytest.mark.parametrize("classes", [255, 256, 257, 300, 1000])
def test_hundreds_of_classes(name: str, classes: int) -> None:
    rng = np.random.default_rng(classes)
    labels = rng.permutation(np.repeat(np.arange(classes), 12))
    rows = rng.integers(0, 5, (len(labels), 4)).astype(float)
    rows[:, 0] += labels % 7
    model = fitted(name, rows, labels)
    posterior = sound(model, rows[:50])
    assert model.classes_.tolist() == list(range(classes))
    assert (model.class_count_ == 12).all()
    batches = MODELS[name]().partial_fit(rows[:500], labels[:500], classes=range(classes))
    batches.partial_fit(rows[500:], labels[500:])
    np.testing.assert_allclose(batches.predict_proba(rows[:50]), posterior, rtol=1e-6, atol=1e-12)
    words = np.array([f"class {label:05}" for label in range(classes)])
    named = fitted(name, rows, words[labels])
    np.testing.assert_allclose(named.predict_proba(rows[:50]), posterior, rtol=1e-9, atol=1e-300)
    assert named.predict(rows[:50]).tolist() == words[model.predict(rows[:50])].tolist()


@of("gaussian", "categorical")
@pytest.mark.parametrize("classes", [300, 70_000])
def test_every_class_is_found_again(name: str, classes: int) -> None:
    rows, labels = grid(classes, copies=3 if classes < 1000 else 1)
    model = fitted(name, rows, labels)
    few = np.unique(labels, return_index=True)[1][:: max(1, classes // 40)]
    few = np.r_[few, np.flatnonzero(labels == classes - 1)[:1]]
    assert model.predict(rows[few]).tolist() == labels[few].tolist()
    sound(model, rows[few[:5]])


@of("multinomial", "bernoulli", "complement")
def test_seventy_thousand_classes_of_words(name: str) -> None:
    rows, labels = grid(70_000, copies=1)
    model = fitted(name, rows, labels)
    assert model.classes_.tolist() == list(range(70_000))
    np.testing.assert_array_equal(model.feature_count_, (rows if name != "bernoulli" else rows > 0)[np.argsort(labels)])
    sound(model, rows[:3])


def test_seventy_thousand_classes_in_batches() -> None:
    rows, labels = grid(70_000, copies=1)
    model = MODELS["multinomial"]().partial_fit(rows[:40_000], labels[:40_000], classes=np.arange(70_000))
    model.partial_fit(rows[40_000:], labels[40_000:])
    np.testing.assert_array_equal(model.feature_count_, rows[np.argsort(labels)])
    model.forget(rows[:40_000], labels[:40_000])
    assert model.class_count_[labels[:40_000]].max() == 0
    assert model.class_count_[labels[40_000:]].min() == 1
