"""A table calls the organiser: one tap there, one tap at a desk, and it sees that somebody comes."""

import pytest
from django.test import Client
from django.urls import reverse

from tests import make
from tests.make import NOON
from tracker.common.errors import Refused
from tracker.models import CallReason, Issue, IssueKind, LogEntry, Role, Sitting, TokenState
from tracker.nights.services.closing import close_round, pending_tables
from tracker.results.services.calls import (
    MOST_CALLS,
    call_organiser,
    finish_call,
    take_call,
    withdraw_call,
)
from tracker.results.services.corrections import STRIKE, correct_sitting
from tracker.results.services.settling import IssueOutcome, settle

pytestmark = pytest.mark.django_db

WON = {"eaten": [70, 50]}


@pytest.fixture
def sitting() -> Sitting:
    return make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(hands=2))


@pytest.fixture
def organiser(client: Client, sitting: Sitting) -> Client:
    client.force_login(make.user(role=Role.ORGANISER, club=sitting.round.tournament.club))
    return client


def called(sitting: Sitting, note: str = "") -> Issue:
    return call_organiser(
        token=sitting.token, reason=CallReason.RULING, note=note, by=make.actor(device="phone")
    )


def status(client: Client, sitting: Sitting) -> str:
    """Return what the table reads when its page looks by itself."""
    return client.get(sitting.get_absolute_url()).text


def verbs() -> list[str]:
    return list(LogEntry.objects.order_by("pk").values_list("verb", flat=True))


# What is done --------------------------------------------------------------------------------


def test_a_call_is_taken_and_done(sitting: Sitting) -> None:
    call = called(sitting, "A card \x00 is  torn")

    take_call(call_id=call.pk, by=make.actor())
    take_call(call_id=call.pk, by=make.actor())
    done = finish_call(call_id=call.pk, by=make.actor())
    finish_call(call_id=call.pk, by=make.actor())

    assert (call.kind, call.reason, call.note) == (IssueKind.CALL, "ruling", "A card is torn")
    assert (done.taken_at, done.settled_at, done.outcome) == (NOON, NOON, "done")
    assert verbs() == ["organiser-called", "call-taken", "call-ended"]


def test_a_table_calls_once_at_a_time(sitting: Sitting) -> None:
    first, again = called(sitting), called(sitting)

    withdraw_call(token=sitting.token, by=make.actor())

    assert first == again
    assert withdraw_call(token=sitting.token, by=make.actor()) is None
    assert called(sitting) != first


def test_nobody_comes_to_a_table_that_needs_nobody(sitting: Sitting) -> None:
    call = called(sitting)
    withdraw_call(token=sitting.token, by=make.actor())

    with pytest.raises(Refused) as refusal:
        take_call(call_id=call.pk, by=make.actor())

    assert refusal.value.code == "call-over"
    call.refresh_from_db()
    assert (call.taken_at, call.outcome) == (None, "withdrawn")


def test_a_table_that_calls_and_calls_is_refused(sitting: Sitting) -> None:
    for _ in range(MOST_CALLS):
        called(sitting)
        withdraw_call(token=sitting.token, by=make.actor())

    with pytest.raises(Refused) as refusal:
        called(sitting)

    assert refusal.value.code == "too-many-calls"


@pytest.mark.parametrize(
    ("state", "code"),
    [(TokenState.CLOSED, "round-closed"), (TokenState.REVOKED, "token-revoked")],
)
def test_nobody_calls_from_a_table_that_plays_no_more(
    sitting: Sitting, state: TokenState, code: str
) -> None:
    Sitting.objects.update(token_state=state)

    with pytest.raises(Refused) as refusal:
        called(sitting)

    assert refusal.value.code == code


# What it leaves alone ------------------------------------------------------------------------


