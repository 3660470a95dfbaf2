"""The four characters on a table's card."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tracker.models import Table
from tracker.seating.queries.cards import table_of_code


class CodeForm(forms.Form):
    """Find a table by the code printed on its card."""

    code = forms.CharField(
        label=_("Table code"),
        help_text=_("The four characters on the table's card; capitals do not matter."),
        max_length=12,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
                "size": 6,
            }
        ),
    )

    table: Table | None = None

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        self.table = table_of_code(code)
        if self.table is None:
            raise forms.ValidationError(
                _("No table has the code %(code)s. Look at its card again."),
                code="code-unknown",
                params={"code": code.upper()},
            )
        return code
