"""Everything that may happen on an evening, by its name; most of an evening is hands."""

from tests.tracker.evenings import at_tables, with_hands, with_people, with_rounds, with_seats
from tests.tracker.evenings.club import Act

ACTS: dict[str, Act] = {
    name: act
    for subject in (at_tables, with_hands, with_seats, with_people, with_rounds)
    for name, act in vars(subject).items()
    if getattr(act, "__module__", "") == subject.__name__ and name[0] != "_"
}
OFTEN = (
    *["report", "report_more"] * 5,
    *["open_next"] * 2,
    *["differ", "swap", "replace", "put_right", "correct", "confirm"],
    *ACTS,
)
