"""Single and double elimination: the brackets of a question, with the results of its rounds."""

from functools import partial

from tracker.movements import brackets
from tracker.movements.brackets import Bracket, BracketSide, Match, SideSource, sides_from
from tracker.movements.types import Question

# The names of rounds in labels, by the number of their matches; other rounds have none.
ROUND_NAMES = {2: "semi_final", 4: "quarter_final"}


def knockout(question: Question) -> Bracket:
    """Return the bracket of single elimination, with byes for the best and maybe a third place.

    The final is the first match of the last column, the match for third place the second.
    """
    seeds = brackets.draw_bracket(question, round_label)
    sides = brackets.first_round_sides(seeds)
    columns = []
    while len(sides) > 1:
        columns.append(brackets.column_of(sides, partial(round_label, len(sides) // 2)))
        sides = sides_from(SideSource.WINNER, columns[-1])
    if question.third_place and len(columns) > 1:
        loser, other_loser = sides_from(SideSource.LOSER, columns[-2])
        columns[-1].append(Match(label=brackets.THIRD_PLACE, sides=(loser, other_loser)))
    return brackets.resolve_bracket(question, columns, seeds)


def round_label(matches: int, number: int) -> str:
    """Return the label of a match, from the number of matches of its round and its number from 1.

    >>> round_label(1, 1), round_label(2, 1), round_label(8, 3)
    ('final', 'semi_final:1', 'round_of_16:3')
    """
    if matches == 1:
        return brackets.FINAL
    return f"{ROUND_NAMES.get(matches, f'round_of_{2 * matches}')}:{number}"


def double_elimination(question: Question) -> Bracket:
    """Return the bracket in which a unit is out after two losses.

    Losers of the *winners' half* go on in the *losers' half*. The winners of both halves meet in the
    grand final; if the one from the losers' half wins, both have lost once, and they play again.

    The labels are ``winners:1:3`` for the third match of the first round, ``losers:2:1``,
    ``grand_final`` and ``grand_final_again``. For each round of the winners' half but the first, the
    losers' half has two: one among its own units, one against the latest losers. Every other time
    these come in from the far end of the bracket, so that units that just met do not meet again.
    """
    seeds = brackets.draw_bracket(question, lambda _matches, number: f"winners:1:{number}")
    rounds = (len(seeds) - 1).bit_length()  # of the winners' half
    # Each half has its rounds in columns from the first on; the last two are the grand finals.
    columns: list[list[Match]] = [[] for _ in range(max(rounds, 2 * rounds - 1) + 2)]
    sides = brackets.first_round_sides(seeds)
    losers: list[list[BracketSide]] = []
    for number in range(1, rounds + 1):
        column = brackets.column_of(sides, f"winners:{number}:{{}}".format)
        columns[number - 1] += column
        sides = sides_from(SideSource.WINNER, column)
        losers.append(sides_from(SideSource.LOSER, column))
    losing_sides = losers[0]
    for number in range(1, 2 * rounds - 1):
        if number % 2 == 0:  # against the latest losers, every other time from the far end
            latest = losers[number // 2][:: -1 if number % 4 else 1]
            losing_sides = [side for two in zip(losing_sides, latest, strict=True) for side in two]
        column = brackets.column_of(losing_sides, f"losers:{number}:{{}}".format)
        columns[number] += column
        losing_sides = sides_from(SideSource.WINNER, column)
    grand_final = Match(label=brackets.GRAND_FINAL, sides=(sides[0], losing_sides[0]))
    columns[-2].append(grand_final)
    (winner,) = sides_from(SideSource.WINNER, [grand_final])
    (loser,) = sides_from(SideSource.LOSER, [grand_final])
    columns[-1].append(Match(label=brackets.GRAND_FINAL_AGAIN, sides=(winner, loser)))
    return brackets.resolve_bracket(question, [column for column in columns if column], seeds)
