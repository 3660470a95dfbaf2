"""Stages: who goes on, what they bring along, and where everybody ended."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from hypothesis import given, strategies as st
from pytest_django.asserts import assertRedirects

from tests import act, make
from tests.drilled import examples
from tests.make import NOON
from tests.reading import costs, lacks, path, shows
from tests.tracker.standings.tables import eaten, over, played
from tracker.models import (
    CarryOver,
    Entrant,
    Format,
    Issue,
    LogEntry,
    Movement,
    RankedBy,
    Role,
    Round,
    RoundState,
    Season,
    Sitting,
    Team,
    Tournament,
)
from tracker.nights.queries.desk import night_desk
from tracker.standings.logic.stages import cut, interleave, partner_choice, snake_groups
from tracker.standings.queries.careers import career, team_career
from tracker.standings.queries.final_rankings import final_ranking, finishes
from tracker.standings.queries.points_by_round import race
from tracker.standings.queries.standings import standing_to_publish, standings
from tracker.standings.queries.tournament_stages import event_of
from tracker.standings.services.stages import StagePlan, begin_groups, begin_stage
from tracker.standings.services.standings import finish_tournament, reopen_tournament
from tracker.tournaments.services.terms import Terms
from tracker.tournaments.services.tournaments import put_in_season

EIGHT = ("Asha", "Neema", "Juma", "Baraka", "Omari", "Zuwena", "Ali", "Fatuma")
BEST, REST = ("Asha", "Juma", "Ali", "Omari"), ("Neema", "Baraka", "Zuwena", "Fatuma")
PAIRED = ("Asha", "Ali", "Juma", "Omari")  # in pairs: Asha & Ali, Juma & Omari
PAIRS: dict[str, Any] = {"format_": Format.TEAMS}


def play(tournament: Tournament, first: int, second: int) -> Tournament:
    """Play a round of two tables of four, at which the first side eats so much, and close it."""
    for eats, names in ((first, EIGHT[:4]), (second, EIGHT[4:])):
        played(tournament, *eaten(eats), names=names)
    return over(tournament)


def plan(stage: str = "Final", **more: Any) -> StagePlan:
    usual = {
        "mode": "4t2",
        "format_": Format.PLAYERS,
        "movement": Movement.FEWEST_REPEATS,
        "length": 8,
    }
    return StagePlan(stage=stage, **{**usual, **more})


def later(minutes: int) -> Any:
    return make.actor(at=NOON + timedelta(minutes=minutes))


def entrants(tournament: Tournament, *names: str) -> list[int]:
    return [tournament.entrants.get(player__name=name).pk for name in names]


def in_order(tournament: Tournament) -> list[int]:
    return [row.entrant for row in standings(tournament).rows]


def begin(
    sources: Sequence[Tournament], chosen: Sequence[int], *, minutes: int = 60, **more: Any
) -> Tournament:
    keys = [source.pk for source in sources]
    return begin_stage(sources=keys, entrants=chosen, plan=plan(**more), by=later(minutes))


def began(source: Tournament, *names: str, **more: Any) -> Tournament:
    return begin([source], entrants(source, *names), **more)


def consolation(source: Tournament) -> Tournament:
    return began(source, *REST, stage="Consolation", minutes=61)


def begun_groups(
    source: Tournament, chosen: Sequence[int], groups: int = 2, **more: Any
) -> list[Tournament]:
    newcomers = more.pop("newcomers", ())
    return begin_groups(
        source=source.pk,
        entrants=chosen,
        newcomers=newcomers,
        groups=groups,
        plan=plan("", **more),
        by=later(10),
    )


def play_group(group: Tournament, winners: Sequence[str]) -> None:
    losers = [name for name in seeds(group) if name not in winners]
    played(group, *eaten(70), names=(winners[0], losers[0], winners[1], losers[1]))
    over(group)


def play_final(final: Tournament) -> None:
    """Let the second pair win against the first."""
    played(final, *eaten(50), names=("Asha", "Juma", "Ali", "Omari"))


def seeds(tournament: Tournament) -> list[str]:
    entered = tournament.entrants.select_related("player", "team")
    return [str(entrant) for entrant in entered.order_by("seed")]


def carried(tournament: Tournament) -> dict[str, Fraction]:
    return {row.name: row.carried for row in standings(tournament).rows}


def ranking(tournament: Tournament) -> list[tuple[int, str]]:
    return [(row.place, row.name) for row in final_ranking(event_of(tournament))]


@pytest.fixture
def qualifying(db: None) -> Tournament:
    """Asha and Juma have 2 points, Omari and Ali 1, the others none."""
    return play(make.tournament(hands=1), 115, 70)


# Who goes on ---------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 5), max_size=12), st.integers(0, 14))
def test_a_cut_names_everybody_level_with_the_last(points: list[int], best: int) -> None:
    ordered = sorted(points, reverse=True)
    placed = [(1 + ordered.index(each), at) for at, each in enumerate(ordered)]
    inside, tied = cut(placed, best)

    assert list(inside) == list(range(min(best, len(points))))
    if tied:
        assert {ordered[at] for at in tied} == {ordered[best - 1]} == {ordered[best]}
        assert ordered.count(ordered[best]) == len(tied)


@given(st.integers(0, 40), st.integers(1, 9))
def test_groups_by_the_snake_are_as_large_and_as_strong(players: int, groups: int) -> None:
    dealt = snake_groups(range(players), groups)

    assert sorted(seed for group in dealt for seed in group) == list(range(players))
    assert max(map(len, dealt)) - min(map(len, dealt)) <= 1
    if players % (2 * groups) == 0:
        assert len({sum(group) for group in dealt}) == 1
    assert sorted(interleave(dealt)) == list(range(players))


def test_a_choice_of_trios_goes_on_until_a_team_is_whole() -> None:
    everybody = ["Asha", "Juma", "Neema", "Omari", "Ali", "Zuwena", "Baraka"]
    halfway = partner_choice(everybody, ["Neema"], 3)
    chosen = partner_choice(everybody, ["Neema", "Ali", "Baraka"], 3)

    assert (halfway.teams, halfway.chooser) == ((("Asha", "Neema"),), "Asha")
    assert chosen.teams == (("Asha", "Neema", "Ali"), ("Juma", "Baraka"))
    assert (chosen.chooser, chosen.free) == ("Juma", ("Omari", "Zuwena"))


def test_the_best_go_on_with_seeds_to_a_stage_as_the_first(qualifying: Tournament) -> None:
    terms = Terms(planned=3, minutes=20)
    final = begin([qualifying], in_order(qualifying)[:4], movement=Movement.SWISS, terms=terms)

    assert seeds(final) == ["Asha", "Juma", "Ali", "Omari"]
    assert [*final.entrants.order_by("seed").values_list("seed", flat=True)] == [1, 2, 3, 4]
    assert (final.follows, final.stage, final.name) == (qualifying, "Final", "Friday Cup – Final")
    assert (final.movement, final.planned, final.minutes, final.hands) == ("swiss", 3, 20, 8)
    assert (final.options, final.season) == (qualifying.options, None)
    assert LogEntry.objects.filter(verb="stage-begun").count() == 1
    with pytest.raises(IntegrityError), transaction.atomic():
        final.entrants.update(seed=1)  # one seed is of one entrant


@pytest.mark.parametrize(
    ("movement", "rounds"),
    [(Movement.KNOCKOUT, 2), (Movement.ROUND_ROBIN, 3), (Movement.SWISS, None)],
)
def test_a_stage_plans_as_many_rounds_as_its_movement_takes(
    qualifying: Tournament, movement: Movement, rounds: int | None
) -> None:
    again = play(make.tournament(club=qualifying.club, name="Saturday Cup", hands=8), 115, 70)
    assert began(qualifying, *EIGHT, movement=movement).planned is None
    assert began(again, *EIGHT, movement=movement, **PAIRS).planned == rounds


def test_what_cannot_be_played_is_refused_and_leaves_no_trace(qualifying: Tournament) -> None:
    for names, more, code in (
        ((), {}, "stage-nobody"),
        (("Asha", "Juma"), {}, "too-few"),
        (("Asha", "Juma", "Ali"), PAIRS, "no-partner"),
        (EIGHT, {**PAIRS, "mode": "4i"}, "teams-alone"),
    ):
        with act.refused(code):
            began(qualifying, *names, **more)
    for groups in (1, 9):  # there are not more groups than entrants
        with act.refused("groups"):
            begun_groups(qualifying, in_order(qualifying), groups)
    with act.refused("stage-nowhere"):
        begin_stage(sources=[0], entrants=[], plan=plan(), by=later(1))
    assert Tournament.objects.count() == 1


def test_nobody_goes_on_from_an_open_round_or_withdrawn(qualifying: Tournament) -> None:
    qualifying.entrants.filter(player__name="Asha").update(withdrawn_at=NOON)
    with act.refused("stage-stranger"):
        began(qualifying, *EIGHT[:4])
    make.round_of(qualifying)
    with act.refused("round-open"):
        began(qualifying, *EIGHT[1:5])


def test_nobody_goes_on_from_what_was_not_played_but_groups_may_come_first(db: None) -> None:
    tournament = make.tournament()
    page = act.sign_in(Role.ORGANISER, tournament).get(new(tournament))
    shows(page, "Nobody has entered yet")
    entered = [entrant.pk for entrant in act.enter(tournament, *EIGHT)]
    with act.refused("stage-unplayed"):
        began(tournament, *EIGHT[:4])

    groups = begun_groups(tournament, entered)
    assert [group.entrants.count() for group in groups] == [4, 4]


def test_nobody_goes_on_twice_or_to_a_stage_of_the_same_name(qualifying: Tournament) -> None:
    final = began(qualifying, *BEST)

    with act.refused("stage-gone-on") as refusal:
        began(qualifying, "Asha", *REST[:3], stage="Consolation")
    assert refusal.value.params["who"] == "Asha"
    with act.refused("stage-named"):
        began(qualifying, *REST)
    with act.refused("stage-apart"):
        begin([qualifying, final], in_order(qualifying)[-4:], minutes=90, stage="Last")


def test_pairs_do_not_go_on_alone(qualifying: Tournament) -> None:
    as_pairs = began(qualifying, "Asha", "Neema", "Juma", "Ali", **PAIRS)
    assert seeds(as_pairs) == ["Asha & Neema", "Juma & Ali"]  # as they chose each other
    make.round_of(as_pairs, state=RoundState.CLOSED)
    entered = [entrant.pk for entrant in as_pairs.entrants.order_by("seed")]

    with act.refused("teams-stay"):
        begin([as_pairs], entered, minutes=90, stage="Alone")


def test_a_stage_of_nothing_is_no_stage_in_the_database(qualifying: Tournament) -> None:
    for wrong in ({"carry_over": "all"}, {"follows": qualifying}, {"carry_over": "most"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            make.tournament(club=qualifying.club, **wrong)
    with pytest.raises(IntegrityError), transaction.atomic():
        Tournament.objects.filter(pk=qualifying.pk).update(follows=qualifying.pk, stage="Final")


# What is carried over ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("carry_over", "worth"),
    [
        (CarryOver.NOTHING, Fraction(0)),
        (CarryOver.HALF, Fraction(1, 2)),
        (CarryOver.ALL, Fraction(1)),
    ],
)
def test_points_are_carried_over_as_chosen_and_finishes_and_the_race_agree(
    qualifying: Tournament, carry_over: CarryOver, worth: Fraction
) -> None:
    final = began(qualifying, *EIGHT, carry_over=carry_over)
    # Only a stage that carries over asks for the stages before.
    with costs(7 if worth else 3):
        standing = standings(final)
    points = {row.name: row.figures["victory_points"] for row in standing.rows}
    assert (points["Asha"], points["Ali"]) == (2 * worth, worth)
    assert standing.begun == standing.carries == bool(worth)
    play(final, 50, 30)

    rows = {row.entrant: row for row in standings(final).rows}
    assert {entrant: each.points for entrant, each in finishes([final]).items()} == {
        entrant: row.figures["victory_points"] for entrant, row in rows.items()
    }
    for runner in race(final).runners:
        row = rows[runner.entrant.pk]
        assert (runner.points[0], runner.points[-1]) == (row.carried, row.figures["victory_points"])
        assert runner.places[-1] == row.place


def test_a_pair_brings_the_average_of_its_players(qualifying: Tournament) -> None:
    names = ("Asha", "Ali", "Juma", "Neema")
    final = began(qualifying, *names, carry_over=CarryOver.ALL, **PAIRS)
    assert carried(final) == {"Asha & Ali": Fraction(3, 2), "Juma & Neema": Fraction(1)}


def test_what_was_carried_over_is_carried_on(qualifying: Tournament) -> None:
    """Half of what somebody had in the semi-final, half of the qualifying among it."""
    semi = began(qualifying, *EIGHT, stage="Semi-final", carry_over=CarryOver.HALF)
    play(semi, 70, 5)
    names = ("Asha", "Juma", "Zuwena", "Fatuma")
    final = began(semi, *names, minutes=90, carry_over=CarryOver.HALF)

    # Of Asha and Juma (2 / 2 + 1) / 2, of the others (0 + 2) / 2.
    assert carried(final) == dict.fromkeys(names, Fraction(1))


def test_a_correction_moves_what_is_carried_over_not_who_is_in(qualifying: Tournament) -> None:
    """Who would be in is said to the organiser alone: the cut is theirs, and stays."""
    qualifying.rounds.update(published_standing=standing_to_publish(qualifying.rounds.get()))
    final = began(qualifying, *BEST, carry_over=CarryOver.ALL)
    organiser = act.sign_in(Role.ORGANISER, qualifying)
    assert organiser.get(final.get_absolute_url()).context["moved"] == []
    table = Sitting.objects.get(round__tournament=qualifying, number=1)
    act.correct(table, {1: {"eaten": [5, 115]}})

    assert carried(final) == {"Ali": 1, "Omari": 1, "Asha": 0, "Juma": 0}
    assert organiser.get(final.get_absolute_url()).context["moved"] == [
        "By the standings of Qualifying as they are now, Baraka & Neema would be in.",
        "By the standings of Qualifying as they are now, Asha & Juma would not be in.",
    ]
    assert not Client().get(final.get_absolute_url()).context["moved"]


ORDER = {"order": [0, 1, 2, 3]}


@pytest.mark.parametrize(
    ("of", "sheet", "more", "code"),
    [
        (
            lambda: make.tournament("dalmuti", "4i", ranked_by=RankedBy.SHARE),
            ORDER,
            {"mode": "4i"},
            "carry-over-share",
        ),
        # Changing partners count deals in Briscola, fixed pairs matches.
        (
            lambda: make.tournament("briscola", "4t2"),
            {"points": [70, 50]},
            PAIRS,
            "carry-over-other",
        ),
        (
            lambda: make.tournament("dalmuti", "4i", options={"dalmuti_points": "rank"}),
            ORDER,
            {"mode": "4i"},
            "carry-over-fewest",
        ),
    ],
)
@pytest.mark.django_db
def test_shares_and_other_points_are_not_carried_over(
    of: Callable[[], Tournament], sheet: Any, more: dict[str, Any], code: str
) -> None:
    tournament = of()
    played(tournament, sheet)
    over(tournament)

    with act.refused(code, question="carry_over"):
        began(tournament, *EIGHT[:4], carry_over=CarryOver.ALL, **more)


# Groups and the event ------------------------------------------------------------------------------


def test_groups_are_dealt_by_strength_and_their_best_meet_again(qualifying: Tournament) -> None:
    first, second = begun_groups(qualifying, entrants(qualifying, *EIGHT))
    assert [first.stage, second.stage] == ["Group A", "Group B"]
    assert seeds(first) == ["Asha", "Baraka", "Omari", "Fatuma"]
    for group, names in ((first, ("Asha", "Baraka")), (second, ("Neema", "Juma"))):
        play_group(group, names)
    chosen = [*entrants(first, "Asha", "Baraka"), *entrants(second, "Neema", "Juma")]
    knock_out = begin([first, second], chosen, stage="Knock-out")

    assert knock_out.follows == qualifying
    everybody = ranking(qualifying)
    assert [name for _, name in everybody[:4]] == ["Asha", "Baraka", "Neema", "Juma"]
    # Third and fourth of a group are beside those of the other.
    assert [place for place, _ in everybody] == [1, 2, 3, 4, 5, 5, 5, 5]


def test_pairs_are_dealt_into_groups_with_pairs_that_come_late(db: None) -> None:
    tournament = make.tournament(teams=True)
    pairs = [
        make.team(*(make.player(name, club=tournament.club) for name in names))
        for names in zip(EIGHT[::2], EIGHT[1::2], strict=True)
    ]
    entered = [make.entrant(pair, at=tournament).pk for pair in pairs[:3]]
    groups = begun_groups(tournament, entered, newcomers=[pairs[3].pk], **PAIRS)

    dealt = [entrant.team_id for group in groups for entrant in group.entrants.all()]
    assert sorted(map(int, filter(None, dealt))) == sorted(pair.pk for pair in pairs)


def test_a_final_stands_before_a_consolation_and_who_was_cut(qualifying: Tournament) -> None:
    """A pair of the final has one place; whoever ended in the first stage comes last."""
    make.entrant(make.player("Late", club=qualifying.club), at=qualifying)
    final, lower = began(qualifying, *PAIRED, **PAIRS), consolation(qualifying)
    play_final(final)
    played(lower, *eaten(50), names=("Neema", "Zuwena", "Baraka", "Fatuma"))

    assert ranking(qualifying) == [
        (1, "Juma & Omari"),
        (2, "Asha & Ali"),
        (3, "Zuwena"),  # level: the better seed first
        (3, "Fatuma"),
        (5, "Neema"),
        (5, "Baraka"),
        (7, "Late"),
    ]


@given(data=st.data())
@examples(6, full=15)
@pytest.mark.django_db
def test_everybody_stands_in_the_final_ranking_once(data: st.DataObject) -> None:
    with transaction.atomic():
        tournament = play(make.tournament(hands=8), 115, 70)
        left = list(EIGHT)
        for number in range(data.draw(st.integers(1, 2))):
            chosen = data.draw(st.permutations(left))[:4]
            paired = PAIRS if data.draw(st.booleans()) and not number else {}
            began(tournament, *chosen, stage=f"Stage {number}", minutes=number, **paired)
            left = [name for name in left if name not in chosen]

        rows = final_ranking(event_of(tournament))
        players = [player for row in rows for player in row.players]
        transaction.set_rollback(True)

    assert len(players) == len(set(players)) == len(EIGHT)
    assert [row.place for row in rows] == sorted(row.place for row in rows)


def test_an_event_is_ranked_whole_before_its_final(client: Client, qualifying: Tournament) -> None:
    alone = {row.entrant: row.place for row in standings(qualifying).rows}
    assert {row.entrant: row.place for row in final_ranking(event_of(qualifying))} == alone
    assert Entrant.objects.count() == len(alone)
    final = began(qualifying, "Juma", "Asha", "Ali", "Omari")

    everybody = ranking(qualifying)
    assert everybody[:4] == [(1, "Juma"), (2, "Asha"), (3, "Ali"), (4, "Omari")]
    assert sorted(name for _, name in everybody) == sorted(EIGHT)
    address = path("final-ranking", qualifying)
    page = client.get(address)
    assert [row.record.name for row in page.context["table"].rows][:2] == ["Juma", "Asha"]
    assertRedirects(client.get(path("final-ranking", final)), address)
    shows(client.get(address + "?_export=csv"), "Asha,Final")


def test_the_last_official_stage_makes_the_event_official(qualifying: Tournament) -> None:
    final, lower = began(qualifying, *BEST), consolation(qualifying)
    finish_tournament(tournament_id=final.pk, by=later(120))
    official = [stage.official_at for stage in event_of(qualifying).stages]
    finish_tournament(tournament_id=lower.pk, by=later(121))

    assert official == [None, later(120).at, None]
    assert [stage.official_at for stage in event_of(qualifying).stages] == [
        *(later(121).at, later(120).at, later(121).at)
    ]
    assert event_of(final).official


def test_an_earlier_stage_with_a_missing_result_does_not_become_official(
    client: Client, qualifying: Tournament
) -> None:
    table = Sitting.objects.filter(round__tournament=qualifying).latest("pk")
    Issue.objects.create(
        sitting=table, number=1, kind="late", report=table.reports.first(), raised_at=make.NOON
    )
    final = began(qualifying, *BEST)
    for _again in range(2):
        finish_tournament(tournament_id=final.pk, by=later(120))
        assert [bool(stage.official_at) for stage in event_of(final).stages] == [False, True]
        shows(client.get(path("final-ranking", qualifying)), "Ranking so far", "provisional")
        reopen_tournament(tournament_id=final.pk, by=later(121))
    act.settle("dismiss")
    finish_tournament(tournament_id=final.pk, by=later(122))

    assert event_of(final).official
    shows(client.get(path("final-ranking", qualifying)), "Final ranking", "official")


def test_where_people_go_on_no_tie_is_for_a_prize(client: Client, qualifying: Tournament) -> None:
    season = Season.objects.create(club=qualifying.club, name="Autumn")
    finish_tournament(tournament_id=qualifying.pk, by=later(1))
    assert client.get(qualifying.get_absolute_url()).context["ties"]
    final = began(qualifying, *BEST)

    assert not client.get(qualifying.get_absolute_url()).context["ties"]
    with act.refused("season-stage"):  # all stages count for the season of the first
        put_in_season(tournament_id=final.pk, season_id=season.pk, by=make.actor())


def test_careers_have_the_event_once_with_the_place_of_the_pair(qualifying: Tournament) -> None:
    play_final(began(qualifying, *PAIRED, **PAIRS))
    teams = play(make.tournament(teams=True), 70, 70)
    winners = teams.entrants.filter(tallies__key="won", tallies__amount=1)
    final = begin([teams], [entrant.pk for entrant in winners], **PAIRS)
    played(final, *eaten(50), names=("Asha", "Omari", "Juma", "Ali"))
    [line] = career(make.player("Omari", club=qualifying.club)).tournaments
    [cut] = career(make.player("Neema", club=qualifying.club)).tournaments
    [team] = team_career(Team.objects.get(name="Omari & Ali")).tournaments

    assert (line.tournament, line.played_for, line.hands) == (qualifying, "Juma & Omari", 2)
    assert (team.tournament, team.hands) == (teams, 2)
    places = [each.finish and (each.finish.place, each.finish.of) for each in (line, cut, team)]
    assert places == [(1, 6), (5, 6), (1, 4)]
    assert cut.finish is not None
    assert cut.finish.tied


# Pages ---------------------------------------------------------------------------------------------


@pytest.fixture
def organiser(qualifying: Tournament) -> Client:
    return act.sign_in(Role.ORGANISER, qualifying)


def new(tournament: Tournament, query: str = "") -> str:
    return path("stage-new", tournament, query=query)


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


def chosen_on(page: Any) -> set[str]:
    chosen: set[str] = page.context["form"]["entrants"].chosen
    return chosen


def keys(tournament: Tournament, *names: str) -> set[str]:
    return {*map(str, entrants(tournament, *names))}


def test_the_page_taps_the_best_and_names_equals(organiser: Client, qualifying: Tournament) -> None:
    page = organiser.get(new(qualifying, "?best=2"))
    assert chosen_on(page) == keys(qualifying, "Asha", "Juma")
    lacks(page, "Tied for the last place")

    # Zuwena and Fatuma lost by less than Neema and Baraka.
    assert len(chosen_on(organiser.get(new(qualifying, "?best=4")))) == 4
    qualifying.entrants.filter(player__name="Omari").update(withdrawn_at=NOON)
    page = organiser.get(new(qualifying, "?best=4"))
    shows(page, "Tied for the last place: Fatuma, Zuwena.")


def test_everybody_or_the_rest_can_go_on(organiser: Client, qualifying: Tournament) -> None:
    assert len(chosen_on(organiser.get(new(qualifying, "?best=all")))) == 8
    began(qualifying, *BEST)
    page = organiser.get(new(qualifying, "?best=all"))

    assert chosen_on(page) == keys(qualifying, *REST)
    assert page.context["form"]["stage"].value() == "Consolation"
    shows(page, "All the rest")
    refused = organiser.post(new(qualifying), answers(qualifying, *REST))
    assert "already" in refused.context["form"].errors["stage"][0]


def test_the_form_leads_to_the_desk_of_the_stage(organiser: Client, qualifying: Tournament) -> None:
    names = ("Ali", "Asha", "Juma", "Omari")
    page = organiser.post(
        new(qualifying), answers(qualifying, *names, carry_over="half", planned=3)
    )

    final = qualifying.next_stages.get()
    assertRedirects(page, path("desk", final))
    assert (final.carry_over, final.planned, seeds(final)[0]) == ("half", 3, "Asha")


def test_the_best_without_a_partner_chooses(organiser: Client, qualifying: Tournament) -> None:
    def asked(**more: Any) -> Any:
        return organiser.post(new(qualifying), answers(qualifying, *BEST, format="teams", **more))

    shows(asked(), "Asha chooses")
    partner = entrants(qualifying, "Omari")
    page = asked(partner=partner)
    shows(page, "Everybody has a partner.")
    teams = [[row.name for row in team] for team in page.context["teams"]]
    assert teams == [["Asha", "Omari"], ["Juma", "Ali"]]
    shows(asked(partner=partner, back="1"), "Asha chooses")
    shows(asked(partner=partner, change="1"), "Who qualifies?")
    assert Tournament.objects.count() == 1
    asked(partner=partner, begin="1")

    assert seeds(qualifying.next_stages.get()) == ["Asha & Omari", "Juma & Ali"]


def test_the_form_takes_the_best_of_groups(organiser: Client, qualifying: Tournament) -> None:
    organiser.post(new(qualifying), answers(qualifying, *EIGHT, groups=2))
    groups = list(qualifying.next_stages.order_by("pk"))
    assert [group.stage for group in groups] == ["Group A", "Group B"]
    for group in groups:
        play_group(group, seeds(group)[:2])

    page = organiser.get(new(groups[1]))
    shows(page, "Best 2 of each group")
    assert page.context["form"]["stage"].value() == "Knock-out"
    taps = {"entrants": [*chosen_on(page)], "stage": "Knock-out"}
    organiser.post(new(groups[1]), answers(groups[0]) | taps)

    assert qualifying.next_stages.get(stage="Knock-out").entrants.count() == 4


def test_groups_first_take_in_who_is_tapped(organiser: Client, qualifying: Tournament) -> None:
    cup = make.tournament(club=qualifying.club, name="Group cup")
    act.enter(cup, "Asha")
    page = organiser.get(new(cup))
    shows(page, "Who else plays?")
    others = [key for key, name in page.context["form"].others if name in EIGHT]
    page = organiser.post(new(cup), answers(cup, "Asha", groups=2, more=others))

    groups = cup.next_stages.order_by("pk")
    assertRedirects(page, path("desk", groups[0]))
    assert [group.entrants.count() for group in groups] == [4, 4]
    assert seeds(groups[0])[0] == "Asha"
    links = organiser.get(groups[0].get_absolute_url()).context["links"]
    assert [stage.stage_name for stage in links] == ["Entries", "Group A", "Group B"]


def test_pages_name_stages_and_what_is_carried(organiser: Client, qualifying: Tournament) -> None:
    final = began(qualifying, *BEST, carry_over=CarryOver.HALF)
    page = organiser.get(final.get_absolute_url())

    assert [stage.stage_name for stage in page.context["links"]] == ["Qualifying", "Final"]
    shows(page, "Half of the points of the stage before are carried over", "Carried over")
    desk = organiser.get(path("desk", qualifying))
    shows(desk, "Play goes on in the next stage.", "Go to Final", "Add another stage")


def test_lists_show_an_event_once(organiser: Client, qualifying: Tournament) -> None:
    final = began(qualifying, *BEST)
    make.sitting(*BEST, at=final)
    club = path("club", qualifying.club_id)

    [row] = organiser.get(path("tournaments", qualifying.club_id)).context["table"].rows
    assert (row.record.pk, bool(row.record.playing)) == (qualifying.pk, True)
    page = organiser.get(club).context["page"]
    assert [line.tournament.pk for line in page["active"]] == [final.pk]
    assert not page["idle"]

    over(final).rounds.update(hands=None)  # nothing is missing of a round without a length
    finish_tournament(tournament_id=final.pk, by=later(120))

    page = organiser.get(club).context["page"]
    assert not page["active"]
    assert not page["idle"]
    assert [line["tournament"].pk for line in page["finished"]] == [qualifying.pk]


def test_a_night_has_nothing_to_do_for_a_stage_that_goes_on(qualifying: Tournament) -> None:
    night = make.night(qualifying.club)
    qualifying.rounds.update(night=night)

    def playing() -> set[Tournament | None]:
        rounds = [each.round for each in night_desk(night, now=NOON).playing]
        return {round_.tournament if round_ else None for round_ in rounds}

    assert playing() == {qualifying}
    groups = begun_groups(qualifying, in_order(qualifying))
    for group in groups:
        make.round_of(group, night=night, state=RoundState.CLOSED)
    assert playing() == {*groups}
    chosen = [group.entrants.order_by("seed")[at].pk for at in range(2) for group in groups]

    knock_out = begin(groups, chosen, stage="Knock-out")
    make.round_of(knock_out, night=night)

    assert playing() == {knock_out}


@pytest.mark.django_db
def test_no_stage_is_official_while_a_result_of_which_points_count_is_missing() -> None:
    tournament = make.tournament(hands=2)
    short = played(tournament, *eaten(70), names=EIGHT[:4])
    act.close(short.round, anyway=True)
    final = began(tournament, *EIGHT[:4], length=1, carry_over=CarryOver.HALF)
    act.close(played(final, *eaten(70), names=EIGHT[:4]).round)

    with act.refused("result-missing"):
        act.finish(final)
    Round.objects.filter(pk=short.round_id).update(hands=1)
    act.finish(final)
