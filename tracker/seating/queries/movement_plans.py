"""Movements applied to a tournament: the question they are asked, and their plan for the hall.

A *bracket* is a knock-out. The *hall* is the list of the table numbers for a round. The *opener* of a
table deals first there. *Locked* tables stay as they are when a round is drawn again.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from random import Random
from typing import Any

from django.db.models import Sum

from games.errors import gettext_noop
from games.mode import Mode
from tracker.common.errors import Refused
from tracker.models import Draw, Entrant, Format, Movement, RoundState, SeatTally, Tournament
from tracker.movements.brackets import BRACKET_REASONS
from tracker.movements.catalogue import MOVEMENTS
from tracker.movements.plan_account import account_for
from tracker.movements.table_sizes import check_enough
from tracker.movements.turns import choose_first_dealers
from tracker.movements.types import (
    DealCounts,
    OpenedBy,
    PlanAccount,
    Question,
    RoundSeating,
    TableSeating,
    UnseatableError,
)
from tracker.seating.logic.saved_draws import DrawSettings, account_from_json, question_from_json
from tracker.seating.queries.coming_round import table_numbers
from tracker.seating.queries.players import lineups
from tracker.seating.queries.wishes import wishes_of
from tracker.standings.queries.played_rounds import played_rounds, shape_of
from tracker.standings.queries.standings import StandingRow, standings
from tracker.tables.dealing_history import dealing_history


@dataclass(frozen=True, slots=True, kw_only=True)
class DealTotals:
    """How often players and entrants (keys) *opened*, that is, dealt first at a table, and dealt."""

    opened_by_player: Counter[int] = field(default_factory=Counter)
    opened_by_entrant: Counter[int] = field(default_factory=Counter)
    dealt_by_player: Counter[int] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRound:
    """A planned round: the question asked, the seating, and its account."""

    number: int
    question: Question
    seating: RoundSeating
    account: PlanAccount


def modes_of(tournament: Tournament) -> tuple[Mode, ...]:
    """Return the modes that tables may be played in; fixed teams need one with sides."""
    modes, fixed = tournament.rules.modes(tournament.house_rules), tournament.format == Format.TEAMS
    return tuple(mode for mode in modes if not mode.individual) if fixed else modes


def plan_rounds(
    tournament: Tournament,
    settings: DrawSettings,
    present: Sequence[int],
    *,
    number: int,
    rounds: int = 1,
    locked: Sequence[TableSeating] = (),
    seed: int,
    night_id: int | None = None,
    ours_free: bool = True,
) -> list[PlannedRound]:
    """Return who sits where in this number of *rounds*, from round *number* on.

    *present* are the keys of the entrants who play. *locked* tables are of the first round. The
    same *seed* gives the same plan. Tables get their numbers in the hall; *ours_free* says
    whether those of the tournament's open rounds are free by then. If the house rules let people
    draw cards for their seats, this is done too, except for fixed teams.

    :raises Refused: if the movement is unknown, cannot plan so far ahead, or finds no seating.
    :raises ModeError: if the game has no such tables.
    """
    question = _question_for(
        tournament, settings, present, number=number, rounds=rounds, locked=locked, seed=seed
    )
    if not settings.odd_tables and not locked:  # then at least one usual table must be full
        mode = tournament.rules.mode(settings.mode, tournament.house_rules)
        check_enough(len(present), mode, fixed=tournament.format == Format.TEAMS)
    most_tables = max(1, len(present) // 2)  # as at least two sit at each
    hall = table_numbers(tournament.pk, night_id, most_tables, ours_free=ours_free)
    question = _with_hall_positions(question, hall)
    try:
        plan = MOVEMENTS[settings.movement].plan(question)
    except UnseatableError as error:
        raise refusal_of(error) from error
    dice = Random(seed)
    seatings = [_with_drawn_seats(tournament, each, dice, question) for each in plan.rounds]
    # Drawn seats change who are partners, so what is repeated is counted again.
    account = account_for(question, seatings) if seatings != list(plan.rounds) else plan.account
    # Where movement and drawn seats leave it open, the first dealers are found here.
    seatings = list(choose_first_dealers(question, seatings))
    return [
        PlannedRound(
            number=round_number,
            question=question,
            seating=_with_table_numbers(seating, hall),
            account=account_of_round(account, round_number),
        )
        for round_number, seating in enumerate(seatings, start=number)
    ]


def _with_hall_positions(question: Question, hall: Sequence[int]) -> Question:
    """Return the question with table numbers replaced by their positions in *hall*, from 1.

    Movements know only tables 1, 2, 3 …; ``_with_table_numbers`` translates back. A table not in
    the hall has no position: a locked one gets any position later, a promise of it is dropped.
    """
    position_of = {number: position for position, number in enumerate(hall, start=1)}
    locked = (replace(each, number=position_of.get(each.number or 0)) for each in question.locked)
    promised = question.wishes.keeps.items()
    keeps = {unit: position_of[table] for unit, table in promised if table in position_of}
    return replace(question, locked=tuple(locked), wishes=replace(question.wishes, keeps=keeps))


def _with_table_numbers(seating: RoundSeating, hall: Sequence[int]) -> RoundSeating:
    """Return the round with numbers in the hall instead of positions, in order of the numbers."""
    # If the movement gave a table no position, its position is that in the list.
    tables = [
        replace(table, number=hall[(table.number or position) - 1])
        for position, table in enumerate(seating.tables, start=1)
    ]
    return replace(seating, tables=tuple(sorted(tables, key=lambda table: table.number or 0)))


def _with_drawn_seats(
    tournament: Tournament, seating: RoundSeating, dice: Random, question: Question
) -> RoundSeating:
    """Return the round with people at the places they drew cards for, if the game has that rule."""
    rules, options = tournament.rules, tournament.house_rules
    if rules.draw_seats is None or tournament.format == Format.TEAMS:
        return seating
    locked_units = {table.units for table in question.locked}
    tables = []
    for table in seating.tables:
        mode = rules.mode(table.shape.code, options)
        if table.units in locked_units or not (drawn := rules.draw_seats(mode, options, dice)):
            tables.append(table)
        else:
            units = tuple(table.units[place] for place in drawn.places)
            tables.append(replace(table, units=units, opener=None))  # who deals is found later
    return replace(seating, tables=tuple(tables))


def account_of_round(account: PlanAccount, number: int) -> PlanAccount:
    """Return an account without the repeats and notes that are about other rounds."""
    return replace(
        account,
        repeats=tuple(repeat for repeat in account.repeats if repeat.round == number),
        notes=tuple(note for note in account.notes if note.round in {None, number}),
    )


def refusal_of(error: UnseatableError) -> Refused:
    """Return a movement's error as a refusal that names the people."""
    entrants = Entrant.objects.filter(pk__in=error.units).by_name()
    params: dict[str, Any] = {**error.params, "who": ", ".join(map(str, entrants))}
    return Refused(error.code, error.template, **params)


