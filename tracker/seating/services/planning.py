"""A movement asked about a tournament's coming rounds, and its answer made fit for the hall."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from games.errors import gettext_noop
from tracker.common.errors import Refused
from tracker.models import Entrant, Format, Tournament
from tracker.movements.account import account
from tracker.movements.catalogue import MOVEMENTS, MovementEntry
from tracker.movements.modes import check_enough
from tracker.movements.openings import deal_first
from tracker.movements.types import Account, Question, RoundSeating, TableSeating, UnseatableError
from tracker.seating.logic.saved_draws import Settings
from tracker.seating.queries.movement_question import question_for
from tracker.seating.queries.tables import table_numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRound:
    """A round to come with its number, what was asked, and what it repeats."""

    number: int
    question: Question
    seating: RoundSeating
    account: Account


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
    seen = account(question, drawn) if drawn != list(plan.rounds) else plan.account
    planned = []
    # Where the movement or the cut left it open, who deals first is found now.
    for later, seating in enumerate(deal_first(question, drawn), start=number):
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


def of_round(seen: Account, number: int) -> Account:
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
