"""A club with something to see on every page, for tests that walk through all of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import Any
from uuid import uuid4

from django.db import connection
from django.utils import timezone

from games import catalogue
from games.records.format import write
from tests import make, tour_pages
from tests.games import book
from tests.games.hands import one_hand
from tests.make import NOON
from tests.one_file import file_from_elsewhere
from tracker.backups import copies
from tracker.backups.archive import make_copy
from tracker.backups.copies import CopyFile, CopyKind
from tracker.models import (
    CallReason,
    Club,
    ClubNight,
    Confirm,
    Delivery,
    Event,
    Invitation,
    Issue,
    IssueKind,
    LogEntry,
    Membership,
    Player,
    Role,
    Round,
    RoundState,
    Season,
    Sitting,
    Table,
    Team,
    TokenState,
    Tournament,
    Upload,
    User,
    Webhook,
)
from tracker.nights.services.attendance import arrive, open_door, record_rsvp
from tracker.people.services.claims import claim_player
from tracker.people.services.invitations import invite
from tracker.people.services.merging import merge_players
from tracker.practice.services import attach_record, record_head
from tracker.results.services.calls import call_organiser
from tracker.results.services.report_hand import Submission, report_hand
from tracker.seating.services.table_cards import renew_cards
from tracker.standings.services.seasons import save_season
from tracker.standings.services.standings import finish_tournament
from tracker.tables.clocks import Clock
from tracker.tables.sql import read_table

PEOPLE = ("Asha", "Neema", "Juma", "Baraka", "Zuwena", "Omari")
# One table of every game: how many sit down, and two sheets of it.
SHEETS: dict[str, tuple[str, list[Mapping[str, Any]]]] = {
    "albastini": ("4t2", [{"eaten": [70, 50]}, {"eaten": [60, 60]}]),
    "briscola": ("4t2", [{"points": [70, 50]}, {"bare": 1}]),
    "dalmuti": ("4i", [{"order": [2, 0, 1, 3]}, {"order": [0, 1, 2]}]),
    "mambassa": ("4i", [{"event": "normal", "payers": [1]}, {"event": "normal", "payers": [0, 1]}]),
}
# Of a game that is new here, what its vectors write down.
SHEETS |= {slug: book.usual_sheets(slug) for slug in catalogue.GAMES if slug not in SHEETS}


def four(nth: int) -> tuple[str, ...]:
    """Return who sits at a table: nobody sits at two, so that those of later ones have numbers."""
    return PEOPLE[:4] if nth == 0 else tuple(f"{name} {nth + 10}" for name in PEOPLE[:4])


@dataclass(frozen=True, slots=True, kw_only=True)
class Tour:
    """What the addresses of a club lead to; ``tables`` has an open one of each game."""

    club: Club
    tournament: Tournament
    tables: Mapping[str, Sitting]
    both: Sitting  # where another side has to agree
    closed: Sitting
    revoked: Sitting
    issue: Issue
    player: Player
    other: Player
    team: Team
    card: Table
    replaced: str  # the token of a card that was renewed
    membership: Membership
    invitation: Invitation
    delivery: Delivery  # that was given up
    merger: LogEntry
    night: ClubNight  # on which the tournament's round is played
    season: Season  # with a tournament that is over
    copy: str  # a copy of everything; damaged where making one would take long

    @property
    def sitting(self) -> Sitting:
        """Return the open table about whose second hand there are two counts."""
        return self.tables["albastini"]

    @property
    def round(self) -> Round:
        return self.sitting.round

    def member(self, role: Role) -> User:
        """Make somebody with this role, who is looking at the file of a tournament."""
        user = make.user(role=role, club=self.club)
        self.hand_in(user)
        return user

    def hand_in(self, user: User) -> None:
        """Let somebody look at a file in which is a person who may be another."""
        file = file_from_elsewhere(self.tournament, Asha="Asha Kito", Juma="Kito")
        Upload.objects.create(user=user, club=self.club, content=file, uploaded_at=timezone.now())

    def parameters(self) -> dict[str, object]:
        """Return a value for every parameter that an address of the site can have."""
        return {
            "club_id": self.club.pk,
            "night_id": self.night.pk,
            "season_id": self.season.pk,
            "door_token": self.night.door_token,
            "reply_id": str(self.night.uid),
            "player_id": self.player.pk,
            "other_id": self.other.pk,
            "team_id": self.team.pk,
            "tournament_id": self.tournament.pk,
            "entrant_id": self.tournament.entrants.order_by("pk")[0].pk,
            "round_id": self.round.pk,
            "sitting_id": self.sitting.pk,
            "number": 1,
            "issue_id": self.issue.pk,
            "token": self.sitting.token,
            "card_token": self.card.card_token,
            "membership_id": self.membership.pk,
            "invitation_id": self.invitation.pk,
            "webhook_id": self.delivery.webhook_id,
            "delivery_id": self.delivery.pk,
            "log_entry_id": self.merger.pk,
            "uidb64": "MQ",
            "name": self.copy,
            "slug": "albastini",
        }

    def pages(self) -> dict[str, str]:
        """Return the path of every page to be read, by a name that says which."""
        return tour_pages.pages(self)


def lay(*, public: bool = True) -> Tour:
    """Make the club, its people, a tournament of every game, and what waits for somebody."""
    club = make.club(public=public)
    everybody = [make.player(name, club=club) for name in PEOPLE]
    season = _season(club)
    tournaments = {game: _tournament(game, club) for game in SHEETS}
    tournament = tournaments["albastini"]
    past = make.round_of(tournament, state=RoundState.CLOSED, closed_at=timezone.now())
    closed = _no_longer_open(past, 1, TokenState.CLOSED)
    revoked = _no_longer_open(past, 2, TokenState.REVOKED)
    tables = {game: _played(game, at) for game, at in tournaments.items()}
    write_down(tables["dalmuti"])
    first = tables["albastini"]
    report(first, 2, {"eaten": [70, 50]}, device="another", is_next=False)
    report(tables["briscola"], 1, {"points": [50, 70]}, is_next=False)  # asked to change it
    call_organiser(token=first.token, reason=CallReason.CARDS, by=make.actor(device="phone"))
    membership = _member(club, everybody[4])
    return Tour(
        club=club,
        tournament=tournament,
        tables={game: Sitting.objects.get(pk=table.pk) for game, table in tables.items()},
        both=_both(club),
        closed=closed,
        revoked=revoked,
        issue=Issue.objects.get(sitting=first, kind=IssueKind.CONFLICT),
        player=everybody[0],
        other=everybody[2],
        team=make.team(everybody[0], everybody[2]),
        card=make.table(tournament, 9),
        replaced=_replaced(make.table(tournament, 10)),
        membership=membership,
        invitation=_invitation(membership),
        delivery=_delivery(first.round),
        merger=_merger(everybody[4], membership),
        night=_night(club, first.round),
        season=season,
        copy=_copy(),
    )


def _tournament(game: str, club: Club) -> Tournament:
    """Make the club's tournament of a game, of eight hands or three games a round."""
    in_games = catalogue.GAMES[game].round_in_games
    return make.tournament(
        game,
        SHEETS[game][0],
        club=club,
        name=f"Cup of {game}",
        hands=None if in_games else 8,
        games=3 if in_games else None,
    )


