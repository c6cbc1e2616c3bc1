"""DuckDB, as these files use it: alone, offline, silent; its complaints in our words."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from candide.errors import LEAVE_OUT, BadFile, CandideError, TooLarge, shortened


def connect(memory_limit: str | None = None) -> Any:
    """A database of its own in memory, that fetches nothing from the network and looks at no variable of Python's."""
    import duckdb

    spill = os.path.join(tempfile.gettempdir(), f"candide-spill-{os.getpid()}")
    config: dict[str, Any] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "temp_directory": spill,
    }
    connection = duckdb.connect(":memory:", config=config)
    try:
        if memory_limit is not None:
            connection.execute(f"SET memory_limit = {text(memory_limit)}")
    except duckdb.Error:
        connection.close()
        raise BadFile(
            f"memory_limit {memory_limit!r} is no amount of memory; write for example '500MB' or '4GB'."
        ) from None
    for setting in ("TimeZone = 'UTC'", "enable_progress_bar = true", "enable_progress_bar_print = false"):
        connection.execute(f"SET {setting}")
    return connection


def text(value: str) -> str:
    """A string of SQL."""
    return "'" + value.replace("'", "''") + "'"


NOT_UTF8 = "not UTF-8"


class MixedLines(BadFile):
    """Line ends of more than one kind."""


@contextmanager
def told(file: str, names: tuple[str, ...] = ()) -> Iterator[None]:
    """Errors of DuckDB, also those that arrive through Arrow, become errors about a file."""
    import duckdb
    import pyarrow as pa

    try:
        yield
    except CandideError:
        raise
    except (duckdb.Error, pa.ArrowException, OSError, RuntimeError, MemoryError, UnicodeError) as error:
        raise translated(str(error), file) from None


def translated(message: str, file: str) -> CandideError:
    """What DuckDB says of a file in its own words, in ours."""
    line = _found(r"CSV Error on Line: (\d+)", message)
    where = f"line {line}" if line else "somewhere"
    row = _found(r"Original Line: (.*?)\n(?:Expected|Value|Invalid|Error|Maximum|Possible|$)", message).rstrip("\n")
    what = broken_row(message)
    if what == NOT_UTF8:
        return BadFile(
            f"{file}, {where}: {what}: {shortened(row)}. "
            f"Name the encoding: encoding='latin-1' (--encoding latin-1), or {LEAVE_OUT}."
        )
    if what:
        return BadFile(f"{file}, {where}: {what}: {shortened(row)}. Mend the row, or {LEAVE_OUT}.")
    if "invalid state" in message:
        return MixedLines(
            f"{file} ends its lines in more than one way, or a quote stands in the wrong place: write it anew."
        )
    if "Malformed JSON" in message or "JSON" in message:
        return BadFile(f"{file} is not as JSON should be: {_malformed(message)}.")
    if re.search(r"[Oo]ut of [Mm]emory|failed to allocate|could not allocate", message):
        return TooLarge(f"{file} cannot be read in so little memory: give a larger memory_limit (--memory).")
    return BadFile(f"{file} cannot be read: {_first_line(message)}.")


def broken_row(message: str) -> str | None:
    """What DuckDB found wrong with the form of a row of CSV."""
    counts = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
    if counts:
        return f"{counts[2]} cell{'s' * (counts[2] != '1')} where the header has {counts[1]}"
    if "unterminated quote" in message:
        return "a quoted cell does not end, or goes on after its quote"
    if "Invalid unicode" in message:
        return NOT_UTF8
    return "a line longer than 2 MB, perhaps a quote is missing" if "Maximum line size" in message else None


def _found(pattern: str, message: str) -> str:
    found = re.search(pattern, message, re.DOTALL)
    return found[1] if found else ""


def _malformed(message: str) -> str:
    """The place without the name of the file; DuckDB counts lines from two here."""
    place = re.search(r"at byte (\d+) in (line|record/value) (\d+): (.*)", message)
    if not place:
        return _first_line(message)
    number = int(place[3]) - (place[2] == "line")
    return f"{'line' if place[2] == 'line' else 'record'} {number}, byte {place[1]}: {place[4].strip().rstrip('.')}"


def _first_line(message: str) -> str:
    first = message.strip().split("\n")[0]
    return re.sub(r"^(?:\w+ )?[\w ]*Error: ", "", first).rstrip(". ")
