"""Texts as bytes: where they are, and what they hash to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from candide.counts.texts import Texts
from candide.engines.memory.words import kernels
from candide.kernels import for_work, plain, plain_text


def written(texts: Any) -> Texts:
    """An Arrow array of large strings as it lies in memory; a missing text has no letters, whatever lies below it."""
    n = len(texts)
    _, offsets, letters = texts.buffers()
    if not n or offsets is None:
        return Texts.missing(n)
    starts = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + n + 1]
    known = np.asarray(texts.is_valid().to_numpy(zero_copy_only=False), dtype=np.bool_)
    if np.diff(starts)[~known].any():
        return replace(written(texts.fill_null("")), known=known)
    held = np.frombuffer(letters, np.uint8) if letters is not None and letters.size else np.zeros(0, np.uint8)
    return Texts(starts, held, known)


def hashes(texts: Texts) -> NDArray[np.uint64]:
    """A hash of the bytes of each text."""
    out = np.zeros(len(texts), dtype=np.uint64)
    kernel = plain_text if for_work(len(texts.letters)) is plain else kernels()
    kernel.hash_texts(texts.letters, texts.starts, out)
    return out
