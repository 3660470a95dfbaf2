"""The demo's running evening."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from tracker.common.actor import Actor
from tracker.management.demo.evening import (
    ALBASTINI,
    PLACE,
    VISITORS_FROM,
    Demo,
    Programme,
    finish,
    pick_players,
    play,
    play_round,
    seat,
    start_tournament,
)
from tracker.models import CallReason, ClubNight, Player, Round, Season, WishKind
from tracker.nights.services.attendance import arrive, leave
from tracker.nights.services.closing import close_round
from tracker.nights.services.door import open_door
from tracker.nights.services.nights import announce_night
from tracker.results.services.calls import call_organiser
from tracker.results.services.issues import query_hand
from tracker.results.services.report_hand import Submission, report_hand
from tracker.seating.services.clocks import start_clock
from tracker.seating.services.draws import draw_rounds, publish_draws
from tracker.seating.services.round_opening import open_draw
from tracker.seating.services.wishes import keep_apart, keep_table

# Of seventeen players: somebody rests in every round.
_MAIN = replace(ALBASTINI, rounds=4)
_BESIDE = Programme("dalmuti", "5i", 5, 4, 2, "Dalmuti")
_BETWEEN = Programme("briscola", "4t2", 4, 1, 4, "Briscola by the window")
_EARLY = Programme("briscola", "4t2", 4, 1, 1, "Briscola before supper")
_VISITOR = "Lucia Bevk"


def make_current_evening(demo: Demo, season: Season) -> None:
    """Make an evening in its third round, with issues for the organiser."""
    start = demo.today - timedelta(hours=2, minutes=10)
    early = start - timedelta(minutes=50)
    *people, at_home_early = pick_players(demo, 31)
    night = announce_night(
        club_id=demo.club.pk,
        starts_at=early,
        place=PLACE,
        games="Briscola, Albastini, Dalmuti",
        by=demo.by(early),
    )
    _before_supper(demo, night, [*people[:3], at_home_early], early, season)
    arrive(night_id=night.pk, players=[player.pk for player in people], by=Actor(at=start))
    visitors = arrive(
        night_id=night.pk, new_names=[_VISITOR], visitor_from=VISITORS_FROM, by=Actor(at=start)
    )
    open_door(night_id=night.pk, by=demo.by(start))
    # One has a fixed table by the door, and two others wish never to meet.
    keep_table(club_id=demo.club.pk, player_id=people[9].pk, table=2, by=demo.by(start))
    pair = {"player_id": people[11].pk, "other_id": people[14].pk}
    keep_apart(club_id=demo.club.pk, kind=WishKind.NOT_MEET, **pair, by=demo.by(start))
    # The largest tournament last: the club's page shows the leaders of the latest one.
    between = start_tournament(demo, _BETWEEN, people[21:], start, season)
    went_on = play(demo, between, replace(_BETWEEN, rounds=1), start, night_id=night.pk)
    beside = start_tournament(demo, _BESIDE, people[16:21], start, season)
    tournament = start_tournament(demo, _MAIN, [*people[:16], *visitors.new], start, season)
    # All four rounds are drawn at once, so that the last one is shown as published.
    draw_rounds(tournament_id=tournament.pk, by=demo.by(start), rng=demo.rng)
    publish_draws(tournament_id=tournament.pk, by=demo.by(start))
    now = start
    for _ in range(2):
        opened = open_draw(tournament_id=tournament.pk, by=demo.by(now), rng=demo.rng)
        now = play_round(demo, opened, now)
        close_round(round_id=opened.pk, by=demo.by(now))
    # Long enough ago for the quickest table's four hands.
    now = demo.today - timedelta(minutes=36)
    third = open_draw(tournament_id=tournament.pk, by=demo.by(now), rng=demo.rng)
    side_table = seat(demo, beside, night.pk, now)
    for opened in (third, side_table):
        start_clock(round_id=opened.pk, minutes=45, by=demo.by(now))
    play_round(demo, third, now, most=lambda number: (4, 3, 2, 3)[number % 4])
    play_round(demo, side_table, now, most=lambda _: 2)
    _leave_issues(demo, third)
    # At the remaining tables. The next round, in which some must meet again, is drawn, and not
    # published.
    play(demo, between, replace(_BETWEEN, rounds=2), went_on, night_id=night.pk)
    draw_rounds(tournament_id=between.pk, by=demo.by(demo.today), rng=demo.rng)


def _before_supper(
    demo: Demo, night: ClubNight, people: Sequence[Player], now: datetime, season: Season
) -> None:
    """Play a match before the others come, with a tie for its prize; one player goes home."""
    arrive(night_id=night.pk, players=[player.pk for player in people], by=Actor(at=now))
    tournament = start_tournament(demo, _EARLY, people, now, season)
    now = play(demo, tournament, _EARLY, now, night_id=night.pk)
    finish(demo, tournament, now)
    leave(night_id=night.pk, players=[people[-1].pk], by=Actor(at=now))


def _leave_issues(demo: Demo, opened: Round) -> None:
    """Make open issues: a conflict, a sheet that does not add up, a query and a call."""
    first, second, third, *_ = opened.sittings.order_by("number")
    hand = first.hands.get(number=2)
    by = Actor(at=demo.today, device="another-phone")
    for sitting, number, sheet, parked in (
        (first, 2, {"eaten": hand.sheet["eaten"][::-1], "dealer": hand.dealer}, False),
        (second, second.hands.count() + 1, {"bare": 0, "eaten": [70, 48]}, True),
    ):
        report_hand(
            token=sitting.token,
            submission=Submission(
                entry=demo.entry(),
                number=number,
                sheet=sheet,
                side=1,
                is_next=False if not parked else None,
                parked=parked,
            ),
            by=by,
        )
    query_hand(token=third.token, number=1, note="We think it was 72–48", by=by)
    call_organiser(token=second.token, reason=CallReason.COUNT, by=by)
