"""Trick table: what games of tricks with a stock show and say alike, each in its own words."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from games.cards import Face
from games.errors import gettext_noop
from games.play.layout import HeldCard, Layout, Offer, Pile, Spot
from games.play.tricks import StockState, StockView, TrickCardT, by_suit, points, round_from
from games.play.views import asked
from games.wording import AtSeat, OnSide, Text, _, listed, then

StockViewT = TypeVar("StockViewT", bound=StockView[Any, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickWords(Generic[TrickCardT]):
    """How one game tells of its tricks; ``card`` is what its sentences call a card.

    ``played``, to a trick that is taken, and ``lies``, in the one on the table, tell ``who`` and
    the ``card``; ``took`` and ``takes`` tell ``who`` and the ``points``, ``draws`` the ``card``,
    ``has`` and ``have``, of several, the ``side`` and its ``points``; ``face_up`` tells the
    ``trump``, the ``card`` and the ``number`` left to draw. ``cards`` is a hand.
    """

    card: Callable[[TrickCardT], object]
    cards: Callable[[Iterable[TrickCardT]], object]
    played: str
    lies: str
    took: str
    takes: str
    draws: str
    has: str
    have: str
    face_up: str

    def table(self, view: StockView[TrickCardT, Any]) -> tuple[Text, ...]:
        """Say who deals, what is trumps once it is known, and what lies on the table."""
        return (
            _("%(who)s dealt.", who=AtSeat(view.dealer)),
            *self.stock(view),
            *self._cards_of(view, self.lies, view.leader, view.trick),
        )

    def stock(self, view: StockView[TrickCardT, Any]) -> tuple[Text, ...]:
        """Say what is trumps, and what is left to draw; nothing before a card is turned up."""
        if view.face_up is None:
            return ()
        # The card face up is always a trump.
        trump, card = Text(view.face_up.suit.label), self.card(view.face_up)
        if not view.stock:
            return (_("Trumps are %(trump)s. Nothing is left to draw.", trump=trump),)
        if view.stock < view.mode.seats:
            return (_("Trumps are %(trump)s. %(card)s is left over.", trump=trump, card=card),)
        return (Text(self.face_up, {"trump": trump, "card": card, "number": view.stock}),)

    def hand(self, view: StockView[TrickCardT, Any]) -> Text:
        return _("In your hand: %(cards)s", cards=self.cards(view.hand))

    def last_trick(self, view: StockView[TrickCardT, Any]) -> tuple[Text, ...]:
        """Say who took the last trick, and who had played what to it; nothing before there is one."""
        if not view.tricks:
            return ()
        trick = view.tricks[-1]
        played = listed(self._cards_of(view, self.played, trick.leader, trick.cards))
        return (
            _("Trick %(number)d: %(cards)s.", number=len(view.tricks), cards=played),
            Text(self.took, {"who": AtSeat(trick.winner), "points": trick.value}),
        )

    def _cards_of(
        self,
        view: StockView[TrickCardT, Any],
        template: str,
        leader: int,
        cards: Iterable[TrickCardT],
    ) -> list[Text]:
        return [
            Text(template, {"who": AtSeat(seat), "card": self.card(card)})
            for seat, card in zip(round_from(leader, view.mode.seats), cards, strict=False)
        ]

    def learns(
        self, before: StockState[TrickCardT], after: StockState[TrickCardT], seat: int
    ) -> Text | None:
        """Say which card this seat has drawn."""
        if len(after.tricks) == len(before.tricks):
            return None
        drawn = [card for card in after.hands[seat] if card not in before.hands[seat]]
        return Text(self.draws, {"card": self.card(drawn[0])}) if drawn else None

    def with_taker(
        self, done: Text, before: StockState[TrickCardT], after: StockState[TrickCardT]
    ) -> Text:
        """Return what was *done*, and who takes the trick if it is full by that."""
        if len(after.tricks) == len(before.tricks):
            return done
        trick = after.tricks[-1]
        return then(done, Text(self.takes, {"who": AtSeat(trick.winner), "points": trick.value}))

    def so_far(self, view: StockView[TrickCardT, Any]) -> list[Text]:
        """Say what every side has taken; nothing before there is a trick."""
        template = self.has if view.mode.individual else self.have
        return _of_sides(view, template) if view.tricks else []


def _of_sides(view: StockView[Any, Any], template: str) -> list[Text]:
    """Say of every side how many ``points`` it has taken."""
    return [
        Text(template, {"side": OnSide(side), "points": total})
        for side, total in enumerate(points(view.mode, view.tricks))
    ]


def trick_layout(
    view: StockViewT,
    *,
    taps: Callable[[Any], tuple[Offer, ...]],
    offers: tuple[Offer, ...],
    own_turn: Callable[[StockViewT], Text],
    bids: Mapping[int, Any] = MappingProxyType({}),
    to_right: bool = False,
) -> Layout:
    """Return the table as this seat sees it. Until trumps are known *bids* lie before the seats."""
    cleared = not view.trick and bool(view.tricks)
    leader, cards = view.leader, view.trick
    if cleared:  # between two tricks the last one is shown
        leader, cards = view.tricks[-1].leader, view.tricks[-1].cards
    laid = dict(zip(round_from(leader, view.mode.seats), cards, strict=False))
    faces: tuple[Face, ...] = ()
    says: tuple[Text, ...] = ()
    if view.face_up is None:
        laid = dict(bids)
    else:
        faces = (view.face_up.face,)
        trumps = _("Trumps: %(trump)s", trump=Text(view.face_up.suit.label))
        says = (trumps, *_of_sides(view, gettext_noop("%(side)s: %(points)d")))
    stock = Pile(says=_("Stock"), faces=faces, hidden=view.stock - len(faces))
    return Layout(
        dealer=view.dealer,
        spots=tuple(
            Spot(
                held=held,
                played=(laid[seat].face,) if seat in laid else (),
                known=tuple(
                    card.face
                    for card in by_suit(view.known[seat])
                    if seat != view.seat and card != laid.get(seat)
                ),
            )
            for seat, held in enumerate(view.held)
        ),
        piles=(stock,) if view.stock else (),
        hand=tuple(HeldCard(card.face, taps(card)) for card in by_suit(view.hand)),
        says=says,
        asks=asked(view, own_turn),
        offers=offers,
        cleared=cleared,
        taker=view.tricks[-1].winner if cleared else None,
        trump=faces[0].pip if faces else None,
        to_right=to_right,
    )
