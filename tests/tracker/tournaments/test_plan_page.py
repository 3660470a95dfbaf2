"""What could we play? The page, its pieces with and without a script, and where it leads."""

from collections import defaultdict
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from games import catalogue
from games.errors import RuleError
from tests import make
from tests.drilled import FULL
from tests.reading import Form, Forms, costs
from tracker.models import Club, Tournament
from tracker.movements.catalogue import MOVEMENTS
from tracker.movements.types import Question, SeatingPlan, UnseatableError
from tracker.tournaments.logic.planning import (
    PIECE,
    PlanningState,
    advance,
    runs_of,
)
from tracker.tournaments.logic.simulation import planned_rounds
from tracker.tournaments.pages.planner import read_state, sign_state, usual_evening

pytestmark = pytest.mark.django_db
ASKED = {"players": "12", "minutes": "150", "starts": "19:30", "game": "albastini"}


@pytest.fixture
def _few_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    if not FULL:
        monkeypatch.setattr("tracker.tournaments.logic.planning.RUNS", 60)
        monkeypatch.setattr("tracker.tournaments.logic.planning.RUNS_BY_RESULTS", 12)


def address(club: Club) -> str:
    return reverse("plan", args=[club.pk])


def ask(organiser: Client, club: Club, **asked: str) -> Any:
    return organiser.get(address(club), {**ASKED, **asked})


def going_on(page: Any) -> Form | None:
    """Return the form that asks for the next piece, while there is one."""
    forms = Forms(page.text, "/").forms
    return next((form for form in forms if "state" in form.fields), None)


def progress_of(page: Any) -> PlanningState:
    progress: PlanningState = page.context["progress"]
    return progress


def to_the_end(progress: PlanningState, piece: float) -> tuple[PlanningState, int]:
    """Go on by a clock on which every look takes so much of a piece."""
    pieces = 0
    while progress.current is not None:
        ticks = iter(range(10_000_000))
        progress = advance(progress, clock=lambda ticks=ticks: next(ticks) * piece)  # type: ignore[misc]
        progress = read_state(sign_state(progress))
        pieces += 1
    return progress, pieces


def test_it_asks_with_what_the_club_played_last(organiser: Client, club: Club) -> None:
    make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament("dalmuti", "4i", club=club))

    page = organiser.get(address(club))

    (form,) = [form for form in Forms(page.text, "/").forms if "players" in form.fields]
    assert form.fields["game"] == ["dalmuti"]
    assert form.fields["players"] == ["4"]


def test_a_new_club_has_no_usual_evening(club: Club) -> None:
    assert usual_evening(club) == {}


def test_teams_count_by_their_people(club: Club) -> None:
    tournament = make.tournament(club=club, teams=True)
    for names in (("Asha", "Juma"), ("Neema", "Baraka")):
        team = make.team(*(make.player(name, club=club) for name in names))
        tournament.entrants.create(team=team)

    assert usual_evening(club) == {"game": "albastini", "players": 4}


def test_formats_are_proposed_at_once(organiser: Client, club: Club) -> None:
    page = ask(organiser, club)

    cards = page.context["cards"]
    assert 3 <= len(cards) <= 6
    assert (cards[0]["title"], cards[0]["ends"]) == ("Changing partners", "21:50")
    assert dict(cards[0]["facts"])["Rounds"] == "6 rounds of 4 hands, 20 minutes each"
    assert progress_of(page).percent == 0
    assert "Not tried out yet." in page.text


def test_after_midnight_the_clock_begins_again(organiser: Client, club: Club) -> None:
    page = ask(organiser, club, starts="23:00")

    assert page.context["cards"][0]["ends"] == "01:20"


def test_a_quicker_club_plays_more(organiser: Client, club: Club) -> None:
    page = ask(organiser, club, minutes_each="3")

    assert progress_of(page).occasion.minutes_each == 3
    assert progress_of(page).proposals != progress_of(ask(organiser, club)).proposals


@pytest.mark.parametrize(
    "wrong",
    [{"players": "0"}, {"players": "121"}, {"minutes": ""}, {"starts": "late"}, {"game": "chess"}],
    ids=str,
)
def test_what_cannot_be_planned_is_asked_again(
    organiser: Client, club: Club, wrong: dict[str, str]
) -> None:
    page = ask(organiser, club, **wrong)

    assert page.status_code == 200
    assert page.context["progress"] is None
    assert set(page.context["form"].errors) == set(wrong)


def test_in_no_time_nothing_is_proposed(organiser: Client, club: Club) -> None:
    page = ask(organiser, club, minutes="3")

    assert "Nothing fits" in page.text
    assert going_on(page) is None


