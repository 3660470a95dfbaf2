"""Rows made of what stands in a file, and where in it those stand that the database refuses."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import DatabaseError, DataError, IntegrityError, connection, models, transaction
from django.db.models.expressions import DatabaseDefault

from games.errors import gettext_noop
from tracker.tournament_files.logic.misfit import Misfit
from tracker.tournament_files.logic.shapes import Keys, Shape

M = TypeVar("M", bound=models.Model)


def row(
    model: type[M], fields: Mapping[str, Shape], read: Mapping[str, Any], keys: Keys, **more: Any
) -> M:
    """Return a row, not kept yet, of what was *read* and checked, and *more*.

    What an older file does not have is as a new row has it.
    """
    columns = {field.name: field.attname for field in model._meta.concrete_fields}  # noqa: SLF001
    values = {
        columns[name]: shape.load(read[name], keys)
        for name, shape in fields.items()
        if name in read
    }
    return model(**values, **more)


def keep(rows: Sequence[M], where: Sequence[str]) -> list[int]:
    """Keep these rows in their order and return their keys; *where* says where each stands.

    :raises Misfit: at the first that the database refuses.
    """
    if not rows:
        return []
    manager = type(rows[0])._default_manager  # noqa: SLF001 - what Django itself calls it
    try:
        with transaction.atomic():
            manager.bulk_create(rows)
    except (IntegrityError, DataError):
        for each, place in zip(rows, where, strict=True):
            each.pk = None
            with _refusing(place):
                each.save(force_insert=True)
    return [each.pk for each in rows]


class Prepared:
    """Rows of which all is ready to be written but the keys of other rows.

    What makes values of a model fit for the database takes three times as long as writing them.
    """

    def __init__(self, rows: Sequence[models.Model], where: Sequence[str]) -> None:
        self.where = where
        if not rows:
            self.values: list[list[Any]] = []
            return
        meta = rows[0]._meta  # noqa: SLF001
        fields = [field for field in meta.concrete_fields if not field.primary_key]
        self.columns = [field.column for field in fields]
        self.table = meta.db_table
        self.values = [[_ready(field, row) for field in fields] for row in rows]

    def keep(self, **keys: Sequence[int]) -> None:
        """Keep the rows in their order, with these *keys* in their columns.

        :raises Misfit: at the first that the database refuses.
        """
        if not self.values:
            return
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
            for values, place in zip(self.values, self.where, strict=True):
                with _refusing(place), connection.cursor() as cursor:
                    cursor.execute(sql, values)


def _ready(field: "models.Field[Any, Any]", row: models.Model) -> Any:
    value = field.pre_save(row, add=True)
    given = field.db_default if isinstance(value, DatabaseDefault) else value
    return field.get_db_prep_save(given, connection)


_CANNOT = gettext_noop("no tournament here can have this (%(name)s).")


@contextmanager
def _refusing(where: str) -> Iterator[None]:
    """Refuse the file at this place if the database refuses what is done."""
    try:
        with transaction.atomic():
            yield
    except (IntegrityError, DataError) as error:
        raise Misfit("refused", _CANNOT, where=where, name=_constraint(error)) from error


def _constraint(error: DatabaseError) -> str:
    """Return what the database calls the rule that was broken."""
    diagnosed = getattr(error.__cause__, "diag", None)
    named = getattr(diagnosed, "constraint_name", None)
    return str(named or str(error).rpartition(": ")[2].splitlines()[0])[:80]
