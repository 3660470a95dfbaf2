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
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertNotContains

from games.sheet import Criterion
from tests import make
from tracker.common.errors import Refused
from tracker.models import Confirm, Hand, LogEntry, Role, Round, RoundState, Tournament
from tracker.nights.services.closing import Unconfirmed, close_finished, close_round
from tracker.seating.services.round_opening import seat_round
from tracker.standings.queries.awards import rest_in_words
from tracker.standings.queries.standings import standings

WON = {"eaten": [70, 50]}


@pytest.mark.django_db(transaction=True)
def test_closing_waits_for_the_hand_that_is_being_reported() -> None:
    tournament = make.tournament(hands=1)
    sittings = [make.sitting(at=tournament, number=number) for number in (1, 2)]
    make.report(sittings[0], {"eaten": [70, 50]})

    def close() -> Round:
        try:
            return close_round(round_id=sittings[0].round_id, by=make.actor())
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as desk:
        with transaction.atomic():
            make.report(sittings[1], {"eaten": [50, 70]})
            closing = desk.submit(close)
            done, _waiting = wait([closing], timeout=0.5)
            assert not done  # it neither refuses nor closes past the hand
        closed = closing.result(timeout=30)

    assert closed.state == RoundState.CLOSED
    assert closed.published_standing is not None
    assert closed.published_standing["missing"] == []


def thirteen(tournament: Tournament, *first: str) -> Round:
    """Open a round of thirteen people, of whom the last rests; *first* are seated first."""
    names = [*first, *(name for name in "ABCDEFGHIJKLM" if name not in first)]
    entrants = [
        make.entrant(make.player(name, club=tournament.club), at=tournament).pk for name in names
    ]
    return seat_round(
        tournament_id=tournament.pk, entrants=entrants, by=make.actor(), rng=Random(7)
    )


def points(tournament: Tournament) -> dict[str, Fraction]:
    standing = standings(tournament)
    return {row.name: row.figures[standing.criteria[0].key] for row in standing.rows}


def led_by_one_who_rests() -> tuple[Tournament, Round, dict[str, Fraction]]:
    """Let A win one hand more than anybody, and rest in the second round."""
    tournament = make.tournament(hands=2)
    first = thirteen(tournament)
    for sitting in first.sittings.all():
        make.report(sitting, {"eaten": [118, 2]})
        make.report(sitting, WON)
    close_round(round_id=first.pk, by=make.actor())
    before = points(tournament)
    second = thirteen(tournament, *"MBCDEFGHIJKL")
    assert [str(rest.entrant) for rest in second.rests.all()] == ["A"]
    return tournament, second, before


@pytest.mark.django_db
def test_who_rests_while_nobody_plays_is_credited_with_nothing(client: Client) -> None:
    tournament, second, before = led_by_one_who_rests()

    close_round(round_id=second.pk, not_played=True, by=make.actor())

    assert before["A"] > 0
    assert points(tournament) == before
    assert "Round 2: sat out, but no table played" in client.get(tournament.get_absolute_url()).text


@pytest.mark.django_db
def test_who_rests_is_credited_for_as_much_as_the_tables_played(client: Client) -> None:
    tournament, second, before = led_by_one_who_rests()
    table, other, _idle = second.sittings.order_by("number")
    for sitting in (table, table, other):
        make.report(sitting, WON)

    close_round(round_id=second.pk, not_played=True, by=make.actor())

    # Three hands of the six; a paper sheet that is found later moves the credit with it.
    assert points(tournament)["A"] == before["A"] * Fraction(3, 2)
    page = client.get(tournament.get_absolute_url()).text
    assert "Round 2: sat out, earns the own average" in page


