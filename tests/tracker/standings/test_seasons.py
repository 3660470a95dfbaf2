"""Seasons: how much of the room somebody beat, over many tournaments of any game."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse
from hypothesis import given, strategies as st
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from tests import make
from tests.make import NOON
from tracker.common.errors import Refused
from tracker.models import (
    Club,
    Format,
    LogEntry,
    Movement,
    Player,
    Role,
    RoundState,
    Season,
    SeasonRule,
    Tournament,
)
from tracker.results.services.corrections import correct_sitting
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
from tracker.standings.services.standings import finish_tournament, reopen_tournament
from tracker.tournaments.services.tournaments import make_tournament, put_in_season

PLACES = st.lists(st.integers(1, 9), min_size=LEAST_FIELD, max_size=12)
SCORES = st.lists(st.fractions(0, 100, max_denominator=12), max_size=9)


@given(PLACES)
def test_a_field_shares_out_fifty_each(places: list[int]) -> None:
    beaten = percent_of_field_beaten(dict(enumerate(places)))

    assert sum(beaten.values()) == 50 * len(places)
    assert all(0 <= worth <= 100 for worth in beaten.values())


@given(PLACES, st.randoms(use_true_random=False))
def test_the_order_of_the_list_changes_nothing(places: list[int], rng: Any) -> None:
    listed = list(enumerate(places))
    shuffled = rng.sample(listed, len(listed))

    assert percent_of_field_beaten(dict(shuffled)) == percent_of_field_beaten(dict(listed))


@given(PLACES)
def test_a_better_place_beats_more_and_the_same_as_much(places: list[int]) -> None:
    beaten = percent_of_field_beaten(dict(enumerate(places)))

    for player, place in enumerate(places):
        for other, its_place in enumerate(places):
            assert (beaten[player] > beaten[other]) == (place < its_place)


@pytest.mark.parametrize("field", range(LEAST_FIELD))
def test_a_field_under_four_does_not_count(field: int) -> None:
    assert percent_of_field_beaten({player: player + 1 for player in range(field)}) == {}


@given(SCORES, st.integers(1, 9))
def test_no_other_choice_of_so_many_is_worth_more(scores: list[Fraction], best: int) -> None:
    counted = counting(scores, SeasonRule.BEST, best)
    left = [score for position, score in enumerate(scores) if position not in counted]

    assert len(counted) == min(best, len(scores))
    assert all(scores[position] >= score for position in counted for score in left)


@given(SCORES, st.randoms(use_true_random=False), st.sampled_from(SeasonRule))
def test_the_order_of_the_evenings_changes_nothing(
    scores: list[Fraction], rng: Any, rule: SeasonRule
) -> None:
    shuffled = rng.sample(scores, len(scores))

    assert season_points(shuffled, rule, 3) == season_points(scores, rule, 3)


@given(st.dictionaries(st.integers(), SCORES.filter(bool)), st.integers(1, 9))
def test_of_an_average_nobody_with_too_few_stands_before_anybody(
    scores: dict[int, list[Fraction]], least: int
) -> None:
    ranked, unplaced = rank_season(scores, SeasonRule.AVERAGE, best=None, least=least)

    assert sorted([placed.item for placed in ranked] + unplaced) == sorted(scores)
    assert all(len(scores[placed.item]) >= least for placed in ranked)
    assert all(len(scores[player]) < least for player in unplaced)


@given(
    st.dictionaries(st.integers(), SCORES.filter(bool)),
    st.sampled_from([SeasonRule.SUM, SeasonRule.BEST]),
)
def test_a_sum_asks_for_no_least(scores: dict[int, list[Fraction]], rule: SeasonRule) -> None:
    ranked, unplaced = rank_season(scores, rule, best=2, least=9)

    assert (len(ranked), unplaced) == (len(scores), [])


@pytest.fixture
def club(db: None) -> Club:
    return make.club()


@pytest.fixture
def season(club: Club) -> Season:
    return save_season(Season(club=club, name="Autumn"), by=make.actor())


def played(
    season: Season,
    *people: str,
    sheet: Mapping[str, Any] | None = None,
    game: str = "dalmuti",
    mode: str = "",
    **more: Any,
) -> Tournament:
    """Play one game at one table, by default so that everybody goes out as they are named."""
    tournament = make.tournament(
        game, mode or f"{len(people)}i", club=season.club, season=season, **more
    )
    sitting = make.sitting(*people, at=tournament)
    make.report(sitting, sheet or {"order": list(range(len(people)))})
    tournament.rounds.update(state=RoundState.CLOSED, closed_at=NOON)
    return finish_tournament(tournament_id=tournament.pk, by=make.actor())


def standing_rows(season: Season) -> list[tuple[int | None, str, Fraction, int]]:
    return [(row.place, row.name, row.points, row.played) for row in season_standing(season).rows]


def test_a_season_adds_up_how_much_of_the_room_was_beaten(season: Season) -> None:
    played(season, "Asha", "Neema", "Juma", "Baraka", "Zuwena")
    played(season, "Baraka", "Asha", "Juma", "Omari")

    assert standing_rows(season) == [
        (1, "Asha", 100 + Fraction(200, 3), 2),
        (2, "Baraka", Fraction(125), 2),
        (3, "Juma", 50 + Fraction(100, 3), 2),
        (4, "Neema", Fraction(75), 1),
        (5, "Omari", Fraction(0), 1),
        (5, "Zuwena", Fraction(0), 1),
    ]


def test_games_mix_and_who_is_level_shares(season: Season) -> None:
    played(season, "Asha", "Neema", "Juma", "Baraka")
    played(
        season, "Asha", "Neema", "Juma", "Baraka",
        game="albastini", mode="4t2", sheet={"eaten": [70, 50]},
    )  # fmt: skip

    assert standing_rows(season) == [
        (1, "Asha", 100 + Fraction(250, 3), 2),
        (2, "Juma", Fraction(100, 3) + Fraction(250, 3), 2),
        (3, "Neema", Fraction(200, 3) + Fraction(50, 3), 2),
        (4, "Baraka", Fraction(50, 3), 2),
    ]


@pytest.mark.parametrize(
    ("rule", "best", "points"),
    [(SeasonRule.BEST, 1, 100), (SeasonRule.SUM, None, 200), (SeasonRule.AVERAGE, None, 50)],
)
def test_the_rule_of_the_season_says_what_counts(
    season: Season, rule: SeasonRule, best: int | None, points: int
) -> None:
    for order in ("ANJB", "ANJB", "NJBA", "NJBA"):
        played(season, *order)

    season.rule, season.best_of = rule, best
    save_season(season, by=make.actor())

    [asha] = [row for row in season_standing(season).rows if row.name == "A"]
    assert asha.points == points
    assert sum(score.counts for score in asha.scores) == (best or 4)


@pytest.fixture
def average(season: Season) -> Season:
    """Return a season by average: Omari came once and won, the others came three times."""
    for order in (
        "Asha Neema Juma Baraka",
        "Asha Juma Neema Baraka",
        "Omari Asha Neema Juma Baraka",
    ):
        played(season, *order.split())
    season.rule = SeasonRule.AVERAGE
    return save_season(season, by=make.actor())


def test_who_came_once_and_won_does_not_lead_a_season_by_average(average: Season) -> None:
    rows = season_standing(average).rows

    assert [(row.place, row.name, row.played) for row in rows] == [
        (1, "Asha", 3),
        (2, "Neema", 3),
        (3, "Juma", 3),
        (4, "Baraka", 3),
        (None, "Omari", 1),
    ]
    assert rows[-1].points == 100
    assert rows[-1].points > rows[0].points


def test_who_played_too_little_is_listed_last_without_a_place(
    client: Client, average: Season
) -> None:
    page = client.get(reverse("season", args=[average.pk]))
    file = client.get(reverse("season", args=[average.pk]) + "?_export=csv")

    assertContains(page, "The average counts of everybody who has played 3 tournaments or more.")
    assertContains(
        page, "Whoever has played fewer than 3 tournaments is listed last, without a place."
    )
    assertContains(page, 'class="leader', count=1)
    *_, last = file.text.splitlines()
    assert last == ",Omari,100,1,100,100"


def test_a_club_may_ask_for_less(client: Client, average: Season) -> None:
    average.least_played = 1
    save_season(average, by=make.actor())

    page = client.get(reverse("season", args=[average.pk]))

    assert standing_rows(average)[0] == (1, "Omari", Fraction(100), 1)
    assertContains(page, "The average of everybody’s tournaments counts.")
    assertNotContains(page, "without a place")


def test_a_season_of_the_best_few_says_how_many(season: Season) -> None:
    with pytest.raises(IntegrityError, match="season_best_of_at_least_one"):
        Season.objects.filter(pk=season.pk).update(best_of=None)


def test_each_of_a_pair_gets_what_the_pair_got_and_so_does_who_really_played(
    season: Season,
) -> None:
    tournament = make.tournament("albastini", "4t2", club=season.club, season=season, teams=True)
    for number, people in enumerate((("Asha", "Neema", "Juma", "Baraka"), "WXYZ"), start=1):
        sitting = make.sitting(*people, at=tournament, number=number)
        make.report(sitting, {"eaten": [70 + number, 50 - number]})
    absent = make.player("Ali", club=season.club)
    make.team(make.player("Asha", club=season.club), absent, name="Asha & Juma")
    tournament.rounds.update(state=RoundState.CLOSED, closed_at=NOON)
    finish_tournament(tournament_id=tournament.pk, by=make.actor())

    points = {row.name: row.points for row in season_standing(season).rows}

    assert points["W"] == points["Y"] == 100
    assert points["Asha"] == points["Juma"] == Fraction(200, 3)
    assert points["Neema"] == points["Baraka"] == Fraction(100, 3)
    assert "Ali" not in points


def test_visitors_are_beaten_but_stand_in_it_only_where_ticked(season: Season) -> None:
    played(season, "Asha", "Neema", "Juma", "Baraka")
    Player.objects.filter(name="Asha").update(in_season=False, visitor_from="Temeke")

    assert standing_rows(season)[0] == (1, "Neema", Fraction(200, 3), 1)
    assert [row[1] for row in standing_rows(season)] == ["Neema", "Juma", "Baraka"]


def test_who_entered_and_never_played_was_not_in_the_room(season: Season) -> None:
    tournament = played(season, "Asha", "Neema", "Juma", "Baraka")
    make.entrant(make.player("Ali", club=season.club), at=tournament)

    assert len(standing_rows(season)) == 4


def test_a_correction_moves_the_season_and_what_is_not_official_waits(season: Season) -> None:
    tournament = played(season, "Asha", "Neema", "Juma", "Baraka")
    [sitting] = tournament.rounds.get().sittings.all()

    correct_sitting(
        sitting_id=sitting.pk,
        changes={1: {"order": [3, 2, 1, 0]}},
        reason="read upside down",
        by=make.actor(),
    )
    corrected = [row[1] for row in standing_rows(season)]
    reopen_tournament(tournament_id=tournament.pk, by=make.actor())

    assert corrected == ["Baraka", "Juma", "Neema", "Asha"]
    assert standing_rows(season) == []
    [waiting] = season_standing(season).tournaments
    assert waiting.why_not == "not official yet"


def test_a_small_field_says_that_it_does_not_count(client: Client, season: Season) -> None:
    played(season, "Asha", "Neema", "Juma")

    page = client.get(reverse("season", args=[season.pk]))

    assertContains(page, "fewer than 4 played")
    assertContains(page, "Nothing counts yet")


@pytest.mark.parametrize("tournaments", [1, 3])
def test_the_page_costs_the_same_however_many_tournaments(
    client: Client,
    season: Season,
    django_assert_num_queries: DjangoAssertNumQueries,
    tournaments: int,
) -> None:
    for _ in range(tournaments):
        played(season, "Asha", "Neema", "Juma", "Baraka")

    with django_assert_num_queries(6):
        page = client.get(reverse("season", args=[season.pk]))

    assertContains(page, "the share of the field you beat, out of 100")
    assertContains(page, "Tournament by tournament")


@pytest.mark.parametrize("seasons", [1, 3])
def test_the_list_costs_the_same_however_many_seasons(
    client: Client, club: Club, django_assert_num_queries: DjangoAssertNumQueries, seasons: int
) -> None:
    for number in range(seasons):
        save_season(Season(club=club, name=f"Season {number}"), by=make.actor())

    with django_assert_num_queries(2):
        page = client.get(reverse("seasons", args=[club.pk]))

    assertContains(page, "best 6 tournaments", count=seasons)


def test_the_standing_is_taken_away_in_a_file(client: Client, season: Season) -> None:
    played(season, "Asha", "Neema", "Juma", "Baraka")

    answer = client.get(reverse("season", args=[season.pk]) + "?_export=csv")

    lines = answer.text.lstrip("\ufeff").splitlines()
    assert lines[:2] == [
        "Place,Player,Season points,Tournaments,Average,Best tournament",
        "1,Asha,100,1,100,100",
    ]


@pytest.fixture
def organiser(client: Client, club: Club) -> None:
    client.force_login(make.user(role=Role.ORGANISER, club=club))


@pytest.mark.usefixtures("organiser")
def test_an_organiser_begins_a_season_and_changes_it(client: Client, club: Club) -> None:
    asked = {"name": "Autumn", "rule": "best_n", "best_of": "6", "least_played": "3"}

    begun = client.post(reverse("seasons", args=[club.pk]), asked)
    season = Season.objects.get()
    changed = client.post(
        reverse("season-edit", args=[season.pk]),
        {"name": "Winter", "rule": "average", "best_of": "", "least_played": "4"},
    )

    assertRedirects(begun, reverse("season", args=[season.pk]))
    assertRedirects(changed, reverse("season", args=[season.pk]))
    season.refresh_from_db()
    assert (season.name, season.rule, season.best_of) == ("Winter", "average", None)
    assert season.least_played == 4
    assert list(LogEntry.objects.order_by("pk").values_list("verb", flat=True)) == [
        "season-made",
        "season-changed",
    ]


@pytest.mark.usefixtures("organiser")
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
    client: Client, club: Club, asked: dict[str, str], sentence: str
) -> None:
    save_season(Season(club=club, name="Spring"), by=make.actor())
    other = save_season(Season(club=club, name="Summer"), by=make.actor())
    asked = {"least_played": "3", **asked}

    new = client.post(reverse("seasons", args=[club.pk]), asked)
    edited = client.post(reverse("season-edit", args=[other.pk]), asked)

    for page in (new, edited):
        assertContains(page, sentence)
        assertContains(page, f'value="{asked["name"]}"')
        assert page.context["form"].non_field_errors() == []
    assertContains(edited, "Change Summer")
    assert Season.objects.count() == 2


@pytest.mark.usefixtures("organiser")
def test_a_tournament_is_put_in_the_latest_season_unless_it_is_said(
    client: Client, club: Club
) -> None:
    save_season(Season(club=club, name="Spring"), by=make.actor())
    latest = save_season(Season(club=club, name="Summer"), by=make.actor())
    tournament = make.tournament(club=club, season=latest, hands=8)
    asked = {"name": "Friday Cup", "length": "8", "confirm": "one"}

    new = client.get(reverse("tournament-new", args=[club.pk]) + "?game=albastini")
    edit = client.post(reverse("tournament-edit", args=[tournament.pk]), {**asked, "season": ""})

    assertContains(new, f'<option value="{latest.pk}" selected>Summer</option>', html=True)
    assertRedirects(edit, reverse("desk", args=[tournament.pk]))
    tournament.refresh_from_db()
    assert tournament.season is None
    put = LogEntry.objects.get(verb="tournament-in-season")
    assert put.numbers == {"before": latest.pk}


@pytest.mark.usefixtures("organiser")
def test_without_a_season_nobody_is_asked_for_one(client: Client, club: Club) -> None:
    page = client.get(reverse("tournament-new", args=[club.pk]) + "?game=albastini")

    assertNotContains(page, "Count it in a season?")


def test_a_tournament_counts_for_a_season_of_its_own_club_alone(
    club: Club, season: Season, now: datetime
) -> None:
    elsewhere = save_season(Season(club=make.club("Ilala"), name="Autumn"), by=make.actor(at=now))

    with pytest.raises(Refused) as refusal:
        make_tournament(
            club_id=club.pk,
            name="Cup",
            game="dalmuti",
            mode="5i",
            season_id=elsewhere.pk,
            by=make.actor(at=now),
        )
    made = make_tournament(
        club_id=club.pk,
        name="Cup",
        game="dalmuti",
        mode="5i",
        season_id=season.pk,
        by=make.actor(at=now),
    )
    again = put_in_season(tournament_id=made.pk, season_id=season.pk, by=make.actor(at=now))

    assert refusal.value.code == "season-unknown"
    assert again.season_id == season.pk
    assert LogEntry.objects.filter(verb="tournament-in-season").count() == 1


@pytest.fixture
def event(season: Season) -> Tournament:
    """A Dalmuti cup of five, in which the first four go on to a final and finish it backwards."""
    return event_of_five(season)


def event_of_five(season: Season) -> Tournament:
    people = ("Asha", "Neema", "Juma", "Baraka", "Zuwena")
    cup = played(season, *people)
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
    make.report(make.sitting(*reversed(people[:4]), at=final), {"order": [0, 1, 2, 3]})
    final.rounds.update(state=RoundState.CLOSED, closed_at=NOON)
    return final


def test_an_event_counts_once_by_where_everybody_ended(event: Tournament, season: Season) -> None:
    assert standing_rows(season) == []  # the final is not official

    finish_tournament(tournament_id=event.pk, by=make.actor())

    assert standing_rows(season) == [
        (1, "Baraka", Fraction(100), 1),
        (2, "Juma", Fraction(75), 1),
        (3, "Neema", Fraction(50), 1),
        (4, "Asha", Fraction(25), 1),
        (5, "Zuwena", Fraction(0), 1),
    ]
    [counted] = season_standing(season).tournaments
    assert (counted.tournament.pk, counted.field, counted.why_not) == (event.follows_id, 5, "")


def test_a_final_that_goes_on_again_does_not_count(event: Tournament, season: Season) -> None:
    finish_tournament(tournament_id=event.pk, by=make.actor())
    reopen_tournament(tournament_id=event.pk, by=make.actor())

    [waiting] = season_standing(season).tournaments
    assert waiting.why_not == "not official yet"


@pytest.mark.parametrize("events", [1, 3])
def test_events_cost_the_same_however_many(
    season: Season, django_assert_num_queries: DjangoAssertNumQueries, events: int
) -> None:
    for _ in range(events):
        finish_tournament(tournament_id=event_of_five(season).pk, by=make.actor())

    with django_assert_num_queries(6):
        assert {row.played for row in season_standing(season).rows} == {events}
