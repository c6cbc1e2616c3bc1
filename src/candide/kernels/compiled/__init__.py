"""Kernels in numba: the same names and signatures as in `plain`, several rows and eight doubles at a time.

Inputs may be read-only; they are always passed on as read-only views, so that each type of number is compiled once.
Nothing here makes threads except `sparse_totals`, whose blocks of rows are not those of the caller.
"""

import numpy as np

from candide.kernels.compiled.cells import add_steps, count_cells
from candide.kernels.compiled.codes import count_labels, hash_labels, hash_numbers
from candide.kernels.compiled.comoments import comoments
from candide.kernels.compiled.counts import level_counts
from candide.kernels.compiled.discrete import add_linear, add_lookup, add_sparse_linear
from candide.kernels.compiled.labels import class_weights, narrow
from candide.kernels.compiled.moments import moments
from candide.kernels.compiled.numeric import add_full_quadratic, add_quadratic, add_student
from candide.kernels.compiled.reading import begin, first_best, log_normalise, normalise
from candide.kernels.compiled.sums import sparse_totals, totals

__all__ = [
    "READY",
    "add_full_quadratic",
    "add_linear",
    "add_lookup",
    "add_quadratic",
    "add_sparse_linear",
    "add_steps",
    "add_student",
    "begin",
    "class_weights",
    "comoments",
    "count_cells",
    "count_labels",
    "first_best",
    "hash_labels",
    "hash_numbers",
    "level_counts",
    "log_normalise",
    "moments",
    "narrow",
    "normalise",
    "sparse_totals",
    "totals",
]

class_weights(np.zeros(1, np.uint8), None, np.zeros(1))  # LLVM takes a quarter of a second to make its first kernel run
READY = True  # says that the import has come to its end, whoever asks from another thread
