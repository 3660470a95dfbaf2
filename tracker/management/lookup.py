"""Lookup of rows by the name or number given on a command line."""

from typing import TypeVar

from django.core.management.base import CommandError
from django.db import models

from tracker.models import Tournament

M = TypeVar("M", bound=models.Model)


def all_named(model: type[M], name_or_number: str) -> list[M]:
    """Return the rows of this name; if there are none, the row whose key is this number."""
    rows = model._default_manager  # noqa: SLF001 - what Django itself calls it
    matches = list(rows.filter(name__iexact=name_or_number).order_by("pk"))
    # A longer number would not fit into a key.
    if not matches and name_or_number.isdecimal() and len(name_or_number) < 18:
        matches = list(rows.filter(pk=int(name_or_number)))
    return matches


def tournament_named(name_or_number: str) -> Tournament:
    """Return the tournament of this name or number; raise ``CommandError`` for none or several."""
    matches = all_named(Tournament, name_or_number)
    if not matches:
        raise CommandError(f"There is no tournament “{name_or_number}”.")
    if len(matches) > 1:
        numbers = ", ".join(str(tournament.pk) for tournament in matches)
        raise CommandError(
            f"Several tournaments are called “{name_or_number}”: say which of {numbers}."
        )
    return matches[0]
