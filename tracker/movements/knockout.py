"""Single elimination for any number, with byes for the best and a match for third place."""

from functools import partial

from tracker.movements import brackets
from tracker.movements.brackets import Bracket, Match, SideSource, sides_from
from tracker.movements.types import Question, SeatingPlan

# The names of rounds in labels, by the number of their matches; other rounds have none.
ROUND_NAMES = {2: "semi_final", 4: "quarter_final"}


def plan(question: Question) -> SeatingPlan:
    """Plan the matches of the coming round; a unit that withdrew loses without a match."""
    return brackets.plan_matches(question, bracket(question))


def bracket(question: Question) -> Bracket:
    """Return the whole bracket, column by column, with the results of the rounds played.

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
