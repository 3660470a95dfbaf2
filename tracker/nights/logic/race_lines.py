"""The race of the points as the hall sees it: a few thick lines, and whole names beside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tracker.standings.logic.race import spread

WIDTH, HEIGHT = 1600, 700
LETTERS = 46
_LEFT, _TOP, _BOTTOM = 20, 40, 670
_GAP = 64  # from one name to the next


@dataclass(frozen=True, slots=True)
class RaceLine:
    """One runner's line over the rounds, and the position of the name at its end."""

    path: str
    end: tuple[float, float]
    name_at: tuple[float, float]
    words: str


def race_lines(runners: Sequence[tuple[str, Sequence[Fraction]]]) -> tuple[RaceLine, ...]:
    """Draw runners who have a name with its points, and their points before and after each round.

    >>> race_lines([("Asha 2", (Fraction(0), Fraction(2))), ("Juma 0", (Fraction(0),) * 2)])[0].end
    (1354.4, 40.0)
    """
    if not runners:
        return ()
    figures = [value for _words, points in runners for value in points]
    low, high = min(figures), max(figures)
    height = (high - low) or Fraction(1)
    widest = max(len(words) for words, _points in runners)
    right = max(WIDTH / 2, WIDTH - 80 - widest * LETTERS * 0.6)
    steps = max(1, len(runners[0][1]) - 1)

    def at(step: int, value: Fraction) -> tuple[float, float]:
        x = _LEFT + (right - _LEFT) * step / steps
        return round(x, 1), round(float(_BOTTOM - (_BOTTOM - _TOP) * (value - low) / height), 1)

    ways = [[at(step, value) for step, value in enumerate(points)] for _words, points in runners]
    heights = spread([way[-1][1] for way in ways], top=_TOP, bottom=_BOTTOM, gap=_GAP)
    return tuple(
        RaceLine(
            path=" ".join(f"{x:g},{y:g}" for x, y in way),
            end=way[-1],
            name_at=(round(right + 50, 1), name_y),
            words=words,
        )
        for (words, _points), way, name_y in zip(runners, ways, heights, strict=True)
    )
