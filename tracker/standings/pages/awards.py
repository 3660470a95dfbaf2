"""The page of awards (points that the organiser gives or takes), and the page of prize ties."""

from secrets import randbelow
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext, gettext_lazy as _, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.sheet import Criterion
from tracker.common.figures import POINTS
from tracker.common.forms import refusals_as_messages, refusals_on
from tracker.common.web import access
from tracker.common.web.requests import key_in, return_page
from tracker.criteria.ranking_criteria import criteria_of
from tracker.criteria.tie_breaks import LOT_NUMBERS
from tracker.models import Award, AwardKind, Entrant, Role, RoundState, TieResolution, Tournament
from tracker.standings.queries.awards import awards_in_words
from tracker.standings.queries.prizes import Tie, open_ties, prize_rows, resolution_lines
from tracker.standings.queries.standings import standings
from tracker.standings.services.standings import give_award, resolve_tie, withdraw_award

_MOST_POINTS = 9999
_WITHOUT_PLACES = {TieResolution.SHARE, TieResolution.LOT}
_KINDS = (
    (AwardKind.PENALTY, _("Penalty: points are taken off")),
    (AwardKind.AWARD, _("Award: points are given")),
    (AwardKind.FORFEIT, _("Forfeit: the others did not come to play")),
    (AwardKind.BYE, _("Bye: there was nobody to play")),
    (AwardKind.RESTING, _("Sat out: it was their turn")),
)


