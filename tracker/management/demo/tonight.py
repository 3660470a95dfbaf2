"""The evening of the demo that is going on, and the one that is announced."""

from datetime import timedelta

from tracker.management.demo.evening import (
    ALBASTINI,
    PLACE,
    Billing,
    Teller,
    make_cup,
    play_round,
    seat,
    who_comes,
)
from tracker.models import Round, Season
from tracker.services.attendance import arrive, say_coming
from tracker.services.clocks import start_clock
from tracker.services.closing import close_round
from tracker.services.corrections import query_hand
from tracker.services.hands import Submission, report_hand
from tracker.services.nights import announce_night


def tonight(tell: Teller, season: Season) -> None:
    """Leave an evening in its third round, with something that needs the organiser."""
    start = tell.today - timedelta(hours=2, minutes=10)
    people = who_comes(tell, 21)
    night = announce_night(
        club_id=tell.club.pk,
        starts_at=start,
        place=PLACE,
        games="Albastini, Dalmuti",
        now=start,
    )
    arrive(night_id=night.pk, players=[player.pk for player in people], now=start)
    small = Billing("dalmuti", "5i", 5, 4, 1, "Dalmuti")
    # The larger one last: the club's page shows who leads in what began latest.
    beside = make_cup(tell, small, people[16:], start, season)
    cup = make_cup(tell, ALBASTINI, people[:16], start, season)
    now = start
    for _ in range(2):
        opened = seat(tell, cup, night.pk, now)
        now = play_round(tell, opened, now)
        close_round(round_id=opened.pk, now=now, user_id=tell.owner.pk)
    # Long enough for the quickest table's four hands, none of which lies ahead.
    now = tell.today - timedelta(minutes=36)
    third = seat(tell, cup, night.pk, now)
    side_table = seat(tell, beside, night.pk, now)
    for opened in (third, side_table):
        start_clock(round_id=opened.pk, minutes=45, now=now, user_id=tell.owner.pk)
    play_round(tell, third, now, most=lambda number: (4, 3, 2, 3)[number % 4])
    play_round(tell, side_table, now, most=lambda _: 2)
    _leave_matters(tell, third)


def _leave_matters(tell: Teller, opened: Round) -> None:
    """Leave two different counts at one table, a sum that does not add up at another, a query."""
    first, second, third, *_ = opened.sittings.order_by("number")
    hand = first.hands.get(number=2)
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
                device="another-phone",
                side=1,
                is_next=False if not parked else None,
                parked=parked,
            ),
            user_id=None,
            now=tell.today,
        )
    query_hand(
        token=third.token,
        number=1,
        note="We think it was 72–48",
        device="another-phone",
        now=tell.today,
    )


def announce_next(tell: Teller) -> None:
    """Announce the next evening, to which some have said they come."""
    start = tell.today.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(
        days=14, hours=19
    )
    night = announce_night(
        club_id=tell.club.pk,
        starts_at=start,
        place=PLACE,
        games="Albastini in pairs",
        now=tell.today,
    )
    for player in who_comes(tell, 17):
        say_coming(
            night_id=night.pk, player_id=player.pk, yes=tell.rng.random() < 0.8, now=tell.today
        )
