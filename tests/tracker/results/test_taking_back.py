"""A table undoes its own last hand: its number is open again, dealt by the same, or it is brought back."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests import make
from tracker.common.errors import Refused
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
)
from tracker.nights.services.closing import close_round, reopen_round
from tracker.results.services.corrections import RESTORE, STRIKE, correct_sitting
from tracker.results.services.paper import Paper, write_down
from tracker.results.services.recount import recount
from tracker.results.services.report_hand import ASK, SubmissionResult
from tracker.results.services.result_only import record_wins
from tracker.results.services.settling import IssueOutcome, settle
from tracker.results.services.submissions import MOST_ACTS
from tracker.results.services.table_actions import bring_back, choose_dealer, take_back
from tracker.seating.services.seat_swaps import substitute
from tracker.tables.locks import lock_table
from tracker.tables.writing import NewHand, add_hand

pytestmark = pytest.mark.django_db
WON = {"eaten": [70, 50]}
LOST = {"eaten": [50, 70]}


@pytest.fixture
def sitting() -> Sitting:
    return make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(hands=4))


def take(sitting: Sitting, number: int, *, device: str = "a", **more: Any) -> None:
    take_back(token=sitting.token, number=number, by=make.actor(device=device), **more)


def bring(sitting: Sitting, number: int, *, device: str = "a", **more: Any) -> None:
    bring_back(token=sitting.token, number=number, by=make.actor(device=device), **more)


def sums() -> list[Any]:
    """Return every sum that is not nothing."""
    return [
        sorted(model.objects.exclude(amount=0).values_list(owner, "key", "amount"))
        for model, owner in ((Tally, "entrant"), (SeatTally, "seat"))
    ]


def kept(sitting: Sitting) -> dict[str, Any]:
    names = (
        "session",
        "last_number",
        "next_dealer",
        "hands_standing",
        "games_over",
        "finished_at",
        "may_deal",
        "over",
    )
    row: dict[str, Any] = Sitting.objects.values(*names).get(pk=sitting.pk)
    return row


def test_taken_back_it_is_as_though_it_had_not_been(sitting: Sitting) -> None:
    make.report(sitting, WON, device="a")
    before, counted = kept(sitting), sums()
    make.report(sitting, LOST, device="a")

    take(sitting, 2)

    assert (kept(sitting), sums()) == (before, counted)
    entry = LogEntry.objects.get()
    assert (entry.verb, entry.device, entry.on["hand"]) == ("hand-taken-back", "a", 2)
    assert entry.numbers["before"]["2"]["eaten"] == [50, 70]
    assert make.undone_report(sitting) == Hand.objects.get(number=2).accepted_report_id
    assert recount(tournament_id=sitting.round.tournament_id, by=make.actor()).findings == ()


def test_last_hand_of_a_full_round_is_owed_again(sitting: Sitting) -> None:
    for _ in range(4):
        make.report(sitting, WON, device="a")

    take(sitting, 4)

    assert kept(sitting)["finished_at"] is None


@pytest.mark.parametrize("chosen", [None, 0])
def test_who_dealt_it_deals_again(sitting: Sitting, chosen: int | None) -> None:
    make.report(sitting, WON, device="a")  # Juma is next, or Asha by their own choice
    choose_dealer(token=sitting.token, place=chosen, by=make.actor())
    make.report(sitting, LOST, device="a")
    dealt = Hand.objects.get(number=2).dealer

    take(sitting, 2)

    assert dealt == (2 if chosen is None else chosen)
    assert make.coming_dealer(Sitting.objects.get()) == dealt
    make.report(sitting, LOST, device="a")
    assert Hand.objects.get(number=2).dealer == dealt
    assert recount(tournament_id=sitting.round.tournament_id, by=make.actor()).findings == ()


def test_brought_back_it_is_as_before(sitting: Sitting) -> None:
    make.report(sitting, WON, device="a")
    choose_dealer(token=sitting.token, place=0, by=make.actor())
    make.report(sitting, LOST, device="a")
    before, counted = kept(sitting), sums()
    take(sitting, 2)

    for _ in range(2):  # done twice it is done
        bring(sitting, 2)

    assert (kept(sitting), sums()) == (before, counted)
    assert Hand.objects.filter(struck_at=None).count() == 2
    verbs = LogEntry.objects.order_by("pk").values_list("verb", flat=True)
    assert [*verbs] == ["dealer-chosen", "hand-taken-back", "hand-brought-back"]
    assert recount(tournament_id=sitting.round.tournament_id, by=make.actor()).findings == ()


def test_hands_are_taken_back_from_the_last_and_brought_back_in_their_order(
    sitting: Sitting,
) -> None:
    for _ in range(3):
        make.report(sitting, WON, device="a")

    with pytest.raises(Refused) as refusal:
        take(sitting, 2)
    take(sitting, 3)
    take(sitting, 3)  # once more it stays so
    take(sitting, 2)

    assert refusal.value.code == "hand-not-last"
    assert [hand.number for hand in Hand.objects.filter(struck_at=None).order_by("number")] == [1]
    bring(sitting, 2)
    bring(sitting, 3)
    with pytest.raises(Refused) as refusal:
        take(sitting, 1)
    assert refusal.value.code == "hand-not-last"
    assert [hand.number for hand in Hand.objects.filter(struck_at=None).order_by("number")] == [
        1,
        2,
        3,
    ]


def test_next_hand_ends_what_could_be_brought_back(sitting: Sitting) -> None:
    make.report(sitting, WON, device="a")
    seen = Hand.objects.get().accepted_report_id
    take(sitting, 1, seen=seen)
    make.report(sitting, LOST, device="a")
    said = []

    for act in (bring, take):  # pressed twice, or late: what was looked at is not there any more
        with pytest.raises(Refused) as refusal:
            act(sitting, 1, seen=seen)
        said.append(refusal.value.code)

    assert said == ["hand-otherwise"] * 2
    assert Hand.objects.get().sheet["eaten"] == [50, 70]


@pytest.mark.parametrize(
    ("device", "side", "may"),
    [("a", None, True), ("b", 0, True), ("b", 1, False), ("b", None, False), ("", None, False)],
)
def test_phone_that_sent_it_or_one_of_its_side_takes_it_back(
    sitting: Sitting, device: str, side: int | None, may: bool
) -> None:
    make.report(sitting, WON, device="a", side=0)
    said = ""

    try:
        take(sitting, 1, device=device, side=side)
    except Refused as refusal:
        said = refusal.code

    assert said == ("" if may else "not-yours")
    assert (Hand.objects.get().struck_at is not None) is may


def test_what_the_organiser_struck_only_they_restore(sitting: Sitting) -> None:
    make.report(sitting, WON, device="a")
    take(sitting, 1)
    later = make.actor(at=make.NOON + timedelta(minutes=1))
    for change in (RESTORE, STRIKE):
        correct_sitting(sitting_id=sitting.pk, changes={1: change}, reason="No", by=later)

    with pytest.raises(Refused) as refusal:
        bring(sitting, 1)

    assert refusal.value.code == "hand-struck"


def test_closed_round_is_the_organisers(sitting: Sitting) -> None:
    make.report(sitting, WON, device="a")
    Round.objects.update(state=RoundState.CLOSED)

    for act in (take, bring):
        with pytest.raises(Refused) as refusal:
            act(sitting, 1)
        assert refusal.value.code == "round-closed"


def test_hand_that_is_not_there_cannot_be_taken_back(sitting: Sitting) -> None:
    with pytest.raises(Refused) as refusal:
        take(sitting, 1)

    assert refusal.value.code == "hand-unknown"


def test_two_counts_of_it_are_settled_with_it(sitting: Sitting) -> None:
    make.report(sitting, WON, device="a")
    make.report(sitting, LOST, number=1, device="b", is_next=False)

    take(sitting, 1)

    assert Issue.objects.get().outcome == "struck"
    assert Sitting.objects.get().open_conflicts == 0


def test_what_was_open_about_it_comes_back_with_it(sitting: Sitting) -> None:
    make.report(sitting, {"bare": 0, "eaten": [70, 48]}, device="a", parked=True)
    make.report(sitting, LOST, number=1, device="b", is_next=False)

    take(sitting, 1)
    bring(sitting, 1)

    waiting = Issue.objects.filter(settled_at=None, outcome="")
    assert {issue.kind for issue in waiting} == {"parked", "conflict"}
    assert Sitting.objects.get().open_conflicts == 1


def test_a_script_that_goes_on_and_on_is_stopped(sitting: Sitting) -> None:
    make.report(sitting, WON, device="a")
    for _ in range(MOST_ACTS // 2):
        take(sitting, 1)
        bring(sitting, 1)

    with pytest.raises(Refused) as refusal:
        take(sitting, 1)
    later = make.actor(at=make.NOON + timedelta(minutes=2), device="a")
    take_back(token=sitting.token, number=1, by=later)

    assert refusal.value.code == "too-many-reports"


def test_repeat_of_what_was_taken_back_is_no_new_hand(sitting: Sitting) -> None:
    make.report(sitting, WON, device="a")
    entry = Report.objects.get().entry
    take(sitting, 1)

    answer = make.report(sitting, WON, number=1, entry=entry, device="a")

    assert (answer.verdict, answer.number, Hand.objects.count()) == ("accepted", 1, 1)


# The number of a hand that was undone -----------------------------------------------------------


def settled_as(answer: SubmissionResult) -> tuple[str, int]:
    return answer.verdict, answer.number


def test_written_anew_it_is_the_same_hand_and_both_reports_stay(sitting: Sitting) -> None:
    for _ in range(4):
        make.report(sitting, WON, device="a", side=0)
    hand = Hand.objects.get(number=4)
    Hand.objects.update(confirmed_at=hand.recorded_at)
    take(sitting, 4)
    entry, undone = uuid4(), make.undone_report(sitting)

    answers = [
        make.report(sitting, LOST, number=4, device="a", undone=undone, entry=entry)
        for _ in range(2)  # its answer was lost
    ]

    assert [settled_as(answer) for answer in answers] == [("accepted", 4)] * 2
    anew = Hand.objects.get(number=4)
    assert (anew.pk, anew.sheet["eaten"], anew.struck_at) == (hand.pk, [50, 70], None)
    assert anew.confirmed_at is None
    assert Report.objects.filter(number=4, verdict="accepted").count() == 2
    assert kept(sitting)["last_number"] == kept(sitting)["hands_standing"] == 4
    assert kept(sitting)["finished_at"] is not None
    verbs = [(entry.verb, entry.on["hand"]) for entry in LogEntry.objects.order_by("pk")]
    assert verbs == [("hand-taken-back", 4), ("hand-amended", 4)]
    with pytest.raises(Refused) as refusal:
        make.report(sitting, WON, device="a")
    assert refusal.value.code == "round-full"
    assert recount(tournament_id=sitting.round.tournament_id, by=make.actor()).findings == ()


@pytest.mark.parametrize("is_next", [None, False])
@pytest.mark.parametrize("sheet", [WON, LOST], ids=["another", "what was undone"])
@pytest.mark.parametrize("device", ["a", "b"])
def test_sheet_that_does_not_know_of_the_undo_is_asked_about(
    sitting: Sitting, device: str, sheet: dict[str, Any], is_next: bool | None
) -> None:
    make.report(sitting, WON, device="a", side=0)
    make.report(sitting, LOST, device="a", side=0)
    take(sitting, 2)
    before, entry = sums(), uuid4()

    def send(**more: Any) -> SubmissionResult:
        return make.report(sitting, sheet, number=2, device=device, side=1, entry=entry, **more)

    asked = send(is_next=is_next)
    undone = make.undone_report(sitting)
    with pytest.raises(Refused) as refusal:
        send(is_next=True, undone=undone)

    assert (asked.verdict, asked.asked_about) == (ASK, 2)
    assert (refusal.value.code, refusal.value.params) == (
        "hand-missing",
        {"hand": "Hand 2", "missing": 2, "number": 3},
    )
    assert (sums(), Hand.objects.filter(struck_at=None).count()) == (before, 1)
    answers = [send(is_next=False, undone=undone) for _ in range(2)]
    assert [settled_as(answer) for answer in answers] == [("accepted", 2)] * 2
    assert Hand.objects.filter(struck_at=None).count() == 2


def test_what_was_said_to_be_the_next_follows_the_hand_written_anew(sitting: Sitting) -> None:
    make.report(sitting, WON, device="a")
    take(sitting, 1)
    entry, undone = uuid4(), make.undone_report(sitting)

    def send() -> SubmissionResult:
        return make.report(
            sitting, LOST, number=1, device="b", entry=entry, is_next=True, undone=undone
        )

    with pytest.raises(Refused):
        send()
    make.report(sitting, WON, device="a")

    assert [settled_as(send()) for _ in range(2)] == [("accepted", 2)] * 2
    assert [hand.sheet["eaten"] for hand in Hand.objects.order_by("number")] == [
        [70, 50],
        [50, 70],
    ]


def test_hands_that_wait_behind_the_one_undone_come_after_it(sitting: Sitting) -> None:
    """Phone b has 2, of the hand undone, and 3 and 4 behind it."""
    make.report(sitting, WON, device="a")
    make.report(sitting, WON, device="a")
    take(sitting, 2)

    asked = make.report(sitting, LOST, number=2, device="b")
    codes = []
    for number in (3, 4):
        with pytest.raises(Refused) as refusal:
            make.report(sitting, LOST, number=number, device="b")
        codes.append((refusal.value.code, refusal.value.params["missing"]))
    make.report(sitting, WON, device="a")
    again = make.report(sitting, LOST, number=2, device="b")
    second = make.report(sitting, LOST, number=2, device="b", is_next=False)
    behind = [make.report(sitting, LOST, number=number, device="b") for number in (3, 4)]

    assert (asked.verdict, again.verdict, second.verdict) == (ASK, ASK, "conflicts")
    assert codes == [("hand-missing", 2)] * 2
    assert [settled_as(answer) for answer in behind] == [("accepted", 3), ("accepted", 4)]
    assert recount(tournament_id=sitting.round.tournament_id, by=make.actor()).findings == ()


def test_repeats_of_every_report_bring_no_undone_hand_back(sitting: Sitting) -> None:
    """The agreement and the conflict of others are repeated after the undo, too."""
    sent: list[dict[str, Any]] = [
        {"sheet": WON, "device": "a", "side": 0},
        {"sheet": WON, "device": "b", "side": 1},
        {"sheet": LOST, "device": "c", "is_next": False},
    ]
    entries = [uuid4() for _ in sent]

    def send() -> list[tuple[str, int]]:
        return [
            settled_as(make.report(sitting, number=1, entry=entry, **each))
            for each, entry in zip(sent, entries, strict=True)
        ]

    first = send()
    take(sitting, 1)

    assert first == [("accepted", 1), ("agrees", 1), ("conflicts", 1)]
    assert send() == first
    assert kept(sitting)["hands_standing"] == 0
    make.report(sitting, {"eaten": [60, 60]}, device="a")
    assert send() == first
    assert Hand.objects.get().sheet["eaten"] == [60, 60]


def test_what_was_open_about_the_hand_undone_does_not_come_back_with_the_new_one(
    sitting: Sitting,
) -> None:
    make.report(sitting, WON, device="a")
    make.report(sitting, LOST, number=1, device="b", is_next=False)
    take(sitting, 1)
    make.report(sitting, LOST, device="a")

    take(sitting, 1)
    bring(sitting, 1)

    assert not Issue.objects.filter(settled_at=None).exists()
    assert Sitting.objects.get().open_conflicts == 0


def test_two_undone_are_written_anew_one_after_the_other(sitting: Sitting) -> None:
    for sheet in (WON, WON, LOST):
        make.report(sitting, sheet, device="a")
    take(sitting, 3)
    take(sitting, 2)

    with pytest.raises(Refused) as refusal:
        make.report(sitting, LOST, number=3, device="b")
    second = make.report(sitting, LOST, device="a")
    asked = make.report(sitting, LOST, number=3, device="b")
    third = make.report(sitting, WON, device="a")

    assert refusal.value.code == "hand-missing"
    assert asked.verdict == ASK
    assert [settled_as(answer) for answer in (second, third)] == [("accepted", 2), ("accepted", 3)]
    assert Hand.objects.count() == 3
    assert recount(tournament_id=sitting.round.tournament_id, by=make.actor()).findings == ()


def test_last_hand_that_the_organiser_deletes_gives_its_number_back(sitting: Sitting) -> None:
    for _ in range(3):
        make.report(sitting, WON, device="a")
    for number in (2, 3):
        correct_sitting(sitting_id=sitting.pk, changes={number: STRIKE}, reason="", by=make.actor())

    asked = make.report(sitting, LOST, number=3, device="a")
    answer = make.report(sitting, LOST, device="a")

    assert asked.verdict == ASK  # the deleted one, sent once more?
    assert settled_as(answer) == ("accepted", 3)  # and the 2 in the middle is used up
    assert recount(tournament_id=sitting.round.tournament_id, by=make.actor()).findings == ()


def test_organiser_brings_back_what_a_table_undid(sitting: Sitting) -> None:
    make.report(sitting, WON, device="a")
    before, counted = kept(sitting), sums()
    take(sitting, 1)

    correct_sitting(sitting_id=sitting.pk, changes={1: RESTORE}, reason="", by=make.actor())

    assert (kept(sitting), sums()) == (before, counted)
    assert recount(tournament_id=sitting.round.tournament_id, by=make.actor()).findings == ()


def test_who_comes_after_a_hand_was_undone_did_not_play_it(sitting: Sitting) -> None:
    """The number of the hand is used up: whoever brings it back gives it to who played it."""
    make.report(sitting, WON, device="a")
    make.report(sitting, WON, device="a")
    choose_dealer(token=sitting.token, place=0, by=make.actor())
    take(sitting, 2)
    seat = sitting.seats.get(place=0)
    comes = make.player("Mosi", club=sitting.round.tournament.club)

    substitute(seat_id=seat.pk, player_id=comes.pk, by=make.actor())
    bring(sitting, 2)

    played = SeatTally.objects.filter(key="hands").values_list("seat", "amount")
    assert dict(played)[seat.pk] == 2
    take(sitting, 2)
    answer = make.report(sitting, WON, device="a")
    assert settled_as(answer) == ("accepted", 3)
    assert recount(tournament_id=sitting.round.tournament_id, by=make.actor()).findings == ()


def by_paper(sitting: Sitting) -> None:
    write_down({sitting.pk: Paper(sheets={2: LOST})}, reason="Paper", by=make.actor())


def by_the_score(sitting: Sitting) -> None:
    record_wins(token=sitting.token, first=2, wins=[0, 1], ties=0, by=make.actor(device="b"))


def by_closing(sitting: Sitting) -> None:
    close_round(round_id=sitting.round_id, by=make.actor(), not_played=True)
    reopen_round(round_id=sitting.round_id, by=make.actor())
    assert kept(sitting)["last_number"] == 1
    close_round(round_id=sitting.round_id, by=make.actor(), not_played=True)


def by_two_counts(sitting: Sitting) -> None:
    """Both counts of hand 1 count: the other one is hand 2."""
    make.report(sitting, LOST, number=1, device="b", is_next=False)
    settle(issue_id=Issue.objects.get().pk, outcome=IssueOutcome.TWO, reason="", by=make.actor())


def by_a_late_one(sitting: Sitting) -> None:
    Round.objects.update(state=RoundState.CLOSED)
    make.report(sitting, LOST, number=2, device="b")
    settle(issue_id=Issue.objects.get().pk, outcome=IssueOutcome.TAKE, reason="", by=make.actor())


@pytest.mark.parametrize(
    "write", [by_paper, by_the_score, by_closing, by_two_counts, by_a_late_one]
)
def test_whatever_writes_the_next_hand_takes_the_number_of_the_one_undone(
    sitting: Sitting, write: Callable[[Sitting], None]
) -> None:
    for _ in range(2):
        make.report(sitting, WON, device="a")
    undone = Hand.objects.get(number=2)
    take(sitting, 2)

    write(sitting)

    hand = Hand.objects.get(number=2)
    assert (hand.pk, hand.struck_at) == (undone.pk, None)
    assert hand.accepted_report_id != undone.accepted_report_id
    row = kept(sitting)
    assert row["last_number"] == row["hands_standing"] == Hand.objects.count()
    assert recount(tournament_id=sitting.round.tournament_id, by=make.actor()).findings == ()


def test_database_writes_no_hand_over_one_that_stands(sitting: Sitting) -> None:
    make.report(sitting, WON, device="a")
    report = Report.objects.create(
        entry=uuid4(),
        sitting=sitting,
        number=1,
        sheet=LOST,
        received_at=make.NOON,
        verdict="accepted",
        answer={},
    )

    table = lock_table(sitting_id=sitting.pk)
    scored = table.game.add_sheet(table.opening_session(), {**LOST, "dealer": 0})
    new = NewHand(number=1, report_id=report.pk, session_before="{}", scored=scored)

    with pytest.raises(ValueError, match="unpack"):
        add_hand(table, new, make.NOON)

    hand = Hand.objects.get()
    assert hand.sheet["eaten"] == [70, 50]
    assert hand.accepted_report_id != report.pk


# Numbers that are used up: somebody has taken over a seat, or an earlier version struck the hand ---


@pytest.fixture
def used_up(sitting: Sitting) -> Sitting:
    """Return a table whose first hand was taken back by phone b, with its number, as in 2026."""
    make.report(sitting, LOST, device="b", side=1)
    take(sitting, 1, device="b")
    Sitting.objects.update(last_number=1)
    return sitting


def test_hand_that_waited_under_a_number_used_up_is_the_next(used_up: Sitting) -> None:
    sitting, entry = used_up, uuid4()

    answers = [make.report(sitting, WON, number=1, device="a", entry=entry) for _ in range(2)]
    behind = make.report(sitting, WON, number=3, device="a")  # it has heard of the number
    answers.append(make.report(sitting, WON, number=1, device="a", entry=entry))

    assert [settled_as(answer) for answer in answers] == [("accepted", 2)] * 3
    assert settled_as(behind) == ("accepted", 3)
    assert Hand.objects.count() == 3
    assert recount(tournament_id=sitting.round.tournament_id, by=make.actor()).findings == ()


def test_hand_under_a_number_used_up_agrees_with_the_one_after_it(used_up: Sitting) -> None:
    make.report(used_up, WON, device="b", side=1)
    entry = uuid4()

    answers = [
        make.report(used_up, WON, number=1, device="a", side=0, entry=entry) for _ in range(2)
    ]

    assert [settled_as(answer) for answer in answers] == [("agrees", 2)] * 2
    assert Hand.objects.get(number=2).confirmed_at is not None
    assert Hand.objects.count() == 2


def test_another_count_of_the_hand_after_one_used_up_is_asked_about(used_up: Sitting) -> None:
    make.report(used_up, WON, device="b")
    drawn = {"eaten": [60, 60]}

    asked = make.report(used_up, drawn, number=1, device="a")
    entry = uuid4()
    counted = [
        make.report(used_up, drawn, number=1, device="a", is_next=False, entry=entry)
        for _ in range(2)
    ]
    following = make.report(used_up, {"eaten": [80, 40]}, number=1, device="c", is_next=True)

    assert (asked.verdict, asked.asked_about) == (ASK, 2)
    assert [settled_as(answer) for answer in counted] == [("conflicts", 2)] * 2
    assert Issue.objects.get().number == 2
    assert settled_as(following) == ("accepted", 3)


def test_number_used_up_is_passed_over_to_one_that_is_open_again(used_up: Sitting) -> None:
    make.report(used_up, WON, device="b")
    take(used_up, 2, device="b")

    asked = make.report(used_up, WON, number=1, device="a")

    assert (asked.verdict, asked.asked_about) == (ASK, 2)
    assert kept(used_up)["last_number"] == 1


@pytest.mark.parametrize(
    ("device", "sheet"),
    [("b", WON), ("a", LOST)],
    ids=["from the phone that took it back", "it says what was taken back"],
)
@pytest.mark.parametrize("is_next", [None, False])
def test_what_may_be_the_hand_used_up_is_asked_about(
    used_up: Sitting, device: str, sheet: dict[str, Any], is_next: bool | None
) -> None:
    asked = make.report(used_up, sheet, number=1, device=device, is_next=is_next)

    assert (asked.verdict, asked.asked_about) == (ASK, 1)
    assert Hand.objects.count() == 1
    entry = uuid4()
    for _ in range(2):
        answer = make.report(used_up, sheet, number=1, device=device, is_next=True, entry=entry)
        assert settled_as(answer) == ("accepted", 2)


def test_own_hand_written_anew_is_not_amended_by_what_waited_before(sitting: Sitting) -> None:
    make.report(sitting, LOST, device="b")
    take(sitting, 1, device="b")
    make.report(sitting, WON, device="b")

    asked = make.report(sitting, {"eaten": [60, 60]}, number=1, device="b")

    assert (asked.verdict, asked.asked_about) == (ASK, 1)
    assert Hand.objects.get().sheet["eaten"] == [70, 50]
    amended = make.report(sitting, {"eaten": [60, 60]}, number=1, device="b", is_next=False)
    assert settled_as(amended) == ("amends", 1)


def test_what_the_organiser_struck_takes_no_other_sheet(used_up: Sitting) -> None:
    make.report(used_up, LOST, device="b")
    make.report(used_up, LOST, device="b")
    correct_sitting(sitting_id=used_up.pk, changes={2: STRIKE}, reason="No", by=make.actor())

    for number in (1, 2):
        with pytest.raises(Refused) as refusal:
            make.report(used_up, WON, number=number, device="a")
        assert refusal.value.code == "hand-struck"
