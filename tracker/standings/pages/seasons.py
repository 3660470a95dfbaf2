"""The seasons of a club: their list, the standing of each, and the form of what counts in it."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe

from tracker.common.columns import RANK, STRONG, ClubTable, counted, links_to
from tracker.common.figures import placing
from tracker.common.forms import CountField, refusals_on
from tracker.common.names import page_names
from tracker.common.poster import MOST_ROWS, Poster, draw_poster
from tracker.common.template_tags import person_mark
from tracker.common.web import access, exports
from tracker.common.web.addresses import link_preview
from tracker.models import Role, Season, SeasonRule
from tracker.standings.queries.seasons import SeasonRow, out_of_a_hundred, season_standing
from tracker.standings.services.seasons import save_season

ROWS_A_PAGE = 20


class SeasonForm(forms.ModelForm):  # type: ignore[type-arg]
    best_of = CountField(
        label=_("How many best tournaments count?"),
        help_text=_("Only where the best tournaments count."),
        required=False,
        most=Season.MOST_COUNTED,
    )
    least_played = CountField(
        label=_("Fewest tournaments to be placed"),
        help_text=_(
            "Only where the average counts: with fewer, nobody has a place,"
            " so that whoever came once and won does not lead."
        ),
        most=Season.MOST_COUNTED,
    )

    class Meta:
        model = Season
        fields = ("name", "rule", "best_of", "least_played")
        labels = {"name": _("What is it called?"), "rule": _("What counts?")}
        widgets = {
            "name": forms.TextInput(attrs={"autocapitalize": "words", "autocomplete": "off"}),
            "rule": forms.RadioSelect,
        }

    def clean(self) -> dict[str, Any]:
        """Require a number if only the best tournaments count."""
        answers: dict[str, Any] = super().clean() or self.cleaned_data
        # ``None`` if left empty. A wrong answer is missing, and has its error: 0 is in its place.
        if answers.get("rule") == SeasonRule.BEST and answers.get("best_of", 0) is None:
            most = {"most": Season.MOST_COUNTED}
            sentence = gettext("How many count? From 1 to %(most)d.") % most
            self.add_error("best_of", forms.ValidationError(sentence, code="season-best-of-none"))
        return answers


class SeasonTable(ClubTable):
    title = _("Season standings")
    place = tables.Column(verbose_name=_("Place"), default="–", attrs=RANK)
    name = tables.Column(verbose_name=_("Player"), attrs={"td": {"scope": "row"}})
    points = tables.Column(verbose_name=_("Season points"), attrs=STRONG)
    played = tables.Column(verbose_name=_("Tournaments"), attrs=counted(_("played"), hidden=True))
    average = tables.Column(verbose_name=_("Average"), attrs=counted(_("on average"), hidden=True))
    best = tables.Column(
        verbose_name=_("Best tournament"), attrs=counted(_("at best"), hidden=True)
    )

    class Meta:
        orderable = False  # the order is the standing
        attrs = {"class": "data sticky-2 standings short"}

    def __init__(self, rows: Sequence[SeasonRow]) -> None:
        self.link_to_player = links_to("player")
        super().__init__(rows, row_attrs={"class": self.row_class})

    def row_class(self, record: SeasonRow) -> str:
        classes = {"leader": record.place == 1, "tied": record.tied}
        return " ".join(name for name, applies in classes.items() if applies)

    def render_place(self, value: int, record: SeasonRow) -> str:
        return placing(value, tied=record.tied)

    def render_name(self, record: SeasonRow) -> SafeString:
        link = self.link_to_player(record.name, record.player)
        return person_mark(record.player, record.name) + link

    def render_points(self, value: Fraction) -> str:
        return out_of_a_hundred(value)

    render_average = render_best = render_points
    # What files get, instead of the texts above.
    value_place = value_name = value_points = value_average = value_best = ClubTable.as_is


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def seasons(request: HttpRequest, club_id: int) -> HttpResponse:
    posted = request.POST if request.method == "POST" else None
    club = access.club(request, club_id, None if posted is None else Role.ORGANISER)
    form = None
    if access.may(request, club, Role.ORGANISER):
        form = SeasonForm(posted, instance=Season(club=club))
    if form and form.is_valid():
        with refusals_on(form):
            season = save_season(form.save(commit=False), by=access.actor(request))
            messages.success(request, gettext("“%(name)s” is ready.") % {"name": season.name})
            return redirect("season", season.pk)
    latest_first = club.seasons.annotate(entered=Count("tournaments")).order_by("-pk")
    context = access.context(request, club, form=form, seasons=latest_first)
    return render(request, "standings/seasons/seasons.html", context)


@access.page
@require_safe
def season(request: HttpRequest, season_id: int) -> HttpResponse:
    season = access.get(request, Season.objects, season_id)
    standing = season_standing(season)
    table = SeasonTable(standing.rows)
    if file_format := exports.configure_table(request, table, per_page=ROWS_A_PAGE):
        return exports.file_response(table, file_format, season.club.name, season.name)
    picture = reverse("season-picture", args=[season.pk])
    words = {"title": season.name, "description": season.rule_in_words}
    context = access.context(
        request,
        season.club,
        season=season,
        standing=standing,
        table=table,
        picture=picture,
        preview=link_preview(request, season.club, **words, picture=picture),
    )
    return render(request, "standings/seasons/season.html", context)


@access.page
@require_safe
@cache_control(private=True, max_age=60)
def season_picture(request: HttpRequest, season_id: int) -> HttpResponse:
    season = access.get(request, Season.objects, season_id)
    rows = season_standing(season).rows
    names = page_names([(row.player, row.name) for row in rows])
    lines = tuple(
        (
            placing(row.place, tied=row.tied),
            names.player(row.player, row.name),
            out_of_a_hundred(row.points),
        )
        for row in rows[:MOST_ROWS]
        if row.place is not None
    )
    poster = Poster(season.club.name, season.name, season.rule_in_words, lines)
    return HttpResponse(draw_poster(poster), content_type="image/png")


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def season_edit(request: HttpRequest, season_id: int) -> HttpResponse:
    season = access.get(request, Season.objects, season_id, Role.ORGANISER)
    form = SeasonForm(request.POST or None, instance=season)
    if form.is_valid():
        with refusals_on(form):
            save_season(form.save(commit=False), by=access.actor(request))
            return redirect("season", season.pk)
    context = access.context(request, season.club, season=season, form=form)
    return render(request, "standings/seasons/edit.html", context)


urlpatterns = [
    path("clubs/<int:club_id>/seasons/", seasons, name="seasons"),
    path("seasons/<int:season_id>/", season, name="season"),
    path("seasons/<int:season_id>/edit/", season_edit, name="season-edit"),
    path("seasons/<int:season_id>/picture.png", season_picture, name="season-picture"),
]
