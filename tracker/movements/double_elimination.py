"""Double elimination: two losses put a unit out, and the final may have to be played again."""

from tracker.movements.brackets import (
    GRAND_FINAL,
    GRAND_FINAL_AGAIN,
    Bracket,
    BracketSide,
    Match,
    SideSource,
    draw_bracket,
    first_round_sides,
    plan_matches,
    resolve_bracket,
)
from tracker.movements.types import Question, SeatingPlan


def plan(question: Question) -> SeatingPlan:
    """Plan the matches of the coming round in both halves of the bracket.

    A unit that withdrew loses without a match, in the losers' half too. No opener is named: the
    better seed has place 0.

    :raises UnseatableError: ``match-level`` or ``match-open`` if a match played has no winner,
        ``decided`` if there is none left, ``two-sides`` or ``too-few`` if there can be none.
    """
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
        column = [
            Match(label=f"winners:{number}:{each}", sides=two)
            for each, two in enumerate(zip(sides[::2], sides[1::2], strict=True), start=1)
        ]
        columns[number - 1] += column
        sides = [BracketSide(source=SideSource.WINNER, of=match.label) for match in column]
        losers.append([BracketSide(source=SideSource.LOSER, of=match.label) for match in column])
    below = losers[0]
    for number in range(1, 2 * rounds - 1):
        new_losers = losers[number // 2] if number % 2 == 0 else []
        # Among themselves, or against the losers of the latest round.
        far = new_losers[::-1] if number % 4 else new_losers
        ways = (
            zip(below, far, strict=True)
            if new_losers
            else zip(below[::2], below[1::2], strict=True)
        )
        column = [
            Match(label=f"losers:{number}:{each}", sides=pair)
            for each, pair in enumerate(ways, start=1)
        ]
        columns[number] += column
        below = [BracketSide(source=SideSource.WINNER, of=match.label) for match in column]
    columns[-2].append(Match(label=GRAND_FINAL, sides=(sides[0], below[0])))
    again = (
        BracketSide(source=SideSource.WINNER, of=GRAND_FINAL),
        BracketSide(source=SideSource.LOSER, of=GRAND_FINAL),
    )
    columns[-1].append(Match(label=GRAND_FINAL_AGAIN, sides=again))
    return resolve_bracket(question, [column for column in columns if column], seeds)
