"""A round is closed: while its last hand is on the way, and over what nobody played."""

import re
from concurrent.futures import ThreadPoolExecutor, wait
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from django.db import connections, transaction
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertNumQueries

from games.sheet import Criterion
from tests import act, make
from tests.reading import lacks, shows
from tracker.models import Confirm, Hand, LogEntry, Role, Round, RoundState, Sitting, Tournament
from tracker.nights.services.closing import Unconfirmed, close_finished
from tracker.seating.services.round_opening import seat_round
from tracker.standings.queries.awards import rest_in_words
from tracker.standings.queries.standings import standings

pytestmark = pytest.mark.django_db
WON, LOST = {"eaten": [70, 50]}, {"eaten": [50, 70]}
OURS: dict[str, Any] = {"device": "a", "side": 0}
THEIRS: dict[str, Any] = {"device": "b", "side": 1}


@pytest.mark.django_db(transaction=True)
def test_closing_waits_for_the_hand_that_is_being_reported() -> None:
    first, second = two_tables(make.tournament(hands=1))
    make.report(first, WON)

    def close() -> Round:
        try:
            return act.close(first.round)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as desk:
        with transaction.atomic():
            make.report(second, LOST)
            closing = desk.submit(close)
            done, _waiting = wait([closing], timeout=0.5)
            assert not done  # it neither refuses nor closes past the hand
        closed = closing.result(timeout=30)

    assert closed.state == RoundState.CLOSED
    assert published(closed)["missing"] == []


def two_tables(tournament: Tournament) -> tuple[Sitting, Sitting]:
    return make.sitting(at=tournament), make.sitting(at=tournament)


def published(closed: Round) -> Any:
    assert closed.published_standing is not None
    return closed.published_standing


# Credits for those who rest ----------------------------------------------------------------------


def thirteen(tournament: Tournament, first: str = "A") -> Round:
    """Open a round of thirteen people, of whom the last rests: usually M, or A if M is *first*."""
    names = "ABCDEFGHIJKLM" if first == "A" else "MBCDEFGHIJKLA"
    people = [make.player(name, club=tournament.club) for name in names]
    entrants = [make.entrant(person, at=tournament).pk for person in people]
    return seat_round(
        tournament_id=tournament.pk, entrants=entrants, by=make.actor(), rng=Random(7)
    )


def points(tournament: Tournament) -> dict[str, Fraction]:
    standing = standings(tournament)
    return {row.name: row.figures[standing.criteria[0].key] for row in standing.rows}


def resting_leader(*sheets: Any, **terms: Any) -> tuple[Tournament, Round, dict[str, Fraction]]:
    """Let all tables play a round; then A, who leads it, rests in the second."""
    tournament = make.tournament(**{"hands": 2, **terms})
    first = thirteen(tournament)
    for sitting in first.sittings.all():
        for sheet in sheets or ({"eaten": [118, 2]}, WON):
            make.report(sitting, sheet)
    act.close(first, anyway=True)
    second = thirteen(tournament, "M")
    assert [str(rest.entrant) for rest in second.rests.all()] == ["A"]
    return tournament, second, points(tournament)


def test_who_rests_while_nobody_plays_is_credited_with_nothing(client: Client) -> None:
    tournament, second, before = resting_leader()
    act.close(second, not_played=True)
    assert before["A"] > 0
    assert points(tournament) == before
    shows(client.get(tournament.get_absolute_url()), "Round 2: sat out, but no table played")


def test_who_rests_is_credited_for_as_much_as_the_tables_played(client: Client) -> None:
    tournament, second, before = resting_leader()
    table, other, _idle = second.sittings.order_by("number")
    for sitting in (table, table, other):
        make.report(sitting, WON)
    act.close(second, not_played=True)
    # Three hands of the six; a paper sheet that is found later moves the credit with it.
    assert points(tournament)["A"] == before["A"] * Fraction(3, 2)
    shows(client.get(tournament.get_absolute_url()), "Round 2: sat out, earns the own average")


def test_where_games_are_counted_a_rest_goes_by_the_tables_that_played() -> None:
    terms: dict[str, Any] = {"game": "dalmuti", "mode": "4i", "hands": None, "games": 1}
    tournament, second, before = resting_leader({"order": [0, 1, 2, 3]}, **terms)
    make.report(second.sittings.get(number=1), {"order": [3, 2, 1, 0]})
    act.close(second, not_played=True)
    assert points(tournament)["A"] == before["A"] * Fraction(4, 3)


