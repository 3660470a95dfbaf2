"""Match points: 2 for a match won, 1 for a drawn one, and a bye by its name, on every page alike."""

from collections import Counter
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from games.sheet import VOID
from tests import make
from tests.one_file import file_from_elsewhere
from tests.tracker.formats.walking import Walker
from tests.tracker.standings.test_bracket_pages import cup, draw
from tracker.common.errors import Refused
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
from tracker.nights.services.closing import close_round, reopen_round
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
WORTH = {MeetingResult.WON: 2, MeetingResult.DRAWN: 1, MeetingResult.LOST: 0}


def swiss(teams: int, **more: Any) -> Tournament:
    return cup(
        teams,
        Movement.SWISS,
        **{"hands": 2, "ranked_by": "match_points", "rest_credit": "win", **more},
    )


def report(sitting: Sitting, *sheets: dict[str, Any]) -> None:
    for sheet in sheets:
        make.report(sitting, sheet)


def without_playing(sitting: Sitting, how: ResultType, bare: object) -> None:
    record_result_type(
        sitting_id=sitting.pk,
        result_type=how,
        bare=bare,
        times=None,
        reason="Late",
        by=make.actor(),
    )


def match_points(tournament: Tournament, upto: Round | None = None) -> dict[str, str]:
    standing = standings(tournament, upto=upto)
    assert standing.criteria[0].key == "match_points"
    return {row.name: str(row.figures["match_points"]) for row in standing.rows}


def sides(sitting: Sitting) -> list[str]:
    seats = sitting.seats.filter(place__in=(0, 1)).order_by("place")
    return [str(seat.entrant) for seat in seats]


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
    for row in table.rows:
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
    first, second, third, fourth = draw(tournament).sittings.order_by("number")
    report(first, ONE, ONE)
    report(second, {"eaten": [105, 15]}, TWO)
    report(third, ONE, TWO)
    report(fourth, TWO)  # half of it

    def points() -> list[tuple[str, ...]]:
        known = match_points(tournament)
        return [
            tuple(known[side] for side in sides(each)) for each in (first, second, third, fourth)
        ]

    assert points() == [("2", "0"), ("2", "0"), ("1", "1"), ("0", "0")]
    agree(tournament)
    report(fourth, {"eaten": [105, 15]})
    assert points()[3] == ("2", "0")
    close_round(round_id=first.round_id, by=make.actor())
    agree(tournament)


def test_results_without_playing_count_as_what_they_give() -> None:
    tournament = swiss(8)
    round_ = draw(tournament)
    walkover, void, short, partly = round_.sittings.order_by("number")
    without_playing(walkover, ResultType.WALKOVER, 1)
    without_playing(void, ResultType.NOT_PLAYED, VOID)
    report(short, ONE)
    report(partly, TWO)
    without_playing(partly, ResultType.NOT_PLAYED, VOID)

    close_round(round_id=round_.pk, by=make.actor(), anyway=True)

    points = match_points(tournament)
    assert [
        tuple(points[side] for side in sides(each)) for each in (walkover, void, short, partly)
    ] == [
        ("0", "2"),  # as it was assigned
        ("0", "0"),  # nobody played: nobody won, and nothing was drawn
        ("2", "0"),  # what was played until the round closed
        ("0", "2"),
    ]
    agree(tournament)
    reopen_round(round_id=round_.pk, by=make.actor())
    points = match_points(tournament)
    assert [points[side] for side in sides(short)] == ["0", "0"]  # it may go on


@pytest.mark.parametrize(
    ("credit", "points", "says", "line"),
    [
        ("win", "2", "A bye counts as a win.", "Round 1: bye, as a win"),
        ("draw", "1", "A bye counts as a draw.", "Round 1: bye, as a draw"),
        ("nothing", "0", "Sitting out earns nothing.", ""),
        # Drawn in the second round, they usually get 1 a match.
        (
            "average",
            "1",
            "Sitting out earns your own average.",
            "Round 1: sat out, earns the own average",
        ),
    ],
)
def test_a_bye_is_worth_what_was_chosen_by_name(
    client: Client, credit: str, points: str, says: str, line: str
) -> None:
    tournament = swiss(3, rest_credit=credit)
    first = draw(tournament)
    report(first.sittings.get(), ONE, ONE)
    close_round(round_id=first.pk, by=make.actor())
    rested = str(first.rests.get().entrant)
    second = draw(tournament)
    report(second.sittings.get(), ONE, TWO)
    close_round(round_id=second.pk, by=make.actor())

    page = client.get(tournament.get_absolute_url()).text

    assert match_points(tournament)[rested] == str(int(points) + 1)
    assert says in page
    assert line in page
    agree(tournament)


