"""JSON: an object a row, one after the other or in one array."""

from __future__ import annotations

import json
from typing import Any

from candide.data.files.engine import text, told
from candide.data.files.find import Part
from candide.data.files.relation import Relation
from candide.data.files.spool import reading, unpacked
from candide.errors import BadFile


def objects(part: Part, source: str, connection: Any, rows: int, skip_bad_rows: bool) -> Relation:
    """A JSON file as cells of text: of a string its characters, of a nested value its JSON, of null nothing."""
    form = _form(part)
    lenient = ", ignore_errors = true" if skip_bad_rows and form == "newline_delimited" else ""
    packed = text(part.compression or "none")
    origin = f"FROM read_json_objects({text(source)}, format = {text(form)}, compression = {packed}{lenient})"
    with told(part.name):
        names = tuple(str(key) for (key,) in connection.execute(_keys(origin, rows)).fetchall())
        if not names:
            raise BadFile(f"{part.name} holds no rows: a JSON object a line, or an array of objects, is needed.")
        pointers = ", ".join(text("/" + name.replace("~", "~0").replace("/", "~1")) for name in names)
        strings = frozenset(place for (place,) in connection.execute(_strings(origin, pointers, rows)).fetchall())
    broken = "coalesce(json_type(json), '') <> 'OBJECT' AS broken_row"
    cells = ", ".join(f"cells[{j + 1}] AS c{j}" for j in range(len(names)))
    taken = f"SELECT json_extract_string(json, [{pointers}]) AS cells, {broken} {origin}"
    sql = f"SELECT {cells}, broken_row FROM ({taken})"
    return Relation(part, names, sql, broken="broken_row", strings=strings)


def _keys(origin: str, rows: int) -> str:
    """The query of the keys of the first rows, in order of their first occurrence."""
    return (
        "SELECT key FROM (SELECT row, unnest(keys) AS key, generate_subscripts(keys, 1) AS place FROM "
        f"(SELECT row_number() OVER () AS row, json_keys(json) AS keys FROM (SELECT json {origin} LIMIT {rows}))) "
        "GROUP BY key ORDER BY min((row, place))"
    )


def _strings(origin: str, pointers: str, rows: int) -> str:
    """The query of the places of keys that hold strings in the first rows."""
    return (
        "SELECT place - 1 FROM (SELECT unnest(types) AS type, generate_subscripts(types, 1) AS place FROM "
        f"(SELECT json_type(json, [{pointers}]) AS types {origin} LIMIT {rows})) "
        "GROUP BY place HAVING bool_or(type = 'VARCHAR')"
    )


def _form(part: Part) -> str:
    """How the objects stand in the file."""
    with reading(part.name), unpacked(part) as raw:
        start = bytes(raw.read(1 << 16)).lstrip(b" \t\r\n")
    if start.startswith(b"["):
        return "array"
    if part.format == "jsonl":
        return "newline_delimited"
    try:
        json.loads(start.split(b"\n", 1)[0])
    except ValueError:
        return "unstructured"
    return "newline_delimited"
