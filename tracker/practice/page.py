"""A table of practice as its page draws it, with what may be tapped and what the others do."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from games.errors import RuleError, gettext_noop
from games.play.layout import Face, Gather, HeldCard, Layout, Offer, Pile
from tracker.common.wording import Names, say
from tracker.practice.drawing import Remark, SeatOnPage, TablePicture, in_order
from tracker.practice.results import HandResult, Points, points_so_far, result_of
from tracker.practice.state import ME, PracticeTable, opening

_MOST = 30  # moves that are shown one by one; of more, the last
_MOST_SENTENCES = 40  # sentences since one's last move; of more, the last


@dataclass(frozen=True, slots=True, kw_only=True)
class HandCard:
    """A card of one's own hand: ``code`` is the move that a tap makes, if it makes one.

    ``several`` says that the table asks which of several moves is meant; ``fresh``, that
    the card has come since one moved last.
    """

    card: Face
    says: str
    code: str
    legal: bool
    several: bool
    fresh: bool
    hinted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Felt:
    """The table and the players round it; ``taker`` took the trick that is ``cleared``.

    Where the middle is ``bare``, nothing lies there in the whole hand; the next to play sits on
    one's left, or ``to_right``.
    """

    remarks: tuple[Remark, ...]
    opponents: tuple[SeatOnPage, ...]
    me: SeatOnPage
    heaps: tuple[Pile, ...]
    cleared: bool
    laid: bool
    bare: bool
    to_right: bool
    taker: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticePage:
    """Everything that a table of practice shows.

    ``sentences`` say what has happened, the latest first; ``drawn`` what one drew in a
    move after which nothing more could be done with it; ``chosen`` is the card of which it is
    asked what to do with it. ``hinted`` holds the codes of cards and moves of the hint.
    """

    called: str  # "Hand 3"
    points: tuple[Points, ...]
    felt: Felt
    asks: str
    mine: bool  # whether it is one's own turn
    hand: tuple[HandCard, ...]
    offers: tuple[Offer, ...]
    asked: tuple[Offer, ...]
    chosen: str
    gathers: tuple[Gather, ...]
    hinted: frozenset[str]
    sentences: tuple[str, ...]
    hint: str
    refusal: str
    drawn: str
    result: HandResult | None

    @property
    def choosing(self) -> bool:
        """Say whether there are moves besides the cards that may be tapped."""
        return bool(self.asked or self.offers or self.gathers)


def practice_page(
    table: PracticeTable,
    *,
    card: str = "",
    tried: str = "",
    picked: int | None = None,
    hint: str | None = None,
) -> PracticePage:
    """Return the view model of the table.

    ``card`` was tapped and is good for several moves; ``tried`` is a move that the rules
    refused, ``picked`` one for which the wrong cards were picked; ``hint`` what a strong
    player would do.
    """
    layout = table.laid(table.state)
    names = table.names
    hinted = _marked(layout, hint)
    picture = _PictureWithMoves(names, table.session.mode, _fresh(table), hinted)
    over = table.to_move is None
    hand = tuple(picture.tap(held) for held in layout.hand)
    # What is new in a hand that nothing more can be done with.
    drawn = ", ".join(say(each.card.name, names) for each in hand if each.fresh) if over else ""
    tapped = (held for held in layout.hand if held.face.code == card and len(held.moves) > 1)
    asked = tuple(move for held in tapped for move in held.moves)
    return PracticePage(
        called=gettext(table.game.unit.numbered) % {"number": table.hand.number},
        points=points_so_far(table, picture),
        felt=picture.felt(layout, table),
        asks=say(layout.asks, names),
        mine=table.to_move == ME,
        hand=hand,
        offers=layout.offers,
        asked=asked,
        chosen=card if asked else "",
        gathers=layout.gathers,
        hinted=hinted,
        sentences=_sentences(table),
        hint=_hinted(layout, hint, names),
        refusal=_refusal(table, layout, tried, picked),
        drawn=gettext("New in your hand: %(cards)s.") % {"cards": drawn} if drawn else "",
        result=result_of(table, picture) if over else None,
    )


def pick_code(table: PracticeTable, place: int, given: Sequence[str], taken: Sequence[str]) -> str:
    """Return the code of a move of picked cards.

    :raises RuleError: if such cards make no such move.
    """
    gathers = table.laid(table.state).gathers
    if place >= len(gathers):
        raise RuleError(
            "not-your-turn", gettext_noop("That cannot be done now: choose one of the moves shown.")
        )
    gather = gathers[place]
    if not gather.fits(given, taken):
        raise RuleError("picked", gather.wanted.template)
    return gather.code(given, taken)


def felt_and_hand(table: PracticeTable) -> tuple[Felt, tuple[HandCard, ...]]:
    """Return the table and the person's hand to look at, with no moves to choose."""
    layout = table.laid(table.state)
    picture = _PictureWithMoves(table.names, table.session.mode, _fresh(table))
    return picture.felt(layout, table), tuple(picture.tap(held) for held in layout.hand)


