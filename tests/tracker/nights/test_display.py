"""The hall's display: seats, then the clock and who deals, in turns the standing, then prizes."""

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
from tracker.models import Role, RoundState, Tournament
from tracker.nights.queries.display import (
    LEAST_LISTED_BY_NAME,
    MOST_LISTED_BY_TABLE,
    MOST_WITH_DETAILS,
    DisplayFace,
    DisplaySheet,
    display,
    night_display,
)
from tracker.nights.services.attendance import arrive, open_door
from tracker.seating.services.draws import draw_rounds, publish_draws
from tracker.seating.services.round_opening import open_draw
from tracker.tables.clocks import Clock

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


def sheets_of(tournament: Tournament, *, hide: bool = False) -> list[DisplaySheet]:
    """Return all that the display shows in turn."""
    first = display(tournament, sheet=1, hide=hide, now=NOON)
    others = range(2, first.count + 1)
    return [first, *(display(tournament, sheet=n, hide=hide, now=NOON) for n in others)]


def faces_of(tournament: Tournament, *, hide: bool = False) -> list[DisplayFace]:
    return [shown.face for shown in sheets_of(tournament, hide=hide)]


def test_during_a_round_the_clock_runs_and_who_still_plays_is_named(
    client: Client, tournament: Tournament
) -> None:
    first, second = make.sitting(at=tournament), make.sitting(at=tournament)
    clock = Clock.start(25, timezone.now() - timedelta(minutes=26))
    tournament.rounds.update(clock=clock.to_json())
    make.report(second, {"eaten": [70, 50]})

    early = client.get(page_of(tournament))
    for _ in range(2):
        make.report(first, {"eaten": [70, 50]})
    page = client.get(page_of(tournament))

    assertContains(early, "2 of 2 tables still playing")
    assertContains(page, "1 of 2 tables still playing")
    assertContains(page, "Table 2:")
    assertNotContains(page, "Table 1:")
    assertContains(page, "Finish this hand; don’t deal another.")
    assertContains(page, "data-clock")
    assertContains(page, "1 min over")
    assertContains(page, "data-sound")


def test_the_hall_hears_who_deals_which_hand_and_who_deals_next(
    client: Client, tournament: Tournament
) -> None:
    make.report(make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament), {"eaten": [70, 50]})

    page = client.get(page_of(tournament))

    assertContains(page, 'Table 1: <b class="display-dealer">Juma</b> deals')
    assertContains(page, "Hand 2 of 2")
    assertContains(page, "next: Asha, Baraka or Juma")

    rang = Clock.start(25, timezone.now() - timedelta(minutes=26))
    tournament.rounds.update(clock=rang.to_json())

    assertNotContains(client.get(page_of(tournament)), "next:")  # no more is dealt


@pytest.mark.parametrize("tables", [MOST_WITH_DETAILS + 1, MOST_LISTED_BY_TABLE + 1])
def test_where_many_play_each_has_a_line(tournament: Tournament, tables: int) -> None:
    for _ in range(tables):
        make.report(make.sitting(at=tournament), {"eaten": [70, 50]})

    shown = [each for each in sheets_of(tournament) if each.face is DisplayFace.TABLES]

    lines = [line for each in shown for column in each.columns for line in column]
    assert [table.number for table, _hand, _coming in lines] == list(range(1, tables + 1))
    assert all(table.dealer and hand == "1/2" and not coming for table, hand, coming in lines)


def test_the_standing_takes_turns_with_the_tables(tournament: Tournament) -> None:
    make.report(make.sitting("Asha", at=tournament), {"eaten": [70, 50]})

    assert faces_of(tournament) == [DisplayFace.TABLES, DisplayFace.STANDING]
    assert faces_of(tournament, hide=True) == [DisplayFace.TABLES]


def test_in_the_standing_teams_of_players_go_by_first_names() -> None:
    cup = make.tournament(teams=True)
    people = ("Asha Mrisho", "Neema Mushi", "Juma Kapera", "Baraka Lyimo")
    make.report(make.sitting(*people, at=cup), {"eaten": [70, 50]})

    (shown,) = [each for each in sheets_of(cup) if each.face is DisplayFace.STANDING]

    assert [line[1] for column in shown.columns for line in column] == [
        "Asha & Juma",
        "Neema & Baraka",
    ]


