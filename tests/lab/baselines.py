"""Baselines: ``plain`` searches as a game's ``strong`` does, but plays everything out by lot."""

from collections.abc import Mapping
from random import Random

import games.albastini.play.bots
import games.albastini.play.kernel
import games.albastini.play.state
import games.albastini.play.view
import games.briscola.play.bots
import games.briscola.play.kernel
import games.briscola.play.state
import games.briscola.play.view
import games.dalmuti.play.bots
import games.dalmuti.play.state
import games.dalmuti.play.view
import games.mambassa.play.bots
import games.mambassa.play.kernel
import games.mambassa.play.playout_policy
import games.mambassa.play.state
import games.mambassa.play.view
import games.play.tricks
from games.mambassa.play.hand_values import bits_of
from games.play.playing import Bot, Budget
from tests.lab.random_playout.tricks import play_randomly
from tests.lab.random_policy import RandomPolicy

_STANDS = 0.3  # how often Mambassa's playouts by lot stand, and how often they draw
_DRAWS = 0.5


def plain_albastini(
    view: games.albastini.play.view.View, rng: Random, budget: Budget
) -> games.albastini.play.state.Move:
    """Bid as ``steady`` does; play every card by search, the end too."""
    bots = games.albastini.play.bots
    if view.trump is None:
        return bots.steady(view, rng, budget)
    return games.play.tricks.PlayCard(
        games.albastini.play.kernel.KERNEL.card_by_playouts(
            view, rng, budget, lambda position: play_randomly(position, rng.random)
        )
    )


def plain_briscola(
    view: games.briscola.play.view.View, rng: Random, budget: Budget
) -> games.briscola.play.state.Move:
    """Swap as ``steady`` does; play every card by search, the end too."""
    bots = games.briscola.play.bots
    return bots.good_swap(view) or games.play.tricks.PlayCard(
        games.briscola.play.kernel.KERNEL.card_by_playouts(
            view, rng, budget, lambda position: play_randomly(position, rng.random)
        )
    )


def plain_dalmuti(
    view: games.dalmuti.play.view.View, rng: Random, budget: Budget
) -> games.dalmuti.play.state.Move:
    return games.dalmuti.play.bots.move_by_playouts(view, RandomPolicy(rng.random), rng, budget)


def plain_mambassa(
    view: games.mambassa.play.view.View, rng: Random, budget: Budget
) -> games.mambassa.play.state.Move:
    bots = games.mambassa.play.bots
    policy = games.mambassa.play.playout_policy.playout_policy(view.options, len(view.playing))

    def play_out(
        position: games.mambassa.play.kernel.DealPosition,
    ) -> games.mambassa.play.kernel.DealPosition:
        while not position.over:
            _random_turn(position, rng)
        return position

    return bots.move_by_playouts(
        view,
        bots.likely_moves(view, policy),
        world=games.mambassa.play.bots.Determinizer(view, policy).world,
        play_out=play_out,
        rng=rng,
        budget=budget,
    )


def _random_turn(position: games.mambassa.play.kernel.DealPosition, rng: Random) -> None:
    """Take a whole turn in which everything is left to chance, but what must be is done."""
    if position.must_knock or rng.random() < _STANDS:
        position.end_turn(knock=True)
        return
    number = rng.randrange(5)
    give = rng.sample(bits_of(position.hands[position.turn]), number)
    take = rng.sample(bits_of(position.monte), number)
    if number:
        position.swap(sum(give), sum(take))
    draws = number < 4 and position.may_draw and not position.over and rng.random() < _DRAWS
    if draws:
        position.draw(rng.choice(bits_of(position.hands[position.turn])))
    position.end_turn(knock=number == 4 or not (number or draws))


BASELINES: Mapping[str, Mapping[str, Bot]] = {
    "albastini": {"plain": plain_albastini},
    "briscola": {"plain": plain_briscola},
    "dalmuti": {"plain": plain_dalmuti},
    "mambassa": {"plain": plain_mambassa},
}
