"""Ranking entrants: the figures to compare, tie-breaks, places and ties."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby, pairwise
from operator import itemgetter
from types import MappingProxyType
from typing import Generic, TypeAlias, TypeVar

from games.sheet import Criterion, Reads
from tracker.criteria.results import H, Number, Results, int_if_whole
from tracker.criteria.tie_breaks import DIRECT_ENCOUNTER, TieBreak
from tracker.standings.logic.direct_encounter import SeparateStanding, direct_encounter

T = TypeVar("T")
# Figures to compare, the most important first; more is better: a "fewest" figure is made negative.
Merit: TypeAlias = tuple[Number, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedItem(Generic[T]):
    """An item with its place, from 1; ``tied`` if it shares that place."""

    place: int
    tied: bool
    item: T


def rank(items: Iterable[T], key: Callable[[T], Merit]) -> list[RankedItem[T]]:
    """Return the items with the best *key* first; equals share a place, and keep their order.

    After three on place 2 comes place 5.

    >>> [(placed.place, placed.tied) for placed in rank([7, 9, 7, 3], key=lambda won: (won,))]
    [(1, False), (2, True), (2, True), (4, False)]
    """
    best_first = sorted(((key(item), item) for item in items), key=itemgetter(0), reverse=True)
    placed: list[RankedItem[T]] = []
    for _, group in groupby(best_first, key=itemgetter(0)):
        equals = [item for _, item in group]
        place = len(placed) + 1
        placed += [RankedItem(place=place, tied=len(equals) > 1, item=item) for item in equals]
    return placed


def apply_resolutions(
    placed: Iterable[RankedItem[H]], orders: Iterable[Sequence[H]]
) -> list[RankedItem[H]]:
    """Return ranked items with ties resolved: an order lists items that were tied, best first.

    It applies only while exactly its items are tied; other ties stay.

    >>> settled = apply_resolutions(rank("abc", key=lambda name: (int(name < "c"),)), ["ba"])
    >>> [(placed.place, placed.tied, placed.item) for placed in settled]
    [(1, False, 'b'), (2, False, 'a'), (3, False, 'c')]
    """
    order_of = {frozenset(order): order for order in orders}
    settled: list[RankedItem[H]] = []
    for first_place, group in groupby(placed, key=lambda ranked: ranked.place):
        equals = list(group)
        order = order_of.get(frozenset(ranked.item for ranked in equals))
        if order is None:
            settled += equals
        else:
            settled += [
                RankedItem(place=place, tied=False, item=item)
                for place, item in enumerate(order, start=first_place)
            ]
    return settled


def merits(
    figures: Mapping[H, Mapping[str, Fraction]],
    criteria: Iterable[Criterion],
    results: Results[H] | None = None,
) -> tuple[dict[H, Merit], list[SeparateStanding[H]]]:
    """Return the merit of each entrant, and the separate standings that direct encounters made.

    A merit has the figures in order, negative if the fewest is best. *figures* are keyed by entrant
    and the key of the criterion. A direct encounter compares the entrants who are equal by the
    criteria before it; in its place a merit has the number of those ranked below.
    """
    merit_of: dict[H, Merit] = dict.fromkeys(figures, ())
    encounters: list[SeparateStanding[H]] = []
    for criterion in criteria:
        if criterion.key == DIRECT_ENCOUNTER.key:
            values = _behind_by_encounters(merit_of, results, encounters)
        else:
            # Whole numbers are hashed and compared several times as quickly as fractions.
            values = {
                entrant: int_if_whole(by_key[criterion.key]) for entrant, by_key in figures.items()
            }
        for entrant, value in values.items():
            merit_of[entrant] += (-value if criterion.fewest else value,)
    return merit_of, encounters


def _behind_by_encounters(
    merit_of: Mapping[H, Merit], results: Results[H] | None, encounters: list[SeparateStanding[H]]
) -> dict[H, Number]:
    """Return how many of its equals each entrant is ahead of; add what was compared."""
    equals_of: dict[Merit, list[H]] = defaultdict(list)
    for entrant, merit in merit_of.items():
        equals_of[merit].append(entrant)
    behind: dict[H, Number] = {}
    for equals in equals_of.values():
        groups = [equals]
        if results is not None and len(equals) > 1:
            groups, compared = direct_encounter(equals, results)
            encounters += compared
        left = len(equals)
        for group in groups:
            left -= len(group)
            behind |= dict.fromkeys(group, left)
    return behind


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedEntrant(Generic[H]):
    """An entrant with place and figures, which are keyed by the key of their criterion.

    ``merit`` has the figures in order, ``bracket`` is the place in the bracket, if any, and
    ``encounters`` are the separate standings it was in. ``separated_by`` are the tie-breaks, with
    figures, that separate the entrant from neighbours in the ranking with equal points.
    """

    place: int
    tied: bool
    entrant: H
    figures: Mapping[str, Fraction]
    merit: Merit
    bracket: int | None = None
    encounters: Sequence[SeparateStanding[H]] = ()
    separated_by: dict[Criterion, Fraction] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What sets an entrant apart from another: the first criterion in which they differ.

    ``figures`` are both, its own first; ``level`` are the criteria before it with the figure of
    both. Without a criterion, ``level`` are all of them. ``complete`` is false if the criterion is a
    direct encounter and some of those who were level had not met.
    """

    criterion: Criterion | None = None
    figures: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))
    level: tuple[tuple[Criterion, Fraction], ...] = ()
    complete: bool = True


