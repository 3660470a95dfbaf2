"""Double elimination: a unit, a player or a fixed team, is out after two losses.

Losers of the *winners' half* go on in the *losers' half*. The winners of both halves meet in the
grand final; if the one from the losers' half wins, both have lost once, and they play again.
"""

from tracker.movements import brackets
from tracker.movements.brackets import Bracket, BracketSide, Match, SideSource, sides_from
from tracker.movements.types import Question, SeatingPlan


def plan(question: Question) -> SeatingPlan:
    """Plan the matches of the coming round; a unit that withdrew loses, in either half."""
    return brackets.plan_matches(question, bracket(question))


def bracket(question: Question) -> Bracket:
    """Return the winners' and the losers' half; the matches of a column can be played at once.

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
