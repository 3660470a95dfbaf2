"""The schedule of a tournament: who sits where in every round, and where one player sits next."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from django.db.models import Exists, OuterRef, Q
from django.utils.text import get_text_list
from django.utils.translation import gettext

from tracker.common.wording import together
from tracker.models import Draw, Entrant, Player, Round, RoundState, Tournament
from tracker.movements.types import PlanNote, RoundSeating
from tracker.seating.logic.saved_draws import account_from_json, round_from_json
from tracker.seating.logic.seatings import EntrantSeat, seat_of
from tracker.standings.queries.played_rounds import played_rounds


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatInRound:
    """The seat of one entrant in round ``number``, with the names of the others at the table.

    ``to_come`` is true if the round is drawn and not opened yet.
    """

    number: int
    seat: EntrantSeat
    partners: str
    opponents: str
    to_come: bool


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """The seatings of a tournament's rounds, keyed by round number, opened or only drawn.

    ``to_come`` are the numbers of rounds drawn and not opened, ``hidden`` of those among them that
    only the organiser sees, ``closed`` of rounds that are over. ``names`` has the names of all
    entrants, keyed by entrant, in order of name.
    """

    seatings: Mapping[int, RoundSeating]
    to_come: frozenset[int]
    hidden: frozenset[int]
    closed: frozenset[int]
    names: Mapping[int, str]

    @cached_property
    def rows(self) -> tuple[tuple[int, str, tuple[int | None, ...]], ...]:
        """Return each entrant of any round: key, name, and table number (or ``None``) in each round."""
        tables_of_rounds = [seating.table_of for seating in self.seatings.values()]
        units = {unit for seating in self.seatings.values() for unit in seating.units}
        return tuple(
            (entrant, name, tuple(table_of.get(entrant) for table_of in tables_of_rounds))
            for entrant, name in self.names.items()
            if entrant in units
        )

    @property
    def people(self) -> tuple[tuple[str, tuple[SeatInRound, ...]], ...]:
        """Return each entrant of any round: name, and the seat in every round."""
        return tuple((name, self.seats_of(entrant)) for entrant, name, _tables in self.rows)

    def without_closed(self) -> "Schedule":
        seatings = {key: each for key, each in self.seatings.items() if key not in self.closed}
        return replace(self, seatings=seatings)

    def seats_of(self, entrant: int) -> tuple[SeatInRound, ...]:
        seats = {number: seat_of(seating, entrant) for number, seating in self.seatings.items()}
        return tuple(
            SeatInRound(
                number=number,
                seat=seat,
                partners=together([self.names[unit] for unit in seat.partners]),
                opponents=together([self.names[unit] for unit in seat.opponents]),
                to_come=number in self.to_come,
            )
            for number, seat in seats.items()
        )


def read_schedule(tournament: Tournament, *, unpublished: bool = False) -> Schedule:
    """Return the rounds that were not undone and those with a published draw, in six queries.

    *unpublished* adds the draws that only the organiser sees.
    """
    states = dict(tournament.rounds.not_undone().order_by("number").values_list("number", "state"))
    seatings = dict(zip(states, played_rounds(tournament), strict=True))  # both in round order
    draws = tournament.draws.all() if unpublished else tournament.draws.exclude(published_at=None)
    drawn = [draw for draw in draws if draw.number not in states]
    to_come = {draw.number: round_from_json(draw.plan) for draw in drawn}
    return Schedule(
        seatings=dict(sorted({**seatings, **to_come}.items())),
        to_come=frozenset(to_come),
        hidden=frozenset(draw.number for draw in drawn if draw.published_at is None),
        closed=frozenset(each for each, state in states.items() if state == RoundState.CLOSED),
        names=Entrant.objects.filter(tournament=tournament).names(),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NextSeat(SeatInRound):
    """The next seat of a player, who plays as ``entrant``; ``why`` has reasons for sitting out."""

    tournament: Tournament
    entrant: int
    why: tuple[str, ...]


def next_seat(player: Player) -> NextSeat | None:
    """Return where a player sits next, if that draw is published, in one query or three.

    Of several unfinished tournaments, the one whose draw was published last counts.
    """
    own_entrants = Entrant.objects.filter(Q(player=player) | Q(team__roster=player))
    opened_since = Round.objects.filter(
        tournament=OuterRef("tournament"), number__gte=OuterRef("number")
    ).not_undone()
    draws = Draw.objects.filter(
        ~Exists(opened_since),
        published_at__isnull=False,
        tournament__official_at=None,  # not finished
        tournament__in=own_entrants.order_by().values("tournament"),
    )
    draw = draws.select_related("tournament").order_by("-published_at", "number").first()
    if draw is None:
        return None
    seating = round_from_json(draw.plan)
    entrant = own_entrants.filter(pk__in=seating.units).values_list("pk", flat=True).first()
    if entrant is None:
        return None
    seat = seat_of(seating, entrant)
    notes = account_from_json(draw.plan["account"]).notes if seat.resting else ()
    noted_units = {unit for note in notes for unit in note.units}
    names = Entrant.objects.filter(pk__in=[*seat.others, *noted_units]).names()
    return NextSeat(
        tournament=draw.tournament,
        entrant=entrant,
        number=draw.number,
        seat=seat,
        partners=together([names[unit] for unit in seat.partners]),
        opponents=together([names[unit] for unit in seat.opponents]),
        to_come=True,
        why=tuple(note_sentence(note, names) for note in notes if entrant in note.units),
    )


def note_sentence(note: PlanNote, names: Mapping[int, str]) -> str:
    """Return the sentence of a movement's note, with names."""
    who = get_text_list([names[unit] for unit in note.units], gettext("and"))
    return gettext(note.template) % {**note.params, "who": who}
