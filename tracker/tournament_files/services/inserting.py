"""Insertion of a tournament file into the database, in the order in which foreign keys need it."""

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
from tracker.tournament_files.logic.incoming import ended, with_ranking
from tracker.tournament_files.logic.packing import Document
from tracker.tournament_files.logic.schema import Keys, Misfit, Ref, Schema
from tracker.tournament_files.queries.look import FilePerson

M = TypeVar("M", bound=models.Model)


# Rows, with the place in the file of any that the database refuses --------------------------------


class FileRow(NamedTuple):
    """An item of a list in the file, the number of its parent row, and its place."""

    read: Any
    within: int
    where: str


def listed(holders: Sequence[FileRow], name: str) -> list[FileRow]:
    """Return the items of the lists of this name in all *holders*."""
    return [
        FileRow(each, nth, f"{holder.where}.{name}[{at}]".lstrip("."))
        for nth, holder in enumerate(holders)
        for at, each in enumerate(holder.read[name])
    ]


def row(
    model: type[M],
    fields: Mapping[str, Schema],
    stands: FileRow,
    keys: Keys | None = None,
    **columns: Any,
) -> M:
    """Return an unsaved row of the values read from a file and of more *columns*.

    What an older file does not have is as a new row has it. Without *keys* it names no other row.
    """
    names = {field.name: field.attname for field in model._meta.concrete_fields}  # noqa: SLF001
    values = {
        names[name]: schema.load(stands.read[name], keys or {})
        for name, schema in fields.items()
        if name in stands.read
        and names[name] not in columns
        and not (keys is None and isinstance(schema, Ref))
    }
    return model(**values, **columns)


def keep(rows: Sequence[M], places: Sequence[FileRow]) -> list[int]:
    """Insert these rows in order and return their keys; *places* say where each is in the file.

    :raises Misfit: at the first that the database refuses.
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
            with _refusing(place):
                each.save(force_insert=True)
    return [each.pk for each in rows]


def keep_list(
    model: type[M],
    fields: Mapping[str, Schema],
    places: Sequence[FileRow],
    columns: Callable[[FileRow], Mapping[str, Any]],
    keys: Keys | None = None,
) -> list[int]:
    """Insert the rows of a list as ``keep`` does, each with more *columns*."""
    return keep([row(model, fields, each, keys, **columns(each)) for each in places], places)


class Prepared:
    """Rows prepared for insertion, except for the keys of other rows.

    What makes values of a model fit for the database takes three times as long as writing them.
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
        self.values = [[_ready(field, each) for field in concrete] for each in rows]

    def keep(self, **keys: Sequence[int]) -> None:
        """Keep the rows in their order, with these *keys* in their columns.

        :raises Misfit: at the first that the database refuses.
        """
        for column, of_rows in keys.items():
            at = self.columns.index(column)
            for values, key in zip(self.values, of_rows, strict=True):
                values[at] = key
        columns = ", ".join(f'"{column}"' for column in self.columns)
        holes = ", ".join(["%s"] * len(self.columns))
        sql = f'INSERT INTO "{self.table}" ({columns}) VALUES ({holes})'  # noqa: S608
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.executemany(sql, self.values)
        except (IntegrityError, DataError):
            for values, place in zip(self.values, self.places, strict=True):
                with _refusing(place), connection.cursor() as cursor:
                    cursor.execute(sql, values)


def _ready(field: "models.Field[Any, Any]", row: models.Model) -> Any:
    value = field.pre_save(row, add=True)
    given = field.db_default if isinstance(value, DatabaseDefault) else value
    return field.get_db_prep_save(given, connection)


@contextmanager
def _refusing(place: FileRow) -> Iterator[None]:
    """Refuse the file at this place if the database refuses what is done."""
    try:
        with transaction.atomic():
            yield
    except (IntegrityError, DataError) as error:
        diagnosed = getattr(error.__cause__, "diag", None)
        named = getattr(diagnosed, "constraint_name", None)  # PostgreSQL names what was broken
        name = str(named or str(error).rpartition(": ")[2].splitlines()[0])[:80]
        template = gettext_noop("no tournament here can have this (%(name)s).")
        raise Misfit("refused", template, where=place.where, name=name) from error


