"""Insertion of a document into the database.

All rows get their keys first. So they are made once, with all references between them, and inserted
twice: into a database in memory, where their hands are counted (``trial``), and into the site's,
which is locked only meanwhile.
"""

import secrets
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeAlias

from django.db import DataError, IntegrityError, connection, transaction
from django.db.models import Field, Model
from django.db.models.expressions import DatabaseDefault

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.models import (
    Award,
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
    Seat,
    Sitting,
    Team,
    Tournament,
    name_key,
)
from tracker.tournament_files.logic.errors import InvalidFileError
from tracker.tournament_files.logic.fields import Part
from tracker.tournament_files.logic.format import Document, Round as RoundPart, Stage
from tracker.tournament_files.logic.tables import Table
from tracker.tournament_files.queries.matches import Matches

Keys: TypeAlias = Mapping[type[Model], Sequence[int]]
_ROSTER: type[Model] = Team.roster.through
# In the order of insertion: each refers to those before it.
_MODELS = (
    *(Player, Team, _ROSTER, Tournament, Origin, Entrant, Round, Award, Draw, Rest, Sitting),
    *(Seat, Report, ImportedTable, Hand, HandRecord, Issue, LogEntry),
)


# Rows; if the database refuses a row, the error has its path in the file --------------------------


class Batch:
    """Rows of one model, each with its path in the file."""

    def __init__(self, model: type[Model]) -> None:
        self.model = model
        self.rows: list[tuple[str, Any]] = []
        self.values: list[list[Any]] = []
        self.sql = ""

    def add(self, path: str, **values: Any) -> None:
        self.rows.append((path, self.model(**values)))

    def convert(self) -> None:
        """Convert the rows for the database: that takes longer than to insert them."""
        has_keys = all(row.pk is not None for _, row in self.rows)  # or the database chooses them
        meta = self.model._meta  # noqa: SLF001
        fields = [field for field in meta.concrete_fields if has_keys or not field.primary_key]
        columns = ", ".join(f'"{field.column}"' for field in fields)
        placeholders = ", ".join(["%s"] * len(fields))
        self.sql = f'INSERT INTO "{meta.db_table}" ({columns}) VALUES ({placeholders})'  # noqa: S608
        self.values = [[_database_value(field, row) for field in fields] for _, row in self.rows]

    def insert(self) -> None:
        """Insert the converted rows.

        :raises InvalidFileError: at the first row that the database refuses.
        """
        if not self.values:
            return
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.executemany(self.sql, self.values)
        except (IntegrityError, DataError):
            for (path, _), values in zip(self.rows, self.values, strict=True):
                with _refused_at(path), connection.cursor() as cursor:
                    cursor.execute(self.sql, values)


def _database_value(field: "Field[Any, Any]", row: Model) -> Any:
    """Return what ``bulk_create`` would write; for a default that the database sets, its value."""
    value = field.pre_save(row, add=True)
    value = field.db_default if isinstance(value, DatabaseDefault) else value
    return field.get_db_prep_save(value, connection)


@contextmanager
def _refused_at(path: str) -> Iterator[None]:
    """Refuse the file at this path if the database refuses the statements of the block."""
    try:
        with transaction.atomic():
            yield
    except (IntegrityError, DataError) as error:
        # PostgreSQL names the violated constraint; SQLite does so in the last part of its message.
        constraint = getattr(getattr(error.__cause__, "diag", None), "constraint_name", None)
        name = str(constraint or str(error).rpartition(": ")[2].splitlines()[0])[:80]
        template = gettext_noop("no tournament here can have this (%(name)s).")
        raise InvalidFileError("refused", template, path, name=name) from error


# Keys ---------------------------------------------------------------------------------------------


def keys_needed(document: Document) -> dict[type[Model], int]:
    """Return how many rows of each model other rows refer to."""
    tables = [table for stage in document.stages for table in stage.tables]
    return {
        Player: len(document.people),
        Team: len(document.teams),
        Tournament: len(document.stages),
        Entrant: sum(len(stage.entrants) for stage in document.stages),
        Round: sum(len(stage.rounds) for stage in document.stages),
        Sitting: len(tables),
        Seat: sum(len(table.seats) for table in tables),
        Report: sum(len(table.reports) for table in tables),
        Hand: sum(len(table.hands) for table in tables),
        Issue: sum(len(table.issues) for table in tables),
    }


@transaction.atomic
def reserve_keys(needed: Mapping[type[Model], int]) -> Keys:
    """Return keys that no other row of the site will get, so many for each model."""
    return {model: _reserve(model._meta.db_table, number) for model, number in needed.items()}  # noqa: SLF001


