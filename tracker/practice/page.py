"""A table of practice as its page draws it: cards, sentences, and what may be tapped."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from games.errors import RuleError, gettext_noop
from games.game import AnyGame
from games.play.layout import Held, Layout, Offer
from games.sheet import Marks
from tracker.common.figures import figure
from tracker.common.sheet_lines import Line, lines, totals
from tracker.common.wording import Names, say
from tracker.practice.drawing import Card, Heap, Picture, Seat, in_order
from tracker.practice.state import ME, PracticeTable

_MOST_SENTENCES = 40  # sentences since one's last move; of more, the last


@dataclass(frozen=True, slots=True, kw_only=True)
class Tap:
    """A card of one's own hand: ``code`` is the move that a tap makes, if it makes one.

    ``several`` says that the table asks which of several moves is meant.
    """

    card: Card
    says: str
    code: str
    legal: bool
    several: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """A move by its name."""

    code: str
    says: str
    hinted: bool


@dataclass(frozen=True, slots=True)
class Picking:
    """A move of cards that are picked first; ``place`` is its number on the page."""

    place: int
    says: str
    hinted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What the table would have written down of a hand, and what comes of it."""

    headline: str
    why: str
    totals: str
    lines: tuple[Line, ...]
    next_dealer: str
    over: bool
    columns: tuple[str, ...]
    gathered: tuple[tuple[str, tuple[str, ...]], ...]  # by name, of all hands so far


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticePage:
    """Everything that a table of practice shows."""

    called: str  # "Hand 3"
    says: tuple[str, ...]
    asks: str
    mine: bool  # whether it is one's own turn
    opponents: tuple[Seat, ...]
    me: Seat
    heaps: tuple[Heap, ...]
    cleared: bool
    laid: bool
    hand: tuple[Tap, ...]
    offers: tuple[Choice, ...]
    asked: tuple[Choice, ...]
    pickings: tuple[Picking, ...]
    sentences: tuple[str, ...]
    hint: str
    refusal: str
    result: Result | None


def practice_page(
    table: PracticeTable,
    *,
    card: str = "",
    tried: str = "",
    picked: int | None = None,
    hint: str | None = None,
) -> PracticePage:
    """Return the table as it stands.

    ``card`` was tapped and is good for several moves; ``tried`` is a move that the rules
    refused, ``picked`` one for which the wrong cards were picked; ``hint`` what a strong
    player would do.
    """
    layout = _laid(table)
    names = table.names
    picture = _Picture(names, _marked(layout, hint))
    seats = tuple(
        picture.seat(seat, layout, to_move=table.to_move, me=seat == ME)
        for seat in range(len(layout.spots))
    )
    return PracticePage(
        called=gettext(table.game.unit.numbered) % {"number": table.hand.number},
        says=tuple(say(text, names) for text in layout.says),
        asks="" if layout.asks is None else say(layout.asks, names),
        mine=table.to_move == ME,
        opponents=tuple(seats[seat] for seat in _opponents(layout)),
        me=seats[ME],
        heaps=tuple(picture.heap(pile) for pile in layout.piles),
        cleared=layout.cleared,
        laid=layout.laid,
        hand=tuple(picture.tap(held) for held in layout.hand),
        offers=tuple(picture.choice(offer) for offer in layout.offers),
        asked=tuple(map(picture.choice, _asked(layout, card))),
        pickings=_pickings(layout, hint, names),
        sentences=_sentences(table),
        hint=_hinted(layout, hint, names),
        refusal=_refusal(table, tried) or _wanted(layout, picked, names),
        result=_result(table) if table.to_move is None else None,
    )


def pick_code(table: PracticeTable, place: int, given: Sequence[str], taken: Sequence[str]) -> str:
    """Return the code of a move of picked cards.

    :raises RuleError: if such cards make no such move.
    """
    gathers = _laid(table).gathers
    if place >= len(gathers):
        raise RuleError("not-your-turn", gettext_noop("That cannot be done now."))
    gather = gathers[place]
    if not gather.fits(given, taken):
        raise RuleError("picked", gather.wanted.template)
    return gather.code(given, taken)


def _laid(table: PracticeTable) -> Layout:
    assert table.play.layout is not None  # noqa: S101 - only such games are practised
    laid: Layout = table.play.layout(table.play.view(table.state, ME))
    return laid


