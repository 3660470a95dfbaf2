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
H = TypeVar("H", bound=Hashable)
# Figures to compare, the most important first; of each, more is better.
Merit: TypeAlias = tuple[Fraction | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedItem(Generic[T]):
    """An item with its place, from 1; ``tied`` if it shares that place."""

    place: int
    tied: bool
    item: T


def rank(items: Iterable[T], key: Callable[[T], Merit]) -> list[RankedItem[T]]:
    """Return the items best first; equals share a place, and as many places are left out after it.

    Equals keep their order.

    >>> [(placed.place, placed.tied) for placed in rank([7, 9, 7, 3], key=lambda won: (won,))]
    [(1, False), (2, True), (2, True), (4, False)]
    """
    best_first = sorted(((key(item), item) for item in items), key=itemgetter(0), reverse=True)
    placed: list[RankedItem[T]] = []
    for _, equals in groupby(best_first, key=itemgetter(0)):
        level = [item for _, item in equals]
        place = len(placed) + 1
        placed += [RankedItem(place=place, tied=len(level) > 1, item=item) for item in level]
    return placed


def apply_resolutions(
    placed: Iterable[RankedItem[H]], orders: Iterable[Sequence[H]]
) -> list[RankedItem[H]]:
    """Return the items with the ties resolved for which there is an order, best first.

    An order applies only while exactly its items are tied.

    >>> settled = apply_resolutions(rank("abc", key=lambda name: (int(name < "c"),)), ["ba"])
    >>> [(placed.place, placed.tied, placed.item) for placed in settled]
    [(1, False, 'b'), (2, False, 'a'), (3, False, 'c')]
    """
    known = {frozenset(order): order for order in orders}
    settled: list[RankedItem[H]] = []
    for place, equals in groupby(placed, key=lambda placed: placed.place):
        level = list(equals)
        order = known.get(frozenset(placed.item for placed in level))
        if order is None:
            settled += level
        else:
            settled += [
                RankedItem(place=place + later, tied=False, item=item)
                for later, item in enumerate(order)
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
    points, *breaks = ranking
    if chosen:
        known = {criterion.key: criterion for criterion in (*others, *ranking)}
        breaks = [known[key] for key in chosen if key in known and key != points.key]
    return (points, *breaks)


def merits(
    figures: Mapping[H, Mapping[str, Fraction]],
    criteria: Iterable[Criterion],
    tables: Sequence[Mapping[H, Mapping[str, int]]] = (),
) -> dict[H, Merit]:
    """Return the merit of each entrant: its figures in order, negative if the fewest is best.

    *tables* are the sums of all entrants at each table. A head-to-head criterion compares by them
    those who are level by the criteria before.
    """
    merits_so_far: dict[H, Merit] = dict.fromkeys(figures, ())
    for criterion in criteria:
        if criterion.head_to_head:
            level: dict[Merit, list[H]] = defaultdict(list)
            for entrant, merit in merits_so_far.items():
                level[merit].append(entrant)
            values: dict[H, Fraction] = {}
            for equals in level.values():
                values |= head_to_head(equals, criterion, tables)
        else:
            values = {entrant: each[criterion.key] for entrant, each in figures.items()}
        for entrant, value in values.items():
            merits_so_far[entrant] += (-value if criterion.fewest else value,)
    return merits_so_far


def head_to_head(
    level: Sequence[H], criterion: Criterion, tables: Iterable[Mapping[H, Mapping[str, int]]]
) -> dict[H, Fraction]:
    """Return the figure of each entrant in *level* at the tables where they met each other.

    All are 0 unless each has met each other equally often.

    >>> from games.sheet import criterion
    >>> tables = [{"Asha": {"won": 1}, "Juma": {}}, {"Asha": {}, "Neema": {"won": 1}}]
    >>> head_to_head(["Juma", "Asha"], criterion("won", ""), tables)
    {'Juma': Fraction(0, 1), 'Asha': Fraction(1, 1)}
    """
    sums: dict[H, Counter[str]] = {entrant: Counter() for entrant in level}
    met: Counter[frozenset[H]] = Counter()
    for table in tables:
        there = [entrant for entrant in level if entrant in table]
        if len(there) > 1:
            met.update(frozenset(pair) for pair in combinations(there, 2))
            for entrant in there:
                sums[entrant].update(table[entrant])
    times = {met[frozenset(pair)] for pair in combinations(level, 2)}
    fair = len(times) == 1
    return {
        entrant: criterion.value(marks) if fair else Fraction(0) for entrant, marks in sums.items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedEntrant(Generic[H]):
    """An entrant with place and figures, by key of their criterion.

    ``separated_by`` are the tie-breaks, with values, between it and neighbours of equal points.
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

    *awards* are added to the points, which are the first criterion. *tables* are those of
    ``merits``, *resolved* the orders of ``apply_resolutions``. *columns* are further criteria to
    compute. *bracket* are places that replace the ranking by figures: entrants with one come
    before those without, and entrants with the same one are tied.

    >>> from games.sheet import criterion
    >>> ranked = rank_entrants(
    ...     {"Asha": {"won": 2}, "Juma": {"won": 1}},
    ...     [criterion("won", "")],
    ...     awards=[("Juma", Fraction(3, 2))],
    ... )
    >>> [(each.place, each.entrant, str(each.figures["won"])) for each in ranked]
    [(1, 'Juma', '5/2'), (2, 'Asha', '2')]
    """
    wanted = {criterion.key: criterion for criterion in (*columns, *criteria)}.items()
    figures = {
        entrant: {key: criterion.value(marks) for key, criterion in wanted}
        for entrant, marks in sums.items()
    }
    points = criteria[0].key
    for entrant, amount in awards:
        figures[entrant][points] += amount
    merit = merits(figures, criteria, tables)
    if bracket:
        last = max(bracket.values()) + 1
        merit = {
            entrant: (-bracket[entrant],) if entrant in bracket else (-last, *by_figures)
            for entrant, by_figures in merit.items()
        }
    placed = apply_resolutions(rank(figures, key=merit.__getitem__), resolved)
    separated = {} if bracket else _separated_by(merit.values(), criteria)
    return [
        RankedEntrant(
            place=each.place,
            tied=each.tied,
            entrant=each.item,
            figures=figures[each.item],
            separated_by=separated.get(merit[each.item], {}),
        )
        for each in placed
    ]


def _separated_by(
    merits: Iterable[Merit], criteria: Sequence[Criterion]
) -> dict[Merit, dict[Criterion, Fraction]]:
    """Return for each merit the tie-breaks between it and its neighbours of equal points."""
    found: dict[Merit, dict[Criterion, Fraction]] = {merit: {} for merit in merits}
    for above, below in pairwise(sorted(found, reverse=True)):
        both = zip(above, below, strict=True)
        first = next(at for at, (figure, other) in enumerate(both) if figure != other)
        for merit in (above, below) if first else ():
            value = Fraction(merit[first])
            found[merit][criteria[first]] = -value if criteria[first].fewest else value
    return found