def _both(club: Club) -> Sitting:
    """Seat a table whose sides must agree, and let two of its hands wait for that."""
    table = make.sitting(*four(len(SHEETS)), at=_tournament("albastini", club))
    Tournament.objects.filter(rounds__sittings=table).update(confirm=Confirm.BOTH)
    for number in (1, 2):
        report(table, number, {"eaten": [70, 50]}, side=0)
    return table


def _played(game: str, at: Tournament) -> Sitting:
    """Seat a table of a game, and let it hand in its sheets."""
    table = make.sitting(*four(list(SHEETS).index(game)), at=at)
    for number, sheet in enumerate(SHEETS[game][1], start=1):
        report(table, number, sheet)
    return table


def played(game: str, *, club: Club) -> Sitting:
    """Seat a table of a tournament of its own, and let it hand in its sheets."""
    sitting = _played(game, _tournament(game, club))
    sitting.refresh_from_db()
    return sitting


def _copy() -> str:
    """Keep a copy; tests share the folder, and need no more than one."""
    if stored := copies.stored_copies():
        return stored[0].name
    if connection.vendor == "sqlite":
        return make_copy(kind=CopyKind.ASKED, now=timezone.now()).name
    copy = copies.copies_folder() / CopyFile(timezone.now(), CopyKind.ASKED).name
    copy.parent.mkdir(exist_ok=True)
    copy.touch()
    return copy.name


