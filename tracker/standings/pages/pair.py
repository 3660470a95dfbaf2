"""The page of two players: their record as partners and as opponents."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import django_tables2 as tables
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
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
    SharedSpans,
    Span,
    are_partners,
    seats_beside,
    shared_spans,
    sums_by_seat,
    sums_of_spans,
    total,
)

A_PAGE = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingLine:
    """One table at which two people met, with the points of each."""

    tournament: Tournament
    seat: Seat  # of the one
    partners: bool
    hands: int
    points: tuple[Fraction, Fraction]  # of the one, of the other

    @property
    def game(self) -> AnyGame:
        return self.tournament.rules

    @property
    def criterion(self) -> Criterion:
        return self.game.usual_points


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSums:
    """The sums of two players in one game: each label with their value as partners, or with both's."""

    game: AnyGame
    hands: int
    figures: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRecord:
    together: tuple[GameSums, ...]  # as partners
    duels: tuple[GameSums, ...]  # as opponents
    meetings: tuple[MeetingLine, ...]  # the latest first


def pair_record(player: int, other: int) -> PairRecord:
    """Return the record of two players as partners and as opponents.

    It takes three queries, and one more if somebody took over a seat at one of their tables.
    """
    seats = seats_beside(player, other)
    chosen = Tournament.objects.filter(pk__in={seat.round.tournament_id for seat in seats})
    tournaments = {tournament.pk: tournament for tournament in chosen}
    met = [
        spans
        for mine in seats
        if mine.player_id == player
        for theirs in seats
        if theirs.player_id == other and (spans := shared_spans(mine, theirs))
    ]
    sums = sums_of_spans((span for spans in met for span in spans), sums_by_seat(player, other))
    met = [spans for spans in met if sums[spans[0]]["hands"]]
    partners: dict[str, list[SharedSpans]] = defaultdict(list)
    opponents: dict[str, list[SharedSpans]] = defaultdict(list)
    for spans in met:
        by_game = partners if are_partners(spans) else opponents
        by_game[tournaments[spans[0].seat.round.tournament_id].game].append(spans)
    meetings = []
    for mine, theirs in met:
        tournament = tournaments[mine.seat.round.tournament_id]
        value = tournament.rules.usual_points.value
        meeting = MeetingLine(
            tournament=tournament,
            seat=mine.seat,
            partners=are_partners((mine, theirs)),
            hands=sums[mine]["hands"],
            points=(value(sums[mine]), value(sums[theirs])),
        )
        meetings.append(meeting)
    return PairRecord(
        together=tuple(_by_game(sums, partners, people=1)),
        duels=tuple(_by_game(sums, opponents, people=2)),
        meetings=tuple(
            sorted(meetings, key=lambda line: line.seat.sitting.started_at, reverse=True)
        ),
    )


def _by_game(
    sums: Mapping[Span, Counter[str]], met: Mapping[str, Collection[SharedSpans]], *, people: int
) -> Iterator[GameSums]:
    for slug, spans in met.items():
        game = catalogue.GAMES[slug]
        gathered = [total(sums, [each[person] for each in spans]) for person in range(people)]
        rows = zip(*(game_figures(game, own) for own in gathered), strict=True)
        yield GameSums(
            game=game,
            hands=gathered[0]["hands"],
            figures=tuple((row[0][0], *(value for _label, value in row)) for row in rows),
        )


class MeetingsTable(PlayedTable):
    """The tables at which two people sat together."""

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
        self.above: Tournament | None = None  # of the row before
        for column, name in zip(("first", "second"), names, strict=True):
            self.columns[column].column.verbose_name = name
            self.columns[column].column.attrs = counted(gettext("for %(name)s") % {"name": name})

    def row_class(self, record: MeetingLine) -> str:
        """Mark a row of the same tournament as the row above, which shows the name for both."""
        same, self.above = record.tournament == self.above, record.tournament
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
    value_tournament_name = value_first = value_second = ClubTable.as_is


@access.page
@require_safe
def pair(request: HttpRequest, player_id: int, other_id: int) -> HttpResponse:
    """Show the record of two players, as partners and against each other."""
    # Trap: a number too large for the database is no player with "=", and an error with "IN".
    asked = Player.objects.filter(Q(pk=player_id) | Q(pk=other_id)).select_related("club")
    people = {player.pk: player for player in asked}
    player, other = people.get(player_id), people.get(other_id)
    club = access.check(request, player.club if player else None)
    if player is None or other is None or player.club_id != other.club_id:
        raise Http404
    now = (player.merged_into_id or player.pk, other.merged_into_id or other.pk)
    if now[0] == now[1]:
        return redirect("player", now[0])
    if now != (player_id, other_id):
        return redirect("pair", *now)
    if player.erased_at or other.erased_at:
        return redirect("player", other.pk if player.erased_at else player.pk)

    names = short_names(dict(enumerate((player.name, other.name))))
    record = pair_record(player.pk, other.pk)
    table = MeetingsTable(record.meetings, (names[0], names[1]))
    if form := exports.configure_table(request, table, a_page=A_PAGE, of="meetings"):
        return exports.file_response(table, form, player.name, other.name, table.title)
    context = access.context(
        request,
        club,
        player=player,
        other=other,
        pair=record,
        called=(names[0], names[1]),
        meetings=table,
    )
    return render(request, "standings/careers/pair.html", context)


urlpatterns = [path("players/<int:player_id>/with/<int:other_id>/", pair, name="pair")]
