"""Withdrawal of credits for rests, once it is known that the entrant played after all."""

from datetime import datetime

from django.db.models import F, QuerySet

from tracker.models import Award, AwardKind


def withdraw_rests(awards: QuerySet[Award], at: datetime) -> list[int]:
    """Withdraw second credits for one rest, and credits for rests in a round that was played.

    :returns: the keys of those that were withdrawn.
    """
    credited = awards.filter(kind=AwardKind.RESTING, round__isnull=False, withdrawn_at=None)
    gone = set(credited.filter(entrant__seats__round=F("round")).values_list("pk", flat=True))
    known: set[tuple[int | None, int | None, str]] = set()
    for award in credited.exclude(pk__in=gone).order_by("pk"):
        rest = award.entrant_id, award.round_id, award.reason
        if rest in known:
            gone.add(award.pk)
        known.add(rest)
    Award.objects.filter(pk__in=gone).update(withdrawn_at=at)
    return sorted(gone)
