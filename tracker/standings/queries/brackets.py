"""Brackets: the places that a knock-out gives, whatever anybody's points are."""

from collections.abc import Collection, Mapping

from tracker.models import Tournament


def bracket_places(_tournaments: Collection[Tournament]) -> Mapping[int, int]:
    """Return by entrant the place that a bracket gave, of those tournaments that have one.

    The seam for knock-outs: every standing and every finish asks here. As long as no
    movement draws a bracket, points rank everybody.
    """
    return {}