class AwardForm(forms.Form):
    """Who gets or loses how many points, and why; *points* is the criterion that ranks first."""

    entrant = forms.TypedChoiceField(label=_("Who"), coerce=int)
    kind = forms.ChoiceField(
        label=_("What"), choices=_KINDS, widget=forms.RadioSelect, initial=_KINDS[0][0]
    )
    amount = forms.IntegerField(
        label=_("How many points"),
        help_text=_(
            "A penalty needs a number. Otherwise leave it empty to give their own average a round."
        ),
        min_value=-_MOST_POINTS,
        max_value=_MOST_POINTS,
        required=False,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
    )
    round = forms.TypedChoiceField(
        label=_("For which round"), coerce=int, empty_value=None, required=False
    )
    reason = forms.CharField(
        label=_("Why?"),
        help_text=_("It stands below the standings for everybody to read."),
        max_length=Award.reason.field.max_length,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(
        self, *args: Any, tournament: Tournament, points: Criterion, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        if points.percent:
            self.fields["amount"].label = gettext("How many percent")
        elif points.label != POINTS:
            unit = {"unit": gettext(points.label)}
            self.fields["amount"].label = gettext("How many (%(unit)s)") % unit
        entrants = Entrant.objects.filter(tournament=tournament).names().items()
        self.fields["entrant"].choices = [("", "–"), *entrants]  # type: ignore[attr-defined]
        rounds = tournament.rounds.filter(state__in=[RoundState.OPEN, RoundState.CLOSED])
        name = gettext("Round %(number)d")
        numbers = rounds.order_by("-number").values_list("pk", "number")
        self.fields["round"].choices = [  # type: ignore[attr-defined]
            ("", pgettext("an award for no round", "none")),
            *((key, name % {"number": number}) for key, number in numbers),
        ]


class TieResolutionForm(forms.Form):
    """How one tie is settled, with a field ``place_<key>`` for each entrant."""

    how = forms.ChoiceField(
        label=_("How is it settled?"), choices=TieResolution.choices, widget=forms.RadioSelect
    )

    def __init__(self, tie: Tie, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "prefix": f"tie{tie.place}"})
        self.tie = tie
        places = range(tie.place, tie.place + len(tie.entrants))
        choices = [("", "–"), *((place, str(place)) for place in places)]
        for entrant, name in tie.entrants:
            label = gettext("Place of %(name)s") % {"name": name}
            self.fields[f"place_{entrant}"] = forms.TypedChoiceField(
                label=label, choices=choices, coerce=int, empty_value=None, required=False
            )

    def clean(self) -> dict[str, Any]:
        """Require a place for each entrant, if cards or a play-off decide; fill in a last one."""
        answers, first = self.cleaned_data, self.tie.place
        fields = [f"place_{entrant}" for entrant, _name in self.tie.entrants]
        empty = [field for field in fields if answers.get(field) is None]
        free = set(range(first, first + len(fields))) - {answers.get(field) for field in fields}
        if len(empty) == len(free) == 1:
            answers[empty[0]] = free.pop()
        how = answers.get("how")  # a missing answer has its error already
        # A place is still free if two entrants have the same one, or some have none.
        if how and how not in _WITHOUT_PLACES and free:
            text = gettext("Give each of them a place of their own: the higher card comes first.")
            raise forms.ValidationError(text, code="prize-order")
        return answers

    def order(self) -> list[int]:
        """Return the entrants in the order of their places; if none are asked, as listed."""
        entrants = [entrant for entrant, _name in self.tie.entrants]
        if self.cleaned_data["how"] in _WITHOUT_PLACES:
            return entrants
        return sorted(entrants, key=lambda entrant: self.cleaned_data[f"place_{entrant}"])


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def awards(request: HttpRequest, tournament_id: int) -> HttpResponse:
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    posted = request.POST if request.method == "POST" else None
    if posted and posted.get("withdraw"):
        award_id, by = key_in(posted["withdraw"]), access.actor(request)
        with refusals_as_messages(request):
            withdraw_award(tournament_id=tournament.pk, award_id=award_id, by=by)
            messages.success(request, gettext("Undone."))
        return redirect("awards", tournament.pk)
    points = criteria_of(tournament)[0]
    given = awards_in_words(tournament, points)
    form = AwardForm(posted, tournament=tournament, points=points)
    if form.is_valid():
        answers = form.cleaned_data
        with refusals_on(form):
            give_award(
                tournament_id=tournament.pk,
                entrant_id=answers["entrant"],
                kind=AwardKind(answers["kind"]),
                amount=answers["amount"],
                reason=answers["reason"],
                round_id=answers["round"],
                by=access.actor(request),
            )
            messages.success(request, gettext("Saved: it counts in the standings now."))
            return redirect("awards", tournament.pk)
    shown = {"tournament": tournament, "given": given, "form": form}
    return access.render(request, "standings/awards.html", tournament.club, **shown)


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def prizes(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Ask for each tie for a prize whether it is shared, cut for, played off or drawn by lot."""
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    last = tournament.rounds.order_by("-number").first()
    # The page that led here: the desk of the last round, or the night.
    back = return_page(request, last) if last else tournament.get_absolute_url()
    standing = standings(tournament)
    ties = open_ties(tournament, standing.rows) if tournament.official_at else []
    # Each tie has a form of its own; a POST says by its place which form was sent.
    tied_place = request.POST.get("tie")
    tie_forms = [
        TieResolutionForm(tie, request.POST if tied_place == str(tie.place) else None)
        for tie in ties
    ]
    for form in tie_forms:
        if not form.is_valid():
            continue
        how, by = TieResolution(form.cleaned_data["how"]), access.actor(request)
        with refusals_on(form):
            order, seed = form.order(), randbelow(LOT_NUMBERS)
            resolve_tie(tournament_id=tournament.pk, how=how, order=order, seed=seed, by=by)
            messages.success(request, gettext("The prize is settled."))
            # The page says in which order they were drawn.
            stays = len(ties) > 1 or how is TieResolution.LOT
            return redirect(request.get_full_path() if stays else back)
    return access.render(
        request,
        "standings/prizes.html",
        tournament.club,
        tournament=tournament,
        forms=tie_forms,
        back=back,
        lines=[standing.line(row) for row in prize_rows(standing)],
        criterion=standing.criteria[0].label,
        settled=resolution_lines(tournament, standing.rows),
    )


urlpatterns = [
    path("tournaments/<int:tournament_id>/prizes/", prizes, name="prizes"),
    path("tournaments/<int:tournament_id>/awards/", awards, name="awards"),
]
