"""Somebody who walks in: entered by name alone, known to the club or not."""

from collections.abc import Sequence

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.errors import Refused
from tracker.models import Entrant, Format, Tournament
from tracker.people.services.players import add_players
from tracker.people.services.teams import teams_in_a_row
from tracker.tournaments.services.entering import enter_players, enter_teams


@transaction.atomic
def enter_by_name(*, tournament_id: int, names: Sequence[str], by: Actor) -> list[Entrant]:
    """Enter the people of these names; in the format of teams they are one team together.

    Who is new to the club is added to it.

    :raises Refused: if a name cannot be kept, ``team-of`` if a team is not of so many people,
        or on the terms of ``enter_players``, ``enter_teams`` and ``teams_in_a_row``.
    """
    # Before anybody new, as whoever draws does.
    tournament = Tournament.objects.select_for_update(no_key=True).get(pk=tournament_id)
    added = add_players(club_id=tournament.club_id, names=names, by=by)
    if tournament.format == Format.PLAYERS:
        players = [player.pk for player in added.players]
        return enter_players(tournament_id=tournament_id, players=players, by=by)
    side = len(tournament.rules.mode(tournament.mode, tournament.house_rules).sides[0])
    if len(added.players) < side:
        raise Refused(
            "team-of",
            gettext_noop("A team here is %(side)d people: write all their names."),
            question="names",
            side=side,
        )
    teams = teams_in_a_row(tournament.club_id, added.players, len(added.players))
    return enter_teams(tournament_id=tournament_id, teams=teams, by=by)
