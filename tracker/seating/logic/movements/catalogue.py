"""The one list of movements: a new one is a module and a line here."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from games.errors import gettext_noop
from tracker.seating.logic.movements import Movement
from tracker.seating.logic.movements.by_lot import by_lot
from tracker.seating.logic.movements.in_order import in_order

IN_ORDER, BY_LOT = "in_order", "by_lot"


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A way to seat people, and what it is called where one chooses."""

    label: str
    seat: Movement


MOVEMENTS: Mapping[str, Named] = MappingProxyType(
    {
        IN_ORDER: Named(label=gettext_noop("in the order of the numbers"), seat=in_order),
        BY_LOT: Named(label=gettext_noop("by lot"), seat=by_lot),
    }
)
