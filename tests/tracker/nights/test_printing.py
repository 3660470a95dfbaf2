"""What is printed for a hall: table cards, seats, rounds to come, and papers to write on."""

from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import act, make
from tests.reading import lacks, shows, words
from tracker.models import Draw, LogEntry, Role, Round, RoundState, Sitting, Table, Tournament
from tracker.seating.services.draws import draw_rounds, publish_draws
from tracker.seating.services.round_opening import open_draw
from tracker.seating.services.table_cards import create_cards
from tracker.tournaments.services.entering import enter_players

pytestmark = pytest.mark.django_db
PEOPLE = ("Asha", "Neema", "Juma", "Baraka")


@pytest.fixture
def table(tournament: Tournament) -> Sitting:
    return make.sitting(*PEOPLE, at=tournament)


def printed(client: Client, what: str, at: Tournament | Round, query: str = "") -> Any:
    return client.get(reverse(f"print-{what}", args=[at.pk]) + query)


# Cards ----------------------------------------------------------------------------------------


def test_a_card_has_its_picture_its_code_and_where_to_type_it(
    organiser: Client, tournament: Tournament, table: Sitting
) -> None:
    page, four = printed(organiser, "cards", tournament), 'class="print-cards four"'
    card = Table.objects.get()
    shows(page, reverse("card-qr", args=[card.card_token]))
    where = "Scan to write down results, or open testserver/card/ and type"
    shows(page, f"{card.code} {where}")
    lacks(page, four)
    shows(printed(organiser, "cards", tournament, "?on=4"), four)


def test_cards_are_laid_before_anybody_comes(organiser: Client, tournament: Tournament) -> None:
    path = reverse("print-cards", args=[tournament.pk])
    shows(organiser.get(path), "No table has a card yet")
    shows(organiser.post(path, {"tables": 3}, follow=True), "3 new cards.")
    again = organiser.post(path, {"tables": 2}, follow=True)
    shows(again, "These tables have their cards already.")
    assert organiser.post(path, {"tables": 99}).context["form"].errors
    assert [*tournament.tables.order_by("number").values_list("number", flat=True)] == [1, 2, 3]
    assert LogEntry.objects.get().numbers == {"tables": [1, 2, 3]}
    with act.refused("tables-many"):
        create_cards(tournament_id=tournament.pk, tables=61, rng=Random(7), by=make.actor())


# Seats and papers -----------------------------------------------------------------------------


def test_each_finds_their_table(client: Client, tournament: Tournament, table: Sitting) -> None:
    make.sitting("Ali", "Omari", "Zuwena", "Rehema", at=tournament)
    resting = make.entrant(make.player("Bibi", club=tournament.club), at=tournament)
    table.round.rests.create(entrant=resting)
    page = printed(client, "seats", table.round)

    sheet = page.context["sheet"]
    assert sheet["people"][:3] == [("Ali", 2), ("Asha", 1), ("Baraka", 1)]
    first, sides = sheet["tables"][0]
    assert sides == [("A", "Asha & Juma"), ("B", "Neema & Baraka")]
    assert first.full_names.seats[3] == "Baraka"
    assert sheet["resting"] == ["Bibi"]
    shows(page, "A Asha & Juma")
    Round.objects.update(state=RoundState.UNDONE)
    assert printed(client, "seats", table.round).status_code == 404


@pytest.mark.parametrize(
    ("game", "mode", "asked"),
    [
        (
            "albastini",
            "4t2",
            "How much did each side eat? Victory points so far A Asha & Juma B Neema & Baraka A B",
        ),
        ("albastini", "5i", "Which card was left over?"),
        ("dalmuti", "4i", "In what order did they go out? Asha Neema Juma Baraka"),
        ("mambassa", "4i", "Normal / Mambassa! / Quarantuna!"),
        ("briscola", "2i", "Matches so far Asha Neema"),
    ],
)
def test_papers_ask_what_the_game_asks(game: str, mode: str, asked: str) -> None:
    at = make.tournament(game, mode)
    table = make.sitting(*PEOPLE[: int(mode[0])], at=at)
    client = act.sign_in(Role.SCORER, at)
    page, blank = printed(client, "sheets", table.round), printed(client, "blank", at)

    shows(page, asked)
    assert page.text.count("<tr><th") == 12
    lacks(page, "to-write")
    lacks(blank, "Asha")
    # A line each, as high as a hand writes.
    shows(blank, "Table ______", 'class="print-sides to-write"')
    # Names stand once: as heads of columns, or above columns that have none.
    first, *_ = page.context["papers"]
    assert ("print-sides" in page.text) is not first["columns"][0].named


# Rounds to come -------------------------------------------------------------------------------


def draw_ahead(tournament: Tournament, number: int, rounds: int, *, published: bool = True) -> None:
    """Draw rounds of so many players, which nobody but the organiser sees if not published."""
    players = [make.player(f"P{each:02d}", club=tournament.club).pk for each in range(number)]
    enter_players(tournament_id=tournament.pk, players=players, by=make.actor())
    draw_rounds(tournament_id=tournament.pk, by=make.actor(), rng=Random(7), rounds=rounds)
    if published:
        publish_draws(tournament_id=tournament.pk, by=make.actor())


def open_round(tournament: Tournament) -> Round:
    return open_draw(tournament_id=tournament.pk, by=make.actor(), rng=Random(1))


def test_rounds_to_come_are_the_organisers_first(organiser: Client, tournament: Tournament) -> None:
    stranger, secret = Client(), "only organisers see it so far"
    draw_ahead(tournament, 9, 3, published=False)

    page = printed(stranger, "rounds", tournament)
    shows(page, "No round is drawn yet")
    lacks(page, "P00")
    publish_draws(tournament_id=tournament.pk, by=make.actor())
    seen = printed(stranger, "rounds", tournament)
    shows(seen, "Who sits where in round 1")
    lacks(seen, secret)
    Draw.objects.update(published_at=None)
    mine = printed(organiser, "rounds", tournament)
    shows(mine, secret)
    assert seen.context["sheet"]["schedule"].people == mine.context["sheet"]["schedule"].people


def test_everybody_has_a_strip_with_their_rounds(client: Client, tournament: Tournament) -> None:
    draw_ahead(tournament, 9, 4)
    act.close(open_round(tournament), not_played=True)
    open_round(tournament)
    page = printed(client, "rounds", tournament)

    people = page.context["sheet"]["schedule"].people
    assert [name for name, _rounds in people] == [f"P{each:02d}" for each in range(9)]
    assert {tuple(own.number for own in rounds) for _name, rounds in people} == {(2, 3, 4)}
    assert sum(own.seat.resting for _name, rounds in people for own in rounds) == 3
    assert sum(own.seat.opens for _name, rounds in people for own in rounds) == 6
    assert words(page).count("you deal first") == 6
    shows(page, "Who sits where in round 3")


def test_one_round_to_come_is_listed_by_name(client: Client, tournament: Tournament) -> None:
    draw_ahead(tournament, 8, 1)
    page = printed(client, "rounds", tournament)
    shows(page, "By name P00 Table")
    lacks(page, "To cut out")
    open_round(tournament)
    shows(printed(client, "rounds", tournament), "The next round is not drawn yet")