def compare(
    own: RankedEntrant[H], other: RankedEntrant[H], criteria: Sequence[Criterion]
) -> Comparison:
    """Compare two entrants of one ranking by its *criteria*, not by a bracket or a resolution.

    Those with the same place in a bracket are level whatever their figures are.
    """
    if own.bracket is not None and own.bracket == other.bracket:
        return Comparison()
    level: list[tuple[Criterion, Fraction]] = []
    for criterion, merit, other_merit in zip(criteria, own.merit, other.merit, strict=True):
        if criterion.key != DIRECT_ENCOUNTER.key:
            figures = own.figures[criterion.key], other.figures[criterion.key]
            complete = True
        else:
            # The last of them is the one that set them apart.
            both = [each for each in own.encounters if other.entrant in each.scores]
            if not both:
                continue
            scores = both[-1].scores
            figures = Fraction(scores[own.entrant]), Fraction(scores[other.entrant])
            complete = both[-1].complete
        if merit != other_merit:
            return Comparison(
                criterion=criterion, figures=figures, level=tuple(level), complete=complete
            )
        # Entrants who never met are not level by a direct encounter.
        if figures[0] == figures[1] and complete:
            level.append((criterion, figures[0]))
    return Comparison(level=tuple(level))


def rank_entrants(
    sums: Mapping[H, Mapping[str, int]],
    criteria: Sequence[Criterion],
    *,
    awards: Iterable[tuple[H, Fraction]] = (),
    results: Results[H] | None = None,
    resolved: Iterable[Sequence[H]] = (),
    columns: Iterable[Criterion] = (),
    bracket: Mapping[H, int] = MappingProxyType({}),
) -> list[RankedEntrant[H]]:
    """Return the entrants of *sums* ranked by *criteria*, best first; equals keep their order.

    *sums* of marks (numbers that hands give) are keyed by entrant and mark. *awards* are added to
    the points, which are the first criterion. *results*, without scores and hands, are needed by
    criteria that read more than marks. *resolved* are the orders of ``apply_resolutions``.
    *columns* are further criteria to compute. *bracket* are places that replace the ranking by
    figures: entrants with a place come before those without, and those with the same place are
    tied.

    >>> from games.sheet import criterion
    >>> ranked = rank_entrants(
    ...     {"Asha": {"won": 2}, "Juma": {"won": 1}},
    ...     [criterion("won", "")],
    ...     awards=[("Juma", Fraction(3, 2))],
    ... )
    >>> [(each.place, each.entrant, str(each.figures["won"])) for each in ranked]
    [(1, 'Juma', '5/2'), (2, 'Asha', '2')]
    """
    criterion_by = {criterion.key: criterion for criterion in (*columns, *criteria)}
    figures = {
        entrant: {
            key: criterion.value(marks)
            for key, criterion in criterion_by.items()
            if criterion.reads is Reads.MARKS
        }
        for entrant, marks in sums.items()
    }
    points = criteria[0].key
    for entrant, amount in awards:
        figures[entrant][points] += amount
    if results is not None:
        results = replace(
            results,
            scores={entrant: int_if_whole(by_key[points]) for entrant, by_key in figures.items()},
            # A share is the same however many hands it was taken from.
            hands={}
            if criteria[0].per
            else {entrant: marks.get("hands", 0) for entrant, marks in sums.items()},
        )
        for criterion in criterion_by.values():
            if isinstance(criterion, TieBreak):
                for entrant, by_key in figures.items():
                    by_key[criterion.key] = Fraction(criterion.figure(results, entrant))
    merit_of, encounters = merits(figures, criteria, results)
    ranking_merit = _bracket_first(merit_of, bracket) if bracket else merit_of
    ranked_entrants = [
        RankedEntrant(
            place=ranked.place,
            tied=ranked.tied,
            entrant=ranked.item,
            figures=figures[ranked.item],
            merit=merit_of[ranked.item],
            bracket=bracket.get(ranked.item),
            encounters=[each for each in encounters if ranked.item in each.scores],
        )
        for ranked in apply_resolutions(rank(figures, key=ranking_merit.__getitem__), resolved)
    ]
    if not bracket:
        _add_separations(ranked_entrants, criteria)
    return ranked_entrants


def _bracket_first(merit_of: Mapping[H, Merit], bracket: Mapping[H, int]) -> dict[H, Merit]:
    """Return merits that rank by the *bracket*, and entrants without a place in it after all."""
    after_all = max(bracket.values()) + 1
    # In a merit more is better, so that places in it are negative.
    return {
        entrant: (-bracket[entrant],) if entrant in bracket else (-after_all, *by_figures)
        for entrant, by_figures in merit_of.items()
    }


def _add_separations(
    ranked_entrants: Iterable[RankedEntrant[H]], criteria: Sequence[Criterion]
) -> None:
    """Add the tie-breaks that separate entrants from neighbours of equal points."""
    groups = [[*group] for _, group in groupby(ranked_entrants, key=lambda each: each.merit)]
    for above, below in pairwise(groups):
        if above[0].merit[0] == below[0].merit[0]:  # the points
            both = [(each, below[0]) for each in above] + [(each, above[0]) for each in below]
            for own, other in both:
                comparison = compare(own, other, criteria)
                if comparison.criterion is not None:
                    # A direct encounter may have other figures against the neighbour below.
                    own.separated_by.setdefault(comparison.criterion, comparison.figures[0])
