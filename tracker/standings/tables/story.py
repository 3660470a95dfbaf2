"""The table behind the picture of a race."""

from fractions import Fraction
from typing import Any

import django_tables2 as tables
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.sheet import Criterion
from tracker.common.cells import NUMBER, STRONG, ClubTable, linked
from tracker.common.figures import figure
from tracker.standings.queries.race import Race, Runner


class RoundColumn(tables.Column):  # type: ignore[misc]
    """What everybody had after one round."""

    def __init__(self, position: int, criterion: Criterion, **kwargs: Any) -> None:
        super().__init__(accessor=f"points__{position}", **kwargs)
        self.criterion = criterion

    def render(self, value: Fraction) -> str:
        return figure(value, percent=self.criterion.percent)

    def value(self, value: Fraction) -> Fraction:
        """Return the figure itself."""
        return value


class RaceTable(ClubTable):
    title = _("Points after each round")
    name = tables.Column(verbose_name=_("Player"), attrs={"td": {"scope": "row"}})

    def __init__(self, race: Race, **kwargs: Any) -> None:
        last = len(race.rounds)
        columns = [
            (
                f"after_{number}",
                RoundColumn(
                    position,
                    race.criterion,
                    verbose_name=gettext("Round %(number)d") % {"number": number},
                    attrs=STRONG if position == last else NUMBER,
                ),
            )
            for position, number in enumerate(race.rounds, start=1)
        ]
        super().__init__(race.runners, extra_columns=columns, **kwargs)

    def render_name(self, record: Runner) -> SafeString:
        return named(record)

    def value_name(self, value: str) -> str:
        return value


def named(runner: Runner) -> SafeString:
    """Return a runner's name, which leads to the page of the player or team."""
    if runner.team:
        return linked(runner.name, "team", runner.team)
    return linked(runner.name, "player", runner.player or 0)
