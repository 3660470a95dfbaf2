"""A new tournament begins with who plays: a pasted list, a player or a team a line."""

from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from tests import make
from tests.reading import Forms
from tests.tracker.formats.walking import Walker
from tracker.models import Club, Draw, Entrant, Format, LogEntry, Player, Team, Tournament

pytestmark = pytest.mark.django_db

ELEVEN_PAIRS = """Asha & Juma
Neema + Baraka
Lions: Zuri, Omari
Eshe and Faraji

Grace & Hamisi
Imani/Jabari
Khadija & Lulu
Mosi AND Nia
The Aces:  Pendo & Rashid
Salma & Tumaini
Upendo & Vumi
"""
NAMES = [
    "Asha & Juma", "Neema & Baraka", "Lions", "Eshe & Faraji", "Grace & Hamisi", "Imani & Jabari",
    "Khadija & Lulu", "Mosi & Nia", "The Aces", "Salma & Tumaini", "Upendo & Vumi",
]  # fmt: skip


def make_of(client: Client, club: Club, names: str, **typed: str) -> object:
    """Make a tournament of Albastini with a pasted list; return the page that follows."""
    path = reverse("tournament-new", args=[club.pk]) + "?game=albastini"
    page = client.get(path).content.decode()
    (form,) = [form for form in Forms(page, path).forms if "confirm" in form.fields]
    return client.post(path, form.pressing(names=names, **typed), follow=True)


def rosters() -> dict[str, list[str]]:
    teams = Team.objects.order_by("pk")
    by_seat = Team.roster.through.objects.order_by("pk")
    return {
        team.name: [row.player.name for row in by_seat.filter(team=team).select_related("player")]
        for team in teams
    }


def test_eleven_pairs_are_made_and_drawn_in_four_taps_and_a_list(
    organiser: Client, club: Club
) -> None:
    reader = Walker(organiser, club.get_absolute_url())

    reader.follow("New tournament")
    reader.follow("Albastini")
    # The third tap is into the field, to paste.
    assert reader.text.index('name="names"') < reader.text.index('name="name"')
    reader.press("Make it and draw round 1", names=ELEVEN_PAIRS)

    tournament = Tournament.objects.get()
    assert tournament.format == Format.TEAMS
    assert list(Entrant.objects.order_by("pk").values_list("team__name", flat=True)) == NAMES
    assert rosters()["Lions"] == ["Zuri", "Omari"]
    assert club.players.count() == 22
    drawn = Draw.objects.get(number=1)
    assert (len(drawn.plan["tables"]), len(drawn.plan["resting"])) == (5, 1)
    assert all(f">{name.partition(' &')[0]}" in reader.text for name in NAMES)
    who = organiser.get(reverse("entrants", args=[tournament.pk])).content.decode()
    assert "11 teams" in who
    assert "11 players" not in who


def test_known_people_and_teams_are_found_by_their_names(organiser: Client, club: Club) -> None:
    for name in ("Asha", "Juma K.", "Neema"):
        make.player(name, club=club)
    make.team(make.player("Zuri", club=club), make.player("Omari", club=club), name="Lions")

    make_of(organiser, club, "asha & JUMA  k.\nlions\nNeema & Ali")

    assert rosters() == {
        "Lions": ["Zuri", "Omari"],
        "Asha & Juma K.": ["Asha", "Juma K."],
        "Neema & Ali": ["Neema", "Ali"],
    }
    assert Entrant.objects.count() == 3
    assert Player.objects.count() == 6


def test_single_players_come_a_line_each(organiser: Client, club: Club) -> None:
    make.player("Asha", club=club)

    make_of(organiser, club, "Neema\nasha, Juma\n\nBaraka")

    assert Tournament.objects.get().format == Format.PLAYERS
    entered = Entrant.objects.order_by("pk").values_list("player__name", flat=True)
    assert list(entered) == ["Neema", "Asha", "Juma", "Baraka"]


