"""What each tie-break comes to: worked examples of the regulations, and what holds of all."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from hypothesis import given, strategies as st

from games.sheet import Criterion
from tests.tracker.standings.rounds import HALF, POINTS, places, ranked_by_results, results_of
from tracker.criteria.results import Edition, Kind, Results, RoundRecord
from tracker.criteria.tie_breaks import (
    DIRECT_ENCOUNTER,
    FEWEST_OPENINGS,
    LOTS,
    TieBreak,
    draw_lots,
    tie_breaks_for,
)
from tracker.standings.logic.direct_encounter import direct_encounter
from tracker.standings.logic.ranking import compare, rank_entrants

ALL = tie_breaks_for(POINTS, round_robin=None)
FIGURES = {each.key: each for each in ALL if isinstance(each, TieBreak)}
OWN_RULE = "own rule"
MARCH_2026, AUGUST_2024 = "FIDE C.07 (March 2026)", "FIDE C.07 (August 2024)"


@dataclass(frozen=True)
class Example:
    """Figures of one criterion, in the order of the entrants of ``results``."""

    source: str
    key: str
    results: Results[Any]
    figures: Sequence[Fraction | int | str]


SWISS = results_of(
    ("Asha 1:0 Juma", "Neema 1:1 Omari", "Upendo bye"),
    ("Asha 1:0 Upendo", "Neema +:- Juma", "Omari away 1/2"),
    ("Asha 1:1 Neema", "Omari 1:0 Upendo", "Juma away 0"),
)
SWISS_OF_2024 = replace(SWISS, edition=Edition.AUGUST_2024)
ROUND_ROBIN = results_of(
    ("Asha 1:0 Omari", "Juma 1:0 Neema"),
    ("Asha 1:0 Neema", "Omari 1:0 Juma"),
    ("Asha 1:1 Juma", "Omari +:- Neema"),
    everybody_meets=True,
)
ROUND_ROBIN_OF_THREE = results_of(
    ("Asha 1:0 Juma", "Neema bye"),
    ("Juma 1:0 Neema", "Asha bye"),
    ("Asha 1:1 Neema", "Juma away 0"),
    everybody_meets=True,
)
PARTNERS = results_of(
    ("Asha+Juma 30:20 Neema+Omari",),
    ("Asha+Neema 14:10 Juma+Omari",),
    hands=dict.fromkeys(("Asha", "Juma", "Neema", "Omari"), 8),
    lots={"Asha": 3, "Juma": 1, "Neema": 4, "Omari": 2},
)


# Laxman, 1st SOA International Grandmasters 2024: by round the opponent's final score and the own
# points; round 4 was a requested bye.
LAXMAN = (
    ("5", "1"),
    ("5", "1"),
    ("6.5", "0"),
    (None, "0"),
    ("4.5", "1"),
    ("6", "0.5"),
    ("5", "1"),
    ("6.5", "0.5"),
    ("5.5", "1"),
    ("6", "1"),
)


def laxman(edition: Edition) -> Results[int]:
    """Return the results of Laxman, who is 0; opponents are known by the round and their score."""
    return Results(
        records={
            0: [
                RoundRecord(
                    round=number,
                    points=Fraction(points),
                    kind=Kind.PLAYED if score else Kind.ABSENT,
                    opponents=(number,) if score else (),
                )
                for number, (score, points) in enumerate(LAXMAN, start=1)
            ]
        },
        scores={
            0: Fraction(7),
            **{number: Fraction(each[0]) for number, each in enumerate(LAXMAN, 1) if each[0]},
        },
        win=Fraction(1),
        draw=HALF,
        edition=edition,
    )


MANUAL = "FIDE Arbiters' Manual 2026, pp. 258-259"
LAXMAN_2024, LAXMAN_2026 = laxman(Edition.AUGUST_2024), laxman(Edition.MARCH_2026)

EXAMPLES = (
    Example(MANUAL, "buchholz", LAXMAN_2024, [57]),
    Example(MANUAL, "buchholz", LAXMAN_2026, [55]),
    Example(MANUAL, "buchholz_cut1", LAXMAN_2024, [50]),
    Example(MANUAL, "buchholz_cut1", LAXMAN_2026, [50]),
    Example(MANUAL, "sonneborn_berger", LAXMAN_2024, ["37.25"]),
    Example(MANUAL, "sonneborn_berger", LAXMAN_2026, ["37.25"]),
    # Juma's last round counts as a draw for Asha (16.3.2). Against the dummies, Neema's score is
    # cut to Juma's, Omari's to three draws.
    Example(f"{MARCH_2026}, 8.1, 16.3, 16.4", "buchholz", SWISS, ["3.5", "2.5", 5, "4.5", "5.5"]),
    Example(
        f"{AUGUST_2024}, 8.1, 16.4", "buchholz", SWISS_OF_2024, ["3.5", "2.5", "6.5", 5, "5.5"]
    ),
    # Of Omari, the requested bye is cut and not Upendo, who has less.
    Example(f"{MARCH_2026}, 14.1, 16.5", "buchholz_cut1", SWISS, [3, "2.5", "4.5", 3, "4.5"]),
    Example(f"{MARCH_2026}, 14.2, 16.5", "buchholz_cut2", SWISS, [2, "2.5", "2.5", 2, "2.5"]),
    Example(f"{MARCH_2026}, 14.3", "buchholz_median", SWISS, [1, 0, 2, 1, 2]),
    Example(f"{MARCH_2026}, 8.2", "average_of_buchholz", SWISS, ["13/3", "3.5", 4, "5.25", 4]),
    # As if Omari and Upendo had drawn.
    Example(f"{MARCH_2026}, 8.3", "fore_buchholz", SWISS, [4, "2.5", "4.5", 5, "5.5"]),
    Example(f"{MARCH_2026}, 9.1", "sonneborn_berger", SWISS, ["2.5", 0, "2.75", "2.75", 1]),
    Example(f"{AUGUST_2024}, 9.1", "sonneborn_berger", SWISS_OF_2024, ["2.5", 0, "4.25", 3, 1]),
    Example(f"{MARCH_2026}, 7.5", "progressive", SWISS, ["5.5", 0, 4, "3.5", 3]),
    Example(f"{MARCH_2026}, 7.1", "wins", SWISS, [2, 0, 1, 1, 1]),
    Example(f"{MARCH_2026}, 7.2", "wins_played", SWISS, [2, 0, 0, 1, 0]),
    # Half of three wins is 1.5: all but Neema have it. In a round robin forfeits count.
    Example(f"{MARCH_2026}, 9.2, 15.2", "koya", ROUND_ROBIN, ["1.5", 1, "0.5", 0]),
    Example(
        f"{MARCH_2026}, 9.1, 15.2", "sonneborn_berger", ROUND_ROBIN, ["2.75", "1.5", "1.25", 0]
    ),
    # Article 16 is for Swiss tournaments: byes neither count as games nor as draws.
    Example(
        f"{MARCH_2026}, 9.1, 15", "sonneborn_berger", ROUND_ROBIN_OF_THREE, ["1.75", "1.5", "1.25"]
    ),
    # At a table of four, the strength of the opponents is the mean of both.
    Example(OWN_RULE, "buchholz", PARTNERS, [1, 2, 2, 3]),
    Example(OWN_RULE, "sonneborn_berger", PARTNERS, [1, "0.5", "0.5", 0]),
    Example(OWN_RULE, "koya", PARTNERS, [1, "0.5", "0.5", 0]),
    Example(OWN_RULE, "difference", PARTNERS, [14, 6, -6, -14]),
    Example(OWN_RULE, "strength_per_round", PARTNERS, ["1/16", "1/8", "1/8", "3/16"]),
    Example(OWN_RULE, "lots", PARTNERS, [3, 1, 4, 2]),
)


def test_worked_examples() -> None:
    for example in EXAMPLES:
        criterion, results = FIGURES[example.key], example.results
        figures = [Fraction(criterion.figure(results, entrant)) for entrant in results.records]
        assert (example, figures) == (example, [Fraction(each) for each in example.figures])

    assert {example.key for example in EXAMPLES} == {
        each.key for each in ALL if each not in {DIRECT_ENCOUNTER, FEWEST_OPENINGS}
    }


def test_points_from_an_earlier_stage_raise_every_opponent_alike() -> None:
    """Koya stays the same; Buchholz rises by them for each round, also against a dummy."""
    for key, results, lifted in (("buchholz", SWISS, 10), ("koya", ROUND_ROBIN, 0)):
        scores = {entrant: score + 10 for entrant, score in results.scores.items()}
        carrying = replace(results, scores=scores, carried=dict.fromkeys(scores, 10))
        for entrant in scores:
            own_rounds, figure = len(results.of(entrant)), FIGURES[key].figure
            lift = lifted * own_rounds
            assert figure(carrying, entrant) == figure(results, entrant) + lift


def test_direct_encounter_tells_points_below_zero_as_they_are() -> None:
    results = results_of(["Asha 1:3 Juma"])
    records = {
        entrant: [each._replace(points=each.points - 4) for each in own]
        for entrant, own in results.records.items()
    }
    groups, [encounter] = direct_encounter(["Asha", "Juma"], replace(results, records=records))

    assert (groups, encounter.scores) == ([["Juma"], ["Asha"]], {"Asha": -4, "Juma": -3})


def test_direct_encounter() -> None:
    """FIDE C.07 (March 2026), 6 and 15.2."""
    ring = ("Asha 1:0 Juma", "Juma 1:0 Neema", "Neema 1:0 Asha")
    for article, everybody_meets, rounds, expected in (
        ("6.2: the winner", False, [["Asha 0:1 Juma"]], [["Juma"], ["Asha"]]),
        ("6.2: a draw", False, [["Asha 1:1 Juma"]], [["Asha", "Juma"]]),
        ("6.2: a ring", False, [[each] for each in ring], [["Asha", "Juma", "Neema"]]),
        ("6.1.1: a forfeit", False, [["Asha -:+ Juma"]], [["Asha", "Juma"]]),
        ("15.2: a forfeit", True, [["Asha -:+ Juma"]], [["Juma"], ["Asha"]]),
        (
            "6.1.2: Asha and Juma have 0.5 of each other, so Neema's one loss decides",
            False,
            [["Asha 1:0 Juma"], ["Juma 1:0 Asha"], ["Asha 1:1 Neema"], ["Juma 1:0 Neema"]],
            [["Juma"], ["Asha"], ["Neema"]],
        ),
        (
            "6.2: Asha and Juma have 2, Neema and Omari 1; then each pair is compared anew",
            False,
            [
                ["Asha 1:0 Juma", "Neema 1:0 Omari"],
                ["Juma 1:0 Neema", "Asha 0:1 Omari"],
                ["Juma 1:0 Omari", "Asha 1:0 Neema"],
            ],
            [["Asha"], ["Juma"], ["Neema"], ["Omari"]],
        ),
        (
            "6.3: Neema is first whatever Asha and Juma would get of each other",
            False,
            [["Neema 1:0 Asha"], ["Neema 1:0 Juma"]],
            [["Neema"], ["Asha", "Juma"]],
        ),
        (
            "6.3: after Omari, the others are compared without their games against Omari",
            False,
            [
                ["Omari 1:0 Asha", "Juma 1:0 Neema"],
                ["Omari 1:0 Juma", "Asha 0:1 Upendo"],
                ["Omari 1:0 Neema", "Juma 1:0 Upendo"],
                ["Omari 1:0 Upendo", "Juma 1:0 Asha"],
            ],
            [["Omari"], ["Juma"], ["Asha", "Neema", "Upendo"]],
        ),
        (
            "6.3: Juma might still be level with Asha",
            False,
            [["Asha 1:0 Juma"], ["Neema bye"]],
            [["Asha", "Juma", "Neema"]],
        ),
        (
            "own rule: partners did not meet",
            False,
            [["Asha+Juma 3:2 Neema+Omari"]],
            [["Asha", "Juma", "Neema", "Omari"]],
        ),
    ):
        results = results_of(*rounds, everybody_meets=everybody_meets)
        groups, _ = direct_encounter(sorted(results.records), results)
        assert (article, [sorted(each) for each in groups]) == (article, expected)


def test_fewest_openings_ranks_who_dealt_first_least() -> None:
    """Own rule."""
    sums = {"Asha": {"opened": 2}, "Juma": {"opened": 1}, "Neema": {"opened": 2}}
    assert places(rank_entrants(sums, [POINTS, FEWEST_OPENINGS])) == [
        "1 Juma",
        "2= Asha",
        "2= Neema",
    ]


def test_lots_are_in_the_order_of_the_sha_256_of_seed_and_uid() -> None:
    """Own rule."""
    # By sha256sum, "7:a" gives 82d9..., "7:b" gives ec2a... and "7:c" gives 18ec...
    assert draw_lots(7, {"Asha": "a", "Juma": "b", "Neema": "c"}) == {
        "Neema": 1,
        "Asha": 2,
        "Juma": 3,
    }


def test_every_criterion_says_what_it_is_and_where_it_is_defined() -> None:
    own_rules = {"opened", "difference", "strength_per_round"}
    assert len({each.key for each in ALL}) == len(ALL)
    assert [each.key for each in ALL if not (each.key and each.label and each.meaning)] == []
    assert {each.key for each in ALL if not each.source} == own_rules
    assert all(each.source.startswith("FIDE C.07, ") for each in ALL if each.key not in own_rules)
    names = [each.short or each.label for each in ALL]
    assert len(set(names)) == len(names)


def test_tie_breaks_are_offered_where_they_mean_something() -> None:
    share = Criterion(key="share", label="", terms=(("eaten", 1),), per=("there",))
    buchholz = {"buchholz", "buchholz_cut1", "buchholz_cut2", "buchholz_median"}
    opponents = {*buchholz, "average_of_buchholz", "fore_buchholz"}
    everything = {each.key for each in ALL}
    sums = {"sonneborn_berger", "progressive", "difference"}  # which shares do not have
    for points, is_round_robin, left_out in (
        (POINTS, False, {"koya"}),
        (POINTS, True, opponents),
        (share, False, {*opponents, *sums, "koya"}),
        (share, True, {*opponents, *sums, "koya"}),
    ):
        offered = tie_breaks_for(points, round_robin=is_round_robin)
        assert {each.key for each in offered} == everything - left_out
        assert (offered[-1], ALL[-1]) == (LOTS, LOTS)


@st.composite
def tournaments(draw: st.DrawFn) -> Results[str]:
    """Return results of any rounds, with tables of two and four, byes, forfeits and lots."""
    names = "abcdefg"[: draw(st.integers(2, 7))]
    rounds = []
    for _ in range(draw(st.integers(1, 4))):
        waiting, lines = draw(st.permutations(names)), []
        while waiting:
            size = draw(st.sampled_from([size for size in (1, 2, 4) if size <= len(waiting)]))
            side, other = "+".join(waiting[: size // 2]), "+".join(waiting[size // 2 : size])
            if side:
                result = draw(st.sampled_from(("3:1", "1:2", "1:1", "+:-", "-:-")))
                lines.append(f"{side} {result} {other}")
            else:
                lines.append(f"{other} {draw(st.sampled_from(('bye', 'away 0', 'away 1/2')))}")
            waiting = waiting[size:]
        rounds.append(lines)
    return results_of(
        *rounds,
        lots=draw_lots(draw(st.integers(0, 9)), {name: name for name in names}),
        everybody_meets=draw(st.booleans()),
        edition=draw(st.sampled_from(Edition)),
    )


TIE_BREAKS = st.permutations([each for each in ALL if each != LOTS])


def figures_of(results: Results[str]) -> dict[str, list[Fraction]]:
    return {
        entrant: [Fraction(each.figure(results, entrant)) for each in FIGURES.values()]
        for entrant in results.scores
    }


@given(results=tournaments(), tie_breaks=TIE_BREAKS)
def test_after_lots_nobody_is_tied(results: Results[str], tie_breaks: Sequence[Criterion]) -> None:
    ranked = ranked_by_results(results, [*tie_breaks, LOTS])
    assert [(each.place, each.tied) for each in ranked] == [
        (place, False) for place in range(1, len(results.records) + 1)
    ]


@given(results=tournaments(), tie_breaks=TIE_BREAKS, data=st.data())
def test_the_order_of_the_input_changes_no_place(
    results: Results[str], tie_breaks: Sequence[Criterion], data: st.DataObject
) -> None:
    shuffled = replace(
        results,
        records={
            key: results.records[key] for key in data.draw(st.permutations([*results.records]))
        },
    )
    ranked, again = (ranked_by_results(each, tie_breaks) for each in (results, shuffled))
    assert {each.entrant: (each.place, each.tied, each.merit) for each in ranked} == {
        each.entrant: (each.place, each.tied, each.merit) for each in again
    }


@given(results=tournaments())
def test_direct_encounter_parts_only_those_who_are_level(results: Results[str]) -> None:
    for tie_breaks in ([], [FIGURES["buchholz"]], [FIGURES["wins"], FIGURES["difference"]]):
        before = {each.entrant: each.merit for each in ranked_by_results(results, tie_breaks)}
        after = ranked_by_results(results, [*tie_breaks, DIRECT_ENCOUNTER])
        assert [each.merit[:-1] for each in after] == sorted(before.values(), reverse=True)
        assert {each.entrant: each.merit[:-1] for each in after} == before


@given(results=tournaments(), data=st.data())
def test_direct_encounter_reads_only_meetings_of_those_who_are_tied(
    results: Results[str], data: st.DataObject
) -> None:
    tied = data.draw(st.lists(st.sampled_from([*results.records]), min_size=1, unique=True))
    among_them = {
        each: [record for record in results.of(each) if {*record.opponents} & {*tied}]
        for each in tied
    }
    assert direct_encounter(tied, results) == direct_encounter(
        tied, replace(results, records=among_them)
    )


@given(results=tournaments())
def test_a_match_that_is_not_finished_changes_no_figure(results: Results[str]) -> None:
    """It has no record, so an entrant who has played no other has none at all."""
    started = replace(
        results,
        records={**results.records, "late": []},
        scores={**results.scores, "late": Fraction(0)},
    )
    assert figures_of(started) == {
        **figures_of(results),
        "late": [Fraction(0)] * len(FIGURES),
    }


@given(results=tournaments())
def test_a_cut_never_makes_a_buchholz_score_larger(results: Results[str]) -> None:
    for entrant in results.records:
        full, cut1, cut2, median = (
            FIGURES[key].figure(results, entrant)
            for key in ("buchholz", "buchholz_cut1", "buchholz_cut2", "buchholz_median")
        )
        assert full >= cut1 >= max(cut2, median)


@given(results=tournaments(), score=st.integers(0, 9))
def test_scores_of_partners_change_no_figure(results: Results[str], score: int) -> None:
    """Except the opponents' Buchholz scores, as the partner was an opponent of theirs."""
    figures = [each for key, each in FIGURES.items() if key != "average_of_buchholz"]
    for entrant, records in results.records.items():
        partners = {each for record in records for each in record.partners}
        opponents = {each for record in records for each in record.opponents}
        changed = replace(
            results,
            scores={**results.scores, **dict.fromkeys(partners - opponents, Fraction(score))},
        )
        for criterion in figures:
            assert criterion.figure(changed, entrant) == criterion.figure(results, entrant)


