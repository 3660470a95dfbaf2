"""The pages of a club's players: list, add, rename, link to a login, erase.

A user *claims* to be a player (``claimed_by``); an organiser's yes makes it the player's login.
"""

from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any

import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.db.models import Count, Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.text import get_text_list
from django.utils.translation import gettext, gettext_lazy as _, ngettext
from django.views.decorators.http import require_http_methods, require_POST

from tracker.backups.automatic import copy_before_request
from tracker.common.columns import WRAP, ChangeColumn, ClubTable, counted, links_to
from tracker.common.errors import Refused
from tracker.common.forms import (
    NAME_INPUT,
    NamesField,
    add_refusal,
    refusals_as_messages,
    refusals_on,
)
from tracker.common.names import alike, suggest_other
from tracker.common.template_tags import person_mark
from tracker.common.web import access, exports
from tracker.common.web.addresses import full_address
from tracker.models import Club, Player, Role, Team, first_stage, name_key
from tracker.people.forms import SearchForm
from tracker.people.services.claims import answer_claim, unlink_player
from tracker.people.services.erasing import erase_player, name_traces
from tracker.people.services.invitations import USUAL_DAYS, invite, join_path
from tracker.people.services.players import add_players, rename_player


class PlayersTable(ClubTable):
    """The list of players, from ``player_rows``; *may_change* adds a column of edit links."""

    title = _("Players")
    name = tables.Column(
        verbose_name=_("Player"), order_by="name_key", attrs={"td": {"scope": "row"}}
    )
    tournaments = tables.Column(verbose_name=_("Tournaments"), attrs=counted(_("played")))
    visitor_from = tables.Column(verbose_name=_("Home club"), default="", attrs=WRAP)
    teams = tables.Column(verbose_name=_("Teams"), accessor="team_names", default="", attrs=WRAP)
    change = ChangeColumn("player-edit")

    class Meta:
        empty_text = _("Nobody by that name.")

    def __init__(self, rows: Sequence[Player], *, may_change: bool, **kwargs: Any) -> None:
        shows = {
            "visitor_from": any(row.visitor_from for row in rows),
            "teams": any(row.team_names for row in rows),
            "change": may_change,
        }
        kwargs["exclude"] = tuple(name for name, show in shows.items() if not show)
        super().__init__(rows, **kwargs)
        self.link_to_player = links_to("player")

    def render_name(self, value: str, record: Player) -> SafeString:
        return person_mark(record.pk, value) + self.link_to_player(value, record.pk)

    # An exported file has the bare name, without mark and link.
    value_name = ClubTable.as_is


