"""Opening a round: from a draw, or seated at once, and adding tables to an open round.

``open_draw`` and ``seat_round`` turn a seating into plans of tables, which ``open_round`` creates.
A *place* is a chair, numbered from 0 in the direction of play; a table's *mode* is the number of
players and the sides.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from random import Random
from typing import Any

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.errors import Refused
from tracker.models import (
    ClubNight,
    Draw,
    Entrant,
    Format,
    Movement,
    Rest,
    Round,
    Seat,
    Sitting,
    Tournament,
)
from tracker.movements.types import RoundSeating
from tracker.seating.logic.saved_draws import (
    DrawSettings,
    account_to_json,
    question_to_json,
    round_from_json,
    round_to_json,
)
from tracker.seating.queries.coming_round import read_coming_round, table_numbers
from tracker.seating.queries.movement_plans import (
    DealTotals,
    PlannedRound,
    account_of,
    account_of_round,
    deal_totals,
    plan_rounds,
    question_of,
)
from tracker.seating.queries.players import lineups
from tracker.seating.services.clocks import start_clock
from tracker.seating.services.draws import locked_coming_round
from tracker.seating.services.rounds import next_round_number, record_round, running_round
from tracker.seating.services.table_cards import lasting_tables
from tracker.tables.dealing_history import dealing_history
from tracker.tables.locks import hold_tables_of, lock_free_players
from tracker.tournaments.services.tournaments import length_columns


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """A table to be created: the code of its mode, and the player and entrant (keys) at each place.

    ``first_dealer`` is a place. ``number`` is the table's number in the hall, ``None`` for any free
    table. ``is_match`` marks a match of a knock-out, played until one side leads.
    """

    mode: str
    players: tuple[int, ...]
    entrants: tuple[int, ...]
    first_dealer: int = 0
    number: int | None = None
    is_match: bool = False


@transaction.atomic
def seat_round(
    *,
    tournament_id: int,
    entrants: Sequence[int],
    by: Actor,
    rng: Random,
    mode: str | None = None,
    length: int | None = None,
    movement: str = Movement.IN_ORDER,
    odd_tables: bool = False,
    night_id: int | None = None,
) -> Round:
    """Seat the entrants (keys) with a movement, and open the round at once, without a draw."""
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    settings = DrawSettings(
        movement=movement, mode=mode or tournament.mode, odd_tables=odd_tables, length=length
    )
    [planned] = plan_rounds(  # one round, so it is a list of one
        tournament,
        settings,
        entrants,
        number=read_coming_round(tournament, now=by.at).number,
        seed=rng.getrandbits(32),
        night_id=night_id,
        ours_free=False,  # tables of its own open rounds (there may be some in free play) are taken
    )
    playing = Entrant.objects.playing().filter(tournament=tournament).values_list("pk", flat=True)
    left_out = [unit for unit in playing if unit not in set(entrants)]
    return _open_planned(tournament, planned, settings, left_out, by=by, rng=rng, night_id=night_id)


@transaction.atomic
def open_draw(*, tournament_id: int, by: Actor, rng: Random) -> Round:
    """Open the coming round exactly as it was drawn, and start its clock if it has minutes.

    :raises Refused: ``draw-gone`` if nothing is drawn, ``draw-stale`` if an entrant came or went
        since, or as ``table_plans`` and ``open_round`` do.
    """
    coming_round = locked_coming_round(tournament_id, by)
    tournament, draw = coming_round.tournament, coming_round.draws[0]
    if coming_round.changes():
        raise Refused("draw-stale", gettext_noop("Somebody came or went: have another look."))
    settings = DrawSettings(**draw.question["settings"])
    seating, question = round_from_json(draw.plan), question_of(draw)
    # What is repeated is counted again, as earlier rounds may have changed since the draw.
    account = account_of_round(account_of(draw, question, seating), draw.number)
    planned = PlannedRound(number=draw.number, question=question, seating=seating, account=account)
    left_out, night_id = draw.question["left_out"], coming_round.night_id
    round_ = _open_planned(
        tournament, planned, settings, left_out, by=by, rng=rng, night_id=night_id, saved=draw
    )
    if settings.minutes is not None:
        return start_clock(round_id=round_.pk, minutes=settings.minutes, by=by)
    return round_


def _open_planned(
    tournament: Tournament,
    planned: PlannedRound,
    settings: DrawSettings,
    left_out: Sequence[int],
    *,
    saved: Draw | None = None,
    by: Actor,
    rng: Random,
    night_id: int | None,
) -> Round:
    """Open a planned round, and keep in its ``seating_plan`` how it was drawn.

    *left_out* are the entrants (keys) who could play, but were not chosen. The plan of a *saved*
    draw is stored with its marks of the tables that the organiser locked or changed.
    """
    # The plan's own account is blanked: that of *planned* is newer.
    seating = {**saved.plan, "account": None} if saved else round_to_json(planned.seating)
    return open_round(
        tournament_id=tournament.pk,
        tables=table_plans(tournament, planned.seating),
        by=by,
        rng=rng,
        length=settings.length,
        resting=planned.seating.resting,
        seating_plan={
            "settings": asdict(settings),
            "order": list(planned.question.present[0]),
            "left_out": list(left_out),
            "question": question_to_json(planned.question),
            "seating": seating,
            "account": account_to_json(planned.account),
        },
        night_id=night_id,
    )


def table_plans(tournament: Tournament, seating: RoundSeating) -> list[TablePlan]:
    """Return the plans of the tables of a seating.

    A player sits at one place, and a team at all places of its side, in the order of its roster.

    :raises Refused: ``not-entered``, or ``team-short`` if a team has too few people.
    """
    units = seating.seated
    of_tournament = Entrant.objects.filter(tournament=tournament, pk__in=units)
    entered = {entrant.pk: entrant for entrant in of_tournament.select_related("player", "team")}
    if len(entered) != len(units):
        raise _not_entered()
    lineup_of = lineups(entered.values())
    of_teams = tournament.format == Format.TEAMS
    totals = deal_totals(tournament.pk) if of_teams else DealTotals()  # only a team has a choice
    plans = []
    for table in seating.tables:
        mode = tournament.rules.mode(table.shape.code, tournament.house_rules)
        places_of_units = mode.sides if of_teams else [(place,) for place in range(mode.seats)]
        units_here = [entered[unit] for unit in table.units]
        players, entrants = _fill_table(units_here, places_of_units, lineup_of)
        first_dealer = 0  # stays so if the table itself draws who deals first
        if table.opener is not None:  # an index of ``table.units``
            first_dealer = _first_dealer(places_of_units[table.opener], players, totals)
        plans.append(
            TablePlan(
                mode=mode.code,
                players=players,
                entrants=entrants,
                first_dealer=first_dealer,
                number=table.number,
                is_match=tournament.has_bracket and bool(table.label),  # the match's name
            )
        )
    return plans


def _fill_table(
    entrants: Sequence[Entrant],
    places_of_each: Sequence[Sequence[int]],
    lineup_of: Mapping[int, Sequence[int]],
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the player at each place of a table, and the entrant at each place (all are keys)."""
    at_place: dict[int, tuple[int, int]] = {}  # player and entrant, keyed by place
    for entrant, places in zip(entrants, places_of_each, strict=True):
        lineup = lineup_of[entrant.pk]
        if len(lineup) < len(places):
            raise Refused(
                "team-short",
                gettext_noop("%(team)s needs %(needed)d people at the table, but has %(has)d."),
                team=str(entrant),
                needed=len(places),
                has=len(lineup),
            )
        for place, player in zip(places, lineup, strict=False):  # a roster may be longer
            at_place[place] = player, entrant.pk
    players, keys = zip(*(at_place[place] for place in sorted(at_place)), strict=True)
    return players, keys


