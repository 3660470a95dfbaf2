"""Seasons: how much of the room somebody beat, over many tournaments of any game."""

from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.db import IntegrityError
from django.test import Client
from hypothesis import given, strategies as st
from pytest_django.asserts import assertRedirects

from tests import act, make
from tests.make import NOON
from tests.reading import costs, lacks, path, shows
from tests.tracker.standings.tables import FOUR, Sheet, eaten, over, played
from tracker.models import (
    Club,
    Format,
    LogEntry,
    Movement,
    Player,
    Role,
    Season,
    SeasonRule,
    Sitting,
    Tournament,
)
from tracker.standings.queries.seasons import (
    LEAST_FIELD,
    counting,
    percent_of_field_beaten,
    rank_season,
    season_points,
    season_standing,
)
from tracker.standings.services.seasons import save_season
from tracker.standings.services.stages import StagePlan, begin_stage
from tracker.standings.services.standings import reopen_tournament
from tracker.tournaments.services.tournaments import make_tournament, put_in_season

THIRD = Fraction(100, 3)
PLACES = st.lists(st.integers(1, 9), min_size=LEAST_FIELD, max_size=12)
SCORES = st.lists(st.fractions(0, 100, max_denominator=12), max_size=9)


@given(PLACES, st.randoms(use_true_random=False))
def test_a_field_shares_out_fifty_each_by_place(places: list[int], rng: Any) -> None:
    listed = list(enumerate(places))
    beaten = percent_of_field_beaten(dict(rng.sample(listed, len(listed))))

    assert sum(beaten.values()) == 50 * len(places)
    assert all(0 <= worth <= 100 for worth in beaten.values())
    for player, place in listed:
        for other, its_place in listed:
            assert (beaten[player] > beaten[other]) == (place < its_place)


@given(SCORES, st.integers(1, 9))
def test_no_other_choice_of_so_many_is_worth_more(scores: list[Fraction], best: int) -> None:
    counted = counting(scores, SeasonRule.BEST, best)
    left = [score for position, score in enumerate(scores) if position not in counted]
    assert len(counted) == min(best, len(scores))
    assert all(scores[position] >= score for position in counted for score in left)


@given(SCORES, st.randoms(use_true_random=False), st.sampled_from(SeasonRule))
def test_no_order_of_evenings_counts(scores: list[Fraction], rng: Any, rule: SeasonRule) -> None:
    shuffled = rng.sample(scores, len(scores))
    assert season_points(shuffled, rule, 3) == season_points(scores, rule, 3)


@given(
    st.dictionaries(st.integers(), SCORES.filter(bool)),
    st.integers(1, 9),
    st.sampled_from(SeasonRule),
)
def test_of_an_average_alone_nobody_with_too_few_stands_before_anybody(
    scores: dict[int, list[Fraction]], least: int, rule: SeasonRule
) -> None:
    best = 2 if rule == SeasonRule.BEST else None
    ranked, unplaced = rank_season(scores, rule, best=best, least=least)

    few = [who for who in scores if len(scores[who]) < least and rule == SeasonRule.AVERAGE]
    assert sorted(unplaced) == sorted(few)
    assert sorted([placed.item for placed in ranked] + unplaced) == sorted(scores)


@pytest.fixture
def club(db: None) -> Club:
    return make.club()


@pytest.fixture
def season(club: Club) -> Season:
    return begun(club, "Autumn")


def begun(club: Club, name: str, **more: Any) -> Season:
    return save_season(Season(club=club, name=name, **more), by=make.actor())


def finished(
    season: Season, *people: str, sheet: Sheet | None = None, game: str = "dalmuti", mode: str = ""
) -> Tournament:
    """Play one game at one table, by default so that everybody goes out as they are named."""
    mode = mode or f"{len(people)}i"
    tournament = make.tournament(game, mode, club=season.club, season=season)
    played(tournament, sheet or {"order": list(range(len(people)))}, names=people)
    act.finish(over(tournament))
    return tournament


