"""The log of acts is written, and stays written."""

import pytest
from django.db import IntegrityError, connection, transaction

from tests import make
from tracker.models import Act
from tracker.services.acts import record_act


@pytest.mark.django_db
def test_act_says_who_did_what_and_why() -> None:
    owner, club = make.user(), make.club()
    first = record_act(club_id=club.pk, verb="round-closed", on={"round": 3}, at=make.NOON)

    act = record_act(
        club_id=club.pk,
        verb="round-opened-again",
        on={"round": 3},
        numbers={"hands": 8},
        user_id=owner.pk,
        device="phone",
        reason="Table 2 was not done",
        at=make.NOON,
        undoes=first,
    )

    act.refresh_from_db()
    assert (act.club, act.user, act.device) == (club, owner, "phone")
    assert (act.verb, act.on, act.numbers) == ("round-opened-again", {"round": 3}, {"hands": 8})
    assert (act.reason, act.at, act.undoes) == ("Table 2 was not done", make.NOON, first)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "statement", ["UPDATE tracker_act SET verb = 'nothing'", "DELETE FROM tracker_act"]
)
def test_act_can_neither_be_changed_nor_removed(statement: str) -> None:
    record_act(club_id=None, verb="club-made", on={}, at=make.NOON)

    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)

    assert Act.objects.get().verb == "club-made"


@pytest.mark.django_db
def test_what_is_too_long_is_cut_and_not_refused() -> None:
    record_act(club_id=None, verb="x", on={}, device="d" * 41, reason="r" * 301, at=make.NOON)

    act = Act.objects.get()
    assert (len(act.device), len(act.reason)) == (40, 300)
