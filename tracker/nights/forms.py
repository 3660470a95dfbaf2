"""Forms of a club night: date, replies, check-in, games and one more table."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import catalogue
from games.game import AnyGame
from tracker.common.forms import CountField, NameField, NamesField, NewPeopleField, TapField
from tracker.models import ClubNight, Format, Movement, Player, Tournament
from tracker.nights.queries.attendance import People, Person
from tracker.tournaments.queries import game_cards


class NightForm(forms.ModelForm):  # type: ignore[type-arg]  # not a generic at run time
    """When and where, and what is played."""

    class Meta:
        model = ClubNight
        fields = ("starts_at", "place", "games")
        labels = {
            "starts_at": _("When?"),
            "place": _("Where?"),
            "games": _("What do you play?"),
        }
        help_texts = {
            "games": _("In your own words: “Albastini first, then Dalmuti for whoever stays”."),
        }
        error_messages = {
            "starts_at": {
                "required": _("Please say when it begins."),
                "invalid": _("Please write a day and a time, such as 2026-11-27 19:30."),
            },
        }
        widgets = {
            "starts_at": forms.DateTimeInput(
                attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"
            ),
        }


class _WhoForm(forms.Form):
    """A name, tapped in the list or typed."""

    player = forms.TypedChoiceField(
        label=_("Your name"), coerce=int, required=False, empty_value=None
    )
    name = NameField(
        label=_("Not in the list? Type it"),
        max_length=Player.name.field.max_length,
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        named = cleaned.get("player") is not None or cleaned.get("name")
        if not named and not {"player", "name"} & self.errors.keys():
            self.add_error("player", gettext("Choose your name, or type it."))
        return cleaned


class RsvpForm(_WhoForm):
    """A reply: who, and whether they come."""

    answer = forms.ChoiceField(
        label=_("Are you coming?"),
        choices=[("yes", _("I’m in")), ("no", _("Can’t make it"))],
        error_messages={"required": _("Tap one of the two.")},
    )

    def __init__(self, *args: Any, players: list[Person], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["player"].choices = [("", "–"), *players]  # type: ignore[attr-defined]


class DoorForm(_WhoForm):
    """Check-in of one person at the door."""

    def __init__(
        self, *args: Any, expected: Sequence[Person], others: Sequence[Person], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.expected, self.others = expected, others
        self.fields["player"].choices = [*expected, *others]  # type: ignore[attr-defined]


class CheckInForm(forms.Form):
    """Check-in of known players by tap, and of new ones by name."""

    people = TapField(label=_("Who’s here?"))
    typed = TapField(label=_("New people"))
    names = NewPeopleField(label=_("New names"))
    visitor_from = forms.CharField(
        label=_("Visiting from"),
        help_text=_("The new ones’ home club. Leave empty for your own people."),
        max_length=Player.visitor_from.field.max_length,
        required=False,
    )
    in_season = forms.BooleanField(
        label=_("Count these visitors for the season too"),
        help_text=_("Otherwise they count tonight only."),
        required=False,
    )

    def __init__(self, *args: Any, people: People, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.expected, self.others, self.unknown = people.expected, people.others, people.typed
        self.fields["people"].choices = [*people.expected, *people.others]  # type: ignore[attr-defined]
        self.fields["typed"].choices = people.typed  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        tapped = cleaned.get("people") or cleaned.get("typed")
        if not tapped and not cleaned.get("names") and not self.errors:
            self.add_error("people", gettext("Tap or type who has arrived."))
        return cleaned

    @property
    def new_names(self) -> list[str]:
        """Return the names of all who are new to the club, announced before or not."""
        known = dict(self.unknown)
        return [*(known[key] for key in self.cleaned_data["typed"]), *self.cleaned_data["names"]]

    @property
    def folded(self) -> bool:
        """Return whether the fold for new people may stay shut: nothing in it is set or wrong."""
        known = self.expected or self.unknown or self.others
        touched = self["names"].value() or self["visitor_from"].value()
        return bool(known) and not (touched or {"names", "visitor_from"} & self.errors.keys())


class TonightForm(forms.Form):
    game = forms.ChoiceField(
        label=_("Which game?"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Tap a game.")},
    )
    people = TapField(label=_("Who’s here?"))
    # In which order they were tapped, where a script tells; otherwise the order of the list.
    tapped = forms.CharField(required=False, widget=forms.HiddenInput)
    names = NamesField(
        label=_("New names"),
        help_text=_("Not in the club yet? Type them, with commas between."),
        required=False,
        rows=3,
    )
    mode = forms.ChoiceField(label=_("How do people sit?"), required=False)
    format = forms.ChoiceField(
        label=_("Who scores?"),
        choices=[
            (Format.PLAYERS, _("each player")),
            (Format.TEAMS, _("fixed pairs or teams, in the order of the names")),
        ],
        initial=Format.PLAYERS,
        widget=forms.RadioSelect,
    )
    movement = forms.ChoiceField(
        label=_("Who sits where in the first round?"),
        choices=[
            (Movement.IN_ORDER, _("in the order of the names")),
            (Movement.BY_LOT, _("by lot")),
        ],
        initial=Movement.IN_ORDER,
        required=False,
    )
    length = CountField(
        label=_("How long is a round?"),
        help_text=_("So many hands or games. Leave empty for the usual length of the game."),
        required=False,
        most=Tournament.LONGEST_ROUND,
    )

    def __init__(self, *args: Any, players: Sequence[Player], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.cards = game_cards()
        self.players = players
        modes: list[Any] = [("", gettext("Whatever fits best"))]
        for game in catalogue.GAMES.values():
            of_game = game.modes(game.default_options())
            ways = [(f"{game.slug}:{mode.code}", gettext(mode.name)) for mode in of_game]
            modes.append((gettext(game.name), ways))
        choices: dict[str, list[Any]] = {
            "game": [(card.slug, card.name) for card in self.cards],
            "people": [(player.pk, player.name) for player in players],
            "mode": modes,
        }
        for field, known in choices.items():
            self.fields[field].choices = known  # type: ignore[attr-defined]
        if not players:
            self.fields["names"].label = gettext("Who’s here?")
            self.fields["names"].help_text = gettext("Type their names, with commas between.")
        if len(self.cards) == 1:
            self.fields["game"].initial = self.cards[0].slug

    def clean_movement(self) -> str:
        return self.cleaned_data["movement"] or Movement.IN_ORDER

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        game, _colon, _code = cleaned.get("mode", "").partition(":")
        if game and cleaned.get("game") and game != cleaned["game"]:
            self.add_error("mode", gettext("Choose how people sit in this game."))
        if "people" in cleaned:
            cleaned["people"] = in_tapped_order(cleaned["people"], cleaned.get("tapped", ""))
        if {"people", "names"} <= cleaned.keys() and not (cleaned["people"] or cleaned["names"]):
            self.add_error("people", gettext("Tap or type the names of those who are here."))
        return cleaned

    @property
    def rules(self) -> AnyGame:
        return catalogue.GAMES[self.cleaned_data["game"]]

    @property
    def mode_code(self) -> str | None:
        """Return the mode asked for, or ``None`` for whatever fits."""
        return self.cleaned_data["mode"].partition(":")[2] or None

    def answers(self) -> dict[str, Any]:
        """Return who is here and how they sit, as ``begin_tonight`` takes it."""
        asked = self.cleaned_data
        return {
            "players": asked["people"],
            "new_names": asked["names"],
            "mode": self.mode_code,
            "format_": Format(asked["format"]),
            "length": asked["length"],
            "movement": asked["movement"],
        }

    @property
    def folded(self) -> bool:
        """Say whether nothing behind *More* was touched or is amiss."""
        touched = self["mode"].value() or self["length"].value()
        fixed = self["format"].value() == Format.TEAMS
        drawn = self["movement"].value() not in {None, "", Movement.IN_ORDER}
        return not (touched or fixed or drawn or {"mode", "format", "length"} & self.errors.keys())


def in_tapped_order(people: Sequence[int], tapped: str) -> list[int]:
    """Return *people* in the order of *tapped*; the others follow in their own order.

    >>> in_tapped_order([1, 2, 3], "3,1,x")
    [3, 1, 2]
    """
    keys = [int(key) for key in tapped.split(",") if key.isdecimal() and len(key) < 19]
    first = [person for person in dict.fromkeys(keys) if person in people]
    return [*first, *(person for person in people if person not in first)]


class TableForm(forms.Form):
    """Who sits down at one more table: tapped of those who are here or of the club, or new."""

    chosen = TapField()
    names = NewPeopleField()

    def __init__(
        self,
        *args: Any,
        here: Sequence[tuple[int, str]],
        others: Sequence[tuple[int, str]],
        teams: bool,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.here, self.others = here, others
        chosen = self.fields["chosen"]
        chosen.label = gettext("Which teams") if teams else gettext("Who sits down")
        chosen.choices = [*here, *others]  # type: ignore[attr-defined]
        if teams:
            del self.fields["names"]
