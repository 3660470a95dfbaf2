"""The page on the wall: seats, then the clock and who still plays, then the standing."""

from datetime import timedelta
from random import Random

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains

from tests import make
from tests.make import NOON
from tracker.draws.services.drawing import draw_rounds, publish_draws
from tracker.draws.services.opening import open_draw
from tracker.models import RoundState, Tournament
from tracker.nights.queries.display import BY_NAME, COLUMNS, LINES, Face, display, night_display
from tracker.seating.logic import clocks

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    return make.tournament("albastini", "4t2", hands=2)


def page_of(tournament: Tournament) -> str:
    return reverse("tournament-display", args=[tournament.pk])


def close(tournament: Tournament) -> None:
    tournament.rounds.update(state=RoundState.CLOSED, closed_at=NOON)


def test_before_the_first_round_people_are_welcomed(client: Client, tournament: Tournament) -> None:
    assertContains(client.get(page_of(tournament)), "The cards are being shuffled.")


def test_before_a_round_everybody_finds_their_seat(client: Client, tournament: Tournament) -> None:
    make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament)

    page = client.get(page_of(tournament))

    assertContains(page, "Round 1: take your seats")
    assertContains(page, "<li>Asha &amp; Juma</li>", html=True)
    assertNotContains(page, "site-nav")


def test_during_a_round_the_clock_runs_and_who_still_plays_is_named(
    client: Client, tournament: Tournament
) -> None:
    first, second = make.sitting(at=tournament), make.sitting(at=tournament)
    clock = clocks.start(25, timezone.now() - timedelta(minutes=26))
    tournament.rounds.update(clock=clocks.to_json(clock))
    make.report(second, {"eaten": [70, 50]})

    early = client.get(page_of(tournament))
    for _ in range(2):
        make.report(first, {"eaten": [70, 50]})
    page = client.get(page_of(tournament))

    assertNotContains(early, "finished")
    assertContains(page, "1 table has finished")
    assertContains(page, "<span>Table 2</span>", html=True)
    assertNotContains(page, "<span>Table 1</span>", html=True)
    assertContains(page, "Finish this hand, deal no more.")
    assertContains(page, "data-clock")
    assertContains(page, "1 min over")
    assertContains(page, "data-sound")


def test_when_every_table_is_in_the_wall_says_so(client: Client, tournament: Tournament) -> None:
    sitting = make.sitting(at=tournament)
    for _ in range(2):
        make.report(sitting, {"eaten": [70, 50]})

    assertContains(client.get(page_of(tournament)), "Everything is in.")


def test_after_a_round_the_standing_is_shown(client: Client, tournament: Tournament) -> None:
    make.report(make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament), {"eaten": [70, 50]})
    close(tournament)

    page = client.get(page_of(tournament))

    assertContains(page, "After round 1")
    assertContains(
        page,
        '<tr class="first"><td class="num">1=</td><th scope="row">Asha</th>'
        '<td class="num">1</td></tr>',
        html=True,
    )


@pytest.mark.parametrize("put_up", ["provisional_until", "official_at"])
def test_the_standing_lies_face_down_until_the_last_round_if_asked(
    client: Client, tournament: Tournament, put_up: str
) -> None:
    make.report(make.sitting("Asha", at=tournament), {"eaten": [70, 50]})
    close(tournament)

    hidden = client.get(page_of(tournament), {"hide": "1"})
    Tournament.objects.update(**{put_up: NOON})
    shown = client.get(page_of(tournament), {"hide": "1"})

    assertContains(hidden, "face down")
    assertNotContains(hidden, "Asha")
    assertContains(hidden, "hide=1")
    assertContains(shown, "Asha")


