"""A season worked out by hand: how much of the room everybody beat, out of 100."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from playwright.sync_api import Page, expect

from tests.browser import wall

LEAST = 4  # who plays in a smaller field gets nothing for it
_TENTH = Fraction(1, 10)


def beaten(places: Mapping[str, int]) -> dict[str, Fraction]:
    """Return what everybody gets: 100 times those behind and half of those level, by the others present."""
    if len(places) < LEAST:
        return {}
    everybody, others = list(places.values()), len(places) - 1

    def worth(place: int) -> Fraction:
        behind = sum(other > place for other in everybody)
        level = everybody.count(place) - 1
        return 100 * Fraction(2 * behind + level, 2 * others)

    return {name: worth(place) for name, place in places.items()}


def evenings(tournaments: Sequence[Mapping[str, int]], without: str) -> dict[str, list[Fraction]]:
    """Return what everybody's tournaments were worth, but those of somebody who is only visiting."""
    scores: dict[str, list[Fraction]] = {}
    for tournament in map(beaten, tournaments):
        for name, worth in tournament.items():
            scores.setdefault(name, []).append(worth)
    return {name: each for name, each in scores.items() if name != without}


def best(count: int, scores: Sequence[Fraction]) -> Fraction:
    return sum(sorted(scores, reverse=True)[:count], Fraction(0))


def average(scores: Sequence[Fraction]) -> Fraction:
    return sum(scores, Fraction(0)) / len(scores)


def expect_standing(
    page: Page, points: Mapping[str, Fraction], played: Mapping[str, int], *, least: int = 1
) -> None:
    """See that the page has these people, in this order, with these points.

    Who has played fewer than *least* comes last, without a place.
    """
    shown = wall.rows(page.get_by_role("table", name="Season standings"))
    ranked = [own for name, own in points.items() if played[name] >= least]
    places = {
        name: f"{1 + sum(other > own for other in ranked)}{'=' * (ranked.count(own) > 1)}"
        if played[name] >= least
        else "–"
        for name, own in points.items()
    }
    assert {row["Player"]: row["Place"] for row in shown} == places
    assert {row["Player"]: int(row["Tournaments"]) for row in shown} == dict(played)
    for row in shown:
        own = points[row["Player"]]
        assert abs(wall.amount(row["Season points"]) - own) <= _TENTH / 2, (row, own)
    listed = [(row["Place"] != "–", points[row["Player"]]) for row in shown]
    assert listed == sorted(listed, reverse=True)


def begin(page: Page, name: str, count: int) -> None:
    """From the club's page, begin a season of everybody's best so many tournaments."""
    _more_of(page, "Seasons")
    page.get_by_label("What is it called?").fill(name)
    page.get_by_role("radio", name="the best tournaments of each player").check()
    page.get_by_label("How many best tournaments count?").fill(str(count))
    page.get_by_role("button", name="Start the season").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def open_page(page: Page, name: str) -> None:
    """From the club's page, go to the standing of a season."""
    _more_of(page, "Seasons")
    page.get_by_role("region", name="All seasons").get_by_role("link", name=name).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def change_rule(page: Page, rule: str, *, least: int | None = None) -> None:
    """On the page of a season, let something else count."""
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("radio", name=rule).check()
    if least is not None:
        page.get_by_label("Fewest tournaments to be placed").fill(str(least))
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Season standings")).to_be_visible()


def _more_of(page: Page, words: str) -> None:
    page.get_by_role("navigation", name="More of this club").get_by_role("link", name=words).click()
