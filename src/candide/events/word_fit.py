"""How strong each kind of evidence about texts is, and how it grows with their length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from candide.scorecard import Floats

STEPS = 25
SILENT = 1e-9  # the spread of evidence that there is none of
TIGHT = 1.0  # biases, slopes and the power are believed to be as near to 0 as normal deviates
LOOSE = 0.5  # strengths are believed to be near to the usual ones, in units of the spread of their evidence
USUAL = 0.3  # a strength before texts say anything: what is hardly evidence is not made much of
STEEPEST = 2.0  # the power of the length, at most
MOST_BIASES, MOST_SLOPES = 400, 200  # classes that may have a bias, and a slope, each


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """Evidence m counts `each[m]` times, all of it (1 + L)^power times; a class gets base + slope·log(1 + L)."""

    each: Floats
    power: float
    base: Floats
    slopes: Floats


def fitted(evidence: Floats, lengths: Floats, log_prior: Floats, y: NDArray[np.int64], weights: Floats) -> Strengths:
    """The t ≥ 0, g, biases b and slopes d with the least

    Σ w·(−log softmax(e^(g·l) Σ_m t_m·evidence_m + l·d + log prior + b)) + ½(Σb² + Σd² + g²) + ¼·Σ(t − t₀)²,

    l = log(1 + L) less its mean.

    `evidence` has the axes (member, text, class) and must come from *other* texts. Damped Gauss–Newton steps.
    """
    problem = _Problem.of(evidence, lengths, log_prior, y, weights)
    theta, loss = problem.start(), np.inf
    loss = problem.loss(theta)
    for _ in range(STEPS):
        step = problem.step(theta)
        size, moved = 1.0, False
        while size > 1e-3 and not moved:
            trial = problem.bounded(theta - size * step)
            new = problem.loss(trial)
            moved = new < loss
            size /= 2
        if not moved:
            break
        gain, theta, loss = loss - new, trial, new
        if gain < 1e-5 * weights.sum():
            break
    return problem.strengths(theta)


@dataclass(frozen=True, slots=True, eq=False)
class _Problem:
    """Parameters are t in units of the evidence's spread, g, b, d."""

    evidence: Floats
    spread: Floats
    logs: Floats
    middle: float
    log_prior: Floats
    y: NDArray[np.int64]
    weights: Floats

    @classmethod
    def of(
        cls, evidence: Floats, lengths: Floats, log_prior: Floats, y: NDArray[np.int64], weights: Floats
    ) -> _Problem:
        centred = evidence - evidence.mean(axis=2, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=(1, 2))) + 1e-12
        logs = np.log1p(lengths)
        middle = float(weights @ logs / max(float(weights.sum()), 1e-300))
        return cls(centred / spread[:, None, None], spread, logs - middle, middle, log_prior, y, weights)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Members, and how many classes have biases, and slopes."""
        members, _, k = self.evidence.shape
        return members, k if k <= MOST_BIASES else 0, k if k <= MOST_SLOPES else 0

    def start(self) -> Floats:
        members, k, slopes = self.shape
        theta = np.zeros(members + 1 + k + slopes)
        theta[:members] = np.minimum(USUAL * self.spread, 1.0)
        return theta

    def bounded(self, theta: Floats) -> Floats:
        members = len(self.evidence)
        theta[:members] = np.maximum(theta[:members], 0.0)
        theta[members] = np.clip(theta[members], -STEEPEST, STEEPEST)
        return theta

    def scores(self, theta: Floats) -> tuple[Floats, Floats]:
        """The scores, and what of them the words say."""
        members, k, slopes = self.shape
        said = np.exp(theta[members] * self.logs)[:, None] * np.tensordot(theta[:members], self.evidence, 1)
        scores = said + self.log_prior + (theta[members + 1 : members + 1 + k] if k else 0.0)
        return (scores + self.logs[:, None] * theta[members + 1 + k :] if slopes else scores), said

    def loss(self, theta: Floats) -> float:
        scores, _ = self.scores(theta)
        best = scores.max(axis=1)
        surprise = np.log(np.exp(scores - best[:, None]).sum(axis=1)) + best - scores[np.arange(len(self.y)), self.y]
        away = theta - self.start()
        return float(self.weights @ surprise + 0.5 * self.tight @ (away * away))

    @property
    def tight(self) -> Floats:
        """How firmly each parameter is believed to be 0."""
        members, k, slopes = self.shape
        return np.concatenate([np.full(members, LOOSE), np.full(1 + k + slopes, TIGHT)])

    def step(self, theta: Floats) -> Floats:
        """Curvature⁻¹ · slope, over the parameters that are not held by a bound."""
        members = len(self.evidence)
        slope, curve = self.derivatives(theta)
        free = np.ones(len(theta), dtype=bool)
        free[:members] = (theta[:members] > 0) | (slope[:members] < 0)
        some = curve[np.ix_(free, free)]
        step = np.zeros(len(theta))
        step[free] = np.linalg.solve(some + (1e-8 * np.trace(some) / len(some) + 1e-9) * np.eye(len(some)), slope[free])
        return step

    def derivatives(self, theta: Floats) -> tuple[Floats, Floats]:
        """Slope and a positive curvature."""
        members, k, slopes = self.shape
        scores, said = self.scores(theta)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        weighted = shares * self.weights[:, None]
        own = weighted.copy()
        own[np.arange(len(self.y)), self.y] -= self.weights
        scale = np.exp(theta[members] * self.logs)
        ways = np.concatenate([scale[None, :, None] * self.evidence, (said * self.logs[:, None])[None]])
        away = (ways - np.einsum("nk,pnk->pn", shares, ways)[:, :, None]) * weighted
        flat = ways.reshape(members + 1, -1)
        p, parts = members + 1, [own.sum(axis=0)] if k else []
        curve = np.zeros((len(theta), len(theta)))
        curve[:p, :p] = away.reshape(members + 1, -1) @ flat.T
        if k:
            curve[:p, p : p + k] = away.sum(axis=1)
            curve[p : p + k, p : p + k] = np.diag(weighted.sum(axis=0)) - weighted.T @ shares
        if slopes:
            lw = weighted * self.logs[:, None]
            parts.append(self.logs @ own)
            curve[:p, p + k :] = np.einsum("n,pnk->pk", self.logs, away)
            curve[p : p + k, p + k :] = np.diag(lw.sum(axis=0)) - lw.T @ shares
            lw *= self.logs[:, None]
            curve[p + k :, p + k :] = np.diag(lw.sum(axis=0)) - lw.T @ shares
        upper = np.triu(curve)
        curve = upper + np.triu(curve, 1).T
        slope = np.concatenate([flat @ own.reshape(-1), *parts]) + self.tight * (theta - self.start())
        return slope, curve + np.diag(self.tight)

    def strengths(self, theta: Floats) -> Strengths:
        members, k, slopes = self.shape
        power = float(theta[members])
        classes = self.evidence.shape[2]
        found = theta[members + 1 + k :] if slopes else np.zeros(classes)
        biases = theta[members + 1 : members + 1 + k] if k else np.zeros(classes)
        each = theta[:members] / self.spread * np.exp(-power * self.middle)
        each[self.spread < SILENT] = 1.0 / members  # of which no text that was kept says anything
        return Strengths(each, power, biases - self.middle * found, found)
