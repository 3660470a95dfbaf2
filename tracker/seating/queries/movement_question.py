"""What a movement is asked about the coming round of a tournament."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby

from games.game import FirstDealer
from games.mode import Mode
from tracker.models import Draw, Entrant, Format, Movement, Tournament
from tracker.movements.account import account
from tracker.movements.bracket_rounds import BRACKET_REASONS
from tracker.movements.catalogue import MOVEMENTS
from tracker.movements.types import Account, Dealt, OpenedBy, Question, RoundSeating, TableSeating
from tracker.seating.logic.saved_draws import Settings, account_from_json, question_from_json
from tracker.seating.queries.rounds import lineups, opening_counts, wishes_of
from tracker.standings.queries.history import history, seeds_of, shape_of
from tracker.standings.queries.standings import StandingRow, standings
from tracker.tables.memory import dealers_memory

_OPENED_BY = {
    FirstDealer.LOT: OpenedBy.LOT,
    FirstDealer.DRAWN: OpenedBy.TABLE,
}


def modes_of(tournament: Tournament) -> tuple[Mode, ...]:
    """Return how tables of the tournament may be played: by fixed teams only in sides."""
    modes = tournament.rules.modes(tournament.house_rules)
    if tournament.format == Format.TEAMS:
        return tuple(mode for mode in modes if not mode.individual)
    return modes


def question_for(
    tournament: Tournament,
    settings: Settings,
    present: Sequence[int],
    *,
    number: int,
    rounds: int = 1,
    locked: Sequence[TableSeating] = (),
    seed: int,
) -> Question:
    """Return the question whose answer seats round *number* and those after it.

    The standing is asked only by movements that go by it, and what everybody got at each
    table only by those that follow winners.

    :raises ModeError: if the game has no such tables.
    """
    fixed = tournament.format == Format.TEAMS
    movement = MOVEMENTS[settings.movement]
    entrants = list(Entrant.objects.filter(pk__in=present).select_related("player", "team"))
    mode = tournament.rules.mode(settings.mode, tournament.house_rules)
    others = [
        other
        for other in modes_of(tournament)
        if other.code != mode.code and (not fixed or len(other.sides[0]) == len(mode.sides[0]))
    ]
    places, points = _places(tournament, settings.movement) if movement.by_standing else ((), ())
    return Question(
        present=(tuple(present),) * rounds,
        shape=shape_of(mode, fixed=fixed),
        other_shapes=tuple(shape_of(other, fixed=fixed) for other in others),
        odd_tables=settings.odd_tables,
        played=history(tournament, before=number, with_merits=movement.by_results),
        locked=tuple(locked),
        wishes=wishes_of(tournament, entrants),
        places=places,
        points=points,
        seeds=seeds_of(tournament),
        dealt=_dealt(tournament, entrants, number),
        opened_by=_OPENED_BY.get(tournament.rules.first_dealer, OpenedBy.TURN),
        third_place=tournament.third_place,
        seed=seed,
    )


def question_of(draw: Draw) -> Question:
    """Return the question a draw answers, with what was played, dealt and promised since."""
    asked = question_from_json(draw.question["question"])
    present = draw.question["present"]
    entrants = list(Entrant.objects.filter(pk__in=present).select_related("player", "team"))
    wishes = wishes_of(draw.tournament, entrants)
    return replace(
        asked,
        wishes=replace(asked.wishes, apart=wishes.apart, not_partners=wishes.not_partners),
        present=(tuple(present),),
        played=history(draw.tournament, before=draw.number),
        dealt=_dealt(draw.tournament, entrants, draw.number),
    )


def account_of(draw: Draw, question: Question, seating: RoundSeating) -> Account:
    """Return what *seating* repeats in place of the round drawn, and why some do not play.

    Where nobody rests in turn, the reasons are those given when the round was drawn.
    """
    reasons = None
    if MOVEMENTS[draw.question["settings"]["movement"]].bracket:
        drawn = account_from_json(draw.plan["account"])
        reasons = [note for note in drawn.notes if note.code in BRACKET_REASONS]
    return account(question, [seating], reasons=reasons)


def _places(
    tournament: Tournament, movement: str
) -> tuple[tuple[tuple[int, ...], ...], tuple[Fraction, ...]]:
    """Return the entrants by standing; for Swiss rounds those of equal points, and what they are."""
    standing = standings(tournament)
    key = standing.criteria[0].key
    swiss = movement == Movement.SWISS

    def level(row: StandingRow) -> Fraction | int:
        return row.figures[key] if swiss else row.place

    levels = [(value, tuple(rows)) for value, rows in groupby(standing.rows, key=level)]
    places = tuple(tuple(row.entrant for row in rows) for _, rows in levels)
    return places, tuple(Fraction(value) for value, _ in levels) if swiss else ()


def _dealt(tournament: Tournament, entrants: Iterable[Entrant], number: int) -> dict[int, Dealt]:
    """Return how often every entrant opened and dealt; of a team, all of its people."""
    opened = opening_counts(tournament.pk)
    memory = dealers_memory(tournament.pk)
    people = lineups(entrants)
    everybody = [player for players in people.values() for player in players]
    before = dict(zip(everybody, memory.before(number, everybody), strict=True))
    dealt = {}
    for entrant, players in people.items():
        times = [before[player] for player in players]
        last = [time for time in times if time is not None]
        dealt[entrant] = Dealt(
            opened=opened.by_entrant.get(entrant, 0),
            dealt=sum(opened.dealt.get(player, 0) for player in players),
            dealt_before=max(last, default=None),
        )
    return dealt