def _question_for(
    tournament: Tournament,
    settings: DrawSettings,
    present: Sequence[int],
    *,
    number: int,
    rounds: int,
    locked: Sequence[TableSeating],
    seed: int,
) -> Question:
    """Return the question for a movement, with rankings and results only if the movement uses them.

    :raises Refused: if the movement is unknown, or cannot plan so many rounds ahead.
    """
    movement = MOVEMENTS.get(settings.movement)
    if movement is None:
        template = gettext_noop("Choose one of the ways to seat people.")
        raise Refused("movement-unknown", template, question="movement")
    if rounds > 1 and not movement.ahead:
        template = gettext_noop("These rounds follow the results, so draw them one at a time.")
        raise Refused("not-ahead", template, question="movement")
    fixed = tournament.format == Format.TEAMS
    entrants = list(Entrant.objects.filter(pk__in=present))
    by_seed = Entrant.objects.filter(tournament=tournament).entered_by_seed()
    mode = tournament.rules.mode(settings.mode, tournament.house_rules)
    other_modes = [  # for fixed teams only those with as many places on a side
        other
        for other in modes_of(tournament)
        if other.code != mode.code and (not fixed or len(other.sides[0]) == len(mode.sides[0]))
    ]
    groups, points = _standing(tournament, settings.movement) if movement.by_standing else ((), ())
    return Question(
        present=(tuple(present),) * rounds,
        shape=shape_of(mode, fixed=fixed),
        other_shapes=tuple(shape_of(other, fixed=fixed) for other in other_modes),
        odd_tables=settings.odd_tables,
        played=played_rounds(tournament, before=number, with_merits=movement.by_results),
        locked=tuple(locked),
        wishes=wishes_of(tournament, entrants),
        standing=groups,
        points=points,
        seeds=tuple(by_seed.values_list("pk", flat=True)),
        deal_counts=_deals_of(tournament, entrants, number),
        opened_by=OpenedBy.of(tournament.rules.first_dealer),
        third_place=tournament.third_place,
        seed=seed,
    )