@dataclass(frozen=True, slots=True)
class _PictureWithMoves(TablePicture):
    """One's own cards, besides: those just drawn are ``fresh``."""

    fresh: frozenset[str]
    hinted: frozenset[str] = frozenset()

    def felt(self, layout: Layout, table: PracticeTable) -> Felt:
        seats = tuple(
            self.seat(seat, layout, to_move=table.to_move, me=ME)
            for seat in range(len(layout.spots))
        )
        order = in_order(layout)
        place = order.index(ME)
        return Felt(
            remarks=self.remarks(layout),
            # In the order of play, beginning with whoever plays after oneself.
            opponents=tuple(seats[seat] for seat in order[place + 1 :] + order[:place]),
            me=seats[ME],
            heaps=layout.piles,
            cleared=layout.cleared,
            laid=layout.laid,
            bare=not table.laid(table.dealt).piles,
            to_right=layout.to_right,
            taker=layout.taker,
        )

    def tap(self, held: HeldCard) -> HandCard:
        moves = held.moves
        return HandCard(
            card=held.face,
            says=say(moves[0].says, self.names) if len(moves) == 1 else "",
            code=moves[0].code if len(moves) == 1 else "",
            legal=not moves or any(move.legal for move in moves),
            several=len(moves) > 1,
            fresh=held.face.code in self.fresh,
            hinted=bool({held.face.code, *(move.code for move in moves)} & self.hinted),
        )


def _fresh(table: PracticeTable) -> frozenset[str]:
    """Return the cards that have come into one's hand since one moved last."""
    if not table.mine:
        return frozenset()
    before, now = table.laid(table.steps[table.mine[-1]].before), table.laid(table.state)
    return frozenset(
        {each.face.code for each in now.hand} - {each.face.code for each in before.hand}
    )


def _marked(layout: Layout, hint: str | None) -> frozenset[str]:
    """Return the move hinted at or, where it is gathered, its cards and how its code begins."""
    if hint is None:
        return frozenset()
    for gather in layout.gathers:
        if cards := gather.cards(hint):
            return frozenset({gather.prefix, *cards})
    return frozenset({hint})


def _hinted(layout: Layout, hint: str | None, names: Names) -> str:
    """Say what a strong player would do."""
    if hint is None:
        return ""
    taps = {move.code: move.says for held in layout.hand for move in held.moves}
    if hint in taps:
        return gettext("A strong player would %(move)s.") % {"move": say(taps[hint], names)}
    known = {offer.code: offer.says for offer in layout.offers}
    gathers = [gather.says for gather in layout.gathers if gather.cards(hint)]
    return gettext("A strong player would choose “%(move)s”.") % {
        "move": say(known[hint] if hint in known else gathers[0], names)
    }


def _sentences(table: PracticeTable) -> tuple[str, ...]:
    """Say what has happened since one's move before this turn, that move included."""
    first = table.mine[-1] if table.mine else 0
    sentences = [] if table.mine else [*opening(table)]
    sentences += [table.told(place) for place in range(first, len(table.steps))]
    return tuple(reversed(sentences[-_MOST_SENTENCES:]))


def _refusal(table: PracticeTable, layout: Layout, tried: str, picked: int | None) -> str:
    """Say why the rules refuse this move, or which cards have to be picked for that one."""
    if tried and table.to_move is not None:
        try:
            table.play.play(table.state, table.play.parse_move(tried))
        except RuleError as refusal:
            return say(refusal, table.names)
    gathers = () if picked is None else layout.gathers[picked:]
    return say(gathers[0].wanted, table.names) if gathers else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedMove:
    """What one move has changed at the table; what it has left as it was is ``None`` or not there.

    ``holds`` says that it stops there until it was seen: at a finished trick, or a knock.
    """

    says: str
    holds: bool
    taker: int | None
    cleared: bool
    seats: tuple[SeatOnPage, ...]
    remarks: tuple[Remark, ...] | None
    heaps: tuple[Pile, ...] | None
    hand: tuple[HandCard, ...] | None


def next_stop(table: PracticeTable, seen: int) -> int | None:
    """Return the number of moves up to the next trick or knock that has not been seen.

    ``None`` if there is none. One that still lies there at one's own turn is seen then.
    """
    last = len(table.steps) - (table.to_move is not None)
    return next((moves for moves in range(seen + 1, last + 1) if _stops(table, moves)), None)


def frames(table: PracticeTable, seen: int) -> tuple[WatchedMove, ...]:
    """Return what happened after so many moves, in the order in which it did."""
    first = max(seen, len(table.steps) - _MOST)
    last = len(table.steps) - (table.to_move is not None)
    shown = []
    felt, hand = felt_and_hand(table.at(first))
    for moves in range(first + 1, len(table.steps) + 1):
        felt_before, hand_before = felt, hand
        felt, hand = felt_and_hand(table.at(moves))
        were = {seat.place: seat for seat in (*felt_before.opponents, felt_before.me)}
        seats = (seat for seat in (*felt.opponents, felt.me) if seat != were.get(seat.place))
        shown.append(
            WatchedMove(
                says=table.told(moves - 1),
                holds=moves <= last and _stops(table, moves),
                taker=felt.taker,
                cleared=felt.cleared,
                seats=tuple(seats),
                remarks=None if felt.remarks == felt_before.remarks else felt.remarks,
                heaps=None if felt.heaps == felt_before.heaps else felt.heaps,
                hand=None if hand == hand_before else hand,
            )
        )
    return tuple(shown)


def _stops(table: PracticeTable, moves: int) -> bool:
    """Say whether the last of so many moves has completed a trick, or called for the end.

    What one has called oneself one knows.
    """
    step = table.steps[moves - 1]
    now, before = table.laid(step.after), table.laid(step.before)
    called = now.called and not before.called and step.seat != ME
    return (now.cleared and not before.cleared) or called
