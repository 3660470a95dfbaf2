"""Lapses: what a card played to a trick did, beside the one that would have been better."""

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Any

from games.play.playing import Decision
from games.play.tricks import StockTable, Trick, TrickCardT, takes
from games.play.views import MoveT, StateT
from games.wording import AtSeat, Text, _

_DEAR = 2  # by how many points a card given away must be dearer to be the point of it


class Lapse(Enum):
    """What was not so well done."""

    LED = auto()  # another card was the one to lead
    GAVE = auto()  # a dear card went to somebody else
    MISSED = auto()  # the trick was there to be taken
    SPENT = auto()  # a trump was played where it was better kept
    PLAYED = auto()  # none of these


def lapse(
    state: StockTable[TrickCardT],
    seat: int,
    card: TrickCardT,
    better: TrickCardT,
    tricks: Sequence[Trick[TrickCardT]],
) -> Lapse:
    """Say what playing this card was, where *tricks* are all of the hand."""
    if not state.trick:
        return Lapse.LED
    mode, trick = state.mode, _became_of(state, tricks)
    lost = trick is not None and mode.side_of(trick.winner) != mode.side_of(seat)
    if lost and card.value - better.value >= _DEAR:
        return Lapse.GAVE
    if takes(state.trick, better, state.trump) and not takes(state.trick, card, state.trump):
        return Lapse.MISSED
    if card.suit is state.trump and better.suit is not state.trump:
        return Lapse.SPENT
    return Lapse.PLAYED


def _became_of(
    state: StockTable[TrickCardT], tricks: Sequence[Trick[TrickCardT]]
) -> Trick[TrickCardT] | None:
    """Return the current trick as it was completed, or ``None`` if it never was."""
    number = len(state.tricks)
    return tricks[number] if number < len(tricks) else None


def card_played(
    decision: Decision[Any, Any],
    card: TrickCardT,
    other: TrickCardT,
    sentences: Mapping[Lapse, str],
    name: object,
) -> Text:
    """Say what became of this card, by its *name*, or, where the other was better, its lapse.

    Each sentence may tell the ``card``, the ``number`` of the trick, ``who`` took it and its
    ``points``.
    """
    state, seat, tricks = decision.before, decision.seat, decision.end.tricks
    kind = Lapse.PLAYED if state.trick else Lapse.LED
    if decision.gain.merit > 0:
        kind = lapse(state, seat, card, other, tricks)
    trick = _became_of(state, tricks)
    return Text(
        sentences[kind],
        {
            "card": name,
            "number": len(state.tricks) + 1,
            "who": AtSeat(trick.winner if trick else seat),
            "points": trick.value if trick else 0,
        },
    )


def worth_more(decision: Decision[StateT, MoveT], other: Text) -> Text:
    """Say what a strong player would have done, and how many card points it is worth."""
    return _(
        "%(other)s It is worth about %(points)d card points more.",
        other=other,
        points=round(decision.gain.amount),
    )


def well_done(decision: Decision[StateT, MoveT]) -> Text:
    """Say what the next best choice would have cost, where amounts are card points."""
    return _(
        "Well done: the next best would have cost you about %(points)d card points.",
        points=round(-decision.gain.amount),
    )
