"""A fifth game is one folder and one line: nothing of the site knows it, and all of it works."""

import json
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import catalogue
from games.__main__ import main
from games.option import Options
from tests import make, toy
from tests.reading import Form, Forms, Tables
from tracker.models import Club, Hand, Role, Sitting, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.every_game]
FOUR = ["Asha", "Neema", "Juma", "Baraka"]
HOUSE_RULES: Options = {"rain_doubles": True, "fallen": "less", "prize": 7}


@pytest.fixture(autouse=True)
def _the_line_in_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    games = {**catalogue.GAMES, toy.GAME.slug: toy.GAME}
    monkeypatch.setattr(catalogue, "GAMES", MappingProxyType(games))


@pytest.fixture
def club() -> Club:
    return make.club()


@pytest.fixture
def owner(client: Client, club: Club) -> Client:
    client.force_login(make.user(role=Role.OWNER, club=club))
    return client


def form_on(client: Client, path: str, *fields: str) -> Form:
    """Return the form of a page that has these fields."""
    page = client.get(path)
    assert page.status_code == 200, path
    forms = Forms(page.text, path).forms
    (form,) = [form for form in forms if set(fields) <= {*form.fields, *dict(form.buttons)}]
    return form


def send(client: Client, form: Form, sent: Mapping[str, list[str]]) -> str:
    """Send a form that is taken, and return the page it leads to."""
    answer = client.post(form.path, sent)
    assert answer.status_code in {302, 303}, re.sub(r"<[^>]+>|\s+", " ", answer.text)
    return answer.headers["Location"]


def make_the_tournament(owner: Client, club: Club) -> Tournament:
    """Make it with the club's own house rules, through the pages."""
    games = owner.get(reverse("tournament-new", args=[club.pk]))
    path = f"{reverse('tournament-new', args=[club.pk])}?game=dash"
    assert path.partition("?")[2] in games.text
    assert "Pwani Dash" in games.text

    form = form_on(owner, path, "name", "mode", "length")
    typed = form.pressing(name="Beach Cup", mode="4t2", length=3)
    for key in form.fields:
        for name, value in {"rain_doubles": "yes", "fallen": "less", "prize": "7"}.items():
            if key.endswith(name):
                typed[key] = [value]
    leads_to = send(owner, form, typed)

    tournament = Tournament.objects.get(name="Beach Cup")
    assert leads_to == reverse("draw", args=[tournament.pk])
    return tournament


def seat_everybody(owner: Client, tournament: Tournament) -> Sitting:
    """Open round 1 for four people who are new to the club."""
    form = form_on(owner, reverse("draw", args=[tournament.pk]), "names", "mode")
    typed = form.pressing("do", "set", names="\n".join(FOUR), movement="in_order")
    looked = owner.get(send(owner, form, typed)).text
    assert all(name in looked for name in FOUR)
    leads_to = send(owner, form, {"do": ["open"]})

    desk = owner.get(leads_to).text
    sitting = Sitting.objects.get(round__tournament=tournament)
    assert "Table 1" in desk
    assert sitting.token in desk or reverse("sitting", args=[sitting.pk]) in desk
    return sitting


def arrival(*names: str) -> dict[str, Any]:
    """Return the places of people as the table writes them down; they sit in the order of FOUR."""
    return {f"arrival_{FOUR.index(name)}": place for place, name in enumerate(names, start=1)}


def report(phone: Client, path: str, how: str = "save", **answers: Any) -> str:
    form = form_on(phone, path, "entry", "number")
    return send(phone, form, form.pressing("how", how, **answers))


def play_three(phone: Client, table: str) -> str:
    """Report a dash in the sun, one in the rain, and one of which only the order is known.

    Return the page that the last leads to.
    """
    report(phone, table, **arrival("Asha", "Neema", "Juma"), weather="sun", waves_0=3, waves_1=12)
    report(
        phone,
        table,
        **arrival("Neema", "Baraka", "Juma", "Asha"),
        weather="rain",
        dropped=[FOUR.index("Baraka")],
        wettest=FOUR.index("Juma"),
        carried="crab",
    )
    return report(
        phone,
        table,
        "bare",
        **{key.replace("arrival", "bare"): place for key, place in arrival(*FOUR).items()},
    )


def test_it_is_asked_by_its_own_questions(owner: Client, club: Club) -> None:
    path = f"{reverse('tournament-new', args=[club.pk])}?game=dash"
    page = owner.get(path).text

    for option in toy.GAME.options:
        assert option.label in page
        assert all(label in page for _value, label in option.choices if label)
    for mode in toy.GAME.modes({}):
        assert mode.name in page
    form = form_on(owner, path, "name", "mode", "length")
    preset = {key: value for key, value in form.fields.items() if "csrf" not in key}
    for name, value in {"rain_doubles": "no", "fallen": "nothing", "prize": "5"}.items():
        assert [held for key, held in preset.items() if key.endswith(name)] == [[value]]


