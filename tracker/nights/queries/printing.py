"""What is printed for a hall: the cards of the tables, and who sits where."""

from collections.abc import Collection
from dataclasses import dataclass

from tracker.models import Round, Table, Tournament, name_key
from tracker.seating.queries.cards import tables_of
from tracker.seating.queries.drawn_round import SeatingList, seating_list
from tracker.seating.queries.schedule import Schedule, read_schedule
from tracker.tables.reading import read_tables
from tracker.tables.table_now import TableNow


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingSheet:
    """Who sits where in a round, by table and by name, and who rests."""

    tables: tuple[tuple[TableNow, tuple[tuple[str, str], ...]], ...]  # with sides by letter
    people: tuple[tuple[str, int], ...]  # names and tables
    resting: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundsSheet:
    """The rounds to come: the first one, and the whole schedule."""

    first: SeatingList
    schedule: Schedule
    hidden: bool  # from everybody but the organiser


def table_cards(tournament: Tournament, only: Collection[int] = ()) -> list[Table]:
    """Return the tables of a tournament whose cards open something, or some, in one query."""
    tables = tables_of(tournament).filter(withdrawn_at=None)
    return list(tables.filter(pk__in=only) if only else tables)


def seating_sheet(round_: Round) -> SeatingSheet:
    """Return who sits where in a round, in two queries."""
    tables = read_tables(rounds=[round_.pk])
    people = [
        (stint.name, table.number)
        for table in tables
        for stint in table.stints
        if stint.to_hand is None
    ]
    rests = round_.rests.sat_out().select_related("entrant__player", "entrant__team")
    return SeatingSheet(
        tables=tuple(
            (table, tuple(zip(table.mode.letters, table.full_names.sides, strict=True)))
            for table in tables
        ),
        people=tuple(sorted(people, key=lambda person: name_key(person[0]))),
        resting=tuple(str(rest.entrant) for rest in rests.order_by("entrant")),
    )


def rounds_sheet(tournament: Tournament, *, unpublished: bool) -> RoundsSheet | None:
    """Return the rounds drawn and not opened, with the one that runs, if any are; in six queries.

    With *unpublished* also those that only the organiser sees.
    """
    schedule = read_schedule(tournament, unpublished=unpublished)
    if not schedule.to_come:
        return None
    number = min(schedule.to_come)
    return RoundsSheet(
        first=seating_list(number, schedule.seatings[number], schedule.names),
        schedule=schedule.without_closed(),
        hidden=bool(schedule.hidden),
    )
