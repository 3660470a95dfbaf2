"""A level knock-out match: one hand more and none after it, or decided and put right later."""

from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains

from tests import act, make
from tests.one_file import from_elsewhere
from tests.reading import shows
from tests.tracker.standings.test_bracket_pages import FIRST, SECOND, cup, draw, matches, told
from tracker.common.errors import Refused
from tracker.models import Movement, Player, ResultType, Role, Sitting, Tournament, Verdict
from tracker.results.services.corrections import STRIKE
from tracker.results.services.paper import Paper, PaperResult, write_down
from tracker.results.services.result_only import record_result_type
from tracker.seating.services.rounds import decide_match, reopen_match
from tracker.standings.queries.brackets import MatchState
from tracker.tables.sql import read_table
from tracker.tournament_files.logic.errors import InvalidFileError
from tracker.tournament_files.logic.packing import pack
from tracker.tournament_files.services.importing import import_tournament

pytestmark = pytest.mark.django_db

EVEN = {"eaten": [60, 60]}
WORD: dict[str, Any] = {"by": make.actor(), "rng": Random(1)}
ONE_MORE = "1–1: one more hand decides."


def final(*sheets: Any, teams: int = 2, **more: Any) -> Sitting:
    """Return the match of two teams, with these hands played, of two that it has."""
    sitting = draw(cup(teams, **{"hands": 2, **more})).sittings.earliest("number")
    for sheet in sheets:
        make.report(sitting, sheet)
    return sitting


def says(sitting: Sitting) -> str:
    table = read_table(sitting_id=sitting.pk)
    return table.match_text if table else ""


def match_of(sitting: Sitting) -> Any:
    """Return the final as the bracket shows it."""
    return matches(tournament_of(sitting))["final"]


def tournament_of(sitting: Sitting) -> Tournament:
    return sitting.round.tournament


def close(sitting: Sitting, **more: Any) -> None:
    act.close(sitting.round, **more)


def decide(sitting: Sitting, side: int | None, **word: Any) -> int:
    return decide_match(sitting_id=sitting.pk, side=side, **WORD | word)


def reopen(sitting: Sitting) -> None:
    reopen_match(sitting_id=sitting.pk, by=make.actor())


def decided(sitting: Sitting) -> tuple[int | None, str]:
    sitting.refresh_from_db()
    return sitting.decided_side, sitting.decided_by


def test_a_level_match_takes_hands_until_one_side_leads_and_no_more() -> None:
    sitting = final(FIRST)
    assert says(sitting) == ""
    make.report(sitting, SECOND)
    assert says(sitting) == ONE_MORE
    make.report(sitting, EVEN)
    assert says(sitting) == ONE_MORE
    assert act.refusal(close, sitting) == "match-level"
    make.report(sitting, SECOND)
    sitting.refresh_from_db()

    assert sitting.finished_at is not None
    assert says(sitting) == "Won 2–1: A2 & B2"
    assert act.refusal(make.report, sitting, FIRST) == "round-full"
    close(sitting)
    assert told(match_of(sitting)) == [("T1", "1"), ("T2", "2")]


def test_paper_and_results_go_as_far_as_the_match_does() -> None:
    sitting = final(FIRST)

    def paper(*numbers: int) -> None:
        papers = {sitting.pk: Paper(sheets=dict.fromkeys(numbers, EVEN))}
        write_down(papers, reason="", by=make.actor())

    paper(2)
    result: dict[str, Any] = {"result_type": ResultType.ASSIGNED, "bare": 0, "reason": "Gone"}

    def rest() -> PaperResult:
        return record_result_type(sitting_id=sitting.pk, times=None, by=make.actor(), **result)

    assert act.refusal(rest) == "round-full"
    act.correct(sitting, {1: EVEN})
    assert says(sitting) == "0–0: one more hand decides."
    paper(3, 4)
    assert rest().added == (5,)
    assert says(sitting).startswith("Won 1–0")
    assert act.is_as_its_sheets_say(sitting)


