"""The tie-breaks that every game offers: opponents' strength, direct encounter, wins and lots.

They follow FIDE's Tie-Break Regulations (Handbook C.07); each names its article. ``results`` says
what rounds that were not played count as.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from hashlib import sha256
from typing import Any

from games.errors import gettext_noop
from games.sheet import Criterion, Reads, criterion
from tracker.criteria.results import H, Kind, Number, Results, mean


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreak(Criterion):
    """A criterion whose figure is worked out from the ``Results`` of all entrants."""

    reads: Reads = Reads.MEETINGS
    figure: Callable[[Results[Any], Any], Number]
    # Whether more of the points that rank make it less: then the fewest is best, too.
    follows_points: bool = False
    # Whether it suits points that are a share of a table or of which the fewest is best; a round
    # robin; and any other movement.
    of_shares: bool = True
    in_round_robin: bool = True
    elsewhere: bool = True
    # Whether it adds up what opponents have scored.
    adds_opponents: bool = False

    def suits(self, points: Criterion, *, round_robin: bool | None) -> bool:
        """Return whether it can break ties of these points; ``None``: in any movement."""
        if not self.of_shares and (points.per or points.fewest):
            return False
        return round_robin is None or (self.in_round_robin if round_robin else self.elsewhere)


def buchholz(
    results: Results[H], entrant: H, *, low: int = 0, high: int = 0, fore: bool = False
) -> Number:
    """Return the sum of the opponents' scores (8.1), without the *low* least and *high* most."""
    kept = results.contributions(entrant, fore=fore)
    if low or high:
        # Rounds they chose not to play are cut before all others (16.5).
        kept = sorted(kept, key=lambda each: (not each.voluntary, each.score))[low:]
    if high:
        kept = sorted(kept, key=lambda each: each.score)[: max(0, len(kept) - high)]
    return sum(each.score for each in kept)


def _average_of_buchholz(results: Results[H], entrant: H) -> Number:
    return _mean_over_played(results, entrant, lambda opponent: buchholz(results, opponent))


def _strength_per_round(results: Results[H], entrant: H) -> Number:
    def per_hand(opponent: H) -> Number:
        return Fraction(results.scores[opponent]) / max(1, results.hands.get(opponent, 0))

    return _mean_over_played(results, entrant, per_hand)


def _mean_over_played(results: Results[H], entrant: H, value: Callable[[H], Number]) -> Number:
    """Return the mean over the rounds played of the mean *value* of the opponents in each."""
    played = [record for record in results.of(entrant) if record.kind is Kind.PLAYED]
    return mean([mean([value(opponent) for opponent in each.opponents]) for each in played])


def _sonneborn_berger(results: Results[H], entrant: H) -> Number:
    return sum(each.score * each.points for each in results.contributions(entrant))


def _koya(results: Results[H], entrant: H) -> Number:
    win = 2 * results.draw if results.win is None else results.win
    half = Fraction(win * results.most_played, 2)
    total: Number = 0
    for record in results.of(entrant):
        if results.counts_as_played(record):
            good = sum(
                results.scores[opponent] - results.carried.get(opponent, 0) >= half
                for opponent in record.opponents
            )
            total += record.points * Fraction(good, len(record.opponents))
    return total


def _progressive(results: Results[H], entrant: H) -> Number:
    rounds = results.last_round
    return sum(each.points * (rounds + 1 - each.round) for each in results.of(entrant))


def _wins(results: Results[H], entrant: H) -> int:
    return sum(record.won for record in results.of(entrant))


def _wins_played(results: Results[H], entrant: H) -> int:
    return sum(record.won for record in results.of(entrant) if record.kind is Kind.PLAYED)


def _difference(results: Results[H], entrant: H) -> Number:
    return sum(record.difference for record in results.of(entrant))


def _lot(results: Results[H], entrant: H) -> int:
    return results.lots.get(entrant, 0)


