"""All hands of a tournament, narrowed down, sorted, and page by page."""

from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags
from pytest_django import DjangoAssertNumQueries

from tests import make
from tests.make import NOON
from tracker.common.wording import Names
from tracker.models import Hand, Role, Round, RoundState, Sitting, Tournament
from tracker.results.pages.hands import HandRow, hand_rows, hands_of
from tracker.results.services.corrections import STRIKE, correct_sitting

pytestmark = pytest.mark.django_db

FOUR = ("Asha", "Neema", "Juma", "Baraka")


def report(sitting: Sitting, number: int, *, device: str = "a", **sheet: Any) -> None:
    make.report(
        sitting,
        sheet,
        number=number,
        device=device,
        is_next=False,
        now=NOON + timedelta(hours=sitting.round.number, minutes=number),
    )


def strike(sitting: Sitting, number: int) -> None:
    correct_sitting(
        sitting_id=sitting.pk,
        changes={number: STRIKE},
        reason="dealt twice",
        by=make.actor(at=NOON + timedelta(hours=4), device="desk"),
    )


def told(tournament: Tournament) -> dict[int, HandRow]:
    hands = list(hands_of(tournament))
    rows = hand_rows(tournament, hands)
    return {hand.number: rows[hand.pk] for hand in hands}


def test_a_hand_is_told_by_its_people() -> None:
    tournament = make.tournament()
    report(make.sitting(*FOUR, at=tournament), 1, eaten=[50, 70])

    row = told(tournament)[1]

    assert [[(stint.player_id, stint.name) for stint in side] for side in row.people] == [
        [(make.player(name, club=tournament.club).pk, name) for name in side]
        for side in (("Asha", "Juma"), ("Neema", "Baraka"))
    ]
    assert row.names == Names(
        ("Asha", "Neema", "Juma", "Baraka"), ("Asha & Juma", "Neema & Baraka")
    )
    assert (row.dealer, row.dealt_by) == ("Asha", "Asha")
    assert row.headline == "Neema & Baraka win · 1 victory point"
    assert (row.counts, row.totals, row.points) == ([50, 70], "50–70", "0–1")
    assert row.figures == {
        "Victory points": [Fraction(0), Fraction(1)],
        "Won": [Fraction(0), Fraction(1)],
        "Two-point wins": [Fraction(0), Fraction(0)],
        "Eaten, %": [Decimal("41.7"), Decimal("58.3")],
    }
    assert (row.conflict, row.warnings, row.waits_for) == (False, [], "")


def test_points_of_seats_are_those_of_each_player() -> None:
    tournament = make.tournament("dalmuti", "4i", options={"dalmuti_points": "descending"})
    report(make.sitting(*FOUR, at=tournament), 1, order=[2, 0, 1, 3])

    assert told(tournament)[1].points == "2–1–3–0"
    assert told(tournament)[1].headline == "Juma is Dalmuti"


def test_halves_are_shown_where_a_deal_is_drawn() -> None:
    tournament = make.tournament("briscola", "4t2")
    report(make.sitting(*FOUR, at=tournament), 1, points=[60, 60])

    assert told(tournament)[1].points == "½–½"


def test_a_match_is_told_from_the_deals_before_it() -> None:
    tournament = make.tournament("briscola", "4t2", teams=True, options={"match_wins": 3})
    sitting = make.sitting(*FOUR, at=tournament)
    for number in (1, 2, 3):
        report(sitting, number, points=[70, 50])

    hands = told(tournament)

    assert [(hands[number].headline, hands[number].points) for number in (1, 2, 3)] == [
        ("Asha & Juma win the deal", "0–0"),
        ("Asha & Juma win the deal", "0–0"),
        ("Asha & Juma win the deal and the match", "1–0"),
    ]


