"""plan → collect → model → score: the one room that knows models and engines."""

from candide.classifier.ahead import prepare
from candide.classifier.batch import Batch
from candide.classifier.model import Events, Model, learn, requests
from candide.classifier.table import TableModel

__all__ = ["Batch", "Events", "Model", "TableModel", "learn", "prepare", "requests"]
