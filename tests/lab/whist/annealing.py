"""Annealing at a constant temperature: swap by lot, take back most of what makes it worse."""

from collections.abc import Sequence
from math import exp
from random import Random
from typing import NamedTuple

from tests.lab.whist.puzzles import OPPONENTS, PARTNERS, SEATS, Puzzle

TEMPERATURE = 0.9


class TableToFill(NamedTuple):
    """The players by place, and the couples of places: 0 and who are partners, 1 and opponents."""

    form: str
    players: list[int]
    couples: tuple[tuple[int, int, int], ...]
    of_place: tuple[tuple[tuple[int, int, int], ...], ...]


Seats = list[tuple[TableToFill, int]]


def solve(puzzle: Puzzle, seed: int) -> list[list[tuple[str, tuple[int, ...]]]]:
    """Return the rounds of a puzzle: tables by their form, with the players by place.

    The cost to be brought to nothing is 2(partners - wanted)² + (opponents - wanted)², summed
    over the kinds of couples. It does not end where there is no solution.
    """
    rng = Random(seed)
    rounds = []
    for number, forms in enumerate(puzzle.rounds):
        players = puzzle.first(number, rng)
        rounds.append([_laid(form, [players.pop() for _ in range(SEATS[form])]) for form in forms])
    _anneal(puzzle, rounds, rng)
    return [[(table.form, tuple(table.players)) for table in tables] for tables in rounds]


def _laid(form: str, players: list[int]) -> TableToFill:
    couples = (
        *((0, place, other) for place, other in PARTNERS[form]),
        *((1, place, other) for place, other in OPPONENTS[form]),
    )
    of_place = tuple(
        tuple(couple for couple in couples if place in couple[1:]) for place in range(len(players))
    )
    return TableToFill(form, players, couples, of_place)


def _anneal(puzzle: Puzzle, rounds: Sequence[Sequence[TableToFill]], rng: Random) -> None:
    excess = [-times for wanted in puzzle.partners for times in (wanted, 2 * wanted)]
    cost = sum((2 - index % 2) * times * times for index, times in enumerate(excess))
    seats: list[Seats] = []
    for tables in rounds:
        seats.append([(table, place) for table in tables for place in range(len(table.players))])
        cost += sum(_count(puzzle, excess, table, table.couples, 1) for table in tables)
    chances = [exp(-worse / TEMPERATURE) for worse in range(500)]
    dice = rng.random
    while cost:
        number = int(dice() * len(rounds))
        table, place = seats[number][int(dice() * len(seats[number]))]
        left = table.players[place]
        if number in puzzle.turned and dice() < 1 / 3:
            came = (left + puzzle.step) % len(puzzle.players)
            moves = [(table, place, came, left)]
        else:
            other, across = seats[number][int(dice() * len(seats[number]))]
            came = other.players[across]
            moves = [(table, place, came, left), (other, across, left, came)]
            if other is table and place // 2 == across // 2:
                continue
        touched = [(at, at.of_place[seat]) for at, seat, _, _ in moves]
        if len(moves) == 2 and moves[0][0] is moves[1][0]:
            touched = [(table, table.couples)]
        worse = _moved(puzzle, excess, touched, [(at, seat, new) for at, seat, new, _ in moves])
        if worse <= 0 or dice() < chances[worse]:
            cost += worse
        else:
            _moved(puzzle, excess, touched, [(at, seat, old) for at, seat, _, old in moves])


def _moved(
    puzzle: Puzzle,
    excess: list[int],
    touched: Sequence[tuple[TableToFill, Sequence[tuple[int, int, int]]]],
    moves: Sequence[tuple[TableToFill, int, int]],
) -> int:
    # Let players sit down at places, and return by how much that changes the cost.
    change = 0
    for table, couples in touched:
        change += _count(puzzle, excess, table, couples, -1)
    for table, place, player in moves:
        table.players[place] = player
    for table, couples in touched:
        change += _count(puzzle, excess, table, couples, 1)
    return change


def _count(
    puzzle: Puzzle,
    excess: list[int],
    table: TableToFill,
    couples: Sequence[tuple[int, int, int]],
    sign: int,
) -> int:
    # Count these couples of a table, or no more, and return by how much that changes the cost.
    kinds, players, change = puzzle.kinds, table.players, 0
    for opponents, place, other in couples:
        index = 2 * kinds[players[place]][players[other]] + opponents
        change += (2 - opponents) * (1 + 2 * sign * excess[index])
        excess[index] += sign
    return change
