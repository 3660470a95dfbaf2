"""The tables that so many units make."""

from games.mode import Mode
from tracker.seating.logic.movements import fit
from tracker.seating.logic.movements.mixed import mixed
from tracker.seating.logic.movements.seam import Question, Shape, UnseatableError


def table_shapes(units: int, question: Question) -> tuple[Shape, ...]:
    """Return the tables for so many units, those of the question's shape first.

    :raises UnseatableError: if they are too few, or the game lacks tables for all of them.
    """
    modes = {shape.code: _mode(shape) for shape in (question.shape, *question.other_shapes)}
    usual = modes[question.shape.code]
    shapes = {shape.code: shape for shape in (question.shape, *question.other_shapes)}
    if question.odd_tables:
        tables = mixed(units, usual, list(modes.values()), fixed=False)
    else:
        tables = (usual,) * fit(units, usual, fixed=False).tables
    if not tables:
        raise UnseatableError("too-few", "")
    return tuple(shapes[mode.code] for mode in tables)


def _mode(shape: Shape) -> Mode:
    return Mode(shape.code, shape.size, shape.sides, "")
