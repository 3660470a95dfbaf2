"""Perfect information: a ``cheat`` for every game, who sees the whole state."""

from collections.abc import Mapping
from random import Random

from games.albastini.play import bots as albastini, state as albastini_state
from games.albastini.play.kernel import KERNEL as ALBASTINI
from games.albastini.play.view import view as albastini_view
from games.bots.fast_tricks import Position
from games.bots.monte_carlo import best_move, equity
from games.bots.playout_policy import PlayoutPolicy
from games.briscola.play import bots as briscola, state as briscola_state
from games.briscola.play.kernel import KERNEL as BRISCOLA
from games.briscola.play.view import view as briscola_view
from games.dalmuti.play import bots as dalmuti, rules as dalmuti_rules, state as dalmuti_state
from games.dalmuti.play.playout_policy import POLICY
from games.mambassa.play import bots as mambassa, state as mambassa_state
from games.mambassa.play.kernel import DealPosition
from games.mambassa.play.playout_policy import playout_policy
from games.mambassa.play.view import view as mambassa_view
from games.mode import Mode
from games.play.playing import Bot, Budget
from games.play.tricks import PlayCard
from tests.lab.positions import of_dalmuti, of_mambassa, of_tricks
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
    state: albastini_state.State, rng: Random, budget: Budget
) -> albastini_state.Move:
    """Bid as ``steady`` does; look at everybody's cards and into the stock, a few cards ahead."""
    if state.trump is None:
        return albastini.steady(albastini_view(state, state.turn), rng, budget)
    policy = ALBASTINI.policy(state.mode)
    card = best_known_card(of_tricks(ALBASTINI, state), policy, state.mode)
    return PlayCard(ALBASTINI.numbers[state.trump].card(card))


def cheat_briscola(
    state: briscola_state.State, _rng: Random, _budget: Budget
) -> briscola_state.Move:
    """Swap as ``steady`` does; look at everybody's cards and into the stock, a few cards ahead."""
    if swap := briscola.good_swap(briscola_view(state, state.turn)):
        return swap
    policy = BRISCOLA.policy(state.mode)
    card = best_known_card(of_tricks(BRISCOLA, state), policy, state.mode)
    return PlayCard(BRISCOLA.numbers[state.turned_up.suit].card(card))


def cheat_dalmuti(state: dalmuti_state.State, rng: Random, budget: Budget) -> dalmuti_state.Move:
    """Look into everybody's hand, and play on from there again and again."""
    truth = of_dalmuti(state)
    moves = dalmuti_rules.legal_moves(state)
    policy = WaveringPolicy(POLICY, rng.random, _WAVERING)
    return best_move(
        moves,
        world=lambda _rng: truth,
        worth=dalmuti.worth_by(policy),
        rng=rng,
        budget=budget,
        usual=dalmuti.usual_worlds(moves, [*map(len, state.hands)]),
    )


def cheat_mambassa(state: mambassa_state.State, rng: Random, budget: Budget) -> mambassa_state.Move:
    """Look at everybody's cards, and at as many of the stock as there are players.

    The rest of the stock is left to luck: what others will do is not known to a cheat either,
    and a plan that hangs on it to the last card goes wrong.
    """
    view, truth = mambassa_view(state, state.turn), of_mambassa(state)
    near = len(view.playing)
    policy = playout_policy(view.options, near)

    def world(dice: Random) -> DealPosition:
        far = truth.stock[:-near]
        dice.shuffle(far)
        trial = truth.copy()
        trial.stock = [*far, *truth.stock[-near:]]
        return trial

    return mambassa.move_by_playouts(
        view,
        mambassa.likely_moves(view, policy),
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
