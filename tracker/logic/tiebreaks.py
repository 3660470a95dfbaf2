"""What a tournament ranks by: its game's points, then the tie-breaks its organiser chose."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from games.sheet import Measure
from tracker.logic.ranking import Merit


def deciding(
    ranking: Sequence[Measure], chosen: Sequence[str], others: Iterable[Measure]
) -> tuple[Measure, ...]:
    """Return the measures that decide, the most important first.

    The first of *ranking* always leads. The rest are the tie-breaks *chosen* by key,
    from the ranking or the *others* a game has, or without any choice the game's own.
    A key that the game does not have under these house rules is passed over.
    """
    points, *breaks = ranking
    if chosen:
        known = {measure.key: measure for measure in (*others, *ranking)}
        breaks = [known[key] for key in chosen if key in known and key != points.key]
    return (points, *breaks)


def merit(figures: Mapping[str, Fraction], measures: Iterable[Measure]) -> Merit:
    """Return what to compare: the figures in order, turned round where the fewest is best."""
    return tuple(
        -figures[measure.key] if measure.fewest else figures[measure.key] for measure in measures
    )
