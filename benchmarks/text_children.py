"""Fits in processes of their own: with one thread and with two, and how much memory they take."""

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks.corpora import made, mapped, saved
from benchmarks.peak import high_water
from benchmarks.race import Lap, Options, lap


@dataclass(frozen=True, slots=True)
class Fit:
    """Bytes of the model's tables, the most that was resident beyond the documents, and the best lap."""

    tables: int
    beyond: int
    wall: float
    cpu: float

    @property
    def lap(self) -> Lap:
        """Its times."""
        return Lap(self.wall, self.cpu)


def write(path: Path, options: Options) -> None:
    """Documents of 200 MB."""
    saved(made(options.size(200, 2)), path)


def child(path: Path, threads: int, at_once: bool = False) -> Fit:
    """Fit in a fresh process; `at_once`: freed blocks leave its memory immediately, and are not used again unseen."""
    settings = {"CANDIDE_THREADS": str(threads)}
    if at_once:
        settings |= {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
    command = [sys.executable, "-m", "benchmarks.text_children", str(path)]
    done = subprocess.run(command, env=os.environ | settings, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"a fit in a process of its own: {done.stderr[-2000:]}")
    return Fit(**json.loads(done.stdout.splitlines()[-1]))


def measure(path: Path) -> Fit:
    """Fit a few texts to load all that stays loaded; then all of them, which were read before."""
    from benchmarks.text_peers import notes
    from candide.counts import Tokens

    texts, labels = mapped(path)
    notes().fit(texts.slice(0, 2_000), labels[:2_000])
    bytes(memoryview(texts.buffers()[2])[::4096])
    model, beyond = high_water(lambda: notes().fit(texts, labels))
    (bag,) = next(s.bags for s in model.tally_.statistics.values() if isinstance(s, Tokens))
    held = (bag.vocabulary.starts, bag.vocabulary.letters, bag.words.starts, bag.words.ids, bag.words.values)
    times = lap(lambda: notes().fit(texts, labels))
    return Fit(int(np.sum([array.nbytes for array in held])), max(0, beyond), times.wall, times.cpu)


if __name__ == "__main__":
    print(json.dumps(asdict(measure(Path(sys.argv[1])))))