def question_of(draw: Draw) -> Question:
    """Return the question of a saved draw, brought up to date with rounds, deals and wishes."""
    # Promised tables (``keeps``) stay as saved: as positions in the hall of that time.
    saved = question_from_json(draw.question["question"])
    present = draw.question["present"]
    entrants = list(Entrant.objects.filter(pk__in=present))
    wishes = wishes_of(draw.tournament, entrants)
    return replace(
        saved,
        wishes=replace(saved.wishes, apart=wishes.apart, not_partners=wishes.not_partners),
        present=(tuple(present),),
        played=played_rounds(draw.tournament, before=draw.number),
        deal_counts=_deals_of(draw.tournament, entrants, draw.number),
    )


def account_of(draw: Draw, question: Question, seating: RoundSeating) -> PlanAccount:
    """Return what *seating* repeats if played as this draw's round, and why some do not play.

    In a bracket nobody sits out in turn: the reasons are those saved with the draw.
    """
    reasons = None  # with ``None``, ``account_for`` says whose turn it is to sit out
    if MOVEMENTS[draw.question["settings"]["movement"]].bracket:
        drawn = account_from_json(draw.plan["account"])
        reasons = [note for note in drawn.notes if note.code in BRACKET_REASONS]
    return account_for(question, [seating], reasons=reasons)


def _standing(
    tournament: Tournament, movement: str
) -> tuple[tuple[tuple[int, ...], ...], tuple[Fraction, ...]]:
    """Return groups of level entrants, the best group first, and the points of each group.

    Entrants are level if they share a place in the ranking; for Swiss rounds, if they have equal
    points. Only Swiss rounds go by points: for other movements no points are returned.
    """
    ranking = standings(tournament)
    points_key = ranking.criteria[0].key  # the first of the figures that rank: the points
    swiss = movement == Movement.SWISS

    def value_of(row: StandingRow) -> Fraction | int:
        return row.figures[points_key] if swiss else row.place

    levels = [(value, tuple(rows)) for value, rows in groupby(ranking.rows, key=value_of)]
    groups = tuple(tuple(row.entrant for row in rows) for _value, rows in levels)
    return groups, tuple(Fraction(points) for points, _rows in levels) if swiss else ()


def _deals_of(
    tournament: Tournament, entrants: Iterable[Entrant], number: int
) -> dict[int, DealCounts]:
    """Return how often and when each entrant dealt, by key; the players of a team count together."""
    totals, history = deal_totals(tournament.pk), dealing_history(tournament.pk)
    lineup_of = lineups(entrants)
    everybody = [player for lineup in lineup_of.values() for player in lineup]
    # ``before`` says of each of these players, in order, when they dealt last: later is larger.
    last_deal_of = dict(zip(everybody, history.before(number, everybody), strict=True))
    counts = {}
    for entrant, lineup in lineup_of.items():
        last_deals = [deal for player in lineup if (deal := last_deal_of[player]) is not None]
        counts[entrant] = DealCounts(
            opened=totals.opened_by_entrant[entrant],
            dealt=sum(totals.dealt_by_player[player] for player in lineup),
            last_dealt=max(last_deals, default=None),
        )
    return counts


def deal_totals(tournament_id: int) -> DealTotals:
    """Count the first deals and all deals of a tournament's tables, in one query."""
    totals = DealTotals()
    # A tally is the stored sum of one kind (``key``) for one seat.
    sums = (
        SeatTally.objects.filter(key__in=["opened", "dealt"], seat__round__tournament=tournament_id)
        .exclude(seat__round__state=RoundState.UNDONE)
        .values_list("key", "seat__player", "seat__entrant")
        .annotate(times=Sum("amount"))
        .order_by()  # an order would split the groups
    )
    for key, player, entrant, times in sums:
        if key == "dealt":
            totals.dealt_by_player[player] += times
        else:
            totals.opened_by_player[player] += times
            totals.opened_by_entrant[entrant] += times
    return totals
