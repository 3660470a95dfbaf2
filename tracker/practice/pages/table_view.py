"""View model of the practice table: cards to tap, other moves, and what the bots did."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from games.errors import RuleError, gettext_noop
from games.play.layout import Face, HeldCard, Layout, Offer, Pile
from tracker.common.wording import Names, say
from tracker.practice.pages.hand_result import HandResult, SidePoints, points_so_far, result_of
from tracker.practice.pages.seats import Remark, SeatOnPage, TableView, seats_in_order
from tracker.practice.state import ME, PracticeTable, draw_sentences

_MOST_FRAMES = 30  # of more moves only the last are shown one by one
_MOST_SENTENCES = 40  # of more since the last own move only the last are shown


@dataclass(frozen=True, slots=True, kw_only=True)
class HandCard:
    """A card of the person's hand; ``code`` is the move that a tap makes, if it makes one.

    ``several`` is true if the card is good for several moves, ``fresh`` if it was drawn since the
    person moved last.
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
    """The table and the players round it; ``bare`` if this game has no piles in the middle."""

    layout: Layout
    remarks: tuple[Remark, ...]
    opponents: tuple[SeatOnPage, ...]
    me: SeatOnPage
    bare: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticePage:
    """The practice table as its page shows it.

    ``sentences`` say what has happened, the latest first. ``drawn`` names the cards that the person
    drew in the last move of the hand. ``card_moves`` are the moves of the ``chosen`` card, if it is
    good for several. ``hinted`` are the codes of the cards and moves of the hint.
    """

    called: str  # "Hand 3"
    points: tuple[SidePoints, ...]
    felt: Felt
    asks: str
    my_turn: bool
    hand: tuple[HandCard, ...]
    card_moves: tuple[Offer, ...]
    chosen: str
    hinted: frozenset[str]
    sentences: tuple[str, ...]
    hint: str
    refusal: str
    drawn: str
    result: HandResult | None

    @property
    def choosing(self) -> bool:
        """Return whether there are moves other than tapping a card."""
        return bool(self.card_moves or self.felt.layout.offers or self.felt.layout.gathers)


def practice_page(
    table: PracticeTable,
    *,
    card: str = "",
    tried: str = "",
    picked: int | None = None,
    hint: str | None = None,
) -> PracticePage:
    """Return the view model of the table.

    *card* was tapped and is good for several moves; *tried* is the code of a move that the rules
    refused; *picked* is the index of the gather for which the wrong cards were picked; *hint* is the
    code of a strong bot's move.
    """
    layout = table.layout_of(table.state)
    names = table.names
    hinted, hint_sentence = _hint_of(layout, hint, names)
    view = _PlayerView(names, table.session.mode, _fresh_cards(table), hinted)
    over = table.to_move is None
    hand = tuple(view.card(held) for held in layout.hand)
    drawn = ", ".join(say(each.card.name, names) for each in hand if each.fresh) if over else ""
    tapped = [held for held in layout.hand if held.face.code == card and len(held.moves) > 1]
    card_moves = tuple(move for held in tapped for move in held.moves)
    # What has happened since the person's last move, from that move on.
    since = table.own_moves[-1] if table.own_moves else 0
    sentences = [] if table.own_moves else [*draw_sentences(table)]
    sentences += [table.describe_step(index) for index in range(since, len(table.steps))]
    return PracticePage(
        called=gettext(table.game.unit.numbered) % {"number": table.hand.number},
        points=points_so_far(table, view),
        felt=view.felt(layout, table),
        asks=say(layout.asks, names),
        my_turn=table.to_move == ME,
        hand=hand,
        card_moves=card_moves,
        chosen=card if card_moves else "",
        hinted=hinted,
        sentences=tuple(reversed(sentences[-_MOST_SENTENCES:])),
        hint=hint_sentence,
        refusal=_refusal(table, layout, tried, picked),
        drawn=gettext("New in your hand: %(cards)s.") % {"cards": drawn} if drawn else "",
        result=result_of(table, view) if over else None,
    )


def pick_code(table: PracticeTable, place: int, given: Sequence[str], taken: Sequence[str]) -> str:
    """Return the code of the move that the gather at *place* makes of the picked cards.

    :raises RuleError: ``picked`` if these cards make no such move.
    """
    gathers = table.layout_of(table.state).gathers
    if place >= len(gathers):
        raise RuleError(
            "not-your-turn", gettext_noop("That cannot be done now: choose one of the moves shown.")
        )
    gather = gathers[place]
    if not gather.fits(given, taken):
        raise RuleError("picked", gather.wanted.template)
    return gather.code(given, taken)