@pytest.mark.parametrize(
    ("terms", "credit", "says"),
    [
        ({}, None, "Sitting out earns your own average."),
        ({"rest_credit": "nothing"}, 0, "Sitting out earns nothing."),
        ({"rest_credit": "fixed", "rest_points": 1}, 1, "Sitting out earns 1 victory point."),
        ({"rest_credit": "fixed", "rest_points": 5}, 5, "Sitting out earns 5 victory points."),
        ({"movement": "knockout"}, 0, ""),
        ({"movement": "double_elimination"}, 0, ""),
    ],
)
def test_a_rest_counts_what_the_organiser_chose(
    client: Client, terms: dict[str, Any], credit: int | None, says: str
) -> None:
    tournament, second, before = resting_leader()
    Tournament.objects.update(**terms)
    for sitting in second.sittings.all():
        for _ in range(2):
            make.report(sitting, WON)
    for _ in range(2):
        act.close(second)

    assert points(tournament)["A"] == before["A"] + (before["A"] if credit is None else credit)
    page = client.get(tournament.get_absolute_url()).text
    assert says in page
    assert ("Sitting out earns" in page) == bool(says)


@pytest.mark.parametrize(("credit", "rest_points"), [("average", None), ("fixed", 50)])
def test_of_a_share_a_rest_is_said_otherwise(credit: str, rest_points: int | None) -> None:
    terms: dict[str, Any] = {"terms": (("eaten", 1),), "per": ("hands",), "percent": True}
    share = Criterion(key="share", label="Share", **terms)
    tournament = Tournament(movement="swiss", rest_credit=credit, rest_points=rest_points)
    assert rest_in_words(tournament, share) == "Sitting out changes nobody’s share."


def test_a_table_that_only_has_an_issue_open_gets_no_void_hands() -> None:
    disputed, idle = two_tables(make.tournament(hands=1))
    make.report(disputed, WON, device="a")
    make.report(disputed, LOST, number=1, device="b", is_next=False)
    act.close(idle.round, not_played=True)
    assert [hand.result_type for hand in idle.hands.all()] == ["not_played"]
    assert [hand.result_type for hand in disputed.hands.all()] == [""]
    assert disputed.issues.filter(settled_at=None).exists()


def test_a_round_of_which_nothing_counts_publishes_no_places(client: Client) -> None:
    closed = act.close(make.sitting(at=make.tournament(hands=1)).round, anyway=True)
    make.report(make.sitting(in_round=make.round_of(closed.tournament, number=2)), WON)
    page = client.get(reverse("tournament", args=[closed.tournament_id]) + "?round=1")
    assert published(closed)["standing"] == []
    lacks(page, "place 1")


# Where both sides must agree ---------------------------------------------------------------------


@pytest.fixture
def unagreed() -> Round:
    """A round that is in, with two hands at table 1 to which nobody agreed, and none at table 2."""
    waiting, agreed = two_tables(make.tournament(hands=2, confirm=Confirm.BOTH))
    for number in (1, 2):
        make.report(waiting, WON, **OURS)
        make.report(agreed, WON, **OURS)
        make.report(agreed, WON, number=number, **THEIRS)
    return waiting.round


def unconfirmed() -> list[int]:
    hands = Hand.objects.filter(confirmed_at=None).order_by("number")
    return [*hands.values_list("number", flat=True)]


def is_open() -> bool:
    return Round.objects.get().state == RoundState.OPEN


@pytest.mark.parametrize(
    ("hands", "said", "code"),
    [
        (2, {}, "hands-unconfirmed"),
        (2, {"anyway": True}, "hands-unconfirmed"),
        (2, {"not_played": True}, "hands-unconfirmed"),
        (3, {"unconfirmed": Unconfirmed.LEAVE}, "round-waits"),
    ],
)
def test_a_round_closes_over_what_is_named(
    unagreed: Round, hands: int, said: dict[str, Any], code: str
) -> None:
    Round.objects.update(hands=hands)
    with act.refused(code):
        act.close(unagreed, **said)
    assert is_open()


