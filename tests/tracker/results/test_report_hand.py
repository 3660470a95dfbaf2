"""A table reports its hands: accepted once, agreed with, mended, disputed, parked or late."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.errors import SheetError
from tests import make
from tracker.common.errors import Refused
from tracker.models import (
    Hand,
    HandKind,
    Issue,
    IssueKind,
    LogEntry,
    Report,
    Round,
    RoundState,
    SeatTally,
    Sitting,
    Tally,
    TokenState,
    Verdict,
)
from tracker.results.services.corrections import STRIKE, correct_sitting
from tracker.results.services.issues import MOST_QUERIES
from tracker.results.services.report_hand import ASK, SubmissionResult
from tracker.results.services.settling import IssueOutcome, settle
from tracker.results.services.submissions import MOST_LATE
from tracker.tables.writing import AT_ONCE, SECONDS_A_HAND

pytestmark = pytest.mark.django_db

SEVENTY_FIFTY = {"eaten": [70, 50]}
FIFTY_SEVENTY = {"eaten": [50, 70]}


def four() -> Sitting:
    return make.sitting("Asha", "Neema", "Juma", "Baraka")


def tallies_of(sitting: Sitting, name: str) -> dict[str, int]:
    """Return what the entrant of this name has, what is nothing left out."""
    rows = Tally.objects.filter(entrant__player__name=name)
    return {row.key: row.amount for row in rows if row.amount}


def rows() -> dict[str, int]:
    """Count all that a report could leave behind."""
    models = (Report, Hand, Issue, SeatTally, Tally, LogEntry)
    return {model.__name__: model.objects.count() for model in models}


def test_first_hand_is_accepted_and_everything_follows_it() -> None:
    sitting = four()

    answer = make.report(sitting, {**SEVENTY_FIFTY, "dealer": 0}, device="a", side=0)

    hand, report = Hand.objects.get(), Report.objects.get()
    assert answer == SubmissionResult(
        verdict="accepted",
        number=1,
        report_id=report.pk,
        next_dealer=2,  # of the winners Juma has not dealt yet
        may_deal=(0, 2),
        over=False,
    )
    assert (hand.accepted_report, hand.number, hand.dealer) == (report, 1, 0)
    assert (hand.kind, hand.warnings, hand.confirmed_at) == (HandKind.COUNTED, [], None)
    assert hand.sheet == {"eaten": [70, 50], "dealer": 0}
    assert hand.marks is not None
    assert [marks["victory_points"] for marks in hand.marks] == [1, 0, 1, 0]
    assert (report.device, report.side, report.verdict) == ("a", 0, Verdict.ACCEPTED)
    assert report.sheet == {"eaten": [70, 50], "dealer": 0}
    sitting.refresh_from_db()
    assert (sitting.last_number, sitting.last_at, sitting.next_dealer) == (1, make.NOON, 2)
    assert (sitting.may_deal, sitting.over, sitting.finished_at) == ([0, 2], False, None)
    assert tallies_of(sitting, "Asha") == {
        "victory_points": 1,
        "eaten": 70,
        "won": 1,
        "there": 120,
        "hands": 1,
        "dealt": 1,
        "opened": 1,
    }
    assert tallies_of(sitting, "Neema") == {"eaten": 50, "there": 120, "hands": 1}


def test_second_hand_is_added_to_the_tallies_of_the_first() -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY)

    make.report(sitting, {"eaten": [105, 15]})

    assert tallies_of(sitting, "Juma") == {
        "victory_points": 3,
        "eaten": 175,
        "won": 2,
        "twos": 1,
        "there": 240,
        "hands": 2,
        "dealt": 1,
    }


def test_team_gets_what_its_side_earned_once() -> None:
    tournament = make.tournament(teams=True)
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament)

    make.report(sitting, SEVENTY_FIFTY)

    pair = {row.key: row.amount for row in Tally.objects.filter(entrant__team__name="Asha & Juma")}
    assert pair == {
        "victory_points": 1,
        "eaten": 70,
        "won": 1,
        "there": 120,
        "hands": 1,
        "dealt": 1,
        "opened": 1,
    }
    seat = SeatTally.objects.filter(seat__player__name="Juma", key="victory_points")
    assert [row.amount for row in seat] == [1]


def sent(captured: CaptureQueriesContext) -> list[str]:
    """Return every statement by itself, also where several travelled together."""
    return [sql for query in captured.captured_queries for sql in query["sql"].split("; ")]


# On PostgreSQL the lock is a statement of its own; a transaction of SQLite has the whole file.
LOCK = ["SELECT"] * (connection.vendor == "postgresql")


def test_accepted_report_costs_these_statements() -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY)

    with CaptureQueriesContext(connection) as captured:
        make.report(sitting, SEVENTY_FIFTY, number=2)

    statements = [sql.split(" ")[:3] for sql in sent(captured)[1:-1]]  # BEGIN and COMMIT aside
    assert [" ".join(words if words[0] == "INSERT" else words[:1]) for words in statements] == [
        *LOCK,
        "SELECT",  # the table: sitting, round, tournament and seats
        "INSERT INTO tracker_report",
        "INSERT INTO tracker_hand",
        "INSERT INTO tracker_seattally",
        "INSERT INTO tracker_tally",
        "UPDATE",  # the sitting
    ]


@pytest.mark.parametrize("hands", [1, 12])
def test_cost_of_a_report_does_not_grow_with_the_hands(hands: int) -> None:
    sitting = four()
    for _ in range(hands):
        make.report(sitting, SEVENTY_FIFTY)

    with CaptureQueriesContext(connection) as captured:
        make.report(sitting, SEVENTY_FIFTY, number=hands + 1)

    assert len(sent(captured)) == 8 + len(LOCK)


def test_repeat_answers_as_the_first_time_and_stores_nothing() -> None:
    sitting, entry = four(), uuid4()
    first = make.report(sitting, SEVENTY_FIFTY, number=1, entry=entry)
    make.report(sitting, FIFTY_SEVENTY, number=2)
    before = rows()

    again = make.report(sitting, SEVENTY_FIFTY, number=1, entry=entry)

    assert again == first
    assert rows() == before


def test_other_content_under_a_known_entry_is_a_new_submission_and_repeats_as_well() -> None:
    sitting, entry = four(), uuid4()
    make.report(sitting, SEVENTY_FIFTY, number=1, entry=entry)

    second = make.report(sitting, FIFTY_SEVENTY, number=2, entry=entry)
    before = rows()
    again = make.report(sitting, FIFTY_SEVENTY, number=2, entry=entry)

    assert (second.verdict, second.number) == ("accepted", 2)
    assert again == second
    assert rows() == before


def test_entry_known_from_another_table_is_no_repeat() -> None:
    tournament, entry = make.tournament(), uuid4()
    here, there = make.sitting(at=tournament), make.sitting(at=tournament)
    make.report(there, SEVENTY_FIFTY, number=1, entry=entry)

    answer = make.report(here, SEVENTY_FIFTY, number=1, entry=entry)

    assert answer.verdict == "accepted"
    assert Hand.objects.filter(sitting=here).count() == 1


@pytest.mark.parametrize(
    ("sheet", "code"),
    [
        ({"eaten": [70, 40]}, "total"),  # S11c
        ({"eaten": [119, 1]}, "side-on-one"),  # S11d
        ({"eaten": [70]}, "sides"),  # S11a
        ({"eaten": [70, 50], "dealer": 9}, "seat-unknown"),
    ],
)
def test_sheet_that_the_rules_refuse_leaves_no_trace(sheet: dict[str, object], code: str) -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY)
    before = rows()

    with pytest.raises(SheetError) as refusal:
        make.report(sitting, sheet)

    assert refusal.value.code == code
    assert rows() == before


def test_hand_beyond_the_next_is_refused_and_says_which_is_missing() -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY)
    before = rows()

    with pytest.raises(Refused) as refusal:
        make.report(sitting, SEVENTY_FIFTY, number=3)

    assert (refusal.value.code, refusal.value.params) == (
        "hand-missing",
        {"hand": "Hand 2", "missing": 2, "number": 3},
    )
    assert rows() == before


@pytest.mark.parametrize("number", [0, -1, 1000])
def test_number_no_hand_can_have_is_refused(number: int) -> None:
    sitting = four()

    with pytest.raises(Refused) as refusal:
        make.report(sitting, SEVENTY_FIFTY, number=number)

    assert refusal.value.code == "hand-number"


def test_unknown_and_revoked_tokens_are_refused() -> None:
    sitting = four()
    codes = []

    for token, state in (("nowhere", TokenState.OPEN), (sitting.token, TokenState.REVOKED)):
        Sitting.objects.update(token_state=state)
        with pytest.raises(Refused) as refusal:
            make.report(Sitting(token=token), SEVENTY_FIFTY, number=1)
        codes.append(refusal.value.code)

    assert codes == ["token-unknown", "token-revoked"]


def test_dealer_the_table_chose_is_filled_in_and_the_choice_is_used_up() -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY)
    Sitting.objects.update(chosen_dealer=0, chosen_after=1)

    make.report(sitting, FIFTY_SEVENTY)

    sitting.refresh_from_db()
    assert Hand.objects.get(number=2).dealer == 0
    assert (sitting.chosen_dealer, sitting.chosen_after) == (None, None)


def test_warnings_are_kept_with_the_hand() -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY)

    make.report(sitting, {**FIFTY_SEVENTY, "dealer": 1})

    assert Hand.objects.get(number=2).warnings == [
        {
            "code": "dealer-not-by-rule",
            "template": "%(dealer)s dealt, but it was %(due)s’s turn to deal.",
            "params": {"dealer": {"seat": 1}, "due": {"seat": 2}},
        }
    ]


def test_round_has_its_hands_and_no_more() -> None:
    sitting = make.sitting(at=make.tournament(hands=2))
    make.report(sitting, SEVENTY_FIFTY)
    assert Sitting.objects.get().finished_at is None
    make.report(sitting, SEVENTY_FIFTY, now=make.NOON + timedelta(minutes=9))
    assert Sitting.objects.get().finished_at == make.NOON + timedelta(minutes=9)

    with pytest.raises(Refused) as refusal:
        make.report(sitting, SEVENTY_FIFTY)

    assert refusal.value.code == "round-full"
    assert Hand.objects.count() == 2


def test_struck_hand_leaves_room_for_another() -> None:
    sitting = make.sitting(at=make.tournament(hands=2))
    make.report(sitting, SEVENTY_FIFTY)
    make.report(sitting, SEVENTY_FIFTY)
    correct_sitting(sitting_id=sitting.pk, changes={1: STRIKE}, reason="Twice", by=make.actor())

    answer = make.report(sitting, SEVENTY_FIFTY)

    assert (answer.verdict, answer.number) == ("accepted", 3)
    assert Sitting.objects.get().finished_at == make.NOON


def test_last_hand_repeated_after_the_round_is_full_answers_as_before() -> None:
    sitting, entry = make.sitting(at=make.tournament(hands=1)), uuid4()
    first = make.report(sitting, SEVENTY_FIFTY, number=1, entry=entry)

    assert make.report(sitting, SEVENTY_FIFTY, number=1, entry=entry) == first


def test_briscola_match_is_over_and_the_round_finished_with_it() -> None:
    sitting = make.sitting(at=make.tournament("briscola", "2i", games=1))
    won = {"points": [70, 50]}

    overs = [make.report(sitting, won).over for _ in range(3)]  # R12: first to three

    sitting.refresh_from_db()
    assert overs == [False, False, True]
    assert (sitting.games_over, sitting.over, sitting.finished_at) == (1, True, make.NOON)
    with pytest.raises(Refused, match="All of this round"):
        make.report(sitting, won)


# The hand is there already -------------------------------------------------------------------


def test_same_sheet_from_the_other_side_agrees_and_confirms() -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY, device="a", side=0)

    later = make.NOON + timedelta(minutes=1)
    answer = make.report(sitting, SEVENTY_FIFTY, number=1, device="b", side=1, now=later)

    hand = Hand.objects.get()
    assert (answer.verdict, answer.number) == ("agrees", 1)
    assert hand.confirmed_at == later
    assert hand.accepted_report.device == "a"
    assert tallies_of(sitting, "Asha")["hands"] == 1


def test_optional_answers_do_not_make_another_count() -> None:
    sitting = four()
    make.report(sitting, {**SEVENTY_FIFTY, "trump": "S"}, device="a", side=0)

    answer = make.report(sitting, {**SEVENTY_FIFTY, "dealer": 0}, number=1, device="b", side=1)

    assert answer.verdict == "agrees"
    assert Hand.objects.get().sheet["trump"] == "S"


def test_what_an_agreeing_sheet_says_besides_is_taken_in() -> None:
    sitting = four()
    make.report(sitting, {**SEVENTY_FIFTY, "trump": "S"}, device="a", side=0)

    answer = make.report(
        sitting, {**SEVENTY_FIFTY, "indicator": "7S"}, number=1, device="b", side=1
    )

    hand = Hand.objects.get()
    assert answer.verdict == "agrees"
    assert (hand.sheet["trump"], hand.sheet["indicator"]) == ("S", "7S")
    assert (hand.accepted_report.device, hand.confirmed_at) == ("a", make.NOON)
    make.report(sitting, {**SEVENTY_FIFTY, "indicator": "JS"}, number=1, device="b", side=1)
    assert (
        Hand.objects.get().sheet["indicator"] == "7S"
    )  # it is there: another's word does not move it
    make.report(sitting, {**SEVENTY_FIFTY, "indicator": "JS"}, number=1, device="a", side=0)
    assert Hand.objects.get().sheet["indicator"] == "JS"  # whose hand it is puts it right
    log_entry = LogEntry.objects.get(verb="hand-amended")
    assert log_entry.numbers["before"]["indicator"] == "7S"
    assert log_entry.numbers["after"]["indicator"] == "JS"
    assert Hand.objects.get().confirmed_at == make.NOON  # what was agreed to is the same


def test_what_does_not_go_with_the_hand_is_not_taken_in() -> None:
    sitting = four()
    make.report(sitting, {**SEVENTY_FIFTY, "trump": "S"}, device="a", side=0)

    answer = make.report(
        sitting, {**SEVENTY_FIFTY, "indicator": "7H"}, number=1, device="b", side=1
    )

    assert answer.verdict == "agrees"
    assert Hand.objects.get().sheet.get("indicator") is None


def test_rank_alone_is_the_same_as_its_card() -> None:
    sitting = make.sitting(at=make.tournament("albastini", "5i"))
    counted = {"eaten": [60, 20, 20, 10, 7]}
    make.report(sitting, {**counted, "face_up": "J"}, device="a", side=0)

    answer = make.report(sitting, {**counted, "face_up": "JH"}, number=1, device="b", side=1)

    assert answer.verdict == "agrees"


@pytest.mark.parametrize(("device", "side"), [("b", 0), ("a", 1), ("b", None), ("b", 7)], ids=str)
def test_same_side_or_device_confirms_nothing(device: str, side: int | None) -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY, device="a", side=0)

    answer = make.report(sitting, SEVENTY_FIFTY, number=1, device=device, side=side)

    assert answer.verdict == "agrees"
    assert Hand.objects.get().confirmed_at is None


def test_clock_read_before_the_hand_was_written_confirms_it_all_the_same() -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY, device="a", side=0)

    before = make.NOON - timedelta(milliseconds=1)
    make.report(sitting, SEVENTY_FIFTY, number=1, device="b", side=1, now=before)

    assert Hand.objects.get().confirmed_at == make.NOON


def test_other_sheet_from_the_same_device_amends() -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY, device="a", side=0)
    make.report(sitting, SEVENTY_FIFTY, number=1, device="b", side=1)

    answer = make.report(sitting, FIFTY_SEVENTY, number=1, device="a", side=0)

    hand = Hand.objects.get(number=1)
    assert (answer.verdict, answer.number) == ("amends", 1)
    assert (hand.sheet["eaten"], hand.accepted_report.verdict) == ([50, 70], Verdict.AMENDS)
    assert hand.confirmed_at is None  # nobody has agreed to that
    assert tallies_of(sitting, "Asha")["eaten"] == 50
    assert "victory_points" not in tallies_of(sitting, "Asha")
    assert tallies_of(sitting, "Neema")["victory_points"] == 1
    log_entry = LogEntry.objects.get(verb="hand-amended")
    assert (log_entry.verb, log_entry.device, log_entry.on["hand"]) == ("hand-amended", "a", 1)
    assert log_entry.numbers["before"]["eaten"] == [70, 50]
    assert log_entry.numbers["after"]["eaten"] == [50, 70]


def test_hand_that_is_not_the_last_is_changed_by_the_organiser_alone() -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY, device="a", side=0)
    make.report(sitting, {"eaten": [60, 60]}, device="a", side=0)

    answer = make.report(sitting, FIFTY_SEVENTY, number=1, device="a", side=0)

    issue = Issue.objects.get()
    assert (answer.verdict, answer.number, answer.report_id) == ("proposes", 1, issue.report_id)
    assert (issue.kind, issue.number, issue.settled_at) == (IssueKind.CHANGE, 1, None)
    assert Hand.objects.get(number=1).sheet["eaten"] == [70, 50]  # it counts meanwhile
    assert tallies_of(sitting, "Asha")["eaten"] == 130
    log_entry = LogEntry.objects.get()
    assert (log_entry.verb, log_entry.on["hand"], log_entry.on["issue"]) == (
        "change-asked",
        1,
        issue.pk,
    )
    assert log_entry.numbers["before"]["eaten"] == [70, 50]
    assert log_entry.numbers["after"]["eaten"] == [50, 70]


def test_what_nobody_must_answer_is_changed_there_by_the_organiser_alone() -> None:
    sitting = four()
    for trump in "SH":
        make.report(sitting, {**SEVENTY_FIFTY, "trump": trump}, device="a")

    answer = make.report(sitting, {**SEVENTY_FIFTY, "trump": "D"}, number=1, device="a")
    added = make.report(sitting, {**SEVENTY_FIFTY, "indicator": "7S"}, number=1, device="a")

    sheet = Hand.objects.get(number=1).sheet
    assert (answer.verdict, added.verdict) == ("proposes", "agrees")
    assert (sheet["trump"], sheet["indicator"]) == ("S", "7S")


def test_change_asked_for_again_is_one_and_withdrawn_by_what_stands() -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY, device="a")
    make.report(sitting, {"eaten": [60, 60]}, device="a")

    for sheet in (FIFTY_SEVENTY, {"eaten": [80, 40]}):
        make.report(sitting, sheet, number=1, device="a")
    (wanted,) = Issue.objects.filter(settled_at=None)
    revision = Sitting.objects.get().revision
    make.report(sitting, SEVENTY_FIFTY, number=1, device="a")

    assert wanted.report is not None
    assert wanted.report.sheet == {"eaten": [80, 40]}
    assert not Issue.objects.filter(settled_at=None).exists()
    assert Sitting.objects.get().revision > revision  # desks that watch it show it no more


def test_last_hand_is_the_last_that_stands() -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY, device="a")
    make.report(sitting, SEVENTY_FIFTY, device="a")
    correct_sitting(sitting_id=sitting.pk, changes={2: STRIKE}, reason="No", by=make.actor())

    assert make.report(sitting, FIFTY_SEVENTY, number=1, device="a").verdict == "amends"


@pytest.mark.parametrize(("outcome", "eaten"), [("take", [50, 70]), ("keep", [70, 50])])
def test_organiser_takes_or_keeps_what_a_table_asks_to_change(
    outcome: str, eaten: list[int]
) -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY, device="a")
    make.report(sitting, SEVENTY_FIFTY, device="a")
    make.report(sitting, FIFTY_SEVENTY, number=1, device="a")

    settle(
        issue_id=Issue.objects.get().pk,
        outcome=IssueOutcome(outcome),
        reason="I looked",
        by=make.actor(make.user()),
    )

    assert Hand.objects.get(number=1).sheet["eaten"] == eaten
    assert Issue.objects.get().outcome == outcome


def test_flood_of_changes_is_stopped_where_no_phone_is_known() -> None:
    sitting, scorer = four(), make.user()
    make.report(sitting, SEVENTY_FIFTY, user=scorer)
    make.report(sitting, SEVENTY_FIFTY, user=scorer)
    for eaten in range(30, 30 + MOST_QUERIES):
        make.report(sitting, {"eaten": [eaten, 120 - eaten]}, number=1, user=scorer)
    before = rows()

    with pytest.raises(Refused) as refusal:
        make.report(sitting, FIFTY_SEVENTY, number=1, user=scorer)

    assert refusal.value.code == "too-many-queries"
    assert rows() == before


def test_scorer_without_a_device_amends_what_they_wrote_themselves() -> None:
    sitting, scorer = four(), make.user()
    make.report(sitting, SEVENTY_FIFTY, user=scorer)

    answer = make.report(sitting, FIFTY_SEVENTY, number=1, user=scorer)
    nobody = make.report(sitting, SEVENTY_FIFTY, number=1)

    assert (answer.verdict, nobody.verdict) == ("amends", ASK)


def test_other_sheet_from_another_device_asks_first_and_stores_nothing() -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY, device="a", side=0)
    before = rows()

    answer = make.report(sitting, FIFTY_SEVENTY, number=1, device="b", side=1)

    assert answer == SubmissionResult(
        verdict="ask",
        number=1,
        report_id=None,
        next_dealer=2,
        may_deal=(0, 2),
        over=False,
        asked_about=1,
    )
    assert rows() == before


def test_answered_as_the_next_it_is_the_next_and_repeats() -> None:
    sitting, entry = four(), uuid4()
    make.report(sitting, SEVENTY_FIFTY, device="a")

    def send() -> SubmissionResult:
        return make.report(sitting, FIFTY_SEVENTY, number=1, entry=entry, device="b", is_next=True)

    answer = send()
    before = rows()

    assert (answer.verdict, answer.number) == ("accepted", 2)
    assert Hand.objects.get(number=2).sheet["dealer"] == 2
    assert send() == answer
    assert rows() == before


def test_two_counts_are_both_kept_and_the_standing_one_counts() -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY, device="a", side=0)

    answer = make.report(sitting, FIFTY_SEVENTY, number=1, device="b", side=1, is_next=False)

    issue = Issue.objects.get()
    assert (answer.verdict, answer.report_id) == ("conflicts", issue.report_id)
    assert (issue.kind, issue.number, issue.settled_at) == (IssueKind.CONFLICT, 1, None)
    assert Sitting.objects.get().open_conflicts == 1
    assert Hand.objects.get().sheet["eaten"] == [70, 50]
    assert tallies_of(sitting, "Asha")["eaten"] == 70


def test_device_that_differs_again_has_one_count_and_is_not_asked_again() -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY, device="a")
    make.report(sitting, FIFTY_SEVENTY, number=1, device="b", is_next=False)

    answer = make.report(sitting, {"eaten": [60, 60]}, number=1, device="b")

    assert answer.verdict == "conflicts"
    assert Sitting.objects.get().open_conflicts == 1
    open_now = Issue.objects.filter(settled_at=None)
    assert [*open_now.values_list("report__sheet", flat=True)] == [{"eaten": [60, 60]}]


def test_device_that_comes_round_settles_its_conflict() -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY, device="a", side=0)
    make.report(sitting, FIFTY_SEVENTY, number=1, device="b", side=1, is_next=False)

    answer = make.report(sitting, SEVENTY_FIFTY, number=1, device="b", side=1)

    assert answer.verdict == "agrees"
    assert Issue.objects.get().outcome == "agreed"
    assert Sitting.objects.get().open_conflicts == 0
    assert Hand.objects.get().confirmed_at == make.NOON


def test_mend_to_what_the_other_said_settles_the_conflict() -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY, device="a", side=0)
    make.report(sitting, FIFTY_SEVENTY, number=1, device="b", side=1, is_next=False)

    make.report(sitting, FIFTY_SEVENTY, number=1, device="a", side=0)

    assert Issue.objects.get().outcome == "agreed"
    assert Sitting.objects.get().open_conflicts == 0


def test_mend_to_a_third_count_leaves_the_conflict_open() -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY, device="a", side=0)
    make.report(sitting, FIFTY_SEVENTY, number=1, device="b", side=1, is_next=False)

    make.report(sitting, {"eaten": [60, 60]}, number=1, device="a", side=0)

    assert Issue.objects.get().settled_at is None
    assert Sitting.objects.get().open_conflicts == 1


def test_struck_hand_takes_no_other_sheet() -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY)
    Hand.objects.update(struck_at=make.NOON)

    with pytest.raises(Refused) as refusal:
        make.report(sitting, FIFTY_SEVENTY, number=1)

    assert refusal.value.code == "hand-struck"


def test_flood_of_second_reports_is_stopped() -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY, device="a")
    for _ in range(59):
        make.report(sitting, SEVENTY_FIFTY, number=1, device="b")

    with pytest.raises(Refused) as refusal:
        make.report(sitting, SEVENTY_FIFTY, number=1, device="b")
    after = make.report(
        sitting, SEVENTY_FIFTY, number=1, device="b", now=make.NOON + timedelta(minutes=2)
    )

    assert refusal.value.code == "too-many-reports"
    assert after.verdict == "agrees"


def test_a_phone_cannot_fill_a_round_that_has_no_length() -> None:
    sitting = four()
    for _ in range(AT_ONCE):
        make.report(sitting, SEVENTY_FIFTY)

    with pytest.raises(Refused) as refusal:
        make.report(sitting, SEVENTY_FIFTY)
    soon = make.NOON + timedelta(seconds=SECONDS_A_HAND)
    after = make.report(sitting, SEVENTY_FIFTY, now=soon)
    with pytest.raises(Refused):
        make.report(sitting, SEVENTY_FIFTY, now=soon)

    assert refusal.value.code == "too-many-reports"
    assert (after.verdict, after.number) == ("accepted", AT_ONCE + 1)
    assert Hand.objects.count() == AT_ONCE + 1


def test_a_whole_evening_of_hands_comes_at_the_pace_of_play() -> None:
    sitting = four()

    for number in range(2 * AT_ONCE):
        at = make.NOON + timedelta(seconds=SECONDS_A_HAND * number)
        assert make.report(sitting, SEVENTY_FIFTY, now=at).verdict == "accepted"


def test_a_round_of_so_many_hands_takes_them_at_any_pace_and_no_more() -> None:
    sitting = make.sitting(at=make.tournament(hands=AT_ONCE + 5))
    for _ in range(AT_ONCE + 5):
        make.report(sitting, SEVENTY_FIFTY)

    with pytest.raises(Refused) as refusal:
        make.report(sitting, SEVENTY_FIFTY)

    assert refusal.value.code == "round-full"


def test_a_repeat_is_answered_however_fast_it_comes() -> None:
    sitting, entry = four(), uuid4()
    for _ in range(AT_ONCE - 1):
        make.report(sitting, SEVENTY_FIFTY)
    first = make.report(sitting, SEVENTY_FIFTY, number=AT_ONCE, entry=entry)

    assert make.report(sitting, SEVENTY_FIFTY, number=AT_ONCE, entry=entry) == first


# Parked and late -----------------------------------------------------------------------------


def test_parked_hand_passes_the_deal_on_and_waits_for_the_organiser() -> None:
    sitting = four()

    answer = make.report(sitting, {"bare": 0, "eaten": [70, 48]}, device="a", parked=True)

    hand, issue = Hand.objects.get(), Issue.objects.get()
    assert (answer.verdict, answer.next_dealer) == ("parked", 2)
    assert (hand.kind, hand.sheet) == (HandKind.BARE, {"bare": 0, "dealer": 0})
    assert (issue.kind, issue.number, issue.report) == (IssueKind.PARKED, 1, hand.accepted_report)
    assert hand.accepted_report.verdict == Verdict.PARKED
    assert hand.accepted_report.sheet == {"bare": 0, "eaten": [70, 48]}  # for the organiser to see
    assert tallies_of(sitting, "Asha")["victory_points"] == 1


def test_parked_hand_must_say_who_won() -> None:
    sitting = four()

    with pytest.raises(SheetError) as refusal:
        make.report(sitting, {"eaten": [70, 48]}, parked=True)

    assert (refusal.value.code, refusal.value.question) == ("answer-missing", "bare")


def test_count_sent_after_all_amends_the_parked_hand() -> None:
    sitting = four()
    make.report(sitting, {"bare": 0, "eaten": [70, 48]}, device="a", parked=True)

    answer = make.report(sitting, SEVENTY_FIFTY, number=1, device="a")

    assert answer.verdict == "amends"
    assert Issue.objects.get().outcome == "mended"
    assert Hand.objects.get().kind == HandKind.COUNTED


def test_counted_hand_can_be_parked_afterwards() -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY, device="a")

    answer = make.report(sitting, {"bare": 1}, number=1, device="a", parked=True)

    assert answer.verdict == "amends"
    assert Issue.objects.get().kind == IssueKind.PARKED
    assert Hand.objects.get().kind == HandKind.BARE


def test_not_counted_by_both_sides_agrees() -> None:
    sitting = four()
    make.report(sitting, {"bare": 1}, device="a", side=0)

    same = make.report(sitting, {"bare": 1}, number=1, device="b", side=1)
    counted = make.report(sitting, FIFTY_SEVENTY, number=1, device="c")

    assert (same.verdict, counted.verdict) == ("agrees", ASK)


def test_void_hand_counts_for_nothing_but_the_deal() -> None:
    sitting = four()

    answer = make.report(sitting, {"bare": "void"})

    assert (answer.verdict, answer.next_dealer) == ("accepted", 0)
    assert Hand.objects.filter(marks__isnull=True).count() == 1
    assert tallies_of(sitting, "Asha") == {"dealt": 1, "opened": 1}
    assert tallies_of(sitting, "Neema") == {}


@pytest.mark.parametrize("state", [RoundState.CLOSED, RoundState.UNDONE])
def test_report_for_a_closed_round_is_kept_and_moves_nothing(state: RoundState) -> None:
    sitting, entry = four(), uuid4()
    make.report(sitting, SEVENTY_FIFTY)
    sitting.round.state = state
    sitting.round.save()
    before = rows()

    answer = make.report(sitting, FIFTY_SEVENTY, number=2, entry=entry)

    assert (answer.verdict, answer.number) == ("late", 2)
    assert rows() == {**before, "Report": 2, "Issue": 1}
    issue = Issue.objects.get()
    assert (issue.kind, issue.number, issue.report_id) == (
        IssueKind.LATE,
        2,
        answer.report_id,
    )
    assert make.report(sitting, FIFTY_SEVENTY, number=2, entry=entry) == answer


def test_report_after_the_table_was_closed_is_late_too() -> None:
    sitting = four()
    Sitting.objects.update(token_state=TokenState.CLOSED)

    assert make.report(sitting, SEVENTY_FIFTY).verdict == "late"


@pytest.mark.parametrize(("hands", "most"), [(8, 16), (None, MOST_LATE)])
def test_a_closed_round_takes_what_two_phones_kept_of_it_and_no_flood(
    hands: int | None, most: int
) -> None:
    sitting = four()
    Round.objects.update(state=RoundState.CLOSED, hands=hands)
    entries = [uuid4() for _ in range(most)]
    first = [
        make.report(sitting, SEVENTY_FIFTY, number=number, entry=entry)
        for number, entry in enumerate(entries, start=1)
    ]

    with pytest.raises(Refused) as refusal:
        make.report(sitting, SEVENTY_FIFTY, number=99)
    tomorrow = make.NOON + timedelta(days=1)
    with pytest.raises(Refused):
        make.report(sitting, SEVENTY_FIFTY, number=99, now=tomorrow)
    again = make.report(sitting, SEVENTY_FIFTY, number=1, entry=entries[0], now=tomorrow)

    assert refusal.value.code == "too-many-late"
    assert Issue.objects.count() == Report.objects.count() == most
    assert again == first[0]


@pytest.mark.parametrize(
    ("sheet", "issues"), [(SEVENTY_FIFTY, 0), (FIFTY_SEVENTY, 1), ({"eaten": [9]}, 1)], ids=str
)
def test_late_report_that_only_repeats_what_stands_bothers_nobody(
    sheet: dict[str, object], issues: int
) -> None:
    sitting = four()
    make.report(sitting, SEVENTY_FIFTY)
    sitting.round.state = RoundState.CLOSED
    sitting.round.save()

    answer = make.report(sitting, sheet, number=1)

    assert answer.verdict == "late"
    assert Issue.objects.count() == issues


@pytest.mark.parametrize("sheet", [SEVENTY_FIFTY, {"eaten": [9]}], ids=str)
def test_late_report_is_answered_alike_when_the_round_opens_again(
    sheet: dict[str, object],
) -> None:
    sitting, entry = four(), uuid4()
    sitting.round.state = RoundState.CLOSED
    sitting.round.save()
    first = make.report(sitting, sheet, number=1, entry=entry)
    sitting.round.state = RoundState.OPEN
    sitting.round.save()

    assert make.report(sitting, sheet, number=1, entry=entry) == first
