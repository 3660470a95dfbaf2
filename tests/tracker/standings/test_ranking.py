"""Places and tie-breaks, by any list of numbers."""

from fractions import Fraction

from hypothesis import given, strategies as st

from games.sheet import criterion
from tests.tracker.standings.rounds import results_of
from tracker.criteria.tie_breaks import DIRECT_ENCOUNTER
from tracker.standings.logic.direct_encounter import SeparateStanding
from tracker.standings.logic.ranking import Comparison, compare, merits, rank, rank_entrants

POINTS, SLAVE = criterion("points", ""), criterion("slave", "", fewest=True)

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


def test_where_the_fewest_is_best_the_figure_is_turned_round() -> None:
    figures = {"Asha": {"points": Fraction(9, 2), "slave": Fraction(2)}}
    assert merits(figures, (POINTS, SLAVE)) == ({"Asha": (Fraction(9, 2), Fraction(-2))}, [])


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


def test_a_direct_encounter_parts_those_who_are_level_by_what_they_got_of_each_other() -> None:
    for points, rounds, expected in (
        # Who beat the other is first of two who are level.
        (
            (2, 2, 1),
            [["Juma 1:0 Asha"], ["Asha 1:0 Neema"], ["Neema 1:0 Juma"]],
            ["1 Juma", "2 Asha", "3 Neema"],
        ),
        # What one got of somebody who is not level parts nobody.
        (
            (2, 2, 0),
            [["Asha 5:0 Neema"], ["Juma 1:0 Asha"], ["Asha 1:0 Juma"]],
            ["1= Asha", "1= Juma", "3 Neema"],
        ),
        # A ring stays level.
        (
            (1, 1, 1),
            [["Asha 1:0 Juma"], ["Juma 1:0 Neema"], ["Neema 1:0 Asha"]],
            ["1= Asha", "1= Juma", "1= Neema"],
        ),
    ):
        names = ("Asha", "Juma", "Neema")
        figures = {name: {"points": Fraction(got)} for name, got in zip(names, points, strict=True)}
        merit_of, _ = merits(figures, (POINTS, DIRECT_ENCOUNTER), results_of(*rounds))

        ranked = rank(names, key=merit_of.__getitem__)
        assert [
            f"{each.place}{'=' if each.tied else ''} {each.item}" for each in ranked
        ] == expected


def test_each_comparison_of_those_who_are_level_is_kept_with_their_own_meetings() -> None:
    results = results_of(["Neema 1:0 Asha"], ["Neema 1:0 Juma"])
    figures = {name: {"points": Fraction(2)} for name in ("Asha", "Juma", "Neema")}
    none = Fraction(0)

    assert merits(figures, (POINTS, DIRECT_ENCOUNTER), results) == (
        {"Asha": (2, 0), "Juma": (2, 0), "Neema": (2, 2)},
        [
            SeparateStanding(
                scores={"Asha": none, "Juma": none, "Neema": Fraction(2)}, complete=False
            ),
            SeparateStanding(scores={"Asha": none, "Juma": none}, complete=False),
        ],
    )


def test_without_results_a_direct_encounter_parts_nobody() -> None:
    figures = {name: {"points": Fraction(1)} for name in ("Asha", "Juma")}
    assert merits(figures, (POINTS, DIRECT_ENCOUNTER)) == ({"Asha": (1, 0), "Juma": (1, 0)}, [])


def test_neighbours_are_compared_by_the_meetings_that_decided() -> None:
    points = (POINTS, Fraction(5))
    for rounds, expected in (
        # Asha and Juma are level by the meetings of all four, then Asha is first by their own.
        (
            [
                ["Asha 1:0 Juma", "Neema 1:0 Omari"],
                ["Juma 1:0 Neema", "Asha 0:1 Omari"],
                ["Juma 1:0 Omari", "Asha 1:0 Neema"],
            ],
            [
                Comparison(criterion=DIRECT_ENCOUNTER, figures=figures, level=(points,))
                for figures in [(Fraction(1), Fraction(0)), (Fraction(2), Fraction(1))]
            ],
        ),
        # Asha beat Juma, who could still catch up by a win over Neema.
        (
            [["Asha 1:0 Juma"], ["Neema bye"]],
            [
                Comparison(level=(points,)),
                Comparison(level=(points,)),
            ],
        ),
    ):
        results, criteria = results_of(*rounds), (POINTS, DIRECT_ENCOUNTER)
        sums = {entrant: {"points": 5} for entrant in results.records}
        first, second, third, *_ = rank_entrants(sums, criteria, results=results)

        compared = [compare(first, second, criteria), compare(second, third, criteria)]
        assert compared == expected
