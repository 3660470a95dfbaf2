"""The log of acts is written, and stays written."""

import pytest
from django.db import IntegrityError, connection, transaction

from tests import make
from tracker.common.audit_log import log
from tracker.models import LogEntry


@pytest.mark.django_db
def test_log_entry_says_who_did_what_and_why() -> None:
    owner, club = make.user(), make.club()
    first = log(make.actor(), "round-closed", club_id=club.pk, round=3)

    log_entry = log(
        make.actor(owner, device="phone"),
        "round-opened-again",
        club_id=club.pk,
        numbers={"hands": 8},
        reason="Table 2 was not done",
        undoes=first,
        round=3,
    )

    log_entry.refresh_from_db()
    assert (log_entry.club, log_entry.user, log_entry.device) == (club, owner, "phone")
    assert (log_entry.verb, log_entry.on, log_entry.numbers) == (
        "round-opened-again",
        {"round": 3},
        {"hands": 8},
    )
    assert (log_entry.reason, log_entry.at, log_entry.undoes) == (
        "Table 2 was not done",
        make.NOON,
        first,
    )


@pytest.mark.django_db
@pytest.mark.parametrize(
    "statement", ["UPDATE tracker_logentry SET verb = 'nothing'", "DELETE FROM tracker_logentry"]
)
def test_log_entry_can_neither_be_changed_nor_removed(statement: str) -> None:
    log(make.actor(), "club-made", club_id=None)

    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)

    assert LogEntry.objects.get().verb == "club-made"


@pytest.mark.django_db
def test_what_is_too_long_is_cut_and_not_refused() -> None:
    log(make.actor(device="d" * 41), "x", club_id=None, reason="r" * 301)

    log_entry = LogEntry.objects.get()
    assert (len(log_entry.device), len(log_entry.reason)) == (40, 300)
