"""The page of a bracket: who is in which match, who goes on, and where it is played."""

from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains

from tests import make
from tracker.models import Movement, Player, Role, Round, Season, Sitting, Team, Tournament
from tracker.nights.services.closing import close_round
from tracker.results.services.corrections import correct_sitting
from tracker.seating.services.draws import draw_rounds
from tracker.seating.services.round_opening import open_draw
from tracker.standings.queries.brackets import (
    BracketPage,
    MatchState,
    ShownMatch,
    bracket_page,
    bracket_places,
)
from tracker.standings.queries.standings import standings
from tracker.standings.services.seasons import save_season
from tracker.standings.services.standings import finish_tournament
from tracker.tournaments.services.entering import enter_players, enter_teams, withdraw

pytestmark = pytest.mark.django_db

FIRST, SECOND = {"eaten": [70, 50]}, {"eaten": [50, 70]}


def cup(teams: int, movement: Movement = Movement.KNOCKOUT, **more: Any) -> Tournament:
    """Make a tournament of so many teams T1, T2 and so on."""
    more = {"hands": 1, **more}
    tournament = make.tournament(teams=True, movement=movement, **more)
    made = [
        make.team(
            make.player(f"A{each}", club=tournament.club),
            make.player(f"B{each}", club=tournament.club),
            name=f"T{each}",
        ).pk
        for each in range(1, teams + 1)
    ]
    enter_teams(tournament_id=tournament.pk, teams=made, by=make.actor())
    return tournament


def draw(tournament: Tournament) -> Round:
    draw_rounds(tournament_id=tournament.pk, by=make.actor(), rng=Random(1))
    return open_draw(tournament_id=tournament.pk, by=make.actor(), rng=Random(1))


def play(tournament: Tournament, rounds: int = 1, sheet: Any = FIRST) -> None:
    """Play rounds that are drawn, in which the better seed wins."""
    for _round in range(rounds):
        round_ = draw(tournament)
        for sitting in round_.sittings.all():
            make.report(sitting, sheet)
        close_round(round_id=round_.pk, by=make.actor())


def drawn(tournament: Tournament) -> BracketPage:
    bracket = bracket_page(tournament)
    assert bracket is not None
    return bracket


def matches(tournament: Tournament) -> dict[str, ShownMatch]:
    return {
        match.label: match
        for part in drawn(tournament).parts
        for column in part.columns
        for match in column.matches
    }


def told(match: ShownMatch) -> list[tuple[str, str]]:
    return [(str(side.entrant or side.words), side.score) for side in match.sides]


def page(client: Client, tournament: Tournament) -> Any:
    return client.get(reverse("bracket", args=[tournament.pk]))


def test_before_the_first_round_there_is_no_bracket(client: Client) -> None:
    tournament = cup(4)

    assert bracket_page(tournament) is None
    assertContains(page(client, tournament), "The bracket is not drawn yet")


def test_there_is_none_of_a_tournament_without_knock_out(client: Client) -> None:
    tournament = cup(4, Movement.SWISS)

    assert page(client, tournament).status_code == 404
    assertNotContains(
        client.get(tournament.get_absolute_url()), reverse("bracket", args=[tournament.pk])
    )


def test_with_six_two_have_byes_and_the_others_play() -> None:
    tournament = cup(6)
    draw(tournament)

    quarters = matches(tournament)

    assert told(quarters["quarter_final:1"]) == [("T1", ""), ("bye", "")]
    assert quarters["quarter_final:1"].state is MatchState.BYE
    assert quarters["quarter_final:2"].state is MatchState.PLAYING
    assert told(quarters["semi_final:1"]) == [("T1", ""), ("winner of Quarter-final 2", "")]
    assert [match.state for match in quarters.values()].count(MatchState.PLAYING) == 2


def test_a_table_that_still_plays_has_no_winner() -> None:
    tournament = cup(4, hands=2)
    round_ = draw(tournament)
    make.report(round_.sittings.order_by("number")[0], FIRST)

    assert {
        match.state for label, match in matches(tournament).items() if label.startswith("semi")
    } == {MatchState.PLAYING}


def test_a_table_that_has_finished_sends_its_winner_on_while_others_play() -> None:
    tournament = cup(4)
    round_ = draw(tournament)
    make.report(round_.sittings.order_by("number")[0], FIRST)

    shown = matches(tournament)

    assert told(shown["semi_final:1"]) == [("T1", "1"), ("T4", "0")]
    assert [side.won for side in shown["semi_final:1"].sides] == [True, False]
    assert (shown["semi_final:1"].round, shown["semi_final:1"].table) == (1, 1)
    assert told(shown["final"]) == [("T1", ""), ("winner of Semi-final 2", "")]


def test_in_a_match_of_an_earlier_version_a_tie_break_parts_who_is_level() -> None:
    tournament = cup(2, hands=2)
    round_ = draw(tournament)
    sitting = round_.sittings.get()
    make.report(sitting, {"eaten": [75, 45]})
    make.report(sitting, {"eaten": [59, 61]})
    round_.sittings.update(side_points=None)  # as in a match of an earlier version
    close_round(round_id=round_.pk, by=make.actor())

    final = matches(tournament)["final"]

    assert told(final) == [("T1", "1"), ("T2", "1")]
    assert final.parted == "Eaten"


def test_a_match_that_nobody_won_is_called_tied(client: Client) -> None:
    tournament = cup(4)
    round_ = draw(tournament)
    make.report(round_.sittings.order_by("number")[0], {"eaten": [60, 60]})

    shown = page(client, tournament)

    assertContains(shown, '<span class="pill quiet">tied</span>', count=1, html=True)
    assertContains(shown, '<li class="is-tied">', count=1)


