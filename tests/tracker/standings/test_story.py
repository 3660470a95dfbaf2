"""A tournament told round by round, and the picture of its race."""

from datetime import timedelta
from fractions import Fraction
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests import make
from tests.make import NOON
from tracker.models import (
    Award,
    AwardKind,
    Club,
    Issue,
    Player,
    Role,
    Round,
    RoundState,
    Sitting,
    TieResolution,
    Tournament,
)
from tracker.nights.services.closing import close_round
from tracker.results.services.corrections import correct_sitting
from tracker.results.services.settling import IssueOutcome, settle
from tracker.standings.logic.race_chart import NARROW, WIDE, draw, round_values, spread
from tracker.standings.pages.story import RoundStory, round_stories
from tracker.standings.queries.points_by_round import race
from tracker.standings.queries.standings import standings
from tracker.standings.services.standings import finish_tournament, resolve_tie

pytestmark = pytest.mark.django_db

FOUR = ("Asha", "Neema", "Juma", "Baraka")
LATER = NOON + timedelta(hours=5)
ROOM = {"top": WIDE.top, "bottom": WIDE.bottom, "gap": WIDE.gap}


def play_round(
    tournament: Tournament, *tables: tuple[tuple[str, ...], list[dict[str, Any]]]
) -> Round:
    """Play a round, a table after another, and close it."""
    round_ = make.round_of(tournament)
    for names, sheets in tables:
        table = make.sitting(*names, in_round=round_)
        for sheet in sheets:
            make.report(table, sheet)
    close_round(
        round_id=round_.pk, by=make.actor(at=NOON + timedelta(hours=round_.number)), anyway=True
    )
    round_.refresh_from_db()
    return round_


def eaten(*totals: int) -> list[dict[str, Any]]:
    """Return a hand for each of these totals of the first side."""
    return [{"eaten": [total, 120 - total]} for total in totals]


def story_of_round(tournament: Tournament, number: int) -> RoundStory:
    return next(
        round_
        for round_ in round_stories(tournament, race(tournament))
        if round_.round.number == number
    )


# The race -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("hands", [2, None], ids=["of two hands", "without an end"])
@pytest.mark.parametrize("teams", [False, True])
def test_the_race_agrees_with_the_standing_after_every_round(
    *, teams: bool, hands: int | None
) -> None:
    tournament = make.tournament(teams=teams, hands=hands)
    four = ("Zuwena", "Ali", "Rehema", "Omari")
    play_round(tournament, (FOUR, eaten(70, 105)), (four, eaten(60, 40)))
    play_round(tournament, (FOUR, eaten(50)), (four, eaten(30, 110)))
    play_round(tournament, (FOUR, eaten(20, 15)), (four, eaten(70, 71)))
    entrants = list(tournament.entrants.order_by("pk"))
    first, second = tournament.rounds.filter(number__lte=2).order_by("number")
    for entrant, in_round, amount, rule in (
        (entrants[0], first, -1, ""),
        (entrants[1], first, None, "average"),
        (entrants[2], second, None, "average"),
        (entrants[1], None, 3, ""),
    ):
        Award.objects.create(
            tournament=tournament,
            entrant=entrant,
            round=in_round,
            kind=AwardKind.RESTING if rule else AwardKind.AWARD,
            amount=amount,
            rule=rule,
            reason="because",
        )

    run = race(tournament)

    for position, number in enumerate(run.rounds):
        last = number == max(run.rounds)
        upto = None if last else tournament.rounds.get(number=number)
        expected = {
            row.entrant: (row.place, row.figures["victory_points"])
            for row in standings(tournament, upto=upto).rows
        }
        assert expected == {
            runner.entrant.pk: (runner.places[position], runner.points[position + 1])
            for runner in run.runners
        }
    assert run.rounds == (1, 2, 3)
    assert {runner.points[0] for runner in run.runners} == {0}
    assert [runner.places[-1] for runner in run.runners] == sorted(
        runner.places[-1] for runner in run.runners
    )


