"""The hall's display: seats, then the clock and who deals, in turns the standing, then prizes."""

from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import make
from tests.make import NOON
from tests.reading import lacks, shows
from tracker.models import ClubNight, Round, RoundState, Tournament
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
FOUR = ("Asha", "Neema", "Juma", "Baraka")
WON = {"eaten": [70, 50]}
SEATS = "take your seats"
FIND = "Scan to find your table"
HIDE = "Hide standings"


@pytest.fixture
def night(tournament: Tournament) -> ClubNight:
    return make.night(tournament.club)


def shown(at: Tournament | ClubNight, client: Client | None = None, **query: str) -> Any:
    """Return the display, by default as a stranger sees it."""
    name = "tournament-display" if isinstance(at, Tournament) else "night-display"
    return (client or Client()).get(reverse(name, args=[at.pk]), query)


def close(tournament: Tournament) -> None:
    tournament.rounds.update(state=RoundState.CLOSED, closed_at=NOON)


def played(tournament: Tournament, *people: str, hands: int = 1, **more: Any) -> None:
    """Let a table play its first hands."""
    sitting = make.sitting(*people, at=tournament, **more)
    for _ in range(hands):
        make.report(sitting, WON)


def start_clock(minutes_ago: float) -> None:
    """Let a clock of 25 minutes have begun so long ago."""
    clock = Clock.start(25, timezone.now() - timedelta(minutes=minutes_ago))
    Round.objects.update(clock=clock.to_json())


def draw(tournament: Tournament, *, published: bool = False) -> None:
    draw_rounds(tournament_id=tournament.pk, by=make.actor(), rng=Random(7))
    if published:
        publish(tournament)


def publish(tournament: Tournament) -> None:
    publish_draws(tournament_id=tournament.pk, by=make.actor())


def enter(tournament: Tournament, number: int) -> None:
    for each in range(number):
        make.entrant(make.player(f"Player {each:02}", club=tournament.club), at=tournament)


def sheets_of(tournament: Tournament, *, hide: bool = False) -> list[DisplaySheet]:
    """Return all that the display shows in turn."""
    first = display(tournament, sheet=1, hide=hide, now=NOON)
    others = range(2, first.count + 1)
    return [first, *(display(tournament, sheet=n, hide=hide, now=NOON) for n in others)]


def faces_of(tournament: Tournament, *, hide: bool = False) -> list[DisplayFace]:
    return [sheet.face for sheet in sheets_of(tournament, hide=hide)]


def test_before_a_round_people_are_welcomed_and_find_their_seats(tournament: Tournament) -> None:
    welcome = shown(tournament)
    shows(welcome, "The cards are being shuffled.")
    lacks(welcome, HIDE)
    make.sitting(*FOUR, at=tournament)

    page = shown(tournament)

    shows(page, f"Round 1: {SEATS}", "<li>Asha &amp; Juma</li>")
    lacks(page, "site-nav", HIDE)
    # It follows by itself, with and without a script.
    path = reverse("tournament-display", args=[tournament.pk])
    shows(page, '<noscript><meta http-equiv="refresh"')
    shows(page, f'data-next="{path}?sheet=1" data-turn="12"')
    for absent in ("0", "99", "9" * 30, "first", "-1"):
        shows(shown(tournament, sheet=absent), SEATS)


def test_during_a_round_the_clock_runs_and_who_still_plays_is_named(tournament: Tournament) -> None:
    first, second = make.sitting(at=tournament), make.sitting(at=tournament)
    make.report(second, WON)
    start_clock(26)

    shows(shown(tournament), "2 of 2 tables still playing")
    for _ in range(2):
        make.report(first, WON)
    page = shown(tournament)

    shows(page, "1 of 2 tables still playing", "Table 2:", "data-clock", "data-sound")
    shows(page, "Finish this hand; don’t deal another.", "1 min over")
    lacks(page, "Table 1:")
    make.report(second, WON)
    shows(shown(tournament), "All results are in.")


def test_the_hall_hears_who_deals_which_hand_and_who_deals_next(tournament: Tournament) -> None:
    played(tournament, *FOUR)
    page = shown(tournament)
    shows(page, 'Table 1: <b class="display-dealer">Juma</b> deals', "Hand 2 of 2")
    shows(page, "next: Asha, Baraka or Juma")
    lacks(page, "still playing")  # where there is one table nobody counts them
    start_clock(0)
    shows(shown(tournament), FIND)
    start_clock(26)
    lacks(shown(tournament), "next:", FIND)  # no more is dealt


@pytest.mark.parametrize("tables", [MOST_WITH_DETAILS + 1, MOST_LISTED_BY_TABLE + 1])
def test_where_many_play_each_has_a_line(tournament: Tournament, tables: int) -> None:
    for _ in range(tables):
        played(tournament)
    sheets = [each for each in sheets_of(tournament) if each.face is DisplayFace.TABLES]
    lines = [line for each in sheets for column in each.columns for line in column]
    assert [table.number for table, _hand, _coming in lines] == list(range(1, tables + 1))
    assert all(table.dealer and hand == "1/2" and not coming for table, hand, coming in lines)


