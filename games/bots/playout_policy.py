"""Playout policy: tricks played by a table of weights, quick enough for thousands of hands.

To lead, every card has a number, and the highest is led. To follow, a card is worth
what it wins or loses in this trick, less what it is still worth in the hand. The
weights of a game are its own; they were found by letting tables play each other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from games.bots.fast_tricks import Deck, Position, rounds

Score = Callable[[int], float]  # a card, to how good it is to play

# How much of a trick can be counted on before the last card is played to it.
_SURE_TRUMP, _SURE_PLAIN, _FRIENDS, _LOST = 0.7, 0.3, 0.3, -0.6


@dataclass(frozen=True, slots=True)
class Weights:
    """Numbers by strength, the weakest first: to lead a card, and to keep it."""

    lead_plain: tuple[float, ...]
    lead_trump: tuple[float, ...]
    keep_plain: tuple[float, ...]
    keep_trump: tuple[float, ...]


class PlayoutPolicy:
    """The policy with the weights of one game: some while cards are drawn, others after."""

    def __init__(self, deck: Deck, drawing: Weights, after: Weights) -> None:
        self._phases = (_Phase(deck, after), _Phase(deck, drawing))

    def card(self, position: Position) -> int:
        """Return the card that the player to move plays."""
        phase = self._phases[len(position.stock) >= len(position.hands)]
        hand = position.hands[position.turn]
        if position.best == position.deck.none:
            return max(hand, key=phase.lead)
        friend = position.sides[position.owner] == position.sides[position.turn]
        return max(
            hand, key=phase.reply(position.best, position.pile, friend, position.missing == 1)
        )

    def play_out(self, position: Position) -> list[int]:
        """Play to the end, with every player following the policy.

        Return the points by side; the position is used up.
        """
        seats = len(position.hands)
        while position.missing != seats and position.hands[position.turn]:
            position.play(self.card(position))

        # From here on whole tricks: names of this function's own are quicker to reach.
        hands, stock, points = position.hands, position.stock, position.points
        sides, values, beats = position.sides, position.deck.values, position.deck.beats
        orders, winner, draw = rounds(seats), position.turn, stock.pop
        while hands[winner]:
            drawing = len(stock) >= seats
            phase = self._phases[drawing]
            known = phase.replies
            order = orders[winner]
            hand = hands[winner]
            best = max(hand, key=phase.lead)
            hand.remove(best)
            pile = values[best]
            missing = seats
            for seat in order[1:]:
                missing -= 1
                hand = hands[seat]
                key = ((pile * 64 + best) * 2 + (sides[winner] == sides[seat])) * 2 + (missing == 1)
                score = known.get(key) or phase.reply(
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


class _Phase:
    """One set of weights, written out card by card; replies as they are asked for."""

    def __init__(self, deck: Deck, weights: Weights) -> None:
        self._deck = deck
        lead = _by_card(deck, weights.lead_trump, weights.lead_plain)
        self._keep = _by_card(deck, weights.keep_trump, weights.keep_plain)
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


def _by_card(deck: Deck, trump: Sequence[float], plain: Sequence[float]) -> list[float]:
    return [(trump if card < deck.ranks else plain)[card % deck.ranks] for card in range(deck.none)]
