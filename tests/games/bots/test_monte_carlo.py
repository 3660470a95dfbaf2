"""Choosing by trial: the better move is found, of several and in spite of luck."""

from random import Random

from games.bots.monte_carlo import best_move
from games.play.playing import Budget

MEANS = (0.2, 0.5, 0.9, 0.4)


def _chosen(budget: Budget, seed: int = 1, usual: int = 300) -> int:
    return best_move(
        range(len(MEANS)),
        world=lambda rng: rng.gauss(0, 1),
        worth=lambda luck, move: MEANS[move] + luck,
        rng=Random(seed),
        budget=budget,
        usual=usual,
    )


def test_the_move_worth_most_is_found() -> None:
    assert _chosen(Budget()) == 2
    assert _chosen(Budget(iterations=64)) == 2


def test_a_noisy_race_still_finds_the_better_move() -> None:
    def worth(world: Random, move: int) -> float:
        return MEANS[move] + world.gauss(0, 1)

    chosen = [
        best_move(
            range(4),
            world=lambda rng: Random(rng.getrandbits(32)),
            worth=worth,
            rng=Random(seed),
            budget=Budget(iterations=800),
            usual=0,
        )
        for seed in range(20)
    ]
    assert chosen.count(2) >= 18


def test_a_single_move_needs_no_thought() -> None:
    assert (
        best_move(
            ["only"],
            world=lambda _rng: 1 // 0,
            worth=lambda _world, _move: 0.0,
            rng=Random(0),
            budget=Budget(),
            usual=10,
        )
        == "only"
    )
