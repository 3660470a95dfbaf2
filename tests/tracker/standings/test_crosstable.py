"""Who met whom, in the order of the standing: round by round, or everybody against everybody."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains

from tests import make
from tests.tracker.standings.test_bracket_pages import FIRST, SECOND, cup, draw, play
from tracker.models import Movement, RoundState, Tournament
from tracker.standings.pages.crosstable import Crosstable, Meeting, MeetingResult, crosstable
from tracker.standings.queries.standings import standings

pytestmark = pytest.mark.django_db


def crossed(tournament: Tournament, *, grid: bool = False) -> Crosstable:
    table = crosstable(tournament, grid=grid)
    assert table is not None
    return table


def meetings(table: Crosstable, name: str) -> list[Meeting]:
    (row,) = (row for row in table.rows if row.row.name == name)
    return [meeting for cell in row.cells for meeting in cell.meetings]


def lines(table: Crosstable) -> dict[str, int]:
    return {row.row.name: row.entrant.line for row in table.rows}


def test_before_anybody_sits_down_nobody_has_met(client: Client) -> None:
    tournament = cup(4, Movement.SWISS)

    assert crosstable(tournament, grid=False) is None
    assertContains(client.get(reverse("crosstable", args=[tournament.pk])), "Nobody is at a table")


def test_each_cell_of_a_swiss_names_the_opponent_by_number_and_how_it_ended() -> None:
    tournament = cup(8, Movement.SWISS)
    play(tournament, 3)

    table = crossed(tournament)

    assert table.columns == (1, 2, 3)
    by_line = {row.entrant.line: row for row in table.rows}
    for row in table.rows:
        for cell in row.cells:
            (meeting,) = cell.meetings
            (opponent,) = meeting.opponents
            (back,) = by_line[opponent.line].cells[meeting.round - 1].meetings
            assert back.opponents[0].line == row.entrant.line
            assert {meeting.result, back.result} == {MeetingResult.WON, MeetingResult.LOST}
            assert meeting.score == ("1–0" if meeting.result is MeetingResult.WON else "0–1")
            assert meeting.opened is not back.opened


def test_its_points_and_tie_breaks_are_those_of_the_standing() -> None:
    tournament = cup(4, Movement.SWISS)
    play(tournament, 2)

    table = crossed(tournament)

    assert table.labels == ("Victory points", "Won", "Two-point wins", "Eaten")
    assert table.ranked_by == "Victory points, then Won, then Two-point wins, then Eaten"
    standing = standings(tournament)
    assert [row.row.name for row in table.rows] == [row.name for row in standing.rows]
    points = standing.criteria[0].key
    assert [row.points for row in table.rows] == [str(row.figures[points]) for row in standing.rows]


def test_a_round_robin_is_a_grid_in_which_everybody_has_met_everybody(client: Client) -> None:
    tournament = cup(4, Movement.ROUND_ROBIN)
    play(tournament, 3)

    table = crossed(tournament, grid=True)

    for row in table.rows:
        assert [cell.own for cell in row.cells].index(True) + 1 == row.entrant.line
        assert [len(cell.meetings) for cell in row.cells if not cell.own] == [1, 1, 1]
    page = client.get(reverse("crosstable", args=[tournament.pk]))
    assertContains(page, "The number in a cell is the round.")
    by_round = client.get(reverse("crosstable", args=[tournament.pk]), {"by": "round"})
    assertContains(by_round, "Round 3")


def test_an_odd_team_rests() -> None:
    tournament = cup(5, Movement.SWISS)
    play(tournament)

    assert [row.cells[0].rests for row in crossed(tournament).rows].count(True) == 1


def test_a_table_that_still_plays_has_no_result() -> None:
    tournament = cup(4, Movement.SWISS)
    round_ = draw(tournament)
    make.report(round_.sittings.order_by("number")[0], FIRST)

    results = [row.cells[0].meetings[0].result for row in crossed(tournament).rows]

    assert sorted(result or "" for result in results) == ["", "", "lost", "won"]


def test_a_table_that_plays_no_more_is_not_said_to_play(client: Client) -> None:
    tournament = cup(4, Movement.SWISS)
    draw(tournament)
    address = reverse("crosstable", args=[tournament.pk])
    assertContains(client.get(address), "<small>playing</small>", count=4)

    tournament.rounds.update(state=RoundState.CLOSED)

    assertContains(client.get(address), "<small>no result</small>", count=4)
    assertNotContains(client.get(address), "<small>playing</small>")


def test_partners_and_opponents_of_changing_pairs_are_told_apart() -> None:
    tournament = make.tournament()
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament)
    make.report(sitting, SECOND)
    tournament.rounds.update(state=RoundState.CLOSED)

    table = crossed(tournament)
    of = lines(table)
    (asha,) = meetings(table, "Asha")
    grid = {
        (row.row.name, column): cell.meetings
        for row in crossed(tournament, grid=True).rows
        for column, cell in enumerate(row.cells, start=1)
    }

    assert [each.name for each in asha.partners] == ["Juma"]
    assert {each.name for each in asha.opponents} == {"Neema", "Baraka"}
    assert (asha.result, asha.score, asha.opened) == (MeetingResult.LOST, "0–1", True)
    assert grid["Asha", of["Juma"]][0].together
    assert not grid["Asha", of["Neema"]][0].together


def test_more_than_two_sides_tell_only_their_own_points() -> None:
    tournament = make.tournament("dalmuti", "4i")
    make.report(make.sitting(at=tournament), {"order": [2, 0, 1, 3]})
    tournament.rounds.update(state=RoundState.CLOSED)

    table = crossed(tournament)

    for row in table.rows:
        (meeting,) = row.cells[0].meetings
        assert (meeting.result, len(meeting.opponents)) == (None, 3)
        assert meeting.score == row.points


def test_an_undone_round_is_not_in_it() -> None:
    tournament = cup(4, Movement.SWISS)
    play(tournament, 2)
    tournament.rounds.filter(number=2).update(state=RoundState.UNDONE)

    assert crossed(tournament).columns == (1,)


@pytest.mark.parametrize("teams", [4, 16])
@pytest.mark.parametrize("by", ["round", "everybody"])
def test_its_cost_does_not_grow_with_those_who_play(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, teams: int, by: str
) -> None:
    tournament = cup(teams, Movement.SWISS)
    play(tournament, 2)

    with django_assert_num_queries(11):
        client.get(reverse("crosstable", args=[tournament.pk]), {"by": by})


def test_the_standing_leads_to_it(client: Client) -> None:
    tournament = cup(4, Movement.SWISS)
    address = reverse("crosstable", args=[tournament.pk])

    assertContains(client.get(tournament.get_absolute_url()), address)


def test_people_are_called_as_in_the_standing(client: Client) -> None:
    tournament = make.tournament()
    people = ("Marta Cossutta", "Juma Kapera", "Neema Mushi", "Juma Hassan")
    make.report(make.sitting(*people, at=tournament), FIRST)

    table = crossed(tournament)

    names = {
        person.name
        for row in table.rows
        for cell in row.cells
        for each in cell.meetings
        for person in (*each.partners, *each.opponents)
    }
    assert (
        names
        == {row.entrant.name for row in table.rows}
        == {"Marta", "Juma K.", "Neema", "Juma H."}
    )
    page = client.get(reverse("crosstable", args=[tournament.pk]))
    assertContains(page, "</b>Juma K.</th>")
    assertNotContains(page, "Cossutta")
