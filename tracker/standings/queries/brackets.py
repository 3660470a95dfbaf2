"""Brackets: who meets whom in a knock-out, and the places it gives, whatever anybody's points are."""

from collections.abc import Collection, Mapping

from tracker.models import Entrant, Movement, Tournament
from tracker.seating.logic.movements import double_elimination, knockout
from tracker.seating.logic.movements.brackets import Bracket
from tracker.seating.logic.movements.seam import Question, RoundSeating, UnseatableError
from tracker.standings.queries.history import history, seeds_of, shape_of

_BRACKETS = {
    Movement.KNOCKOUT: knockout,
    Movement.DOUBLE_ELIMINATION: double_elimination,
}


def bracket_of(tournament: Tournament) -> Bracket | None:
    """Return the bracket of a knock-out with all that is known; ``None`` before it is drawn."""
    bracket, _played = bracket_and_rounds(tournament)
    return bracket


def bracket_and_rounds(
    tournament: Tournament,
) -> tuple[Bracket | None, tuple[RoundSeating, ...]]:
    """Return the bracket with the rounds played of it, in seven queries at most."""
    asked = _question(tournament)
    if asked is None:
        return None, ()
    return _BRACKETS[Movement(tournament.movement)].bracket(asked), asked.played


def bracket_places(tournaments: Collection[Tournament]) -> Mapping[int, int]:
    """Return by entrant the place that a bracket gave, of those tournaments that have one.

    Every standing and every finish asks here. Those who went out in the same round are level.
    """
    places: dict[int, int] = {}
    for tournament in tournaments:
        asked = _question(tournament)
        if asked is None:
            continue
        place = 1
        for level in _BRACKETS[Movement(tournament.movement)].placing(asked):
            places.update(dict.fromkeys(level, place))
            place += len(level)
    return places


def _question(tournament: Tournament) -> Question | None:
    """Return what a bracket is asked, if this is one and its first round was drawn."""
    if not tournament.has_bracket:
        return None
    played = history(tournament, with_merits=True)
    if not played:
        return None
    playing = Entrant.objects.playing().filter(tournament=tournament)
    mode = tournament.rules.mode(tournament.mode, tournament.house_rules)
    question = Question(
        present=(tuple(playing.values_list("pk", flat=True)),),
        shape=shape_of(mode, fixed=tournament.format == "teams"),
        played=played,
        seeds=seeds_of(tournament),
        third_place=tournament.third_place,
    )
    try:
        _BRACKETS[Movement(tournament.movement)].bracket(question)
    except UnseatableError:  # its rounds were seated otherwise
        return None
    return question
