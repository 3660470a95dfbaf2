"""Tonight: a game, some names, Go, and the first hand is three minutes away."""

import re
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import catalogue
from tests import act, make
from tests.reading import lacks, shows
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
from tracker.nights.services.nights import end_night
from tracker.nights.services.tonight import begin_tonight

pytestmark = pytest.mark.django_db
FOUR = ("Asha", "Neema", "Juma", "Baraka")
EIGHT = (*FOUR, "Ali", "Zawadi", "Omari", "Rehema")
TITLE = "Albastini, 20 Nov 2026"
TEAMS: dict[str, Any] = {"format_": Format.TEAMS}
TOO_FEW = "A table takes 2 people here, and only 1 are chosen"


def people(sitting: Sitting) -> list[str]:
    return list(sitting.seats.order_by("place").values_list("player__name", flat=True))


def begin(club: Club, *names: str, known: tuple[int, ...] = (), **more: Any) -> Round:
    asked = {"game": "albastini", "title": TITLE, "by": make.actor(), **more}
    return begin_tonight(club_id=club.pk, players=known, new_names=names, rng=Random(7), **asked)


def entrants() -> list[str]:
    return sorted(str(entrant) for entrant in Entrant.objects.all())


def tonight(club: Club) -> str:
    return reverse("tonight", args=[club.pk])


def test_names_alone_are_enough(club: Club) -> None:
    round_ = begin(club, *EIGHT)
    cup = round_.tournament
    assert (cup.name, cup.mode, cup.format, cup.hands) == (TITLE, "4t2", Format.PLAYERS, 8)
    tables = [people(table) for table in round_.sittings.order_by("number")]
    assert tables == [list(EIGHT[:4]), list(EIGHT[4:])]
    verbs = "players-added tournament-made entered night-begun arrived round-opened"
    assert {*LogEntry.objects.values_list("verb", flat=True)} == {*verbs.split()}


def test_known_players_come_first_and_nobody_comes_twice(club: Club) -> None:
    asha, juma = (make.player(name, club=club).pk for name in ("Asha", "Juma"))
    round_ = begin(club, "asha", "Neema", "Baraka", known=(juma, asha))
    assert people(round_.sittings.get()) == ["Juma", "Asha", "Neema", "Baraka"]
    assert Player.objects.count() == 4


@pytest.mark.parametrize(("here", "mode"), [(5, "5i"), (6, "6t2"), (7, "6t2"), (3, "3i")])
def test_so_many_people_sit_as_fits_them_best(club: Club, here: int, mode: str) -> None:
    assert begin(club, *EIGHT[:here]).sittings.get().mode == mode


def test_the_mode_can_be_asked_for(club: Club) -> None:
    round_ = begin(club, *EIGHT, mode="2i", length=3)
    assert (round_.sittings.count(), round_.hands) == (4, 3)


@pytest.mark.every_game
@pytest.mark.parametrize("slug", sorted(catalogue.GAMES))
def test_every_game_of_the_catalogue_can_be_played_tonight(club: Club, slug: str) -> None:
    round_ = begin(club, *FOUR, game=slug)
    assert round_.sittings.get().seats.count() == 4
    rules = catalogue.GAMES[slug]
    assert (round_.games if rules.round_in_games else round_.hands) == rules.usual_length


def test_partners_follow_one_another(club: Club) -> None:
    round_ = begin(club, "Asha", "Juma", "Neema", "Baraka", **TEAMS)
    assert people(round_.sittings.get()) == ["Asha", "Neema", "Juma", "Baraka"]
    assert entrants() == ["Asha & Juma", "Neema & Baraka"]


def test_a_pair_that_played_before_is_the_same_team(club: Club) -> None:
    for names, name in ((("Juma", "Asha", "Ali"), ""), (("Juma", "Asha"), "The Lions")):
        make.team(*(make.player(each, club=club) for each in names), name=name)
    begin(club, "Asha", "Juma", "Neema", "Baraka", **TEAMS)
    assert entrants() == ["Neema & Baraka", "The Lions"]