def _member(club: Club, player: Player) -> Membership:
    """Let somebody who signs in say that they are this player."""
    user = make.user("zuwena", role=Role.MEMBER, club=club)
    claim_player(player_id=player.pk, by=make.actor(user))
    return Membership.objects.get(user=user)


def _invitation(by: Membership) -> Invitation:
    """Invite somebody, for a week from now."""
    inviting = make.actor(by.user_id, at=timezone.now())
    return invite(club_id=by.club_id, role=Role.MEMBER, days=7, by=inviting)


def _delivery(of: Round) -> Delivery:
    """Let a webhook be told of a round: once it heard it, once it waits, and once it was given up."""
    webhook = Webhook.objects.create(
        club=of.tournament.club, url="https://club.example/", made_at=NOON
    )
    told = {"webhook": webhook, "tournament": of.tournament, "round": of, "occurred_at": NOON}
    refused = {"attempts": 2, "answer": "503 Service Unavailable"}
    for event, how in (
        (Event.ROUND_OPENED, {"attempts": 1, "delivered_at": NOON, "answer": "200 OK"}),
        (Event.RESULTS_IN, {**refused, "due_at": timezone.now() + timedelta(days=1)}),
    ):
        Delivery.objects.create(event=event, **told, **how)
    return Delivery.objects.create(event=Event.ROUND_CLOSED, **told, **refused)


def _merger(into: Player, by: Membership) -> LogEntry:
    """Merge a player into this one, who was written otherwise."""
    twice = make.player("Zuwenna", club=into.club)
    return merge_players(player_id=twice.pk, into_id=into.pk, by=make.actor(by.user_id))


def _replaced(card: Table) -> str:
    """Renew a card, and return the token of the old one."""
    renew_cards(tables=[card.pk], rng=Random(7), by=make.actor())
    Table.objects.filter(pk=card.pk).update(code="234567")  # no words, which would want translating
    return card.card_token


def _night(club: Club, round_: Round) -> ClubNight:
    """Let the round be played at a night that somebody comes to."""
    night = make.night(club)
    round_.night, round_.clock = night, Clock.start(25, NOON).to_json()
    round_.save()
    record_rsvp(night_id=night.pk, player_id=None, name="Zuwena", yes=True, by=make.actor())
    arrive(night_id=night.pk, new_names=["Omari"], by=make.actor())
    return open_door(night_id=night.pk, by=make.actor())


def _season(club: Club) -> Season:
    """Let a tournament of a season be over."""
    season = save_season(Season(club=club, name="Autumn"), by=make.actor())
    tournament = make.tournament("dalmuti", "4i", club=club, name="Opening night", season=season)
    report(make.sitting(*PEOPLE[:4], at=tournament), 1, {"order": [2, 0, 1, 3]})
    tournament.rounds.update(state=RoundState.CLOSED, closed_at=NOON)
    finish_tournament(tournament_id=tournament.pk, by=make.actor())
    return season


def _no_longer_open(past: Round, number: int, state: TokenState) -> Sitting:
    sitting = make.sitting(
        *(f"{name} {number}" for name in PEOPLE[:4]), in_round=past, number=number
    )
    report(sitting, 1, {"eaten": [70, 50]})
    Sitting.objects.filter(pk=sitting.pk).update(token_state=state)
    sitting.refresh_from_db()
    return sitting


def report(
    sitting: Sitting,
    number: int,
    sheet: Mapping[str, Any],
    *,
    device: str = "phone",
    side: int | None = None,
    is_next: bool | None = None,
) -> None:
    """Hand in a sheet as a phone at this table does."""
    report_hand(
        token=sitting.token,
        submission=Submission(
            entry=uuid4(), number=number, sheet=sheet, side=side, is_next=is_next
        ),
        by=make.actor(device=device),
    )


def write_down(sitting: Sitting) -> None:
    """Let one more hand be played at this table, and kept card by card."""
    table = read_table(sitting_id=sitting.pk)
    assert table is not None
    session, number = table.coming_session(), table.last_number + 1
    record = one_hand(table.game, session, record_head(table, number, session.dealer), Random(7))
    assert record.sheet is not None
    report(sitting, number, record.sheet)
    attach_record(
        sitting_id=sitting.pk,
        number=number,
        text=write(record),
        by=make.actor(make.user("clerk"), device="phone"),
    )