def test_its_tournament_runs_to_a_standing(owner: Client, club: Club) -> None:
    tournament = make_the_tournament(owner, club)
    assert (tournament.game, tournament.mode, tournament.hands, tournament.options) == (
        "dash",
        "4t2",
        3,
        HOUSE_RULES,
    )
    sitting = seat_everybody(owner, tournament)
    phone = Client()

    last = play_three(phone, sitting.get_absolute_url())

    sheets = list(Hand.objects.order_by("number").values_list("sheet", flat=True))
    assert [sheet.get("arrival") or sheet["bare"] for sheet in sheets] == [
        [0, 1, 2, 3],
        [1, 3, 2, 0],
        [0, 1, 2, 3],
    ]
    assert sheets[0]["waves"] == [3, 12]
    assert (sheets[1]["dropped"], sheets[1]["wettest"], sheets[1]["carried"]) == ([3], 2, "crab")
    said = phone.get(last).text
    assert "Dash 3" in said
    assert "Asha is first at the palm" in said
    # 7 shells for the first's side; 14 in the rain, less the one who dropped the card.
    assert standing(phone, tournament) == {
        "Asha": ("14", "0"),
        "Neema": ("13", "0"),
        "Juma": ("14", "0"),
        "Baraka": ("13", "1"),
    }


def test_its_hands_are_mended_and_corrected_like_any_other(owner: Client, club: Club) -> None:
    tournament = make_the_tournament(owner, club)
    table = seat_everybody(owner, tournament).get_absolute_url()
    phone = Client()
    report(phone, table, **arrival("Asha", "Neema", "Juma"), weather="sun")
    assert standing(phone, tournament)["Asha"] == ("7", "0")

    report(phone, f"{table}?hand=1", **arrival("Baraka", "Neema", "Juma", "Asha"), weather="sun")

    assert {name: shells for name, (shells, _dropped) in standing(phone, tournament).items()} == {
        "Asha": "0",
        "Neema": "7",
        "Juma": "0",
        "Baraka": "7",
    }


def test_who_agrees_moves_no_point_by_what_they_say_besides() -> None:
    sitting = make.sitting(at=make.tournament("dash", options=HOUSE_RULES))
    sheet = {"arrival": [0, 1, 2, 3], "weather": "sun"}
    make.report(sitting, sheet, device="a", side=0)

    for besides in ({"dropped": [0]}, {"waves": [3, 4]}):
        make.report(sitting, {**sheet, **besides}, number=1, device="b", side=1)

    hand = Hand.objects.get()
    assert (hand.sheet.get("dropped"), hand.sheet["waves"]) == (None, [3, 4])
    assert hand.marks == [{"shells": shells, "dropped": 0} for shells in (7, 0, 7, 0)]


def test_what_its_rules_refuse_is_said_and_kept(owner: Client, club: Club) -> None:
    table = seat_everybody(owner, make_the_tournament(owner, club)).get_absolute_url()
    form = form_on(owner, table, "entry", "number")

    page = owner.post(
        form.path,
        form.pressing("how", "save", **arrival("Juma", "Asha"), weather="rain", waves_0=19),
    )

    assert page.status_code == 200
    assert "2 are still running; only the last may be left out." in page.text
    assert not Hand.objects.exists()
    (again,) = [each for each in Forms(page.text, form.path).forms if "entry" in each.fields]
    assert (again.fields["arrival_2"], again.fields["waves_0"], again.fields["weather"]) == (
        ["1"],
        ["19"],
        ["rain"],
    )


def test_its_own_words_are_on_every_page(owner: Client, club: Club) -> None:
    tournament = make_the_tournament(owner, club)
    sitting = seat_everybody(owner, tournament)
    table = owner.get(sitting.get_absolute_url()).text
    report(owner, sitting.get_absolute_url(), **arrival(*FOUR), weather="sun")

    assert "Dash 1 of 3" in table
    assert "0 dashes run" in table
    assert "Whoever comes in last" in table
    mode = toy.GAME.mode("4t2", HOUSE_RULES)
    for question in toy.GAME.questions(toy.GAME.open_session(mode, HOUSE_RULES, 0, ())):
        assert question.label in table
    for name in ("tournament", "dealers", "hands"):
        page = owner.get(reverse(name, args=[tournament.pk]))
        assert page.status_code == 200
    assert "Shells" in owner.get(reverse("tournament", args=[tournament.pk])).text
    assert "Asha is first at the palm" in owner.get(reverse("hands", args=[tournament.pk])).text
    assert "Pwani Dash" in owner.get(reverse("tournaments", args=[club.pk])).text


def test_tonight_seats_it_too(owner: Client, club: Club) -> None:
    path = reverse("tonight", args=[club.pk])
    form = form_on(owner, path, "game", "names")

    send(owner, form, form.pressing(game="dash", names="Zuwena, Omari, Rehema"))

    sitting = Sitting.objects.get(round__tournament__game="dash")
    assert sitting.mode == "3i"
    assert owner.get(sitting.get_absolute_url()).status_code == 200


def test_the_command_knows_it(capsys: pytest.CaptureFixture[str]) -> None:
    sheet = json.dumps({"arrival": [2, 0, 1], "weather": "rain"})

    code = main(["score", "dash", "--mode", "4t2", "--option", "prize=4", "--sheet", sheet])

    answer = json.loads(capsys.readouterr().out)
    assert code == 0
    assert [mark["shells"] for mark in answer["marks"]] == [4, 0, 4, 0]
    assert answer["next_dealer"] == 3


def standing(client: Client, tournament: Tournament) -> dict[str, tuple[str, str]]:
    """Return everybody's shells and dropped cards, as the page of the standing shows them."""
    page = client.get(reverse("tournament", args=[tournament.pk]))
    head, *rows = [row for row in Tables(page.text).rows if len(row) > 3]
    at = {name: position for position, name in enumerate(head)}
    return {
        row[at["Player"]]: (row[at["Shells"]], row[at["Dropped"]] if "Dropped" in at else "0")
        for row in rows
        if len(row) == len(head)
    }