DIRECT_ENCOUNTER = TieBreak(
    key="head_to_head",  # which tournaments of earlier versions have stored
    label=gettext_noop("Direct encounter"),
    short=gettext_noop("DE"),
    meaning=gettext_noop("points against each of those who are level, added up"),
    decision=gettext_noop(
        "Points against each of those who were level, added up: %(above)s %(more)s,"
        " %(below)s %(less)s."
    ),
    source="FIDE C.07, 6",
    figure=lambda _results, _entrant: 0,  # see ``direct_encounter``
)
LOTS = TieBreak(
    key="lots",
    label=gettext_noop("Lot"),
    meaning=gettext_noop("drawn from a number that everybody can see"),
    decision=gettext_noop("By lot: %(above)s drew %(more)s, %(below)s %(less)s."),
    source="FIDE C.07, 4.2",
    reads=Reads.LOTS,
    figure=_lot,
    fewest=True,
)
FEWEST_OPENINGS = criterion(
    "opened",
    gettext_noop("Dealt first"),
    meaning=gettext_noop("at how many tables they dealt the first hand; the fewest is best"),
    fewest=True,
)
# They add up opponents' points, which are no shares; in a round robin everybody has the same opponents.
_OverOpponents = partial(TieBreak, of_shares=False, in_round_robin=False, adds_opponents=True)
_BY_RESULTS = (
    DIRECT_ENCOUNTER,
    _OverOpponents(
        key="buchholz",
        label=gettext_noop("Buchholz"),
        short=gettext_noop("BH"),
        meaning=gettext_noop("the opponents’ points added up"),
        decision=gettext_noop("%(above)s’s opponents scored %(more)s, %(below)s’s %(less)s."),
        many=gettext_noop("%(number)s Buchholz"),
        source="FIDE C.07, 8.1",
        figure=buchholz,
    ),
    _OverOpponents(
        key="buchholz_cut1",
        label=gettext_noop("Buchholz cut 1"),
        short=gettext_noop("BH-C1"),
        meaning=gettext_noop("the opponents’ points without the weakest opponent"),
        decision=gettext_noop(
            "Without the weakest, %(above)s’s opponents scored %(more)s, %(below)s’s %(less)s."
        ),
        many=gettext_noop("%(number)s Buchholz cut 1"),
        source="FIDE C.07, 8.1 and 14.1",
        figure=partial(buchholz, low=1),
    ),
    _OverOpponents(
        key="buchholz_cut2",
        label=gettext_noop("Buchholz cut 2"),
        short=gettext_noop("BH-C2"),
        meaning=gettext_noop("the opponents’ points without the two weakest opponents"),
        decision=gettext_noop(
            "Without the two weakest, %(above)s’s opponents scored %(more)s, %(below)s’s %(less)s."
        ),
        many=gettext_noop("%(number)s Buchholz cut 2"),
        source="FIDE C.07, 8.1 and 14.2",
        figure=partial(buchholz, low=2),
    ),
    _OverOpponents(
        key="buchholz_median",
        label=gettext_noop("Buchholz median"),
        short=gettext_noop("BH-M1"),
        meaning=gettext_noop("the opponents’ points without the weakest and the strongest"),
        decision=gettext_noop(
            "Without the weakest and the strongest, %(above)s’s opponents scored %(more)s, %(below)s’s %(less)s."
        ),
        many=gettext_noop("%(number)s Buchholz median"),
        source="FIDE C.07, 8.1 and 14.3",
        figure=partial(buchholz, low=1, high=1),
    ),
    _OverOpponents(
        key="average_of_buchholz",
        label=gettext_noop("Opponents’ Buchholz"),
        short=gettext_noop("AOB"),
        meaning=gettext_noop("the mean of the opponents’ own Buchholz scores"),
        source="FIDE C.07, 8.2",
        figure=_average_of_buchholz,
    ),
    _OverOpponents(
        key="fore_buchholz",
        label=gettext_noop("Fore Buchholz"),
        short=gettext_noop("FB"),
        meaning=gettext_noop("the opponents’ points as if the last round had been drawn"),
        many=gettext_noop("%(number)s fore Buchholz"),
        source="FIDE C.07, 8.3",
        figure=partial(buchholz, fore=True),
    ),
    TieBreak(
        key="sonneborn_berger",
        label=gettext_noop("Sonneborn-Berger"),
        short=gettext_noop("SB"),
        meaning=gettext_noop("each opponent’s points times the points won against them"),
        many=gettext_noop("%(number)s Sonneborn-Berger"),
        source="FIDE C.07, 9.1",
        figure=_sonneborn_berger,
        of_shares=False,
        adds_opponents=True,
    ),
    TieBreak(
        key="koya",
        label=gettext_noop("Koya"),
        short=gettext_noop("KS"),
        meaning=gettext_noop("points won against opponents with half of all points or more"),
        many=gettext_noop("%(number)s Koya"),
        source="FIDE C.07, 9.2",
        figure=_koya,
        of_shares=False,
        elsewhere=False,
    ),
    TieBreak(
        key="progressive",
        label=gettext_noop("Progressive"),
        short=gettext_noop("PS"),
        meaning=gettext_noop("the points after each round added up: early points count more"),
        source="FIDE C.07, 7.5",
        figure=_progressive,
        of_shares=False,
    ),
    TieBreak(
        key="wins",
        label=gettext_noop("Rounds won"),
        short=gettext_noop("WIN"),
        meaning=gettext_noop("with or without playing"),
        source="FIDE C.07, 7.1",
        figure=_wins,
    ),
    TieBreak(
        key="wins_played",
        label=gettext_noop("Rounds won at a table"),
        short=gettext_noop("WON"),
        meaning=gettext_noop("without byes and forfeits"),
        source="FIDE C.07, 7.2",
        figure=_wins_played,
    ),
    TieBreak(
        key="difference",
        label=gettext_noop("Difference"),
        short=gettext_noop("+/−"),
        meaning=gettext_noop("own points less the opponents’ at the same tables"),
        figure=_difference,
        of_shares=False,
    ),
    TieBreak(
        key="strength_per_round",
        label=gettext_noop("Strength per round"),
        short=gettext_noop("SPR"),
        meaning=gettext_noop(
            "the opponents’ points for each hand, on average over the rounds played"
        ),
        figure=_strength_per_round,
        follows_points=True,
    ),
)
LOT_NUMBERS = 10**9  # lots are drawn from one of so many numbers
# Not all of them suit every kind of points and movement.
KEYS_OF_EVERY_GAME = frozenset(each.key for each in (*_BY_RESULTS, FEWEST_OPENINGS, LOTS))


def tie_breaks_for(points: Criterion, *, round_robin: bool | None) -> tuple[Criterion, ...]:
    """Return the tie-breaks that suit these points, in a fixed order; ``None``: in any movement."""
    suitable: list[Criterion] = [
        replace(each, fewest=points.fewest) if each.follows_points else each
        for each in _BY_RESULTS
        if each.suits(points, round_robin=round_robin)
    ]
    return (*suitable, FEWEST_OPENINGS, LOTS)


def draw_lots(seed: int, uids: Mapping[H, str]) -> dict[H, int]:
    """Return the place from 1 that each entrant draws: the order of SHA-256 of seed and uid.

    >>> draw_lots(1, {"Asha": "a", "Juma": "b"}) == draw_lots(1, {"Juma": "b", "Asha": "a"})
    True
    """
    drawn = sorted(uids, key=lambda entrant: sha256(f"{seed}:{uids[entrant]}".encode()).digest())
    return {entrant: place for place, entrant in enumerate(drawn, start=1)}
