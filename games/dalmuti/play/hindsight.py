"""Hindsight: a strong bot's review of a player's plays after the game, for ``Critic``."""

from collections.abc import Sequence
from random import Random

from games.bots import monte_carlo
from games.dalmuti.play.bots import usual_worlds, worth_by
from games.dalmuti.play.kernel import Determinizer, GamePosition
from games.dalmuti.play.narration import name_of_set
from games.dalmuti.play.playout_policy import POLICY
from games.dalmuti.play.state import Move, PlayCards, Skip, State
from games.dalmuti.play.view import View
from games.play.playing import Decision, Prospect
from games.wording import AtSeat, Text, _

LEAST = 0.35  # places


def worlds(view: View) -> int:
    return usual_worlds(view.legal, view.held)


def weigh(view: View, moves: Sequence[Move], rng: Random, worlds: int) -> list[Prospect]:
    worth, others = worth_by(POLICY), view.mode.seats - 1

    def prospect(world: GamePosition, move: Move) -> Prospect:
        merit = worth(world, move)
        return Prospect(merit, merit * others)

    return monte_carlo.weigh(
        moves, world=Determinizer(view).world, prospect=prospect, rng=rng, worlds=worlds
    )


def better(decision: Decision[State, Move]) -> Text:
    places = {"places": _places(decision.gain.amount)}
    if isinstance(decision.other, Skip):
        return _("A strong player would have passed, and gone out %(places)s sooner.", **places)
    if decision.before.last is None:
        return _(
            "A strong player would have led %(cards)s, to go out %(places)s sooner.",
            **places,
            cards=name_of_set(decision.other),
        )
    return _(
        "A strong player would have played %(cards)s, to go out %(places)s sooner.",
        **places,
        cards=name_of_set(decision.other),
    )


def cost(decision: Decision[State, Move]) -> Text:
    return _(
        "Well done: the next best would have cost you %(places)s.",
        places=_places(-decision.gain.amount),
    )


def made(decision: Decision[State, Move]) -> Text:
    state, last = decision.before, decision.before.last
    params: dict[str, object] = {"held": len(state.hands[decision.seat])}
    if isinstance(decision.move, PlayCards):
        params["cards"] = name_of_set(decision.move)
        if last is None:
            return _("With %(held)d cards in hand you led %(cards)s.", **params)
    assert last is not None  # noqa: S101 - whoever leads cannot skip
    params |= {"who": AtSeat(last[0]), "top": name_of_set(last[1])}
    if isinstance(decision.move, PlayCards):
        return _("With %(held)d cards left you played %(cards)s over %(top)s of %(who)s.", **params)
    return _("With %(held)d cards left you passed on %(top)s of %(who)s.", **params)


def _places(amount: float) -> Text:
    if amount < 0.75:
        return _("about half a place")
    if amount < 1.5:
        return _("about a place")
    return _("about %(places)d places", places=round(amount))
