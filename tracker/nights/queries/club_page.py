"""Data of a club's page: tables and leaders while a night is on, finished tournaments otherwise."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext

from tracker.common.figures import placing
from tracker.common.names import PageNames, page_names
from tracker.common.wording import together
from tracker.models import Entrant, Player, RoundState, Seat, Tournament
from tracker.standings.queries.final_rankings import FinalPlace, Finish, final_rankings
from tracker.standings.queries.standings import StandingRow, standings
from tracker.standings.queries.tournament_stages import events_of
from tracker.tables.next_dealer import DealsWhen
from tracker.tables.table_now import TableNow
from tracker.tournaments.queries import days_of_namesakes

LEADERS_SHOWN = 5
BARS_SHOWN, LEAST_BARS = 8, 2
BAR_HEIGHT, BAR_WIDTH, BAR_GAP, LEAST_HEIGHT = 44, 18, 6, 3  # pixels


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderTonight:
    """The reader's table, place in the standing, and when they deal."""

    player: Player
    name: str
    table: TableNow | None
    resting: bool
    place: str

    @property
    def when(self) -> DealsWhen | None:
        """Return when the reader deals, if that can be known."""
        seat = self.table and self.table.seat_of(self.player.pk)
        if not self.table or not seat or self.table.finished:
            return None
        return self.table.forecast.deals_when(seat.place, seat.side)

    @property
    def deals(self) -> str:
        match self.when:
            case DealsWhen.NOW:
                return gettext("you deal now")
            case DealsWhen.NEXT:
                return gettext("you deal next, whoever wins")
            case DealsWhen.IF_THEY_WIN:
                return gettext("you deal next if you win")
            case DealsWhen.PERHAPS:
                return gettext("you may deal next")
            case None:
                return ""


def club_tonight(
    playing: Sequence[Tournament], tables: Sequence[TableNow], player: Player | None, resting: bool
) -> dict[str, Any]:
    """Return the tables, the leaders and the *player*'s own seat, in the queries of one standing.

    *playing* are the tournaments that have begun: the standing is that of the player's own, or of
    the one with most tables. *resting* says whether the player sits out.
    """
    mine = next((each for each in tables if player and each.seat_of(player.pk)), None)
    of_tables = [table.tournament_id for table in tables]
    tournament = max(playing, key=lambda each: of_tables.count(each.pk), default=None)
    if mine:
        tournament = next((each for each in playing if each.pk == mine.tournament_id), tournament)
    standing = standings(tournament) if tournament else None
    rows = standing.rows if standing and standing.begun else ()
    names = _names_on_page(tables, rows[:LEADERS_SHOWN], player)
    seat = mine.seat_of(player.pk) if mine and player else None
    own = seat and seat.entrant_id
    leading = me = None
    if standing and rows:
        leading = {
            "tournament": tournament,
            "criterion": gettext(standing.criteria[0].label),
            "leaders": [
                (*standing.line(row, row.called(names))[:3], row.entrant == own)
                for row in rows[:LEADERS_SHOWN]
            ],
        }
    if player:
        places = (placing(row.place, tied=row.tied) for row in rows if row.entrant == own)
        me = ReaderTonight(
            player=player,
            name=names.player(player.pk, player.name),
            table=mine,
            resting=resting and mine is None,
            place=next(places, ""),
        )
    # By tournament, the one with the first table first.
    by_number = sorted(tables, key=lambda table: (table.number, table.sitting_id))
    order = list(dict.fromkeys(table.tournament_id for table in by_number))
    by_number.sort(key=lambda table: order.index(table.tournament_id))
    return {
        "tables": [replace(table, short_names=names.of_player) for table in by_number],
        "several": len(order) > 1,
        "leading": leading,
        "me": me,
    }


