"""The people of a club: its first owner, its players, its teams."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.contrib.contenttypes.models import ContentType
from django.core import signing
from django.db import IntegrityError, transaction
from django.urls import reverse

from games.errors import gettext_noop
from tracker.models import Club, Player, Team, User, name_key
from tracker.services.acts import record_act
from tracker.services.clubs import make_club
from tracker.services.errors import Refused
from tracker.services.names import kept_name, taken, team_taken

FIRST_OWNER_LASTS = timedelta(hours=24)
PLAYER_NAME, FULL_NAME, TEAM_NAME, CLUB_NAME = 60, 120, 80, 80
MOST_AT_ONCE = 200
_SIGNER = signing.Signer(salt="tracker.first-owner")


def first_owner_path(*, now: datetime) -> str | None:
    """Return the address that makes the first owner, for a day; none if somebody can sign in."""
    if User.objects.exists():
        return None
    return reverse("first-owner", args=[_SIGNER.sign_object(int(now.timestamp()))])


def check_first_owner(token: str, *, now: datetime) -> None:
    """Let *token* pass if it makes the first owner.

    :raises Refused: if it has done so already, is too old, or was never given out.
    """
    if User.objects.exists():
        raise Refused(
            "first-owner-there",
            gettext_noop("This link has done its work: the site has an owner. Please sign in."),
        )
    try:
        given_out = datetime.fromtimestamp(_SIGNER.unsign_object(token), UTC)
    except signing.BadSignature:
        raise Refused(
            "first-owner-unknown",
            gettext_noop("Some of this link is missing. Open it whole, as “serve” printed it."),
        ) from None
    if now - given_out > FIRST_OWNER_LASTS:
        raise Refused(
            "first-owner-late",
            gettext_noop(
                "This link was good for a day, and that day is over."
                " Close “serve” and start it again: it prints a new one."
            ),
        )


@transaction.atomic
def make_first_owner(
    *, token: str, club_name: str, name: str, username: str, password: str, now: datetime
) -> tuple[User, Club]:
    """Make the first user of the site, and the club that user owns.

    :raises Refused: if *token* does not make an owner (any more), or a name cannot be kept.
    """
    # One at a time, on the one row that is always there: two who press together both
    # find no user yet.
    ContentType.objects.select_for_update().get(app_label="tracker", model="user")
    check_first_owner(token, now=now)
    user = User(
        username=User.normalize_username(username),
        first_name=kept_name(name, most=PLAYER_NAME),
        is_staff=True,
        is_superuser=True,
    )
    user.set_password(password)
    user.save()
    return user, make_club(name=club_name, user_id=user.pk, now=now)


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What came of adding players by name."""

    players: tuple[Player, ...]  # everybody who was named, once, in that order
    known: tuple[Player, ...]  # those of them who were in the club before
    twice: tuple[str, ...]  # names that stand more than once in the list

    @property
    def new(self) -> tuple[Player, ...]:
        return tuple(player for player in self.players if player not in self.known)


@transaction.atomic
def add_players(
    *,
    club_id: int,
    names: Sequence[str],
    visitor_from: str = "",
    in_season: bool = True,
    user_id: int | None,
    now: datetime,
) -> Added:
    """Add everybody in *names* who is not in the club yet, and return all of them.

    Visitors may count for tonight alone: then they are not *in_season*.

    :raises Refused: if a name cannot be kept, or there are too many; then nobody is added.
    """
    if len(names) > MOST_AT_ONCE:
        raise Refused(
            "names-many",
            gettext_noop("%(count)d names are a lot: please add %(most)d at most at once."),
            question="names",
            count=len(names),
            most=MOST_AT_ONCE,
        )
    home = _kept_home(visitor_from)
    called: dict[str, str] = {}
    twice: list[str] = []
    for written in names:
        name = kept_name(written, most=PLAYER_NAME, question="names")
        if called.setdefault(name_key(name), name) is not name:
            twice.append(name)

    # In the order of their keys, so that two lists at once wait for each other only one way.
    found = {
        key: find_or_make(club_id, called[key], home=home, in_season=in_season)
        for key in sorted(called)
    }
    new = [player.pk for player, made in found.values() if made]
    if new:
        record_act(
            club_id=club_id, verb="players-added", on={"players": new}, user_id=user_id, at=now
        )
    return Added(
        players=tuple(found[key][0] for key in called),
        known=tuple(player for player, made in (found[key] for key in called) if not made),
        twice=tuple(twice),
    )


def add_player(
    *, club_id: int, name: str, visitor_from: str = "", user_id: int | None, now: datetime
) -> Player:
    """Add one player.

    :raises Refused: if somebody in the club has that name, or it cannot be kept.
    """
    with transaction.atomic():
        added = add_players(
            club_id=club_id, names=[name], visitor_from=visitor_from, user_id=user_id, now=now
        )
        if added.known:
            raise taken(added.known[0].name)
    return added.players[0]


