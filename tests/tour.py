"""A club with something to see on every page, for tests that walk through all of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from django.db import connection
from django.urls import reverse
from django.utils import timezone

from games import catalogue
from games.records.format import write
from tests import make
from tests.games import book
from tests.games.hands import one_hand
from tests.make import NOON
from tests.one_file import file_from_elsewhere
from tracker.copies.logic.stored import Kind, Stored
from tracker.copies.queries import listing
from tracker.copies.services.making import make_copy
from tracker.ledger.statements import read_table
from tracker.models import (
    CallReason,
    Club,
    ClubNight,
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
)
from tracker.nights.services.attendance import arrive, record_rsvp
from tracker.nights.services.door import open_door
from tracker.people.services.claims import claim_player
from tracker.people.services.invitations import invite, join_path
from tracker.people.services.merging import merge_players
from tracker.practice.queries import head_of
from tracker.practice.services import attach_record, deal_hand
from tracker.reports.services.calls import call_organiser
from tracker.reports.services.report_hand import Submission, report_hand
from tracker.seasons.services import save_season
from tracker.seating.logic import clocks
from tracker.seating.services.keys import renew_cards
from tracker.standings.services.official import finish_tournament

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
# What there is to read of a tournament, whatever its game.
TOLD = ("tournament", "dealers", "hands", "story", "crosstable", "tournament-display")
PLANNED = "?players=13&minutes=150&starts=19:30&game=albastini"
PRACTISED = tuple(game for game in SHEETS if (play := catalogue.GAMES[game].play) and play.layout)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tour:
    """What the addresses of a club lead to; ``tables`` has an open one of each game."""

    club: Club
    tournament: Tournament
    tables: Mapping[str, Sitting]
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
            "night_uid": str(self.night.uid),
            "player_id": self.player.pk,
            "other_id": self.other.pk,
            "team_id": self.team.pk,
            "tournament_id": self.tournament.pk,
            "round_id": self.round.pk,
            "sitting_id": self.sitting.pk,
            "number": 1,
            "issue_id": self.issue.pk,
            "token": self.sitting.token,
            "card_token": self.card.card_token,
            "membership_id": self.membership.pk,
            "invitation_id": self.invitation.pk,
            "log_entry_id": self.merger.pk,
            "uidb64": "MQ",
            "name": self.copy,
            "game": "albastini",
        }

    def pages(self) -> dict[str, str]:
        """Return the path of every page to be read, by a name that says which."""
        tournament, club = [self.tournament.pk], [self.club.pk]
        return {
            "home": reverse("home"),
            "sign-in": reverse("sign-in"),
            "card-code": reverse("card-code"),
            "practice": reverse("practice"),
            "replay": reverse("replay"),
            **{f"practice, {game}": reverse("practice-game", args=[game]) for game in PRACTISED},
            **{f"practice, {game}, dealt": _dealt(game) for game in PRACTISED},
            "club": reverse("club", args=club),
            "club-new": reverse("club-new"),
            "club-edit": reverse("club-edit", args=club),
            "account": reverse("account"),
            "password": reverse("password"),
            "password-new, forged": reverse("password-new", args=["MQ", "forged"]),
            "join": join_path(self.invitation.pk),
            "join, forged": reverse("join", args=["forged"]),
            "claim": reverse("claim", args=club),
            "members": reverse("members", args=club),
            "member": reverse("member", args=[self.membership.pk]),
            "players-import": reverse("players-import", args=club),
            "duplicates": reverse("duplicates", args=club),
            "player-merge": reverse("player-merge", args=[self.player.pk]),
            "player-erase": reverse("player-erase", args=[self.player.pk]),
            "players": reverse("players", args=club),
            "player": reverse("player", args=[self.player.pk]),
            "player of one game": reverse("player", args=[self.player.pk]) + "?game=dalmuti",
            "pair": reverse("pair", args=[self.player.pk, self.other.pk]),
            "player-edit": reverse("player-edit", args=[self.player.pk]),
            "wishes": reverse("wishes", args=club),
            "teams": reverse("teams", args=club),
            "team": reverse("team", args=[self.team.pk]),
            "team-edit": reverse("team-edit", args=[self.team.pk]),
            "tonight": reverse("tonight", args=club),
            "plan": reverse("plan", args=club),
            "plan, proposed": reverse("plan", args=club) + PLANNED,
            "seasons": reverse("seasons", args=club),
            "season": reverse("season", args=[self.season.pk]),
            "season-edit": reverse("season-edit", args=[self.season.pk]),
            "nights": reverse("nights", args=club),
            "night-new": reverse("night-new", args=club),
            "night": reverse("night", args=[self.night.pk]),
            "night-edit": reverse("night-edit", args=[self.night.pk]),
            "night-people": reverse("night-people", args=[self.night.pk]),
            "night-door": reverse("night-door", args=[self.night.pk]),
            "door": reverse("door", args=[self.night.door_token]),
            "night-display": reverse("night-display", args=[self.night.pk]),
            "night-rsvp": reverse("night-rsvp", args=[self.night.uid]),
            "tournaments": reverse("tournaments", args=club),
            "tournament-new": reverse("tournament-new", args=club),
            **{
                f"tournament-new, {game}": reverse("tournament-new", args=club) + f"?game={game}"
                for game in self.tables
            },
            "tournament-edit": reverse("tournament-edit", args=tournament),
            "tournament-import": reverse("tournament-import", args=club),
            "tournament-look": reverse("tournament-look", args=club),
            "entrants": reverse("entrants", args=tournament),
            "desk": reverse("desk", args=tournament),
            "official": reverse("official", args=tournament),
            "prizes": reverse("prizes", args=tournament),
            "draw": reverse("draw", args=tournament),
            "round-close": reverse("round-close", args=[self.round.pk]),
            "round-undo": reverse("round-undo", args=[self.round.pk]),
            **{
                f"{name}, {game}": reverse(name, args=[table.round.tournament_id])
                for name in TOLD
                for game, table in self.tables.items()
            },
            **{
                f"sitting, {game}": reverse("sitting", args=[table.pk])
                for game, table in self.tables.items()
            },
            "hand-record": reverse("hand-record", args=[self.tables["briscola"].pk, 1]),
            "hand-record, kept": _kept(self.tables["dalmuti"]),
            **{
                f"result-only, {game}": reverse("result-only", args=[table.pk])
                for game, table in self.tables.items()
            },
            "awards": reverse("awards", args=tournament),
            "stage-new": reverse("stage-new", args=tournament),
            "final-ranking": reverse("final-ranking", args=tournament),
            "my-table": reverse("my-table", args=club),
            "table-keys": reverse("table-keys", args=tournament),
            "print-cards": reverse("print-cards", args=tournament),
            "schedule": reverse("schedule", args=tournament),
            "why": reverse("why", args=[*tournament, 1]),
            "print-rounds": reverse("print-rounds", args=tournament),
            "print-seats": reverse("print-seats", args=[self.round.pk]),
            **{
                f"print-sheets, {game}": reverse("print-sheets", args=[table.round_id])
                for game, table in self.tables.items()
            },
            **{
                f"print-blank, {game}": reverse("print-blank", args=[table.round.tournament_id])
                for game, table in self.tables.items()
            },
            "table-result": reverse("table-result", args=[self.sitting.token]),
            "paper-file": reverse("paper-file", args=tournament),
            **{
                f"paper, {game}": reverse("paper", args=[table.pk])
                for game, table in self.tables.items()
            },
            **{
                f"hand-correct, {game}": reverse("hand-correct", args=[table.pk, 1])
                for game, table in self.tables.items()
            },
            "issue": reverse("issue", args=[self.issue.pk]),
            **{
                f"table, {game}": reverse("table", args=[t.token])
                for game, t in self.tables.items()
            },
            **{
                f"table, {game}, changing": reverse("table", args=[t.token]) + "?hand=1"
                for game, t in self.tables.items()
            },
            "table, saved": self.sitting.get_absolute_url() + "?saved=1&as=accepted",
            "table, over": Sitting.objects.get(
                round__tournament__season=self.season
            ).get_absolute_url(),
            "table, closed": self.closed.get_absolute_url(),
            "card, waiting": reverse("card", args=[self.card.card_token]),
            "card, replaced": reverse("card", args=[self.replaced]),
        }


def lay(*, public: bool = True) -> Tour:
    """Make the club, its people, a tournament of every game, and what waits for somebody."""
    club = make.club(public=public)
    everybody = [make.player(name, club=club) for name in PEOPLE]
    tournaments = {
        game: make.tournament(
            game,
            mode,
            club=club,
            name=f"Cup of {game}",
            hands=None if catalogue.GAMES[game].round_in_games else 8,
            games=3 if catalogue.GAMES[game].round_in_games else None,
        )
        for game, (mode, _sheets) in SHEETS.items()
    }
    tournament = tournaments["albastini"]
    past = make.round_of(tournament, state=RoundState.CLOSED, closed_at=timezone.now())
    closed = _no_longer_open(past, 1, TokenState.CLOSED)
    revoked = _no_longer_open(past, 2, TokenState.REVOKED)
    tables = {
        game: make.sitting(*PEOPLE[:4], at=tournament) for game, tournament in tournaments.items()
    }
    for game, (_mode, sheets) in SHEETS.items():
        for number, sheet in enumerate(sheets, start=1):
            report(tables[game], number, sheet)
    _write_down(tables["dalmuti"])
    first = tables["albastini"]
    report(first, 2, {"eaten": [70, 50]}, device="another", is_next=False)
    call_organiser(token=first.token, reason=CallReason.CARDS, by=make.actor(device="phone"))
    membership = _member(club, everybody[4])
    return Tour(
        club=club,
        tournament=tournament,
        tables={game: Sitting.objects.get(pk=table.pk) for game, table in tables.items()},
        closed=closed,
        revoked=revoked,
        issue=Issue.objects.get(sitting=first, kind=IssueKind.CONFLICT),
        player=everybody[0],
        other=everybody[2],
        team=make.team(everybody[0], everybody[2]),
        card=make.table(tournament, 9),
        replaced=_replaced(make.table(tournament, 10)),
        membership=membership,
        invitation=invite(
            club_id=club.pk,
            role=Role.MEMBER,
            days=7,
            by=make.actor(membership.user_id, at=timezone.now()),
        ),
        merger=merge_players(
            player_id=make.player("Zuwenna", club=club).pk,
            into_id=everybody[4].pk,
            by=make.actor(membership.user_id),
        ),
        night=_night(club, first.round),
        season=_season(club),
        copy=_copy(),
    )


def _copy() -> str:
    """Keep a copy; tests share the folder, and need no more than one."""
    if copies := listing.stored_copies():
        return copies[0].name
    if connection.vendor == "sqlite":
        return make_copy(kind=Kind.ASKED, now=NOON).name
    copy = listing.folder() / Stored(NOON, Kind.ASKED).name
    copy.parent.mkdir(exist_ok=True)
    copy.touch()
    return copy.name


def _member(club: Club, player: Player) -> Membership:
    """Let somebody who signs in say that they are this player."""
    user = make.user("zuwena", role=Role.MEMBER, club=club)
    claim_player(player_id=player.pk, by=make.actor(user))
    return Membership.objects.get(user=user)


def _replaced(card: Table) -> str:
    """Renew a card, and return the token of the old one."""
    renew_cards(tables=[card.pk], rng=Random(7), by=make.actor())
    Table.objects.filter(pk=card.pk).update(code="234567")  # no words, which would want translating
    return card.card_token


def _night(club: Club, round_: Round) -> ClubNight:
    """Let the round be played at a night that somebody comes to."""
    night = make.night(club)
    round_.night, round_.clock = night, clocks.to_json(clocks.start(25, NOON))
    round_.save()
    record_rsvp(night_id=night.pk, player_id=None, name="Zuwena", yes=True, now=NOON)
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
    is_next: bool | None = None,
) -> None:
    """Hand in a sheet as a phone at this table does."""
    report_hand(
        token=sitting.token,
        submission=Submission(entry=uuid4(), number=number, sheet=sheet, is_next=is_next),
        by=make.actor(device=device),
    )


def _write_down(sitting: Sitting) -> None:
    """Let one more hand be played at this table, and kept card by card."""
    table = read_table(sitting_id=sitting.pk)
    assert table is not None
    session, number = table.coming_session(), table.last_number + 1
    record = one_hand(table.game, session, head_of(table, number, session.dealer), Random(7))
    assert record.sheet is not None
    report(sitting, number, record.sheet)
    attach_record(
        sitting_id=sitting.pk,
        number=number,
        text=write(record),
        by=make.actor(make.user("clerk"), device="phone"),
    )


def _kept(sitting: Sitting) -> str:
    """Return the address of a hand that was written down, some moves after the deal."""
    return reverse("hand-record", args=[sitting.pk, sitting.last_number]) + "?step=5"


def _dealt(game: str) -> str:
    """Return the address of a hand of practice that has just been dealt."""
    hand = deal_hand(
        game=game,
        mode=SHEETS[game][0],
        options={},
        strength="beginner",
        name=PEOPLE[0],
        seed=7,
        clock=lambda: 0.0,
    )
    return f"{reverse('practice-game', args=[game])}?{urlencode({'hand': hand.written()})}"
