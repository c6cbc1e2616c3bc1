"""The command, run in this process, and small tables to run it on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from candide.cli.app import app

Run = Callable[..., Result]
ROOT = Path(__file__).parents[2]
ROWS = [(i % 7, "pqr"[i % 3], (i * 37) % 101 / 10, "yes" if (i % 7) + (i % 3) > 4 else "no") for i in range(210)]
TABLE = "count,letter,size,answer\n" + "".join(f"{a},{b},{c},{d}\n" for a, b, c, d in ROWS)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(here: Path) -> Run:
    """Run the command; it must leave with the exit code that is expected, and never show a traceback."""

    def command(*words: object, code: int = 0, stdin: str | bytes | None = None) -> Result:
        done = CliRunner().invoke(app, [str(word) for word in words], input=stdin, prog_name="candide")
        assert "Traceback" not in done.output
        assert done.exit_code == code, done.output
        return done

    return command


@pytest.fixture
def plain(run: Run) -> Callable[..., Any]:
    """Run the command with --json: its standard output is one JSON value."""
    return lambda *words: json.loads(run(*words, "--json").stdout)


@pytest.fixture
def put(here: Path) -> Callable[[str, str | bytes], str]:
    """Write a file."""

    def write(name: str, data: str | bytes) -> str:
        (here / name).write_bytes(data.encode() if isinstance(data, str) else data)
        return name

    return write


@pytest.fixture
def table(put: Callable[[str, str | bytes], str]) -> str:
    """A table of 210 rows: count, letter, size, answer."""
    return put("table.csv", TABLE)


@pytest.fixture
def model(run: Run, table: str) -> str:
    """A model of that table."""
    run("train", table, "--label", "answer", "-o", "model.candide")
    return "model.candide"


def process(*words: object, **options: Any) -> subprocess.Popen[bytes]:
    """The command as a process of its own."""
    return python("-m", "candide", *words, **options)


def python(*words: object, **options: Any) -> subprocess.Popen[bytes]:
    """A Python that has candide."""
    path = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [sys.executable, *map(str, words)]
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path}, **{**pipes, **options})
