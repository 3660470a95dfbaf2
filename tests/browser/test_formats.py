"""Tournaments of every format, from the draw of the first round to who has won."""

import re
from collections.abc import Sequence

from playwright.sync_api import Locator, Page, StorageState, expect

from tests.browser import club, draws, wall
from tests.browser.draws import DrawnTable, Notebook, OpenTable
from tests.browser.visiting import Visitors

PAIRS = (
    ("Asha", "Baraka"), ("Chausiku", "Daudi"), ("Eshe", "Faraji"), ("Grace", "Hamisi"),
    ("Imani", "Juma"), ("Khadija", "Lulu"), ("Mosi", "Neema"), ("Omari", "Pendo"),
)  # fmt: skip

TWELVE = tuple(name for pair in PAIRS[:6] for name in pair)


def the_stronger_wins(table: OpenTable) -> tuple[int, int]:
    """Let whoever comes first in the alphabet win."""
    return (70, 50) if min(table.people) in table.sides[0] else (50, 70)


def test_eight_pairs_in_swiss(visitors: Visitors, owner: StorageState) -> None:
    page = visitors.laptop(storage_state=owner)
    club.make_club(page, "Swiss Pairs")
    draws.make_tournament(
        page,
        "Swiss Cup",
        movement="Swiss: against whoever has about as many points",
        teams=True,
        planned=3,
    )
    draws.enter_pairs(page, "Swiss Cup", PAIRS)
    met: set[frozenset[frozenset[str]]] = set()
    won = dict.fromkeys(PAIRS, 0)

    for number in range(1, 4):
        drawn = draws.draw_first(page) if number == 1 else draws.draw_next(page, number)
        matches = [_match(table) for table in drawn.tables]
        assert len(matches) == 4
        assert not met & {frozenset(map(frozenset, match)) for match in matches}
        draws.play_round(page, visitors.port, number, drawn, the_stronger_wins)
        for match in matches:
            met.add(frozenset(map(frozenset, match)))
            won[min(match)] += 1

    page.get_by_role("link", name="Standings", exact=True).click()
    shown = wall.standings(page)
    assert {row["Team"]: row["Victory points"] for row in shown} == {
        " & ".join(pair): str(times) for pair, times in won.items()
    }
    assert won["Asha", "Baraka"] == 3
    assert {row["Team"]: row["Place"] for row in shown}["Asha & Baraka"] in {"1", "1="}


def _match(table: DrawnTable) -> tuple[tuple[str, str], tuple[str, str]]:
    side, opponents = (tuple(sorted(side)) for side in table.sides)
    return side, opponents  # type: ignore[return-value]


def test_six_pairs_in_a_knock_out_with_a_third_place(
    visitors: Visitors, owner: StorageState
) -> None:
    page = visitors.laptop(storage_state=owner)
    club.make_club(page, "Knock-out Pairs")
    draws.make_tournament(page, "Knock-out Cup", movement="knock-out", teams=True, third_place=True)
    draws.enter_pairs(page, "Knock-out Cup", PAIRS[:6])
    places: dict[str, str] = {}

    drawn = draws.draw_first(page)
    assert [table.match.split()[0] for table in drawn.tables] == ["Quarter-final"] * 2
    assert len(drawn.resting) == 2  # byes
    draws.play_round(page, visitors.port, 1, drawn, the_stronger_wins)
    places |= dict.fromkeys((_loser(table) for table in drawn.tables), "5=")

    drawn = draws.draw_next(page, 2)
    assert [table.match for table in drawn.tables] == ["Semi-final 1", "Semi-final 2"]
    assert not drawn.resting  # who is out does not rest
    assert {_name(side) for table in drawn.tables for side in table.sides} == {
        name for name in map(" & ".join, PAIRS[:6]) if name not in places
    }
    losers = {_loser(table) for table in drawn.tables}
    draws.play_round(page, visitors.port, 2, drawn, the_stronger_wins)

    drawn = draws.draw_next(page, 3)
    finals = {table.match: table for table in drawn.tables}
    assert finals.keys() == {"Final", "Third place"}
    assert {_name(side) for side in finals["Third place"].sides} == losers
    draws.play_round(page, visitors.port, 3, drawn, the_stronger_wins)
    for place, table in ((1, finals["Final"]), (3, finals["Third place"])):
        places |= {_winner(table): str(place), _loser(table): str(place + 1)}

    assert places["Asha & Baraka"] == "1"
    expect(page.get_by_role("button", name="Next round")).to_have_count(0)
    page.get_by_role("link", name="Standings", exact=True).click()
    assert {row["Team"]: row["Place"] for row in wall.standings(page)} == places


def _name(side: tuple[str, ...]) -> str:
    return " & ".join(sorted(side))


def _winner(table: DrawnTable) -> str:
    return min(map(_name, table.sides))


def _loser(table: DrawnTable) -> str:
    return max(map(_name, table.sides))


