"""What is over: the last tournaments with their winners, and where one player ended in theirs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from tracker.common.wording import together
from tracker.models import Entrant, Player, RoundState, Seat, Tournament
from tracker.nights.logic.form import Form
from tracker.standings.queries.events import events_of
from tracker.standings.queries.finishes import FinalPlace, Finish, final_rankings
from tracker.tournaments.queries.games import days_of_namesakes

RESULTS_SHOWN = 4
FORM_SHOWN, LEAST_FORM = 8, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedLine:
    """A tournament that is over, as a line in a list."""

    tournament: Tournament
    winner: str
    day: str  # where another of them has its name


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnResult:
    """The finish of one player in a tournament."""

    tournament: Tournament
    finish: Finish
    day: str  # where another of them has its name


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    past: tuple[FinishedLine, ...]
    own: tuple[OwnResult, ...]  # the latest first

    @property
    def results(self) -> tuple[OwnResult, ...]:
        return self.own[:RESULTS_SHOWN]

    @property
    def form(self) -> Form | None:
        """Return the latest results of the player, once there are two to compare."""
        lately = self.own[::-1]
        if len(lately) < LEAST_FORM:
            return None
        places = ", ".join(
            gettext("%(place)d of %(of)d") % {"place": result.finish.place, "of": result.finish.of}
            for result in lately
        )
        words = gettext("My form, the latest last: %(places)s") % {"places": places}
        return Form(in_words=words, beaten=tuple(result.finish.beaten for result in lately))


def finished(past: Sequence[Tournament], player: Player | None) -> Finished:
    """Return who won these tournaments, and where a player ended in their own last ones.

    It takes the queries of ``final_rankings`` once, one for names and, for a player, two more.
    """
    entrants: dict[int, int] = {}  # by tournament: their own or a team, not as a substitute
    if player:
        seats = Seat.objects.filter(player=player).exclude(round__state=RoundState.UNDONE)
        rows = seats.values_list("round__tournament", "entrant", "entrant__player").order_by("pk")
        entrants = {
            tournament: entrant
            for tournament, entrant, alone in rows
            if alone in {None, player.pk}  # of a team there is no player
        }
    latest = sorted(entrants, reverse=True)[: 2 * FORM_SHOWN]
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
    own = own[:FORM_SHOWN]
    days = days_of_namesakes([tournament for tournament, _finish in own])
    return Finished(
        past=finished_lines(past, rankings),
        own=tuple(
            OwnResult(tournament=tournament, finish=finish, day=days.get(tournament.pk, ""))
            for tournament, finish in own
        ),
    )


def finished_lines(
    past: Sequence[Tournament], rankings: Mapping[int, Sequence[FinalPlace]]
) -> tuple[FinishedLine, ...]:
    """Return a line for each of *past*, in one query; without winners or a query if none are known."""
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
