"""Trick kernel: a game of tricks in whole numbers, and the card that does best in its playouts."""

from collections.abc import Sequence
from random import Random
from typing import Any, Generic

from games.bots import endgame
from games.bots.determinization import CardNumbers, Determinizer
from games.bots.fast_tricks import Deck, Position
from games.bots.monte_carlo import best_move, equity, weigh
from games.bots.playout_policy import PlayOut, PlayoutPolicy, PolicyWeights
from games.mode import Mode
from games.play.playing import Budget, Prospect
from games.play.tricks import StockView, TrickCardT

_WORK = 100_000  # cards played out for one move, when no budget is given


class TrickKernel(Generic[TrickCardT]):
    """One game's deck, its cards in numbers by the trump suit, and how its playouts are played."""

    def __init__(
        self,
        pack: Sequence[TrickCardT],
        for_two: PolicyWeights,
        in_teams: PolicyWeights,
        each_alone: PolicyWeights,
    ) -> None:
        first = pack[0].suit
        suit = sorted((card.strength, card.value) for card in pack if card.suit is first)
        self.deck = Deck([value for _, value in suit])
        self.numbers = {trump: CardNumbers(pack, trump) for trump in type(first)}
        self._for_two, self._in_teams, self._each_alone = (
            PlayoutPolicy(self.deck, weights) for weights in (for_two, in_teams, each_alone)
        )

    def policy(self, mode: Mode) -> PlayoutPolicy:
        """Return the policy by which playouts of this mode are played."""
        if mode.seats == 2:
            return self._for_two
        return self._each_alone if mode.individual else self._in_teams

    def play_out(self, view: StockView[TrickCardT, Any]) -> PlayOut:
        """Return the playout function for the seat that has this view."""
        return self.policy(view.mode).playout_for(view.mode, view.seat)

    def determinizer(self, view: StockView[TrickCardT, Any]) -> Determinizer[TrickCardT]:
        """Return what this seat knows, once trumps are known, to deal out the rest by lot."""
        assert view.trump is not None  # noqa: S101 - no card is played before
        return Determinizer(self.deck, view, self.numbers[view.trump])

    def best_card(
        self,
        view: StockView[TrickCardT, Any],
        rng: Random,
        budget: Budget,
        play_out: PlayOut,
    ) -> TrickCardT:
        """Return the card that does best in many worlds, or perfectly at the end for two."""
        if not _open(view):
            return self.card_by_playouts(view, rng, budget, play_out)
        hidden = self.determinizer(view)
        return hidden.numbers.card(endgame.best_card(hidden.world(rng)))

    def card_by_playouts(
        self,
        view: StockView[TrickCardT, Any],
        rng: Random,
        budget: Budget,
        play_out: PlayOut,
    ) -> TrickCardT:
        """Return the card that does best on average where *play_out* plays everything after it."""
        hidden = self.determinizer(view)

        def worth(world: Position, card: int) -> float:
            return equity(*_outcome(world, card, play_out))

        best = best_move(
            hidden.hand,
            world=hidden.world,
            worth=worth,
            rng=rng,
            budget=budget,
            usual=usual_worlds(view, len(view.hand)),
        )
        return hidden.numbers.card(best)

    def weigh(
        self,
        view: StockView[TrickCardT, Any],
        cards: Sequence[TrickCardT],
        rng: Random,
        worlds: int,
        play_out: PlayOut,
    ) -> list[Prospect]:
        """Return what every card leads to where *play_out* plays on, the amount in points."""
        hidden = self.determinizer(view)
        numbers = hidden.numbers.of(cards)
        if _open(view):
            world = hidden.world(rng)
            return [endgame.prospect(world, number) for number in numbers]

        def prospect(world: Position, card: int) -> Prospect:
            points, side = _outcome(world, card, play_out)
            return Prospect(equity(points, side), points[side])

        return weigh(numbers, world=hidden.world, prospect=prospect, rng=rng, worlds=worlds)


def usual_worlds(view: StockView[Any, Any], moves: int) -> int:
    """Return how many worlds there is time for, with so many moves, when no budget is given."""
    return _WORK // (moves * (sum(view.held) + view.stock))


def _open(view: StockView[Any, Any]) -> bool:
    """Return whether only one world is left: for two, once the stock is gone."""
    return view.mode.seats == 2 and not view.stock


def _outcome(world: Position, card: int, play_out: PlayOut) -> tuple[list[int], int]:
    """Return the points by side where this card is played, and the side that plays it."""
    trial = world.copy()
    side = trial.sides[trial.turn]
    trial.play(card)
    return play_out(trial), side
