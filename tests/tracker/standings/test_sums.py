"""What the people of an entrant got together at one side of a table, whoever sat there when."""

from collections import Counter
from itertools import accumulate

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
    counted = {
        entrant: {"points": got["points"], "hands": got["hands"]}
        for entrant, got in sums_of_side(
            [
                stint
                for place, entrants in enumerate(places)
                for stint in _stints(place, entrants, points)
            ]
        )
    }

    by_hand = [*zip(*places, strict=True)]
    assert counted == {
        entrant: {
            "points": sum(got for got, sat in zip(points, by_hand, strict=True) if entrant in sat),
            "hands": sum(entrant in sat for sat in by_hand),
        }
        for entrant in {entrant for sat in by_hand for entrant in sat}
    }


def _stints(place: int, entrants: list[int], points: list[int]) -> list[SideStint]:
    """Return the stints of a place, the last of which goes on."""
    turns = [1, *(number for number in range(2, HANDS + 1) if _changes(entrants, number))]
    ends = [*(turn - 1 for turn in turns[1:]), HANDS]
    upto = [0, *accumulate(points)]
    return [
        SideStint(
            entrants[first - 1],
            place,
            first,
            last if last < HANDS else NO_END,
            Counter(points=upto[last] - upto[first - 1], hands=last - first + 1),
        )
        for first, last in zip(turns, ends, strict=True)
    ]


def _changes(entrants: list[int], number: int) -> bool:
    return entrants[number - 1] != entrants[number - 2]
