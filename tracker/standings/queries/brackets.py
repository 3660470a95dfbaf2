"""Brackets: the matches of a knock-out, and the places they give."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from contextlib import suppress

from tracker.models import Entrant, Format, Movement, Round, Tournament
from tracker.seating.logic.movements import double_elimination, knockout
from tracker.seating.logic.movements.brackets import Bracket
from tracker.seating.logic.movements.seam import Question, RoundSeating, UnseatableError
from tracker.standings.queries.history import history_of_each, shape_of

_BRACKETS = {
    Movement.KNOCKOUT: knockout,
    Movement.DOUBLE_ELIMINATION: double_elimination,
}


def bracket_and_rounds(
    tournament: Tournament,
) -> tuple[Bracket | None, tuple[RoundSeating, ...]]:
    """Return the bracket of a knock-out with the rounds played of it, in six queries at most.

    There is none before it is drawn.
    """
    for asked in _questions([tournament]).values():
        return _BRACKETS[Movement(tournament.movement)].bracket(asked), asked.played
    return None, ()


def bracket_places(
    tournaments: Collection[Tournament], upto: Round | None = None
) -> Mapping[int, int]:
    """Return by entrant the place that a bracket gave, of those tournaments that have one.

    With *upto* it is the place after that round.
    Every standing and every finish asks here. Those who went out in the same round are level.
    It takes seven queries at most, however many brackets there are.
    """
    places: dict[int, int] = {}
    for tournament, asked in _questions(tournaments, upto).items():
        place = 1
        for level in _BRACKETS[Movement(tournament.movement)].bracket(asked).placing:
            places.update(dict.fromkeys(level, place))
            place += len(level)
    return places


def _questions(
    tournaments: Collection[Tournament], upto: Round | None = None
) -> Mapping[Tournament, Question]:
    """Return what each bracket is asked, of those whose first round was drawn."""
    having = [tournament for tournament in tournaments if tournament.has_bracket]
    if not having:
        return {}
    before = None if upto is None else upto.number + 1
    since = None if upto is None else upto.closed_at
    played = history_of_each(having, before=before, with_merits=True)
    drawn = [tournament for tournament in having if played[tournament.pk]]
    seeds: dict[int, list[int]] = defaultdict(list)
    present: dict[int, list[int]] = defaultdict(list)
    entered = Entrant.objects.filter(tournament__in=drawn).entered_by_seed()
    for tournament_id, entrant, withdrawn_at in entered.values_list(
        "tournament_id", "pk", "withdrawn_at"
    ):
        seeds[tournament_id].append(entrant)
        if withdrawn_at is None or (since is not None and withdrawn_at > since):
            present[tournament_id].append(entrant)
    questions = {}
    for tournament in drawn:
        question = Question(
            present=(tuple(present[tournament.pk]),),
            shape=shape_of(tournament.table_mode, fixed=tournament.format == Format.TEAMS),
            played=played[tournament.pk],
            seeds=tuple(seeds[tournament.pk]),
            third_place=tournament.third_place,
        )
        with suppress(UnseatableError):  # its rounds were seated otherwise
            _BRACKETS[Movement(tournament.movement)].bracket(question)
            questions[tournament] = question
    return questions
