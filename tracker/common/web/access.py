"""Who may see a club, and who may do what in it.

A page of a public club is open to everyone; a private club is not there at all
for strangers. What organisers and scorers do asks for their role by name::

    @access.page
    def players(request: HttpRequest, club_id: int) -> HttpResponse:
        club = access.club(request, club_id, Role.ORGANISER)
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar, cast
from urllib.parse import urlsplit

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Exists, Manager, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import JSONObject
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme

from tracker.common.actor import Actor
from tracker.common.web.devices import device_of
from tracker.models import (
    Club,
    ClubNight,
    Issue,
    Membership,
    Role,
    Round,
    RoundState,
    Tournament,
)

P = ParamSpec("P")
M = TypeVar("M", bound=Model)
R = TypeVar("R", bound=HttpRequest)
View: TypeAlias = Callable[Concatenate[R, P], HttpResponse]


class SignInNeeded(PermissionDenied):
    """Raised where a page needs a signed-in user and there is none."""


def page(view: View[R, P]) -> View[R, P]:
    """Redirect to the sign-in page where *view* needs a login, and back to it afterwards."""

    @wraps(view)
    def asking(request: R, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except SignInNeeded:
            back, referer = request.get_full_path(), request.headers.get("Referer", "")
            here = request.get_host()
            if request.method == "POST" and url_has_allowed_host_and_scheme(referer, here):
                back = urlsplit(referer).path  # the page that the form stood on
            return redirect_to_login(back)

    return asking


def signed_in(request: HttpRequest) -> int:
    """Return the key of the user who is signed in.

    :raises SignInNeeded: if nobody is.
    """
    if request.user.pk is None:
        raise SignInNeeded
    return request.user.pk


def actor(request: HttpRequest) -> Actor:
    """Return the signed-in user as the actor, with their device.

    :raises SignInNeeded: if nobody is signed in.
    """
    signed_in(request)
    return anybody(request)


def anybody(request: HttpRequest) -> Actor:
    """Return the actor of a request, with their device; they need not be signed in."""
    return Actor(at=timezone.now(), user_id=request.user.pk, device=device_of(request))


def check_keeper(request: HttpRequest) -> None:
    """Check that the user is a superuser: the site's first owner, or one they appointed.

    :raises SignInNeeded: if nobody is signed in.
    :raises PermissionDenied: if somebody else is. Anybody may make a club and own that.
    """
    signed_in(request)
    if not request.user.is_superuser:
        raise PermissionDenied


def club(request: HttpRequest, club_id: int, role: Role | None = None) -> Club:
    """Return the club, on the terms of ``get``."""
    return get(request, Club.objects, club_id, role, club="")


def tournament(request: HttpRequest, tournament_id: int, role: Role | None = None) -> Tournament:
    """Return the tournament with its club, on the terms of ``get``."""
    return get(request, Tournament.objects, tournament_id, role)


def get(
    request: HttpRequest,
    rows: Manager[M] | QuerySet[M],
    key: int,
    role: Role | None = None,
    *,
    club: str = "club",
) -> M:
    """Return the row of that key, if the reader may see its club, and holds *role* or a higher.

    *club* is the way from the row to its club, as ``tournament__club``; a club is its own: "".

    :raises Http404: if there is none, or its club is private and the reader a stranger.
    :raises SignInNeeded: if a role is asked for and nobody is signed in.
    :raises PermissionDenied: if the role is not held.
    """
    row = first(request, rows.filter(pk=key), club)
    check(request, _club_of(row, club) if row else None, role)
    if row is None:  # ``check`` has raised already; this tells the type checker
        raise Http404
    return row


def check(request: HttpRequest, club: Club | None, role: Role | None = None) -> Club:
    """Return *club* if the reader may be here, on the terms of ``get``."""
    # Before anything is said of the club: a stranger must not learn that it is there.
    if role is not None:
        signed_in(request)
    if club is None or not may_read(request, club):
        raise Http404
    if role is not None and not may(request, club, role):
        raise PermissionDenied
    return club


def may_read(request: HttpRequest, club: Club) -> bool:
    """Tell whether the pages of *club* are there for the reader."""
    return club.public or role_in(request, club) is not None


def may(request: HttpRequest, club: Club, role: Role) -> bool:
    """Tell whether the reader holds *role*, or a higher one, in *club*."""
    held = role_in(request, club)
    return held is not None and held.rank <= role.rank


def role_in(request: HttpRequest, club: Club) -> Role | None:
    """Return the reader's role in *club*; the database is asked once a request."""
    if request.user.pk is None:
        return None
    if club.pk not in _known(request):
        first(request, Club.objects.filter(pk=club.pk), "")
    return _known(request).get(club.pk, (None, None))[0]


def _known(request: HttpRequest) -> dict[int, tuple[Role | None, Any]]:
    """Return by club what is known already: the reader's role, and the night that is on."""
    known: dict[int, tuple[Role | None, Any]] = request.__dict__.setdefault("clubs_known", {})
    return known


def first(request: HttpRequest, rows: QuerySet[M], club: str = "club") -> M | None:
    """Return the first of *rows* with its *club*, in one query.

    It also tells the reader's role there, and the night that is on.
    """
    user = request.user.pk
    if club:
        rows = rows.select_related(club)
    if user is None:
        return rows.first()
    held = Membership.objects.filter(club=OuterRef(club or "pk"), user_id=user).values("role")
    # The night at which the club plays, with the number of things that wait for organisers.
    coming = ClubNight.objects.filter(club=OuterRef(club or "pk")).to_come(timezone.now())
    rounds = Round.objects.exclude(state=RoundState.UNDONE)
    here = rounds.filter(night=OuterRef(OuterRef("pk"))).values("tournament")
    waiting = Issue.objects.waiting_in(here).values("settled_at").values(count=Count("pk"))
    begun = coming.filter(Exists(rounds.filter(night=OuterRef("pk")))).order_by("-starts_at", "-pk")
    night = begun.values(on=JSONObject(night="pk", waiting=Subquery(waiting)))[:1]
    row = rows.annotate(reader_role=Subquery(held), night_on=Subquery(night)).first()
    if row is not None and (of := _club_of(row, club)):
        role = getattr(row, "reader_role", None)
        _known(request)[of.pk] = (Role(role) if role else None, getattr(row, "night_on", None))
    return row


def _club_of(row: Model, club: str) -> Club | None:
    """Return the club of a row, by the way that leads there."""
    reached: Any = row
    for step in club.split("__") if club else ():
        reached = getattr(reached, step)
    return cast("Club | None", reached)


def context(request: HttpRequest, club: Club, **more: Any) -> dict[str, Any]:
    """Return what the template of every page of *club* needs, and *more*."""
    return {
        "club": club,
        "belongs": role_in(request, club) is not None,
        "may_organise": may(request, club, Role.ORGANISER),
        "night_on": _known(request).get(club.pk, (None, None))[1],
        **more,
    }
