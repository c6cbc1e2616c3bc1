"""Choices made from the counts."""

from candide.selection.draw import drawn
from candide.selection.kinds import Choice, choose
from candide.selection.leave_one_out import left_out

__all__ = ["Choice", "choose", "drawn", "left_out"]
