"""Who met whom, in the order of the standing: round by round, or everybody against everybody."""

from typing import Any

import pytest
from django.test import Client

from tests import make
from tests.reading import costs, lacks, path, shows
from tests.tracker.standings.tables import over, played
from tests.tracker.standings.test_bracket_pages import FIRST, SECOND, cup, draw, play
from tracker.models import Movement, RoundState, Tournament
from tracker.standings.pages.crosstable import MeetingResult, crosstable
from tracker.standings.queries.standings import standings

pytestmark = pytest.mark.django_db


def crossed(tournament: Tournament, *, grid: bool = False) -> Any:
    table = crosstable(tournament, grid=grid)
    assert table is not None
    return table


def test_before_anybody_sits_down_nobody_has_met(client: Client) -> None:
    tournament = cup(4, Movement.SWISS)
    assert crosstable(tournament, grid=False) is None
    shows(client.get(path("crosstable", tournament)), "Nobody is at a table")


def test_each_cell_of_a_swiss_names_the_opponent_by_number_and_how_it_ended() -> None:
    tournament = cup(8, Movement.SWISS)
    play(tournament, 3)
    table = crossed(tournament)

    assert table["columns"] == [1, 2, 3]
    by_line = {row.entrant.line: row for row in table["rows"]}
    for row in table["rows"]:
        for cell in row.cells:
            (meeting,) = cell.meetings
            (opponent,) = meeting.opponents
            (back,) = by_line[opponent.line].cells[meeting.round - 1].meetings
            assert back.opponents[0].line == row.entrant.line
            assert {meeting.result, back.result} == {MeetingResult.WON, MeetingResult.LOST}
            assert meeting.score == ("1–0" if meeting.result is MeetingResult.WON else "0–1")
            assert meeting.opened is not back.opened


def test_its_points_and_tie_breaks_are_those_of_the_standing(client: Client) -> None:
    tournament = cup(4, Movement.SWISS)
    play(tournament, 2)
    table, standing = crossed(tournament), standings(tournament)

    assert table["labels"] == ["Victory points", "Won", "Two-point wins", "Eaten"]
    assert table["ranked_by"] == "Victory points, then Won, then Two-point wins, then Eaten"
    points = standing.criteria[0].key
    assert [(row.row.name, row.points) for row in table["rows"]] == [
        (row.name, str(row.figures[points])) for row in standing.rows
    ]
    shows(client.get(tournament.get_absolute_url()), path("crosstable", tournament))


def test_a_round_robin_is_a_grid_in_which_everybody_has_met_everybody(client: Client) -> None:
    tournament = cup(4, Movement.ROUND_ROBIN)
    play(tournament, 3)

    for row in crossed(tournament, grid=True)["rows"]:
        assert [cell.own for cell in row.cells].index(True) + 1 == row.entrant.line
        assert [len(cell.meetings) for cell in row.cells if not cell.own] == [1, 1, 1]
    address = path("crosstable", tournament)
    shows(client.get(address), "The number in a cell is the round.")
    shows(client.get(address, {"by": "round"}), "Round 3")


def test_an_odd_team_rests_and_an_undone_round_is_not_in_it() -> None:
    tournament = cup(5, Movement.SWISS)
    play(tournament, 2)
    tournament.rounds.filter(number=2).update(state=RoundState.UNDONE)
    table = crossed(tournament)

    assert table["columns"] == [1]
    assert [row.cells[0].rests for row in table["rows"]].count(True) == 1


def test_only_a_table_of_a_round_that_is_open_is_said_to_play(client: Client) -> None:
    tournament = cup(4, Movement.SWISS)
    first, _ = draw(tournament).sittings.order_by("number")
    address = path("crosstable", tournament)
    assert client.get(address).text.count("<small>playing</small>") == 4
    make.report(first, FIRST)
    results = [row.cells[0].meetings[0].result for row in crossed(tournament)["rows"]]
    assert sorted(result or "" for result in results) == ["", "", "lost", "won"]
    over(tournament)

    page = client.get(address)
    assert page.text.count("<small>no result</small>") == 2
    lacks(page, "<small>playing</small>")


def test_partners_and_opponents_of_changing_pairs_are_told_apart() -> None:
    tournament = make.tournament()
    played(tournament, SECOND)
    rows = {row.row.name: row for row in crossed(over(tournament))["rows"]}

    (asha,) = rows["Asha"].cells[0].meetings
    assert [each.name for each in asha.partners] == ["Juma"]
    assert {each.name for each in asha.opponents} == {"Neema", "Baraka"}
    assert (asha.result, asha.score, asha.opened) == (MeetingResult.LOST, "0–1", True)
    (met,) = (row.cells for row in crossed(tournament, grid=True)["rows"] if row.row.name == "Asha")
    together = {name: met[rows[name].entrant.line - 1].meetings for name in ("Juma", "Neema")}
    assert {name: each[0].together for name, each in together.items()} == {
        "Juma": True,
        "Neema": False,
    }


def test_more_than_two_sides_tell_only_their_own_points() -> None:
    tournament = make.tournament("dalmuti", "4i")
    played(tournament, {"order": [2, 0, 1, 3]})

    for row in crossed(over(tournament))["rows"]:
        (meeting,) = row.cells[0].meetings
        assert (meeting.result, len(meeting.opponents)) == (None, 3)
        assert meeting.score == row.points


@pytest.mark.parametrize("teams", [4, 16])
def test_its_cost_does_not_grow_with_those_who_play(client: Client, teams: int) -> None:
    tournament = cup(teams, Movement.SWISS)
    play(tournament, 2)

    for by in ("round", "everybody"):
        with costs(11):
            client.get(path("crosstable", tournament), {"by": by})


def test_people_are_called_as_in_the_standing(client: Client) -> None:
    tournament = make.tournament()
    played(tournament, FIRST, names=("Marta Cossutta", "Juma Kapera", "Neema Mushi", "Juma Hassan"))
    table = crossed(tournament)

    met = [each for row in table["rows"] for cell in row.cells for each in cell.meetings]
    names = {person.name for each in met for person in (*each.partners, *each.opponents)}
    assert names == {row.entrant.name for row in table["rows"]}
    assert names == {"Marta", "Juma K.", "Neema", "Juma H."}
    page = client.get(path("crosstable", tournament))
    shows(page, ">Juma K.</a></th>")
    lacks(page, "Cossutta")
