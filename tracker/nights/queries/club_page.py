"""Data of a club's page: tables and leaders while a night is on, finished tournaments otherwise."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext

from games.errors import gettext_noop as _
from tracker.common.columns import linked
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
BARS_SHOWN, LEAST_BARS = 8, 2  # results in the chart of a player's form
# Of the bars of this chart, in pixels.
BAR_HEIGHT, BAR_WIDTH, BAR_GAP, LEAST_HEIGHT = 44, 18, 6, 3

# Keyed by when the reader deals.
_DEALS = {
    DealsWhen.NOW: _("you deal now"),
    DealsWhen.NEXT: _("you deal next, whoever wins"),
    DealsWhen.IF_THEY_WIN: _("you deal next if you win"),
    DealsWhen.PERHAPS: _("you may deal next"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderTonight:
    """The reader's table, place in the standing as text ("2="), and when they deal."""

    player: Player
    name: str
    table: TableNow | None
    resting: bool  # whether the reader sits out
    place: str

    @property
    def when(self) -> DealsWhen | None:
        """Return when the reader deals, if that can be known."""
        stint = self.table and self.table.present_stint(self.player.pk)
        if not self.table or not stint or self.table.finished:
            return None
        return self.table.forecast.deals_when(stint.place, stint.side)

    @property
    def deals(self) -> str:
        return gettext(_DEALS[self.when]) if self.when else ""


def _place(row: StandingRow, tournament: Tournament | None) -> str:
    """Return a place as a link to why it is so."""
    place = placing(row.place, tied=row.tied)
    return linked(place, "entrant", tournament.pk, row.entrant) if tournament else place


def play_of_club(
    begun: Sequence[Tournament], tables: Sequence[TableNow], player: Player | None, *, resting: bool
) -> dict[str, Any]:
    """Return the tables, the leaders and the *player*'s own seat, in the queries of one standing.

    *begun* are the tournaments that have begun; the leaders are of the player's tournament, or else
    of the one with most tables. *resting* tells whether the player sits out a round.
    """
    own_table = next((table for table in tables if player and table.present_stint(player.pk)), None)
    own_stint = own_table.present_stint(player.pk) if own_table and player else None
    own_entrant = own_stint and own_stint.entrant_id  # the player, or their team
    own_tournament = own_table and own_table.tournament_id
    table_counts = Counter(table.tournament_id for table in tables)
    tournament = max(
        begun, key=lambda row: (row.pk == own_tournament, table_counts[row.pk]), default=None
    )
    standing = standings(tournament) if tournament else None
    rows = standing.rows if standing and standing.begun else ()
    names = _names_on_page(tables, rows[:LEADERS_SHOWN], player)
    leading = me = None
    if standing and rows:
        leading = {
            "tournament": tournament,
            "criterion": gettext(standing.criteria[0].label),
            # Place, name and points in words, and whether it is the reader's row.
            "leaders": [
                (
                    _place(row, tournament),
                    *standing.line(row, row.called(names))[1:3],
                    row.entrant == own_entrant,
                )
                for row in rows[:LEADERS_SHOWN]
            ],
        }
    if player:
        own_row = next((row for row in rows if row.entrant == own_entrant), None)
        me = ReaderTonight(
            player=player,
            name=names.player(player.pk, player.name),
            table=own_table,
            resting=resting and own_table is None,
            place=_place(own_row, tournament) if own_row else "",
        )
    return {
        "tables": [replace(table, short_names=names.of_player) for table in _grouped(tables)],
        "several": len({table.tournament_id for table in tables}) > 1,
        "leading": leading,
        "me": me,
    }


def _grouped(tables: Sequence[TableNow]) -> list[TableNow]:
    """Return each tournament's tables by number, the tournament with the lowest number first."""
    by_number = sorted(tables, key=lambda table: (table.number, table.sitting_id))
    tournaments = list(dict.fromkeys(table.tournament_id for table in by_number))
    return sorted(by_number, key=lambda table: tournaments.index(table.tournament_id))


def _names_on_page(
    tables: Sequence[TableNow], leaders: Collection[StandingRow], player: Player | None
) -> PageNames:
    """Return unique short names of the leaders, the dealers of the tables and the reader."""
    people = {key: name for row in leaders for key, name in row.people}
    # A stint is the time for which a player holds a seat.
    people |= {
        stint.player_id: stint.name
        for table in tables
        for stint in table.during(table.coming_number)
        if stint.place == table.dealer_place and not stint.erased
    }
    if player:
        people[player.pk] = player.name
    return page_names(list(people.items()))


