"""A table calls the organiser: one tap there, one tap at a desk, and it sees that somebody comes."""

import pytest
from django.test import Client
from django.urls import reverse

from tests import act, make
from tests.make import NOON
from tests.reading import shows
from tracker.models import CallReason, Issue, IssueKind, LogEntry, Sitting, TokenState
from tracker.nights.services.closing import pending_tables
from tracker.results.services.calls import (
    MOST_CALLS,
    call_organiser,
    finish_call,
    take_call,
    withdraw_call,
)
from tracker.results.services.corrections import STRIKE

pytestmark = pytest.mark.django_db
WON = {"eaten": [70, 50]}


@pytest.fixture
def table() -> Sitting:
    return make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(hands=2))


def called(table: Sitting, note: str = "") -> Issue:
    by = make.actor(device="phone")
    return call_organiser(token=table.token, reason=CallReason.RULING, note=note, by=by)


def withdrawn(table: Sitting) -> Issue | None:
    return withdraw_call(token=table.token, by=make.actor())


def test_a_call_is_taken_and_done(table: Sitting) -> None:
    call = called(table, "A card \x00 is  torn")
    for answer in (take_call, take_call, finish_call, finish_call):
        done = answer(call_id=call.pk, by=make.actor())
    assert (call.kind, call.reason, call.note) == (IssueKind.CALL, "ruling", "A card is torn")
    assert (done.taken_at, done.settled_at, done.outcome) == (NOON, NOON, "done")
    verbs = LogEntry.objects.order_by("pk").values_list("verb", flat=True)
    assert [*verbs] == ["organiser-called", "call-taken", "call-ended"]


def test_a_table_calls_once_at_a_time(table: Sitting) -> None:
    first, again = called(table), called(table)
    assert withdrawn(table) == first == again
    assert withdrawn(table) is None
    assert called(table) != first


def test_nobody_comes_to_a_table_that_needs_nobody(table: Sitting) -> None:
    call = called(table)
    withdrawn(table)
    with act.refused("call-over"):
        take_call(call_id=call.pk, by=make.actor())
    call.refresh_from_db()
    assert (call.taken_at, call.outcome) == (None, "withdrawn")


def test_who_may_not_call_is_refused(table: Sitting) -> None:
    for _ in range(MOST_CALLS):
        called(table)
        withdrawn(table)
    for state, code in (
        (TokenState.OPEN, "too-many-calls"),
        (TokenState.CLOSED, "round-closed"),
        (TokenState.REVOKED, "token-revoked"),
    ):
        Sitting.objects.update(token_state=state)
        with act.refused(code):
            called(table)


def test_a_call_holds_up_neither_hands_nor_the_end_of_the_round(table: Sitting) -> None:
    make.report(table, WON)
    called(table)
    assert make.report(table, WON).verdict == "accepted"
    assert pending_tables(table.round) == []
    standing = act.close(table.round).published_standing
    assert standing is not None
    assert standing["missing"] == []
    assert Issue.objects.get().settled_at is None  # they still want somebody


def test_a_call_is_not_settled_as_hands_are(organiser: Client, table: Sitting) -> None:
    make.report(table, WON)
    call = called(table)
    Issue.objects.update(number=1)
    act.correct(table, {1: STRIKE})
    assert Issue.objects.get().settled_at is None
    with pytest.raises(Issue.DoesNotExist):
        act.settle("dismiss", call)
    assert organiser.get(reverse("issue", args=[call.pk])).status_code == 404
    official = organiser.get(reverse("official", args=[table.round.tournament_id]))
    assert official.context["waiting"] == ()


# Pages ---------------------------------------------------------------------------------------


def test_the_table_calls_by_one_tap_and_sees_who_comes(client: Client, table: Sitting) -> None:
    url = reverse("table-call", args=[table.token])
    before = client.get(table.get_absolute_url())
    page = client.post(url, {"reason": "cards", "note": "One is missing"}, follow=True)
    take_call(call_id=Issue.objects.get().pk, by=make.actor())
    coming = client.get(table.get_absolute_url())
    after = client.post(url, {}, follow=True)

    assert "Call the organiser" in before.text
    assert "The organiser has been called." not in before.text
    shows(page, "The organiser has been called.", "The cards – “One is missing”")
    assert "Somebody is coming." in coming.text
    assert "Somebody is coming." not in after.text
    assert Issue.objects.get().outcome == "withdrawn"


def test_a_table_with_nothing_left_to_play_may_call_too(client: Client, table: Sitting) -> None:
    for _ in range(2):
        make.report(table, WON)
    called(table)
    page = client.get(table.get_absolute_url())
    shows(page, "Call the organiser", "The organiser has been called.")


@pytest.mark.parametrize("place", ["desk", "night"])
def test_both_desks_answer_by_one_tap(organiser: Client, table: Sitting, place: str) -> None:
    night = make.night(table.round.tournament.club)
    table.round.night = night
    table.round.save()
    call = called(table, "Who leads?")
    desk = reverse("desk", args=[table.round.tournament_id])
    url = desk if place == "desk" else night.get_absolute_url()

    def says(do: str) -> str:
        return organiser.post(url, {"do": do, "call": call.pk}, follow=True).text

    asked = organiser.get(url).text
    coming, done, late = says("call-taken"), says("call-done"), says("call-taken")

    shows(asked, "Table 1 calls you", "A ruling – “Who leads?”")
    assert "calls you" in asked[asked.index('class="tile') :]
    assert "somebody is on the way" in coming
    assert "On my way" not in coming
    assert "Table 1 calls you" not in done
    assert "Nobody is needed there any more." in late


def test_nobody_answers_for_another_club(organiser: Client, table: Sitting) -> None:
    call = called(make.sitting(at=make.tournament(club=make.club("Elsewhere"))))
    desk = reverse("desk", args=[table.round.tournament_id])
    organiser.post(desk, {"do": "call-done", "call": call.pk})
    call.refresh_from_db()
    assert call.settled_at is None