# The whole document -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedStage:
    """A stage stored from a file: its keys in the file's order, and where its tables stand there."""

    tournament: Tournament
    entrants: Sequence[int]
    seats: Sequence[int]
    tables: Mapping[int, str]
    ended: Sequence[int]  # the rounds that were still played when the file was written


class Insertion:
    """A document being inserted: the keys of the rows stored so far, by kind.

    Tables, seats, reports and hands are the most rows: they are made before the transaction begins.
    """

    def __init__(self, document: Document, by: Actor) -> None:
        self.document, self.by = FileRow(document, 0, ""), by
        self.keys: dict[str, list[int]] = {"stages": []}
        self.made: dict[str, list[int]] = {"players": [], "teams": []}
        devices: dict[int | None, str] = defaultdict(lambda: secrets.token_urlsafe(12), {None: ""})
        self.stages = [
            StageInsertion(each, by, devices) for each in listed([self.document], "stages")
        ]

    def take_in(
        self, club: Club, people: tuple[FilePerson, ...], wanted: Mapping[int, int | None]
    ) -> Iterator[ImportedStage]:
        """Keep everything in a club, and yield the stages, whose hands are not yet counted.

        :raises Misfit: at the first row that the database refuses.
        """
        new = [person for person in people if wanted[person.number] is None]
        new.sort(key=lambda person: name_key(person.new_name))  # as whoever adds names does
        everybody = listed([self.document], "people")
        places = [
            each._replace(read={**each.read, "name": person.new_name})
            for person in new
            for each in [everybody[person.number]]
        ]
        self.made["players"] = keep_list(
            Player,
            file_format.PERSON,
            places,
            lambda each: {"club": club, "name_key": name_key(each.read["name"])},
        )
        made = dict(zip((person.number for person in new), self.made["players"], strict=True))
        self.keys["people"] = [wanted[at] or made[at] for at in range(len(people))]
        self.keys["teams"] = [self._team(club, team) for team in listed([self.document], "teams")]
        for stage in self.stages:
            yield stage.keep(club, self.keys)
        origin = FileRow(self.document.read["origin"], 0, "origin")
        first, at = self.keys["stages"][0], self.by.at
        keep(
            [row(Origin, file_format.ORIGIN, origin, tournament_id=first, imported_at=at)], [origin]
        )

    def _team(self, club: Club, team: FileRow) -> int:
        """Return the club's team of this name and these people, made if there is none."""
        roster = [self.keys["people"][person] for person in team.read["roster"]]
        name, through = team.read["name"], Team.roster.through.objects
        for times in count(2):
            known = Team.objects.filter(club=club, name_key=name_key(name)).first()
            if known is None:
                break
            members = through.filter(team=known).order_by("pk").values_list("player", flat=True)
            if list(members) == roster:
                return known.pk
            # Other people are called so: these are another team.
            name = f"{team.read['name'][:74]} {times}"
        [pk] = keep([Team(club=club, name=name, name_key=name_key(name))], [team])
        self.made["teams"].append(pk)
        through.bulk_create(Team.roster.through(team_id=pk, player_id=each) for each in roster)
        return pk


