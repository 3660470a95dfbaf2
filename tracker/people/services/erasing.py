"""Erasure of a player's name: from the club, its texts, its teams and the login; results stay."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
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
from tracker.common.names import clean_name, tidy
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
from tracker.people.services.members import check_may_change
from tracker.people.services.teams import team_taken
from tracker.tables.locks import hold_tables

Redact = Callable[[str], str]
# The free texts of a club: model, path from the model to the club, field.
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
class NameTraces:
    """The places outside a player's own row that contain the player's name."""

    teams: list[Team]
    texts: int  # how many free texts it would be removed from
    login: str  # user name of the login that would be closed; empty if none


@transaction.atomic
def erase_player(*, player_id: int, team_names: Mapping[int, str], by: Actor) -> Player:
    """Erase a player's identity in this club for good; results stay as a former player's.

    *team_names* has a new name for each team whose name contains the person's, by team key.
    A login that belongs to no other club is closed and anonymised as well.

    :raises Refused: ``last-owner`` if the club would be left without one, ``site-owner`` if
        this is the owner of the site and *by* is not, or if the new name of a team cannot be kept.
    """
    player = Player.objects.present().get(pk=player_id)
    # First the texts with the name that are locked before players (the order is in ``locks``).
    texts: dict[type[models.Model], list[int]] = defaultdict(list)
    for model, pk, *_ in _redacted_texts(player.club_id, _redactor(player, _names_of(player))):
        texts[model].append(pk)
    for named in (Tournament, ClubNight):
        rows = _rows(named).select_for_update(no_key=True).filter(pk__in=texts[named])
        list(rows.order_by("pk"))
    hands = Hand.objects.filter(pk__in=texts[Hand]).values_list("sitting", flat=True)
    issues = Issue.objects.filter(pk__in=texts[Issue]).values_list("sitting", flat=True)
    hold_tables([*hands, *issues])
    player = Player.objects.present().select_for_update(no_key=True).get(pk=player_id)
    known_as = _names_of(player)
    redact = _redactor(player, known_as)
    _rename_teams(player, redact, team_names)
    for model, pk, field, redacted in _redacted_texts(player.club_id, redact):
        _rows(model).filter(pk=pk).update(**{field: redacted})
    Upload.objects.filter(club=player.club_id).delete()
    user = player.user
    if user is not None:
        check_may_change(user, by.user_id)
        _remove_login(player.club_id, user)
    _anonymise(player, known_as, by.at)
    log(by, "player-erased", club_id=player.club_id, player=player.pk)
    return player


def name_traces(player: Player) -> NameTraces:
    """Return where an erasure would remove the name of a player."""
    redact = _redactor(player, _names_of(player))
    closes = player.user is not None and _in_no_other_club(player.club_id, player.user)
    return NameTraces(
        teams=_teams_with_name(player.club_id, redact),
        texts=sum(1 for _text in _redacted_texts(player.club_id, redact)),
        login=player.user.username if closes and player.user else "",
    )


def _names_of(player: Player) -> list[str]:
    """Return the names of a player and of all players merged into them."""
    merged = Player.objects.filter(merged_into=player)
    names = [(each.name, each.full_name) for each in (player, *merged)]
    return [name for both in names for name in both if name]


def _redactor(player: Player, known_as: list[str]) -> Redact:
    """Return the function that removes a player's names from a text."""
    present = Player.objects.present().filter(club=player.club_id).exclude(pk=player.pk)
    others = list(present.values_list("name", flat=True))
    return lambda text: redact_names(text, known_as, others=others)


def redact_names(text: str, names: Iterable[str], *, others: Iterable[str]) -> str:
    """Replace these names in a text by a mark, except where they are part of a name of *others*.

    >>> redact_names("JUMA and Juma K. took turns", ["Juma"], others=["Juma K."])
    '[…] and Juma K. took turns'
    """
    erased = {_folded(name) for name in names if name.strip()}
    if not erased:
        return text
    longer = {key for key in map(_folded, others) if any(name in key for name in erased)}
    longest_first = sorted(erased | longer, key=len, reverse=True)
    either = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in longest_first)
    # The rest of the text stays byte for byte, whether its accents are composed or not.
    composed, ranges = _composed(text)
    result, copied_to = "", 0
    for match in re.finditer(rf"(?<!\w)(?:{either})(?!\w)", composed, flags=re.IGNORECASE):
        if _folded(match[0]) in erased:
            result += text[copied_to : ranges[match.start()][0]] + BLACKENED
            copied_to = ranges[match.end() - 1][1]
    return result + text[copied_to:]


def _folded(name: str) -> str:
    return tidy(name).casefold()