@pytest.mark.parametrize(("game", "last"), [("albastini", "hand"), ("dalmuti", "game")])
def test_at_the_bell_the_hall_hears_nothing_else(client: Client, game: str, last: str) -> None:
    cup = make.tournament(game, "", hands=3)
    sheet = {"eaten": [70, 50]} if game == "albastini" else {"order": [0, 1, 2, 3]}
    make.report(make.sitting(at=cup), sheet)
    clock = Clock.start(25, timezone.now() - timedelta(minutes=27))
    cup.rounds.update(clock=clock.to_json())

    page = client.get(page_of(cup))

    assertContains(page, f"Finish this {last}; don’t deal another.")
    assert page.context["display"].count == 1


def test_long_after_the_bell_nobody_counts_the_minutes(
    client: Client, tournament: Tournament
) -> None:
    make.report(make.sitting(at=tournament), {"eaten": [70, 50]})
    clock = Clock.start(25, timezone.now() - timedelta(days=3))
    tournament.rounds.update(clock=clock.to_json())

    page = client.get(page_of(tournament))

    assertContains(page, ">Time is up</span>")
    assertNotContains(page, " min over</span>")
    assert page.context["display"].count == 2


def test_when_every_table_is_in_the_display_says_so(client: Client, tournament: Tournament) -> None:
    sitting = make.sitting(at=tournament)
    for _ in range(2):
        make.report(sitting, {"eaten": [70, 50]})

    assertContains(client.get(page_of(tournament)), "All results are in.")


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
def test_the_standings_stay_hidden_until_the_last_round_if_asked(
    client: Client, tournament: Tournament, put_up: str
) -> None:
    make.report(make.sitting("Asha", at=tournament), {"eaten": [70, 50]})
    close(tournament)

    hidden = client.get(page_of(tournament), {"hide": "1"})
    Tournament.objects.update(**{put_up: NOON})
    shown = client.get(page_of(tournament), {"hide": "1"})

    assertContains(hidden, "The standings stay hidden until the last round is over.")
    assertNotContains(hidden, "Asha")
    assertContains(hidden, "hide=1")
    assertContains(hidden, "Show standings")
    assertContains(shown, "Asha")


def test_where_nothing_is_hidden_the_display_does_not_say_so(
    client: Client, tournament: Tournament
) -> None:
    make.round_of(tournament, state=RoundState.CLOSED)

    page = client.get(page_of(tournament))

    assertContains(page, "No standings yet.")
    assertContains(page, "Scan to find your table")
    assertNotContains(page, "Hide standings")


def test_standings_can_be_hidden_once_there_are_some(
    client: Client, tournament: Tournament
) -> None:
    welcome = client.get(page_of(tournament))
    sitting = make.sitting(at=tournament)
    seats = client.get(page_of(tournament))
    make.report(sitting, {"eaten": [70, 50]})
    playing = client.get(page_of(tournament))
    close(tournament)
    after = client.get(page_of(tournament))
    make.sitting(at=tournament)
    next_seats = client.get(page_of(tournament))

    for early in (welcome, seats):
        assertNotContains(early, "Hide standings")
    for late in (playing, after, next_seats):
        assertContains(late, "Hide standings")


def test_where_there_is_one_table_nobody_counts_tables(
    client: Client, tournament: Tournament
) -> None:
    make.report(make.sitting(at=tournament), {"eaten": [70, 50]})

    page = client.get(page_of(tournament))

    assertContains(page, "Table 1:")
    assertNotContains(page, "still playing")


def test_below_a_clock_that_runs_is_the_way_to_ones_table(
    client: Client, tournament: Tournament
) -> None:
    make.report(make.sitting(at=tournament), {"eaten": [70, 50]})
    tournament.rounds.update(clock=Clock.start(25, timezone.now()).to_json())
    runs = client.get(page_of(tournament))
    rang = Clock.start(25, timezone.now() - timedelta(minutes=26))
    tournament.rounds.update(clock=rang.to_json())

    assertContains(runs, "Scan to find your table")
    assertNotContains(client.get(page_of(tournament)), "Scan to find")  # only what the bell says


def test_what_is_too_much_for_one_sheet_takes_turns(tournament: Tournament) -> None:
    many(tournament)

    shown = sheets_of(tournament)

    assert [each.number for each in shown] == [1, 2]
    assert [each.next_sheet for each in shown] == [2, 1]
    assert display(tournament, sheet=3, hide=False, now=NOON) == shown[0]
    assert [sum(map(len, each.columns)) for each in shown] == [35, 35]
    assert all(each.face is DisplayFace.STANDING for each in shown)