def reopen(tournament: Tournament) -> None:
    reopen_tournament(tournament_id=tournament.pk, by=make.actor())


def standing_rows(season: Season) -> list[tuple[int | None, str, Fraction, int]]:
    return [(row.place, row.name, row.points, row.played) for row in season_standing(season).rows]


def names_of(season: Season) -> list[str]:
    return [row.name for row in season_standing(season).rows]


def test_a_season_adds_up_how_much_of_the_room_was_beaten(season: Season) -> None:
    finished(season, *FOUR, "Zuwena")
    finished(season, "Baraka", "Asha", "Juma", "Omari")

    assert standing_rows(season) == [
        (1, "Asha", 100 + 2 * THIRD, 2),
        (2, "Baraka", Fraction(125), 2),
        (3, "Juma", 50 + THIRD, 2),
        (4, "Neema", Fraction(75), 1),
        (5, "Omari", Fraction(0), 1),
        (5, "Zuwena", Fraction(0), 1),
    ]


def test_games_mix_and_who_is_level_shares(season: Season) -> None:
    finished(season, *FOUR)
    finished(season, *FOUR, game="albastini", mode="4t2", sheet={"eaten": [70, 50]})

    assert standing_rows(season) == [
        (1, "Asha", 100 + Fraction(250, 3), 2),
        (2, "Juma", THIRD + Fraction(250, 3), 2),
        (3, "Neema", 2 * THIRD + Fraction(50, 3), 2),
        (4, "Baraka", Fraction(50, 3), 2),
    ]


@pytest.mark.parametrize(
    ("rule", "best", "points"),
    [(SeasonRule.BEST, 1, 100), (SeasonRule.SUM, None, 200), (SeasonRule.AVERAGE, None, 50)],
)
def test_the_rule_of_the_season_says_what_counts(
    club: Club, rule: SeasonRule, best: int | None, points: int
) -> None:
    season = begun(club, "Autumn", rule=rule, best_of=best)
    for order in ("ANJB", "ANJB", "NJBA", "NJBA"):
        finished(season, *order)

    [asha] = [row for row in season_standing(season).rows if row.name == "A"]
    assert asha.points == points
    assert sum(score.counts for score in asha.scores) == (best or 4)


def test_who_came_once_and_won_leads_no_season_by_average(client: Client, club: Club) -> None:
    average = begun(club, "Autumn", rule=SeasonRule.AVERAGE)
    for order in (FOUR, ("Asha", "Juma", "Neema", "Baraka"), ("Omari", *FOUR)):
        finished(average, *order)
    address = path("season", average)
    rows = season_standing(average).rows
    page = client.get(address)

    assert [(row.place, row.name, row.played) for row in rows] == [
        (1, "Asha", 3),
        (2, "Neema", 3),
        (3, "Juma", 3),
        (4, "Baraka", 3),
        (None, "Omari", 1),
    ]
    assert rows[-1].points == 100 > rows[0].points
    least = "Whoever has played fewer than 3 tournaments is listed last, without a place."
    shows(page, "The average counts of everybody who has played 3 tournaments or more.", least)
    assert page.text.count('class="leader') == 1
    assert client.get(address + "?_export=csv").text.splitlines()[-1] == ",Omari,100,1,100,100"

    average.least_played = 1  # a club may ask for less
    save_season(average, by=make.actor())

    page = client.get(address)
    assert standing_rows(average)[0] == (1, "Omari", Fraction(100), 1)
    shows(page, "The average of everybody’s tournaments counts.")
    lacks(page, "without a place")


def test_each_of_a_pair_who_really_played_gets_what_the_pair_got(season: Season) -> None:
    tournament = make.tournament("albastini", "4t2", club=season.club, season=season, teams=True)
    for eats, people in ((71, FOUR), (72, "WXYZ")):
        played(tournament, *eaten(eats), names=people)
    absent = make.player("Ali", club=season.club)
    make.team(make.player("Asha", club=season.club), absent, name="Asha & Juma")
    act.finish(over(tournament))
    points = {row.name: row.points for row in season_standing(season).rows}

    assert points["W"] == points["Y"] == 100
    assert points["Asha"] == points["Juma"] == 2 * THIRD
    assert points["Neema"] == points["Baraka"] == THIRD
    assert "Ali" not in points