def test_the_race_ends_as_ties_were_settled() -> None:
    tournament = make.tournament()
    play_round(tournament, (FOUR, eaten(70)))
    finish_tournament(tournament_id=tournament.pk, by=make.actor())
    level = tournament.entrants.filter(player__name__in=["Asha", "Juma"]).order_by("player__name")
    asha, juma = level.values_list("pk", flat=True)

    tournament = resolve_tie(
        tournament_id=tournament.pk, how=TieResolution.CUT, order=[juma, asha], by=make.actor()
    )

    assert [(runner.name, runner.places) for runner in race(tournament).runners[:2]] == [
        ("Juma", (1,)),
        ("Asha", (2,)),
    ]


def test_undone_rounds_and_empty_ones_are_not_in_the_race() -> None:
    tournament = make.tournament()
    undone = play_round(tournament, (FOUR, eaten(70)))
    Round.objects.filter(pk=undone.pk).update(state=RoundState.UNDONE)
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
    other = ("Zuwena", "Ali", "Rehema", "Omari")
    for ours, theirs in ((70, 60), (60, 60), (60, 70), (60, 70), (70, 70), (70, 60)):
        play_round(tournament, (FOUR, eaten(ours)), (other, eaten(theirs)))

    moments = [round_.moments[0] for round_ in round_stories(tournament, race(tournament))]

    assert moments[:2] == [
        "Asha & Juma took the lead at the start, with 1.",
        "Asha & Juma stayed in the lead, with 1.",
    ]
    assert moments[2:] == [
        "Asha & Juma & Zuwena & Rehema tied for the lead, with 1 each.",
        "Zuwena & Rehema took the lead alone, with 2.",
        "Zuwena & Rehema stayed in the lead, with 3.",
        "Asha & Juma & Zuwena & Rehema tied for the lead, with 3 each.",
    ]


def test_a_lead_that_passes_is_told_with_whom_it_passes() -> None:
    tournament = make.tournament(teams=True)
    play_round(tournament, (FOUR, eaten(70)))
    play_round(tournament, (FOUR, eaten(50, 50)))

    assert story_of_round(tournament, 2).moments == (
        "Neema & Baraka went past Asha & Juma into the lead, with 2.",
    )


def test_many_level_are_counted() -> None:
    tournament = make.tournament()
    tables = [tuple(f"{seat}{table}" for seat in "ABCD") for table in range(2)]
    play_round(tournament, *((names, eaten(70)) for names in tables))

    assert story_of_round(tournament, 1).moments == ("4 players tied for the lead, with 1 each.",)


def test_those_whom_only_a_tie_break_puts_first_are_not_all_who_have_as_many() -> None:
    tournament = make.tournament("briscola")
    play_round(tournament, (FOUR, [{"points": [70, 50]}, {"bare": 1}]))

    assert story_of_round(tournament, 1).moments == (
        "4 players have 1 each; Asha & Juma are placed first.",
    )


def test_hands_worth_more_than_usual_are_told_with_their_people() -> None:
    tournament = make.tournament()
    play_round(tournament, (FOUR, eaten(70, 105, 60, 50, 70, 40)))

    hand = reverse("hand", args=[tournament.rounds.get().sittings.get().pk, 2])
    assert story_of_round(tournament, 1).moments[1:] == (
        f'Asha &amp; Juma took 2 in one hand. <a href="{hand}">Table 1, Hand 2</a>',
    )


def test_many_such_hands_are_only_counted() -> None:
    tournament = make.tournament()
    play_round(tournament, (FOUR, eaten(*[70] * 8, *[15] * 6)))

    moments = story_of_round(tournament, 1).moments

    assert len([moment for moment in moments if "2 in one hand" in moment]) == 4
    assert moments[-1] == "And 2 more like it."