def test_the_standing_takes_turns_with_the_tables(tournament: Tournament) -> None:
    played(tournament)
    assert faces_of(tournament) == [DisplayFace.TABLES, DisplayFace.STANDING]
    assert faces_of(tournament, hide=True) == [DisplayFace.TABLES]


def test_in_the_standing_teams_of_players_go_by_first_names() -> None:
    cup = make.tournament(teams=True)
    played(cup, "Asha Mrisho", "Neema Mushi", "Juma Kapera", "Baraka Lyimo")
    [sheet] = [each for each in sheets_of(cup) if each.face is DisplayFace.STANDING]
    names = [line[1] for column in sheet.columns for line in column]
    assert names == ["Asha & Juma", "Neema & Baraka"]


@pytest.mark.parametrize(
    ("game", "sheet", "last"),
    [("albastini", WON, "hand"), ("dalmuti", {"order": [0, 1, 2, 3]}, "game")],
)
def test_at_the_bell_the_hall_hears_nothing_else_and_long_after_nobody_counts_minutes(
    game: str, sheet: dict[str, Any], last: str
) -> None:
    cup = make.tournament(game, hands=3)
    make.report(make.sitting(at=cup), sheet)
    start_clock(27)
    page = shown(cup)

    shows(page, f"Finish this {last}; don’t deal another.")
    assert page.context["display"].count == 1
    start_clock(3 * 24 * 60)
    page = shown(cup)
    shows(page, ">Time is up</span>")
    lacks(page, " min over</span>")
    assert page.context["display"].count == 2


def test_after_a_round_the_standing_is_shown(tournament: Tournament) -> None:
    played(tournament, *FOUR)
    close(tournament)
    shows(shown(tournament), "After round 1", "1= Asha 1")


@pytest.mark.parametrize("put_up", ["provisional_until", "official_at"])
def test_standings_stay_hidden_until_the_last_round(tournament: Tournament, put_up: str) -> None:
    played(tournament, "Asha")
    close(tournament)
    hidden = shown(tournament, hide="1")
    shows(hidden, "The standings stay hidden until the last round is over.")
    shows(hidden, "hide=1", "Show standings")
    lacks(hidden, "Asha")
    Tournament.objects.update(**{put_up: NOON})
    shows(shown(tournament, hide="1"), "Asha")


def test_standings_are_hidden_once_there_are_some(tournament: Tournament) -> None:
    make.round_of(tournament, state=RoundState.CLOSED)
    page = shown(tournament)
    shows(page, "No standings yet.", FIND)
    lacks(page, HIDE)
    played(tournament)
    shows(shown(tournament), HIDE)
    close(tournament)
    shows(shown(tournament), HIDE)
    make.sitting(at=tournament)
    shows(shown(tournament), HIDE)


def many(tournament: Tournament) -> None:
    """Let seventy have entered, of whom four have played a round."""
    names = [f"Mwanachama-{number:02}" for number in range(70)]
    played(tournament, *names[:4])
    for name in names:
        make.entrant(make.player(name, club=tournament.club), at=tournament)
    close(tournament)


def test_what_one_sheet_cannot_hold_takes_turns(tournament: Tournament, night: ClubNight) -> None:
    many(tournament)
    sheets = sheets_of(tournament)
    assert [(each.number, each.next_sheet) for each in sheets] == [(1, 2), (2, 1)]
    assert display(tournament, sheet=3, hide=False, now=NOON) == sheets[0]
    assert [sum(map(len, each.columns)) for each in sheets] == [35, 35]
    assert all(each.face is DisplayFace.STANDING for each in sheets)
    # At a night it is shown whole before the next turn.
    Round.objects.update(night=night)
    turns = [night_display(night, turn=1, sheet=n, hide=False, now=NOON) for n in (1, 2)]
    assert [(page.next_turn, page.next_sheet) for page in turns] == [(1, 2), (1, 1)]


def test_the_race_and_at_the_end_the_prizes_follow(tournament: Tournament) -> None:
    for _ in range(2):
        played(tournament, "Asha Mushi", *FOUR[1:])
        close(tournament)
    assert faces_of(tournament) == [DisplayFace.STANDING, DisplayFace.RACE]
    shows(shown(tournament, sheet="2"), "2 Asha Mushi</text>")
    tournament.official_at = NOON
    tournament.save()
    assert faces_of(tournament) == [DisplayFace.PRIZES, DisplayFace.STANDING, DisplayFace.RACE]
    shows(shown(tournament), "Asha Mushi</th>")


# The coming round, once it is published


