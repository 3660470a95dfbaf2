"""The page of a bracket: who is in which match, who goes on, and where it is played."""

from typing import Any

import pytest
from django.test import Client

from tests import act, make
from tests.reading import costs, lacks, path, shows
from tests.tracker.standings.tables import FOUR, played
from tracker.models import Movement, Player, Role, Round, Season, Sitting, Team, Tournament
from tracker.standings.queries.brackets import (
    MatchState,
    ShownMatch,
    bracket_page,
    bracket_places,
)
from tracker.standings.queries.standings import standings
from tracker.standings.services.seasons import save_season
from tracker.tournaments.services.entering import enter_teams, withdraw

pytestmark = pytest.mark.django_db

FIRST, SECOND = {"eaten": [70, 50]}, {"eaten": [50, 70]}


def cup(teams: int, movement: Movement = Movement.KNOCKOUT, **more: Any) -> Tournament:
    """Make a tournament of so many teams T1, T2 and so on."""
    tournament = make.tournament(teams=True, movement=movement, **{"hands": 1, **more})
    made = []
    for each in range(1, teams + 1):
        pair = (make.player(f"{letter}{each}", club=tournament.club) for letter in "AB")
        made.append(make.team(*pair, name=f"T{each}").pk)
    enter_teams(tournament_id=tournament.pk, teams=made, by=make.actor())
    return tournament


def draw(tournament: Tournament) -> Round:
    act.draw(tournament)
    return act.open_drawn(tournament)


def play(tournament: Tournament, rounds: int = 1, sheet: Any = FIRST) -> None:
    """Play rounds that are drawn, in which the better seed wins."""
    for _round in range(rounds):
        round_ = draw(tournament)
        for sitting in round_.sittings.all():
            make.report(sitting, sheet)
        act.close(round_)


def drawn(tournament: Tournament) -> dict[str, Any]:
    bracket = bracket_page(tournament)
    assert bracket is not None
    return bracket


def matches(tournament: Tournament) -> dict[str, ShownMatch]:
    return {
        match.label: match
        for _name, columns in drawn(tournament)["parts"]
        for column in columns
        for match in column["matches"]
    }


def told(match: ShownMatch) -> list[tuple[str, str]]:
    return [(str(side.entrant or side.words), side.score) for side in match.sides]


def page(client: Client, tournament: Tournament) -> Any:
    return client.get(path("bracket", tournament))


def test_there_is_none_before_the_first_round_nor_without_knock_out(client: Client) -> None:
    tournament, swiss = cup(4), cup(4, Movement.SWISS)

    assert bracket_page(tournament) is None
    shows(page(client, tournament), "The bracket is not drawn yet")
    assert page(client, swiss).status_code == 404
    lacks(client.get(swiss.get_absolute_url()), path("bracket", swiss))


def test_with_six_two_have_byes_and_the_others_play() -> None:
    tournament = cup(6)
    draw(tournament)
    quarters = matches(tournament)

    assert told(quarters["quarter_final:1"]) == [("T1", ""), ("bye", "")]
    assert quarters["quarter_final:1"].state is MatchState.BYE
    assert quarters["quarter_final:2"].state is MatchState.PLAYING
    assert told(quarters["semi_final:1"]) == [("T1", ""), ("winner of Quarter-final 2", "")]
    assert [match.state for match in quarters.values()].count(MatchState.PLAYING) == 2


def test_a_table_that_has_finished_sends_its_winner_on_while_others_play() -> None:
    tournament = cup(4, hands=2)
    first = draw(tournament).sittings.order_by("number")[0]
    make.report(first, FIRST)
    shown = matches(tournament)
    assert {shown[f"semi_final:{at}"].state for at in (1, 2)} == {MatchState.PLAYING}
    make.report(first, FIRST)

    shown = matches(tournament)
    assert told(shown["semi_final:1"]) == [("T1", "2"), ("T4", "0")]
    assert [side.won for side in shown["semi_final:1"].sides] == [True, False]
    assert (shown["semi_final:1"].round, shown["semi_final:1"].table) == (1, 1)
    assert told(shown["final"]) == [("T1", ""), ("winner of Semi-final 2", "")]


def test_in_a_match_of_an_earlier_version_a_tie_break_parts_who_is_level() -> None:
    tournament = cup(2, hands=2)
    round_ = draw(tournament)
    for eaten in ([75, 45], [59, 61]):
        make.report(round_.sittings.get(), {"eaten": eaten})
    round_.sittings.update(side_points=None)  # as in a match of an earlier version
    act.close(round_)
    final = matches(tournament)["final"]

    assert (told(final), final.parted) == ([("T1", "1"), ("T2", "1")], "Eaten")


