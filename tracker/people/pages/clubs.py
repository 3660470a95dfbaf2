"""The pages of a club's settings, its members and their roles, and its invitations."""

from copy import copy

from django import forms
from django.contrib import messages
from django.db.models import OuterRef, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tracker.common.errors import Refused
from tracker.common.forms import refusal_text, refusals_on
from tracker.common.web import access
from tracker.common.web.addresses import full_address, qr_response
from tracker.models import Club, Invitation, Membership, Player, Role
from tracker.people.services.clubs import edit_club, make_club
from tracker.people.services.invitations import MOST_DAYS, USUAL_DAYS, invite, join_path, withdraw
from tracker.people.services.members import (
    change_role,
    check_may_change,
    give_password_link,
    may_reset,
    remove_member,
)

ROLES = (
    (Role.MEMBER, _("Member: reads everything, also in a private club")),
    (Role.SCORER, _("Scorer: settles and corrects results")),
    (Role.ORGANISER, _("Organiser: runs the nights")),
    (Role.OWNER, _("Owner: everything, members and roles too")),
)


class ClubForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Club
        fields = ("name", "public")
        labels = {"name": _("What is the club called?"), "public": _("Anybody may read it")}
        help_texts = {
            "public": _(
                "Standings, results and names. Without it only those you signed up see"
                " anything; tables report through their cards all the same."
            )
        }
        error_messages = {"name": {"required": _("Please write a name.")}}


class RoleForm(forms.Form):
    role = forms.TypedChoiceField(
        label=_("Role"), choices=ROLES, coerce=Role, initial=Role.MEMBER, widget=forms.RadioSelect
    )


class InviteForm(RoleForm):
    many = forms.BooleanField(
        label=_("Anyone with the link"),
        help_text=_("For a group chat or a poster. Without it the link works once."),
        required=False,
    )
    days = forms.IntegerField(
        label=_("Valid for (days)"), min_value=1, max_value=MOST_DAYS, initial=USUAL_DAYS
    )


def member_rows(club: Club) -> list[Membership]:
    """Return the memberships of a club, owners first; ``plays_as`` is the user's player's name."""
    players = Player.objects.present().filter(club=club, user=OuterRef("user"))
    memberships = Membership.objects.filter(club=club).select_related("user")
    return sorted(
        memberships.annotate(plays_as=Subquery(players.values("name"))),
        key=lambda member: (Role(member.role).rank, member.user.username.casefold()),
    )


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def members(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show the owner the members, their roles and the valid invitations; make invitations."""
    club = access.club(request, club_id, Role.OWNER)
    form = InviteForm(request.POST or None)
    if form.is_valid():
        with refusals_on(form):
            invite(**form.cleaned_data, club_id=club.pk, by=access.actor(request))
            messages.success(request, gettext("The link is ready, below. Send it on."))
            return redirect("members", club.pk)
    usable = Invitation.objects.usable(timezone.now()).filter(club=club).select_related("player")
    links = [(each, full_address(request, join_path(each.pk))) for each in usable]
    context = access.context(request, club, form=form, rows=member_rows(club), links=links)
    return render(request, "people/members/members.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def member(request: HttpRequest, membership_id: int) -> HttpResponse:
    """Let the owner change a member's role, remove the member, or make a password link for them."""
    memberships = Membership.objects.select_related("user")
    membership = access.get(request, memberships, membership_id, Role.OWNER)
    by, name = access.actor(request), membership.user.called
    button = request.POST.get("how")
    # Always a form with data, here the role as it is: only such a form can show a refusal.
    form = RoleForm(request.POST if button == "role" else {"role": membership.role})
    message = password_link = ""
    with refusals_on(form):
        if button == "role" and form.is_valid():
            change_role(membership_id=membership_id, role=form.cleaned_data["role"], by=by)
            message = gettext("Saved.")
        elif button == "remove":
            remove_member(membership_id=membership_id, by=by)
            message = gettext("%(name)s is no longer a member.") % {"name": name}
        elif button == "password":
            page_path = give_password_link(membership_id=membership_id, by=by)
            password_link = full_address(request, page_path)
    if message:
        messages.success(request, message)
        # Users who changed their own role may not be allowed to see the members any more.
        is_own = membership.user_id == by.user_id
        return redirect("home") if is_own else redirect("members", membership.club_id)
    why_fixed = ""  # why the role cannot be changed
    try:
        check_may_change(membership.user, by.user_id)
    except Refused as refused:
        why_fixed = refusal_text(refused)
    context = access.context(
        request,
        membership.club,
        form=form,
        member=membership,
        name=name,
        link=password_link,
        fixed=why_fixed,
        resets=may_reset(membership=membership, user_id=access.signed_in(request)),
    )
    return render(request, "people/members/member.html", context)


@access.page
@require_POST
def invitation_withdraw(request: HttpRequest, invitation_id: int) -> HttpResponse:
    invitation = _invitation(request, invitation_id)
    withdraw(invitation_id=invitation_id, by=access.actor(request))
    messages.success(request, gettext("That link no longer works."))
    if invitation.player_id is not None:
        return redirect("player-edit", invitation.player_id)
    return redirect("members", invitation.club_id)


@access.page
@require_safe
@never_cache
def invitation_qr(request: HttpRequest, invitation_id: int) -> HttpResponse:
    _invitation(request, invitation_id)
    return qr_response(full_address(request, join_path(invitation_id)))


def _invitation(request: HttpRequest, invitation_id: int) -> Invitation:
    """Return an invitation; organisers may have those for a player, owners all."""
    invitation = access.get(request, Invitation.objects, invitation_id, Role.ORGANISER)
    if invitation.player_id is None:
        access.check(request, invitation.club, Role.OWNER)
    return invitation


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def club_new(request: HttpRequest) -> HttpResponse:
    """Let any signed-in user make a club, which they own."""
    access.signed_in(request)
    form = ClubForm(request.POST or None)
    if form.is_valid():
        with refusals_on(form):
            club = make_club(**form.cleaned_data, by=access.actor(request))
            messages.success(request, gettext("%(club)s is made, and yours.") % {"club": club.name})
            return redirect(club)
    return render(request, "people/clubs/new.html", {"form": form})


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def club_edit(request: HttpRequest, club_id: int) -> HttpResponse:
    """Let the owner rename the club, and open or close its pages to the public."""
    club = access.club(request, club_id, Role.OWNER)
    # A copy: validation changes the instance of a form, and the page shows the stored name.
    form = ClubForm(request.POST or None, instance=copy(club))
    if form.is_valid():
        with refusals_on(form):
            club = edit_club(**form.cleaned_data, club_id=club.pk, by=access.actor(request))
            messages.success(request, gettext("Saved."))
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
