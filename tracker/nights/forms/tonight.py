"""Tonight: what is played, by whom, and how they sit down."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games import catalogue
from games.game import AnyGame
from tracker.common.fields import CountField, NamesField, TapField
from tracker.models import Format, Movement, Tournament
from tracker.people.queries import KnownPlayer
from tracker.tournaments.games import game_cards

FITS = ""  # whatever mode suits so many people


class TonightForm(forms.Form):
    game = forms.ChoiceField(
        label=_("Which game?"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Tap a game.")},
    )
    people = TapField(label=_("Who's here?"))
    # In which order they were tapped, where a script tells; otherwise the order of the list.
    tapped = forms.CharField(required=False, widget=forms.HiddenInput)
    names = NamesField(
        label=_("New names"),
        help_text=_("Not in the club yet? Type them, with commas between."),
        required=False,
        rows=2,
    )
    mode = forms.ChoiceField(label=_("How do people sit?"), required=False)
    format = forms.ChoiceField(
        label=_("Who scores?"),
        choices=[
            (Format.PLAYERS, _("each player")),
            (Format.TEAMS, _("fixed pairs or teams, in the order you tap them")),
        ],
        initial=Format.PLAYERS,
        widget=forms.RadioSelect,
    )
    movement = forms.ChoiceField(
        label=_("Who sits where in the first round?"),
        choices=[
            (Movement.IN_ORDER, _("in the order you tap them")),
            (Movement.BY_LOT, _("by lot")),
        ],
        initial=Movement.IN_ORDER,
        required=False,
    )
    length = CountField(
        label=_("How many hands a round?"),
        help_text=_("Or games, where the game counts those. Leave empty for the usual."),
        required=False,
        most=Tournament.LONGEST_ROUND,
    )

    def __init__(self, *args: Any, players: Sequence[KnownPlayer], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.cards = game_cards()
        self.players = players
        _choose(self, "game", [(card.slug, card.name) for card in self.cards])
        _choose(self, "people", [(player.player_id, player.name) for player in players])
        _choose(self, "mode", [(FITS, gettext("Whatever fits so many people best")), *_modes()])
        if len(self.cards) == 1:
            self.fields["game"].initial = self.cards[0].slug

    def clean_movement(self) -> str:
        return self.cleaned_data["movement"] or Movement.IN_ORDER

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        game, _colon, _code = cleaned.get("mode", "").partition(":")
        if game and cleaned.get("game") and game != cleaned["game"]:
            self.add_error("mode", gettext("That is how another game is played."))
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

    @property
    def folded(self) -> bool:
        """Say whether nothing behind *More* was touched or is amiss."""
        touched = self["mode"].value() or self["length"].value()
        fixed = self["format"].value() == Format.TEAMS
        drawn = self["movement"].value() not in {None, "", Movement.IN_ORDER}
        return not (touched or fixed or drawn or {"mode", "format", "length"} & self.errors.keys())


def in_tapped_order(people: Sequence[int], tapped: str) -> list[int]:
    """Return *people* as they were tapped; those nobody tells of follow in their own order.

    >>> in_tapped_order([1, 2, 3], "3,1,x")
    [3, 1, 2]
    """
    keys = [int(key) for key in tapped.split(",") if key.isdecimal() and len(key) < 19]
    first = [person for person in dict.fromkeys(keys) if person in people]
    return [*first, *(person for person in people if person not in first)]


def _choose(form: forms.Form, field: str, choices: Sequence[Any]) -> None:
    form.fields[field].choices = choices  # type: ignore[attr-defined]


def _modes() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the ways to sit, by game."""
    return [
        (
            gettext(game.name),
            [
                (f"{game.slug}:{mode.code}", gettext(mode.name))
                for mode in game.modes(game.default_options())
            ],
        )
        for game in catalogue.GAMES.values()
    ]
