"""Stages: who goes on, what they bring along, and where everybody ended."""

from collections.abc import Sequence
from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from hypothesis import given, strategies as st
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from games.sheet import criterion
from tests import make
from tests.drilled import examples
from tests.make import NOON
from tracker.common.errors import Refused
from tracker.models import (
    CarryOver,
    Entrant,
    Format,
    LogEntry,
    Movement,
    RankedBy,
    Role,
    RoundState,
    Season,
    Sitting,
    Team,
    Tournament,
)
from tracker.nights.queries.desk import night_desk
from tracker.results.services.corrections import correct_sitting
from tracker.standings.logic.ranking import rank_entrants
from tracker.standings.logic.stages import cut, interleave, partner_choice, snake_groups
from tracker.standings.queries.careers import career, team_career
from tracker.standings.queries.final_rankings import FinalPlace, final_ranking, finishes
from tracker.standings.queries.points_by_round import race
from tracker.standings.queries.standings import standing_to_publish, standings
from tracker.standings.queries.tournament_stages import event_of
from tracker.standings.services.stages import StagePlan, begin_groups, begin_stage
from tracker.standings.services.standings import finish_tournament
from tracker.tournaments.services.terms import Terms
from tracker.tournaments.services.tournaments import put_in_season

EIGHT = ("Asha", "Neema", "Juma", "Baraka", "Omari", "Zuwena", "Ali", "Fatuma")


def play(tournament: Tournament, *hands: Sequence[int]) -> list[Sitting]:
    """Play a round of two tables of four, these hands at each, and close it."""
    names = [EIGHT[:4], EIGHT[4:]]
    tables = [make.sitting(*people, at=tournament) for people in names]
    for table, eaten in zip(tables, hands, strict=True):
        make.report(table, {"eaten": list(eaten)})
    tournament.rounds.update(state=RoundState.CLOSED, closed_at=NOON)
    return tables


def plan(stage: str = "Final", **more: Any) -> StagePlan:
    return StagePlan(
        **{
            "stage": stage,
            "mode": "4t2",
            "format_": Format.PLAYERS,
            "movement": Movement.FEWEST_REPEATS,
            "length": 8,
            **more,
        }
    )


def later(minutes: int) -> Any:
    return make.actor(at=NOON + timedelta(minutes=minutes))


def entrants(tournament: Tournament, *names: str) -> list[int]:
    return [tournament.entrants.get(player__name=name).pk for name in names]


def in_order(tournament: Tournament) -> list[int]:
    return [row.entrant for row in standings(tournament).rows]


def began(source: Tournament, *names: str, minutes: int = 60, **more: Any) -> Tournament:
    return begin_stage(
        sources=[source.pk],
        entrants=entrants(source, *names),
        plan=plan(**more),
        by=later(minutes),
    )


def ranking(tournament: Tournament) -> list[tuple[int, str]]:
    return [(row.place, row.name) for row in final_ranking(event_of(tournament))]


@pytest.fixture
def qualifying(db: None) -> Tournament:
    """Asha and Juma have 2 points, Omari and Ali 1, the others none."""
    tournament = make.tournament(hands=8)
    play(tournament, (115, 5), (70, 50))
    return tournament


# Who goes on ---------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 5), max_size=12), st.integers(0, 14))
def test_a_cut_takes_so_many_and_names_everybody_level_with_the_last(
    points: list[int], best: int
) -> None:
    ordered = sorted(points, reverse=True)
    placed = [(1 + ordered.index(each), at) for at, each in enumerate(ordered)]

    chosen = cut(placed, best)

    assert list(chosen.inside) == list(range(min(best, len(points))))
    if chosen.tied:
        assert {ordered[at] for at in chosen.tied} == {ordered[best - 1]} == {ordered[best]}
        assert ordered.count(ordered[best]) == len(chosen.tied)


@given(st.integers(0, 40), st.integers(1, 9))
def test_groups_by_the_snake_are_as_large_and_as_strong_as_each_other(
    players: int, groups: int
) -> None:
    dealt = snake_groups(range(players), groups)

    assert sorted(seed for group in dealt for seed in group) == list(range(players))
    assert max(map(len, dealt)) - min(map(len, dealt)) <= 1
    if players % (2 * groups) == 0:
        assert len({sum(group) for group in dealt}) == 1
    assert sorted(interleave(dealt)) == list(range(players))


