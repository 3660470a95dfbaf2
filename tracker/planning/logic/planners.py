"""What seats the rounds that are simulated, by movement."""

from tracker.planning.logic.neighbours import equals, swiss
from tracker.planning.logic.simulation import Planner
from tracker.planning.logic.stages import EQUALS, SWISS
from tracker.seating.logic.movements.catalogue import MOVEMENTS

# The real ones take from a third of a second to five for one event, and a thousand are simulated.
_QUICK: dict[str, Planner] = {SWISS: swiss, EQUALS: equals}


def planner_of(movement: str) -> Planner:
    """Return what plans rounds of this movement: its own plan, or a quick likeness of it."""
    return _QUICK.get(movement) or MOVEMENTS[movement].plan
