"""Layout: a game as cards to draw and to tap; a tap answers with a set, or asks how many to lead."""

from collections import Counter

from games.dalmuti.cards import set_face
from games.dalmuti.play.number_words import counted, nth
from games.dalmuti.play.state import PlayCards, Skip, Trick, last_play, move_code
from games.dalmuti.play.view import View
from games.errors import gettext_noop
from games.play.layout import HeldCard, Layout, Offer, Spot
from games.play.views import asked
from games.wording import AtSeat, Text, _, listed

_LEADS = {  # by whether one holds several cards of a number
    True: gettext_noop("You lead. Tap a number; if you hold several, say how many."),
    False: gettext_noop("You lead. Tap a card to play it."),
}


def layout(view: View) -> Layout:
    cleared = not view.trick and bool(view.tricks)
    trick = view.tricks[-1] if cleared else view.trick
    last = last_play(trick)
    held = sorted(Counter(view.hand).items(), reverse=True)
    to_beat = []
    if view.last is not None and view.to_move is not None:
        seat, top = view.last
        one = gettext_noop("To beat: %(who)s’s %(value)d")
        several = gettext_noop("To beat: %(who)s’s %(count)s %(value)ds")
        params = {"count": counted(top.count), "value": top.value, "who": AtSeat(seat)}
        to_beat.append(Text(one if top.count == 1 else several, params))
    return Layout(
        dealer=view.dealer,
        spots=tuple(_spot(view, seat, trick) for seat in range(view.mode.seats)),
        piles=(),
        hand=tuple(HeldCard(set_face(value, count), _taps(view, value)) for value, count in held),
        says=tuple(to_beat),
        asks=asked(view, _own_turn),
        offers=tuple(
            Offer(move_code(move), _("Pass: play nothing"))
            for move in view.legal
            if isinstance(move, Skip)
        ),
        cleared=cleared,
        taker=last[0] if cleared and last else None,
        order=view.order,
    )


def _spot(view: View, seat: int, trick: Trick) -> Spot:
    done = [turn.move for turn in trick if turn.seat == seat]
    played = [move for move in done if isinstance(move, PlayCards)]
    place = view.out.index(seat) + 1 if seat in view.out else 0
    return Spot(
        held=view.held[seat],
        played=tuple(set_face(move.value, move.count) for move in played[-1:]),
        says=(
            *_drew(view, seat),
            *([_("passes")] if done and isinstance(done[-1], Skip) else []),
            *([_("out first: Dalmuti")] if place == 1 else []),
            *([_("%(place)s out", place=nth(place))] if place > 1 else []),
        ),
    )


def _drew(view: View, seat: int) -> list[Text]:
    """Show the cards drawn for places, until the first card is played."""
    if view.draw is None or view.tricks or view.trick:
        return []
    *tied, last = (set_face(card).name for card in view.draw[seat])
    if not tied:
        return [_("drew %(card)s", card=last)]
    params = {"cards": listed(tied), "card": last}
    return [_("drew %(cards)s, then %(card)s", **params)]


def _taps(view: View, value: int) -> tuple[Offer, ...]:
    """Return what this value may be tapped for: to lead, any number of it."""
    if view.to_move != view.seat:
        return ()
    if view.last is None:
        legal = [move for move in view.legal if isinstance(move, PlayCards)]
        return tuple(_offer(view, move) for move in legal if move.value == value)
    top = view.last[1]
    return (_offer(view, PlayCards(top.count, value)),)


def _offer(view: View, move: PlayCards) -> Offer:
    params = {"count": counted(move.count), "value": move.value}
    template = (
        gettext_noop("Play one %(value)d")
        if move.count == 1
        else gettext_noop("Play %(count)s %(value)ds")
    )
    says = Text(template, params)
    return Offer(move_code(move), says, legal=move in view.legal)


def _own_turn(view: View) -> Text:
    if view.last is None:
        several = len(set(view.hand)) < len(view.hand)
        return Text(_LEADS[several])
    if not any(isinstance(move, PlayCards) for move in view.legal):
        return _("You cannot beat this: pass.")
    top = view.last[1]
    if top.count == 1:
        return _("Tap a card lower than %(value)d, or pass.", value=top.value)
    params = {"count": counted(top.count), "value": top.value}
    says = gettext_noop("Tap a number lower than %(value)d to play %(count)s of it, or pass.")
    return Text(says, params)
