"""Undo of an import."""

from typing import TypeVar

from django.db import models, transaction
from django.db.models import OuterRef, Subquery

from games.errors import gettext_noop
from tracker.audit.queries.lookup import mentions
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
    """Delete an imported tournament, its stages, and the new players and teams that are not used.

    :raises Refused: ``import-unknown`` if it was not imported, or imported by a version of Kula
        without undo; ``import-used`` if something was played or changed in it since.
    """
    tournament = Tournament.objects.get(pk=tournament_id)
    Club.objects.select_for_update(no_key=True).get(pk=tournament.club_id)
    stages = [stage.pk for stage in event_of(tournament).stages]
    hold_tables_of(stages)  # so that no report comes meanwhile
    entry = last_entry("tournament-imported", club_id=tournament.club_id, tournament=tournament_id)
    sittings = Sitting.objects.filter(round__tournament__in=stages)
    imported = ImportedTable.objects.filter(sitting__in=sittings)
    if entry is None or (sittings.exists() and not imported.exists()):
        raise Refused("import-unknown", gettext_noop("This import cannot be undone."))
    _refuse_used(entry, stages)
    for model in (Hand, Issue, Report, Seat):  # hands and issues refer to reports
        model._default_manager.filter(sitting__in=sittings).delete()  # noqa: SLF001
    for stage in reversed(stages):  # each refers to the one before it
        Tournament.objects.filter(pk=stage).delete()
    _unreferenced(Team.objects.filter(pk__in=entry.on.get("teams", ()))).delete()
    people = Player.objects.filter(pk__in=entry.on.get("players", ()), merged_into=None)
    unclaimed = people.filter(user=None, claimed_by=None)
    # ``_unreferenced`` does not see the foreign key ``other``: its ``related_name`` is "+".
    in_wishes = SeatingWish.objects.exclude(other=None).values("other")
    _unreferenced(unclaimed.exclude(pk__in=in_wishes)).delete()
    log(by, "import-undone", club_id=entry.club_id, tournament=tournament_id, undoes=entry)


def _refuse_used(entry: LogEntry, stages: list[int]) -> None:
    """Refuse the undo if something was played or changed since the import, which *entry* logged."""
    sittings = Sitting.objects.filter(round__tournament__in=stages)
    reports = Report.objects.filter(sitting__in=sittings)
    same_table = ImportedTable.objects.filter(sitting=OuterRef("sitting"))
    from_file = reports.filter(pk__lte=Subquery(same_table.values("last_report")))
    keys_by_kind = {
        "tournament": stages,
        "round": Round.objects.filter(tournament__in=stages).values_list("pk", flat=True),
        "sitting": sittings.values_list("pk", flat=True),
    }
    later = LogEntry.objects.filter(club=entry.club_id or 0, pk__gt=entry.pk)
    changed = any(
        later.filter(mentions((kind,), list(keys))).exists() for kind, keys in keys_by_kind.items()
    )
    if changed or reports.count() != from_file.count():  # the others were sent to this site
        text = gettext_noop(
            "Something was played or changed in this tournament since it was imported,"
            " so the import cannot be undone."
        )
        raise Refused("import-used", text)


def _unreferenced(rows: models.QuerySet[Row]) -> models.QuerySet[Row]:
    """Return the rows to which no other row refers."""
    for field in (related.field for related in rows.model._meta.related_objects):  # noqa: SLF001
        referring = field.model._default_manager.filter(**{f"{field.name}__isnull": False})  # noqa: SLF001
        rows = rows.exclude(pk__in=referring.values(field.name))
    return rows
