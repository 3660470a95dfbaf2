"""Random playouts of Mambassa: whole deals, as fast as the standard library plays them.

Every move is one of the legal ones, all of them equally likely. The moves are kept in the
order made, so that a test can hold a deal to the readable rules. A card is a bit, as in
``games.mambassa.play.hand_values``.
"""

from dataclasses import dataclass, field
from itertools import combinations

from games.mambassa.cards import PACK, Card
from games.mambassa.play import rules
from games.mambassa.play.hand_values import QUARANTUNA, RANKS, cards_of
from games.mambassa.play.kernel import NOBODY, DealPosition, house_for
from games.mambassa.play.state import Call, DrawCard, Move, SwapCards
from games.mambassa.scoring import Session
from games.mambassa.showdown import HAND_SIZE
from games.play.playing import Pack
from games.sheet import Sheet
from tests.lab.dice import Dice, shuffle

# What a move is noted as: these, or the card discarded, or the whole hand after a swap.
_CALLS = {-1: Call.KEEP, -2: Call.LEAVE, -3: Call.STAND, -4: Call.TAKE_MONTE, -5: Call.KNOCK}
KEEP, LEAVE, STAND, TAKE_MONTE, KNOCK = _CALLS
_HEAP = len(PACK)  # bits
_PLACES = range(len(PACK))
# The ways to begin a turn: to change some cards for as many of the monte, place by place;
# then to stand, to take the monte, to draw for each card.
_SWAPS = [
    tuple(zip(give, take, strict=True))
    for number in range(1, HAND_SIZE)
    for give in combinations(range(HAND_SIZE), number)
    for take in combinations(range(HAND_SIZE), number)
]
_STANDS = len(_SWAPS)
_TAKES = _STANDS + 1
_DRAWS = _TAKES + 1


@dataclass(slots=True)
class Dealt:
    """A deal being played by lot. Hands and monte are lists of four cards."""

    order: list[int]
    hands: list[list[int]]
    monte: list[int]
    stock: list[int]  # their places in the pack, the top at the end
    turn: int
    knocker: int = NOBODY
    declarer: int = NOBODY
    moves: list[int] = field(default_factory=list)


