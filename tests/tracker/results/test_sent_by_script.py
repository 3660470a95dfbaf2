"""What the script that sends a sheet is answered: the same as a person, in JSON."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import make
from tests.reading import shows
from tests.tracker.results.phones import Phone
from tracker.models import Hand, Issue, Report, Round, RoundState, Sitting, TokenState, Verdict
from tracker.results.services import submissions

pytestmark = pytest.mark.django_db
JSON = {"accept": "application/json"}


def counted(number: int, ours: object, theirs: object, **more: Any) -> dict[str, Any]:
    return {"entry": str(uuid4()), "number": number, "eaten_0": ours, "eaten_1": theirs, **more}


@pytest.fixture
def phone(table: Sitting) -> Phone:
    return Phone(table)


@pytest.fixture
def other(table: Sitting) -> Phone:
    return Phone(table)


def send(phone: Phone, sent: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    answer = phone.post(phone.path, sent, headers=JSON)
    return answer.status_code, answer.json()


def told(phone: Phone, sent: dict[str, Any]) -> tuple[int, str, Any]:
    """Return how it is answered: the status, what became of the sheet, and of which hand."""
    status, answer = send(phone, sent)
    return status, answer.get("verdict", answer["state"]), answer.get("number")


def close(**ago: float) -> None:
    Round.objects.update(state=RoundState.CLOSED, closed_at=timezone.now() - timedelta(**ago))


def test_a_hand_is_saved_once_and_its_page_named(phone: Phone) -> None:
    sent = counted(1, 70, 50)
    status, answer = send(phone, sent)
    page = f"{phone.path}?saved=1&as=accepted"
    saved = {"state": "saved", "verdict": "accepted", "number": 1, "page": page, "message": ""}
    assert (status, answer) == (200, saved)
    assert send(phone, sent) == send(phone, sent) == (status, answer)
    assert Hand.objects.count() == 1
    shows(phone.get(page), "Hand 1 saved: 70–50")


def test_the_dealer_is_the_tables_where_the_phone_could_not_know(phone: Phone) -> None:
    send(phone, counted(1, 70, 50, dealer="0", shown="0"))
    status, _ = send(phone, counted(2, 70, 50, dealer="", shown=""))
    assert status == 200
    assert Hand.objects.get(number=2).sheet["dealer"] == 2  # Juma, whose side won the first


def test_a_phone_that_speaks_for_a_side_goes_on_speaking_for_it(phone: Phone) -> None:
    send(phone, counted(1, 70, 50, side="1"))
    side = phone.cookies["kula_side"]
    assert (side.value, side["path"]) == ("1", phone.path)


def test_another_count_is_asked_about_and_the_answer_taken_in(phone: Phone, other: Phone) -> None:
    send(phone, counted(1, 70, 50))
    asked = send(other, counted(1, 64, 56))
    question = "Is this hand 1, or the next?"
    assert asked == (409, {"state": "ask", "number": 1, "message": question})
    assert Report.objects.count() == 1
    assert told(other, counted(1, 64, 56, is_next="no")) == (200, "conflicts", 1)
    assert told(Phone(phone.table), counted(1, 80, 40, is_next="yes")) == (200, "accepted", 2)


def test_another_phone_goes_on_by_the_card_and_sends_the_same(phone: Phone, other: Phone) -> None:
    """What waits on a phone that has died is written down again; when it wakes up, it agrees."""
    send(phone, counted(1, 70, 50))
    assert told(other, counted(1, 70, 50)) == (200, "agrees", 1)
    assert Hand.objects.count() == 1


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        (counted(1, 70, 48), "Is a Queen missing?"),
        (counted(1, "x", 50), "This must be a whole number."),
        ({"number": 1, "eaten_0": 70, "eaten_1": 50}, "This page has grown old"),
        (counted(1, 70, 50, how="park"), "Say who won, so that the deal can pass on."),
    ],
)
def test_refusal_says_why_and_stores_nothing(phone: Phone, sent: Any, sentence: str) -> None:
    status, answer = send(phone, sent)
    assert (status, answer["state"]) == (422, "refused")
    assert sentence in answer["message"]
    assert not Report.objects.exists()


def test_a_hand_that_runs_ahead_waits_on_the_phone(phone: Phone) -> None:
    status, answer = send(phone, counted(2, 70, 50))
    assert (status, answer["state"], answer["missing"]) == (425, "later", 1)
    assert answer["message"] == "Hand 1 has not arrived yet; this one stays on the phone."


def test_too_many_at_once_are_to_come_later(
    phone: Phone, other: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submissions, "MOST_A_MINUTE", 0)
    send(phone, counted(1, 70, 50))
    status, answer = send(other, counted(1, 50, 70, is_next="no"))
    assert (status, answer["state"]) == (429, "later")


def test_hand_of_the_number_taken_back_is_asked_about(phone: Phone, other: Phone) -> None:
    send(phone, counted(1, 50, 70))
    phone.takes_back(1)
    sent = counted(1, 70, 50)
    knows = {**sent, "undone": make.undone_report(phone.table)}
    assert told(other, sent) == (409, "ask", 1)
    assert told(other, {**knows, "is_next": "yes"}) == (425, "later", 2)  # it keeps it as that
    assert told(other, {**knows, "is_next": "no"}) == (200, "accepted", 1)


@pytest.mark.parametrize("ago", [timedelta(minutes=1), timedelta(hours=2)])
def test_what_was_typed_for_a_closed_round_is_late(phone: Phone, ago: timedelta) -> None:
    close(seconds=ago.total_seconds())
    make.round_of(phone.table.round.tournament)
    status, answer = send(phone, counted(1, 70, 50))
    assert (status, answer["verdict"]) == (200, "late")
    assert answer["message"] == "Hand 1: round 1 has closed. The organiser will see to it."
    assert Report.objects.get().verdict == Verdict.LATE
    assert Issue.objects.count() == 1
    shows(phone.get(answer["page"]), "rganiser")


def test_a_refusal_of_a_round_long_over_is_a_sentence_too(phone: Phone) -> None:
    close(hours=13)
    status, answer = send(phone, counted(1, "x", 50))
    assert (status, answer["state"]) == (422, "refused")
    assert "Tell the organiser what was played." in answer["message"]


def test_a_withdrawn_or_unknown_address_is_gone(phone: Phone) -> None:
    Sitting.objects.update(token_state=TokenState.REVOKED)
    gone = {"state": "gone", "message": "This address was withdrawn"}
    assert send(phone, counted(1, 70, 50)) == (410, gone)
    unknown = phone.post(reverse("table", args=["forged"]), {}, headers=JSON)
    assert (unknown.status_code, unknown.json()["state"]) == (404, "gone")


@pytest.mark.parametrize("accept", ["", "*/*", "text/html,application/xhtml+xml,*/*;q=0.8"])
def test_whoever_does_not_ask_for_json_is_shown_a_page(phone: Phone, accept: str) -> None:
    headers = {"accept": accept} if accept else {}
    assert phone.post(phone.path, counted(1, 70, 50), headers=headers).status_code == 303


@pytest.mark.parametrize("over", [False, True])
def test_a_look_at_the_page_gives_a_lost_token_back(table: Sitting, *, over: bool) -> None:
    if over:
        close(hours=13)
    client, path = Client(enforce_csrf_checks=True), table.get_absolute_url()
    sent = counted(1, 70, 50)
    refused = client.post(path, sent, headers=JSON)
    client.get(path)
    token = {"x-csrftoken": client.cookies["csrftoken"].value}
    taken = client.post(path, sent, headers=JSON | token)
    assert (refused.status_code, taken.status_code) == (403, 200)