def test_qualifying_alone_then_eight_in_chosen_pairs(
    visitors: Visitors, owner: StorageState
) -> None:
    page = visitors.laptop(storage_state=owner)
    club.make_club(page, "Cut to Eight")
    draws.make_tournament(page, "Club Cup", movement="new partners and opponents", planned=2)
    book = Notebook()
    # Of four who come from three tables, two come from the same.
    fewest = "3 pairs of players have met before."
    for number, says in enumerate(("All new opponents.", fewest), start=1):
        drawn = draws.draw_first(page, TWELVE) if number == 1 else draws.draw_next(page, number)
        assert drawn.people == sorted(TWELVE)
        assert drawn.summary == book.says(drawn) == says
        book.write(drawn)
        draws.play_round(page, visitors.port, number, drawn, the_stronger_wins)

    page.get_by_role("link", name="Next stage").click()
    ranked = [row["Player"] for row in _qualifying(page)]
    for name in ranked:  # whoever is level for the last place is left to the organiser
        _tap(page, name).set_checked(name in ranked[:8])
    page.get_by_role("radio", name="fixed pairs or teams").check()
    page.get_by_label("How many rounds?").fill("1")
    page.get_by_role("button", name="Create the stage").click()
    pairs = _choose_partners(page)
    assert sorted(name for pair in pairs for name in pair) == sorted(ranked[:8])
    assert pairs[0] == (ranked[0], ranked[7])
    page.get_by_role("button", name="Begin").click()

    expect(page.get_by_text("is ready.")).to_be_visible()
    page.get_by_role("link", name="Seat round 1").click()
    drawn = draws.draw_first(page)
    assert {side for table in drawn.tables for side in table.sides} == set(pairs)
    draws.play_round(page, visitors.port, 1, drawn, the_stronger_wins)
    page.get_by_role("link", name="Overall").click()
    shown = wall.rows(page.get_by_role("main").get_by_role("table"))
    won = {" & ".join(min(table.sides, key=min)) for table in drawn.tables}
    assert {row["Name"]: row["Place"] for row in shown[:4]} == {
        " & ".join(pair): "1=" if " & ".join(pair) in won else "3=" for pair in pairs
    }
    assert {row["Name"] for row in shown[4:]} == set(ranked[8:])
    assert [row["Ended in"] for row in shown] == ["Final"] * 4 + ["Qualifying"] * 4


def test_free_play_at_a_table_of_four_and_one_of_five(
    visitors: Visitors, owner: StorageState
) -> None:
    page = visitors.laptop(storage_state=owner)
    club.make_club(page, "Free Evenings")
    draws.make_tournament(page, "Free Cup", movement="free play: tables form as people come")
    page.goto(page.url.replace("/draw/", "/desk/"))
    four, five = TWELVE[:4], TWELVE[4:9]

    page.get_by_role("link", name="Seat the first table").click()
    first = _sit_down(page, new=four)
    page.get_by_role("link", name="New table").first.click()
    second = _sit_down(page, new=five)
    assert (first.number, first.people) == (1, frozenset(four))
    assert (second.number, second.people) == (2, frozenset(five))

    draws.report(visitors.port, [first], the_stronger_wins)
    page.reload()
    page.get_by_role("button", name="Close finished tables").click()
    page.get_by_role("link", name="New table").first.click()
    again = _sit_down(page, known=four)
    assert (again.number, again.people) == (1, frozenset(four))
    assert {frozenset(side) for side in again.sides} != {frozenset(side) for side in first.sides}


def _sit_down(page: Page, *, new: Sequence[str] = (), known: Sequence[str] = ()) -> OpenTable:
    """Seat people at one more table, tapped or new by name; return their table."""
    for name in known:
        _tap(page, name).check()
    if new:
        page.get_by_label("New people").fill("\n".join(new))
    page.get_by_role("button", name="Seat them").click()
    expect(page.get_by_text("They play at table ")).to_be_visible()
    people = {*new, *known}
    return next(table for table in draws.open_tables(page) if table.people == people)


def _tap(page: Page, name: str) -> Locator:
    """Return a name to tap, where figures may stand behind it."""
    return page.get_by_role("main").get_by_role("checkbox", name=re.compile(rf"^{name}\b"))


def _choose_partners(page: Page) -> list[tuple[str, ...]]:
    """Let the best choose the last on the list, then the next, until everybody has a partner."""
    for _ in range(4):
        if page.get_by_role("button", name="Begin").count():
            break
        with page.expect_navigation():
            page.locator(".taps button").last.click()
    teams = page.get_by_role("region", name="So far").get_by_role("listitem").all_inner_texts()
    return [tuple(team.split(" & ")) for team in teams]


def _qualifying(page: Page) -> list[wall.Row]:
    """Read the standing in another tab, and stay where we are."""
    other = page.context.new_page()
    other.goto(page.url.partition("stages/")[0])
    rows = wall.standings(other)
    other.close()
    return rows
