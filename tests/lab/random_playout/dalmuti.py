"""Random playouts of the Great Dalmuti: whole games, as fast as the standard library plays them.

Every move is one of the legal ones, all of them equally likely. The moves are kept in the
order made, so that a test can hold a game to the readable rules.
"""

from dataclasses import dataclass, field

from games.dalmuti.cards import HIGHEST, PACK, hand_sizes
from games.dalmuti.play.kernel import BELOW
from games.dalmuti.play.rules import opening_draw, order_of
from games.dalmuti.play.state import Move, PlayCards, Skip
from games.dalmuti.scoring import Session
from games.dalmuti.sheet import PlayingOrder
from games.play.playing import Pack
from games.sheet import Sheet
from tests.lab.dice import Dice, shuffle

SKIP = 0
_CODE = 100  # a move is so many times the count, and the value
_VALUES = range(1, HIGHEST + 1)
_PLACES = range(len(PACK))
# Of every set of bits, one for each value: which values they are.
_HELD = [tuple(value for value in _VALUES if bits >> value & 1) for bits in range(1 << HIGHEST + 1)]


@dataclass(slots=True)
class Played:
    """A game being played by lot. Places of the playing order stand for the seats.

    ``least[k]`` is by place a set of bits, one for every value held k times or more.
    """

    packs: list[list[int]]
    order: PlayingOrder
    counts: list[list[int]]  # by place and value
    least: list[list[int]]
    cards: list[int]  # how many each place holds
    moves: list[int] = field(default_factory=list)
    out: list[int] = field(default_factory=list)


class RandomPlayout:
    """The next game of one session, played by lot as often as it is asked for."""

    def __init__(self, session: Session) -> None:
        self._session = session
        options, seats = session.options, session.mode.seats
        self._redraw = options["draw_tie"] == "again"
        self._sticky = bool(options["sticky_skip"])
        sizes = hand_sizes(session.mode, str(options["extra_cards"]))
        even = min(sizes) * seats
        extra = iter(range(even, len(PACK)))
        # By place, which cards of the pack it is dealt.
        self._dealt = [
            [*range(place, even, seats), *([next(extra)] if size > min(sizes) else [])]
            for place, size in enumerate(sizes)
        ]
        self._after = [
            [(place + step) % seats for step in range(1, seats)] for place in range(seats)
        ]

    def play(self, dice: Dice) -> Played:
        """Play a game from the deal, or the draw before it, to the last who holds cards."""
        packs = []
        order = self._session.order
        if order is None:
            packs.append(_pack(dice))
            order = order_of(
                opening_draw(
                    packs[0], self._session.mode, first=self._session.leader, redraw=self._redraw
                )
            )
        packs.append(_pack(dice))
        seats = len(order)
        game = Played(
            packs,
            order,
            counts=[[0] * (HIGHEST + 1) for _ in order],
            least=[[0] * seats for _ in range(HIGHEST + 1)],
            cards=[0] * seats,
        )
        for place, dealt in enumerate(self._dealt):
            _deal(game, place, [packs[-1][card] for card in dealt])
        leader = 0
        while len(game.out) < len(game.cards) - 1:
            while not game.cards[leader]:
                leader = (leader + 1) % len(game.cards)
            leader = self._play_trick(game, leader, dice)
        return game

    def _play_trick(self, game: Played, leader: int, dice: Dice) -> int:
        """Play until the cards are cleared away, or the game is over; return who played last."""
        cards, counts, least, note = game.cards, game.counts, game.least, game.moves.append
        after, waits, sticky = self._after, cards[:], self._sticky
        count, value = _lead(least, leader, cards[leader], dice)
        held, owner = least[count], leader
        while value:
            of_value = counts[owner]
            had = of_value[value]
            left = of_value[value] = had - count
            bit = 1 << value
            for times in range(left + 1, had + 1):
                least[times][owner] ^= bit
            note(_CODE * count + value)
            cards[owner] -= count
            if not cards[owner]:
                game.out.append(owner)
                waits[owner] = 0
                if len(game.out) == len(cards) - 1:
                    break
            if count >= value:  # nothing beats all of a value (D-8)
                break
            below, value = BELOW[value], 0
            for place in after[owner]:
                if not waits[place]:
                    continue
                ways = _HELD[held[place] & below]
                if ways and (lot := int(dice() * (len(ways) + 1))) < len(ways):
                    owner, value = place, ways[lot]
                    break
                note(SKIP)
                if sticky:
                    waits[place] = 0
        return owner

    def readable(self, game: Played) -> tuple[tuple[Pack, ...], list[Move]]:
        """Return the packs and the moves of a game as the readable rules have them."""
        moves: list[Move] = [
            PlayCards(*divmod(move, _CODE)) if move else Skip() for move in game.moves
        ]
        return tuple(tuple(map(str, pack)) for pack in game.packs), moves

    def sheet(self, game: Played) -> Sheet:
        """Return what a sheet says of how it came out."""
        last = next(place for place, cards in enumerate(game.cards) if cards)
        return {"order": [game.order[place] for place in (*game.out, last)]}


def _pack(dice: Dice) -> list[int]:
    return [PACK[place] for place in shuffle(_PLACES, len(PACK), dice)]


def _deal(game: Played, place: int, cards: list[int]) -> None:
    """Give this place these cards."""
    counts, least = game.counts[place], game.least
    for value in cards:
        held = counts[value] = counts[value] + 1
        least[held][place] |= 1 << value
    game.cards[place] = len(cards)


def _lead(least: list[list[int]], place: int, cards: int, dice: Dice) -> tuple[int, int]:
    """Return how many cards to lead, and of which value: there are as many ways as cards."""
    lot, count = int(dice() * cards), 1
    while lot >= len(values := _HELD[least[count][place]]):
        lot -= len(values)
        count += 1
    return count, values[lot]