def _reserve(table: str, number: int) -> Sequence[int]:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            each = "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)"
            cursor.execute(each, [table, number])
            return [key for (key,) in cursor.fetchall()]
        # SQLite keeps the last key of each table, once there was a row.
        cursor.execute("SELECT max(seq) FROM sqlite_sequence WHERE name = %s", [table])
        [last] = cursor.fetchone()
        if last is None:
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, 0)", [table])
        cursor.execute("UPDATE sqlite_sequence SET seq = seq + %s WHERE name = %s", [number, table])
        return range((last or 0) + 1, (last or 0) + number + 1)


# The whole document -------------------------------------------------------------------------------


class Insertion:
    """The rows of a document in a club, of whose players and teams *matches* has the keys.

    ``stages`` are the keys of the tournaments, ``tables`` has the path of each table by its key,
    and ``closed`` are the keys of the rounds that were open when the file was written.
    """

    def __init__(
        self, document: Document, matches: Matches, keys: Keys, *, club_id: int, by: Actor
    ) -> None:
        self.document, self.club_id, self.by = document, club_id, by
        self.stages = list(keys[Tournament])
        self.tables: dict[int, str] = {}
        self.closed: list[int] = []
        self._keys = {model: iter(of_model) for model, of_model in keys.items()}
        self._batches = {model: Batch(model) for model in _MODELS}
        # Players and teams that the club has; a database in memory needs them, too.
        self._known = {model: Batch(model) for model in (Player, Team, _ROSTER)}
        # A random name for each phone that sent reports, keyed by its number in the file, or None.
        self._devices: dict[int | None, str] = defaultdict(
            lambda: secrets.token_urlsafe(12), {None: ""}
        )
        people, teams = self._add_people(matches), []
        for index, team in enumerate(document.teams):
            path, known = f"teams[{index}]", matches.teams[index][0] is not None
            teams.append(self._add_named(Team, path, *matches.teams[index]))
            for person in team.roster:
                row = {"team_id": teams[-1], "player_id": people[person]}
                (self._known if known else self._batches)[_ROSTER].add(path, **row)
        common = {"people": people, "teams": teams, "stages": self.stages}
        for index, stage in enumerate(document.stages):
            self._add_stage(f"stages[{index}]", stage, self.stages[index], common)
        origin = {"tournament_id": self.stages[0], "imported_at": by.at}
        self._add(Origin, "origin", document.origin, common, **origin)

    def made(self, model: type[Model]) -> list[int]:
        """Return the keys of the new players, or of the new teams."""
        return [row.pk for _, row in self._batches[model].rows]

    def convert(self) -> None:
        """Convert all rows for the database of this thread."""
        for batch in (*self._known.values(), *self._batches.values()):
            batch.convert()

    def insert(self, *, with_known: bool = False) -> None:
        """Insert the converted rows; *with_known* also those that the club has."""
        for batch in (*(self._known.values() if with_known else ()), *self._batches.values()):
            batch.insert()

    def _add(
        self, model: type[Model], path: str, part: Part, keys: Mapping[str, Any], **more: Any
    ) -> None:
        """Add a row with the columns that the part has, and *more*, which replaces some."""
        columns = {
            field.name: field.attname
            for field in model._meta.concrete_fields  # noqa: SLF001
            if field.name in part.model_fields_set
        }
        dumped = part.model_dump(include=set(columns), exclude_unset=True, context=dict(keys))
        values = {attribute: dumped[name] for name, attribute in columns.items()}
        self._batches[model].add(path, **{**values, **more})

    def _add_list(
        self,
        model: type[Model],
        path: str,
        parts: Sequence[Part],
        keys: Mapping[str, Any],
        own: Callable[[Any], dict[str, Any]] = lambda _: {},
        **more: Any,
    ) -> list[int]:
        """Add a row for each part, with what *own* returns for it; return their keys, if any."""
        pks = list(islice(self._keys.get(model, ()), len(parts)))
        for index, part in enumerate(parts):
            key = {"id": pks[index]} if pks else {}
            self._add(model, f"{path}[{index}]", part, keys, **{**key, **more, **own(part)})
        return pks

    def _add_named(
        self, model: type[Model], path: str, known: int | None, name: str, **more: Any
    ) -> int:
        """Add a player or a team, and return the key, which is new if there is no *known* one."""
        pk = next(self._keys[model]) if known is None else known
        batch = (self._batches if known is None else self._known)[model]
        batch.add(path, id=pk, club_id=self.club_id, name=name, name_key=name_key(name), **more)
        return pk

    def _add_people(self, matches: Matches) -> list[int]:
        people = [
            self._add_named(
                Player, f"people[{index}]", *match, erased_at=self.document.people[index].erased_at
            )
            for index, match in enumerate(matches.people)
        ]
        # Players are always added in the order of name keys, so that no two transactions deadlock.
        self._batches[Player].rows.sort(key=lambda row: row[1].name_key)
        return people

    def _add_stage(self, path: str, stage: Stage, pk: int, common: dict[str, list[int]]) -> None:
        of_stage: dict[str, Any] = {"tournament_id": pk}
        keys = {**common, "entrants": [], "rounds": []}
        keys["entrants"] = self._add_list(
            Entrant, f"{path}.entrants", stage.entrants, keys, **of_stage
        )
        for index, round_ in enumerate(stage.rounds):
            self._add_round(f"{path}.rounds[{index}]", round_, keys, pk)
        self._add_list(Award, f"{path}.awards", stage.awards, keys, **of_stage)
        self._add_list(Draw, f"{path}.draws", stage.draws, keys, **of_stage)
        until = stage.provisional_until and min(stage.provisional_until, self.by.at)
        more = {"id": pk, "club_id": self.club_id, "provisional_until": until}
        self._add(Tournament, path, stage, keys, **more)

    def _add_round(
        self, path: str, round_: RoundPart, keys: dict[str, list[int]], stage_pk: int
    ) -> None:
        """Add a round; if it is open, as closed, as it cannot be continued here."""
        pk, is_open = next(self._keys[Round]), round_.state == "open"
        keys["rounds"].append(pk)
        closing = {"state": "closed", "closed_at": self.by.at} if is_open else {}
        self._add(Round, path, round_, keys, id=pk, tournament_id=stage_pk, **closing)
        if is_open:
            self.closed.append(pk)
        for index, entrant in enumerate(round_.rests):
            row = {"round_id": pk, "entrant_id": keys["entrants"][entrant]}
            self._batches[Rest].add(f"{path}.rests[{index}]", **row)
        for index, table in enumerate(round_.tables):
            where, sitting = f"{path}.tables[{index}]", next(self._keys[Sitting])
            more = {"id": sitting, "round_id": pk, "token": secrets.token_urlsafe(16)}
            if is_open:
                state = {"open": "closed"}.get(table.token_state, table.token_state)
                more |= {"finished_at": table.finished_at or self.by.at, "token_state": state}
            self._add(Sitting, where, table, keys, **more)
            self.tables[sitting] = where
            self._add_contents(where, table, keys, {"tournament": stage_pk, "sitting": sitting}, pk)

    def _add_contents(
        self,
        path: str,
        table: Table,
        common: dict[str, list[int]],
        on: dict[str, int],
        round_pk: int,
    ) -> None:
        """Add what is in a table; *on* are the keys of tournament and sitting, for the log."""
        keys = dict(common)
        at: dict[str, Any] = {"sitting_id": on["sitting"]}
        self._add_list(Seat, f"{path}.seats", table.seats, keys, round_id=round_pk, **at)
        keys["reports"] = reports = self._add_list(
            Report,
            f"{path}.reports",
            table.reports,
            keys,
            lambda report: {"device": self._devices[report.device]},
            **at,
        )
        # A report with a larger key was sent to this site, and keeps the import from being undone.
        self._batches[ImportedTable].add(path, last_report=max(reports, default=0), **at)
        hands = self._add_list(
            Hand,
            f"{path}.hands",
            table.hands,
            keys,
            lambda hand: {"accepted_report_id": reports[hand.report]},
            **at,
        )
        for index, (hand, pk) in enumerate(zip(table.hands, hands, strict=True)):
            if hand.record is not None:
                where = f"{path}.hands[{index}].record"
                self._add(HandRecord, where, hand.record, keys, hand_id=pk)
        keys["issues"] = self._add_list(Issue, f"{path}.issues", table.issues, keys, **at)
        for index, act in enumerate(table.acts):
            numbers = act.numbers.model_dump(exclude_unset=True, context=keys)
            more = {
                "on": {**act.on.model_dump(context=keys), **on},
                "numbers": {**numbers, "imported": 1},  # its sentence says that it was imported
            }
            self._add(LogEntry, f"{path}.acts[{index}]", act, keys, club_id=self.club_id, **more)
