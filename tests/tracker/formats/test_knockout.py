"""Knock-outs: six pairs and seven single players, with a level semi-final and a level final."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests import make
from tests.tracker.formats.playing import Eaten, Organiser
from tests.tracker.formats.walking import Walker
from tracker.models import Sitting

pytestmark = pytest.mark.django_db

WON, LOST, EVEN = (70, 50), (50, 70), (60, 60)
ROUND_FULL = "All of this round is in already; there is nothing more to write down."


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A match as it came out: who went on, who did not, and how the page tells it."""

    name: str  # "Semi-final 1"
    winner: str
    loser: str
    says: str


class Cup:
    """A knock-out in which the first in the alphabet is the strongest, page by page."""

    def __init__(self, client: Client, *, singles: bool, entrants: int) -> None:
        self.organiser = organiser = Organiser(client, make.club())
        if singles:
            names = [f"S{number}" for number in range(1, entrants + 1)]
            self.names = [make.player(name, club=organiser.club).name for name in names]
            seated = {
                "format": "each player; partners may change from round to round",
                "mode": "2i",
            }
        else:
            self.names = organiser.make_pairs(entrants)
            seated = {"format": "fixed pairs or teams", "mode": "4t2"}
        organiser.make_tournament(
            **seated, movement="knock-out", third_place="on", length=2, confirm="one"
        )
        organiser.press("Draw round 1", more=self.names)
        self.tournament = organiser.club.tournaments.get()
        self.played: list[Played] = []
        self.shown: list[list[tuple[str, str]]] = []

    def begin(self, number: int) -> dict[str, Walker]:
        """Open the round that is drawn, and return a phone at each table by its match."""
        self.organiser.press(f"Open round {number}")
        links = self.organiser.page.links
        paths = dict.fromkeys(path for path in links.values() if path.startswith("/t/"))
        bracket = Client().get(reverse("bracket", args=[self.tournament.pk])).text
        phones = [Walker(Client(), path) for path in paths]
        return {self._match(phone, bracket): phone for phone in phones}

    def _match(self, phone: Walker, bracket: str) -> str:
        round_ = self.tournament.rounds.latest("number").number
        link = f"?round={round_}&amp;table={table_of(phone)}"
        return bracket.partition(link)[2].partition("</a>")[0].partition(", ")[2].partition("<")[0]

    def play(
        self,
        name: str,
        phone: Walker,
        hands: Sequence[Eaten],
        *,
        first: int = 1,
        total: tuple[int, int] | None = None,
    ) -> None:
        """Write down hands of a match, the first of each being what the stronger ate.

        *total* are the points of the stronger and the weaker, where earlier hands gave some.
        """
        stronger, weaker = sorted(sides(phone))
        for number, (eaten, against) in enumerate(hands, start=first):
            own, others = (eaten, against) if sides(phone)[0] == stronger else (against, eaten)
            phone.press(f"Save hand {number}", eaten_0=own, eaten_1=others)
        won = Counter(eaten > against for eaten, against in hands if eaten != against)
        points = total or (won[True], won[False])
        if points[0] == points[1]:
            return
        score = "–".join(str(each) for each in sorted(points, reverse=True))
        winner, loser = (stronger, weaker) if points[0] > points[1] else (weaker, stronger)
        self.won(Played(name=name, winner=winner, loser=loser, says=f"Won {score}: {winner}"))
        assert f"Won {score}: {winner}" in unescape(phone.text)

    def told_to_play_on(self, phone: Walker, score: str) -> None:
        """See that table, desk, night and bracket say what a level match waits for."""
        says = f"{score}: one more hand decides."
        assert says in phone.go(phone.path)
        assert any(button.startswith("Save hand") for button in phone.page.buttons)
        assert says in self.organiser.go(self.organiser.desk)
        bracket = Client().get(reverse("bracket", args=[self.tournament.pk])).text
        assert "Level: one more decides, or the organiser." in bracket

    def refuses_another(self, phone: Walker) -> bool:
        """Send one hand more from a phone that still shows the sheet; say whether it is refused."""
        sitting = Sitting.objects.get(token=phone.path.split("/")[2])
        before = sitting.hands.count()
        entry = {"entry": str(uuid4()), "number": str(sitting.last_number + 1), "how": "save"}
        answer = phone.client.post(
            sitting.get_absolute_url(), {**entry, "eaten_0": "70", "eaten_1": "50"}
        )
        assert ROUND_FULL in answer.text
        return sitting.hands.count() == before

    def won(self, match: Played) -> None:
        self.played.append(match)

    def end(self, number: int) -> None:
        """Close the round, and compare what everybody reads with what was played."""
        self.organiser.go(self.organiser.desk)
        self.organiser.press(f"Close round {number}")
        self.shown.append(self.ranking())
        assert self.shown[-1] == self.recounted()

    def finish(self, logged: str) -> None:
        """Make it official, and see what every page says of the decision, then and now."""
        final = self.of("Final")
        assert final is not None
        organiser = self.organiser
        assert "Next round" not in organiser.page.buttons
        organiser.press("Publish the standings")
        organiser.press("No objections: make it official")
        assert self.ranking() == self.recounted()
        assert {name for place, name in self.ranking() if place == "1"} == {final.winner}
        for number, then in enumerate(self.shown, start=1):
            assert self.announced(number) == then
        bracket = reverse("bracket", args=[self.tournament.pk])
        assert f"<strong>{final.winner}</strong> won it." in unescape(organiser.go(bracket))
        for path in (bracket, organiser.desk, organiser.standing):
            assert final.says in unescape(organiser.go(path))
        assert logged in unescape(organiser.go(reverse("log", args=[organiser.club.pk])))

    def announced(self, number: int) -> list[tuple[str, str]]:
        """Return what is shown by now as having been announced after a round."""
        rows = []
        for row in self.organiser.announced(number):
            words = row["As it was announced"].partition(",")[0]
            place = words.removeprefix("tied for ").removeprefix("place ")
            name = row.get("Team") or row["Player"]
            rows.append((f"{place}=" if words.startswith("tied") else place, name))
        return sorted(rows)

    def ranking(self, number: int | None = None) -> list[tuple[str, str]]:
        rows = self.organiser.announced(number)
        return sorted((row["Place"], row.get("Team") or row["Player"]) for row in rows)

    def recounted(self) -> list[tuple[str, str]]:
        """Return everybody by the rounds they have come through; nothing of the site is asked."""
        # Of eight places in the bracket the first have byes in the first round.
        depth = {"Quarter-final": 1, "Semi-final": 2, "Final": 3, "Third place": 3}
        merit = dict.fromkeys(self.names, (9,))
        for match in self.played:
            reached = depth[match.name.rstrip(" 1234")]
            if match.name == "Final":
                merit[match.winner], merit[match.loser] = (5,), (4,)
            elif match.name == "Third place":
                merit[match.winner], merit[match.loser] = (3,), (2,)
            else:
                merit[match.loser] = (reached - 3,)
        finalists = {each.winner for each in self.played if each.name.startswith("Semi")}
        thirds = {each.loser for each in self.played if each.name.startswith("Semi")}
        for each in thirds if not self.of("Third place") else ():
            merit[each] = (3,)
        for each in finalists if not self.of("Final") else ():
            merit[each] = (9,)
        places = []
        for name in self.names:
            better = sum(other > merit[name] for other in merit.values())
            level = sum(other == merit[name] for other in merit.values())
            places.append((f"{better + 1}{'=' if level > 1 else ''}", name))
        return sorted(places)

    def of(self, name: str) -> Played | None:
        return next((each for each in self.played if each.name == name), None)


