"""The memory one fit needs beyond its input, measured in a process of its own."""

import ctypes
import gc
import importlib
import json
import os
import pickle
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks import data

PROBLEMS: dict[str, Callable[[bool], data.Problem]] = {
    "normal": lambda quick: data.normal(20_000 if quick else 1_000_000, 50, 2),
    "normal-float32": lambda quick: data.normal(20_000 if quick else 1_000_000, 50, 2, np.float32),
    "normal-20": lambda quick: data.normal(5_000 if quick else 200_000, 100, 20),
    "correlated": lambda quick: data.correlated(20_000 if quick else 1_000_000, 20, 3),
    "levels-int8": lambda quick: data.levels(20_000 if quick else 1_000_000, 30, 2, np.int8),
    "levels-int64": lambda quick: data.levels(20_000 if quick else 1_000_000, 30, 10, np.int64),
    "words": lambda quick: data.words(*(3_000, 3_000, 20) if quick else (100_000, 100_000, 20)),
    "words-1000": lambda quick: data.words(*(3_000, 3_000, 100) if quick else (100_000, 100_000, 1_000)),
}


@dataclass(frozen=True, slots=True)
class Peak:
    """Bytes: the input, the pickled model, and the most that was resident beyond the input during the fit."""

    input: int
    model: int
    beyond: int

    def working(self, allowed: int) -> int:
        """What the fit needed besides its input and its result, of which no more than `allowed` is taken off."""
        return max(0, self.beyond - min(self.model, allowed))


def status(field: str) -> int:
    """A memory field of this process, in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field + ":"))


def settle() -> None:
    """Collect garbage and hand free memory back, so that the fit cannot hide in it."""
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError, TypeError):  # not glibc
        gc.collect()


def high_water(work: Callable[[], object]) -> tuple[object, int]:
    """The result of the work, and by how many bytes it raised the resident memory at its highest."""
    settle()
    try:
        Path("/proc/self/clear_refs").write_text("5")
        before = status("VmRSS")
        result = work()
        return result, status("VmHWM") - before
    except OSError:
        unit = 1 if sys.platform == "darwin" else 1024
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        result = work()
        return result, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit


def measure(library: str, estimator: str, problem: str, quick: bool) -> Peak:
    """Fit once to load everything that stays loaded, then measure a second fit."""
    labelled = PROBLEMS[problem](quick)
    make = getattr(importlib.import_module(library), estimator)
    make().fit(labelled.X, labelled.y)
    model, beyond = high_water(lambda: make().fit(labelled.X, labelled.y))
    return Peak(labelled.nbytes, len(pickle.dumps(model)), max(0, beyond))


def peak(library: str, estimator: str, problem: str, quick: bool) -> Peak:
    """The same in a fresh process, where freed blocks leave at once and are not used again unseen."""
    at_once = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
    command = [sys.executable, "-m", "benchmarks.peak", library, estimator, problem, str(int(quick))]
    done = subprocess.run(command, env=os.environ | at_once, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{library}.{estimator} on {problem}: {done.stderr[-2000:]}")
    return Peak(**json.loads(done.stdout.splitlines()[-1]))


if __name__ == "__main__":
    print(json.dumps(asdict(measure(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4] == "1"))))
