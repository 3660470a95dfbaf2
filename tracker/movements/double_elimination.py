"""Double elimination: two losses put a unit out, and the final may have to be played again."""

from tracker.movements.brackets import (
    GRAND_FINAL,
    GRAND_FINAL_AGAIN,
    Bracket,
    BracketSide,
    Match,
    SideSource,
    column_of,
    draw_bracket,
    first_round_sides,
    plan_matches,
    resolve_bracket,
    sides_from,
)
from tracker.movements.types import Question, SeatingPlan


def plan(question: Question) -> SeatingPlan:
    """Plan the matches of the coming round; a unit that withdrew loses, in either half."""
    return plan_matches(question, bracket(question))


def bracket(question: Question) -> Bracket:
    """Return the winners' and the losers' half; the matches of a column can be played at once.

    The labels are ``winners:1:3`` for the third match of the first round, ``losers:2:1``,
    ``grand_final`` and ``grand_final_again``, which is needed if the winner of the losers' half
    wins the first. The losers of every other round come in from the far end of the bracket, so
    that units that met do not meet again at once.
    """
    seeds = draw_bracket(question, lambda _matches, number: f"winners:1:{number}")
    rounds = (len(seeds) - 1).bit_length()
    columns: list[list[Match]] = [[] for _ in range(max(rounds, 2 * rounds - 1) + 2)]
    sides = first_round_sides(seeds)
    losers: list[list[BracketSide]] = []
    for number in range(1, rounds + 1):
        column = column_of(sides, f"winners:{number}:{{}}".format)
        columns[number - 1] += column
        sides = sides_from(SideSource.WINNER, column)
        losers.append(sides_from(SideSource.LOSER, column))
    below = losers[0]
    for number in range(1, 2 * rounds - 1):
        if number % 2 == 0:  # against the losers of the latest round, otherwise among themselves
            far = losers[number // 2][:: -1 if number % 4 else 1]
            below = [side for two in zip(below, far, strict=True) for side in two]
        column = column_of(below, f"losers:{number}:{{}}".format)
        columns[number] += column
        below = sides_from(SideSource.WINNER, column)
    columns[-2].append(Match(label=GRAND_FINAL, sides=(sides[0], below[0])))
    winner, loser = (
        BracketSide(source=source, of=GRAND_FINAL)
        for source in (SideSource.WINNER, SideSource.LOSER)
    )
    columns[-1].append(Match(label=GRAND_FINAL_AGAIN, sides=(winner, loser)))
    return resolve_bracket(question, [column for column in columns if column], seeds)
