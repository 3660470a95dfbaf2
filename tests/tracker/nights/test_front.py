"""The club's front page answers what each reader came for, and so does the search."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import act, make
from tests.make import NOON
from tests.reading import lacks, shows, words
from tracker.models import CallReason, Club, Player, Role, Rsvp, Season, Sitting, Tournament
from tracker.nights.pages.search import SHOWN
from tracker.results.services.calls import call_organiser
from tracker.standings.services.seasons import save_season

pytestmark = pytest.mark.django_db
FOUR = ("Asha Kito Mwinyi", "Neema Josephat Mushi", "Juma Kapera Kondo", "Baraka Said Ali")
MORE = ("Zawadi Musa Juma", "Tatu Hamisi Ngwali", "Khamis Omari Said", "Rehema Salim Bakari")
OTHERS = ("Juma Rashidi Hassan", "Omari Ali Mwinyi", "Zuwena Ali Said", "Bibi Saidi Kondo")
ASHA, NEEMA, JUMA, _ = FOUR


@pytest.fixture
def table(club: Club) -> Sitting:
    """Return table 1 of a round of six hands, whose first hand is in."""
    sitting = make.sitting(*FOUR, at=make.tournament(club=club, hands=6))
    make.report(sitting, {"eaten": [70, 50]})
    return sitting


@pytest.fixture
def season(club: Club) -> Season:
    return save_season(Season(club=club, name="Autumn"), by=make.actor())


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
    act.finish(cup)
    return cup


# A night is on -----------------------------------------------------------------------------------


def test_a_stranger_reads_first_who_deals_at_each_table_and_who_leads(
    client: Client, club: Club, table: Sitting
) -> None:
    make.sitting(*OTHERS, in_round=table.round, number=2)
    make.sitting(*MORE, in_round=table.round, number=3, first_dealer=1)
    page = front(client, club)

    said = words(page)
    assert re.search(
        r"Table 1 Juma K\. deals Hand 2 of 6 Table 2 Juma H\. deals Hand 1 of 6"
        r" Table 3 Tatu deals Hand 1 of 6 .*Who leads .*1= Asha 1 1= Juma K\. 1",
        said,
    )
    assert said.index("Who deals") < said.index("Who leads") < said.index("Type the code")
    assert "Want to play?" in said
    leaders = [row[1] for row in page.context["page"]["play"]["leading"]["leaders"]]
    assert leaders[0] == "Asha"  # or as much of a name as tells it from others
    assert not {*leaders} & {*FOUR, *OTHERS, *MORE}
    assert page.context["page"]["play"]["leading"]["leaders"][0][2] == "1"


def test_teams_of_players_go_by_first_names(client: Client, club: Club) -> None:
    make.report(make.sitting(*FOUR, at=make.tournament(club=club, teams=True)), {"eaten": [70, 50]})
    leading = front(client, club).context["page"]["play"]["leading"]
    assert [row[1] for row in leading["leaders"]] == ["Asha & Juma", "Neema & Baraka"]


def test_player_who_signs_in_reads_her_own_table_and_deal_first(club: Club, table: Sitting) -> None:
    said = words(front(playing_as(ASHA, club), club))
    [own] = re.findall("(Asha: table 1 .*?) To my table", said)
    assert own == "Asha: table 1 Hand 2 of 6 you deal next if you win Place 1= in the standings"
    assert said.index(own) < said.index("Who deals")
    assert "Find my seat by name" not in said
    shows(front(playing_as(JUMA, club), club), "you deal now")


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
    asha = make.player(ASHA, club=club)
    client.post(reverse("my-table", args=[club.pk]), {"player": asha.pk})
    shows(front(client, club), "Asha: table 1")
    lacks(front(Client(), club), "Asha: table 1")


def test_a_player_without_a_seat_is_told_so(club: Club, table: Sitting) -> None:
    name = "Said Omari Kombo"
    client = playing_as(name, club)
    shows(front(client, club), "Said: no seat yet")
    resting = make.entrant(make.player(name, club=club), at=table.round.tournament)
    table.round.rests.create(entrant=resting)
    shows(front(client, club), "Said: you sit out this round")


def test_the_organiser_is_led_to_the_desk_with_what_waits_there(
    organiser: Client, club: Club, table: Sitting
) -> None:
    other = make.sitting(*OTHERS, in_round=table.round, number=2)
    desk = reverse("desk", args=[table.round.tournament_id])
    shows(front(organiser, club), f'primary" href="{desk}"')  # without a night
    table.round.night = make.night(club, timezone.now())
    table.round.save()
    link = r'<a class="button big primary" href="([^"]+)">([^<]+)</a>'

    for calling, says in ((None, "Run tonight"), (table, "(1 needs you)"), (other, "(2 need you)")):
        if calling:
            call_organiser(token=calling.token, reason=CallReason.CARDS, by=make.actor())
        [(leads, said)] = re.findall(link, front(organiser, club).text)
        assert leads == table.round.night.get_absolute_url()
        assert said.endswith(says)


def test_a_round_of_free_play_closed_before_another_does_not_hide_the_desk(
    organiser: Client, club: Club, table: Sitting
) -> None:
    Tournament.objects.update(movement="free")
    later = make.sitting(*OTHERS, in_round=make.round_of(table.round.tournament), number=2)
    act.close(later.round, not_played=True)
    desk = reverse("desk", args=[table.round.tournament_id])
    shows(front(organiser, club), f'primary" href="{desk}"')


# No night is on ----------------------------------------------------------------------------------


def test_a_member_reads_her_next_night_and_replies_there(club: Club) -> None:
    night = make.night(club, timezone.now() + timedelta(days=3), place="Bar Kijiji")
    client, player = playing_as(NEEMA, club), Player.objects.get(name=NEEMA)
    shows(front(client, club), "Bar Kijiji")
    reply = reverse("night-rsvp", args=[night.reply_id])

    page = client.get(reply)  # which asks nobody who signed in who they are
    answer = client.post(reply, {"player": player.pk, "answer": "yes", "back": "club"})

    shows(page, f"You reply as {NEEMA} .")
    lacks(page, "Your name")
    assert answer.headers["Location"] == club.get_absolute_url()
    assert Rsvp.objects.get().player == player
    shows(front(client, club), 'value="yes" aria-pressed="true"')


def test_a_night_of_which_all_is_official_says_who_won_and_how_it_ends(
    client: Client, organiser: Client, club: Club
) -> None:
    cup = official(club, *FOUR, name="Friday Cup")
    cup.rounds.update(night=make.night(club, timezone.now() - timedelta(hours=2)))
    stranger = front(Client(), club)
    assert re.search(r"Friday Cup: .*Asha.* won", words(stranger))
    lacks(stranger, "Reply", "End the night")
    shows(front(organiser, club), "End the night")


def test_member_reads_her_last_results_form_and_season(club: Club, season: Season) -> None:
    official(club, *FOUR, name="First cup", season=season)
    official(club, *OTHERS[:2], *FOUR[:2], name="Second cup", season=season)
    page = front(playing_as(NEEMA, club), club)
    said = words(page)
    assert re.search("My last results Second cup .* of 4 First cup tied 3 of 4", said)
    assert re.search(f"Autumn .*{NEEMA}", said)
    bars = page.context["page"]["between_nights"]["bars"]
    assert bars["in_words"].startswith("My form, the latest last: 3 of 4, ")
    shows(page, 'aria-label="My form')


def test_a_stranger_reads_who_won_who_leads_the_season_and_how_to_join(
    client: Client, club: Club, season: Season
) -> None:
    official(club, *FOUR, name="First cup", season=season)
    page = front(client, club)
    shows(page, f"First cup {ASHA} & {JUMA} won", "Want to play?")
    assert re.search(f"Autumn .*1= {ASHA} 83.3 1= {JUMA} 83.3", words(page))
    lacks(page, "My last results")


def test_tournament_called_by_its_game_is_not_told_it_again(client: Client, club: Club) -> None:
    for name in ("Albastini, 20 November", "Friday Cup"):
        make.tournament(club=club, name=name)
    page = front(client, club)
    shows(page, "Friday Cup Albastini")
    lacks(page, "Albastini, 20 November Albastini")


def test_tournaments_of_one_name_are_told_apart_by_their_days(club: Club) -> None:
    for day in (6, 13):
        cup = official(club, *FOUR, name="Friday cup")
        made = datetime(2026, 11, day, 18, tzinfo=UTC)
        Tournament.objects.filter(pk=cup.pk).update(created_at=made)
    said = words(front(playing_as(NEEMA, club), club))
    for date in ("6 Nov 2026", "13 Nov 2026"):
        assert re.search(f"My last results.* Friday cup {date}", said)
        assert re.search(f"won · {date}", said)


# The search --------------------------------------------------------------------------------------

NOVEMBER = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)  # a Friday


@pytest.fixture
def searched(club: Club) -> Club:
    """Return the club, in which there is something of every kind to be found."""
    make.team(make.player("José Mushi", club=club), make.player("Abdul Juma", club=club))
    make.player("Juma Kapera", club=club)
    make.tournament(club=club, name="Friday Cup")
    make.tournament("dalmuti", "5i", club=club, name="Kombe")
    Tournament.objects.update(created_at=NOVEMBER)
    make.night(club, NOVEMBER, place="Bar Kijiji", games="Briscola")
    return club


def search(client: Client, club: Club, asked: str, **more: str) -> Any:
    return client.get(reverse("search", args=[club.pk]), {"q": asked, **more})


def found(client: Client, club: Club, asked: str) -> dict[str, list[str]]:
    groups = search(client, club, asked).context["found"]
    return {group["key"]: [hit.name for hit in group["hits"]] for group in groups}


@pytest.mark.parametrize(
    ("asked", "hits"),
    [
        ("jose", {"players": ["José Mushi"], "teams": ["José Mushi & Abdul Juma"]}),
        ("JUMA", {"players": ["Juma Kapera", "Abdul Juma"], "teams": ["José Mushi & Abdul Juma"]}),
        ("kap ju", {"players": ["Juma Kapera"]}),
        ("dalm nov", {"tournaments": ["Kombe"]}),
        ("kijiji", {"nights": 1}),
        ("friday november 2026", {"tournaments": 2, "nights": 1}),
        ("uma", {}),
        (" ", {}),
        ("x" * 300, {}),
    ],
)
def test_it_finds_by_the_beginnings_of_words(
    client: Client, searched: Club, asked: str, hits: dict[str, list[str] | int]
) -> None:
    names = found(client, searched, asked)
    assert {
        key: len(of_kind) if isinstance(hits.get(key), int) else of_kind
        for key, of_kind in names.items()
    } == hits


def test_who_was_merged_or_erased_or_is_elsewhere_is_not_found(client: Client, club: Club) -> None:
    make.player("Zuwena", club=make.club("Elsewhere"))
    gone, hidden = make.player("Zuwena K", club=club), make.player("Fatma", club=club)
    gone.merged_into = make.player("Bibi", club=club)
    gone.save()
    hidden.full_name = "Zuwena Fatma"
    hidden.save()
    assert found(client, club, "zuwena") == {}


def test_of_many_a_few_are_shown_and_a_link_leads_to_all(client: Client, club: Club) -> None:
    for number in range(SHOWN + 3):
        make.player(f"Rehema {number}", club=club)
    link = "?q=rehema&amp;only=players"
    page, whole = search(client, club, "rehema"), search(client, club, "rehema", only="players")
    assert [len(each.context["found"][0]["hits"]) for each in (page, whole)] == [SHOWN, SHOWN + 3]
    shows(page, link)
    lacks(whole, link)


def test_a_private_club_tells_its_own_people_alone(client: Client) -> None:
    club = make.club(public=False)
    make.player("Asha", club=club)
    assert search(client, club, "asha").status_code == 404
    assert found(act.sign_in(Role.MEMBER, club), club, "asha") == {"players": ["Asha"]}


def test_every_page_of_a_club_has_the_box(client: Client, club: Club) -> None:
    box = f'action="{reverse("search", args=[club.pk])}"'
    for name in ("club", "players", "tournaments", "search"):
        assert client.get(reverse(name, args=[club.pk])).text.count(box) == 1


def test_tournaments_found_by_one_name_have_their_days(client: Client, searched: Club) -> None:
    for day, hour in ((6, 18), (13, 18), (13, 20)):
        cup = make.tournament(club=searched, name="Cup")
        made = datetime(2026, 11, day, hour, 0, tzinfo=UTC)
        Tournament.objects.filter(pk=cup.pk).update(created_at=made)
    [group] = search(client, searched, "cup", only="tournaments").context["found"]

    assert [(hit.name, hit.beside) for hit in group["hits"]] == [
        ("Cup", "Albastini · 13 Nov 2026, 20:00"),
        ("Cup", "Albastini · 13 Nov 2026, 18:00"),
        ("Cup", "Albastini · 6 Nov 2026"),
        ("Friday Cup", "Albastini"),
    ]
