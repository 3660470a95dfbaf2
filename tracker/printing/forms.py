"""The cards of tables: how many are to be printed."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tracker.common.fields import CountField
from tracker.seating.services.cards import MOST_TABLES


class CardsForm(forms.Form):
    """How many tables are to have cards."""

    tables = CountField(
        label=_("Cards for how many tables?"),
        help_text=_("Print them once for the season: a card lasts until you make a new one."),
        most=MOST_TABLES,
    )
