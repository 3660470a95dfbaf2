"""A tournament told round by round, and the picture of its race."""

from collections.abc import Sequence
from datetime import timedelta
from fractions import Fraction
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from tests import act, make
from tests.make import NOON
from tests.reading import costs, lacks, path, shows
from tests.tracker.standings.tables import FOUR, OTHERS, Sheet, eaten, played
from tracker.models import Player, Round, RoundState, Tournament
from tracker.standings.logic.race_chart import NARROW, WIDE, draw, round_values, spread
from tracker.standings.pages.story import round_stories
from tracker.standings.queries.final_rankings import finishes
from tracker.standings.queries.points_by_round import race
from tracker.standings.queries.standings import standings

pytestmark = pytest.mark.django_db

DESK = make.actor(at=NOON + timedelta(hours=5), device="desk")
ROOM = {"top": WIDE.top, "bottom": WIDE.bottom, "gap": WIDE.gap}


def play_round(tournament: Tournament, *tables: tuple[Sequence[str], Sequence[Sheet]]) -> Round:
    """Play a round, a table after another, and close it."""
    round_ = make.round_of(tournament)
    for names, sheets in tables:
        played(tournament, *sheets, names=names)
    now = make.actor(at=NOON + timedelta(hours=round_.number))
    return act.close(round_, by=now, anyway=True)


def moments(tournament: Tournament, number: int = 1) -> Any:
    return story_of_round(tournament, number)["moments"]


def story_of_round(tournament: Tournament, number: int = 1) -> Any:
    stories = round_stories(tournament, race(tournament))
    return next(story for story in stories if story["round"].number == number)


def tables_of_four(count: int) -> list[tuple[str, ...]]:
    return [tuple(f"{seat}{table}" for seat in "ABCD") for table in range(count)]


# The race -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("hands", [2, None], ids=["of two hands", "without an end"])
@pytest.mark.parametrize("teams", [False, True])
def test_the_race_agrees_with_every_rounds_standing(*, teams: bool, hands: int | None) -> None:
    tournament = make.tournament(teams=teams, hands=hands)
    for ours, theirs in (((70, 105), (60, 40)), ((50,), (30, 110)), ((20, 15), (70, 71))):
        play_round(tournament, (FOUR, eaten(*ours)), (OTHERS, eaten(*theirs)))
    first, second = tournament.rounds.filter(number__lte=2).order_by("number")
    one, two, three = tournament.entrants.order_by("pk")[:3]
    make.award(one, -1, round=first)
    make.award(two, round=first)
    make.award(three, round=second)
    make.award(two, 3)
    run = race(tournament)

    assert run.rounds == (1, 2, 3)
    for position, number in enumerate(run.rounds):
        upto = None if number == 3 else tournament.rounds.get(number=number)
        expected = {
            row.entrant: (row.place, row.figures["victory_points"])
            for row in standings(tournament, upto=upto).rows
        }
        assert expected == {
            runner.entrant.pk: (runner.places[position], runner.points[position + 1])
            for runner in run.runners
        }
    assert {runner.points[0] for runner in run.runners} == {0}
    last = [runner.places[-1] for runner in run.runners]
    assert last == sorted(last)
    # Where everybody finished, on the pages of players and teams.
    rows = standings(tournament).rows
    assert {
        key: (each.place, each.tied, each.of, each.points, each.hands)
        for key, each in finishes([tournament]).items()
    } == {
        row.entrant: (row.place, row.tied, len(rows), row.figures["victory_points"], row.hands)
        for row in rows
    }


def test_undone_rounds_and_empty_ones_are_not_in_the_race() -> None:
    tournament = make.tournament()
    play_round(tournament, (FOUR, eaten(70)))
    Round.objects.update(state=RoundState.UNDONE)
    play_round(tournament, (FOUR, eaten(50)))
    make.sitting(*FOUR, in_round=make.round_of(tournament))
    run = race(tournament)

    assert run.rounds == (1,)
    assert {runner.name: [int(each) for each in runner.points] for runner in run.runners} == {
        "Asha": [0, 0],
        "Juma": [0, 0],
        "Neema": [0, 1],
        "Baraka": [0, 1],
    }


