"""Undoing of an import, as long as nothing was played or changed in it since."""

from typing import TypeVar

from django.db import models, transaction

from games.errors import gettext_noop
from tracker.audit.queries.lookup import entries_mentioning
from tracker.common.actor import Actor
from tracker.common.audit_log import last_entry, log
from tracker.common.errors import Refused
from tracker.models import (
    Club,
    Hand,
    ImportedTable,
    Issue,
    LogEntry,
    Player,
    Report,
    Round,
    Seat,
    SeatingWish,
    Sitting,
    Team,
    Tournament,
)
from tracker.standings.queries.tournament_stages import event_of
from tracker.tables.locks import hold_tables_of

Row = TypeVar("Row", Player, Team)


@transaction.atomic
def undo_import(*, tournament_id: int, by: Actor) -> None:
    """Delete a tournament that came in a file, its stages, and the people that came with it alone.

    :raises Refused: ``import-unknown`` if it did not come in a file, or before that could be undone,
        ``import-used`` if something was played or changed in it since.
    """
    tournament = Tournament.objects.get(pk=tournament_id)
    Club.objects.select_for_update(no_key=True).get(pk=tournament.club_id)
    stages = [stage.pk for stage in event_of(tournament).stages]
    hold_tables_of(stages)
    entry = last_entry("tournament-imported", club_id=tournament.club_id, tournament=tournament_id)
    sittings = Sitting.objects.filter(round__tournament__in=stages)
    came = ImportedTable.objects.filter(sitting__in=sittings)
    if entry is None or (sittings.exists() and not came.exists()):
        raise Refused("import-unknown", gettext_noop("This import cannot be undone."))
    _refuse_used(entry, stages)
    for model in (Hand, Issue, Report, Seat):
        model._default_manager.filter(sitting__in=sittings).delete()  # noqa: SLF001
    for stage in reversed(stages):
        Tournament.objects.filter(pk=stage).delete()
    _without_others(Team.objects.filter(pk__in=entry.on.get("teams", ()))).delete()
    people = Player.objects.filter(pk__in=entry.on.get("players", ()), merged_into=None)
    unknown = people.filter(user=None, claimed_by=None)
    wished = SeatingWish.objects.exclude(other=None).values("other")
    _without_others(unknown.exclude(pk__in=wished)).delete()
    club_id = tournament.club_id
    log(by, "import-undone", club_id=club_id, tournament=tournament_id, undoes=entry)


def _refuse_used(entry: LogEntry, stages: list[int]) -> None:
    """Make sure that nothing was done since in what came in the file.

    :raises Refused: ``import-used``.
    """
    sittings = Sitting.objects.filter(round__tournament__in=stages)
    reports = Report.objects.filter(sitting__in=sittings)
    came = reports.filter(
        pk__lte=models.Subquery(
            ImportedTable.objects.filter(sitting=models.OuterRef("sitting")).values("last_report")
        )
    )
    named = {
        "tournament": stages,
        "round": Round.objects.filter(tournament__in=stages).values_list("pk", flat=True),
        "sitting": sittings.values_list("pk", flat=True),
    }
    acts = any(
        entries_mentioning(entry.club_id or 0, (name,), list(keys)).filter(pk__gt=entry.pk).exists()
        for name, keys in named.items()
    )
    if acts or reports.count() != came.count():
        raise Refused(
            "import-used",
            gettext_noop(
                "Something was played or changed in this tournament since it was imported,"
                " so the import cannot be undone."
            ),
        )


def _without_others(rows: models.QuerySet[Row]) -> models.QuerySet[Row]:
    """Keep the rows to which no other row refers."""
    for field in (related.field for related in rows.model._meta.related_objects):  # noqa: SLF001
        there = field.model._default_manager.filter(**{f"{field.name}__isnull": False})  # noqa: SLF001
        rows = rows.exclude(pk__in=there.values(field.name))
    return rows
