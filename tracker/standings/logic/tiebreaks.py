"""What a tournament ranks by: its game's points, then the tie-breaks its organiser chose."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TypeVar

from games.game import AnyGame, Options
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


def tie_breaks_of(game: AnyGame, options: Options) -> tuple[Criterion, ...]:
    """Return everything that can part equals in this game, its own tie-breaks first."""
    rankings = [game.ranking(options, changing) for changing in (False, True)]
    if game.across is not None:
        rankings += [game.across(options, unequal) for unequal in (False, True)]
    breaks = [criterion for ranking in rankings for criterion in ranking[1:]]
    points = [ranking[0] for ranking in rankings]
    found = {criterion.key: criterion for criterion in (*breaks, *game.columns(options), *points)}
    return tuple(found.values())


def merits(
    figures: Mapping[H, Mapping[str, Fraction]],
    criteria: Iterable[Criterion],
    tables: Sequence[Mapping[H, Mapping[str, int]]] = (),
) -> dict[H, Merit]:
    """Return of each what to compare: the figures in order, turned round where the fewest is best.

    *tables* are the sums of marks of everybody who sat at each: a criterion ``head_to_head``
    asks them, of those who are level up to there.
    """
    found: dict[H, Merit] = dict.fromkeys(figures, ())
    for criterion in criteria:
        values = (
            _head_to_head_by_merit(found, criterion, tables)
            if criterion.head_to_head
            else {one: own[criterion.key] for one, own in figures.items()}
        )
        for one, value in values.items():
            found[one] = (*found[one], -value if criterion.fewest else value)
    return found


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
    got: dict[H, Counter[str]] = {one: Counter() for one in level}
    met: Counter[frozenset[H]] = Counter()
    for table in tables:
        there = [one for one in level if one in table]
        if len(there) > 1:
            met.update(frozenset(pair) for pair in combinations(there, 2))
            for one in there:
                got[one].update(table[one])
    times = {met[frozenset(pair)] for pair in combinations(level, 2)}
    fair = len(times) == 1
    return {one: criterion.value(sums) if fair else Fraction(0) for one, sums in got.items()}


def _head_to_head_by_merit(
    merits_so_far: Mapping[H, Merit],
    criterion: Criterion,
    tables: Sequence[Mapping[H, Mapping[str, int]]],
) -> dict[H, Fraction]:
    level: dict[Merit, list[H]] = defaultdict(list)
    for one, merit in merits_so_far.items():
        level[merit].append(one)
    found: dict[H, Fraction] = {}
    for those in level.values():
        found |= head_to_head(those, criterion, tables)
    return found