# Words --------------------------------------------------------------------------------------------


def test_the_lead_is_told_from_round_to_round() -> None:
    tournament = make.tournament(teams=True)
    for ours, theirs in ((70, 60), (60, 60), (60, 70), (60, 70), (70, 70), (70, 60)):
        play_round(tournament, (FOUR, eaten(ours)), (OTHERS, eaten(theirs)))

    assert [story["moments"][0] for story in round_stories(tournament, race(tournament))] == [
        "Asha & Juma took the lead at the start, with 1.",
        "Asha & Juma stayed in the lead, with 1.",
        "Asha & Juma and Zuwena & Rehema tied for the lead, with 1 each.",
        "Zuwena & Rehema took the lead alone, with 2.",
        "Zuwena & Rehema stayed in the lead, with 3.",
        "Asha & Juma and Zuwena & Rehema tied for the lead, with 3 each.",
    ]


def test_a_lead_that_passes_is_told_with_whom_it_passes() -> None:
    tournament = make.tournament(teams=True)
    play_round(tournament, (FOUR, eaten(70)))
    play_round(tournament, (FOUR, eaten(50, 50)))

    passes = "Neema & Baraka went past Asha & Juma into the lead, with 2."
    assert moments(tournament, 2) == (passes,)


def test_many_level_are_counted_and_those_that_a_tie_break_puts_first_are_named() -> None:
    tournament, briscola = make.tournament(), make.tournament("briscola")
    play_round(tournament, *((names, eaten(70)) for names in tables_of_four(2)))
    deals: list[Sheet] = [{"points": [70, 50]}, {"bare": 1}]
    play_round(briscola, (FOUR, deals))

    assert moments(tournament) == ("4 players tied for the lead, with 1 each.",)
    assert moments(briscola) == ("4 players have 1 each; Asha & Juma are placed first.",)


def test_hands_worth_more_than_usual_are_told_with_their_people_and_many_only_counted() -> None:
    tournament, long = make.tournament(), make.tournament()
    play_round(tournament, (FOUR, eaten(70, 105, 60, 50, 70, 40)))
    play_round(long, (FOUR, eaten(*[70] * 8, *[15] * 6)))

    hand = path("hand", tournament.rounds.get().sittings.get(), 2)
    assert moments(tournament)[1:] == (
        f'Asha &amp; Juma took 2 in one hand. <a href="{hand}">Table 1, Hand 2</a>',
    )
    *told, last = moments(long)
    assert (sum("2 in one hand" in each for each in told), last) == (4, "And 2 more like it.")


def test_games_in_which_every_hand_brings_as_much_have_no_such_hands() -> None:
    tournament = make.tournament("dalmuti", "4i")
    sheets: list[Sheet] = [{"order": [0, 1, 2, 3]}, {"order": [1, 0, 2, 3]}, {"bare": "void"}]
    play_round(tournament, (FOUR, sheets))
    assert moments(tournament) == ("Neema took the lead at the start, with 1.",)


def test_who_comes_from_far_behind_is_told() -> None:
    tournament = make.tournament()
    tables = tables_of_four(3)
    play_round(tournament, *((each, eaten(*[70] * wins)) for wins, each in enumerate(tables, 1)))
    a, b, c, d = tables[0]
    play_round(tournament, ((b, a, d, c), eaten(*[70] * 9)))

    assert [moment for moment in moments(tournament, 2) if "came up" in moment] == [
        "B0 came up from place 7 to place 1.",
        "D0 came up from place 7 to place 1.",
    ]


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ("keep", "Two different counts of Hand 1 at table 1: the first stood."),
        ("take", "Two different counts of Hand 1 at table 1: the other counted."),
        ("two", "Two counts at table 1 were two hands: Hand 1 and one more."),
        ("void", "Two different counts of Hand 1 at table 1 were settled."),
        ("mended", "Hand 1 at table 1 did not add up, and was settled."),
    ],
)
def test_a_conflict_or_a_wrong_count_that_was_settled_is_told(outcome: str, words: str) -> None:
    table = make.sitting(*FOUR, at=make.tournament())
    more: dict[str, Any] = {}
    if outcome == "mended":
        make.report(table, {"bare": 0}, parked=True)
        more = {"sheet": {"eaten": [70, 50]}}
    else:
        make.report(table, {"eaten": [70, 50]}, device="a")
        make.report(table, {"eaten": [50, 70]}, number=1, device="b", is_next=False)
        assert words not in moments(table.round.tournament)
    act.settle(outcome, by=DESK, **more)

    assert words in moments(table.round.tournament)


