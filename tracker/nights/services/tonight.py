"""From nothing to the first hand: people, a tournament, tables, an open round."""

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
from tracker.nights.services.nights import tonight
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
    """Seat everybody, known *players* first and then *new_names*, and open round 1.

    They are then here: at the night that is going on, or one that so begins.

    Without *mode* it is the one that suits so many people. In the format of teams they
    are partners as they follow one another. All or nothing: a refusal leaves no trace.

    :raises Refused: if they are too few, somebody has no partner, is named twice or sits
        in a running round, or a name cannot be kept.
    :raises ModeError: if the game is not played so.
    """
    rules = rules_of(game)
    night = tonight(club_id=club_id, by=by)
    people = _people(club_id, players, new_names, by)
    played = mode_for(rules, len(people), format_, mode, options)
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
        players = [person.pk for person in people]
        entered = enter_players(tournament_id=tournament.pk, players=players, by=by)
    arrive(night_id=night.pk, players=[person.pk for person in people], by=by)
    return seat_round(
        tournament_id=tournament.pk,
        entrants=[entrant.pk for entrant in entered],
        by=by,
        rng=rng,
        movement=movement,
        night_id=night.pk,
    )


def mode_for(
    rules: AnyGame,
    people: int,
    format_: Format,
    mode: str | None,
    options: Options | None = None,
) -> Mode:
    """Return how *people* sit down: as asked, or as suits them best.

    :raises Refused: if they are too few for a table, or fixed teams would sit alone.
    :raises ModeError: if the game is not played as asked.
    """
    options = rules.default_options() if options is None else options
    if mode is not None:
        played = rules.mode(mode, options)
    else:
        modes = [
            each
            for each in rules.modes(options)
            if format_ == Format.PLAYERS or not each.individual
        ]
        if not modes:
            check_format(rules.modes(options)[0], format_)
        played = best_mode(people, modes) or min(modes, key=lambda each: each.seats)
    check_format(played, format_)
    check_enough(people, played, fixed=False)
    return played


def _people(
    club_id: int, players: Sequence[int], new_names: Sequence[str], by: Actor
) -> list[Player]:
    """Return each player once, in the order given; a known name is the known player."""
    known = chosen_players(club_id, players)
    added = add_players(club_id=club_id, names=new_names, by=by)
    if added.twice:
        raise Refused(
            "named-twice",
            gettext_noop("Two people are called “%(name)s”: type “%(name)s K.” and “%(name)s M.”"),
            question="names",
            name=added.twice[0],
        )
    in_order = {player: known[player] for player in players}
    in_order.update({player.pk: player for player in added.players})
    return list(in_order.values())


def _unused_title(club_id: int, title: str) -> str:
    """Return *title*, numbered if the club has had a tournament of that name."""
    known = Tournament.objects.filter(club_id=club_id, name__startswith=title)
    names = set(known.values_list("name", flat=True))
    longest = Tournament.name.field.max_length or 0
    number, name = 1, title
    while name in names:
        number += 1
        name = f"{title[: longest - 6]} ({number})"
    return name