def test_games_in_which_every_hand_brings_as_much_have_no_such_hands() -> None:
    tournament = make.tournament("dalmuti", "4i")
    play_round(
        tournament, (FOUR, [{"order": [0, 1, 2, 3]}, {"order": [1, 0, 2, 3]}, {"bare": "void"}])
    )

    assert story_of_round(tournament, 1).moments == ("Neema took the lead at the start, with 1.",)


def test_who_comes_from_far_behind_is_told() -> None:
    tournament = make.tournament()
    tables = [tuple(f"{seat}{table}" for seat in "ABCD") for table in range(3)]
    play_round(
        tournament, *((names, eaten(*[70] * (table + 1))) for table, names in enumerate(tables))
    )
    first = tables[0]
    play_round(tournament, ((first[1], first[0], first[3], first[2]), eaten(*[70] * 9)))

    climbs = [moment for moment in story_of_round(tournament, 2).moments if "came up" in moment]

    assert climbs == [
        "B0 came up from place 7 to place 1.",
        "D0 came up from place 7 to place 1.",
    ]


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (IssueOutcome.KEEP, "Two different counts of Hand 1 at table 1: the first stood."),
        (IssueOutcome.TAKE, "Two different counts of Hand 1 at table 1: the other counted."),
        (IssueOutcome.TWO, "Two counts at table 1 were two hands: Hand 1 and one more."),
        (IssueOutcome.VOID, "Two different counts of Hand 1 at table 1 were settled."),
    ],
)
def test_a_conflict_that_was_settled_is_told(outcome: IssueOutcome, words: str) -> None:
    tournament = make.tournament()
    table = make.sitting(*FOUR, at=tournament)
    make.report(table, {"eaten": [70, 50]}, device="a")
    make.report(table, {"eaten": [50, 70]}, number=1, device="b", is_next=False)
    before = story_of_round(tournament, 1).moments

    settle(
        issue_id=Issue.objects.get().pk,
        outcome=outcome,
        reason="asked them",
        by=make.actor(at=LATER, device="desk"),
    )

    assert words not in before
    assert words in story_of_round(tournament, 1).moments


def test_a_hand_that_would_not_add_up_is_told_when_it_is_settled() -> None:
    tournament = make.tournament()
    table = make.sitting(*FOUR, at=tournament)
    make.report(table, {"bare": 0}, parked=True)
    settle(
        issue_id=Issue.objects.get().pk,
        outcome=IssueOutcome.MENDED,
        sheet={"eaten": [70, 50]},
        reason="counted again",
        by=make.actor(at=LATER, device="desk"),
    )

    words = "Hand 1 at table 1 did not add up, and was settled."
    assert words in story_of_round(tournament, 1).moments


def test_what_was_on_the_wall_stays_beside_what_is_known_today() -> None:
    tournament = make.tournament(teams=True)
    round_ = play_round(tournament, (FOUR, eaten(70)))
    plain = story_of_round(tournament, 1)
    correct_sitting(
        sitting_id=round_.sittings.get().pk,
        changes={1: {"eaten": [50, 70]}},
        reason="the wrong way round",
        by=make.actor(at=LATER, device="desk"),
    )

    mended = story_of_round(tournament, 1)

    assert [(row.place, row.name, row.points, row.points_today) for row in plain.published] == [
        ("1", "Asha & Juma", "1", "1"),
        ("2", "Neema & Baraka", "0", "0"),
    ]
    assert [(row.place, row.name, row.points, row.points_today) for row in mended.published] == [
        ("1", "Asha & Juma", "1", "0"),
        ("2", "Neema & Baraka", "0", "1"),
    ]
    assert (plain.mended, mended.mended) == (False, True)


# The picture's sheet ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "values"),
    [
        (0, 1, ["0", "1"]),
        (0, 7, ["0", "2", "4", "6", "8"]),
        (-3, 12, ["-5", "0", "5", "10", "15"]),
        (0, 480, ["0", "100", "200", "300", "400", "500"]),
        (5, 5, ["5", "6"]),
    ],
)
def test_lines_across_stand_at_round_values(low: int, high: int, values: list[str]) -> None:
    assert [str(value) for value in round_values(Fraction(low), Fraction(high))] == values


