"""What was counted, plus what was believed before: the sums that classify."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.classifier.fitted import Fitted
from candide.counts import Columns, Rows, Tally, Tokens
from candide.counts.tally import from_nothing
from candide.data import Source
from candide.engines import Memory
from candide.errors import BadLabels, MergeMismatch, TooLarge, UndefinedPosterior
from candide.events import Event, Words
from candide.events.words import FittedWords
from candide.explain import Derivation, Evidence, derive
from candide.kernels import for_work
from candide.posterior import Calibration, LogJoint, Posterior, Scores, best, calibrated, ties
from candide.priors import Belief, Given, MaximumLikelihood
from candide.scorecard import Floats, Lookup, Scorecard, log_shares
from candide.selection import drawn, left_out

LARGEST = 1e300  # of a column's evidence that is shown, so that its sum over columns is still a number

Events = Mapping[Columns, Event]


@dataclass(frozen=True, repr=False)
class Model:
    """What was counted, plus what was believed before.

    `a + b` is the model of both, `a - b` forgets, `a * f` ages; nothing is fitted again.
    """

    tally: Tally
    events: Events
    prior: Belief = MaximumLikelihood()
    engine: Memory = Memory()
    calibrate: bool = False
    shifted: Belief | None = None
    fitted: Fitted | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "events", {_block(names): event for names, event in self.events.items()})

    @cached_property
    def scorecard(self) -> Scorecard:
        """The sums that classify: derived from the counts when first asked for.

        With `calibrate` the evidence is tempered by what the sampled rows say of it; `shifted` then replaces the class
        prior.
        """
        card = self._plain
        if not self.calibration.is_none:
            card = card.adjusted(self.calibration.temperature, self.calibration.biases)
        if self.shifted is None:
            return card
        weights = self.tally.seen.weights
        new, old = log_shares(self.shifted.mean(weights, weights.sum(), len(weights))), self._plain.log_prior
        return card.adjusted(1.0, np.where(old > -np.inf, new - old, 0.0))

    @cached_property
    def calibration(self) -> Calibration:
        """The temperature and the biases that serve rows best which were not counted."""
        if self.fitted is not None:
            return self.fitted.calibration
        rows = self.rows
        told = all(isinstance(event, FittedWords) for event, _ in self._models)  # fitted to these rows already
        if not self.calibrate or rows is None or told:
            return Calibration.none(len(self.tally.classes))
        return calibrated(*self._left_out, rows.y, rows.weights)

    @cached_property
    def rows(self) -> Rows | None:
        """The rows that were kept, if there are any, their texts as words."""
        held = {type(statistic): statistic for statistic in self.tally.statistics.values()}
        rows, tokens = held.get(Rows), held.get(Tokens)
        if not isinstance(rows, Rows) or not len(rows):
            return None
        return self.engine.found(rows, tokens) if rows.request.texts and isinstance(tokens, Tokens) else rows

    def left_out(self) -> Floats:
        """P(class | row) of each row that was kept, as if it had never been counted."""
        evidence, log_prior = self._left_out
        scores = self.calibration.temperature * evidence + log_prior + self.calibration.biases
        return LogJoint(self.tally.classes, scores).posterior().values

    def drawn(self, rows: int, rng: np.random.Generator) -> tuple[NDArray[np.int64], dict[Any, NDArray[Any]]]:
        """The places of classes, and columns of cells, drawn from what is believed of each class."""
        weights = self.tally.seen.weights
        prior = self.class_prior if self.shifted is None else self.shifted.mean(weights, weights.sum(), len(weights))
        y = rng.choice(len(weights), rows, p=np.asarray(prior, dtype=float))
        return y, drawn(self._models, y, rng)

    @cached_property
    def _left_out(self) -> tuple[Floats, Floats]:
        rows = self.rows
        assert rows is not None, "there are rows to leave out"
        return left_out(self._models, self.prior, self.tally.seen, rows)

    @cached_property
    def _models(self) -> list[tuple[Event, Any]]:
        """Each event model with what was counted for it; what it left open is fitted to the rows that were kept."""
        pairs = [(event, self.tally[event.needs(names)]) for names, event in self.events.items()]
        return [(self._tuned(event, statistic), statistic) for event, statistic in pairs]

    def _tuned(self, event: Event, statistic: Any) -> Event:
        if not isinstance(event, Words):
            return event
        if self.fitted is not None:
            return event.with_strengths(self.fitted.strengths.get(statistic.request.columns[0]))
        return event.tuned(statistic, self.tally.seen, self.rows if self.calibrate else None)

    def settled(self) -> Model:
        """The same model, holding what was fitted: as it was, or to equal counts in their one order."""
        if self.fitted is not None or not len(self.tally.classes):
            return self
        counts = (
            replace(self, tally=self.tally.in_order())
            if any(isinstance(event, Words) for event in self.events.values())
            else self
        )
        strengths = {
            statistic.request.columns[0]: event.strengths
            for event, statistic in counts._models
            if isinstance(event, FittedWords) and event.strengths is not None
        }
        return replace(counts, fitted=Fitted(counts.calibration, strengths))

    @cached_property
    def _plain(self) -> Scorecard:
        seen = self.tally.seen
        if not len(seen.classes):
            raise UndefinedPosterior(
                "the model has no classes: nothing was counted, or all of it was taken away again."
            )
        terms = tuple(event.term(statistic, seen) for event, statistic in self._models)
        scores_only = not all(getattr(event, "is_log_joint", True) for event in self.events.values())
        log_prior = log_shares(self.class_prior)
        if scores_only and len(log_prior) > 1 and not isinstance(self.prior, Given):
            # Rennie's scores leave a counted prior out; one that is given stays, and what was never seen cannot win.
            log_prior = log_shares(seen.weights > 0)
        return Scorecard(self.tally.classes, log_prior, terms, not scores_only)

    @property
    def class_prior(self) -> NDArray[Any]:
        """P(class)."""
        weights = self.tally.seen.weights
        return self.prior.mean(weights, weights.sum(), len(weights))

    def log_joint(self, source: Source) -> LogJoint | Scores:
        """log P(class, row), or the scores of a model that has no such thing."""
        values, possible = self.engine.score(self.scorecard, source), self.scorecard.possible
        values[:, ~possible] = 0.0
        with np.errstate(over="ignore", invalid="ignore"):
            lost = _lost(values @ np.zeros(values.shape[1]))  # 0 · ∞ is not a number either
        if lost is not None:
            wide = self._in_full(source.take(lost))
            values[lost] = np.clip(wide, -np.finfo(float).max, np.finfo(float).max)
        values[:, ~possible] = -np.inf
        kind = LogJoint if self.scorecard.is_log_joint else Scores
        return kind(self.tally.classes, values)

    def posterior(self, source: Source) -> Posterior:
        """P(class | row); scores are read as if they were a log joint."""
        normalise = for_work(source.n_rows * len(self.tally.classes)).normalise
        values = self.engine.score(self.scorecard.relative, source, finish=normalise)
        lost = _lost(values[:, 0]) if values.shape[1] else None
        if lost is not None:
            values[lost] = LogJoint(self.tally.classes, self._relative(source.take(lost))).posterior().values
        return Posterior(self.tally.classes, values)

    def log_posterior(self, source: Source) -> Floats:
        """log P(class | row)."""
        log_normalise = for_work(source.n_rows * len(self.tally.classes)).log_normalise
        values = self.engine.score(self.scorecard.relative, source, finish=log_normalise)
        lost = _lost(values.max(axis=1)) if values.shape[1] else None
        if lost is not None:
            values[lost] = self._relative(source.take(lost))
            rest = values[lost]
            log_normalise(rest)
            values[lost] = rest
        return values

    def decide(self, source: Source) -> NDArray[np.int64]:
        """The place of each row's class among the classes."""
        places, scorecard = np.empty(source.n_rows, dtype=np.int64), self.scorecard.relative

        def look(lo: int, hi: int, scores: Floats) -> None:
            best(scores, scorecard.size, places[lo:hi])

        self.engine.visit(scorecard, source, look)
        if len(places) and places.min() < 0:
            lost = np.flatnonzero(places < 0)
            places[lost] = best(self._relative(source.take(lost)))
        return places

    def ties(self, source: Source) -> NDArray[np.bool_]:
        """Which classes are the most probable of each row: more than one is a tie."""
        return ties(self.relative(source), self.scorecard.size)

    def relative(self, source: Source) -> Floats:
        """The log joint (or scores) less something equal for all classes of a row: differences without cancellation."""
        values = self.engine.score(self.scorecard.relative, source)
        lost = _lost(values.max(axis=1)) if values.shape[1] else None
        if lost is not None:
            values[lost] = self._relative(source.take(lost))
        return values

    def evidence(self, source: Source) -> Evidence:
        """Every column's part of every class's sum."""
        with np.errstate(over="ignore", invalid="ignore"):
            parts = self.engine.parts(self.scorecard, source) or [_no_parts(self.scorecard, source)]
        if not all(np.isfinite(part).all() for part in parts):
            self._refuse_unseen(source)
            self.engine.refuse_strange(self.scorecard, source)
            parts = [np.clip(part, -LARGEST, LARGEST) for part in parts]
        return Evidence.of(self.scorecard, parts, source.n_rows)

    def derive(self, row: Mapping[Any, Any], target: Any = "class") -> Derivation:
        """One row on paper; calibration and a shifted class prior are among the factors."""
        biases = self.scorecard.log_prior - self._plain.log_prior
        events = {names: event for names, (event, _) in zip(self.events, self._models, strict=True)}
        return derive(
            self.tally,
            events,
            self.prior,
            row,
            target=target,
            temperature=self.calibration.temperature,
            biases=biases,
        )

    @property
    def parameters(self) -> int:
        """How many free numbers the model has, the class prior's included."""
        free = (event.parameters(statistic) for event, statistic in self._models)
        return sum(free) + len(self.tally.classes) - 1

    def __repr__(self) -> str:
        names = ", ".join(f"{type(event).__name__} of {len(columns)} columns" for columns, event in self.events.items())
        return f"Model({names}; {self.tally!r})"

    def _relative(self, source: Source) -> Floats:
        """Scores less the best of their row, for rows where a float cannot hold them."""
        wide = self._in_full(source)
        away = np.maximum(wide - wide.max(axis=1, keepdims=True), -np.finfo(float).max)
        return np.asarray(np.where(self.scorecard.possible, away, -np.inf), dtype=float)

    def _in_full(self, source: Source) -> NDArray[np.longdouble]:
        self._refuse_unseen(source)
        self.engine.refuse_strange(self.scorecard, source)
        wide = self.engine.in_full(self.scorecard, source)
        if np.isfinite(wide[:, self.scorecard.possible]).all():
            return np.where(self.scorecard.possible, wide, -np.inf)
        raise TooLarge("a row holds values too large (or infinite) for any class to have a score; scale the data.")

    def _refuse_unseen(self, source: Source) -> None:
        """Where a combination of values was never seen and the model has no answer to that, say which."""
        for term in self.scorecard.terms:
            if isinstance(term, Lookup) and np.isnan(term.unseen).any():
                for j, name in enumerate(term.columns):
                    cells = source.values(name)
                    strange = np.flatnonzero(term.levels[j].codes(cells) < 0)
                    if len(strange):
                        raise UndefinedPosterior(
                            f"{cells[strange[0]]!r} (columns {name!r}) was never seen, so #(x, y) / #(x) is 0/0; use a "
                            "model with independent columns, or FullJoint(unseen='prior')."
                        )

    def __add__(self, other: Model) -> Model:
        return replace(self, tally=self.tally + _tally_of(other), fitted=None)

    def __radd__(self, other: object) -> Model:
        """`sum` starts from 0."""
        return from_nothing(self, other)

    def __sub__(self, other: Model) -> Model:
        return replace(self, tally=self.tally - _tally_of(other), fitted=None)

    def __mul__(self, factor: float) -> Model:
        return replace(self, tally=self.tally * factor, fitted=None)

    def __rmul__(self, factor: float) -> Model:
        return self * factor


