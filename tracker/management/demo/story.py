"""Two years of Friday evenings, and one that is going on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from uuid import UUID

from django.db import transaction

from tracker.management.demo.cast import CLUB, OWNER, PASSWORD, TWICE, VISITORS_FROM, Guest, cast
from tracker.management.demo.sheets import finished_hand
from tracker.models import (
    Club,
    Membership,
    Player,
    Role,
    Round,
    Season,
    Sitting,
    Tournament,
    User,
)
from tracker.services.attendance import arrive, say_coming
from tracker.services.clocks import start_clock
from tracker.services.clubs import make_club
from tracker.services.corrections import correct_sitting, query_hand
from tracker.services.hands import Submission, report_hand
from tracker.services.ledger import lock_sitting
from tracker.services.merging import merge_players
from tracker.services.nights import announce_night, end_night
from tracker.services.people import add_player
from tracker.services.rounds import close_round
from tracker.services.seasons import make_season, put_in_season
from tracker.services.seating import seat_round
from tracker.services.tournaments import enter_players, finish_tournament, make_tournament

NIGHTS = 27
_EVERY = timedelta(days=27)
_EVENING = timedelta(hours=19)


@dataclass(frozen=True, slots=True)
class Billing:
    """What is played on an evening: a game, its mode, people a table, and the length of a round."""

    game: str
    mode: str
    seats: int
    length: int
    rounds: int
    name: str


_ALBASTINI = Billing("albastini", "4t2", 4, 6, 3, "Albastini")
_PROGRAMME = (
    _ALBASTINI,
    Billing("briscola", "2i", 2, 1, 3, "Briscola"),
    _ALBASTINI,
    Billing("dalmuti", "6i", 6, 4, 2, "Dalmuti"),
    Billing("albastini", "6t2", 6, 5, 2, "Albastini in threes of pairs"),
    Billing("mambassa", "4i", 4, 1, 2, "Mambassa"),
    _ALBASTINI,
    Billing("briscola", "4t2", 4, 1, 2, "Briscola in pairs"),
    Billing("albastini", "5i", 5, 5, 2, "Albastini by fives"),
)


@dataclass(kw_only=True)
class Teller:
    """Whoever tells the story: the dice, the people, and the clock of the evening told."""

    rng: Random
    today: datetime
    began: datetime
    club: Club
    owner: User
    skills: dict[int, float] = field(default_factory=dict)
    players: list[Player] = field(default_factory=list)

    def entry(self) -> UUID:
        return UUID(int=self.rng.getrandbits(128), version=4)


@transaction.atomic
def make_demo(
    *, seed: int, today: datetime, step: Callable[[], object], nights: int = NIGHTS
) -> Club:
    """Fill an empty database with a club in full swing; *step* is called after every evening.

    All or nothing, and the same for the same seed and day. With fewer *nights*, its past is shorter.
    """
    began = today - nights * _EVERY
    owner = User.objects.create_user(OWNER, password=PASSWORD, is_staff=True)
    club = make_club(name=CLUB, public=True, user_id=owner.pk, now=began)
    tell = Teller(rng=Random(seed), today=today, began=began, club=club, owner=owner)
    _gather(tell)
    seasons = _seasons(tell)
    for number in range(nights):
        _past_night(tell, number, seasons[number * len(seasons) // nights])
        step()
    _merge(tell)
    _correct(tell)
    _tonight(tell, seasons[-1])
    step()
    _announce_next(tell)
    return club


def _gather(tell: Teller) -> None:
    for guest in cast(tell.rng):
        player = add_player(
            club_id=tell.club.pk,
            name=guest.name,
            visitor_from=VISITORS_FROM if guest.visitor else "",
            user_id=tell.owner.pk,
            now=tell.began,
        )
        tell.skills[player.pk] = _skill(guest)
        tell.players.append(player)
    helper = User.objects.create_user("juma", password=PASSWORD)
    Membership.objects.create(club=tell.club, user=helper, role=Role.ORGANISER)


def _skill(guest: Guest) -> float:
    return 0.15 + 0.8 * guest.skill


def _seasons(tell: Teller) -> list[Season]:
    year = tell.today.year
    names = (f"Kusi {year - 1}", f"Kaskazi {year - 1}–{year}", f"Kusi {year}")
    return [make_season(club_id=tell.club.pk, name=name, now=tell.began) for name in names]


def _past_night(tell: Teller, number: int, season: Season) -> None:
    day = tell.began + number * _EVERY
    start = day.replace(hour=0, minute=0, second=0, microsecond=0) + _EVENING
    billing = _PROGRAMME[number % len(_PROGRAMME)]
    people = _who_comes(tell, billing.seats * tell.rng.randint(3, 5) + tell.rng.randint(0, 1))
    night = announce_night(
        club_id=tell.club.pk,
        starts_at=start,
        place="Mtaa wa Pwani 7",
        games=billing.name,
        now=start,
    )
    arrive(night_id=night.pk, players=[player.pk for player in people], now=start)
    cup = _cup(tell, billing, people, start, season)
    end = _play(tell, cup, billing, start, night_id=night.pk)
    finish_tournament(tournament_id=cup.pk, now=end, user_id=tell.owner.pk)
    end_night(night_id=night.pk, now=end, user_id=tell.owner.pk)


def _who_comes(tell: Teller, number: int) -> list[Player]:
    """Return who comes: the first of the list are seldom missing."""
    whim = {
        player.pk: rank * tell.rng.uniform(0.2, 1.6) for rank, player in enumerate(tell.players)
    }
    # Whoever was written down twice comes once.
    once = tell.rng.choice(TWICE)
    there = [player for player in tell.players if player.name not in TWICE or player.name == once]
    return sorted(there, key=lambda player: whim[player.pk])[:number]


def _cup(
    tell: Teller, billing: Billing, people: Sequence[Player], now: datetime, season: Season
) -> Tournament:
    cup = make_tournament(
        club_id=tell.club.pk,
        name=f"{billing.name}, {now:%d %b %Y}",
        game=billing.game,
        mode=billing.mode,
        length=billing.length,
        now=now,
        user_id=tell.owner.pk,
    )
    put_in_season(tournament_id=cup.pk, season_id=season.pk, user_id=tell.owner.pk, now=now)
    ids = [player.pk for player in people]
    enter_players(tournament_id=cup.pk, players=ids, now=now, user_id=tell.owner.pk)
    return cup


def _play(
    tell: Teller, cup: Tournament, billing: Billing, now: datetime, *, night_id: int
) -> datetime:
    """Play all rounds of a tournament and return when the last one closed."""
    for _ in range(billing.rounds):
        opened = _seat(tell, cup, night_id, now)
        now = _play_round(tell, opened, now)
        close_round(round_id=opened.pk, now=now, user_id=tell.owner.pk, anyway=True)
        now += timedelta(minutes=6)
    return now


def _seat(tell: Teller, cup: Tournament, night_id: int, now: datetime) -> Round:
    entrants = list(cup.entrants.values_list("pk", flat=True).order_by("pk"))
    tell.rng.shuffle(entrants)
    return seat_round(
        tournament_id=cup.pk,
        entrants=entrants,
        now=now,
        rng=tell.rng,
        night_id=night_id,
        user_id=tell.owner.pk,
        hands=cup.hands,
        games=cup.games,
    )


def _play_round(
    tell: Teller, opened: Round, now: datetime, *, most: Callable[[int], int] | None = None
) -> datetime:
    """Report every table's hands, or the first *most* of a table's number."""
    end = now
    for sitting in opened.sittings.order_by("number"):
        at = _play_table(tell, sitting, now, most(sitting.number) if most else None)
        end = max(end, at)
    return end


def _play_table(tell: Teller, sitting: Sitting, now: datetime, most: int | None) -> datetime:
    number = 0
    while most is None or number < most:
        table = lock_sitting(sitting.pk)
        if table.finished or number > 60:
            break
        seats = sorted(table.stints, key=lambda stint: stint.place)
        players = dict(sitting.seats.values_list("place", "player"))
        skills = [tell.skills.get(players[seat.place], 0.5) for seat in seats]
        number = table.last_number + 1
        now += timedelta(seconds=tell.rng.randint(240, 540))
        report_hand(
            token=sitting.token,
            submission=Submission(
                entry=tell.entry(),
                number=number,
                sheet=finished_hand(table.rules, table.resume_session(), skills, tell.rng),
                device=f"phone-{sitting.pk}",
                side=0,
            ),
            user_id=None,
            now=now,
        )
    return now


def _merge(tell: Teller) -> None:
    """Find out that somebody was written down twice."""
    stays, gone = (Player.objects.get(club=tell.club, name=name) for name in TWICE)
    with transaction.atomic():
        merge_players(player_id=gone.pk, into_id=stays.pk, user_id=tell.owner.pk, now=tell.today)
    tell.players = [player for player in tell.players if player.pk != gone.pk]


def _correct(tell: Teller) -> None:
    """Put two old hands right, as one does the week after."""
    sittings = Sitting.objects.filter(
        round__tournament__club=tell.club, round__tournament__game="albastini", mode="4t2"
    )
    for sitting in sittings.order_by("-pk")[:2]:
        hand = sitting.hands.get(number=2)
        eaten = hand.sheet["eaten"]
        correct_sitting(
            sitting_id=sitting.pk,
            changes={2: {"eaten": eaten[::-1], "dealer": hand.dealer}},
            reason="Sides the wrong way round",
            user_id=tell.owner.pk,
            device="",
            now=tell.today - timedelta(days=3),
        )


def _tonight(tell: Teller, season: Season) -> None:
    """Leave an evening in its third round, with something that needs the organiser."""
    start = tell.today - timedelta(hours=2, minutes=10)
    people = _who_comes(tell, 21)
    night = announce_night(
        club_id=tell.club.pk,
        starts_at=start,
        place="Mtaa wa Pwani 7",
        games="Albastini, Dalmuti",
        now=start,
    )
    arrive(night_id=night.pk, players=[player.pk for player in people], now=start)
    small = Billing("dalmuti", "5i", 5, 4, 1, "Dalmuti")
    cups = [
        (_cup(tell, _ALBASTINI, people[:16], start, season), _ALBASTINI),
        (_cup(tell, small, people[16:], start, season), small),
    ]
    now = start
    for _ in range(2):
        opened = _seat(tell, cups[0][0], night.pk, now)
        now = _play_round(tell, opened, now)
        close_round(round_id=opened.pk, now=now, user_id=tell.owner.pk)
    now = tell.today - timedelta(minutes=24)
    third = _seat(tell, cups[0][0], night.pk, now)
    side_table = _seat(tell, cups[1][0], night.pk, now)
    for opened in (third, side_table):
        start_clock(round_id=opened.pk, minutes=45, now=now, user_id=tell.owner.pk)
    _play_round(tell, third, now, most=lambda number: (4, 3, 2, 3)[number % 4])
    _play_round(tell, side_table, now, most=lambda _: 2)
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


def _announce_next(tell: Teller) -> None:
    """Announce the next evening, to which some have said they come."""
    start = tell.today.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(
        days=14, hours=19
    )
    night = announce_night(
        club_id=tell.club.pk,
        starts_at=start,
        place="Mtaa wa Pwani 7",
        games="Albastini in pairs",
        now=tell.today,
    )
    for player in _who_comes(tell, 17):
        say_coming(
            night_id=night.pk, player_id=player.pk, yes=tell.rng.random() < 0.8, now=tell.today
        )
