"""Dalmuti with a table of another size from round 2 on: what decides is chosen, said and kept."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from tests import make
from tests.tracker.formats.playing import Organiser, to_two_places
from tests.tracker.formats.walking import Walker

pytestmark = pytest.mark.django_db

NAMES = [f"P{number}" for number in range(1, 10)]
GAMES = 2
Game = Sequence[str]  # who went out, the first one first
Row = tuple[str, str, str]


class Night(Organiser):
    """Nine people at tables of four and five."""

    def __init__(self, client: Client) -> None:
        super().__init__(client, make.club())
        for name in NAMES:
            make.player(name, club=self.club)
        self.dice = Random(3)
        self.games: list[list[Game]] = []  # of each round

    def begin(self) -> None:
        self.go(reverse("tournament-new", args=[self.club.pk]) + "?game=dalmuti")
        self.press("Make the tournament", mode="4i", length=GAMES)
        self.desk, self.standing = self.page.links["Desk"], self.page.links[self.called]
        self.press("Draw round 1", more=NAMES[:8])

    def play(self) -> None:
        """Open the round that is drawn, let every table write down its games, and close it."""
        number = len(self.games) + 1
        self.press(f"Open round {number}")
        tables = dict.fromkeys(path for path in self.page.links.values() if path.startswith("/t/"))
        self.games.append([game for path in tables for game in self._games(path)])
        self.go(self.desk)
        self.press(f"Close round {number}")

    def _games(self, path: str) -> Sequence[Game]:
        phone, games = Walker(Client(), path), []
        for number in range(1, GAMES + 1):
            asked = phone.page.asked.items()
            fields = {name: key[3:] for key, name in asked if key.startswith("id_order")}
            order = self.dice.sample(sorted(fields), len(fields))
            places = {fields[name]: place for place, name in enumerate(order, start=1)}
            phone.press(f"Save game {number}", **places)
            games.append(order)
        return games

    def rows(self, points: str, number: int | None = None) -> list[Row]:
        return sorted(
            (row["Place"], row["Player"], figure(row[points])) for row in self.announced(number)
        )

    def recounted(self, *, by_share: bool) -> list[Row]:
        """Return who stands where with what: nothing of the site is asked for it."""
        points: Counter[str] = Counter()
        shares: dict[str, list[Fraction]] = defaultdict(list)
        first: Counter[str] = Counter()
        last: Counter[str] = Counter()
        latest: Counter[str] = Counter()
        for games in self.games:
            round_latest: dict[str, int] = {}
            for game in games:
                first[game[0]] += 1
                last[game[-1]] += 1
                for place, name in enumerate(game, start=1):
                    points[name] += len(game) - place
                    shares[name].append(Fraction(len(game) - place, len(game) - 1))
                    round_latest[name] = place
            latest.update(round_latest)
        there = [
            name for name in NAMES if shares[name] or (name == NAMES[8] and len(self.games) > 1)
        ]
        figures = {
            name: sum(shares[name], Fraction(0)) / max(1, len(shares[name]))
            if by_share
            else Fraction(points[name])
            for name in there
        }
        merits = {name: (figures[name], first[name], -last[name], -latest[name]) for name in there}
        level = Counter(merits.values())

        def row(name: str) -> Row:
            place = 1 + sum(merits[other] > merits[name] for other in there)
            shown = f"{float(points[name]):.2f}"
            if by_share:
                shown = f"{float(round(figures[name] * 100, 1)):.1f} %"
            return f"{place}{'=' if level[merits[name]] > 1 else ''}", name, shown

        return sorted(map(row, there))


def figure(shown: str) -> str:
    return shown.replace("\N{NO-BREAK SPACE}", " ") if "%" in shown else to_two_places(shown)


def test_odd_tables_from_the_second_round_on_leave_the_first_as_it_was(client: Client) -> None:
    night = Night(client)
    night.begin()
    assert "The standings go by" not in night.text  # points suit two tables of four
    night.play()
    shown = [night.rows("Points")]
    assert shown == [night.recounted(by_share=False)]

    # A ninth player makes one table larger: that is said, and what decides stays what it is.
    night.go(night.desk)
    night.press("Next round")
    odd = {"odd_tables": "sits at an odd-sized table, in turn"}
    night.press("Draw round 2 like this", more=[NAMES[8]], **odd)
    assert "The standings go by Points, and tables are not all of one size." in night.text
    draw = night.path
    night.follow("Change what decides")
    night.press("Preview the change", ranked_by="share")
    assert "The standings would go by Beaten, not by Points" in night.text
    night.press("Change it")
    night.go(draw)
    assert "The standings go by" not in night.text
    night.play()
    shown.append(night.rows("Beaten"))
    assert shown[1] == night.recounted(by_share=True)
    night.press("Next round")
    if "Draw round 3" in night.page.buttons:
        night.press("Draw round 3")
    night.play()
    shown.append(night.rows("Beaten"))
    assert shown[2] == night.recounted(by_share=True)
    assert [Counter(map(len, games)) for games in night.games[1:]] == [{4: 2, 5: 2}] * 2
    # What is shown can be worked out from what is shown.
    for row in night.announced():
        share = float(row["Shares"].replace("½", ".5")) / int(row["Games"])
        assert abs(100 * share - float(row["Beaten"].split()[0])) < 0.3, row

    night.go(night.desk)
    night.press("Finish and publish")
    night.press("No objections: make it official")
    assert night.rows("Beaten") == shown[2]
    for number, (then, points) in enumerate(
        zip(shown, ("Points", "Beaten", "Beaten"), strict=True), start=1
    ):
        assert night.rows(points, number) == then
        assert [row[:2] for row in announced_rows(night, number)] == [row[:2] for row in then]
        text = Client().get(f"{night.standing}?round={number}").text
        assert "nothing was corrected since" in text
    log = night.go(reverse("log", args=[night.club.pk]))
    assert "by Beaten, then Dalmuti" in log


def announced_rows(night: Night, number: int) -> list[Row]:
    rows = []
    for row in night.announced(number):
        words = row["As it was announced"]
        place, points = words.removeprefix("tied for ").removeprefix("place ").split(", with ")
        rows.append((f"{place}{'=' if words.startswith('tied') else ''}", row["Player"], points))
        assert points == row["Beaten" if number > 1 else "Points"]
    return sorted(rows)
