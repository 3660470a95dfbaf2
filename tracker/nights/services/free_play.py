"""Services that seat one more table of people who are free, and close finished rounds of free play.

In free play tables form as people come, and each is a round of its own.
"""

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
    """Seat the *chosen* players or teams of the club, and new people, at one table.

    In free play the table is a round of its own, and finished rounds are closed first. Otherwise it
    joins the round that is being played. Partners are those who have played together least.

    :raises Refused: ``no-such-table`` if the game has no mode for so many, ``round-not-open``
        if no round is being played, or if somebody sits elsewhere.
    """
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    night = ClubNight.objects.going_on(tournament.club_id, by.at)
    if night is not None:
        # Locked before its rounds, in the order in which a break locks them.
        ClubNight.objects.select_for_update(no_key=True).get(pk=night.pk)
    is_free_play = tournament.movement == Movement.FREE
    if is_free_play:
        close_finished(tournament_id=tournament.pk, by=by)
    entered = enter_newcomers(tournament, chosen, new_names, by)
    entrants = list(dict.fromkeys(entrant.pk for entrant in entered if entrant.has_place))
    in_teams = tournament.format == Format.TEAMS
    modes = [m for m in modes_of(tournament) if units_at_table(m, in_teams) == len(entrants)]
    if not modes:
        raise Refused(
            "no-such-table",
            gettext_noop("This game has no table for %(here)d players: add one, or leave one out."),
            question="chosen",
            here=len(entrants),
        )
    # Preferably the tournament's own mode, then one with partners.
    mode = min(modes, key=lambda mode: (mode.code != tournament.mode, mode.individual))
    if night is not None and not in_teams:
        players = tournament.entrants.filter(pk__in=entrants).values_list("player", flat=True)
        arrive(night_id=night.pk, players=[key for key in players if key], by=by)
    if not is_free_play:
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
    """Close every open round of a tournament that has all its results; return their number."""
    # All rounds are locked before any table: a request that closes one of them holds its lock
    # while it waits for the tables.
    rounds = Round.objects.select_for_update(no_key=True).order_by("pk")
    running = rounds.filter(tournament=tournament_id, state=RoundState.OPEN)
    finished = [round_ for round_ in running if not pending_tables(round_)]
    for round_ in sorted(finished, key=lambda round_: round_.number):
        close_round(round_id=round_.pk, by=by)
    return len(finished)


def _join_running(
    tournament: Tournament, entrants: Sequence[int], mode: Mode, by: Actor, rng: Random
) -> Round:
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
