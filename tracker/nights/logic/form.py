"""Form: the latest results of one player, as a row of bars."""

from dataclasses import dataclass
from fractions import Fraction

HIGH, WIDE, GAP, LEAST = 44, 18, 6, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """Bars from left to right, the latest last: how much of the room was beaten each time."""

    in_words: str
    beaten: tuple[Fraction, ...]  # from 0 to 1

    @property
    def width(self) -> int:
        """Return how wide all of them are.

        >>> Form(in_words="", beaten=(Fraction(1), Fraction(1, 2))).width
        42
        """
        return len(self.beaten) * (WIDE + GAP) - GAP

    @property
    def bars(self) -> tuple[tuple[int, int, int], ...]:
        """Return left, top and height of each; who was last has a low one, as they were there.

        >>> Form(in_words="", beaten=(Fraction(1), Fraction(0))).bars
        ((0, 0, 44), (24, 41, 3))
        """
        heights = [max(LEAST, round(HIGH * share)) for share in self.beaten]
        return tuple(
            (place * (WIDE + GAP), HIGH - height, height) for place, height in enumerate(heights)
        )
