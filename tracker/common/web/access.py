"""Who is reading a page, whether they may see its club, and what they may do in it.

A page of a public club is open to everyone; a private club answers 404 to everyone but its
members. A view that needs a role asks for it::

    @access.page
    def players(request: HttpRequest, club_id: int) -> HttpResponse:
        club = access.club(request, club_id, Role.ORGANISER)
"""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeAlias, TypeVar, cast
from urllib.parse import urlsplit

from django import shortcuts
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Exists, Manager, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import JSONObject
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme

from tracker.common.actor import Actor
from tracker.common.web.devices import chosen_player, visitor
from tracker.models import Club, ClubNight, Issue, Membership, Player, Role, Round, Tournament
from tracker.models.programs import TokenScope

P = ParamSpec("P")
M = TypeVar("M", bound=Model)
R = TypeVar("R", bound=HttpRequest)
View: TypeAlias = Callable[Concatenate[R, P], HttpResponse]


class SignInNeeded(PermissionDenied):
    """Raised where a page needs a signed-in user and there is none."""


def page(view: View[R, P]) -> View[R, P]:
    """Decorate *view* to redirect to the sign-in page if it needs a login, and back afterwards."""

    @wraps(view)
    def with_sign_in(request: R, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except SignInNeeded:
            back, referer = request.get_full_path(), request.headers.get("Referer", "")
            host = request.get_host()
            if request.method == "POST" and url_has_allowed_host_and_scheme(referer, host):
                back = urlsplit(referer).path  # the page of the form: a POST cannot be repeated
            return redirect_to_login(back)

    return with_sign_in


def signed_in(request: HttpRequest) -> int:
    """Return the key of the user who is signed in; raise ``SignInNeeded`` if there is none."""
    if request.user.pk is None:
        raise SignInNeeded
    return request.user.pk


def actor(request: HttpRequest) -> Actor:
    """Return the signed-in user, with their device, as the actor; see ``signed_in``."""
    signed_in(request)
    return visitor(request)


def check_superuser(request: HttpRequest) -> None:
    """Check that the user is a superuser: the site's first owner, or one they appointed.

    :raises SignInNeeded: if nobody is signed in.
    :raises PermissionDenied: if another user is: owning a club does not make one a superuser.
    """
    signed_in(request)
    if not request.user.is_superuser:
        raise PermissionDenied


def club(request: HttpRequest, club_id: int, role: Role | None = None) -> Club:
    """Return the club; see ``get`` for what may be refused."""
    return get(request, Club.objects, club_id, role, club_path="")


def tournament(request: HttpRequest, tournament_id: int, role: Role | None = None) -> Tournament:
    """Return the tournament with its club; see ``get`` for what may be refused."""
    return get(request, Tournament.objects, tournament_id, role)


def get(
    request: HttpRequest,
    rows: Manager[M] | QuerySet[M],
    key: int,
    role: Role | None = None,
    *,
    club_path: str = "club",
) -> M:
    """Return the row of that key, if the reader may see its club and has *role* or a higher one.

    *club_path* leads from the row to its club, as ``tournament__club``; it is "" if it is a club.

    :raises Http404: if there is no such row, or its club is private and the reader no member.
    :raises SignInNeeded: if a role is needed and nobody is signed in.
    :raises PermissionDenied: if the reader does not have the role.
    """
    row = first(request, rows.filter(pk=key), club_path)
    check(request, _club_of(row, club_path) if row else None, role)
    if row is None:  # ``check`` has raised already; this tells the type checker
        raise Http404
    return row


def check(request: HttpRequest, club: Club | None, role: Role | None = None) -> Club:
    """Return *club* if the reader may see it and has the role; see ``get`` for the errors."""
    # Sign-in comes first: asked for in any case, it does not tell strangers which clubs exist.
    if role is not None:
        signed_in(request)
    if club is None or not may_read(request, club):
        raise Http404
    if role is not None and not may(request, club, role):
        raise PermissionDenied
    return club


def may_read(request: HttpRequest, club: Club) -> bool:
    """Return whether the reader may see the pages of *club*."""
    return club.public or role_in(request, club) is not None


def may(request: HttpRequest, club: Club, role: Role) -> bool:
    """Return whether the reader has *role*, or a higher one, in *club*."""
    reader_role = role_in(request, club)
    return reader_role is not None and reader_role.rank <= role.rank  # the owner's rank is 0


def role_in(request: HttpRequest, club: Club) -> Role | None:
    """Return the reader's role in *club*, if they have one; read once a request.

    A program that asks with a token has it in the club of the token only, and none above its scope.
    """
    if request.user.pk is None:
        return None
    if club.pk not in _known_clubs(request):
        first(request, Club.objects.filter(pk=club.pk), "")  # puts what it reads there
    role = _known_clubs(request).get(club.pk, _KnownClub()).role
    token = request.__dict__.get("api_token")  # an ``ApiToken``, set by ``tracker.api`` alone
    if token is None or role is None:
        return role
    if token.membership.club_id != club.pk:
        return None
    return max(role, TokenScope(token.scope).role, key=lambda each: each.rank)


class _KnownClub(NamedTuple):
    """The reader's role in a club, and the night that is on there, as ``_night_on`` gives it."""

    role: Role | None = None
    night_on: Mapping[str, Any] | None = None


def _known_clubs(request: HttpRequest) -> dict[int, _KnownClub]:
    """Return what this request has read of clubs, keyed by club."""
    clubs: dict[int, _KnownClub] = request.__dict__.setdefault("known_clubs", {})
    return clubs


def first(request: HttpRequest, rows: QuerySet[M], club_path: str = "club") -> M | None:
    """Return the first of *rows*, with its club, to which *club_path* leads as in ``get``.

    If the reader is signed in, the same query reads what ``_known_clubs`` has of this club.
    """
    if club_path:
        rows = rows.select_related(club_path)
    user_id = request.user.pk
    if user_id is None:
        return rows.first()
    club_key = OuterRef(club_path or "pk")
    role = Membership.objects.filter(club=club_key, user_id=user_id).values("role")
    row = rows.annotate(reader_role=Subquery(role), night_on=Subquery(_night_on(club_key))).first()
    if row is not None and (club := _club_of(row, club_path)):
        stored: Any = row  # with the two annotations
        role_of_reader = Role(stored.reader_role) if stored.reader_role else None
        _known_clubs(request)[club.pk] = _KnownClub(role_of_reader, stored.night_on)
    return row


def _night_on(club_key: OuterRef) -> QuerySet[ClubNight, Any]:
    """Return the subquery for a club's latest night that has rounds and is not over.

    It gives the key of the ``night``, and how many issues are ``waiting`` there: null if none.
    """
    rounds = Round.objects.not_undone()
    coming = ClubNight.objects.filter(club=club_key).to_come(timezone.now())
    begun = coming.filter(Exists(rounds.filter(night=OuterRef("pk")))).order_by("-starts_at", "-pk")
    # Nested twice, as this is two queries further in than the night.
    tournaments = rounds.filter(night=OuterRef(OuterRef("pk"))).values("tournament")
    # All open issues have the same ``settled_at``: grouped by it, they are one group to count.
    waiting = Issue.objects.waiting_in(tournaments).values("settled_at").values(count=Count("pk"))
    return begun.values(on=JSONObject(night="pk", waiting=Subquery(waiting)))[:1]


def _club_of(row: Model, club_path: str) -> Club | None:
    """Return the club of a row, to which *club_path* leads; if it is "", the row is the club."""
    related: Any = row
    for name in club_path.split("__") if club_path else ():
        related = getattr(related, name)
    return cast("Club | None", related)


def context(request: HttpRequest, club: Club, **more: Any) -> dict[str, Any]:
    """Return the template context that every page of *club* needs, and *more*."""
    return {
        "club": club,
        "belongs": role_in(request, club) is not None,
        "may_organise": may(request, club, Role.ORGANISER),
        "night_on": _known_clubs(request).get(club.pk, _KnownClub()).night_on,
        **more,
    }


def render(request: HttpRequest, template: str, club: Club, **more: Any) -> HttpResponse:
    """Render a page of *club* with the variables of ``context``."""
    return shortcuts.render(request, template, context(request, club, **more))


def signed_in_player(request: HttpRequest, club: Club) -> Player | None:
    """Return the player of the signed-in user in the club, read once a request."""
    if request.user.pk is None:
        return None
    known: dict[int, Player | None] = request.__dict__.setdefault("club_players", {})
    if club.pk not in known:
        players = Player.objects.present().filter(club=club, user_id=request.user.pk)
        known[club.pk] = players.first()
    return known[club.pk]


def player_reading(request: HttpRequest, club: Club) -> Player | None:
    """Return the player who reads the page, known by their login or chosen on this phone."""
    if player := signed_in_player(request, club):
        return player
    if (chosen := chosen_player(request)) is None:
        return None
    return Player.objects.present().filter(club=club, pk=chosen).first()
