"""What does a fresh process pay before the first answer?"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from benchmarks.race import MeasureRow, Options, Table

TITLE = "Start-up"
QUESTION = "Imports and first fits in fresh processes; times are the best of several, compiled code apart."
IMPORT_TARGET = 0.1

IMPORT = """
import time; began = time.perf_counter()
{statement}
wall = time.perf_counter() - began
"""
FIT = """
import time; began = time.perf_counter()
from {module} import GaussianNB
import numpy as np
rng = np.random.default_rng(0)
X, y = rng.standard_normal(({rows}, 20)), rng.integers(0, 2, {rows})
ready = time.perf_counter()
GaussianNB().fit(X, y)
fit = time.perf_counter() - ready
wall = time.perf_counter() - began
again = time.perf_counter()
GaussianNB().fit(X, y)
second = time.perf_counter() - again
"""
REPORT = """
import json, sys
names = ("wall", "fit", "second")
print(json.dumps({name: globals()[name] for name in names if name in globals()} | {"numba": "numba" in sys.modules}))
"""


def fresh(code: str, cache: str | None = None) -> dict[str, float]:
    """Run code in a new process, perhaps with a folder of its own for compiled code."""
    environment = os.environ | ({"NUMBA_CACHE_DIR": cache} if cache else {})
    done = subprocess.run(
        [sys.executable, "-c", code + REPORT], env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def best(code: str, key: str, times: int) -> float:
    """The least seconds of several fresh processes."""
    return min(fresh(code)[key] for _ in range(times))


def ms(seconds: float) -> str:
    """Seconds as milliseconds."""
    return f"{seconds * 1e3:,.1f} ms"


def imports(options: Options) -> Iterator[MeasureRow]:
    """The library's import, and the import of one estimator."""
    times = options.size(7, 2)
    theirs = best(IMPORT.format(statement="import sklearn.naive_bayes"), "wall", times)
    ours = best(IMPORT.format(statement="import candide"), "wall", times)
    yield MeasureRow("import candide / import sklearn.naive_bayes", ms(ours), ms(theirs), f"< {ms(IMPORT_TARGET)}",
                     ours < IMPORT_TARGET, f"best of {times}")  # fmt: skip
    estimator = best(IMPORT.format(statement="from candide import GaussianNB"), "wall", times)
    yield MeasureRow("from candide import GaussianNB / import sklearn.naive_bayes", ms(estimator), ms(theirs), "",
                     None, "includes scikit-learn's base classes")  # fmt: skip


def small_fit(options: Options) -> Iterator[MeasureRow]:
    """A thousand rows: the time from import to fitted model, which must not need compiled code."""
    times = options.size(7, 2)
    ours, theirs = FIT.format(module="candide", rows=1000), FIT.format(module="sklearn.naive_bayes", rows=1000)
    yield MeasureRow("import and fit 1,000 x 20", ms(best(ours, "wall", times)), ms(best(theirs, "wall", times)), "",
                     None, f"best of {times}")  # fmt: skip
    loaded = fresh(ours)["numba"]
    yield MeasureRow("numba imported by that fit", "yes" if loaded else "no", "", "no", not loaded)


def compiled_fit(options: Options) -> Iterator[MeasureRow]:
    """A fit large enough to be compiled: with nothing compiled yet, from the compiled code on disk, and again."""
    rows = options.size(1_000_000, 200_000)
    code = FIT.format(module="candide", rows=rows)
    theirs = fresh(FIT.format(module="sklearn.naive_bayes", rows=rows))
    with tempfile.TemporaryDirectory() as cache:
        ever, process = fresh(code, cache), fresh(code, cache)
    yield MeasureRow(f"first fit ever, {rows:,} x 20", ms(ever["fit"]), ms(theirs["fit"]), "", None, "compiles")
    yield MeasureRow(f"first fit in a process, {rows:,} x 20", ms(process["fit"]), ms(theirs["fit"]), "", None,
                     "loads numba and the compiled code")  # fmt: skip
    yield MeasureRow(f"second fit in a process, {rows:,} x 20", ms(process["second"]), ms(theirs["second"]), "", None)


def tables(options: Options) -> Iterator[Table]:
    """Imports, a small fit and a large one."""
    yield Table("Fresh processes", (*imports(options), *small_fit(options), *compiled_fit(options)))