def _first_dealer(places: Sequence[int], players: Sequence[int], totals: DealTotals) -> int:
    """Return the one of *places* whose player dealt first least often, then dealt least often."""
    opened, dealt = totals.opened_by_player, totals.dealt_by_player
    return min(places, key=lambda place: (opened[players[place]], dealt[players[place]], place))


@transaction.atomic
def open_round(
    *,
    tournament_id: int,
    tables: Sequence[TablePlan],
    by: Actor,
    rng: Random,
    length: int | None = None,
    resting: Sequence[int] = (),
    seating_plan: Mapping[str, Any] | None = None,
    night_id: int | None = None,
) -> Round:
    """Open the next round with these tables, whose phones may then report.

    Without a *length* in hands or games it has the tournament's usual one. *resting* are the
    entrants who sit out, and *seating_plan* records how the round was drawn. A round of a night is
    played at the night's tables.

    :raises Refused: if there are no tables, a player is at two tables, sits in another open round
        or is not entered, a round is still open (except in free play), or the tournament is over.
    :raises ModeError: if the game has no such tables.
    """
    # Locked, so that no two rounds get the same number.
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    usual = {"hands": tournament.hands, "games": tournament.games}
    columns = length_columns(tournament.rules, length) if length else usual
    if night_id is not None:  # locked, so that no two tournaments of a night take the same tables
        ClubNight.objects.select_for_update(no_key=True).get(pk=night_id)
    number = next_round_number(tournament)
    _check_and_lock(tournament, tables)
    round_ = tournament.rounds.create(
        number=number,
        night_id=night_id,
        seating_plan=dict(seating_plan or {}),
        opened_at=by.at,
        **columns,
    )
    tournament.draws.filter(number__lte=number).delete()
    Rest.objects.bulk_create(Rest(round=round_, entrant_id=entrant) for entrant in resting)
    if tournament.provisional_until is not None:  # the tournament goes on after all
        tournament.provisional_until = None
        tournament.save(update_fields=["provisional_until"])
    _create_tables(round_, tables, by.at, rng)
    record_round(by, "round-opened", round_, tables=len(tables))
    return round_


