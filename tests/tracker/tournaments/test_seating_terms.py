"""Who sits where, what a rest is worth, for whom a substitute plays: asked, kept, refused."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import catalogue
from tests import act, make
from tests.tracker.tournaments.test_tournaments import asked_of
from tracker.common.errors import Refused
from tracker.models import (
    Club,
    Confirm,
    Entrant,
    Format,
    Leftover,
    Movement,
    RestCredit,
    RoundState,
    Substitution,
    Tournament,
)
from tracker.tournaments.forms.tournaments import TournamentForm
from tracker.tournaments.services.entering import enter_players
from tracker.tournaments.services.terms import Terms, movements_for
from tracker.tournaments.services.tournaments import edit_tournament, make_tournament

pytestmark = pytest.mark.django_db
USUAL = Terms(rest_credit=RestCredit.AVERAGE)
ALL = Terms(
    movement=Movement.KNOCKOUT,
    third_place=True,
    rest_credit=RestCredit.FIXED,
    rest_points=2,
    substitution=Substitution.ABSENT,
)


def made(club: Club, terms: Terms, **more: Any) -> Tournament:
    asked = {"name": "Cup", "game": "albastini", "mode": "4t2", **more}
    return make_tournament(club_id=club.pk, by=make.actor(), terms=terms, **asked)


def kept(tournament: Tournament) -> Terms:
    tournament.refresh_from_db()
    return Terms(
        movement=Movement(tournament.movement),
        leftover=Leftover(tournament.leftover),
        third_place=tournament.third_place,
        rest_credit=RestCredit(tournament.rest_credit),
        rest_points=tournament.rest_points,
        substitution=Substitution(tournament.substitution),
    )


def edited(tournament: Tournament, terms: Terms) -> None:
    edit_tournament(
        tournament_id=tournament.pk,
        name="Cup",
        length=8,
        confirm=Confirm.ONE,
        by=make.actor(),
        terms=terms,
    )


def test_what_is_chosen_is_kept_and_changed(club: Club) -> None:
    tournament = made(club, ALL, format_=Format.TEAMS)
    assert kept(tournament) == ALL

    edited(tournament, Terms())

    assert kept(tournament) == USUAL


def test_every_movement_suits_somebody_and_the_usual_one_stands_first() -> None:
    offered = {format_: movements_for(format_) for format_ in Format}

    assert {each for movements in offered.values() for each in movements} == set(Movement)
    assert {movements[0] for movements in offered.values()} == {Movement.FEWEST_REPEATS}
    assert Movement.SWISS not in offered[Format.PLAYERS]
    assert Movement.EQUALS not in offered[Format.TEAMS]


@pytest.mark.parametrize(
    ("terms", "more", "code", "question"),
    [
        ({"movement": Movement.SWISS}, {}, "movement-format", "movement"),
        (
            {"movement": Movement.EQUALS},
            {"format_": Format.TEAMS},
            "movement-format",
            "movement",
        ),
        (
            {"movement": Movement.KNOCKOUT},
            {"format_": Format.TEAMS, "mode": "6t2"},
            "knockout-sides",
            "movement",
        ),
        ({"movement": Movement.KNOCKOUT}, {}, "knockout-players", "movement"),
        ({"third_place": True}, {}, "third-place", "third_place"),
        (
            {"movement": Movement.SWISS, "leftover": Leftover.ODD_TABLE},
            {"format_": Format.TEAMS},
            "leftover-bye",
            "leftover",
        ),
        ({"rest_credit": RestCredit.FIXED}, {}, "rest-points", "rest_points"),
        ({"rest_points": 1}, {}, "rest-not-fixed", "rest_points"),
        (
            {"rest_credit": RestCredit.FIXED, "rest_points": 1000},
            {},
            "rest-points",
            "rest_points",
        ),
    ],
)
def test_what_does_not_go_together_is_refused_beside_its_question(
    club: Club, terms: dict[str, Any], more: dict[str, Any], code: str, question: str
) -> None:
    with act.refused(code, question=question):
        made(club, Terms(**terms), **more)

    assert not Tournament.objects.exists()


@pytest.mark.parametrize("movement", [Movement.KNOCKOUT, Movement.DOUBLE_ELIMINATION])
def test_single_players_are_knocked_out_where_two_sit_at_a_table(
    club: Club, movement: Movement
) -> None:
    for game in ("albastini", "briscola", "dalmuti"):
        form = TournamentForm(game=catalogue.GAMES[game], club=club)
        offered = str(form.fields["movement"].choices)  # type: ignore[attr-defined]
        assert (movement in offered) == (game != "dalmuti")

    assert made(club, Terms(movement=movement), mode="2i").movement == movement


def test_odd_tables_need_a_table_of_another_size(club: Club) -> None:
    odd = Terms(leftover=Leftover.ODD_TABLE)

    assert made(club, odd).leftover == Leftover.ODD_TABLE
    assert made(club, odd, format_=Format.TEAMS).leftover == Leftover.ODD_TABLE  # three pairs
    with pytest.raises(Refused, match="tables of one size"):
        made(club, odd, format_=Format.TEAMS, mode="6t3")


def test_a_knock_out_begins_with_the_first_round(club: Club) -> None:
    tournament = make.tournament(club=club, teams=True)
    round_ = make.round_of(tournament, state=RoundState.CLOSED)
    cup = replace(USUAL, movement=Movement.KNOCKOUT)

    with pytest.raises(Refused, match="begins with the first"):
        edited(tournament, cup)

    round_.state = RoundState.UNDONE
    round_.save()
    edited(tournament, cup)
    make.round_of(tournament, state=RoundState.CLOSED)
    edited(tournament, cup)  # it was one before
    assert kept(tournament) == cup


# The forms


def test_a_new_tournament_is_seated_as_its_form_says(organiser: Client, club: Club) -> None:
    url, answers = asked_of(club, "albastini", format="teams", movement="knockout")
    more = {
        "third_place": "on",
        "rest_credit": "fixed",
        "rest_points": "2",
        "substitution": "absent",
        "places": "8",
    }

    organiser.post(url, {**answers, **more})

    tournament = Tournament.objects.get()
    assert (kept(tournament), tournament.places) == (ALL, 8)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ({"movement": "swiss"}, "This is for fixed pairs or teams only."),
        ({"third_place": "on"}, "Only a knock-out has a match for third place."),
        ({"rest_credit": "fixed"}, "How many points is sitting out worth?"),
    ],
)
def test_a_refusal_stands_in_its_open_fold(
    organiser: Client, club: Club, answer: dict[str, str], says: str
) -> None:
    url, answers = asked_of(club, "albastini", **answer)

    page = organiser.post(url, answers)

    assert says in page.text
    assert page.context["form"].seating_wrong == ("movement" not in answer)
    assert not Tournament.objects.exists()


def test_changing_a_tournament_shows_and_keeps_how_it_is_seated(
    organiser: Client, club: Club
) -> None:
    tournament = make.tournament(club=club, hands=8, places=1, movement="ladder")
    players = [make.player(name, club=club).pk for name in ("Asha", "Juma")]
    enter_players(tournament_id=tournament.pk, players=players, by=make.actor())
    url = reverse("tournament-edit", args=[tournament.pk])

    page = organiser.get(url)
    assert '<option value="ladder" selected>' in page.text
    assert '<option value="swiss"' not in page.text
    answers = {"name": "Cup", "length": "8", "confirm": "one", "movement": "equals", "places": "2"}
    page = organiser.post(url, answers, follow=True)

    tournament.refresh_from_db()
    assert (tournament.movement, tournament.places) == ("equals", 2)
    assert "Juma moves up from the reserve list." in page.text
    assert Entrant.objects.playing().count() == 2
