"""The demo's two years: an evening every fourth week, tonight's, and an announced one."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain
from random import Random

from django.db import transaction

from tracker.common.actor import Actor
from tracker.management.demo.evening import (
    ALBASTINI,
    CLUB,
    MEMBER,
    NEWCOMER,
    ORGANISER,
    OWNER,
    PASSWORD,
    PLACE,
    TEAMS,
    TWO_NAMES,
    VISITORS_FROM,
    Demo,
    Programme,
    finish,
    pick_players,
    play,
    play_round,
    players_for,
    resolve_ties,
    seat,
    start_tournament,
)
from tracker.models import (
    CallReason,
    Club,
    ClubNight,
    Format,
    Hand,
    Membership,
    Movement,
    Player,
    Role,
    Round,
    Season,
    Tournament,
    User,
    WishKind,
)
from tracker.nights.services.attendance import arrive, leave, open_door, record_rsvp
from tracker.nights.services.closing import close_round
from tracker.nights.services.nights import announce_night, end_night
from tracker.people.services.claims import answer_claim, claim_player, link_player
from tracker.people.services.clubs import make_club
from tracker.people.services.merging import merge_players
from tracker.people.services.teams import make_team
from tracker.results.services.calls import call_organiser
from tracker.results.services.corrections import correct_sitting
from tracker.results.services.issues import query_hand
from tracker.results.services.report_hand import Submission, report_hand
from tracker.seating.services.clocks import start_clock
from tracker.seating.services.draws import draw_rounds, publish_draws
from tracker.seating.services.round_opening import open_draw
from tracker.seating.services.wishes import keep_apart, keep_table
from tracker.standings.queries.standings import standings
from tracker.standings.services.seasons import save_season
from tracker.standings.services.stages import StagePlan, begin_stage
from tracker.tournaments.services.entering import enter_players, limit_places, withdraw
from tracker.tournaments.services.terms import Terms
from tracker.tournaments.services.tournaments import make_tournament

# The tournaments of tonight. The main one has seventeen players, of whom one rests in each round.
_MAIN = replace(ALBASTINI, rounds=4)
_HANDS_SO_FAR = {1: 3, 2: 2, 3: 3, 4: 4}  # {table: hands} in its open round, which has six hands
_DALMUTI = Programme("dalmuti", "5i", length=4, rounds=2, name="Dalmuti")
_BRISCOLA = Programme("briscola", "4t2", length=1, rounds=4, name="Briscola by the window")
_EARLY = Programme("briscola", "4t2", length=1, rounds=1, name="Briscola before supper")
_VISITOR = "Lucia Bevk"  # the seventeenth


def make_current_evening(demo: Demo, season: Season) -> None:
    """Make tonight's evening, in its third round, with issues for the organiser."""
    start = demo.today - timedelta(hours=2, minutes=10)
    early = start - timedelta(minutes=50)
    # The first 16 play in the main tournament, 5 Dalmuti, 9 Briscola; the last goes home before.
    *people, goes_home = pick_players(demo, 31)
    games = "Briscola, Albastini, Dalmuti"
    night = announce_night(
        club_id=demo.club.pk, starts_at=early, place=PLACE, games=games, by=demo.by(early)
    )
    _before_supper(demo, night, [*people[:3], goes_home], early, season)
    arrive(night_id=night.pk, players=[player.pk for player in people], by=Actor(at=start))
    _everybody, visitors = arrive(
        night_id=night.pk, new_names=[_VISITOR], visitor_from=VISITORS_FROM, by=Actor(at=start)
    )
    open_door(night_id=night.pk, by=demo.by(start))
    # One player has a fixed table by the door, and two others wish never to meet.
    keep_table(club_id=demo.club.pk, player_id=people[9].pk, table=2, by=demo.by(start))
    pair = {"player_id": people[11].pk, "other_id": people[14].pk}
    keep_apart(club_id=demo.club.pk, kind=WishKind.NOT_MEET, **pair, by=demo.by(start))
    # The main tournament starts last: the club's page shows the leaders of the latest one. Briscola
    # plays its first round before the others are seated, and two more after, at free tables.
    briscola = start_tournament(demo, _BRISCOLA, people[21:], start, season)
    first_end = play(demo, briscola, replace(_BRISCOLA, rounds=1), start, night_id=night.pk)
    dalmuti = start_tournament(demo, _DALMUTI, people[16:21], start, season)
    main = start_tournament(demo, _MAIN, [*people[:16], *visitors], start, season)
    # All four rounds are drawn at once, so that the last one is shown as published.
    draw_rounds(tournament_id=main.pk, by=demo.by(start), rng=demo.rng)
    publish_draws(tournament_id=main.pk, by=demo.by(start))
    now = start
    for _ in range(2):
        opened = open_draw(tournament_id=main.pk, by=demo.by(now), rng=demo.rng)
        now = play_round(demo, opened, now)
        close_round(round_id=opened.pk, by=demo.by(now))
    # Long enough ago that the quickest table can have played its four hands.
    now = demo.today - timedelta(minutes=36)
    third = open_draw(tournament_id=main.pk, by=demo.by(now), rng=demo.rng)
    of_dalmuti = seat(demo, dalmuti, night.pk, now)
    for opened in (third, of_dalmuti):
        start_clock(round_id=opened.pk, minutes=45, by=demo.by(now))
    play_round(demo, third, now, most=lambda table: _HANDS_SO_FAR[table])
    play_round(demo, of_dalmuti, now, most=lambda _: 2)
    _leave_issues(demo, third)
    # Briscola's fourth round, in which some players must meet again, is drawn, but not published.
    play(demo, briscola, replace(_BRISCOLA, rounds=2), first_end, night_id=night.pk)
    draw_rounds(tournament_id=briscola.pk, by=demo.by(demo.today), rng=demo.rng)


