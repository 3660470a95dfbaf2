"""Rows made of what stands in a file, and where in it those stand that the database refuses."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from django.db import DatabaseError, DataError, IntegrityError, models, transaction

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
    except (IntegrityError, DataError) as error:
        _refuse(rows, where)
        raise Misfit("refused", _CANNOT, where=where[0], name=_constraint(error)) from error
    return [each.pk for each in rows]


_CANNOT = gettext_noop("no tournament here can have this (%(name)s).")


def _refuse(rows: Sequence[models.Model], where: Sequence[str]) -> None:
    """Raise the refusal of the first row that cannot be kept beside those before it."""
    for each, place in zip(rows, where, strict=True):
        each.pk = None
        try:
            with transaction.atomic():
                each.save(force_insert=True)
        except (IntegrityError, DataError) as error:
            raise Misfit("refused", _CANNOT, where=place, name=_constraint(error)) from error


def _constraint(error: DatabaseError) -> str:
    """Return what the database calls the rule that was broken."""
    diagnosed = getattr(error.__cause__, "diag", None)
    named = getattr(diagnosed, "constraint_name", None)
    return str(named or str(error).rpartition(": ")[2].splitlines()[0])[:80]
