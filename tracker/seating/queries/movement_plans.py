"""TODO."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from random import Random
from typing import Any

from django.db.models import Sum

from games.errors import gettext_noop
from games.game import FirstDealer
from games.mode import Mode
from tracker.common.errors import Refused
from tracker.models import (
    Draw,
    Entrant,
    Format,
    Movement,
    RoundState,
    SeatTally,
    Tournament,
)
from tracker.movements.brackets import BRACKET_REASONS
from tracker.movements.catalogue import MOVEMENTS, MovementEntry
from tracker.movements.first_dealers import choose_first_dealers
from tracker.movements.plan_account import account_for
from tracker.movements.table_sizes import check_enough
from tracker.movements.types import (
    DealCounts,
    OpenedBy,
    PlanAccount,
    Question,
    RoundSeating,
    TableSeating,
    UnseatableError,
)
from tracker.seating.logic.saved_draws import Settings, account_from_json, question_from_json
from tracker.seating.queries.coming_round import table_numbers
from tracker.seating.queries.players import lineups
from tracker.seating.queries.wishes import wishes_of
from tracker.standings.queries.played_rounds import played_rounds, seeds_of, shape_of
from tracker.standings.queries.standings import StandingRow, standings
from tracker.tables.dealing_history import dealing_history

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
        played=played_rounds(tournament, before=number, with_merits=movement.by_results),
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
        played=played_rounds(draw.tournament, before=draw.number),
        dealt=_dealt(draw.tournament, entrants, draw.number),
    )


def account_of(draw: Draw, question: Question, seating: RoundSeating) -> PlanAccount:
    """Return what *seating* repeats in place of the round drawn, and why some do not play.

    Where nobody rests in turn, the reasons are those given when the round was drawn.
    """
    reasons = None
    if MOVEMENTS[draw.question["settings"]["movement"]].bracket:
        drawn = account_from_json(draw.plan["account"])
        reasons = [note for note in drawn.notes if note.code in BRACKET_REASONS]
    return account_for(question, [seating], reasons=reasons)


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


def _dealt(
    tournament: Tournament, entrants: Iterable[Entrant], number: int
) -> dict[int, DealCounts]:
    """Return how often every entrant opened and dealt; of a team, all of its people."""
    opened = opening_counts(tournament.pk)
    history = dealing_history(tournament.pk)
    people = lineups(entrants)
    everybody = [player for players in people.values() for player in players]
    before = dict(zip(everybody, history.before(number, everybody), strict=True))
    dealt = {}
    for entrant, players in people.items():
        times = [before[player] for player in players]
        last = [time for time in times if time is not None]
        dealt[entrant] = DealCounts(
            opened=opened.by_entrant.get(entrant, 0),
            dealt=sum(opened.dealt.get(player, 0) for player in players),
            dealt_before=max(last, default=None),
        )
    return dealt


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningCounts:
    """How often each player and entrant opened a table of a tournament, and how often each dealt."""

    by_player: Mapping[int, int]
    by_entrant: Mapping[int, int]
    dealt: Mapping[int, int]  # by player


def opening_counts(tournament_id: int) -> OpeningCounts:
    """Count first deals of sittings by player and by entrant, and all deals, in one query."""
    by_player: Counter[int] = Counter()
    by_entrant: Counter[int] = Counter()
    dealt: Counter[int] = Counter()
    sums = (
        SeatTally.objects.filter(key__in=["opened", "dealt"], seat__round__tournament=tournament_id)
        .exclude(seat__round__state=RoundState.UNDONE)
        .values_list("key", "seat__player", "seat__entrant")
        .annotate(times=Sum("amount"))
        .order_by()
    )
    for key, player, entrant, times in sums:
        if key == "dealt":
            dealt[player] += times
        else:
            by_player[player] += times
            by_entrant[entrant] += times
    return OpeningCounts(by_player=by_player, by_entrant=by_entrant, dealt=dealt)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRound:
    """A round to come with its number, what was asked, and what it repeats."""

    number: int
    question: Question
    seating: RoundSeating
    account: PlanAccount


def plan_rounds(
    tournament: Tournament,
    settings: Settings,
    present: Sequence[int],
    *,
    number: int,
    rounds: int = 1,
    locked: Sequence[TableSeating] = (),
    seed: int,
    night_id: int | None = None,
    beside: bool = False,
) -> list[PlannedRound]:
    """Return who sits where in round *number* and those after it; the same seed gives the same.

    Tables have their numbers in the hall: with *beside* they stand beside those of the
    tournament's rounds that run, otherwise these will be over by then. Where the house rules
    have people draw for their seats, all but fixed teams have drawn.

    :raises Refused: if the movement is not known, cannot plan so far ahead, or there is no
        such seating, saying why.
    :raises ModeError: if the game has no such tables.
    """
    movement = _movement(settings.movement, rounds)
    if not settings.odd_tables and not locked:
        mode = tournament.rules.mode(settings.mode, tournament.house_rules)
        check_enough(len(present), mode, fixed=tournament.format == Format.TEAMS)
    most = max(1, len(present) // 2)
    hall = table_numbers(tournament.pk, night_id, most, ours_free=not beside)
    # A movement knows places in this list, not the numbers in the hall.
    place = {table: at for at, table in enumerate(hall, start=1)}
    locked = [replace(table, number=place.get(table.number or 0)) for table in locked]
    question = question_for(
        tournament, settings, present, number=number, rounds=rounds, locked=locked, seed=seed
    )
    wishes = question.wishes
    keeps = {unit: place[table] for unit, table in wishes.keeps.items() if table in place}
    question = replace(question, wishes=replace(wishes, keeps=keeps))
    try:
        plan = movement.plan(question)
    except UnseatableError as error:
        raise refused(error) from error
    dice = Random(seed)
    drawn = [_drawn_for_seats(tournament, seating, dice, locked) for seating in plan.rounds]
    seen = account_for(question, drawn) if drawn != list(plan.rounds) else plan.account
    planned = []
    # Where the movement or the cut left it open, who deals first is found now.
    for later, seating in enumerate(choose_first_dealers(question, drawn), start=number):
        tables = [
            replace(table, number=hall[(table.number or at) - 1])
            for at, table in enumerate(seating.tables, start=1)
        ]
        in_hall = tuple(sorted(tables, key=lambda table: table.number or 0))
        planned.append(
            PlannedRound(
                number=later,
                question=question,
                seating=replace(seating, tables=in_hall),
                account=of_round(seen, later),
            )
        )
    return planned


def _movement(code: str, rounds: int) -> MovementEntry:
    """Return the movement of this code, if there is one that plans so many rounds at once."""
    movement = MOVEMENTS.get(code)
    if movement is None:
        raise Refused(
            "movement-unknown",
            gettext_noop("Choose one of the ways to seat people."),
            question="movement",
        )
    if rounds > 1 and not movement.ahead:
        raise Refused(
            "not-ahead",
            gettext_noop("These rounds follow the results, so draw them one at a time."),
            question="movement",
        )
    return movement


def of_round(seen: PlanAccount, number: int) -> PlanAccount:
    """Return what an account says of one round, and of all alike."""
    return replace(
        seen,
        repeats=tuple(repeat for repeat in seen.repeats if repeat.round == number),
        notes=tuple(note for note in seen.notes if note.round in {None, number}),
    )


def refused(error: UnseatableError) -> Refused:
    """Return the refusal of a movement in words that name people."""
    entrants = Entrant.objects.filter(pk__in=error.units).by_name()
    who = ", ".join(map(str, entrants))
    params: dict[str, Any] = {**error.params, "who": who}
    return Refused(error.code, error.template, **params)


def _drawn_for_seats(
    tournament: Tournament, seating: RoundSeating, dice: Random, locked: Sequence[TableSeating]
) -> RoundSeating:
    """Return the round with people on the seats they drew, if the game draws seats."""
    rules, options = tournament.rules, tournament.house_rules
    if rules.draw_seats is None or tournament.format == Format.TEAMS:
        return seating
    tables = []
    for table in seating.tables:
        draw = None
        if all(table.units != other.units for other in locked):
            draw = rules.draw_seats(rules.mode(table.shape.code, options), options, dice)
        if draw is None:
            tables.append(table)
            continue
        units = tuple(table.units[place] for place in draw.places)
        tables.append(replace(table, units=units, opener=None))
    return replace(seating, tables=tuple(tables))
