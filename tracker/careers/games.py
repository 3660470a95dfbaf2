"""Game lines: what a player or a team gathered in each game, in words."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext

from games import catalogue
from tracker.common.figures import game_figures
from tracker.models import Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLine:
    """The sums of one game, in words: ``figures`` are a label and a value each."""

    slug: str
    name: str
    units: str  # "hands"
    tournaments: int
    hands: int
    figures: tuple[tuple[str, str], ...]
    dealt: int
    opened: int


def game_lines(
    by_tournament: Mapping[int, Counter[str]], tournaments: Mapping[int, Tournament]
) -> tuple[GameLine, ...]:
    """Return a line for every game, the one with most hands first."""
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    entered: Counter[str] = Counter()
    for pk, gathered in by_tournament.items():
        if gathered["hands"]:
            sums[tournaments[pk].game].update(gathered)
            entered[tournaments[pk].game] += 1
    lines = (
        GameLine(
            slug=slug,
            name=gettext(catalogue.GAMES[slug].name),
            units=gettext(catalogue.GAMES[slug].unit.many),
            tournaments=entered[slug],
            hands=gathered["hands"],
            figures=game_figures(catalogue.GAMES[slug], gathered),
            dealt=gathered["dealt"],
            opened=gathered["opened"],
        )
        for slug, gathered in sums.items()
    )
    return tuple(sorted(lines, key=lambda line: -line.hands))
