"""Labelled data in."""

from candide.data.matrix import Matrix, is_sparse
from candide.data.source import Source
from candide.data.table import Table

__all__ = ["Matrix", "Source", "Table", "is_sparse"]
