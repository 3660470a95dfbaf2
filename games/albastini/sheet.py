"""Sheet: what a table wrote down of one hand, read with suspicion (S10, S11)."""

from collections.abc import Mapping
from dataclasses import dataclass

from games.albastini.cards import BY_CODE, RANKS, VALUES, Card, Suit
from games.albastini.options import leaves_a_card
from games.counting import read_count
from games.errors import SheetError, gettext_noop
from games.mode import Mode
from games.option import Options
from games.sheet import Sheet
from games.sheet_validation import answers_of, card, of_every_seat, one_of
from games.wording import Text

ASTRAY = {
    -2: gettext_noop("The totals make %(total)d, not %(all)d: 2 too few. Is a Queen missing?"),
    -3: gettext_noop("The totals make %(total)d, not %(all)d: 3 too few. Is a Jack missing?"),
    -4: gettext_noop("The totals make %(total)d, not %(all)d: 4 too few. Is a King missing?"),
    -10: gettext_noop("The totals make %(total)d, not %(all)d: 10 too few. Is a Seven missing?"),
    -11: gettext_noop("The totals make %(total)d, not %(all)d: 11 too few. Is an Ace missing?"),
    2: gettext_noop("The totals make %(total)d, not %(all)d: 2 too many. A Queen counted twice?"),
    3: gettext_noop("The totals make %(total)d, not %(all)d: 3 too many. A Jack counted twice?"),
    4: gettext_noop("The totals make %(total)d, not %(all)d: 4 too many. A King counted twice?"),
    10: gettext_noop("The totals make %(total)d, not %(all)d: 10 too many. A Seven counted twice?"),
    11: gettext_noop("The totals make %(total)d, not %(all)d: 11 too many. An Ace counted twice?"),
}
_QUESTIONS = frozenset({"eaten", "face_up", "indicator", "trump", "bids"})
_SUITS = tuple(suit.value for suit in Suit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The cards that all players saw, as far as the sheet has them.

    ``face_up`` is a code, or a rank where nobody needed the suit.
    """

    face_up: str | None
    indicator: Card | None
    trump: Suit | None
    bids: tuple[Card | None, ...] | None


def read_counted(mode: Mode, options: Options, sheet: Sheet, dealer: int) -> dict[str, object]:
    """Return the answers of a counted sheet; one missing count may be filled in (S1).

    :raises SheetError: if no finished hand leaves such a sheet (S11).
    """
    fill_last = bool(options["fill_last_side"])
    answers = answers_of(sheet, _QUESTIONS | {"derived"} if fill_last else _QUESTIONS)
    shown = _read_shown(answers, mode)
    counted = read_count(
        answers,
        mode,
        question="eaten",
        fill_last=fill_last,
        astray=ASTRAY,
        left_out=left_over(mode, shown.face_up),
    )
    _check_suits(shown)
    if shown.bids is not None:
        _check_bidders(shown.bids, mode, dealer)
        _check_exchange(shown)
    written = {name: answers.get(name) for name in ("face_up", "indicator", "trump", "bids")}
    return {**counted, **{name: given for name, given in written.items() if given is not None}}


def left_over(mode: Mode, face_up: str | None) -> int:
    """Return the value of the card that is not drawn (R9): 0 where all are drawn."""
    return VALUES.get(face_up[0], 0) if face_up and leaves_a_card(mode) else 0


def _read_shown(answers: Mapping[str, object], mode: Mode) -> Shown:
    face_up = answers.get("face_up")
    if face_up is None and leaves_a_card(mode):
        raise SheetError(
            "face-up-missing",
            gettext_noop("Which card was left over? Its rank is enough."),
            question="face_up",
        )
    trump = answers.get("trump")
    bids = answers.get("bids")
    return Shown(
        face_up=None if face_up is None else card(face_up, {*BY_CODE, *RANKS}, question="face_up"),
        indicator=_card_or_none(answers.get("indicator"), "indicator"),
        trump=None if trump is None else Suit(one_of(trump, _SUITS, question="trump")),
        bids=None
        if bids is None
        else tuple(
            _card_or_none(bid, "bids", seat)
            for seat, bid in enumerate(of_every_seat(bids, mode, question="bids"))
        ),
    )


def _card_or_none(code: object, question: str, seat: int | None = None) -> Card | None:
    return None if code is None else BY_CODE[card(code, BY_CODE, question=question, place=seat)]


def _check_suits(shown: Shown) -> None:
    """Refuse suits that cannot all be the trump's (S11f)."""
    if shown.face_up in RANKS and (shown.trump or shown.indicator or any(shown.bids or ())):
        raise SheetError(
            "face-up-suit-missing",
            gettext_noop("Name the suit of the face-up card too."),
            question="face_up",
        )
    trump = _trump(shown)
    if trump and shown.indicator and shown.indicator.suit is not trump:
        raise SheetError(
            "indicator-suit",
            gettext_noop("The card turned up decides trumps: it must be of %(suit)s."),
            question="indicator",
            suit=Text(trump.label),
        )
    if trump and shown.face_up in BY_CODE and BY_CODE[shown.face_up].suit is not trump:
        raise SheetError(
            "face-up-suit",
            gettext_noop("The face-up card is always a trump: it must be of %(suit)s."),
            question="face_up",
            suit=Text(trump.label),
        )


def _trump(shown: Shown) -> Suit | None:
    """Return the trump suit by whatever tells it; the others must agree (R6)."""
    if shown.trump:
        return shown.trump
    if shown.indicator:
        return shown.indicator.suit
    return BY_CODE[shown.face_up].suit if shown.face_up in BY_CODE else None


def _check_bidders(bids: tuple[Card | None, ...], mode: Mode, dealer: int) -> None:
    """Refuse bids the rules do not allow (A-6, S11g, S11h)."""
    suits: list[Suit] = []
    for seat, bid in enumerate(bids):
        if bid is None:
            continue
        if seat in mode.sides[mode.side_of(dealer)]:
            raise SheetError(
                "bid-by-dealer",
                gettext_noop("Leave this empty: neither the dealer nor the dealer’s partner bids."),
                question="bids",
                place=seat,
            )
        if bid.suit in suits:
            raise SheetError(
                "bids-one-suit",
                gettext_noop("This suit was bid already; every bid is in a new suit."),
                question="bids",
                place=seat,
            )
        suits.append(bid.suit)


def _check_exchange(shown: Shown) -> None:
    """Refuse a face-up card that the compulsory exchange does not leave (R6, S11i)."""
    trump = _trump(shown)
    matching = [bid for bid in shown.bids or () if bid and bid.suit is trump]
    if matching and shown.indicator in matching:
        raise SheetError(
            "card-twice",
            gettext_noop("No card is both bid and turned up: one of the two was another."),
            question="indicator",
        )
    if shown.face_up not in BY_CODE:
        return
    if matching and shown.face_up != str(matching[0]):
        raise SheetError(
            "not-exchanged",
            gettext_noop("%(bid)s was bid in trumps, so it must be the face-up card."),
            question="face_up",
            bid=matching[0].label,
        )
    if not matching and shown.indicator and shown.face_up != str(shown.indicator):
        raise SheetError(
            "not-the-indicator",
            gettext_noop("Nobody bid in trumps, so the card turned up stays the face-up card."),
            question="face_up",
        )
