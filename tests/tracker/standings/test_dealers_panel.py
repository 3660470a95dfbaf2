"""*Dealers now*: who deals at every table, and who deals next, whatever happens there."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests import make
from tests.make import NOON
from tracker.models import Role, RoundState, Sitting, Tournament
from tracker.tables.next_dealer import DealForecast, DealsWhen, NextDealer
from tracker.tables.sql import read_open_tables
from tracker.tables.table_now import DealersNow, Deals, TableNow, dealers_now

pytestmark = pytest.mark.django_db

FOUR = ("Asha", "Neema", "Juma", "Baraka")
FIVE = (*FOUR, "Zuwena")


def dealers(tournament: Tournament) -> DealersNow:
    return dealers_now(read_open_tables(tournament=tournament.pk))


def table(tournament: Tournament) -> TableNow:
    (only,) = dealers(tournament).tables
    return only


def deals(tournament: Tournament) -> dict[str, Deals]:
    named = {
        entrant.pk: str(entrant) for entrant in tournament.entrants.select_related("player", "team")
    }
    return {named[entrant]: when for entrant, when in dealers(tournament).of_entrant.items()}


def test_two_sides_are_told_in_three_columns() -> None:
    tournament = make.tournament(hands=8)
    make.report(make.sitting(*FOUR, at=tournament), {"eaten": [70, 50]})

    now = table(tournament)

    assert (now.hand_called, now.dealer) == ("Hand 2 of 8", "Juma")
    assert [(turn.side_names, turn.dealer) for turn in now.forecast.by_sides] == [
        ("Asha & Juma", "Asha"),
        ("Neema & Baraka", "Baraka"),  # of those who never dealt the next to sit
        ("", "Juma"),
    ]
    assert dealers(tournament).by_sides


def test_the_column_of_the_standings_says_when_each_deals() -> None:
    tournament = make.tournament(hands=8)
    make.report(make.sitting(*FOUR, at=tournament), {"eaten": [70, 50]})

    assert {name: when.when for name, when in deals(tournament).items()} == {
        "Juma": DealsWhen.NOW,
        "Asha": DealsWhen.IF_THEY_WIN,
        "Baraka": DealsWhen.IF_THEY_WIN,
    }


def test_a_team_deals_as_a_whole_and_it_is_known_whose_turn_it_is() -> None:
    tournament = make.tournament(hands=8, teams=True)
    make.sitting(*FOUR, at=tournament)

    assert deals(tournament) == {
        "Asha & Juma": Deals(when=DealsWhen.NOW, table=1, turn="Juma"),
        "Neema & Baraka": Deals(when=DealsWhen.IF_THEY_WIN, table=1, turn="Neema"),
    }


def test_the_dealer_the_table_chose_is_the_one_that_deals() -> None:
    tournament = make.tournament(hands=8)
    sitting = make.sitting(*FOUR, at=tournament)
    make.report(sitting, {"eaten": [70, 50]})
    Sitting.objects.filter(pk=sitting.pk).update(chosen_dealer=0, chosen_after=1)

    now = table(tournament)

    assert now.dealer == "Asha"
    assert now.forecast.by_sides[0].dealer == "Juma"
    assert now.forecast.by_sides[2].dealer == "Asha"


def test_of_five_each_alone_whoever_wins_deals() -> None:
    tournament = make.tournament("albastini", "5i")
    make.sitting(*FIVE, at=tournament)

    assert table(tournament).forecast.lines == ("Whoever wins", "If it is a tie: Asha again")
    assert not dealers(tournament).by_sides


def test_of_three_pairs_each_outcome_has_its_line() -> None:
    tournament = make.tournament("albastini", "6t2")
    make.sitting("Asha", "Neema", "Juma", "Baraka", "Zuwena", "Ali", at=tournament)

    assert table(tournament).forecast.lines == (
        "If Asha & Baraka win: Baraka",
        "If Neema & Zuwena win: Neema",
        "If Juma & Ali win: Juma",
        "If it is a tie: Asha again",
    )


def test_in_briscola_the_next_seat_deals_whoever_wins() -> None:
    tournament = make.tournament("briscola", "4t2", teams=True)
    make.sitting(*FOUR, at=tournament)

    assert table(tournament).forecast.lines == ("Neema, whoever wins",)
    assert deals(tournament)["Neema & Baraka"].when is DealsWhen.NEXT


def test_in_mambassa_the_next_player_deals_in_any_case() -> None:
    tournament = make.tournament("mambassa", "4i", games=1)
    make.sitting(*FOUR, at=tournament)

    assert table(tournament).forecast.lines == ("Neema, whoever wins",)
    assert deals(tournament)["Neema"] == Deals(when=DealsWhen.NEXT, table=1, turn=None)


def test_in_dalmuti_the_draw_decides_and_then_who_goes_out_last() -> None:
    tournament = make.tournament("dalmuti", "4i")
    sitting = make.sitting(*FOUR, at=tournament)
    before = table(tournament)

    make.report(sitting, {"order": [2, 0, 1, 3]})

    assert before.dealer is None
    assert before.forecast.lines == ("whoever goes out last",)
    assert table(tournament).dealer == "Baraka"
    assert deals(tournament) == {"Baraka": Deals(when=DealsWhen.NOW, table=1, turn=None)}


def test_a_game_may_let_the_losers_deal() -> None:
    turns = [
        NextDealer(outcome="If A wins", side=0, side_names="Asha", place=1, dealer="Neema"),
        NextDealer(outcome="If B wins", side=1, side_names="Neema", place=0, dealer="Asha"),
    ]
    now = DealForecast(("Asha", "Neema"), 0, tuple(turns))

    assert now.deals_when(1, 1) is DealsWhen.PERHAPS
    assert now.deals_when(2, 0) is None


def test_where_every_hand_is_in_nobody_deals() -> None:
    tournament = make.tournament(hands=1)
    make.report(make.sitting(*FOUR, at=tournament), {"eaten": [70, 50]})

    assert (bool(table(tournament).finished), table(tournament).hand_called) == (
        True,
        "Hand 1 of 1",
    )
    assert deals(tournament) == {}
    assert not dealers(tournament).by_sides


def test_only_tables_of_open_rounds_are_shown() -> None:
    tournament = make.tournament()
    make.sitting(*FOUR, in_round=make.round_of(tournament, state=RoundState.CLOSED))

    assert dealers(tournament).tables == ()


# The pages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("tables", [1, 3])
def test_the_panel_costs_the_same_however_many_tables_there_are(
    client: Client, tables: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = make.tournament()
    for _ in range(tables):
        make.sitting(at=tournament)

    with django_assert_num_queries(3):  # the revision, the tournament, its tables
        page = client.get(reverse("dealers", args=[tournament.pk]))

    assert len(page.context["dealers"].tables) == tables


def test_the_panel_has_a_page_of_its_own(client: Client) -> None:
    tournament = make.tournament(hands=8)
    make.sitting(*FOUR, at=tournament)

    page = client.get(reverse("dealers", args=[tournament.pk]))

    for text in (
        "Dealers now",
        "Hand 1 of 8",
        "Asha",
        "Next if A wins",
        "Next if tied",
        "Asha again",
    ):
        assert text in page.text


def test_the_panel_leads_scorers_to_the_table(client: Client) -> None:
    tournament = make.tournament()
    sitting = make.sitting(*FOUR, at=tournament)
    url, link = reverse("dealers", args=[tournament.pk]), reverse("sitting", args=[sitting.pk])
    everybody = client.get(url).text
    client.force_login(make.user(role=Role.SCORER, club=tournament.club))

    assert link not in everybody
    assert link in client.get(url).text
    assert sitting.token not in everybody


def test_other_outcomes_than_sides_are_told_in_words(client: Client) -> None:
    tournament = make.tournament("dalmuti", "4i")
    make.sitting(*FOUR, at=tournament)

    text = client.get(reverse("dealers", args=[tournament.pk])).text

    assert "Draw for the deal" in text
    assert "whoever goes out last" in text
    assert "Next if A wins" not in text


def test_without_tables_the_panel_says_so(client: Client) -> None:
    tournament = make.tournament(official_at=NOON)

    text = client.get(reverse("dealers", args=[tournament.pk])).text

    assert "Nobody is playing now." in text
    assert 'data-playing="no"' in text  # a finished tournament has nothing new to say


@pytest.mark.parametrize(
    ("game", "sheet", "following", "first"),
    [
        (
            "albastini",
            {"eaten": [70, 50]},
            (
                "The winners’ partner who has waited longer deals next."
                " After a tie the same dealer deals again."
            ),
            "At a new table, whoever has dealt first least often starts.",
        ),
        (
            "briscola",
            {"points": [70, 50]},
            "The player after the dealer deals next, whoever wins.",
            "At a new table, whoever has dealt first least often starts.",
        ),
        (
            "dalmuti",
            {"order": [2, 0, 1, 3]},
            "Whoever goes out last deals the next game.",
            "At a new table the cards drawn say who deals first.",
        ),
        (
            "mambassa",
            {"event": "normal", "payers": [0]},
            "The next player still in the game deals next.",
            "At a new table the first dealer is picked at random.",
        ),
    ],
)
def test_the_rule_of_dealing_stands_once_below_the_tables(
    client: Client, game: str, sheet: dict[str, Any], following: str, first: str
) -> None:
    tournament = make.tournament(game)
    make.report(make.sitting(*FOUR, at=tournament), sheet)

    for path in (tournament.get_absolute_url(), reverse("dealers", args=[tournament.pk])):
        above, below = unescape(client.get(path).text).split("</table>", 1)

        assert below.count(f"<p>{following} {first}</p>") == 1
        assert following not in above


def test_both_pages_call_people_alike_and_no_longer_than_tells_them_apart(client: Client) -> None:
    tournament = make.tournament(hands=8)
    make.sitting("Juma Kapera Kondo", "Neema Mushi", at=tournament)
    make.sitting("Juma Rashidi Hassan", "Baraka Ali", at=tournament)
    called = re.compile(r"\b(?:Juma|Neema|Baraka)(?: [A-Z][.\w]*)*")

    standing, dealers = (
        set(called.findall(client.get(path).text))
        for path in (tournament.get_absolute_url(), reverse("dealers", args=[tournament.pk]))
    )

    assert standing == dealers == {"Juma K.", "Neema", "Juma H.", "Baraka"}
