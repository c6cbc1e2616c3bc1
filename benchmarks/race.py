"""Two contestants in one process, taking turns; what is kept is the best lap of each."""

import gc
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Protocol

import numpy as np

Work = Callable[[], object]
DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data" / "tables"  # beside the project, if anywhere
PAUSE = 0.1  # BLAS threads spin for a while after a call, which would be billed to the next lap


@dataclass(frozen=True, slots=True)
class Options:
    """How long to race, how large the data are, and where there are real ones."""

    quick: bool = False
    rounds: int = 5
    budget: float = 60.0
    data: Path = DATA

    @property
    def texts(self) -> Path:
        """The folder of real texts, beside that of tables."""
        return self.data.parent / "text"

    def size(self, full: int, quick: int) -> int:
        """The number of rows (or columns, or classes) at the chosen scale."""
        return quick if self.quick else full

    def aim(self, target: float | None) -> float | None:
        """The target, which only holds for the full size."""
        return None if self.quick else target


@dataclass(frozen=True, slots=True)
class Lap:
    """Seconds on the wall and of CPU over all threads, the least of several laps."""

    wall: float
    cpu: float
    laps: int = 1

    def best(self, other: "Lap") -> "Lap":
        """The smaller of each time."""
        return Lap(min(self.wall, other.wall), min(self.cpu, other.cpu), self.laps + other.laps)


@dataclass(frozen=True, slots=True)
class RaceRow:
    """One piece of work done by candide and by a peer, and the ratio which was aimed at."""

    work: str
    candide: Lap
    peer: Lap
    target: float | None
    compared: str

    @staticmethod
    def headers() -> tuple[str, ...]:
        """The columns of the table."""
        return (
            "work", "candide ms", "scikit-learn ms", "wall ratio", "CPU ratio", "target", "verdict", "laps", "compared",
        )  # fmt: skip

    @property
    def wall_ratio(self) -> float:
        """How many times faster candide is on the wall clock."""
        return self.peer.wall / self.candide.wall

    @property
    def cpu_ratio(self) -> float:
        """How many times less CPU time candide uses."""
        return self.peer.cpu / max(self.candide.cpu, 1e-9)

    @property
    def missed(self) -> bool:
        """Whether there is a target and the wall ratio is below it."""
        return self.target is not None and self.wall_ratio < self.target

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        return (
            self.work,
            f"{self.candide.wall * 1e3:,.3g}" if self.candide.wall < 1 else f"{self.candide.wall * 1e3:,.0f}",
            f"{self.peer.wall * 1e3:,.3g}" if self.peer.wall < 1 else f"{self.peer.wall * 1e3:,.0f}",
            f"{self.wall_ratio:.2f} x",
            f"{self.cpu_ratio:.2f} x",
            "" if self.target is None else f">= {self.target:g} x",
            verdict(self.target is not None, self.missed),
            f"{self.candide.laps}/{self.peer.laps}",
            self.compared,
        )


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """One quantity of candide beside the same quantity of a reference, and the bound on it."""

    quantity: str
    candide: str
    reference: str
    target: str
    met: bool | None
    note: str = ""

    @staticmethod
    def headers() -> tuple[str, ...]:
        """The columns of the table."""
        return ("quantity", "candide", "reference", "target", "verdict", "note")

    @property
    def missed(self) -> bool:
        """Whether there is a target which was not reached."""
        return self.met is False

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        outcome = verdict(self.met is not None, self.missed)
        return (self.quantity, self.candide, self.reference, self.target, outcome, self.note)


class Row(Protocol):
    """A line of a table; rows of one kind have the same columns."""

    @staticmethod
    def headers() -> tuple[str, ...]:
        """The columns of the table."""
        ...

    @property
    def missed(self) -> bool:
        """Whether there is a target which was not reached."""
        ...

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        ...


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of one kind under a heading."""

    title: str
    rows: tuple[Row, ...]


def verdict(has_target: bool, missed: bool) -> str:
    """The last word on a row."""
    return "" if not has_target else "MISSED" if missed else "met"


def lap(work: Work) -> Lap:
    """Time one call on a collected heap."""
    gc.collect()
    time.sleep(PAUSE)
    cpu, wall = time.process_time(), time.perf_counter()
    result = work()
    times = Lap(time.perf_counter() - wall, time.process_time() - cpu)
    del result
    return times


def race(contestants: Mapping[str, Work], options: Options) -> dict[str, Lap]:
    """Let the contestants take turns, first one way round and then the other, within the rounds and the budget."""
    began = time.perf_counter()
    best: dict[str, Lap] = {}
    for turn in range(options.rounds):
        if turn and time.perf_counter() - began > options.budget:
            break
        for name in sorted(contestants, reverse=bool(turn % 2)):
            times = lap(contestants[name])
            best[name] = best[name].best(times) if name in best else times
    return best


def duel(
    work: str, ours: Work, theirs: Work, options: Options, *, target: float | None = None, compared: str = ""
) -> RaceRow:
    """Race candide against one peer; both must have run once before, so that nothing is compiled in a lap."""
    times = race({"candide": ours, "peer": theirs}, options)
    return RaceRow(work, times["candide"], times["peer"], options.aim(target), compared)


def calls(contestants: Mapping[str, Work], repeats: int) -> dict[str, np.ndarray]:
    """Seconds of every single one of many short calls, interleaved."""
    taken = {name: np.empty(repeats) for name in contestants}
    gc.collect()
    for turn in range(repeats):
        for name, work in contestants.items():
            began = time.perf_counter()
            work()
            taken[name][turn] = time.perf_counter() - began
    return taken


def cpu_of_calls(work: Work, repeats: int) -> float:
    """CPU seconds of one call, averaged over many, for calls shorter than the clock's step."""
    began = time.process_time()
    for _ in range(repeats):
        work()
    return (time.process_time() - began) / repeats


def short_duel(
    work: str, ours: Work, theirs: Work, options: Options, *, target: float | None = None, compared: str = ""
) -> RaceRow:
    """Race calls of microseconds: the median of many instead of the best of a few."""
    repeats = options.size(4000, 100)
    ours(), theirs()
    taken = calls({"candide": ours, "peer": theirs}, repeats)
    candide, peer = (Lap(median(t), cpu_of_calls(w, repeats), repeats) for t, w in
                     ((taken["candide"], ours), (taken["peer"], theirs)))  # fmt: skip
    least = f"min {taken['candide'].min() * 1e6:.1f} / {taken['peer'].min() * 1e6:.1f} us; {compared}"
    return RaceRow(work, candide, peer, options.aim(target), least)


def agree(what: str, ours: object, theirs: object, *, rtol: float = 0.0, atol: float = 0.0) -> str:
    """Assert that two results are equal within a tolerance, and say so in a few words."""
    np.testing.assert_allclose(np.asarray(ours), np.asarray(theirs), rtol=rtol, atol=atol, err_msg=what)
    bounds = [f"{name} {bound:g}" for name, bound in (("rtol", rtol), ("atol", atol)) if bound]
    return f"{what} ({', '.join(bounds) or 'exact'})"


def load() -> str:
    """The load average of the last minute."""
    return f"{os.getloadavg()[0]:.2f}" if hasattr(os, "getloadavg") else "unknown"
