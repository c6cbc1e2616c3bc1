"""JSON that means one thing: no key twice, no NaN, nothing after the end."""

from __future__ import annotations

import json
from typing import Any

from candide.errors import BadModel


def dumps(value: Any) -> str:
    """ASCII without blanks; floats as the shortest digits that give them back."""
    return json.dumps(value, allow_nan=False, separators=(",", ":"))


def loads(text: str, what: str) -> Any:
    """The value, or a `BadModel` that says where the text is no JSON.

    >>> loads('{"a": 1, "a": 2}', "the header")
    Traceback (most recent call last):
    candide.errors.BadModel: the header has the key 'a' twice
    """

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise BadModel(f"{what} has the key {twice!r} twice")
        return found

    def refuse(name: str) -> Any:
        raise BadModel(f"{what} holds {name}, which is no JSON")

    try:
        return json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
    except RecursionError:
        raise BadModel(f"{what} is nested too deeply") from None
    except BadModel:
        raise
    except ValueError as error:  # a JSONDecodeError, or a number of more digits than Python reads
        raise BadModel(f"{what} is not readable as JSON: {error}") from None