def table_of(phone: Walker) -> str:
    """Return the number of the table that a phone stands at."""
    return phone.text.partition("<h1>Table ")[2].partition("<")[0]


def sides(phone: Walker) -> tuple[str, str]:
    """Return the two sides of a table by the words beside their counts."""
    words = (phone.page.asked[f"id_eaten_{side}"] for side in (0, 1))
    one, other = (label[2:] if " & " in label else label for label in words)  # "A P01 & P02"
    return one, other


def test_six_pairs_with_a_level_semi_final_and_a_level_final(client: Client) -> None:
    cup = Cup(client, singles=False, entrants=6)
    quarters = cup.begin(1)
    assert quarters.keys() == {"Quarter-final 2", "Quarter-final 3"}  # the best two have byes
    cup.play("Quarter-final 2", quarters["Quarter-final 2"], [WON, WON])
    cup.play("Quarter-final 3", quarters["Quarter-final 3"], [WON, EVEN])
    cup.end(1)

    cup.organiser.press("Next round")
    semis = cup.begin(2)
    cup.play("Semi-final 1", semis["Semi-final 1"], [LOST, LOST])
    level = semis["Semi-final 2"]
    cup.play("Semi-final 2", level, [WON, LOST])
    cup.told_to_play_on(level, "1–1")
    assert "Close round 2" in cup.organiser.page.links  # it asks, and does not close
    cup.organiser.follow("Close round 2")
    assert "A knock-out match is level." in cup.organiser.text
    assert not {"Close round 2", "Close round 2 now"} & cup.organiser.page.buttons.keys()
    cup.play("Semi-final 2", level, [EVEN], first=3)
    cup.told_to_play_on(level, "1–1")  # a tie decides nothing
    cup.play("Semi-final 2", level, [LOST], first=4, total=(1, 2))
    assert cup.refuses_another(level)
    cup.end(2)

    cup.organiser.press("Next round")
    last = cup.begin(3)
    cup.play("Third place", last["Third place"], [WON, WON])
    cup.play("Final", last["Final"], [LOST, WON])
    cup.told_to_play_on(last["Final"], "1–1")
    at = table_of(last["Final"])
    one, other = sides(last["Final"])
    cup.organiser.press("Draw lots")
    shown = unescape(last["Final"].go(last["Final"].path))
    winner = next(side for side in (one, other) if f"Won by lot at 1–1: {side}" in shown)
    loser = other if winner == one else one
    says = f"Won by lot at 1–1: {winner}"
    cup.won(Played(name="Final", winner=winner, loser=loser, says=says))
    assert cup.refuses_another(last["Final"])
    cup.end(3)
    cup.finish(f"drew lots at table {at}: {winner} won the level match.")