def test_shares_have_finer_lines() -> None:
    values = round_values(Fraction(2, 5), Fraction(3, 5), Fraction(1, 20))

    assert [str(value) for value in values] == ["2/5", "9/20", "1/2", "11/20", "3/5"]


def test_names_keep_apart_and_on_the_sheet() -> None:
    placed = spread([float(WIDE.bottom)] * 6, **ROOM)

    assert placed == sorted(placed)
    assert placed[-1] == WIDE.bottom
    gaps = {round(later - earlier, 1) for earlier, later in pairwise(placed)}
    assert gaps == {round(WIDE.gap, 1)}
    assert spread([float(WIDE.top) - 40], **ROOM) == [WIDE.top]


def test_every_runner_has_a_line_and_the_named_lie_above() -> None:
    series = {key: (Fraction(0), Fraction(key)) for key in range(1, 9)}

    picture = draw(series, {8: "8 Asha", 7: "7 Juma"})

    assert [line.key for line in picture.lines] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [line.label_y is not None for line in picture.lines] == [False] * 6 + [True] * 2
    assert picture.lines[-1].end[1] == WIDE.top
    assert [number for _, number in picture.x_marks] == [1]


def test_a_long_race_numbers_only_some_of_its_rounds() -> None:
    picture = draw({1: tuple(Fraction(number) for number in range(15))}, {1: "14 Asha"})

    assert [number for _, number in picture.x_marks] == [3, 6, 9, 12]


def test_a_race_uses_the_width_that_its_names_leave() -> None:
    series = {1: (Fraction(0), Fraction(1))}

    short, long = (draw(series, {1: name}).right for name in ("1 Asha", "1 Chausiku Mwinyi"))

    assert WIDE.width * 0.7 < long < short < WIDE.width
    assert draw(series, {1: "a name without an end" * 9}, NARROW).right > NARROW.width / 3


# Pages --------------------------------------------------------------------------------------------


def evening(rounds: int = 2, **more: Any) -> Tournament:
    tournament = make.tournament(**more)
    for _ in range(rounds):
        play_round(tournament, (FOUR, eaten(70, 105, 70, 70)))
    return tournament


def picture(client: Client, tournament: Tournament, query: str = "") -> ET.Element:
    answer = client.get(reverse("race", args=[tournament.pk]) + query)
    assert answer.headers["Content-Type"] == "image/svg+xml"
    return ET.fromstring(answer.content)


def test_the_page_shows_race_rounds_and_numbers(client: Client) -> None:
    tournament = evening()

    page = client.get(reverse("story", args=[tournament.pk]))

    for words in ("The race", "Round 2", "tied for the lead", "As it was announced", "In numbers"):
        assert words in page.text
    table = page.context["table"]
    assert [str(column.header) for column in table.columns] == ["Player", "Round 1", "Round 2"]
    first = next(iter(table.rows))
    assert [str(cell) for _, cell in first.items()][1:] == ["5", "10"]
    assert reverse("race", args=[tournament.pk]) in page.text


def test_one_round_is_told_and_is_no_race_yet(client: Client) -> None:
    page = client.get(reverse("story", args=[evening(1).pk])).text

    assert "tied for the lead" in page
    assert "The race" not in page
    assert "<figure" not in page


def test_a_team_leads_to_its_page(client: Client) -> None:
    tournament = evening(teams=True)

    team = tournament.entrants.get(team__name="Asha & Juma").team_id
    assert reverse("team", args=[team]) in client.get(reverse("story", args=[tournament.pk])).text


def test_before_the_first_hand_there_is_nothing_to_tell(client: Client) -> None:
    tournament = make.tournament()
    make.sitting(*FOUR, at=tournament)

    assert "No story yet" in client.get(reverse("story", args=[tournament.pk])).text
    assert client.get(reverse("race", args=[tournament.pk])).status_code == 404