@given(results=tournaments(), tie_breaks=TIE_BREAKS)
def test_neighbours_are_compared_by_the_first_criterion_in_which_they_differ(
    results: Results[str], tie_breaks: Sequence[Criterion]
) -> None:
    criteria = (POINTS, *tie_breaks)
    for above, below in pairwise(ranked_by_results(results, tie_breaks)):
        differs = [own != other for own, other in zip(above.merit, below.merit, strict=True)]
        first = differs.index(True) if any(differs) else None
        criterion = None if first is None else criteria[first]
        for own, other in ((above, below), (below, above)):
            comparison = compare(own, other, criteria)
            assert comparison.criterion == criterion
            assert [each for each in comparison.level if each[0] != DIRECT_ENCOUNTER] == [
                (each, own.figures[each.key])
                for each in criteria[:first]
                if each != DIRECT_ENCOUNTER
            ]
            if criterion == DIRECT_ENCOUNTER:
                met = [each.scores for each in own.encounters if other.entrant in each.scores]
                assert comparison.figures == (met[-1][own.entrant], met[-1][other.entrant])
                assert (comparison.figures[0] > comparison.figures[1]) == (own is above)
            elif criterion is not None:
                figures = own.figures[criterion.key], other.figures[criterion.key]
                assert comparison.figures == figures
