"""What is printed for a hall, and the page that always shows my own table."""

import re
from html import unescape
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests import make
from tracker.common.errors import Refused
from tracker.models import Draw, LogEntry, Role, RoundState, Sitting, Table, Tournament
from tracker.nights.services.closing import close_round
from tracker.seating.services.draws import draw_rounds, publish_draws
from tracker.seating.services.round_opening import open_draw
from tracker.seating.services.table_cards import create_cards
from tracker.tournaments.services.entering import enter_players

pytestmark = pytest.mark.django_db
PEOPLE = ("Asha", "Neema", "Juma", "Baraka")


@pytest.fixture
def table() -> Sitting:
    return make.sitting(*PEOPLE, at=make.tournament(hands=8))


@pytest.fixture
def organiser(client: Client, table: Sitting) -> Client:
    client.force_login(make.user(role=Role.ORGANISER, club=table.round.tournament.club))
    return client


def words(page: Any) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page.text)))


# Cards ----------------------------------------------------------------------------------------


def test_a_card_has_its_picture_its_code_and_where_to_type_it(
    organiser: Client, table: Sitting
) -> None:
    page = organiser.get(reverse("print-cards", args=[table.round.tournament_id]))

    card = Table.objects.get()
    assert reverse("card-qr", args=[card.card_token]) in page.text
    assert f"{card.code} Scan to write down results, or open testserver/card/ and type" in words(
        page
    )
    assert "four" not in page.text.partition("print-cards")[2][:10]
    four = organiser.get(reverse("print-cards", args=[table.round.tournament_id]) + "?on=4")
    assert 'class="print-cards four"' in four.text


def test_cards_are_laid_before_anybody_comes(client: Client) -> None:
    tournament = make.tournament()
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))
    path = reverse("print-cards", args=[tournament.pk])

    none = client.get(path)
    page = client.post(path, {"tables": 3}, follow=True)
    again = client.post(path, {"tables": 2}, follow=True)
    wrong = client.post(path, {"tables": 99})

    assert "No table has a card yet" in words(none)
    assert "3 new cards." in words(page)
    assert "These tables have their cards already." in words(again)
    assert wrong.context["form"].errors
    assert list(tournament.tables.order_by("number").values_list("number", flat=True)) == [1, 2, 3]
    assert LogEntry.objects.get().numbers == {"tables": [1, 2, 3]}


def test_no_hall_has_so_many_tables(rng: Random) -> None:
    with pytest.raises(Refused) as refusal:
        create_cards(tournament_id=make.tournament().pk, tables=61, rng=rng, by=make.actor())

    assert refusal.value.code == "tables-many"


# Seats and papers -----------------------------------------------------------------------------


def test_everybody_finds_their_table_by_name(client: Client, table: Sitting) -> None:
    make.sitting("Ali", "Omari", "Zuwena", "Rehema", at=table.round.tournament)
    resting = make.entrant(
        make.player("Bibi", club=table.round.tournament.club), at=table.round.tournament
    )
    table.round.rests.create(entrant=resting)

    sheet = client.get(reverse("print-seats", args=[table.round_id])).context["sheet"]

    assert sheet["people"][:3] == [("Ali", 2), ("Asha", 1), ("Baraka", 1)]
    first, sides = sheet["tables"][0]
    assert sides == [("A", "Asha & Juma"), ("B", "Neema & Baraka")]
    assert first.full_names.seats[3] == "Baraka"
    assert sheet["resting"] == ["Bibi"]


def test_the_seating_sheet_is_there_for_everybody(client: Client, table: Sitting) -> None:
    page = client.get(reverse("print-seats", args=[table.round_id]))

    assert "A Asha & Juma" in words(page)
    table.round.state = RoundState.UNDONE
    table.round.save()
    assert client.get(reverse("print-seats", args=[table.round_id])).status_code == 404


# Rounds to come -------------------------------------------------------------------------------


def drawn_ahead(number: int, rounds: int) -> Tournament:
    """Return a tournament with rounds that are drawn and nobody but the organiser sees."""
    tournament = make.tournament(name="Friday Cup")
    players = [make.player(f"P{each:02d}", club=tournament.club).pk for each in range(number)]
    enter_players(tournament_id=tournament.pk, players=players, by=make.actor())
    draw_rounds(tournament_id=tournament.pk, by=make.actor(), rng=Random(7), rounds=rounds)
    return tournament


