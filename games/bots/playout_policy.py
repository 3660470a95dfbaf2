"""Playout policy: tricks played by a table of weights, quick enough for thousands of hands.

To lead, every card has a number, and the highest is led. To follow, a card is worth
what it wins or loses in this trick, less what it is still worth in the hand. The
weights of a game are its own; they were found by letting tables play each other.

Each alone among several, people play by habit, and how the others go on decides more than
where the cards lie. A seat then plays by the weights, and the others by rules of thumb.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from games.bots.fast_tricks import Deck, Position, rounds
from games.bots.heuristics import WORTH_A_TRUMP, cost
from games.mode import Mode

Score = Callable[[int], float]  # a card, to how good it is to play
PlayOut = Callable[[Position], list[int]]  # a position, which it uses up, to the points by side

# By rules of thumb a card that takes comes before a trump, and both before all others.
_TAKES, _TRUMPS = 2000, 1000
# How much of a trick can be counted on before the last card is played to it.
_SURE_TRUMP, _SURE_PLAIN, _FRIENDS, _LOST = 0.7, 0.3, 0.3, -0.6


@dataclass(frozen=True, slots=True)
class CardWeights:
    """Numbers by strength, the weakest first: to lead a card, and to keep it."""

    lead_plain: tuple[float, ...]
    lead_trump: tuple[float, ...]
    keep_plain: tuple[float, ...]
    keep_trump: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyWeights:
    """The weights of one game: some while cards are drawn, others after."""

    drawing: CardWeights
    after: CardWeights


class PlayoutPolicy:
    """The policy with the weights of one game."""

    def __init__(self, deck: Deck, weights: PolicyWeights) -> None:
        self._phases = (_Weighed(deck, weights.after), _Weighed(deck, weights.drawing))
        self._thumb = _RulesOfThumb(deck)
        self._seated: dict[tuple[int, int | None], list[list[_Phase]]] = {}

    def playout_for(self, mode: Mode, seat: int) -> PlayOut:
        """Return the playout function for a seat.

        Where each of three or more plays alone, the others play by rules of thumb.
        """
        alone = mode.individual and mode.seats > 2
        return partial(self.play_out, own=seat) if alone else self.play_out

    def card(self, position: Position, own: int | None = None) -> int:
        """Return the card to play: by the policy for seat *own*, by rules of thumb for the others."""
        drawing = len(position.stock) >= len(position.hands)
        phase = self._by_seat(len(position.hands), own)[drawing][position.turn]
        hand = position.hands[position.turn]
        if position.best == position.deck.none:
            return max(hand, key=phase.lead)
        friend = position.sides[position.owner] == position.sides[position.turn]
        return max(
            hand, key=phase.reply(position.best, position.pile, friend, position.missing == 1)
        )

    def _by_seat(self, seats: int, own: int | None) -> "list[list[_Phase]]":
        """Return what each seat follows: after the last draw, and while cards are drawn."""
        if (seats, own) not in self._seated:
            self._seated[seats, own] = [
                [phase if own in {None, seat} else self._thumb for seat in range(seats)]
                for phase in self._phases
            ]
        return self._seated[seats, own]

    def play_out(self, position: Position, own: int | None = None) -> list[int]:
        """Play to the end, with every player following the policy, or the *own* seat alone.

        Return the points by side; the position is used up.
        """
        seats = len(position.hands)
        while position.missing != seats and position.hands[position.turn]:
            position.play(self.card(position, own))

        # From here on whole tricks: names of this function's own are quicker to reach.
        hands, stock, points = position.hands, position.stock, position.points
        sides, values, beats = position.sides, position.deck.values, position.deck.beats
        orders, winner, draw = rounds(seats), position.turn, stock.pop
        phases = self._by_seat(seats, own)
        while hands[winner]:
            drawing = len(stock) >= seats
            by_seat = phases[drawing]
            order = orders[winner]
            hand = hands[winner]
            best = max(hand, key=by_seat[winner].lead)
            hand.remove(best)
            pile = values[best]
            missing = seats
            for seat in order[1:]:
                missing -= 1
                hand = hands[seat]
                key = ((pile * 64 + best) * 2 + (sides[winner] == sides[seat])) * 2 + (missing == 1)
                phase = by_seat[seat]
                score = phase.replies.get(key) or phase.reply(
                    best, pile, sides[winner] == sides[seat], missing == 1
                )
                card = max(hand, key=score)
                hand.remove(card)
                pile += values[card]
                if beats[best][card]:
                    best, winner = card, seat
            points[sides[winner]] += pile
            if drawing:
                for seat in orders[winner]:
                    hands[seat].append(draw())
        return points


class _Phase(ABC):
    """How good each card is to lead, and to reply with: worked out as it is asked for."""

    def __init__(self, deck: Deck, lead: Sequence[float]) -> None:
        self._deck = deck
        self.lead: Score = lead.__getitem__
        self.replies: dict[int, Score] = {}

    def reply(self, best: int, pile: int, friend: bool, last: bool) -> Score:
        """Return how good each card is on this trick, its *best* card a friend's or not."""
        key = ((pile * 64 + best) * 2 + friend) * 2 + last
        if key not in self.replies:
            cards = range(self._deck.none)
            row = [self._worth(card, best, pile, friend, last) for card in cards]
            self.replies[key] = row.__getitem__
        return self.replies[key]

    @abstractmethod
    def _worth(self, card: int, best: int, pile: int, friend: bool, last: bool) -> float:
        """Return how good it is to play *card* on this trick."""


class _Weighed(_Phase):
    """One set of weights, written out card by card."""

    def __init__(self, deck: Deck, weights: CardWeights) -> None:
        super().__init__(deck, _by_card(deck, weights.lead_trump, weights.lead_plain))
        self._keep = _by_card(deck, weights.keep_trump, weights.keep_plain)

    def _worth(self, card: int, best: int, pile: int, friend: bool, last: bool) -> float:
        stake = pile + self._deck.values[card]
        if self._deck.beats[best][card]:
            sure = _SURE_TRUMP if card < self._deck.ranks else _SURE_PLAIN
            share = 1.0 if last else sure
        elif friend:
            share = 1.0 if last else _FRIENDS
        else:
            share = -1.0 if last else _LOST
        return share * stake - self._keep[card]


class _RulesOfThumb(_Phase):
    """The rules of ``heuristics`` for a player without partners, as numbers."""

    def __init__(self, deck: Deck) -> None:
        self._costs = [
            cost(deck.values[card], card % deck.ranks, card < deck.ranks)
            for card in range(deck.none)
        ]
        super().__init__(deck, [-each for each in self._costs])

    def _worth(self, card: int, best: int, pile: int, _friend: bool, last: bool) -> float:
        if self._deck.beats[best][card]:
            trump, strength = card < self._deck.ranks, card % self._deck.ranks
            if not trump and (last or strength == self._deck.ranks - 1):
                return _TAKES + strength
            if trump and pile >= WORTH_A_TRUMP:
                return _TRUMPS - strength
        return -self._costs[card]


def _by_card(deck: Deck, trump: Sequence[float], plain: Sequence[float]) -> list[float]:
    return [(trump if card < deck.ranks else plain)[card % deck.ranks] for card in range(deck.none)]