def test_a_match_that_nobody_won_is_called_tied(client: Client) -> None:
    tournament = cup(4)
    make.report(draw(tournament).sittings.order_by("number")[0], {"eaten": [60, 60]})
    shown = page(client, tournament)

    for said in ('<span class="pill quiet">tied</span>', '<li class="is-tied">'):
        assert shown.text.count(said) == 1


def test_who_loses_in_a_double_elimination_gets_a_second_chance() -> None:
    tournament, two = (cup(teams, Movement.DOUBLE_ELIMINATION) for teams in (6, 2))
    for each in (tournament, two):
        play(each)
    shown = drawn(tournament)
    assert [name for name, _columns in shown["parts"]] == [
        "Undefeated",
        "Second chance",
        "For the title",
    ]
    assert shown["again"]
    assert "grand_final_again" not in matches(tournament)
    play(two, sheet=SECOND)  # the undefeated lose: the grand final is played again

    again = matches(two)
    assert again["grand_final_again"].state is MatchState.TO_COME
    assert [side.lost for side in again["grand_final"].sides] == [True, False]


def test_a_final_stays_as_it_was_when_a_semi_final_is_corrected(client: Client) -> None:
    tournament = cup(4, third_place=True)
    play(tournament, 2)  # T1 has won the final, and T4 is last
    for corrected in (False, True):
        if corrected:
            act.correct(Sitting.objects.get(round__number=1, number=1), {1: SECOND})
        shown = matches(tournament)
        score = ("0", "1") if corrected else ("1", "0")
        assert told(shown["semi_final:1"]) == [("T1", score[0]), ("T4", score[1])]
        assert told(shown["final"]) == [("T1", "1"), ("T2", "0")]
        assert told(shown["third_place"]) == [("T4", "0"), ("T3", "1")]
        assert str(drawn(tournament)["champion"]) == "T1"
        shows(page(client, tournament), "<strong>T1</strong> won it.")
        standing = standings(tournament)
        placed = [(row.place, row.name) for row in standing.rows]
        assert placed == [(1, "T1"), (2, "T2"), (3, "T3"), (4, "T4")]
        assert standing.ranked_by == "how far they came"


@pytest.mark.parametrize("teams", [4, 16])
def test_its_cost_does_not_grow_with_its_matches(client: Client, teams: int) -> None:
    tournament = cup(teams)
    play(tournament)
    with costs(9):
        shows(page(client, tournament), "Final")


def test_two_knock_outs_cost_a_page_as_much_as_one(client: Client) -> None:
    club = make.club()
    season = save_season(Season(club=club, name="Autumn"), by=make.actor())
    for movement in (Movement.KNOCKOUT, Movement.DOUBLE_ELIMINATION):
        tournament = cup(4, movement, club=club, season=season)
        play(tournament, 2)
        act.finish(tournament)
        player, team = Player.objects.get(name="A1"), Team.objects.get(name="T1")
        for about, of in (("season", season), ("player", player), ("team", team)):
            # The seven of such a page, and for the brackets rounds, sums, tables, rests, entrants.
            with costs(7 + 5):
                client.get(path(about, of))


def test_many_brackets_place_everybody_as_each_does_alone() -> None:
    whole = cup(6, third_place=True)
    play(whole, 3)
    club = whole.club
    swiss = cup(4, Movement.SWISS, club=club)
    play(swiss)
    singles = make.tournament(mode="2i", hands=1, club=club, movement=Movement.KNOCKOUT)
    act.enter(singles, "Asha", "Juma", "Neema")
    play(singles, 2)
    fours = make.tournament(club=club, movement=Movement.KNOCKOUT)
    played(fours, FIRST, names=FOUR)  # as no bracket seats them
    begun = cup(5, Movement.DOUBLE_ELIMINATION, club=club)
    make.report(draw(begun).sittings.get(), SECOND)
    withdraw(entrant_id=begun.entrants.get(team__name="T1").pk, by=make.actor())
    tournaments = [whole, swiss, singles, fours, begun, cup(4, club=club)]

    together = bracket_places(tournaments)

    alone = [bracket_places([tournament]) for tournament in tournaments]
    places = [sorted(each.values()) for each in alone]
    assert places == [[1, 2, 3, 4, 5, 5], [], [1, 2, 3], [], [1, 1, 1, 1, 1], []]
    assert together == {entrant: place for each in alone for entrant, place in each.items()}


def test_pages_lead_to_it() -> None:
    tournament = cup(4)
    play(tournament)
    act.draw(tournament)
    organiser = act.sign_in(Role.ORGANISER, tournament)

    for name in ("tournament", "desk", "draw"):
        shows(organiser.get(path(name, tournament)), path("bracket", tournament))