def test_rounds_to_come_are_on_paper_for_the_organiser_first(client: Client) -> None:
    tournament = drawn_ahead(9, 3)
    path = reverse("print-rounds", args=[tournament.pk])

    secret = client.get(path)
    publish_draws(tournament_id=tournament.pk, by=make.actor())
    seen = client.get(path)
    Draw.objects.update(published_at=None)
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))
    mine = client.get(path)

    assert "No round is drawn yet" in words(secret)
    assert "P00" not in secret.text
    assert "Who sits where in round 1" in words(seen)
    assert "only organisers see it so far" not in words(seen)
    assert "only organisers see it so far" in words(mine)
    assert seen.context["sheet"]["schedule"].people == mine.context["sheet"]["schedule"].people


def test_everybody_has_a_strip_with_all_their_rounds(client: Client) -> None:
    tournament = drawn_ahead(9, 4)
    publish_draws(tournament_id=tournament.pk, by=make.actor())
    open_draw(tournament_id=tournament.pk, by=make.actor(), rng=Random(1))
    close_round(round_id=tournament.rounds.get().pk, not_played=True, by=make.actor())
    open_draw(tournament_id=tournament.pk, by=make.actor(), rng=Random(1))

    page = client.get(reverse("print-rounds", args=[tournament.pk]))

    people = page.context["sheet"]["schedule"].people
    assert [name for name, _rounds in people] == [f"P{each:02d}" for each in range(9)]
    assert {tuple(own.number for own in rounds) for _name, rounds in people} == {(2, 3, 4)}
    assert sum(own.seat.resting for _name, rounds in people for own in rounds) == 3
    assert sum(own.seat.opens for _name, rounds in people for own in rounds) == 6
    assert words(page).count("you deal first") == 6
    assert "Who sits where in round 3" in words(page)


def test_one_round_to_come_is_listed_by_name(client: Client) -> None:
    tournament = drawn_ahead(8, 1)
    publish_draws(tournament_id=tournament.pk, by=make.actor())

    page = client.get(reverse("print-rounds", args=[tournament.pk]))

    assert "By name P00 Table" in words(page)
    assert "To cut out" not in words(page)


@pytest.mark.parametrize("number", [8, 16])
def test_rounds_to_come_cost_the_same_however_many_play(
    client: Client, number: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = drawn_ahead(number, 3)
    publish_draws(tournament_id=tournament.pk, by=make.actor())
    open_draw(tournament_id=tournament.pk, by=make.actor(), rng=Random(1))

    # tournament, rounds, their plans, seats, rests, draws, entrants
    with django_assert_num_queries(7):
        client.get(reverse("print-rounds", args=[tournament.pk]))


@pytest.mark.parametrize(
    ("game", "mode", "printed"),
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
def test_papers_ask_what_the_game_asks(client: Client, game: str, mode: str, printed: str) -> None:
    table = make.sitting(*PEOPLE[: int(mode[0])], at=make.tournament(game, mode))
    client.force_login(make.user(role=Role.SCORER, club=table.round.tournament.club))

    page = client.get(reverse("print-sheets", args=[table.round_id]))
    blank = client.get(reverse("print-blank", args=[table.round.tournament_id]))

    assert printed in words(page)
    assert page.text.count("<tr><th") == 12
    assert "Asha" not in blank.text
    assert "Table ______" in words(blank)
    assert 'class="print-sides to-write"' in blank.text  # a line each, as high as a hand writes
    assert "to-write" not in page.text
    # Names stand once: as heads of columns, or above columns that have none.
    (first, *_) = page.context["papers"]
    assert ("print-sides" in page.text) is not first["columns"][0].named


@pytest.mark.parametrize("tables", [1, 3])
def test_what_is_printed_costs_the_same_however_many_tables(
    organiser: Client,
    table: Sitting,
    tables: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(1, tables):
        make.sitting(*(f"{name} {number}" for name in PEOPLE), at=table.round.tournament)

    # session, user, round or tournament with role; then the tables with their people, who rests
    with django_assert_num_queries(4):
        organiser.get(reverse("print-cards", args=[table.round.tournament_id]))
    with django_assert_num_queries(5):
        organiser.get(reverse("print-seats", args=[table.round_id]))
    with django_assert_num_queries(4):
        page = organiser.get(reverse("print-sheets", args=[table.round_id]))
    assert len(page.context["papers"]) == tables


def test_while_a_round_plays_it_is_the_next_that_is_not_drawn(client: Client) -> None:
    tournament = make.tournament()
    make.sitting(at=tournament)

    page = client.get(reverse("print-rounds", args=[tournament.pk]))

    assert "The next round is not drawn yet" in words(page)
