"""The laboratory's arena: who may play there, and how sure it says it is."""

import re
from random import Random

import pytest

from games.cli.arena import ContestScore, DealResult
from tests.games.contests import contest, tally
from tests.lab.__main__ import main, spread
from tests.lab.confidence import share_of


@pytest.mark.parametrize(
    ("game", "mode", "deals"), [("albastini", "4t2", 40), ("dalmuti", "4i", 10)]
)
def test_better_bots_are_found_to_be_better(game: str, mode: str, deals: int) -> None:
    results = tally(contest(game, mode, "steady beginner"), deals).results
    assert share_of([(result.won, result.out_of) for result in results]).low > 0.5


def test_how_sure_it_is_goes_by_the_deals() -> None:
    assert spread(ContestScore([DealResult(won=1, out_of=2)] * 2)) == "9.5% to 90.5%"
    assert spread(ContestScore()) == "0.0% to 100.0%"


def test_it_tells_what_came_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    argv = "arena briscola --mode 2i --deals 2 --iterations 1 --bots plain,cheat --jobs 2"
    assert main(argv.split()) == 0
    assert re.search(
        r"^plain against cheat: \d+\.\d% of decided hands "
        r"\(95 %: \d+\.\d% to \d+\.\d%; fair is 50 %\)$",
        capsys.readouterr().out,
        re.MULTILINE,
    )


def test_what_it_cannot_do_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "dalmuti", "--mode", "4i", "--bots", "strong,fox"]) == 2
    assert "original_code, readme, plain, cheat." in capsys.readouterr().err


def test_nothing_counted_says_nothing() -> None:
    assert (share_of([]).counted, share_of([(0, 0)]).low, share_of([]).high) == (0.5, 0, 1)


def test_trials_of_their_own_have_wilsons_interval() -> None:
    share = share_of([(1, 1)] * 50 + [(0, 1)] * 50)
    assert share.counted == 0.5
    assert (share.low, share.high) == pytest.approx((0.4038, 0.5962), abs=0.001)


def test_hands_that_always_come_out_alike_count_once_and_opposites_cancel_out() -> None:
    apart = share_of([(1, 1)] * 60 + [(0, 1)] * 40)
    alike = share_of([(2, 2)] * 30 + [(0, 2)] * 20)
    opposite = share_of([(1, 2)] * 40 + [(2, 2)] * 10)
    assert apart.counted == alike.counted == opposite.counted == 0.6
    assert alike.high - alike.low > apart.high - apart.low > opposite.high - opposite.low


def test_an_interval_never_leaves_what_can_be() -> None:
    for won in (0, 2):
        share = share_of([(won, 2)] * 5)
        assert 0 <= share.low <= share.counted <= share.high <= 1


def test_the_true_share_is_in_nineteen_of_twenty_intervals() -> None:
    rng = Random(1)
    held = 0
    for _ in range(400):
        # Two hands a deal, and more often than not the deal decides both.
        groups = []
        for _ in range(60):
            first = rng.random() < 0.6
            second = first if rng.random() < 0.5 else rng.random() < 0.6
            groups.append((first + second, 2))
        share = share_of(groups)
        held += share.low <= 0.6 <= share.high
    assert 0.92 < held / 400 < 0.98
