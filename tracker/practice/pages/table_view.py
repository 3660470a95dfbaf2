"""View model of the practice table: cards to tap, other moves, and what the bots did.

A ``Layout`` is what one seat sees of a state: cards, piles, and the moves to tap. An *offer* is a
move made with one tap; a *gather* is a move for which several cards are picked first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from games.cards import Face
from games.errors import RuleError, gettext_noop
from games.play.layout import HeldCard, Layout, Offer
from tracker.common.wording import Names, say
from tracker.practice.pages.hand_result import SidePoints, points_so_far, result_of
from tracker.practice.pages.seats import Remark, SeatOnPage, TableView, seats_in_order
from tracker.practice.state import ME, PracticeTable, draw_sentences

_MOST_FRAMES = 30  # if there are more moves, only the last ones are shown one by one
_MOST_SENTENCES = 40  # on the moves since the person's last one; earlier ones are left out


@dataclass(frozen=True, slots=True, kw_only=True)
class HandCard:
    """A card of the person's hand.

    ``code`` is the code of the move that a tap on the card makes, and ``says`` the name of this
    move. Both are empty if the card is good for no move, or for more than one (``several``). A tap
    on a card that is not ``legal`` is answered with the reason. ``fresh`` is true if the card was
    drawn since the person moved last, ``hinted`` if the hint is a move with it.
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
    """The table and the players round it; ``bare`` if the hand began with no piles there."""

    layout: Layout
    remarks: tuple[Remark, ...]
    opponents: tuple[SeatOnPage, ...]
    me: SeatOnPage
    bare: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticePage:
    """The practice table as its page shows it.

    ``called`` is the title, such as "Hand 3"; ``points`` are those of the earlier hands. ``asks``
    says what the person has to do. ``chosen`` is the code of a tapped card that is good for several
    moves, which are the ``card_moves``. ``hint`` is a sentence, and ``hinted`` the codes of its
    cards and moves. ``sentences`` say what has happened, the latest first; ``refusal`` says why the
    rules refuse a move; ``drawn`` names the cards drawn since the person's last move, at the end.
    """

    called: str
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
    result: dict[str, Any] | None

    @property
    def choosing(self) -> bool:
        """Return whether the page offers moves besides those made by tapping a card."""
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

    *card* is the code of a card that was tapped; *tried* the code of a move that the rules refused;
    *picked* the index of the gather for which wrong cards were picked; *hint* the code of the hint.
    """
    layout = table.layout_of(table.state)
    names = table.names
    hinted, hint_sentence = _hint_of(layout, hint, names)
    fresh = _fresh_card_codes(table)
    view = _PlayerView(names, table.session.mode, fresh_codes=fresh, hinted_codes=hinted)
    over = table.to_move is None
    hand = tuple(view.card(held) for held in layout.hand)
    new_cards = ", ".join(say(held.card.name, names) for held in hand if held.fresh) if over else ""
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
        drawn=gettext("New in your hand: %(cards)s.") % {"cards": new_cards} if new_cards else "",
        result=result_of(table, view) if over else None,
    )


def pick_code(table: PracticeTable, index: int, given: Sequence[str], taken: Sequence[str]) -> str:
    """Return the code of the move that the gather with this index makes of the picked cards.

    *given* are codes of cards of the person's hand, *taken* of cards on the table.

    :raises RuleError: ``not-your-turn`` if there is no such gather, ``picked`` for wrong cards.
    """
    gathers = table.layout_of(table.state).gathers
    if index >= len(gathers):
        text = gettext_noop("That cannot be done now: choose one of the moves shown.")
        raise RuleError("not-your-turn", text)
    gather = gathers[index]
    if not gather.fits(given, taken):
        raise RuleError("picked", gather.wanted.template)
    return gather.code(given, taken)


def _felt_and_hand(table: PracticeTable) -> tuple[Felt, tuple[HandCard, ...]]:
    layout = table.layout_of(table.state)
    view = _PlayerView(table.names, table.session.mode, fresh_codes=_fresh_card_codes(table))
    return view.felt(layout, table), tuple(view.card(held) for held in layout.hand)


@dataclass(frozen=True, slots=True)
class _PlayerView(TableView):
    """Makes the parts of the page that the person sees, with fresh and hinted cards marked."""

    fresh_codes: frozenset[str]
    hinted_codes: frozenset[str] = frozenset()

    def felt(self, layout: Layout, table: PracticeTable) -> Felt:
        seats = tuple(
            self.seat(seat, layout, to_move=table.to_move, me=ME)
            for seat in range(len(layout.spots))
        )
        order = seats_in_order(layout)
        own_turn = order.index(ME)
        return Felt(
            layout=layout,
            remarks=self.remarks(layout),
            # In the order of play, beginning with the player after the person.
            opponents=tuple(seats[seat] for seat in order[own_turn + 1 :] + order[:own_turn]),
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
            fresh=held.face.code in self.fresh_codes,
            hinted=bool({held.face.code, *(move.code for move in moves)} & self.hinted_codes),
        )


def _fresh_card_codes(table: PracticeTable) -> frozenset[str]:
    """Return the codes of the cards drawn since the person moved last."""
    if not table.own_moves:
        return frozenset()
    before = table.layout_of(table.steps[table.own_moves[-1]].before)
    after = table.layout_of(table.state)
    codes_before = {held.face.code for held in before.hand}
    return frozenset(held.face.code for held in after.hand) - codes_before


def _hint_of(layout: Layout, hint: str | None, names: Names) -> tuple[frozenset[str], str]:
    """Return the codes to mark for *hint* (of a gather: prefix and cards), and a sentence on it."""
    if hint is None:
        return frozenset(), ""
    codes = frozenset({hint})
    choices = {offer.code: offer.says for offer in layout.offers}
    for gather in layout.gathers:
        if cards := gather.cards(hint):
            codes = frozenset({gather.prefix, *cards})
            choices.setdefault(hint, gather.says)
            break
    taps = {move.code: move.says for held in layout.hand for move in held.moves}
    if hint in taps:
        return codes, gettext("A strong player would %(move)s.") % {"move": say(taps[hint], names)}
    sentence = gettext("A strong player would choose “%(move)s”.")
    return codes, sentence % {"move": say(choices[hint], names)}


def _refusal(table: PracticeTable, layout: Layout, tried: str, picked: int | None) -> str:
    """Say why the rules refuse the move *tried*, or which cards the gather *picked* needs."""
    if tried and table.to_move is not None:
        try:
            table.play.play(table.state, table.play.parse_move(tried))
        except RuleError as refusal:
            return say(refusal, table.names)
    # An index from an old page may be too large.
    gathers = () if picked is None else layout.gathers[picked:]
    return say(gathers[0].wanted, table.names) if gathers else ""


def next_stop(table: PracticeTable, seen: int) -> int | None:
    """Return how many moves have been made at the first stop after *seen* moves, if any."""
    stops = (moves for moves in range(seen + 1, len(table.steps) + 1) if _stops(table, moves))
    return next(stops, None)


def move_frames(table: PracticeTable, seen: int) -> list[dict[str, Any]]:
    """Return a frame for each move after the first *seen* ones: what it changed at the table.

    A script shows the moves one by one. ``says`` tells the move; the script waits for a tap after
    it if it ``holds``: at a finished trick, or if a bot called for the end (a *knock*). ``taker`` is
    the seat that took a trick, which is ``cleared`` if it lies there only to be seen. What has not
    changed is left out: seats are missing, and other parts are ``None``.
    """
    first = max(seen, len(table.steps) - _MOST_FRAMES)
    frames = []
    felt, hand = _felt_and_hand(table.at(first))
    for moves in range(first + 1, len(table.steps) + 1):
        felt_before, hand_before = felt, hand
        felt, hand = _felt_and_hand(table.at(moves))
        piles_before, piles = felt_before.layout.piles, felt.layout.piles
        seats_before = (*felt_before.opponents, felt_before.me)
        seats = (seat for seat in (*felt.opponents, felt.me) if seat not in seats_before)
        frame = {
            "says": table.describe_step(moves - 1),
            "holds": _stops(table, moves),
            "taker": felt.layout.taker,
            "cleared": felt.layout.cleared,
            "seats": list(seats),
            "remarks": None if felt.remarks == felt_before.remarks else felt.remarks,
            "heaps": None if piles == piles_before else piles,
            "hand": None if hand == hand_before else hand,
        }
        frames.append(frame)
    return frames


def _stops(table: PracticeTable, moves: int) -> bool:
    """Return whether move number *moves*, counted from 1, completed a trick or was a bot's knock.

    The last move before the person's turn does not count: the page shows what it left anyway.
    """
    if moves == len(table.steps) and table.to_move is not None:
        return False
    step = table.steps[moves - 1]
    before, after = table.layout_of(step.before), table.layout_of(step.after)
    bot_knocked = after.called and not before.called and step.seat != ME
    trick_completed = after.cleared and not before.cleared
    return bot_knocked or trick_completed
