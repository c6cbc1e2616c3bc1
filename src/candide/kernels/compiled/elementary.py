"""exp and log1p of eight doubles at once, to the last bit or two."""

from __future__ import annotations

from typing import Any

from candide.kernels.compiled.base import kernel
from candide.kernels.compiled.lanes import exponent, fma, larger, mantissa, power_of_two, spread

__all__ = ["exp", "log1p"]

_MAGIC = float(3 << 51)  # adding and subtracting it rounds to a whole number
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_LOG2E = 1.4426950408889634


@kernel
def exp(x: Any) -> Any:
    """exp(x) for x ≤ 0 (0 below -746): x = n log 2 + r, and a polynomial in r; NaN stays NaN."""
    x = larger(spread(-746.0), x)
    magic = spread(_MAGIC)
    n = fma(x, spread(_LOG2E), magic) - magic
    r = fma(n, spread(-_LN2_HIGH), x)
    r = fma(n, spread(-_LN2_LOW), r)
    p = spread(1.0 / 6227020800.0)
    p = fma(p, r, spread(1.0 / 479001600.0))
    p = fma(p, r, spread(1.0 / 39916800.0))
    p = fma(p, r, spread(1.0 / 3628800.0))
    p = fma(p, r, spread(1.0 / 362880.0))
    p = fma(p, r, spread(1.0 / 40320.0))
    p = fma(p, r, spread(1.0 / 5040.0))
    p = fma(p, r, spread(1.0 / 720.0))
    p = fma(p, r, spread(1.0 / 120.0))
    p = fma(p, r, spread(1.0 / 24.0))
    p = fma(p, r, spread(1.0 / 6.0))
    p = fma(p, r, spread(0.5))
    p = fma(p, r, spread(1.0))
    p = fma(p, r, spread(1.0))
    half = fma(n, spread(0.5), magic) - magic  # two steps, so that results below 2^-1022 come out
    return p * power_of_two(half) * power_of_two(n - half)


@kernel
def log1p(x: Any) -> Any:
    """log(1 + x) for 0 ≤ x < inf; inf and NaN give NaN. The series is that of fdlibm's e_log.c (Sun, 1993)."""
    one = spread(1.0)
    u = one + x
    lost = (x - (u - one)) / u
    e, f = exponent(u), mantissa(u) - one
    s = f / (spread(2.0) + f)
    z = s * s
    p = spread(1.479819860511658591e-01)
    p = fma(p, z, spread(1.531383769920937332e-01))
    p = fma(p, z, spread(1.818357216161805012e-01))
    p = fma(p, z, spread(2.222219843214978396e-01))
    p = fma(p, z, spread(2.857142874366239149e-01))
    p = fma(p, z, spread(3.999999999940941908e-01))
    p = fma(p, z, spread(6.666666666666735130e-01))
    square = spread(0.5) * f * f
    low = fma(e, spread(_LN2_LOW), lost)
    return fma(e, spread(_LN2_HIGH), f - (square - fma(s, fma(p, z, square), low)))
