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
Row = tuple[str, str, str]  # place, who, points to two places


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

    def shown(self, points: str = "Victory points") -> list[Row]:
        """Return the standing as it is now, in the order of the places as they are written."""
        rows = self.announced()
        return sorted((row["Place"], row["Team"], to_two_places(row[points])) for row in rows)

    def final_ranking(self) -> list[tuple[str, str]]:
        """Return who came where, as the page of the event says it, in the order of the places."""
        page = Client().get(reverse("final-ranking", args=[self.club.tournaments.latest("pk").pk]))
        return sorted((row["Place"], row["Name"]) for row in standing(page.text))


def announced(organiser: Organiser, number: int) -> list[Row]:
    """Return what is shown by now as having been announced after a round."""
    rows = []
    for row in organiser.announced(number):
        words = row["As it was announced"]
        place, points = words.removeprefix("tied for ").removeprefix("place ").split(", with ")
        tied = "=" if words.startswith("tied") else ""
        rows.append((f"{place}{tied}", row["Team"], to_two_places(points.split()[0])))
    return sorted(rows)


def to_two_places(figure: str) -> str:
    """Return a figure of a page, however its column writes it, to two places.

    >>> to_two_places("4½"), to_two_places("4"), to_two_places("½"), to_two_places("4.25")
    ('4.50', '4.00', '0.50', '4.25')
    """
    return f"{float(figure.replace('½', '.5')):.2f}"


def _play(phone: Walker, hands: Callable[[str, str], Sequence[Eaten]]) -> Match:
    one, other = (phone.page.asked[f"id_eaten_{side}"][2:] for side in (0, 1))
    played = tuple(hands(one, other))
    for number, (eaten, against) in zip(count(1), played, strict=False):
        phone.press(f"Save hand {number}", eaten_0=eaten, eaten_1=against)
    return Match(sides=(one, other), hands=played)
