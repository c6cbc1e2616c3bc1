"""Numbers and names as they are printed."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

from candide.labels import is_missing

WIDEST = 26  # characters of a fraction that is still worth reading
BITS_AT_MOST = 4096
LONGEST = 40  # characters of a cell


def fraction(x: Fraction | None) -> str:
    """5/14; nothing where there is no fraction, or none that anybody would read."""
    if x is None or max(abs(x.numerator), x.denominator).bit_length() > 4 * WIDEST:
        return ""
    written = str(x)
    return written if len(written) <= WIDEST else ""


def string(x: Fraction | None) -> str | None:
    """A fraction as JSON has it; None where there is none, or one of thousands of digits."""
    return str(x) if x is not None and max(abs(x.numerator), x.denominator).bit_length() < BITS_AT_MOST else None


def number(x: Fraction | None, log: float, zeros: int) -> dict[str, Any]:
    """A factor or a product as JSON has it; the logarithm of 0 is null."""
    value = float(x) if x is not None else math.exp(min(log, 700.0)) * (not zeros)
    return {"fraction": string(x), "decimal": value, "log": None if zeros else log, "zeros": zeros}


def decimal(x: float, log: float | None = None) -> str:
    """0.0206 where four places say enough, else four digits and a power of ten; by its logarithm if it is too small.

    >>> decimal(18 / 875), decimal(3 / 49130), decimal(0.0, -2000.0)
    ('0.0206', '6.106e-05', '2.577e-869')
    """
    if x == 0 and log is not None and log > -math.inf:
        power = math.floor(log / math.log(10))
        return f"{math.exp(log - power * math.log(10)):.3f}e{power}"
    if x == 0 or x == 1:
        return f"{x:g}"
    return f"{x:.4f}" if 0.001 <= abs(x) < 1e5 else f"{x:.3e}"


def share(p: float) -> str:
    """A probability to seven digits."""
    return f"{p:.7f}" if p >= 5e-8 or p == 0 else f"{p:.3e}"


def name(value: Any) -> str:
    """A cell or a name on one line, whole numbers without a point."""
    if is_missing(value):
        return "?"
    plain = value.item() if hasattr(value, "item") and getattr(value, "ndim", 0) == 0 else value
    if isinstance(plain, float) and plain.is_integer() and abs(plain) < 1e15:
        plain = int(plain)
    written = str(plain)
    if not written.isprintable():
        written = repr(plain)
    return written if len(written) <= LONGEST else written[: LONGEST - 1] + "…"


def some(names: list[str], sign: str = ", ", most: int = 6) -> str:
    """The first few of many names.

    >>> some(["a", "b", "c"], most=2)
    'a, b, 1 more'
    """
    return sign.join(names[:most] + ([f"{len(names) - most:,} more"] if len(names) > most else []))


def escaped(written: str) -> str:
    """As Markdown shows it letter by letter, in a cell of a table too."""
    return re.sub(r"([\\`*_\[\]<>|~#])", r"\\\1", written)


def plain(value: Any) -> Any:
    """As JSON has it: a missing cell is null; what JSON does not know is written out."""
    if is_missing(value):
        return None
    value = value.item() if hasattr(value, "item") and getattr(value, "ndim", 0) == 0 else value
    if isinstance(value, (tuple, list)):
        return [plain(part) for part in value]
    known = isinstance(value, (str, bool, int)) or (isinstance(value, float) and math.isfinite(value))
    return value if known else str(value)