def _names_on_page(
    tables: Sequence[TableNow], leaders: Collection[StandingRow], player: Player | None
) -> PageNames:
    """Return the names of all people on the page, each as short as is still unique there."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedLine:
    """A finished tournament with its winner."""

    tournament: Tournament
    winner: str
    day: str  # if another tournament has the same name


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnResult:
    """A player's final place in a tournament."""

    tournament: Tournament
    finish: Finish
    day: str  # if another tournament has the same name


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultBars:
    """A bar for each of a player's results, the latest last: the share of opponents they beat."""

    in_words: str
    beaten: tuple[Fraction, ...]  # from 0 to 1

    @property
    def width(self) -> int:
        """Return the width of the chart.

        >>> ResultBars(in_words="", beaten=(Fraction(1), Fraction(1, 2))).width
        42
        """
        return len(self.beaten) * (BAR_WIDTH + BAR_GAP) - BAR_GAP

    @property
    def bars(self) -> tuple[tuple[int, int, int], ...]:
        """Return left, top and height of each bar; even a last place has a low one.

        >>> ResultBars(in_words="", beaten=(Fraction(1), Fraction(0))).bars
        ((0, 0, 44), (24, 41, 3))
        """
        heights = [max(LEAST_HEIGHT, round(BAR_HEIGHT * share)) for share in self.beaten]
        return tuple(
            (index * (BAR_WIDTH + BAR_GAP), BAR_HEIGHT - height, height)
            for index, height in enumerate(heights)
        )


def results_of_club(
    past: Sequence[Tournament], player: Player | None
) -> tuple[tuple[FinishedLine, ...], tuple[OwnResult, ...]]:
    """Return the winners of *past* tournaments, and the player's own results, the latest first.

    Takes the queries of ``final_rankings``, one for names and, with a player, two more.
    """
    # The player's entrant by tournament: themselves or their team, not whom they substituted for.
    entrants: dict[int, int] = {}
    if player:
        seats = Seat.objects.filter(player=player).exclude(round__state=RoundState.UNDONE)
        rows = seats.values_list("round__tournament", "entrant", "entrant__player").order_by("pk")
        entrants = {
            tournament: entrant
            for tournament, entrant, alone in rows
            if alone in {None, player.pk}  # None of a team
        }
    latest = sorted(entrants, reverse=True)[: 2 * BARS_SHOWN]
    alone_in = {entrants[tournament] for tournament in latest}
    keys = {tournament.pk for tournament in past} | set(latest)
    events = events_of(Tournament.objects.filter(pk__in=keys))
    over = [event for event in events if event.official]
    rankings = final_rankings(over)
    own = [
        (event.root, finish)
        for event in over
        for placed in rankings[event.root.pk]
        if player and (finish := placed.overall) is not None
        if (player.pk in placed.players if event.several else placed.entrant in alone_in)
    ]
    own.sort(key=lambda each: (each[0].created_at, each[0].pk), reverse=True)
    own = own[:BARS_SHOWN]
    days = days_of_namesakes([tournament for tournament, _finish in own])
    return finished_lines(past, rankings), tuple(
        OwnResult(tournament=tournament, finish=finish, day=days.get(tournament.pk, ""))
        for tournament, finish in own
    )


def result_bars(results: Sequence[OwnResult]) -> ResultBars | None:
    """Return a chart of a player's results, which come latest first, if there are enough."""
    if len(results) < LEAST_BARS:
        return None
    finishes = [result.finish for result in reversed(results)]
    places = ", ".join(
        gettext("%(place)d of %(of)d") % {"place": finish.place, "of": finish.of}
        for finish in finishes
    )
    return ResultBars(
        in_words=gettext("My form, the latest last: %(places)s") % {"places": places},
        beaten=tuple(finish.beaten for finish in finishes),
    )


def finished_lines(
    past: Sequence[Tournament], rankings: Mapping[int, Sequence[FinalPlace]]
) -> tuple[FinishedLine, ...]:
    """Return a line for each of *past*, in one query; without *rankings* no winners and no query."""
    first = {
        root: [placed.entrant for placed in ranking if placed.place == 1]
        for root, ranking in rankings.items()
    }
    wanted = [entrant for tournament in past for entrant in first.get(tournament.pk, ())]
    names = Entrant.objects.filter(pk__in=wanted).names()
    days = days_of_namesakes(past)
    return tuple(
        FinishedLine(
            tournament=tournament,
            winner=together([names[key] for key in first.get(tournament.pk, ())]),
            day=days.get(tournament.pk, ""),
        )
        for tournament in past
    )