def _before_supper(
    demo: Demo, night: ClubNight, people: Sequence[Player], now: datetime, season: Season
) -> None:
    """Play a match before the others come; one player goes home.

    The two winners tie for its prize, and the tie is left for the organiser.
    """
    arrive(night_id=night.pk, players=[player.pk for player in people], by=Actor(at=now))
    tournament = start_tournament(demo, _EARLY, people, now, season)
    now = play(demo, tournament, _EARLY, now, night_id=night.pk)
    finish(demo, tournament, now)
    leave(night_id=night.pk, players=[people[-1].pk], by=Actor(at=now))


def _leave_issues(demo: Demo, opened: Round) -> None:
    """Make open issues: a conflict, a parked sheet (it does not add up), a query and a call."""
    first, second, third, *_ = opened.sittings.order_by("number")
    by = Actor(at=demo.today, device="another-phone")
    # Another count of a recorded hand, which is not the next hand, with the sides swapped.
    hand = first.hands.get(number=2)
    swapped = {"eaten": hand.sheet["eaten"][::-1], "dealer": hand.dealer}
    second_count = Submission(
        entry=demo.new_entry(), number=2, sheet=swapped, side=1, is_next=False
    )
    report_hand(token=first.token, submission=second_count, by=by)
    # A sheet of the next hand whose counts make 118, and should make 120.
    sheet = {"bare": 0, "eaten": [70, 48]}
    number = second.hands.count() + 1
    sent = Submission(entry=demo.new_entry(), number=number, sheet=sheet, side=1, parked=True)
    report_hand(token=second.token, submission=sent, by=by)
    query_hand(token=third.token, number=1, note="We think it was 72–48", by=by)
    call_organiser(token=second.token, reason=CallReason.COUNT, by=by)