def test_what_is_too_much_for_one_sheet_takes_turns(tournament: Tournament) -> None:
    full = LINES * (COLUMNS - 1)
    for number in range(full + 1):
        make.entrant(make.player(f"Player {number:02}", club=tournament.club), at=tournament)
    make.round_of(tournament, state=RoundState.CLOSED)

    sheets = [display(tournament, sheet=sheet, hide=False, now=NOON) for sheet in (1, 2, 3)]

    assert [sheet.sheet for sheet in sheets] == [1, 2, 1]
    assert [sheet.next_sheet for sheet in sheets] == [2, 1, 2]
    assert [[len(column) for column in sheet.rows] for sheet in sheets[:2]] == [[LINES] * 2, [1]]
    assert all(sheet.face is Face.STANDING for sheet in sheets)


@pytest.mark.parametrize("asked", ["0", "99", "9" * 30, "first", "-1"])
def test_a_sheet_that_is_not_there_is_the_first(
    client: Client, tournament: Tournament, asked: str
) -> None:
    make.sitting(at=tournament)

    assertContains(client.get(page_of(tournament), {"sheet": asked}), "take your seats")


def test_the_page_follows_by_itself_with_and_without_a_script(
    client: Client, tournament: Tournament
) -> None:
    make.sitting(at=tournament)

    page = client.get(page_of(tournament))

    assertContains(page, '<noscript><meta http-equiv="refresh"')
    assertContains(page, f'data-next="{page_of(tournament)}?sheet=1" data-turn="10"')


@pytest.mark.parametrize("tables", [1, 3])
def test_the_wall_costs_the_same_however_many_tables(
    client: Client,
    tournament: Tournament,
    django_assert_num_queries: DjangoAssertNumQueries,
    tables: int,
) -> None:
    for _ in range(tables):
        make.report(make.sitting(at=tournament), {"eaten": [70, 50]})

    with django_assert_num_queries(
        5
    ):  # the revision, the tournament, its round, the tables, the people
        client.get(page_of(tournament))
    close(tournament)
    # the tournament, its round, a draw of the next, sums, awards, entrants
    with django_assert_num_queries(7):
        client.get(page_of(tournament))
    draw(tournament, published=True)
    with django_assert_num_queries(8):  # and the names of that draw
        client.get(page_of(tournament))


# The coming round, once it is published


def draw(tournament: Tournament, *, published: bool = False) -> None:
    draw_rounds(tournament_id=tournament.pk, by=make.actor(), rng=Random(7))
    if published:
        publish_draws(tournament_id=tournament.pk, by=make.actor())


def enter(tournament: Tournament, number: int) -> None:
    for each in range(number):
        make.entrant(make.player(f"Player {each:02}", club=tournament.club), at=tournament)


def test_seats_drawn_for_everybody_and_the_standing_take_turns(
    client: Client, tournament: Tournament
) -> None:
    people = ("Asha", "Neema", "Juma", "Baraka", "Ali")
    make.report(make.sitting(*people[:4], at=tournament), {"eaten": [70, 50]})
    make.entrant(make.player("Ali", club=tournament.club), at=tournament)
    close(tournament)

    draw(tournament)
    secret = client.get(page_of(tournament))
    publish_draws(tournament_id=tournament.pk, by=make.actor())
    seats = client.get(page_of(tournament))
    standing = client.get(seats.context["next_address"])
    again = client.get(standing.context["next_address"])

    assertContains(secret, "After round 1")
    assertNotContains(secret, "Table")
    assert secret.context["display"].sheets == 1
    assertContains(seats, "Round 2: take your seats")
    assertContains(seats, "<h2>Table 1</h2>", html=True)
    assertContains(seats, "<strong>Resting:</strong>", html=True)
    assert all(name in seats.text for name in people)
    assertContains(standing, "After round 1")
    assertContains(again, "take your seats")


def test_what_lies_face_down_does_not_hide_the_seats(
    client: Client, tournament: Tournament
) -> None:
    enter(tournament, 8)
    make.round_of(tournament, state=RoundState.CLOSED)
    draw(tournament, published=True)

    page = client.get(page_of(tournament), {"hide": "1"})

    assertContains(page, "Round 2: take your seats")
    assert page.context["display"].sheets == 1
    Tournament.objects.update(official_at=NOON)
    assertNotContains(client.get(page_of(tournament)), "take your seats")


