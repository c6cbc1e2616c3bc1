"""Kernels in NumPy: the obvious form of each sum, the oracle of `compiled`, and the quickest way for small inputs.

Shapes: r rows, d columns, k classes. Every kernel adds INTO the arrays it is given, and no kernel writes to its inputs.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CHUNK = 128  # rows whose products are held at a time
MANY = 1024  # rows from which on a Python step a column is nothing
WHOLE = 2.0**52  # below it floats are whole numbers exactly
WIDE = 1 << 18  # so many whole numbers are counted in a table
BLOCK_CELLS = 1 << 18  # temporaries of about two megabytes

__all__ = [
    "add_full_quadratic",
    "add_linear",
    "add_lookup",
    "add_quadratic",
    "add_sparse_linear",
    "add_steps",
    "add_student",
    "begin",
    "class_weights",
    "comoments",
    "count_cells",
    "count_labels",
    "first_best",
    "hash_labels",
    "hash_numbers",
    "level_counts",
    "log_normalise",
    "moments",
    "narrow",
    "normalise",
    "sparse_totals",
    "totals",
]


# ---------------------------------------------------------------- fitting


def narrow(values: Array, low: int, codes: Array, occurs: Array) -> bool:
    """codes = values - low, and occurs[code] = 1 for each; False if one lies outside [low, low + len(occurs))."""
    away = values.astype(np.int64) - low
    inside = (away >= 0) & (away < len(occurs))
    away[~inside] = 0
    codes[:] = away
    occurs[away] = 1
    return bool(inside.all())


def class_weights(y: Array, w: Floats | None, weights: Floats) -> None:
    """Add weights[c] += Σ w over the rows of class c, or their number."""
    weights += np.bincount(y, w, minlength=len(weights))


def moments(
    X: Array, y: Array, w: Floats | None, pivot: Floats, n: Floats, s1: Floats, e1: Floats, s2: Floats, e2: Floats
) -> None:
    """Add n += w, s1+e1 += w u, s2+e2 += w u² per class and column, u = x - pivot; a NaN cell counts as not seen.

    s + e is a double-double sum (Ogita, Rump & Oishi 2005): taking a row away again cancels to about 1e-30.
    """
    X, y, w = _weighing(X, y, w)
    with np.errstate(all="ignore"):
        for c, rows in _by_class(y):
            u = X[rows] - pivot[c]
            seen = ~np.isnan(u)
            v = np.ones(len(u)) if w is None else w[rows]
            n[c] += v @ seen
            np.copyto(u, 0.0, where=~seen)
            _absorb(s1[c], e1[c], u * v[:, None])
            _absorb(s2[c], e2[c], u * u * v[:, None])


def comoments(
    X: Array, y: Array, w: Floats | None, pivot: Floats, n: Floats, s1: Floats, e1: Floats, s2: Floats, e2: Floats
) -> None:
    """Add n += w, s1+e1 += w u, s2+e2 += w u uᵀ per class; only the upper triangle of s2 and e2 has a meaning."""
    X, y, w = _weighing(X, y, w)
    with np.errstate(all="ignore"):
        for c, rows in _by_class(y):
            few = max(1, min(CHUNK, BLOCK_CELLS // max(1, X.shape[1] ** 2)))
            for lo in range(0, len(rows), few):
                part = rows[lo : lo + few]
                u = X[part] - pivot[c]
                v = u if w is None else u * w[part, None]
                n[c] += len(part) if w is None else w[part].sum()
                _absorb(s1[c], e1[c], v)
                _absorb(s2[c], e2[c], v[:, :, None] * u[:, None, :])


def level_counts(X: Array, y: Array, w: Floats | None, offsets: Ints, widths: Ints, table: Floats) -> int:
    """Add w[i] to table[offsets[j] + x[i, j], y[i]] up to the first row with a code not in [0, width); return that row.

    Nothing of that row is counted; the answer is the number of rows when every row was counted.
    """
    bad = ((X < 0) | (widths <= X)).any(axis=1)
    stop = int(bad.argmax()) if bad.any() else len(X)
    k = table.shape[1]
    at = (X[:stop].astype(np.int64) + offsets) * k + y[:stop, None].astype(np.int64)
    weight = None if w is None else np.repeat(w[:stop], X.shape[1])
    _scatter(table, at.ravel(), weight)
    return stop


@np.errstate(over="ignore", invalid="ignore")
def totals(X: Array, y: Array, w: Floats | None, above: float | None, sums: Floats) -> float:
    """Add to sums[c] Σ w x over the rows of class c, or Σ w [x > above]; return the smallest x (inf if none).

    A NaN makes its sum NaN, whatever is added.
    """
    v = _steps(X, above)
    for c, rows in _by_class(y):
        sums[c] += v[rows].sum(axis=0, dtype=np.float64) if w is None else w[rows] @ v[rows]
    return float(X.min(initial=np.inf)) if X.dtype.kind == "f" else float(X.min()) if X.size else np.inf


@np.errstate(over="ignore", invalid="ignore")
def sparse_totals(
    indptr: Array, indices: Array, data: Array, y: Array, w: Floats | None, above: float | None, sums: Floats
) -> float:
    """`totals` of a CSR matrix; return the smallest stored value (inf if there is none).

    `indptr` may be a slice of a longer one: its entries are positions in `indices` and `data`.
    """
    lo, hi = int(indptr[0]), int(indptr[-1])
    lengths = np.diff(indptr)
    x = data[lo:hi]
    v = _steps(x, above)
    if w is not None:
        v = v * np.repeat(w, lengths)
    rows = np.repeat(y.astype(np.int64), lengths)
    _scatter(sums, rows * sums.shape[1] + indices[lo:hi], v)
    return float(x.min()) if x.size else np.inf


def count_cells(x: Floats, y: Array, w: Floats | None, keys: Ints, table: Floats) -> tuple[int, int]:
    """Count the classes of each cell of x into the first rows of `keys` and `table`, which hold nothing yet.

    A cell is what floats agree in without their last `shift` bits; the shift is the smallest whose cells fit. NaN and
    rows of weight 0 are left out. Return the shift and the number of cells; their order has no meaning.
    """
    known = ~np.isnan(x) if w is None else ~np.isnan(x) & (w != 0)
    if not known.all():
        x, y, w = x[known], y[known], None if w is None else w[known]
    size_of_few = _count_whole(x, y, w, keys, table)
    if size_of_few is not None:
        return 0, size_of_few
    bits = _keys(x)
    order = np.argsort(bits)
    bits = bits[order]
    apart = (bits[1:] ^ bits[:-1]).view(np.uint64)  # neighbours part at the highest bit of this

    def size(shift: int) -> int:
        return int(np.count_nonzero(apart >> np.uint64(shift))) + 1 if len(bits) else 0

    shift = bisect_left(range(64), True, key=lambda shift: size(shift) <= len(keys))
    new = np.concatenate([[True], (apart >> np.uint64(shift)) != 0])[: len(bits)]
    cells = bits[new] >> shift
    keys[: len(cells)] = cells
    at = (np.cumsum(new) - 1) * table.shape[1] + y[order].astype(np.int64)
    _scatter(table, at, None if w is None else w[order])
    return shift, len(cells)


def _keys(x: Floats) -> Ints:
    """Whole numbers in the order of the floats; −0 is 0."""
    bits = (x + 0.0).view(np.int64)
    return bits ^ ((bits >> 63) & np.int64(0x7FFFFFFFFFFFFFFF))


def _count_whole(x: Floats, y: Array, w: Floats | None, keys: Ints, table: Floats) -> int | None:
    """`count_cells` of whole numbers that lie close together, without sorting; None of any others."""
    low, high = (x.min(), x.max()) if len(x) else (0.0, -1.0)
    if not (abs(low) < WHOLE and abs(high) < WHOLE) or high - low > WIDE or (x != np.floor(x)).any():
        return None
    k, span = table.shape[1], int(high - low) + 1
    at = (x - low).astype(np.int64) * k + y
    counts = np.bincount(at, w, minlength=span * k).reshape(span, k)
    found = np.flatnonzero(counts.any(axis=1))
    if len(found) > len(keys):
        return None
    keys[: len(found)] = _keys(found + low)
    table[: len(found)] += counts[found]
    return len(found)


def count_labels(codes: Ints, y: Array, w: Floats | None, table: Floats) -> None:
    """Add table[codes[i], y[i]] += w[i], or 1; a code of −1 is a missing cell."""
    levels, k = table.shape
    at = (codes + 1) * k + y  # a missing cell comes before the first level
    table += np.bincount(at, w, minlength=(levels + 1) * k)[k:].reshape(levels, k)


def hash_labels(codes: Ints, shares: Array, sums: Array) -> None:
    """Add sums[i] += shares[codes[i]]; the last share is that of −1, a missing cell."""
    sums += shares[codes]


def hash_numbers(x: Floats, seed: int, sums: Array) -> None:
    """Add to sums[i] the mixed sum of the seed and of the key of x[i]; nothing where it is NaN."""
    z = _keys(x).view(np.uint64) + np.uint64(seed)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)  # splitmix64 (Steele, Lea & Flood 2014)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    z[np.isnan(x)] = 0
    sums += z


# ---------------------------------------------------------------- scoring


def begin(start: Floats, out: Floats) -> None:
    """Every row of `out` becomes `start`."""
    out[:] = start


@np.errstate(over="ignore", invalid="ignore")
def add_quadratic(X: Array, mean: Floats, precision: Floats, log_norm: Floats, out: Floats) -> None:
    """Add Σ_j log_norm - ½ precision (x_j - mean)² per class, leaving out the columns where x is NaN."""
    for b in _blocks(X, len(mean)):
        z = X[b, None, :] - mean
        z *= z
        z *= -0.5 * precision
        z += log_norm
        out[b] += _sum_seen(z, X[b])


@np.errstate(over="ignore", invalid="ignore")
def add_student(X: Array, mean: Floats, precision: Floats, half: Floats, log_norm: Floats, out: Floats) -> None:
    """Add Σ_j log_norm - half log(1 + precision (x_j - mean)²) per class, leaving out the columns where x is NaN."""
    for b in _blocks(X, len(mean)):
        z = X[b, None, :] - mean
        z *= z
        z *= precision
        np.log1p(z, out=z)
        z *= -half
        z += log_norm
        out[b] += _sum_seen(z, X[b])


@np.errstate(over="ignore", invalid="ignore")
def add_full_quadratic(X: Array, mean: Floats, whiten: Floats, constant: Floats, out: Floats) -> None:
    """Add constant - ½ ‖whiten (x - mean)‖² per class, `whiten` lower triangular."""
    for b in _blocks(X, 1):
        for c in range(len(mean)):
            z = (X[b] - mean[c]) @ whiten[c].T
            out[b, c] += constant[c] - 0.5 * np.einsum("ij,ij->i", z, z)


def add_lookup(X: Array, offsets: Ints, widths: Ints, table: Floats, unseen: Floats, out: Floats) -> None:
    """Add Σ_j table[offsets[j] + x_j], or unseen[j] where the code lies outside [0, width)."""
    if len(X) >= MANY:
        _add_columns(X, offsets, widths, table, unseen, out)
        return
    for b in _blocks(X, table.shape[1]):
        codes = X[b]
        bad = (codes < 0) | (codes >= widths)
        if bad.any():
            part = table[np.where(bad, 0, codes).astype(np.int64) + offsets * ~bad]
            np.copyto(part, unseen, where=bad[:, :, None])
        else:
            part = table[codes.astype(np.int64) + offsets]
        out[b] += part.sum(axis=1)


def _add_columns(X: Array, offsets: Ints, widths: Ints, table: Floats, unseen: Floats, out: Floats) -> None:
    """Column by column: many rows need no array of all their cells' evidence."""
    for j, (start, width) in enumerate(zip(offsets.tolist(), widths.tolist(), strict=True)):
        codes = X[:, j].astype(np.int64)
        bad = (codes < 0) | (codes >= width)
        levels = np.concatenate([table[start : start + width], unseen[j : j + 1]])
        out += levels[np.where(bad, width, codes)]


