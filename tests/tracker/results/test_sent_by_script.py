"""What the script that sends a sheet is answered: the same as a person, in JSON."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import make
from tracker.models import Hand, Issue, Report, Round, RoundState, Sitting, TokenState, Verdict
from tracker.results.services import submissions

pytestmark = pytest.mark.django_db
PEOPLE = ("Asha", "Neema", "Juma", "Baraka")


@pytest.fixture
def table() -> Sitting:
    return make.sitting(*PEOPLE, at=make.tournament(hands=8), number=3)


def address(sitting: Sitting) -> str:
    return reverse("table", args=[sitting.token])


def counted(number: int, ours: object, theirs: object, **more: Any) -> dict[str, Any]:
    return {"entry": str(uuid4()), "number": number, "eaten_0": ours, "eaten_1": theirs, **more}


def phone(name: str = "") -> Client:
    client = Client()
    client.cookies["kula_device"] = name or f"phone-{uuid4().hex[:8]}"
    return client


def send(client: Client, sitting: Sitting, sent: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    answer = client.post(address(sitting), sent, headers={"accept": "application/json"})
    return answer.status_code, answer.json()


def test_a_hand_is_saved_and_its_page_named(table: Sitting) -> None:
    answer = send(phone(), table, counted(1, 70, 50))

    assert answer == (
        200,
        {
            "state": "saved",
            "verdict": "accepted",
            "number": 1,
            "page": f"{address(table)}?saved=1&as=accepted",
            "message": "",
        },
    )


def test_its_page_says_what_it_says_to_who_came_by_the_form(table: Sitting) -> None:
    client = phone()

    _, answer = send(client, table, counted(1, 70, 50))

    assert "Hand 1 saved: 70–50" in client.get(answer["page"]).text


def test_a_repeat_is_answered_as_the_first_time(table: Sitting) -> None:
    client, sent = phone(), counted(1, 70, 50)

    answers = [send(client, table, sent) for _ in range(3)]

    assert answers[0] == answers[1] == answers[2]
    assert Hand.objects.count() == 1


def test_the_dealer_is_the_tables_where_the_phone_could_not_know(table: Sitting) -> None:
    client = phone()
    send(client, table, counted(1, 70, 50, dealer="0", shown="0"))

    status, _ = send(client, table, counted(2, 70, 50, dealer="", shown=""))

    table.refresh_from_db()
    assert status == 200
    assert Hand.objects.get(number=2).sheet["dealer"] == 2  # Juma, whose side won the first


def test_a_phone_that_speaks_for_a_side_goes_on_speaking_for_it(table: Sitting) -> None:
    client = phone()

    send(client, table, counted(1, 70, 50, side="1"))

    assert client.cookies["kula_side"].value == "1"
    assert client.cookies["kula_side"]["path"] == address(table)


def test_another_count_is_asked_about(table: Sitting) -> None:
    send(phone(), table, counted(1, 70, 50))

    answer = send(phone(), table, counted(1, 64, 56))

    assert answer == (
        409,
        {"state": "ask", "number": 1, "message": "Is this hand 1, or the next?"},
    )
    assert Report.objects.count() == 1


@pytest.mark.parametrize(
    ("is_next", "verdict", "number"), [("yes", "accepted", 2), ("no", "conflicts", 1)]
)
def test_the_answer_to_that_is_taken_in(
    table: Sitting, is_next: str, verdict: str, number: int
) -> None:
    send(phone(), table, counted(1, 70, 50))

    status, answer = send(phone(), table, counted(1, 64, 56, is_next=is_next))

    assert (status, answer["verdict"], answer["number"]) == (200, verdict, number)


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        (counted(1, 70, 48), "Is a Queen missing?"),
        (counted(1, "x", 50), "This must be a whole number."),
        ({"number": 1, "eaten_0": 70, "eaten_1": 50}, "This page has grown old"),
        (counted(1, 70, 50, how="park"), "Say who won, so that the deal can pass on."),
    ],
)
def test_a_refusal_says_why_and_stores_nothing(
    table: Sitting, sent: dict[str, Any], sentence: str
) -> None:
    status, answer = send(phone(), table, sent)

    assert (status, answer["state"]) == (422, "refused")
    assert sentence in answer["message"]
    assert Report.objects.count() == 0


def test_a_hand_that_runs_ahead_waits_on_the_phone(table: Sitting) -> None:
    status, answer = send(phone(), table, counted(2, 70, 50))

    assert (status, answer["state"]) == (425, "later")
    assert answer["message"] == "Hand 1 has not arrived yet; this one stays on the phone."
    assert answer["missing"] == 1


def test_too_many_at_once_are_to_come_later(
    table: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submissions, "MOST_A_MINUTE", 0)
    send(phone(), table, counted(1, 70, 50))

    status, answer = send(phone(), table, counted(1, 50, 70, is_next="no"))

    assert (status, answer["state"]) == (429, "later")


def test_hand_of_the_number_taken_back_is_asked_about(table: Sitting) -> None:
    first, sent = phone(), counted(1, 70, 50)
    send(first, table, counted(1, 50, 70))
    first.post(reverse("table-take-back", args=[table.token, 1]))

    client, undone = phone(), {"undone": make.undone_report(table)}
    answers = [
        send(client, table, {**sent, **more})
        for more in ({}, {"is_next": "yes", **undone}, {"is_next": "no", **undone})
    ]

    assert [(status, answer["state"], answer["number"]) for status, answer in answers] == [
        (409, "ask", 1),
        (425, "later", 2),  # the phone keeps it as that
        (200, "saved", 1),
    ]


@pytest.mark.parametrize("ago", [timedelta(minutes=1), timedelta(hours=2)])
def test_what_was_typed_for_a_closed_round_goes_in_as_late_and_says_so(
    table: Sitting, ago: timedelta
) -> None:
    Round.objects.update(state=RoundState.CLOSED, closed_at=timezone.now() - ago)
    make.round_of(table.round.tournament)
    client = phone()

    status, answer = send(client, table, counted(1, 70, 50))
    page = client.get(answer["page"])

    assert (status, answer["verdict"]) == (200, "late")
    assert answer["message"] == "Hand 1: round 1 has closed. The organiser will see to it."
    assert Report.objects.get().verdict == Verdict.LATE
    assert Issue.objects.count() == 1
    assert "rganiser" in page.text


def test_a_refusal_of_a_round_long_over_is_a_sentence_too(table: Sitting) -> None:
    Round.objects.update(state=RoundState.CLOSED, closed_at=timezone.now() - timedelta(hours=13))

    status, answer = send(phone(), table, counted(1, "x", 50))

    assert (status, answer["state"]) == (422, "refused")
    assert "Tell the organiser what was played." in answer["message"]


def test_a_withdrawn_address_is_gone(table: Sitting) -> None:
    table.token_state = TokenState.REVOKED
    table.save()

    answer = send(phone(), table, counted(1, 70, 50))

    assert answer == (410, {"state": "gone", "message": "This address was withdrawn"})


def test_an_unknown_address_is_unknown() -> None:
    answer = phone().post(
        reverse("table", args=["forged"]), {}, headers={"accept": "application/json"}
    )

    assert (answer.status_code, answer.json()["state"]) == (404, "gone")


@pytest.mark.parametrize("accept", ["", "*/*", "text/html,application/xhtml+xml,*/*;q=0.8"])
def test_whoever_does_not_ask_for_json_is_shown_a_page(table: Sitting, accept: str) -> None:
    headers = {"accept": accept} if accept else {}

    answer = phone().post(address(table), counted(1, 70, 50), headers=headers)

    assert answer.status_code == 303


@pytest.mark.parametrize("over", [False, True])
def test_a_look_at_the_page_gives_the_token_back_that_a_phone_has_lost(
    table: Sitting, *, over: bool
) -> None:
    if over:
        long_ago = timezone.now() - timedelta(hours=13)
        Round.objects.update(state=RoundState.CLOSED, closed_at=long_ago)
    client = Client(enforce_csrf_checks=True)
    sent = counted(1, 70, 50)
    refused = client.post(address(table), sent, headers={"accept": "application/json"})

    client.get(address(table))
    token = client.cookies["csrftoken"].value
    taken = client.post(
        address(table), sent, headers={"accept": "application/json", "x-csrftoken": token}
    )

    assert (refused.status_code, taken.status_code) == (403, 200)


def test_another_phone_goes_on_by_the_card_and_sends_the_same(table: Sitting) -> None:
    """What waits on a phone that has died is written down again; when it wakes up, it agrees."""
    send(phone(), table, counted(1, 70, 50))

    status, answer = send(phone(), table, counted(1, 70, 50))

    assert (status, answer["verdict"]) == (200, "agrees")
    assert Hand.objects.count() == 1
