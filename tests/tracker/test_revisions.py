"""Whatever people do, a page that looks otherwise afterwards has another tag.

This keeps everybody to it who writes a service: an act that a watched page shows counts up its
sitting, or stands in the log with its club. See ``ledger.revisions``.
"""

import difflib
import re
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any, TypeVar
from uuid import UUID

import pytest
from django.db.models import Manager, Model, QuerySet
from django.test import Client
from django.urls import reverse

from games.errors import RuleError
from tests import make
from tests.drilled import FULL
from tests.make import NOON
from tracker.common.actor import Actor
from tracker.common.web import polling
from tracker.models import (
    AwardKind,
    CallReason,
    Confirm,
    Issue,
    LogEntry,
    Movement,
    Player,
    Role,
    Round,
    Seat,
    Sitting,
)
from tracker.nights.services.attendance import arrive, leave, open_door, record_rsvp
from tracker.nights.services.closing import close_round, reopen_round
from tracker.nights.services.nights import (
    announce_night,
    edit_night,
    end_night,
    renew_link,
    reopen_night,
)
from tracker.people.services.clubs import edit_club
from tracker.people.services.erasing import erase_player
from tracker.people.services.merging import merge_players, unmerge
from tracker.people.services.players import add_players, rename_player
from tracker.results.services.calls import call_organiser, finish_call, take_call, withdraw_call
from tracker.results.services.confirming import confirm_hand, confirm_table
from tracker.results.services.corrections import RESTORE, STRIKE, correct_sitting
from tracker.results.services.issues import query_hand
from tracker.results.services.paper import Paper, write_down
from tracker.results.services.report_hand import Submission, report_hand
from tracker.results.services.settling import IssueOutcome, settle
from tracker.results.services.table_actions import bring_back, choose_dealer, take_back
from tracker.seating.services.clocks import (
    give_minutes,
    pause_clocks,
    resume_clocks,
    start_clock,
    take_break,
)
from tracker.seating.services.draws import discard_draws, draw_rounds, publish_draws
from tracker.seating.services.player_replacement import replace_player
from tracker.seating.services.round_opening import open_draw
from tracker.seating.services.rounds import restore_round, shorten_round, undo_round
from tracker.seating.services.seat_swaps import substitute, swap_seats
from tracker.seating.services.table_cards import renew_address
from tracker.standings.services.standings import (
    finish_tournament,
    give_award,
    publish_standing,
    reopen_tournament,
    withdraw_award,
)
from tracker.tournaments.services.entering import come_back, enter_players, limit_places, withdraw
from tracker.tournaments.services.tournaments import edit_tournament

pytestmark = pytest.mark.django_db

# Another one on every page, and what scripts count by themselves.
VOLATILE = re.compile(
    r'name="(?:csrfmiddlewaretoken|entry)" value="[^"]*"|data-tag="[^"]*"|value="[^"]*" name="entry"'
)
Act = Callable[["Hall"], object]
M = TypeVar("M", bound=Model)


