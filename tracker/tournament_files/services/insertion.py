"""Insertion of a checked document into the database, in the order that foreign keys need."""

import secrets
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import compress, count
from typing import Any, NamedTuple, TypeVar

from django.db import DataError, IntegrityError, connection, models, transaction
from django.db.models.expressions import DatabaseDefault

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.models import (
    Award,
    Club,
    Draw,
    Entrant,
    Hand,
    HandRecord,
    ImportedTable,
    Issue,
    LogEntry,
    Origin,
    Player,
    Report,
    Rest,
    Round,
    RoundState,
    Seat,
    Sitting,
    Team,
    Tournament,
    name_key,
)
from tracker.tournament_files.logic import format as file_format
from tracker.tournament_files.logic.document import close_rounds, with_ranking
from tracker.tournament_files.logic.packing import Document
from tracker.tournament_files.logic.schema import InvalidFileError, Keys, Ref, Schema
from tracker.tournament_files.queries.preview import FilePerson

M = TypeVar("M", bound=models.Model)


# Rows, with the place in the file of any that the database refuses --------------------------------


class FileRow(NamedTuple):
    """An item of a list in the file, the index of its parent row, and the path to it."""

    value: Any
    parent: int
    path: str


def items(parents: Sequence[FileRow], name: str) -> list[FileRow]:
    """Return the items of the lists of this name in all *parents*."""
    return [
        FileRow(each, index, f"{parent.path}.{name}[{at}]".lstrip("."))
        for index, parent in enumerate(parents)
        for at, each in enumerate(parent.value[name])
    ]


def row(
    model: type[M],
    fields: Mapping[str, Schema],
    item: FileRow,
    keys: Keys | None = None,
    **columns: Any,
) -> M:
    """Return an unsaved row with the values of an item and more *columns*.

    Values that an older file lacks get their defaults. Without *keys*, references to other rows
    are left out.
    """
    names = {field.name: field.attname for field in model._meta.concrete_fields}  # noqa: SLF001
    values = {
        names[name]: schema.load(item.value[name], keys or {})
        for name, schema in fields.items()
        if name in item.value
        and names[name] not in columns
        and not (keys is None and isinstance(schema, Ref))
    }
    return model(**values, **columns)


def insert(rows: Sequence[M], places: Sequence[FileRow]) -> list[int]:
    """Insert rows in order, and return their keys; *places* are their items in the file.

    :raises InvalidFileError: at the first row that the database refuses.
    """
    if not rows:
        return []
    manager = type(rows[0])._default_manager  # noqa: SLF001 - what Django itself calls it
    try:
        with transaction.atomic():
            manager.bulk_create(rows)
    except (IntegrityError, DataError):
        for each, place in zip(rows, places, strict=True):
            each.pk = None
            with _refused_at(place):
                each.save(force_insert=True)
    return [each.pk for each in rows]


def insert_list(
    model: type[M],
    fields: Mapping[str, Schema],
    places: Sequence[FileRow],
    columns: Callable[[FileRow], Mapping[str, Any]],
    keys: Keys | None = None,
) -> list[int]:
    """Insert a row for each item as ``insert`` does, with more *columns*."""
    return insert([row(model, fields, each, keys, **columns(each)) for each in places], places)


class PreparedRows:
    """Rows converted for insertion, except for the keys of other rows.

    Converting values for the database takes three times as long as writing them, and is done before
    the transaction.
    """

    def __init__(
        self,
        model: type[models.Model],
        fields: Mapping[str, Schema],
        places: Sequence[FileRow],
        columns: Callable[[FileRow], Mapping[str, Any]] = lambda _: {},
    ) -> None:
        concrete = [each for each in model._meta.concrete_fields if not each.primary_key]  # noqa: SLF001
        self.places = places
        self.columns = [field.column for field in concrete]
        self.table = model._meta.db_table  # noqa: SLF001
        rows = (row(model, fields, each, **columns(each)) for each in places)
        self.values = [[_database_value(field, each) for field in concrete] for each in rows]

    def insert(self, **keys: Sequence[int]) -> None:
        """Insert the rows in order, with these *keys* in their columns.

        :raises InvalidFileError: at the first row that the database refuses.
        """
        for column, column_keys in keys.items():
            at = self.columns.index(column)
            for values, key in zip(self.values, column_keys, strict=True):
                values[at] = key
        columns = ", ".join(f'"{column}"' for column in self.columns)
        holes = ", ".join(["%s"] * len(self.columns))
        sql = f'INSERT INTO "{self.table}" ({columns}) VALUES ({holes})'  # noqa: S608
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.executemany(sql, self.values)
        except (IntegrityError, DataError):
            for values, place in zip(self.values, self.places, strict=True):
                with _refused_at(place), connection.cursor() as cursor:
                    cursor.execute(sql, values)