def test_what_was_on_the_wall_stays_beside_what_is_known_today() -> None:
    tournament = make.tournament(teams=True)
    round_ = play_round(tournament, (FOUR, eaten(70)))
    stories = [story_of_round(tournament)]
    act.correct(round_.sittings.get(), {1: {"eaten": [50, 70]}}, at=DESK.at, device="desk")
    stories.append(story_of_round(tournament))

    assert [
        [
            tuple(row[name] for name in ("place", "name", "points", "points_today"))
            for row in story["published"]
        ]
        for story in stories
    ] == [
        [("1", "Asha & Juma", "1", "1"), ("2", "Neema & Baraka", "0", "0")],
        [("1", "Asha & Juma", "1", "0"), ("2", "Neema & Baraka", "0", "1")],
    ]
    assert [story["mended"] for story in stories] == [False, True]


def test_a_sitting_that_is_still_played_is_in_the_story() -> None:
    tournament = make.tournament()
    played(tournament, *eaten(70))
    story = story_of_round(tournament)

    assert (story["round"].state, story["published"]) == ("open", [])
    assert story["moments"] == ("Asha & Juma tied for the lead, with 1 each.",)


# The picture's sheet ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "least", "values"),
    [
        (0, 1, 1, "0 1"),
        (0, 7, 1, "0 2 4 6 8"),
        (-3, 12, 1, "-5 0 5 10 15"),
        (0, 480, 1, "0 100 200 300 400 500"),
        (5, 5, 1, "5 6"),
        # Shares have finer lines.
        ("2/5", "3/5", "1/20", "2/5 9/20 1/2 11/20 3/5"),
    ],
)
def test_lines_across_stand_at_round_values(low: Any, high: Any, least: Any, values: str) -> None:
    lines = round_values(Fraction(low), Fraction(high), Fraction(least))
    assert " ".join(map(str, lines)) == values


def test_names_keep_apart_and_on_the_sheet() -> None:
    placed = spread([float(WIDE.bottom)] * 6, **ROOM)

    assert placed == sorted(placed)
    assert placed[-1] == WIDE.bottom
    gaps = {round(later - earlier, 1) for earlier, later in pairwise(placed)}
    assert gaps == {round(WIDE.gap, 1)}
    assert spread([float(WIDE.top) - 40], **ROOM) == [WIDE.top]


def test_every_runner_has_a_line_the_named_lie_above_and_some_rounds_have_numbers() -> None:
    series = {key: (Fraction(0), Fraction(key)) for key in range(1, 9)}
    picture = draw(series, {8: "8 Asha", 7: "7 Juma"})
    long = draw({1: tuple(map(Fraction, range(15)))}, {1: "14 Asha"})

    assert [line.key for line in picture.lines] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [line.label_y is not None for line in picture.lines] == [False] * 6 + [True] * 2
    assert picture.lines[-1].end[1] == WIDE.top
    assert [number for _, number in picture.x_marks] == [1]
    assert [number for _, number in long.x_marks] == [3, 6, 9, 12]
    assert long.right < WIDE.width
    assert draw(series, {1: "a name without an end" * 9}, NARROW).right > NARROW.width / 3