def test_the_best_go_on_with_seeds_and_the_next_stage_is_played_as_the_first(
    qualifying: Tournament,
) -> None:
    best = in_order(qualifying)[:4]

    final = begin_stage(
        sources=[qualifying.pk],
        entrants=best,
        plan=plan(movement=Movement.SWISS, terms=Terms(planned=3, minutes=20)),
        by=later(60),
    )

    seeds = final.entrants.order_by("seed").values_list("seed", "player__name")
    assert list(seeds) == [(1, "Asha"), (2, "Juma"), (3, "Ali"), (4, "Omari")]
    assert (final.follows, final.stage, final.name) == (qualifying, "Final", "Friday Cup – Final")
    assert (final.movement, final.planned, final.minutes, final.hands) == ("swiss", 3, 20, 8)
    assert (final.options, final.season) == (qualifying.options, None)
    assert LogEntry.objects.filter(verb="stage-begun").count() == 1


def test_players_go_on_as_the_pairs_they_chose(qualifying: Tournament) -> None:
    final = began(qualifying, "Asha", "Neema", "Juma", "Ali", format_=Format.TEAMS)

    names = [str(entrant) for entrant in final.entrants.order_by("seed")]
    assert names == ["Asha & Neema", "Juma & Ali"]


@pytest.mark.parametrize(
    ("movement", "rounds"),
    [(Movement.KNOCKOUT, 2), (Movement.ROUND_ROBIN, 3), (Movement.SWISS, None)],
)
def test_a_stage_plans_as_many_rounds_as_its_movement_takes(
    qualifying: Tournament, movement: Movement, rounds: int | None
) -> None:
    assert began(qualifying, *EIGHT, movement=movement).planned is None
    pairs = began(
        make_again(qualifying), *EIGHT, format_=Format.TEAMS, movement=movement, stage="Pairs"
    )

    assert pairs.planned == rounds


def make_again(qualifying: Tournament) -> Tournament:
    tournament = make.tournament(club=qualifying.club, name="Saturday Cup", hands=8)
    play(tournament, (115, 5), (70, 50))
    return tournament


@pytest.mark.parametrize(
    ("names", "more", "code"),
    [
        ((), {}, "stage-nobody"),
        (("Asha", "Juma"), {}, "too-few"),
        (("Asha", "Juma", "Ali"), {"format_": Format.TEAMS}, "no-partner"),
        (EIGHT, {"format_": Format.TEAMS, "mode": "4i"}, "teams-alone"),
    ],
)
def test_what_cannot_be_played_is_refused_and_leaves_no_trace(
    qualifying: Tournament, names: tuple[str, ...], more: dict[str, Any], code: str
) -> None:
    with pytest.raises(Refused) as refusal:
        began(qualifying, *names, **more)

    assert refusal.value.code == code
    assert Tournament.objects.count() == 1


def test_nobody_goes_on_before_the_round_is_closed(qualifying: Tournament) -> None:
    make.round_of(qualifying)

    with pytest.raises(Refused) as refusal:
        began(qualifying, *EIGHT[:4])

    assert refusal.value.code == "round-open"


def test_nobody_goes_on_from_what_was_not_played(db: None) -> None:
    tournament = make.tournament()
    for name in EIGHT[:4]:
        make.entrant(make.player(name, club=tournament.club), at=tournament)

    with pytest.raises(Refused) as refusal:
        began(tournament, *EIGHT[:4])

    assert refusal.value.code == "stage-unplayed"


def test_nobody_goes_on_twice(qualifying: Tournament) -> None:
    began(qualifying, "Asha", "Juma", "Ali", "Omari")

    with pytest.raises(Refused) as refusal:
        began(qualifying, "Asha", "Neema", "Baraka", "Fatuma", stage="Consolation")

    assert refusal.value.code == "stage-gone-on"
    assert refusal.value.params["who"] == "Asha"


def test_two_stages_have_two_names(qualifying: Tournament) -> None:
    began(qualifying, "Asha", "Juma", "Ali", "Omari")

    with pytest.raises(Refused) as refusal:
        began(qualifying, "Neema", "Baraka", "Fatuma", "Zuwena")

    assert refusal.value.code == "stage-named"


def test_who_has_withdrawn_does_not_go_on(qualifying: Tournament) -> None:
    qualifying.entrants.filter(player__name="Asha").update(withdrawn_at=NOON)

    with pytest.raises(Refused) as refusal:
        began(qualifying, *EIGHT[:4])

    assert refusal.value.code == "stage-stranger"