def _database_value(field: "models.Field[Any, Any]", row: models.Model) -> Any:
    value = field.pre_save(row, add=True)
    given = field.db_default if isinstance(value, DatabaseDefault) else value
    return field.get_db_prep_save(given, connection)


@contextmanager
def _refused_at(place: FileRow) -> Iterator[None]:
    """Refuse the file at this place if the database refuses the block."""
    try:
        with transaction.atomic():
            yield
    except (IntegrityError, DataError) as error:
        diagnosed = getattr(error.__cause__, "diag", None)
        named = getattr(diagnosed, "constraint_name", None)  # only PostgreSQL names the constraint
        name = str(named or str(error).rpartition(": ")[2].splitlines()[0])[:80]
        template = gettext_noop("no tournament here can have this (%(name)s).")
        raise InvalidFileError("refused", template, where=place.path, name=name) from error


# The whole document -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedStage:
    """A stage stored from a file: the keys of its rows in the file's order.

    ``tables`` has the path to each table in the file by its key, ``closed`` the rounds that were
    open when the file was written.
    """

    tournament: Tournament
    entrants: Sequence[int]
    seats: Sequence[int]
    tables: Mapping[int, str]
    closed: Sequence[int]


class Insertion:
    """A document being inserted, with the keys of the rows stored so far, by kind.

    Tables, seats, reports and hands are most of the rows: they are prepared before the transaction.
    """

    def __init__(self, document: Document, by: Actor) -> None:
        self.document, self.by = FileRow(document, 0, ""), by
        self.keys: dict[str, list[int]] = {"stages": []}
        self.made: dict[str, list[int]] = {"players": [], "teams": []}
        devices: dict[int | None, str] = defaultdict(lambda: secrets.token_urlsafe(12), {None: ""})
        self.stages = [
            StageInsertion(each, by, devices) for each in items([self.document], "stages")
        ]

    def insert_into(
        self, club: Club, people: tuple[FilePerson, ...], wanted: Mapping[int, int | None]
    ) -> Iterator[ImportedStage]:
        """Insert everything in a club, and yield the stages, whose hands are not yet counted.

        :raises InvalidFileError: at the first row that the database refuses.
        """
        new = [person for person in people if wanted[person.number] is None]
        new.sort(
            key=lambda person: name_key(person.new_name)
        )  # the order in which players are added elsewhere
        everybody = items([self.document], "people")
        places = [
            each._replace(value={**each.value, "name": person.new_name})
            for person in new
            for each in [everybody[person.number]]
        ]
        self.made["players"] = insert_list(
            Player,
            file_format.PERSON,
            places,
            lambda each: {"club": club, "name_key": name_key(each.value["name"])},
        )
        made = dict(zip((person.number for person in new), self.made["players"], strict=True))
        self.keys["people"] = [wanted[at] or made[at] for at in range(len(people))]
        self.keys["teams"] = [self._team(club, team) for team in items([self.document], "teams")]
        for stage in self.stages:
            yield stage.insert(club, self.keys)
        origin = FileRow(self.document.value["origin"], 0, "origin")
        first, at = self.keys["stages"][0], self.by.at
        insert(
            [row(Origin, file_format.ORIGIN, origin, tournament_id=first, imported_at=at)], [origin]
        )

    def _team(self, club: Club, team: FileRow) -> int:
        """Return the club's team of this name and these people, and make it if there is none."""
        roster = [self.keys["people"][person] for person in team.value["roster"]]
        name, through = team.value["name"], Team.roster.through.objects
        for times in count(2):
            known = Team.objects.filter(club=club, name_key=name_key(name)).first()
            if known is None:
                break
            members = through.filter(team=known).order_by("pk").values_list("player", flat=True)
            if list(members) == roster:
                return known.pk
            # A team of other people has this name.
            name = f"{team.value['name'][:74]} {times}"
        [pk] = insert([Team(club=club, name=name, name_key=name_key(name))], [team])
        self.made["teams"].append(pk)
        through.bulk_create(Team.roster.through(team_id=pk, player_id=each) for each in roster)
        return pk


