"""Pictures, drawn with matplotlib: of calibration, of one column, of two, of a model of two classes, of learning.

Every function returns a matplotlib Figure and writes it where a path is given: a PNG, an SVG or a PDF by its suffix.
"""

from candide.explain.pictures.calibration import reliability
from candide.explain.pictures.column import binned_densities, densities
from candide.explain.pictures.curves import Line, learning_curves
from candide.explain.pictures.levels import Levels
from candide.explain.pictures.ruler import nomogram
from candide.explain.pictures.two_columns import boundary

__all__ = ["Levels", "Line", "binned_densities", "boundary", "densities", "learning_curves", "nomogram", "reliability"]
