"""The main job from a shell: train on a real table with gaps, evaluate, explain a row, draw a picture."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PENGUINS = Path(__file__).with_name("penguins.csv")
COMMANDS = """
candide train penguins.csv --label sex -o birds.candide
candide evaluate penguins.csv --label sex --folds 5
candide explain birds.candide species=Adelie island=Dream bill_length_mm=39.1 bill_depth_mm=18.7 body_mass_g=3750
candide predict birds.candide penguins.csv -o predicted.csv
candide plot birds.candide nomogram -o nomogram.png
candide example D2
"""


def main() -> None:
    """Run the commands in a folder of their own, as a reader would type them."""
    folder = Path(tempfile.mkdtemp(prefix="candide-"))
    shutil.copy(PENGUINS, folder)
    for command in COMMANDS.strip().splitlines():
        print(f"\n$ {command}", flush=True)
        words = [sys.executable, "-m", *command.split()]
        done = subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True)
        print(done.stdout + done.stderr, flush=True)
    print(f"The model, the predictions and the picture are in {folder}.")


if __name__ == "__main__":
    main()
