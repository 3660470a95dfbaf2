"""Match points: 2 for a match won, 1 for a drawn one, and a bye by its name, on every page alike."""

from collections import Counter
from typing import Any

import pytest
from django.test import Client

from games.sheet import VOID
from tests import act, make
from tests.one_file import file_from_elsewhere
from tests.reading import costs, path, shows
from tests.tracker.formats.walking import Walker
from tests.tracker.standings.test_bracket_pages import cup, draw
from tracker.models import (
    CarryOver,
    Format,
    Movement,
    RankedBy,
    RestCredit,
    ResultType,
    Role,
    Round,
    Sitting,
    Tournament,
)
from tracker.nights.services.closing import reopen_round
from tracker.results.services.result_only import record_result_type
from tracker.standings.pages.crosstable import MeetingResult, crosstable
from tracker.standings.queries.final_rankings import finishes
from tracker.standings.queries.points_by_round import race
from tracker.standings.queries.standings import published_places, standings
from tracker.standings.services.stages import StagePlan, begin_stage
from tracker.tournament_files.services.importing import import_tournament
from tracker.tournaments.services.terms import Terms
from tracker.tournaments.services.tournaments import make_tournament

pytestmark = pytest.mark.django_db

ONE, TWO, TIED = {"eaten": [70, 50]}, {"eaten": [50, 70]}, {"eaten": [60, 60]}
BY_TWO = {"eaten": [105, 15]}
WORTH = {MeetingResult.WON: 2, MeetingResult.DRAWN: 1, MeetingResult.LOST: 0}
AS_A_MATCH, AS_THE_GAME = ("match_points", "win"), ("game", "average")


def swiss(teams: int, **more: Any) -> Tournament:
    usual = {"hands": 2, "ranked_by": "match_points", "rest_credit": "win"}
    return cup(teams, Movement.SWISS, **{**usual, **more})


def play(sitting: Sitting, *sheets: Any) -> None:
    for sheet in sheets:
        make.report(sitting, sheet)


def play_round(tournament: Tournament, *sheets: Any) -> Round:
    """Draw a round, let these hands be played at every table, and close it."""
    round_ = draw(tournament)
    for sitting in round_.sittings.all():
        play(sitting, *sheets)
    return act.close(round_)


def without_playing(sitting: Sitting, how: ResultType, bare: object) -> None:
    record_result_type(
        sitting_id=sitting.pk,
        result_type=how,
        bare=bare,
        times=None,
        reason="Late",
        by=make.actor(),
    )


def match_points(tournament: Tournament) -> dict[str, str]:
    standing = standings(tournament)
    assert standing.criteria[0].key == "match_points"
    return {row.name: str(row.figures["match_points"]) for row in standing.rows}


def at_tables(*sittings: Sitting) -> list[tuple[str, ...]]:
    """Return the match points of the two sides of each table."""
    points = match_points(sittings[0].round.tournament)
    return [
        tuple(points[str(seat.entrant)] for seat in each.seats.order_by("place")[:2])
        for each in sittings
    ]


def agree(tournament: Tournament) -> None:
    """Make sure that everything that ranks says the same, and that all its matches add up."""
    standing = standings(tournament)
    now = {row.entrant: (row.place, row.figures["match_points"]) for row in standing.rows}
    found = finishes([tournament])
    assert {key: (each.place, each.points) for key, each in found.items()} == now
    runners = race(tournament).runners
    assert {each.entrant.pk: (each.places[-1], each.points[-1]) for each in runners} == now
    table = crosstable(tournament, grid=False)
    assert table is not None
    awarded = Counter[int]()
    for award in standing.awards:
        awarded[award.entrant] += int(award.counted_amount)
    for row in table["rows"]:
        results = [met.result for cell in row.cells for met in cell.meetings]
        own = sum(WORTH[result] for result in results if result)
        assert own + awarded[row.row.entrant] == now[row.row.entrant][1]
    for round_ in tournament.rounds.exclude(published_standing=None):
        past = standings(tournament, upto=round_)
        then = {row.entrant: row.figures["match_points"] for row in past.rows}
        published = {key: each.points for key, each in published_places(round_).items()}
        assert published == then


