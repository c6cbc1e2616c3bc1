"""What CONTRIBUTING.md shows is done to a copy of the house, and its tests are run there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"(New\s+file|Add\s+to|Change)\s+`([^`]+)`:\n\n```(?:python|diff)\n(.*?)```\n", re.DOTALL)
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
WALKS = {walk.splitlines()[0]: walk for walk in TEXT.split("\n## Add ")[1:]}


def build(walk: str, house: Path) -> None:
    """Do to the copy what the walk says."""
    for what, name, code in BLOCK.findall(walk):
        path = house / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if what.startswith("New"):
            assert not path.exists(), f"{name} exists already"
            path.write_text(code, encoding="utf-8")
        elif what == "Change":
            path.write_text(changed(path.read_text(encoding="utf-8"), code, name), encoding="utf-8")
        else:
            path.write_text(path.read_text(encoding="utf-8") + "\n\n" + code, encoding="utf-8")


def changed(text: str, diff: str, name: str) -> str:
    """The text after each place where old lines stand has got the new ones."""
    for hunk in diff.rstrip("\n").split("\n@@\n"):
        old, new = ("\n".join(line[1:] for line in hunk.split("\n") if line[0] in kept) for kept in (" -", " +"))
        assert text.count(old) == 1, f"{name} should have these lines once:\n{old}"
        text = text.replace(old, new)
    return text


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Sources and tests, without what was compiled."""
    for room in ("src", "tests/laws", "tests/kernels"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def check(house: Path, *command: str) -> str:
    """Run a Python module in the copy."""
    setting = {**os.environ, "PYTHONPATH": str(house / "src")}
    done = subprocess.run([sys.executable, "-m", *command], cwd=house, env=setting, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_there_are_three_walks_each_shorter_than_eighty_lines() -> None:
    assert list(WALKS) == ["an event model", "a statistic", "a kernel"]
    for walk in WALKS.values():
        assert walk.count("```python\n") + walk.count("```diff\n") == len(BLOCK.findall(walk))
        lines = [line for *_, code in BLOCK.findall(walk) for line in code.splitlines() if line.strip(" @")]
        assert len(lines) < 80


def test_an_event_model(house: Path) -> None:
    build(WALKS["an event model"], house)
    assert "1 passed" in check(house, "pytest", "tests/events")


def test_a_statistic(house: Path) -> None:
    build(WALKS["a statistic"], house)
    assert "1 passed" in check(house, "pytest", "tests/laws/test_gaps.py")


def test_a_kernel(house: Path) -> None:
    build(WALKS["a kernel"], house)
    assert "32 passed" in check(house, "pytest", "tests/kernels/test_twins.py", "-k", "count_nan")
