"""Trick table: what games of tricks with a stock show and say alike, each in its own words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic

from games.cards import Face
from games.play.layout import HeldCard, Layout, Offer, Pile, Spot, taken_so_far
from games.play.tricks import StockState, StockView, TrickCardT, by_suit, points, round_from
from games.wording import AtSeat, OnSide, Text, _, listed, then


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickWords(Generic[TrickCardT]):
    """How one game tells of its tricks; ``card`` is what its sentences call a card.

    ``played`` tells ``who`` and the ``card``, ``took`` and ``takes`` tell ``who`` and the
    ``points``, ``draws`` the ``card``, ``has`` and ``have``, of several, the ``side`` and its
    ``points``.
    """

    card: Callable[[TrickCardT], object]
    played: str
    took: str
    takes: str
    draws: str
    has: str
    have: str

    def last_trick(self, view: StockView[TrickCardT, Any]) -> tuple[Text, ...]:
        """Say who took the last trick, and who had played what to it; nothing before there is one."""
        if not view.tricks:
            return ()
        trick = view.tricks[-1]
        seats = round_from(trick.leader, view.mode.seats)
        played = (
            Text(self.played, {"who": AtSeat(seat), "card": self.card(card)})
            for seat, card in zip(seats, trick.cards, strict=True)
        )
        return (
            _("Trick %(number)d: %(cards)s.", number=len(view.tricks), cards=listed(played)),
            Text(self.took, {"who": AtSeat(trick.winner), "points": trick.value}),
        )

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
        if not view.tricks:
            return []
        template = self.has if view.mode.individual else self.have
        return [
            Text(template, {"side": OnSide(side), "points": total})
            for side, total in enumerate(points(view.mode, view.tricks))
        ]


def trick_layout(
    view: StockView[TrickCardT, Any],
    *,
    trump: Text | None,
    taps: Callable[[TrickCardT], tuple[Offer, ...]],
    asks: Text | None,
    offers: tuple[Offer, ...],
    bids: Mapping[int, TrickCardT] | None = None,
    to_right: bool = False,
) -> Layout:
    """Return the table as this seat sees it, with the name of the *trump* suit.

    Until that is known *bids* lie before the seats.
    """
    cleared = not view.trick and bool(view.tricks)
    leader, cards = view.leader, view.trick
    if cleared:  # between two tricks the last one is shown
        leader, cards = view.tricks[-1].leader, view.tricks[-1].cards
    laid = dict(zip(round_from(leader, view.mode.seats), cards, strict=False))
    faces: tuple[Face, ...] = ()
    says: tuple[Text, ...] = ()
    if view.face_up is None:
        laid = dict(bids or {})
    else:
        faces = (view.face_up.face,)  # always a trump
        says = (
            _("Trumps: %(trump)s", trump=trump),
            *taken_so_far(points(view.mode, view.tricks)),
        )
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
        asks=asks,
        offers=offers,
        cleared=cleared,
        taker=view.tricks[-1].winner if cleared else None,
        trump=faces[0].pip if faces else None,
        to_right=to_right,
    )