def test_a_match_counts_once_its_table_is_done_and_by_the_points_of_the_game() -> None:
    """Two wins by 1 do not beat what the other won by 2: the points of the game are compared."""
    tournament = swiss(8)
    tables = first, second, third, fourth = [*draw(tournament).sittings.order_by("number")]
    play(first, ONE, ONE)
    play(second, BY_TWO, TWO)
    play(third, ONE, TWO)
    play(fourth, TWO)  # half of it

    assert at_tables(*tables) == [("2", "0"), ("2", "0"), ("1", "1"), ("0", "0")]
    agree(tournament)
    play(fourth, BY_TWO)
    assert at_tables(fourth) == [("2", "0")]
    act.close(first.round)
    agree(tournament)


def test_results_without_playing_count_as_what_they_give() -> None:
    tournament = swiss(8)
    round_ = draw(tournament)
    tables = walkover, void, short, partly = [*round_.sittings.order_by("number")]
    without_playing(walkover, ResultType.WALKOVER, 1)
    without_playing(void, ResultType.NOT_PLAYED, VOID)
    play(short, ONE)
    play(partly, TWO)
    without_playing(partly, ResultType.NOT_PLAYED, VOID)
    act.close(round_, anyway=True)

    assert at_tables(*tables) == [
        ("0", "2"),  # as it was assigned
        ("0", "0"),  # nobody played: nobody won, and nothing was drawn
        ("2", "0"),  # what was played until the round closed
        ("0", "2"),
    ]
    agree(tournament)
    reopen_round(round_id=round_.pk, by=make.actor())
    assert at_tables(short) == [("0", "0")]  # it may go on


@pytest.mark.parametrize(
    ("credit", "points", "says"),
    [
        ("win", "2", ("A bye counts as a win.", "Round 1: bye, as a win")),
        ("draw", "1", ("A bye counts as a draw.", "Round 1: bye, as a draw")),
        ("nothing", "0", ("Sitting out earns nothing.",)),
        # Drawn in the second round, they usually get 1 a match.
        (
            "average",
            "1",
            ("Sitting out earns your own average.", "Round 1: sat out, earns the own average"),
        ),
    ],
)
def test_a_bye_is_worth_what_was_chosen_by_name(
    client: Client, credit: str, points: str, says: tuple[str, ...]
) -> None:
    tournament = swiss(3, rest_credit=credit)
    rested = str(play_round(tournament, ONE, ONE).rests.get().entrant)
    play_round(tournament, ONE, TWO)

    shows(client.get(tournament.get_absolute_url()), *says)
    assert match_points(tournament)[rested] == str(int(points) + 1)
    agree(tournament)


def test_what_it_costs_does_not_grow_with_the_rounds() -> None:
    tournament = swiss(6)
    for _ in range(3):
        play_round(tournament, ONE, TWO)
        with costs(5):
            standings(tournament)
        with costs(3):
            finishes([tournament])


def test_who_is_told_why_they_meet_hears_of_their_points(client: Client) -> None:
    tournament = swiss(4, hands=1)
    play_round(tournament, ONE)
    for number, expected in ((2, "You both have"), (3, "Nobody left to meet has 2.")):
        play_round(tournament, ONE)
        why = path("why", tournament, number)
        people = tournament.entrants.values_list("pk", flat=True)
        assert expected in "".join(client.get(f"{why}?who={who}").text for who in people)


# What decides -------------------------------------------------------------------------------------


def made(**more: Any) -> Tournament:
    terms = Terms(movement=more.pop("movement", Movement.SWISS), **more.pop("terms", {}))
    asked = {"name": "Cup", "game": "albastini", "mode": "4t2", "format_": Format.TEAMS, **more}
    return make_tournament(club_id=make.club().pk, by=make.actor(), terms=terms, **asked)


def kept(tournament: Tournament) -> tuple[str, str]:
    tournament.refresh_from_db()
    return tournament.ranked_by, tournament.rest_credit


