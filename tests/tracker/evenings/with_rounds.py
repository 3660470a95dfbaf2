"""What organisers do with rounds, and with a whole tournament."""

from collections.abc import Callable
from contextlib import suppress
from random import Random

from django.db import transaction

from games.errors import RuleError
from tests import make
from tests.tracker.evenings.club import Evenings, running
from tracker.criteria.ranking_criteria import offered_tie_breaks
from tracker.models import Entrant, Movement, Player, RankedBy, Role, RoundState
from tracker.nights.services.closing import Unconfirmed, close_round, reopen_round
from tracker.seating.services.round_opening import seat_round
from tracker.seating.services.rounds import restore_round, shorten_round, undo_round
from tracker.standings.services.standings import finish_tournament, reopen_tournament
from tracker.tournament_files.queries.export import tournament_file
from tracker.tournament_files.services.importing import import_tournament
from tracker.tournaments.services.tournaments import change_ranking


def open_next(club: Evenings, dice: Random) -> None:
    """Close the round that is played, if one is, and seat whoever plays for the next."""
    for round_ in club.tournament.rounds.filter(state=RoundState.OPEN):
        close_round(
            round_id=round_.pk,
            by=club.by(organiser=True),
            anyway=True,
            unconfirmed=dice.choice([*Unconfirmed]),
        )
    with suppress(RuleError):
        seat(club, dice)


def seat(club: Evenings, dice: Random) -> None:
    playing = Entrant.objects.playing().filter(tournament=club.tournament).order_by("pk")
    movements = [Movement.BY_LOT, Movement.EQUALS, Movement.STRONG_WITH_WEAK, Movement.IN_ORDER]
    seat_round(
        tournament_id=club.tournament.pk,
        entrants=list(playing.values_list("pk", flat=True)),
        by=club.by(organiser=True),
        rng=dice,
        movement=dice.choice(movements),
        odd_tables=dice.randrange(3) == 0,
        length=dice.choice([None, None, 2]) if club.tournament.games is None else None,
    )


def rank_otherwise(club: Evenings, dice: Random) -> None:
    """Let something else decide from now on, or other tie-breaks."""
    tournament, ranked_by = club.tournament, RankedBy(club.tournament.ranked_by)
    of_game = [each.key for each in tournament.rules.tie_breaks(tournament.house_rules)]
    if dice.randrange(2):
        # Who won which match is counted from nothing nowhere here.
        ranked_by = dice.choice([each for each in RankedBy if each != RankedBy.MATCH_POINTS])
        of_game = []
    offered = offered_tie_breaks(tournament, ranked_by)
    known = [key for key in of_game if key in offered]
    change_ranking(
        tournament_id=tournament.pk,
        ranked_by=ranked_by,
        tie_breaks=dice.sample(known, min(2, len(known))),
        seed=1,
        by=club.by(organiser=True),
    )


def close(club: Evenings, dice: Random) -> None:
    if sitting := running(club, dice):
        how = dice.choice([{}, {"anyway": True}, {"not_played": True}])
        unconfirmed = dice.choice([None, *Unconfirmed])
        by = club.by(organiser=True)
        close_round(round_id=sitting.round_id, by=by, unconfirmed=unconfirmed, **how)


def shorten(club: Evenings, dice: Random) -> None:
    if sitting := running(club, dice):
        length = dice.randrange(1, 5)
        shorten_round(round_id=sitting.round_id, length=length, by=club.by(organiser=True))


def reopen(club: Evenings, dice: Random) -> None:
    _with_last(club, reopen_round)


def undo(club: Evenings, dice: Random) -> None:
    _with_last(club, undo_round)


def _with_last(club: Evenings, act: Callable[..., object]) -> None:
    there = club.tournament.rounds.exclude(state=RoundState.UNDONE).order_by("number", "pk")
    if last := there.last():
        act(round_id=last.pk, by=club.by(organiser=True))


def bring_back(club: Evenings, dice: Random) -> None:
    if undone := [round_ for round_ in club.rounds if round_.state == RoundState.UNDONE]:
        restore_round(round_id=dice.choice(undone).pk, by=club.by(organiser=True))


def finish(club: Evenings, dice: Random) -> None:
    act = dice.choice([finish_tournament, reopen_tournament, reopen_tournament])
    act(tournament_id=club.tournament.pk, by=club.by(organiser=True))


def move_house(club: Evenings, dice: Random) -> None:
    """Take the tournament to another club as a file: it says the same there, and goes on there."""
    file = tournament_file(club.tournament)
    playing = club.tournament.rounds.filter(state=RoundState.OPEN).exists()
    # A tournament is not twice on one site: the old club is as though it had never been.
    transaction.savepoint_rollback(club.before)
    club.before = transaction.savepoint()
    club.club = make.club("Upanga")
    club.organiser = make.user(role=Role.ORGANISER, club=club.club)
    if dice.randrange(2):  # somebody of these names is there already
        make.player("Asha", club=club.club)
        make.player("Mama Neema", club=club.club)
    club.tournament = import_tournament(
        club_id=club.club.pk,
        content=file,
        choices=None,
        by=club.by(organiser=True),
        accept_differences=True,
    )
    club.people = list(Player.objects.present().filter(club=club.club).order_by("pk"))
    club.sent = []
    # What is still played comes in as closed.
    assert playing or tournament_file(club.tournament) == file