# Pages --------------------------------------------------------------------------------------------


def evening(rounds: int = 2, **more: Any) -> Tournament:
    tournament = make.tournament(**more)
    for _ in range(rounds):
        play_round(tournament, (FOUR, eaten(70, 105, 70, 70)))
    return tournament


def picture(client: Client, tournament: Tournament, query: str = "") -> ET.Element:
    answer = client.get(path("race", tournament, query=query))
    assert answer.headers["Content-Type"] == "image/svg+xml"
    return ET.fromstring(answer.content)


def test_the_page_shows_race_rounds_and_numbers(client: Client) -> None:
    tournament = evening(teams=True)
    page = client.get(path("story", tournament))

    shows(page, "The race", "Round 2", "took the lead", "As it was announced", "In numbers")
    table = page.context["table"]
    assert [str(column.header) for column in table.columns][1:] == ["Round 1", "Round 2"]
    first = next(iter(table.rows))
    assert [str(cell) for _, cell in first.items()][1:] == ["5", "10"]
    team = tournament.entrants.get(team__name="Asha & Juma").team_id
    shows(page, path("race", tournament), path("team", team))


def test_before_two_rounds_are_played_there_is_no_race(client: Client) -> None:
    tournament, one = make.tournament(), evening(1)
    make.sitting(at=tournament)

    shows(client.get(path("story", tournament)), "No story yet")
    assert client.get(path("race", tournament)).status_code == 404
    page = client.get(path("story", one))
    shows(page, "tied for the lead")
    lacks(page, "The race", "<figure")


def test_the_picture_is_whole_and_has_nothing_a_policy_forbids(client: Client) -> None:
    tournament = evening()
    Player.objects.filter(name="Asha").update(name='<script>&"')
    svg = picture(client, tournament)

    kinds = {element.tag.rpartition("}")[2] for element in svg.iter()}
    assert kinds == {"svg", "title", "rect", "g", "line", "text", "polyline", "circle"}
    used = {name for element in svg.iter() for name in element.attrib}
    assert not {"style", "class", "onload", "href"} & used
    words = [str(element.text) for element in svg.iter() if element.text]
    assert '10  <script>&"' in words
    assert 'The race of points over 2 rounds; in the lead: <script>&" & Juma, with 10.' in words
    inks, dark, usual = (
        {each.get("stroke") for each in picture(client, tournament, query).iter()} - {None}
        for query in ("", "?look=dark", "?look=nonsense")
    )
    assert inks & dark == set()
    assert inks == usual


def test_whole_names_stand_beside_the_lines(client: Client) -> None:
    tournament = make.tournament()
    tables = [[f"{name} of the coast" for name in names] for names in tables_of_four(3)]
    play_round(tournament, *((names, eaten(70)) for names in tables))

    for sheet, named in (("", 12), ("?sheet=narrow", 10)):
        svg = picture(client, tournament, sheet)
        assert sum(element.tag.endswith("polyline") for element in svg.iter()) == 12
        labels = [each for each in svg.iter() if "  " in (each.text or "").strip()]
        assert len(labels) == named
        assert sum(bool(each.get("font-weight")) for each in labels) == 6  # who has a colour
        assert not [each.text for each in labels if "…" in str(each.text)]
        # A letter of the widest usual face is 0.7 of its size wide, so that none is cut off.
        size = float(svg.attrib["font-size"])
        right = [float(each.attrib["x"]) + 0.7 * size * len(each.text or "") for each in labels]
        assert max(right) <= float(svg.attrib["width"])


@pytest.mark.parametrize("rounds", [1, 3])
def test_a_story_costs_the_same_however_long_it_is(client: Client, rounds: int) -> None:
    tournament = evening(rounds)

    # The tournament; sums, entrants, awards; rounds; hands, who sat there; what was settled.
    with costs(8):
        page = client.get(path("story", tournament))
    assert len(page.context["rounds"]) == rounds
    with costs(4):  # the tournament; sums, entrants, awards
        picture(client, tournament)
