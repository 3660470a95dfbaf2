"""Figures (points, shares, averages, places) as text in the reader's language.

A *criterion* is a game's definition of a figure, with its label and its words for an amount of it.
The *unit* of a value is the criterion of which it is an amount.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from django.conf import settings
from django.utils.formats import number_format
from django.utils.translation import get_language, gettext, ngettext

from games.errors import gettext_noop
from games.figures import figure_text, rounded
from games.game import AnyGame
from games.sheet import Criterion

POINTS = gettext_noop("Points")  # the label in games that have no word of their own for points


def figure(value: Fraction | int, *, percent: bool = False, halves: bool = True) -> str:
    """Return a figure as text. If not *halves* (see ``in_halves``), all have two decimals.

    >>> figure(Fraction(9, 2)), figure(Fraction(1, 2)), figure(Fraction(17, 3))
    ('4½', '½', '5.67')
    >>> figure(Fraction(7, 12), percent=True).split()
    ['58.3', '%']
    """
    # Most figures are shown as whole numbers, and need neither the cache nor Django's formatting.
    shown_whole = value.denominator == 1 and halves and not percent
    if shown_whole and not settings.USE_THOUSAND_SEPARATOR:
        return f"−{-value.numerator}" if value < 0 else str(value.numerator)
    return _figure(value.numerator, value.denominator, percent, halves, get_language())


def file_figure(value: Fraction, criterion: Criterion) -> Fraction | Decimal:
    """Return a figure for an exported file, a share as a percentage to one place."""
    return rounded(value * 100, 1) if criterion.percent else value


def file_label(criterion: Criterion) -> str:
    """Return the column heading of a figure in an exported file, with % for a share."""
    label = gettext(criterion.label)
    return gettext("%(figure)s, %%") % {"figure": label} if criterion.percent else label


def in_halves(values: Iterable[Fraction]) -> bool:
    """Return whether all these figures are whole or halves, so that a column can write ½."""
    return all(value.denominator <= 2 for value in values)


@lru_cache(maxsize=4096)  # a page of standings has hundreds of figures, few of them different
def _figure(numerator: int, denominator: int, percent: bool, halves: bool, language: str) -> str:  # noqa: ARG001
    """Return ``figure`` in the current language: *language* is here for the key of the cache."""
    value = Fraction(numerator, denominator)
    if percent:
        return gettext("%(number)s\N{NO-BREAK SPACE}%%") % {"number": decimal(value * 100, 1)}
    return figure_text(value, decimal, halves=halves)


def after_number(unit: Criterion) -> str:
    """Return the name of a figure as it is after its number, such as “won” in “10 won”."""
    if unit.many:  # a text such as "%(number)s won"
        return (gettext(unit.many) % {"number": ""}).strip()
    label = gettext(unit.label)
    return label[:1].lower() + label[1:]


def amount(value: Fraction, criterion: Criterion) -> str:
    """Return a figure with its name, as “1 victory point”, “10 won” or “54.2 % eaten”."""
    if criterion.one:
        return in_unit(value, criterion)
    return f"{figure(value, percent=criterion.percent)} {after_number(criterion)}"


def figures_in_a_row(figures: Mapping[Criterion, Fraction]) -> str:
    """Return figures, each with its name, on one line, as “10 won · 54.2 % eaten”."""
    return " · ".join(amount(value, criterion) for criterion, value in figures.items())


def in_unit(value: Fraction, unit: Criterion) -> str:
    """Return a figure with its *unit*, as in “2 points”.

    >>> from games.sheet import criterion
    >>> in_unit(Fraction(1), criterion("a", "Points")), in_unit(Fraction(2), criterion("b", "Wins"))
    ('1 point', '2 Wins')
    """
    if unit.percent:
        return figure(value, percent=True)
    if unit.one:
        return gettext(unit.one if abs(value) == 1 else unit.many) % {"number": figure(value)}
    template = gettext("%(amount)s %(unit)s")
    if unit.label == POINTS:
        number = 1 if abs(value) == 1 else 2  # a fraction is plural
        template = ngettext("%(amount)s point", "%(amount)s points", number)
    return template % {"amount": figure(value), "unit": gettext(unit.label)}


def signed(value: Fraction, unit: Criterion) -> str:
    """Return an award or penalty with its sign and unit."""
    return ("+" if value > 0 else "") + in_unit(value, unit)


def game_figures(game: AnyGame, sums: Mapping[str, int]) -> tuple[tuple[str, str], ...]:
    """Return a game's points and its other columns as (label, value) pairs, from sums of marks.

    *sums* is keyed by mark: a whole number that a hand gives to a side, such as ``eaten``.
    """
    points, columns = game.usual_points, game.columns(game.default_options())
    return tuple(
        (gettext(column.label), figure(column.value(sums), percent=column.percent))
        for column in (points, *(column for column in columns if column.key != points.key))
    )


def average(value: Fraction) -> str:
    """Return a figure to two places, even if it is whole.

    >>> average(Fraction(5, 7)), average(Fraction(1, 2))
    ('0.71', '0.50')
    """
    return decimal(value, 2)


def placing(place: int, *, tied: bool) -> str:
    """Return a place, with “=” if it is shared.

    >>> placing(3, tied=True), placing(4, tied=False)
    ('3=', '4')
    """
    return gettext("%(place)d=") % {"place": place} if tied else str(place)


def decimal(value: Fraction, places: int) -> str:
    """Return a figure rounded to *places* decimals."""
    return str(number_format(rounded(value, places), places))
