"""Bots: each a function of what its seat sees, its own dice, and a budget.

A beginner likes a hand better that counts more. A steady player knows a good hand when it is
there, and improves a bad one. A strong one tries the likely moves in many worlds, and plays
each of them out: worlds are what ``Determinizer`` deals, and their ends are worth what
``Equity`` says.
"""

from collections.abc import Callable, Sequence
from functools import cache
from math import exp
from random import Random
from typing import assert_never

from games.bots.monte_carlo import best_move
from games.mambassa.cards import Card
from games.mambassa.hand_ranking import HandClass, Strength, best_sum, strength
from games.mambassa.play.hand_values import BITS, MAMBASSA, heap_of
from games.mambassa.play.kernel import NOBODY, DealPosition, lay_out
from games.mambassa.play.playout_policy import TurnPolicy, chances, playout_policy
from games.mambassa.play.state import Call, DealStage, DrawCard, Move, SwapCards
from games.mambassa.play.view import View
from games.mambassa.showdown import HAND_SIZE
from games.play.playing import Budget

_AMONG = (4, 8, 9, 9)  # of how many cards a hand is the best four, after no turn, one, two, ...
_KNOCKED = 11  # and of how many, if its holder has knocked


# By how much of a chance two hands must differ until it hardly issues who had the luck.
_CLOSE = 0.05


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
            return min(draws, key=lambda move: (_lost(view, move.discard), move.discard.value))
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


class Determinizer:
    """What one seat knows of a deal."""

    def __init__(self, view: View, policy: TurnPolicy) -> None:
        self._view, self._policy = view, policy
        # A card that perhaps was discarded is in that hand, or nowhere it matters.
        perhaps = {card for cards in view.perhaps for card in cards}
        self._unseen = [BITS[card] for card in view.unseen() if card not in perhaps]
        self._hands = [0] * view.mode.seats
        self._hands[view.seat] = heap_of(view.hand)
        blind = bool(view.offer)
        self._others = [
            (seat, self._among(seat), *self._known(seat))
            for seat in view.playing
            if seat != view.seat or blind
        ]
        self._table = lay_out(view, view.seat, [], heap_of(view.offer or view.monte), [])
        self._table.fresh = view.stage in {DealStage.CHOICE, DealStage.TURN}

    def world(self, rng: Random) -> DealPosition:
        """Return one of the ways the hidden cards may lie."""
        unseen = rng.sample(self._unseen, len(self._unseen))
        position = self._table.copy()
        position.hands = self._hands[:]
        for seat, among, shown, perhaps, sure in self._others:
            number = HAND_SIZE - len(shown)
            drawn = unseen[: max(number, among - len(shown) - len(perhaps))]
            held = self._likely(shown, perhaps, sure, drawn)
            position.hands[seat] = sum(held)
            unseen = [bit for bit in unseen if bit not in held]
        position.stock = unseen[len(unseen) - self._view.stock :]
        return position

    def _likely(
        self, shown: list[int], perhaps: list[int], sure: int, drawn: list[int]
    ) -> list[int]:
        """Return a hand with what was shown, the best of the rest, and enough of *perhaps*."""
        keep = self._policy.plan(sum(shown) + sum(perhaps) + sum(drawn), draw=False)[1]
        likely = sorted(perhaps, key=lambda bit: not keep & bit)
        others = sorted([*likely[sure:], *drawn], key=lambda bit: not keep & bit)
        return [*shown, *likely[:sure], *others][:HAND_SIZE]

    def _among(self, seat: int) -> int:
        """Return of about how many cards this seat is likely to hold the best four."""
        view = self._view
        if seat == view.knocker:
            return _KNOCKED
        round_table = sorted(
            view.playing, key=lambda other: (other - view.dealer - 1) % view.mode.seats
        )
        had = (view.turns - 1 - round_table.index(seat)) // len(round_table) + 1
        return _AMONG[min(had, len(_AMONG) - 1)]

    def _known(self, seat: int) -> tuple[list[int], list[int], int]:
        """Return what this seat holds, what it may hold, the latest first, and how many of those.

        It cannot have discarded more cards than it did.
        """
        view = self._view
        perhaps = [BITS[card] for card in reversed(view.perhaps[seat])]
        sure = max(len(perhaps) - view.discarded[seat], 0)
        return [BITS[card] for card in view.shown[seat]], perhaps, sure


class Equity:
    """What deals at one table are good for to one seat, from 0 to 1."""

    def __init__(self, view: View) -> None:
        self._seat = view.seat
        self._tokens = view.stakes.tokens
        self._others = [seat for seat in view.playing if seat != view.seat]
        self._one_pays = {seat: self._outlasted([seat]) for seat in view.playing}
        self._lower = chances(2)

    def of(self, position: DealPosition) -> float:
        """Return what the end of this deal is good for."""
        value_of, hands = position.house.values.of, position.hands
        if position.declarer != NOBODY:
            aces = value_of(hands[position.declarer]) >= MAMBASSA
            return self._outlasted(position.payers(), NOBODY if aces else position.declarer)
        lowest, payer = min((value_of(hands[seat]), seat) for seat in self._others)
        # A narrow escape is worth less than a safe one: next time it goes the other way.
        ahead = self._lower[value_of(hands[self._seat])] - self._lower[lowest]
        pays = 1 / (1 + exp(ahead / _CLOSE))
        return pays * self._one_pays[self._seat] + (1 - pays) * self._one_pays[payer]

    def _outlasted(self, payers: list[int], gains: int = NOBODY) -> float:
        """Return the share of the others likely to be outlasted once these have paid."""
        left = [held - (seat in payers) + (seat == gains) for seat, held in enumerate(self._tokens)]
        own = left[self._seat]
        return sum(outlasts(own, left[seat]) for seat in self._others) / len(self._others)


@cache
def outlasts(own: int, other: int) -> float:
    """Return the chance of one with so many tokens to outlast another, if luck alone decides.

    >>> outlasts(1, 2)
    0.25
    """
    if own and other:
        return (outlasts(own - 1, other) + outlasts(own, other - 1)) / 2
    return 0.5 if own == other else float(own > other)
