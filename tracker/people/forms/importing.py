"""A list of players, as a file or pasted."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tracker.common.uploads import text_in
from tracker.people.services.importing import MOST_LINES

MOST_BYTES = 2_000_000


class ImportForm(forms.Form):
    """A file's list is shown as text, so that it can be put right on the spot."""

    file = forms.FileField(
        label=_("A file"),
        help_text=_("CSV or XLSX, as a spreadsheet saves it."),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.xlsx"}),
    )
    text = forms.CharField(
        label=_("Or the list itself"),
        help_text=_(
            "The first line names the columns: Name, and if you like Nickname, Home club, Season"
            " (yes or no). Paste it from a spreadsheet, or put commas between."
        ),
        max_length=200_000,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocomplete": "off"}),
    )

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if file := given.get("file"):
            try:
                given["text"] = text_in(file.read(), most_bytes=MOST_BYTES, most_lines=MOST_LINES)
            except ValueError:
                self.add_error(
                    "file",
                    _("This file cannot be read. Save the list as CSV or XLSX, up to 2 megabytes."),
                )
            else:
                # A browser does not send the file again; the text stands for it.
                self.data = {"text": given["text"]}
        elif not str(given.get("text", "")).strip() and not self.errors:
            self.add_error("text", _("Choose a file, or paste the list here."))
        return given