def test_seats_drawn_for_everybody_and_the_standing_take_turns(tournament: Tournament) -> None:
    played(tournament, *FOUR)
    make.entrant(make.player("Ali", club=tournament.club), at=tournament)
    close(tournament)
    draw(tournament)

    secret = shown(tournament)
    shows(secret, "After round 1")
    lacks(secret, "Table")
    assert secret.context["display"].count == 1
    publish(tournament)
    seats = shown(tournament)
    shows(seats, f"Round 2: {SEATS}", "<h2>Table 1</h2>", "<strong>Sits out:</strong>")
    shows(seats, *FOUR, "Ali")
    standing = Client().get(seats.context["next_address"])
    shows(standing, "After round 1")
    shows(Client().get(standing.context["next_address"]), SEATS)
    hidden = shown(tournament, hide="1")  # which does not hide the seats
    shows(hidden, f"Round 2: {SEATS}")
    assert hidden.context["display"].count == 1
    Tournament.objects.update(official_at=NOON)
    lacks(shown(tournament), SEATS)


def test_the_first_round_is_shown_before_it_opens(tournament: Tournament) -> None:
    enter(tournament, 8)
    draw(tournament)
    secret = shown(tournament)
    shows(secret, "8 play")
    lacks(secret, "Table 1")
    publish(tournament)
    shows(shown(tournament), f"Round 1: {SEATS}")


@pytest.mark.parametrize(
    ("number", "by_name"), [(LEAST_LISTED_BY_NAME - 4, False), (LEAST_LISTED_BY_NAME + 1, True)]
)
def test_many_people_find_themselves_by_name_first(
    tournament: Tournament, number: int, *, by_name: bool
) -> None:
    enter(tournament, number)
    draw(tournament, published=True)
    for _ in range(2):  # before the round opens, and once it is open
        first, second = (display(tournament, sheet=n, hide=False, now=NOON) for n in (1, 2))
        assert first.face is (DisplayFace.NAMES if by_name else DisplayFace.SEATS)
        assert second.face is DisplayFace.SEATS
        if by_name:
            names = [name for column in first.columns for name, _table in column]
            assert names == sorted(names)
            assert len(names) == number
        if not tournament.rounds.exists():
            open_draw(tournament_id=tournament.pk, by=make.actor(), rng=Random(1))


# A night of several tournaments


def test_tournaments_of_a_night_take_turns(tournament: Tournament, night: ClubNight) -> None:
    other = make.tournament("dalmuti", "4i", club=tournament.club, name="Dalmuti tonight")
    make.sitting("Asha", in_round=make.round_of(tournament, night=night))
    done = make.sitting("Zuri", in_round=make.round_of(other, night=night))
    make.report(done, {"order": [0, 1, 2, 3]})
    close(other)
    first = shown(night, hide="1")
    second = Client().get(first.context["next_address"])
    third = Client().get(second.context["next_address"].replace("hide", "show"))

    shows(first, "<h1>Friday Cup</h1>")
    shows(second, "Dalmuti tonight", "stay hidden")
    assert third.context["tournament"] == tournament
    close(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(official_at=NOON)
    shows(shown(night), "After round 1")
    Tournament.objects.update(official_at=NOON)
    shows(shown(night, turn="2"), "The winners")


def test_where_more_are_here_than_a_sheet_names_the_welcome_turns(
    tournament: Tournament, night: ClubNight
) -> None:
    people = [make.player(f"Player {n}", club=tournament.club).pk for n in range(200)]
    arrive(night_id=night.pk, players=people, by=make.actor())
    sheets = [night_display(night, turn=1, sheet=n, hide=False, now=NOON) for n in range(1, 6)]
    assert [page.next_sheet for page in sheets] == [2, 3, 4, 5, 1]
    assert sum(len(column) for page in sheets for column in page.columns) == len(people)
    shows(shown(night), "sheet=2")


def test_the_welcome_names_who_is_here_and_lets_the_hall_check_in(
    organiser: Client, tournament: Tournament, night: ClubNight
) -> None:
    shows(shown(night), "<h1>Upanga</h1>", "Welcome!", FIND)
    asha = make.player("Asha Mushi", club=tournament.club)
    arrive(night_id=night.pk, players=[asha.pk], by=make.actor())
    open_door(night_id=night.pk, by=make.actor())

    page = shown(night)

    shows(page, "1 is here", ">Asha<", FIND)
    lacks(page, "/door/")  # whoever reads this page far away does not check in
    shows(shown(night, organiser), "Scan to check in")
    shows(Client().get(reverse("my-table-qr", args=[tournament.club_id])), "<svg")
    ClubNight.objects.update(break_until=NOON)
    shows(shown(night), "On again at ")


def test_display_of_a_night_follows_what_is_on(tournament: Tournament, night: ClubNight) -> None:
    over = make.tournament(club=tournament.club, name="Over", provisional_until=NOON)
    for cup in (over, tournament):
        played(cup, in_round=make.round_of(cup, night=night))
    close(over)

    def turn(number: int) -> Any:
        return night_display(night, turn=number, sheet=1, hide=False, now=NOON)

    assert (turn(1).tournament, turn(1).next_turn) == (tournament, 1)
    close(tournament)
    Tournament.objects.update(provisional_until=NOON)
    assert [turn(number).tournament for number in (1, 2)] == [tournament, over]
