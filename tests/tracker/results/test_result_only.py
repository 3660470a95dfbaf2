"""Results without the hands behind them, and points beside the hands."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import act, make
from tests.make import NOON
from tests.reading import form_with, shows, words
from tracker.models import (
    Award,
    AwardKind,
    AwardRule,
    Hand,
    HandKind,
    LogEntry,
    ResultType,
    Role,
    Round,
    RoundState,
    Sitting,
    Tally,
    Tournament,
)
from tracker.nights.services.closing import close_round, pending_tables
from tracker.results.services.corrections import STRIKE
from tracker.results.services.paper import PaperResult
from tracker.results.services.result_only import record_result_type, record_wins
from tracker.seating.services.rounds import restore_round, undo_round
from tracker.standings.queries.standings import standings
from tracker.standings.services.standings import give_award, withdraw_award

pytestmark = pytest.mark.django_db
WALKOVER, ASSIGNED, VOID = ResultType.WALKOVER, ResultType.ASSIGNED, ResultType.VOID


@pytest.fixture
def match() -> Sitting:
    """Return a table of two in a round of two matches of Briscola."""
    return make.sitting("Asha", "Neema", at=make.tournament("briscola", "2i", games=2))


@pytest.fixture
def table() -> Sitting:
    return hands_of(4)


def hands_of(hands: int | None) -> Sitting:
    return make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(hands=hands))


def mambassa(games: int | None = None) -> Sitting:
    return make.sitting("Asha", "Neema", "Juma", at=make.tournament("mambassa", "3i", games=games))


def won(table: Sitting, *wins: int, ties: int = 0) -> PaperResult:
    by = make.actor(device="d")
    return record_wins(token=table.token, first=1, wins=wins, ties=ties, by=by)


def result_only(
    table: Sitting,
    how: ResultType,
    bare: object = None,
    times: int | None = None,
    first: int | None = None,
) -> PaperResult:
    return record_result_type(
        sitting_id=table.pk,
        result_type=how,
        bare=bare,
        times=times,
        reason="Ali did not come",
        by=make.actor(),
        first=first,
    )


def sums(key: str) -> dict[str, int]:
    tallies = Tally.objects.filter(key=key, amount__gt=0)
    return dict(tallies.values_list("entrant__player__name", "amount"))


def tallied() -> dict[tuple[str, str], int]:
    """Return all that counts for anybody; who dealt, a void hand says as well."""
    tallies = Tally.objects.exclude(amount=0).exclude(key="dealt")
    rows = tallies.values_list("entrant__player__name", "key", "amount")
    return {(name, key): amount for name, key, amount in rows}


def bares() -> list[object]:
    sheets = Hand.objects.order_by("number").values_list("sheet", flat=True)
    return [sheet["bare"] for sheet in sheets]


# So many won each -----------------------------------------------------------------------------


def test_match_of_three_to_one_is_four_bare_deals_that_stand_once(match: Sitting) -> None:
    assert won(match, 3, 1, ties=1) == PaperResult(added=(1, 2, 3, 4, 5))
    assert bares() == [None, 1, 0, 0, 0]
    assert (sums("matches"), sums("won")) == ({"Asha": 1}, {"Asha": 3, "Neema": 1})  # R12
    assert {hand.kind for hand in Hand.objects.all()} == {HandKind.BARE}
    assert act.is_as_its_sheets_say(match)
    assert won(match, 3, 1, ties=1) == PaperResult(same=(1, 2, 3, 4, 5))
    assert sums("matches") == {"Asha": 1}


def test_wins_that_cannot_be_are_refused(match: Sitting) -> None:
    with act.refused("wins-none"):
        won(match, 0, 0)
    make.report(match, {"points": [80, 40]})
    with act.refused("hand-otherwise"):  # it came too late
        won(match, 0, 3)
    Round.objects.update(state=RoundState.CLOSED)
    with act.refused("round-closed"):
        won(match, 3, 0)
    assert Hand.objects.count() == 1


def test_albastini_gives_a_point_for_every_hand_won() -> None:
    won(hands_of(8), 5, 2, ties=1)
    assert sums("victory_points") == {"Asha": 5, "Juma": 5, "Neema": 2, "Baraka": 2}
    assert sums("hands")["Asha"] == 8


def test_a_table_says_its_result_on_a_page_of_its_own(client: Client, match: Sitting) -> None:
    path = reverse("enter-wins", args=[match.token])
    [link] = re.findall(f'href="{path}">([^<]*)<', client.get(match.get_absolute_url()).text)
    assert link == "Nobody counted the cards?"
    shows(client.post(path, {"first": 1}), "Say how many each side won.")
    wrong = client.post(path, {"first": 1, "won_0": "three", "won_1": 1})
    shows(wrong, "This must be a whole number.", 'value="three"')
    form = form_with(client.get(path), path, "won_0")
    shows(client.post(path, form.pressing(won_0=3, won_1=1), follow=True), "4 results saved.")
    assert words(client.get(f"{match.get_absolute_url()}?hands")).count("result only") == 4
    assert sums("matches") == {"Asha": 1}


def test_where_order_is_asked_the_sheet_itself_takes_it(client: Client) -> None:
    table = mambassa()
    path = reverse("enter-wins", args=[table.token])
    assert client.get(path).headers["Location"] == table.get_absolute_url()
    assert path not in client.get(table.get_absolute_url()).text


# Not played out -------------------------------------------------------------------------------


def test_a_walkover_gives_all_that_the_round_still_wants(table: Sitting) -> None:
    make.report(table, {"eaten": [50, 70]})
    assert result_only(table, WALKOVER, bare=0) == PaperResult(added=(2, 3, 4))
    assert sums("victory_points") == {"Asha": 3, "Juma": 3, "Neema": 1, "Baraka": 1}
    last = Hand.objects.get(number=4)
    assert (last.result_type, last.reason, last.kind) == ("walkover", "Ali did not come", "bare")
    assert LogEntry.objects.get(verb="paper-written-down").reason == "Ali did not come"


def test_a_walkover_of_a_round_of_games_wins_them_all(match: Sitting) -> None:
    result_only(match, WALKOVER, bare=1)
    assert sums("matches") == {"Neema": 2}
    assert Sitting.objects.get().finished_at is not None


def test_a_finishing_order_is_assigned() -> None:
    result_only(mambassa(games=2), ASSIGNED, bare=[2, 0, 1], times=1)
    assert bares() == [[2, 0, 1]]
    assert sums("games") == {"Juma": 1}  # S32


@pytest.mark.parametrize("how", [ResultType.NOT_PLAYED, VOID])
def test_what_was_not_played_or_is_void_counts_for_nothing(table: Sitting, how: ResultType) -> None:
    result_only(table, how, bare=0, times=2)
    assert bares() == ["void", "void"]
    assert (sums("victory_points"), sums("hands")) == ({}, {})


def full() -> Sitting:
    table = hands_of(1)
    make.report(table, {"eaten": [70, 50]})
    return table


@pytest.mark.parametrize(
    ("seat", "how", "bare", "code"),
    [
        (lambda: hands_of(None), WALKOVER, 0, "times-missing"),  # a round without an end
        (lambda: mambassa(2), VOID, 0, "times-missing"),  # or of games
        (full, WALKOVER, 0, "round-full"),
        (lambda: mambassa(1), ASSIGNED, [0, 0], "seat-twice"),
    ],
)
def test_a_result_that_cannot_be_stores_nothing(
    seat: Callable[[], Sitting], how: ResultType, bare: object, code: str
) -> None:
    table = seat()
    hands = Hand.objects.count()
    with act.refused(code):
        result_only(table, how, bare=bare)
    assert Hand.objects.count() == hands


@pytest.mark.parametrize("times", [None, 2, 3, 9])
def test_a_walkover_sent_twice_stands_once(table: Sitting, times: int | None) -> None:
    make.report(table, {"eaten": [50, 70]})
    taken = result_only(table, WALKOVER, 0, times, first=2)
    assert result_only(table, WALKOVER, 0, times, first=2) == PaperResult(same=taken.added)
    assert Hand.objects.count() == 1 + len(taken.added)
    assert LogEntry.objects.filter(verb="paper-written-down").count() == 1


@pytest.mark.parametrize(
    ("how", "bare", "times", "first"),
    [
        (WALKOVER, 1, 1, 1),
        (ASSIGNED, 0, 1, 1),
        (WALKOVER, 0, 2, 1),
        (WALKOVER, 0, None, 1),
        (VOID, None, 1, 1),
        (WALKOVER, 0, 1, 3),
    ],
)
def test_a_result_is_recorded_only_for_the_hand_that_was_coming(
    table: Sitting, how: ResultType, bare: object, times: int | None, first: int
) -> None:
    result_only(table, WALKOVER, bare=0, times=1)
    with act.refused("hand-otherwise"):
        result_only(table, how, bare, times, first)
    assert Hand.objects.count() == 1


def test_a_hand_played_or_struck_meanwhile_is_no_walkover(table: Sitting) -> None:
    make.report(table, {"bare": 0})
    result_only(table, WALKOVER, bare=0, times=2)
    act.correct(table, {2: STRIKE})
    for first in (1, 2):
        with act.refused("hand-otherwise"):
            result_only(table, WALKOVER, 0, 1, first)


def test_what_is_played_after_all_no_longer_says_why_it_was_not() -> None:
    table = hands_of(1)
    result_only(table, ResultType.NOT_PLAYED)
    act.correct(table, {1: {"eaten": [70, 50]}}, "Played on Sunday")
    hand = Hand.objects.get()
    assert (hand.result_type, hand.reason, hand.kind) == ("", "", "counted")


# Closing over what was not played -------------------------------------------------------------


def done(round_: Round) -> list[tuple[int, int]]:
    """Return of the tables that a round waits for what they have and what they owe."""
    return [(row.progress.done, row.progress.owed) for row in pending_tables(round_)]


def test_closing_over_missing_hands_says_they_were_not_played() -> None:
    table = full()
    Round.objects.update(hands=2)
    act.close(table.round, not_played=True)
    assert [hand.result_type for hand in Hand.objects.order_by("number")] == ["", "not_played"]


def test_closing_over_a_game_that_did_not_end_keeps_what_was_dealt_of_it(match: Sitting) -> None:
    won(match, 3, 1)
    make.report(match, {"points": [80, 40]})
    before = tallied()
    act.close(match.round, not_played=True)

    last = Hand.objects.get(number=6)
    assert (last.result_type, last.sheet["bare"]) == ("game_not_played", "void")
    assert last.marks is None
    undone = [tallied() == before, done(Round.objects.get()), act.is_as_its_sheets_say(match)]
    undo_round(round_id=match.round_id, by=make.actor())
    assert sums("matches") == {}
    restore_round(round_id=match.round_id, by=make.actor())
    restored = [tallied() == before, done(Round.objects.get()), act.is_as_its_sheets_say(match)]
    assert undone == restored == [True, [], True]


def test_a_game_that_was_not_played_at_mambassa_has_no_winner() -> None:
    table = mambassa(games=2)
    result_only(table, ASSIGNED, bare=[2, 0, 1], times=1)
    act.close(table.round, not_played=True)
    assert bares() == [[2, 0, 1], "void"]
    assert sums("games") == {"Juma": 1}
    assert done(Round.objects.get()) == []
    assert act.is_as_its_sheets_say(table)


def test_a_deal_not_played_in_a_running_match_is_no_game(match: Sitting) -> None:
    result_only(match, ResultType.NOT_PLAYED, times=1)
    assert done(match.round) == [(0, 2)]
    close_round(round_id=match.round_id, anyway=True, by=make.actor(at=NOON + timedelta(hours=1)))
    assert done(Round.objects.get()) == [(0, 2)]


@pytest.mark.parametrize(
    ("not_played", "shown", "whole"), [(True, "1 not played", True), (False, "1 missing", False)]
)
def test_a_closed_table_that_was_cut_short_says_so(
    match: Sitting, *, not_played: bool, shown: str, whole: bool
) -> None:
    """At the desk and in the list of papers, of a match and of hands alike."""
    won(match, 3, 1)
    client = act.sign_in(Role.ORGANISER, match)
    hands = make.sitting("C", "D", "E", "F", at=make.tournament(club=act.club_of(match), hands=2))
    make.report(hands, {"eaten": [70, 50]})
    for table in (match, hands):
        act.close(table.round, not_played=not_played, anyway=True)
        at = [table.round.tournament_id]
        desk = client.get(reverse("desk", args=at))
        [on_desk] = desk.context["desk"].tables
        progress = on_desk.table.progress
        papers = client.get(reverse("paper-file", args=at))
        assert (progress.done, progress.of, progress.whole) == (1, 2, whole)
        shows(desk, shown)
        shows(papers, shown)
        assert ("everything is in" in words(papers)) == whole


def test_the_page_that_closes_a_round_of_games_offers_not_played(match: Sitting) -> None:
    won(match, 3, 1)
    client = act.sign_in(Role.ORGANISER, match)
    path = reverse("round-close", args=[match.round_id])
    page = client.get(path)
    client.post(path, {"how": "not-played"})
    shows(page, "Game 2 of 2 · Deal 5 ", 'value="not-played"')
    shows(page, "Deals already played in a game that was not finished still count.")
    closed = Round.objects.get()
    assert (closed.state, done(closed)) == (RoundState.CLOSED, [])
    assert Hand.objects.filter(result_type=ResultType.GAME_NOT_PLAYED).count() == 1


# Said on a page -------------------------------------------------------------------------------


def test_the_organiser_says_it_on_a_page() -> None:
    table = hands_of(2)
    client, path = act.sign_in(Role.SCORER, table), reverse("enter-result-type", args=[table.pk])
    form = form_with(client.get(path), path, "reason")
    left = form.pressing(result_type="walkover", why="Had to leave")

    def answer(**more: object) -> Any:
        return client.post(path, left | more, follow=True)

    unsaid, page = answer(), answer(bare="1")

    shows(unsaid, "Say who won")
    assert re.search(r'value="Had to leave"[^>]* checked', unsaid.text)
    shows(page, "2 results saved.", "Had to leave")
    assert words(page).count("walkover") == 2
    shows(answer(bare="1"), "That was saved already.")
    otherwise = "Something else has come in meanwhile. Look at the table first."
    shows(answer(bare="0"), otherwise)
    shows(answer(bare="1", number=""), "This page has grown old: load it again, please.")
    full = client.post(path, {"number": 3, "result_type": "void", "times": 1, "reason": "Late"})
    shows(full, "All of this round is in already")


def test_an_order_and_a_number_are_read_on_that_page() -> None:
    table = mambassa()
    client, path = act.sign_in(Role.SCORER, table), reverse("enter-result-type", args=[table.pk])
    order = {"number": 1, "result_type": "assigned", "reason": "So agreed"}
    order |= {"bare_0": 2, "bare_1": 1, "bare_2": 3}
    endless = client.post(path, order)
    client.post(path, {**order, "times": 1})
    client.post(path, {"number": 2, "result_type": "void", "reason": "Misdeal", "times": 1})
    gap = client.post(path, {**order, "number": 3, "times": 1, "bare_1": ""})

    shows(endless, "Say how many: this round does not end by itself.")
    assert bares() == [[1, 0, 2], "void"]
    shows(gap, "A place before the last one is still empty.")


# Beside the hands -----------------------------------------------------------------------------


@pytest.fixture
def tournament() -> Tournament:
    return full().round.tournament


def entrant(tournament: Tournament, name: str) -> int:
    return tournament.entrants.get(player__name=name).pk


def points(tournament: Tournament) -> dict[str, int]:
    return {row.name: int(row.figures["victory_points"]) for row in standings(tournament).rows}


def give(tournament: Tournament, kind: AwardKind, amount: int | None, **more: Any) -> Award:
    given = {"entrant_id": entrant(tournament, "Asha"), "reason": "Late", **more}
    return give_award(
        tournament_id=tournament.pk, kind=kind, amount=amount, by=make.actor(), **given
    )


def test_points_are_taken_given_and_taken_back(tournament: Tournament) -> None:
    penalty = give(tournament, AwardKind.PENALTY, 3)
    give(tournament, AwardKind.FORFEIT, 2, round_id=tournament.rounds.get().pk)
    give(tournament, AwardKind.BYE, None)
    assert points(tournament)["Asha"] == 1 - 3 + 2 + 1
    for _ in range(2):
        withdraw_award(tournament_id=tournament.pk, award_id=penalty.pk, by=make.actor())
    assert points(tournament)["Asha"] == 1 + 2 + 1
    assert Award.objects.get(kind=AwardKind.BYE).rule == AwardRule.AVERAGE
    verbs = LogEntry.objects.filter(verb__startswith="award").order_by("pk")
    assert [entry.verb for entry in verbs] == ["award-given"] * 3 + ["award-withdrawn"]


def test_awards_that_make_no_sense_are_refused(tournament: Tournament) -> None:
    other = make.tournament(club=tournament.club)
    stranger = make.entrant(make.player("Ali", club=tournament.club), at=other)
    far = make.round_of(other)

    for code, amount, more in [
        ("not-entered", 1, {"entrant_id": stranger.pk}),
        ("round-unknown", 1, {"round_id": far.pk}),
        ("amount-zero", 0, {}),
        ("penalty-average", None, {}),
    ]:
        with act.refused(code):
            give(tournament, AwardKind.PENALTY, amount, **more)
    with act.refused("award-unknown"):
        withdraw_award(tournament_id=tournament.pk, award_id=0, by=make.actor())
    assert not Award.objects.exists()


def test_the_organiser_gives_and_takes_back_on_a_page(tournament: Tournament) -> None:
    path, organiser = (
        reverse("awards", args=[tournament.pk]),
        act.sign_in(Role.ORGANISER, tournament),
    )
    neema, round_ = entrant(tournament, "Neema"), tournament.rounds.get().pk
    sent = {"entrant": neema, "kind": "penalty", "reason": "Phone at the table"}
    refused = organiser.post(path, sent)
    page = organiser.post(path, {**sent, "amount": 2, "round": round_}, follow=True)

    shows(refused, "Say how many points it costs.")
    shows(page, "Neema: −2", "Penalty · Round 1 · Phone at the table")
    assert points(tournament)["Neema"] == -2
    shows(organiser.post(path, {"withdraw": Award.objects.get().pk}, follow=True), "Undone.")
    assert points(tournament)["Neema"] == 0
    again = organiser.post(path, {"withdraw": "x"}, follow=True)
    shows(again, "There is no such award here: look at the list again.")