def test_what_it_costs_does_not_grow_with_the_rounds(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    tournament = swiss(6)
    for _ in range(3):
        round_ = draw(tournament)
        for sitting in round_.sittings.all():
            report(sitting, ONE, TWO)
        close_round(round_id=round_.pk, by=make.actor())
        with django_assert_num_queries(5):
            standings(tournament)
        with django_assert_num_queries(3):
            finishes([tournament])


def test_who_is_told_why_they_meet_hears_of_their_points(client: Client) -> None:
    tournament = swiss(4, hands=1)
    first = draw(tournament)
    for sitting in first.sittings.all():
        report(sitting, ONE)
    close_round(round_id=first.pk, by=make.actor())
    for number, expected in ((2, "You both have"), (3, "Nobody left to meet has 2.")):
        round_ = draw(tournament)
        pages = ""
        for entrant in tournament.entrants.all():
            path = reverse("why", args=[tournament.pk, number])
            pages += client.get(f"{path}?who={entrant.pk}").text
        assert expected in pages
        for sitting in round_.sittings.all():
            report(sitting, ONE)
        close_round(round_id=round_.pk, by=make.actor())


def made(**more: Any) -> Tournament:
    terms = more.pop("terms", Terms(movement=Movement.SWISS))
    asked = {"name": "Cup", "game": "albastini", "mode": "4t2", "format_": Format.TEAMS, **more}
    return make_tournament(club_id=make.club().pk, by=make.actor(), terms=terms, **asked)


def kept(tournament: Tournament) -> tuple[str, str]:
    tournament.refresh_from_db()
    return tournament.ranked_by, tournament.rest_credit


def test_a_new_swiss_of_two_sides_goes_by_match_points_and_no_other_does_unasked() -> None:
    assert kept(made()) == ("match_points", "win")
    assert kept(made(game="briscola")) == ("match_points", "win")
    assert kept(made(mode="6t2")) == ("game", "average")  # three pairs at a table
    assert kept(made(ranked_by=RankedBy.GAME)) == ("game", "average")
    assert kept(made(terms=Terms(movement=Movement.ROUND_ROBIN))) == ("game", "average")
    robin = made(terms=Terms(movement=Movement.ROUND_ROBIN), ranked_by=RankedBy.MATCH_POINTS)
    assert kept(robin) == ("match_points", "win")
    before = make.tournament(teams=True, movement=Movement.SWISS)  # as it was made until now
    assert kept(before) == ("game", "average")
    assert standings(before).criteria[0].key == "victory_points"


@pytest.mark.parametrize(
    ("more", "code", "question"),
    [
        ({"mode": "6t2", "ranked_by": RankedBy.MATCH_POINTS}, "ranked-by", "ranked_by"),
        (
            {
                "ranked_by": RankedBy.GAME,
                "terms": Terms(movement=Movement.SWISS, rest_credit=RestCredit.DRAW),
            },
            "rest-no-match",
            "rest_credit",
        ),
    ],
)
def test_match_points_and_byes_by_name_are_refused_where_no_two_sides_meet(
    more: dict[str, Any], code: str, question: str
) -> None:
    with pytest.raises(Refused) as refusal:
        made(**more)

    assert (refusal.value.code, refusal.value.question) == (code, question)


def test_the_form_offers_a_bye_as_a_win_and_says_what_is_wrong_beside_it(client: Client) -> None:
    club = make.club()
    client.force_login(make.user(role=Role.ORGANISER, club=club))
    form = Walker(client, reverse("tournament-new", args=[club.pk]) + "?game=albastini")
    asked = {
        "format": "fixed pairs or teams",
        "movement": "Swiss: against whoever has about as many points",
    }

    wrong = form.press(
        "Make the tournament", **asked, ranked_by="game", rest_credit="as much as a win"
    )
    assert "There are wins and draws only where match points decide the standings." in wrong
    assert not Tournament.objects.exists()
    form.press("Make the tournament", ranked_by="", rest_credit="as much as a draw")

    assert kept(Tournament.objects.get()) == ("match_points", "draw")


def test_settings_can_be_saved_once_something_else_decides(client: Client) -> None:
    tournament = swiss(4, ranked_by="game", rest_credit="draw")
    client.force_login(make.user(role=Role.ORGANISER, club=tournament.club))
    form = Walker(client, reverse("tournament-edit", args=[tournament.pk]))

    form.press("Save", length="3")

    assert kept(tournament) == ("game", "average")
    assert tournament.hands == 3


def finished_swiss() -> Tournament:
    tournament = swiss(5)
    for _ in range(2):
        round_ = draw(tournament)
        for number, sitting in enumerate(round_.sittings.all()):
            report(sitting, ONE, ONE if number else TWO)
        close_round(round_id=round_.pk, by=make.actor())
    return tournament


def test_a_file_keeps_match_points_and_what_was_announced() -> None:
    tournament = finished_swiss()

    copy = import_tournament(
        club_id=make.club("Ilala").pk,
        content=file_from_elsewhere(tournament),
        choices=None,
        by=make.actor(),
    )

    assert kept(copy) == ("match_points", "win")
    assert match_points(copy) == match_points(tournament)
    agree(copy)


@pytest.mark.parametrize(
    ("movement", "carry_over", "expected"),
    [
        (Movement.SWISS, CarryOver.ALL, ("match_points", "win")),
        (Movement.ROUND_ROBIN, CarryOver.ALL, ("match_points", "win")),
        (Movement.ROUND_ROBIN, CarryOver.NOTHING, ("game", "average")),
    ],
)
def test_a_stage_adds_up_the_same_points(
    movement: Movement, carry_over: CarryOver, expected: tuple[str, str]
) -> None:
    tournament = finished_swiss()
    before = match_points(tournament)
    best = standings(tournament).rows[:4]

    final = begin_stage(
        sources=[tournament.pk],
        entrants=[row.entrant for row in best],
        plan=StagePlan(
            stage="Final",
            mode="4t2",
            format_=Format.TEAMS,
            movement=movement,
            length=2,
            carry_over=carry_over,
        ),
        by=make.actor(),
    )
    round_ = draw(final)
    for sitting in round_.sittings.all():
        report(sitting, TIED, TIED)
    close_round(round_id=round_.pk, by=make.actor())

    assert kept(final) == expected
    if expected[0] == "match_points":
        after = {name: int(points) - 1 for name, points in match_points(final).items()}
        assert after == {row.name: int(before[row.name]) for row in best}
        found = finishes([final])
        assert {finish.points for finish in found.values()} == {
            row.figures["match_points"] for row in standings(final).rows
        }