def test_a_call_holds_up_neither_hands_nor_the_end_of_the_round(sitting: Sitting) -> None:
    make.report(sitting, WON)
    called(sitting)

    answer = make.report(sitting, WON)
    waiting = pending_tables(sitting.round)
    closed = close_round(round_id=sitting.round_id, by=make.actor())

    assert (answer.verdict, waiting) == ("accepted", [])
    assert closed.published_standing is not None
    assert closed.published_standing["missing"] == []
    assert Issue.objects.get().settled_at is None  # they still want somebody


def test_a_call_is_not_settled_as_hands_are(sitting: Sitting) -> None:
    make.report(sitting, WON)
    call = called(sitting)
    Issue.objects.update(number=1)

    correct_sitting(sitting_id=sitting.pk, changes={1: STRIKE}, reason="Twice", by=make.actor())

    assert Issue.objects.get().settled_at is None
    with pytest.raises(Issue.DoesNotExist):
        settle(issue_id=call.pk, outcome=IssueOutcome.DISMISS, reason="", by=make.actor())


# Pages ---------------------------------------------------------------------------------------


def test_the_table_calls_by_one_tap_and_sees_who_comes(client: Client, sitting: Sitting) -> None:
    url = reverse("table-call", args=[sitting.token])
    before = client.get(sitting.get_absolute_url())

    page = client.post(url, {"reason": "cards", "note": "One is missing"}, follow=True)
    take_call(call_id=Issue.objects.get().pk, by=make.actor())
    coming = status(client, sitting)
    after = client.post(url, {}, follow=True)

    assert "Call the organiser" in before.text
    assert "The organiser has been called." not in before.text
    assert "The organiser has been called." in page.text
    assert "The cards – “One is missing”" in page.text
    assert "Somebody is coming." in coming
    assert "Somebody is coming." not in after.text
    assert Issue.objects.get().outcome == "withdrawn"


def test_a_table_with_nothing_left_to_play_may_call_too(client: Client, sitting: Sitting) -> None:
    for _ in range(2):
        make.report(sitting, WON)
    called(sitting)

    page = client.get(sitting.get_absolute_url())

    assert "Call the organiser" in page.text
    assert "The organiser has been called." in page.text


@pytest.mark.parametrize("place", ["desk", "night"])
def test_both_desks_answer_by_one_tap(organiser: Client, sitting: Sitting, place: str) -> None:
    night = make.night(sitting.round.tournament.club)
    sitting.round.night = night
    sitting.round.save()
    call = called(sitting, "Who leads?")
    desk = reverse("desk", args=[sitting.round.tournament_id])
    url = desk if place == "desk" else night.get_absolute_url()

    asked = organiser.get(url).text
    coming = organiser.post(url, {"do": "call-taken", "call": call.pk}, follow=True).text
    done = organiser.post(url, {"do": "call-done", "call": call.pk}, follow=True).text
    late = organiser.post(url, {"do": "call-taken", "call": call.pk}, follow=True).text

    assert "Table 1 calls you" in asked
    assert "A ruling – “Who leads?”" in asked
    assert "calls you" in asked[asked.index('class="tile') :]
    assert "somebody is on the way" in coming
    assert "On my way" not in coming
    assert "Table 1 calls you" not in done
    assert "Nobody is needed there any more." in late


def test_a_call_is_no_hand_to_settle(organiser: Client, sitting: Sitting) -> None:
    call = called(sitting)

    issue = organiser.get(reverse("issue", args=[call.pk]))
    official = organiser.get(reverse("official", args=[sitting.round.tournament_id]))

    assert issue.status_code == 404
    assert official.context["waiting"] == ()


def test_nobody_answers_for_another_club(organiser: Client, sitting: Sitting) -> None:
    call = called(make.sitting(at=make.tournament(club=make.club("Elsewhere"))))
    desk = reverse("desk", args=[sitting.round.tournament_id])

    organiser.post(desk, {"do": "call-done", "call": call.pk})

    call.refresh_from_db()
    assert call.settled_at is None