def many(tournament: Tournament) -> None:
    """Let seventy have entered, of whom four have played a round."""
    names = [f"Mwanachama-{number:02}" for number in range(70)]
    make.report(make.sitting(*names[:4], at=tournament), {"eaten": [70, 50]})
    for name in names:
        make.entrant(make.player(name, club=tournament.club), at=tournament)
    close(tournament)


def test_the_race_and_at_the_end_the_prizes_follow(client: Client, tournament: Tournament) -> None:
    for _ in range(2):
        people = ("Asha Mushi", "Neema", "Juma", "Baraka")
        make.report(make.sitting(*people, at=tournament), {"eaten": [70, 50]})
        close(tournament)

    after = faces_of(tournament)
    race = client.get(page_of(tournament), {"sheet": "2"})
    tournament.official_at = NOON
    tournament.save()

    assert after == [DisplayFace.STANDING, DisplayFace.RACE]
    assert faces_of(tournament) == [DisplayFace.PRIZES, DisplayFace.STANDING, DisplayFace.RACE]
    assertContains(race, "2 Asha Mushi</text>")
    assertContains(client.get(page_of(tournament)), "Asha Mushi</th>")


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
    assertContains(page, f'data-next="{page_of(tournament)}?sheet=1" data-turn="12"')


@pytest.mark.parametrize("tables", [1, 3])
def test_the_display_costs_the_same_however_many_tables(
    client: Client,
    tournament: Tournament,
    django_assert_num_queries: DjangoAssertNumQueries,
    tables: int,
) -> None:
    for _ in range(tables):
        make.report(make.sitting(at=tournament), {"eaten": [70, 50]})

    # the revision, the tournament, its round, who rests, tables, people, dealers, the standing
    with django_assert_num_queries(8):
        client.get(page_of(tournament))
    close(tournament)
    # no tables; a draw of the next, and the race
    with django_assert_num_queries(10):
        client.get(page_of(tournament))
    draw(tournament, published=True)
    with django_assert_num_queries(11):  # and the names of that draw
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
    assert secret.context["display"].count == 1
    assertContains(seats, "Round 2: take your seats")
    assertContains(seats, "<h2>Table 1</h2>", html=True)
    assertContains(seats, "<strong>Sits out:</strong>", html=True)
    assert all(name in seats.text for name in people)
    assertContains(standing, "After round 1")
    assertContains(again, "take your seats")


def test_hidden_standings_do_not_hide_the_seats(client: Client, tournament: Tournament) -> None:
    enter(tournament, 8)
    make.round_of(tournament, state=RoundState.CLOSED)
    draw(tournament, published=True)

    page = client.get(page_of(tournament), {"hide": "1"})

    assertContains(page, "Round 2: take your seats")
    assert page.context["display"].count == 1
    Tournament.objects.update(official_at=NOON)
    assertNotContains(client.get(page_of(tournament)), "take your seats")


def test_the_first_round_is_shown_before_it_opens(client: Client, tournament: Tournament) -> None:
    enter(tournament, 8)
    draw(tournament)
    secret = client.get(page_of(tournament))
    publish_draws(tournament_id=tournament.pk, by=make.actor())

    assertContains(secret, "8 play")
    assertNotContains(secret, "Table 1")
    assertContains(client.get(page_of(tournament)), "Round 1: take your seats")


@pytest.mark.parametrize(
    ("number", "by_name"), [(LEAST_LISTED_BY_NAME - 4, False), (LEAST_LISTED_BY_NAME + 1, True)]
)
def test_many_people_find_themselves_by_name_first(
    tournament: Tournament, number: int, *, by_name: bool
) -> None:
    enter(tournament, number)
    draw(tournament, published=True)
    coming = [display(tournament, sheet=n, hide=False, now=NOON) for n in (1, 2)]
    open_draw(tournament_id=tournament.pk, by=make.actor(), rng=Random(1))
    opened = [display(tournament, sheet=n, hide=False, now=NOON) for n in (1, 2)]

    for shown in (coming, opened):
        assert shown[0].face is (DisplayFace.NAMES if by_name else DisplayFace.SEATS)
        assert shown[-1].face is DisplayFace.SEATS
        if by_name:
            names = [name for column in shown[0].columns for name, _table in column]
            assert names == sorted(names)
            assert len(names) == number


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
    assertContains(second, "stay hidden")
    assert third.context["tournament"] == tournament

    tournament.rounds.update(state=RoundState.CLOSED)
    Tournament.objects.filter(pk=tournament.pk).update(official_at=NOON)
    assertContains(client.get(address), "After round 1")
    Tournament.objects.update(official_at=NOON)
    assertContains(client.get(address, {"turn": "2"}), "The winners")


