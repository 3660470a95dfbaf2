"""What is printed for a hall: the cards of the tables, and who sits where."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from operator import itemgetter

from django.utils.translation import gettext

from tracker.common.wording import names_of
from tracker.draws.queries.published import DrawnRound, drawn_round
from tracker.draws.queries.schedule import (
    PersonalSchedule,
    Schedule,
    personal_schedules,
    rounds_of,
    schedule_of,
)
from tracker.models import Round, Seat, Sitting, Table, Tournament
from tracker.seating.queries.tables import tables_of


@dataclass(frozen=True, slots=True)
class PrintedSide:
    """A side of a table: its letter, where sides have one, and its people."""

    letter: str
    people: str


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table on the seating sheet: its sides, and everybody in the order they sit."""

    number: int
    sides: tuple[PrintedSide, ...]
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrintedPerson:
    """Where somebody sits, for those who look for their own name."""

    name: str
    table: int
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingSheet:
    """Who sits where in a round, by table and by name, and who rests."""

    tables: tuple[PrintedTable, ...]
    people: tuple[PrintedPerson, ...]
    resting: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundsSheet:
    """The rounds to come: the first of them, everybody's tables in all, and each by themselves."""

    first: DrawnRound
    schedule: Schedule
    people: tuple[PersonalSchedule, ...]
    hidden: bool  # from everybody but the organiser


def table_cards(tournament: Tournament, only: Collection[int] = ()) -> list[Table]:
    """Return the tables of a tournament whose cards open something, or some, in one query."""
    tables = tables_of(tournament).filter(withdrawn_at=None)
    return list(tables.filter(pk__in=only) if only else tables)


def seating_sheet(round_: Round) -> SeatingSheet:
    """Return who sits where in a round, in three queries."""
    tournament = round_.tournament
    rules = tournament.rules
    sittings = list(Sitting.objects.filter(round=round_).order_by("number"))
    seated: dict[int, dict[int, Seat]] = defaultdict(dict)
    for seat in Seat.objects.running().filter(round=round_).select_related("player"):
        seated[seat.sitting_id][seat.place] = seat
    tables, people = [], []
    for sitting in sittings:
        mode = rules.mode(sitting.mode, rules.resume_options(sitting.options))
        seats = seated[sitting.pk]
        called = [
            seats[place].player.name if place in seats else gettext("nobody")
            for place in range(mode.seats)
        ]
        sides = tuple(
            PrintedSide("" if mode.individual else chr(ord("A") + side), name)
            for side, name in enumerate(names_of(mode, called).sides)
        )
        tables.append(PrintedTable(sitting.number, sides, tuple(called)))
        people += [
            (seat.player.name_key, PrintedPerson(seat.player.name, sitting.number, place + 1))
            for place, seat in seats.items()
        ]
    return SeatingSheet(
        tables=tuple(tables),
        people=tuple(person for _key, person in sorted(people, key=itemgetter(0))),
        resting=tuple(
            str(rest.entrant)
            for rest in round_.rests.sat_out()
            .select_related("entrant__player", "entrant__team")
            .order_by("entrant")
        ),
    )


def rounds_sheet(tournament: Tournament, *, unpublished: bool) -> RoundsSheet | None:
    """Return the rounds drawn and not opened, with the one that runs, if any are; in six queries.

    With *unpublished* also those that only the organiser sees.
    """
    rounds = rounds_of(tournament, unpublished=unpublished)
    if not rounds.to_come:
        return None
    number = min(rounds.to_come)
    return RoundsSheet(
        first=drawn_round(number, rounds.seatings[number], rounds.names),
        schedule=schedule_of(rounds.ahead(), None),
        people=personal_schedules(rounds),
        hidden=bool(rounds.hidden),
    )