def test_visitors_are_beaten_but_stand_in_it_only_where_ticked(season: Season) -> None:
    tournament = finished(season, *FOUR)
    make.entrant(make.player("Ali", club=season.club), at=tournament)  # who never played
    Player.objects.filter(name="Asha").update(in_season=False, visitor_from="Temeke")

    assert standing_rows(season)[0] == (1, "Neema", 2 * THIRD, 1)
    assert names_of(season) == ["Neema", "Juma", "Baraka"]


def test_a_correction_moves_the_season_and_what_is_not_official_waits(season: Season) -> None:
    tournament = finished(season, *FOUR)
    act.correct(Sitting.objects.get(), {1: {"order": [3, 2, 1, 0]}})
    corrected = names_of(season)
    reopen(tournament)

    assert corrected == ["Baraka", "Juma", "Neema", "Asha"]
    assert standing_rows(season) == []
    [waiting] = season_standing(season).tournaments
    assert waiting["why_not"] == "not official yet"


@pytest.mark.parametrize("field", range(LEAST_FIELD))
def test_a_small_field_does_not_count(client: Client, season: Season, field: int) -> None:
    assert percent_of_field_beaten({player: player + 1 for player in range(field)}) == {}
    if field == LEAST_FIELD - 1:
        finished(season, *FOUR[:field])
        shows(client.get(path("season", season)), "fewer than 4 played", "Nothing counts yet")


def test_pages_cost_the_same_however_many_there_are(client: Client, season: Season) -> None:
    for number in range(1, 4):
        finished(season, *FOUR)
        with costs(6):
            page = client.get(path("season", season))
        shows(page, "the share of the field you beat, out of 100", "Tournament by tournament")
        with costs(2):
            seasons = client.get(path("seasons", season.club))
        assert seasons.text.count("best 6 tournaments") == number
        begun(season.club, f"Season {number}")

    lines = client.get(path("season", season, query="?_export=csv")).text.splitlines()
    assert [line.lstrip("\ufeff") for line in lines[:2]] == [
        "Place,Player,Season points,Tournaments,Average,Best tournament",
        "1,Asha,300,3,100,100",
    ]


# The organiser's pages ----------------------------------------------------------------------------


@pytest.fixture
def organiser(club: Club) -> Client:
    return act.sign_in(Role.ORGANISER, club)


def test_an_organiser_begins_a_season_and_changes_it(organiser: Client, club: Club) -> None:
    asked = {"name": "Autumn", "rule": "best_n", "best_of": "6", "least_played": "3"}
    changes = {"name": "Winter", "rule": "average", "best_of": "", "least_played": "4"}
    made = organiser.post(path("seasons", club), asked)
    season = Season.objects.get()
    changed = organiser.post(path("season-edit", season), changes)

    for answer in (made, changed):
        assertRedirects(answer, path("season", season))
    season.refresh_from_db()
    assert (season.name, season.rule, season.best_of) == ("Winter", "average", None)
    assert season.least_played == 4
    verbs = LogEntry.objects.order_by("pk").values_list("verb", flat=True)
    assert [*verbs] == ["season-made", "season-changed"]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"name": "Spring", "rule": "sum"}, "There is a season called Spring already."),
        ({"name": "Winter", "rule": "best_n", "best_of": ""}, "How many count? From 1 to 200."),
        ({"name": "Winter", "rule": "average", "least_played": ""}, "Please fill this in."),
        ({"name": "Winter", "rule": "average", "least_played": "0"}, "At least 1, please."),
    ],
)
def test_a_season_that_cannot_be_is_refused_beside_its_field(
    organiser: Client, club: Club, asked: dict[str, str], sentence: str
) -> None:
    _, other = begun(club, "Spring"), begun(club, "Summer")

    for address in (path("seasons", club), path("season-edit", other)):
        page = organiser.post(address, {"least_played": "3", **asked})
        shows(page, sentence, f'value="{asked["name"]}"')
        assert page.context["form"].non_field_errors() == []
    shows(page, "Change Summer")
    assert Season.objects.count() == 2
    with pytest.raises(IntegrityError, match="season_best_of_at_least_one"):
        Season.objects.filter(pk=other.pk).update(best_of=None)


