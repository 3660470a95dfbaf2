"""The log of acts is written and stays written, and an act has somebody who is signed in."""

from datetime import UTC, datetime

import pytest

from tests import make
from tracker.common.actor import Actor
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
def test_what_is_too_long_is_cut_and_not_refused() -> None:
    log(make.actor(device="d" * 41), "x", club_id=None, reason="r" * 301)

    log_entry = LogEntry.objects.get()
    assert (len(log_entry.device), len(log_entry.reason)) == (40, 300)


# Actor: what asks for somebody signed in refuses whoever is not -----------------------------


AT = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)


def test_who_is_signed_in_is_named() -> None:
    assert Actor(at=AT, user_id=7).signed_in() == 7


def test_nobody_signed_in_is_refused() -> None:
    with pytest.raises(ValueError, match="signed in"):
        Actor(at=AT).signed_in()
