"""The front page while a night is on: who deals where, who leads, where the reader sits."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from tracker.common.figures import placing
from tracker.ledger.table import Stint, TableNow
from tracker.models import Player, TokenState, Tournament
from tracker.standings.logic.called import PageNames, page_names
from tracker.standings.queries.dealers import TableDeals, When, table_deals
from tracker.standings.queries.standings import Standing, StandingRow, standings

LEADERS_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """Who deals at a table, in a line."""

    number: int
    tournament: str  # empty where all play in the same
    called: str  # "Hand 5 of 6"
    dealer: str  # empty while the table's own draw is to say it
    done: bool
    mine: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Leader:
    """A row at the head of a standing; ``mine`` is the reader's own."""

    place: str
    name: str
    points: str
    mine: bool


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
    table: int | None = None
    called: str = ""
    done: bool = False
    match: str = ""  # of a knock-out: how it stands, once it may be over
    resting: bool = False
    place: str = ""
    when: When | None = None

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
    tables: tuple[TableLine, ...]
    leading: Leading | None
    me: Me | None


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
    deals = {table.sitting_id: table_deals(table) for table in tables}
    seat = _seat_of(player, tables) if player else None
    at = [table.tournament_id for table in tables]
    tournament = max(playing, key=lambda each: at.count(each.pk), default=None)
    if seat:
        own_table = seat[0].tournament_id
        tournament = next((each for each in playing if each.pk == own_table), tournament)
    standing = standings(tournament) if tournament else None
    leaders = standing.rows[:LEADERS_SHOWN] if standing and standing.begun else ()
    names = _names(tables, deals, leaders, player)
    several = len({table.tournament_id for table in tables}) > 1
    called = {each.pk: each.name for each in playing} if several else {}
    mine = seat[0].sitting_id if seat else None
    own = seat[1].entrant_id if seat else None
    return Tonight(
        tables=tuple(
            _line(table, deals[table.sitting_id], names, called, mine=mine)
            for table in _in_order(tables)
        ),
        leading=_leading(tournament, standing, leaders, names, own)
        if tournament and standing and leaders
        else None,
        me=_me(player, seat, deals, standing, names, resting=resting) if player else None,
    )


def _in_order(tables: Sequence[TableNow]) -> list[TableNow]:
    """Return the tables by their numbers, those of a tournament together."""
    first: dict[int, tuple[int, int]] = {}
    by_number = sorted(tables, key=lambda table: (table.number, table.sitting_id))
    for table in by_number:
        first.setdefault(table.tournament_id, (table.number, table.sitting_id))
    return sorted(by_number, key=lambda table: first[table.tournament_id])


def _seat_of(player: Player, tables: Sequence[TableNow]) -> tuple[TableNow, Stint] | None:
    """Return the table and stint of a player who sits at one."""
    seats = (
        (table, stint)
        for table in tables
        if table.token_state != TokenState.CLOSED
        for stint in table.stints
        if stint.player_id == player.pk and stint.to_hand is None
    )
    return next(seats, None)


def _names(
    tables: Sequence[TableNow],
    deals: Mapping[int, TableDeals],
    leaders: Collection[StandingRow],
    player: Player | None,
) -> PageNames:
    """Return the names of all people on the page, as short as still tells them apart."""
    people = {key: name for row in leaders for key, name in row.people}
    for table in tables:
        place = deals[table.sitting_id].place
        for stint in table.during(table.last_number + 1):
            if stint.place == place and not stint.erased:
                people[stint.player_id] = stint.name
    if player:
        people[player.pk] = player.name
    return page_names(list(people.items()))


def _line(
    table: TableNow,
    deals: TableDeals,
    names: PageNames,
    tournaments: Mapping[int, str],
    *,
    mine: int | None,
) -> TableLine:
    stints = {stint.place: stint for stint in table.during(table.last_number + 1)}
    dealer = stints.get(deals.place) if deals.place is not None else None
    called = names.of_player.get(dealer.player_id) if dealer else None
    return TableLine(
        number=table.number,
        tournament=tournaments.get(table.tournament_id, ""),
        called=deals.called,
        dealer=called or deals.dealer or "",
        done=deals.done,
        mine=table.sitting_id == mine,
    )


def _leading(
    tournament: Tournament,
    standing: Standing,
    rows: Sequence[StandingRow],
    names: PageNames,
    own: int | None,
) -> Leading:
    return Leading(
        tournament=tournament,
        criterion=gettext(standing.criteria[0].label),
        leaders=tuple(
            Leader(
                place=placing(row.place, tied=row.tied),
                name=row.called(names),
                points=standing.points_of(row),
                mine=row.entrant == own,
            )
            for row in rows
        ),
    )


def _me(
    player: Player,
    seat: tuple[TableNow, Stint] | None,
    deals: Mapping[int, TableDeals],
    standing: Standing | None,
    names: PageNames,
    *,
    resting: bool,
) -> Me:
    name = names.player(player.pk, player.name)
    if seat is None:
        return Me(player=player, name=name, resting=resting)
    table, stint = seat
    here = deals[table.sitting_id]
    row = (
        next((row for row in standing.rows if row.entrant == stint.entrant_id), None)
        if standing and standing.begun
        else None
    )
    return Me(
        player=player,
        name=name,
        table=table.number,
        called=here.called,
        done=here.done,
        match=table.match_says,
        place=placing(row.place, tied=row.tied) if row else "",
        when=None if here.done else here.when(stint.place, stint.side),
    )
