"""A table undoes its own last hand, whose number is open again, and says who deals instead."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests import act, make
from tests.make import NOON
from tracker.models import (
    Hand,
    Issue,
    LogEntry,
    Report,
    Round,
    RoundState,
    SeatTally,
    Sitting,
    Tally,
    TokenState,
)
from tracker.nights.services.closing import reopen_round
from tracker.results.services.corrections import RESTORE, STRIKE
from tracker.results.services.paper import Paper, write_down
from tracker.results.services.report_hand import ASK
from tracker.results.services.result_only import record_wins
from tracker.results.services.submissions import MOST_ACTS
from tracker.results.services.table_actions import bring_back, choose_dealer, take_back
from tracker.seating.services.seat_swaps import substitute
from tracker.tables.locks import lock_table
from tracker.tables.writing import NewHand, add_hand

pytestmark = pytest.mark.django_db
WON, LOST, TIE = {"eaten": [70, 50]}, {"eaten": [50, 70]}, {"eaten": [60, 60]}


@pytest.fixture
def table() -> Sitting:
    return make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(hands=4))


@pytest.fixture
def one(table: Sitting) -> Sitting:
    """Return the table, whose first hand side 0 has won by its report from phone a."""
    return reports(table, WON)


@pytest.fixture
def two(one: Sitting) -> Sitting:
    return reports(one, LOST)


def reports(table: Sitting, *sheets: dict[str, Any], **who: Any) -> Sitting:
    """Report these hands one after the other, usually by phone a."""
    for sheet in sheets:
        make.report(table, sheet, **{"device": "a", **who})
    return table


def take(table: Sitting, number: int, *, device: str = "a", **more: Any) -> None:
    take_back(token=table.token, number=number, by=make.actor(device=device), **more)


def bring(table: Sitting, number: int, *, device: str = "a", **more: Any) -> None:
    bring_back(token=table.token, number=number, by=make.actor(device=device), **more)


def send(table: Sitting, sheet: dict[str, Any], number: int | None = None, **more: Any) -> Any:
    """Report a hand, and return what became of it: the verdict and its number."""
    answer = make.report(table, sheet, number=number, **{"device": "a", **more})
    return answer.verdict, answer.asked_about if answer.verdict == ASK else answer.number


def kept() -> tuple[Any, ...]:
    """Return what is stored of the table, and every sum that is not nothing."""
    names = "session last_number next_dealer hands_standing games_over finished_at may_deal over"
    sums = [
        sorted(model.objects.exclude(amount=0).values_list(owner, "key", "amount"))
        for model, owner in ((Tally, "entrant"), (SeatTally, "seat"))
    ]
    return Sitting.objects.values(*names.split()).get(), sums


def standing() -> list[int]:
    """Return the numbers of the hands that count."""
    hands = Hand.objects.filter(struck_at=None).order_by("number")
    return [*hands.values_list("number", flat=True)]


def last_number() -> int:
    return Sitting.objects.get().last_number


def verbs() -> list[tuple[str, int | None]]:
    return [(entry.verb, entry.on.get("hand")) for entry in LogEntry.objects.order_by("pk")]


def test_taken_back_it_has_never_been_and_brought_back_it_is_as_before(one: Sitting) -> None:
    after_one = kept()
    choose_dealer(token=one.token, place=0, by=make.actor())
    reports(one, LOST)
    after_two = kept()
    take(one, 2)

    assert kept() == after_one
    entry = LogEntry.objects.latest("pk")
    assert (entry.verb, entry.device, entry.on["hand"]) == ("hand-taken-back", "a", 2)
    assert entry.numbers["before"]["2"]["eaten"] == [50, 70]
    assert make.undone_report(one) == Hand.objects.get(number=2).accepted_report_id
    assert act.is_as_its_sheets_say(one)
    for _ in range(2):  # done twice it is done
        bring(one, 2)
    assert kept() == after_two
    assert [verb for verb, _hand in verbs()] == [
        "dealer-chosen",
        "hand-taken-back",
        "hand-brought-back",
    ]
    assert act.is_as_its_sheets_say(one)


@pytest.mark.parametrize("chosen", [None, 0])
def test_who_dealt_it_deals_again(one: Sitting, chosen: int | None) -> None:
    choose_dealer(token=one.token, place=chosen, by=make.actor())  # or Juma is next
    reports(one, LOST)
    dealt = Hand.objects.get(number=2).dealer
    take(one, 2)
    assert dealt == make.coming_dealer(one) == (2 if chosen is None else chosen)
    reports(one, LOST)
    assert Hand.objects.get(number=2).dealer == dealt
    assert act.is_as_its_sheets_say(one)


def test_hands_are_taken_back_from_the_last_and_brought_back_in_their_order(two: Sitting) -> None:
    reports(two, WON)

    with act.refused("hand-not-last"):
        take(two, 2)
    for number in (3, 3, 2):  # done once more it stays so
        take(two, number)

    assert standing() == [1]
    bring(two, 2)
    bring(two, 3)
    with act.refused("hand-not-last"):
        take(two, 1)
    assert standing() == [1, 2, 3]


def test_next_hand_ends_what_could_be_brought_back(one: Sitting) -> None:
    seen = Hand.objects.get().accepted_report_id
    take(one, 1, seen=seen)
    reports(one, LOST)
    for press in (bring, take):  # twice, or late: what was looked at is not there any more
        with act.refused("hand-otherwise"):
            press(one, 1, seen=seen)
    assert Hand.objects.get().sheet["eaten"] == [50, 70]


@pytest.mark.parametrize(
    ("device", "side", "may"),
    [("a", None, True), ("b", 0, True), ("b", 1, False), ("b", None, False), ("", None, False)],
)
def test_phone_that_sent_it_or_one_of_its_side_takes_it_back(
    table: Sitting, device: str, side: int | None, may: bool
) -> None:
    reports(table, WON, side=0)
    assert act.refusal(take, table, 1, device=device, side=side) == ("" if may else "not-yours")
    assert (Hand.objects.get().struck_at is not None) is may


def test_what_the_organiser_struck_only_they_restore(one: Sitting) -> None:
    take(one, 1)
    for change in (RESTORE, STRIKE):
        act.correct(one, {1: change}, at=NOON + timedelta(minutes=1))
    with act.refused("hand-struck"):
        bring(one, 1)


def test_hand_that_is_not_there_and_one_of_a_closed_round_stay(table: Sitting) -> None:
    with act.refused("hand-unknown"):
        take(table, 1)
    reports(table, WON)
    Round.objects.update(state=RoundState.CLOSED)
    for press in (take, bring):
        with act.refused("round-closed"):
            press(table, 1)


def test_what_is_open_about_it_is_settled_and_comes_back_with_it(table: Sitting) -> None:
    reports(table, {"bare": 0, "eaten": [70, 48]}, parked=True)
    reports(table, LOST, number=1, device="b", is_next=False)
    take(table, 1)
    assert {issue.outcome for issue in Issue.objects.all()} == {"struck"}
    assert Sitting.objects.get().open_conflicts == 0
    bring(table, 1)
    waiting = Issue.objects.filter(settled_at=None, outcome="")
    assert {issue.kind for issue in waiting} == {"parked", "conflict"}
    assert Sitting.objects.get().open_conflicts == 1


def test_a_script_that_goes_on_and_on_is_stopped(one: Sitting) -> None:
    for _ in range(MOST_ACTS // 2):
        take(one, 1)
        bring(one, 1)
    with act.refused("too-many-reports"):
        take(one, 1)
    take_back(token=one.token, number=1, by=make.actor(at=NOON + timedelta(minutes=2), device="a"))


def test_repeat_of_what_was_taken_back_is_no_new_hand(one: Sitting) -> None:
    take(one, 1)
    assert send(one, WON, 1, entry=Report.objects.get().entry) == ("accepted", 1)
    assert Hand.objects.count() == 1


# The number of a hand that was undone -----------------------------------------------------------


def test_written_anew_it_is_the_same_hand_and_both_reports_stay(table: Sitting) -> None:
    reports(table, *[WON] * 4, side=0)
    hand = Hand.objects.get(number=4)
    Hand.objects.update(confirmed_at=hand.recorded_at)
    take(table, 4)
    assert Sitting.objects.get().finished_at is None  # a full round owes it again
    entry, undone = uuid4(), make.undone_report(table)

    answers = [send(table, LOST, 4, undone=undone, entry=entry) for _ in range(2)]  # one was lost

    assert answers == [("accepted", 4)] * 2
    anew = Hand.objects.get(number=4)
    assert (anew.pk, anew.sheet["eaten"], anew.struck_at) == (hand.pk, [50, 70], None)
    assert anew.confirmed_at is None
    assert Report.objects.filter(number=4, verdict="accepted").count() == 2
    row = Sitting.objects.get()
    assert (row.last_number, row.hands_standing) == (4, 4)
    assert row.finished_at is not None
    assert verbs() == [("hand-taken-back", 4), ("hand-amended", 4)]
    with act.refused("round-full"):
        reports(table, WON)
    assert act.is_as_its_sheets_say(table)


@pytest.mark.parametrize("is_next", [None, False])
@pytest.mark.parametrize("sheet", [WON, LOST], ids=["another", "what was undone"])
@pytest.mark.parametrize("device", ["a", "b"])
def test_sheet_that_does_not_know_of_the_undo_is_asked_about(
    table: Sitting, device: str, sheet: dict[str, Any], is_next: bool | None
) -> None:
    reports(table, WON, LOST, side=0)
    take(table, 2)
    before = kept()
    sent = {"device": device, "side": 1, "entry": uuid4()}

    assert send(table, sheet, 2, is_next=is_next, **sent) == (ASK, 2)
    sent["undone"] = make.undone_report(table)
    missing = {"hand": "Hand 2", "missing": 2, "number": 3}
    with act.refused("hand-missing", params=missing):
        send(table, sheet, 2, is_next=True, **sent)
    assert (kept(), standing()) == (before, [1])
    for _ in range(2):
        assert send(table, sheet, 2, is_next=False, **sent) == ("accepted", 2)
    assert standing() == [1, 2]


def test_what_was_said_to_be_the_next_follows_the_hand_written_anew(one: Sitting) -> None:
    take(one, 1)
    sent = {"device": "b", "entry": uuid4(), "is_next": True, "undone": make.undone_report(one)}
    with act.refused("hand-missing"):
        send(one, LOST, 1, **sent)
    reports(one, WON)
    assert [send(one, LOST, 1, **sent) for _ in range(2)] == [("accepted", 2)] * 2
    hands = Hand.objects.order_by("number")
    assert [hand.sheet["eaten"] for hand in hands] == [[70, 50], [50, 70]]


def test_hands_that_wait_behind_the_one_undone_come_after_it(one: Sitting) -> None:
    """Phone b has 2, of the hand undone, and 3 and 4 behind it."""
    reports(one, WON)
    take(one, 2)

    assert send(one, LOST, 2, device="b") == (ASK, 2)
    for number in (3, 4):
        with act.refused("hand-missing") as refusal:
            send(one, LOST, number, device="b")
        assert refusal.value.params["missing"] == 2
    reports(one, WON)
    assert send(one, LOST, 2, device="b") == (ASK, 2)
    assert send(one, LOST, 2, device="b", is_next=False) == ("conflicts", 2)
    for number in (3, 4):
        assert send(one, LOST, number, device="b") == ("accepted", number)
    assert act.is_as_its_sheets_say(one)


def test_repeats_of_every_report_bring_no_undone_hand_back(table: Sitting) -> None:
    """The agreement and the conflict of others are repeated after the undo, too."""
    sent: list[dict[str, Any]] = [
        {"sheet": WON, "device": "a", "side": 0, "entry": uuid4()},
        {"sheet": WON, "device": "b", "side": 1, "entry": uuid4()},
        {"sheet": LOST, "device": "c", "is_next": False, "entry": uuid4()},
    ]
    verdicts = [("accepted", 1), ("agrees", 1), ("conflicts", 1)]
    assert [send(table, number=1, **each) for each in sent] == verdicts

    take(table, 1)

    assert [send(table, number=1, **each) for each in sent] == verdicts
    assert standing() == []
    reports(table, TIE)
    assert [send(table, number=1, **each) for each in sent] == verdicts
    assert Hand.objects.get().sheet["eaten"] == [60, 60]


def test_what_was_open_about_the_hand_undone_stays_away_from_the_new_one(one: Sitting) -> None:
    reports(one, LOST, number=1, device="b", is_next=False)
    take(one, 1)
    reports(one, LOST)
    take(one, 1)
    bring(one, 1)
    assert not Issue.objects.filter(settled_at=None).exists()
    assert Sitting.objects.get().open_conflicts == 0


def test_two_undone_are_written_anew_one_after_the_other(one: Sitting) -> None:
    reports(one, WON, LOST)
    take(one, 3)
    take(one, 2)
    with act.refused("hand-missing"):
        send(one, LOST, 3, device="b")
    assert send(one, LOST) == ("accepted", 2)
    assert send(one, LOST, 3, device="b") == (ASK, 3)
    assert send(one, WON) == ("accepted", 3)
    assert Hand.objects.count() == 3
    assert act.is_as_its_sheets_say(one)


def test_last_hand_that_the_organiser_deletes_gives_its_number_back(one: Sitting) -> None:
    reports(one, WON, WON)
    for number in (2, 3):
        act.correct(one, {number: STRIKE})
    assert send(one, LOST, 3) == (ASK, 3)  # the deleted one, sent once more?
    assert send(one, LOST) == ("accepted", 3)  # and the 2 in the middle is used up
    assert act.is_as_its_sheets_say(one)


def test_organiser_brings_back_what_a_table_undid(one: Sitting) -> None:
    before = kept()
    take(one, 1)
    act.correct(one, {1: RESTORE})
    assert kept() == before
    assert act.is_as_its_sheets_say(one)


def test_who_comes_after_a_hand_was_undone_did_not_play_it(one: Sitting) -> None:
    """The number of the hand is used up: whoever brings it back gives it to who played it."""
    reports(one, WON)
    choose_dealer(token=one.token, place=0, by=make.actor())
    take(one, 2)
    seat, comes = one.seats.get(place=0), make.player("Mosi", club=act.club_of(one))
    substitute(seat_id=seat.pk, player_id=comes.pk, by=make.actor())
    bring(one, 2)

    assert SeatTally.objects.get(key="hands", seat=seat).amount == 2
    take(one, 2)
    assert send(one, WON) == ("accepted", 3)
    assert act.is_as_its_sheets_say(one)


def by_paper(table: Sitting) -> None:
    write_down({table.pk: Paper(sheets={2: LOST})}, reason="Paper", by=make.actor())


def by_the_score(table: Sitting) -> None:
    record_wins(token=table.token, first=2, wins=[0, 1], ties=0, by=make.actor(device="b"))


def by_closing(table: Sitting) -> None:
    act.close(table.round, not_played=True)
    reopen_round(round_id=table.round_id, by=make.actor())
    assert last_number() == 1
    act.close(table.round, not_played=True)


def by_two_counts(table: Sitting) -> None:
    """Both counts of hand 1 count: the other one is hand 2."""
    reports(table, LOST, number=1, device="b", is_next=False)
    act.settle("two")


def by_a_late_one(table: Sitting) -> None:
    Round.objects.update(state=RoundState.CLOSED)
    reports(table, LOST, number=2, device="b")
    act.settle("take")


@pytest.mark.parametrize(
    "write", [by_paper, by_the_score, by_closing, by_two_counts, by_a_late_one]
)
def test_whatever_writes_the_next_hand_takes_the_undone_number(one: Sitting, write: Any) -> None:
    reports(one, WON)
    undone = Hand.objects.get(number=2)
    take(one, 2)
    write(one)
    hand = Hand.objects.get(number=2)
    assert (hand.pk, hand.struck_at) == (undone.pk, None)
    assert hand.accepted_report_id != undone.accepted_report_id
    row = Sitting.objects.get()
    assert row.last_number == row.hands_standing == Hand.objects.count()
    assert act.is_as_its_sheets_say(one)


def test_database_writes_no_hand_over_one_that_stands(one: Sitting) -> None:
    sent = {"entry": uuid4(), "verdict": "accepted", "answer": {}, "received_at": NOON}
    report = Report.objects.create(sitting=one, number=1, sheet=LOST, **sent)
    locked = lock_table(sitting_id=one.pk)
    scored = locked.game.add_sheet(locked.opening_session(), {**LOST, "dealer": 0})
    new = NewHand(number=1, report_id=report.pk, session_before="{}", scored=scored)
    with pytest.raises(ValueError, match="unpack"):
        add_hand(locked, new, NOON)
    hand = Hand.objects.get()
    assert hand.sheet["eaten"] == [70, 50]
    assert hand.accepted_report_id != report.pk


# Numbers that are used up: somebody has taken over a seat, or an earlier version struck the hand ---


@pytest.fixture
def used_up(table: Sitting) -> Sitting:
    """Return a table whose first hand was taken back by phone b, with its number, as in 2026."""
    reports(table, LOST, device="b", side=1)
    take(table, 1, device="b")
    Sitting.objects.update(last_number=1)
    return table


def test_hand_that_waited_under_a_number_used_up_is_the_next(used_up: Sitting) -> None:
    entry = uuid4()
    answers = [send(used_up, WON, 1, entry=entry) for _ in range(2)]
    behind = send(used_up, WON, 3)  # it has heard of the number
    answers.append(send(used_up, WON, 1, entry=entry))
    assert (answers, behind) == ([("accepted", 2)] * 3, ("accepted", 3))
    assert Hand.objects.count() == 3
    assert act.is_as_its_sheets_say(used_up)


def test_hand_under_a_number_used_up_agrees_with_the_one_after_it(used_up: Sitting) -> None:
    reports(used_up, WON, device="b", side=1)
    entry = uuid4()
    for _ in range(2):
        assert send(used_up, WON, 1, side=0, entry=entry) == ("agrees", 2)
    assert Hand.objects.get(number=2).confirmed_at is not None
    assert Hand.objects.count() == 2


def test_another_count_of_the_hand_after_one_used_up_is_asked_about(used_up: Sitting) -> None:
    reports(used_up, WON, device="b")
    entry = uuid4()
    assert send(used_up, TIE, 1) == (ASK, 2)
    for _ in range(2):
        assert send(used_up, TIE, 1, is_next=False, entry=entry) == ("conflicts", 2)
    assert Issue.objects.get().number == 2
    assert send(used_up, {"eaten": [80, 40]}, 1, device="c", is_next=True) == ("accepted", 3)


def test_number_used_up_is_passed_over_to_one_that_is_open_again(used_up: Sitting) -> None:
    reports(used_up, WON, device="b")
    take(used_up, 2, device="b")
    assert send(used_up, WON, 1) == (ASK, 2)
    assert last_number() == 1


@pytest.mark.parametrize(
    ("device", "sheet"),
    [("b", WON), ("a", LOST)],
    ids=["from the phone that took it back", "it says what was taken back"],
)
@pytest.mark.parametrize("is_next", [None, False])
def test_what_may_be_the_hand_used_up_is_asked_about(
    used_up: Sitting, device: str, sheet: dict[str, Any], is_next: bool | None
) -> None:
    entry = uuid4()
    assert send(used_up, sheet, 1, device=device, is_next=is_next) == (ASK, 1)
    assert Hand.objects.count() == 1
    for _ in range(2):
        assert send(used_up, sheet, 1, device=device, is_next=True, entry=entry) == ("accepted", 2)


def test_own_hand_written_anew_is_not_amended_by_what_waited_before(table: Sitting) -> None:
    reports(table, LOST)
    take(table, 1)
    reports(table, WON)
    assert send(table, TIE, 1) == (ASK, 1)
    assert Hand.objects.get().sheet["eaten"] == [70, 50]
    assert send(table, TIE, 1, is_next=False) == ("amends", 1)


def test_what_the_organiser_struck_takes_no_other_sheet(used_up: Sitting) -> None:
    reports(used_up, LOST, LOST, device="b")
    act.correct(used_up, {2: STRIKE})
    for number in (1, 2):
        with act.refused("hand-struck"):
            send(used_up, WON, number)


# Asha deals instead: for one hand, among those whom the rules allow -------------------------------
# After the first hand seats 0 and 2 may deal, and 2 is due.


def choose(table: Sitting, place: int | None, **by: Any) -> int | None:
    return choose_dealer(token=table.token, place=place, by=make.actor(**by))


def chosen() -> tuple[int | None, int | None]:
    """Return who was chosen, and after which hand."""
    table = Sitting.objects.get()
    return table.chosen_dealer, table.chosen_after


def test_chosen_dealer_deals_the_coming_hand_and_is_in_the_log(one: Sitting) -> None:
    assert choose(one, 0, device="a") == make.coming_dealer(one) == 0
    assert chosen() == (0, 1)
    entry = LogEntry.objects.get()
    assert (entry.verb, entry.device) == ("dealer-chosen", "a")
    assert entry.numbers == {"after_hand": 1, "place": 0}
    assert make.report(one, WON, number=1, device="b").next_dealer == 0
    make.report(one, WON)
    assert Hand.objects.get(number=2).dealer == 0


@pytest.mark.parametrize("place", [2, None])
def test_choice_can_be_taken_back(one: Sitting, place: int | None) -> None:
    choose(one, 0)
    assert choose(one, place) == 2
    assert chosen() == (None, None)


@pytest.mark.parametrize(
    ("state", "place", "code"),
    [(TokenState.OPEN, 1, "dealer-not-allowed"), (TokenState.CLOSED, 0, "round-closed")],
)
def test_others_may_not_deal(one: Sitting, state: TokenState, place: int, code: str) -> None:
    Sitting.objects.update(token_state=state)
    with act.refused(code):
        choose(one, place)
    assert not LogEntry.objects.exists()


def test_choice_is_dropped_when_the_hand_before_it_changes(one: Sitting) -> None:
    choose(one, 0)
    act.correct(one, {1: {"eaten": [71, 49]}})
    assert (chosen(), make.coming_dealer(one)) == ((None, None), 2)


@pytest.mark.parametrize("first", [[80, 40], [40, 80]], ids=["same winner", "other winner"])
def test_choice_outlives_a_change_of_an_earlier_hand(one: Sitting, first: list[int]) -> None:
    make.report(one, WON)
    one.refresh_from_db()
    other = next(seat for seat in one.may_deal if seat != one.next_dealer)
    choose(one, other)
    act.correct(one, {1: {"eaten": first}})
    assert chosen() == (other, 2)


@pytest.mark.parametrize("before", [None, 0])
def test_who_deals_already_is_not_chosen_again(one: Sitting, before: int | None) -> None:
    choose(one, before)
    entries, dealer = LogEntry.objects.count(), make.coming_dealer(one)
    assert choose(one, dealer) == choose(one, dealer) == dealer
    assert LogEntry.objects.count() == entries
    assert make.coming_dealer(one) == dealer


def test_a_script_that_chooses_on_and_on_is_stopped(one: Sitting) -> None:
    for time in range(MOST_ACTS):
        choose(one, 2 * (time % 2))
    with act.refused("too-many-reports"):
        choose(one, 0)
    assert choose(one, 0, at=NOON + timedelta(minutes=2)) == 0
