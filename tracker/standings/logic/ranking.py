"""Ranking entrants: the figures to compare, tie-breaks, places and ties."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, groupby, pairwise
from operator import itemgetter
from types import MappingProxyType
from typing import Generic, TypeAlias, TypeVar

from games.sheet import Criterion

T = TypeVar("T")
H = TypeVar("H", bound=Hashable)  # an entrant
# Figures to compare, the most important first; more is better: a "fewest" figure is made negative.
Merit: TypeAlias = tuple[Fraction | int, ...]


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


def criteria_for(
    ranking: Sequence[Criterion], chosen: Sequence[str], others: Iterable[Criterion]
) -> tuple[Criterion, ...]:
    """Return the criteria that decide, the most important first.

    The first of *ranking* leads. The tie-breaks are those *chosen* by key from the ranking and
    the *others* of the game; if none is chosen, the rest of the ranking. A key that the game does
    not have under these house rules is passed over.
    """
    points, *tie_breaks = ranking
    if chosen:
        by_key = {criterion.key: criterion for criterion in (*others, *ranking)}
        tie_breaks = [by_key[key] for key in chosen if key in by_key and key != points.key]
    return (points, *tie_breaks)


def merits(
    figures: Mapping[H, Mapping[str, Fraction]],
    criteria: Iterable[Criterion],
    tables: Sequence[Mapping[H, Mapping[str, int]]] = (),
) -> dict[H, Merit]:
    """Return the merit of each entrant: its figures in order, negative if the fewest is best.

    *figures* are keyed by entrant and the key of the criterion. *tables* are the sums of marks at
    each table, keyed by entrant and mark. A head-to-head criterion compares by them the entrants
    who are equal by the criteria before it.
    """
    merits_so_far: dict[H, Merit] = dict.fromkeys(figures, ())
    for criterion in criteria:
        if criterion.head_to_head:
            equals_of: dict[Merit, list[H]] = defaultdict(list)
            for entrant, merit in merits_so_far.items():
                equals_of[merit].append(entrant)
            values: dict[H, Fraction] = {}
            for equals in equals_of.values():
                values |= head_to_head(equals, criterion, tables)
        else:
            values = {entrant: by_key[criterion.key] for entrant, by_key in figures.items()}
        for entrant, value in values.items():
            merits_so_far[entrant] += (-value if criterion.fewest else value,)
    return merits_so_far


def head_to_head(
    equals: Sequence[H], criterion: Criterion, tables: Iterable[Mapping[H, Mapping[str, int]]]
) -> dict[H, Fraction]:
    """Return the figure of each entrant in *equals* at the tables where they met each other.

    All figures are 0 unless every two have met equally often; a single entrant has 0 as well.

    >>> from games.sheet import criterion
    >>> tables = [{"Asha": {"won": 1}, "Juma": {}}, {"Asha": {}, "Neema": {"won": 1}}]
    >>> head_to_head(["Juma", "Asha"], criterion("won", ""), tables)
    {'Juma': Fraction(0, 1), 'Asha': Fraction(1, 1)}
    """
    sums: dict[H, Counter[str]] = {entrant: Counter() for entrant in equals}
    meetings: Counter[frozenset[H]] = Counter()
    for table in tables:
        at_table = [entrant for entrant in equals if entrant in table]
        if len(at_table) > 1:
            meetings.update(frozenset(pair) for pair in combinations(at_table, 2))
            for entrant in at_table:
                sums[entrant].update(table[entrant])
    fair = len({meetings[frozenset(pair)] for pair in combinations(equals, 2)}) == 1
    return {
        entrant: criterion.value(marks) if fair else Fraction(0) for entrant, marks in sums.items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedEntrant(Generic[H]):
    """An entrant with place and figures, which are keyed by the key of their criterion.

    ``separated_by`` are the tie-breaks, with figures, that separate the entrant from neighbours
    in the ranking with equal points.
    """

    place: int
    tied: bool
    entrant: H
    figures: Mapping[str, Fraction]
    separated_by: Mapping[Criterion, Fraction]


def rank_entrants(
    sums: Mapping[H, Mapping[str, int]],
    criteria: Sequence[Criterion],
    *,
    awards: Iterable[tuple[H, Fraction]] = (),
    tables: Sequence[Mapping[H, Mapping[str, int]]] = (),
    resolved: Iterable[Sequence[H]] = (),
    columns: Iterable[Criterion] = (),
    bracket: Mapping[H, int] = MappingProxyType({}),
) -> list[RankedEntrant[H]]:
    """Return the entrants of *sums* ranked by *criteria*, best first; equals keep their order.

    *sums* of marks (numbers that hands give) are keyed by entrant and mark. *awards* are added to
    the points, which are the first criterion. *tables* are those of ``merits``, *resolved* the
    orders of ``apply_resolutions``. *columns* are further criteria to compute. *bracket* are places
    that replace the ranking by figures: entrants with a place come before those without, and those
    with the same place are tied.

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
        entrant: {key: criterion.value(marks) for key, criterion in criterion_by.items()}
        for entrant, marks in sums.items()
    }
    points = criteria[0].key
    for entrant, amount in awards:
        figures[entrant][points] += amount
    merit_of = merits(figures, criteria, tables)
    separated = {} if bracket else _separated_by(merit_of.values(), criteria)
    if bracket:
        merit_of = _bracket_first(merit_of, bracket)
    return [
        RankedEntrant(
            place=ranked.place,
            tied=ranked.tied,
            entrant=ranked.item,
            figures=figures[ranked.item],
            separated_by=separated.get(merit_of[ranked.item], {}),
        )
        for ranked in apply_resolutions(rank(figures, key=merit_of.__getitem__), resolved)
    ]


def _bracket_first(merit_of: Mapping[H, Merit], bracket: Mapping[H, int]) -> dict[H, Merit]:
    """Return merits that rank by the *bracket*, and entrants without a place in it after all."""
    after_all = max(bracket.values()) + 1
    # In a merit more is better, so that places in it are negative.
    return {
        entrant: (-bracket[entrant],) if entrant in bracket else (-after_all, *by_figures)
        for entrant, by_figures in merit_of.items()
    }


def _separated_by(
    all_merits: Iterable[Merit], criteria: Sequence[Criterion]
) -> dict[Merit, dict[Criterion, Fraction]]:
    """Return for each merit the tie-breaks between it and its neighbours, with its own figures.

    Two neighbours of equal points are separated by the first figure in which they differ.
    """
    separated: dict[Merit, dict[Criterion, Fraction]] = {merit: {} for merit in all_merits}
    for above, below in pairwise(sorted(separated, reverse=True)):
        both = enumerate(zip(above, below, strict=True))  # which differ, as keys do
        position = next(index for index, (figure, other) in both if figure != other)
        if position == 0:  # the points differ
            continue
        tie_break = criteria[position]
        for merit in (above, below):
            figure = Fraction(merit[position])
            separated[merit][tie_break] = -figure if tie_break.fewest else figure
    return separated
