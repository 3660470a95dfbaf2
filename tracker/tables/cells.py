"""What the tables have in common: how cells look, and how they are taken away in a file."""

from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext

NUMBER = {"th": {"class": "num"}, "td": {"class": "num"}}
WRAPPED = {"td": {"class": "wrap"}}
STRONG = {"th": {"class": "num"}, "td": {"class": "num strong"}}


def moment(value: datetime) -> str:
    """Return a day and a time of day, as the reader writes them."""
    # A date format of Django's: day, short month, hour and minute.
    return str(date_format(localtime(value), gettext("j M, H:i")))
