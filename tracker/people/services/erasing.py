"""Erasure of a player's name: from the club, its texts, its teams and the login; results stay.

In free texts the name is *redacted*: the mark ``BLACKENED``, "[…]", replaces it.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

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

# A function that returns a text with a mark in place of each of the player's names.
Redact = Callable[[str], str]
# The free texts of a club: model, path from the model to the club, field.
_FREE_TEXTS: tuple[tuple[type[models.Model], str, str], ...] = (
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


@transaction.atomic
def erase_player(*, player_id: int, team_names: Mapping[int, str], by: Actor) -> Player:
    """Erase a player's name and login in this club for good; results stay as a former player's.

    *team_names* maps the key of each team whose name contains the player's to a new name. A login
    that belongs to no other club is closed and anonymised.

    :raises Refused: ``last-owner`` if the club would be left without an owner, ``site-owner`` if
        the player owns the site and *by* does not, or if a new name of a team is not possible.
    """
    player = Player.objects.present().get(pk=player_id)
    _lock_before_players(player)
    # Lock the player, and read the names again: they may have changed before the lock.
    player = Player.objects.present().select_for_update(no_key=True).get(pk=player_id)
    known_as = _names_of(player)
    redact = _redactor(player, known_as)
    _rename_teams(player, redact, team_names)
    for model, pk, field, redacted in _redacted_texts(player.club_id, redact):
        _rows(model).filter(pk=pk).update(**{field: redacted})
    # Tournament files that wait for their import may contain the name.
    Upload.objects.filter(club=player.club_id).delete()
    user = player.user
    if user is not None:
        check_may_change(user, by.user_id)
        _remove_login(player.club_id, user)
    _anonymise(player, known_as, by.at)
    log(by, "player-erased", club_id=player.club_id, player=player.pk)
    return player


def _lock_before_players(player: Player) -> None:
    """Lock the tournaments, nights and tables whose texts have the player's name.

    Everywhere these are locked before players: otherwise two transactions could wait for each
    other. The other texts are in rows without a place in that order (see ``tracker.tables.locks``).
    """
    keys: dict[type[models.Model], list[int]] = defaultdict(list)
    redact = _redactor(player, _names_of(player))
    for model, pk, _field, _redacted in _redacted_texts(player.club_id, redact):
        keys[model].append(pk)
    for model in (Tournament, ClubNight):
        rows = _rows(model).select_for_update(no_key=True).filter(pk__in=keys[model])
        list(rows.order_by("pk"))  # runs the query: that locks the rows
    hands = Hand.objects.filter(pk__in=keys[Hand]).values_list("sitting", flat=True)
    issues = Issue.objects.filter(pk__in=keys[Issue]).values_list("sitting", flat=True)
    hold_tables([*hands, *issues])


def name_traces(player: Player) -> dict[str, Any]:
    """Return where an erasure would remove the name of a player, outside the player's own row.

    These are ``teams``, the number of free ``texts``, and the ``login`` (a user name, or empty)
    that would be closed.
    """
    redact = _redactor(player, _names_of(player))
    login = ""
    if player.user is not None and not _in_other_club(player.club_id, player.user):
        login = player.user.username
    teams = _teams_with_name(player.club_id, redact)
    texts = len(list(_redacted_texts(player.club_id, redact)))
    return {"teams": teams, "texts": texts, "login": login}


def _names_of(player: Player) -> list[str]:
    """Return all names of a player, and of the players merged into this one, whose rows stay."""
    merged = Player.objects.filter(merged_into=player)
    names = [name for each in (player, *merged) for name in (each.name, each.full_name)]
    return [name for name in names if name]


def _redactor(player: Player, known_as: list[str]) -> Redact:
    """Return the function that redacts a player's names, *known_as*, in a text."""
    present = Player.objects.present().filter(club=player.club_id).exclude(pk=player.pk)
    others = list(present.values_list("name", flat=True))
    return lambda text: redact_names(text, known_as, others=others)


def redact_names(text: str, names: Iterable[str], *, others: Iterable[str]) -> str:
    """Replace these names in a text by ``BLACKENED``, except within longer names of *others*.

    One pattern finds these names and the longer names, the longest first; longer names stay. The
    search is in a copy with composed accents; the text around a name stays byte for byte.

    >>> redact_names("JUMA and Juma K. took turns", ["Juma"], others=["Juma K."])
    '[…] and Juma K. took turns'
    """
    erased = {_folded(name) for name in names if name.strip()}
    if not erased:
        return text
    longer = {other for other in map(_folded, others) if any(name in other for name in erased)}
    longest_first = sorted(erased | longer, key=len, reverse=True)
    any_name = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in longest_first)
    composed, ranges = _composed(text)
    result, copied_to = "", 0
    for match in re.finditer(rf"(?<!\w)(?:{any_name})(?!\w)", composed, flags=re.IGNORECASE):
        if _folded(match[0]) in erased:
            result += text[copied_to : ranges[match.start()][0]] + BLACKENED
            copied_to = ranges[match.end() - 1][1]
    return result + text[copied_to:]


