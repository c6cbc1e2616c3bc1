"""The model file: a JSON header and raw arrays, in the safetensors format.

A file is read without running anything it says: only the classes of one table are ever made, and what they are made of
is checked. `docs/model-file.md` describes it byte for byte.
"""

from candide.storage.files import describe, load, save
from candide.storage.registry import FORMAT

__all__ = ["FORMAT", "describe", "load", "save"]
