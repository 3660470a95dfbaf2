"""Two phones of a table press at the same moment: both are heard, one after the other."""

from collections.abc import Callable

import pytest

from tests import make
from tests.meeting import Meeting
from tracker.common.errors import Refused
from tracker.models import Confirm, Hand, LogEntry, Report, Sitting
from tracker.results.services import confirming, report_hand, table_actions
from tracker.results.services.confirming import confirm_hand
from tracker.results.services.recount import recount
from tracker.results.services.table_actions import take_back
from tracker.tables.locks import lock_table

pytestmark = pytest.mark.django_db(transaction=True)
WON = {"eaten": [70, 50]}
LOST = {"eaten": [50, 70]}


@pytest.fixture
def sitting() -> Sitting:
    at = make.tournament(hands=8, confirm=Confirm.BOTH)
    made = make.sitting("Asha", "Neema", "Juma", "Baraka", at=at)
    make.report(made, WON, device="a", side=0)
    return made


def yes(sitting: Sitting) -> Callable[[], str]:
    seen = Hand.objects.get(number=1).accepted_report_id

    def confirm() -> str:
        by = make.actor(device="b")
        try:
            confirm_hand(token=sitting.token, number=1, by=by, side=1, seen=seen)
        except Refused as refusal:
            return refusal.code
        return "confirmed"

    return confirm


def test_changed_while_the_other_says_yes_it_waits_again(
    monkeypatch: pytest.MonkeyPatch, sitting: Sitting
) -> None:
    meeting = Meeting()
    monkeypatch.setattr(confirming, "lock_table", meeting.after(lock_table))

    meeting.of(yes(sitting), lambda: make.report(sitting, LOST, number=1, device="a", side=0))

    assert Hand.objects.get().sheet["eaten"] == [50, 70]
    assert Hand.objects.get().confirmed_at is None


def test_yes_that_comes_after_a_change_says_nothing_of_it(
    monkeypatch: pytest.MonkeyPatch, sitting: Sitting
) -> None:
    meeting, said = Meeting(), []
    confirm = yes(sitting)
    monkeypatch.setattr(report_hand, "lock_table", meeting.after(lock_table))

    meeting.of(
        lambda: make.report(sitting, LOST, number=1, device="a", side=0),
        lambda: said.append(confirm()),
    )

    assert said == ["hand-otherwise"]
    assert Hand.objects.get().confirmed_at is None


def test_yes_pressed_twice_is_kept_once(monkeypatch: pytest.MonkeyPatch, sitting: Sitting) -> None:
    meeting = Meeting()
    monkeypatch.setattr(confirming, "lock_table", meeting.after(lock_table))

    meeting.of(yes(sitting), yes(sitting))

    assert Hand.objects.get().confirmed_at is not None
    assert Report.objects.count() == 2
    assert LogEntry.objects.count() == 1


def test_next_hand_written_while_the_last_is_taken_back_waits_for_it(
    monkeypatch: pytest.MonkeyPatch, sitting: Sitting
) -> None:
    meeting, said = Meeting(), []
    monkeypatch.setattr(table_actions, "lock_table", meeting.after(lock_table))

    def send() -> None:
        try:
            make.report(sitting, LOST, number=2, device="a", side=0)
        except Refused as refusal:
            said.append(refusal.code)

    meeting.of(lambda: take_back(token=sitting.token, number=1, by=make.actor(device="a")), send)

    assert (said, Hand.objects.filter(struck_at=None).count()) == (["hand-missing"], 0)
    make.report(sitting, WON, device="a", side=0)
    send()
    assert [*Hand.objects.order_by("number").values_list("number", "struck_at")] == [
        (1, None),
        (2, None),
    ]
    assert recount(tournament_id=sitting.round.tournament_id, by=make.actor()).findings == ()


def test_hand_is_the_last_no_more_once_the_next_is_in(
    monkeypatch: pytest.MonkeyPatch, sitting: Sitting
) -> None:
    meeting, said = Meeting(), []
    monkeypatch.setattr(report_hand, "lock_table", meeting.after(lock_table))

    def take() -> None:
        try:
            take_back(token=sitting.token, number=1, by=make.actor(device="a"))
        except Refused as refusal:
            said.append(refusal.code)

    meeting.of(lambda: make.report(sitting, LOST, number=2, device="a", side=0), take)

    assert said == ["hand-not-last"]
    assert Hand.objects.filter(struck_at=None).count() == 2
