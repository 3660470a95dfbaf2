"""The list of all movements: a new one is a module and an entry here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from tracker.movements import by_standing, round_robin, swiss
from tracker.movements.brackets import plan_matches
from tracker.movements.eliminations import double_elimination, knockout
from tracker.movements.fewest_repeats import fewest_repeats
from tracker.movements.table_filling import by_lot, in_order
from tracker.movements.types import Question, SeatingPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementEntry:
    """A movement: the function that plans its rounds, and what that function can do and needs."""

    # Raises an ``UnseatableError`` if there is no plan.
    plan: Callable[[Question], SeatingPlan]
    # Whether several rounds can be planned at once.
    ahead: bool = True
    # Whether all rounds should be planned at once, as there are fewer repeats then.
    whole: bool = False
    by_standing: bool = False  # whether it needs the standing
    by_results: bool = False  # whether it needs the results of each table
    # Whether nobody rests in turn: a player or team without a match is out, or waits for one.
    bracket: bool = False


# Keyed by the values of ``tracker.models.Movement``.
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
        "knockout": MovementEntry(
            plan=partial(plan_matches, knockout), ahead=False, by_results=True, bracket=True
        ),
        "double_elimination": MovementEntry(
            plan=partial(plan_matches, double_elimination),
            ahead=False,
            by_results=True,
            bracket=True,
        ),
        "ladder": MovementEntry(plan=by_standing.ladder, ahead=False, by_results=True),
        # Tables form as people come. Only if a round is asked for, it is planned in order.
        "free": MovementEntry(plan=in_order, ahead=False),
    }
)