def test_a_tournament_is_put_in_the_latest_season(organiser: Client, club: Club) -> None:
    new = path("tournament-new", club, query="?game=albastini")
    lacks(organiser.get(new), "Count it in a season?")  # there is none
    _, latest = begun(club, "Spring"), begun(club, "Summer")
    tournament = make.tournament(club=club, season=latest, hands=8)
    asked = {"name": "Friday Cup", "length": "8", "confirm": "one", "season": ""}
    page = organiser.get(new)
    edit = organiser.post(path("tournament-edit", tournament), asked)

    shows(page, f'<option value="{latest.pk}" selected>Summer</option>')
    assertRedirects(edit, path("desk", tournament))
    tournament.refresh_from_db()
    assert tournament.season is None
    assert LogEntry.objects.get(verb="tournament-in-season").numbers == {"before": latest.pk}


def test_a_tournament_counts_for_a_season_of_its_own_club_alone(club: Club, season: Season) -> None:
    by = make.actor()

    def made(in_season: Season) -> Tournament:
        asked: dict[str, Any] = {"name": "Cup", "game": "dalmuti", "mode": "5i"}
        return make_tournament(club_id=club.pk, **asked, season_id=in_season.pk, by=by)

    with act.refused("season-unknown"):
        made(begun(make.club("Ilala"), "Autumn"))
    again = put_in_season(tournament_id=made(season).pk, season_id=season.pk, by=by)

    assert again.season_id == season.pk
    assert LogEntry.objects.filter(verb="tournament-in-season").count() == 1


# Events -------------------------------------------------------------------------------------------


def event_of_five(season: Season) -> Tournament:
    """Play a Dalmuti cup of five, in which the first four go on to a final and finish backwards."""
    cup = finished(season, *FOUR, "Zuwena")
    first = cup.entrants.exclude(player__name="Zuwena").order_by("pk")
    final = begin_stage(
        sources=[cup.pk],
        entrants=list(first.values_list("pk", flat=True)),
        plan=StagePlan(
            stage="Final",
            mode="4i",
            format_=Format.PLAYERS,
            movement=Movement.FEWEST_REPEATS,
            length=1,
        ),
        by=make.actor(at=NOON + timedelta(hours=1)),
    )
    played(final, {"order": [0, 1, 2, 3]}, names=FOUR[::-1])
    return over(final)


def test_an_event_counts_once_by_where_everybody_ended(season: Season) -> None:
    event = event_of_five(season)
    assert standing_rows(season) == []  # the final is not official
    act.finish(event)

    assert standing_rows(season) == [
        (1, "Baraka", Fraction(100), 1),
        (2, "Juma", Fraction(75), 1),
        (3, "Neema", Fraction(50), 1),
        (4, "Asha", Fraction(25), 1),
        (5, "Zuwena", Fraction(0), 1),
    ]
    [counted] = season_standing(season).tournaments
    assert (counted["tournament"].pk, counted["field"]) == (event.follows_id, 5)
    assert counted["why_not"] == ""
    reopen(event)  # a final that goes on again does not count
    [waiting] = season_standing(season).tournaments
    assert waiting["why_not"] == "not official yet"


def test_events_cost_the_same_however_many(season: Season) -> None:
    for events in (1, 2, 3):
        act.finish(event_of_five(season))
        with costs(6):
            assert {row.played for row in season_standing(season).rows} == {events}