def test_nobody_closes_over_a_level_match_without_a_word() -> None:
    sitting = final(FIRST, SECOND, hands=4)  # and now there is no time left
    assert act.refusal(close, sitting) == "round-waits"
    assert act.refusal(close, sitting, anyway=True) == "match-level"
    assert act.refusal(close, sitting, not_played=True) == "match-level"
    assert decide(sitting, 1) == 1
    close(sitting, not_played=True)
    match = match_of(sitting)
    assert [side.won for side in match.sides] == [False, True]
    assert match.decided == "Decided by the organiser at 1–1: T2"


def test_it_is_decided_once_and_only_while_it_is_level() -> None:
    sitting = final(FIRST)
    assert act.refusal(decide, sitting, 0) == "match-not-level"
    make.report(sitting, SECOND)
    assert act.refusal(decide, sitting, 2) == "side-unknown"

    by_lot = decide(sitting, None)

    assert {decide(sitting, None, rng=Random(seed)) for seed in range(20)} == {by_lot}
    assert decided(sitting) == (by_lot, "lot")
    assert act.refusal(decide, sitting, 1 - by_lot) == "match-decided"
    assert act.refusal(make.report, sitting, FIRST) == "round-full"
    reopen(sitting)
    make.report(sitting, SECOND)
    assert says(sitting).startswith("Won 2–1")
    elsewhere = make.sitting(at=make.tournament(club=tournament_of(sitting).club))
    assert act.refusal(decide, elsewhere, 0) == "not-a-match"


def test_a_correction_that_unlevels_a_decided_match_drops_the_decision() -> None:
    sitting = final(FIRST, SECOND)
    decide(sitting, 1)
    close(sitting)

    act.correct(sitting, {1: {"eaten": [80, 40]}})
    assert decided(sitting) == (1, "organiser")  # still level
    act.correct(sitting, {2: EVEN})
    assert decided(sitting) == (None, "")
    shown = match_of(sitting)
    assert ([side.won for side in shown.sides], shown.decided) == ([True, False], "")
    act.correct(sitting, {2: SECOND})  # level again: it is asked again
    shown = match_of(sitting)
    assert shown.state is MatchState.TIED
    assert says(sitting) == "1–1: still to be decided."
    decide(sitting, 0)
    assert match_of(sitting).decided.endswith(": T1")
    assert act.is_as_its_sheets_say(sitting)


def test_the_next_round_waits_for_a_decision_that_a_correction_asks_for() -> None:
    sitting = final(FIRST, FIRST, teams=4)
    other = sitting.round.sittings.exclude(pk=sitting.pk).get()
    for _ in range(2):
        make.report(other, FIRST)
    close(sitting)
    act.correct(sitting, {1: SECOND})

    with pytest.raises(Refused, match="are level"):
        draw(tournament_of(sitting))
    decide(sitting, 0)
    assert draw(tournament_of(sitting)).number == 2
    assert act.refusal(reopen, sitting) == "round-followed"


def test_a_hand_that_comes_late_to_a_decided_match_waits_and_is_not_taken_in() -> None:
    sitting = final(FIRST, SECOND)
    decide(sitting, 0)
    close(sitting)
    assert make.report(sitting, SECOND, number=3).verdict == Verdict.LATE
    assert act.refusal(act.settle, "take") == "round-full"
    reopen(sitting)
    act.settle("take")
    assert says(sitting).startswith("Won 2–1")


def test_a_struck_hand_is_owed_again() -> None:
    sitting = final(FIRST, SECOND, FIRST)
    act.correct(sitting, {3: STRIKE})
    assert says(sitting) == ONE_MORE
    make.report(sitting, SECOND)
    assert says(sitting).startswith("Won 2–1")


@pytest.mark.parametrize("movement", [Movement.KNOCKOUT, Movement.DOUBLE_ELIMINATION])
def test_a_round_of_games_goes_on_until_one_side_has_more(movement: Movement) -> None:
    sitting = final(
        game="briscola", hands=None, games=2, options={"match_wins": 1}, movement=movement
    )
    first, second = {"points": [70, 50]}, {"points": [50, 70]}
    for sheet in (first, {"points": [60, 60]}, second):
        make.report(sitting, sheet)
    assert says(sitting) == "1–1: one more game decides."
    make.report(sitting, second)
    assert says(sitting).startswith("Won 2–1")