def _felt_and_hand(table: PracticeTable) -> tuple[Felt, tuple[HandCard, ...]]:
    """Return the table and the person's hand."""
    layout = table.layout_of(table.state)
    view = _PlayerView(table.names, table.session.mode, _fresh_cards(table))
    return view.felt(layout, table), tuple(view.card(held) for held in layout.hand)


@dataclass(frozen=True, slots=True)
class _PlayerView(TableView):
    """The table seen from the person's seat; the ``fresh`` cards were drawn since their last move."""

    fresh: frozenset[str]
    hinted: frozenset[str] = frozenset()

    def felt(self, layout: Layout, table: PracticeTable) -> Felt:
        seats = tuple(
            self.seat(seat, layout, to_move=table.to_move, me=ME)
            for seat in range(len(layout.spots))
        )
        order = seats_in_order(layout)
        place = order.index(ME)
        return Felt(
            layout=layout,
            remarks=self.remarks(layout),
            # In the order of play, from the one who plays after the person.
            opponents=tuple(seats[seat] for seat in order[place + 1 :] + order[:place]),
            me=seats[ME],
            bare=not table.layout_of(table.dealt).piles,
        )

    def card(self, held: HeldCard) -> HandCard:
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


def _fresh_cards(table: PracticeTable) -> frozenset[str]:
    """Return the codes of the cards drawn since the person moved last."""
    if not table.own_moves:
        return frozenset()
    before = table.layout_of(table.steps[table.own_moves[-1]].before)
    now = table.layout_of(table.state)
    return frozenset(card.face.code for card in now.hand) - {card.face.code for card in before.hand}


def _hint_of(layout: Layout, hint: str | None, names: Names) -> tuple[frozenset[str], str]:
    """Return the code of the hinted move, or prefix and cards of a gather, and its sentence."""
    if hint is None:
        return frozenset(), ""
    codes = frozenset({hint})
    known = {offer.code: offer.says for offer in layout.offers}
    for gather in layout.gathers:
        if cards := gather.cards(hint):
            codes = frozenset({gather.prefix, *cards})
            known.setdefault(hint, gather.says)
            break
    taps = {move.code: move.says for held in layout.hand for move in held.moves}
    if hint in taps:
        return codes, gettext("A strong player would %(move)s.") % {"move": say(taps[hint], names)}
    says = gettext("A strong player would choose “%(move)s”.")
    return codes, says % {"move": say(known[hint], names)}


def _refusal(table: PracticeTable, layout: Layout, tried: str, picked: int | None) -> str:
    """Say why the rules refuse the move *tried*, or which cards the gather *picked* needs."""
    if tried and table.to_move is not None:
        try:
            table.play.play(table.state, table.play.parse_move(tried))
        except RuleError as refusal:
            return say(refusal, table.names)
    gathers = () if picked is None else layout.gathers[picked:]
    return say(gathers[0].wanted, table.names) if gathers else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveFrame:
    """What one move changed at the table, for the script; unchanged parts are ``None`` or left out.

    ``holds`` is true if the script waits there for a tap: at a finished trick, or a knock.
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
    """Return the number of moves up to the next trick or knock after *seen* moves, if there is one.

    A trick that is still on the table at the person's turn does not count: the page shows it then.
    """
    last = len(table.steps) - (table.to_move is not None)
    return next((moves for moves in range(seen + 1, last + 1) if _stops(table, moves)), None)


def move_frames(table: PracticeTable, seen: int) -> tuple[MoveFrame, ...]:
    """Return a frame for each move after the first *seen* ones."""
    first = max(seen, len(table.steps) - _MOST_FRAMES)
    last = len(table.steps) - (table.to_move is not None)
    frames = []
    felt, hand = _felt_and_hand(table.at(first))
    for moves in range(first + 1, len(table.steps) + 1):
        felt_before, hand_before = felt, hand
        felt, hand = _felt_and_hand(table.at(moves))
        piles_before, piles = felt_before.layout.piles, felt.layout.piles
        were = {seat.place: seat for seat in (*felt_before.opponents, felt_before.me)}
        seats = (seat for seat in (*felt.opponents, felt.me) if seat != were.get(seat.place))
        frames.append(
            MoveFrame(
                says=table.describe_step(moves - 1),
                holds=moves <= last and _stops(table, moves),
                taker=felt.layout.taker,
                cleared=felt.layout.cleared,
                seats=tuple(seats),
                remarks=None if felt.remarks == felt_before.remarks else felt.remarks,
                heaps=None if piles == piles_before else piles,
                hand=None if hand == hand_before else hand,
            )
        )
    return tuple(frames)


def _stops(table: PracticeTable, moves: int) -> bool:
    """Return whether the last of so many moves completed a trick, or was a bot's knock."""
    step = table.steps[moves - 1]
    now, before = table.layout_of(step.after), table.layout_of(step.before)
    called = now.called and not before.called and step.seat != ME
    return (now.cleared and not before.cleared) or called
