"""Erasing a person: the name is gone everywhere, and what was played stays."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.admin.models import LogEntry as AdminLogEntry
from django.db import models, transaction
from django.db.models import F, Q, Value
from django.utils.translation import gettext

from games.errors import gettext_noop
from tracker.common.actor import Actor
from tracker.common.audit_log import log
from tracker.common.errors import Refused
from tracker.common.names import clean_name
from tracker.models import (
    BLACKENED,
    Award,
    ClubNight,
    Hand,
    Issue,
    LogEntry,
    Membership,
    Origin,
    Player,
    Role,
    Rsvp,
    Season,
    SeatingWish,
    Team,
    Tournament,
    Upload,
    User,
    name_key,
)
from tracker.people.logic import blacken
from tracker.people.services.members import check_may_change
from tracker.people.services.teams import team_taken
from tracker.tables.locks import hold_tables

Strike = Callable[[str], str]
# Where people write what they like, by the way from there to the club.
_FREE_TEXT: tuple[tuple[type[models.Model], str, str], ...] = (
    (LogEntry, "club", "reason"),
    (Award, "tournament__club", "reason"),
    (ClubNight, "club", "place"),
    (ClubNight, "club", "games"),
    (Hand, "sitting__round__tournament__club", "reason"),
    (Issue, "sitting__round__tournament__club", "note"),
    (Origin, "tournament__club", "season"),
    (Season, "club", "name"),
    (Tournament, "club", "name"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Traces:
    """Where the name of a player is written outside the player's own row."""

    teams: tuple[Team, ...]
    texts: int  # free texts in which it would be struck out
    login: str  # the user name of a login that would go with it, if any


@transaction.atomic
def erase_player(*, player_id: int, team_names: Mapping[int, str], by: Actor) -> Player:
    """Erase a player's identity in this club for good; results stay as a former player's.

    Teams that are called after the person get the names in *team_names*, by their keys.
    A login that is of no other club is closed, and forgotten as well.

    :raises Refused: ``last-owner`` if the club would be left without one, ``site-owner`` if
        this is the owner of the site and *by* is not, or if the new name of a team cannot be kept.
    """
    _hold_texts(Player.objects.present().get(pk=player_id))
    player = Player.objects.present().select_for_update(no_key=True).get(pk=player_id)
    known_as = _names_of(player)
    strike = _striking(player, known_as)
    _rename_teams(player, strike, team_names)
    for model, pk, field, struck in _free_texts(player.club_id, strike):
        _rows(model).filter(pk=pk).update(**{field: struck})
    Upload.objects.filter(club=player.club_id).delete()
    user = player.user
    if user is not None:
        check_may_change(user, by.user_id)
        _forget_login(player.club_id, user)
    _forget(player, known_as, by.at)
    log(by, "player-erased", club_id=player.club_id, player=player.pk)
    return player


def _hold_texts(player: Player) -> None:
    """Lock what a name is struck out of as far as that comes before people: see ``locks``."""
    pks: dict[type[models.Model], list[int]] = defaultdict(list)
    for model, pk, *_ in _free_texts(player.club_id, _striking(player, _names_of(player))):
        pks[model].append(pk)
    for named in (Tournament, ClubNight):
        list(_rows(named).select_for_update(no_key=True).filter(pk__in=pks[named]).order_by("pk"))
    hands = Hand.objects.filter(pk__in=pks[Hand]).values_list("sitting", flat=True)
    issues = Issue.objects.filter(pk__in=pks[Issue]).values_list("sitting", flat=True)
    hold_tables([*hands, *issues])


def traces(player: Player) -> Traces:
    """Return where else the name of a player is written."""
    strike = _striking(player, _names_of(player))
    closes = player.user is not None and _only_here(player.club_id, player.user)
    return Traces(
        teams=tuple(_teams(player.club_id, strike)),
        texts=sum(1 for _text in _free_texts(player.club_id, strike)),
        login=player.user.username if closes and player.user else "",
    )


def _names_of(player: Player) -> list[str]:
    """Return what a player is called, or was before others were merged into them."""
    merged = Player.objects.filter(merged_into=player)
    names = [(each.name, each.full_name) for each in (player, *merged)]
    return [name for both in names for name in both if name]


def _striking(player: Player, known_as: list[str]) -> Strike:
    others = list(
        Player.objects.present()
        .filter(club=player.club_id)
        .exclude(pk=player.pk)
        .values_list("name", flat=True)
    )
    return lambda text: blacken(text, known_as, others=others, mark=BLACKENED)


