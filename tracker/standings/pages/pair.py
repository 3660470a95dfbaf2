"""The page of two players: their record as partners and as opponents.

A *seat* is a player's stay at a table; a *span* is the part of its hands that both players played.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, product
from typing import Any

import django_tables2 as tables
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.http import require_safe

from games import catalogue
from games.game import AnyGame
from games.sheet import Criterion
from tracker.common.columns import NUMBER, PLAIN, ClubTable, counted, linked
from tracker.common.figures import figure, game_figures
from tracker.common.names import short_names
from tracker.common.web import access, exports
from tracker.models import Player, Seat, Tournament
from tracker.standings.columns import PlayedTable
from tracker.standings.queries.companions import (
    are_partners,
    seats_beside,
    shared_spans,
    sums_by_seat,
    sums_of_spans,
    total,
)

PER_PAGE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingLine:
    """A table at which two players met: the seat of the first player, and the sums of both.

    Summed are *marks* (numbers that a hand gives a player) of the hands that both played there.
    """

    tournament: Tournament
    seat: Seat
    partners: bool
    sums: tuple[Counter[str], Counter[str]]

    @property
    def game(self) -> AnyGame:
        return self.tournament.rules

    @property
    def criterion(self) -> Criterion:
        return self.game.usual_points

    @property
    def hands(self) -> int:
        return self.sums[0]["hands"]

    @property
    def points(self) -> tuple[Fraction, Fraction]:
        return self.criterion.value(self.sums[0]), self.criterion.value(self.sums[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSums:
    """Figures in one game; each row is a label with one value for partners, two for opponents."""

    game: AnyGame
    hands: int
    figures: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRecord:
    """Sums by game as partners (``together``) and as opponents (``duels``), and all meetings."""

    together: tuple[GameSums, ...]
    duels: tuple[GameSums, ...]
    meetings: tuple[MeetingLine, ...]


def pair_record(player: int, other: int) -> PairRecord:
    """Return the record of two players as partners and as opponents.

    It takes three queries, and one more if a player took over a seat at one of their tables.
    """
    seats = seats_beside(player, other)
    chosen = Tournament.objects.filter(pk__in={seat.round.tournament_id for seat in seats})
    tournaments = {tournament.pk: tournament for tournament in chosen}
    own_seats = [seat for seat in seats if seat.player_id == player]
    seat_pairs = product(own_seats, [seat for seat in seats if seat.player_id == other])
    # Wherever they met, two spans of the same hands: of the player's seat, and of the other's.
    shared = [spans for pair in seat_pairs if (spans := shared_spans(*pair))]
    sums = sums_of_spans(chain.from_iterable(shared), sums_by_seat(player, other))
    meetings = [
        MeetingLine(
            tournament=tournaments[span.seat.round.tournament_id],
            seat=span.seat,
            partners=are_partners((span, other_span)),
            sums=(sums[span], sums[other_span]),
        )
        for span, other_span in shared
        if sums[span]["hands"]
    ]
    latest_first = sorted(meetings, key=lambda line: line.seat.sitting.started_at, reverse=True)
    return PairRecord(
        together=tuple(_game_sums([line for line in meetings if line.partners], sides=1)),
        duels=tuple(_game_sums([line for line in meetings if not line.partners], sides=2)),
        meetings=tuple(latest_first),
    )


def _game_sums(meetings: Iterable[MeetingLine], *, sides: int) -> Iterator[GameSums]:
    """Yield the sums in each game, for partners with one of the *sides*, for opponents with two."""
    by_game: dict[str, list[MeetingLine]] = defaultdict(list)
    for line in meetings:
        by_game[line.tournament.game].append(line)
    for slug, lines in by_game.items():
        game = catalogue.GAMES[slug]
        # Partners have the same sums: one side has those of the first player.
        totals = [total(line.sums[side] for line in lines) for side in range(sides)]
        # Each row has a pair of label and value for each side; the labels are the same.
        rows = zip(*(game_figures(game, sums) for sums in totals), strict=True)
        figures = tuple((pairs[0][0], *(value for _label, value in pairs)) for pairs in rows)
        yield GameSums(game=game, hands=totals[0]["hands"], figures=figures)


class MeetingsTable(PlayedTable):
    title = _("Every table")
    tournament_name = tables.Column(
        verbose_name=_("Tournament"),
        accessor="tournament__name",
        attrs={"td": {"scope": "row", "class": "wrap"}},
    )
    where = tables.Column(
        verbose_name=_("Where"),
        accessor="seat__round__number",
        order_by=("seat__round__number", "seat__sitting__number"),
        default="",
        attrs=PLAIN,
    )
    partners = tables.Column(verbose_name=_("As"), attrs=PLAIN)
    first = tables.Column(accessor="points__0", orderable=False, attrs=NUMBER)
    second = tables.Column(accessor="points__1", orderable=False, attrs=NUMBER)
    hands = tables.Column(verbose_name=_("Played"), attrs=counted(_("played")))
    game = tables.Column(verbose_name=_("Game"), order_by="game__name", attrs=PLAIN)
    when = tables.Column(verbose_name=_("When"), accessor="seat__sitting__started_at", attrs=PLAIN)

    class Meta:
        empty_text = _("They have not met at a table yet.")

    def __init__(self, rows: Sequence[MeetingLine], names: tuple[str, str], **kwargs: Any) -> None:
        super().__init__(rows, row_attrs={"class": self.row_class}, **kwargs)
        self.tournament_above: Tournament | None = None  # that of the row rendered last
        for column, name in zip(("first", "second"), names, strict=True):
            self.columns[column].column.verbose_name = name
            self.columns[column].column.attrs = counted(gettext("for %(name)s") % {"name": name})

    def row_class(self, record: MeetingLine) -> str:
        """Mark a row of the same tournament as the row above, which shows the name for both.

        Trap: it relies on being called once for each row, in the order in which they are rendered.
        """
        same = record.tournament == self.tournament_above
        self.tournament_above = record.tournament
        return "same" if same else ""

    def render_tournament_name(self, record: MeetingLine) -> SafeString:
        return linked(record.tournament.name, "tournament", record.tournament.pk)

    def render_where(self, record: MeetingLine) -> str:
        numbers = {"round": record.seat.round.number, "table": record.seat.sitting.number}
        return gettext("Round %(round)d, Table %(table)d") % numbers

    def render_partners(self, value: bool) -> str:
        return gettext("partners") if value else gettext("opponents")

    def render_first(self, value: Fraction, record: MeetingLine) -> str:
        return figure(value, percent=record.criterion.percent)

    render_second = render_first
    value_tournament_name = value_first = value_second = ClubTable.as_is  # in files, as they are


@access.page
@require_safe
def pair(request: HttpRequest, player_id: int, other_id: int) -> HttpResponse:
    # Trap: a number too large for the database is no player with "=", and an error with "IN".
    both = Player.objects.filter(Q(pk=player_id) | Q(pk=other_id)).select_related("club")
    players = {player.pk: player for player in both}
    player, other = players.get(player_id), players.get(other_id)
    club = access.check(request, player.club if player else None)
    if player is None or other is None or player.club_id != other.club_id:
        raise Http404
    # A player who was merged into another is now that one.
    current_ids = (player.merged_into_id or player.pk, other.merged_into_id or other.pk)
    if current_ids[0] == current_ids[1]:  # one was merged into the other
        return redirect("player", current_ids[0])
    if current_ids != (player_id, other_id):
        return redirect("pair", *current_ids)
    if player.erased_at or other.erased_at:
        return redirect("player", other.pk if player.erased_at else player.pk)
    names = short_names({player.pk: player.name, other.pk: other.name})
    called = (names[player.pk], names[other.pk])
    record = pair_record(player.pk, other.pk)
    table = MeetingsTable(record.meetings, called)
    if file_format := exports.configure_table(request, table, per_page=PER_PAGE, name="meetings"):
        return exports.file_response(table, file_format, player.name, other.name, table.title)
    people = {"player": player, "other": other, "called": called}
    context = access.context(request, club, **people, pair=record, meetings=table)
    return render(request, "standings/careers/pair.html", context)


urlpatterns = [path("players/<int:player_id>/with/<int:other_id>/", pair, name="pair")]
