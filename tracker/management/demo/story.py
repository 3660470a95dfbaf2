"""The demo's two years: an evening every fourth week, one that is going on, and one announced."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random

from django.db import transaction

from tracker.common.actor import Actor
from tracker.management.demo.cast import (
    CLUB,
    MEMBER,
    NEWCOMER,
    ORGANISER,
    OWNER,
    PASSWORD,
    TEAMS,
    TWICE,
    VISITORS_FROM,
    cast,
)
from tracker.management.demo.evening import (
    ALBASTINI,
    PLACE,
    Billing,
    Teller,
    finish,
    play,
    settle,
    start_tournament,
    who_comes,
    who_plays,
)
from tracker.management.demo.tonight import tonight
from tracker.models import (
    Club,
    Format,
    Hand,
    Membership,
    Movement,
    Player,
    Role,
    Season,
    Tournament,
    User,
)
from tracker.nights.services.attendance import arrive, record_rsvp
from tracker.nights.services.nights import announce_night, end_night
from tracker.people.services.claims import answer_claim, claim_player, link_player
from tracker.people.services.clubs import make_club
from tracker.people.services.merging import merge_players
from tracker.people.services.players import add_player
from tracker.people.services.teams import make_team
from tracker.results.services.corrections import correct_sitting
from tracker.standings.queries.standings import standings
from tracker.standings.services.seasons import save_season
from tracker.standings.services.stages import StagePlan, begin_stage
from tracker.tournaments.services.entering import enter_players, limit_places, withdraw
from tracker.tournaments.services.tournaments import Terms, make_tournament

NIGHTS = 27
_EVERY = timedelta(weeks=4)  # always on the same weekday
_EVENING = timedelta(hours=19)
_PROGRAMME = (
    replace(ALBASTINI, one_leaves=True),
    Billing("briscola", "2i", 2, 1, 3, "Briscola"),
    replace(ALBASTINI, movement=Movement.STRONG_WITH_WEAK),
    Billing("dalmuti", "6i", 6, 4, 2, "Dalmuti"),
    Billing("albastini", "6t2", 6, 5, 2, "Albastini in threes of pairs"),
    Billing("mambassa", "4i", 4, 1, 2, "Mambassa", movement=Movement.EQUALS),
    ALBASTINI,
    Billing("briscola", "4t2", 4, 1, 3, "Briscola in teams", teams=8),
    Billing("albastini", "5i", 5, 5, 2, "Albastini by fives"),
)
_KNOCKOUT = Billing(
    "briscola", "4t2", 4, 1, 3, "Briscola knock-out", 6, Movement.KNOCKOUT, third_place=True
)
_SWISS = Billing("albastini", "4t2", 4, 4, 4, "Albastini in pairs", 8, Movement.SWISS)
_STAGES = Billing("albastini", "4t2", 4, 4, 2, "Albastini in stages", stages=True)
_FINALISTS = 8
_FINAL_ROUNDS = 3  # each pair of the final meets each other once
_CUP, _PLACES = "Kombe la Bahari", 16
# The latest evenings, so that they are there however short the past is.
_LATEST = (_KNOCKOUT, _STAGES, _SWISS)


@transaction.atomic
def make_demo(
    *, seed: int, today: datetime, step: Callable[[], object], nights: int = NIGHTS
) -> Club:
    """Fill an empty database with a club in full swing; *step* is called after every evening.

    All or nothing, and the same for the same seed and day. With fewer *nights*, its past is shorter.
    """
    began = today - nights * _EVERY
    owner = User.objects.create_superuser(OWNER, password=PASSWORD)
    club = make_club(name=CLUB, public=True, by=Actor(at=began, user_id=owner.pk))
    tell = Teller(rng=Random(seed), today=today, began=began, club=club, owner=owner)
    for guest in cast(tell.rng):
        player = add_player(
            club_id=club.pk,
            name=guest.name,
            visitor_from=VISITORS_FROM if guest.visitor else "",
            by=tell.by(began),
        )
        tell.skills[player.pk] = 0.15 + 0.8 * guest.skill
        tell.players.append(player)
    _sign_up(tell)
    # The regulars enter in pairs twice a year.
    for number, name in enumerate(TEAMS):
        pair = [player.pk for player in tell.players[2 * number : 2 * number + 2]]
        tell.teams.append(make_team(club_id=club.pk, name=name, players=pair, by=tell.by(began)))
    year = today.year
    seasons = [
        save_season(Season(club=club, name=name), by=tell.by(began))
        for name in (f"Kusi {year - 1}", f"Kaskazi {year - 1}–{year}", f"Kusi {year}")
    ]
    for number in range(nights):
        _past_night(tell, number, nights, seasons[number * len(seasons) // nights])
        step()
    stays, gone = (Player.objects.get(club=club, name=name) for name in TWICE)
    merge_players(player_id=gone.pk, into_id=stays.pk, by=tell.by(today))
    tell.players = [player for player in tell.players if player.pk != gone.pk]
    _correct(tell)
    _announce_next(tell, seasons[-1])
    tonight(tell, seasons[-1])
    step()
    return club


def _sign_up(tell: Teller) -> None:
    """Link three players to logins, and leave the claim of a fourth open."""
    owner, *others = tell.players[:4]
    link_player(player_id=owner.pk, user_id=tell.owner.pk, by=tell.by(tell.began))
    roles = {ORGANISER: Role.ORGANISER, MEMBER: Role.MEMBER, NEWCOMER: Role.MEMBER}
    for player, (name, role) in zip(others, roles.items(), strict=True):
        user = User.objects.create_user(name, password=PASSWORD)
        Membership.objects.create(club=tell.club, user=user, role=role)
        claim_player(player_id=player.pk, by=Actor(at=tell.today, user_id=user.pk))
        if name != NEWCOMER:
            answer_claim(player_id=player.pk, yes=True, by=tell.by(tell.today))


def _past_night(tell: Teller, number: int, nights: int, season: Season) -> None:
    day = tell.began + number * _EVERY
    start = day.replace(hour=0, minute=0, second=0, microsecond=0) + _EVENING
    usual = _PROGRAMME[number % len(_PROGRAMME)]
    to_come = nights - number  # this one is the first of them
    billing = _LATEST[-to_come] if to_come <= len(_LATEST) else usual
    people = who_plays(tell, billing)
    night = announce_night(
        club_id=tell.club.pk, starts_at=start, place=PLACE, games=billing.name, by=tell.by(start)
    )
    arrive(night_id=night.pk, players=[player.pk for player in people], by=Actor(at=start))
    tournament = start_tournament(tell, billing, people, start, season)
    end = play(tell, tournament, billing, start, night_id=night.pk)
    if billing.stages:
        end = _play_on(tell, tournament, billing, end, night_id=night.pk)
    settle(tell, tournament, finish(tell, tournament, end), end)
    end_night(night_id=night.pk, by=tell.by(end))


def _play_on(
    tell: Teller, first: Tournament, billing: Billing, now: datetime, *, night_id: int
) -> datetime:
    """Let the best play a final with partners they chose, and the rest go on alone beside it.

    The first chose the last of them, the second the last but one. Return when all is over.
    """
    order = [row.entrant for row in standings(first).rows if not row.withdrawn]
    best, others = order[:_FINALISTS], order[_FINALISTS:]
    half = _FINALISTS // 2
    in_pairs = [
        each for pair in zip(best[:half], reversed(best[half:]), strict=True) for each in pair
    ]
    ends = []
    for entrants, stage, format_, movement in (
        (in_pairs, "Final", Format.TEAMS, Movement.ROUND_ROBIN),
        (others, "Consolation", Format.PLAYERS, Movement.FEWEST_REPEATS),
    ):
        plan = StagePlan(
            stage=stage,
            mode=billing.mode,
            format_=format_,
            movement=movement,
            length=billing.length - 1,
            terms=Terms(planned=_FINAL_ROUNDS),
        )
        tournament = begin_stage(sources=[first.pk], entrants=entrants, plan=plan, by=tell.by(now))
        now += timedelta(minutes=1)  # what begins first stands first in the final ranking
        end = play(tell, tournament, replace(billing, rounds=_FINAL_ROUNDS), now, night_id=night_id)
        settle(tell, tournament, finish(tell, tournament, end), end)
        ends.append(end)
    return max(ends)


def _correct(tell: Teller) -> None:
    """Put two old hands right, as one does the week after."""
    hands = Hand.objects.exclude(sheet__eaten=[60, 60]).filter(
        sitting__round__tournament__club=tell.club,
        sitting__round__tournament__game="albastini",
        sitting__mode="4t2",
        number=2,
    )
    for hand in hands.order_by("-sitting")[:2]:
        correct_sitting(
            sitting_id=hand.sitting_id,
            changes={2: {"eaten": hand.sheet["eaten"][::-1], "dealer": hand.dealer}},
            reason="Sides the wrong way round",
            by=tell.by(tell.today - timedelta(days=3)),
        )


def _announce_next(tell: Teller, season: Season) -> None:
    """Announce the next evening with some replies, and take entries for its cup.

    There are more entries than places: one who had a place could not come after all, the first
    of the reserve list moved up, and the rest of it waits.
    """
    start = tell.today.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(
        days=14, hours=19
    )
    by = tell.by(tell.today - timedelta(days=3))
    night = announce_night(
        club_id=tell.club.pk,
        starts_at=start,
        place=PLACE,
        games="Albastini in pairs",
        by=by,
    )
    for player in who_comes(tell, 17):
        record_rsvp(
            night_id=night.pk, player_id=player.pk, yes=tell.rng.random() < 0.8, by=Actor(at=by.at)
        )
    cup = make_tournament(
        club_id=tell.club.pk,
        name=_CUP,
        game="albastini",
        mode="4t2",
        length=8,
        season_id=season.pk,
        terms=Terms(planned=5, minutes=40),
        by=by,
    )
    limit_places(tournament_id=cup.pk, places=_PLACES, by=by)
    people = [player.pk for player in who_comes(tell, _PLACES + 4)]
    entered = enter_players(tournament_id=cup.pk, players=people, by=by)
    withdraw(entrant_id=entered[6].pk, by=by)
