"""A written hand: pasted, or read from a file."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tracker.practice.replay_page import LONGEST


class RecordForm(forms.Form):
    text = forms.CharField(
        label=gettext_lazy("The hand, as it is written"),
        max_length=LONGEST,
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "autocomplete": "off"}),
    )
    file = forms.FileField(label=gettext_lazy("Or a file with it"), max_length=200, required=False)

    def clean(self) -> dict[str, Any]:
        """Leave the text of the file in ``text``, where one was sent."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        sent: UploadedFile[bytes] | None = cleaned.get("file")
        if sent is not None:
            cleaned["text"] = self._read(sent)
        if not self.errors and not cleaned.get("text", "").strip():
            self.add_error("text", _("Paste a hand here, or choose a file."))
        return cleaned

    def _read(self, sent: "UploadedFile[bytes]") -> str:
        if (sent.size or 0) > LONGEST:
            self.add_error("file", _("This file is too long for a hand."))
            return ""
        try:
            return str(sent.read(), "utf-8")
        except UnicodeDecodeError:
            self.add_error("file", _("This file is no text."))
            return ""

    def text_sent(self) -> str:
        text: str = self.cleaned_data["text"]
        return text
