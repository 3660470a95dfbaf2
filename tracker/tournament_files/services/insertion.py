"""Insertion of a checked document into the database, in the order that foreign keys need.

In the file items refer to each other by their index in a list. *keys* maps the name of such a list
to the keys of the rows that were inserted for its items, in the list's order. A table of the file
is a ``Sitting`` in the database: one table in one round.
"""

import secrets
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import compress, count
from typing import Any, NamedTuple, TypeAlias, TypeVar

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
Fields: TypeAlias = Mapping[str, Schema]  # the columns of a model that are in the file


# Rows; if the database refuses a row, the error has its path in the file --------------------------


class FileItem(NamedTuple):
    """An item of a list in the file; ``parent`` is the index of the item that has this list."""

    value: Any
    parent: int
    path: str


def file_items(parents: Sequence[FileItem], name: str) -> list[FileItem]:
    """Return the items of the lists called *name* in all *parents*, one list after the other."""
    return [
        FileItem(value, parent_index, f"{parent.path}.{name}[{index}]".lstrip("."))
        for parent_index, parent in enumerate(parents)
        for index, value in enumerate(parent.value[name])
    ]


def row(model: type[M], fields: Fields, item: FileItem, keys: Keys | None = None, **more: Any) -> M:
    """Return an unsaved row with the values of an item; *more* are other columns, or replace some.

    Values that an older file lacks get their defaults. Without *keys*, references to other rows
    are left out.
    """
    # The attribute of each field: for the foreign key ``round`` it is ``round_id``.
    attributes = {field.name: field.attname for field in model._meta.concrete_fields}  # noqa: SLF001
    values = {
        attributes[name]: schema.load(item.value[name], keys or {})
        for name, schema in fields.items()
        if name in item.value
        and attributes[name] not in more
        and not (keys is None and isinstance(schema, Ref))
    }
    return model(**values, **more)


def insert(rows: Sequence[M], items: Sequence[FileItem]) -> list[int]:
    """Insert rows in order, and return their keys; *items* are what each comes from in the file.

    :raises InvalidFileError: at the first row that the database refuses.
    """
    if not rows:
        return []
    manager = type(rows[0])._default_manager  # noqa: SLF001 - what Django itself calls it
    try:
        with transaction.atomic():
            manager.bulk_create(rows)
    except (IntegrityError, DataError):
        # One after the other, to find the row that is refused.
        for single, item in zip(rows, items, strict=True):
            single.pk = None  # ``bulk_create`` may have set one
            with _refused_at(item):
                single.save(force_insert=True)
    return [inserted.pk for inserted in rows]


def insert_list(
    model: type[M],
    fields: Fields,
    items: Sequence[FileItem],
    more_of: Callable[[FileItem], Mapping[str, Any]],
    keys: Keys | None = None,
) -> list[int]:
    """Insert a row for each item as ``insert`` does; *more_of* returns ``more`` for its row."""
    return insert([row(model, fields, item, keys, **more_of(item)) for item in items], items)


class PreparedRows:
    """Rows that are converted before the transaction: that takes three times as long as writing.

    ``values`` has for each item the values of its row, in the order of ``columns``. The keys of
    other rows are set by ``insert``.
    """

    def __init__(
        self,
        model: type[models.Model],
        fields: Fields,
        items: Sequence[FileItem],
        more_of: Callable[[FileItem], Mapping[str, Any]] = lambda _: {},
    ) -> None:
        stored = [field for field in model._meta.concrete_fields if not field.primary_key]  # noqa: SLF001
        self.items = items
        self.columns = [field.column for field in stored]
        self.table = model._meta.db_table  # noqa: SLF001
        rows = (row(model, fields, item, **more_of(item)) for item in items)
        self.values = [[_database_value(field, unsaved) for field in stored] for unsaved in rows]

    def insert(self, **keys: Sequence[int]) -> None:
        """Insert the rows as the function ``insert`` does.

        *keys* has, for each foreign key's column, a key for each row.
        """
        for column, column_keys in keys.items():
            index = self.columns.index(column)
            for values, key in zip(self.values, column_keys, strict=True):
                values[index] = key
        quoted_names = ", ".join(f'"{column}"' for column in self.columns)
        placeholders = ", ".join(["%s"] * len(self.columns))
        sql = f'INSERT INTO "{self.table}" ({quoted_names}) VALUES ({placeholders})'  # noqa: S608
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.executemany(sql, self.values)
        except (IntegrityError, DataError):
            for values, item in zip(self.values, self.items, strict=True):
                with _refused_at(item), connection.cursor() as cursor:
                    cursor.execute(sql, values)


