"""A round is closed: while its last hand is on the way, and over what nobody played."""

from concurrent.futures import ThreadPoolExecutor, wait
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from django.db import connections, transaction
from django.test import Client

from games.sheet import Criterion
from tests import make
from tracker.draws.services.opening import seat_round
from tracker.models import Round, RoundState, Tournament
from tracker.nights.services.closing import close_round
from tracker.standings.queries.rests import rest_in_words
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
    assert "Rested; no table played" in client.get(tournament.get_absolute_url()).text


@pytest.mark.django_db
def test_who_rests_is_credited_for_as_much_as_the_tables_played(client: Client) -> None:
    tournament, second, before = led_by_one_who_rests()
    table, other, _idle = second.sittings.order_by("number")
    for sitting in (table, table, other):
        make.report(sitting, WON)

    close_round(round_id=second.pk, not_played=True, by=make.actor())

    # Three hands of the six; a paper sheet that is found later moves the credit with it.
    assert points(tournament)["A"] == before["A"] * Fraction(3, 2)
    assert "50.0" in client.get(tournament.get_absolute_url()).text


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
        ({}, Fraction(1), "A rest counts one’s own average."),
        ({"rest_credit": "nothing"}, Fraction(0), "A rest counts nothing."),
        ({"rest_credit": "fixed", "rest_points": 1}, Fraction(1), "A rest counts 1 point."),
        ({"rest_credit": "fixed", "rest_points": 5}, Fraction(5), "A rest counts 5 points."),
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
    assert ("A rest counts" in page) == bool(says)


@pytest.mark.parametrize(
    ("credit", "says"),
    [
        ("average", "A rest changes nobody’s share."),
        ("fixed", "A rest counts 50.0\N{NO-BREAK SPACE}%."),
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