REFUSED: tuple[tuple[str, dict[str, str], tuple[str, ...]], ...] = (
    # typed, what else is chosen, the sentences
    (
        "Asha & Juma\nNeema\n\nZuri & Omari & Ali",
        {},
        (
            "Line 2, “Neema”: a team here is 2 people, such as “Asha & Juma”.",
            "Line 4, “Zuri & Omari & Ali”: a team here is 2 people, such as “Asha & Juma”.",
        ),
    ),
    (
        "Asha & Juma\nNeema & asha\nZuri & Zuri",
        {},
        (
            "Line 2: asha is in line 1 already. Two people need two names, such as “asha K.”.",
            "Line 3: Zuri is in line 3 already. Two people need two names, such as “Zuri K.”.",
        ),
    ),
    (
        "Tau & Juma\nNeema & Ali",
        {},
        ("Line 1: “Tau” can be Tau Hassan or Tau Mwinyi. Write the whole name.",),
    ),
    ("Tau", {}, ("Line 1: “Tau” can be Tau Hassan or Tau Mwinyi. Write the whole name.",)),
    (
        "Cubs: Asha, Juma\nCUBS: Neema, Ali",
        {},
        ("There is another team called “CUBS”: rename it first.",),
    ),
    (
        "Lions: Asha, Juma\nNeema & Ali",
        {},
        ("There is another team called “Lions”: rename it first.",),
    ),
    (
        "Lions\nOmari & Ali",
        {},
        ("Omari can play in one team only: “Lions” or “Omari & Ali”.",),
    ),
    (
        "Asha & Juma\nNeema",
        {"format": "players"},
        ("Line 1, “Asha & Juma”: everybody plays alone here. Write one name a line.",),
    ),
    ("Asha, Juma\nNeema, Ali", {}, ("Is each of your lines a team? Choose here.",)),
    ("x" * 70 + " & Ali", {}, ("is too long: 60 letters are the most.",)),
)  # fmt: skip


def test_every_bad_line_is_named_and_nothing_lost_or_stored(organiser: Client, club: Club) -> None:
    for name in ("Tau Mwinyi", "Tau Hassan"):
        make.player(name, club=club)
    make.team(make.player("Zuri", club=club), make.player("Omari", club=club), name="Lions")
    before = [Player.objects.count(), rosters(), LogEntry.objects.count()]
    for names, typed, sentences in REFUSED:
        page = make_of(organiser, club, names, **typed)

        text = unescape(page.content.decode())  # type: ignore[attr-defined]
        assert [sentence for sentence in sentences if sentence not in text] == [], names
        assert names in text.replace("\r\n", "\n")
        assert not Tournament.objects.exists()
        assert [Player.objects.count(), rosters(), LogEntry.objects.count()] == before


def test_pages_of_who_plays_take_the_same_list(organiser: Client, club: Club) -> None:
    tournament = make.tournament(club=club, teams=True, hands=4)
    draw = reverse("draw", args=[tournament.pk])
    page = organiser.get(draw).content.decode()
    (form,) = [form for form in Forms(page, draw).forms if "names" in form.fields]

    wrong = organiser.post(draw, form.pressing("do", "set", names="Asha & Juma\nNeema"))
    organiser.post(draw, form.pressing("do", "set", names="Asha & Juma\nNeema & Ali"))
    players = reverse("entrants", args=[tournament.pk])
    organiser.post(players, {"do": "enter", "names": "Lions: Zuri, Omari\nEshe & Ida"})

    assert "Line 2, “Neema”: a team here is 2 people" in wrong.content.decode()
    assert list(rosters()) == ["Asha & Juma", "Neema & Ali", "Lions", "Eshe & Ida"]
    assert Draw.objects.get().question["present"] == list(
        Entrant.objects.order_by("pk").values_list("pk", flat=True)[:2]
    )