@dataclass(frozen=True, slots=True)
class _Picture(Picture):
    """Moves, besides; ``hinted`` also holds the codes of moves."""

    def tap(self, held: Held) -> Tap:
        moves = held.moves
        wanted = {held.face.code, *(move.code for move in moves)} & self.hinted
        return Tap(
            card=self.card(held.face, hinted=bool(wanted)),
            says=say(moves[0].says, self.names) if len(moves) == 1 else "",
            code=moves[0].code if len(moves) == 1 else "",
            legal=not moves or any(move.legal for move in moves),
            several=len(moves) > 1,
        )

    def choice(self, offer: Offer) -> Choice:
        return Choice(offer.code, say(offer.says, self.names), offer.code in self.hinted)


def _marked(layout: Layout, hint: str | None) -> frozenset[str]:
    """Return the move hinted at, and, where it is gathered, its cards."""
    if hint is None:
        return frozenset()
    picked = [card for gather in layout.gathers for card in gather.cards(hint)]
    return frozenset({*picked} if picked else {hint})


def _hinted(layout: Layout, hint: str | None, names: Names) -> str:
    """Say what a strong player would do."""
    if hint is None:
        return ""
    taps = [move for held in layout.hand for move in held.moves]
    known = {offer.code: offer.says for offer in (*taps, *layout.offers)}
    gathers = [gather.says for gather in layout.gathers if gather.cards(hint)]
    return gettext("A strong player would: %(move)s.") % {
        "move": say(known[hint] if hint in known else gathers[0], names)
    }


def _asked(layout: Layout, card: str) -> Iterator[Offer]:
    """Yield the moves for which this card is good, if they are several."""
    for held in layout.hand:
        if held.face.code == card and len(held.moves) > 1:
            yield from held.moves


def _pickings(layout: Layout, hint: str | None, names: Names) -> tuple[Picking, ...]:
    return tuple(
        Picking(place, say(gather.says, names), bool(hint and gather.cards(hint)))
        for place, gather in enumerate(layout.gathers)
    )


def _opponents(layout: Layout) -> tuple[int, ...]:
    """List the others in the order of play, beginning with whoever plays after oneself."""
    order = in_order(layout)
    place = order.index(ME)
    return order[place + 1 :] + order[:place]


def _sentences(table: PracticeTable) -> tuple[str, ...]:
    """Say what has happened since one's move before this turn, that move included."""
    first = table.mine[-1] if table.mine else 0
    steps = list(zip(table.states, table.moves, strict=False))[first:]
    return tuple(
        say(table.play.describe_move(state, move), table.names)
        for state, (_seat, move) in steps[-_MOST_SENTENCES:]
    )


def _refusal(table: PracticeTable, tried: str) -> str:
    """Say why the rules refuse this move; nothing if they do not."""
    if not tried or table.to_move is None:
        return ""
    try:
        table.play.play(table.state, table.play.parse_move(tried))
    except RuleError as refusal:
        return say(refusal, table.names)
    return ""


def _wanted(layout: Layout, picked: int | None, names: Names) -> str:
    """Say which cards have to be picked for this move."""
    gathers = layout.gathers if picked is None else layout.gathers[picked:]
    return say(gathers[0].wanted, names) if picked is not None and gathers else ""


def _result(table: PracticeTable) -> Result:
    game, session, names = table.game, table.session, table.names
    scored = game.add_sheet(session, table.play.fill_sheet(table.state))
    why = game.explain(session, scored.sheet)
    return Result(
        headline=say(game.headline(session, scored.sheet), names),
        why="" if why is None else say(why, names),
        totals=totals(game, session, scored.sheet),
        lines=lines(game, session, scored.sheet, names),
        next_dealer=names.at(scored.session.dealer),
        over=scored.session.over,
        **_standing(game, table, scored.marks),
    )


def _standing(game: AnyGame, table: PracticeTable, marks: Marks | None) -> dict[str, Any]:
    """Return what everybody has gathered so far, this hand included."""
    criteria = game.usual_points, *game.columns(table.session.options)
    shown = list({criterion.key: criterion for criterion in criteria}.values())
    rows = []
    for seat, before in enumerate(table.hand.sums):
        sums = {key: before[key] + (marks[seat][key] if marks else 0) for key in before}
        values = (figure(each.value(sums), percent=each.percent) for each in shown)
        rows.append((table.names.at(seat), tuple(values)))
    return {"columns": tuple(gettext(each.label) for each in shown), "gathered": tuple(rows)}