def test_without_a_length_deals_won_decide_a_match_of_briscola() -> None:
    sitting = final({"points": [70, 50]}, {"points": [50, 70]}, game="briscola", hands=None)
    assert act.refusal(close, sitting) == "match-level"
    make.report(sitting, {"points": [60, 60]})
    assert act.refusal(close, sitting) == "match-level"
    make.report(sitting, {"points": [70, 50]})
    close(sitting)
    assert says(sitting).startswith("Won 2½–1½")  # though nobody has won three deals


def test_lots_decide_a_double_elimination_too() -> None:
    sitting = final(FIRST, SECOND, movement=Movement.DOUBLE_ELIMINATION)
    winner = decide(sitting, None)
    close(sitting)
    shown = matches(tournament_of(sitting))
    assert [side.won for side in shown["winners:1:1"].sides] == [winner == 0, winner == 1]
    assert "by lot at 1–1" in shown["winners:1:1"].decided


def test_the_display_and_the_pages_of_who_plays_there_tell_it(client: Client) -> None:
    sitting = final(FIRST, SECOND)
    tournament = tournament_of(sitting)
    member = make.user(role=Role.MEMBER, club=tournament.club)
    Player.objects.filter(name="A1").update(user=member)
    client.force_login(member)
    at = {name: reverse(name, args=[tournament.club_id]) for name in ("club", "my-table")}
    level, sent = "1–1: one more hand decides.", "A2 &amp; B2"

    shows(client.get(at["club"]), level)
    shows(client.get(reverse("tournament-display", args=[tournament.pk])), level)
    assertContains(client.get(at["my-table"], follow=True), level)  # at the table by now
    decide(sitting, 1)
    for path in at.values():
        shows(client.get(path, follow=True), f"Decided by the organiser at 1–1: {sent}")


def test_only_who_organises_decides(client: Client) -> None:
    sitting = final(FIRST, SECOND)
    path = reverse("match-decide", args=[sitting.pk])
    club = tournament_of(sitting).club
    client.force_login(make.user(role=Role.SCORER, club=club))
    assert client.post(path, {"goes_on": "0"}).status_code == 403
    client.force_login(make.user(role=Role.ORGANISER, club=club))
    for unknown in ("", "9" * 30, "-1", "king"):
        client.post(path, {"goes_on": unknown})
    assert decided(sitting) == (None, "")

    client.post(path, {"goes_on": "1"})

    assert decided(sitting) == (1, "organiser")


def test_a_decision_travels_in_the_file_and_older_files_are_decided_as_they_were() -> None:
    sitting = final({"eaten": [75, 45]}, {"eaten": [59, 61]})
    decide(sitting, 1)
    close(sitting)
    kept = ("side_points", "decided_side", "decided_by")

    def taken_in(change: dict[str, Any] | None = None, **version: int) -> list[tuple[str, bool]]:
        document = {**from_elsewhere(tournament_of(sitting)), **version}
        table = document["stages"][0]["rounds"][0]["tables"][0]
        for name in kept if version else ():
            del table[name]
        table.update(change or {})
        made = import_tournament(
            club_id=make.club().pk, content=pack(document), choices=None, by=make.actor()
        )
        shown = matches(made)["final"]
        return [(shown.decided or shown.parted, side.won) for side in shown.sides]

    words = "Decided by the organiser at 1–1: T2"
    assert taken_in() == [(words, False), (words, True)]
    assert taken_in(version=2) == [("Eaten", True), ("Eaten", False)]
    for wrong in ({"decided_side": 7}, {"side_points": [2, 1]}, {"side_points": [1]}):
        with pytest.raises(InvalidFileError):
            taken_in(wrong)


def test_no_standing_is_official_while_a_match_has_no_winner() -> None:
    sitting = final(FIRST, FIRST)
    close(sitting)
    act.correct(sitting, {2: SECOND})

    with act.refused("result-missing"):
        act.finish(tournament_of(sitting))
    decide(sitting, 0)
    act.finish(tournament_of(sitting))
    with act.refused("tournament-over"):
        reopen(sitting)