def add_steps(x: Array, cuts: Floats, table: Floats, out: Floats) -> None:
    """Add table[s] with s the number of cuts that are not above x; nothing where x is NaN."""
    steps = np.searchsorted(cuts, x, side="right")
    known = x == x
    if known.all():
        out += table[steps]
    else:
        out[known] += table[steps[known]]


@np.errstate(over="ignore", invalid="ignore")
def add_linear(X: Array, weights: Floats, above: float | None, origin: Floats | None, out: Floats) -> None:
    """Add Σ_j (x_j - origin[j]) weights[j], or Σ_j [x_j > above] weights[j]; a row with a NaN becomes NaN."""
    for b in _blocks(X, 1):
        x = X[b] if origin is None else X[b] - origin
        part = _steps(x, above)
        out[b] += part.astype(np.float64, copy=False) @ weights


@np.errstate(over="ignore", invalid="ignore")
def add_sparse_linear(
    indptr: Array, indices: Array, data: Array, weights: Floats, above: float | None, out: Floats
) -> None:
    """`add_linear` of a CSR matrix; `indptr` may be a slice of a longer one."""
    if len(indptr) <= 16:
        for i, (lo, hi) in enumerate(zip(indptr[:-1].tolist(), indptr[1:].tolist(), strict=True)):
            x = _steps(data[lo:hi], above)
            out[i] += x.astype(np.float64, copy=False) @ weights[indices[lo:hi]]
        return
    from scipy.sparse import csr_array

    lo, hi = int(indptr[0]), int(indptr[-1])
    x = _steps(data[lo:hi], above)
    shape = (len(indptr) - 1, len(weights))
    out += csr_array((x.astype(np.float64, copy=False), indices[lo:hi], indptr - indptr[0]), shape=shape) @ weights


