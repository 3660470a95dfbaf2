"""What the pages of nights, desks and halls cost: as many statements however much is on."""

from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertNumQueries

from tests import act, make
from tests.make import NOON
from tracker.models import Club, Player, Role, Round, RoundState, Rsvp, Season, Tournament
from tracker.nights.services.attendance import arrive, open_door, record_rsvp
from tracker.results.services.issues import query_hand
from tracker.seating.services.draws import draw_rounds, publish_draws
from tracker.seating.services.round_opening import open_draw
from tracker.standings.services.seasons import save_season
from tracker.tournaments.services.entering import enter_players

pytestmark = pytest.mark.django_db
FOUR = ("Asha", "Neema", "Juma", "Baraka")
WON = {"eaten": [70, 50]}
MANY = pytest.mark.parametrize("many", [1, 3])


def costs(client: Client, statements: int, name: str, *args: object) -> None:
    with assertNumQueries(statements):
        page = client.get(reverse(name, args=args))
    assert page.status_code == 200, name


@MANY
def test_pages_of_a_round_cost_the_same_however_many_tables(
    organiser: Client, tournament: Tournament, many: int
) -> None:
    for _ in range(many):
        sitting = make.sitting(at=tournament)
        make.report(sitting, WON)
        query_hand(token=sitting.token, number=1, note="", by=make.actor())
    at, stranger = tournament.pk, Client()
    # Of the organiser's the first three are session, user, and what the page is about with the role.
    # Rounds standing and undone, issues, tables, people, who rests, the stages.
    costs(organiser, 9, "desk", at)
    costs(organiser, 7, "official", at)  # its last round, what waits, two for what is missing
    costs(organiser, 4, "print-cards", at)  # tables
    costs(organiser, 5, "print-seats", sitting.round_id)  # tables with people, who rests
    costs(organiser, 4, "print-sheets", sitting.round_id)  # tables with people
    # The revision, the tournament, its round, who rests, tables, people, dealers, the standing.
    costs(stranger, 8, "tournament-display", at)
    Round.objects.update(state=RoundState.CLOSED, closed_at=NOON)
    costs(stranger, 10, "tournament-display", at)  # no tables; a draw of the next, and the race
    draw_rounds(tournament_id=at, by=make.actor(), rng=Random(7))
    publish_draws(tournament_id=at, by=make.actor())
    costs(stranger, 11, "tournament-display", at)  # and the names of that draw


@MANY
def test_rounds_to_come_cost_the_same_however_many_play(
    client: Client, tournament: Tournament, many: int
) -> None:
    players = [make.player(f"P{each:02d}", club=tournament.club).pk for each in range(8 * many)]
    enter_players(tournament_id=tournament.pk, players=players, by=make.actor())
    draw_rounds(tournament_id=tournament.pk, by=make.actor(), rng=Random(7), rounds=3)
    publish_draws(tournament_id=tournament.pk, by=make.actor())
    open_draw(tournament_id=tournament.pk, by=make.actor(), rng=Random(1))
    # Tournament, rounds, their plans, seats, rests, draws, entrants.
    costs(client, 7, "print-rounds", tournament.pk)


@MANY
def test_pages_of_a_night_cost_the_same_however_much_is_played(
    organiser: Client, club: Club, many: int
) -> None:
    night = make.night(club, timezone.now() - timedelta(hours=1))
    make.night(club, ended_at=NOON)
    for number in range(many):
        cup = make.tournament(club=club)
        sitting = make.sitting(in_round=make.round_of(cup, night=night), number=number + 1)
        resting = make.entrant(make.player(f"Eli {number}", club=club), at=cup)
        sitting.round.rests.create(entrant=resting)
        arrive(night_id=night.pk, new_names=[f"Asha {number}"], by=make.actor())
        says: dict[str, Any] = {"player_id": None, "name": f"Ali {number}", "yes": True}
        record_rsvp(night_id=night.pk, by=make.actor(), **says)
        Rsvp.objects.update(answered_at=NOON)
    stranger = Client()
    # Revision, club, nights, tournaments, tables, people, the standing's three.
    costs(stranger, 9, "club", club.pk)
    # The revision, the night, its tournaments, the round, who rests, tables with their people.
    costs(stranger, 6, "night-display", night.pk)
    costs(
        stranger, 3, "night-rsvp", night.reply_id
    )  # its night, names to choose from, what was said
    costs(organiser, 5, "nights", club.pk)  # coming and past nights
    costs(organiser, 6, "night-people", night.pk)  # said, here with their tables, the others
    for round_ in night.rounds.all():
        make.report(round_.sittings.get(), {**WON, "bare": 0}, parked=True)
    # The last rounds, issues, tables, seats, who rests, who is here, and who of them sits: the
    # evening of all tournaments at once.
    costs(organiser, 10, "night", night.pk)
    night = open_door(night_id=night.pk, by=make.actor())
    costs(stranger, 3, "door", night.door_token)  # the night, who said they come, the players


@MANY
def test_quiet_week_and_search_cost_the_same_however_much_was_played(club: Club, many: int) -> None:
    season = save_season(Season(club=club, name="Autumn"), by=make.actor())
    for number in range(1 + many):
        cup = make.tournament(club=club, name=f"Asha Cup {number}", season=season)
        make.report(make.sitting(*FOUR, at=cup), WON)
        cup.rounds.update(state=RoundState.CLOSED, closed_at=NOON)
        act.finish(cup)
        make.player(f"Asha {number}", club=club)
    member = act.sign_in(Role.MEMBER, club)
    Player.objects.filter(name="Neema").update(user=member.session["_auth_user_id"])

    costs(member, 20, "club", club.pk)
    with assertNumQueries(5):  # the club, and one of each kind
        Client().get(reverse("search", args=[club.pk]), {"q": "asha"})
