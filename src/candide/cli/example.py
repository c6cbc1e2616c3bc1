"""candide example"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from candide.cli import say
from candide.cli.options import Json
from candide.errors import UnknownExample

if TYPE_CHECKING:
    from candide.explain import Derivation
    from candide.explain.text_worked import Page

WIDTH = 100


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
    from candide.data.text_examples import TEXT_EXAMPLES

    listed: dict[str, Any] = {**EXAMPLES, **TEXT_EXAMPLES}
    if id is None:
        if json:
            say.out_json([{"id": one.id, "title": one.title, "target": one.target} for one in listed.values()])
        else:
            say.out(say.table(("id", "what"), [(one.id, one.title) for one in listed.values()]))
        return
    found = listed.get(id.upper())
    if found is None:
        raise UnknownExample.named(id, listed)
    worked, pages = _worked(found)
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
                "pages": [page.json() for page in pages],
            }
        )
        return
    heads = (*found.columns, found.target)
    rows = [tuple(map(say.name, row)) for row in found.rows]
    blocks = [f"# {found.id}: {found.title}" if markdown else f"{found.id}: {found.title}"]
    if rows:
        blocks.append(_markdown(heads, rows) if markdown else say.table(heads, rows))
    for page in pages:
        blocks += _page(page, markdown)
    for caption, one in worked:
        blocks += [*_title(caption, markdown), one.markdown() if markdown else one.text()]
    say.out("\n\n".join(blocks))


def _worked(found: Any) -> tuple[list[tuple[str, Derivation]], list[Page]]:
    """The derivations of an example, and what else it shows."""
    from candide.data.text_examples import TextExample
    from candide.explain.text_worked import pages, text_derivations
    from candide.explain.worked import derivations

    if isinstance(found, TextExample):
        return text_derivations(found), pages(found)
    return derivations(found), []


def _page(page: Page, markdown: bool) -> list[str]:
    import textwrap

    title = _title(page.title, markdown)
    said = page.said if markdown else textwrap.fill(page.said, WIDTH)
    if not page.rows:
        return [*title, said]
    rows = list(page.rows)
    return [*title, said, _markdown(page.heads, rows) if markdown else say.table(page.heads, rows)]


def _title(said: str, markdown: bool) -> list[str]:
    return [f"## {said}"] if markdown else [f"{said}\n{'-' * len(said)}"]


def _markdown(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [[cell.replace("|", "\\|") for cell in line] for line in (heads, ("---",) * len(heads), *rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
