"""Nights planned with the fewest repeats, beside the best of many lots and what rivals reach.

Tables of four in two pairs. A repeat is a pair that is once more what it was before: partners,
opponents, or at one table in any way; the bound is by counting, and "-" is what a rival's
figures do not say. Spreads are the most less the fewest of anybody who played as long: of one's
own places at the table, openings, rests, rounds at a table of another shape.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from time import process_time

from games.mode import individuals, teams
from tracker.movements.fewest_repeats import fewest_repeats
from tracker.movements.meetings import meetings_at
from tracker.movements.types import (
    DealCounts,
    MeetingKind,
    Question,
    RoundSeating,
    TableSeating,
    TableShape,
)

FOUR = TableShape("4t2", teams(4, 2, "").sides)
OTHERS = (
    TableShape("3i", individuals(3, "").sides),
    TableShape("5i", individuals(5, "").sides),
    TableShape("6t2", teams(6, 2, "").sides),
)
PLAYERS = (
    *(8, 9, 10, 12, 13, 14, 15, 16, 17, 20, 24, 25, 28, 29, 32, 33, 37, 40, 41, 60, 80),
    *(100, 101, 200),
)
ROUNDS = (3, 5, 6, 7, 8, 10, 15)
LOTS = 100  # of which the baseline takes the best, each round
# Repeats of partners and opponents of good-enough-golfers with greedy partners; of meetings
# of Pantheon's shuffles.
GOLFERS: Mapping[tuple[int, int], tuple[int, int]] = {
    (8, 7): (2, 28),
    (12, 6): (0, 17),
    (16, 5): (0, 0),
    (16, 8): (2, 23),
    (20, 8): (0, 11),
    (24, 10): (2, 21),
    (32, 8): (0, 0),
    (40, 10): (0, 0),
}
SHUFFLES: Mapping[tuple[int, int], int] = {(12, 6): 44, (16, 5): 23, (32, 8): 78, (40, 10): 119}


@dataclass(frozen=True, slots=True)
class Night:
    """What a night repeats, and how uneven it is."""

    repeats: Mapping[MeetingKind, int]
    chairs: int
    openings: int
    rests: int
    odd: int
    seconds: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="8 to 101 players, 3 to 15 rounds")
    parser.add_argument("--players", type=int, nargs="*")
    parser.add_argument("--rounds", type=int, nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    players = given.players or (range(8, 102) if given.all else PLAYERS)
    rounds = given.rounds or (range(3, 16) if given.all else ROUNDS)
    whole_nights(players, rounds, given.seed)
    round_by_round(players, rounds, given.seed)
    # Swiss beside py4swiss comes here.


def whole_nights(players: Sequence[int], rounds: Sequence[int], seed: int) -> None:
    """Print every night planned at once: ours, of lots, a rival's, and the bound."""
    print("\nA night planned at once, repeats as ours / lots / rival / bound")
    head("partners", "meetings", "opponents")
    for each in players:
        for number in rounds:
            for odd_tables in (False, True) if each % 4 else (False,):
                asked = question(each, number, seed, odd_tables=odd_tables)
                begun = process_time()
                plan = fewest_repeats(asked)
                ours = judged(asked, plan.rounds, process_time() - begun)
                lots = by_lots(asked, plan.rounds)
                golfers = GOLFERS.get((each, number), ("-", "-"))
                rivals = (golfers[0], SHUFFLES.get((each, number), "-"), golfers[1])
                cells = [
                    f"{ours.repeats[kind]} / {lots[kind]} / {rival} / {plan.account.bounds[kind]}"
                    for kind, rival in zip(
                        (MeetingKind.PARTNERS, MeetingKind.MEETING, MeetingKind.OPPONENTS),
                        rivals,
                        strict=True,
                    )
                ]
                line(f"{each}x{number}{' odd' if odd_tables else ''}", cells, ours)


def round_by_round(players: Sequence[int], rounds: Sequence[int], seed: int) -> None:
    """Print the same nights if each round is planned when it comes; the time is of the slowest."""
    print("\nRound by round, repeats as ours / lots; the seconds of the slowest round")
    head("partners", "meetings", "opponents")
    for each in players:
        for number in rounds:
            asked = question(each, number, seed)
            played: tuple[RoundSeating, ...] = ()
            slowest = 0.0
            for _ in range(number):
                now = replace(
                    asked, present=asked.present[:1], played=played, deal_counts=dealt(played)
                )
                begun = process_time()
                played += fewest_repeats(now).rounds
                slowest = max(slowest, process_time() - begun)
            ours, lots = judged(asked, played, slowest), by_lots(asked, played)
            cells = [
                f"{ours.repeats[kind]} / {lots[kind]}"
                for kind in (MeetingKind.PARTNERS, MeetingKind.MEETING, MeetingKind.OPPONENTS)
            ]
            line(f"{each}x{number}", cells, ours)


