"""Tonight: a game, some names, Go, and the first hand is three minutes away."""

import re
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from games import catalogue
from games.errors import ModeError
from tests import make
from tracker.common.errors import Refused
from tracker.models import (
    Club,
    Entrant,
    Format,
    LogEntry,
    Player,
    Role,
    Round,
    Seat,
    Sitting,
    Team,
    Tournament,
)
from tracker.nights.pages.tonight import in_tapped_order
from tracker.nights.services.closing import close_round
from tracker.nights.services.nights import end_night
from tracker.nights.services.tonight import begin_tonight

pytestmark = pytest.mark.django_db

FOUR = ("Asha", "Neema", "Juma", "Baraka")
EIGHT = (*FOUR, "Ali", "Zawadi", "Omari", "Rehema")


@pytest.fixture
def club() -> Club:
    return make.club()


@pytest.fixture
def organiser(client: Client, club: Club) -> Client:
    client.force_login(make.user(role=Role.ORGANISER, club=club))
    return client


def people(sitting: Sitting) -> list[str]:
    return list(sitting.seats.order_by("place").values_list("player__name", flat=True))


def begin(club: Club, *names: str, known: tuple[int, ...] = (), **more: object) -> Round:
    asked = {"game": "albastini", "title": "Albastini, 20 Nov 2026", **more}
    return begin_tonight(
        club_id=club.pk,
        players=known,
        new_names=names,
        by=make.actor(),
        rng=Random(7),
        **asked,  # type: ignore[arg-type]
    )


def test_names_alone_are_enough(club: Club) -> None:
    round_ = begin(club, *EIGHT)

    tournament = round_.tournament
    assert (tournament.name, tournament.mode, tournament.format, tournament.hands) == (
        "Albastini, 20 Nov 2026",
        "4t2",
        Format.PLAYERS,
        8,
    )
    assert [people(table) for table in round_.sittings.order_by("number")] == [
        list(EIGHT[:4]),
        list(EIGHT[4:]),
    ]
    verbs = set(LogEntry.objects.values_list("verb", flat=True))
    assert verbs == {
        "players-added",
        "tournament-made",
        "entered",
        "night-begun",
        "arrived",
        "round-opened",
    }


def test_known_players_come_first_and_nobody_comes_twice(club: Club) -> None:
    asha, juma = (make.player(name, club=club).pk for name in ("Asha", "Juma"))

    round_ = begin(club, "asha", "Neema", "Baraka", known=(juma, asha))

    assert people(round_.sittings.get()) == ["Juma", "Asha", "Neema", "Baraka"]
    assert Player.objects.count() == 4


@pytest.mark.parametrize(("here", "mode"), [(5, "5i"), (6, "6t2"), (7, "6t2"), (3, "3i")])
def test_so_many_people_sit_as_fits_them_best(club: Club, here: int, mode: str) -> None:
    round_ = begin(club, *EIGHT[:here])

    assert round_.sittings.get().mode == mode


def test_the_mode_can_be_asked_for(club: Club) -> None:
    round_ = begin(club, *EIGHT, mode="2i", length=3)

    assert round_.sittings.count() == 4
    assert round_.hands == 3


def test_a_mode_the_game_does_not_have_is_refused(club: Club) -> None:
    with pytest.raises(ModeError):
        begin(club, *EIGHT, mode="8i")


@pytest.mark.every_game
@pytest.mark.parametrize("slug", sorted(catalogue.GAMES))
def test_every_game_of_the_catalogue_can_be_played_tonight(club: Club, slug: str) -> None:
    round_ = begin(club, *FOUR, game=slug)

    assert round_.sittings.get().seats.count() == 4
    rules = catalogue.GAMES[slug]
    assert (round_.games if rules.round_in_games else round_.hands) == rules.usual_length


def test_partners_follow_one_another(club: Club) -> None:
    round_ = begin(club, "Asha", "Juma", "Neema", "Baraka", format_=Format.TEAMS)

    assert people(round_.sittings.get()) == ["Asha", "Neema", "Juma", "Baraka"]
    assert sorted(str(entrant) for entrant in Entrant.objects.all()) == [
        "Asha & Juma",
        "Neema & Baraka",
    ]


def test_a_pair_that_played_before_is_the_same_team(club: Club) -> None:
    make.team(*(make.player(name, club=club) for name in ("Juma", "Asha", "Ali")))
    make.team(*(make.player(name, club=club) for name in ("Juma", "Asha")), name="The Lions")

    begin(club, "Asha", "Juma", "Neema", "Baraka", format_=Format.TEAMS)

    assert sorted(str(entrant) for entrant in Entrant.objects.all()) == [
        "Neema & Baraka",
        "The Lions",
    ]