class StageInsertion:
    """A stage of a document, with the rows that are made of it."""

    def __init__(self, stage: FileRow, by: Actor, devices: Mapping[int | None, str]) -> None:
        self.stage = stage._replace(read=ended(with_ranking(stage.read), by.at))
        self.rounds = listed([self.stage], "rounds")
        self.running = [round_["state"] == RoundState.OPEN for round_ in stage.read["rounds"]]
        self.tables = listed(self.rounds, "tables")
        self.seats = listed(self.tables, "seats")
        self.reports = listed(self.tables, "reports")
        self.hands = listed(self.tables, "hands")
        self.table_rows = Prepared(
            Sitting, file_format.TABLE, self.tables, lambda _: {"token": secrets.token_urlsafe(16)}
        )
        self.seat_rows = Prepared(Seat, file_format.SEAT, self.seats)
        self.report_rows = Prepared(
            Report,
            file_format.REPORT,
            self.reports,
            lambda each: {"device": devices[each.read["device"]]},
        )
        self.hand_rows = Prepared(Hand, file_format.HAND, self.hands)

    def keep(self, club: Club, keys: dict[str, list[int]]) -> ImportedStage:
        """Keep all of it, and remember its key and those of its lists among these *keys*."""
        made = row(Tournament, file_format.STAGE, self.stage, keys, club=club, tie_resolutions=None)
        keys["stages"] += keep([made], [self.stage])
        for name, (model, fields) in _LISTS.items():
            here = listed([self.stage], name)
            keys[name] = keep_list(model, fields, here, lambda _: {"tournament": made}, keys)
        ties = file_format.STAGE["tie_resolutions"].load(self.stage.read["tie_resolutions"], keys)
        Tournament.objects.filter(pk=made.pk).update(tie_resolutions=ties)
        keep_list(
            Rest,
            {},
            listed(self.rounds, "rests"),
            lambda each: {
                "round_id": keys["rounds"][each.within],
                "entrant_id": keys["entrants"][each.read],
            },
        )
        self._keep_tables(made, keys)
        return ImportedStage(
            tournament=made,
            entrants=keys["entrants"],
            seats=keys["seats"],
            tables=dict(zip(keys["tables"], (table.where for table in self.tables), strict=True)),
            ended=list(compress(keys["rounds"], self.running)),
        )

    def _keep_tables(self, made: Tournament, keys: dict[str, list[int]]) -> None:
        """Keep the tables with all that happened there."""
        rounds = [keys["rounds"][table.within] for table in self.tables]
        self.table_rows.keep(round_id=rounds)
        sittings = keys["tables"] = _keys(Sitting.objects.filter(round__tournament=made))
        self.seat_rows.keep(
            sitting_id=[sittings[each.within] for each in self.seats],
            round_id=[rounds[each.within] for each in self.seats],
            player_id=[keys["people"][each.read["player"]] for each in self.seats],
            entrant_id=[keys["entrants"][each.read["entrant"]] for each in self.seats],
        )
        keys["seats"] = _keys(Seat.objects.filter(round__tournament=made))
        self.report_rows.keep(sitting_id=[sittings[each.within] for each in self.reports])
        kept = _keys(Report.objects.filter(sitting__round__tournament=made))
        sent = _by_table(self.reports, kept)
        ImportedTable.objects.bulk_create(
            ImportedTable(sitting_id=sitting, last_report=max(sent[nth], default=0))
            for nth, sitting in enumerate(sittings)
        )
        self.hand_rows.keep(
            sitting_id=[sittings[each.within] for each in self.hands],
            accepted_report_id=[sent[each.within][each.read["report"]] for each in self.hands],
        )
        records = [
            FileRow(each.read["record"], nth, f"{each.where}.record")
            for nth, each in enumerate(self.hands)
            if each.read["record"]
        ]
        if records:
            hands = _keys(Hand.objects.filter(sitting__round__tournament=made))
            rows = [
                row(HandRecord, file_format.HAND_RECORD, e, hand_id=hands[e.within])
                for e in records
            ]
            keep(rows, records)
        issues, acts = listed(self.tables, "issues"), listed(self.tables, "acts")
        raised = [
            row(
                Issue,
                file_format.ISSUE,
                each,
                {"reports": sent[each.within]},
                sitting_id=sittings[each.within],
            )
            for each in issues
        ]
        settled = _by_table(issues, keep(raised, issues))
        entries = []
        for each in acts:
            here = {**keys, "issues": settled[each.within]}
            entry = row(LogEntry, file_format.ACT, each, here, club=made.club)
            entry.on |= {"tournament": made.pk, "sitting": sittings[each.within]}
            entry.numbers |= {"imported": 1}
            entries.append(entry)
        keep(entries, acts)


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
        tables[each.within].append(pk)
    return tables


def _keys(rows: "models.QuerySet[Any]") -> list[int]:
    """Return the keys of the rows stored for a stage, in its order."""
    return list(rows.order_by("pk").values_list("pk", flat=True))