def test_the_picture_is_whole_and_has_nothing_a_policy_forbids(client: Client) -> None:
    tournament = evening()
    Player.objects.filter(name="Asha").update(name='<script>&"')

    svg = picture(client, tournament)

    kinds = {element.tag.rpartition("}")[2] for element in svg.iter()}
    assert kinds == {"svg", "title", "rect", "g", "line", "text", "polyline", "circle"}
    assert not {"style", "class", "onload", "href"} & {
        name for element in svg.iter() for name in element.attrib
    }
    words = [str(element.text) for element in svg.iter() if element.text]
    assert '10  <script>&"' in words
    assert 'The race of points over 2 rounds; in the lead: <script>&" & Juma, with 10.' in words


def test_the_picture_has_other_colours_on_a_dark_page(client: Client) -> None:
    tournament = evening()

    def inks(query: str) -> set[str]:
        return {
            str(e.get("stroke"))
            for e in picture(client, tournament, query).iter()
            if e.get("stroke")
        }

    assert inks("") & inks("?look=dark") == set()
    assert inks("?look=nonsense") == inks("")


@pytest.mark.parametrize(("sheet", "named"), [("", 12), ("?sheet=narrow", 10)])
def test_whole_names_stand_beside_the_lines(client: Client, sheet: str, named: int) -> None:
    tournament = make.tournament()
    tables = [tuple(f"{seat}{table} of the coast" for seat in "ABCD") for table in range(3)]
    play_round(tournament, *((names, eaten(70)) for names in tables))

    svg = picture(client, tournament, sheet)

    ways = [element for element in svg.iter() if element.tag.endswith("polyline")]
    labels = [e for e in svg.iter() if "  " in (e.text or "").strip()]
    assert (len(ways), len(labels)) == (12, named)
    assert len([e for e in labels if e.get("font-weight")]) == 6  # who has a colour
    assert not [e.text for e in labels if "…" in str(e.text)]
    # A letter of the widest usual face is 0.7 of its size wide, so that none is cut off.
    size = float(svg.attrib["font-size"])
    right = [float(e.attrib["x"]) + 0.7 * size * len(e.text or "") for e in labels]
    assert max(right) <= float(svg.attrib["width"])


@pytest.mark.parametrize("address", ["story", "race"])
def test_a_private_tournament_is_told_to_nobody_else(client: Client, address: str) -> None:
    tournament = evening()
    Club.objects.filter(pk=tournament.club_id).update(public=False)
    path = reverse(address, args=[tournament.pk])

    stranger = client.get(path).status_code
    client.force_login(make.user(role=Role.SCORER, club=tournament.club))

    assert (stranger, client.get(path).status_code) == (404, 200)


@pytest.mark.parametrize("rounds", [1, 3])
def test_a_story_costs_the_same_however_long_it_is(
    client: Client, rounds: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = evening(rounds)

    # The tournament; sums, entrants, awards; rounds; hands, who sat there; what was settled.
    with django_assert_num_queries(8):
        page = client.get(reverse("story", args=[tournament.pk]))

    assert len(page.context["rounds"]) == rounds


@pytest.mark.parametrize("rounds", [1, 3])
def test_a_picture_costs_the_same_however_long_the_race(
    client: Client, rounds: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tournament = evening(rounds)

    with django_assert_num_queries(4):  # the tournament; sums, entrants, awards
        picture(client, tournament)


def test_a_sitting_that_is_still_played_is_in_the_story() -> None:
    tournament = make.tournament()
    table: Sitting = make.sitting(*FOUR, at=tournament)
    make.report(table, {"eaten": [70, 50]})

    round_ = story_of_round(tournament, 1)

    assert (round_.round.state, round_.published) == ("open", ())
    assert round_.moments == ("Asha & Juma tied for the lead, with 1 each.",)
