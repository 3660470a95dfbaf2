"""Places and tie-breaks, by any list of numbers."""

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from games.sheet import Criterion, criterion
from tracker.standings.logic.ranking import criteria_for, head_to_head, merits, rank, rank_entrants

POINTS, WON, TWOS = criterion("points", ""), criterion("won", ""), criterion("twos", "")
SLAVE = criterion("slave", "", fewest=True)
SHARE = Criterion(key="share", label="", terms=(("eaten", 1),), per=("there",))
BEATEN = Criterion(key="beaten", label="", terms=(("won", 1),), head_to_head=True)

MERITS = st.lists(st.tuples(st.integers(0, 3), st.fractions(0, 1, max_denominator=3)), max_size=12)


@given(merits=MERITS, data=st.data())
def test_a_place_is_one_more_than_the_number_of_those_better(
    merits: list[tuple[int, Fraction]], data: st.DataObject
) -> None:
    entered = list(enumerate(merits))
    placed = rank(data.draw(st.permutations(entered)), key=lambda item: item[1])

    assert sorted(row.item for row in placed) == entered
    for row in placed:
        assert row.place == 1 + sum(other > row.item[1] for other in merits)
        assert row.tied == (merits.count(row.item[1]) > 1)
    assert [row.place for row in placed] == sorted(row.place for row in placed)


def test_tie_breaks_are_those_chosen_that_the_game_has_or_its_own() -> None:
    game = (POINTS, WON, TWOS)
    assert criteria_for(game, [], (SHARE,)) == game
    assert criteria_for(game, ["share", "points", "won"], (SHARE, POINTS)) == (POINTS, SHARE, WON)
    assert criteria_for((POINTS, WON), ["luck", "won"], ()) == (POINTS, WON)


def test_where_the_fewest_is_best_the_figure_is_turned_round() -> None:
    figures = {"Asha": {"points": Fraction(9, 2), "slave": Fraction(2)}}
    assert merits(figures, (POINTS, SLAVE)) == {"Asha": (Fraction(9, 2), Fraction(-2))}


def test_a_bracket_places_whoever_is_in_it_before_the_others() -> None:
    sums = {"Asha": {"won": 1}, "Juma": {"won": 9}, "Neema": {"won": 5}, "Omari": {"won": 7}}
    bracket = {"Asha": 1, "Neema": 2, "Omari": 2}
    ranked = rank_entrants(sums, [criterion("won", "")], bracket=bracket)

    assert [(each.place, each.tied, each.entrant) for each in ranked] == [
        (1, False, "Asha"),
        (2, True, "Neema"),
        (2, True, "Omari"),
        (4, False, "Juma"),
    ]


def meeting(winner: str, loser: str, times: int = 1) -> dict[str, dict[str, int]]:
    return {winner: {"won": times}, loser: {}}


A_BEATS_J, J_BEATS_A = meeting("Asha", "Juma"), meeting("Juma", "Asha")
J_BEATS_N, N_BEATS_J = meeting("Juma", "Neema"), meeting("Neema", "Juma")
A_BEATS_N, N_BEATS_A = meeting("Asha", "Neema"), meeting("Neema", "Asha")


@pytest.mark.parametrize(
    ("points", "tables", "ranked"),
    [
        # Who beat the other is first of two who are level.
        ((2, 2, 1), [J_BEATS_A, A_BEATS_N, N_BEATS_J], ["1 Juma", "2 Asha", "3 Neema"]),
        # What one got of somebody who is not level parts nobody.
        (
            (2, 2, 0),
            [meeting("Asha", "Neema", times=5), J_BEATS_A, A_BEATS_J],
            ["1= Asha", "1= Juma", "3 Neema"],
        ),
        # A ring stays level.
        ((1, 1, 1), [A_BEATS_J, J_BEATS_N, N_BEATS_A], ["1= Asha", "1= Juma", "1= Neema"]),
    ],
)
def test_who_is_level_is_parted_by_what_they_got_of_each_other(
    points: tuple[int, ...], tables: list[dict[str, dict[str, int]]], ranked: list[str]
) -> None:
    names = ("Asha", "Juma", "Neema")
    figures = {name: {"points": Fraction(got)} for name, got in zip(names, points, strict=True)}
    by_name = merits(figures, (POINTS, BEATEN), tables)

    places = rank(names, key=by_name.__getitem__)
    assert [f"{row.place}{'=' if row.tied else ''} {row.item}" for row in places] == ranked


def test_nobody_is_parted_by_meetings_that_others_did_not_have() -> None:
    met = [A_BEATS_J, A_BEATS_N]
    assert set(head_to_head(["Asha", "Juma", "Neema"], BEATEN, met).values()) == {0}
    assert head_to_head(["Asha"], BEATEN, met) == {"Asha": 0}


@given(
    won=st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 4)), st.integers(0, 2)),
    got=st.lists(st.integers(0, 1), min_size=5, max_size=5),
)
def test_head_to_head_never_moves_anybody_past_somebody_with_more_points(
    won: dict[tuple[int, int], int], got: list[int]
) -> None:
    tables = [{entrant: {"won": times}, other: {}} for (entrant, other), times in won.items()]
    figures = {entrant: {"points": Fraction(value)} for entrant, value in enumerate(got)}
    by_entrant = merits(figures, (POINTS, BEATEN), tables)

    assert all(by_entrant[entrant][0] == value for entrant, value in enumerate(got))
    assert all(len(merit) == 2 for merit in by_entrant.values())
