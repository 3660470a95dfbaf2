"""Every page that names a dealer, a side, a figure, how far a table is or a place says what is true."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from games import catalogue
from games.game import AnyGame
from games.mode import Mode
from games.option import Options, OptionValue
from tests import make
from tests.drilled import FULL
from tests.tracker.agreeing.evening import NAMES, Evening
from tests.tracker.agreeing.page import csv_rows, opened
from tests.tracker.agreeing.pages import NAMELESS, READERS, addresses, named, told
from tracker.models import Award, AwardKind, AwardRule

# The games whose sheets ``evening`` can write.
GAMES = [catalogue.GAMES[slug] for slug in ("albastini", "briscola", "dalmuti", "mambassa")]


def house_of(game: AnyGame) -> Options:
    """Return the house rules that are all otherwise than in the rule book."""
    return {option.name: _otherwise(option.values, option.default) for option in game.options}


def _otherwise(values: tuple[OptionValue, ...], usual: OptionValue) -> OptionValue:
    return next((value for value in reversed(values) if value != usual), usual)


# The moments that are tried, in their order: all, the first of them, or some from end to end.
ALL: tuple[str, ...] = ()
FIRST = ("after a win", "after a tie", "a hand taken back")
SOME = ("after a win", "a substitute comes", "official")
Case = tuple[str, dict[str, Any], tuple[str, ...]]  # the mode, other terms, the moments


def cases(game: AnyGame) -> Iterator[Case]:
    """Yield every mode, the modes of other house rules, and fixed teams; usually one a game."""
    modes, house = game.modes(game.default_options()), house_of(game)
    there = [mode for mode in game.modes(house) if mode.seats < len(NAMES)]
    for mode in modes if FULL else [_usual(modes)]:
        yield mode.code, {}, ALL if mode == _usual(modes) else SOME
    for mode in there if FULL else [_usual(there)]:
        yield mode.code, {"options": house}, FIRST if mode in modes else SOME
    for mode in modes if FULL else [_usual(modes)]:
        if not mode.individual:
            yield mode.code, {"teams": True}, ALL if FULL and mode == _usual(modes) else FIRST


def _usual(modes: Sequence[Mode]) -> Mode:
    return next((mode for mode in modes if mode.seats == 4), modes[0])


@pytest.mark.django_db
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_every_page_says_what_the_sheets_say(game: AnyGame) -> None:
    wrong: list[str] = []
    spoke: set[str] = set()
    for mode, terms, moments in cases(game):
        with transaction.atomic():  # every evening begins in a site of its own
            evening = Evening(game.slug, mode, **terms)
            for moment in evening.moments():
                if moments and moment not in moments:
                    continue
                for reader, what, said, true in told(evening, moment):
                    spoke.add(reader)
                    if said != true:
                        where = f"{mode} {terms}, {moment}: {reader}, {what}"
                        wrong.append(f"{where}: {said}, and not {true}")
                if moment in moments[-1:]:
                    break
            transaction.set_rollback(True)
    assert not wrong, "\n".join(wrong)
    alone = all(mode.individual for mode in game.modes(game.default_options()))
    assert spoke == {reader.__name__ for reader in READERS} - ({"the_teams"} if alone else set())


def test_every_address_is_read_or_known_to_name_nothing() -> None:
    assert named() | NAMELESS.keys() == addresses()
    assert not named() & NAMELESS.keys()


# A column is written in one way, and a file in numbers --------------------------------------


pytestmark = pytest.mark.django_db


def test_halves_are_decimals_where_an_average_in_their_column_is_a_third(client: Client) -> None:
    tournament = make.tournament("briscola", "4t2", hands=4)
    table = make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament)
    for points in ([60, 60], [70, 50], [70, 50]):
        make.report(table, {"points": points})
    written = {"Asha": "2½", "Juma": "2½", "Baraka": "½", "Neema": "½"}
    assert points_on(client, tournament.get_absolute_url()) == written

    Award.objects.create(
        tournament=tournament,
        entrant=tournament.entrants.get(player__name="Asha"),
        kind=AwardKind.AWARD,
        rule=AwardRule.AVERAGE,
        reason="was called away",
    )

    written = {"Asha": "5.83", "Juma": "2.50", "Baraka": "0.50", "Neema": "0.50"}
    display = reverse("tournament-display", args=[tournament.pk]) + "?sheet=2"
    assert points_on(client, tournament.get_absolute_url()) == written
    assert points_on(client, reverse("club", args=[tournament.club_id])) == written
    assert points_on(client, display) == written
    rows = csv_rows(client, f"{tournament.get_absolute_url()}?_export=csv")
    assert [row["Points"] for row in rows] == ["5.8333", "2.5", "0.5", "0.5"]


def points_on(client: Client, path: str) -> dict[str, str]:
    """Return everybody's points by name, from the page's table of places."""
    rows = opened(client, path).table("Place", "Points")
    return {row.get("Player") or row.get("Name") or row["Who"]: row["Points"] for row in rows}
