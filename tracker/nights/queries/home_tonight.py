"""The front page while a night is on: who deals where, who leads, where the reader sits."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from django.utils.translation import gettext

from tracker.common.figures import placing
from tracker.models import Player, Tournament
from tracker.standings.logic.called import PageNames, page_names
from tracker.standings.queries.standings import StandingRow, standings
from tracker.tables.table import TableNow
from tracker.tables.turns import When

LEADERS_SHOWN = 5
# A row at the head of a standing: place, name, points, and whether it is the reader's own.
Leader: TypeAlias = tuple[str, str, str, bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leading:
    """The head of the standing of one tournament."""

    tournament: Tournament
    criterion: str  # what they lead by
    leaders: tuple[Leader, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Me:
    """Where the reader sits, how they stand, and when they deal."""

    player: Player
    name: str
    table: TableNow | None
    resting: bool
    place: str

    @property
    def when(self) -> When | None:
        """Return when they deal, if that can be known."""
        seat = self.table and self.table.seat_of(self.player.pk)
        if not self.table or not seat or self.table.finished:
            return None
        return self.table.forecast.when(seat.place, seat.side)

    @property
    def deals(self) -> str:
        """Say when they deal, as far as anybody can know."""
        match self.when:
            case When.NOW:
                return gettext("you deal now")
            case When.NEXT:
                return gettext("you deal next, whoever wins")
            case When.IF_THEY_WIN:
                return gettext("you deal next if you win")
            case When.PERHAPS:
                return gettext("you may deal next")
            case None:
                return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tonight:
    tables: tuple[TableNow, ...]
    leading: Leading | None
    me: Me | None

    @property
    def several(self) -> bool:
        """Say whether tables must be told apart by their tournament."""
        return len({table.tournament_id for table in self.tables}) > 1


def tonight(
    playing: Sequence[Tournament],
    tables: Sequence[TableNow],
    player: Player | None,
    *,
    resting: bool,
) -> Tonight:
    """Return what is going on at *tables*, in the queries of one standing.

    The *player* who asks may be *resting*. *playing* are the tournaments that have begun; of
    them the reader's own is told, or else the largest.
    """
    mine = next((each for each in tables if player and each.seat_of(player.pk)), None)
    at = [table.tournament_id for table in tables]
    tournament = max(playing, key=lambda each: at.count(each.pk), default=None)
    if mine:
        tournament = next((each for each in playing if each.pk == mine.tournament_id), tournament)
    standing = standings(tournament) if tournament else None
    rows = standing.rows if standing and standing.begun else ()
    names = _names(tables, rows[:LEADERS_SHOWN], player)
    seat = mine.seat_of(player.pk) if mine and player else None
    own = seat and seat.entrant_id
    leading = me = None
    if tournament and standing and rows:
        leading = Leading(
            tournament=tournament,
            criterion=gettext(standing.criteria[0].label),
            leaders=tuple(
                (*standing.line(row, row.called(names))[:3], row.entrant == own)
                for row in rows[:LEADERS_SHOWN]
            ),
        )
    if player:
        places = (placing(row.place, tied=row.tied) for row in rows if row.entrant == own)
        me = Me(
            player=player,
            name=names.player(player.pk, player.name),
            table=mine,
            resting=resting and mine is None,
            place=next(places, ""),
        )
    # Those of a tournament together, the one at the first table first.
    by_number = sorted(tables, key=lambda table: (table.number, table.sitting_id))
    order = list(dict.fromkeys(table.tournament_id for table in by_number))
    by_number.sort(key=lambda table: order.index(table.tournament_id))
    return Tonight(
        tables=tuple(replace(table, short_names=names.of_player) for table in by_number),
        leading=leading,
        me=me,
    )


def _names(
    tables: Sequence[TableNow], leaders: Collection[StandingRow], player: Player | None
) -> PageNames:
    """Return the names of all people on the page, as short as still tells them apart."""
    people = {key: name for row in leaders for key, name in row.people}
    people |= {
        stint.player_id: stint.name
        for table in tables
        for stint in table.during(table.coming_number)
        if stint.place == table.dealer_place and not stint.erased
    }
    if player:
        people[player.pk] = player.name
    return page_names(list(people.items()))
