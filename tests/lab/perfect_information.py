"""Perfect information: a ``cheat`` for every game, who sees the whole state."""

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
import games.dalmuti.play.playout_policy
import games.dalmuti.play.rules
import games.dalmuti.play.state
import games.mambassa.play.bots
import games.mambassa.play.kernel
import games.mambassa.play.playout_policy
import games.mambassa.play.state
import games.mambassa.play.view
import games.play.tricks
from games.bots.fast_tricks import Position
from games.bots.monte_carlo import best_move, equity
from games.bots.playout_policy import PlayoutPolicy
from games.mode import Mode
from games.play.playing import Bot, Budget
from tests.lab.positions import of_albastini, of_briscola, of_dalmuti, of_mambassa
from tests.lab.random_policy import WaveringPolicy

_AHEAD = 4  # cards that are looked ahead in a game of tricks
_WAVERING = 0.25  # of the choices in Dalmuti's playouts: nobody plays quite as expected


def best_known_card(position: Position, policy: PlayoutPolicy, mode: Mode) -> int:
    """Return the card for whoever is to move and knows where everything lies.

    Alone among several it knows the others' habits too, as ``strong`` does: looked ahead are its
    own cards.
    """
    side = position.sides[position.turn]
    own = position.turn if mode.individual and mode.seats > 2 else None

    def promise(card: int) -> float:
        trial = position.copy()
        trial.play(card)
        return _looked_ahead(trial, side, policy, _AHEAD - 1, own)

    return max(position.hands[position.turn], key=promise)


def _looked_ahead(
    position: Position, side: int, policy: PlayoutPolicy, ahead: int, own: int | None
) -> float:
    """Return the equity of a position if all play well for a while, then by the policy."""
    while own not in {None, position.turn} and position.hands[position.turn]:
        position.play(policy.card(position, own))
    hand = position.hands[position.turn]
    if not ahead or not hand:
        return equity(policy.play_out(position.copy(), own), side)
    results = []
    for card in hand:
        trial = position.copy()
        trial.play(card)
        results.append(_looked_ahead(trial, side, policy, ahead - 1, own))
    return max(results) if position.sides[position.turn] == side else min(results)


def cheat_albastini(
    state: games.albastini.play.state.State, rng: Random, budget: Budget
) -> games.albastini.play.state.Move:
    """Bid as ``steady`` does; look at everybody's cards and into the stock, a few cards ahead."""
    if state.trump is None:
        view = games.albastini.play.view.view(state, state.turn)
        return games.albastini.play.bots.steady(view, rng, budget)
    policy = games.albastini.play.kernel.KERNEL.policy(state.mode)
    card = best_known_card(of_albastini(state, state.trump), policy, state.mode)
    return games.play.tricks.PlayCard(
        games.albastini.play.kernel.KERNEL.numbers[state.trump].card(card)
    )


def cheat_briscola(
    state: games.briscola.play.state.State, _rng: Random, _budget: Budget
) -> games.briscola.play.state.Move:
    """Swap as ``steady`` does; look at everybody's cards and into the stock, a few cards ahead."""
    view = games.briscola.play.view.view(state, state.turn)
    if swap := games.briscola.play.bots.good_swap(view):
        return swap
    policy = games.briscola.play.kernel.KERNEL.policy(state.mode)
    card = best_known_card(of_briscola(state), policy, state.mode)
    return games.play.tricks.PlayCard(
        games.briscola.play.kernel.KERNEL.numbers[state.turned_up.suit].card(card)
    )


def cheat_dalmuti(
    state: games.dalmuti.play.state.State, rng: Random, budget: Budget
) -> games.dalmuti.play.state.Move:
    """Look into everybody's hand, and play on from there again and again."""
    bots = games.dalmuti.play.bots
    truth = of_dalmuti(state)
    moves = games.dalmuti.play.rules.legal_moves(state)
    policy = WaveringPolicy(games.dalmuti.play.playout_policy.POLICY, rng.random, _WAVERING)
    return best_move(
        moves,
        world=lambda _rng: truth,
        worth=bots.worth_by(policy),
        rng=rng,
        budget=budget,
        usual=bots.usual_worlds(moves, [*map(len, state.hands)]),
    )


def cheat_mambassa(
    state: games.mambassa.play.state.State, rng: Random, budget: Budget
) -> games.mambassa.play.state.Move:
    """Look at everybody's cards, and at as many of the stock as there are players.

    The rest of the stock is left to luck: what others will do is not known to a cheat either,
    and a plan that hangs on it to the last card goes wrong.
    """
    bots = games.mambassa.play.bots
    view, truth = games.mambassa.play.view.view(state, state.turn), of_mambassa(state)
    near = len(view.playing)
    policy = games.mambassa.play.playout_policy.playout_policy(view.options, near)

    def world(dice: Random) -> games.mambassa.play.kernel.DealPosition:
        far = truth.stock[:-near]
        dice.shuffle(far)
        trial = truth.copy()
        trial.stock = [*far, *truth.stock[-near:]]
        return trial

    return bots.move_by_playouts(
        view,
        bots.likely_moves(view, policy),
        world=world,
        play_out=policy.play_out,
        rng=rng,
        budget=budget,
    )


CHEATS: Mapping[str, Bot] = {  # bots of a state instead of a view
    "albastini": cheat_albastini,
    "briscola": cheat_briscola,
    "dalmuti": cheat_dalmuti,
    "mambassa": cheat_mambassa,
}
