"""One thing worth knowing after a hand, with what a strong player would have done.

A strong player looks again at every choice of one seat, with no more than that seat saw, and
tells of the one that mattered most.
"""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from games.play.playing import AnyCritic, AnyPlay, Decision, Step
from games.wording import Text, _, then

_GLANCE = 1 / 6  # of what the strong bot looks at for one move; what stands out gets all of it
_FEWEST = 8  # ways the hidden cards may lie
_STAND_OUT = 3
_NOTHING = _("Nothing to regret: a strong player would have done much the same.")


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
    glanced.sort(key=lambda each: each.gain.merit, reverse=True)
    looked = [
        _look(play, critic, each, rng) for each in glanced[:_STAND_OUT] if each.gain.merit > 0
    ]
    lapses = [each for each in looked if each.gain.merit > 0 and each.gain.amount >= critic.least]
    if lapses:
        worst = max(lapses, key=lambda each: each.gain.merit)
        return then(critic.made(worst), critic.better(worst))
    dearest = _look(play, critic, glanced[-1], rng)
    if dearest.gain.merit < 0 and -dearest.gain.amount >= critic.least:
        return then(critic.made(dearest), critic.cost(dearest))
    return _NOTHING


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
    worlds = max(_FEWEST, critic.worlds(view))
    made, otherwise = critic.weigh(view, (glanced.move, glanced.other), rng, worlds)
    return replace(glanced, made=made, otherwise=otherwise)
