"""Reports of programs are those of phones: the same answers, the same refusals, one hand each."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from tests import act, make
from tests.api_client import Kula, Problem
from tests.tracker.api.programs import program
from tracker.models import ApiToken, Club, Hand, Issue, LogEntry, Report, Role, Sitting, TokenScope
from tracker.results.services.table_actions import take_back

pytestmark = pytest.mark.django_db
SHEET = {"eaten": [70, 50]}


@pytest.fixture
def sitting(club: Club) -> Sitting:
    tournament = make.tournament(club=club, hands=4)
    return make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament)


@pytest.fixture
def kula(club: Club) -> Kula:
    return program(club, TokenScope.REPORT)


def refusal(kula: Kula, table: int, number: int, sheet: dict[str, Any], **more: Any) -> Problem:
    """Report a hand that is refused, and return the refusal; only what is kept changes a row."""
    before = rows()
    with pytest.raises(Problem) as refused:
        kula.report(table, number, sheet, **more)
    assert refused.value.problem["status"] == refused.value.status
    assert (rows() == before) is not refused.value.problem.get("kept", False)
    return refused.value


def rows() -> list[object]:
    return [[*model.objects.order_by("pk").values()] for model in (Report, Hand, Issue, LogEntry)]


def test_a_report_sent_again_is_answered_as_at_first(kula: Kula, sitting: Sitting) -> None:
    entry = str(uuid4())

    first = kula.report(sitting.pk, 1, SHEET, entry)
    kula.report(sitting.pk, 2, {"eaten": [60, 60]})
    again = kula.report(sitting.pk, 1, SHEET, entry)

    assert first == again
    assert first == {"verdict": "accepted", "number": 1, "next_dealer": 2, "may_deal": [0, 2], "over": False}  # fmt: skip
    assert Hand.objects.count() == 2
    report = Report.objects.get(entry=entry)
    assert report.sent_by is not None
    assert report.device.startswith("token-")


@pytest.mark.parametrize(
    ("number", "sheet", "said"),
    [
        (1, {"eaten": [70, 51]}, {"status": 422, "code": "total", "question": "eaten"}),
        (1, {"eaten": [70]}, {"status": 422, "question": "eaten"}),
        (1, {}, {"status": 422, "question": "eaten"}),
        (3, SHEET, {"status": 425, "code": "hand-missing", "number": 1}),
        (1000, SHEET, {"status": 422, "code": "invalid", "question": "number"}),
        (1, {"eaten": [70, 5.5]}, {"status": 422, "code": "invalid", "question": "sheet.eaten"}),
        (1, {"eaten": "\x00"}, {"status": 422, "code": "invalid", "question": "sheet.eaten"}),
        (1, {"eaten": {"side": 70}}, {"status": 422, "code": "invalid", "question": "sheet.eaten"}),
    ],
)
def test_a_sheet_that_cannot_be_is_refused_with_the_sentence_of_the_rules(
    kula: Kula, sitting: Sitting, number: int, sheet: dict[str, Any], said: dict[str, Any]
) -> None:
    refused = refusal(kula, sitting.pk, number, sheet)

    assert refused.problem.items() >= said.items()
    assert refused.problem["detail"][-1] in ".?!"


def test_another_count_is_asked_about_and_then_kept_beside_the_first(
    kula: Kula, sitting: Sitting
) -> None:
    make.report(sitting, SHEET, device="a phone")
    other = {"eaten": [50, 70]}

    asked = refusal(kula, sitting.pk, 1, other)
    kept = refusal(kula, sitting.pk, 1, other, is_next=False)
    agreed = kula.report(sitting.pk, 1, SHEET)
    following = kula.report(sitting.pk, 1, other, is_next=True)

    assert (asked.status, asked.code) == (409, "which-hand")
    assert asked.problem["detail"] == "Is this hand 1, or the next?"
    assert (kept.status, kept.code, kept.problem["number"]) == (409, "conflicts", 1)
    assert (agreed["verdict"], following["verdict"], following["number"]) == ("agrees", "accepted", 2)  # fmt: skip
    assert Hand.objects.get(number=1).sheet["eaten"] == [70, 50]


def test_after_the_table_undid_a_hand_a_program_that_has_seen_it_goes_on(
    kula: Kula, sitting: Sitting
) -> None:
    for number in (1, 2):
        kula.report(sitting.pk, number, SHEET)
    by = make.actor(device=Report.objects.latest("pk").device, at=timezone.now())
    take_back(token=sitting.token, number=2, by=by)

    asked = refusal(kula, sitting.pk, 2, SHEET)
    undone = kula.get(f"/tables/{sitting.pk}")["undone_report"]
    again = kula.report(sitting.pk, 2, {"eaten": [60, 60]}, undone=undone)

    assert asked.code == "which-hand"
    assert (again["verdict"], again["number"]) == ("accepted", 2)
    assert Hand.objects.get(number=2).sheet["eaten"] == [60, 60]


def test_no_phone_passes_for_a_program(kula: Kula, sitting: Sitting) -> None:
    kula.report(sitting.pk, 1, SHEET)
    token = ApiToken.objects.get()
    phone = Client()
    for name in (f"token-{token.pk}", "token-", ""):
        phone.cookies["kula_device"] = name
        sheet = {"number": 1, "eaten_0": 10, "eaten_1": 110, "how": "save", "is_next": "0"}
        phone.post(sitting.get_absolute_url(), {**sheet, "entry": str(uuid4())})

    assert Hand.objects.get().sheet["eaten"] == [70, 50]


def test_a_long_body_is_refused_before_it_is_read(kula: Kula, sitting: Sitting) -> None:
    long = {"eaten": [70, 50], **dict.fromkeys(map(str, range(10_000)), 1.5)}

    assert refusal(kula, sitting.pk, 1, long).status == 413


def test_what_comes_after_the_round_has_closed_is_kept_for_the_organiser(
    kula: Kula, sitting: Sitting
) -> None:
    act.close(sitting.round, anyway=True)

    late = refusal(kula, sitting.pk, 1, SHEET)

    assert (late.status, late.code) == (409, "late")
    assert late.problem["detail"] == "Hand 1 came late: it is with the organiser"
    assert not Hand.objects.exists()


def test_a_round_that_is_full_takes_no_more(kula: Kula, sitting: Sitting) -> None:
    for number in range(1, 5):
        kula.report(sitting.pk, number, SHEET)

    full = refusal(kula, sitting.pk, 5, SHEET)

    assert (full.status, full.code) == (409, "round-full")


def test_a_count_that_does_not_add_up_can_be_left_to_the_organiser(
    kula: Kula, sitting: Sitting
) -> None:
    parked = kula.report(sitting.pk, 1, {"eaten": [70, 51], "bare": 0}, parked=True)

    assert parked["verdict"] == "parked"
    assert kula.get(f"/tables/{sitting.pk}")["to_do"]["issues"] == 1


def test_a_table_whose_address_was_withdrawn_or_whose_round_was_undone_is_gone(
    kula: Kula, sitting: Sitting
) -> None:
    sitting.token_state = "revoked"
    sitting.save()

    assert refusal(kula, sitting.pk, 1, SHEET).status == 404


def test_a_browser_that_is_signed_in_may_not_write_without_a_token(
    club: Club, sitting: Sitting
) -> None:
    browser = Client()
    browser.force_login(make.user(role=Role.OWNER, club=club))

    answer = browser.post(
        f"/api/v1/tables/{sitting.pk}/hands",
        {"entry": str(uuid4()), "number": 1, "sheet": SHEET},
        "application/json",
    )

    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")
    assert answer["Content-Type"] == "application/problem+json"
    assert not Report.objects.exists()


def test_what_is_no_json_is_refused_in_a_sentence(kula: Kula, sitting: Sitting) -> None:
    status, headers, body = kula.send(
        "POST",
        f"/api/v1/tables/{sitting.pk}/hands",
        {"Authorization": f"Bearer {kula.token}"},
        b"{",
    )

    assert (status, headers["Content-Type"]) == (400, "application/problem+json")
    assert b"not valid JSON" in body