def _composed(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return *text* with its accents composed, and the range in *text* of each character."""
    composed, ranges, start = "", [], 0
    for end in range(1, len(text) + 1):
        # The next code point may belong to this character: an accent, or the rest of a syllable.
        if end < len(text) and (
            unicodedata.combining(text[end]) or "\u1160" <= text[end] <= "\u11ff"
        ):
            continue
        signs = unicodedata.normalize("NFC", text[start:end])
        composed += signs
        ranges += [(start, end)] * len(signs)
        start = end
    return composed, ranges


def _teams_with_name(club_id: int, redact: Redact) -> list[Team]:
    teams = Team.objects.filter(club=club_id).order_by("name_key")
    return [team for team in teams if redact(team.name) != team.name]


def _rename_teams(player: Player, redact: Redact, names: Mapping[int, str]) -> None:
    for team in _teams_with_name(player.club_id, redact):
        name = names.get(team.pk, "")
        if not name or redact(name) != name:
            template = gettext_noop("“%(team)s” needs a name without this person in it.")
            raise Refused("team-name-stays", template, question=f"team_{team.pk}", team=team.name)
        team.name = clean_name(name, most=Team.name.field.max_length, question=f"team_{team.pk}")
        team.name_key = name_key(team.name)
        same = Team.objects.filter(club=player.club_id, name_key=team.name_key)
        if same.exclude(pk=team.pk).exists():
            raise team_taken(team.name, question=f"team_{team.pk}")
        team.save(update_fields=["name", "name_key"])


def _redacted_texts(
    club_id: int, redact: Redact
) -> Iterator[tuple[type[models.Model], int, str, str]]:
    """Yield the texts with the name, in one query: model, primary key, field, redacted text."""
    texts = [
        _rows(model)
        .filter(**{to_club: club_id})
        .exclude(**{field: ""})
        .order_by()
        .annotate(nth=Value(nth), text=F(field))
        .values_list("nth", "pk", "text")
        for nth, (model, to_club, field) in enumerate(_FREE_TEXT)
    ]
    for nth, pk, text in list(texts[0].union(*texts[1:], all=True)):
        redacted = redact(text)
        if redacted != text:
            model, _to_club, field = _FREE_TEXT[nth]
            most = getattr(model._meta.get_field(field), "max_length", None)  # noqa: SLF001
            if most is not None and len(redacted) > most:  # a mark may be longer than the name
                # Trap: the log takes nothing but marks for pieces, so no half of a mark may be left.
                head = redacted[: most - len(BLACKENED)]
                redacted = head.removesuffix(BLACKENED[:2]).removesuffix(BLACKENED[:1]) + BLACKENED
            yield model, pk, field, redacted


def _rows(model: type[models.Model]) -> models.Manager[models.Model]:
    return model._default_manager  # noqa: SLF001 - what Django itself calls any model's manager


def _in_no_other_club(club_id: int, user: User) -> bool:
    return not Membership.objects.filter(user=user).exclude(club=club_id).exists()


def _remove_login(club_id: int, user: User) -> None:
    """Remove a user from the club; if they are in no other one, close and anonymise the login."""
    owners = Membership.objects.filter(club=club_id, role=Role.OWNER)
    if owners.filter(user=user).exists() and not owners.exclude(user=user).exists():
        raise Refused(
            "last-owner",
            gettext_noop("This is the only owner of the club. Make somebody else an owner first."),
        )
    close = _in_no_other_club(club_id, user)
    Membership.objects.filter(club=club_id, user=user).delete()
    if not close:
        return
    for attempts in (AccessAttempt, AccessFailureLog, AccessLog):
        attempts.objects.filter(username=user.username).delete()
    AdminLogEntry.objects.filter(object_repr__contains=user.username).update(object_repr=BLACKENED)
    user.username, user.first_name, user.last_name = f"former-{user.pk}", "", ""
    user.email, user.last_login = "", None
    user.is_active = user.is_staff = user.is_superuser = False
    user.set_unusable_password()
    user.save()


def _anonymise(player: Player, known_as: list[str], now: datetime) -> None:
    """Anonymise a player and every player merged into them."""
    Rsvp.objects.filter(
        night__club=player.club_id, name_key__in=[name_key(name) for name in known_as]
    ).delete()
    everybody = Player.objects.filter(Q(pk=player.pk) | Q(merged_into=player))
    SeatingWish.objects.filter(Q(player__in=everybody) | Q(other__in=everybody)).delete()
    before = Player.objects.filter(club=player.club_id).exclude(erased_at=None).count()
    name = gettext("A former player") + (f" {before + 1}" if before else "")
    anonymous = {"name": name, "name_key": name_key(name), "full_name": "", "visitor_from": ""}
    unlinked = {"user": None, "claimed_by": None}
    Player.objects.filter(merged_into=player).update(**anonymous, **unlinked)
    for field, value in {**anonymous, **unlinked, "erased_at": now}.items():
        setattr(player, field, value)
    player.save()
