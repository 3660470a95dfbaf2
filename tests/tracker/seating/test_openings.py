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
    candidate = st.builds(Candidate, opened=st.integers(0, 2), entrant=st.integers(1, 4))
    table = st.lists(candidate, min_size=2, max_size=4)
    tables = draw(st.lists(table, min_size=1, max_size=4))
    return tables, draw(st.dictionaries(st.integers(1, 4), st.integers(0, 3)))


def unevenness(
    tables: Sequence[Sequence[Candidate]], before: dict[int, int], chosen: Sequence[int]
) -> tuple[int, int, int]:
    """Return how uneven openings are by players, then by entrants, then how late the seats."""
    opening = [table[place] for table, place in zip(tables, chosen, strict=True)]
    openings = Counter(before)
    openings.update(candidate.entrant for candidate in opening)
    return (
        sum(candidate.opened for candidate in opening),
        sum(times * times for times in openings.values()),
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
