"""Every command that the README and the docs show prints what they say it prints."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
SHOWN = {page.name: BLOCK.findall(page.read_text(encoding="utf-8")) for page in PAGES}


def said(command: str, folder: Path) -> str:
    """What a command prints, run as a reader would."""
    setting = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "100"}
    done = subprocess.run(command, shell=True, cwd=folder, env=setting, capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout + (done.stderr if done.returncode else "")


@pytest.mark.parametrize("page", [name for name, blocks in SHOWN.items() if blocks])
def test_commands_print_what_the_page_says(page: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    check = doctest.OutputChecker().check_output
    for block in SHOWN[page]:
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, wanted = part.partition("\n")
            printed = said(command, tmp_path)
            flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
            assert check(wanted or "...\n", printed, flags), f"$ {command}\n{printed}\n--- the page says\n{wanted}"