@pytest.mark.django_db
def test_where_games_are_counted_a_rest_goes_by_the_tables_that_played() -> None:
    tournament = make.tournament("dalmuti", "4i", games=1)
    first = thirteen(tournament)
    for sitting in first.sittings.all():
        make.report(sitting, {"order": [0, 1, 2, 3]})
    close_round(round_id=first.pk, anyway=True, by=make.actor())
    before = points(tournament)
    second = thirteen(tournament, *"MBCDEFGHIJKL")
    make.report(second.sittings.get(number=1), {"order": [3, 2, 1, 0]})

    close_round(round_id=second.pk, not_played=True, by=make.actor())

    assert second.rests.get().entrant.player == make.player("A", club=tournament.club)
    assert points(tournament)["A"] == before["A"] * Fraction(4, 3)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("terms", "credit", "says"),
    [
        ({}, Fraction(1), "Sitting out earns your own average."),
        ({"rest_credit": "nothing"}, Fraction(0), "Sitting out earns nothing."),
        (
            {"rest_credit": "fixed", "rest_points": 1},
            Fraction(1),
            "Sitting out earns 1 victory point.",
        ),
        (
            {"rest_credit": "fixed", "rest_points": 5},
            Fraction(5),
            "Sitting out earns 5 victory points.",
        ),
        ({"movement": "knockout"}, Fraction(0), ""),
        ({"movement": "double_elimination"}, Fraction(0), ""),
    ],
)
def test_a_rest_counts_what_the_organiser_chose(
    client: Client, terms: dict[str, Any], credit: Fraction, says: str
) -> None:
    tournament, second, before = led_by_one_who_rests()
    Tournament.objects.filter(pk=tournament.pk).update(**terms)
    for sitting in second.sittings.all():
        for _ in range(2):
            make.report(sitting, WON)

    for _ in range(2):
        close_round(round_id=second.pk, by=make.actor())

    average = before["A"] if not terms else credit
    assert points(tournament)["A"] == before["A"] + average
    page = client.get(tournament.get_absolute_url()).text
    assert says in page
    assert ("Sitting out earns" in page) == bool(says)


@pytest.mark.parametrize(
    ("credit", "says"),
    [
        ("average", "Sitting out changes nobody’s share."),
        ("fixed", "Sitting out changes nobody’s share."),
    ],
)
def test_of_a_share_a_rest_is_said_otherwise(credit: str, says: str) -> None:
    share = Criterion(
        key="share", label="Share", terms=(("eaten", 1),), per=("hands",), percent=True
    )
    fixed = credit == "fixed"
    tournament = Tournament(movement="swiss", rest_credit=credit, rest_points=50 if fixed else None)

    assert rest_in_words(tournament, share) == says


@pytest.mark.django_db
def test_a_table_that_only_has_an_issue_open_gets_no_void_hands() -> None:
    tournament = make.tournament(hands=1)
    disputed, idle = (make.sitting(at=tournament, number=number) for number in (1, 2))
    make.report(disputed, WON, device="a")
    make.report(disputed, {"eaten": [50, 70]}, number=1, device="b", is_next=False)

    close_round(round_id=idle.round_id, not_played=True, by=make.actor())

    assert [hand.result_type for hand in idle.hands.all()] == ["not_played"]
    assert [hand.result_type for hand in disputed.hands.all()] == [""]
    assert disputed.issues.filter(settled_at=None).exists()


# Where both sides must agree ---------------------------------------------------------------------


@pytest.fixture
def unagreed() -> Round:
    """A round that is in, with two hands at table 1 to which nobody agreed, and none at table 2."""
    tournament = make.tournament(hands=2, confirm=Confirm.BOTH)
    waiting, agreed = (make.sitting(at=tournament, number=number) for number in (1, 2))
    for number in (1, 2):
        make.report(waiting, WON, device="a", side=0)
        make.report(agreed, WON, device="c", side=0)
        make.report(agreed, WON, number=number, device="d", side=1)
    return waiting.round


def unconfirmed(round_: Round) -> list[int]:
    hands = Hand.objects.filter(sitting__round=round_, confirmed_at=None).order_by("number")
    return [hand.number for hand in hands]


@pytest.mark.django_db
@pytest.mark.parametrize("said", [{}, {"anyway": True}, {"not_played": True}])
def test_a_round_closes_over_unconfirmed_hands_only_when_somebody_says_so(
    unagreed: Round, said: dict[str, Any]
) -> None:
    with pytest.raises(Refused) as refusal:
        close_round(round_id=unagreed.pk, by=make.actor(), **said)

    assert refusal.value.code == "hands-unconfirmed"
    assert Round.objects.get().state == RoundState.OPEN


@pytest.mark.django_db
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
    closed = close_round(round_id=unagreed.pk, unconfirmed=said, by=make.actor(make.user()))

    assert closed.state == RoundState.CLOSED
    assert unconfirmed(unagreed) == left
    assert closed.published_standing is not None
    assert closed.published_standing["missing"] == missing
    entry = LogEntry.objects.get(verb="round-closed")
    assert entry.numbers["unconfirmed"] == len(left)
    confirmed = LogEntry.objects.filter(verb="hands-confirmed")
    assert [each.on["hands"] for each in confirmed] == ([[1, 2]] if not left else [])


@pytest.mark.django_db
def test_what_else_is_missing_has_to_be_said_as_well(unagreed: Round) -> None:
    Round.objects.update(hands=3)

    with pytest.raises(Refused) as refusal:
        close_round(round_id=unagreed.pk, unconfirmed=Unconfirmed.LEAVE, by=make.actor())
    close_round(
        round_id=unagreed.pk,
        not_played=True,
        unconfirmed=Unconfirmed.CONFIRM,
        by=make.actor(make.user()),
    )

    assert refusal.value.code == "round-waits"
    assert unconfirmed(unagreed) == []  # nor does what nobody played wait for anybody