@pytest.mark.parametrize(
    ("said", "left", "missing"),
    [
        (Unconfirmed.CONFIRM, [], []),
        (Unconfirmed.LEAVE, [1, 2], [{"table": 1, "short": 0, "issues": 0, "unconfirmed": 2}]),
    ],
)
def test_the_organiser_confirms_them_or_leaves_them_and_the_log_has_the_number(
    unagreed: Round, said: Unconfirmed, left: list[int], missing: list[dict[str, int]]
) -> None:
    closed = act.close(unagreed, unconfirmed=said, who=make.user())
    assert closed.state == RoundState.CLOSED
    assert (unconfirmed(), published(closed)["missing"]) == (left, missing)
    assert LogEntry.objects.get(verb="round-closed").numbers["unconfirmed"] == len(left)
    confirmed = LogEntry.objects.filter(verb="hands-confirmed")
    assert [each.on["hands"] for each in confirmed] == ([[1, 2]] if not left else [])


def test_what_nobody_played_does_not_wait_for_anybody(unagreed: Round) -> None:
    Round.objects.update(hands=3)
    act.close(unagreed, not_played=True, unconfirmed=Unconfirmed.CONFIRM, who=make.user())
    assert unconfirmed() == []


def test_rounds_of_free_play_do_not_close_by_themselves_over_unconfirmed_hands() -> None:
    tournament = make.tournament(hands=1, confirm=Confirm.BOTH, movement="free")
    tables = [make.sitting(in_round=make.round_of(tournament), number=n) for n in (1, 2, 3, 4)]
    for sitting in tables[:3]:
        make.report(sitting, WON, **OURS)  # table 4 still plays
    organiser = act.sign_in(Role.ORGANISER, tournament)
    desk = reverse("desk", args=[tournament.pk])
    page = organiser.post(desk, {"do": "close-finished"}, follow=True)

    shows(page, "Nobody has confirmed all results of tables 1, 2, 3")
    assert Round.objects.filter(state=RoundState.OPEN).count() == 4
    make.report(tables[1], WON, number=1, **THEIRS)
    assert close_finished(tournament_id=tournament.pk, by=make.actor()) == 1
    assert Round.objects.get(state=RoundState.CLOSED) == tables[1].round


def test_the_desk_waits_for_it_and_closing_lists_it(unagreed: Round) -> None:
    organiser = act.sign_in(Role.ORGANISER, unagreed)
    path = reverse("round-close", args=[unagreed.pk])

    with assertNumQueries(10):  # one of them for what is unconfirmed
        page = organiser.get(reverse("desk", args=[unagreed.tournament_id]))
    shows(page, "1 table to settle", "2 results not confirmed")
    with assertNumQueries(5):
        page = organiser.get(path)
    shows(page, "Hand 1, Hand 2 not confirmed")
    lacks(page, "Close round 1 now")
    shows(organiser.post(path, follow=True), "choose whether you confirm them")

    organiser.post(path, {"unconfirmed": "confirm"})

    assert (is_open(), unconfirmed()) == (False, [])


def test_closing_asks_of_both_what_is_missing_and_what_is_unconfirmed(unagreed: Round) -> None:
    Round.objects.update(hands=3)
    organiser = act.sign_in(Role.ORGANISER, unagreed)
    path = reverse("round-close", args=[unagreed.pk])

    page = organiser.get(path)
    shows(page, "2 unconfirmed results", "Close: the 2 missing hands were not played")
    shows(page, "Close, results may still come in")
    organiser.post(path, {"how": "anyway"})
    assert is_open()
    organiser.post(path, {"how": "anyway", "unconfirmed": "leave"})

    assert not is_open()


def test_keeping_on_playing_is_the_loud_choice_and_either_close_can_be_undone() -> None:
    round_ = make.sitting(at=make.tournament(hands=2)).round
    page = act.sign_in(Role.ORGANISER, round_).get(reverse("round-close", args=[round_.pk])).text

    choices = page[page.index('<form class="form narrow"') :]
    assert re.findall('class="(button [^"]*)"[^>]*>([^<]*)<', choices)[:3] == [
        ("button primary big block", "Keep playing"),
        ("button block", "Close: the 2 missing hands were not played"),
        ("button block", "Close, results may still come in"),
    ]
    shows(page, "You can undo either: reopen the round.")
