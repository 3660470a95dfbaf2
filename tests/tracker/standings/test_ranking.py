"""Places and tie-breaks, by any list of numbers."""

from fractions import Fraction

from hypothesis import given, strategies as st

from games.sheet import Criterion, criterion
from tracker.standings.logic.ranking import criteria_for, head_to_head, merits, rank

POINTS, WON, TWOS = criterion("points", ""), criterion("won", ""), criterion("twos", "")
SLAVE = criterion("slave", "", fewest=True)
SHARE = Criterion(key="share", label="", terms=(("eaten", 1),), per=("there",))

MERITS = st.lists(st.tuples(st.integers(0, 3), st.fractions(0, 1, max_denominator=3)), max_size=12)


def test_equals_share_a_place_and_the_next_is_skipped() -> None:
    points = [("Asha", 4), ("Neema", 7), ("Juma", 4), ("Baraka", 1)]

    placed = rank(points, key=lambda entry: (entry[1],))

    assert [(row.place, row.tied, row.item[0]) for row in placed] == [
        (1, False, "Neema"),
        (2, True, "Asha"),
        (2, True, "Juma"),
        (4, False, "Baraka"),
    ]


def test_nobody_has_no_places() -> None:
    assert rank([], key=lambda entry: (entry,)) == []


def test_a_tie_break_parts_equals_only() -> None:
    points = [("Asha", (4, 1)), ("Neema", (4, 2)), ("Juma", (3, 9))]

    placed = rank(points, key=lambda entry: entry[1])

    assert [row.item[0] for row in placed] == ["Neema", "Asha", "Juma"]


@given(merits=MERITS, data=st.data())
def test_the_order_of_entering_changes_nobodys_place(
    merits: list[tuple[int, Fraction]], data: st.DataObject
) -> None:
    entered = list(enumerate(merits))
    shuffled = data.draw(st.permutations(entered))

    places = {row.item: (row.place, row.tied) for row in rank(entered, key=lambda item: item[1])}

    again = {row.item: (row.place, row.tied) for row in rank(shuffled, key=lambda item: item[1])}
    assert again == places


@given(merits=MERITS)
def test_a_place_is_one_more_than_the_number_of_those_better(
    merits: list[tuple[int, Fraction]],
) -> None:
    placed = rank(merits, key=lambda item: item)

    assert sorted(row.item for row in placed) == sorted(merits)
    for row in placed:
        assert row.place == 1 + sum(other > row.item for other in merits)
        assert row.tied == (merits.count(row.item) > 1)
    assert [row.place for row in placed] == sorted(row.place for row in placed)


def test_without_a_choice_the_game_decides() -> None:
    assert criteria_for((POINTS, WON, TWOS), [], (SHARE,)) == (POINTS, WON, TWOS)


def test_chosen_tie_breaks_come_after_the_points_in_the_order_chosen() -> None:
    chosen = ["share", "points", "won"]

    assert criteria_for((POINTS, WON, TWOS), chosen, (SHARE, POINTS)) == (POINTS, SHARE, WON)


def test_a_tie_break_the_game_does_not_have_is_passed_over() -> None:
    assert criteria_for((POINTS, WON), ["luck", "won"], ()) == (POINTS, WON)


def test_where_the_fewest_is_best_the_figure_is_turned_round() -> None:
    figures = {"Asha": {"points": Fraction(9, 2), "slave": Fraction(2)}}

    assert merits(figures, (POINTS, SLAVE)) == {"Asha": (Fraction(9, 2), Fraction(-2))}


# Head to head

BEATEN = Criterion(key="beaten", label="", terms=(("won", 1),), head_to_head=True)


def meeting(winner: str, loser: str, *, times: int = 1) -> dict[str, dict[str, int]]:
    return {winner: {"won": times}, loser: {}}


def points(**of: int) -> dict[str, dict[str, Fraction]]:
    return {name: {"points": Fraction(got)} for name, got in of.items()}


def order(figures: dict[str, dict[str, Fraction]], *tables: dict[str, dict[str, int]]) -> list[str]:
    by_name = merits(figures, (POINTS, BEATEN), tables)
    return [
        f"{row.place}{'=' if row.tied else ''} {row.item}"
        for row in rank(sorted(figures), key=by_name.__getitem__)
    ]


def test_of_two_who_are_level_the_one_who_beat_the_other_is_first() -> None:
    tables = [meeting("Juma", "Asha"), meeting("Asha", "Neema"), meeting("Neema", "Juma")]

    assert order(points(Asha=2, Juma=2, Neema=1), *tables) == ["1 Juma", "2 Asha", "3 Neema"]


def test_what_one_got_of_somebody_who_is_not_level_parts_nobody() -> None:
    tables = [meeting("Asha", "Neema", times=5), meeting("Juma", "Asha"), meeting("Asha", "Juma")]

    assert order(points(Asha=2, Juma=2, Neema=0), *tables) == ["1= Asha", "1= Juma", "3 Neema"]


def test_three_in_a_ring_stay_level() -> None:
    tables = [meeting("Asha", "Juma"), meeting("Juma", "Neema"), meeting("Neema", "Asha")]

    assert order(points(Asha=1, Juma=1, Neema=1), *tables) == ["1= Asha", "1= Juma", "1= Neema"]


def test_nobody_is_parted_by_meetings_that_others_did_not_have() -> None:
    tables = [meeting("Asha", "Juma"), meeting("Asha", "Neema")]

    assert set(head_to_head(["Asha", "Juma", "Neema"], BEATEN, tables).values()) == {0}
    assert head_to_head(["Asha"], BEATEN, tables) == {"Asha": 0}


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
