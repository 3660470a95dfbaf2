"""One thing worth knowing after a hand, with what a strong player would have done.

A strong player looks again at every choice of one seat, with no more than that seat saw, and
tells of the one that mattered most.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from games.play.playing import AnyCritic, AnyPlay, Decision, Step
from games.wording import Text

# Of what the strong bot looks at for one move: for every choice, and for those that stand out.
_GLANCE, _LOOK = 1 / 6, 1.0
_FEWEST = 8  # ways the hidden cards may lie
_STAND_OUT = 3


def worth_knowing(play: AnyPlay, steps: Sequence[Step], seat: int, rng: Random) -> Text | None:
    """Say what mattered most of all that this seat did in a hand.

    The same steps and dice give the same sentence. ``None`` if the seat had nothing to choose,
    or the game has nobody to judge it.
    """
    critic = play.critic
    if critic is None or not steps:
        return None
    glanced = [
        seen
        for step in steps
        if step.seat == seat and (seen := _glance(play, critic, step, steps[-1].after, rng))
    ]
    if not glanced:
        return None
    gains = sorted(glanced, key=_gain, reverse=True)
    regrets = [_look(play, critic, each, rng) for each in gains[:_STAND_OUT] if _gain(each) > 0]
    if told := [each for each in regrets if _gain(each) > 0 and _amount(each) >= critic.least]:
        return critic.regret(max(told, key=_gain))
    dearest = _look(play, critic, gains[-1], rng)
    if _gain(dearest) < 0 and -_amount(dearest) >= critic.least:
        return critic.praise(dearest)
    return critic.plain


def _glance(
    play: AnyPlay, critic: AnyCritic, step: Step, end: Any, rng: Random
) -> Decision[Any, Any] | None:
    """Return a move beside the best of all others; ``None`` where there was nothing to choose."""
    view = play.view(step.before, step.seat)
    moves = critic.moves(view, step.move)
    if len(moves) < 2 or step.move not in moves:
        return None
    worlds = max(_FEWEST, round(critic.worlds(view) * _GLANCE))
    prospects = dict(zip(moves, critic.weigh(view, moves, rng, worlds), strict=True))
    made = prospects.pop(step.move)
    other = max(prospects, key=lambda move: prospects[move].merit)
    return Decision(
        before=step.before,
        seat=step.seat,
        move=step.move,
        other=other,
        made=made,
        otherwise=prospects[other],
        end=end,
    )


def _look(
    play: AnyPlay, critic: AnyCritic, glanced: Decision[Any, Any], rng: Random
) -> Decision[Any, Any]:
    """Weigh these two moves again, longer: what stood out among many may have done so by luck."""
    view = play.view(glanced.before, glanced.seat)
    worlds = max(_FEWEST, round(critic.worlds(view) * _LOOK))
    made, otherwise = critic.weigh(view, (glanced.move, glanced.other), rng, worlds)
    return Decision(
        before=glanced.before,
        seat=glanced.seat,
        move=glanced.move,
        other=glanced.other,
        made=made,
        otherwise=otherwise,
        end=glanced.end,
    )


def _gain(decision: Decision[Any, Any]) -> float:
    return decision.otherwise.merit - decision.made.merit


def _amount(decision: Decision[Any, Any]) -> float:
    return decision.otherwise.amount - decision.made.amount
