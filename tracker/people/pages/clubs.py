"""A club, made and changed; what its people may do, and the links by which others come in."""

from copy import copy

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tracker.common.errors import Refused
from tracker.common.refusals import refusing, sentence
from tracker.common.web import access
from tracker.common.web.addresses import reachable
from tracker.common.web.qr import qr
from tracker.models import Club, Invitation, Membership, Player, Role
from tracker.people.forms import ClubForm, InviteForm, RoleForm
from tracker.people.queries import member_rows, open_invitations
from tracker.people.services.clubs import edit_club, make_club
from tracker.people.services.invitations import invite, join_path, withdraw
from tracker.people.services.members import (
    change_role,
    check_may_change,
    give_password_link,
    may_reset,
    remove_member,
)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def members(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show the owner who may do what, and the links that are out; make new ones."""
    club = access.club(request, club_id, Role.OWNER)
    form = InviteForm(request.POST or None)
    if form.is_valid():
        with refusing(form):
            invite(**form.cleaned_data, club_id=club.pk, by=access.actor(request))
            messages.success(request, _("The link is ready, below. Send it on."))
            return redirect("members", club.pk)
    links = links_out(request, club)
    context = access.context(request, club, form=form, rows=member_rows(club), links=links)
    return render(request, "people/members/members.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def member(request: HttpRequest, membership_id: int) -> HttpResponse:
    """Let the owner change a member's role, remove them, or make them a link to a new password."""
    people = Membership.objects.select_related("user")
    member = access.get(request, people, membership_id, Role.OWNER)
    by, name = access.actor(request), member.user.called
    how = request.POST.get("how")
    form = RoleForm(request.POST if how == "role" else {"role": member.role})
    done = link = ""
    with refusing(form):
        if how == "role" and form.is_valid():
            change_role(membership_id=member.pk, role=form.cleaned_data["role"], by=by)
            done = _("Saved.")
        elif how == "remove":
            remove_member(membership_id=member.pk, by=by)
            done = _("%(name)s is no longer a member.") % {"name": name}
        elif how == "password":
            link = reachable(request, give_password_link(membership_id=member.pk, by=by))
    if done:
        messages.success(request, done)
        # Who is no owner any more cannot see the others.
        mine = member.user_id == by.user_id
        return redirect("home" if mine else reverse("members", args=[member.club_id]))
    more = {"member": member, "name": name, "link": link, "fixed": ""}
    more["resets"] = may_reset(membership=member, user_id=access.signed_in(request))
    try:
        check_may_change(member.user, by.user_id)
    except Refused as refused:
        more["fixed"] = sentence(refused)
    context = access.context(request, member.club, form=form, **more)
    return render(request, "people/members/member.html", context)


@access.page
@require_POST
def invitation_withdraw(request: HttpRequest, invitation_id: int) -> HttpResponse:
    """Take a link back."""
    invitation = _invitation(request, invitation_id)
    withdraw(invitation_id=invitation_id, by=access.actor(request))
    messages.success(request, _("That link no longer works."))
    if invitation.player_id is not None:
        return redirect("player-edit", invitation.player_id)
    return redirect("members", invitation.club_id)


@access.page
@require_safe
@never_cache
def invitation_qr(request: HttpRequest, invitation_id: int) -> HttpResponse:
    """Draw the QR code of an invitation link."""
    _invitation(request, invitation_id)
    return qr(reachable(request, join_path(invitation_id)))


def links_out(
    request: HttpRequest, club: Club, player: Player | None = None
) -> list[tuple[Invitation, str]]:
    """Return the invitations that still open something, or a player's, with their addresses."""
    rows = open_invitations(club, now=timezone.now(), player=player)
    return [(row, reachable(request, join_path(row.pk))) for row in rows]


def _invitation(request: HttpRequest, invitation_id: int) -> Invitation:
    """Return a link; the organiser's to players are the organiser's to show and to take back."""
    invitation = access.get(request, Invitation.objects, invitation_id, Role.ORGANISER)
    if invitation.player_id is None:
        access.check(request, invitation.club, Role.OWNER)
    return invitation


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def club_new(request: HttpRequest) -> HttpResponse:
    """Let anybody who can sign in make a club, and own it."""
    access.signed_in(request)
    form = ClubForm(request.POST or None)
    if form.is_valid():
        with refusing(form):
            club = make_club(**form.cleaned_data, by=access.actor(request))
            messages.success(request, _("%(club)s is made, and yours.") % {"club": club.name})
            return redirect(club)
    return render(request, "people/clubs/new.html", {"form": form})


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def club_edit(request: HttpRequest, club_id: int) -> HttpResponse:
    """Let the owner say what the club is called and who may read it."""
    club = access.club(request, club_id, Role.OWNER)
    form = ClubForm(request.POST or None, instance=copy(club))
    if form.is_valid():
        with refusing(form):
            club = edit_club(**form.cleaned_data, club_id=club.pk, by=access.actor(request))
            messages.success(request, _("Saved."))
            return redirect(club)
    return render(request, "people/clubs/edit.html", access.context(request, club, form=form))


urlpatterns = [
    path("clubs/new/", club_new, name="club-new"),
    path("clubs/<int:club_id>/edit/", club_edit, name="club-edit"),
    path("clubs/<int:club_id>/people/", members, name="members"),
    path("people/<int:membership_id>/", member, name="member"),
    path(
        "invitations/<int:invitation_id>/withdraw/", invitation_withdraw, name="invitation-withdraw"
    ),
    path("invitations/<int:invitation_id>/qr.svg", invitation_qr, name="invitation-qr"),
]
