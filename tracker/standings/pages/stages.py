"""The page that starts the next stage of an event, and the page of the event's final ranking.

An *event* is a tournament with the *stages* that follow it. *Groups* are stages started at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import django_tables2 as tables
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tracker.common.columns import RANK, ClubTable, linked
from tracker.common.figures import placing
from tracker.common.forms import CountField, TapField, refusals_on
from tracker.common.web import access, exports
from tracker.common.web.requests import key_in
from tracker.models import CarryOver, Format, Movement, Role, Tournament
from tracker.standings.columns import entrant_link
from tracker.standings.logic.stages import cut, interleave, partner_choice
from tracker.standings.queries.final_rankings import FinalPlace, final_ranking
from tracker.standings.queries.standings import standings
from tracker.standings.queries.tournament_stages import Event, event_of, gone_to
from tracker.standings.services.stages import MOST_GROUPS, StagePlan, begin_groups, begin_stage
from tracker.tournaments.queries import newcomers
from tracker.tournaments.services.terms import Terms

CUTS = (2, 4, 8, 16)  # how many may go on from each source
_USUAL_CUT, _USUAL_CUT_OF_GROUP = 8, 2
_EVERYBODY = 10_000  # as a cut, this is more entrants than any tournament has


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An entrant (a key), with place and points in words; ``among_best`` are proposed to go on.

    ``group`` is the name of the group if there are several sources, ``stage`` that of the later
    stage which the entrant is in already; both may be empty.
    """

    entrant: int
    name: str
    place: str
    points: str
    group: str
    stage: str
    among_best: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """The entrants of the ``sources`` (stages), in the order of their seeds in the next stage.

    ``tied`` are the names in ties that the cut of the best parts. ``played``: a source has begun.
    """

    sources: tuple[Tournament, ...]
    rows: tuple[Candidate, ...]
    tied: tuple[str, ...]
    played: bool

    @property
    def remaining(self) -> tuple[Candidate, ...]:
        """Return the rows of entrants who have not gone on yet."""
        return tuple(row for row in self.rows if not row.stage)


def sources_of(event: Event, stage: Tournament) -> tuple[Tournament, ...]:
    """Return the stages whose entrants go on after *stage*: that stage alone, or groups together.

    If *stage* is a group, these are all groups beside it. If its entrants were dealt into groups
    before it played a round, the groups play in its place.
    """
    groups_beside = event.groups_with(stage)  # with *stage* itself
    if len(groups_beside) > 1:
        return groups_beside
    groups_after = [groups for groups in event.followers_by_start(stage) if len(groups) > 1]
    if groups_after and not stage.rounds.not_undone().exists():
        return groups_after[0]
    return (stage,)


def candidates(event: Event, sources: Sequence[Tournament], cut_at: int) -> Candidates:
    """Return who may go on from *sources*; of those not gone yet, *cut_at* of each are its best."""
    gone = gone_to(event, sources)  # names of later stages, keyed by entrant
    groups: list[list[Candidate]] = []
    tied: list[str] = []
    played = False
    for source in sources:
        standing = standings(source)
        played = played or standing.begun
        rows = [row for row in standing.rows if not row.withdrawn]
        remaining = [(row.place, row.entrant) for row in rows if row.entrant not in gone]
        best, parted = cut(remaining, cut_at)
        if standing.begun:
            tied += [row.name for row in rows if row.entrant in parted]
        in_source = [
            Candidate(
                entrant=row.entrant,
                name=row.name,
                place=placing(row.place, tied=row.tied) if standing.begun else "",
                points=standing.points_of(row),
                group=source.stage if len(sources) > 1 else "",
                stage=gone.get(row.entrant, ""),
                among_best=row.entrant in best,
            )
            for row in rows
        ]
        groups.append(in_source)
    # Seeded across the groups: all the first, then all the second, and so on.
    in_order = tuple(interleave(groups))
    return Candidates(sources=tuple(sources), rows=in_order, tied=tuple(tied), played=played)