@pytest.mark.django_db
def test_a_round_of_free_play_does_not_close_by_itself_over_unconfirmed_hands() -> None:
    tournament = make.tournament(hands=1, confirm=Confirm.BOTH, movement="free")
    tables = [make.sitting(in_round=make.round_of(tournament), number=n) for n in (1, 2)]
    for sitting in tables:
        make.report(sitting, WON, device="a", side=0)
    make.report(tables[1], WON, number=1, device="b", side=1)

    assert close_finished(tournament_id=tournament.pk, by=make.actor()) == 1

    states = Round.objects.order_by("number").values_list("state", flat=True)
    assert [*states] == [RoundState.OPEN, RoundState.CLOSED]


@pytest.mark.django_db
def test_who_closes_what_has_finished_is_told_what_only_waits_to_be_confirmed(
    client: Client,
) -> None:
    tournament = make.tournament(hands=1, confirm=Confirm.BOTH, movement="free")
    for number in (1, 2):
        sitting = make.sitting(in_round=make.round_of(tournament), number=number)
        make.report(sitting, WON, device="a", side=0)
    make.sitting(in_round=make.round_of(tournament), number=3)  # they still play
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))
    desk = reverse("desk", args=[tournament.pk])

    page = client.post(desk, {"do": "close-finished"}, follow=True).text

    assert "Nobody has confirmed all results of tables 1, 2" in page
    assert Round.objects.filter(state=RoundState.OPEN).count() == 3


@pytest.mark.django_db
def test_the_desk_waits_for_it_and_closing_lists_it(
    client: Client, unagreed: Round, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = unagreed.tournament
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))
    desk, path = (
        reverse("desk", args=[tournament.pk]),
        reverse("round-close", args=[unagreed.pk]),
    )

    with django_assert_num_queries(10):  # one of them for what is unconfirmed
        page = client.get(desk).text
    assert "1 table to settle" in page
    assert "2 results not confirmed" in page
    with django_assert_num_queries(5):
        page = client.get(path).text
    assert "Hand 1, Hand 2 not confirmed" in page
    assert "Close round 1 now" not in page
    page = client.post(path, follow=True).text
    assert "choose whether you confirm them" in page

    client.post(path, {"unconfirmed": "confirm"})

    assert Round.objects.get().state == RoundState.CLOSED
    assert unconfirmed(unagreed) == []


@pytest.mark.django_db
def test_closing_asks_of_both_what_is_missing_and_what_is_unconfirmed(
    client: Client, unagreed: Round
) -> None:
    Round.objects.update(hands=3)
    client.force_login(make.user(role=Role.ORGANISER, club=unagreed.tournament.club))
    path = reverse("round-close", args=[unagreed.pk])

    page = client.get(path).text
    assert "2 unconfirmed results" in page
    assert "Close: the 2 missing hands were not played" in page
    assert "Close, results may still come in" in page
    client.post(path, {"how": "anyway"})
    assert Round.objects.get().state == RoundState.OPEN
    client.post(path, {"how": "anyway", "unconfirmed": "leave"})

    assert Round.objects.get().state == RoundState.CLOSED


@pytest.mark.django_db
def test_keeping_on_playing_is_the_loud_choice_and_either_close_can_be_undone(
    client: Client,
) -> None:
    round_ = make.sitting(at=make.tournament(hands=2)).round
    client.force_login(make.user(role=Role.ORGANISER, club=round_.tournament.club))

    page = client.get(reverse("round-close", args=[round_.pk])).text

    choices = page[page.index('<form class="form narrow"') :]
    assert re.findall('class="(button [^"]*)"[^>]*>([^<]*)<', choices)[:3] == [
        ("button primary big block", "Keep playing"),
        ("button block", "Close: the 2 missing hands were not played"),
        ("button block", "Close, results may still come in"),
    ]
    assert "You can undo either: reopen the round." in page


@pytest.mark.django_db
def test_a_round_of_which_nothing_counts_publishes_no_places(client: Client) -> None:
    sitting = make.sitting(at=make.tournament(hands=1))
    closed = close_round(round_id=sitting.round_id, by=make.actor(), anyway=True)
    later = make.round_of(closed.tournament, number=2)
    make.report(make.sitting(in_round=later), {"eaten": [70, 50]})

    page = client.get(reverse("tournament", args=[closed.tournament_id]) + "?round=1")

    assert closed.published_standing is not None
    assert closed.published_standing["standing"] == []
    assertNotContains(page, "place 1")
