"""candide example"""

from __future__ import annotations

from typing import Annotated

import typer

from candide.cli import say
from candide.cli.options import Json
from candide.errors import UnknownExample


def example(
    id: Annotated[str | None, typer.Argument(metavar="ID", help="Which one, such as D2.")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Tables in Markdown.")] = False,
    json: Json = False,
) -> None:
    """Examples as lectures work them out, with every figure; without an ID, which ones there are.

    \b
    candide example D2
    """
    from candide.data.examples import EXAMPLES
    from candide.explain.worked import derivations

    if id is None:
        if json:
            say.out_json([{"id": one.id, "title": one.title, "target": one.target} for one in EXAMPLES.values()])
        else:
            say.out(say.table(("id", "what"), [(one.id, one.title) for one in EXAMPLES.values()]))
        return
    found = EXAMPLES.get(id.upper())
    if found is None:
        raise UnknownExample.named(id, EXAMPLES)
    worked = derivations(found)
    if json:
        say.out_json(
            {
                "id": found.id,
                "title": found.title,
                "target": found.target,
                "columns": list(found.columns),
                "rows": found.rows,
                "erratum": found.erratum,
                "cases": [{"caption": caption, "derivation": one.json()} for caption, one in worked],
            }
        )
        return
    heads = (*found.columns, found.target)
    rows = [tuple(map(say.name, row)) for row in found.rows]
    blocks = [f"# {found.id}: {found.title}" if markdown else f"{found.id}: {found.title}"]
    blocks.append(_markdown(heads, rows) if markdown else say.table(heads, rows))
    for caption, one in worked:
        blocks += [f"## {caption}", one.markdown()] if markdown else [f"{caption}\n{'-' * len(caption)}", one.text()]
    say.out("\n\n".join(blocks))


def _markdown(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
