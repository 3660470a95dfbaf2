"""The evening of the demo that is going on."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from tracker.common.actor import Actor
from tracker.management.demo.cast import VISITORS_FROM
from tracker.management.demo.evening import (
    ALBASTINI,
    PLACE,
    Billing,
    Teller,
    finish,
    play,
    play_round,
    seat,
    start_tournament,
    who_comes,
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

# Seventeen of them: somebody rests in every round.
_MAIN = replace(ALBASTINI, rounds=4)
_BESIDE = Billing("dalmuti", "5i", 5, 4, 2, "Dalmuti")
_BETWEEN = Billing("briscola", "4t2", 4, 1, 4, "Briscola by the window")
_EARLY = Billing("briscola", "4t2", 4, 1, 1, "Briscola before supper")
_VISITOR = "Lucia Bevk"


def tonight(tell: Teller, season: Season) -> None:
    """Leave an evening in its third round, with something that needs the organiser."""
    start = tell.today - timedelta(hours=2, minutes=10)
    early = start - timedelta(minutes=50)
    *people, at_home_early = who_comes(tell, 31)
    night = announce_night(
        club_id=tell.club.pk,
        starts_at=early,
        place=PLACE,
        games="Briscola, Albastini, Dalmuti",
        by=tell.by(early),
    )
    _before_supper(tell, night, [*people[:3], at_home_early], early, season)
    arrive(night_id=night.pk, players=[player.pk for player in people], by=Actor(at=start))
    visitors = arrive(
        night_id=night.pk, new_names=[_VISITOR], visitor_from=VISITORS_FROM, by=Actor(at=start)
    )
    open_door(night_id=night.pk, by=tell.by(start))
    # One has a fixed table by the door, and two others wish never to meet.
    keep_table(club_id=tell.club.pk, player_id=people[9].pk, table=2, by=tell.by(start))
    pair = {"player_id": people[11].pk, "other_id": people[14].pk}
    keep_apart(club_id=tell.club.pk, kind=WishKind.NOT_MEET, **pair, by=tell.by(start))
    # The largest one last: the club's page shows who leads in what began latest.
    between = start_tournament(tell, _BETWEEN, people[21:], start, season)
    went_on = play(tell, between, replace(_BETWEEN, rounds=1), start, night_id=night.pk)
    beside = start_tournament(tell, _BESIDE, people[16:21], start, season)
    tournament = start_tournament(tell, _MAIN, [*people[:16], *visitors.new], start, season)
    # All four rounds are drawn at once; the last is still ahead, for everybody to look at.
    draw_rounds(tournament_id=tournament.pk, by=tell.by(start), rng=tell.rng)
    publish_draws(tournament_id=tournament.pk, by=tell.by(start))
    now = start
    for _ in range(2):
        opened = open_draw(tournament_id=tournament.pk, by=tell.by(now), rng=tell.rng)
        now = play_round(tell, opened, now)
        close_round(round_id=opened.pk, by=tell.by(now))
    # Long enough for the quickest table's four hands, none of which lies ahead.
    now = tell.today - timedelta(minutes=36)
    third = open_draw(tournament_id=tournament.pk, by=tell.by(now), rng=tell.rng)
    side_table = seat(tell, beside, night.pk, now)
    for opened in (third, side_table):
        start_clock(round_id=opened.pk, minutes=45, by=tell.by(now))
    play_round(tell, third, now, most=lambda number: (4, 3, 2, 3)[number % 4])
    play_round(tell, side_table, now, most=lambda _: 2)
    _leave_issues(tell, third)
    # At the tables that are left; the next round, in which some must meet again, is drawn and
    # looked at by organisers alone.
    play(tell, between, replace(_BETWEEN, rounds=2), went_on, night_id=night.pk)
    draw_rounds(tournament_id=between.pk, by=tell.by(tell.today), rng=tell.rng)


def _before_supper(
    tell: Teller, night: ClubNight, people: Sequence[Player], now: datetime, season: Season
) -> None:
    """Let the first who are here play a match, whose prize is still to be settled; one goes home."""
    arrive(night_id=night.pk, players=[player.pk for player in people], by=Actor(at=now))
    tournament = start_tournament(tell, _EARLY, people, now, season)
    now = play(tell, tournament, _EARLY, now, night_id=night.pk)
    finish(tell, tournament, now)
    leave(night_id=night.pk, players=[people[-1].pk], by=Actor(at=now))


def _leave_issues(tell: Teller, opened: Round) -> None:
    """Leave two different counts at a table, a sum that does not add up, a query and a call."""
    first, second, third, *_ = opened.sittings.order_by("number")
    hand = first.hands.get(number=2)
    by = Actor(at=tell.today, device="another-phone")
    for sitting, number, sheet, parked in (
        (first, 2, {"eaten": hand.sheet["eaten"][::-1], "dealer": hand.dealer}, False),
        (second, second.hands.count() + 1, {"bare": 0, "eaten": [70, 48]}, True),
    ):
        report_hand(
            token=sitting.token,
            submission=Submission(
                entry=tell.entry(),
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
