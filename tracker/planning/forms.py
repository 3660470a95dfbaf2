"""What is asked before formats are proposed: how many, how long, which game, from when."""

from datetime import time
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games import catalogue
from tracker.common.fields import CountField
from tracker.planning.logic.proposals import Occasion
from tracker.planning.state import PlanningState
from tracker.tournaments.games import game_cards

MOST_PLAYERS, LONGEST = 120, 720


class PlanForm(forms.Form):
    players = CountField(label=_("How many players?"), most=MOST_PLAYERS)
    minutes = CountField(label=_("How many minutes?"), most=LONGEST, initial=150)
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
        most=LONGEST,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cards = [(card.slug, card.name) for card in game_cards()]
        self.fields["game"].choices = cards  # type: ignore[attr-defined]

    def progress(self) -> PlanningState:
        """Return what was asked, with nothing simulated yet."""
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


def answers_of(progress: PlanningState) -> dict[str, object]:
    """Return what was asked as the form is filled in."""
    asked = progress.occasion
    usual = asked.minutes_each == asked.game.typical.minutes
    return {
        "players": asked.players,
        "minutes": asked.minutes,
        "starts": progress.starts,
        "game": asked.game.slug,
        "minutes_each": None if usual else asked.minutes_each,
    }
