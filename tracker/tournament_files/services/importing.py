"""Import of a tournament file: tried, uploaded for a preview, and stored in one transaction."""

from dataclasses import asdict
from datetime import timedelta

from django.db import transaction
from django.db.models import Q

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.cpu_priority import at_normal_priority
from tracker.common.errors import Refused
from tracker.models import Club, Round, Tournament, Upload
from tracker.nights.services.closing import credit_rests
from tracker.tables.tallies import add_to_tallies
from tracker.tournament_files.logic.packing import Document
from tracker.tournament_files.logic.schema import Uid
from tracker.tournament_files.queries.look import Choices, chosen, people_of
from tracker.tournament_files.services.inserting import Insertion
from tracker.tournament_files.services.trying import rekey_sums, try_file

KEPT = timedelta(hours=1)  # an upload


class TournamentHereError(Refused):
    """A tournament of the file is on this site already: ``tournament``."""

    def __init__(self, tournament: Tournament) -> None:
        super().__init__(
            "tournament-here",
            gettext_noop("This tournament is here already, and nothing was taken in."),
            question="file",
        )
        self.tournament = tournament


def import_tournament(
    *,
    club_id: int,
    content: bytes,
    choices: Choices | None,
    by: Actor,
    accept_differences: bool = False,
) -> Tournament:
    """Take in the tournament in a file, with its stages, and return the first of them.

    *choices* say which player of the club somebody is, or ``None`` for a new one; whoever is called
    the same is the same unless they say otherwise. Without *choices* whoever is not here is new.
    Rounds that are still played come in as closed. What takes long is done before the transaction,
    which only writes.

    :raises Misfit: at the first thing in the file that cannot be so.
    :raises TournamentHereError: if it was taken in before, or never left.
    :raises Refused: ``standings-differ`` unless it is said to *accept_differences*, if there are
        any; and on the terms of ``chosen``.
    """
    trial = try_file(content, by=by)
    document = trial.document
    refuse_known(document)
    if trial.differences and not accept_differences:
        raise Refused(
            "standings-differ",
            gettext_noop("Please say that you have seen where the standings differ."),
            question="differences",
        )
    insertion = Insertion(document, by)

    @transaction.atomic
    def write() -> Tournament:
        # One at a time, so that two who press at once do not make the same people twice.
        club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
        refuse_known(document)
        people = people_of(club_id, document)
        everybody = {person.number: None for person in people if person.open}
        wanted = chosen(people, everybody if choices is None else choices)
        stages = list(insertion.take_in(club, people, wanted))
        for taken, tried, tallies in zip(stages, trial.stages, trial.tallies, strict=True):
            add_to_tallies(rekey_sums(tallies, tried, taken))
        for round_ in Round.objects.filter(pk__in=[pk for taken in stages for pk in taken.ended]):
            credit_rests(round_)
        log(
            by,
            "tournament-imported",
            club_id=club_id,
            tournament=stages[0].tournament.pk,
            players=insertion.made["players"],
            teams=insertion.made["teams"],
        )
        return stages[0].tournament

    return at_normal_priority(write)


def refuse_known(document: Document) -> None:
    """Make sure that no tournament of a file is here.

    :raises TournamentHereError: at the first that is.
    """
    uids = [Uid().load(stage["uid"], {}) for stage in document["stages"]]
    known = Tournament.objects.select_related("club").filter(uid__in=uids).order_by("pk").first()
    if known is not None:
        raise TournamentHereError(known)


# Uploads for a preview, one for each user ---------------------------------------------------------


def take_upload(*, club_id: int, content: bytes, by: Actor) -> Upload:
    """Keep a file that could be taken in, in the place of the one before.

    :raises RuleError: on the terms of ``try_file`` and ``refuse_known``.
    """
    trial = try_file(content, by=by)
    refuse_known(trial.document)

    @transaction.atomic
    def keep() -> Upload:
        forget_uploads(by)
        upload, _ = Upload.objects.update_or_create(
            user_id=by.signed_in(),
            defaults={
                "club_id": club_id,
                "content": content,
                "differences": [asdict(each) for each in trial.differences],
                "uploaded_at": by.at,
            },
        )
        return upload

    return at_normal_priority(keep)


def upload_of(*, club_id: int, by: Actor) -> Upload | None:
    """Return the upload of this user in this club from the last hour, if any."""
    uploads = Upload.objects.filter(user=by.signed_in(), club=club_id, uploaded_at__gt=by.at - KEPT)
    return uploads.first()


@transaction.atomic
def forget_uploads(by: Actor) -> None:
    """Delete the upload of this user, and all expired ones."""
    # By their keys, as two may do so at once.
    gone = Q(user=by.signed_in()) | Q(uploaded_at__lte=by.at - KEPT)
    rows = Upload.objects.select_for_update().filter(gone).order_by("pk")
    Upload.objects.filter(pk__in=list(rows.values_list("pk", flat=True))).delete()
