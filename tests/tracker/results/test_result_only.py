"""Results without the hands behind them, and points beside the hands."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from games.errors import SheetError
from tests import make
from tests.make import NOON
from tests.reading import Forms
from tracker.common.errors import Refused
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
from tracker.results.services.corrections import STRIKE, correct_sitting
from tracker.results.services.paper import PaperResult
from tracker.results.services.recount import recount
from tracker.results.services.result_only import record_result_type, record_wins
from tracker.seating.services.rounds import restore_round, undo_round
from tracker.standings.queries.standings import standings
from tracker.standings.services.standings import give_award, withdraw_award

pytestmark = pytest.mark.django_db
PEOPLE = ("Asha", "Neema", "Juma", "Baraka")


def words(page: Any) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page.text)))


def match(**more: Any) -> Sitting:
    """Seat two for a round of Briscola matches."""
    return make.sitting("Asha", "Neema", at=make.tournament("briscola", "2i", games=2, **more))


def won(table: Sitting, *wins: int, ties: int = 0, first: int = 1) -> PaperResult:
    return record_wins(
        token=table.token, first=first, wins=wins, ties=ties, by=make.actor(device="d")
    )


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
    return [
        sheet["bare"] for sheet in Hand.objects.order_by("number").values_list("sheet", flat=True)
    ]


# So many won each -----------------------------------------------------------------------------


def test_a_match_of_three_to_one_is_four_bare_deals() -> None:
    table = match()

    taken = won(table, 3, 1, ties=1)

    assert taken == PaperResult(added=(1, 2, 3, 4, 5))
    assert bares() == [None, 1, 0, 0, 0]
    assert (sums("matches"), sums("won")) == ({"Asha": 1}, {"Asha": 3, "Neema": 1})  # R12
    assert {hand.kind for hand in Hand.objects.all()} == {HandKind.BARE}
    assert not recount(tournament_id=table.round.tournament_id, by=make.actor()).findings


def test_a_result_sent_twice_stands_once() -> None:
    table = match()
    won(table, 1, 3)

    assert won(table, 1, 3) == PaperResult(same=(1, 2, 3, 4))
    assert sums("matches") == {"Neema": 1}


def test_a_result_that_came_too_late_is_refused() -> None:
    table = match()
    make.report(table, {"points": [80, 40]})

    with pytest.raises(Refused) as refusal:
        won(table, 0, 3)

    assert refusal.value.code == "hand-otherwise"
    assert Hand.objects.count() == 1


def test_nothing_won_and_a_closed_round_are_refused() -> None:
    table = match()

    with pytest.raises(Refused) as nothing:
        won(table, 0, 0)
    table.round.state = RoundState.CLOSED
    table.round.save()
    with pytest.raises(Refused) as late:
        won(table, 3, 0)

    assert (nothing.value.code, late.value.code) == ("wins-none", "round-closed")


def test_albastini_gives_a_point_for_every_hand_won() -> None:
    table = make.sitting(*PEOPLE, at=make.tournament(hands=8))

    won(table, 5, 2, ties=1)

    assert sums("victory_points") == {"Asha": 5, "Juma": 5, "Neema": 2, "Baraka": 2}
    assert sums("hands")["Asha"] == 8


def test_a_table_says_its_result_on_a_page_of_its_own(client: Client) -> None:
    table = match()
    path = reverse("enter-wins", args=[table.token])

    link = re.search(f'href="{path}">([^<]*)<', client.get(table.get_absolute_url()).text)
    assert link
    assert link.group(1) == "Nobody counted the cards?"
    form = next(f for f in Forms(client.get(path).text, path).forms if "won_0" in f.fields)
    page = client.post(path, form.pressing(won_0=3, won_1=1), follow=True)

    assert "4 results saved." in words(page)
    hands = client.get(f"{table.get_absolute_url()}?hands")
    assert words(hands).count("result only") == 4
    assert sums("matches") == {"Asha": 1}


def test_what_cannot_be_is_told_on_that_page(client: Client) -> None:
    table = match()
    path = reverse("enter-wins", args=[table.token])

    empty = client.post(path, {"first": 1})
    wrong = client.post(path, {"first": 1, "won_0": "three", "won_1": 1})

    assert "Say how many each side won." in words(empty)
    assert "This must be a whole number." in words(wrong)
    assert 'value="three"' in wrong.text


def test_where_order_is_asked_the_sheet_itself_takes_it(client: Client) -> None:
    table = make.sitting(at=make.tournament("mambassa", "3i"))

    path = reverse("enter-wins", args=[table.token])
    answer = client.get(path)

    assert answer.headers["Location"] == table.get_absolute_url()
    assert path not in client.get(table.get_absolute_url()).text


@pytest.mark.parametrize("hands", [1, 3])
def test_page_costs_the_same_however_many_hands(
    client: Client, hands: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    table = match()
    for _ in range(hands):
        make.report(table, {"points": [60, 60]})

    with django_assert_num_queries(2):  # the table, its people
        client.get(reverse("enter-wins", args=[table.token]))


# Not played out -------------------------------------------------------------------------------


def test_a_walkover_gives_all_that_the_round_still_wants() -> None:
    table = make.sitting(*PEOPLE, at=make.tournament(hands=4))
    make.report(table, {"eaten": [50, 70]})

    taken = result_only(table, ResultType.WALKOVER, bare=0)

    assert taken == PaperResult(added=(2, 3, 4))
    assert sums("victory_points") == {"Asha": 3, "Juma": 3, "Neema": 1, "Baraka": 1}
    last = Hand.objects.get(number=4)
    assert (last.result_type, last.reason, last.kind) == ("walkover", "Ali did not come", "bare")
    assert LogEntry.objects.get(verb="paper-written-down").reason == "Ali did not come"


def test_a_walkover_of_a_round_of_games_wins_them_all() -> None:
    table = match()

    result_only(table, ResultType.WALKOVER, bare=1)

    assert sums("matches") == {"Neema": 2}
    assert Sitting.objects.get().finished_at is not None


def test_a_finishing_order_is_assigned() -> None:
    table = make.sitting("Asha", "Neema", "Juma", at=make.tournament("mambassa", "3i", games=2))

    result_only(table, ResultType.ASSIGNED, bare=[2, 0, 1], times=1)

    assert bares() == [[2, 0, 1]]
    assert sums("games") == {"Juma": 1}  # S32


@pytest.mark.parametrize("how", [ResultType.NOT_PLAYED, ResultType.VOID])
def test_what_was_not_played_or_is_void_counts_for_nothing(how: ResultType) -> None:
    table = make.sitting(*PEOPLE, at=make.tournament(hands=4))

    result_only(table, how, bare=0, times=2)

    assert bares() == ["void", "void"]
    assert (sums("victory_points"), sums("hands")) == ({}, {})


def test_a_round_without_an_end_needs_a_number() -> None:
    endless = make.sitting(*PEOPLE)
    games = match()

    for table, how in [(endless, ResultType.WALKOVER), (games, ResultType.VOID)]:
        with pytest.raises(Refused) as refusal:
            result_only(table, how, bare=0)
        assert refusal.value.code == "times-missing"


def test_a_round_that_is_whole_takes_no_more() -> None:
    table = make.sitting(*PEOPLE, at=make.tournament(hands=1))
    make.report(table, {"eaten": [70, 50]})

    with pytest.raises(Refused) as refusal:
        result_only(table, ResultType.WALKOVER, bare=0)

    assert refusal.value.code == "round-full"


@pytest.mark.parametrize("times", [None, 2, 3, 9])
def test_a_walkover_sent_twice_stands_once(times: int | None) -> None:
    table = make.sitting(*PEOPLE, at=make.tournament(hands=4))
    make.report(table, {"eaten": [50, 70]})
    taken = result_only(table, ResultType.WALKOVER, 0, times, first=2)

    again = result_only(table, ResultType.WALKOVER, 0, times, first=2)

    assert again == PaperResult(same=taken.added)
    assert Hand.objects.count() == 1 + len(taken.added)
    assert LogEntry.objects.filter(verb="paper-written-down").count() == 1


@pytest.mark.parametrize(
    ("how", "bare", "times", "first"),
    [
        (ResultType.WALKOVER, 1, 1, 1),
        (ResultType.ASSIGNED, 0, 1, 1),
        (ResultType.WALKOVER, 0, 2, 1),
        (ResultType.WALKOVER, 0, None, 1),
        (ResultType.VOID, None, 1, 1),
        (ResultType.WALKOVER, 0, 1, 3),
    ],
)
def test_a_result_is_recorded_only_for_the_hand_that_was_coming(
    how: ResultType, bare: object, times: int | None, first: int
) -> None:
    table = make.sitting(*PEOPLE, at=make.tournament(hands=4))
    result_only(table, ResultType.WALKOVER, bare=0, times=1)

    with pytest.raises(Refused) as refusal:
        result_only(table, how, bare, times, first)

    assert refusal.value.code == "hand-otherwise"
    assert Hand.objects.count() == 1


def test_a_hand_played_or_struck_meanwhile_is_no_walkover() -> None:
    table = make.sitting(*PEOPLE, at=make.tournament(hands=4))
    make.report(table, {"bare": 0})
    result_only(table, ResultType.WALKOVER, bare=0, times=2)
    correct_sitting(sitting_id=table.pk, changes={2: STRIKE}, reason="", by=make.actor())

    for first in (1, 2):
        with pytest.raises(Refused) as refusal:
            result_only(table, ResultType.WALKOVER, 0, 1, first)
        assert refusal.value.code == "hand-otherwise"


def test_an_order_the_rules_refuse_stores_nothing() -> None:
    table = make.sitting(at=make.tournament("mambassa", "3i", games=1))

    with pytest.raises(SheetError):
        result_only(table, ResultType.ASSIGNED, bare=[0, 0])

    assert not Hand.objects.exists()


def test_what_is_played_after_all_no_longer_says_why_it_was_not() -> None:
    table = make.sitting(*PEOPLE, at=make.tournament(hands=1))
    result_only(table, ResultType.NOT_PLAYED)

    correct_sitting(
        sitting_id=table.pk,
        changes={1: {"eaten": [70, 50]}},
        reason="Played on Sunday",
        by=make.actor(),
    )

    hand = Hand.objects.get()
    assert (hand.result_type, hand.reason, hand.kind) == ("", "", "counted")


def test_closing_over_missing_hands_says_they_were_not_played() -> None:
    table = make.sitting(*PEOPLE, at=make.tournament(hands=2))
    make.report(table, {"eaten": [70, 50]})

    close_round(round_id=table.round.pk, not_played=True, by=make.actor())

    assert [hand.result_type for hand in Hand.objects.order_by("number")] == ["", "not_played"]


def test_closing_over_a_game_that_did_not_end_keeps_what_was_dealt_of_it() -> None:
    table = match()
    won(table, 3, 1)
    make.report(table, {"points": [80, 40]})
    before = tallied()

    close_round(round_id=table.round.pk, not_played=True, by=make.actor())
    closed = Round.objects.get()

    last = Hand.objects.get(number=6)
    assert last.result_type == "game_not_played"
    assert (last.sheet["bare"], last.marks) == ("void", None)
    assert tallied() == before
    assert pending_tables(closed) == []
    assert not recount(tournament_id=closed.tournament_id, by=make.actor()).findings
    undo_round(round_id=closed.pk, by=make.actor())
    assert sums("matches") == {}
    restore_round(round_id=closed.pk, by=make.actor())
    assert tallied() == before
    assert pending_tables(Round.objects.get()) == []
    assert not recount(tournament_id=closed.tournament_id, by=make.actor()).findings


def test_a_game_that_was_not_played_at_mambassa_has_no_winner() -> None:
    table = make.sitting("Asha", "Neema", "Juma", at=make.tournament("mambassa", "3i", games=2))
    result_only(table, ResultType.ASSIGNED, bare=[2, 0, 1], times=1)

    close_round(round_id=table.round.pk, not_played=True, by=make.actor())

    assert bares() == [[2, 0, 1], "void"]
    assert sums("games") == {"Juma": 1}
    assert pending_tables(Round.objects.get()) == []
    assert not recount(tournament_id=table.round.tournament_id, by=make.actor()).findings


def test_a_deal_not_played_in_a_running_match_is_no_game() -> None:
    table = match()
    result_only(table, ResultType.NOT_PLAYED, times=1)

    assert [(row.progress.done, row.progress.owed) for row in pending_tables(table.round)] == [
        (0, 2)
    ]
    close_round(round_id=table.round.pk, anyway=True, by=make.actor(at=NOON + timedelta(hours=1)))

    assert [
        (row.progress.done, row.progress.owed) for row in pending_tables(Round.objects.get())
    ] == [(0, 2)]


@pytest.mark.parametrize(
    ("not_played", "shown", "whole"), [(True, "1 not played", True), (False, "1 missing", False)]
)
def test_a_closed_table_that_was_cut_short_says_so(
    client: Client, *, not_played: bool, shown: str, whole: bool
) -> None:
    """At the desk and in the list of papers, of a match and of hands alike."""
    games = match()
    won(games, 3, 1)
    first = games.round.tournament
    client.force_login(make.user(role=Role.ORGANISER, club=first.club))
    close_round(round_id=games.round.pk, not_played=not_played, anyway=True, by=make.actor())
    hands = make.sitting(at=make.tournament(club=first.club, hands=2))
    make.report(hands, {"eaten": [70, 50]})
    close_round(round_id=hands.round.pk, not_played=not_played, anyway=True, by=make.actor())

    for tournament in (first, hands.round.tournament):
        desk = client.get(reverse("desk", args=[tournament.pk]))
        [on_desk] = desk.context["desk"].tables
        progress = on_desk.table.progress
        papers = client.get(reverse("paper-file", args=[tournament.pk]))
        assert (progress.done, progress.of, progress.whole) == (1, 2, whole)
        assert shown in words(desk)
        assert shown in words(papers)
        assert ("everything is in" in words(papers)) == whole


def test_the_page_that_closes_a_round_of_games_offers_not_played(client: Client) -> None:
    table = match()
    won(table, 3, 1)
    client.force_login(make.user(role=Role.ORGANISER, club=table.round.tournament.club))
    path = reverse("round-close", args=[table.round.pk])

    page = client.get(path)
    client.post(path, {"how": "not-played"})

    assert "Game 2 of 2 · Deal 5 " in words(page)
    assert 'value="not-played"' in page.text
    assert "Deals already played in a game that was not finished still count." in words(page)
    closed = Round.objects.get()
    assert (closed.state, pending_tables(closed)) == (RoundState.CLOSED, [])
    assert Hand.objects.filter(result_type=ResultType.GAME_NOT_PLAYED).count() == 1


def test_the_organiser_says_it_on_a_page(client: Client) -> None:
    table = make.sitting(*PEOPLE, at=make.tournament(hands=2))
    client.force_login(make.user(role=Role.SCORER, club=table.round.tournament.club))
    path = reverse("enter-result-type", args=[table.pk])

    [form] = [f for f in Forms(client.get(path).text, path).forms if "reason" in f.fields]
    left = form.pressing(result_type="walkover", why="Had to leave")
    unsaid = client.post(path, left)
    page = client.post(path, {**left, "bare": "1"}, follow=True)
    again = client.post(path, {**left, "bare": "1"}, follow=True)
    otherwise = client.post(path, {**left, "bare": "0"}, follow=True)
    old = client.post(path, {**left, "bare": "1", "number": ""}, follow=True)

    assert "Say who won" in words(unsaid)
    assert re.search(r'value="Had to leave"[^>]* checked', unsaid.text)
    assert "2 results saved." in words(page)
    assert words(page).count("walkover") == 2
    assert "Had to leave" in words(page)
    assert "That was saved already." in words(again)
    assert "Something else has come in meanwhile. Look at the table first." in words(otherwise)
    assert "This page has grown old: load it again, please." in words(old)
    full = client.post(path, {"number": 3, "result_type": "void", "times": 1, "reason": "Late"})
    assert "All of this round is in already" in words(full)


def test_an_order_and_a_number_are_read_on_that_page(client: Client) -> None:
    table = make.sitting("Asha", "Neema", "Juma", at=make.tournament("mambassa", "3i"))
    client.force_login(make.user(role=Role.SCORER, club=table.round.tournament.club))
    path = reverse("enter-result-type", args=[table.pk])
    order = {
        "number": 1,
        "result_type": "assigned",
        "reason": "So agreed",
        "bare_0": 2,
        "bare_1": 1,
        "bare_2": 3,
    }

    endless = client.post(path, order)
    client.post(path, {**order, "times": 1})
    client.post(path, {"number": 2, "result_type": "void", "reason": "Misdeal", "times": 1})
    gap = client.post(path, {**order, "number": 3, "times": 1, "bare_1": ""})

    assert "Say how many: this round does not end by itself." in words(endless)
    assert bares() == [[1, 0, 2], "void"]
    assert "A place before the last one is still empty." in words(gap)


# Beside the hands -----------------------------------------------------------------------------


@pytest.fixture
def tournament() -> Tournament:
    tournament = make.tournament(hands=1)
    make.report(make.sitting(*PEOPLE, at=tournament), {"eaten": [70, 50]})
    return tournament


@pytest.fixture
def organiser(client: Client, tournament: Tournament) -> Client:
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))
    return client


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
    said = LogEntry.objects.filter(verb__startswith="award").order_by("pk")
    assert [log_entry.verb for log_entry in said] == ["award-given"] * 3 + ["award-withdrawn"]


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
        with pytest.raises(Refused) as refusal:
            give(tournament, AwardKind.PENALTY, amount, **more)
        assert refusal.value.code == code
    with pytest.raises(Refused) as unknown:
        withdraw_award(tournament_id=tournament.pk, award_id=0, by=make.actor())
    assert unknown.value.code == "award-unknown"
    assert not Award.objects.exists()


def test_the_organiser_gives_and_takes_back_on_a_page(
    organiser: Client, tournament: Tournament
) -> None:
    path = reverse("awards", args=[tournament.pk])
    sent = {
        "entrant": entrant(tournament, "Neema"),
        "kind": "penalty",
        "reason": "Phone at the table",
    }

    refused = organiser.post(path, sent)
    page = organiser.post(
        path, {**sent, "amount": 2, "round": tournament.rounds.get().pk}, follow=True
    )

    assert "Say how many points it costs." in words(refused)
    assert "Neema: −2" in words(page)
    assert "Penalty · Round 1 · Phone at the table" in words(page)
    assert points(tournament)["Neema"] == -2
    back = organiser.post(path, {"withdraw": Award.objects.get().pk}, follow=True)
    assert "Undone." in words(back)
    assert points(tournament)["Neema"] == 0
    assert "There is no such award here: look at the list again." in words(
        organiser.post(path, {"withdraw": "x"}, follow=True)
    )


@pytest.mark.parametrize("awards", [1, 3])
def test_awards_cost_the_same_however_many(
    organiser: Client,
    tournament: Tournament,
    awards: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for amount in range(1, awards + 1):
        give(tournament, AwardKind.AWARD, amount)
    give(tournament, AwardKind.BYE, None)

    # session, user, tournament with role; entrants, rounds, awards
    with django_assert_num_queries(6):
        page = organiser.get(reverse("awards", args=[tournament.pk]))

    assert "own average" in words(page)
    assert "Asha: +1" in words(page)
