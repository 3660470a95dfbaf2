"""The seating of every round that was played, or whose draw is published."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tracker.common.wording import together
from tracker.draws.logic.own import OwnSeat, own_seat
from tracker.draws.logic.saved import round_from_json
from tracker.models import Draw, Entrant, RoundState, Tournament
from tracker.seating.logic.movements.seam import RoundSeating
from tracker.standings.queries.history import history


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRound:
    """The seat of one entrant in one round, with names."""

    number: int
    seat: OwnSeat
    partners: str
    opponents: str
    to_come: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """All rounds by number, and the table of each entrant in each: one row for each entrant."""

    rounds: tuple[int, ...]
    to_come: frozenset[int]
    rows: tuple[tuple[int, str, tuple[int | None, ...]], ...]
    own: tuple[OwnRound, ...]
    me: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalSchedule:
    """The rounds one entrant still has to play."""

    name: str
    rounds: tuple[OwnRound, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """The seating of rounds by their numbers, those drawn only too, and who is in them by name."""

    seatings: Mapping[int, RoundSeating]
    to_come: frozenset[int]
    hidden: frozenset[int]  # drawn, but shown to the organiser alone
    closed: frozenset[int]
    names: Mapping[int, str]

    def ahead(self) -> "Rounds":
        """Return those that are not closed."""
        seatings = {at: each for at, each in self.seatings.items() if at not in self.closed}
        return replace(self, seatings=seatings)

    def own(self, entrant: int, number: int) -> OwnRound:
        """Return where an entrant sits in one of the rounds."""
        seat = own_seat(self.seatings[number], entrant)
        return OwnRound(
            number=number,
            seat=seat,
            partners=together([self.names[unit] for unit in seat.partners]),
            opponents=together([self.names[unit] for unit in seat.opponents]),
            to_come=number in self.to_come,
        )


def rounds_of(tournament: Tournament, *, unpublished: bool = False) -> Rounds:
    """Return the rounds not undone and those with a published draw, in six queries.

    With *unpublished* also those that only the organiser sees.
    """
    standing = dict(
        tournament.rounds.exclude(state=RoundState.UNDONE)
        .order_by("number")
        .values_list("number", "state")
    )
    seatings = dict(zip(standing, history(tournament), strict=True))
    draws = Draw.objects.filter(tournament=tournament)
    if not unpublished:
        draws = draws.filter(published_at__isnull=False)
    drawn = [draw for draw in draws if draw.number not in standing]
    to_come = {draw.number: round_from_json(draw.plan) for draw in drawn}
    return Rounds(
        seatings=dict(sorted({**seatings, **to_come}.items())),
        to_come=frozenset(to_come),
        hidden=frozenset(draw.number for draw in drawn if draw.published_at is None),
        closed=frozenset(
            number for number, state in standing.items() if state == RoundState.CLOSED
        ),
        names=Entrant.objects.filter(tournament=tournament).names(),
    )


def schedule_of(rounds: Rounds, me: int | None) -> Schedule:
    """Return the tables of every entrant, and the rounds of the entrant *me*."""
    every = rounds.seatings
    tables = {number: seating.table_of for number, seating in every.items()}
    me = me if me in rounds.names else None
    return Schedule(
        rounds=tuple(every),
        to_come=rounds.to_come,
        rows=tuple(
            (entrant, name, tuple(tables[number].get(entrant) for number in every))
            for entrant, name in rounds.names.items()
            if any(entrant in there for there in tables.values())
            or any(entrant in seating.resting for seating in every.values())
        ),
        own=() if me is None else tuple(rounds.own(me, number) for number in every),
        me=me,
    )


def personal_schedules(rounds: Rounds) -> tuple[PersonalSchedule, ...]:
    """Return by name the schedules of rounds not closed, for entrants who sit or rest in one."""
    ahead = rounds.ahead().seatings
    everybody = (
        PersonalSchedule(name=name, rounds=tuple(rounds.own(entrant, number) for number in ahead))
        for entrant, name in rounds.names.items()
    )
    return tuple(
        person
        for person in everybody
        if any(own.seat.table or own.seat.resting for own in person.rounds)
    )