NIGHTS = 27
_EVERY = timedelta(weeks=4)  # and so on the same weekday
_START = timedelta(hours=19)  # time of day
_IN_TEAMS = Programme("briscola", "4t2", length=1, rounds=3, name="Briscola in teams", teams=8)
_EVENINGS = (
    replace(ALBASTINI, one_leaves=True),
    Programme("briscola", "2i", length=1, rounds=3, name="Briscola"),
    replace(ALBASTINI, movement=Movement.STRONG_WITH_WEAK),
    Programme("dalmuti", "6i", length=4, rounds=2, name="Dalmuti"),
    Programme("albastini", "6t2", length=5, rounds=2, name="Albastini in threes of pairs"),
    Programme("mambassa", "4i", length=1, rounds=2, name="Mambassa", movement=Movement.EQUALS),
    ALBASTINI,
    _IN_TEAMS,
    Programme("albastini", "5i", length=5, rounds=2, name="Albastini by fives"),
)
_KNOCKOUT = replace(
    _IN_TEAMS, name="Briscola knock-out", teams=6, movement=Movement.KNOCKOUT, third_place=True
)
_SWISS = replace(
    ALBASTINI, length=4, rounds=4, name="Albastini in pairs", teams=8, movement=Movement.SWISS
)
_STAGES = replace(ALBASTINI, length=4, rounds=2, name="Albastini in stages", stages=True)
_FINALISTS, _FINAL_HANDS = 8, 3  # players of a final, and hands of each of its rounds
_FINAL_ROUNDS = 3  # each pair of the final meets each other once
_CUP, _CUP_PLACES = "Kombe la Bahari", 16
# The programmes of the last three evenings; a test that makes only a few evenings has them too.
_LATEST = (_KNOCKOUT, _STAGES, _SWISS)