def test_a_stage_of_nothing_is_no_stage_in_the_database(qualifying: Tournament) -> None:
    for wrong in ({"carry_over": "all"}, {"follows": qualifying}, {"carry_over": "most"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            make.tournament(club=qualifying.club, **wrong)
    with pytest.raises(IntegrityError), transaction.atomic():
        Tournament.objects.filter(pk=qualifying.pk).update(follows=qualifying.pk, stage="Final")


def test_one_seed_is_of_one_entrant(qualifying: Tournament) -> None:
    final = began(qualifying, *EIGHT[:4])

    with pytest.raises(IntegrityError), transaction.atomic():
        final.entrants.update(seed=1)


# What is carried over ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("carry_over", "asha", "ali"),
    [
        (CarryOver.NOTHING, Fraction(0), Fraction(0)),
        (CarryOver.HALF, Fraction(1), Fraction(1, 2)),
        (CarryOver.ALL, Fraction(2), Fraction(1)),
    ],
)
def test_points_are_carried_over_as_chosen(
    qualifying: Tournament, carry_over: CarryOver, asha: Fraction, ali: Fraction
) -> None:
    final = began(qualifying, "Asha", "Juma", "Ali", "Omari", carry_over=carry_over)

    standing = standings(final)
    points = {row.name: row.figures["victory_points"] for row in standing.rows}
    assert (points["Asha"], points["Ali"]) == (asha, ali)
    assert standing.begun == standing.carries == (carry_over != CarryOver.NOTHING)


def test_a_pair_brings_the_average_of_its_players(qualifying: Tournament) -> None:
    final = began(
        qualifying,
        *("Asha", "Ali", "Juma", "Neema"),
        format_=Format.TEAMS,
        carry_over=CarryOver.ALL,
    )

    assert {row.name: row.carried for row in standings(final).rows} == {
        "Asha & Ali": Fraction(3, 2),
        "Juma & Neema": Fraction(1),
    }


def test_what_was_carried_over_is_carried_on(qualifying: Tournament) -> None:
    """Half of what somebody had in the semi-final, half of the qualifying among it."""
    semi = began(qualifying, *EIGHT, stage="Semi-final", carry_over=CarryOver.HALF)
    play(semi, (70, 50), (5, 115))
    final = began(semi, "Asha", "Juma", "Zuwena", "Fatuma", minutes=90, carry_over=CarryOver.HALF)

    carried = {row.name: row.carried for row in standings(final).rows}

    assert carried == {
        "Asha": Fraction(1),  # (2 / 2 + 1) / 2
        "Juma": Fraction(1),
        "Zuwena": Fraction(1),  # (0 + 2) / 2
        "Fatuma": Fraction(1),
    }


def test_a_correction_before_moves_what_is_carried_over_and_not_who_is_in(
    qualifying: Tournament,
) -> None:
    final = began(qualifying, "Asha", "Juma", "Ali", "Omari", carry_over=CarryOver.ALL)
    table = Sitting.objects.get(round__tournament=qualifying, number=1)

    correct_sitting(
        sitting_id=table.pk, changes={1: {"eaten": [5, 115]}}, reason="", by=make.actor()
    )

    carried = {row.name: row.carried for row in standings(final).rows}
    assert carried == {"Ali": 1, "Omari": 1, "Asha": 0, "Juma": 0}


@pytest.mark.parametrize("carry_over", CarryOver)
def test_finishes_and_the_race_agree_with_the_standing(
    qualifying: Tournament, carry_over: CarryOver
) -> None:
    final = began(qualifying, *EIGHT, carry_over=carry_over)
    play(final, (50, 70), (30, 90))

    rows = {row.entrant: row for row in standings(final).rows}
    run = race(final)

    assert {entrant: each.points for entrant, each in finishes([final]).items()} == {
        entrant: row.figures["victory_points"] for entrant, row in rows.items()
    }
    for runner in run.runners:
        assert runner.points[0] == rows[runner.entrant.pk].carried
        assert runner.points[-1] == rows[runner.entrant.pk].figures["victory_points"]
        assert runner.places[-1] == rows[runner.entrant.pk].place


def test_shares_cannot_be_carried_over(db: None) -> None:
    tournament = make.tournament("dalmuti", "4i", ranked_by=RankedBy.SHARE)
    tables = [make.sitting(*EIGHT[:4], at=tournament), make.sitting("", at=tournament, mode="5i")]
    for table in tables:
        make.report(table, {"order": list(range(table.seats.count()))})
    tournament.rounds.update(state=RoundState.CLOSED)

    with pytest.raises(Refused) as refusal:
        began(tournament, *EIGHT[:4], mode="4i", carry_over=CarryOver.ALL)

    assert refusal.value.code == "carry-over-share"
    assert refusal.value.question == "carry_over"


def test_points_of_something_else_cannot_be_carried_over(db: None) -> None:
    """Changing partners count deals in Briscola, fixed pairs matches."""
    tournament = make.tournament("briscola", "4t2")
    make.report(make.sitting(*EIGHT[:4], at=tournament), {"points": [70, 50]})
    tournament.rounds.update(state=RoundState.CLOSED)

    with pytest.raises(Refused) as refusal:
        began(tournament, *EIGHT[:4], format_=Format.TEAMS, carry_over=CarryOver.ALL)

    assert refusal.value.code == "carry-over-other"


@pytest.mark.parametrize(("carry_over", "queries"), [("nothing", 3), ("all", 7)])
def test_only_a_stage_that_carries_over_asks_for_the_stages_before(
    qualifying: Tournament,
    carry_over: str,
    queries: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    final = began(qualifying, *EIGHT, carry_over=CarryOver(carry_over))

    with django_assert_num_queries(queries):
        standings(final)


def test_a_bracket_places_whoever_is_in_it_before_the_others() -> None:
    sums = {"Asha": {"won": 1}, "Juma": {"won": 9}, "Neema": {"won": 5}, "Omari": {"won": 7}}
    bracket = {"Asha": 1, "Neema": 2, "Omari": 2}

    ranked = rank_entrants(sums, [criterion("won", "")], bracket=bracket)

    assert [(each.place, each.tied, each.entrant) for each in ranked] == [
        (1, False, "Asha"),
        (2, True, "Neema"),
        (2, True, "Omari"),
        (4, False, "Juma"),
    ]


# Groups and the event ------------------------------------------------------------------------------


def test_groups_are_dealt_by_strength_and_the_best_of_each_meet_again(
    qualifying: Tournament,
) -> None:
    first, second = begin_groups(
        source=qualifying.pk,
        entrants=entrants(qualifying, *EIGHT),
        groups=2,
        plan=plan(""),
        by=later(10),
    )
    assert [first.stage, second.stage] == ["Group A", "Group B"]
    seeded = first.entrants.order_by("seed").values_list("player__name", flat=True)
    assert list(seeded) == ["Asha", "Baraka", "Omari", "Fatuma"]

    for group, names in ((first, ("Asha", "Baraka")), (second, ("Neema", "Juma"))):
        play_group(group, names)
    knock_out = begin_stage(
        sources=[first.pk, second.pk],
        entrants=[*entrants(first, "Asha", "Baraka"), *entrants(second, "Neema", "Juma")],
        plan=plan("Knock-out"),
        by=later(60),
    )

    assert knock_out.follows == qualifying
    everybody = ranking(qualifying)
    assert [name for _, name in everybody[:4]] == ["Asha", "Baraka", "Neema", "Juma"]
    # Third and fourth of a group are beside those of the other.
    assert [place for place, _ in everybody] == [1, 2, 3, 4, 5, 5, 5, 5]


def play_group(group: Tournament, winners: Sequence[str]) -> None:
    others = group.entrants.exclude(player__name__in=winners)
    losers = list(others.values_list("player__name", flat=True))
    table = make.sitting(winners[0], losers[0], winners[1], losers[1], at=group)
    make.report(table, {"eaten": [70, 50]})
    group.rounds.update(state=RoundState.CLOSED)


@pytest.mark.parametrize("groups", [1, 9])
def test_there_are_not_more_groups_than_entrants(qualifying: Tournament, groups: int) -> None:
    with pytest.raises(Refused) as refusal:
        begin_groups(
            source=qualifying.pk,
            entrants=in_order(qualifying),
            groups=groups,
            plan=plan(""),
            by=later(10),
        )

    assert refusal.value.code == "groups"


def test_groups_may_come_first(db: None) -> None:
    tournament = make.tournament()
    entered = [
        make.entrant(make.player(name, club=tournament.club), at=tournament).pk for name in EIGHT
    ]

    groups = begin_groups(
        source=tournament.pk, entrants=entered, groups=2, plan=plan(""), by=later(1)
    )

    assert [group.entrants.count() for group in groups] == [4, 4]


def test_only_groups_of_one_stage_go_on_together(qualifying: Tournament) -> None:
    final = began(qualifying, "Asha", "Juma", "Ali", "Omari")

    with pytest.raises(Refused) as refusal:
        begin_stage(
            sources=[qualifying.pk, final.pk],
            entrants=in_order(qualifying)[-4:],
            plan=plan("Last"),
            by=later(90),
        )

    assert refusal.value.code == "stage-apart"


def test_a_final_stands_before_a_consolation_and_both_before_who_was_cut(
    qualifying: Tournament,
) -> None:
    """A pair of the final has one place; whoever ended in the first stage comes last."""
    make.entrant(make.player("Late", club=qualifying.club), at=qualifying)
    final = began(qualifying, "Asha", "Ali", "Juma", "Omari", format_=Format.TEAMS)
    consolation = began(
        qualifying, *("Neema", "Baraka", "Zuwena", "Fatuma"), stage="Consolation", minutes=61
    )
    make.report(final_table(final), {"eaten": [50, 70]})
    table = make.sitting("Neema", "Zuwena", "Baraka", "Fatuma", at=consolation)
    make.report(table, {"eaten": [50, 70]})

    assert ranking(qualifying) == [
        (1, "Juma & Omari"),
        (2, "Asha & Ali"),
        (3, "Zuwena"),  # level: the better seed first
        (3, "Fatuma"),
        (5, "Neema"),
        (5, "Baraka"),
        (7, "Late"),
    ]


def final_table(final: Tournament) -> Sitting:
    """Seat the pairs of the final against each other."""
    return make.sitting("Asha", "Juma", "Ali", "Omari", at=final)


def test_the_event_is_ranked_whole_before_anybody_sits_down_in_the_final(
    qualifying: Tournament,
) -> None:
    began(qualifying, "Juma", "Asha", "Ali", "Omari")

    everybody = ranking(qualifying)

    assert everybody[:4] == [(1, "Juma"), (2, "Asha"), (3, "Ali"), (4, "Omari")]
    assert sorted(name for _, name in everybody) == sorted(EIGHT)


@given(data=st.data())
@examples(6, full=15)
@pytest.mark.django_db
def test_everybody_stands_in_the_final_ranking_once(data: st.DataObject) -> None:
    with transaction.atomic():
        tournament = make.tournament(hands=8)
        play(tournament, (115, 5), (70, 50))
        left, at = list(EIGHT), tournament
        for number in range(data.draw(st.integers(1, 2))):
            chosen = data.draw(st.permutations(left))[:4]
            paired = data.draw(st.booleans()) and not number
            began(
                at,
                *chosen,
                stage=f"Stage {number}",
                minutes=number,
                format_=Format.TEAMS if paired else Format.PLAYERS,
            )
            left = [name for name in left if name not in chosen]

        rows: tuple[FinalPlace, ...] = final_ranking(event_of(tournament))
        players = [player for row in rows for player in row.players]
        transaction.set_rollback(True)

    assert len(players) == len(set(players)) == len(EIGHT)
    assert [row.place for row in rows] == sorted(row.place for row in rows)


def test_the_last_official_stage_makes_the_event_official(qualifying: Tournament) -> None:
    final = began(qualifying, "Asha", "Juma", "Ali", "Omari")
    consolation = began(
        qualifying, *("Neema", "Baraka", "Zuwena", "Fatuma"), stage="Consolation", minutes=61
    )

    finish_tournament(tournament_id=final.pk, by=later(120))
    assert [stage.official_at for stage in event_of(qualifying).stages] == [
        *(None, later(120).at, None)
    ]

    finish_tournament(tournament_id=consolation.pk, by=later(121))
    assert [stage.official_at for stage in event_of(qualifying).stages] == [
        *(later(121).at, later(120).at, later(121).at)
    ]
    assert event_of(final).official


def test_a_tournament_alone_is_ranked_as_it_stands(qualifying: Tournament) -> None:
    rows = {row.entrant: row.place for row in standings(qualifying).rows}

    assert {row.entrant: row.place for row in final_ranking(event_of(qualifying))} == rows
    assert Entrant.objects.count() == len(rows)


def test_all_stages_count_for_the_season_of_the_first(qualifying: Tournament) -> None:
    season = Season.objects.create(club=qualifying.club, name="Autumn")
    final = began(qualifying, "Asha", "Juma", "Ali", "Omari")

    with pytest.raises(Refused) as refusal:
        put_in_season(tournament_id=final.pk, season_id=season.pk, by=make.actor())

    assert refusal.value.code == "season-stage"


def test_a_tie_where_people_go_on_is_no_tie_for_a_prize(
    client: Client, qualifying: Tournament
) -> None:
    finish_tournament(tournament_id=qualifying.pk, by=later(1))
    assert client.get(qualifying.get_absolute_url()).context["ties"]

    began(qualifying, "Asha", "Juma", "Ali", "Omari")

    assert not client.get(qualifying.get_absolute_url()).context["ties"]


def test_a_career_has_the_event_once_with_the_place_of_the_pair(qualifying: Tournament) -> None:
    final = began(qualifying, "Asha", "Ali", "Juma", "Omari", format_=Format.TEAMS)
    make.report(final_table(final), {"eaten": [50, 70]})

    [line] = career(make.player("Omari", club=qualifying.club)).tournaments
    [cut] = career(make.player("Neema", club=qualifying.club)).tournaments

    assert (line.tournament, line.played_for, line.hands) == (qualifying, "Juma & Omari", 2)
    assert line.finish is not None
    assert (line.finish.place, line.finish.of) == (1, 6)
    assert cut.finish is not None
    assert (cut.finish.place, cut.finish.tied, cut.finish.of) == (5, True, 6)


def test_the_career_of_a_team_has_the_event_once(db: None) -> None:
    tournament = make.tournament(teams=True)
    make.report(make.sitting(*EIGHT[:4], at=tournament), {"eaten": [70, 50]})
    make.report(make.sitting(*EIGHT[4:], at=tournament), {"eaten": [70, 50]})
    tournament.rounds.update(state=RoundState.CLOSED)
    winners = list(tournament.entrants.filter(tallies__key="won", tallies__amount=1))
    final = begin_stage(
        sources=[tournament.pk],
        entrants=[entrant.pk for entrant in winners],
        plan=plan(format_=Format.TEAMS),
        by=later(60),
    )
    make.report(make.sitting("Asha", "Omari", "Juma", "Ali", at=final), {"eaten": [50, 70]})

    team = Team.objects.get(name="Omari & Ali")
    [line] = team_career(team).tournaments

    assert (line.tournament, line.hands) == (tournament, 2)
    assert line.finish is not None
    assert (line.finish.place, line.finish.of) == (1, 4)


# Pages ---------------------------------------------------------------------------------------------


@pytest.fixture
def organiser(qualifying: Tournament) -> Client:
    client = Client()
    client.force_login(make.user(role=Role.ORGANISER, club=qualifying.club))
    return client


def new_url(tournament: Tournament) -> str:
    return reverse("stage-new", args=[tournament.pk])


def answers(tournament: Tournament, *names: str, **more: Any) -> dict[str, Any]:
    """Return what the form sends."""
    return {
        "entrants": entrants(tournament, *names),
        "stage": "Final",
        "format": "players",
        "movement": "fewest_repeats",
        "carry_over": "nothing",
        "length": 8,
        "mode": "4t2",
        **more,
    }


def test_the_page_taps_the_best_and_says_who_is_level_at_the_cut(
    organiser: Client, qualifying: Tournament
) -> None:
    page = organiser.get(f"{new_url(qualifying)}?best=2")
    assert page.context["form"]["entrants"].chosen == set(
        map(str, entrants(qualifying, "Asha", "Juma"))
    )
    assertNotContains(page, "Tied for the last place")

    # Zuwena and Fatuma lost by less than Neema and Baraka.
    page = organiser.get(f"{new_url(qualifying)}?best=4")
    assert len(page.context["form"]["entrants"].chosen) == 4
    qualifying.entrants.filter(player__name="Omari").update(withdrawn_at=NOON)
    page = organiser.get(f"{new_url(qualifying)}?best=4")
    assertContains(page, "Tied for the last place: Fatuma, Zuwena.")


def test_everybody_or_those_who_are_left_can_go_on(
    organiser: Client, qualifying: Tournament
) -> None:
    assert (
        len(organiser.get(f"{new_url(qualifying)}?best=all").context["form"]["entrants"].chosen)
        == 8
    )
    began(qualifying, "Asha", "Juma", "Ali", "Omari")

    page = organiser.get(f"{new_url(qualifying)}?best=all")

    left = {"Neema", "Baraka", "Zuwena", "Fatuma"}
    assert page.context["form"]["entrants"].chosen == set(map(str, entrants(qualifying, *left)))
    assert page.context["form"]["stage"].value() == "Consolation"
    assertContains(page, "All the rest")


def test_the_form_begins_a_stage_and_leads_to_its_desk(
    organiser: Client, qualifying: Tournament
) -> None:
    page = organiser.post(
        new_url(qualifying),
        answers(qualifying, "Ali", "Asha", "Juma", "Omari", carry_over="half", planned=3),
    )

    final = qualifying.next_stages.get()
    assertRedirects(page, reverse("desk", args=[final.pk]))
    assert (final.carry_over, final.planned) == ("half", 3)
    assert str(final.entrants.get(seed=1)) == "Asha"


def test_a_refusal_stands_beside_its_question(organiser: Client, qualifying: Tournament) -> None:
    began(qualifying, "Asha", "Juma", "Ali", "Omari")

    page = organiser.post(
        new_url(qualifying), answers(qualifying, "Neema", "Baraka", "Zuwena", "Fatuma")
    )

    assert "already" in page.context["form"].errors["stage"][0]


def test_the_best_without_a_partner_chooses_until_everybody_has_one(
    organiser: Client, qualifying: Tournament
) -> None:
    names = ("Asha", "Juma", "Ali", "Omari")
    form = answers(qualifying, *names, format="teams")
    page = organiser.post(new_url(qualifying), form)
    assertContains(page, "Asha chooses")

    [omari] = entrants(qualifying, "Omari")
    page = organiser.post(new_url(qualifying), {**form, "partner": [omari]})
    assertContains(page, "Everybody has a partner.")
    assert [[row.name for row in team] for team in page.context["teams"]] == [
        ["Asha", "Omari"],
        ["Juma", "Ali"],
    ]
    back = organiser.post(new_url(qualifying), {**form, "partner": [omari], "back": "1"})
    assertContains(back, "Asha chooses")
    assertContains(
        organiser.post(new_url(qualifying), {**form, "partner": [omari], "change": "1"}),
        "Who qualifies?",
    )
    assert Tournament.objects.count() == 1

    organiser.post(new_url(qualifying), {**form, "partner": [omari], "begin": "1"})

    final = qualifying.next_stages.get()
    assert [str(each) for each in final.entrants.order_by("seed")] == ["Asha & Omari", "Juma & Ali"]


def test_the_form_deals_groups_and_then_takes_the_best_of_each(
    organiser: Client, qualifying: Tournament
) -> None:
    organiser.post(new_url(qualifying), answers(qualifying, *EIGHT, groups=2))
    groups = list(qualifying.next_stages.order_by("pk"))
    assert [group.stage for group in groups] == ["Group A", "Group B"]
    for group in groups:
        people = list(group.entrants.order_by("seed").values_list("player__name", flat=True))
        play_group(group, (people[0], people[1]))

    page = organiser.get(new_url(groups[1]))
    assertContains(page, "Best 2 of each group")
    assert page.context["form"]["stage"].value() == "Knock-out"
    chosen = page.context["form"]["entrants"].chosen
    organiser.post(
        new_url(groups[1]), answers(groups[0]) | {"entrants": list(chosen), "stage": "Knock-out"}
    )

    knock_out = qualifying.next_stages.get(stage="Knock-out")
    assert knock_out.entrants.count() == 4


def test_groups_from_the_start_take_in_whoever_is_tapped(
    organiser: Client, qualifying: Tournament
) -> None:
    cup = make.tournament(club=qualifying.club, name="Group cup")
    make.entrant(make.player("Asha", club=cup.club), at=cup)
    page = organiser.get(new_url(cup))
    assertContains(page, "Who else plays?")
    others = [key for key, name in page.context["form"].others if name in EIGHT]

    page = organiser.post(new_url(cup), answers(cup, "Asha", groups=2, more=others))

    groups = cup.next_stages.order_by("pk")
    assertRedirects(page, reverse("desk", args=[groups[0].pk]))
    assert [group.entrants.count() for group in groups] == [4, 4]
    assert str(groups[0].entrants.get(seed=1)) == "Asha"
    page = organiser.get(groups[0].get_absolute_url())
    names = [stage.stage_name for stage in page.context["links"]]
    assert names == ["Entries", "Group A", "Group B"]


def test_the_page_of_an_empty_club_leads_to_the_first_round(db: None) -> None:
    empty = make.tournament()
    client = Client()
    client.force_login(make.user(role=Role.ORGANISER, club=empty.club))

    assertContains(client.get(new_url(empty)), "Nobody has entered yet")


def test_the_stages_stand_beside_each_other_and_what_is_carried_over_is_said(
    organiser: Client, qualifying: Tournament
) -> None:
    final = began(qualifying, "Asha", "Juma", "Ali", "Omari", carry_over=CarryOver.HALF)

    page = organiser.get(final.get_absolute_url())

    assert [stage.stage_name for stage in page.context["links"]] == ["Qualifying", "Final"]
    assertContains(page, "Half of the points of the stage before are carried over")
    assertContains(page, "Carried over")
    desk = organiser.get(reverse("desk", args=[qualifying.pk]))
    assertContains(desk, "Play goes on in the next stage.")
    assertContains(desk, "Go to Final")
    assertContains(desk, "Add another stage")


def test_the_page_says_who_would_be_in_after_a_correction(
    organiser: Client, qualifying: Tournament
) -> None:
    """Only to the organiser: the cut is theirs, and does not move by itself."""
    qualifying.rounds.update(published_standing=standing_to_publish(qualifying.rounds.get()))
    final = began(qualifying, "Asha", "Juma", "Ali", "Omari")
    assert organiser.get(final.get_absolute_url()).context["moved"] == []
    table = Sitting.objects.get(round__tournament=qualifying, number=1)

    correct_sitting(
        sitting_id=table.pk, changes={1: {"eaten": [5, 115]}}, reason="", by=make.actor()
    )

    assert organiser.get(final.get_absolute_url()).context["moved"] == [
        "By the standings of Qualifying as they are now, Baraka & Neema would be in.",
        "By the standings of Qualifying as they are now, Asha & Juma would not be in.",
    ]
    assert not Client().get(final.get_absolute_url()).context["moved"]


def test_the_final_ranking_is_a_page_of_the_whole_and_a_file(
    client: Client, qualifying: Tournament
) -> None:
    final = began(qualifying, "Asha", "Juma", "Ali", "Omari")

    page = client.get(reverse("final-ranking", args=[qualifying.pk]))
    assert [row.record.name for row in page.context["table"].rows][:4] == [
        *("Asha", "Juma", "Ali", "Omari")
    ]
    assertRedirects(
        client.get(reverse("final-ranking", args=[final.pk])),
        reverse("final-ranking", args=[qualifying.pk]),
    )
    file = client.get(reverse("final-ranking", args=[qualifying.pk]) + "?_export=csv")
    assert "Asha,Final" in file.content.decode()


def test_lists_show_an_event_once(organiser: Client, qualifying: Tournament) -> None:
    final = began(qualifying, "Asha", "Juma", "Ali", "Omari")
    make.sitting("Asha", "Juma", "Ali", "Omari", at=final)
    club = [qualifying.club_id]

    listed = organiser.get(reverse("tournaments", args=club)).context["table"].rows
    assert [row.record.pk for row in listed] == [qualifying.pk]
    assert listed[0].record.playing
    page = organiser.get(reverse("club", args=club)).context["page"]
    assert [line.tournament.pk for line in page["active"]] == [final.pk]
    assert not page["idle"]

    final.rounds.update(state=RoundState.CLOSED)
    finish_tournament(tournament_id=final.pk, by=later(120))

    page = organiser.get(reverse("club", args=club)).context["page"]
    assert not page["active"]
    assert not page["idle"]
    assert [line.tournament.pk for line in page["finished"]] == [qualifying.pk]


def test_a_night_has_nothing_to_do_for_a_stage_that_goes_on(qualifying: Tournament) -> None:
    night = make.night(qualifying.club)
    qualifying.rounds.update(night=night)
    assert [
        each.round and each.round.tournament for each in night_desk(night, now=NOON).playing
    ] == [qualifying]
    groups = begin_groups(
        source=qualifying.pk,
        entrants=in_order(qualifying),
        groups=2,
        plan=plan(""),
        by=later(10),
    )
    for group in groups:
        make.round_of(group, night=night, state=RoundState.CLOSED)
    assert {
        each.round and each.round.tournament for each in night_desk(night, now=NOON).playing
    } == {*groups}
    chosen = [group.entrants.order_by("seed")[at].pk for at in range(2) for group in groups]

    knock_out = begin_stage(
        sources=[group.pk for group in groups],
        entrants=chosen,
        plan=plan("Knock-out"),
        by=later(60),
    )
    make.round_of(knock_out, night=night)

    assert [
        each.round and each.round.tournament for each in night_desk(night, now=NOON).playing
    ] == [knock_out]


def test_a_choice_of_trios_goes_on_until_a_team_is_whole() -> None:
    everybody = ["Asha", "Juma", "Neema", "Omari", "Ali", "Zuwena", "Baraka"]

    halfway = partner_choice(everybody, ["Neema"], 3)
    chosen = partner_choice(everybody, ["Neema", "Ali", "Baraka"], 3)

    assert (halfway.teams, halfway.chooser) == ((("Asha", "Neema"),), "Asha")
    assert chosen.teams == (("Asha", "Neema", "Ali"), ("Juma", "Baraka"))
    assert (chosen.chooser, chosen.free) == ("Juma", ("Omari", "Zuwena"))


def test_nobody_goes_on_from_nowhere(db: None) -> None:
    with pytest.raises(Refused) as refusal:
        begin_stage(sources=[0], entrants=[], plan=plan(), by=later(1))

    assert refusal.value.code == "stage-nowhere"


def test_pairs_do_not_go_on_alone(qualifying: Tournament) -> None:
    as_pairs = began(qualifying, *EIGHT[:4], format_=Format.TEAMS)
    table = make.round_of(as_pairs)
    table.state = RoundState.CLOSED
    table.save()
    entered = [entrant.pk for entrant in as_pairs.entrants.order_by("seed")]

    with pytest.raises(Refused) as refusal:
        begin_stage(sources=[as_pairs.pk], entrants=entered, plan=plan("Alone"), by=later(90))

    assert refusal.value.code == "teams-stay"


def test_pairs_are_dealt_into_groups_with_pairs_that_come_late(db: None) -> None:
    tournament = make.tournament(teams=True)
    pairs = [
        make.team(*(make.player(name, club=tournament.club) for name in names))
        for names in zip(EIGHT[::2], EIGHT[1::2], strict=True)
    ]
    entered = [tournament.entrants.create(team=pair).pk for pair in pairs[:3]]

    groups = begin_groups(
        source=tournament.pk,
        entrants=entered,
        newcomers=[pairs[3].pk],
        groups=2,
        plan=plan("", format_=Format.TEAMS),
        by=later(1),
    )

    assert sorted(
        team for group in groups for team in group.entrants.values_list("team", flat=True)
    ) == sorted(pair.pk for pair in pairs)


def test_where_the_fewest_are_best_nothing_is_carried_over(db: None) -> None:
    tournament = make.tournament("dalmuti", "4i", options={"dalmuti_points": "rank"})
    make.report(make.sitting(*EIGHT[:4], at=tournament), {"order": [0, 1, 2, 3]})
    tournament.rounds.update(state=RoundState.CLOSED)

    with pytest.raises(Refused) as refusal:
        began(tournament, *EIGHT[:4], mode="4i", carry_over=CarryOver.ALL)

    assert refusal.value.code == "carry-over-fewest"