# ---------------------------------------------------------------- reading scores


@np.errstate(invalid="ignore")
def normalise(out: Floats) -> None:
    """Softmax of each row in place: exp(s - max) / Σ exp(s - max)."""
    out -= out.max(axis=1, keepdims=True)
    np.exp(out, out=out)
    out /= out.sum(axis=1, keepdims=True)


@np.errstate(invalid="ignore")
def log_normalise(out: Floats) -> None:
    """Log-softmax of each row in place: s - max - log Σ exp(s - max)."""
    out -= out.max(axis=1, keepdims=True)
    out -= np.log(np.exp(out).sum(axis=1, keepdims=True))


@np.errstate(invalid="ignore")
def first_best(out: Floats, tie: float, size: float, labels: Ints) -> None:
    """labels[i] = the first class whose score is at least best - tie max(size, |best|).

    It is -1 where a score is NaN or the best is not finite.
    """
    best = out.max(axis=1)
    least = best - tie * np.maximum(size, np.abs(best))
    labels[:] = np.where(np.isfinite(best), (out >= least[:, None]).argmax(axis=1), -1)


# ---------------------------------------------------------------- helpers


def _weighing(X: Array, y: Array, w: Floats | None) -> tuple[Array, Array, Floats | None]:
    """Leave out the rows of weight zero: 0 · inf is not to be seen either."""
    if w is None or w.all():
        return X, y, w
    keep = w != 0.0
    return X[keep], y[keep], w[keep]