@transaction.atomic
def make_demo(
    *, seed: int, today: datetime, step: Callable[[], object], nights: int = NIGHTS
) -> Club:
    """Fill an empty database with a busy club, in one transaction; return the club.

    The data are the same for the same *seed* and day. *nights* is the number of past evenings;
    *step* is called after each evening.
    """
    began = today - nights * _EVERY
    owner = User.objects.create_superuser(OWNER, password=PASSWORD)
    club = make_club(name=CLUB, public=True, by=Actor(at=began, user_id=owner.pk))
    demo = Demo(rng=Random(seed), today=today, began=began, club=club, owner=owner)
    demo.add_players()
    # Three players have logins; a fourth login claims to be a player, and has no answer yet.
    first, *others = demo.players[:4]
    link_player(player_id=first.pk, user_id=owner.pk, by=demo.by(began))
    roles = {ORGANISER: Role.ORGANISER, MEMBER: Role.MEMBER, NEWCOMER: Role.MEMBER}
    for player, (name, role) in zip(others, roles.items(), strict=True):
        user = User.objects.create_user(name, password=PASSWORD)
        Membership.objects.create(club=club, user=user, role=role)
        claim_player(player_id=player.pk, by=Actor(at=today, user_id=user.pk))
        if name != NEWCOMER:
            answer_claim(player_id=player.pk, yes=True, by=demo.by(today))
    # The teams, each of two regulars.
    for number, name in enumerate(TEAMS):
        pair = [player.pk for player in demo.players[2 * number : 2 * number + 2]]
        demo.teams.append(make_team(club_id=club.pk, name=name, players=pair, by=demo.by(began)))
    year = today.year
    seasons = [
        save_season(Season(club=club, name=name), by=demo.by(began))
        for name in (f"Kusi {year - 1}", f"Kaskazi {year - 1}–{year}", f"Kusi {year}")
    ]
    for number in range(nights):
        _past_night(demo, number, nights, seasons[number * len(seasons) // nights])
        step()
    kept, added_twice = (Player.objects.get(club=club, name=name) for name in TWO_NAMES)
    merge_players(player_id=added_twice.pk, into_id=kept.pk, by=demo.by(today))
    demo.players = [player for player in demo.players if player.pk != added_twice.pk]
    _correct(demo)
    _announce_next(demo, seasons[-1])
    make_current_evening(demo, seasons[-1])
    step()
    return club


def _past_night(demo: Demo, number: int, nights: int, season: Season) -> None:
    """Make past evening *number* (from 0) of *nights*, with one tournament."""
    day = demo.began + number * _EVERY
    start = day.replace(hour=0, minute=0, second=0, microsecond=0) + _START
    remaining = nights - number  # evenings, this one included
    usual = _EVENINGS[number % len(_EVENINGS)]
    programme = _LATEST[-remaining] if remaining <= len(_LATEST) else usual
    people = players_for(demo, programme)
    night = announce_night(
        club_id=demo.club.pk, starts_at=start, place=PLACE, games=programme.name, by=demo.by(start)
    )
    arrive(night_id=night.pk, players=[player.pk for player in people], by=Actor(at=start))
    tournament = start_tournament(demo, programme, people, start, season)
    end = play(demo, tournament, programme, start, night_id=night.pk)
    if programme.stages:
        end = _play_on(demo, tournament, programme, end, night_id=night.pk)
    ties = finish(demo, tournament, end)
    resolve_ties(demo, tournament, ties, end)
    end_night(night_id=night.pk, by=demo.by(end))


def _play_on(
    demo: Demo, first: Tournament, programme: Programme, now: datetime, *, night_id: int
) -> datetime:
    """Play a final of the best in pairs, and a consolation of the others; return when both end.

    In the final the best player is paired with the last finalist, the second with the last but one.
    """
    order = [row.entrant for row in standings(first).rows if not row.withdrawn]
    best, others = order[:_FINALISTS], order[_FINALISTS:]
    half = _FINALISTS // 2
    # In pairs: the first two entrants of the final become a team, then the next two, and so on.
    finalists = list(chain.from_iterable(zip(best[:half], reversed(best[half:]), strict=True)))
    of_stage = replace(programme, rounds=_FINAL_ROUNDS)
    ends = []
    for entrants, stage, format_, movement in (
        (finalists, "Final", Format.TEAMS, Movement.ROUND_ROBIN),
        (others, "Consolation", Format.PLAYERS, Movement.FEWEST_REPEATS),
    ):
        plan = StagePlan(
            stage=stage,
            mode=programme.mode,
            format_=format_,
            movement=movement,
            length=_FINAL_HANDS,
            terms=Terms(planned=_FINAL_ROUNDS),
        )
        tournament = begin_stage(sources=[first.pk], entrants=entrants, plan=plan, by=demo.by(now))
        # The consolation starts later: stages of one time would have the same places in the event.
        now += timedelta(minutes=1)
        end = play(demo, tournament, of_stage, now, night_id=night_id)
        ties = finish(demo, tournament, end)
        resolve_ties(demo, tournament, ties, end)
        ends.append(end)
    return max(ends)


def _correct(demo: Demo) -> None:
    """Correct two hands a few days ago, whose sides were written down the wrong way round."""
    # Swapped sides would change nothing where both have 60.
    hands = Hand.objects.exclude(sheet__eaten=[60, 60]).filter(
        sitting__round__tournament__club=demo.club,
        sitting__round__tournament__game="albastini",
        sitting__mode="4t2",
        number=2,
    )
    for hand in hands.order_by("-sitting")[:2]:
        correct_sitting(
            sitting_id=hand.sitting_id,
            changes={2: {"eaten": hand.sheet["eaten"][::-1], "dealer": hand.dealer}},
            reason="Sides the wrong way round",
            by=demo.by(demo.today - timedelta(days=3)),
        )


def _announce_next(demo: Demo, season: Season) -> None:
    """Announce the next evening with some replies, and take entries for its cup.

    There are more entries than places: one with a place withdrew, the first of the reserve list
    moved up, and the others wait.
    """
    midnight = demo.today.replace(hour=0, minute=0, second=0, microsecond=0)
    start = midnight + timedelta(days=14) + _START
    by = demo.by(demo.today - timedelta(days=3))
    night = announce_night(
        club_id=demo.club.pk, starts_at=start, place=PLACE, games="Albastini in pairs", by=by
    )
    for player in pick_players(demo, 17):
        yes = demo.rng.random() < 0.8
        record_rsvp(night_id=night.pk, player_id=player.pk, yes=yes, by=Actor(at=by.at))
    cup = make_tournament(
        club_id=demo.club.pk,
        name=_CUP,
        game="albastini",
        mode="4t2",
        length=8,
        season_id=season.pk,
        terms=Terms(planned=5, minutes=40),
        by=by,
    )
    limit_places(tournament_id=cup.pk, places=_CUP_PLACES, by=by)
    people = [player.pk for player in pick_players(demo, _CUP_PLACES + 4)]
    entered = enter_players(tournament_id=cup.pk, players=people, by=by)
    withdraw(entrant_id=entered[6].pk, by=by)