def _database_value(field: "models.Field[Any, Any]", unsaved: models.Model) -> Any:
    """Return what ``bulk_create`` would write; for a default that the database sets, its value."""
    value = field.pre_save(unsaved, add=True)
    value = field.db_default if isinstance(value, DatabaseDefault) else value
    return field.get_db_prep_save(value, connection)


@contextmanager
def _refused_at(item: FileItem) -> Iterator[None]:
    """Refuse the file at this item if the database refuses the statements of the block."""
    try:
        with transaction.atomic():
            yield
    except (IntegrityError, DataError) as error:
        # PostgreSQL names the violated constraint; SQLite does so in the last part of its message.
        constraint = getattr(getattr(error.__cause__, "diag", None), "constraint_name", None)
        name = str(constraint or str(error).rpartition(": ")[2].splitlines()[0])[:80]
        template = gettext_noop("no tournament here can have this (%(name)s).")
        raise InvalidFileError("refused", template, where=item.path, name=name) from error


# The whole document -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedStage:
    """A stage stored from a file: the keys of its rows in the file's order.

    ``tables`` maps the key of each table to its path in the file. ``closed`` are the keys of the
    rounds that were open when the file was written.
    """

    tournament: Tournament
    entrants: Sequence[int]
    seats: Sequence[int]
    tables: Mapping[int, str]
    closed: Sequence[int]


class Insertion:
    """A document being inserted, with the keys of the rows stored so far, keyed by kind.

    Tables, seats, reports and hands are most of the rows: they are prepared before the transaction.
    """

    def __init__(self, document: Document, by: Actor) -> None:
        self.document, self.by = FileItem(document, 0, ""), by  # the parent of the outer lists
        self.keys: dict[str, list[int]] = {"stages": []}
        # Lists of the keys of new players and teams, which undoing the import deletes.
        self.made: dict[str, Any] = {"players": [], "teams": []}
        # A random name for each phone that sent reports, keyed by its number in the file, or None.
        devices: dict[int | None, str] = defaultdict(lambda: secrets.token_urlsafe(12), {None: ""})
        stages = file_items([self.document], "stages")
        self.stages = [StageInsertion(stage, by, devices) for stage in stages]

    def insert_into(
        self, club: Club, people: tuple[FilePerson, ...], chosen: Mapping[int, int | None]
    ) -> Iterator[ImportedStage]:
        """Insert everything in a club; yield each stage once it is stored, to count its hands.

        *chosen* maps the numbers of *people* to players of the club, or ``None`` for new players.

        :raises InvalidFileError: at the first row that the database refuses.
        """
        added = self._add_players(club, [who for who in people if chosen[who.number] is None])
        self.keys["people"] = [chosen[who.number] or added[who.number] for who in people]
        teams = file_items([self.document], "teams")
        self.keys["teams"] = [self._find_or_add_team(club, team) for team in teams]
        for stage in self.stages:
            yield stage.insert(club, self.keys)
        origin = FileItem(self.document.value["origin"], 0, "origin")
        more = {"tournament_id": self.keys["stages"][0], "imported_at": self.by.at}
        insert_list(Origin, file_format.ORIGIN, [origin], lambda _: more)

    def _add_players(self, club: Club, people: Sequence[FilePerson]) -> dict[int, int]:
        """Add these people as new players; return their keys by their numbers in the file."""
        # Players are always added in the order of name keys, so that no two transactions deadlock.
        people = sorted(people, key=lambda person: name_key(person.new_name))
        in_file = file_items([self.document], "people")
        items, rows = [in_file[person.number] for person in people], []
        for person, item in zip(people, items, strict=True):
            names: dict[str, Any] = {"name": person.new_name, "name_key": name_key(person.new_name)}
            rows.append(row(Player, file_format.PERSON, item, club=club, **names))
        self.made["players"] = insert(rows, items)
        return dict(zip((person.number for person in people), self.made["players"], strict=True))

    def _find_or_add_team(self, club: Club, team: FileItem) -> int:
        """Return the key of the club's team of this name and these people; add it if missing."""
        roster = [self.keys["people"][person] for person in team.value["roster"]]
        name, through = team.value["name"], Team.roster.through.objects
        for suffix in count(2):
            same_name = Team.objects.filter(club=club, name_key=name_key(name)).first()
            if same_name is None:
                break
            members = through.filter(team=same_name).order_by("pk").values_list("player", flat=True)
            if list(members) == roster:
                return same_name.pk
            # A team of other people has this name.
            name = f"{team.value['name'][:74]} {suffix}"  # within the 80 letters of the column
        [pk] = insert([Team(club=club, name=name, name_key=name_key(name))], [team])
        self.made["teams"].append(pk)
        through.bulk_create(Team.roster.through(team_id=pk, player_id=player) for player in roster)
        return pk


