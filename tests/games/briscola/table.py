"""Deals laid out by hand: who holds what, and what lies in the stock."""

from collections.abc import Mapping
from typing import Any

from games.briscola import GAME
from games.briscola.play import rules
from games.briscola.play.state import State
from games.option import Options
from tests.games.book import open_table
from tests.games.trick_tables import all_cards, hidden_elsewhere, ordered

__all__ = ["MODES", "all_cards", "dealt", "hidden_elsewhere", "opened"]
MODES = [mode.code for mode in GAME.modes({})]


def opened(mode: str, dealer: int = 0, options: Options | None = None) -> Any:
    return open_table(GAME, mode, options, dealer)


def dealt(
    mode: str,
    hands: Mapping[int, str],
    stock: str = "",
    dealer: int = 0,
    options: Options | None = None,
) -> State:
    session = opened(mode, dealer, options)
    seats = session.mode.seats
    pack = ordered(rules.pack(session), hands, stock, first=dealer + 1, seats=seats, each=3)
    return rules.deal(session, [pack])