def results_of_club(
    past: Sequence[Tournament], player: Player | None
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the winners of *past* tournaments, and the player's own results, the latest first.

    Both have the ``tournament``, and its ``day`` if another has the same name: a past one with its
    ``winner``, an own result with the ``finish``.

    Takes the queries of ``final_rankings``, one for names and, with a player, two more. An event is
    a tournament with all its stages, and is known by the first of them, its ``root``.
    """
    entrant_in = _entrants_of(player) if player else {}
    # Twice as many as are shown: some are not official yet, or stages of one event.
    latest = sorted(entrant_in, reverse=True)[: 2 * BARS_SHOWN]
    own_entrants = {entrant_in[tournament] for tournament in latest}
    keys = {tournament.pk for tournament in past} | set(latest)
    events = events_of(Tournament.objects.filter(pk__in=keys))
    official = [event for event in events if event.official]
    rankings = final_rankings(official)
    own_key = player and player.pk
    own_finishes: list[tuple[Tournament, Finish]] = []
    for event in official if player else ():
        for placed in rankings[event.root.pk]:
            # With several stages ``players`` are known, as entrants differ from stage to stage.
            is_own = own_key in placed.players if event.several else placed.entrant in own_entrants
            if is_own and placed.overall is not None:
                own_finishes.append((event.root, placed.overall))
    own_finishes.sort(key=lambda result: (result[0].created_at, result[0].pk), reverse=True)
    own_finishes = own_finishes[:BARS_SHOWN]
    days = days_of_namesakes([tournament for tournament, _finish in own_finishes])
    return finished_lines(past, rankings), [
        {"tournament": tournament, "finish": finish, "day": days.get(tournament.pk, "")}
        for tournament, finish in own_finishes
    ]


def _entrants_of(player: Player) -> dict[int, int]:
    """Map each tournament in which a player had a seat to their entrant: themselves or their team.

    Tournaments in which they only substituted for another player are left out.
    """
    seats = Seat.objects.filter(player=player).exclude(round__state=RoundState.UNDONE)
    rows = seats.values_list("round__tournament", "entrant", "entrant__player").order_by("pk")
    # An entrant is a player or a team; of a team, ``entrant_player`` is None.
    return {
        tournament: entrant
        for tournament, entrant, entrant_player in rows
        if entrant_player in {None, player.pk}
    }


def result_bars(finishes: Sequence[Finish]) -> dict[str, Any] | None:
    """Return a bar for each of a player's results; ``None`` if they are too few.

    *finishes* are given latest first, and drawn latest last. A bar has left, top and height: a part
    of the others who were not placed before. Even a last place has a low one.
    """
    if len(finishes) < LEAST_BARS:
        return None
    drawn = finishes[::-1]
    places = ", ".join(
        gettext("%(place)d of %(of)d") % {"place": finish.place, "of": finish.of}
        for finish in drawn
    )
    heights = [max(LEAST_HEIGHT, round(BAR_HEIGHT * finish.beaten)) for finish in drawn]
    return {
        "in_words": gettext("My form, the latest last: %(places)s") % {"places": places},
        "width": len(drawn) * (BAR_WIDTH + BAR_GAP) - BAR_GAP,
        "bars": [
            (index * (BAR_WIDTH + BAR_GAP), BAR_HEIGHT - height, height)
            for index, height in enumerate(heights)
        ],
    }


def finished_lines(
    past: Sequence[Tournament], rankings: Mapping[int, Sequence[FinalPlace]]
) -> list[dict[str, Any]]:
    """Return a line for each finished tournament, in one query.

    *rankings* maps tournaments to their final places; without rankings no winners are named.
    """
    winners = {
        tournament: [placed.entrant for placed in ranking if placed.place == 1]
        for tournament, ranking in rankings.items()
    }
    shown = [entrant for tournament in past for entrant in winners.get(tournament.pk, ())]
    names = Entrant.objects.filter(pk__in=shown).names()
    days = days_of_namesakes(past)
    return [
        {
            "tournament": tournament,
            "winner": together([names[key] for key in winners.get(tournament.pk, ())]),
            "day": days.get(tournament.pk, ""),
        }
        for tournament in past
    ]
