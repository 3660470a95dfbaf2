"""Entering those who play in a tournament."""

from collections.abc import Sequence

from django.db import transaction

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.models import Entrant, Format, Player, Team, Tournament


@transaction.atomic
def enter_players(*, tournament_id: int, players: Sequence[int], by: Actor) -> list[Entrant]:
    """Enter players of the club, in this order; who is entered already stays so.

    :raises Refused: if one is not of the club, or fixed teams play here.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if tournament.format != Format.PLAYERS:
        raise Refused("teams-enter", gettext_noop("Fixed pairs or teams play here, not players."))
    here = Player.objects.present().filter(club_id=tournament.club_id, pk__in=players)
    if here.count() != len(set(players)):
        raise Refused(
            "player-unknown", gettext_noop("Somebody you chose is not a player of this club.")
        )
    known = {entrant.player_id: entrant for entrant in tournament.entrants.all()}
    entered = [
        known.get(player) or tournament.entrants.create(player_id=player) for player in players
    ]
    _record_entered(tournament, entered, {*known}, by)
    return entered


@transaction.atomic
def enter_teams(*, tournament_id: int, teams: Sequence[int], by: Actor) -> list[Entrant]:
    """Enter teams of the club, in this order; one that is entered already stays so.

    :raises Refused: if one is not of the club, has too few people, or players enter singly here.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if tournament.format != Format.TEAMS:
        raise Refused("players-enter", gettext_noop("Players enter here one by one, not as teams."))
    chosen = Team.objects.filter(club_id=tournament.club_id).in_bulk(list(teams))
    if len(chosen) != len(set(teams)):
        raise Refused("team-unknown", gettext_noop("A team you chose is not of this club."))
    known = {entrant.team_id: entrant for entrant in tournament.entrants.all()}
    entered = [known.get(team) or tournament.entrants.create(team_id=team) for team in teams]
    _record_entered(tournament, entered, {*known}, by)
    return entered


def enter_player(*, tournament_id: int, player_id: int, by: Actor) -> Entrant:
    """Enter one player, on the terms of ``enter_players``."""
    return enter_players(tournament_id=tournament_id, players=[player_id], by=by)[0]


def _record_entered(
    tournament: Tournament, entered: Sequence[Entrant], known: set[int | None], by: Actor
) -> None:
    """Write down who is new; whoever had withdrawn is in again."""
    back = [entrant.pk for entrant in entered if entrant.withdrawn_at is not None]
    Entrant.objects.filter(pk__in=back).update(withdrawn_at=None)
    new = [entrant.pk for entrant in entered if (entrant.player_id or entrant.team_id) not in known]
    if new or back:
        entrants = sorted({*new, *back})
        log(by, "entered", club_id=tournament.club_id, tournament=tournament.pk, entrants=entrants)
