"""What was fitted to the rows that were kept, as a file holds it: nobody needs to fit it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from candide.events.word_fit import Strengths
from candide.posterior import Calibration


@dataclass(frozen=True, slots=True)
class Fitted:
    """The calibration, and the strengths of each column of texts."""

    calibration: Calibration
    strengths: Mapping[Any, Strengths] = field(default_factory=dict)
