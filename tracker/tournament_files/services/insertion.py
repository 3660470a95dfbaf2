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
from typing import Any, NamedTuple, TypeAlias

from django.db import DataError, IntegrityError, connection, transaction
from django.db.models import Field, Model
from django.db.models.expressions import DatabaseDefault

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
    TokenState,
    Tournament,
    name_key,
)
from tracker.tournament_files.logic.errors import InvalidFileError
from tracker.tournament_files.logic.fields import Part
from tracker.tournament_files.logic.format import Document
from tracker.tournament_files.queries.export import LISTS
from tracker.tournament_files.queries.matches import Matches

Keys: TypeAlias = Mapping[type[Model], Sequence[int]]
KeysOfLists: TypeAlias = dict[str, list[int]]
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
        raise InvalidFileError("refused", path, name=name) from error


# Keys ---------------------------------------------------------------------------------------------


def keys_needed(document: Document) -> dict[type[Model], int]:
    """Return for each model how many rows of it are in the lists of a document."""
    needed: dict[type[Model], int] = dict.fromkeys(_MODELS, 0)
    needed |= {Player: len(document.people), Team: len(document.teams)}
    waiting: list[tuple[type[Model], Part]] = [(Tournament, stage) for stage in document.stages]
    while waiting:
        model, part = waiting.pop()
        needed[model] += 1
        for name, of_list in LISTS.get(model, {}).items():
            waiting += [(of_list, each) for each in getattr(part, name)]
    return needed


@transaction.atomic
def reserve_keys(needed: Mapping[type[Model], int]) -> Keys:
    """Return keys that no other row of the site will get, so many for each model."""
    return {
        model: _reserve(model._meta.db_table, number) if number else ()  # noqa: SLF001
        for model, number in needed.items()
    }


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


class Item(NamedTuple):
    """A part of the file and its row: the model, where the part is in the file, and the key.

    ``keys`` are those of the rows that it may refer to, by list; ``above`` those of the rows that
    it belongs to, by column.
    """

    model: type[Model]
    path: str
    part: Any
    pk: int
    keys: KeysOfLists
    above: dict[str, Any]


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
        self._replaced: dict[type[Model], Callable[[Item], dict[str, Any]]] = {
            Tournament: self._of_stage,
            Round: self._of_round,
            Sitting: self._of_table,
            Report: self._of_report,
            Hand: self._of_hand,
            LogEntry: self._of_act,
        }
        common: KeysOfLists = {"stages": self.stages, "people": self._add_people(matches)}
        common["teams"] = self._add_teams(matches, common["people"])
        for index, (stage, pk) in enumerate(zip(document.stages, self.stages, strict=True)):
            above = {"club_id": club_id}
            self._add(Item(Tournament, f"stages[{index}]", stage, pk, common, above))
        origin = document.origin.model_dump()
        first = {"tournament_id": self.stages[0], "imported_at": by.at}
        self._batches[Origin].add("origin", **origin, **first)

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

    def _add_people(self, matches: Matches) -> list[int]:
        keys = []
        for index, ((known, name), new) in enumerate(
            zip(matches.people, self._keys[Player], strict=True)
        ):
            batch, pk = (self._known if known else self._batches)[Player], known or new
            erased_at = self.document.people[index].erased_at
            named = {"name": name, "name_key": name_key(name), "erased_at": erased_at}
            batch.add(f"people[{index}]", id=pk, club_id=self.club_id, **named)
            keys.append(pk)
        # Players are always added in the order of name keys, so that no two transactions deadlock.
        self._batches[Player].rows.sort(key=lambda row: row[1].name_key)
        return keys

    def _add_teams(self, matches: Matches, people: list[int]) -> list[int]:
        keys = []
        for index, ((known, name), new) in enumerate(
            zip(matches.teams, self._keys[Team], strict=True)
        ):
            batches, pk = (self._known if known else self._batches), known or new
            path = f"teams[{index}]"
            named = {"name": name, "name_key": name_key(name)}
            batches[Team].add(path, id=pk, club_id=self.club_id, **named)
            for person in self.document.teams[index].roster:
                batches[_ROSTER].add(path, team_id=pk, player_id=people[person])
            keys.append(pk)
        return keys

    def _add(self, item: Item) -> None:
        """Add the row of an item and, below it, those of its lists."""
        lists = LISTS.get(item.model, {})
        of_lists = {
            name: list(islice(self._keys[model], len(getattr(item.part, name))))
            for name, model in lists.items()
        }
        item = item._replace(keys={**item.keys, **of_lists})
        columns = {field.name: field.attname for field in item.model._meta.concrete_fields}  # noqa: SLF001
        include = columns.keys() & item.part.model_fields_set  # older files lack some
        dumped = item.part.model_dump(include=include, exclude_unset=True, context=item.keys)
        values = {column: item.above[column] for column in columns.values() if column in item.above}
        values |= {columns[name]: value for name, value in dumped.items()}
        values |= self._replaced[item.model](item) if item.model in self._replaced else {}
        self._batches[item.model].add(item.path, **values, id=item.pk)
        above = {**item.above, f"{item.model._meta.model_name}_id": item.pk}  # noqa: SLF001
        for name, model in lists.items():
            parts = zip(getattr(item.part, name), of_lists[name], strict=True)
            for index, (part, pk) in enumerate(parts):
                path = f"{item.path}.{name}[{index}]"
                self._add(Item(model, path, part, pk, item.keys, above))

    # Columns that differ from the part, and rows that belong to an item --------------------------

    def _of_stage(self, item: Item) -> dict[str, Any]:
        until = item.part.provisional_until
        return {"provisional_until": until and min(until, self.by.at)}

    def _of_round(self, item: Item) -> dict[str, Any]:
        for index, entrant in enumerate(item.part.rests):
            rest = {"round_id": item.pk, "entrant_id": item.keys["entrants"][entrant]}
            self._batches[Rest].add(f"{item.path}.rests[{index}]", **rest)
        if item.part.state != "open":
            return {}
        self.closed.append(item.pk)  # it cannot be continued here
        return {"state": "closed", "closed_at": self.by.at}

    def _of_table(self, item: Item) -> dict[str, Any]:
        self.tables[item.pk] = item.path
        # A later report was sent to this site, and keeps the import from being undone.
        last = max(item.keys["reports"], default=0)
        self._batches[ImportedTable].add(item.path, sitting_id=item.pk, last_report=last)
        values: dict[str, Any] = {"token": secrets.token_urlsafe(16)}
        if item.above["round_id"] in self.closed:
            values["finished_at"] = item.part.finished_at or self.by.at
            if item.part.token_state == TokenState.OPEN:
                values["token_state"] = TokenState.CLOSED
        return values

    def _of_report(self, item: Item) -> dict[str, Any]:
        return {"device": self._devices[item.part.device]}

    def _of_hand(self, item: Item) -> dict[str, Any]:
        if item.part.record is not None:
            record = item.part.record.model_dump()
            self._batches[HandRecord].add(f"{item.path}.record", hand_id=item.pk, **record)
        return {"accepted_report_id": item.keys["reports"][item.part.report]}

    def _of_act(self, item: Item) -> dict[str, Any]:
        on = item.part.on.model_dump(context=item.keys)
        numbers = item.part.numbers.model_dump(exclude_unset=True, context=item.keys)
        at = {"tournament": item.above["tournament_id"], "sitting": item.above["sitting_id"]}
        # Its sentence says that it was imported.
        return {"on": {**on, **at}, "numbers": {**numbers, "imported": 1}}