def test_what_takes_several_sheets_is_shown_whole_before_the_next_turn(
    tournament: Tournament,
) -> None:
    night = make.night(tournament.club)
    many(tournament)
    tournament.rounds.update(night=night)

    shown = [night_display(night, turn=1, sheet=n, hide=False, now=NOON) for n in (1, 2)]

    assert [(page.next_turn, page.next_sheet) for page in shown] == [(1, 2), (1, 1)]


def test_where_more_are_here_than_a_sheet_names_the_welcome_turns(
    client: Client, tournament: Tournament
) -> None:
    night = make.night(tournament.club)
    people = [make.player(f"Player {n}", club=tournament.club).pk for n in range(200)]
    arrive(night_id=night.pk, players=people, by=make.actor())

    shown = [night_display(night, turn=1, sheet=n, hide=False, now=NOON) for n in range(1, 6)]

    assert [page.next_sheet for page in shown] == [2, 3, 4, 5, 1]
    assert sum(len(column) for page in shown for column in page.columns) == len(people)
    assertContains(client.get(reverse("night-display", args=[night.pk])), "sheet=2")


def test_before_anything_is_played_the_night_welcomes_people(
    client: Client, tournament: Tournament
) -> None:
    page = client.get(reverse("night-display", args=[make.night(tournament.club).pk]))

    assertContains(page, "<h1>Upanga</h1>", html=True)
    assertContains(page, "Welcome!")
    assertContains(page, "Scan to find your table")


def test_the_welcome_names_who_is_here_and_lets_the_hall_check_in(
    client: Client, tournament: Tournament
) -> None:
    night = make.night(tournament.club)
    asha = make.player("Asha Mushi", club=tournament.club)
    arrive(night_id=night.pk, players=[asha.pk], by=make.actor())
    open_door(night_id=night.pk, by=make.actor())
    address = reverse("night-display", args=[night.pk])

    stranger = client.get(address)
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))
    organiser = client.get(address)

    assertContains(stranger, "1 is here")
    assertContains(stranger, ">Asha<")
    assertContains(stranger, "Scan to find your table")
    assertNotContains(stranger, "/door/")  # whoever reads this page far away does not check in
    assertContains(organiser, "Scan to check in")
    assertContains(client.get(reverse("my-table-qr", args=[tournament.club_id])), "<svg")


def test_the_display_of_a_night_follows_what_is_on(tournament: Tournament) -> None:
    night = make.night(tournament.club)
    over = make.tournament(club=tournament.club, name="Over", provisional_until=NOON)
    for cup in (over, tournament):
        make.report(make.sitting(in_round=make.round_of(cup, night=night)), {"eaten": [70, 50]})
    close(over)

    on = night_display(night, turn=1, sheet=1, hide=False, now=NOON)
    close(tournament)
    Tournament.objects.update(provisional_until=NOON)
    turns = [night_display(night, turn=n, sheet=1, hide=False, now=NOON) for n in (1, 2)]

    assert (on.tournament, on.next_turn) == (tournament, 1)
    assert [shown.tournament for shown in turns] == [tournament, over]


def test_a_break_says_when_it_is_over(client: Client, tournament: Tournament) -> None:
    night = make.night(tournament.club, break_until=NOON)

    assertContains(client.get(reverse("night-display", args=[night.pk])), "On again at ")


@pytest.mark.parametrize("number", [1, 3])
def test_the_display_of_a_night_costs_the_same_however_many_play(
    client: Client,
    tournament: Tournament,
    number: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    night = make.night(tournament.club)
    for _ in range(number):
        another = make.tournament(club=tournament.club)
        make.sitting(in_round=make.round_of(another, night=night))

    # The revision, the night, its tournaments, the round, who rests, tables with their people.
    with django_assert_num_queries(6):
        client.get(reverse("night-display", args=[night.pk]))
