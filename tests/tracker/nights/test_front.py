"""The club's front page answers what each reader came for, at the same cost however much is on."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests import make
from tests.make import NOON
from tracker.models import CallReason, Club, Player, Role, Rsvp, Season, Sitting, Tournament
from tracker.nights.services.closing import close_round
from tracker.results.services.calls import call_organiser
from tracker.standings.services.seasons import save_season
from tracker.standings.services.standings import finish_tournament

pytestmark = pytest.mark.django_db
FOUR = ("Asha Kito Mwinyi", "Neema Josephat Mushi", "Juma Kapera Kondo", "Baraka Said Ali")
MORE = ("Zawadi Musa Juma", "Tatu Hamisi Ngwali", "Khamis Omari Said", "Rehema Salim Bakari")
OTHERS = ("Juma Rashidi Hassan", "Omari Ali Mwinyi", "Zuwena Ali Said", "Bibi Saidi Kondo")


@pytest.fixture
def club() -> Club:
    return make.club()


@pytest.fixture
def table(club: Club) -> Sitting:
    """Return table 1 of a round of six hands, whose first hand is in."""
    sitting = make.sitting(*FOUR, at=make.tournament(club=club, hands=6))
    make.report(sitting, {"eaten": [70, 50]})
    return sitting


def words(page: Any) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page.text)))


def front(client: Client, club: Club) -> Any:
    return client.get(club.get_absolute_url())


def playing_as(name: str, club: Club) -> Client:
    """Return the browser of a member who signs in as this player."""
    client = Client()
    player = make.player(name, club=club)
    player.user = make.user(role=Role.MEMBER, club=club)
    player.save()
    client.force_login(player.user)
    return client


def official(club: Club, *people: str, name: str, season: Season | None = None) -> Tournament:
    """Return a tournament of one deal that the first two won."""
    cup = make.tournament(club=club, name=name, season=season)
    make.report(make.sitting(*people, at=cup), {"eaten": [70, 50]})
    cup.rounds.update(state="closed", closed_at=NOON)
    finish_tournament(tournament_id=cup.pk, by=make.actor())
    return cup


# A night is on -----------------------------------------------------------------------------------


def test_a_stranger_reads_first_who_deals_at_each_table_and_who_leads(
    client: Client, club: Club, table: Sitting
) -> None:
    at, in_round = table.round.tournament, table.round
    make.sitting(*OTHERS, at=at, in_round=in_round, number=2)
    make.sitting(*MORE, at=at, in_round=in_round, number=3, first_dealer=1)

    page = front(client, club)

    said = words(page)
    assert re.search(
        r"Table 1 Juma K\. deals Hand 2 of 6 Table 2 Juma H\. deals Hand 1 of 6"
        r" Table 3 Tatu deals Hand 1 of 6 .*Who leads .*1= Asha 1 1= Juma K\. 1",
        said,
    )
    assert said.index("Who deals") < said.index("Who leads") < said.index("Type the code")
    assert "Want to play?" in said
    assert page.context["page"]["play"]["leading"]["leaders"][0][2] == "1"


def test_people_are_called_by_first_names_or_as_much_as_tells_them_apart(
    client: Client, club: Club, table: Sitting
) -> None:
    make.sitting(*OTHERS, at=table.round.tournament, in_round=table.round, number=2)

    shown = front(client, club).context["page"]["play"]

    names = {line.dealer for line in shown["tables"]} | {
        row[1] for row in shown["leading"]["leaders"]
    }
    assert names <= {
        "Asha",
        "Neema",
        "Juma K.",
        "Juma H.",
        "Juma",
        "Baraka",
        "Zuwena",
        "Omari",
        "Bibi",
    }


def test_teams_of_players_go_by_first_names(client: Client, club: Club) -> None:
    cup = make.tournament(club=club, teams=True)
    make.report(make.sitting(*FOUR, at=cup), {"eaten": [70, 50]})

    leading = front(client, club).context["page"]["play"]["leading"]

    assert [row[1] for row in leading["leaders"]] == ["Asha & Juma", "Neema & Baraka"]


def test_who_signs_in_as_a_player_reads_her_own_table_place_and_deal_first(
    club: Club, table: Sitting
) -> None:
    said = words(front(playing_as("Asha Kito Mwinyi", club), club))

    (own,) = re.findall("(Asha: table 1 .*?) To my table", said)
    assert own == "Asha: table 1 Hand 2 of 6 you deal next if you win Place 1= in the standings"
    assert said.index(own) < said.index("Who deals")
    assert "Find my seat by name" not in said
    assert "you deal now" in words(front(playing_as("Juma Kapera Kondo", club), club))


def test_tables_of_two_tournaments_of_one_game_stand_under_their_names(
    client: Client, club: Club, table: Sitting
) -> None:
    make.sitting(*OTHERS, at=make.tournament(club=club, name="Second Cup"))
    first = table.round.tournament.name

    said = words(front(client, club))

    assert re.search(f"Who deals Table 1 .* {first} Table 1 .* Second Cup ", said)


def test_a_phone_that_said_who_holds_it_is_known_on_the_front_page(
    client: Client, club: Club, table: Sitting
) -> None:
    asha = make.player("Asha Kito Mwinyi", club=club)
    client.post(reverse("my-table", args=[club.pk]), {"player": asha.pk})

    assert "Asha: table 1" in words(front(client, club))
    assert "Asha: table 1" not in words(front(Client(), club))


def test_a_player_without_a_seat_is_told_so(club: Club, table: Sitting) -> None:
    client = playing_as("Said Omari Kombo", club)
    assert "Said: no seat yet" in words(front(client, club))

    resting = make.entrant(make.player("Said Omari Kombo", club=club), at=table.round.tournament)
    table.round.rests.create(entrant=resting)

    assert "Said: you sit out this round" in words(front(client, club))


@pytest.mark.parametrize(
    ("calls", "says"), [(0, "Run tonight"), (1, "(1 needs you)"), (2, "(2 need you)")]
)
def test_the_organiser_is_led_to_the_desk_with_what_waits_there(
    client: Client, club: Club, table: Sitting, calls: int, says: str
) -> None:
    night = make.night(club, timezone.now())
    other = make.sitting(*OTHERS, at=table.round.tournament, in_round=table.round, number=2)
    table.round.night = night
    table.round.save()
    for sitting in (table, other)[:calls]:
        call_organiser(token=sitting.token, reason=CallReason.CARDS, by=make.actor())
    client.force_login(make.user(role=Role.ORGANISER, club=club))

    page = front(client, club)

    (main,) = re.findall(r'<a class="button big primary" href="([^"]+)">([^<]+)</a>', page.text)
    assert main[0] == night.get_absolute_url()
    assert main[1].endswith(says)


@pytest.mark.parametrize("later_round", [False, True])
def test_without_a_night_the_organiser_is_led_to_the_tournament_s_desk(
    client: Client, club: Club, table: Sitting, *, later_round: bool
) -> None:
    if later_round:  # of free play, and closed before this one
        Tournament.objects.update(movement="free")
        later = make.sitting(*OTHERS, in_round=make.round_of(table.round.tournament), number=2)
        close_round(round_id=later.round_id, not_played=True, by=make.actor())
    client.force_login(make.user(role=Role.ORGANISER, club=club))

    page = front(client, club)

    assert f'primary" href="{reverse("desk", args=[table.round.tournament_id])}"' in page.text


@pytest.mark.parametrize("more", [1, 4])
def test_a_night_costs_the_same_however_much_is_played(
    client: Client,
    club: Club,
    table: Sitting,
    more: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(more):
        people = [f"{name} {number}" for name in OTHERS]
        make.sitting(*people, at=make.tournament(club=club), number=number + 2)

    # revision, club, nights, tournaments, tables, people, standing's three
    with django_assert_num_queries(9):
        page = front(client, club)

    assert len(page.context["page"]["play"]["tables"]) == more + 1


# No night is on ----------------------------------------------------------------------------------


def test_a_member_reads_her_next_night_and_replies_there(client: Client, club: Club) -> None:
    night = make.night(club, timezone.now() + timedelta(days=3), place="Bar Kijiji")
    client = playing_as("Neema Josephat Mushi", club)
    player = Player.objects.get(name="Neema Josephat Mushi")
    assert "Bar Kijiji" in words(front(client, club))

    reply = reverse("night-rsvp", args=[night.reply_id])
    answer = client.post(reply, {"player": player.pk, "answer": "yes", "back": "club"})

    assert answer.headers["Location"] == club.get_absolute_url()
    assert Rsvp.objects.get().player == player
    assert re.search(r'value="yes" aria-pressed="true"', front(client, club).text)


def test_a_night_of_which_all_is_official_says_who_won_and_how_it_ends(
    client: Client, club: Club
) -> None:
    night = make.night(club, timezone.now() - timedelta(hours=2))
    cup = official(club, *FOUR, name="Friday Cup")
    cup.rounds.update(night=night)

    stranger = words(front(client, club))
    client.force_login(make.user(role=Role.ORGANISER, club=club))
    organiser = words(front(client, club))

    assert re.search(r"Friday Cup : .*Asha.* won", stranger)
    assert "Reply" not in stranger
    assert "End the night" not in stranger
    assert "End the night" in organiser


def test_the_link_of_a_night_asks_nobody_who_signed_in_who_they_are(club: Club) -> None:
    night = make.night(club, timezone.now() + timedelta(days=3))

    page = playing_as("Neema Josephat Mushi", club).get(
        reverse("night-rsvp", args=[night.reply_id])
    )

    assert "You reply as Neema Josephat Mushi ." in words(page)
    assert "Your name" not in words(page)


def test_a_member_reads_her_last_results_her_form_and_her_place_in_the_season(club: Club) -> None:
    season = save_season(Season(club=club, name="Autumn"), by=make.actor())
    official(club, *FOUR, name="First cup", season=season)
    official(club, *OTHERS[:2], *FOUR[:2], name="Second cup", season=season)

    page = front(playing_as("Neema Josephat Mushi", club), club)

    said = words(page)
    assert re.search("My last results Second cup .* of 4 First cup tied 3 of 4", said)
    assert re.search("Autumn .*Neema Josephat Mushi", said)
    bars = page.context["page"]["between_nights"]["bars"]
    assert bars.in_words.startswith("My form, the latest last: 3 of 4, ")
    assert 'aria-label="My form' in page.text


def test_a_stranger_reads_who_won_who_leads_the_season_and_how_to_join(
    client: Client, club: Club
) -> None:
    season = save_season(Season(club=club, name="Autumn"), by=make.actor())
    official(club, *FOUR, name="First cup", season=season)

    said = words(front(client, club))

    assert "First cup Asha Kito Mwinyi & Juma Kapera Kondo won" in said
    assert re.search("Autumn .*1= Asha Kito Mwinyi 83.3 1= Juma Kapera Kondo 83.3", said)
    assert "Want to play?" in said
    assert "My last results" not in said


@pytest.mark.parametrize("many", [2, 5])
def test_a_quiet_week_costs_the_same_however_much_was_played(
    club: Club, many: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    season = save_season(Season(club=club, name="Autumn"), by=make.actor())
    for number in range(many):
        official(club, *FOUR, name=f"Cup {number}", season=season)
    client = playing_as("Neema Josephat Mushi", club)

    with django_assert_num_queries(20):
        page = front(client, club)

    assert len(page.context["page"]["finished"]) == min(many, 5)


def test_a_tournament_called_by_its_game_is_not_told_its_game_again(
    client: Client, club: Club
) -> None:
    make.tournament(club=club, name="Albastini, 20 November")
    make.tournament(club=club, name="Friday Cup")

    said = words(front(client, club))

    assert re.search("Friday Cup Albastini", said)
    assert "Albastini, 20 November Albastini" not in said


def test_tournaments_of_one_name_are_told_apart_by_their_days(club: Club) -> None:
    for number in range(2):
        cup = official(club, *FOUR, name="Friday cup")
        made = datetime(2026, 11, 6 + 7 * number, 18, tzinfo=UTC)
        Tournament.objects.filter(pk=cup.pk).update(created_at=made)

    said = words(front(playing_as("Neema Josephat Mushi", club), club))

    for day in ("6 Nov 2026", "13 Nov 2026"):
        assert re.search(f"My last results.* Friday cup {day}", said)
        assert re.search(f"won · {day}", said)
