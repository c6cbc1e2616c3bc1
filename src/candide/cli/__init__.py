"""The command: the library's verbs, one file each."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command and end the process with its exit code."""
    from candide.cli.exits import INTERRUPTED, flushed

    try:
        from candide.cli.app import app

        app(prog_name="candide")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except SystemExit as leaving:
        sys.exit(flushed(leaving.code))
