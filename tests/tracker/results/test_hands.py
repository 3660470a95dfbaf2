"""All hands of a tournament, narrowed down and sorted, and the page of one with its history."""

from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import act, make
from tests.make import NOON
from tests.reading import lacks, shows
from tracker.common.wording import Names
from tracker.models import Hand, Role, Round, RoundState, Sitting, Tournament
from tracker.results.pages.hands import HandRow, hand_rows, hands_of
from tracker.results.services.corrections import STRIKE

pytestmark = pytest.mark.django_db
FOUR = ("Asha", "Neema", "Juma", "Baraka")


@pytest.fixture
def tournament() -> Tournament:
    return make.tournament()


def report(sitting: Sitting, number: int, *, device: str = "a", **sheet: Any) -> None:
    now = NOON + timedelta(hours=sitting.round.number, minutes=number)
    make.report(sitting, sheet, number=number, device=device, is_next=False, now=now)


def four(game: str = "albastini", mode: str = "", **more: Any) -> Sitting:
    return make.sitting(*FOUR, at=make.tournament(game, mode, **more))


def told(at: Tournament | Sitting) -> dict[int, HandRow]:
    tournament = at.round.tournament if isinstance(at, Sitting) else at
    hands = list(hands_of(tournament))
    rows = hand_rows(tournament, hands)
    return {hand.number: rows[hand.pk] for hand in hands}


def test_a_hand_is_told_by_its_people() -> None:
    table = four()
    report(table, 1, eaten=[50, 70])
    row = told(table)[1]

    club = act.club_of(table)
    assert [[(stint.player_id, stint.name) for stint in side] for side in row.people] == [
        [(make.player(name, club=club).pk, name) for name in side]
        for side in (("Asha", "Juma"), ("Neema", "Baraka"))
    ]
    assert row.names == Names(FOUR, ("Asha & Juma", "Neema & Baraka"))
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


def test_points_are_those_of_each_side_or_player_called_as_the_game_ranks(client: Client) -> None:
    """Halves stand where a deal is drawn."""
    order = four("dalmuti", "4i", options={"dalmuti_points": "descending"})
    report(order, 1, order=[2, 0, 1, 3])
    drawn = four("briscola", "4t2")
    report(drawn, 1, points=[60, 60])
    assert (told(order)[1].points, told(order)[1].headline) == ("2–1–3–0", "Juma is Dalmuti")
    assert told(drawn)[1].points == "½–½"
    ranked_by_place = four("dalmuti", "4i")
    report(ranked_by_place, 1, order=[2, 0, 1, 3])
    assert listing(client, ranked_by_place.round.tournament).columns["points"].header == "Dalmuti"


def test_a_match_is_told_from_the_deals_before_it() -> None:
    table = four("briscola", "4t2", teams=True, options={"match_wins": 3})
    for number in (1, 2, 3):
        report(table, number, points=[70, 50])
    assert [(hand.headline, hand.points) for _number, hand in sorted(told(table).items())] == [
        ("Asha & Juma win the deal", "0–0"),
        ("Asha & Juma win the deal", "0–0"),
        ("Asha & Juma win the deal and the match", "1–0"),
    ]


def test_a_struck_hand_is_told_as_struck_and_leaves_nothing_to_the_next() -> None:
    table = four()
    report(table, 1, eaten=[70, 50])
    report(table, 2, eaten=[40, 80])
    act.correct(table, {1: STRIKE})
    hands = told(table)
    assert (hands[1].headline, hands[1].points, hands[2].points) == ("Deleted", "", "0–1")


def test_a_void_hand_has_no_points_and_a_custom_not_kept_is_told() -> None:
    table = four()
    report(table, 1, bare="void", dealer=1)
    hand = told(table)[1]
    assert (hand.points, hand.totals, hand.dealer) == ("", "", "Neema")
    assert hand.warnings == ["Neema dealt, but it was Asha’s turn to deal."]


