"""Services that begin a tournament for the people who are in the hall, and seat one more table.

A *mode* of a game says how many sit at a table and in which sides, such as four in two pairs. In
*free play* tables form as people come, and each is a round of its own. An *entrant* is a player or
a team in a tournament. *Options* are house rules; *length* is that of a round, in hands or games.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from django.db import transaction

from games.errors import gettext_noop
from games.game import AnyGame
from games.mode import Mode
from games.option import Options
from tracker.common.actor import Actor
from tracker.common.errors import Refused
from tracker.models import (
    ClubNight,
    Format,
    Movement,
    Player,
    Round,
    RoundState,
    Season,
    Tournament,
)
from tracker.movements.table_sizes import best_mode, check_enough, units_at_table
from tracker.nights.services.attendance import arrive
from tracker.nights.services.closing import close_finished
from tracker.nights.services.nights import current_or_new_night
from tracker.people.services.players import add_players, chosen_players
from tracker.people.services.teams import teams_in_a_row
from tracker.seating.logic.saved_draws import DrawSettings
from tracker.seating.queries.movement_plans import modes_of, plan_rounds
from tracker.seating.services.round_opening import join_round, seat_round, table_plans
from tracker.tournaments.services.entering import enter_players, enter_teams
from tracker.tournaments.services.entry_lists import enter_newcomers
from tracker.tournaments.services.tournaments import check_format, make_tournament, rules_of


@transaction.atomic
def begin_tonight(
    *,
    club_id: int,
    game: str,
    title: str,
    players: Sequence[int],
    new_names: Sequence[str],
    by: Actor,
    rng: Random,
    mode: str | None = None,
    format_: Format = Format.PLAYERS,
    length: int | None = None,
    movement: str = Movement.IN_ORDER,
    options: Options | None = None,
) -> Round:
    """Make a tournament of *players* and *new_names*, check them in, and open round 1.

    They are checked in at the current night, or at a new one. Without a *mode* the best one for
    their number is played. In the team format, people next to each other in the list are partners.

    :raises Refused: if there are too few people, a player has no partner, is named twice or sits in
        a running round, or a name is not allowed.
    :raises ModeError: if the game has no such mode.
    """
    night = current_or_new_night(club_id=club_id, by=by)
    people = _people(club_id, players, new_names, by)
    keys = [person.pk for person in people]
    chosen_mode = mode_for(rules_of(game), len(people), format_, mode, options)
    season = Season.objects.latest_of(club_id)
    name = _unused_title(club_id, title)
    settings: dict[str, Any] = {"mode": chosen_mode.code, "format_": format_, "options": options}
    settings |= {"length": length, "season_id": season.pk if season else None}
    settings |= {"people": len(people)}
    tournament = make_tournament(club_id=club_id, name=name, game=game, by=by, **settings)
    if format_ == Format.TEAMS:
        teams = teams_in_a_row(club_id, people, len(chosen_mode.sides[0]))
        entered = enter_teams(tournament_id=tournament.pk, teams=teams, by=by)
    else:
        entered = enter_players(tournament_id=tournament.pk, players=keys, by=by)
    arrive(night_id=night.pk, players=keys, by=by)
    return seat_round(
        tournament_id=tournament.pk,
        entrants=[entrant.pk for entrant in entered],
        by=by,
        rng=rng,
        movement=movement,
        night_id=night.pk,
    )


def mode_for(
    rules: AnyGame, people: int, format_: Format, mode: str | None, options: Options | None = None
) -> Mode:
    """Return the mode of this code, or without a code the best one for this number of people.

    :raises Refused: if they are too few for a table, or the mode does not suit the format.
    :raises ModeError: if the game has no such mode.
    """
    options = rules.default_options() if options is None else options
    if mode is not None:
        chosen = rules.mode(mode, options)
    else:
        modes = list(rules.modes(options))
        if format_ == Format.TEAMS:
            # If all modes are for individuals, the check below refuses one of them.
            modes = [candidate for candidate in modes if not candidate.individual] or modes[:1]
        chosen = best_mode(people, modes) or min(modes, key=lambda candidate: candidate.seats)
    check_format(chosen, format_)
    # *people* counts players even if they form fixed teams.
    check_enough(people, chosen, fixed=False)
    return chosen


def _people(
    club_id: int, players: Sequence[int], new_names: Sequence[str], by: Actor
) -> list[Player]:
    """Return each player once, in the order given; a new name may be that of a known player."""
    known = chosen_players(club_id, players)
    added = add_players(club_id=club_id, names=new_names, by=by)
    if added.repeated:
        raise Refused(
            "named-twice",
            gettext_noop("Two people are called “%(name)s”: type “%(name)s K.” and “%(name)s M.”"),
            question="names",
            name=added.repeated[0],
        )
    return list(dict.fromkeys([*(known[key] for key in players), *added.players]))


def _unused_title(club_id: int, title: str) -> str:
    """Return *title*, with a number if the club has a tournament of that name."""
    tournaments = Tournament.objects.filter(club_id=club_id, name__startswith=title)
    names = set(tournaments.values_list("name", flat=True))
    longest = Tournament.name.field.max_length or 0  # it is always set
    number, name = 1, title
    while name in names:
        number += 1
        name = f"{title[: longest - len(' (999)')]} ({number})"
    return name


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

    :raises Refused: ``no-such-table`` if the game has no mode for this number of people,
        ``round-not-open`` if no round is being played, or if one of the people sits elsewhere.
    """
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    night = ClubNight.objects.going_on(tournament.club_id, by.at)
    # Locked before its rounds, as when a break is called: otherwise the two could deadlock.
    if night is not None:
        ClubNight.objects.select_for_update(no_key=True).get(pk=night.pk)
    if tournament.movement == Movement.FREE:
        close_finished(tournament_id=tournament.pk, by=by)
    entered = enter_newcomers(tournament, chosen, new_names, by)
    # Those who came on the reserve list get no seat.
    entrants = list(dict.fromkeys(entrant.pk for entrant in entered if entrant.has_place))
    in_teams = tournament.format == Format.TEAMS
    mode = _mode_of_one_table(tournament, len(entrants), in_teams=in_teams)
    if night is not None and not in_teams:
        players = tournament.entrants.filter(pk__in=entrants).values_list("player", flat=True)
        arrive(night_id=night.pk, players=list(filter(None, players)), by=by)
    if tournament.movement != Movement.FREE:
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


def _mode_of_one_table(tournament: Tournament, units: int, *, in_teams: bool) -> Mode:
    """Return a mode that seats exactly this number of *units*, players or teams, at one table."""
    modes = [m for m in modes_of(tournament) if units_at_table(m, fixed=in_teams) == units]
    if not modes:
        raise Refused(
            "no-such-table",
            gettext_noop("This game has no table for %(here)d players: add one, or leave one out."),
            question="chosen",
            here=units,
        )
    # Preferably the tournament's own mode, then one with partners.
    return min(modes, key=lambda mode: (mode.code != tournament.mode, mode.individual))


def _join_running(
    tournament: Tournament, entrants: Sequence[int], mode: Mode, by: Actor, rng: Random
) -> Round:
    """Seat entrants at one more table of the round that is being played."""
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
        ours_free=False,  # the round goes on at its other tables
    )
    plans = table_plans(tournament, planned.seating)
    return join_round(round_id=running.pk, tables=plans, by=by, rng=rng)
