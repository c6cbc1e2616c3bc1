"""candide explain"""

from __future__ import annotations

import json as jsons
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from candide.cli import say
from candide.cli.models import Saved
from candide.cli.options import Json, Reading, checked, reads
from candide.errors import BadTable, BadValue, UnknownColumn

if TYPE_CHECKING:
    from candide.explain import Evidence

UNITS = ("bits", "nats", "decibans")


@reads
def explain(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model file.")],
    row: Annotated[
        list[str] | None, typer.Argument(metavar="ROW", help="A JSON object, or COLUMN=VALUE as often as needed.")
    ] = None,
    number: Annotated[int | None, typer.Option("--row", min=1, help="The row of --data, counted from 1.")] = None,
    data: Annotated[str | None, typer.Option("--data", metavar="FILE", help="The file that has the row.")] = None,
    unit: Annotated[str, typer.Option("--unit", help=f"{', '.join(UNITS)}.")] = "bits",
    most: Annotated[int, typer.Option("--most", min=1, help="Columns and words to show, the weightiest first.")] = 20,
    derive: Annotated[bool, typer.Option("--derive", help="The derivation on paper, with all its figures.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="A table in Markdown.")] = False,
    json: Json = False,
    *,
    reading: Reading,
) -> None:
    """Why a row is classified as it is: what each column adds to the sum that decides.

    \b
    candide explain bank.candide age=41 job=technician
    candide explain bank.candide --data new.csv --row 3 --derive
    """
    checked(unit, UNITS, "unit (--unit)")
    if (row is None) == (data is None):
        raise typer.BadParameter("give a row, or --data FILE with --row N.")
    saved = Saved.load(model)
    table = _given(saved, row) if row is not None else _of_file(saved, str(data), number or 1, reading)
    if derive:
        derivation = saved.table.derive(table)
        if json:
            say.out_json(derivation.json())
        else:
            say.out(derivation.markdown(most=most) if markdown else derivation.text(most=most))
        return
    evidence = saved.table.explain(table)
    place = int(saved.table.decide(saved.table.frame(table))[0][0])
    decision = saved.table.classes[place] if place >= 0 else None  # costs may say that none is better
    if json:
        say.out_json({"target": saved.target, "prediction": decision, **evidence.json()})
        return
    measure = cast(Literal["bits", "nats", "decibans"], unit)
    head = f"{say.name(saved.target)} = {'undecided' if decision is None else say.name(decision)}"
    if markdown:
        say.out(f"**{head}**\n\n{evidence.markdown(most=most, unit=measure)}")
    else:
        say.out("\n".join([head, evidence.text(most=most, unit=measure), *_silent(evidence)]))


def _given(saved: Saved, words: Sequence[str]) -> Any:
    """A row as it was written in the command."""
    from candide.data.arrow import as_arrow

    cells = _object(words[0]) if len(words) == 1 and words[0].lstrip().startswith("{") else _pairs(words)
    schema = saved.table.schema
    for name in cells:
        if name not in schema and name != saved.target:
            raise UnknownColumn.named(name, "the model", schema.names)
    known = {name: cell for name, cell in cells.items() if name in schema}
    marks = saved.gaps
    row = {
        name: None if cell == "" or (isinstance(cell, str) and cell.strip() in marks) else cell
        for name, cell in known.items()
    }
    # one column at least, so that there is one row
    return as_arrow([{**dict.fromkeys(schema.names[:1]), **row}])


def _object(text: str) -> dict[str, Any]:
    try:
        found = jsons.loads(text)
    except ValueError as error:
        raise BadValue(f"the row is no JSON object: {error}.") from None
    if not isinstance(found, dict):
        raise BadValue("the row is no JSON object.")
    return {name: jsons.dumps(cell) if isinstance(cell, (dict, list)) else cell for name, cell in found.items()}


def _pairs(words: Sequence[str]) -> dict[str, Any]:
    cells = {}
    for word in words:
        name, sign, cell = word.partition("=")
        if not sign:
            raise BadValue(f"{word!r} is not COLUMN=VALUE; write a row as age=41 job=technician, or as a JSON object.")
        cells[name] = cell
    return cells


def _of_file(saved: Saved, path: str, number: int, reading: Reading) -> Any:
    """The row of a file, counted from 1."""
    with reading.open([path], saved) as files:
        before = 0
        for batch in files.batches():
            if number <= before + batch.num_rows:
                return batch.slice(number - 1 - before, 1)
            before += batch.num_rows
    raise BadTable(f"{path} has {before:,} rows; there is no row {number:,}.")


def _silent(evidence: Evidence) -> list[str]:
    """The cells that say nothing because they are missing or new, together."""
    from candide.explain.evidence import MISSING, UNSEEN

    lines = []
    for remark in (MISSING, UNSEEN):
        places = [j for j in range(len(evidence.columns)) if evidence.remark(0, j) == remark]
        names = [say.name(evidence.columns[j]) if remark == MISSING else evidence.name(0, j) for j in places]
        if names:
            more = f", and {len(names) - 20} more" if len(names) > 20 else ""
            lines.append(f"{remark}: {', '.join(names[:20])}{more}")
    return lines
