"""The laboratory's arena: who may play there, and how sure it says it is."""

import re

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
