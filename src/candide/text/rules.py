"""What becomes of a word: dropped, mapped, shaped."""

from __future__ import annotations

from functools import partial
from hashlib import blake2b

from candide.text.forms import lemmas, stems
from candide.text.stopwords import stop_words

MOST_REMEMBERED = 1 << 20  # forms: streams never end


class Rules:
    """Stop words and forms of an analyzer, and the forms already made."""

    __slots__ = ("_buckets", "_given", "_made", "_shapes", "_stop")

    def __init__(
        self,
        stop: tuple[str, ...],
        language: str | None,
        forms: tuple[tuple[str, str], ...],
        lemma: str | None,
        stem: str | None,
        buckets: int | None = None,
    ) -> None:
        self._stop = frozenset(stop) | (stop_words(language) if language else frozenset())
        self._given = dict(forms)
        self._shapes = [maker(name) for maker, name in ((lemmas, lemma), (stems, stem)) if name]
        if buckets:
            self._shapes.append(partial(bucket, buckets=buckets))
        self._made: dict[str, str] = {}
        self._buckets = buckets

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._stop or self._given or self._shapes)

    def form(self, word: str) -> str | None:
        """None for a stop word, else what the user gave, else the stem of the lemma."""
        if word in self._stop:
            return None
        given = self._given.get(word)
        if given is not None:
            return bucket(given, self._buckets) if self._buckets else given
        return self._shaped(word) if self._shapes else word

    def _shaped(self, word: str) -> str:
        made = self._made.get(word)
        if made is None:
            made = word
            for shape in self._shapes:
                made = shape(made) or made
            if len(self._made) >= MOST_REMEMBERED:
                self._made.clear()
            self._made[word] = made
        return made


def bucket(word: str, buckets: int) -> str:
    """The bucket that a word falls into, the same on every machine.

    >>> bucket("spam", 1024)
    '#941'
    """
    digest = blake2b(word.encode("utf-8", "replace"), digest_size=8).digest()
    return f"#{int.from_bytes(digest, 'little') % buckets}"
