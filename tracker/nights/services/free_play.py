"""One more table for free players: in the running round, or a round of its own in free play."""

from collections.abc import Sequence
from random import Random

from django.db import transaction

from games.errors import gettext_noop
from games.mode import Mode
from tracker.common.actor import Actor
from tracker.common.errors import Refused
from tracker.models import ClubNight, Format, Movement, Round, RoundState, Tournament
from tracker.movements.table_sizes import units_at_table
from tracker.nights.services.attendance import arrive
from tracker.nights.services.closing import close_round, pending_tables
from tracker.seating.logic.saved_draws import DrawSettings
from tracker.seating.queries.movement_plans import modes_of, plan_rounds
from tracker.seating.services.round_opening import join_round, seat_round, table_plans
from tracker.tournaments.services.entry_lists import enter_newcomers


@transaction.atomic
def seat_table(
    *,
    tournament_id: int,
    chosen: Sequence[int] = (),
    new_names: Sequence[str] = (),
    by: Actor,
    rng: Random,
) -> Round:
    """Seat those chosen, players of the club or its teams, and people new by name at one table.

    Where tables form as people come, that is a round of its own, beside others that run, and
    rounds in which everything is in are closed first. Elsewhere the table joins the round that
    is being played. Who plays with whom is found with the fewest repeats.

    :raises Refused: ``no-such-table`` if the game is not played by so many, ``round-not-open``
        if no round is being played that they could join, or if somebody sits elsewhere.
    """
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    night = ClubNight.objects.going_on(tournament.club_id, by.at)
    if night is not None:  # before its rounds, as whoever takes a break does
        ClubNight.objects.select_for_update(no_key=True).get(pk=night.pk)
    free = tournament.movement == Movement.FREE
    if free:
        close_finished(tournament_id=tournament.pk, by=by)
    entered = enter_newcomers(tournament, chosen, new_names, by)
    entrants = list(dict.fromkeys(entrant.pk for entrant in entered if entrant.has_place))
    fixed = tournament.format == Format.TEAMS
    modes = [mode for mode in modes_of(tournament) if units_at_table(mode, fixed) == len(entrants)]
    if not modes:
        raise Refused(
            "no-such-table",
            gettext_noop("This game has no table for %(here)d players: add one, or leave one out."),
            question="chosen",
            here=len(entrants),
        )
    # As the tournament plays, if it can be.
    mode = min(modes, key=lambda each: (each.code != tournament.mode, each.individual))
    if night is not None and not fixed:
        players = tournament.entrants.filter(pk__in=entrants).values_list("player", flat=True)
        arrive(night_id=night.pk, players=[each for each in players if each], by=by)
    if not free:
        return _join_running(tournament, entrants, mode, by, rng)
    return seat_round(
        tournament_id=tournament.pk,
        entrants=entrants,
        mode=mode.code,
        movement=Movement.FEWEST_REPEATS,
        by=by,
        rng=rng,
        night_id=night.pk if night else None,
    )


@transaction.atomic
def close_finished(*, tournament_id: int, by: Actor) -> int:
    """Close every round of free play in which everything is in, and return how many."""
    # All rounds before any table, as whoever closes one of them waits for the tables with it.
    rounds = Round.objects.select_for_update(no_key=True).order_by("pk")
    running = rounds.filter(tournament=tournament_id, state=RoundState.OPEN)
    whole = [round_ for round_ in running if not pending_tables(round_)]
    for round_ in sorted(whole, key=lambda each: each.number):
        close_round(round_id=round_.pk, by=by)
    return len(whole)


def _join_running(
    tournament: Tournament, entrants: Sequence[int], mode: Mode, by: Actor, rng: Random
) -> Round:
    """Seat one more table in the last of the rounds that run."""
    running = tournament.rounds.filter(state=RoundState.OPEN).order_by("-number").first()
    if running is None:
        raise Refused("round-not-open", gettext_noop("No round is being played: open one first."))
    (planned,) = plan_rounds(
        tournament,
        DrawSettings(movement=Movement.FEWEST_REPEATS, mode=mode.code),
        entrants,
        number=running.number,
        seed=rng.getrandbits(32),
        night_id=running.night_id,
        beside=True,
    )
    plans = table_plans(tournament, planned.seating)
    return join_round(round_id=running.pk, tables=plans, by=by, rng=rng)
