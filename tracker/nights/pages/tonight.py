"""Page that begins a tournament tonight: choose a game, tap who is here, and round 1 is open.

A *mode* of a game says how many sit at a table and in which sides, such as four in two pairs.
"""

from collections.abc import Sequence
from random import SystemRandom
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Exists, F, OuterRef, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from games import catalogue
from games.errors import RuleError
from games.game import AnyGame
from games.mode import Mode
from tracker.common.forms import CountField, NamesField, TapField, refusal_text, refusals_on
from tracker.common.web import access
from tracker.common.web.requests import key_in, return_page
from tracker.models import (
    Attendance,
    Club,
    ClubNight,
    Entrant,
    Format,
    Movement,
    Player,
    Role,
    Round,
    Seat,
    Tournament,
    name_key,
)
from tracker.nights.services.tonight import begin_tonight, mode_for
from tracker.seating.queries.players import lineups, waiting_players
from tracker.tournaments.queries import game_cards, title_of


class TonightForm(forms.Form):
    """The game, the people, and under *More* the mode, format, seats and length of round 1."""

    game = forms.ChoiceField(
        label=gettext_lazy("Which game?"),
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Tap a game.")},
    )
    people = TapField(label=gettext_lazy("Who’s here?"))
    # The keys of ``people`` in the order of the taps; only a script fills it.
    tapped = forms.CharField(required=False, widget=forms.HiddenInput)
    names = NamesField(
        label=gettext_lazy("New names"),
        help_text=gettext_lazy("Not in the club yet? Type them, with commas between."),
        required=False,
        rows=3,
    )
    # "GAME:MODE", as the modes of all games are offered; empty for what fits best.
    mode = forms.ChoiceField(label=gettext_lazy("How do people sit?"), required=False)
    format = forms.ChoiceField(
        label=gettext_lazy("Who scores?"),
        choices=[
            (Format.PLAYERS, gettext_lazy("each player")),
            (Format.TEAMS, gettext_lazy("fixed pairs or teams, in the order of the names")),
        ],
        initial=Format.PLAYERS,
        widget=forms.RadioSelect,
    )
    movement = forms.TypedChoiceField(
        label=gettext_lazy("Who sits where in the first round?"),
        choices=[
            (Movement.IN_ORDER, gettext_lazy("in the order of the names")),
            (Movement.BY_LOT, gettext_lazy("by lot")),
        ],
        initial=Movement.IN_ORDER,
        empty_value=Movement.IN_ORDER,
        required=False,
    )
    length = CountField(
        label=gettext_lazy("How long is a round?"),
        help_text=gettext_lazy(
            "So many hands or games. Leave empty for the usual length of the game."
        ),
        required=False,
        most=Tournament.LONGEST_ROUND,
    )

    def __init__(self, *args: Any, players: Sequence[Player], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.cards = game_cards()
        self.players = players
        modes: list[Any] = [("", _("Whatever fits best"))]
        for game in catalogue.GAMES.values():
            modes_of_game = game.modes(game.default_options())
            options = [(f"{game.slug}:{mode.code}", _(mode.name)) for mode in modes_of_game]
            modes.append((_(game.name), options))
        game_choices = [(card.slug, card.name) for card in self.cards]
        people = [(player.pk, player.name) for player in players]
        for field, choices in {"game": game_choices, "people": people, "mode": modes}.items():
            self.fields[field].choices = choices  # type: ignore[attr-defined]
        if not players:
            self.fields["names"].label = _("Who’s here?")
            self.fields["names"].help_text = _("Type their names, with commas between.")
        if len(self.cards) == 1:
            self.fields["game"].initial = self.cards[0].slug

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        game, _colon, _code = cleaned.get("mode", "").partition(":")
        if game and cleaned.get("game") and game != cleaned["game"]:
            self.add_error("mode", _("Choose how people sit in this game."))
        if "people" in cleaned:
            cleaned["people"] = in_tapped_order(cleaned["people"], cleaned.get("tapped", ""))
        if {"people", "names"} <= cleaned.keys() and not (cleaned["people"] or cleaned["names"]):
            self.add_error("people", _("Tap or type the names of those who are here."))
        return cleaned

    @property
    def rules(self) -> AnyGame:
        return catalogue.GAMES[self.cleaned_data["game"]]

    @property
    def mode_code(self) -> str | None:
        """Return the chosen mode, or ``None`` for the one that fits best."""
        return self.cleaned_data["mode"].partition(":")[2] or None

    def count_people(self) -> int:
        """Return how many people are here; a player who was tapped and typed counts once."""
        keys = {name_key(name) for name in self.cleaned_data["names"]}
        tapped = Player.objects.filter(pk__in=self.cleaned_data["people"])
        return len(keys | set(tapped.values_list("name_key", flat=True)))

    def fit(self) -> str:
        """Return in a sentence how people would sit, or why not; empty if an answer is wrong."""
        if not self.is_valid():
            return ""
        count, format_ = self.count_people(), Format(self.cleaned_data["format"])
        try:
            return fit_sentence(count, mode_for(self.rules, count, format_, self.mode_code))
        except RuleError as error:
            return refusal_text(error)

    @property
    def folded(self) -> bool:
        """Return whether *More* may stay closed: no field in it is changed or wrong."""
        changed = (
            self["mode"].value()
            or self["length"].value()
            or self["format"].value() == Format.TEAMS
            or self["movement"].value() not in {None, "", Movement.IN_ORDER}
        )
        return not (changed or {"mode", "format", "length"} & self.errors.keys())


def in_tapped_order(people: Sequence[int], tapped: str) -> list[int]:
    """Return *people* in the order of *tapped*; those who are not in it follow in their own order.

    >>> in_tapped_order([1, 2, 3], "3,1,x")
    [3, 1, 2]
    """
    keys = [key_in(key) for key in tapped.split(",")]
    first = [person for person in dict.fromkeys(keys) if person in people]
    return [*first, *(person for person in people if person not in first)]


@access.page
@require_http_methods(["GET", "HEAD", "POST"])
def tonight(request: HttpRequest, club_id: int) -> HttpResponse:
    """Ask which game and who is here; seat everybody and open round 1.

    ``again=KEY`` begins a tournament like an earlier one at once (POST), or presets its game and
    people (GET). ``look`` is sent by a script and only tells how the people would sit.
    """
    club = access.club(request, club_id, Role.ORGANISER)
    night = ClubNight.objects.going_on(club.pk, timezone.now())
    # Who is checked in and not seated is tapped already.
    waiting = waiting_players(night)
    initial: dict[str, object] = {"people": waiting}
    if again := request.POST.get("again") or request.GET.get("again"):
        earlier = get_object_or_404(Tournament, pk=key_in(again), club=club)
        if "again" in request.POST:
            return redirect(_begin_like(request, earlier))
        initial = {"people": _people_of(earlier), "game": earlier.game}
    form = TonightForm(request.POST or None, players=_players_to_tap(club), initial=initial)
    if "look" in request.POST:
        return render(request, "nights/tonight/fit.html", {"fit": form.fit()})
    if form.is_valid():
        with refusals_on(form):
            answers = form.cleaned_data
            began = _begin(
                request,
                form.rules,
                form.count_people(),
                club_id=club.pk,
                players=answers["people"],
                new_names=answers["names"],
                mode=form.mode_code,
                format_=Format(answers["format"]),
                length=answers["length"],
                movement=answers["movement"],
            )
            return redirect(began)
    # On an evening on which no player is here or at a table, offer to begin like the last one.
    seated = any(player.sits for player in form.players)  # type: ignore[attr-defined]
    offers_last = not (again or waiting or seated or form.is_bound)
    last = _previous_tournament(club, night) if offers_last else None
    people = _people_of(last) if last else []
    context = {"form": form, "night": night, "last": last, "people": people}
    return access.render(request, "nights/tonight/tonight.html", club, **context)


def _players_to_tap(club: Club) -> list[Player]:
    """Return the club's players, the latest at a night first; those at a table (``sits``) last."""
    sits = Exists(Seat.objects.active().filter(player=OuterRef("pk")))
    stays = Attendance.objects.filter(player=OuterRef("pk")).order_by("-night__starts_at")
    seen = Subquery(stays.values("night__starts_at")[:1])
    players = Player.objects.present().filter(club=club).annotate(sits=sits, seen=seen)
    return list(players.order_by("sits", F("seen").desc(nulls_last=True), "name_key"))


def _previous_tournament(club: Club, night: ClubNight | None) -> Tournament | None:
    """Return the first tournament of the club's latest night other than *night*; in one query."""
    rounds = Round.objects.not_undone().exclude(night=None)
    of_club = rounds.filter(tournament__club=club, tournament__follows=None).exclude(night=night)
    latest = of_club.select_related("tournament").defer("published_standing")
    round_ = latest.order_by("-night__starts_at", "tournament").first()
    return round_.tournament if round_ else None


def _people_of(tournament: Tournament) -> list[int]:
    """Return the players of a tournament who are still in the club, partners beside each other."""
    entrants = Entrant.objects.playing().filter(tournament=tournament).order_by("pk")
    # A team may have more people than sit down together.
    seats_per_side = len(tournament.table_mode.sides[0])
    people = [key for lineup in lineups(entrants).values() for key in lineup[:seats_per_side]]
    present = set(Player.objects.present().filter(pk__in=people).values_list("pk", flat=True))
    return [key for key in people if key in present]


def _begin_like(request: HttpRequest, earlier: Tournament) -> str:
    """Begin one like *earlier*, seated by lot, or show a refusal; return the URL to go to."""
    people = _people_of(earlier)
    try:
        return _begin(
            request,
            earlier.rules,
            len(people),
            club_id=earlier.club_id,
            players=people,
            new_names=(),
            mode=earlier.mode,
            format_=Format(earlier.format),
            length=earlier.hands or earlier.games,
            movement=Movement.BY_LOT,
            options=earlier.house_rules,
        )
    except RuleError as error:
        messages.warning(request, refusal_text(error))
        return request.get_full_path()


def _begin(request: HttpRequest, game: AnyGame, count: int, **how: Any) -> str:
    """Begin a tournament of so many people; return the URL to go to, or raise a refusal."""
    title, by = title_of(_(game.name), timezone.localdate()), access.actor(request)
    round_ = begin_tonight(game=game.slug, title=title, by=by, rng=SystemRandom(), **how)
    messages.success(request, fit_sentence(count, round_.tournament.table_mode))
    return return_page(request, round_)


def fit_sentence(count: int, mode: Mode) -> str:
    """Return in a sentence how many tables these people make, and how many sit out.

    >>> from games.mode import Mode
    >>> fit_sentence(13, Mode("4t2", 4, ((0, 2), (1, 3)), "four in two pairs"))
    '13 people make 3 tables of four in two pairs; 1 sits out, in turn.'
    """
    tables, resting = divmod(count, mode.seats)
    tables_made = ngettext(
        "%(people)d people make %(tables)d table of %(mode)s",
        "%(people)d people make %(tables)d tables of %(mode)s",
        tables,
    ) % {"people": count, "tables": tables, "mode": _(mode.name)}
    if not resting:
        return _("%(made)s.") % {"made": tables_made}
    return ngettext(
        "%(made)s; %(resting)d sits out, in turn.",
        "%(made)s; %(resting)d sit out, in turn.",
        resting,
    ) % {"made": tables_made, "resting": resting}


urlpatterns = [path("clubs/<int:club_id>/tonight/", tonight, name="tonight")]
