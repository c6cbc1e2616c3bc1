"""Fitted pairs, random tables and comparisons which the parity tests share."""

from itertools import pairwise

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

CONTAINERS = {
    "dense": np.asarray,
    "fortran": np.asfortranarray,
    "csr_matrix": sparse.csr_matrix,
    "csc_matrix": sparse.csc_matrix,
    "coo_matrix": sparse.coo_matrix,
    "csr_array": sparse.csr_array,
}
METHODS = ("predict_joint_log_proba", "predict_log_proba", "predict_proba")


def labels(rng, rows, classes, kind="integers"):
    """Labels with every class present at least twice, as integers, strings or booleans."""
    codes = np.concatenate([np.arange(classes), np.arange(classes), rng.integers(0, classes, rows - 2 * classes)])
    rng.shuffle(codes)
    if kind == "strings":
        return np.array([f"class {code:02d}" for code in range(classes)])[codes]
    if kind == "negative":
        return codes * 3 - 7
    return codes


def measurements(seed, rows=120, columns=5, classes=3, kind="integers"):
    """Numbers whose means and spreads depend on the class."""
    rng = np.random.default_rng(seed)
    y = labels(rng, rows, classes, kind)
    codes = np.unique(y, return_inverse=True)[1]
    X = rng.normal(size=(rows, columns)) * rng.uniform(0.5, 2.0, (classes, columns))[codes]
    return X + rng.normal(size=(classes, columns))[codes], y


def counts(seed, rows=120, columns=12, classes=3, kind="integers"):
    """Counts of words, many of them zero."""
    rng = np.random.default_rng(seed)
    y = labels(rng, rows, classes, kind)
    rates = rng.gamma(0.7, size=(classes, columns))
    return rng.poisson(rates[np.unique(y, return_inverse=True)[1]]).astype(float), y


def codes(seed, rows=150, columns=4, classes=3, kind="integers"):
    """Codes of levels, as many levels in each column as there are columns before it, and two more."""
    rng = np.random.default_rng(seed)
    y = labels(rng, rows, classes, kind)
    X = np.empty((rows, columns), dtype=np.int64)
    for column in range(columns):
        steps = rng.dirichlet(np.ones(2 + column), classes).cumsum(axis=1)[:, :-1]
        X[:, column] = (rng.random(rows)[:, None] > steps[np.unique(y, return_inverse=True)[1]]).sum(axis=1)
    X[0] = np.arange(2, 2 + columns) - 1
    return X, y


def weights(seed, rows):
    """Positive weights, not integers."""
    return np.random.default_rng(seed + 1000).uniform(0.2, 3.0, rows)


def assert_same_attributes(ours, theirs, names, rtol=1e-9, atol=1e-12):
    """Compare fitted attributes, lists of arrays element by element."""
    for name in names:
        mine, yours = getattr(ours, name), getattr(theirs, name)
        pairs = zip(mine, yours, strict=True) if isinstance(yours, list) else [(mine, yours)]
        for left, right in pairs:
            assert np.shape(left) == np.shape(right), name
            assert_allclose(left, right, rtol=rtol, atol=atol, err_msg=name)


def assert_same_answers(ours, theirs, X, rtol=1e-9, atol=1e-9, methods=METHODS):
    """Compare everything the two estimators say about the rows."""
    for method in methods:
        mine = getattr(ours, method)(X)
        assert_allclose(mine, getattr(theirs, method)(X), rtol=rtol, atol=atol, err_msg=method)
    assert_array_equal(ours.predict(X), theirs.predict(X))
    assert_array_equal(ours.classes_, theirs.classes_)
    assert ours.classes_.dtype == theirs.classes_.dtype


def batches(X, y, parts):
    """The rows in consecutive parts."""
    edges = np.linspace(0, len(y), parts + 1).astype(int)
    return [(X[low:high], y[low:high], slice(low, high)) for low, high in pairwise(edges)]