def test_seven_single_players_with_a_level_semi_final_and_a_level_final(client: Client) -> None:
    cup = Cup(client, singles=True, entrants=7)
    quarters = cup.begin(1)
    assert quarters.keys() == {"Quarter-final 2", "Quarter-final 3", "Quarter-final 4"}
    for name, phone in quarters.items():
        cup.play(name, phone, [WON, WON])
    cup.end(1)

    cup.organiser.press("Next round")
    semis = cup.begin(2)
    cup.play("Semi-final 2", semis["Semi-final 2"], [WON, WON])
    level = semis["Semi-final 1"]
    cup.play("Semi-final 1", level, [EVEN, EVEN])
    cup.told_to_play_on(level, "0–0")
    cup.play("Semi-final 1", level, [LOST], first=3, total=(0, 1))
    cup.end(2)

    cup.organiser.press("Next round")
    last = cup.begin(3)
    cup.play("Third place", last["Third place"], [EVEN, LOST])
    final = last["Final"]
    cup.play("Final", final, [LOST, WON])
    cup.told_to_play_on(final, "1–1")
    stronger, weaker = sorted(sides(final))
    at = table_of(final)
    cup.organiser.press(weaker)
    cup.organiser.follow(next(link for link in cup.organiser.page.links if weaker in link))
    cup.organiser.press("Take this decision back")
    cup.told_to_play_on(final, "1–1")
    cup.organiser.press(weaker)
    says = f"Decided by the organiser at 1–1: {weaker}"
    assert says in unescape(final.go(final.path))
    cup.won(Played(name="Final", winner=weaker, loser=stronger, says=says))
    assert cup.refuses_another(final)
    cup.end(3)
    cup.finish(f"decided the level match at table {at} for {weaker}.")