@transaction.atomic
def rename_player(
    *,
    player_id: int,
    name: str,
    full_name: str | None = None,
    visitor_from: str = "",
    in_season: bool = True,
    user_id: int,
    now: datetime,
) -> Player:
    """Call a player something else, and say where a visitor comes from.

    Everybody reads *name*; a *full_name* behind it only those who run the club. Without
    one it stays as it is.

    :raises Refused: if somebody else in the club has that name, or it cannot be kept.
    """
    player = Player.objects.present().select_for_update().get(pk=player_id)
    player.name = kept_name(name, most=PLAYER_NAME)
    player.name_key = name_key(player.name)
    player.visitor_from = _kept_home(visitor_from)
    player.in_season = in_season
    if full_name is not None:
        player.full_name = _kept_full(full_name)
    _save_named(player)
    record_act(
        club_id=player.club_id,
        verb="player-renamed",
        on={"player": player.pk},
        user_id=user_id,
        at=now,
    )
    return player


@transaction.atomic
def make_team(
    *, club_id: int, name: str, players: Iterable[int], user_id: int | None, now: datetime
) -> Team:
    """Make a team of the club out of some of its players, named by their keys.

    They sit in the order they are named in.

    :raises Refused: if there is such a team, or its name or its roster cannot be kept.
    """
    team = _name_team(Team(club_id=club_id), name, list(dict.fromkeys(players)))
    _record_team("team-made", team, user_id, now)
    return team


@transaction.atomic
def edit_team(
    *, team_id: int, name: str, players: Iterable[int], user_id: int, now: datetime
) -> Team:
    """Change what a team is called and who is in it; past seats stay as they were.

    Whoever stays keeps their seat, before those who are new.

    :raises Refused: on the terms of ``make_team``.
    """
    locked = Team.objects.select_for_update().get(pk=team_id)
    team = _name_team(locked, name, list(dict.fromkeys(players)))
    _record_team("team-changed", team, user_id, now)
    return team


def fill_roster(team: Team, players: Sequence[int]) -> None:
    """Let these players and nobody else be the team; who is new sits after the others, in order."""
    before = set(team.roster.values_list("pk", flat=True))
    team.roster.remove(*before.difference(players))
    # One by one: together they would be added in any order.
    for player in players:
        if player not in before:
            team.roster.add(player)


def _name_team(team: Team, name: str, players: Sequence[int]) -> Team:
    team.name = kept_name(name, most=TEAM_NAME)
    team.name_key = name_key(team.name)
    wanted = set(players)
    roster = Player.objects.present().filter(club_id=team.club_id, pk__in=wanted)
    if len(wanted) < 2:
        raise Refused(
            "team-small", gettext_noop("A team is two people or more."), question="roster"
        )
    if roster.count() < len(wanted):
        raise Refused(
            "team-stranger",
            gettext_noop("Somebody you chose is not in this club any more. Please choose again."),
            question="roster",
        )
    _save_named(team)
    fill_roster(team, players)
    return team


def _record_team(verb: str, team: Team, user_id: int | None, now: datetime) -> None:
    players = sorted(team.roster.values_list("pk", flat=True))
    on = {"team": team.pk, "players": players}
    record_act(club_id=team.club_id, verb=verb, on=on, user_id=user_id, at=now)


def find_or_make(
    club_id: int, name: str, *, full_name: str = "", home: str, in_season: bool
) -> tuple[Player, bool]:
    """Return the player of that name, and whether there was none before.

    Only the database can tell: somebody else may be adding the same name.
    """
    key = name_key(name)
    try:
        with transaction.atomic():
            player = Player.objects.create(
                club_id=club_id,
                name=name,
                name_key=key,
                full_name=full_name,
                visitor_from=home,
                in_season=in_season,
            )
    except IntegrityError:
        return Player.objects.present().get(club_id=club_id, name_key=key), False
    return player, True


def _save_named(named: Player | Team) -> None:
    try:
        with transaction.atomic():
            named.save()
    except IntegrityError:
        refused = team_taken if isinstance(named, Team) else taken
        raise refused(named.name) from None


def _kept_home(visitor_from: str) -> str:
    """Return a visitor's home club as it is kept; nothing for a player of the house."""
    if not visitor_from.strip():
        return ""
    return kept_name(visitor_from, most=CLUB_NAME, question="visitor_from")


def _kept_full(full_name: str) -> str:
    """Return the name behind a nickname as it is kept; nothing if there is none."""
    return kept_name(full_name, most=FULL_NAME, question="full_name") if full_name.strip() else ""
