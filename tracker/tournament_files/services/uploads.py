"""Uploaded tournament files, stored for the time of a preview, one for each user."""

from dataclasses import asdict
from datetime import timedelta

from django.db import transaction
from django.db.models import Q

from tracker.common.actor import Actor
from tracker.common.polite import at_normal_priority
from tracker.models import Upload
from tracker.tournament_files.services.importing import refuse_known
from tracker.tournament_files.services.trying import try_file

KEPT = timedelta(hours=1)


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