class StageForm(forms.Form):
    """Who goes on, and the settings of the stage.

    Before the source has begun, it can only be split into groups: everybody goes on, and *others*
    (key, name), who have not entered it, may join (``more``). Afterwards the best go on to one
    stage, or to groups. If some have gone on already, the rest play for consolation.
    """

    entrants = TapField(
        label=_("Who qualifies?"),
        required=True,
        error_messages={"required": _("Tap who qualifies.")},
    )
    more = TapField(label=_("Who else plays?"))
    stage = forms.CharField(
        label=_("What is it called?"),
        max_length=Tournament.stage.field.max_length,
        widget=forms.TextInput(attrs={"autocapitalize": "words", "autocomplete": "off"}),
    )
    format = forms.ChoiceField(
        label=_("Who plays?"),
        choices=[
            (Format.PLAYERS, _("each alone, as before")),
            (Format.TEAMS, _("fixed pairs or teams: they choose partners now")),
        ],
        widget=forms.RadioSelect,
    )
    movement = forms.ChoiceField(
        label=_("Who meets whom?"),
        help_text=_("As usual: pairs meet everybody once; singles get new partners."),
        choices=[("", _("as usual")), *Movement.choices],
        required=False,
    )
    carry_over = forms.ChoiceField(
        label=_("Carry points over?"),
        choices=[(CarryOver.NOTHING, _("No, start from zero")), *CarryOver.choices[1:]],
        widget=forms.RadioSelect,
    )
    planned = CountField(
        label=_("How many rounds?"),
        help_text=_("Leave empty for as many as it takes, or as people like."),
        required=False,
        most=Tournament.MOST_ROUNDS,
    )
    length = CountField(most=Tournament.LONGEST_ROUND)
    groups = CountField(
        label=_("Into how many groups?"),
        help_text=_("Leave empty to play all together. Groups are made equally strong."),
        required=False,
        most=MOST_GROUPS,
    )
    mode = forms.ChoiceField(label=_("How do people sit?"))
    minutes = CountField(
        label=_("How many minutes a round?"),
        help_text=_("Leave empty for no clock."),
        required=False,
        most=Tournament.MOST_MINUTES,
    )
    third_place = forms.BooleanField(
        label=_("In a knock-out, a match for third place"), required=False
    )

    def __init__(
        self,
        *args: Any,
        source: Tournament,
        candidates: Candidates,
        others: Sequence[tuple[int, str]] = (),
        **kwargs: Any,
    ) -> None:
        kwargs["initial"] = _proposed(source, candidates)
        super().__init__(*args, **kwargs)
        self.source, self.candidates, self.others = source, candidates, others
        rules, in_teams = source.rules, source.format == Format.TEAMS
        many = gettext("games") if rules.round_in_games else gettext(rules.unit.many)
        self.fields["length"].label = gettext("How many %(units)s a round?") % {"units": many}
        modes = rules.modes(source.house_rules)
        if in_teams:
            modes = tuple(mode for mode in modes if not mode.individual)
        choices = {
            "entrants": [(row.entrant, row.name) for row in candidates.remaining],
            "more": others,
            "mode": [(mode.code, gettext(mode.name)) for mode in modes],
        }
        for name, offered in choices.items():
            self.fields[name].choices = offered  # type: ignore[attr-defined]
        # Fields without a choice. Teams stay as they are; partners are chosen by results, in sides
        # of several. Groups are not split again; while nobody has entered, the preset number stays.
        hidden = {
            "format": in_teams or all(mode.individual for mode in modes) or not candidates.played,
            "mode": len(modes) == 1,
            "groups": len(candidates.sources) > 1 or not candidates.remaining,
            "stage": not candidates.played,
            "carry_over": not candidates.played,
        }
        for name in [name for name, hide in hidden.items() if hide]:
            self.fields[name].widget = forms.HiddenInput()
        if not candidates.played:  # only groups can be started
            self.fields["entrants"].required = False
            self.fields["groups"].required = True
            self.fields["groups"].help_text = gettext("All as large and as strong as can be.")

    @property
    def more_wrong(self) -> bool:
        """Return whether one of the folded questions has an error."""
        return bool({"groups", "mode", "minutes", "third_place"} & set(self.errors))

    @property
    def entered(self) -> list[int]:
        """Return the chosen entrants, the best first."""
        chosen = set(self.cleaned_data["entrants"])
        return [row.entrant for row in self.candidates.rows if row.entrant in chosen]

    @property
    def team_size(self) -> int:
        """Return the size of the teams to be chosen; 1 if no partners are chosen."""
        answers = self.cleaned_data
        if self.source.format == Format.TEAMS or answers["format"] == Format.PLAYERS:
            return 1
        return len(self.source.rules.mode(answers["mode"], self.source.house_rules).sides[0])

    def plan(self) -> StagePlan:
        answers = self.cleaned_data
        terms = Terms(planned=answers["planned"], minutes=answers["minutes"])
        teams = answers["format"] == Format.TEAMS
        usual = Movement.ROUND_ROBIN if teams else Movement.FEWEST_REPEATS
        return StagePlan(
            **{name: answers[name] for name in ("stage", "mode", "length", "third_place")},
            format_=Format(answers["format"]),
            movement=Movement(answers["movement"] or usual),
            terms=terms,
            carry_over=CarryOver(answers["carry_over"]),
        )


def _proposed(source: Tournament, candidates: Candidates) -> dict[str, Any]:
    """Return the proposed answers of a ``StageForm``: after groups, those for a knock-out."""
    remaining, after_groups = candidates.remaining, len(candidates.sources) > 1
    some_gone = len(remaining) < len(candidates.rows)
    last_stage = gettext("Consolation") if some_gone else gettext("Final")
    return {
        "entrants": [row.entrant for row in remaining if row.among_best or not candidates.played],
        "groups": None if candidates.played else 2,
        "stage": gettext("Knock-out") if after_groups else last_stage,
        "format": source.format,
        "movement": Movement.KNOCKOUT if after_groups else "",
        "carry_over": CarryOver.NOTHING,
        "length": source.games or source.hands or source.rules.usual_length,
        "mode": source.mode,
        "minutes": source.minutes,
    }


