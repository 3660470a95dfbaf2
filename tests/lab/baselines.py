"""Baselines: ``plain`` searches as a game's ``strong`` does, but plays everything out by lot."""

from collections.abc import Mapping
from random import Random

from games.albastini.play import bots as albastini, state as albastini_state, view as albastini_view
from games.albastini.play.kernel import KERNEL as ALBASTINI
from games.briscola.play import bots as briscola, state as briscola_state, view as briscola_view
from games.briscola.play.kernel import KERNEL as BRISCOLA
from games.dalmuti.play import bots as dalmuti, state as dalmuti_state, view as dalmuti_view
from games.mambassa.play import bots as mambassa, state as mambassa_state, view as mambassa_view
from games.mambassa.play.hand_values import bits_of
from games.mambassa.play.kernel import DealPosition
from games.mambassa.play.playout_policy import playout_policy
from games.play.playing import Bot, Budget
from games.play.tricks import PlayCard
from tests.lab.random_playout.tricks import play_randomly
from tests.lab.random_policy import RandomPolicy

_STANDS = 0.3  # how often Mambassa's playouts by lot stand, and how often they draw
_DRAWS = 0.5


def plain_albastini(view: albastini_view.View, rng: Random, budget: Budget) -> albastini_state.Move:
    """Bid as ``steady`` does; play every card by search, the end too."""
    if view.trump is None:
        return albastini.steady(view, rng, budget)
    return PlayCard(
        ALBASTINI.card_by_playouts(
            view, rng, budget, lambda position: play_randomly(position, rng.random)
        )
    )


def plain_briscola(view: briscola_view.View, rng: Random, budget: Budget) -> briscola_state.Move:
    """Swap as ``steady`` does; play every card by search, the end too."""
    return briscola.good_swap(view) or PlayCard(
        BRISCOLA.card_by_playouts(
            view, rng, budget, lambda position: play_randomly(position, rng.random)
        )
    )


def plain_dalmuti(view: dalmuti_view.View, rng: Random, budget: Budget) -> dalmuti_state.Move:
    return dalmuti.move_by_playouts(view, RandomPolicy(rng.random), rng, budget)


def plain_mambassa(view: mambassa_view.View, rng: Random, budget: Budget) -> mambassa_state.Move:
    policy = playout_policy(view.options, len(view.playing))

    def play_out(
        position: DealPosition,
    ) -> DealPosition:
        while not position.over:
            _random_turn(position, rng)
        return position

    return mambassa.move_by_playouts(
        view,
        mambassa.likely_moves(view, policy),
        world=mambassa.Determinizer(view, policy).world,
        play_out=play_out,
        rng=rng,
        budget=budget,
    )


def _random_turn(position: DealPosition, rng: Random) -> None:
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