def test_a_struck_hand_is_told_as_struck_and_leaves_nothing_to_the_next() -> None:
    tournament = make.tournament()
    sitting = make.sitting(*FOUR, at=tournament)
    report(sitting, 1, eaten=[70, 50])
    report(sitting, 2, eaten=[40, 80])
    strike(sitting, 1)

    hands = told(tournament)

    assert (hands[1].headline, hands[1].points) == ("Deleted", "")
    assert hands[2].points == "0–1"


def test_a_void_hand_has_no_points_and_a_custom_not_kept_is_told() -> None:
    tournament = make.tournament()
    report(make.sitting(*FOUR, at=tournament), 1, bare="void", dealer=1)

    hand = told(tournament)[1]

    assert (hand.points, hand.totals, hand.dealer) == ("", "", "Neema")
    assert hand.warnings == ["Neema dealt, but it was Asha’s turn to deal."]


def test_hands_of_undone_rounds_are_not_listed() -> None:
    tournament = make.tournament()
    sitting = make.sitting(*FOUR, at=tournament)
    report(sitting, 1, eaten=[70, 50])
    Round.objects.filter(pk=sitting.round_id).update(state=RoundState.UNDONE)

    assert told(tournament) == {}


# The page -----------------------------------------------------------------------------------------


def evening(tournament: Tournament) -> tuple[Sitting, Sitting]:
    """Play two rounds: a usual hand, a bare one, one in dispute; then one more elsewhere."""
    first = make.sitting(*FOUR, in_round=make.round_of(tournament))
    report(first, 1, eaten=[70, 50])
    report(first, 2, bare=1)
    report(first, 3, eaten=[90, 30])
    report(first, 3, device="b", eaten=[30, 90])
    Round.objects.filter(pk=first.round_id).update(state=RoundState.CLOSED)
    second = make.sitting(
        "Zuwena", "Ali", "Rehema", "Asha", in_round=make.round_of(tournament), number=2
    )
    report(second, 1, eaten=[20, 100], dealer=2)
    return first, second


def listed(client: Client, tournament: Tournament, query: str = "") -> list[tuple[int, int]]:
    page = client.get(reverse("hands", args=[tournament.pk]) + query)
    hands: list[Hand] = [row.record for row in page.context["table"].page.object_list]
    return [(hand.sitting.round.number, hand.number) for hand in hands]


def test_the_latest_round_comes_first(client: Client) -> None:
    tournament = make.tournament()
    evening(tournament)

    assert listed(client, tournament) == [(2, 1), (1, 3), (1, 2), (1, 1)]


@pytest.mark.parametrize(
    ("query", "hands"),
    [
        ("?round=1", [(1, 3), (1, 2), (1, 1)]),
        ("?table=2", [(2, 1)]),
        ("?kind=bare", [(1, 2)]),
        ("?kind=counted", [(2, 1), (1, 3), (1, 1)]),
        ("?only=conflict", [(1, 3)]),
        ("?only=warnings", [(2, 1)]),
        ("?only=unconfirmed", [(2, 1), (1, 3), (1, 2), (1, 1)]),
        ("?only=struck", []),
        ("?sort=recorded_at", [(1, 1), (1, 2), (1, 3), (2, 1)]),
        ("?sort=where", [(1, 1), (1, 2), (1, 3), (2, 1)]),
        ("?round=1&sort=-where", [(1, 3), (1, 2), (1, 1)]),
        ("?page=99", [(2, 1), (1, 3), (1, 2), (1, 1)]),
    ],
)
def test_hands_are_narrowed_down_and_sorted(
    client: Client, query: str, hands: list[tuple[int, int]]
) -> None:
    tournament = make.tournament()
    evening(tournament)

    assert listed(client, tournament, query) == hands


def test_a_player_is_found_at_the_hands_played_and_not_at_a_substitutes(client: Client) -> None:
    tournament = make.tournament()
    first, _ = evening(tournament)
    asha = first.seats.get(player__name="Asha")
    asha.to_hand = 2
    asha.save()

    assert listed(client, tournament, f"?player={asha.player_id}") == [(2, 1), (1, 2), (1, 1)]