def test_a_team_name_that_others_have_is_said(club: Club) -> None:
    make.team(make.player("Ali", club=club), make.player("Omari", club=club), name="Asha & Juma")

    with pytest.raises(Refused, match="There is another team called “Asha & Juma”"):
        begin(club, "Asha", "Juma", "Neema", "Baraka", format_=Format.TEAMS)


def test_whoever_has_no_partner_is_named(club: Club) -> None:
    with pytest.raises(Refused, match="Ali has no partners: a team here is 2 people"):
        begin(club, *FOUR, "Ali", mode="4t2", format_=Format.TEAMS)

    assert not Player.objects.exists()


def test_fixed_teams_want_a_game_with_partners(club: Club) -> None:
    for game, mode in (("dalmuti", None), ("albastini", "4i")):
        with pytest.raises(Refused) as refusal:
            begin(club, *FOUR, game=game, mode=mode, format_=Format.TEAMS)
        assert refusal.value.code == "teams-alone"


def test_a_name_written_twice_is_two_people_who_need_two_names(club: Club) -> None:
    with pytest.raises(Refused, match="Two people are called “Juma”"):
        begin(club, *FOUR, "Juma")


def test_too_few_are_told_how_many_it_takes(club: Club) -> None:
    with pytest.raises(Refused, match="A table takes 2 people here, and only 1 are chosen"):
        begin(club, "Asha")

    assert not Tournament.objects.exists()


def test_a_player_of_another_club_cannot_be_tapped(club: Club) -> None:
    stranger = make.player("Ali", club=make.club("Kariakoo"))

    with pytest.raises(Refused) as refusal:
        begin(club, *FOUR, known=(stranger.pk,))

    assert refusal.value.code == "player-unknown"


def test_an_unknown_game_is_refused(club: Club) -> None:
    with pytest.raises(Refused) as refusal:
        begin(club, *FOUR, game="poker")

    assert refusal.value.code == "game-unknown"


def test_a_second_evening_of_one_name_is_numbered(club: Club) -> None:
    for names in (EIGHT[:4], EIGHT[4:], ("A", "B", "C", "D")):
        begin(club, *names)

    assert sorted(Tournament.objects.values_list("name", flat=True)) == [
        "Albastini, 20 Nov 2026",
        "Albastini, 20 Nov 2026 (2)",
        "Albastini, 20 Nov 2026 (3)",
    ]


# The page


@pytest.mark.every_game
def test_the_page_offers_every_game_and_everybody(organiser: Client, club: Club) -> None:
    for name in FOUR:
        make.player(name, club=club)

    page = organiser.get(reverse("tonight", args=[club.pk]))

    for game in catalogue.GAMES.values():
        assert game.name in page.text
    assert all(name in page.text for name in FOUR)
    assert "How long is a round?" in page.text


def test_go_leads_to_the_desk_with_a_code_for_every_table(organiser: Client, club: Club) -> None:
    asha, neema, juma, baraka = (make.player(name, club=club).pk for name in FOUR)

    page = organiser.post(
        reverse("tonight", args=[club.pk]),
        {
            "game": "albastini",
            "people": [asha, neema, juma, baraka],
            "tapped": f"{juma},{asha},{baraka},{neema}",
            "names": "Ali",
            "mode": "albastini:4t2",
            "format": "players",
        },
        follow=True,
    )

    sitting = Sitting.objects.get()
    assert page.redirect_chain[-1][0] == reverse("desk", args=[sitting.round.tournament_id])
    assert people(sitting) == ["Juma", "Asha", "Baraka", "Neema"]
    assert "5 people make 1 table of four in two pairs; 1 sits out, in turn." in page.text
    assert sitting.table is not None
    assert sitting.table.spaced_code in page.text
    assert sitting.get_absolute_url() in page.text
    assert re.fullmatch(r"Albastini, \d+ \w+ \d{4}", sitting.round.tournament.name)


def test_a_second_go_is_refused_with_a_sentence(organiser: Client, club: Club) -> None:
    asked = {"game": "albastini", "names": "\n".join(FOUR), "format": "players"}
    first = organiser.get(reverse("tonight", args=[club.pk])).text
    assert "type who is here" in first
    assert "tap who" not in first
    assert "Leave empty for the usual length of the game." in first
    organiser.post(reverse("tonight", args=[club.pk]), asked)

    page = organiser.post(reverse("tonight", args=[club.pk]), asked)

    assert "Asha still sits at table 1 of" in page.text
    assert "Asha\nNeema" in page.text
    assert Tournament.objects.count() == 1