def test_hands_of_undone_rounds_are_not_listed() -> None:
    table = four()
    report(table, 1, eaten=[70, 50])
    Round.objects.update(state=RoundState.UNDONE)
    assert told(table) == {}


# The page -----------------------------------------------------------------------------------------


@pytest.fixture
def first(tournament: Tournament) -> Sitting:
    """Play two rounds: a usual hand, a bare one, one in dispute; then one more elsewhere."""
    first = make.sitting(*FOUR, at=tournament)
    report(first, 1, eaten=[70, 50])
    report(first, 2, bare=1)
    report(first, 3, eaten=[90, 30])
    report(first, 3, device="b", eaten=[30, 90])
    Round.objects.update(state=RoundState.CLOSED)
    people = ("Zuwena", "Ali", "Rehema", "Asha")
    second = make.sitting(*people, in_round=make.round_of(tournament), number=2)
    report(second, 1, eaten=[20, 100], dealer=2)
    return first


def page_of(client: Client, tournament: Tournament, query: str = "") -> Any:
    return client.get(reverse("hands", args=[tournament.pk]) + query)


def listing(client: Client, tournament: Tournament, query: str = "") -> Any:
    """Return the table of the page."""
    return page_of(client, tournament, query).context["table"]


def listed(client: Client, tournament: Tournament, query: str = "") -> list[tuple[int, int]]:
    rows = listing(client, tournament, query).page.object_list
    hands: list[Hand] = [row.record for row in rows]
    return [(hand.sitting.round.number, hand.number) for hand in hands]