def test_the_first_round_is_on_the_wall_before_it_opens(
    client: Client, tournament: Tournament
) -> None:
    enter(tournament, 8)
    draw(tournament)
    secret = client.get(page_of(tournament))
    publish_draws(tournament_id=tournament.pk, by=make.actor())

    assertContains(secret, "The cards are being shuffled.")
    assertContains(client.get(page_of(tournament)), "Round 1: take your seats")


@pytest.mark.parametrize(("number", "by_name"), [(BY_NAME - 4, False), (BY_NAME + 1, True)])
def test_many_people_find_themselves_by_name_first(
    tournament: Tournament, number: int, *, by_name: bool
) -> None:
    enter(tournament, number)
    draw(tournament, published=True)
    coming = [display(tournament, sheet=n, hide=False, now=NOON) for n in (1, 2)]
    open_draw(tournament_id=tournament.pk, by=make.actor(), rng=Random(1))
    opened = [display(tournament, sheet=n, hide=False, now=NOON) for n in (1, 2)]

    for shown in (coming, opened):
        assert bool(shown[0].people) == by_name
        assert shown[1].tables
        names = [name for column in shown[0].people for name, _table in column]
        assert names == sorted(names)
    if by_name:
        assert sum(map(len, coming[0].people)) == number


# A night of several tournaments


def test_the_tournaments_of_a_night_take_turns(client: Client, tournament: Tournament) -> None:
    night = make.night(tournament.club)
    other = make.tournament("dalmuti", "4i", club=tournament.club, name="Dalmuti tonight")
    make.sitting("Asha", in_round=make.round_of(tournament, night=night))
    done = make.sitting("Zuri", in_round=make.round_of(other, night=night))
    make.report(done, {"order": [0, 1, 2, 3]})
    other.rounds.update(state=RoundState.CLOSED, closed_at=NOON)
    address = reverse("night-display", args=[night.pk])

    first = client.get(address, {"hide": "1"})
    second = client.get(first.context["next_address"])
    third = client.get(second.context["next_address"].replace("hide", "show"))

    assertContains(first, "<h1>Friday Cup</h1>", html=True)
    assertContains(second, "Dalmuti tonight")
    assertContains(second, "face down")
    assert third.context["tournament"] == tournament

    tournament.rounds.update(state=RoundState.CLOSED)
    Tournament.objects.filter(pk=tournament.pk).update(official_at=NOON)
    assertContains(client.get(address), "After round 1")
    Tournament.objects.update(official_at=NOON)
    assertContains(client.get(address, {"turn": "2"}), "Final standing")


def test_what_takes_several_sheets_is_shown_whole_before_the_next_turn(
    tournament: Tournament,
) -> None:
    night = make.night(tournament.club)
    for number in range(LINES * (COLUMNS - 1) + 1):
        make.entrant(make.player(f"Player {number:02}", club=tournament.club), at=tournament)
    make.round_of(tournament, night=night, state=RoundState.CLOSED)

    shown = [night_display(night, turn=1, sheet=n, hide=False, now=NOON) for n in (1, 2)]

    assert [(page.next_turn, page.next_sheet) for page in shown] == [(1, 2), (1, 1)]


def test_before_anything_is_played_the_night_welcomes_people(
    client: Client, tournament: Tournament
) -> None:
    page = client.get(reverse("night-display", args=[make.night(tournament.club).pk]))

    assertContains(page, "<h1>Fri 20 Nov</h1>", html=True)
    assertContains(page, "Welcome!")


@pytest.mark.parametrize("number", [1, 3])
def test_the_wall_of_a_night_costs_the_same_however_many_play(
    client: Client,
    tournament: Tournament,
    number: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    night = make.night(tournament.club)
    for _ in range(number):
        another = make.tournament(club=tournament.club)
        make.sitting(in_round=make.round_of(another, night=night))

    with django_assert_num_queries(
        6
    ):  # the revision, the night, its tournaments, the round, its tables, seats
        client.get(reverse("night-display", args=[night.pk]))
