"""Import of a tournament file in one transaction, uploads for its preview, and its undo."""

from datetime import timedelta
from typing import TypeVar

from django.db import models, transaction
from django.db.models import OuterRef, Q, Subquery

from games.errors import gettext_noop
from tracker.audit.queries.lookup import mentions
from tracker.common.actor import Actor
from tracker.common.audit_log import last_entry, log
from tracker.common.cpu_priority import at_normal_priority
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
    Upload,
)
from tracker.nights.services.closing import credit_rests
from tracker.standings.queries.tournament_stages import event_of
from tracker.tables.locks import hold_tables_of
from tracker.tables.tallies import add_to_tallies
from tracker.tournament_files.logic.format import Document
from tracker.tournament_files.logic.packing import unpack
from tracker.tournament_files.logic.reading import read_document
from tracker.tournament_files.queries.matches import Choices, matches_of
from tracker.tournament_files.services.insertion import Insertion, keys_needed, reserve_keys
from tracker.tournament_files.services.trial import try_file, try_insertion

Row = TypeVar("Row", Player, Team)
UPLOAD_LASTS = timedelta(hours=1)  # then a file that was not imported expires


class TournamentHereError(Refused):
    """A tournament of the file is on this site already: ``tournament``."""

    def __init__(self, tournament: Tournament) -> None:
        text = gettext_noop("This tournament is here already, and nothing was taken in.")
        super().__init__("tournament-here", text, question="file")
        self.tournament = tournament


def import_tournament(
    *,
    club_id: int,
    content: bytes,
    choices: Choices | None,
    by: Actor,
    accept_differences: bool = False,
) -> Tournament:
    """Import the tournament in a file with its stages, and return the first stage.

    *choices* maps people in the file to players of the club. A person without a choice becomes the
    player of the same name, or a new player. Only where no name is the same but some are similar, a
    choice is required, unless *choices* is ``None``: then such people become new players. Open
    rounds are imported as closed. The slow work is done before the transaction, which only writes.

    :raises InvalidFileError: at the first invalid value in the file.
    :raises TournamentHereError: if a tournament of the file is on this site already.
    :raises Refused: ``standings-differ`` if standings differ, unless *accept_differences*; and for
        the reasons of ``matches_of``.
    """
    file = unpack(content)
    with file.checking():
        document = read_document(file.document, by.at)
        refuse_known(document)
        matches = matches_of(club_id, document, choices)
        keys = at_normal_priority(lambda: reserve_keys(keys_needed(document)))
        insertion = Insertion(document, matches, keys, club_id=club_id, by=by)
        trial = try_insertion(insertion)
    if trial.differences and not accept_differences:
        text = gettext_noop("Please say that you have seen where the standings differ.")
        raise Refused("standings-differ", text, question="differences")
    insertion.convert()

    @transaction.atomic
    def write() -> Tournament:
        # The club is locked, so that two imports at once do not add the same people twice.
        Club.objects.select_for_update(no_key=True).get(pk=club_id)
        refuse_known(document)  # again: it may have been imported since
        stored, matches_now = insertion, matches_of(club_id, document, choices)
        if matches_now != matches:  # the club's players were changed since
            stored = Insertion(document, matches_now, keys, club_id=club_id, by=by)
            stored.convert()
        stored.insert()
        add_to_tallies(trial.tallies)
        # Closing a round gives points for its rests: so do the rounds that the import closed.
        for round_ in Round.objects.filter(pk__in=stored.closed):
            credit_rests(round_)
        first = stored.stages[0]
        made = {"players": stored.made(Player), "teams": stored.made(Team)}  # for the undo
        log(by, "tournament-imported", club_id=club_id, tournament=first, **made)  # type: ignore[arg-type]
        return Tournament.objects.get(pk=first)

    return at_normal_priority(write)


def refuse_known(document: Document) -> None:
    """Raise ``TournamentHereError`` if a tournament of the file is on this site already."""
    uids = [stage.uid for stage in document.stages]
    known = Tournament.objects.select_related("club").filter(uid__in=uids).order_by("pk").first()
    if known is not None:
        raise TournamentHereError(known)


# Uploads for a preview, one for each user ---------------------------------------------------------


def store_upload(*, club_id: int, content: bytes, by: Actor) -> None:
    """Store a file that could be imported, in place of the user's last upload.

    :raises RuleError: for the reasons of ``try_file`` and ``refuse_known``.
    """
    trial = try_file(content, by=by)
    refuse_known(trial.document)

    @transaction.atomic
    def write() -> None:
        forget_uploads(by)
        Upload.objects.update_or_create(
            user_id=by.signed_in(),
            defaults={
                "club_id": club_id,
                "content": content,
                "differences": trial.differences,
                "uploaded_at": by.at,
            },
        )

    at_normal_priority(write)


def upload_of(*, club_id: int, by: Actor) -> Upload | None:
    """Return the upload of this user in this club from the last hour, if any."""
    recent = Upload.objects.filter(uploaded_at__gt=by.at - UPLOAD_LASTS)
    return recent.filter(user=by.signed_in(), club=club_id).first()


@transaction.atomic
def forget_uploads(by: Actor) -> None:
    """Delete the upload of this user, and all expired uploads."""
    # Rows are locked in one order before they are deleted, so that two requests cannot deadlock.
    to_forget = Q(user=by.signed_in()) | Q(uploaded_at__lte=by.at - UPLOAD_LASTS)
    rows = Upload.objects.select_for_update().filter(to_forget).order_by("pk")
    Upload.objects.filter(pk__in=list(rows.values_list("pk", flat=True))).delete()


# Undo ---------------------------------------------------------------------------------------------


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