class RandomPlayout:
    """The next deal of one session, played by lot as often as it is asked for."""

    def __init__(self, session: Session) -> None:
        options, seats, playing = session.options, session.mode.seats, session.stakes.playing
        first = playing.index(session.leader)
        self._session, self._seats, self._dealer = session, seats, session.dealer
        self._in_turn = (*playing[first:], *playing[:first])
        self._all_wait = bool(options["declare_after_dealer_choice"])
        self._house = house_for(seats, options, playing)
        rows = [sum(1 << RANKS * suit + rank for suit in range(4)) for rank in range(RANKS)]
        runs = [0b1111 << place for place in range(_HEAP - HAND_SIZE + 1)]
        value_of = self._house.values.of
        self._declared = {heap for heap in (*rows, *runs) if value_of(heap) >= QUARANTUNA}

    def play(self, dice: Dice) -> Dealt:
        """Play a deal until somebody declares, or all have had their last turn."""
        order = shuffle(_PLACES, _HEAP, dice)
        seats = len(self._in_turn)
        cards = [1 << place for place in order[: seats * HAND_SIZE]]
        hands: list[list[int]] = [[]] * self._seats
        for place, seat in enumerate(self._in_turn):
            hands[seat] = cards[place::seats]
        stock = order[: seats * HAND_SIZE - 1 : -1]
        deal = Dealt(order, hands, [], stock, self._dealer)
        if not self._all_wait and self._declares(deal, self._in_turn[:-1]):
            return deal
        self._choose(deal, dice)
        if not self._declares(deal, self._in_turn):
            self._go_round(deal, dice)
        return deal

    def _declares(self, deal: Dealt, seats: tuple[int, ...]) -> bool:
        """Say whether one of these must declare; of two, the one whose suit is higher (M-8)."""
        heaps = [sum(deal.hands[seat]) for seat in seats]
        if self._declared.isdisjoint(heaps):
            return False
        deal.declarer = seats[heaps.index(max(self._declared.intersection(heaps)))]
        return True

    def _choose(self, deal: Dealt, dice: Dice) -> None:
        """Let the dealer look at four new cards, and keep them or leave them (R3)."""
        deal.monte = [1 << deal.stock.pop() for _ in range(HAND_SIZE)]
        if dice() < 0.5:
            deal.moves.append(LEAVE)
            return
        deal.moves.append(KEEP)
        deal.knocker = self._dealer
        deal.monte, deal.hands[self._dealer] = deal.hands[self._dealer], deal.monte

    def _go_round(self, deal: Dealt, dice: Dice) -> None:
        """Let one after the other have a turn, until it is the turn of whoever knocked (R4, R5)."""
        after, left, last_draws = self._house.after, self._house.most_turns, self._house.last_draws
        stock, knocker = deal.stock, deal.knocker
        turn = deal.turn = after[self._dealer]
        while turn != knocker and deal.declarer == NOBODY:
            knocked = knocker != NOBODY
            draws = HAND_SIZE if stock and (last_draws or not knocked) else 0
            must_knock = left <= 0 and not knocked  # M-6
            way = _STANDS + int(dice() * 2) if must_knock else int(dice() * (_DRAWS + draws))
            if _STANDS <= way < _DRAWS:
                self._stand(deal, take=way == _TAKES)
            else:
                self._change(deal, way, draws, dice)
            knocker = deal.knocker
            left -= 1
            turn = deal.turn = after[turn]

    def _stand(self, deal: Dealt, *, take: bool) -> None:
        """Change nothing, or take the whole monte; both are a knock."""
        seat = deal.turn
        deal.moves.append(TAKE_MONTE if take else STAND)
        if take:
            deal.hands[seat], deal.monte = deal.monte, deal.hands[seat]
            self._declares(deal, (seat,))
        if deal.knocker == NOBODY:
            deal.knocker = seat

    def _change(self, deal: Dealt, way: int, draws: int, dice: Dice) -> None:
        """Swap or draw in this way; draw after a swap, and knock, by lot where that is allowed."""
        hand, note, declared = deal.hands[deal.turn], deal.moves.append, self._declared
        able = self._house.knocks and deal.knocker == NOBODY
        place = way - _DRAWS
        if place < 0:
            monte = deal.monte
            for give, take in _SWAPS[way]:
                hand[give], monte[take] = monte[take], hand[give]
            heap = sum(hand)
            note(heap)
            if heap in declared:
                deal.declarer = deal.turn
                return
            if not draws and not able:
                return
            place = HAND_SIZE - draws + int(dice() * (draws + 1 + able))
        if place < HAND_SIZE:
            note(hand[place])
            hand[place] = 1 << deal.stock.pop()
            if sum(hand) in declared:
                deal.declarer = deal.turn
                return
            if not able:
                return
            place = HAND_SIZE + int(dice() * 2)
        note(STAND if place == HAND_SIZE else KNOCK)
        if place > HAND_SIZE:
            deal.knocker = deal.turn

    def readable(self, deal: Dealt) -> tuple[tuple[Pack, ...], list[Move]]:
        """Return the pack and the moves of a deal as the readable rules have them."""
        pack = tuple(str(PACK[place]) for place in deal.order)
        state = rules.deal(self._session, (pack,))
        moves = []
        for noted in deal.moves:
            move = _CALLS[noted] if noted < 0 else _change(cards_of(noted), state.hands[state.turn])
            moves.append(move)
            state = rules.play(state, move)
        return (pack,), moves

    def sheet(self, deal: Dealt) -> Sheet:
        """Return what a sheet says of how it came out."""
        shown = DealPosition(
            self._house,
            [sum(hand) for hand in deal.hands],
            monte=sum(deal.monte),
            stock=[],
            turn=deal.turn,
            declarer=deal.declarer,
        )
        declared = {} if deal.declarer == NOBODY else {"declarer": deal.declarer}
        return {"payers": shown.payers(), **declared}


def _change(noted: list[Card], hand: tuple[Card, ...]) -> Move:
    """Return the draw for the one card noted, or the swap that left this hand."""
    if len(noted) == 1:
        return DrawCard(noted[0])
    return SwapCards(frozenset(hand).difference(noted), frozenset(noted).difference(hand))
