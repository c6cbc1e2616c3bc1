"""Words as Arrow has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from candide.errors import BadVocabulary


def strings(words: Any) -> pa.Array:
    """Strings of any kind as one Arrow array, none of them missing."""
    if isinstance(words, pa.ChunkedArray):
        words = words.combine_chunks()
    if not isinstance(words, pa.Array):
        listed = list(words)
        try:
            words = pa.array(listed, pa.large_string())
        except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeEncodeError):
            raise _no_word(listed) from None
    if words.null_count:
        raise BadVocabulary(f"word {int(np.flatnonzero(words.is_null())[0])} is missing; leave it out.")
    if pa.types.is_large_string(words.type):
        return words
    kind = words.type.value_type if pa.types.is_dictionary(words.type) else words.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)):
        raise BadVocabulary(f"words must be strings, these are of the Arrow type {words.type}.")
    return words.cast(pa.large_string())


def _no_word(listed: list[Any]) -> BadVocabulary:
    at = next((at for at, word in enumerate(listed) if not _is_word(word)), 0)
    return BadVocabulary(f"word {at} is {repr(listed[at])[:60]}; a word must be a string that UTF-8 can hold.")


def _is_word(word: object) -> bool:
    if not isinstance(word, str):
        return False
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True
