"""Simulated events: the better come first as often as they should, and the same way each time."""

from collections.abc import Sequence
from functools import cache
from math import exp
from random import Random

import pytest

from games import catalogue
from tracker.planning.logic import table_results
from tracker.planning.logic.findings import Findings, counted, share_of
from tracker.planning.logic.neighbours import planner_of
from tracker.planning.logic.proposals import Occasion, propose
from tracker.planning.logic.simulation import Plans, Simulation, plan_stages
from tracker.planning.logic.stages import Kind, Proposal
from tracker.planning.logic.table_results import Model, model_of, points, weight

PLAIN = Model(wins=1, placed=False, double=0.0, by_hands=False)
EVENINGS = [
    pytest.param(slug, players, proposal, id=f"{slug}-{players}-{proposal.key}")
    for slug, players in (("albastini", 13), ("albastini", 12), ("briscola", 16), ("dalmuti", 11))
    for proposal in propose(
        Occasion(
            players=players,
            minutes=180,
            game=catalogue.GAMES[slug],
            minutes_each=catalogue.GAMES[slug].typical.minutes,
        )
    )
]


def proposed(kind: Kind, players: int, *, game: str = "albastini", minutes: int = 180) -> Proposal:
    rules = catalogue.GAMES[game]
    evening = Occasion(
        players=players, minutes=minutes, game=rules, minutes_each=rules.typical.minutes
    )
    return next(proposal for proposal in propose(evening) if proposal.kind is kind)


@cache  # the same question has the same plan: test_arranging.py
def plans_of(proposal: Proposal, seed: int) -> Plans:
    return plan_stages(proposal, planner_of, seed)


def simulation(proposal: Proposal, *, game: str = "albastini", seed: int = 1) -> Simulation:
    return Simulation(
        proposal=proposal,
        plans=plans_of(proposal, seed),
        model=model_of(catalogue.GAMES[game], fixed=proposal.people > 1),
        planners=planner_of,
        seed=seed,
    )


@pytest.mark.parametrize(("slug", "players", "proposal"), EVENINGS)
def test_everybody_ends_somewhere(slug: str, players: int, proposal: Proposal) -> None:
    event = simulation(proposal, game=slug)

    for number in range(5):
        assert sorted(event.order(number)) == list(range(players // proposal.people))


@pytest.mark.parametrize(("slug", "players", "proposal"), EVENINGS)
def test_pieces_make_the_whole_and_the_same_again(
    slug: str, players: int, proposal: Proposal
) -> None:
    whole = simulation(proposal, game=slug).run(range(12))
    again = simulation(proposal, game=slug)

    assert again.run(range(5)) + again.run(range(5, 12)) == whole
    assert Findings() + whole == whole


def test_another_seed_is_another_evening() -> None:
    proposal = proposed(Kind.PARTNERS, 12)

    assert simulation(proposal, seed=1).run(range(20)) != simulation(proposal, seed=2).run(
        range(20)
    )


@pytest.mark.parametrize(
    "kind", [Kind.PARTNERS, Kind.ALONE, Kind.SWISS, Kind.FINAL], ids=lambda kind: kind.value
)
def test_equals_are_first_as_often_as_chance_has_it(
    kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_results, "SKILL", 0.0)
    proposal = proposed(kind, 24)

    findings = simulation(proposal).run(range(400))

    first = share_of(findings.first, findings.runs)
    assert first.low - 0.02 < 1 / proposal.units < first.high + 0.02


@pytest.mark.parametrize(
    "kind",
    [Kind.PARTNERS, Kind.ALONE, Kind.ROUND_ROBIN, Kind.KNOCKOUT],
    ids=lambda kind: kind.value,
)
def test_skill_that_leaves_no_luck_puts_the_best_first(
    kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = simulation(proposed(kind, 8, minutes=150))
    usual = game.run(range(200)).first
    monkeypatch.setattr(table_results, "SKILL", 40.0)

    certain = game.run(range(200)).first

    assert certain > usual
    # Partners are shared, and at two tables the second best may never meet the best.
    assert certain > {Kind.PARTNERS: 60, Kind.ALONE: 150}.get(kind, 195)


def test_the_stronger_of_two_wins_three_hands_of_five() -> None:
    weights = [weight([1.0, 1.0]), weight([0.5, -0.5])]

    won, _ = points(weights, 20_000, PLAIN, Random(1))

    assert won / 20_000 == pytest.approx(0.6, abs=0.01)


def test_places_earn_the_share_of_those_behind() -> None:
    placed = Model(wins=1, placed=True, double=0.0, by_hands=False)

    earned = points([exp(30), 1.0, exp(-30)], 10, placed, Random(1))

    assert earned == [10.0, 5.0, 0.0]


def test_a_match_is_won_by_its_hands_which_count_where_partners_change() -> None:
    briscola = catalogue.GAMES["briscola"]
    sides = [exp(30), exp(-30)]

    assert points(sides, 2, model_of(briscola, fixed=True), Random(1)) == [2.0, 0.0]
    assert points(sides, 2, model_of(briscola, fixed=False), Random(1)) == [6.0, 0.0]


def test_some_hands_of_albastini_count_twice() -> None:
    albastini = model_of(catalogue.GAMES["albastini"], fixed=False)

    won, lost = points([exp(30), exp(-30)], 10_000, albastini, Random(1))

    assert lost == 0
    assert won / 10_000 == pytest.approx(1 + albastini.double, abs=0.02)


def test_four_are_counted_wherever_among_the_first_four() -> None:
    orders: Sequence[Sequence[int]] = [(3, 2, 1, 0, 4), (0, 1, 2, 4, 3)]

    assert counted(orders) == Findings(runs=2, first=1, four=1, of_four=7)
