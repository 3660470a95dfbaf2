"""The season of a club, in two lines: who leads it, and where the reader stands."""

from dataclasses import dataclass

from tracker.common.figures import placing
from tracker.front.queries.tonight import Leader
from tracker.models import Club, Player, Season
from tracker.seasons.queries import out_of_a_hundred, season_standing


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonHead:
    season: Season
    places: tuple[Leader, ...]  # the first three, and the reader's own
    finished: int  # tournaments


LEADERS_SHOWN = 3


def season_head(club: Club, player: Player | None) -> SeasonHead | None:
    """Return how the newest season stands, in one query and those of its standing."""
    season = Season.objects.latest_of(club.pk)
    if season is None:
        return None
    standing = season_standing(season)
    own = player.pk if player else None
    placed = [row for row in standing.rows if row.place is not None]
    shown = placed[:LEADERS_SHOWN]
    shown += [row for row in placed[LEADERS_SHOWN:] if row.player == own]
    return SeasonHead(
        season=season,
        places=tuple(
            Leader(
                place=placing(row.place or 0, tied=row.tied),
                name=row.name,
                points=out_of_a_hundred(row.points),
                mine=row.player == own,
            )
            for row in shown
        ),
        finished=sum(not tournament.why_not for tournament in standing.tournaments),
    )
