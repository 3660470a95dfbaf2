"""The players of a club: listed, added, imported, changed, merged and forgotten."""

from copy import copy

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tracker.backups.before import keep_copy
from tracker.common.errors import Refused
from tracker.common.names import another
from tracker.common.refusals import refuse, refusing, sentence, telling_refusal
from tracker.common.web import access, exports
from tracker.models import Club, LogEntry, Player, Role
from tracker.people import queries
from tracker.people.columns import PlayersTable
from tracker.people.forms import (
    AddPlayersForm,
    EraseForm,
    ImportForm,
    MergeForm,
    PlayerForm,
    SearchForm,
)
from tracker.people.logic import alike
from tracker.people.pages.clubs import links_out
from tracker.people.services.claims import answer_claim, unlink_player
from tracker.people.services.erasing import erase_player, traces
from tracker.people.services.importing import import_players, plan_import
from tracker.people.services.invitations import invite
from tracker.people.services.merging import merge_players, unmerge
from tracker.people.services.players import add_players, rename_player


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def players(request: HttpRequest, club_id: int) -> HttpResponse:
    """List the players of a club, and take in new ones."""
    adding = request.method == "POST"
    club = access.club(request, club_id, Role.ORGANISER if adding else None)
    form: AddPlayersForm | None = AddPlayersForm(request.POST if adding else None)
    if form is not None and form.is_valid():
        form = _add(request, club, form)
        if form is None:
            return redirect("players", club.pk)

    search = SearchForm(request.GET)
    named = search.cleaned_data["q"] if search.is_valid() else ""
    may_change = access.may(request, club, Role.ORGANISER)
    rows = queries.player_rows(club, named=named)
    table = PlayersTable(rows, may_change=may_change)
    if file := exports.lay_out(request, table):
        return exports.file_of(table, file, club.name, table.title)
    context = access.context(
        request,
        club,
        form=form,
        search=search,
        named=named,
        table=table,
        count=len(rows),
        claims=queries.claims(club) if may_change else [],
        twice=may_change and alike({row.pk: row.name for row in rows}),
    )
    return render(request, "people/players/players.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def player_edit(request: HttpRequest, player_id: int) -> HttpResponse:
    """Call a player something else, or say where a visitor comes from."""
    known = Player.objects.filter(erased_at=None).select_related("claimed_by", "user")
    player = access.get(request, known, player_id, Role.ORGANISER)
    club = player.club
    if player.merged_into_id is not None:  # an old link
        return redirect("player-edit", player.merged_into_id)
    form = PlayerForm(request.POST or None, instance=copy(player))
    if form.is_valid():
        with refusing(form):
            renamed = rename_player(
                **form.cleaned_data, player_id=player_id, by=access.actor(request)
            )
            messages.success(request, _("%(name)s it is.") % {"name": renamed.name})
            return redirect("players", club.pk)
    links = links_out(request, club, player)
    owns = access.may(request, club, Role.OWNER)
    context = access.context(request, club, form=form, player=player, links=links, owns=owns)
    return render(request, "people/players/edit.html", context)


@access.page
@require_POST
def player_login(request: HttpRequest, player_id: int) -> HttpResponse:
    """Answer a claim to a player, invite a person to sign in as them, or unlink their login."""
    player = access.get(request, Player.objects.present(), player_id, Role.ORGANISER)
    by = access.actor(request)
    with telling_refusal(request):
        match request.POST.get("how"):
            case "yes" | "no" as answer:
                answer_claim(player_id=player_id, yes=answer == "yes", by=by)
            case "invite":
                invite(
                    club_id=player.club_id, role=Role.MEMBER, days=14, player_id=player_id, by=by
                )
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
    player_traces = traces(player)
    form = EraseForm(player_traces.teams, request.POST or None)
    if form.is_valid():
        keep_copy(request, _("Before a player was erased"))
        with refusing(form):
            erase_player(player_id=player.pk, team_names=form.team_names, by=access.actor(request))
            messages.success(request, _("The name is erased. What was played stays."))
            return redirect("players", club.pk)
    context = access.context(request, club, form=form, player=player, traces=player_traces)
    return render(request, "people/players/erase.html", context)


def _add(request: HttpRequest, club: Club, form: AddPlayersForm) -> AddPlayersForm | None:
    """Add the new players; return the form with the names that remain to be corrected."""
    try:
        added = add_players(**form.cleaned_data, club_id=club.pk, by=access.actor(request))
    except Refused as refused:
        refuse(form, refused)
        return form
    if added.new:
        welcome = ngettext("%(name)s is in.", "%(count)d players are in.", len(added.new))
        came = {"name": added.new[0].name, "count": len(added.new)}
        messages.success(request, welcome % came)
    left = [*(player.name for player in added.known), *added.twice]
    if not left:
        return None
    home = form.cleaned_data["visitor_from"]
    season = form.cleaned_data["in_season"] and bool(home)
    again = AddPlayersForm({"names": "\n".join(left), "visitor_from": home, "in_season": season})
    if added.known:
        names = [player.name for player in added.known]
        known = ngettext(
            "%(names)s is in this club already. If this is somebody else,"
            " write one letter more, such as “%(other)s”.",
            "%(names)s are in this club already. If one of them is somebody else,"
            " write one letter more, such as “%(other)s”.",
            len(names),
        )
        words = {"names": get_text_list(names, _("and")), "other": another(names[-1])}
        again.add_error("names", known % words)
    if added.twice:
        names = list(dict.fromkeys(added.twice))
        twice = _("You wrote %(names)s twice. Two people need two names, such as “%(other)s”.")
        words = {"names": get_text_list(names, _("and")), "other": another(names[-1])}
        again.add_error("names", twice % words)
    return again


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def players_import(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show the outcome of every line of a list, and import it once confirmed."""
    club = access.club(request, club_id, Role.ORGANISER)
    form = ImportForm(request.POST or None, request.FILES or None)
    plan = None
    if form.is_valid():
        text = form.cleaned_data["text"]
        with refusing(form):
            if "import" in request.POST and not form.cleaned_data["file"]:
                keep_copy(request, _("Before a list of players was added"))
                new = import_players(club_id=club.pk, text=text, by=access.actor(request))
                if new:
                    welcome = ngettext(
                        "%(count)d player is in.", "%(count)d players are in.", len(new)
                    )
                    messages.success(request, welcome % {"count": len(new)})
                else:
                    messages.info(request, _("Everybody on the list was here already."))
                return redirect("players", club.pk)
            plan = plan_import(club_id=club.pk, text=text)
    lines = [
        (line, sentence(line.refused) if line.refused else "")
        for line in (plan.lines if plan else ())
    ]
    context = access.context(request, club, form=form, plan=plan, lines=lines)
    return render(request, "people/players/import.html", context)


@access.page
@require_safe
def duplicates(request: HttpRequest, club_id: int) -> HttpResponse:
    """Show who may be in the club twice, and what was merged lately."""
    club = access.club(request, club_id, Role.ORGANISER)
    context = access.context(
        request, club, pairs=queries.likely_pairs(club), mergers=queries.mergers(club)
    )
    return render(request, "people/players/duplicates.html", context)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def player_merge(request: HttpRequest, player_id: int) -> HttpResponse:
    """Say who a player really is."""
    player = access.get(request, Player.objects.present(), player_id, Role.ORGANISER)
    club = player.club
    form = MergeForm(player, request.POST or None, initial={"into": request.GET.get("into")})
    if form.is_valid():
        keep_copy(request, _("Before two players became one"))
        with refusing(form):
            merge_players(
                player_id=player.pk,
                into_id=form.cleaned_data["into"].pk,
                by=access.actor(request),
            )
            messages.success(request, _("Merged. You can undo it below."))
            return redirect("duplicates", club.pk)
    context = access.context(request, club, form=form, player=player)
    return render(request, "people/players/merge.html", context)


@access.page
@require_POST
def merge_undo(request: HttpRequest, log_entry_id: int) -> HttpResponse:
    """Make two players of one again."""
    mergers = LogEntry.objects.filter(verb="players-merged")
    log_entry = access.get(request, mergers, log_entry_id, Role.ORGANISER)
    keep_copy(request, _("Before one player became two again"))
    with telling_refusal(request):
        player = unmerge(log_entry_id=log_entry_id, by=access.actor(request))
        messages.success(request, _("%(name)s is a player again.") % {"name": player.name})
    return redirect("duplicates", log_entry.club_id)


urlpatterns = [
    path("clubs/<int:club_id>/players/", players, name="players"),
    path("clubs/<int:club_id>/players/import/", players_import, name="players-import"),
    path("clubs/<int:club_id>/players/twice/", duplicates, name="duplicates"),
    path("players/<int:player_id>/edit/", player_edit, name="player-edit"),
    path("players/<int:player_id>/login/", player_login, name="player-login"),
    path("players/<int:player_id>/merge/", player_merge, name="player-merge"),
    path("players/<int:player_id>/forget/", player_erase, name="player-erase"),
    path("mergers/<int:log_entry_id>/undo/", merge_undo, name="merge-undo"),
]