def test_a_new_swiss_of_two_sides_goes_by_match_points_and_no_other_does_unasked() -> None:
    robin = Movement.ROUND_ROBIN
    assert kept(made()) == AS_A_MATCH
    assert kept(made(game="briscola")) == AS_A_MATCH
    assert kept(made(mode="6t2")) == AS_THE_GAME  # three pairs at a table
    assert kept(made(ranked_by=RankedBy.GAME)) == AS_THE_GAME
    assert kept(made(movement=robin)) == AS_THE_GAME
    assert kept(made(movement=robin, ranked_by=RankedBy.MATCH_POINTS)) == AS_A_MATCH
    before = make.tournament(teams=True, movement=Movement.SWISS)  # as it was made until now
    assert kept(before) == AS_THE_GAME
    assert standings(before).criteria[0].key == "victory_points"
    with act.refused("ranked-by", question="ranked_by"):
        made(mode="6t2", ranked_by=RankedBy.MATCH_POINTS)
    with act.refused("rest-no-match", question="rest_credit"):
        made(ranked_by=RankedBy.GAME, terms={"rest_credit": RestCredit.DRAW})


def test_the_form_offers_a_bye_as_a_win_and_says_what_is_wrong_beside_it() -> None:
    club = make.club()
    organiser = act.sign_in(Role.ORGANISER, club)
    form = Walker(organiser, path("tournament-new", club, query="?game=albastini"))

    wrong = form.press(
        "Make the tournament",
        format="fixed pairs or teams",
        movement="Swiss: against whoever has about as many points",
        ranked_by="game",
        rest_credit="as much as a win",
    )
    assert "There are wins and draws only where match points decide the standings." in wrong
    assert not Tournament.objects.exists()
    form.press("Make the tournament", ranked_by="", rest_credit="as much as a draw")

    assert kept(Tournament.objects.get()) == ("match_points", "draw")
    # Once something else decides, settings can be saved all the same.
    tournament = swiss(4, ranked_by="game", rest_credit="draw", club=club)
    Walker(organiser, path("tournament-edit", tournament)).press("Save", length="3")
    assert kept(tournament) == AS_THE_GAME
    assert tournament.hands == 3


@pytest.fixture
def finished() -> Tournament:
    """Return a Swiss of five pairs, after two rounds."""
    tournament = swiss(5)
    for _ in range(2):
        round_ = draw(tournament)
        for number, sitting in enumerate(round_.sittings.all()):
            play(sitting, ONE, ONE if number else TWO)
        act.close(round_)
    return tournament


def test_a_file_keeps_match_points_and_what_was_announced(finished: Tournament) -> None:
    copy = import_tournament(
        club_id=make.club("Ilala").pk,
        content=file_from_elsewhere(finished),
        choices=None,
        by=make.actor(),
    )

    assert kept(copy) == AS_A_MATCH
    assert match_points(copy) == match_points(finished)
    agree(copy)


@pytest.mark.parametrize(
    ("movement", "carry_over", "expected"),
    [
        (Movement.SWISS, CarryOver.ALL, AS_A_MATCH),
        (Movement.ROUND_ROBIN, CarryOver.ALL, AS_A_MATCH),
        (Movement.ROUND_ROBIN, CarryOver.NOTHING, AS_THE_GAME),
    ],
)
def test_a_stage_adds_up_the_same_points(
    finished: Tournament, movement: Movement, carry_over: CarryOver, expected: tuple[str, str]
) -> None:
    before = match_points(finished)
    best = standings(finished).rows[:4]
    plan = StagePlan(
        stage="Final",
        mode="4t2",
        format_=Format.TEAMS,
        movement=movement,
        length=2,
        carry_over=carry_over,
    )
    entrants = [row.entrant for row in best]
    final = begin_stage(sources=[finished.pk], entrants=entrants, plan=plan, by=make.actor())

    play_round(final, TIED, TIED)
    assert kept(final) == expected
    if expected == AS_A_MATCH:
        after = {name: int(points) - 1 for name, points in match_points(final).items()}
        assert after == {row.name: int(before[row.name]) for row in best}
        points = {row.entrant: row.figures["match_points"] for row in standings(final).rows}
        assert {key: each.points for key, each in finishes([final]).items()} == points