class Hall:
    """A night on which a round is played at two tables, and all that may happen there."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.at = rng, NOON
        self.club = make.club()
        self.user = make.user(role=Role.OWNER, club=self.club)
        self.night = make.night(self.club, starts_at=NOON)
        self.tournament = make.tournament(
            club=self.club, hands=8, confirm=Confirm.BOTH, movement=Movement.FEWEST_REPEATS
        )
        round_ = make.round_of(self.tournament, night=self.night)
        for names in (("Asha", "Neema", "Juma", "Baraka"), ("Rehema", "Said", "Tatu", "Upendo")):
            make.sitting(*names, in_round=round_)
        self.spare = make.player("Omari", club=self.club)
        make.entrant(make.player("Wema", club=self.club), at=self.tournament)
        arrive(
            night_id=self.night.pk,
            players=list(Player.objects.values_list("pk", flat=True)),
            by=self.by(),
        )

    def by(self, device: str = "desk") -> Actor:
        return Actor(at=self.at, user_id=self.user.pk, device=device)

    def chosen(self, rows: "Manager[M] | QuerySet[M]") -> M:
        """Return one of these rows, an empty one of no use where there are none."""
        there = list(rows.order_by("pk"))
        if not there:
            raise Nothing
        return self.rng.choice(there)

    @property
    def table(self) -> Sitting:
        return self.chosen(Sitting.objects.all())

    @property
    def round(self) -> Round:
        return self.chosen(Round.objects.all())

    @property
    def player(self) -> Player:
        return self.chosen(Player.objects.present())

    def pages(self) -> list[str]:
        there = [self.tournament.pk]
        names = ["tournament", "tournament-display", "desk"]
        if FULL:
            names += ["dealers", "crosstable"]
        return [
            *(reverse(name, args=there) for name in names),
            self.club.get_absolute_url(),
            self.night.get_absolute_url(),
            reverse("my-table", args=[self.club.pk]),
            *(table.get_absolute_url() for table in Sitting.objects.order_by("-pk")[:2]),
        ]

    def send(self, number_after: int) -> object:
        """Report a hand: the next, or one that stands already."""
        table = self.table
        eaten = self.rng.choice([70, 60, 50, 90])
        number = max(1, table.last_number + number_after)
        device = self.rng.choice("ab")
        return report_hand(
            token=table.token,
            submission=Submission(
                entry=UUID(int=self.rng.getrandbits(128)),
                number=number,
                sheet={"eaten": [eaten, 120 - eaten]},
                side="ab".index(device),
                is_next=False if number_after < 1 else None,
                parked=self.rng.randrange(8) == 0,
            ),
            by=self.by(device),
        )

    def confirm(self) -> object:
        table = self.table
        return confirm_hand(
            token=table.token,
            number=max(1, table.last_number),
            side=self.rng.randrange(2),
            by=self.by(self.rng.choice("ab")),
        )

    def paper(self) -> object:
        table = self.table
        sheets = {table.last_number + 1: {"eaten": [80, 40]}}
        return write_down({table.pk: Paper(sheets=sheets)}, reason="paper", by=self.by())

    def correct(self, change: Any) -> object:
        return correct_sitting(
            sitting_id=self.table.pk, changes={1: change}, reason="a slip", by=self.by()
        )

    def merge(self) -> object:
        new = self.chosen(Player.objects.present().filter(seats=None))
        return merge_players(player_id=new.pk, into_id=self.player.pk, by=self.by())

    def unmerge(self) -> object:
        entry = self.chosen(LogEntry.objects.filter(verb="players-merged"))
        return unmerge(log_entry_id=entry.pk, by=self.by())

    def swap_seats(self) -> object:
        seats = Seat.objects.running().filter(round=self.round)
        return swap_seats(
            seats=(self.chosen(seats).pk, self.chosen(seats).pk), reason="wrong", by=self.by()
        )

    def draw(self) -> object:
        entrants = self.tournament.entrants.values_list("pk", flat=True)
        return draw_rounds(
            tournament_id=self.tournament.pk, entrants=list(entrants), rng=self.rng, by=self.by()
        )


class Nothing(Exception):
    """There is nothing yet to which it could be done."""


def of_hall(service: Callable[..., object], **keys: Callable[[Hall], Any]) -> Act:
    """Return an act: a service with arguments that depend on how the evening is."""
    return lambda hall: service(by=hall.by(), **{name: value(hall) for name, value in keys.items()})


def fixed(value: Any) -> Callable[[Hall], Any]:
    return lambda _hall: value


def its_night(hall: Hall) -> int:
    return hall.night.pk


def its_tournament(hall: Hall) -> int:
    return hall.tournament.pk


def its_round(hall: Hall) -> int:
    return hall.round.pk


def its_token(hall: Hall) -> str:
    return hall.table.token


def its_number(hall: Hall) -> int:
    return hall.rng.randrange(1, 4)


def some_players(hall: Hall) -> list[int]:
    return [hall.player.pk]


def one_player(hall: Hall) -> int:
    return hall.player.pk


def new_name(hall: Hall) -> str:
    return f"Somebody {hall.rng.randrange(10_000)}"


def open_issue(hall: Hall) -> int:
    return hall.chosen(Issue.objects.filter(settled_at=None).exclude(kind="call")).pk


def open_call(hall: Hall) -> int:
    return hall.chosen(Issue.objects.filter(kind="call", settled_at=None)).pk


HAND: dict[str, Act] = {
    "report": lambda hall: hall.send(1),
    "send again": lambda hall: hall.send(0),
    "confirm": Hall.confirm,
    "report more": lambda hall: hall.send(1),
}
ACTS_OF_PEOPLE: dict[str, Act] = {
    "query": of_hall(query_hand, token=its_token, number=its_number, note=fixed("wrong")),
    "dealer": of_hall(choose_dealer, token=its_token, place=lambda hall: hall.rng.randrange(4)),
    "call": of_hall(call_organiser, token=its_token, reason=fixed(CallReason.CARDS)),
    "withdraw call": of_hall(withdraw_call, token=its_token),
    "take call": of_hall(take_call, call_id=open_call),
    "finish call": of_hall(finish_call, call_id=open_call),
    "take back": of_hall(take_back, token=its_token, number=its_number, side=fixed(0)),
    "bring back": of_hall(bring_back, token=its_token, number=its_number, side=fixed(0)),
    "keep": of_hall(
        settle, issue_id=open_issue, outcome=fixed(IssueOutcome.KEEP), reason=fixed("so")
    ),
    "take": of_hall(
        settle, issue_id=open_issue, outcome=fixed(IssueOutcome.TAKE), reason=fixed("so")
    ),
    "dismiss": of_hall(
        settle, issue_id=open_issue, outcome=fixed(IssueOutcome.DISMISS), reason=fixed("so")
    ),
    "confirm table": of_hall(confirm_table, sitting_id=lambda hall: hall.table.pk),
    "paper": Hall.paper,
    "correct": lambda hall: hall.correct({"eaten": [hall.rng.randrange(2, 118), 0]}),
    "swap": lambda hall: hall.correct({"eaten": [40, 80]}),
    "strike": lambda hall: hall.correct(STRIKE),
    "restore": lambda hall: hall.correct(RESTORE),
    "award": of_hall(
        give_award,
        tournament_id=its_tournament,
        entrant_id=lambda hall: hall.chosen(hall.tournament.entrants).pk,
        kind=fixed(AwardKind.PENALTY),
        amount=fixed(-2),
        reason=fixed("late"),
    ),
    "withdraw award": of_hall(
        withdraw_award,
        tournament_id=its_tournament,
        award_id=lambda hall: hall.chosen(hall.tournament.awards).pk,
    ),
    "rename": of_hall(rename_player, player_id=one_player, name=new_name),
    "rename club": of_hall(
        edit_club, club_id=lambda hall: hall.club.pk, name=new_name, public=fixed(True)
    ),
    "rename tournament": of_hall(
        edit_tournament,
        tournament_id=its_tournament,
        name=new_name,
        length=fixed(8),
        confirm=fixed(Confirm.ONE),
    ),
    "add players": of_hall(
        add_players, club_id=lambda hall: hall.club.pk, names=lambda hall: [new_name(hall)]
    ),
    "erase": of_hall(
        erase_player,
        player_id=lambda hall: hall.chosen(Player.objects.present().filter(seats=None)).pk,
        team_names=fixed({}),
    ),
    "merge": Hall.merge,
    "unmerge": Hall.unmerge,
    "exchange": Hall.swap_seats,
    "substitute": of_hall(
        substitute,
        seat_id=lambda hall: hall.chosen(Seat.objects.running()).pk,
        player_id=one_player,
    ),
    "replace": of_hall(
        replace_player,
        seat_id=lambda hall: hall.chosen(Seat.objects.running()).pk,
        player_id=one_player,
        reason=fixed("wrong name"),
    ),
    "enter": of_hall(enter_players, tournament_id=its_tournament, players=some_players),
    "leave tournament": of_hall(
        withdraw, entrant_id=lambda hall: hall.chosen(hall.tournament.entrants).pk
    ),
    "come back": of_hall(
        come_back, entrant_id=lambda hall: hall.chosen(hall.tournament.entrants).pk
    ),
    "places": of_hall(
        limit_places, tournament_id=its_tournament, places=lambda hall: hall.rng.randrange(8, 20)
    ),
    "start clock": of_hall(start_clock, round_id=its_round, minutes=fixed(30)),
    "pause": of_hall(pause_clocks, night_id=its_night),
    "resume": of_hall(resume_clocks, night_id=its_night),
    "break": of_hall(take_break, night_id=its_night, minutes=fixed(15)),
    "give minutes": of_hall(give_minutes, sitting_id=lambda hall: hall.table.pk, minutes=fixed(5)),
    "shorten": of_hall(
        shorten_round, round_id=its_round, length=lambda hall: hall.rng.randrange(3, 9)
    ),
    "address": of_hall(renew_address, sitting_id=lambda hall: hall.table.pk),
    "arrive": of_hall(arrive, night_id=its_night, players=some_players),
    "leave": of_hall(leave, night_id=its_night, players=some_players),
    "rsvp": of_hall(
        record_rsvp,
        night_id=its_night,
        player_id=one_player,
        yes=lambda hall: hall.rng.randrange(2) == 0,
    ),
    "edit night": of_hall(
        edit_night, night_id=its_night, starts_at=fixed(NOON), place=new_name, games=new_name
    ),
    "announce": of_hall(
        announce_night,
        club_id=lambda hall: hall.club.pk,
        starts_at=fixed(NOON + timedelta(days=7)),
    ),
    "link": of_hall(renew_link, night_id=its_night),
    "door": of_hall(open_door, night_id=its_night, renew=fixed(True)),
    "draw": Hall.draw,
    "publish draw": of_hall(publish_draws, tournament_id=its_tournament),
    "discard draw": of_hall(discard_draws, tournament_id=its_tournament),
    "open draw": of_hall(open_draw, tournament_id=its_tournament, rng=lambda hall: hall.rng),
    "close": of_hall(close_round, round_id=its_round, anyway=fixed(True)),
    "reopen round": of_hall(reopen_round, round_id=its_round),
    "undo round": of_hall(undo_round, round_id=its_round),
    "restore round": of_hall(restore_round, round_id=its_round),
    "publish": of_hall(
        publish_standing,
        tournament_id=its_tournament,
        until=fixed(NOON + timedelta(hours=9)),
    ),
    "finish": of_hall(finish_tournament, tournament_id=its_tournament),
    "go on": of_hall(reopen_tournament, tournament_id=its_tournament),
    "end night": of_hall(end_night, night_id=its_night),
    "reopen night": of_hall(reopen_night, night_id=its_night),
}


def blanked(text: str) -> str:
    return VOLATILE.sub("", text)


def looked(client: Client, path: str) -> tuple[str, str]:
    """Return the tag of a page and what it shows; of one that is not there no tag."""
    page = client.get(path, headers={polling.POLL_HEADER: "1"})
    return page.headers.get("ETag", ""), blanked(page.text) if page.status_code == 200 else ""


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no time pass: what changes by the clock alone is another matter."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOON + timedelta(minutes=5))
    monkeypatch.setattr(polling, "time", lambda: 0.0)


@pytest.mark.usefixtures("still")
@pytest.mark.parametrize("seed", range(4) if FULL else [1])
def test_what_looks_otherwise_has_another_tag(client: Client, seed: int) -> None:
    rng = Random(seed)
    hall = Hall(rng)
    client.force_login(hall.user)
    client.get(hall.pages()[0])  # the browser gets its cookies
    # Each once at least, in any order, and hands again and again between them.
    acts = rng.sample(list(ACTS_OF_PEOPLE.items()), len(ACTS_OF_PEOPLE))
    hands = list(HAND.items())
    done, known = [], {path: looked(client, path) for path in hall.pages()}

    for name, act in (
        each for pair in acts for each in (*rng.sample(hands, rng.randrange(2)), pair)
    ):
        hall.at += timedelta(seconds=1)
        try:
            act(hall)
        except (RuleError, Nothing):
            continue
        done.append(name)
        for path in hall.pages():
            now = looked(client, path)
            tag, page = known.get(path, ("", ""))
            if tag and tag == now[0] and page != now[1]:
                lines = difflib.unified_diff(page.splitlines(), now[1].splitlines(), n=0)
                pytest.fail(f"{name} changed {path} and not its tag:\n" + "\n".join(lines))
            known[path] = now

    assert len(set(done)) > len(ACTS_OF_PEOPLE) / 2, sorted(done)
