"""JSON: an object a row, one after the other or in one array."""

from __future__ import annotations

from typing import Any

from candide.data.files.engine import text, told
from candide.data.files.find import Part
from candide.data.files.relation import Relation
from candide.data.files.spool import reading, unpacked
from candide.errors import BadFile

# The text of a cell: of a string its characters, of a nested value its JSON, of null nothing.
ROW = "FROM read_json_objects({source}, format = {form}, compression = {packed}{lenient})"


def objects(part: Part, source: str, connection: Any, rows: int, skip_bad_rows: bool) -> Relation:
    """A JSON file as cells of text; its columns are the keys of its first rows, in order of their first occurrence."""
    form = _form(part)
    lenient = ", ignore_errors = true" if skip_bad_rows and form == "newline_delimited" else ""
    packed = text(part.compression or "none")
    origin = ROW.format(source=text(source), form=text(form), packed=packed, lenient=lenient)
    keys = (
        "SELECT key FROM (SELECT row, unnest(keys) AS key, generate_subscripts(keys, 1) AS place FROM (SELECT "
        f"row_number() OVER () AS row, json_keys(json) AS keys FROM (SELECT json {origin} LIMIT {rows}))) "
        "GROUP BY key ORDER BY min((row, place))"
    )
    with told(part.name):
        names = tuple(str(key) for (key,) in connection.execute(keys).fetchall())
    if not names:
        raise BadFile(f"{part.name} holds no rows: a JSON object a line, or an array of objects, is needed.")
    pointers = ", ".join(text("/" + name.replace("~", "~0").replace("/", "~1")) for name in names)
    cells = ", ".join(f"cells[{j + 1}] AS c{j}" for j in range(len(names)))
    broken = "coalesce(json_type(json), '') <> 'OBJECT'"
    rows_sql = f"SELECT json_extract_string(json, [{pointers}]) AS cells, {broken} AS broken_row {origin}"
    return Relation(part, names, f"SELECT {cells}, broken_row FROM ({rows_sql})", broken="broken_row")


def _form(part: Part) -> str:
    """How the objects stand in the file."""
    with reading(part.name), unpacked(part) as raw:
        start = bytes(raw.read(1 << 16)).lstrip(b" \t\r\n")
    if start.startswith(b"["):
        return "array"
    first = start.split(b"\n", 1)[0].rstrip()
    return "newline_delimited" if part.format == "jsonl" or first.endswith(b"}") else "unstructured"
