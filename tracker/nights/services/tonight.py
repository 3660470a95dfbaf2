"""Service that begins a tournament in one step for the people who are in the hall tonight.

A *mode* of a game says how many sit at a table and in which sides, such as four in two pairs.
"""

from collections.abc import Sequence
from random import Random

from django.db import transaction

from games.errors import gettext_noop
from games.game import AnyGame
from games.mode import Mode
from games.option import Options
from tracker.common.actor import Actor
from tracker.common.errors import Refused
from tracker.models import Format, Movement, Player, Round, Season, Tournament
from tracker.movements.table_sizes import best_mode, check_enough
from tracker.nights.services.attendance import arrive
from tracker.nights.services.nights import current_or_new_night
from tracker.people.services.players import add_players, chosen_players
from tracker.people.services.teams import teams_in_a_row
from tracker.seating.services.round_opening import seat_round
from tracker.tournaments.services.entering import enter_players, enter_teams
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

    They are checked in at the current night, or at a new one. Without a *mode* the best one for their
    number is played. In the team format, people next to each other in the list are partners.

    :raises Refused: if there are too few people, somebody has no partner, is named twice or sits
        in a running round, or a name is not allowed.
    :raises ModeError: if the game has no such mode.
    """
    night = current_or_new_night(club_id=club_id, by=by)
    people = _people(club_id, players, new_names, by)
    keys = [person.pk for person in people]
    played = mode_for(rules_of(game), len(people), format_, mode, options)
    season = Season.objects.latest_of(club_id)
    tournament = make_tournament(
        club_id=club_id,
        name=_unused_title(club_id, title),
        game=game,
        mode=played.code,
        format_=format_,
        options=options,
        length=length,
        season_id=season.pk if season else None,
        people=len(people),
        by=by,
    )
    if format_ == Format.TEAMS:
        teams = teams_in_a_row(club_id, people, len(played.sides[0]))
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
    check_enough(people, chosen, fixed=False)
    return chosen


def _people(
    club_id: int, players: Sequence[int], new_names: Sequence[str], by: Actor
) -> list[Player]:
    """Return each player once, in the order given; a new name may be that of a known player."""
    known = chosen_players(club_id, players)
    added = add_players(club_id=club_id, names=new_names, by=by)
    if added.twice:
        raise Refused(
            "named-twice",
            gettext_noop("Two people are called “%(name)s”: type “%(name)s K.” and “%(name)s M.”"),
            question="names",
            name=added.twice[0],
        )
    by_key = {key: known[key] for key in players}
    by_key |= {player.pk: player for player in added.players}
    return list(by_key.values())


def _unused_title(club_id: int, title: str) -> str:
    """Return *title*, with a number if the club has a tournament of that name."""
    tournaments = Tournament.objects.filter(club_id=club_id, name__startswith=title)
    names = set(tournaments.values_list("name", flat=True))
    longest = Tournament.name.field.max_length or 0
    number, name = 1, title
    while name in names:
        number += 1
        name = f"{title[: longest - len(' (999)')]} ({number})"
    return name