class AddPlayersForm(forms.Form):
    names = NamesField(
        label=_("Who is new?"),
        help_text=_("One name, or many: one a line, or with commas between."),
        error_messages={"required": _("Please write at least one name.")},
        rows=4,
    )
    visitor_from = forms.CharField(
        label=_("Visiting from"),
        help_text=_("Their home club; leave it empty for your own people."),
        max_length=Player.visitor_from.field.max_length,
        required=False,
    )
    in_season = forms.BooleanField(
        label=_("They count for the season too"),
        help_text=_("Otherwise it counts for the night alone."),
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        """Count people without a home club for the season, whatever was ticked."""
        cleaned = self.cleaned_data
        cleaned["in_season"] = bool(cleaned.get("in_season") or not cleaned.get("visitor_from"))
        return cleaned


class PlayerForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Player
        fields = ("name", "full_name", "visitor_from", "in_season")
        labels = {
            "name": _("Name"),
            "full_name": _("Full name"),
            "visitor_from": _("Visiting from"),
            "in_season": _("Counts for the season"),
        }
        help_texts = {
            "name": _("What everybody reads. A nickname is fine."),
            "full_name": _("The name behind a nickname. Only organisers see it."),
            "visitor_from": _("The home club of a visitor; empty for your own people."),
            "in_season": _("Without this it counts for the night alone, as for visitors."),
        }
        error_messages = {"name": {"required": _("Please write a name.")}}
        widgets = dict.fromkeys(("name", "full_name"), forms.TextInput(attrs=NAME_INPUT))


class EraseForm(forms.Form):
    """Confirms an erasure, and asks for new names of teams whose name contains the player's."""

    sure = forms.BooleanField(
        label=_("I know that this cannot be undone"),
        error_messages={"required": _("Tick this if you are sure: it cannot be undone.")},
    )

    def __init__(self, teams: Iterable[Team], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.teams = tuple(teams)
        for team in self.teams:
            self.fields[f"team_{team.pk}"] = forms.CharField(
                label=gettext("A new name for the team “%(team)s”") % {"team": team.name},
                max_length=Team.name.field.max_length,
                error_messages={"required": _("Please write a name.")},
            )
        self.order_fields([*(f"team_{team.pk}" for team in self.teams), "sure"])

    @property
    def team_names(self) -> dict[int, str]:
        return {team.pk: self.cleaned_data[f"team_{team.pk}"] for team in self.teams}


def player_rows(club: Club, *, named: str = "") -> list[Player]:
    """Return the players of a club whose name contains *named*, sorted by name, in two queries.

    Teams are prefetched; ``tournaments`` is how many they entered, all stages of an event as one.
    """
    return list(
        Player.objects.present()
        .filter(club=club, name_key__contains=name_key(named))
        .annotate(tournaments=Count(first_stage("entrants__tournament"), distinct=True))
        .prefetch_related(Prefetch("teams", Team.objects.order_by("name_key")))
        .order_by("name_key")
    )


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def players(request: HttpRequest, club_id: int) -> HttpResponse:
    """List the players of a club, and add new ones."""
    adding = request.method == "POST"
    club = access.club(request, club_id, Role.ORGANISER if adding else None)
    form = AddPlayersForm(request.POST if adding else None)
    if form.is_valid():
        form_to_correct = _add(request, club, form)
        if form_to_correct is None:
            return redirect("players", club.pk)
        form = form_to_correct
    search = SearchForm(request.GET)
    named = search.cleaned_data["q"] if search.is_valid() else ""
    may_change = access.may(request, club, Role.ORGANISER)
    rows = player_rows(club, named=named)
    table = PlayersTable(rows, may_change=may_change)
    if file_format := exports.configure_table(request, table):
        return exports.file_response(table, file_format, club.name, table.title)
    claimed = Player.objects.present().filter(club=club).exclude(claimed_by=None)
    context = access.context(
        request,
        club,
        form=form,
        search=search,
        named=named,
        table=table,
        count=len(rows),
        claims=claimed.select_related("claimed_by").order_by("name_key") if may_change else [],
        similar=may_change and alike({row.pk: row.name for row in rows}),
    )
    return render(request, "people/players/players.html", context)


def _add(request: HttpRequest, club: Club, form: AddPlayersForm) -> AddPlayersForm | None:
    """Add the new players; return a form with the names to be corrected, or ``None`` if all fit."""
    try:
        added = add_players(**form.cleaned_data, club_id=club.pk, by=access.actor(request))
    except Refused as refused:
        add_refusal(form, refused)
        return form
    if added.new:
        welcome = ngettext("%(name)s is in.", "%(count)d players are in.", len(added.new))
        params = {"name": added.new[0].name, "count": len(added.new)}
        messages.success(request, welcome % params)
    known = [player.name for player in added.known]
    if not known and not added.repeated:
        return None
    home = form.cleaned_data["visitor_from"]
    # Without a home club the form itself has set ``in_season``: the user did not tick the box.
    in_season = bool(home) and form.cleaned_data["in_season"]
    names = "\n".join([*known, *added.repeated])
    again = AddPlayersForm({"names": names, "visitor_from": home, "in_season": in_season})
    known_sentence = ngettext(
        "%(names)s is in this club already. If this is somebody else,"
        " write one letter more, such as “%(other)s”.",
        "%(names)s are in this club already. If one of them is somebody else,"
        " write one letter more, such as “%(other)s”.",
        len(known),
    )
    twice_sentence = gettext(
        "You wrote %(names)s twice. Two people need two names, such as “%(other)s”."
    )
    repeated = list(dict.fromkeys(added.repeated))  # each name once
    for sentence, wrong in ((known_sentence, known), (twice_sentence, repeated)):
        if wrong:
            and_list = get_text_list(wrong, gettext("and"))
            params = {"names": and_list, "other": suggest_other(wrong[-1])}
            again.add_error("names", sentence % params)
    return again


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def player_edit(request: HttpRequest, player_id: int) -> HttpResponse:
    """Change a player's names, home club and whether they count for the season."""
    # Not ``present()``: an old link may lead to a player who was merged into another.
    not_erased = Player.objects.filter(erased_at=None).select_related("claimed_by", "user")
    player = access.get(request, not_erased, player_id, Role.ORGANISER)
    club = player.club
    if player.merged_into_id is not None:
        return redirect("player-edit", player.merged_into_id)
    # A copy: validation changes the instance of a form, and the page shows the stored name.
    form = PlayerForm(request.POST or None, instance=copy(player))
    if form.is_valid():
        with refusals_on(form):
            by = access.actor(request)
            renamed = rename_player(**form.cleaned_data, player_id=player_id, by=by)
            messages.success(request, gettext("%(name)s it is.") % {"name": renamed.name})
            return redirect("players", club.pk)
    usable = player.invitations.usable(timezone.now())
    # Pairs of an invitation and its address.
    links = [(each, full_address(request, join_path(each.pk))) for each in usable]
    owns = access.may(request, club, Role.OWNER)
    context = access.context(request, club, form=form, player=player, links=links, owns=owns)
    return render(request, "people/players/edit.html", context)


@access.page
@require_POST
def player_login(request: HttpRequest, player_id: int) -> HttpResponse:
    """Answer a claim to a player, invite a person to sign in as the player, or unlink the login."""
    player = access.get(request, Player.objects.present(), player_id, Role.ORGANISER)
    by = access.actor(request)
    with refusals_as_messages(request):
        match request.POST.get("how"):
            case "yes" | "no" as answer:
                answer_claim(player_id=player_id, yes=answer == "yes", by=by)
            case "invite":
                club_id, role = player.club_id, Role.MEMBER
                invite(club_id=club_id, role=role, days=USUAL_DAYS, player_id=player_id, by=by)
            case "unlink":
                unlink_player(player_id=player_id, by=by)
    return redirect("player-edit", player_id)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def player_erase(request: HttpRequest, player_id: int) -> HttpResponse:
    """Show the owner where a player's name is written, and erase it for good."""
    players = Player.objects.present().select_related("user")
    player = access.get(request, players, player_id, Role.OWNER)
    club = player.club
    traces = name_traces(player)
    form = EraseForm(traces["teams"], request.POST or None)
    if form.is_valid():
        copy_before_request(request, gettext("Before a player was erased"))
        with refusals_on(form):
            erase_player(player_id=player.pk, team_names=form.team_names, by=access.actor(request))
            messages.success(request, gettext("The name is erased. What was played stays."))
            return redirect("players", club.pk)
    context = access.context(request, club, form=form, player=player, traces=traces)
    return render(request, "people/players/erase.html", context)


urlpatterns = [
    path("clubs/<int:club_id>/players/", players, name="players"),
    path("players/<int:player_id>/edit/", player_edit, name="player-edit"),
    path("players/<int:player_id>/login/", player_login, name="player-login"),
    path("players/<int:player_id>/forget/", player_erase, name="player-erase"),
]
