"""The seating of every round that was played or is drawn, and where one player sits next."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from django.db.models import Exists, OuterRef, Q
from django.utils.text import get_text_list
from django.utils.translation import gettext

from tracker.common.wording import together
from tracker.models import Draw, Entrant, Player, Round, RoundState, Tournament
from tracker.movements.types import PlanNote, RoundSeating
from tracker.seating.logic.drawn_seats import OwnSeat, own_seat
from tracker.seating.logic.saved_draws import account_from_json, round_from_json
from tracker.standings.queries.played_rounds import played_rounds


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRound:
    """The seat of one entrant in one round, with names."""

    number: int
    seat: OwnSeat
    partners: str
    opponents: str
    to_come: bool


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """The seating of rounds by their numbers, those drawn only too, and who is in them by name."""

    seatings: Mapping[int, RoundSeating]
    to_come: frozenset[int]
    hidden: frozenset[int]  # drawn, but shown to the organiser alone
    closed: frozenset[int]
    names: Mapping[int, str]

    @property
    def rounds(self) -> tuple[int, ...]:
        return tuple(self.seatings)

    @cached_property
    def rows(self) -> tuple[tuple[int, str, tuple[int | None, ...]], ...]:
        """Return the key, the name, and the table in every round of each entrant in one of them."""
        tables = [seating.table_of for seating in self.seatings.values()]
        there = {unit for seating in self.seatings.values() for unit in seating.units}
        return tuple(
            (entrant, name, tuple(at.get(entrant) for at in tables))
            for entrant, name in self.names.items()
            if entrant in there
        )

    @property
    def people(self) -> tuple[tuple[str, tuple[OwnRound, ...]], ...]:
        """Return everybody's name and own rounds."""
        return tuple((name, self.own(entrant)) for entrant, name, _tables in self.rows)

    def ahead(self) -> "Schedule":
        """Return the rounds that are not closed."""
        seatings = {at: each for at, each in self.seatings.items() if at not in self.closed}
        return replace(self, seatings=seatings)

    def own(self, entrant: int) -> tuple[OwnRound, ...]:
        """Return where an entrant sits in every round."""
        seats = {number: own_seat(each, entrant) for number, each in self.seatings.items()}
        return tuple(
            OwnRound(
                number=number,
                seat=seat,
                partners=together([self.names[unit] for unit in seat.partners]),
                opponents=together([self.names[unit] for unit in seat.opponents]),
                to_come=number in self.to_come,
            )
            for number, seat in seats.items()
        )


def schedule_of(tournament: Tournament, *, unpublished: bool = False) -> Schedule:
    """Return the rounds not undone and those with a published draw, in six queries.

    With *unpublished* also those that only the organiser sees.
    """
    standing = dict(
        tournament.rounds.exclude(state=RoundState.UNDONE)
        .order_by("number")
        .values_list("number", "state")
    )
    seatings = dict(zip(standing, played_rounds(tournament), strict=True))
    draws = Draw.objects.filter(tournament=tournament)
    if not unpublished:
        draws = draws.filter(published_at__isnull=False)
    drawn = [draw for draw in draws if draw.number not in standing]
    to_come = {draw.number: round_from_json(draw.plan) for draw in drawn}
    return Schedule(
        seatings=dict(sorted({**seatings, **to_come}.items())),
        to_come=frozenset(to_come),
        hidden=frozenset(draw.number for draw in drawn if draw.published_at is None),
        closed=frozenset(
            number for number, state in standing.items() if state == RoundState.CLOSED
        ),
        names=Entrant.objects.filter(tournament=tournament).names(),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NextSeat(OwnRound):
    """The next seat of one player; without a table, why they rest."""

    tournament: Tournament
    entrant: int
    why: tuple[str, ...]


def next_seat(player: Player) -> NextSeat | None:
    """Return where a player sits next, if that draw is published.

    Of several tournaments it is the one published last. It takes a query, and two more where
    something is drawn.
    """
    mine = Entrant.objects.filter(Q(player=player) | Q(team__roster=player))
    opened = Round.objects.filter(
        tournament=OuterRef("tournament"), number__gte=OuterRef("number")
    ).exclude(state=RoundState.UNDONE)
    draws = Draw.objects.filter(
        ~Exists(opened),
        published_at__isnull=False,
        tournament__official_at=None,
        tournament__in=mine.order_by().values("tournament"),
    )
    draw = draws.select_related("tournament").order_by("-published_at", "number").first()
    if draw is None:
        return None
    seating = round_from_json(draw.plan)
    entrant = mine.filter(pk__in=seating.units).values_list("pk", flat=True).first()
    if entrant is None:
        return None
    seat = own_seat(seating, entrant)
    notes = [note for note in account_from_json(draw.plan["account"]).notes if seat.resting]
    about = {unit for note in notes for unit in note.units}
    names = Entrant.objects.filter(pk__in=[*seat.partners, *seat.opponents, *about]).names()
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
    """Return a note on a drawn round in words, with names."""
    who = get_text_list([names[unit] for unit in note.units], gettext("and"))
    return gettext(note.template) % {**note.params, "who": who}
