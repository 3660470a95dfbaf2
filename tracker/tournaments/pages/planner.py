"""The planner's page: formats for a number of players and minutes, and a simulation of each.

A format (a *proposal*) has one or two *stages* of rounds and seats *units*: players or fixed pairs.
The *state* of the planner is the evening with what is simulated so far; only the page keeps it.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from math import comb
from time import perf_counter
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core import signing
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.formats import time_format
from django.utils.translation import gettext, gettext_lazy as _, gettext_noop, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import catalogue
from games.errors import RuleError
from games.game import AnyGame
from tracker.common.figures import decimal
from tracker.common.forms import CountField, refusal_text
from tracker.common.web import access
from tracker.common.web.requests import HtmxHttpRequest
from tracker.models import Club, Format, Leftover, Role
from tracker.tournaments.logic.planning import PlanningState, advance, state_from_json
from tracker.tournaments.logic.proposals import (
    KNOCKOUT,
    Occasion,
    Proposal,
    ProposalKind,
    ProposedStage,
)
from tracker.tournaments.logic.simulation import FIRST_FOUR, Findings, share_of
from tracker.tournaments.queries import game_cards

_TITLES = {
    ProposalKind.PARTNERS: gettext_noop("Changing partners"),
    ProposalKind.EVERY_PARTNER: gettext_noop("Everybody partners everybody"),
    ProposalKind.LONG_ROUNDS: gettext_noop("Changing partners, longer rounds"),
    ProposalKind.ALONE: gettext_noop("Singles at changing tables"),
    ProposalKind.ONE_TABLE: gettext_noop("All at one table"),
    ProposalKind.LARGE_TABLES: gettext_noop("Singles at larger tables"),
    ProposalKind.EQUALS: gettext_noop("Singles, equals together"),
    ProposalKind.ROUND_ROBIN: gettext_noop("Fixed pairs, everybody against everybody"),
    ProposalKind.SWISS: gettext_noop("Fixed pairs, Swiss"),
    ProposalKind.FINAL: gettext_noop("Rounds for all, then a final"),
    ProposalKind.KNOCKOUT: gettext_noop("Fixed pairs, knock-out"),
}
# Titles of proposals in which tables of another size avoid that anybody sits out.
_NOBODY_RESTS = {
    ProposalKind.PARTNERS: gettext_noop("Changing partners, nobody sits out"),
    ProposalKind.LONG_ROUNDS: gettext_noop("Changing partners, longer rounds, nobody sits out"),
}
# The sentence below the title.
_LEADS = {
    ProposalKind.PARTNERS: gettext_noop("A new partner every round, and other opponents."),
    ProposalKind.EVERY_PARTNER: gettext_noop(
        "Everybody is your partner once, and your opponent twice."
    ),
    ProposalKind.LONG_ROUNDS: gettext_noop("Fewer partners, and more time with each of them."),
    ProposalKind.ALONE: gettext_noop("Nobody has a partner; every round mixes the tables."),
    ProposalKind.ONE_TABLE: gettext_noop("Nobody changes seats."),
    ProposalKind.LARGE_TABLES: gettext_noop("More people at a table, and fewer tables."),
    ProposalKind.EQUALS: gettext_noop("Every round, players with about as many points meet."),
    ProposalKind.ROUND_ROBIN: gettext_noop("Pairs stay together, and each meets every other."),
    ProposalKind.SWISS: gettext_noop(
        "Pairs stay together and meet others about as good, none twice."
    ),
    ProposalKind.FINAL: gettext_noop("Everybody plays at first, then the best play a final."),
    ProposalKind.KNOCKOUT: gettext_noop("Lose and you are out; the last two play the final."),
}
_SALT = "kula.planning"  # of the signature
_LONGEST_STATE = 10_000  # characters; a longer text is cut off, so that its signature is wrong
_PIECES_WITHOUT_SCRIPT = 6  # of the simulation for each tap; a script asks for one piece at a time
MOST_PLAYERS, MOST_MINUTES = 120, 720


def sign_state(state: PlanningState) -> str:
    return signing.dumps(state.as_json(), salt=_SALT, compress=True)


def read_state(text: str) -> PlanningState:
    """Return the state that ``sign_state`` wrote into a hidden field of a page.

    :raises RuleError: if the text is from elsewhere, or from before the proposals were changed.
    """
    try:
        return state_from_json(signing.loads(text[:_LONGEST_STATE], salt=_SALT))
    except (signing.BadSignature, ValueError, TypeError, LookupError) as error:
        template = gettext_noop("That simulation cannot be read any more. Ask again.")
        raise RuleError("planning-unreadable", template) from error


def cards(state: PlanningState, club_id: int) -> list[dict[str, Any]]:
    """Return the proposals of a state as the page shows them, most convenient first.

    ``lead`` is the sentence below the title, ``ends`` the time of day, ``facts`` are labels with
    texts, and ``url`` leads to the form that makes the tournament. ``of_four`` is how many of the
    four strongest were among the first four on average; it and ``bars`` are empty before any run.
    """
    game = state.occasion.game
    starts = datetime.combine(date(2000, 1, 1), state.starts)  # any day: only the time is shown
    shown = []
    for proposal in state.proposals:
        findings = state.findings_of(proposal)
        ends = starts + timedelta(minutes=proposal.minutes)
        title = _TITLES[proposal.kind]
        if proposal.stages[0].odd_tables:
            title = _NOBODY_RESTS.get(proposal.kind, title)
        if proposal.kind is ProposalKind.FINAL and proposal.unit_size > 1:
            title = gettext_noop("Fixed pairs, then a final")
        of_four = ""
        if findings.runs and proposal.units > FIRST_FOUR:
            of_four = decimal(Fraction(findings.of_four, findings.runs), 1)
        card = {
            "key": proposal.key,
            "title": gettext(title),
            "lead": gettext(_LEADS[proposal.kind]),
            "ends": time_format(ends.time(), "H:i"),
            "facts": _facts(proposal, game),
            "url": _new_tournament_url(proposal, game, club_id),
            "of_four": of_four,
            "bars": [*_bars(proposal, findings)],
        }
        shown.append(card)
    return shown


def _bars(proposal: Proposal, findings: Findings) -> Iterator[dict[str, str | int]]:
    """Yield two bars: how often the best came first, and the best four were the first four.

    ``percent`` is the length of the bar, ``share`` the same as a text. ``low`` and ``high`` are the
    ends of the confidence interval, and ``luck`` is what results by lot would give.
    """
    if not findings.runs:
        return
    best_first = gettext("The best player comes first")
    if proposal.unit_size > 1:
        best_first = gettext("The best pair comes first")
    # Of each bar: its label, the number of runs in which it was so, and the probability by lot.
    rows = [(best_first, findings.first, 1 / proposal.units)]
    # With only four units the first four are always the best.
    if proposal.units > FIRST_FOUR:
        luck = 1 / comb(proposal.units, FIRST_FOUR)
        rows.append((gettext("The best four are the first four"), findings.four, luck))
    for label, times, luck in rows:
        share, low, high = share_of(times, findings.runs)
        numbers = {"share": share, "low": low, "high": high, "luck": luck}
        texts = {name: _percent(number) for name, number in numbers.items()}
        yield {"label": label, "percent": round(100 * share), **texts}


def _facts(proposal: Proposal, game: AnyGame) -> tuple[tuple[str, str], ...]:
    """Return labels and texts: the rounds, the final if any, the tables and who sits out."""
    first = proposal.stages[0]
    names = {mode.code: gettext(mode.name) for mode in game.modes(game.default_options())}
    tables = Counter(names[shape.code] for shape in first.tables[0])
    sitting = " · ".join(f"{many}\N{NO-BREAK SPACE}× {name}" for name, many in tables.items())
    rounds = [_rounds(stage, game) for stage in proposal.stages]
    if proposal.rounds > 1:
        timed = {"rounds": rounds[0], "minutes": first.minutes_a_round}
        rounds[0] = gettext("%(rounds)s, %(minutes)d minutes each") % timed
    if proposal.unit_size > 1:
        entered = gettext("%(pairs)d pairs") % {"pairs": proposal.units}
        sitting = gettext("%(who)s: %(tables)s") % {"who": entered, "tables": sitting}
    then = []  # the label and text of the second stage, if there is one
    for stage, its_rounds in zip(proposal.stages[1:], rounds[1:], strict=True):
        text = gettext("the best %(best)d: %(rounds)s")
        if stage.movement == KNOCKOUT:
            text = gettext("the best %(best)d: semi-finals, final and third place; %(rounds)s")
        then.append((gettext("Then"), text % {"best": stage.units, "rounds": its_rounds}))
    return (
        (gettext("Rounds"), rounds[0]),
        *then,
        (gettext("Tables"), sitting),
        (gettext("Sitting out"), _sitting_out(proposal)),
    )


def _sitting_out(proposal: Proposal) -> str:
    """Return a text such as "2, in turn"."""
    first = proposal.stages[0]
    if first.movement == KNOCKOUT:
        text = gettext("whoever is out: %(share)d\N{NO-BREAK SPACE}%% of the night")
        return text % {"share": round(100 * proposal.waiting)}
    if not first.resting:
        with_final = len(proposal.stages) > 1
        return gettext("nobody before the final") if with_final else gettext("nobody")
    text = ngettext("%(resting)d, in turn", "%(resting)d, in turn", first.resting)
    if proposal.unit_size > 1:
        text = ngettext("%(resting)d pair, in turn", "%(resting)d pairs, in turn", first.resting)
    return text % {"resting": first.resting}


def _rounds(stage: ProposedStage, game: AnyGame) -> str:
    """Return a text such as "5 rounds of 4 hands"."""
    one, many = game.unit.one, game.unit.many
    if game.round_in_games:
        one, many = gettext_noop("game"), gettext_noop("games")
    units = gettext(one if stage.length == 1 else many)
    rounds = ngettext("%(rounds)d round", "%(rounds)d rounds", stage.rounds)
    parts = {"rounds": rounds % {"rounds": stage.rounds}, "length": stage.length, "units": units}
    return gettext("%(rounds)s of %(length)d %(units)s") % parts


def _new_tournament_url(proposal: Proposal, game: AnyGame, club_id: int) -> str:
    """Return the URL of the form that makes the tournament, filled in."""
    first = proposal.stages[0]
    filled = {
        "game": game.slug,
        "mode": first.shape.code,
        "format": Format.TEAMS if proposal.unit_size > 1 else Format.PLAYERS,
        "length": first.length,
        "planned": first.rounds,
        "minutes": first.minutes_a_round,
        "movement": first.movement,
        "leftover": Leftover.ODD_TABLE if first.odd_tables else Leftover.REST,
        **({"third_place": "on"} if first.movement == KNOCKOUT else {}),
    }
    return f"{reverse('tournament-new', args=[club_id])}?{urlencode(filled)}"


def _percent(share: float) -> str:
    """Return a share in whole percent, or "<1" for a small one that would round to 0."""
    # The lower end of an interval around 0 may come out slightly above 0, and is shown as 0.
    return "<1" if 1e-9 < share < 0.005 else str(round(100 * share))


class PlanForm(forms.Form):
    players = CountField(label=_("How many players?"), most=MOST_PLAYERS)
    minutes = CountField(label=_("How many minutes?"), most=MOST_MINUTES, initial=150)
    starts = forms.TimeField(
        label=_("Starting when?"),
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        initial=time(19, 30),
        error_messages={"invalid": _("Please type a time, such as 19:30.")},
    )
    game = forms.ChoiceField(label=_("Which game?"))
    minutes_each = CountField(
        label=_("Minutes a hand"),
        help_text=_("Or a game, where rounds count games. Leave empty for the usual."),
        required=False,
        most=MOST_MINUTES,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        games = [(game.slug, game.name) for game in game_cards()]
        self.fields["game"].choices = games  # type: ignore[attr-defined]

    def state(self) -> PlanningState:
        """Return the state in which nothing is simulated yet."""
        game = catalogue.GAMES[self.cleaned_data["game"]]
        return PlanningState(
            occasion=Occasion(
                players=self.cleaned_data["players"],
                minutes=self.cleaned_data["minutes"],
                game=game,
                minutes_each=self.cleaned_data["minutes_each"] or game.typical.minutes,
            ),
            starts=self.cleaned_data["starts"],
        )


def answers_of(state: PlanningState) -> dict[str, object]:
    """Return the answers to ``PlanForm`` from which this state was made, keyed by field."""
    evening = state.occasion
    usual = evening.minutes_each == evening.game.typical.minutes
    return {
        "players": evening.players,
        "minutes": evening.minutes,
        "starts": state.starts,
        "game": evening.game.slug,
        "minutes_each": None if usual else evening.minutes_each,
    }


def usual_evening(club: Club) -> dict[str, object]:
    """Return the ``game`` and number of ``players`` of the last tournament, to preset the form."""
    playing = Q(entrants__withdrawn_at=None)
    last = (
        club.tournaments.order_by("-created_at", "-pk")
        .annotate(
            single_players=Count("entrants__player", filter=playing, distinct=True),
            in_teams=Count("entrants__team__roster", filter=playing, distinct=True),
        )
        .values("game", "single_players", "in_teams")
        .first()
    )
    if last is None:
        return {}
    players = last["single_players"] + last["in_teams"]
    return {"game": last["game"], **({"players": players} if players else {})}


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def plan(request: HtmxHttpRequest, club_id: int) -> HttpResponse:
    """Ask about the evening and propose formats (GET), and simulate them piece by piece (POST)."""
    club = access.club(request, club_id, Role.ORGANISER)
    if request.method == "POST":
        try:
            state = read_state(request.POST.get("state", ""))
        except RuleError as error:
            form = PlanForm(initial=usual_evening(club))
            return _page(request, club, form, None, refusal=refusal_text(error))
        for _piece in range(1 if request.htmx else _PIECES_WITHOUT_SCRIPT):
            state = advance(state, clock=perf_counter)
        return _page(request, club, PlanForm(initial=answers_of(state)), state)
    if "players" in request.GET:
        form = PlanForm(request.GET)
        return _page(request, club, form, form.state() if form.is_valid() else None)
    return _page(request, club, PlanForm(initial=usual_evening(club)), None)


def _page(
    request: HtmxHttpRequest,
    club: Club,
    form: PlanForm,
    state: PlanningState | None,
    *,
    refusal: str = "",
) -> HttpResponse:
    """Render the page, without a *state* only its form; htmx (a script) gets only the proposals."""
    context = access.context(
        request,
        club,
        form=form,
        progress=state,
        cards=cards(state, club.pk) if state else [],
        running=state is not None and state.current is not None,
        signed_state=sign_state(state) if state else "",
        refusal=refusal,
    )
    template = "proposals" if request.htmx and state else "plan"
    return render(request, f"tournaments/planner/{template}.html", context)


urlpatterns = [path("clubs/<int:club_id>/plan/", plan, name="plan")]
