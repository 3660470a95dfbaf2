"""*Dealers now*: who deals at every table, and who deals next, whatever happens there."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from tests import act, make
from tests.reading import costs, lacks, path, shows
from tests.tracker.standings.tables import FOUR, eaten, over, played
from tracker.models import Role, Sitting, Tournament
from tracker.tables.next_dealer import DealForecast, DealsWhen, NextDealer
from tracker.tables.sql import read_open_tables
from tracker.tables.table_now import DealersNow, Deals, TableNow, dealers_now

pytestmark = pytest.mark.django_db

SIX = (*FOUR, "Zuwena", "Ali")


def dealers(tournament: Tournament) -> DealersNow:
    return dealers_now(read_open_tables(tournament=tournament.pk))


def table(tournament: Tournament) -> TableNow:
    (only,) = dealers(tournament).tables
    return only


def deals(tournament: Tournament) -> dict[str, Deals]:
    entrants = tournament.entrants.select_related("player", "team")
    named = {entrant.pk: str(entrant) for entrant in entrants}
    return {named[entrant]: when for entrant, when in dealers(tournament).of_entrant.items()}


@pytest.fixture
def pairs() -> Tournament:
    """Return a tournament in which Asha dealt, and has won with Juma."""
    tournament = make.tournament(hands=8)
    played(tournament, *eaten(70))
    return tournament


def test_two_sides_are_told_in_three_columns(pairs: Tournament) -> None:
    now = table(pairs)

    assert (now.hand_called, now.dealer) == ("Hand 2 of 8", "Juma")
    assert [(turn.side_names, turn.dealer) for turn in now.forecast.by_sides] == [
        ("Asha & Juma", "Asha"),
        ("Neema & Baraka", "Baraka"),  # of those who never dealt the next to sit
        ("", "Juma"),
    ]
    assert dealers(pairs).by_sides
    assert {name: when.when for name, when in deals(pairs).items()} == {
        "Juma": DealsWhen.NOW,
        "Asha": DealsWhen.IF_THEY_WIN,
        "Baraka": DealsWhen.IF_THEY_WIN,
    }


def test_the_dealer_the_table_chose_is_the_one_that_deals(pairs: Tournament) -> None:
    Sitting.objects.update(chosen_dealer=0, chosen_after=1)
    now = table(pairs)
    assert now.dealer == "Asha"
    assert [now.forecast.by_sides[side].dealer for side in (0, 2)] == ["Juma", "Asha"]


def test_a_team_deals_as_a_whole_and_it_is_known_whose_turn_it_is() -> None:
    tournament = make.tournament(hands=8, teams=True)
    make.sitting(*FOUR, at=tournament)

    assert deals(tournament) == {
        "Asha & Juma": Deals(when=DealsWhen.NOW, table=1, turn="Juma"),
        "Neema & Baraka": Deals(when=DealsWhen.IF_THEY_WIN, table=1, turn="Neema"),
    }
    briscola = make.tournament("briscola", "4t2", teams=True, club=tournament.club)
    make.sitting(*FOUR, at=briscola)
    assert deals(briscola)["Neema & Baraka"].when is DealsWhen.NEXT


@pytest.mark.parametrize(
    ("game", "mode", "lines"),
    [
        ("albastini", "5i", ["Whoever wins", "If it is a tie: Asha again"]),
        (
            "albastini",
            "6t2",
            [
                "If Asha & Baraka win: Baraka",
                "If Neema & Zuwena win: Neema",
                "If Juma & Ali win: Juma",
                "If it is a tie: Asha again",
            ],
        ),
        ("briscola", "4t2", ["Neema, whoever wins"]),
        ("mambassa", "4i", ["Neema, whoever wins"]),
        ("dalmuti", "4i", ["whoever goes out last"]),
    ],
)
def test_each_outcome_has_its_line(game: str, mode: str, lines: list[str]) -> None:
    tournament = make.tournament(game, mode)
    make.sitting(*SIX[: int(mode[0])], at=tournament)

    assert [*table(tournament).forecast.lines] == lines
    assert not dealers(tournament).by_sides
    neema = deals(tournament).get("Neema")
    sure = neema is not None and neema.when is DealsWhen.NEXT
    assert sure == (lines == ["Neema, whoever wins"])


def test_in_dalmuti_the_draw_decides_and_then_who_goes_out_last() -> None:
    tournament = make.tournament("dalmuti", "4i")
    sitting = make.sitting(*FOUR, at=tournament)
    before = table(tournament)
    page = Client().get(path("dealers", tournament))
    shows(page, "Draw for the deal", "whoever goes out last")
    lacks(page, "Next if A wins")
    make.report(sitting, {"order": [2, 0, 1, 3]})

    assert (before.dealer, table(tournament).dealer) == (None, "Baraka")
    assert deals(tournament) == {"Baraka": Deals(when=DealsWhen.NOW, table=1, turn=None)}


def test_a_game_may_let_the_losers_deal() -> None:
    turns = (
        NextDealer(outcome="If A wins", side=0, side_names="Asha", place=1, dealer="Neema"),
        NextDealer(outcome="If B wins", side=1, side_names="Neema", place=0, dealer="Asha"),
    )
    now = DealForecast(("Asha", "Neema"), 0, turns)

    assert now.deals_when(1, 1) is DealsWhen.PERHAPS
    assert now.deals_when(2, 0) is None


def test_where_every_hand_is_in_nobody_deals_and_closed_rounds_are_not_shown() -> None:
    tournament = make.tournament(hands=1)
    played(tournament, *eaten(70))

    now = table(tournament)
    assert (bool(now.finished), now.hand_called) == (True, "Hand 1 of 1")
    assert deals(tournament) == {}
    assert not dealers(tournament).by_sides
    assert dealers(over(tournament)).tables == ()
    act.finish(tournament)
    page = Client().get(path("dealers", tournament))
    # A finished tournament has nothing new to say.
    shows(page, "Nobody is playing now.", 'data-playing="no"')


# The pages ----------------------------------------------------------------------------------------


def test_the_panel_costs_the_same_however_many_tables_there_are(client: Client) -> None:
    tournament = make.tournament()
    for tables in (1, 2, 3):
        make.sitting(at=tournament)
        with costs(3):  # the revision, the tournament, its tables
            page = client.get(path("dealers", tournament))
        assert len(page.context["dealers"].tables) == tables


def test_the_panel_has_a_page_of_its_own_that_leads_scorers_to_the_table(client: Client) -> None:
    tournament = make.tournament(hands=8)
    sitting = make.sitting(*FOUR, at=tournament)
    panel, link = path("dealers", tournament), path("sitting", sitting)
    everybody = client.get(panel)

    shows(everybody, "Dealers now", "Hand 1 of 8", "Asha")
    shows(everybody, "Next if A wins", "Next if tied", "Asha again")
    lacks(everybody, link, sitting.token)
    shows(act.sign_in(Role.SCORER, tournament).get(panel), link)


LEAST_OFTEN = "At a new table, whoever has dealt first least often starts."


@pytest.mark.parametrize(
    ("game", "sheet", "first"),
    [
        ("albastini", {"eaten": [70, 50]}, LEAST_OFTEN),
        ("briscola", {"points": [70, 50]}, LEAST_OFTEN),
        ("dalmuti", {"order": [2, 0, 1, 3]}, "At a new table the cards drawn say who deals first."),
        (
            "mambassa",
            {"event": "normal", "payers": [0]},
            "At a new table the first dealer is picked at random.",
        ),
    ],
)
def test_the_rule_of_dealing_stands_once_below_the_tables(
    client: Client, game: str, sheet: dict[str, Any], first: str
) -> None:
    tournament = make.tournament(game)
    played(tournament, sheet)
    following = tournament.rules.deals_next

    for address in (tournament.get_absolute_url(), path("dealers", tournament)):
        above, below = unescape(client.get(address).text).split("</table>", 1)
        assert below.count(f"<p>{following} {first}</p>") == 1
        assert following not in above


def test_both_pages_call_people_alike_and_no_longer_than_tells_them_apart(client: Client) -> None:
    tournament = make.tournament(hands=8)
    make.sitting("Juma Kapera Kondo", "Neema Mushi", at=tournament)
    make.sitting("Juma Rashidi Hassan", "Baraka Ali", at=tournament)

    for address in (tournament.get_absolute_url(), path("dealers", tournament)):
        called = re.findall(r"\b(?:Juma|Neema|Baraka)(?: [A-Z][.\w]*)*", client.get(address).text)
        assert {*called} == {"Juma K.", "Neema", "Juma H.", "Baraka"}
