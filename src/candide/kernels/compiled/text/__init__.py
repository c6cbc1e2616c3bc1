"""Texts as kernels see them: UTF-8 bytes with offsets, words as numbers of a table, documents as streams of these."""

from candide.kernels.compiled.text.casing import characters, word_cases
from candide.kernels.compiled.text.counting import SHARE, count_ids, mapped
from candide.kernels.compiled.text.hashing import hash_texts
from candide.kernels.compiled.text.joining import lay, list_marked, mark, moved_out
from candide.kernels.compiled.text.letters import letter_ids
from candide.kernels.compiled.text.pairs import pair_ids
from candide.kernels.compiled.text.special import special
from candide.kernels.compiled.text.table import BATCH, SPARE, Table, intern, room
from candide.kernels.compiled.text.weighing import COUNT, LOG, ONCE, weigh
from candide.kernels.compiled.text.words import word_ids

__all__ = [
    "BATCH",
    "COUNT",
    "LOG",
    "ONCE",
    "SHARE",
    "SPARE",
    "Table",
    "characters",
    "count_ids",
    "hash_texts",
    "intern",
    "lay",
    "letter_ids",
    "list_marked",
    "mapped",
    "mark",
    "moved_out",
    "pair_ids",
    "room",
    "special",
    "weigh",
    "word_cases",
    "word_ids",
]