@pytest.mark.parametrize(
    ("query", "hands"),
    [
        ("", [(2, 1), (1, 3), (1, 2), (1, 1)]),
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
    client: Client, first: Sitting, query: str, hands: list[tuple[int, int]]
) -> None:
    assert listed(client, first.round.tournament, query) == hands


def test_a_player_is_found_at_the_hands_played_and_not_at_a_substitutes(
    client: Client, tournament: Tournament, first: Sitting
) -> None:
    asha = first.seats.get(player__name="Asha")
    asha.to_hand = 2
    asha.save()
    assert listed(client, tournament, f"?player={asha.player_id}") == [(2, 1), (1, 2), (1, 1)]


def test_page_says_what_is_unusual(client: Client, tournament: Tournament, first: Sitting) -> None:
    act.correct(first, {1: STRIKE})
    page = page_of(client, tournament)
    shows(page, "two different counts", "result only", "Deleted", "Round 2, table 2", "4 results")
    shows(page, "Rehema dealt, but it was Zuwena", "Zuwena & Rehema – Ali & Asha")
    shows(page_of(client, tournament, "?round=7"), "Please choose one of these.")


def test_empty_columns_are_left_out(client: Client, tournament: Tournament, first: Sitting) -> None:
    def columns(query: str = "") -> set[str]:
        return {column.name for column in listing(client, tournament, query).columns}

    assert {"totals", "points", "where"} <= columns()
    assert "totals" not in columns("?kind=bare")
    assert "confirmed_at" not in columns()
    assert "confirmed_at" in columns("?sort=confirmed_at")

    first.hands.filter(number=1).update(confirmed_at=NOON + timedelta(hours=2))

    assert "confirmed_at" in columns()


def test_the_table_is_linked_for_those_who_may_score(
    client: Client, tournament: Tournament, first: Sitting
) -> None:
    scorer = act.sign_in(Role.SCORER, tournament)
    for reader, sees in ((client, False), (scorer, True)):
        text = page_of(reader, tournament).text
        assert (f'"{reverse("sitting", args=[first.pk])}"' in text) is sees
        shows(text, reverse("hand", args=[first.pk, 1]))


def test_before_the_first_hand_the_page_says_so(client: Client, tournament: Tournament) -> None:
    shows(page_of(client, tournament), "No results yet")


# The page of a hand -------------------------------------------------------------------------------
COUNT = {"eaten": [70, 50]}
REPORTED = [
    ("The phone at table 1 (Asha & Juma) wrote down hand 1: 70–50.", ""),
    ("The phone at table 1 (Neema & Baraka) sent the same for hand 1: 70–50.", ""),
]


@pytest.fixture
def empty() -> Sitting:
    return make.sitting("Asha", "Neema", "Juma", "Baraka")


@pytest.fixture
def table(empty: Sitting) -> Sitting:
    """Return a table whose first hand was agreed on, amended by nobody, and corrected."""
    make.report(empty, COUNT, device="a", side=0)
    make.report(empty, COUNT, number=1, device="b", side=1, now=after(1))
    marta = make.user("marta", role=Role.ORGANISER, club=act.club_of(empty))
    act.correct(empty, {1: {"eaten": [50, 70]}}, "typing slip", who=marta, at=after(5))
    make.report(empty, {"eaten": [60, 60]}, now=after(6))
    return empty


def after(minutes: int) -> datetime:
    return NOON + timedelta(minutes=minutes)


def hand_page(table: Sitting, number: int = 1) -> str:
    return reverse("hand", args=[table.pk, number])


def history(client: Client, table: Sitting) -> list[tuple[str, str]]:
    lines = client.get(hand_page(table)).context["history"]
    return [(line.sentence, line.reason) for line in lines]


def test_a_member_reads_who_corrected_it_and_why(client: Client, table: Sitting) -> None:
    said = "corrected hand 1 of table 1: 70–50 became 50–70."
    member = act.sign_in(Role.MEMBER, table)
    assert history(member, table) == [*REPORTED, (f"Marta (organiser) {said}", "typing slip")]
    assert history(client, table) == [*REPORTED, (f"The organiser {said}", "")]  # a stranger
    lacks(client.get(hand_page(table)).text.casefold(), "typing slip", "marta")


def test_member_at_a_table_is_its_phone_to_a_stranger(client: Client, empty: Sitting) -> None:
    rukia = make.user("rukia", role=Role.MEMBER, club=act.club_of(empty))
    for minutes, eaten in enumerate(([70, 50], [50, 70])):
        who: dict[str, Any] = {"device": "a", "user": rukia, "now": after(minutes)}
        make.report(empty, {"eaten": eaten}, number=1, **who)
    assert history(client, empty) == [
        ("The phone at table 1 wrote down hand 1: 70–50.", ""),
        ("The phone at table 1 changed hand 1: 70–50 became 50–70.", ""),
    ]


def test_what_changes_beside_the_count_is_named(client: Client, empty: Sitting) -> None:
    make.report(empty, {**COUNT, "dealer": 0}, device="a")
    make.report(empty, {**COUNT, "dealer": 1}, number=1, device="a", now=after(1))
    changes: list[dict[str, Any]] = [{"dealer": 2}, {"dealer": 2, "trump": "H"}]
    for minutes, more in enumerate(changes, start=2):
        act.correct(empty, {1: {**COUNT, **more}}, who=make.user(), at=after(minutes))

    assert [sentence.partition("hand 1")[2] for sentence, _ in history(client, empty)] == [
        ": 70–50.",
        ": 70–50 (Dealt Asha) became 70–50 (Dealt Neema).",
        " of table 1: 70–50 (Dealt Neema) became 70–50 (Dealt Juma).",
        " of table 1: 70–50 became 70–50 (What were trumps? hearts).",
    ]


def test_every_list_of_hands_leads_to_the_page_of_a_hand(scorer: Client, table: Sitting) -> None:
    for address in (
        reverse("hands", args=[table.round.tournament_id]),
        reverse("sitting", args=[table.pk]),
    ):
        shows(scorer.get(address), hand_page(table))
    assert scorer.get(hand_page(table, 9)).status_code == 404
