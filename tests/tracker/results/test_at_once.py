"""Two phones of a table press at the same moment: both are heard, one after the other."""

from collections.abc import Callable
from types import ModuleType

import pytest

from tests import act, make
from tests.meeting import Meeting
from tracker.models import Confirm, Hand, LogEntry, Report, Sitting
from tracker.results.services import confirming, report_hand, table_actions
from tracker.tables.locks import lock_table

pytestmark = pytest.mark.django_db(transaction=True)
Meets = Callable[[ModuleType, Callable[[], object], Callable[[], object]], None]
WON, LOST = {"eaten": [70, 50]}, {"eaten": [50, 70]}


@pytest.fixture
def sitting() -> Sitting:
    made = make.sitting(at=make.tournament(hands=8, confirm=Confirm.BOTH))
    make.report(made, WON, device="a", side=0)
    return made


@pytest.fixture
def meets(monkeypatch: pytest.MonkeyPatch) -> Meets:
    """Return what does the first act, and the other one from when the first has locked the table."""

    def of(service: ModuleType, first: Callable[[], object], other: Callable[[], object]) -> None:
        meeting = Meeting()
        monkeypatch.setattr(service, "lock_table", meeting.after(lock_table))
        meeting.of(first, other)

    return of


def confirm(sitting: Sitting) -> Callable[[], str]:
    """Return an act of phone b, which says yes to the hand as it is now."""
    seen = Hand.objects.get(number=1).accepted_report_id
    who = {"by": make.actor(device="b"), "side": 1, "seen": seen}
    return lambda: act.refusal(confirming.confirm_hand, token=sitting.token, number=1, **who)


def send(sitting: Sitting, number: int) -> str:
    return act.refusal(make.report, sitting, LOST, number=number, device="a", side=0)


def take_back(sitting: Sitting) -> str:
    by = make.actor(device="a")
    return act.refusal(table_actions.take_back, token=sitting.token, number=1, by=by)


def test_changed_while_the_other_says_yes_it_waits_again(meets: Meets, sitting: Sitting) -> None:
    meets(confirming, confirm(sitting), lambda: send(sitting, 1))
    hand = Hand.objects.get()
    assert (hand.sheet["eaten"], hand.confirmed_at) == ([50, 70], None)


def test_yes_that_comes_after_a_change_says_nothing_of_it(meets: Meets, sitting: Sitting) -> None:
    said: list[str] = []
    yes = confirm(sitting)
    meets(report_hand, lambda: send(sitting, 1), lambda: said.append(yes()))
    assert said == ["hand-otherwise"]
    assert Hand.objects.get().confirmed_at is None


def test_yes_pressed_twice_is_kept_once(meets: Meets, sitting: Sitting) -> None:
    meets(confirming, confirm(sitting), confirm(sitting))
    assert Hand.objects.get().confirmed_at is not None
    assert (Report.objects.count(), LogEntry.objects.count()) == (2, 1)


def test_next_hand_waits_while_the_last_is_taken_back(meets: Meets, sitting: Sitting) -> None:
    said: list[str] = []
    meets(table_actions, lambda: take_back(sitting), lambda: said.append(send(sitting, 2)))
    assert (said, Hand.objects.filter(struck_at=None).count()) == (["hand-missing"], 0)
    make.report(sitting, WON, device="a", side=0)
    assert send(sitting, 2) == ""
    hands = Hand.objects.order_by("number").values_list("number", "struck_at")
    assert [*hands] == [(1, None), (2, None)]
    assert act.is_as_its_sheets_say(sitting)


def test_hand_is_the_last_no_more_once_the_next_is_in(meets: Meets, sitting: Sitting) -> None:
    said: list[str] = []
    meets(report_hand, lambda: send(sitting, 2), lambda: said.append(take_back(sitting)))
    assert said == ["hand-not-last"]
    assert Hand.objects.filter(struck_at=None).count() == 2