def learn(events: Events, source: Source, prior: Belief = MaximumLikelihood()) -> Model:
    """Count what the events ask for, once."""
    if not source.n_rows:
        raise BadLabels("there are no rows to learn from.")
    engine = Memory()
    return Model(engine.collect(requests(events), source), events, prior, engine)


def requests(events: Events) -> list[Any]:
    """What must be counted for these event models."""
    return [request for _, request in _needs(events)]


def _needs(events: Events) -> Iterator[tuple[Event, Any]]:
    """Each event model with what it asks to be counted."""
    for names, event in events.items():
        yield event, event.needs(_block(names))


def _block(names: Any) -> Columns:
    """A name alone is a block of one column."""
    return names if isinstance(names, (tuple, range)) else (names,)


def _tally_of(other: object) -> Tally:
    if not isinstance(other, Model):
        raise MergeMismatch.between("a model", type(other).__name__)
    return other.tally


def _no_parts(scorecard: Scorecard, source: Source) -> Floats:
    """The evidence of no columns."""
    return np.zeros((source.n_rows, 0, len(scorecard.classes)))


def _lost(values: Floats) -> NDArray[np.int64] | None:
    """The rows whose value is not a number, if there are any."""
    if np.isfinite(values).all():
        return None
    return np.flatnonzero(~np.isfinite(values))
