"""Hindsight: a strong bot's review of a player's turns after the deal, for ``Critic``."""

from collections.abc import Sequence
from random import Random

from games.bots import monte_carlo
from games.errors import gettext_noop
from games.mambassa.hand_ranking import hand_name
from games.mambassa.play.bots import USUAL, Determinizer, Equity, likely_moves, make
from games.mambassa.play.kernel import DealPosition
from games.mambassa.play.playout_policy import playout_policy
from games.mambassa.play.state import Call, DrawCard, Move, State, SwapCards, named
from games.mambassa.play.view import View
from games.play.playing import Decision, Prospect
from games.wording import Text, _

LEAST = 0.08  # chance to pay

_MADE = {
    Call.KEEP: gettext_noop("You kept the four new cards, %(hand)s."),
    Call.LEAVE: gettext_noop("You left the four new cards, %(hand)s, as the monte."),
    Call.TAKE_MONTE: gettext_noop("You took the whole monte."),
    Call.STAND: gettext_noop("You stood with %(hand)s."),
    Call.KNOCK: gettext_noop("You knocked with %(hand)s."),
}
_OTHER = {
    Call.KEEP: gettext_noop("A strong player would have kept them."),
    Call.LEAVE: gettext_noop("A strong player would have left them."),
    Call.TAKE_MONTE: gettext_noop("A strong player would have taken the whole monte."),
    Call.STAND: gettext_noop("A strong player would have stood."),
    Call.KNOCK: gettext_noop("A strong player would have knocked."),
}


def moves(view: View, made: Move) -> Sequence[Move]:
    likely = likely_moves(view, playout_policy(view.options, len(view.playing)))
    return likely if made in likely else [*likely, made]


def worlds(view: View) -> int:
    return USUAL // max(1, min(len(view.legal), len(moves(view, view.legal[0]))))


def weigh(view: View, moves: Sequence[Move], rng: Random, worlds: int) -> list[Prospect]:
    policy, equity = playout_policy(view.options, len(view.playing)), Equity(view)

    def prospect(here: DealPosition, move: Move) -> Prospect:
        trial = here.copy()
        make(trial, move, policy)
        end = policy.play_out(trial)
        return Prospect(equity.of(end), float(view.seat not in end.payers()))

    return monte_carlo.weigh(
        moves,
        world=Determinizer(view, policy).world,
        prospect=prospect,
        rng=rng,
        worlds=worlds,
    )


def better(decision: Decision[State, Move]) -> Text:
    match decision.other:
        case SwapCards(give, take):
            other = _(
                "A strong player would have given %(left)s for %(cards)s.",
                left=named(give),
                cards=named(take),
            )
        case DrawCard(discard):
            other = _(
                "A strong player would have discarded the %(card)s and drawn.",
                card=Text(discard.label),
            )
        case Call():
            other = Text(_OTHER[decision.other])
    return _(
        "%(other)s That pays in about %(otherwise)d of 100 such deals, not %(made)d.",
        other=other,
        **_paid(decision),
    )


def cost(decision: Decision[State, Move]) -> Text:
    return _(
        "Well done: that pays in %(made)d of 100 such deals, the next best in %(otherwise)d.",
        **_paid(decision),
    )


def _paid(decision: Decision[State, Move]) -> dict[str, object]:
    """Return in how many of 100 deals one pays, by the move made and otherwise."""
    return {
        "made": round(100 * (1 - decision.made.amount)),
        "otherwise": round(100 * (1 - decision.otherwise.amount)),
    }


def made(decision: Decision[State, Move]) -> Text:
    state = decision.before
    match decision.move:
        case SwapCards(give, take):
            return _("You gave %(left)s for %(cards)s.", left=named(give), cards=named(take))
        case DrawCard(discard):
            return _("You discarded the %(card)s and drew.", card=Text(discard.label))
        case Call():
            hand = hand_name(state.offer or state.hands[decision.seat], state.options)
            return Text(_MADE[decision.move], {"hand": hand})
