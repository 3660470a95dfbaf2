"""Formats for an evening: every one ends in time and has a place, or a rest, for everybody."""

import pytest
from hypothesis import given, strategies as st

from games import catalogue
from games.game import AnyGame
from tracker.models import Format, Movement
from tracker.movements.types import OpenedBy, TableShape
from tracker.tournaments.logic.proposals import (
    CHANGE_OF_SEATS,
    EQUALS,
    FEWEST_REPEATS,
    KNOCKOUT,
    MOST_PROPOSALS,
    ROUND_ROBIN,
    SWISS,
    Occasion,
    Proposal,
    ProposalKind,
    ProposedStage,
    propose,
)

GAMES = [pytest.param(game, id=slug) for slug, game in catalogue.GAMES.items()]


def occasion(players: int, minutes: int, game: str = "albastini") -> Occasion:
    rules = catalogue.GAMES[game]
    return Occasion(
        players=players, minutes=minutes, game=rules, minutes_each=rules.typical.minutes
    )


def by_kind(players: int, minutes: int, game: str = "albastini") -> dict[ProposalKind, Proposal]:
    proposals = propose(occasion(players, minutes, game))
    return {proposal.kind: proposal for proposal in reversed(proposals)}


@pytest.mark.every_game
@pytest.mark.parametrize("game", GAMES)
@given(players=st.integers(0, 120), minutes=st.integers(10, 480), minutes_each=st.integers(1, 40))
def test_every_proposal_can_be_played(
    game: AnyGame, players: int, minutes: int, minutes_each: int
) -> None:
    proposals = propose(
        Occasion(players=players, minutes=minutes, game=game, minutes_each=minutes_each)
    )

    assert len(proposals) <= MOST_PROPOSALS
    assert len({proposal.key for proposal in proposals}) == len(proposals)
    for proposal in proposals:
        assert proposal.minutes <= minutes
        assert 0 <= proposal.waiting < 1
        assert proposal.units * proposal.unit_size == players
        for stage in proposal.stages:
            assert stage.length >= 1
            assert len(stage.tables) == stage.rounds >= 1
            seated = [sum(shape.size for shape in tables) for tables in stage.tables]
            assert all(0 < seats <= stage.units for seats in seated)
            if stage.movement != KNOCKOUT:
                assert seated == [stage.units - stage.resting] * stage.rounds


@pytest.mark.every_game
@pytest.mark.parametrize("game", GAMES)
def test_a_usual_evening_has_something_to_choose_from(game: AnyGame) -> None:
    for players in range(8, 102):
        each = game.typical.minutes
        evening = Occasion(players=players, minutes=180, game=game, minutes_each=each)

        assert 3 <= len(propose(evening)) <= MOST_PROPOSALS, players


def test_rounds_and_changes_of_seats_make_the_evening() -> None:
    proposal = by_kind(12, 120)[ProposalKind.PARTNERS]

    (stage,) = proposal.stages
    assert (stage.rounds, stage.length, stage.minutes_a_round) == (5, 4, 20)
    assert proposal.minutes == 5 * 20 + 4 * CHANGE_OF_SEATS == 116


def test_eight_people_all_partner_each_other_in_seven_rounds() -> None:
    stage = by_kind(8, 150)[ProposalKind.EVERY_PARTNER].stages[0]

    assert (stage.rounds, stage.resting) == (7, 0)


def test_thirteen_people_rest_in_turn_or_sit_at_a_table_of_five() -> None:
    rests, fives = (
        proposal.stages[0]
        for proposal in propose(occasion(13, 120))
        if proposal.kind is ProposalKind.PARTNERS
    )

    assert (rests.resting, len(rests.tables[0])) == (1, 3)
    assert [shape.code for shape in fives.tables[0]] == ["4t2", "4t2", "5i"]
    assert fives.resting == 0


def test_an_odd_number_has_no_fixed_pairs() -> None:
    assert all(proposal.unit_size == 1 for proposal in propose(occasion(13, 180)))


def test_many_pairs_play_swiss_and_few_a_round_robin() -> None:
    assert ProposalKind.SWISS in by_kind(40, 180)
    assert ProposalKind.ROUND_ROBIN not in by_kind(40, 180)
    assert ProposalKind.ROUND_ROBIN in by_kind(8, 150)
    assert ProposalKind.SWISS not in by_kind(8, 150)


def test_a_knock_out_of_six_pairs_has_two_byes_and_a_third_place() -> None:
    stage = by_kind(12, 120)[ProposalKind.KNOCKOUT].stages[0]

    assert [len(tables) for tables in stage.tables] == [2, 2, 2]


def test_seven_friends_of_dalmuti_fit_one_table() -> None:
    proposal = propose(occasion(7, 90, "dalmuti"))[0]

    assert proposal.kind is ProposalKind.ONE_TABLE
    assert (proposal.rounds, proposal.minutes) == (1, 90)


def test_in_no_time_or_alone_nothing_is_played() -> None:
    assert propose(occasion(12, 4)) == ()
    assert propose(occasion(1, 120)) == ()
    assert propose(occasion(0, 120)) == ()


def test_the_movements_are_those_of_a_tournament() -> None:
    assert {FEWEST_REPEATS, ROUND_ROBIN, SWISS, EQUALS, KNOCKOUT} <= set(Movement)
    assert set(Format) == {"players", "teams"}


def test_a_knock_out_of_three_has_no_match_for_third_place() -> None:
    three = ProposedStage(
        movement=KNOCKOUT,
        shape=TableShape("4t2", ((0,), (1,))),
        units=3,
        rounds=2,
        length=4,
        minutes_each=5,
        opened_by=OpenedBy.TURN,
    )

    assert [len(tables) for tables in three.tables] == [1, 1]
    assert not three.question(seed=0).third_place
