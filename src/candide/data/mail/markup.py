"""The text of HTML."""

from __future__ import annotations

import html
import re

# Not html.parser: on a quarter of a megabyte of "<a<a<a…" that of Python 3.11 works for a minute.
MARK = re.compile(r"<(?:(?P<comment>!--)|(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9]*)|[!?/])")
SILENT = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style")}
INLINE = re.compile(
    "a|abbr|acronym|b|bdo|big|cite|code|del|dfn|em|font|i|ins|kbd|mark|q|s|small|span|strike|strong|sub|sup|tt|u|var|wbr"
)
LONGEST = 4096  # letters of a tag that are looked at


def plain(text: str) -> tuple[str, list[str]]:
    """The text without tags, scripts and styles, entities decoded, and the tags as they were written.

    Comments, and tags that stand within a line, do not part words. What is not closed lasts to the end, as in browsers.

    >>> plain("<p>fr<!-- x -->ee</p>caf&eacute;<script>no()</script>")[0]
    '\\nfree\\ncafé '
    """
    pieces: list[str] = []
    tags: list[str] = []
    place = 0
    while 0 <= place < len(text):
        mark = MARK.search(text, place)
        if mark is None:
            pieces.append(text[place:])
            break
        pieces.append(text[place : mark.start()])
        if mark["comment"]:
            place = _after(text, "-->", mark.end())
            continue
        place = _after(text, ">", mark.end())
        name = (mark["name"] or "").lower()
        if name and not INLINE.fullmatch(name):
            pieces.append("\n" if name not in SILENT else " ")
        if name and not mark["end"]:
            stop = place if 0 <= place <= mark.end() + LONGEST else mark.end() + LONGEST
            tags.append(text[mark.start() : stop])
            if name in SILENT and place >= 0:
                found = SILENT[name].search(text, place)
                place = _after(text, ">", found.end()) if found else -1
    return html.unescape("".join(pieces)), tags


def _after(text: str, sign: str, start: int) -> int:
    """The place after a sign, −1 if it does not come."""
    found = text.find(sign, start)
    return found if found < 0 else found + len(sign)
