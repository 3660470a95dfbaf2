"""Random playouts: whole hands played by lot, as fast as the standard library plays them.

``PLAYOUTS[slug](session)`` plays the next hand of a session with ``play(dice)``, as often as it
is asked; ``readable`` gives its pack and moves as the readable rules have them, and ``sheet``
what a sheet says of how it came out.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from games.play.playing import Pack
from games.sheet import Sheet
from tests.lab.dice import Dice
from tests.lab.random_playout import albastini, briscola, dalmuti, mambassa


class RandomPlayout(Protocol):
    """The next hand of one session, played by lot as often as it is asked for."""

    def play(self, dice: Dice, /) -> Any: ...
    def readable(self, hand: Any, /) -> tuple[tuple[Pack, ...], list[Any]]: ...
    def sheet(self, hand: Any, /) -> Sheet: ...


PLAYOUTS: Mapping[str, Callable[[Any], RandomPlayout]] = {
    "albastini": albastini.RandomPlayout,
    "briscola": briscola.RandomPlayout,
    "dalmuti": dalmuti.RandomPlayout,
    "mambassa": mambassa.RandomPlayout,
}
