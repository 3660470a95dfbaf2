"""Positions: a readable state, everything open, as the fast kernel of its game sees it."""

from typing import Any

import games.dalmuti.play.kernel
import games.dalmuti.play.state
import games.mambassa.play.hand_values
import games.mambassa.play.kernel
import games.mambassa.play.state
from games.bots import determinization, fast_tricks, trick_kernel
from games.play import tricks


def of_tricks(
    kernel: trick_kernel.TrickKernel[Any], state: tricks.StockState[Any]
) -> fast_tricks.Position:
    """Return the position of a hand of tricks whose trumps are known."""
    assert state.trump is not None
    numbers = kernel.numbers[state.trump]
    hands = [numbers.of(hand) for hand in state.hands]
    return determinization.lay_out(
        kernel.deck, state, numbers, hands, numbers.of(reversed(state.stock))
    )


def of_dalmuti(state: games.dalmuti.play.state.State) -> games.dalmuti.play.kernel.GamePosition:
    """Return the position of a game, one hand a place of the playing order."""
    kernel = games.dalmuti.play.kernel
    hands = [kernel.CardCounts(state.hands[seat]) for seat in state.order]
    return kernel.lay_out(state, state.turn, hands)


def of_mambassa(state: games.mambassa.play.state.State) -> games.mambassa.play.kernel.DealPosition:
    """Return the position of a deal; until the dealer's choice the monte is what is offered."""
    kernel, values = games.mambassa.play.kernel, games.mambassa.play.hand_values
    stage = games.mambassa.play.state.DealStage
    position = kernel.lay_out(
        state,
        state.turn,
        [values.heap_of(hand) for hand in state.hands],
        values.heap_of(state.offer or state.monte),
        [values.BITS[card] for card in reversed(state.stock)],
    )
    position.declarer = kernel.NOBODY if state.declarer is None else state.declarer
    position.over = state.stage is stage.OVER
    position.fresh = state.stage in {stage.CHOICE, stage.TURN}
    return position
