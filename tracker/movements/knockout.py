"""Single elimination for any number, with byes for the best and a match for third place."""

from tracker.movements.brackets import (
    FINAL,
    THIRD_PLACE,
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

ROUNDS = {2: "semi_final", 4: "quarter_final"}


def plan(question: Question) -> SeatingPlan:
    """Plan the matches of the coming round.

    A unit that withdrew loses without a match. No opener is named: the better seed has place 0.

    :raises UnseatableError: ``match-level`` or ``match-open`` if a match played has no winner,
        ``decided`` if there is none left, ``two-sides`` or ``too-few`` if there can be none.
    """
    return plan_matches(question, bracket(question))


def bracket(question: Question) -> Bracket:
    """Return the whole bracket, column by column, with the results of the rounds played.

    The final is the first match of the last column, the match for third place the second.
    """
    seeds = draw_bracket(question, round_label)
    sides = first_round_sides(seeds)
    columns = []
    matches = len(seeds) // 2
    while matches:
        column = [
            Match(label=round_label(matches, number), sides=two)
            for number, two in enumerate(zip(sides[::2], sides[1::2], strict=True), start=1)
        ]
        columns.append(column)
        sides = [BracketSide(source=SideSource.WINNER, of=match.label) for match in column]
        matches //= 2
    if question.third_place and len(columns) > 1:
        loser, other = (
            BracketSide(source=SideSource.LOSER, of=match.label) for match in columns[-2]
        )
        columns[-1].append(Match(label=THIRD_PLACE, sides=(loser, other)))
    return resolve_bracket(question, columns, seeds)


def round_label(matches: int, number: int) -> str:
    """Return the label of a match in a round of so many matches, counted from 1.

    >>> round_label(1, 1), round_label(2, 1), round_label(8, 3)
    ('final', 'semi_final:1', 'round_of_16:3')
    """
    if matches == 1:
        return FINAL
    return f"{ROUNDS.get(matches, f'round_of_{2 * matches}')}:{number}"
