"""Who opens a table: openings rotate over players, entrants and tables."""

from collections import Counter
from collections.abc import Sequence
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from tracker.seating.logic.openings import Candidate, first_dealers


@st.composite
def halls(draw: st.DrawFn) -> tuple[list[list[Candidate]], dict[int, int]]:
    """Tables of two to four, whose people score for a few entrants with some openings each."""
    candidate = st.builds(
        Candidate,
        opened=st.integers(0, 2),
        entrant=st.integers(1, 4),
        dealt=st.integers(0, 2),
        dealt_before=st.none() | st.integers(-3, -1),
    )
    table = st.lists(candidate, min_size=2, max_size=4)
    tables = draw(st.lists(table, min_size=1, max_size=4))
    return tables, draw(st.dictionaries(st.integers(1, 4), st.integers(0, 3)))


def unevenness(
    tables: Sequence[Sequence[Candidate]], before: dict[int, int], chosen: Sequence[int]
) -> tuple[int, ...]:
    """Return how uneven openings are by players, then by entrants, then how much those who
    open have dealt, how lately, and how late they sit.
    """
    opening = [table[place] for table, place in zip(tables, chosen, strict=True)]
    openings = Counter(before)
    openings.update(candidate.entrant for candidate in opening)
    never = min(one.dealt_before or 0 for table in tables for one in table) - 1
    return (
        sum(candidate.opened for candidate in opening),
        sum(times * times for times in openings.values()),
        sum(candidate.dealt for candidate in opening),
        sum(never if one.dealt_before is None else one.dealt_before for one in opening),
        sum(chosen),
    )


def test_no_table_needs_no_dealer() -> None:
    assert first_dealers([], {}) == ()


def test_everybody_new_leaves_it_to_the_order_of_the_seats() -> None:
    table = [Candidate(opened=0, entrant=entrant) for entrant in range(4)]

    assert first_dealers([table, table[::-1]], {}) == (0, 0)


def test_a_player_who_opened_less_goes_before_an_entrant_who_opened_less() -> None:
    table = [Candidate(opened=1, entrant=1), Candidate(opened=0, entrant=2)]

    assert first_dealers([table], {1: 1, 2: 5}) == (1,)


def test_among_those_level_whoever_dealt_least_opens() -> None:
    dealt = (3, 2, 1, 2)
    table = [Candidate(opened=1, entrant=place, dealt=times) for place, times in enumerate(dealt)]

    assert first_dealers([table], {}) == (2,)


def test_among_those_who_dealt_alike_whoever_dealt_longest_ago_opens() -> None:
    when = (-1, -3, -2, -1)
    table = [
        Candidate(opened=1, entrant=place, dealt=2, dealt_before=last)
        for place, last in enumerate(when)
    ]
    never = [*table[:3], Candidate(opened=1, entrant=3, dealt=2)]

    assert first_dealers([table, never], {}) == (1, 3)


def test_a_team_at_two_tables_opens_one_of_them() -> None:
    reds, blues, greens = (Candidate(opened=0, entrant=entrant) for entrant in (1, 2, 3))

    assert first_dealers([[reds, blues], [reds, greens]], {}) == (0, 1)


@given(hall=halls())
@settings(max_examples=60, deadline=None)
def test_nobody_opens_while_somebody_at_the_table_opened_less(
    hall: tuple[list[list[Candidate]], dict[int, int]],
) -> None:
    tables, before = hall

    chosen = first_dealers(tables, before)

    for table, place in zip(tables, chosen, strict=True):
        assert table[place].opened == min(candidate.opened for candidate in table)


@given(hall=halls())
@settings(max_examples=40, deadline=None)
def test_no_other_choice_spreads_openings_more_evenly(
    hall: tuple[list[list[Candidate]], dict[int, int]],
) -> None:
    tables, before = hall

    chosen = first_dealers(tables, before)

    every_choice = product(*(range(len(table)) for table in tables))
    assert unevenness(tables, before, chosen) == min(
        unevenness(tables, before, choice) for choice in every_choice
    )