class StageInsertion:
    """A stage of a document, with the rows made from it."""

    def __init__(self, stage: FileRow, by: Actor, devices: Mapping[int | None, str]) -> None:
        self.stage = stage._replace(value=close_rounds(with_ranking(stage.value), by.at))
        self.rounds = items([self.stage], "rounds")
        self.running = [round_["state"] == RoundState.OPEN for round_ in stage.value["rounds"]]
        self.tables = items(self.rounds, "tables")
        self.seats = items(self.tables, "seats")
        self.reports = items(self.tables, "reports")
        self.hands = items(self.tables, "hands")
        self.table_rows = PreparedRows(
            Sitting, file_format.TABLE, self.tables, lambda _: {"token": secrets.token_urlsafe(16)}
        )
        self.seat_rows = PreparedRows(Seat, file_format.SEAT, self.seats)
        self.report_rows = PreparedRows(
            Report,
            file_format.REPORT,
            self.reports,
            lambda each: {"device": devices[each.value["device"]]},
        )
        self.hand_rows = PreparedRows(Hand, file_format.HAND, self.hands)

    def insert(self, club: Club, keys: dict[str, list[int]]) -> ImportedStage:
        """Insert the stage, and add its key and those of its lists to *keys*."""
        made = row(Tournament, file_format.STAGE, self.stage, keys, club=club, tie_resolutions=None)
        keys["stages"] += insert([made], [self.stage])
        for name, (model, fields) in _LISTS.items():
            here = items([self.stage], name)
            keys[name] = insert_list(model, fields, here, lambda _: {"tournament": made}, keys)
        ties = file_format.STAGE["tie_resolutions"].load(self.stage.value["tie_resolutions"], keys)
        Tournament.objects.filter(pk=made.pk).update(tie_resolutions=ties)
        insert_list(
            Rest,
            {},
            items(self.rounds, "rests"),
            lambda each: {
                "round_id": keys["rounds"][each.parent],
                "entrant_id": keys["entrants"][each.value],
            },
        )
        self._insert_tables(made, keys)
        return ImportedStage(
            tournament=made,
            entrants=keys["entrants"],
            seats=keys["seats"],
            tables=dict(zip(keys["tables"], (table.path for table in self.tables), strict=True)),
            closed=list(compress(keys["rounds"], self.running)),
        )

    def _insert_tables(self, made: Tournament, keys: dict[str, list[int]]) -> None:
        """Insert the tables with their seats, reports, hands, issues and acts."""
        rounds = [keys["rounds"][table.parent] for table in self.tables]
        self.table_rows.insert(round_id=rounds)
        sittings = keys["tables"] = _keys(Sitting.objects.filter(round__tournament=made))
        self.seat_rows.insert(
            sitting_id=[sittings[each.parent] for each in self.seats],
            round_id=[rounds[each.parent] for each in self.seats],
            player_id=[keys["people"][each.value["player"]] for each in self.seats],
            entrant_id=[keys["entrants"][each.value["entrant"]] for each in self.seats],
        )
        keys["seats"] = _keys(Seat.objects.filter(round__tournament=made))
        self.report_rows.insert(sitting_id=[sittings[each.parent] for each in self.reports])
        kept = _keys(Report.objects.filter(sitting__round__tournament=made))
        sent = _by_table(self.reports, kept)
        ImportedTable.objects.bulk_create(
            ImportedTable(sitting_id=sitting, last_report=max(sent[nth], default=0))
            for nth, sitting in enumerate(sittings)
        )
        self.hand_rows.insert(
            sitting_id=[sittings[each.parent] for each in self.hands],
            accepted_report_id=[sent[each.parent][each.value["report"]] for each in self.hands],
        )
        records = [
            FileRow(each.value["record"], nth, f"{each.path}.record")
            for nth, each in enumerate(self.hands)
            if each.value["record"]
        ]
        if records:
            hands = _keys(Hand.objects.filter(sitting__round__tournament=made))
            rows = [
                row(HandRecord, file_format.HAND_RECORD, e, hand_id=hands[e.parent])
                for e in records
            ]
            insert(rows, records)
        issues, acts = items(self.tables, "issues"), items(self.tables, "acts")
        raised = [
            row(
                Issue,
                file_format.ISSUE,
                each,
                {"reports": sent[each.parent]},
                sitting_id=sittings[each.parent],
            )
            for each in issues
        ]
        settled = _by_table(issues, insert(raised, issues))
        entries = []
        for each in acts:
            here = {**keys, "issues": settled[each.parent]}
            entry = row(LogEntry, file_format.ACT, each, here, club=made.club)
            entry.on |= {"tournament": made.pk, "sitting": sittings[each.parent]}
            entry.numbers |= {"imported": 1}
            entries.append(entry)
        insert(entries, acts)


_LISTS: Mapping[str, tuple[type[models.Model], Mapping[str, Schema]]] = {
    "entrants": (Entrant, file_format.ENTRANT),
    "rounds": (Round, file_format.ROUND),
    "awards": (Award, file_format.AWARD),
    "draws": (Draw, file_format.DRAW),
}


def _by_table(rows: Sequence[FileRow], keys: Sequence[int]) -> Mapping[int, list[int]]:
    """Return the keys of rows by the number of their table."""
    tables: dict[int, list[int]] = defaultdict(list)
    for each, pk in zip(rows, keys, strict=True):
        tables[each.parent].append(pk)
    return tables


def _keys(rows: "models.QuerySet[Any]") -> list[int]:
    """Return the keys of the rows stored for a stage, in its order."""
    return list(rows.order_by("pk").values_list("pk", flat=True))
