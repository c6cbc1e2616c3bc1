"""Honest probabilities: one temperature for all evidence and a bias a class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from candide.scorecard import Floats

STEPS = 40
LEAST_GAIN = 1e-6  # nats a row: an improvement below that is none
COLDEST, HOTTEST = -5.0, 1.5  # bounds of the logarithm of the temperature
TIGHT = 1.0  # a bias is believed to be as near to 0 as a normal deviate


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """The evidence counts `temperature` times; `biases` are added to the log prior. 1 and 0 change nothing."""

    temperature: float
    biases: Floats

    @classmethod
    def none(cls, classes: int) -> Calibration:
        return cls(1.0, np.zeros(classes))

    @property
    def is_none(self) -> bool:
        return self.temperature == 1.0 and not self.biases.any()


def calibrated(evidence: Floats, log_prior: Floats, y: NDArray[np.int64], weights: Floats) -> Calibration:
    """The temperature t and biases b with the least Σ w·(−log softmax(t·evidence + log prior + b)) + ½Σb².

    They are used if they lower the mean log-loss of these rows, whose evidence must come from *other* rows; temperature
    alone is tried as well.
    """
    k = evidence.shape[1]
    best = Calibration.none(k)
    if not weights.any() or k < 2 or not np.isfinite(evidence).all():
        return best
    centred = evidence - evidence.mean(axis=1, keepdims=True)
    least = _loss(centred, log_prior, y, weights, best) - LEAST_GAIN
    for free in (False, True):
        found = _newton(centred, log_prior, y, weights, free)
        loss = _loss(centred, log_prior, y, weights, found)
        if loss < least:
            best, least = found, loss
    return best


def _loss(evidence: Floats, log_prior: Floats, y: NDArray[np.int64], weights: Floats, found: Calibration) -> float:
    """Mean log-loss."""
    scores = found.temperature * evidence + log_prior + found.biases
    return float(weights @ _surprise(scores, y) / weights.sum())


def _surprise(scores: Floats, y: NDArray[np.int64]) -> Floats:
    best = scores.max(axis=1)
    total = np.log(np.exp(scores - best[:, None]).sum(axis=1)) + best
    return np.asarray(total - scores[np.arange(len(y)), y])


def _newton(evidence: Floats, log_prior: Floats, y: NDArray[np.int64], weights: Floats, free: bool) -> Calibration:
    """Damped Newton steps in (log t, b); without `free`, b stays 0. The loss is convex in (t, b)."""
    n, k = evidence.shape
    theta = np.zeros(1 + k)
    loss = _penalised(theta, evidence, log_prior, y, weights)
    for _ in range(STEPS):
        slope, curve = _derivatives(theta, evidence, log_prior, y, weights)
        if not free:
            slope, curve = slope[:1], curve[:1, :1]
        step = np.zeros(1 + k)
        step[: len(slope)] = np.linalg.solve(curve + (1e-9 * np.trace(curve) + 1e-12) * np.eye(len(slope)), slope)
        size, moved = 1.0, False
        while size > 1e-4 and not moved:
            trial = theta - size * step
            trial[0] = np.clip(trial[0], COLDEST, HOTTEST)
            new = _penalised(trial, evidence, log_prior, y, weights)
            moved = new < loss
            size /= 2
        if not moved:
            break
        gain, theta, loss = loss - new, trial, new
        if gain < 1e-9 * n:
            break
    return Calibration(float(np.exp(theta[0])), theta[1:])


def _penalised(theta: Floats, evidence: Floats, log_prior: Floats, y: NDArray[np.int64], weights: Floats) -> float:
    scores = np.exp(theta[0]) * evidence + log_prior + theta[1:]
    return float(weights @ _surprise(scores, y) + 0.5 * TIGHT * theta[1:] @ theta[1:])


def _derivatives(
    theta: Floats, evidence: Floats, log_prior: Floats, y: NDArray[np.int64], weights: Floats
) -> tuple[Floats, Floats]:
    """Slope and a positive curvature of the penalised loss in (log t, b)."""
    k, hot = evidence.shape[1], np.exp(theta[0])
    scores = hot * evidence + log_prior + theta[1:]
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    own = shares.copy()
    own[np.arange(len(y)), y] -= 1
    heat = hot * evidence
    slope = np.concatenate([[weights @ (own * heat).sum(axis=1)], weights @ own + TIGHT * theta[1:]])
    mean = (shares * heat).sum(axis=1)
    weighted = shares * weights[:, None]
    curve = np.zeros((1 + k, 1 + k))
    curve[0, 0] = (weighted * (heat - mean[:, None]) ** 2).sum()
    curve[0, 1:] = curve[1:, 0] = (weighted * (heat - mean[:, None])).sum(axis=0)
    curve[1:, 1:] = np.diag(weighted.sum(axis=0)) - weighted.T @ shares + TIGHT * np.eye(k)
    return slope, curve
