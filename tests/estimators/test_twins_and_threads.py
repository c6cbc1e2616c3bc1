"""Whatever does the sums, the posteriors are the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from bestiary import ASKING, GAPS, MODELS, SPARSE, every, of, sound

ROWS = 33_000  # more than two blocks of a thread


def table(name: str, n: int, d: int = 7) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows that suit the classifier, labels, weights that are fractions."""
    rng = np.random.default_rng(n + d)
    labels = rng.integers(0, 5, n)
    rows = rng.poisson(1.0 + 0.3 * (labels[:, None] == np.arange(d)), (n, d)).astype(float)
    if name not in ("categorical", *SPARSE):
        rows += rng.normal(size=(n, d))
    if name in GAPS:
        rows[rng.random((n, d)) < 0.05] = np.nan
    return rows, labels, rng.integers(0, 4, n) / 4


def answers(name: str, rows: Any, labels: Any, weights: Any) -> list[np.ndarray]:
    """Everything that can be asked of a model that learnt in two batches and forgot part of them."""
    half = len(labels) // 2
    parts = [slice(None, half), slice(half, None)]
    pieces = [None if weights is None else weights[part] for part in parts]
    model = MODELS[name]().partial_fit(rows[parts[0]], labels[parts[0]], classes=range(5), sample_weight=pieces[0])
    model.partial_fit(rows[parts[1]], labels[parts[1]], sample_weight=pieces[1])
    some = slice(0, half // 2)
    model.forget(rows[some], labels[some], sample_weight=None if weights is None else weights[some])
    return [np.asarray(getattr(model, ask)(rows)) for ask in ASKING[:4]]


def same(one: list[np.ndarray], other: list[np.ndarray], rtol: float) -> None:
    for mine, theirs in zip(one[1:], other[1:], strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=rtol, atol=rtol)
    assert (one[0] != other[0]).mean() <= 1e-4  # two equal classes may change places


@every
@pytest.mark.parametrize("weighed", [False, True], ids=["rows", "weights"])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", ">f8"])
def test_twins(name: str, weighed: bool, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, labels, weights = table(name, 600)
    if dtype not in ("f8", "f4", ">f8"):
        rows = np.abs(np.nan_to_num(rows))
    rows = rows.astype(dtype)
    given = weights if weighed else None
    monkeypatch.setenv("CANDIDE_KERNELS", "plain")
    plain = answers(name, rows, labels, given)
    monkeypatch.setenv("CANDIDE_KERNELS", "compiled")
    same(answers(name, rows, labels, given), plain, 1e-9)


@of(*SPARSE)
@pytest.mark.parametrize("weighed", [False, True], ids=["rows", "weights"])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "?"])
def test_sparse_twins(name: str, weighed: bool, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, labels, weights = table(name, 600)
    given = weights if weighed else None
    matrix = sp.csr_array(rows.astype(dtype))
    monkeypatch.setenv("CANDIDE_KERNELS", "plain")
    dense, plain = answers(name, rows.astype(dtype), labels, given), answers(name, matrix, labels, given)
    monkeypatch.setenv("CANDIDE_KERNELS", "compiled")
    same(plain, dense, 1e-9)
    same(answers(name, matrix, labels, given), plain, 1e-9)


@every
@pytest.mark.parametrize("weighed", [False, True], ids=["rows", "weights"])
@pytest.mark.parametrize("kernels", ["plain", "compiled"])
def test_threads(name: str, weighed: bool, kernels: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, labels, weights = table(name, ROWS)
    given = weights if weighed else None
    monkeypatch.setenv("CANDIDE_KERNELS", kernels)
    monkeypatch.setenv("CANDIDE_THREADS", "1")
    alone = answers(name, rows, labels, given)
    monkeypatch.setenv("CANDIDE_THREADS", "2")
    same(answers(name, rows, labels, given), alone, 1e-12 if name not in ("linear", "quadratic") else 1e-10)


@every
@pytest.mark.parametrize("kernels", ["plain", "compiled"])
def test_judging_rows_alone_or_together(name: str, kernels: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, labels, _ = table(name, 2_000)
    monkeypatch.setenv("CANDIDE_KERNELS", kernels)
    model = MODELS[name]().fit(rows, labels)
    together = sound(model, rows[:40])
    alone = np.concatenate([model.predict_proba(rows[i : i + 1]) for i in range(40)])
    np.testing.assert_allclose(alone, together, rtol=1e-12)
