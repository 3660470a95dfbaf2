"""Bots: each a function of what its seat sees, its own dice, and a budget.

A beginner takes what can be taken. A steady player goes by the rules of thumb of a club. A
strong one tries every move in many worlds, and plays the end for two perfectly.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from random import Random

from games.albastini.cards import Card, Suit
from games.albastini.play.kernel import KERNEL
from games.albastini.play.state import Bid, Move, Pass
from games.albastini.play.view import View
from games.bots.determinization import sides_of
from games.bots.fast_tricks import Position
from games.bots.heuristics import beginners_move, heuristic_card
from games.bots.monte_carlo import best_move, equity
from games.bots.trick_kernel import usual_worlds
from games.play.playing import Budget
from games.play.tricks import PlayCard

AuctionWorld = tuple[list[list[Card]], list[Card]]  # the hands, and the stock from its top


def beginner(view: View, rng: Random, _budget: Budget) -> Move:
    """Mostly take with the first card that does; otherwise anything will do."""
    if view.to_bid:
        return Pass() if rng.random() < 0.5 else rng.choice(view.legal)
    return beginners_move(view, rng)


def steady(view: View, _rng: Random, _budget: Budget) -> Move:
    """Move by the rules of thumb; nothing is left to chance."""
    if view.trump is None:
        card = offer(view.hand, {bid.suit for bid in view.bids if bid})
        return Bid(card) if card else Pass()
    return PlayCard(heuristic_card(view))


def offer(hand: Iterable[Card], taken: Collection[Suit]) -> Card | None:
    """Return the card to bid: a worthless one of the shortest suit not bid yet.

    Of that suit most is still to be turned up.
    """
    held = list(hand)
    lengths = Counter(card.suit for card in held)
    offers = [card for card in held if not card.value and card.suit not in taken]
    return min(offers, key=lambda card: (lengths[card.suit], card.strength), default=None)


def strong(view: View, rng: Random, budget: Budget) -> Move:
    """Return the move that does best on average over the ways the hidden cards may lie."""
    if view.trump is not None:
        return PlayCard(KERNEL.best_card(view, rng, budget, KERNEL.play_out(view)))
    auction = Auction(view)
    side = view.mode.side_of(view.seat)
    return best_move(
        view.legal,
        world=auction.world,
        worth=lambda world, move: equity(auction.points(world, move), side),
        rng=rng,
        budget=budget,
        usual=usual_worlds(view, len(view.legal)),
    )


class Auction:
    """What the next to bid knows, to deal out the rest by lot: trumps are not known yet.

    A bid is tried by turning up a card, exchanging it, and playing the hand out.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._known = [list(cards) for cards in view.known]
        self._unseen = view.unseen()

    def world(self, rng: Random) -> AuctionWorld:
        """Return one of the ways the hidden cards may lie, all of them equally likely."""
        cards = rng.sample(self._unseen, len(self._unseen))
        hands = []
        for held, known in zip(self._view.held, self._known, strict=True):
            wanted = held - len(known)
            hands.append(known + cards[:wanted])
            cards = cards[wanted:]
        return hands, cards

    def points(self, world: AuctionWorld, move: Move) -> list[int]:
        """Return the points by side if this move is made and all go on by rules of thumb."""
        hands, (indicator, *rest) = world
        bids = list(self._view.bids)
        bids[self._view.seat] = move.card if isinstance(move, Bid) else None
        for seat in self._view.to_bid[1:]:  # once the others have made theirs
            bids[seat] = offer(hands[seat], {bid.suit for bid in bids if bid})
        trump = indicator.suit
        numbers = KERNEL.numbers[trump]
        held = [numbers.of(hand) for hand in hands]
        under = indicator
        for seat, bid in enumerate(bids):
            if bid and bid.suit is trump:
                held[seat].remove(numbers.number(bid))
                held[seat].append(numbers.number(indicator))
                under = bid
        mode = self._view.mode
        position = Position(
            KERNEL.deck,
            held,
            numbers.of([under, *reversed(rest)]),
            self._view.leader,
            sides_of(mode),
            [0] * len(mode.sides),
            KERNEL.deck.none,
        )
        return KERNEL.play_out(self._view)(position)
