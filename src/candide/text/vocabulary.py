"""Distinct words, numbered in the order of first sight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from candide.errors import BadVocabulary, shortened
from candide.text.strings import strings

Places = NDArray[np.int64]
Letters = NDArray[np.uint8]
FEW = 4  # Arrow hashes a whole vocabulary to look up any words: worth it for a fourth of them, not for a handful


class _Looking:
    """A dictionary of the words, made when one is first looked up; it is no part of the value."""

    __slots__ = ("_place_of",)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Vocabulary(_Looking):
    """Distinct words as UTF-8, one after the other: word v is `letters[starts[v]:starts[v + 1]]`.

    >>> Vocabulary.of(["to", "be", "or", "not", "to", "be"])
    Vocabulary(to, be, or, not)
    """

    starts: Places
    letters: Letters

    def __post_init__(self) -> None:
        starts, letters = np.asarray(self.starts), np.asarray(self.letters)
        if starts.dtype != np.int64 or letters.dtype != np.uint8 or starts.ndim != 1 or letters.ndim != 1:
            raise BadVocabulary("a vocabulary is a row of int64, where words start, and one of uint8, their letters.")
        if not len(starts) or starts[0] != 0 or starts[-1] != len(letters):
            raise BadVocabulary(f"the first word must start at 0 and the last one end at {len(letters)}.")
        object.__setattr__(self, "starts", _frozen(np.ascontiguousarray(starts)))
        object.__setattr__(self, "letters", _frozen(np.ascontiguousarray(letters)))
        try:
            self.arrow().validate(full=True)
        except pa.ArrowInvalid as error:
            raise BadVocabulary(f"these bytes are no words: {error}.") from None

    @classmethod
    def of(cls, words: Iterable[str] | pa.Array | pa.ChunkedArray) -> Vocabulary:
        """The distinct words in the order of first sight; Arrow strings are taken as they are."""
        return cls._of_distinct(strings(words).dictionary_encode().dictionary)

    @classmethod
    def _of_distinct(cls, words: pa.Array) -> Vocabulary:
        _, starts, letters = words.buffers()
        if not len(words):
            return cls(np.zeros(1, np.int64), np.zeros(0, np.uint8))
        offsets = np.frombuffer(starts, np.int64)[words.offset : words.offset + len(words) + 1]
        low, high = int(offsets[0]), int(offsets[-1])
        held = np.frombuffer(letters, np.uint8)[low:high] if high > low else np.zeros(0, np.uint8)
        return cls(offsets - low if low else offsets, held)

    @classmethod
    def checked(cls, starts: Places, letters: Letters) -> Vocabulary:
        """The same from a file, after a look whether a word stands twice."""
        read = cls(starts, letters)
        if len(cls.of(read.arrow())) < len(read):
            counts = Counter(read)
            raise BadVocabulary(f"the word {shortened(max(counts, key=counts.__getitem__))} stands twice.")
        return read

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __iter__(self) -> Iterator[str]:
        return iter(self.words())

    def __getitem__(self, place: int) -> str:
        at = range(len(self))[place]
        return self.letters[self.starts[at] : self.starts[at + 1]].tobytes().decode()

    def words(self) -> list[str]:
        return cast(list[str], self.arrow().to_pylist())

    def arrow(self) -> pa.LargeStringArray:
        """The words as an Arrow array that shares the memory."""
        buffers = [None, pa.py_buffer(self.starts), pa.py_buffer(self.letters)]
        return pa.Array.from_buffers(pa.large_string(), len(self), buffers)

    def codes(self, words: Iterable[str] | pa.Array | pa.ChunkedArray) -> Places:
        """The place of each word, −1 where it is not one of these.

        >>> Vocabulary.of(["to", "be"]).codes(["be", "sleeping"]).tolist()
        [1, -1]
        """
        if isinstance(words, (pa.Array, pa.ChunkedArray)):
            words = strings(words)
            if len(words) >= len(self) // FEW:
                return _known(pc.index_in(words, value_set=self.arrow()))
            words = words.to_pylist()
        place_of = self._looked_up()
        return np.fromiter((place_of.get(word, -1) for word in words), np.int64)

    def union(self, other: Vocabulary) -> tuple[Vocabulary, Places]:
        """These words, then those of the other that are new, and where each of the other's words stands in it.

        >>> Vocabulary.of(["to", "be"]).union(Vocabulary.of(["not", "to"]))
        (Vocabulary(to, be, not), array([2, 0]))
        """
        if self == other:
            return self, np.arange(len(self))
        places = _known(pc.index_in(other.arrow(), value_set=self.arrow()))
        new = places < 0
        places[new] = len(self) + np.arange(np.count_nonzero(new))
        added = other.pick(new)
        starts = np.concatenate([self.starts, added.starts[1:] + self.starts[-1]])
        return Vocabulary(starts, np.concatenate([self.letters, added.letters])), places

    def pick(self, keep: NDArray[Any]) -> Vocabulary:
        """The words at the given places, in that order, or under the given mask."""
        kept = np.asarray(keep)
        if kept.dtype == bool:
            return self._of_distinct(self.arrow().filter(pa.array(kept)))
        return self._of_distinct(self.arrow().take(pa.array(kept.astype(np.int64))))

    def order(self) -> Places:
        """The places of the words in the order of their spelling, byte by byte, which is that of code points."""
        places: Places = pc.array_sort_indices(self.arrow()).to_numpy().astype(np.int64)
        return places

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and (
            self is other or (np.array_equal(self.starts, other.starts) and np.array_equal(self.letters, other.letters))
        )

    def __hash__(self) -> int:
        return hash((len(self), self.letters.tobytes()))

    def __repr__(self) -> str:
        shown = [self[place] for place in range(min(len(self), 8))]
        return f"Vocabulary({', '.join(shown)}{', …' if len(self) > 8 else ''})"

    def _looked_up(self) -> dict[str, int]:
        held: dict[str, int] | None = getattr(self, "_place_of", None)
        if held is None:
            held = dict(zip(self.words(), range(len(self)), strict=True))
            object.__setattr__(self, "_place_of", held)
        return held


def _known(found: pa.Array) -> Places:
    """Places of words, −1 for those that are not known."""
    places: Places = pc.fill_null(found, -1).to_numpy(zero_copy_only=False).astype(np.int64)
    return places


def _frozen(values: NDArray[Any]) -> NDArray[Any]:
    view = values.view()
    view.flags.writeable = False
    return view
