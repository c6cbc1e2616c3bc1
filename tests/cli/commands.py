"""Small tables, and the command as a process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from typer.testing import Result

Run = Callable[..., Result]
ROOT = Path(__file__).parents[2]
ROWS = [(i % 7, "pqr"[i % 3], (i * 37) % 101 / 10, "yes" if (i % 7) + (i % 3) > 4 else "no") for i in range(210)]
TABLE = "count,letter,size,answer\n" + "".join(f"{a},{b},{c},{d}\n" for a, b, c, d in ROWS)


def process(*words: object, **options: Any) -> subprocess.Popen[bytes]:
    """The command as a process of its own."""
    return python("-m", "candide", *words, **options)


def python(*words: object, **options: Any) -> subprocess.Popen[bytes]:
    """A Python that has candide."""
    path = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [sys.executable, *map(str, words)]
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path}, **{**pipes, **options})