class FinalTable(ClubTable):
    """The final places of an event, with the stage in which each entrant ended."""

    title = _("Final ranking")
    place = tables.Column(verbose_name=_("Place"), attrs=RANK)
    name = tables.Column(verbose_name=_("Name"), attrs={"td": {"scope": "row"}})
    stage = tables.Column(verbose_name=_("Ended in"))

    class Meta:
        orderable = False
        attrs = {"class": "data"}

    def render_place(self, record: FinalPlace) -> SafeString:
        place = placing(record.place, tied=record.tied)
        return linked(place, "entrant", record.stage.pk, record.entrant)

    def render_name(self, record: FinalPlace) -> SafeString:
        return entrant_link(record.who, record.name)

    value_place = value_name = ClubTable.as_is  # in files, instead of the texts

    def render_stage(self, value: Tournament) -> SafeString:
        return linked(value.stage_name, "tournament", value.pk)

    def value_stage(self, value: Tournament) -> str:
        return value.stage_name


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def stage_new(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Ask who goes on and how they play, let partners be chosen, and start the stage.

    While partners are chosen, every POST has the whole form, the partners so far (``partner``), and
    the button: ``back`` takes back a partner, ``change`` leads to the form, ``begin`` starts.
    """
    tournament = access.tournament(request, tournament_id, Role.ORGANISER)
    event = event_of(tournament)
    sources = sources_of(event, tournament)
    usual_cut = _USUAL_CUT if len(sources) == 1 else _USUAL_CUT_OF_GROUP
    cuts = {"all": _EVERYBODY, **{str(number): number for number in CUTS}}
    cut_at = cuts.get(request.GET.get("best", ""), usual_cut)
    offered = candidates(event, sources, cut_at)
    form = StageForm(
        request.POST if request.method == "POST" else None,
        source=sources[0],
        candidates=offered,
        others=() if offered.played else newcomers(tournament),
    )
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        form=form,
        candidates=offered,
        cuts=[number for number in CUTS if number < len(offered.remaining) / len(sources)],
        cut_at=cut_at,
    )
    if form.is_valid() and "change" not in request.POST:
        order = form.entered
        if form.team_size > 1:
            tapped = request.POST.getlist("partner")
            chosen = [key_in(key) for key in (tapped[:-1] if "back" in request.POST else tapped)]
            choice = partner_choice(order, chosen, form.team_size)
            if choice.chooser is not None or "begin" not in request.POST:
                row_of = {row.entrant: row for row in offered.rows}
                context |= {
                    "chosen": chosen,
                    "teams": [[row_of[entrant] for entrant in team] for team in choice.teams],
                    "chooser": row_of.get(choice.chooser or 0),  # no entrant has the key 0
                    "free": [row_of[entrant] for entrant in choice.free],
                }
                return render(request, "standings/stages/partners.html", context)
            order = list(choice.row)
        with refusals_on(form):
            stage = _begin(request, form, offered, order)
            messages.success(request, gettext("“%(name)s” is ready.") % {"name": stage.name})
            return redirect("desk", stage.pk)
    return render(request, "standings/stages/new.html", context)


def _begin(
    request: HttpRequest, form: StageForm, offered: Candidates, order: Sequence[int]
) -> Tournament:
    """Start the stage or the groups with the entrants in this *order*, and return the first."""
    groups, others = form.cleaned_data["groups"] or 1, form.cleaned_data["more"]
    sources = [source.pk for source in offered.sources]
    how: dict[str, Any] = {"entrants": order, "plan": form.plan(), "by": access.actor(request)}
    if groups == 1:  # this is refused before the first round; so there are no *others* here
        return begin_stage(sources=sources, **how)
    return begin_groups(source=sources[0], groups=groups, newcomers=others, **how)[0]


@access.page
@require_safe
def event_ranking(request: HttpRequest, tournament_id: int) -> HttpResponse:
    tournament = access.tournament(request, tournament_id)
    event = event_of(tournament)
    if event.root != tournament:
        return redirect("final-ranking", event.root.pk)
    table = FinalTable(final_ranking(event), exclude=() if event.several else ("stage",))
    if file_format := exports.export_format(request):
        return exports.file_response(table, file_format, tournament.name, table.title)
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        official=event.official,
        links=event.listed_stages,
        table=table,
    )
    return render(request, "standings/stages/event.html", context)


urlpatterns = [
    path("tournaments/<int:tournament_id>/stages/new/", stage_new, name="stage-new"),
    path("tournaments/<int:tournament_id>/ranking/", event_ranking, name="final-ranking"),
]
