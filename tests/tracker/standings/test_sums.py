"""What the people of an entrant got together at one side of a table, whoever sat there when."""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from hypothesis import given, strategies as st

from tracker.standings.queries.sums import NO_END, SideStint, sums_of_side

HANDS = 8
# Of each place of a side: for every hand the entrant for whom somebody sat there.
PLACES = st.lists(
    st.lists(st.integers(1, 3), min_size=HANDS, max_size=HANDS), min_size=1, max_size=3
)
POINTS = st.lists(st.integers(-5, 20), min_size=HANDS, max_size=HANDS)


@given(places=PLACES, points=POINTS)
def test_every_hand_counts_once_for_every_entrant_of_whom_somebody_played_it(
    places: list[list[int]], points: list[int]
) -> None:
    stints = [each for at, entrants in enumerate(places) for each in _stints(at, entrants, points)]
    counted = {entrant: (got["points"], got["hands"]) for entrant, got in sums_of_side(stints)}

    by_hand = [{*sat} for sat in zip(*places, strict=True)]
    assert counted == {
        entrant: (
            sum(got for got, sat in zip(points, by_hand, strict=True) if entrant in sat),
            sum(entrant in sat for sat in by_hand),
        )
        for entrant in set().union(*by_hand)
    }


def _stints(place: int, entrants: list[int], points: list[int]) -> Iterator[SideStint]:
    """Yield the stints of a place, the last of which goes on."""
    last = 0
    for entrant, hands in groupby(entrants):
        before, last = last, last + len([*hands])
        got = Counter(points=sum(points[before:last]), hands=last - before)
        yield SideStint(entrant, place, before + 1, last if last < HANDS else NO_END, got)