@pytest.mark.usefixtures("_few_runs")
@pytest.mark.parametrize("htmx", [True, False], ids=["with a script", "without"])
def test_going_on_leads_to_the_end(organiser: Client, club: Club, *, htmx: bool) -> None:
    headers = {"HX-Request": "true"} if htmx else {}
    page = ask(organiser, club, players="4", minutes="60")
    pieces = 0

    while form := going_on(page):
        before = progress_of(page).percent
        page = organiser.post(form.path, form.pressing(), headers=headers)
        assert page.status_code == 200
        assert progress_of(page).percent >= before
        pieces += 1

    progress = progress_of(page)
    assert pieces >= 1
    assert progress.percent == 100
    assert [progress.findings_of(each).runs for each in progress.proposals] == [
        runs_of(each) for each in progress.proposals
    ]
    assert ("<html" in page.text) is not htmx


@pytest.mark.usefixtures("_few_runs")
def test_the_answer_is_the_same_in_however_many_pieces(organiser: Client, club: Club) -> None:
    asked = progress_of(ask(organiser, club, players="8", minutes="100"))

    small, many = to_the_end(asked, PIECE / 3)
    large, few = to_the_end(asked, PIECE / 30)

    assert small.findings == large.findings
    assert many > few
    assert all(
        small.findings_of(proposal).runs == runs_of(proposal) for proposal in small.proposals
    )


@pytest.mark.usefixtures("_few_runs")
def test_the_simulation_shows_how_often_the_best_come_first(organiser: Client, club: Club) -> None:
    progress, _ = to_the_end(progress_of(ask(organiser, club)), PIECE / 1000)

    page = organiser.post(address(club), {"state": sign_state(progress)})

    first, four = page.context["cards"][0]["bars"]
    assert first["percent"] > four["percent"]
    assert int(first["low"]) <= first["percent"] <= int(first["high"])
    assert page.text.count("<meter") == 2 * len(page.context["cards"])


def test_a_state_survives_the_page(organiser: Client, club: Club) -> None:
    asked = progress_of(ask(organiser, club))
    ticks = iter(range(100))
    progress = advance(asked, clock=lambda: next(ticks) * PIECE / 5)

    again = read_state(sign_state(progress))
    assert again.findings == progress.findings
    assert again.current == progress.current
    assert (
        sign_state(read_state(sign_state(again))).split(":")[0] == sign_state(again).split(":")[0]
    )


@pytest.mark.parametrize("state", ["", "nonsense", "x" * 100_000])
def test_what_no_page_sent_is_not_read(organiser: Client, club: Club, state: str) -> None:
    with pytest.raises(RuleError, match="cannot be read"):
        read_state(state)

    page = organiser.post(address(club), {"state": state})
    assert "cannot be read any more" in page.text


def test_a_changed_state_is_not_read(organiser: Client, club: Club) -> None:
    written = sign_state(progress_of(ask(organiser, club)))

    with pytest.raises(RuleError, match="cannot be read"):
        read_state(written[:-3] + "AAA")


@pytest.mark.every_game
@pytest.mark.parametrize("game", list(catalogue.GAMES))
def test_a_proposal_becomes_a_tournament(organiser: Client, club: Club, game: str) -> None:
    cards = ask(organiser, club, game=game, minutes="240").context["cards"]
    assert cards

    for card in cards:
        filled = parse_qs(urlsplit(card["url"]).query)
        page = organiser.get(card["url"])
        (form,) = [form for form in Forms(page.text, card["url"]).forms if "mode" in form.fields]
        for name in ("mode", "format", "length", "planned", "minutes"):
            assert form.fields[name] == filled[name], card["key"]
        made = organiser.post(card["url"], form.pressing(name=card["key"]))
        assert made.status_code == 302

    assert Tournament.objects.filter(club=club).count() == len(cards)


def test_every_page_costs_the_same(organiser: Client, club: Club) -> None:
    make.sitting("Asha", "Neema", "Juma", "Baraka", at=make.tournament(club=club))
    state = sign_state(progress_of(ask(organiser, club)))

    with costs(4):  # who asks, their session, the club, its last tournament
        organiser.get(address(club))
    for players in ("8", "40"):
        with costs(3):
            ask(organiser, club, players=players)
    with costs(3):
        organiser.post(address(club), {"state": state})


def test_what_turns_out_to_have_no_seating_is_proposed_no_more(
    organiser: Client, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = progress_of(ask(organiser, club, players="8", minutes="100"))

    def refuses(question: Question) -> SeatingPlan:
        raise UnseatableError("apart", "", units=question.present[0])

    entry = replace(MOVEMENTS[asked.proposals[0].stages[0].movement], plan=refuses)
    monkeypatch.setattr(
        "tracker.tournaments.logic.simulation.MOVEMENTS", defaultdict(lambda: entry, {})
    )
    planned_rounds.cache_clear()
    ticks = iter((0.0, 0.0, PIECE))
    progress = read_state(sign_state(advance(asked, clock=lambda: next(ticks))))

    assert progress.proposals == asked.proposals[1:]
