"""The command: the library's verbs, one file each."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any

READING = {"train", "predict", "evaluate", "explain", "show", "update", "forget", "merge", "plot", "curve", "filter"}
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of glibc


def main() -> None:
    """Run the command and end the process with its exit code."""
    from candide.cli.exits import INTERRUPTED, flushed, told

    try:
        _keep_memory()
        from candide.cli.app import app

        if READING.intersection(sys.argv[1:2]):
            _without_pandas()
        app(prog_name="candide")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except SystemExit as leaving:
        sys.exit(flushed(leaving.code))
    except OSError as error:  # help that cannot be printed
        sys.exit(flushed(told(error)))


def _keep_memory() -> None:
    """Let the C library keep what is freed: batch by batch it would hand pages back and fetch them anew."""
    import ctypes

    with suppress(AttributeError, OSError, TypeError):  # not on every system
        mallopt = ctypes.CDLL(None).mallopt
        for setting, size in ((M_MMAP_THRESHOLD, 32 << 20), (M_TRIM_THRESHOLD, 256 << 20)):
            mallopt(setting, size)


def _without_pandas() -> None:
    """Let pyarrow believe that there is no pandas.

    It would import it, for a third of a second, to ask whether a list is one of its own; it asks no second time.
    """
    import pyarrow as pa

    absent = _Absent()
    sys.meta_path.insert(0, absent)
    try:
        pa.array([0])
    finally:
        sys.meta_path.remove(absent)


class _Absent:
    """Finds no pandas."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name)
