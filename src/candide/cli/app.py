"""The command's verbs under one name."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from candide.cli.curve import curve
from candide.cli.evaluate import evaluate
from candide.cli.example import example
from candide.cli.exits import EXIT_CODES, guarded
from candide.cli.explain import explain
from candide.cli.filter import Safe, filter
from candide.cli.forget import forget
from candide.cli.merge import merge
from candide.cli.plot import plot
from candide.cli.predict import predict
from candide.cli.show import show
from candide.cli.train import train
from candide.cli.update import update
from candide.version import __version__

HELP = """Classify the rows of tables by counting: naive Bayes for strings, numbers, dates and gaps.

\b
  candide train bank.csv --label y
  candide predict bank.candide new.csv -o predicted.csv
  candide explain bank.candide age=41 job=technician
"""


class Verbs(TyperGroup):
    """Verbs whose errors are told in a line."""

    def invoke(self, ctx: Any) -> Any:
        for stream in (sys.stdout, sys.stderr):  # a name that the terminal has no letters for is no reason to fail
            with suppress(AttributeError, ValueError):
                stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
        with guarded():
            return super().invoke(ctx)


app = typer.Typer(
    cls=Verbs,
    help=HELP,
    epilog=EXIT_CODES,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for verb in (train, predict, evaluate, explain, show, update, forget, merge, example, plot, curve):
    app.command()(verb)
app.command(cls=Safe)(filter)


def _version(asked: bool) -> None:
    if asked:
        print(f"candide {__version__}")
        raise typer.Exit


@app.callback()
def about(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Options of the command as a whole."""


about.__doc__ = HELP
