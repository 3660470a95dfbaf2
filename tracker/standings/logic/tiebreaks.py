"""Tie-breaks: which criteria decide, and what of each is compared where people are level."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TypeVar

from games.sheet import Criterion
from tracker.standings.logic.ranking import Merit

H = TypeVar("H", bound=Hashable)


def criteria_for(
    ranking: Sequence[Criterion], chosen: Sequence[str], others: Iterable[Criterion]
) -> tuple[Criterion, ...]:
    """Return the criteria that decide, the most important first.

    The first of *ranking* always leads. The rest are the tie-breaks *chosen* by key,
    from the ranking or the *others* a game has, or without any choice the game's own.
    A key that the game does not have under these house rules is passed over.
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
    """Return of each what to compare: the figures in order, turned round where the fewest is best.

    *tables* are the sums of marks of everybody who sat at each: a criterion ``head_to_head``
    asks them, of those who are level up to there.
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
            values = {entrant: own[criterion.key] for entrant, own in figures.items()}
        for entrant, value in values.items():
            merits_so_far[entrant] += (-value if criterion.fewest else value,)
    return merits_so_far


def head_to_head(
    level: Sequence[H], criterion: Criterion, tables: Iterable[Mapping[H, Mapping[str, int]]]
) -> dict[H, Fraction]:
    """Return what those of *level* got at the tables where they met each other.

    It is nothing for anybody unless everybody has met everybody else equally often.

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
    return {entrant: criterion.value(own) if fair else Fraction(0) for entrant, own in sums.items()}