def _teams(club_id: int, strike: Strike) -> Iterator[Team]:
    for team in Team.objects.filter(club=club_id).order_by("name_key"):
        if strike(team.name) != team.name:
            yield team


def _rename_teams(player: Player, strike: Strike, names: Mapping[int, str]) -> None:
    for team in _teams(player.club_id, strike):
        name = names.get(team.pk, "")
        if not name or strike(name) != name:
            raise Refused(
                "team-name-stays",
                gettext_noop("“%(team)s” needs a name without this person in it."),
                question=f"team_{team.pk}",
                team=team.name,
            )
        team.name = clean_name(name, most=Team.name.field.max_length, question=f"team_{team.pk}")
        team.name_key = name_key(team.name)
        same = Team.objects.filter(club=player.club_id, name_key=team.name_key)
        if same.exclude(pk=team.pk).exists():
            raise team_taken(team.name, question=f"team_{team.pk}")
        team.save(update_fields=["name", "name_key"])


def _free_texts(club_id: int, strike: Strike) -> Iterator[tuple[type[models.Model], int, str, str]]:
    """Yield every free text that has the name in it, with the name struck out, in one query.

    Each comes as its model, its row's key, its field, and what is left of the text.
    """
    written = [
        _rows(model)
        .filter(**{way: club_id})
        .exclude(**{field: ""})
        .order_by()
        .annotate(nth=Value(nth), text=F(field))
        .values_list("nth", "pk", "text")
        for nth, (model, way, field) in enumerate(_FREE_TEXT)
    ]
    for nth, pk, text in list(written[0].union(*written[1:], all=True)):
        struck = strike(text)
        if struck != text:
            model, _way, field = _FREE_TEXT[nth]
            most = getattr(model._meta.get_field(field), "max_length", None)  # noqa: SLF001
            if most is not None and len(struck) > most:  # a mark may be longer than the name
                # Trap: the log takes nothing but marks for pieces, so no half of a mark may be left.
                head = struck[: most - len(BLACKENED)]
                struck = head.removesuffix(BLACKENED[:2]).removesuffix(BLACKENED[:1]) + BLACKENED
            yield model, pk, field, struck


def _rows(model: type[models.Model]) -> models.Manager[models.Model]:
    return model._default_manager  # noqa: SLF001 - what Django itself calls any model's manager


def _only_here(club_id: int, user: User) -> bool:
    return not Membership.objects.filter(user=user).exclude(club=club_id).exists()


def _forget_login(club_id: int, user: User) -> None:
    """Take the login out of the club; if it is of no other one, close and forget it."""
    owners = Membership.objects.filter(club=club_id, role=Role.OWNER)
    if owners.filter(user=user).exists() and not owners.exclude(user=user).exists():
        raise Refused(
            "last-owner",
            gettext_noop("This is the only owner of the club. Make somebody else an owner first."),
        )
    only_here = _only_here(club_id, user)
    Membership.objects.filter(club=club_id, user=user).delete()
    if not only_here:
        return
    for attempts in (AccessAttempt, AccessFailureLog, AccessLog):
        attempts.objects.filter(username=user.username).delete()
    AdminLogEntry.objects.filter(object_repr__contains=user.username).update(object_repr=BLACKENED)
    user.username, user.first_name, user.last_name = f"former-{user.pk}", "", ""
    user.email, user.last_login = "", None
    user.is_active = user.is_staff = user.is_superuser = False
    user.set_unusable_password()
    user.save()


def _forget(player: Player, known_as: list[str], now: datetime) -> None:
    """Anonymise a player and every player merged into them."""
    Rsvp.objects.filter(
        night__club=player.club_id, name_key__in=[name_key(name) for name in known_as]
    ).delete()
    known_by = Q(pk=player.pk) | Q(merged_into=player)
    everybody = Player.objects.filter(known_by)
    SeatingWish.objects.filter(Q(player__in=everybody) | Q(other__in=everybody)).delete()
    before = Player.objects.filter(club=player.club_id).exclude(erased_at=None).count()
    name = gettext("A former player") + (f" {before + 1}" if before else "")
    forgotten = {
        "name": name,
        "name_key": name_key(name),
        "full_name": "",
        "visitor_from": "",
        "user": None,
        "claimed_by": None,
    }
    Player.objects.filter(merged_into=player).update(**forgotten)
    for field, value in {**forgotten, "erased_at": now}.items():
        setattr(player, field, value)
    player.save()
