"""What is asked before a hand of practice, and the text of a recorded hand."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.game import AnyGame
from tracker.practice.replay_page import LONGEST
from tracker.tournaments.forms.house_rules import HouseRulesForm
from tracker.tournaments.queries.games import usual_mode

_LONGEST_NAME = 20
_CALLED = {
    "beginner": _("Beginners: they know the rules"),
    "steady": _("Steady players, as at most clubs"),
    "strong": _("Strong players: they think before every card"),
}


class PracticeForm(HouseRulesForm):
    """Settings of a practice table: how many play, how strong the bots are, the house rules."""

    mode = forms.ChoiceField(label=_("How many play?"))
    strength = forms.ChoiceField(
        label=_("Who plays with you?"),
        widget=forms.RadioSelect,
    )
    name = forms.CharField(
        label=_("Your name"),
        max_length=_LONGEST_NAME,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "given-name", "autocapitalize": "words"}),
    )

    def __init__(self, game: AnyGame, *args: Any, name: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        usual = game.modes(game.default_options())
        by_house_rule = gettext("%(mode)s: only by a house rule")
        self.fields["mode"].choices = [  # type: ignore[attr-defined]
            (
                mode.code,
                gettext(mode.name)
                if mode in usual
                else by_house_rule % {"mode": gettext(mode.name)},
            )
            for mode in game.all_modes()
        ]
        self.fields["mode"].initial = usual_mode(game).code
        bots, styles = (game.play.bots, game.play.styles) if game.play else ({}, {})
        known = [
            *((bot, label) for bot, label in _CALLED.items() if bot in bots),
            *((bot, gettext(label)) for bot, label in styles.items()),
        ]
        self.fields["strength"].choices = known  # type: ignore[attr-defined]
        self.fields["strength"].initial = known[:2][-1][0]
        self.fields["name"].initial = name[:_LONGEST_NAME]
        self.ask_house_rules(game)

    def called(self) -> str:
        """Return the name of the person who practises."""
        return str(self.cleaned_data["name"] or gettext("Guest"))


class RecordForm(forms.Form):
    """A recorded hand: pasted, or read from a file."""

    text = forms.CharField(
        label=_("Paste the hand"),
        help_text=_(
            "The file is one you downloaded at the end of a practice hand, or got from a game on a computer."
        ),
        max_length=LONGEST,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "autocomplete": "off"}),
    )
    file = forms.FileField(label=_("Or choose its file"), max_length=200, required=False)

    def clean(self) -> dict[str, Any]:
        """Leave the text of the file in ``text``, where one was sent."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        sent: UploadedFile[bytes] | None = cleaned.get("file")
        if sent is not None and (sent.size or 0) > LONGEST:
            self.add_error("file", gettext("This file is too long to be a hand."))
        elif sent is not None:
            try:
                cleaned["text"] = str(sent.read(), "utf-8")
            except UnicodeDecodeError:
                self.add_error("file", gettext("Choose a text file: this is none."))
        if not self.errors and not cleaned.get("text", "").strip():
            self.add_error("text", gettext("Paste a hand here, or choose a file."))
        return cleaned

    def text_sent(self) -> str:
        text: str = self.cleaned_data["text"]
        return text
