"""The posterior under another prior."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from candide.errors import BadPrior, UndefinedPosterior
from candide.posterior.checks import checked_probabilities
from candide.scorecard import Floats


def shifted(posterior: Floats, old_prior: ArrayLike, new_prior: ArrayLike) -> Floats:
    """P'(c | x) ∝ P(c | x) · new(c) / old(c): classes are more or less frequent now, yet look the same.

    Saerens, Latinne & Decaestecker 2002. Priors need not add to 1: counts will do. A class of new prior 0 gets 0.

    >>> shifted(np.array([[0.5, 0.5]]), [1, 1], [9, 1]).round(3).tolist()  # learnt half and half, met nine to one
    [[0.9, 0.1]]
    """
    values = checked_probabilities(posterior)
    old, new = (_prior(which, p, values.shape[1]) for which, p in (("old", old_prior), ("new", new_prior)))
    appeared = (old == 0) & (new > 0)
    if appeared.any():
        c = int(np.flatnonzero(appeared)[0])
        raise BadPrior(
            f"class {c} (counting from 0) has old prior 0 and new prior {new[c]:g}: what was impossible has no "
            "posterior to scale. Learn with a prior that gives every class a share."
        )
    possible = new > 0
    scaled = np.full(values.shape, -np.inf)
    with np.errstate(divide="ignore"):  # log 0 = −∞ stays 0
        log_ratio = np.log(new[possible]) - np.log(old[possible])
        scaled[:, possible] = np.log(np.maximum(values[:, possible], 0.0)) + log_ratio
    top = scaled.max(axis=1, initial=-np.inf, keepdims=True)
    if np.isneginf(top).any():
        row = int(np.flatnonzero(np.isneginf(top))[0])
        raise UndefinedPosterior(f"row {row} gives probability 0 to every class that the new prior allows: 0/0.")
    shares = np.exp(scaled - top)
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _prior(which: str, prior: ArrayLike, classes: int) -> Floats:
    try:
        shares = np.asarray(prior, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadPrior(f"the {which} prior must be numbers, one a class; got {prior!r:.60}.") from None
    if shares.shape != (classes,):
        raise BadPrior(
            f"the {which} prior has shape {shares.shape}; there are {classes} classes, so it must be ({classes},)."
        )
    if not (np.isfinite(shares).all() and (shares >= 0).all() and shares.sum() > 0):
        raise BadPrior(f"the {which} prior is {shares.tolist()}; it must be shares or counts: 0 or more, not all 0.")
    return shares
