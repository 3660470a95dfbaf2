"""Bots: each a function of what its seat sees, its own dice, and a budget.

A beginner likes a hand better that counts more. A steady player knows a good hand when it is
there, and improves a bad one. A strong one tries the likely moves in many worlds, and plays
each of them out.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import assert_never

from games.bots.monte_carlo import best_move
from games.mambassa.cards import Card
from games.mambassa.determinization import Determinizer
from games.mambassa.equity import Equity
from games.mambassa.hand_ranking import HandClass, Strength, best_sum, strength
from games.mambassa.hand_values import BITS, heap_of
from games.mambassa.kernel import DealPosition
from games.mambassa.playout_policy import TurnPolicy, playout_policy
from games.mambassa.state import Call, DrawCard, Move, SwapCards
from games.mambassa.view import View
from games.play.playing import Budget

_TRIES = 6  # ways to swap that a beginner thinks of
_ENOUGH: Strength = (HandClass.POINTS, 20)  # looks fine to a beginner
_GOOD: Strength = (HandClass.SHORT_SEQUENCE,)  # three in order, or better: time to knock
_FAIR: Strength = (HandClass.POINTS, 27)  # what a steady dealer does not give back
_TRIED = 12  # moves worth trying; the others promise less
USUAL = 2400  # deals played out for one move, when no budget is given


def beginner(view: View, rng: Random, _budget: Budget) -> Move:
    """Take a swap that makes the hand better, if one comes to mind; else draw, or stand."""
    if view.offer:
        return rng.choice([Call.KEEP, Call.LEAVE])
    swaps = [move for move in view.legal if isinstance(move, SwapCards)]
    now = strength(view.hand, view.options)
    for move in rng.sample(swaps, min(_TRIES, len(swaps))):
        if strength(swapped(view.hand, move), view.options) > now:
            return move
    draws = [move for move in view.legal if isinstance(move, DrawCard)]
    if draws and now < _ENOUGH:
        return rng.choice(draws)
    return Call.STAND


def swapped(hand: tuple[Card, ...], move: SwapCards) -> tuple[Card, ...]:
    """Return the hand as it will be after this swap."""
    return (*(card for card in hand if card not in move.give), *move.take)


def steady(view: View, _rng: Random, _budget: Budget) -> Move:
    """Move by the rules of thumb; nothing is left to chance."""
    if view.offer:
        return Call.KEEP if strength(view.offer, view.options) >= _FAIR else Call.LEAVE
    now = strength(view.hand, view.options)
    if Call.TAKE_MONTE in view.legal and (move := _change(view, now)):
        return move
    draws = [move for move in view.legal if isinstance(move, DrawCard)]
    if draws:
        idle = [move for move in draws if _lost(view, move.discard) == 0]
        if idle or now < _FAIR:
            return min(draws, key=lambda move: (_lost(view, move.discard), move.discard.points))
    return Call.KNOCK if Call.KNOCK in view.legal and now >= _GOOD else Call.STAND


def _change(view: View, now: Strength) -> Move | None:
    """Return how to begin a turn: with a knock, or with the swap that makes the best hand."""
    last = view.knocker is not None
    if now >= _GOOD and not last:
        return Call.STAND
    monte = strength(view.monte, view.options)
    swaps = [move for move in view.legal if isinstance(move, SwapCards)]
    hands = {move: strength(swapped(view.hand, move), view.options) for move in swaps}
    best = max(swaps, key=lambda move: (hands[move], -len(move.give)), default=None)
    most = hands[best] if best else now
    if monte > max(now, most) and (last or monte >= _GOOD or not swaps):
        return Call.TAKE_MONTE
    return best if most > now else None


def _lost(view: View, discard: Card) -> int:
    """Return what a hand loses in its class or its points without this card."""
    others = tuple(card for card in view.hand if card != discard)
    before, after = strength(view.hand, view.options), strength(others, view.options)
    if before[0] > HandClass.POINTS:
        return 0 if before == after else 100
    return best_sum(view.hand) - best_sum(others)


def strong(view: View, rng: Random, budget: Budget) -> Move:
    """Return the move that does best on average over the ways the hidden cards may lie."""
    policy = playout_policy(view.options, len(view.playing))
    return move_by_playouts(
        view,
        likely_moves(view, policy),
        world=Determinizer(view, policy).world,
        play_out=policy.play_out,
        rng=rng,
        budget=budget,
    )


def move_by_playouts(
    view: View,
    moves: Sequence[Move],
    *,
    world: Callable[[Random], DealPosition],
    play_out: Callable[[DealPosition], DealPosition],
    rng: Random,
    budget: Budget,
) -> Move:
    """Return the one of these moves that does best where *play_out* plays what comes after it."""
    policy, equity = playout_policy(view.options, len(view.playing)), Equity(view)

    def worth(here: DealPosition, move: Move) -> float:
        trial = here.copy()
        make(trial, move, policy)
        return equity.of(play_out(trial))

    return best_move(
        moves, world=world, worth=worth, rng=rng, budget=budget, usual=USUAL // len(moves)
    )


def likely_moves(view: View, policy: TurnPolicy) -> list[Move]:
    """Return the moves that promise most, among them all those that need no card."""
    moves: list[Move] = [move for move in view.legal if isinstance(move, Call)]
    cards = [move for move in view.legal if not isinstance(move, Call)]
    promises = {move: _promise(view, move, policy) for move in cards}
    best = sorted(cards, key=promises.__getitem__, reverse=True)
    return [*best[: max(_TRIED - len(moves), 1)], *moves]


def _promise(view: View, move: SwapCards | DrawCard, policy: TurnPolicy) -> float:
    """Return the chance of the hand this makes, a card still to be drawn at its average."""
    hand = heap_of(view.hand)
    if isinstance(move, DrawCard):
        return policy.plan(hand ^ BITS[move.discard], draw=True)[0]
    draw = bool(view.stock) and view.stock_open
    swapped = hand ^ heap_of(move.give) ^ heap_of(move.take)
    return max(policy.chance(swapped), policy.plan(swapped, draw=draw)[0])


def make(position: DealPosition, move: Move, policy: TurnPolicy) -> None:
    """Make this move, and end the turn by the policy."""
    match move:
        case SwapCards(give, take):
            position.swap(heap_of(give), heap_of(take))
            policy.finish_turn(position)
        case DrawCard(discard):
            position.draw(BITS[discard])
            policy.end_turn(position, changed=True)
        case Call.KEEP | Call.LEAVE:
            position.choose(keep=move is Call.KEEP)
        case Call.TAKE_MONTE:
            position.take_monte()
        case Call.KNOCK:
            position.end_turn(knock=True)
        case Call.STAND:
            position.end_turn(knock=position.fresh)
        case _:
            assert_never(move)