def test_who_plays_now_cannot_be_tapped(organiser: Client, club: Club) -> None:
    begin(club, *FOUR)

    page = organiser.get(reverse("tonight", args=[club.pk]))

    assert page.text.count("playing") == 4
    sits = [player.sits for player in page.context["form"].players]
    assert sits == sorted(sits)  # whoever is free comes first


@pytest.mark.parametrize("format_", Format)
def test_as_last_time_is_the_same_again(organiser: Client, club: Club, format_: Format) -> None:
    address = reverse("tonight", args=[club.pk])
    make.player("Aaron", club=club)
    first = begin(club, *EIGHT, mode="4t2", length=3, format_=format_, options={"allow_6i": True})
    playing = organiser.get(address)
    close_round(round_id=first.pk, anyway=True, by=make.actor())
    end_night(night_id=first.night_id or 0, by=make.actor())

    page = organiser.get(address)
    chosen = organiser.get(address, {"again": first.tournament_id})
    begun = organiser.post(address, {"again": first.tournament_id}, follow=True)

    last, new = Tournament.objects.order_by("pk")
    same = ("game", "mode", "format", "hands", "options")
    assert "As last time" not in playing.text
    assert "As last time: Albastini, 8 people" in page.text
    assert page.text.count("primary") == 1
    assert 'class="save"' not in page.text
    assert [player.name for player in page.context["form"].players] == [*sorted(EIGHT), "Aaron"]
    assert f'href="?again={first.tournament_id}"' in page.text
    assert chosen.text.count(" checked") == 8 + len(("game", "format"))
    assert (chosen.text.count("primary"), chosen.text.count('class="save"')) == (0, 1)
    assert "8 people make 2 tables of four in two pairs." in begun.text
    assert begun.redirect_chain[-1][0] == reverse("desk", args=[new.pk])
    assert [getattr(new, name) for name in same] == [getattr(last, name) for name in same]
    assert sorted(map(str, new.entrants.all())) == sorted(map(str, last.entrants.all()))
    again = organiser.post(address, {"again": last.pk}, follow=True)
    assert "still sits at table" in again.text
    assert Tournament.objects.count() == 2


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"game": "albastini"}, "Tap or type the names of those who are here."),
        ({"names": "Asha, Juma"}, "Tap a game."),
        (
            {"game": "albastini", "names": "Asha", "mode": "dalmuti:4i"},
            "Choose how people sit in this game.",
        ),
        (
            {"game": "albastini", "names": "Asha"},
            "A table takes 2 people here, and only 1 are chosen.",
        ),
    ],
)
def test_what_is_amiss_is_said(
    organiser: Client, club: Club, asked: dict[str, str], sentence: str
) -> None:
    page = organiser.post(reverse("tonight", args=[club.pk]), {"format": "players", **asked})

    assert sentence in page.text
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"names": ", ".join(EIGHT)}, "8 people make 2 tables of four in two pairs."),
        ({"names": "Asha"}, "A table takes 2 people here, and only 1 are chosen."),
        ({}, "Any number works; extras take turns sitting out."),
    ],
)
def test_how_people_fit_is_said_while_they_are_tapped(
    organiser: Client, club: Club, asked: dict[str, str], sentence: str
) -> None:
    known = make.player("Asha", club=club)
    if "names" in asked:
        asked = {**asked, "people": str(known.pk)}

    page = organiser.post(
        reverse("tonight", args=[club.pk]),
        {"game": "albastini", "format": "players", "look": "1", **asked},
    )

    assert page.text.strip() == sentence
    assert not Seat.objects.exists()
    assert not Team.objects.exists()


def test_names_are_taken_in_the_order_they_were_tapped() -> None:
    assert in_tapped_order([1, 2, 3], "3,1,99,x,3," + "9" * 30) == [3, 1, 2]


def test_tonight_is_for_organisers(client: Client, club: Club) -> None:
    url = reverse("tonight", args=[club.pk])

    stranger = client.get(url)
    client.force_login(make.user(role=Role.SCORER, club=club))
    scorer = client.get(url)

    assert stranger.headers["Location"].startswith(reverse("sign-in"))
    assert scorer.status_code == 403
