"""Worlds before trumps are known: a bid is tried by turning up, exchanging, playing out."""

from random import Random

from games.albastini.cards import Card
from games.albastini.habits import thrift
from games.albastini.kernel import DECK, NUMBERS
from games.albastini.moves import Bid, Move
from games.albastini.steady import offer
from games.albastini.view import View
from games.swift import Position
from games.worlds import sides_of

World = tuple[list[list[Card]], list[Card]]  # the hands, and the stock from its top


class Auction:
    """What the next to bid knows, to deal out the rest by lot."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._known = [
            list(view.hand if seat == view.seat else cards) for seat, cards in enumerate(view.shown)
        ]
        self._unseen = view.unseen()

    def world(self, rng: Random) -> World:
        """Return one of the ways the hidden cards may lie, all of them equally likely."""
        cards = rng.sample(self._unseen, len(self._unseen))
        hands = []
        for held, known in zip(self._view.held, self._known, strict=True):
            wanted = held - len(known)
            hands.append(known + cards[:wanted])
            cards = cards[wanted:]
        return hands, cards

    def points(self, world: World, move: Move) -> list[int]:
        """Return the points by side if this move is made and all go on by rules of thumb."""
        hands, (indicator, *rest) = world
        bids = self._bids(hands, move)
        trump = indicator.suit
        numbers = NUMBERS[trump]
        held = [numbers.of(hand) for hand in hands]
        under = indicator
        for seat, bid in enumerate(bids):
            if bid and bid.suit is trump:
                held[seat].remove(numbers.number(bid))
                held[seat].append(numbers.number(indicator))
                under = bid
        mode = self._view.mode
        return thrift(mode).play_out(
            Position(
                DECK,
                held,
                numbers.of([under, *reversed(rest)]),
                self._view.leader,
                sides_of(mode),
                [0] * len(mode.sides),
                DECK.none,
            )
        )

    def _bids(self, hands: list[list[Card]], move: Move) -> list[Card | None]:
        """Return all bids once the others have made theirs."""
        bids = list(self._view.bids)
        bids[self._view.seat] = move.card if isinstance(move, Bid) else None
        for seat in self._view.to_bid[1:]:
            bids[seat] = offer(hands[seat], {bid.suit for bid in bids if bid})
        return bids
