"""The list of all movements: a new one is a module and an entry here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tracker.movements import by_standing, double_elimination, knockout, round_robin, swiss
from tracker.movements.fewest_repeats import fewest_repeats
from tracker.movements.table_filling import by_lot, in_order
from tracker.movements.types import Question, SeatingPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementEntry:
    """A movement: its planner, which raises an ``UnseatableError``, and what the planner needs.

    ``ahead``: several rounds can be planned at once; ``whole``: they should be, as rounds planned
    together repeat less. ``by_standing``: it needs the standing; ``by_results``: the results of each
    table. In a ``bracket`` nobody rests in turn: a unit without a match is out, or waits for one.
    """

    plan: Callable[[Question], SeatingPlan]
    ahead: bool = True
    whole: bool = False
    by_standing: bool = False
    by_results: bool = False
    bracket: bool = False


# By the codes of ``tracker.models.Movement``, as a tournament stores them.
MOVEMENTS: Mapping[str, MovementEntry] = MappingProxyType(
    {
        "fewest_repeats": MovementEntry(plan=fewest_repeats, whole=True),
        "by_lot": MovementEntry(plan=by_lot),
        "in_order": MovementEntry(plan=in_order),
        "equals": MovementEntry(plan=by_standing.equals, ahead=False, by_standing=True),
        "strong_with_weak": MovementEntry(
            plan=by_standing.strong_with_weak, ahead=False, by_standing=True
        ),
        "round_robin": MovementEntry(plan=round_robin.plan, whole=True),
        "swiss": MovementEntry(plan=swiss.plan, ahead=False, by_standing=True),
        "knockout": MovementEntry(plan=knockout.plan, ahead=False, by_results=True, bracket=True),
        "double_elimination": MovementEntry(
            plan=double_elimination.plan, ahead=False, by_results=True, bracket=True
        ),
        "ladder": MovementEntry(plan=by_standing.ladder, ahead=False, by_results=True),
        "free": MovementEntry(plan=in_order, ahead=False),
    }
)
