"""Exit codes, and what users are told when something went wrong: one line, never a traceback."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import typer

from candide.cli.say import note
from candide.errors import CandideError

WRONG = 1
BUG = 3
INTERRUPTED = 130

EXIT_CODES = """Exit codes: 0 all is well; 1 the data, a file or the model is wrong; 2 the command is; \
3 a bug in candide (CANDIDE_DEBUG=1 shows the traceback); 130 interrupted."""


@contextmanager
def guarded() -> Iterator[None]:
    """Errors become a line on standard error and an exit code; warnings become notes."""
    with warnings.catch_warnings():
        _notes_for_warnings()
        try:
            yield
            sys.stdout.flush()
        except KeyboardInterrupt:
            raise _ended("interrupted: nothing that was not complete has been kept.", INTERRUPTED) from None
        except BrokenPipeError:
            silence()
            raise typer.Exit(0) from None
        except CandideError as error:
            raise _ended(f"error: {error}", WRONG, error) from None
        except OSError as error:
            raise _ended(f"error: {_said(error)}", WRONG, error) from None
        except MemoryError as error:
            raise _ended("error: there is not enough memory for this.", WRONG, error) from None
        except Exception as error:
            if isinstance(error, typer.Abort) or hasattr(error, "exit_code"):  # ways of leaving that typer knows
                raise
            about = " ".join(str(error).split())
            said = f"error: {type(error).__name__}: {about}. This is a bug in candide; CANDIDE_DEBUG=1 shows where."
            raise _ended(said, BUG, error) from None


def flushed(code: Any) -> Any:
    """The exit code once everything printed has left: a full disk is told of, a closed pipe is not."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        silence()
    except OSError as error:
        silence()
        note(f"error: standard output: {_said(error)}")
        return code or WRONG
    return code


def told(error: OSError) -> int:
    """Say what the system refused; the exit code."""
    note(f"error: {_said(error)}")
    silence()
    return WRONG


def silence() -> None:
    """Lead standard output nowhere: Python would flush it at its end, and complain."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _ended(said: str, code: int, error: BaseException | None = None) -> typer.Exit:
    """Say why, and where from if that is asked for."""
    note(said)
    if error is not None and os.environ.get("CANDIDE_DEBUG", "") not in ("", "0"):
        import traceback

        traceback.print_exception(error)
    return typer.Exit(code)


def _said(error: OSError) -> str:
    if error.filename is None:
        return error.strerror or str(error) or type(error).__name__
    return f"{os.fsdecode(error.filename)}: {error.strerror}"


def _notes_for_warnings() -> None:
    """Each of our warnings once, as a line; those of other libraries are not for users of a command."""
    told: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        said = " ".join(str(message).split())
        if issubclass(category, UserWarning) and said not in told:
            told.add(said)
            note(f"note: {said}")

    warnings.simplefilter("ignore")
    warnings.simplefilter("always", UserWarning)
    warnings.showwarning = show
