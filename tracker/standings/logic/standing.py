"""Ranking of entrants: from sums, awards and tables met to figures and places."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import Generic, TypeVar

from games.sheet import Criterion
from tracker.standings.logic.ranking import Merit, rank, settle
from tracker.standings.logic.tiebreaks import merits

H = TypeVar("H", bound=Hashable)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedEntrant(Generic[H]):
    """An entrant with a place, and what gave it: the figures by key of their criterion.

    ``separated_by`` are the tie-breaks that put them before or behind a neighbour of equal points.
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

    *awards* add to somebody's points, which are the first criterion. *tables* tell who got
    what where, for those who are level. *resolved* are ties that were put in order otherwise.
    *columns* are figures worked out besides. *bracket* are places that somebody has whatever
    the figures say: who has one stands before who has none, and one place is shared.

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
        entrant: {key: criterion.value(own) for key, criterion in wanted}
        for entrant, own in sums.items()
    }
    points = criteria[0].key
    for entrant, amount in awards:
        figures[entrant][points] += amount
    merit = merits(figures, criteria, tables)
    if bracket:
        last = max(bracket.values()) + 1
        merit = {
            entrant: (-bracket[entrant],) if entrant in bracket else (-last, *own)
            for entrant, own in merit.items()
        }
    placed = settle(rank(figures, key=merit.__getitem__), resolved)
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
        first = next(at for at, (own, others) in enumerate(both) if own != others)
        for own in (above, below) if first else ():
            value = Fraction(own[first])
            found[own][criteria[first]] = -value if criteria[first].fewest else value
    return found
