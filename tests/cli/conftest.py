"""The command, run in this process, and small tables to run it on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import TABLE, Run
from typer.testing import CliRunner, Result

from candide.cli.app import app


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
