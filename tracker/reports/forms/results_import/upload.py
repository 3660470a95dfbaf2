"""A file of results as it is handed in: from a disk, or pasted."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tracker.common.uploads import text_in
from tracker.reports.forms.results_import.reader import MOST_LINES

MOST_BYTES = 1_000_000


class FileForm(forms.Form):
    """A file of results, or its text; the text also carries a file that was looked at already."""

    file = forms.FileField(
        label=gettext_lazy("CSV or XLSX file"),
        help_text=gettext_lazy("As every spreadsheet can save it; of a workbook, its first sheet."),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,text/csv,.xlsx"}),
    )
    written = forms.CharField(
        label=gettext_lazy("Or paste the lines here"),
        required=False,
        strip=False,
        max_length=MOST_BYTES,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
    )

    text = ""

    def clean_file(self) -> object:
        file = self.cleaned_data["file"]
        if file is None:
            return None
        if (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError(_("This file is too large."), code="file-large")
        try:
            self.text = text_in(file.read(), most_bytes=MOST_BYTES, most_lines=MOST_LINES)
        except ValueError:
            raise forms.ValidationError(
                _("This is no CSV or XLSX file. Save it as one in your spreadsheet first."),
                code="file-kind",
            ) from None
        return file

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        self.text = self.text or cleaned.get("written", "")
        if not self.errors and not self.text.strip():
            self.add_error("file", _("Choose a file, or paste its lines."))
        return cleaned
