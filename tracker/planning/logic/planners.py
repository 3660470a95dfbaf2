"""What seats the rounds that are simulated, by movement."""

from collections.abc import Sequence
from random import Random

from tracker.planning.logic.neighbours import equals, swiss
from tracker.planning.logic.simulation import Planner
from tracker.planning.logic.stages import EQUALS, KNOCKOUT, ROUND_ROBIN, SWISS
from tracker.seating.logic.movements.seam import Plan, Question, RoundSeating, TableSeating
from tracker.seating.logic.movements.sizes import table_shapes

_QUICK: dict[str, Planner] = {SWISS: swiss, EQUALS: equals}


def planner_of(movement: str) -> Planner:
    """Return what plans rounds of this movement: its own plan, or a quick likeness of it."""
    own: dict[str, Planner] = {ROUND_ROBIN: _round_robin, KNOCKOUT: _knockout}
    return _QUICK.get(movement) or own.get(movement, _by_lot)


# Until the catalogue's movements answer questions --------------------------------------------


def _by_lot(question: Question) -> Plan:
    rng = Random(question.seed)
    rounds = []
    for present in question.present:
        rest = list(present)
        rng.shuffle(rest)
        tables = []
        for shape in table_shapes(len(present), question):
            tables.append(TableSeating(shape=shape, units=tuple(rest[: shape.size])))
            del rest[: shape.size]
        rounds.append(RoundSeating(tables=tuple(tables), resting=tuple(rest)))
    return Plan(rounds=tuple(rounds))


def _round_robin(question: Question) -> Plan:
    units = list(question.present[0])
    if len(units) % 2:
        units.append(-1)
    rounds = []
    for _ in question.present:
        pairs = zip(units[: len(units) // 2], reversed(units), strict=False)
        rounds.append(_matches([pair for pair in pairs if -1 not in pair], question))
        units[1:] = [units[-1], *units[1:-1]]
    return Plan(rounds=tuple(rounds))


def _knockout(question: Question) -> Plan:
    out: list[int] = []
    for round_ in question.played:
        for table in round_.tables:
            merits = dict(zip(table.units, table.merits or (), strict=True))
            out.append(min(table.units, key=merits.__getitem__))
    alive = [unit for unit in question.seeds if unit not in out]
    size = 1 << (len(alive) - 1).bit_length()
    playing = alive[size - len(alive) :]
    half = len(playing) // 2
    pairs = list(zip(playing[:half], reversed(playing), strict=False))
    if len(alive) == 2 and question.third_place:
        pairs.append((out[-2], out[-1]))
    return Plan(rounds=(_matches(pairs, question),))


def _matches(pairs: Sequence[tuple[int, int]], question: Question) -> RoundSeating:
    tables = tuple(TableSeating(shape=question.shape, units=pair) for pair in pairs)
    seated = {unit for pair in pairs for unit in pair}
    resting = tuple(unit for unit in question.present[0] if unit not in seated)
    return RoundSeating(tables=tables, resting=resting)