@transaction.atomic
def join_round(*, round_id: int, tables: Sequence[TablePlan], by: Actor, rng: Random) -> Round:
    """Add tables to an open round.

    Entrants who sat out may join. Their ``Rest`` stays stored, but no longer counts:
    ``Rest.objects.sat_out()`` leaves out entrants who have a seat in the round.

    :raises Refused: ``round-not-open``, or as ``open_round`` does.
    :raises ModeError: if the game has no such tables.
    """
    nights = ClubNight.objects.select_for_update(no_key=True)
    nights.filter(rounds=round_id).first()  # locks it before the round, as ``take_break`` does
    round_ = running_round(round_id)
    _check_and_lock(round_.tournament, tables)
    _create_tables(round_, tables, by.at, rng)
    record_round(by, "tables-joined", round_, tables=len(tables))
    return round_


def _check_and_lock(tournament: Tournament, tables: Sequence[TablePlan]) -> None:
    """Check the plans of tables, and lock their players and the tables of the tournament."""
    if not tables:
        template = gettext_noop("There is nobody to sit down: say first who plays.")
        raise Refused("nobody-plays", template)
    for plan in tables:
        seats = tournament.rules.mode(plan.mode, tournament.house_rules).seats
        if not seats == len(plan.players) == len(plan.entrants):
            template = gettext_noop("A table has %(seats)d seats here, but %(players)d people.")
            raise Refused("table-not-full", template, seats=seats, players=len(plan.players))
    wanted = {entrant for plan in tables for entrant in plan.entrants}
    entered = Entrant.objects.playing().filter(tournament=tournament, pk__in=wanted)
    if entered.count() != len(wanted):
        raise _not_entered()
    hold_tables_of([tournament.pk])  # so that no correction changes meanwhile who dealt before
    lock_free_players([player for plan in tables for player in plan.players])


def _not_entered() -> Refused:
    template = gettext_noop("Somebody at these tables is not in the tournament: add them first.")
    return Refused("not-entered", template)


def _create_tables(round_: Round, plans: Sequence[TablePlan], now: datetime, rng: Random) -> None:
    """Create a sitting with its seats for each plan."""
    rules, options = round_.tournament.rules, round_.tournament.house_rules
    history = dealing_history(round_.tournament_id)
    plan_numbers = [plan.number for plan in plans]
    numbers = table_numbers(round_.tournament_id, round_.night_id, len(plans), planned=plan_numbers)
    for plan, table in zip(plans, lasting_tables(round_, numbers, now=now, rng=rng), strict=True):
        mode = rules.mode(plan.mode, options)
        dealt_before = history.before(round_.number, plan.players)  # when each dealt last
        session = rules.open_session(mode, options, plan.first_dealer, dealt_before)
        sitting = Sitting.objects.create(
            round=round_,
            table=table,
            number=table.number,
            mode=mode.code,
            options=dict(options),
            token=secrets.token_urlsafe(16),
            first_dealer=plan.first_dealer,
            dealt_before=list(dealt_before),
            started_at=now,
            session=rules.save_session(session),
            next_dealer=session.dealer,
            may_deal=list(session.may_deal),
            over=session.over,
            side_points=[0] * len(mode.sides) if plan.is_match else None,
        )
        Seat.objects.bulk_create(
            Seat(
                sitting=sitting,
                round=round_,
                place=place,
                side=mode.side_of(place),
                player_id=player,
                entrant_id=entrant,
            )
            for place, (player, entrant) in enumerate(zip(plan.players, plan.entrants, strict=True))
        )
