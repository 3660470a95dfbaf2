"""Layout: a deal as cards to draw and to tap; cards are picked in the hand and in the monte to swap."""

from games.cards import Face
from games.errors import gettext_noop
from games.mambassa.cards import Card
from games.mambassa.hand_ranking import hand_name
from games.mambassa.play.state import (
    Call,
    Cards,
    DealStage,
    DrawCard,
    Move,
    SwapCards,
    in_order,
    move_code,
)
from games.mambassa.play.view import View
from games.mambassa.showdown import HAND_SIZE, shown_deal
from games.mambassa.stakes import Stakes, settle
from games.play.layout import Gather, HeldCard, Layout, Offer, Pile, Spot
from games.play.views import asked
from games.wording import Text, _

_CALLS = {
    Call.KEEP: gettext_noop("Keep these four, and knock"),
    Call.LEAVE: gettext_noop("Leave them as the monte"),
    Call.TAKE_MONTE: gettext_noop("Take the whole monte"),
    Call.STAND: gettext_noop("End the turn"),
    Call.KNOCK: gettext_noop("Knock"),
}
_KNOCKS = {
    Call.TAKE_MONTE: gettext_noop("Take the whole monte, and knock"),
    Call.STAND: gettext_noop("Stand, and knock"),
}

_ASKS = {
    DealStage.CHOICE: gettext_noop("You look at four new cards: keep them, or leave them?"),
    DealStage.SWAPPED: gettext_noop("Tap a card to discard it and draw, or end your turn."),
    DealStage.DRAWN: gettext_noop("Knock, or end your turn."),
}
_TURN_ASKS = {  # by whether it is the last turn, and whether a card can be drawn
    (False, True): gettext_noop("Swap 1 to 3 with the monte, or discard 1."),
    (False, False): gettext_noop("Pick 1 to 3 cards, and as many of the monte."),
    (True, True): gettext_noop("Last turn: swap 1 to 3, or discard 1."),
    (True, False): gettext_noop("Last turn: pick 1 to 3, and as many of the monte."),
}


def layout(view: View) -> Layout:
    last_turns = view.knocker is not None and view.stage is not DealStage.OVER

    def taps(card: Card) -> tuple[Offer, ...]:
        # Where cards are picked for a swap, so they are for a draw.
        if view.stage is not DealStage.SWAPPED or DrawCard(card) not in view.legal:
            return ()
        says = _("discard the %(card)s and draw", card=Text(card.label))
        return (Offer(move_code(DrawCard(card)), says),)

    return Layout(
        dealer=view.dealer,
        spots=tuple(_spot(view, seat) for seat in range(view.mode.seats)),
        piles=_piles(view),
        hand=tuple(HeldCard(card.face, taps(card)) for card in in_order(view.hand or view.offer)),
        says=(
            _("Tokens in the pool: %(number)d", number=_stakes(view).pool),
            *([_("These are the last turns.")] if last_turns else []),
        ),
        asks=asked(view, _own_turn),
        offers=tuple(_offer(view, move) for move in view.legal if isinstance(move, Call)),
        gathers=_gathers(view),
        laid=False,
        to_right=True,
        called=view.knocker is not None,
    )


def _spot(view: View, seat: int) -> Spot:
    known = view.all_hands[seat] if view.all_hands else view.shown[seat]
    own = view.hand or view.offer if seat == view.seat else ()
    seen = view.all_hands[seat] if view.all_hands else own  # a whole hand
    tokens = _("out of the game")
    stakes = _stakes(view)
    if seat in stakes.playing:
        tokens = _("tokens: %(number)d", number=stakes.tokens[seat])
    return Spot(
        held=HAND_SIZE if seat in view.playing else 0,
        known=_faces(known) if view.all_hands or seat != view.seat else (),
        says=(
            tokens,
            *([hand_name(seen, view.options)] if seen else []),
            *([_("has knocked")] if seat == view.knocker else []),
        ),
    )


def _stakes(view: View) -> Stakes:
    """Return the stakes; at the end, those after all have paid for the hands shown (R8)."""
    if not view.all_hands:
        return view.stakes
    hands = {seat: view.all_hands[seat] for seat in view.playing}
    return settle(view.stakes, shown_deal(hands, view.dealer, view.declarer, view.options))


def _faces(cards: Cards) -> tuple[Face, ...]:
    return tuple(card.face for card in in_order(cards))


def _piles(view: View) -> tuple[Pile, ...]:
    stock = Pile(says=_("Stock"), hidden=view.stock)
    if view.offer:  # nobody knows yet what the dealer was dealt
        dealt = _("Dealt, and not looked at")
        return Pile(says=dealt, hidden=HAND_SIZE), stock
    if not view.monte:
        return (stock,)
    swaps = any(isinstance(move, SwapCards) for move in view.legal)
    return Pile(says=_("Monte"), faces=_faces(view.monte), taking=swaps), stock


def _gathers(view: View) -> tuple[Gather, ...]:
    if view.stage is not DealStage.TURN:
        return ()
    swap = Gather(
        prefix="swap:",
        says=_("Swap"),
        wanted=_("Pick one to three of your cards, and as many of the monte."),
        most=HAND_SIZE - 1,
        taking=True,
    )
    draw = Gather(
        prefix="draw:",
        says=_("Discard and draw"),
        wanted=_("Pick the one card that you discard; then you draw another."),
        most=1,
    )
    kinds: dict[type[Move], Gather] = {SwapCards: swap, DrawCard: draw}
    return tuple(
        gather for kind, gather in kinds.items() if any(isinstance(m, kind) for m in view.legal)
    )


def _offer(view: View, move: Call) -> Offer:
    """Return a call with its label; before the first knock, a call that counts as one says so."""
    if view.stage is not DealStage.TURN or move not in _KNOCKS:
        return Offer(move_code(move), Text(_CALLS[move]))
    if view.knocker is None:
        return Offer(move_code(move), Text(_KNOCKS[move]))
    says = gettext_noop("Stand") if move is Call.STAND else _CALLS[move]
    return Offer(move_code(move), Text(says))


def _own_turn(view: View) -> Text:
    if view.stage is DealStage.TURN and not any(isinstance(move, SwapCards) for move in view.legal):
        return _("Your turn: take the whole monte, or stand.")
    if view.stage is DealStage.TURN:
        draws = any(isinstance(move, DrawCard) for move in view.legal)
        return Text(_TURN_ASKS[view.knocker is not None, draws])
    if view.stage is DealStage.SWAPPED and not any(
        isinstance(move, DrawCard) for move in view.legal
    ):
        return Text(_ASKS[DealStage.DRAWN])
    return Text(_ASKS[view.stage])
