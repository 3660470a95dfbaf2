"""Model rows made from a file, with the place in it of any row that the database refuses."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar

from django.db import DataError, IntegrityError, connection, models, transaction
from django.db.models.expressions import DatabaseDefault

from games.errors import gettext_noop
from tracker.tournament_files.logic.schema import Keys, Misfit, Ref, Schema

M = TypeVar("M", bound=models.Model)


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