@pytest.mark.parametrize(
    ("names", "more", "code", "sentence"),
    [
        (EIGHT, {"mode": "8i"}, "mode-unknown", ""),
        (FOUR, {"game": "poker"}, "game-unknown", ""),
        (("Asha",), {}, "too-few", TOO_FEW),
        (FOUR, {"game": "dalmuti", **TEAMS}, "teams-alone", ""),
        (FOUR, {"mode": "4i", **TEAMS}, "teams-alone", ""),
        ((*FOUR, "Juma"), {}, "named-twice", "Two people are called “Juma”"),
        (
            (*FOUR, "Ali"),
            {"mode": "4t2", **TEAMS},
            "no-partner",
            "Ali has no partners: a team here is 2 people",
        ),
        (FOUR, TEAMS, "team-name-taken", "There is another team called “Asha & Neema”"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(
    club: Club, names: tuple[str, ...], more: dict[str, Any], code: str, sentence: str
) -> None:
    others = [make.player(name, club=club) for name in ("Khamis", "Tatu")]
    make.team(*others, name="Asha & Neema")
    with act.refused(code) as refusal:
        begin(club, *names, **more)
    assert sentence in str(refusal.value)
    assert (Tournament.objects.count(), Player.objects.count()) == (0, len(others))


def test_a_player_of_another_club_cannot_be_tapped(club: Club) -> None:
    stranger = make.player("Ali", club=make.club("Kariakoo"))
    with act.refused("player-unknown"):
        begin(club, *FOUR, known=(stranger.pk,))


def test_a_second_evening_of_one_name_is_numbered(club: Club) -> None:
    for names in (EIGHT[:4], EIGHT[4:], ("A", "B", "C", "D")):
        begin(club, *names)
    called = Tournament.objects.order_by("pk").values_list("name", flat=True)
    assert [*called] == [TITLE, f"{TITLE} (2)", f"{TITLE} (3)"]


# The page


@pytest.mark.every_game
def test_the_page_offers_every_game_and_everybody(organiser: Client, club: Club) -> None:
    for name in FOUR:
        make.player(name, club=club)
    page = organiser.get(tonight(club))
    shows(page, *(game.name for game in catalogue.GAMES.values()), *FOUR)
    shows(page, "How long is a round?")


def test_go_leads_to_the_desk_with_a_code_for_every_table(organiser: Client, club: Club) -> None:
    asha, neema, juma, baraka = (make.player(name, club=club).pk for name in FOUR)
    asked: dict[str, Any] = {"game": "albastini", "mode": "albastini:4t2", "format": "players"}
    asked |= {"people": [asha, neema, juma, baraka], "names": "Ali"}
    asked |= {"tapped": f"{juma},{asha},{baraka},{neema}"}
    page = organiser.post(tonight(club), asked, follow=True)

    sitting = Sitting.objects.get()
    assert page.redirect_chain[-1][0] == reverse("desk", args=[sitting.round.tournament_id])
    assert people(sitting) == ["Juma", "Asha", "Baraka", "Neema"]
    shows(page, "5 people make 1 table of four in two pairs; 1 sits out, in turn.")
    assert sitting.table is not None
    shows(page, sitting.table.spaced_code, sitting.get_absolute_url())
    assert re.fullmatch(r"Albastini, \d+ \w+ \d{4}", sitting.round.tournament.name)


def test_a_second_go_is_refused_with_a_sentence(organiser: Client, club: Club) -> None:
    asked = {"game": "albastini", "names": "\n".join(FOUR), "format": "players"}
    first = organiser.get(tonight(club))
    shows(first, "type who is here", "Leave empty for the usual length of the game.")
    lacks(first, "tap who")
    organiser.post(tonight(club), asked)

    page = organiser.post(tonight(club), asked)

    shows(page, "Asha still sits at table 1 of", "Asha\nNeema")
    assert Tournament.objects.count() == 1
    page = organiser.get(tonight(club))  # who plays now cannot be tapped
    assert page.text.count("playing") == 4
    sits = [player.sits for player in page.context["form"].players]
    assert sits == sorted(sits)  # whoever is free comes first


@pytest.mark.parametrize("format_", Format)
def test_as_last_time_is_the_same_again(organiser: Client, club: Club, format_: Format) -> None:
    make.player("Aaron", club=club)
    first = begin(club, *EIGHT, mode="4t2", length=3, format_=format_, options={"allow_6i": True})
    again = {"again": first.tournament_id}
    lacks(organiser.get(tonight(club)), "As last time")
    act.close(first, anyway=True)
    end_night(night_id=first.night_id or 0, by=make.actor())

    page = organiser.get(tonight(club))
    chosen = organiser.get(tonight(club), again)
    begun = organiser.post(tonight(club), again, follow=True)

    last, new = Tournament.objects.order_by("pk")
    shows(page, "As last time: Albastini, 8 people", f'href="?again={last.pk}"')
    assert (page.text.count("primary"), page.text.count('class="save"')) == (1, 0)
    assert [player.name for player in page.context["form"].players] == [*sorted(EIGHT), "Aaron"]
    assert chosen.text.count(" checked") == 8 + len(("game", "format"))
    assert (chosen.text.count("primary"), chosen.text.count('class="save"')) == (0, 1)
    shows(begun, "8 people make 2 tables of four in two pairs.")
    assert begun.redirect_chain[-1][0] == reverse("desk", args=[new.pk])
    for name in ("game", "mode", "format", "hands", "options"):
        assert getattr(new, name) == getattr(last, name)
    assert sorted(map(str, new.entrants.all())) == sorted(map(str, last.entrants.all()))
    shows(organiser.post(tonight(club), again, follow=True), "still sits at table")
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
        ({"game": "albastini", "names": "Asha"}, f"{TOO_FEW}."),
    ],
)
def test_what_lacks_is_said(organiser: Client, club: Club, asked: Any, sentence: str) -> None:
    shows(organiser.post(tonight(club), {"format": "players", **asked}), sentence)
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (", ".join(EIGHT), "8 people make 2 tables of four in two pairs."),
        ("Asha", f"{TOO_FEW}."),
        ("", "Any number works; extras take turns sitting out."),
    ],
)
def test_how_people_fit_is_said_while_they_are_tapped(
    organiser: Client, club: Club, names: str, sentence: str
) -> None:
    known = make.player("Asha", club=club)
    asked: dict[str, Any] = {"game": "albastini", "format": "players", "look": "1"}
    who = {"names": names, "people": known.pk} if names else {}
    assert organiser.post(tonight(club), asked | who).text.strip() == sentence
    assert not Seat.objects.exists()
    assert not Team.objects.exists()


def test_names_are_taken_in_the_order_they_were_tapped() -> None:
    assert in_tapped_order([1, 2, 3], "3,1,99,x,3," + "9" * 30) == [3, 1, 2]


def test_tonight_is_for_organisers(client: Client, club: Club) -> None:
    assert client.get(tonight(club)).headers["Location"].startswith(reverse("sign-in"))
    assert act.sign_in(Role.SCORER, club).get(tonight(club)).status_code == 403
