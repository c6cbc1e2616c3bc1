"""Words that only hold a sentence together, for some languages."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

LANGUAGES = frozenset(
    {
        "danish", "dutch", "english", "finnish", "french", "german", "italian", "norwegian", "polish", "portuguese",
        "russian", "spanish", "swedish", "turkish", "ukrainian",
    }
)  # fmt: skip


@cache
def stop_words(language: str) -> frozenset[str]:
    """Articles, pronouns, prepositions, conjunctions and auxiliaries: no negation, nothing that praises or blames.

    >>> "the" in stop_words("english"), "not" in stop_words("english")
    (True, False)
    """
    lines = files("candide.text").joinpath("stop", f"{language}.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