class StageInsertion:
    """A stage of a document, with all its items and the rows prepared before the transaction."""

    def __init__(self, stage: FileItem, by: Actor, devices: Mapping[int | None, str]) -> None:
        self.stage = stage._replace(value=close_rounds(with_ranking(stage.value), by.at))
        self.rounds = file_items([self.stage], "rounds")
        # Whether each round was open when the file was written; in ``self.stage`` none is.
        self.were_open = [round_["state"] == RoundState.OPEN for round_ in stage.value["rounds"]]
        self.tables = file_items(self.rounds, "tables")
        self.seats = file_items(self.tables, "seats")
        self.reports = file_items(self.tables, "reports")
        self.hands = file_items(self.tables, "hands")
        self.table_rows = PreparedRows(
            Sitting, file_format.TABLE, self.tables, lambda _: {"token": secrets.token_urlsafe(16)}
        )
        self.seat_rows = PreparedRows(Seat, file_format.SEAT, self.seats)
        self.report_rows = PreparedRows(
            Report,
            file_format.REPORT,
            self.reports,
            lambda report: {"device": devices[report.value["device"]]},
        )
        self.hand_rows = PreparedRows(Hand, file_format.HAND, self.hands)

    def insert(self, club: Club, keys: dict[str, list[int]]) -> ImportedStage:
        """Insert the stage; add its key to *keys*, and set there the keys of the lists in it."""
        fields = file_format.STAGE
        tournament = row(Tournament, fields, self.stage, keys, club=club, tie_resolutions=None)
        keys["stages"] += insert([tournament], [self.stage])
        of_stage = {"tournament": tournament}
        # Each of these lists may refer to the lists before it.
        for name, model, schemas in (
            ("entrants", Entrant, file_format.ENTRANT),
            ("rounds", Round, file_format.ROUND),
            ("awards", Award, file_format.AWARD),
            ("draws", Draw, file_format.DRAW),
        ):
            items = file_items([self.stage], name)
            keys[name] = insert_list(model, schemas, items, lambda _: of_stage, keys)
        # The settled ties name entrants, whose keys are known only now.
        ties = fields["tie_resolutions"].load(self.stage.value["tie_resolutions"], keys)
        Tournament.objects.filter(pk=tournament.pk).update(tie_resolutions=ties)
        rests = file_items(self.rounds, "rests")  # each the index of an entrant who sat out
        rows = [
            Rest(round_id=keys["rounds"][rest.parent], entrant_id=keys["entrants"][rest.value])
            for rest in rests
        ]
        insert(rows, rests)
        self._insert_tables(tournament, keys)
        return ImportedStage(
            tournament=tournament,
            entrants=keys["entrants"],
            seats=keys["seats"],
            tables=dict(zip(keys["tables"], (table.path for table in self.tables), strict=True)),
            closed=list(compress(keys["rounds"], self.were_open)),
        )

    def _insert_tables(self, tournament: Tournament, keys: dict[str, list[int]]) -> None:
        """Insert the tables with all in them; the ``parent`` of an item is its table's index."""
        round_keys = [keys["rounds"][table.parent] for table in self.tables]
        self.table_rows.insert(round_id=round_keys)
        sittings = keys["tables"] = _keys(Sitting.objects.filter(round__tournament=tournament))
        self.seat_rows.insert(
            sitting_id=[sittings[seat.parent] for seat in self.seats],
            round_id=[round_keys[seat.parent] for seat in self.seats],
            player_id=[keys["people"][seat.value["player"]] for seat in self.seats],
            entrant_id=[keys["entrants"][seat.value["entrant"]] for seat in self.seats],
        )
        keys["seats"] = _keys(Seat.objects.filter(round__tournament=tournament))
        self.report_rows.insert(sitting_id=[sittings[report.parent] for report in self.reports])
        all_reports = _keys(Report.objects.filter(sitting__round__tournament=tournament))
        reports_at = _by_table(self.reports, all_reports)  # their keys, in the order of the file
        # A report with a larger key was sent to this site, and keeps the import from being undone.
        ImportedTable.objects.bulk_create(
            ImportedTable(sitting_id=sitting, last_report=max(reports_at[index], default=0))
            for index, sitting in enumerate(sittings)
        )
        accepted = [reports_at[hand.parent][hand.value["report"]] for hand in self.hands]
        self.hand_rows.insert(
            sitting_id=[sittings[hand.parent] for hand in self.hands], accepted_report_id=accepted
        )
        self._insert_records(tournament)
        issues, issue_rows = file_items(self.tables, "issues"), []
        for issue in issues:
            in_table, sitting = {"reports": reports_at[issue.parent]}, sittings[issue.parent]
            issue_rows.append(row(Issue, file_format.ISSUE, issue, in_table, sitting_id=sitting))
        issues_at = _by_table(issues, insert(issue_rows, issues))
        acts, entries = file_items(self.tables, "acts"), []
        for act in acts:
            in_table = {**keys, "issues": issues_at[act.parent]}
            entry = row(LogEntry, file_format.ACT, act, in_table, club=tournament.club)
            entry.on |= {"tournament": tournament.pk, "sitting": sittings[act.parent]}
            entry.numbers |= {"imported": 1}  # its sentence says that it was imported
            entries.append(entry)
        insert(entries, acts)

    def _insert_records(self, tournament: Tournament) -> None:
        """Insert the records (the moves as text) of the hands that have one."""
        records = [
            FileItem(hand.value["record"], index, f"{hand.path}.record")
            for index, hand in enumerate(self.hands)
            if hand.value["record"]
        ]
        if records:
            hands = _keys(Hand.objects.filter(sitting__round__tournament=tournament))
            insert_list(
                HandRecord,
                file_format.HAND_RECORD,
                records,
                lambda record: {"hand_id": hands[record.parent]},
            )


def _by_table(items: Sequence[FileItem], keys: Sequence[int]) -> Mapping[int, list[int]]:
    """Return lists of the *keys* inserted for *items*, keyed by the index of the item's table."""
    tables: dict[int, list[int]] = defaultdict(list)
    for item, pk in zip(items, keys, strict=True):
        tables[item.parent].append(pk)
    return tables


def _keys(rows: "models.QuerySet[Any]") -> list[int]:
    """Return the keys of rows in the order in which ``PreparedRows`` inserted them: the file's."""
    return list(rows.order_by("pk").values_list("pk", flat=True))