def test_who_loses_in_a_double_elimination_gets_a_second_chance() -> None:
    tournament = cup(6, Movement.DOUBLE_ELIMINATION)
    play(tournament)

    shown = drawn(tournament)

    assert [part.name for part in shown.parts] == ["Undefeated", "Second chance", "For the title"]
    assert shown.again
    assert "grand_final_again" not in matches(tournament)


def test_the_grand_final_is_played_again_if_the_undefeated_lose() -> None:
    tournament = cup(2, Movement.DOUBLE_ELIMINATION)
    play(tournament)
    play(tournament, sheet=SECOND)

    shown = matches(tournament)

    assert shown["grand_final_again"].state is MatchState.TO_COME
    assert [side.lost for side in shown["grand_final"].sides] == [True, False]


def test_the_champion_stands_above_it_and_the_loser_of_the_third_place_last(client: Client) -> None:
    tournament = cup(4, third_place=True)
    play(tournament, 2)

    assert str(drawn(tournament).champion) == "T1"
    assertContains(page(client, tournament), "<strong>T1</strong> won it.")
    standing = standings(tournament)
    assert [row.name for row in standing.rows] == ["T1", "T2", "T3", "T4"]
    assert standing.ranked_by == "how far they came"


@pytest.mark.parametrize("teams", [4, 16])
def test_its_cost_does_not_grow_with_its_matches(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, teams: int
) -> None:
    tournament = cup(teams)
    play(tournament)

    with django_assert_num_queries(9):
        assertContains(page(client, tournament), "Final")


@pytest.mark.parametrize("cups", [1, 2])
@pytest.mark.parametrize("kind", ["season", "player", "team"])
def test_two_knock_outs_cost_a_page_as_much_as_one(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, kind: str, cups: int
) -> None:
    club = make.club()
    season = save_season(Season(club=club, name="Autumn"), by=make.actor())
    for movement in [Movement.KNOCKOUT, Movement.DOUBLE_ELIMINATION][:cups]:
        tournament = cup(4, movement, club=club, season=season)
        play(tournament, 2)
        finish_tournament(tournament_id=tournament.pk, by=make.actor())
    of = {
        "season": season.pk,
        "player": Player.objects.get(name="A1").pk,
        "team": Team.objects.get(name="T1").pk,
    }

    # The seven of such a page, and for the brackets rounds, sums, tables, rests and entrants.
    with django_assert_num_queries(7 + 5):
        client.get(reverse(kind, args=[of[kind]]))


def test_many_brackets_place_everybody_as_each_does_alone() -> None:
    whole = cup(6, third_place=True)
    play(whole, 3)
    elsewhere: dict[str, Any] = {"club": whole.club, "movement": Movement.KNOCKOUT}
    swiss = cup(4, Movement.SWISS, club=whole.club)
    play(swiss)
    singles = make.tournament(mode="2i", hands=1, **elsewhere)
    people = [make.player(name, club=whole.club).pk for name in ("Asha", "Juma", "Neema")]
    enter_players(tournament_id=singles.pk, players=people, by=make.actor())
    play(singles, 2)
    fours = make.tournament(**elsewhere)
    make.report(make.sitting(at=fours), FIRST)  # as no bracket seats them
    begun = cup(5, Movement.DOUBLE_ELIMINATION, club=whole.club)
    make.report(draw(begun).sittings.get(), SECOND)
    withdraw(entrant_id=begun.entrants.get(team__name="T1").pk, by=make.actor())
    tournaments = [whole, swiss, singles, fours, begun, cup(4, club=whole.club)]

    together = bracket_places(tournaments)

    alone = [bracket_places([tournament]) for tournament in tournaments]
    assert [sorted(places.values()) for places in alone] == [
        [1, 2, 3, 4, 5, 5],
        [],
        [1, 2, 3],
        [],
        [1, 1, 1, 1, 1],
        [],
    ]
    assert together == {entrant: place for places in alone for entrant, place in places.items()}


def test_a_final_stays_with_those_who_sat_in_it_when_a_semi_final_is_corrected(
    client: Client,
) -> None:
    tournament = cup(4, third_place=True)
    play(tournament, 2)  # T1 has won the final, and T4 is last

    semi_final = Sitting.objects.get(round__number=1, number=1)
    changes: Any = {1: SECOND}
    correct_sitting(sitting_id=semi_final.pk, changes=changes, reason="Miscounted", by=make.actor())

    assert told(matches(tournament)["semi_final:1"]) == [("T1", "0"), ("T4", "1")]
    assert told(matches(tournament)["final"]) == [("T1", "1"), ("T2", "0")]
    assert told(matches(tournament)["third_place"]) == [("T4", "0"), ("T3", "1")]
    assertContains(page(client, tournament), "<strong>T1</strong> won it.")
    rows = standings(tournament).rows
    assert [(row.place, row.name) for row in rows] == [(1, "T1"), (2, "T2"), (3, "T3"), (4, "T4")]


def test_pages_lead_to_it(client: Client) -> None:
    tournament = cup(4)
    organiser = make.user(role=Role.ORGANISER, club=tournament.club)
    client.force_login(organiser)
    play(tournament)
    draw_rounds(tournament_id=tournament.pk, by=make.actor(), rng=Random(1))

    for name in ("tournament", "desk", "draw"):
        address = reverse(name, args=[tournament.pk])
        assertContains(client.get(address), reverse("bracket", args=[tournament.pk]))