def _folded(name: str) -> str:
    return tidy(name).casefold()


def _composed(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return *text* with its accents composed, and for each character its range in *text*."""
    composed, ranges, start = "", [], 0
    for end in range(1, len(text) + 1):
        # This code point belongs to the one before: an accent, or the rest of a Korean syllable.
        if end < len(text) and (
            unicodedata.combining(text[end]) or "\u1160" <= text[end] <= "\u11ff"
        ):
            continue
        characters = unicodedata.normalize("NFC", text[start:end])
        composed += characters
        ranges += [(start, end)] * len(characters)
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
    """Yield model, key, field and redacted text of each text with the name, in one query."""
    texts = [
        _rows(model)
        .filter(**{path_to_club: club_id})
        .exclude(**{field: ""})
        .order_by()  # a part of a UNION has no order
        .annotate(index=Value(index), text=F(field))
        .values_list("index", "pk", "text")
        for index, (model, path_to_club, field) in enumerate(_FREE_TEXTS)
    ]
    for index, pk, text in list(texts[0].union(*texts[1:], all=True)):
        redacted = redact(text)
        if redacted != text:
            model, _path_to_club, field = _FREE_TEXTS[index]
            # A text that filled its column is too long now if a name was shorter than the mark.
            most = getattr(model._meta.get_field(field), "max_length", None)  # noqa: SLF001
            if most is not None and len(redacted) > most:
                redacted = _cut(redacted, most)
            yield model, pk, field, redacted


def _cut(text: str, most: int) -> str:
    """Cut a text with marks to at most *most* characters, ending in a whole mark.

    Trap: the first one or two of a mark's three characters, left by the cut, are dropped, as the
    log's trigger accepts only whole marks.
    """
    head = text[: most - len(BLACKENED)]
    return head.removesuffix(BLACKENED[:2]).removesuffix(BLACKENED[:1]) + BLACKENED


def _rows(model: type[models.Model]) -> models.Manager[models.Model]:
    return model._default_manager  # noqa: SLF001 - what Django itself calls any model's manager


def _in_other_club(club_id: int, user: User) -> bool:
    return Membership.objects.filter(user=user).exclude(club=club_id).exists()


def _remove_login(club_id: int, user: User) -> None:
    """Remove a user from the club; close and anonymise the login, unless it is in another club."""
    owners = Membership.objects.filter(club=club_id, role=Role.OWNER)
    if owners.filter(user=user).exists() and not owners.exclude(user=user).exists():
        text = gettext_noop(
            "This is the only owner of the club. Make somebody else an owner first."
        )
        raise Refused("last-owner", text)
    Membership.objects.filter(club=club_id, user=user).delete()
    if _in_other_club(club_id, user):
        return
    # Failed and successful sign-ins are recorded by user name.
    for attempts in (AccessAttempt, AccessFailureLog, AccessLog):
        attempts.objects.filter(username=user.username).delete()
    AdminLogEntry.objects.filter(object_repr__contains=user.username).update(object_repr=BLACKENED)
    user.username, user.first_name, user.last_name = f"former-{user.pk}", "", ""
    user.email, user.last_login = "", None
    user.is_active = user.is_staff = user.is_superuser = False
    user.set_unusable_password()
    user.save()


def _anonymise(player: Player, known_as: list[str], now: datetime) -> None:
    """Anonymise a player and every player merged into them.

    The rows of merged players get the same name, but no ``erased_at``: all are one former player.
    """
    # A reply to an invitation (``Rsvp``) may have only a name, and no player.
    name_keys = [name_key(name) for name in known_as]
    Rsvp.objects.filter(night__club=player.club_id, name_key__in=name_keys).delete()
    players = Player.objects.filter(Q(pk=player.pk) | Q(merged_into=player))
    SeatingWish.objects.filter(Q(player__in=players) | Q(other__in=players)).delete()
    # "A former player", "A former player 2", and so on.
    erased = Player.objects.filter(club=player.club_id).exclude(erased_at=None).count()
    name = gettext("A former player") + (f" {erased + 1}" if erased else "")
    anonymous = {"name": name, "name_key": name_key(name), "full_name": "", "visitor_from": ""}
    unlinked = {"user": None, "claimed_by": None}
    Player.objects.filter(merged_into=player).update(**anonymous, **unlinked)
    for field, value in {**anonymous, **unlinked, "erased_at": now}.items():
        setattr(player, field, value)
    player.save()
