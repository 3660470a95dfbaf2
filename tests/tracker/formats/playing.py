"""Rounds of pairs, as an organiser and the phones at the tables go through them page by page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from django.test import Client
from django.urls import reverse

from tests import make
from tests.tracker.formats.walking import Walker, standing
from tracker.models import Club, Role

Eaten = tuple[int, int]
Row = tuple[str, str, str]  # place, who, points


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Two sides at a table, and what each ate in every hand."""

    sides: tuple[str, str]
    hands: tuple[Eaten, ...]


class Organiser(Walker):
    """Somebody who runs a tournament of Albastini for fixed pairs, from its first page on."""

    def __init__(self, client: Client, club: Club) -> None:
        client.force_login(make.user(role=Role.ORGANISER, club=club))
        self.club = club
        super().__init__(client, club.get_absolute_url())

    def make_pairs(self, many: int) -> list[str]:
        """Let so many pairs be in the club, and return their names."""
        names = [f"P{number:02d}" for number in range(1, 2 * many + 1)]
        people = [make.player(name, club=self.club) for name in names]
        pairs = zip(people[::2], people[1::2], strict=True)
        return [make.team(*pair).name for pair in pairs]

    def make_tournament(self, **answers: object) -> None:
        self.go(reverse("tournament-new", args=[self.club.pk]) + "?game=albastini")
        self.press("Make the tournament", **{"format": "fixed pairs or teams", **answers})
        self.desk, self.standing = self.page.links["Desk"], self.page.links[self.called]

    @property
    def called(self) -> str:
        """Return what the latest tournament is called, whose page leads to its standing."""
        return self.club.tournaments.latest("pk").name

    def play_round(
        self, number: int, hands: Callable[[str, str], Sequence[Eaten]]
    ) -> tuple[Match, ...]:
        """Open the round that is drawn, let every table report, and close it."""
        self.press(f"Open round {number}")
        tables = dict.fromkeys(path for path in self.page.links.values() if path.startswith("/t/"))
        matches = tuple(_play(Walker(Client(), path), hands) for path in tables)
        self.go(self.desk)
        self.press(f"Close round {number}")
        return matches

    def announced(self, number: int | None = None) -> list[Mapping[str, str]]:
        """Return the standing as everybody sees it now, or after a round."""
        path = self.standing if number is None else f"{self.standing}?round={number}"
        return standing(Client().get(path).text)

    def shown(self, points: str = "Points") -> list[Row]:
        """Return the standing as it is now, in the order of the places as they are written."""
        return sorted((row["Place"], row["Team"], row[points]) for row in self.announced())


def announced(organiser: Organiser, number: int) -> list[Row]:
    """Return what is shown by now as having been announced after a round."""
    rows = []
    for row in organiser.announced(number):
        words = row["As it was announced"]
        place, points = words.removeprefix("tied for ").removeprefix("place ").split(", with ")
        tied = "=" if words.startswith("tied") else ""
        rows.append((f"{place}{tied}", row["Team"], points))
    return sorted(rows)


def _play(phone: Walker, hands: Callable[[str, str], Sequence[Eaten]]) -> Match:
    one, other = (phone.page.asked[f"id_eaten_{side}"][2:] for side in (0, 1))
    played = tuple(hands(one, other))
    for number, (eaten, against) in zip(count(1), played, strict=False):
        phone.press(f"Save hand {number}", eaten_0=eaten, eaten_1=against)
    return Match(sides=(one, other), hands=played)