def _steps(x: Array, above: float | None) -> Array:
    """x, or whether it is above; NaN stays NaN."""
    if above is None:
        return x
    steps = x > above
    if x.dtype.kind != "f":
        return steps
    missing = x != x
    return np.where(missing, np.nan, steps) if missing.any() else steps


def _by_class(y: Array) -> Iterator[tuple[int, Ints]]:
    """Each class that occurs, with its row numbers in order."""
    order = np.argsort(y, kind="stable")
    ends = np.flatnonzero(np.diff(y[order])) + 1
    for rows in np.split(order, ends):
        if len(rows):
            yield int(y[rows[0]]), rows


def _two_sum_into(s: Floats, e: Floats, x: Floats) -> None:
    """s + e += x with the rounding error of s + x kept in e (Knuth's TwoSum)."""
    total = s + x
    part = total - s
    e += (s - (total - part)) + (x - part)
    s[...] = total


def _absorb(s: Floats, e: Floats, terms: Floats) -> None:
    """Add every row of `terms` to s + e, halving the rows by TwoSum so that each step is one vector operation."""
    low = np.zeros_like(terms)
    while len(terms) > 1:
        half = len(terms) // 2
        rest = terms[2 * half :], low[2 * half :]
        top, error = terms[:half].copy(), low[:half] + low[half : 2 * half]
        _two_sum_into(top, error, terms[half : 2 * half])
        terms, low = np.concatenate([top, rest[0]]), np.concatenate([error, rest[1]])
    if len(terms):
        _two_sum_into(s, e, terms[0])
        e += low[0]


def _scatter(table: Floats, at: Ints, weight: Array | None) -> None:
    """table.flat[at] += weight, each cell as often as it is named (weight None is one)."""
    if at.size * 4 < table.size:
        flat = table.reshape(-1)
        np.add.at(flat, at, 1.0 if weight is None else weight)
    else:
        table += np.bincount(at, weight, minlength=table.size).reshape(table.shape)


def _blocks(X: Array, k: int) -> Iterator[slice]:
    """Slices of rows whose rows x columns x classes stay within BLOCK_CELLS."""
    r, d = X.shape
    step = max(1, BLOCK_CELLS // max(1, d * k))
    for lo in range(0, r, step):
        yield slice(lo, min(r, lo + step))


def _sum_seen(terms: Floats, X: Array) -> Floats:
    """Sum (r, k, d) over the columns, without the cells whose x is NaN."""
    total: Floats = terms.sum(axis=2)
    if np.isnan(total).any():
        np.copyto(terms, 0.0, where=np.isnan(X)[:, None, :])
        total = terms.sum(axis=2)
    return total
