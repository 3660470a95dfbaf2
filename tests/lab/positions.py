"""Positions: a readable state, everything open, as the fast kernel of its game sees it."""

import games.albastini.play.kernel
import games.albastini.play.state
import games.briscola.play.kernel
import games.briscola.play.state
import games.cards
import games.dalmuti.play.kernel
import games.dalmuti.play.state
import games.mambassa.play.hand_values
import games.mambassa.play.kernel
import games.mambassa.play.state
from games.bots import determinization, fast_tricks


def of_albastini(
    state: games.albastini.play.state.State, trump: games.cards.CardSuit
) -> fast_tricks.Position:
    """Return the position of a hand whose bidding is over."""
    kernel = games.albastini.play.kernel
    numbers = kernel.KERNEL.numbers[trump]
    hands = [numbers.of(hand) for hand in state.hands]
    return determinization.lay_out(
        kernel.KERNEL.deck, state, numbers, hands, numbers.of(reversed(state.stock))
    )


def of_briscola(state: games.briscola.play.state.State) -> fast_tricks.Position:
    """Return the position of a deal."""
    kernel = games.briscola.play.kernel
    numbers = kernel.KERNEL.numbers[state.turned_up.suit]
    hands = [numbers.of(hand) for hand in state.hands]
    return determinization.lay_out(
        kernel.KERNEL.deck, state, numbers, hands, numbers.of(reversed(state.stock))
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
