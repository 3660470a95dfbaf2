"""Hands laid out by hand: who holds what, and what lies in the stock."""

from collections.abc import Mapping
from typing import Any

from games.albastini import GAME
from games.albastini.play import rules
from games.albastini.play.state import State
from games.option import Options
from tests.games.book import open_table
from tests.games.trick_tables import all_cards, hidden_elsewhere, ordered

__all__ = ["MODES", "all_cards", "dealt", "hands_of", "hidden_elsewhere", "opened"]
RULES: Options = {"allow_6i": True}
MODES = [mode.code for mode in GAME.modes(RULES)]


def opened(mode: str, dealer: int = 0) -> Any:
    return open_table(GAME, mode, RULES, dealer)


def dealt(mode: str, hands: Mapping[int, str], stock: str = "", dealer: int = 0) -> State:
    session = opened(mode, dealer)
    seats = session.mode.seats
    pack = ordered(rules.pack(session), hands, stock, first=dealer + 1, seats=seats, each=5)
    return rules.deal(session, [pack])


def hands_of(state: State) -> list[str]:
    return [" ".join(map(str, hand)) for hand in state.hands]