def question(players: int, rounds: int, seed: int, *, odd_tables: bool = False) -> Question:
    return Question(
        present=(tuple(range(1, players + 1)),) * rounds,
        shape=FOUR,
        other_shapes=OTHERS,
        odd_tables=odd_tables,
        seed=seed,
    )


def dealt(played: Sequence[RoundSeating]) -> dict[int, DealCounts]:
    """Say who opened how often, and when last."""
    opened: dict[int, DealCounts] = {}
    for number, seating in enumerate(played, start=-len(played)):
        for table in seating.tables:
            if table.opener is not None:
                unit = table.units[table.opener]
                times = opened.get(unit, DealCounts()).opened + 1
                opened[unit] = DealCounts(opened=times, dealt=times, last_dealt=number)
    return opened


def judged(asked: Question, rounds: Sequence[RoundSeating], seconds: float) -> Night:
    """Count a night from scratch."""
    places: dict[tuple[int, str], Counter[int]] = {}
    sat, rests, odd, opened = Counter[int](), Counter[int](), Counter[int](), Counter[int]()
    for seating in rounds:
        rests.update(seating.resting)
        for table in seating.tables:
            sat.update(table.units)
            if table.opener is not None:
                opened[table.units[table.opener]] += 1
            if table.shape != asked.shape:
                odd.update(table.units)
            for place, unit in enumerate(table.units):
                places.setdefault((unit, table.shape.code), Counter())[place] += 1
    units = asked.present[0]
    longest = max(sat.values())
    as_long = [unit for unit in units if sat[unit] == longest]
    sizes = {shape.code: shape.size for shape in (asked.shape, *asked.other_shapes)}
    return Night(
        repeats=repeats(seating.tables for seating in rounds),
        chairs=max(
            spread([times[place] for place in range(sizes[code])])
            for (_, code), times in places.items()
        ),
        openings=spread([opened[unit] for unit in as_long]),
        rests=spread([rests[unit] for unit in units]),
        odd=spread([odd[unit] for unit in units]),
        seconds=seconds,
    )


def spread(times: Sequence[int]) -> int:
    return max(times) - min(times)


def repeats(rounds: Iterator[Sequence[TableSeating]]) -> dict[MeetingKind, int]:
    met: dict[MeetingKind, Counter[tuple[int, int]]] = {kind: Counter() for kind in MeetingKind}
    for tables in rounds:
        for kind, pair in meetings_at(tables):
            met[kind][pair] += 1
    return {kind: sum(times - 1 for times in pairs.values()) for kind, pairs in met.items()}


def by_lots(asked: Question, rounds: Sequence[RoundSeating]) -> dict[MeetingKind, int]:
    """Count what repeats if each of these rounds is shaken often, and the best lot is taken.

    The same people sit at tables of the same shapes, and at odd tables those whose turn it is.
    """
    rng = Random(asked.seed)
    met: Counter[tuple[MeetingKind, tuple[int, int]]] = Counter()
    weight = {MeetingKind.PARTNERS: 12, MeetingKind.MEETING: 1, MeetingKind.OPPONENTS: 3}
    for seating in rounds:
        lots = [list(meetings_at(_lot(asked.shape, seating.tables, rng))) for _ in range(LOTS)]
        met.update(min(lots, key=lambda lot: sum(weight[way[0]] * met[way] for way in lot)))
    return {
        kind: sum(times - 1 for (each, _), times in met.items() if each is kind)
        for kind in MeetingKind
    }


def _lot(usual: TableShape, tables: Sequence[TableSeating], rng: Random) -> list[TableSeating]:
    shaken = []
    for odd in (False, True):
        of_kind = [table for table in tables if (table.shape != usual) is odd]
        units = [unit for table in of_kind for unit in table.units]
        row = iter(rng.sample(units, len(units)))
        shaken += [
            TableSeating(shape=table.shape, units=tuple(next(row) for _ in table.units))
            for table in of_kind
        ]
    return shaken


def head(*kinds: str) -> None:
    names = "".join(f"{kind:>26}" for kind in kinds)
    print(f"{'':<12}{names}{'chairs':>8}{'opening':>8}{'rests':>7}{'odd':>5}{'s':>8}")


def line(name: str, cells: Sequence[str], ours: Night) -> None:
    repeated = "".join(f"{cell:>26}" for cell in cells)
    print(
        f"{name:<12}{repeated}{ours.chairs:>8}{ours.openings:>8}{ours.rests:>7}{ours.odd:>5}"
        f"{ours.seconds:>8.2f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