def test_a_choice_that_is_none_is_refused_beside_its_field(client: Client) -> None:
    tournament = make.tournament()
    evening(tournament)

    page = client.get(reverse("hands", args=[tournament.pk]) + "?round=7")

    assert "Please choose one of these." in page.text


def test_the_page_says_what_is_unusual(client: Client) -> None:
    tournament = make.tournament()
    first, _ = evening(tournament)
    strike(first, 1)

    text = client.get(reverse("hands", args=[tournament.pk])).text

    for words in (
        "two different counts",
        "result only",
        "Deleted",
        "Rehema dealt, but it was Zuwena",
        "Round 2, table 2",
        "4 results",
    ):
        assert words in text
    assert "Zuwena & Rehema – Ali & Asha" in " ".join(unescape(strip_tags(text)).split())


def columns(client: Client, tournament: Tournament, query: str = "") -> set[str]:
    page = client.get(reverse("hands", args=[tournament.pk]) + query)
    return {column.name for column in page.context["table"].columns}


def test_columns_that_stay_empty_are_left_out(client: Client) -> None:
    tournament = make.tournament()
    first, _ = evening(tournament)

    assert {"totals", "points", "where"} <= columns(client, tournament)
    assert "totals" not in columns(client, tournament, "?kind=bare")
    assert "confirmed_at" not in columns(client, tournament)
    assert "confirmed_at" in columns(client, tournament, "?sort=confirmed_at")

    first.hands.filter(number=1).update(confirmed_at=NOON + timedelta(hours=2))

    assert "confirmed_at" in columns(client, tournament)


@pytest.mark.parametrize(("role", "sees"), [(None, False), (Role.SCORER, True)])
def test_the_table_is_linked_for_those_who_may_score(
    client: Client, role: Role | None, sees: bool
) -> None:
    tournament = make.tournament()
    first, _ = evening(tournament)
    if role:
        client.force_login(make.user(role=role, club=tournament.club))

    text = client.get(reverse("hands", args=[tournament.pk])).text

    assert (f'"{reverse("sitting", args=[first.pk])}"' in text) is sees
    assert reverse("hand", args=[first.pk, 1]) in text


def test_before_the_first_hand_the_page_says_so(client: Client) -> None:
    tournament = make.tournament()

    assert "No results yet" in client.get(reverse("hands", args=[tournament.pk])).text


def one_hand_each(tournament: Tournament, tables: int, hands: int) -> None:
    for _ in range(tables):
        sitting = make.sitting(at=tournament)
        for number in range(1, hands + 1):
            report(sitting, number, eaten=[70, 50])


@pytest.mark.parametrize(
    "played",
    [
        lambda tournament: one_hand_each(tournament, tables=1, hands=1),
        lambda tournament: one_hand_each(tournament, tables=3, hands=1),
        lambda tournament: one_hand_each(tournament, tables=3, hands=10),  # two pages
    ],
    ids=["a hand", "three tables", "two pages"],
)
def test_the_page_costs_the_same_however_much_was_played(
    client: Client,
    played: Callable[[Tournament], None],
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    tournament = make.tournament()
    played(tournament)

    # The tournament; its tables and its people, to choose from; how many hands, those of the
    # page, the people and sheets of their tables.
    with django_assert_num_queries(6):
        page = client.get(reverse("hands", args=[tournament.pk]))

    assert len(page.context["table"].page.object_list) == min(25, Hand.objects.count())


def test_points_are_called_what_the_game_ranks_by(client: Client) -> None:
    tournament = make.tournament("dalmuti", "4i")
    report(make.sitting(*FOUR, at=tournament), 1, order=[2, 0, 1, 3])

    page = client.get(reverse("hands", args=[tournament.pk]))

    assert page.context["table"].columns["points"].header == "Dalmuti"
