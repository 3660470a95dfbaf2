"""What organisers do with seats, entrants and points."""

from random import Random

from tests.tracker.evenings.club import Evenings, running, some_table
from tracker.models import Award, AwardKind, Format, Player, RoundState, Seat
from tracker.seating.services.player_replacement import Reach, replace_player
from tracker.seating.services.seat_swaps import substitute, swap_seats
from tracker.standings.services.standings import give_award, withdraw_award
from tracker.tournaments.services.entering import come_back, enter_players, limit_places, withdraw


def swap(club: Evenings, dice: Random) -> None:
    """Let two places of a round be exchanged for all its hands, or only their people."""
    if sitting := some_table(club, dice):
        seats = Seat.objects.filter(round=sitting.round_id).order_by("pk")
        seat, other = dice.sample([seat.pk for seat in seats], 2)
        together = dice.randrange(3) == 0
        swap_seats(seats=(seat, other), by=club.by(organiser=True), only_together=together)


def put_right(club: Evenings, dice: Random) -> None:
    """Replace a person who was entered by mistake, by somebody who sits nowhere or anywhere."""
    if sitting := some_table(club, dice):
        seat = dice.choice(list(sitting.seats.order_by("pk")))
        there = Seat.objects.filter(round__tournament=club.tournament).values("player")
        nowhere = [each for each in club.people if not there.filter(player=each).exists()]
        replace_player(
            seat_id=seat.pk,
            player_id=dice.choice(dice.choice([club.people, nowhere or club.people])).pk,
            by=club.by(organiser=True),
            reach=dice.choice([*Reach]),
            from_hand=dice.randrange(1, sitting.last_number + 2),
        )


def replace(club: Evenings, dice: Random) -> None:
    """Let somebody take over a seat, now and then whoever sat there before."""
    look = running if dice.randrange(8) else some_table
    if sitting := look(club, dice):
        seat = dice.choice(list(sitting.seats.running().order_by("pk")))
        before = sitting.seats.filter(place=seat.place).exclude(pk=seat.pk).order_by("pk")
        there = Seat.objects.running().filter(round__state=RoundState.OPEN).values("player")
        free = Player.objects.filter(club=club.club).exclude(pk__in=there).order_by("pk")
        who = dice.choice([club.people, [each.player for each in before], list(free)])
        if who:
            substitute(seat_id=seat.pk, player_id=dice.choice(who).pk, by=club.by(organiser=True))


def award(club: Evenings, dice: Random) -> None:
    entrants = club.tournament.entrants.order_by("pk")
    give_award(
        tournament_id=club.tournament.pk,
        entrant_id=dice.choice(list(entrants)).pk,
        kind=dice.choice([*AwardKind]),
        amount=dice.choice([2, -1, 1, None]),
        round_id=dice.choice([None, *(round_.pk for round_ in club.rounds)]),
        reason="Made the tea",
        by=club.by(organiser=True),
    )


def take_award_back(club: Evenings, dice: Random) -> None:
    if awards := list(Award.objects.filter(tournament=club.tournament).order_by("pk")):
        withdraw_award(
            tournament_id=club.tournament.pk,
            award_id=dice.choice(awards).pk,
            by=club.by(organiser=True),
        )


def go_home(club: Evenings, dice: Random) -> None:
    entrant = dice.choice(list(club.tournament.entrants.order_by("pk")))
    withdraw(entrant_id=entrant.pk, by=club.by())


def come_again(club: Evenings, dice: Random) -> None:
    """Enter somebody, new or come back, for whom there may be no place."""
    if dice.randrange(2) or club.tournament.format == Format.TEAMS:
        entrant = dice.choice(list(club.tournament.entrants.order_by("pk")))
        come_back(entrant_id=entrant.pk, by=club.by())
    else:
        player = dice.choice(club.people)
        enter_players(tournament_id=club.tournament.pk, players=[player.pk], by=club.by())


def limit(club: Evenings, dice: Random) -> None:
    places = dice.choice([None, 6, 8])
    limit_places(tournament_id=club.tournament.pk, places=places, by=club.by())
