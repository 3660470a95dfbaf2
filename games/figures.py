"""Figures as people write them, on the site and at a terminal."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

_HALF = Fraction(1, 2)


def rounded(value: Fraction, places: int) -> Decimal:
    """Return a figure rounded to so many places, with all of them.

    >>> rounded(Fraction(1, 2), 2)
    Decimal('0.50')
    """
    return Decimal(round(value * 10**places)).scaleb(-places)


def figure_text(
    value: Fraction,
    decimal: Callable[[Fraction, int], object] = rounded,
    *,
    halves: bool = True,
) -> str:
    """Format a figure, with ½ for a half; *decimal* rounds any other fraction.

    Without *halves* it stands in a column where others are thirds, and has two places as they do.

    >>> figure_text(Fraction(9, 2)), figure_text(Fraction(1, 2)), figure_text(Fraction(17, 3))
    ('4½', '½', '5.67')
    """
    sign = "−" if value < 0 else ""
    whole, rest = divmod(abs(value), 1)
    if halves and rest == _HALF:
        return f"{sign}{whole or ''}½"
    return f"{sign}{decimal(abs(value), 0 if halves and not rest else 2)}"
