"""Simulated events: the better come first as often as they should, and the same way each time."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import exp
from random import Random

import pytest

from games import catalogue
from games.game import Typical
from tracker.movements.catalogue import MOVEMENTS
from tracker.movements.turns import choose_first_dealers
from tracker.movements.types import Question, SeatingPlan
from tracker.tournaments.logic import simulation as simulated
from tracker.tournaments.logic.proposals import Occasion, Proposal, ProposalKind, propose
from tracker.tournaments.logic.simulation import (
    Findings,
    Simulation,
    count_findings,
    points,
    share_of,
    weight,
)

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


def proposed(
    kind: ProposalKind, players: int, *, game: str = "albastini", minutes: int = 180
) -> Proposal:
    rules = catalogue.GAMES[game]
    evening = Occasion(
        players=players, minutes=minutes, game=rules, minutes_each=rules.typical.minutes
    )
    return next(proposal for proposal in propose(evening) if proposal.kind is kind)


def simulation(proposal: Proposal, *, game: str = "albastini", seed: int = 1) -> Simulation:
    return Simulation(proposal=proposal, typical=catalogue.GAMES[game].typical, seed=seed)


@pytest.mark.parametrize(("slug", "players", "proposal"), EVENINGS)
def test_everybody_ends_somewhere(slug: str, players: int, proposal: Proposal) -> None:
    event = simulation(proposal, game=slug)

    for number in range(5):
        assert sorted(event.order(number)) == list(range(players // proposal.unit_size))


@pytest.mark.parametrize(("slug", "players", "proposal"), EVENINGS)
def test_pieces_make_the_whole_and_the_same_again(
    slug: str, players: int, proposal: Proposal
) -> None:
    whole = simulation(proposal, game=slug).run(range(12))
    again = simulation(proposal, game=slug)

    assert again.run(range(5)) + again.run(range(5, 12)) == whole
    assert Findings() + whole == whole


def test_a_round_by_results_is_what_the_movement_draws_after_the_rounds_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for kind, game, players in (
        (ProposalKind.SWISS, "albastini", 16),
        (ProposalKind.EQUALS, "dalmuti", 12),
        (ProposalKind.KNOCKOUT, "albastini", 8),
    ):
        proposal = proposed(kind, players, game=game, minutes=150)
        (stage,) = proposal.stages
        asked: list[Question] = []

        def plan(question: Question, movement: str = stage.movement) -> SeatingPlan:
            asked.append(question)  # noqa: B023 - called before the next
            return MOVEMENTS[movement].plan(question)

        entry = replace(MOVEMENTS[stage.movement], plan=plan)
        monkeypatch.setattr(simulated, "MOVEMENTS", {**MOVEMENTS, stage.movement: entry})
        simulation(proposal, game=game).order(0)

        assert [len(question.played) for question in asked] == list(range(stage.rounds))
        for before, after in pairwise(asked):
            whole = MOVEMENTS[stage.movement].plan(replace(before, tables_only=False)).rounds
            (drawn,) = choose_first_dealers(before, whole)
            played = after.played[-1]
            seated, simulated_seats = (
                {
                    frozenset(t.units): t.opener if t.opener is None else t.units[t.opener]
                    for t in each.tables
                }
                for each in (drawn, played)
            )
            assert seated == simulated_seats
            assert set(drawn.resting) == set(played.resting)


def test_another_seed_is_another_evening() -> None:
    proposal = proposed(ProposalKind.PARTNERS, 12)

    assert simulation(proposal, seed=1).run(range(20)) != simulation(proposal, seed=2).run(
        range(20)
    )


@pytest.mark.parametrize(
    "kind",
    [ProposalKind.PARTNERS, ProposalKind.ALONE, ProposalKind.SWISS, ProposalKind.FINAL],
    ids=lambda kind: kind.value,
)
def test_equals_are_first_as_often_as_chance_has_it(
    kind: ProposalKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulated, "SKILL", 0.0)
    proposal = proposed(kind, 24)

    # Nights by results are seated anew after every round.
    findings = simulation(proposal).run(range(100 if proposal.by_results else 400))

    _, low, high = share_of(findings.first, findings.runs)
    assert low - 0.02 < 1 / proposal.units < high + 0.02


@pytest.mark.parametrize(
    "kind",
    [ProposalKind.PARTNERS, ProposalKind.ALONE, ProposalKind.ROUND_ROBIN, ProposalKind.KNOCKOUT],
    ids=lambda kind: kind.value,
)
def test_skill_that_leaves_no_luck_puts_the_best_first(
    kind: ProposalKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = simulation(proposed(kind, 8, minutes=150))
    usual = game.run(range(200)).first
    monkeypatch.setattr(simulated, "SKILL", 40.0)

    certain = game.run(range(200)).first

    assert certain > usual
    # Partners are shared, and at two tables the second best may never meet the best.
    assert certain > {ProposalKind.PARTNERS: 60, ProposalKind.ALONE: 150}.get(kind, 195)


def test_the_stronger_of_two_wins_three_hands_of_five() -> None:
    weights = [weight([1.0, 1.0]), weight([0.5, -0.5])]

    won, _ = points(weights, 20_000, Typical(), Random(1), fixed_partners=True)

    assert won / 20_000 == pytest.approx(0.6, abs=0.01)


def test_places_earn_the_share_of_those_behind() -> None:
    earned = points(
        [exp(30), 1.0, exp(-30)], 10, Typical(placed=True), Random(1), fixed_partners=False
    )

    assert earned == [10.0, 5.0, 0.0]


def test_a_match_is_won_by_its_hands_which_count_where_partners_change() -> None:
    briscola = catalogue.GAMES["briscola"].typical
    sides = [exp(30), exp(-30)]

    assert points(sides, 2, briscola, Random(1), fixed_partners=True) == [2.0, 0.0]
    assert points(sides, 2, briscola, Random(1), fixed_partners=False) == [6.0, 0.0]


def test_some_hands_of_albastini_count_twice() -> None:
    albastini = catalogue.GAMES["albastini"].typical

    won, lost = points([exp(30), exp(-30)], 10_000, albastini, Random(1), fixed_partners=False)

    assert lost == 0
    assert won / 10_000 == pytest.approx(1 + albastini.double, abs=0.02)


def test_four_are_counted_wherever_among_the_first_four() -> None:
    orders: Sequence[Sequence[int]] = [(3, 2, 1, 0, 4), (0, 1, 2, 4, 3)]

    assert count_findings(orders) == Findings(runs=2, first=1, four=1, of_four=7)
