"""Showdown: the hands a table has shown, read, and what follows from them (R6, R7, R8)."""

from collections.abc import Mapping, Sequence

from games import sheet_validation
from games.errors import SheetError, gettext_noop
from games.mambassa.cards import PACK, Card, parse_card
from games.mambassa.hand_ranking import HandClass, strength, weakest
from games.mambassa.stakes import Deal, DealEvent
from games.mode import Mode
from games.option import Options
from games.wording import AtSeat

HAND_SIZE = 4
_CODES = frozenset(map(str, PACK))
Hands = Mapping[int, tuple[Card, ...]]  # by seat, of those still in


def read_hands(value: object, playing: Sequence[int], mode: Mode) -> Hands:
    """Return the hand of each player still in the game.

    :raises SheetError: ``hand-size`` if one is not of four cards (S31e), ``hand-out`` if
        somebody has one who is not in the game.
    """
    hands = {}
    for seat, cards in enumerate(sheet_validation.of_every_seat(value, mode, question="hands")):
        if seat in playing:
            hands[seat] = read_four(cards, question="hands", place=seat)
        elif cards is not None:
            raise SheetError(
                "hand-out",
                gettext_noop("%(who)s is out of the game: leave this hand empty."),
                question="hands",
                place=seat,
                who=AtSeat(seat),
            )
    return hands


def read_four(value: object, *, question: str, place: int | None = None) -> tuple[Card, ...]:
    """Return four cards.

    :raises SheetError: ``hand-size`` if there are more or fewer (S31e), or ``card-unknown``.
    """
    cards = () if value is None else sheet_validation.listed(value, question=question)
    if len(cards) != HAND_SIZE:
        raise SheetError(
            "hand-size",
            gettext_noop("This needs %(size)d cards, not %(given)d."),
            question=question,
            place=place,
            size=HAND_SIZE,
            given=len(cards),
        )
    return tuple(
        parse_card(sheet_validation.card(code, _CODES, question=question, place=place))
        for code in cards
    )


def check_each_once(hands: Hands, monte: Sequence[Card]) -> None:
    """Refuse a card that lies in two places.

    :raises SheetError: ``card-twice`` (S31e).
    """
    seen: set[Card] = set()
    places: list[tuple[int | None, Sequence[Card]]] = [*hands.items(), (None, monte)]
    for place, cards in places:
        for card in cards:
            if card in seen:
                raise SheetError(
                    "card-twice",
                    gettext_noop("The card %(card)s is written twice: it lies in one place only."),
                    question="monte" if place is None else "hands",
                    place=place,
                    card=str(card),
                )
            seen.add(card)


def shown_deal(hands: Hands, dealer: int, declarer: int | None, options: Options) -> Deal:
    """Return the deal that these hands make, which *declarer*, if written, may have ended.

    The highest declares (R6, M-8). Where a dealt hand is declared at once the dealer has not
    seen a better one yet, so then the best of the others may have declared (M-7).
    """
    strengths = {seat: strength(hand, options) for seat, hand in hands.items()}
    best = max(strengths, key=lambda seat: strengths[seat])
    match strengths[best][0]:
        case HandClass.MAMBASSA:
            return Deal(DealEvent.MAMBASSA, best, mambassa_payers(tuple(hands), best, options))
        case HandClass.QUARANTUNA:
            declares = best
            if (
                best == dealer
                and declarer is not None
                and not options["declare_after_dealer_choice"]
            ):
                seen = {seat: held for seat, held in strengths.items() if seat != dealer}
                first = max(seen, key=lambda seat: seen[seat])
                if first == declarer and seen[first][0] == HandClass.QUARANTUNA:
                    declares = first
            others = {seat: held for seat, held in strengths.items() if seat != declares}
            return Deal(DealEvent.QUARANTUNA, declares, tuple(weakest(others)))
        case _:
            return Deal(DealEvent.NORMAL, None, tuple(weakest(strengths)))


def mambassa_payers(
    playing: Sequence[int], declarer: int | None, options: Options
) -> tuple[int, ...]:
    """Return who pays for four aces: all still in, the declarer too unless spared (M-17)."""
    spared = declarer if options["mambassa_spares_declarer"] else None
    return tuple(seat for seat in playing if seat != spared)
