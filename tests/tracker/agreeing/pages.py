"""What every page says of an evening, beside what is true. Each address stands here, or below.

A reader opens the pages of one or more addresses, and yields what one of them says: a few words
that name it, what was read, and what is true.
"""

import io
import itertools
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Any, TypeAlias
from unittest.mock import patch

from django.core.management import call_command
from django.test import Client
from django.urls import get_resolver, reverse
from PIL.ImageDraw import ImageDraw

from games.game import FirstDealer
from games.sheet import Criterion
from tests.reading import Forms
from tests.tracker.agreeing.evening import NAMES, Evening
from tests.tracker.agreeing.page import Page, csv_rows, opened, xlsx_rows
from tests.tracker.agreeing.pencil import AtTable, Played, Row, in_words, plain
from tracker.common import poster
from tracker.criteria.tie_breaks import DIRECT_ENCOUNTER

Said: TypeAlias = Iterator[tuple[str, object, object]]
Reader: TypeAlias = Callable[["Reading"], Said]
READERS: dict[Reader, tuple[str, ...]] = {}
ANYBODY = re.compile("|".join(NAMES))


class Reading:
    """Somebody who opens the pages of an evening at one moment, and knows what is true."""

    def __init__(self, evening: Evening, moment: str) -> None:
        self.evening, self.moment, self.truth = evening, moment, evening.truth
        self.stranger, self.organiser, self.player = Client(), Client(), Client()
        self.organiser.force_login(evening.organiser)
        self.player.force_login(evening.seated)
        self.official = self.truth.tournament.official_at is not None
        self.open = self.at.round.state == "open"
        # What decides is what the standing says that decides.
        self.standing = self.page("tournament", self.truth.tournament.pk)
        order = "".join(re.findall(r"Ranked by (.+?)\.", self.standing.text))
        labels = [label.removesuffix(" (lowest first)") for label in order.split(", then ")]
        rules, options = self.truth.rules, self.truth.tournament.house_rules
        usual = rules.ranking(options, self.truth.partners_change)
        self.criteria = [self.truth.criterion(label) for label in labels if label] or list(usual)
        self.rows = self.truth.rows(self.criteria)

    @property
    def at(self) -> AtTable:
        return self.truth.table

    @property
    def points(self) -> Criterion:
        return self.criteria[0]

    @property
    def begun(self) -> bool:
        return any(row.hands for row in self.rows)

    def page(self, name: str, *args: object, by: Client | None = None, query: str = "") -> Page:
        return opened(by or self.stranger, reverse(name, args=args) + query)

    def figures(self, criterion: Criterion, rows: Sequence[Row] | None = None) -> dict[str, str]:
        """Return by name a figure as it stands in a column with everybody's."""
        rows = self.rows if rows is None else rows
        written = in_words([row.values[criterion.label] for row in rows], criterion)
        return {row.name: text for row, text in zip(rows, written, strict=True)}

    def placed(self, rows: Sequence[Row] | None = None) -> set[tuple[str, ...]]:
        """Return everybody's place, name and points, as people write them."""
        rows = self.rows if rows is None else rows
        points = self.figures(self.points, rows)
        return {(row.placed, row.name, points[row.name]) for row in rows}


def reads(*names: str) -> Callable[[Reader], Reader]:
    """Register a reader of the pages with these addresses."""

    def register(reader: Reader) -> Reader:
        READERS[reader] = names
        return reader

    return register


# A table ------------------------------------------------------------------------------------------


@reads("table", "card")
def the_table(r: Reading) -> Said:
    """The page on a table's phones, as it is opened and as it answers what was sent."""
    at, card = r.at, r.at.sitting.table
    assert card is not None
    paths = [f"{at.sitting.get_absolute_url()}?hands"]  # the earlier ones, too
    if at.hands and r.open:
        paths.append(f"{paths[0]}&saved={at.hands[-1].number}&as=accepted")
    elif r.open:
        paths = [card.get_absolute_url()]
    for path in paths:
        page = opened(r.stranger, path)
        playing = r.open and not at.finished
        yield "deals", page.all(r"\w+ deals|Draw for the deal"), [at.deals] if playing else []
        leads = [f"{at.people[at.coming_session.leader]} leads"]
        yield "leads", page.all(r"\w+ leads"), leads if playing and at.dealer is not None else []
        where = f"Round {at.round.number} · "
        called = [line for line in page.lines if line.startswith(where)]
        if playing:
            yield "the coming hand", [line.endswith(f" {at.called}") for line in called], [True]
        yield "the next dealer", _next_on(page), at.next_dealers if playing and at.dealer is not None else set()  # fmt: skip
        yield "score", _score(page, at), _true_score(r, at)
        # One that was undone is not among them any more.
        yield from _dealt_on(page, at, until=at.coming)


def _next_on(page: Page) -> set[str | None]:
    """Return who is said to deal after the coming hand."""
    if certain := page.all(r"After this \w+, however it ends (\w+) deals"):
        return set(certain)
    (heading,) = page.all(r"Who deals after this \w+\?") or [None]
    if heading is None:
        return set()
    turns: set[str | None] = set()
    for line in page.lines[page.lines.index(heading) + 1 :]:
        if not re.match(r"If |Whoever ", line):
            break
        told = re.search(rf"(?:wins?|tie|wins|game)\s*({ANYBODY.pattern})$", line)
        turns.add(told[1] if told else None)
    return turns


def _score(page: Page, at: AtTable) -> dict[str, str]:
    """Return what stands beside each side."""
    (head,) = [line for line in page.lines if line.startswith("So far")]
    below = page.lines[page.lines.index(head) + 1 :]
    score = {}
    for line, figure in itertools.pairwise(below):
        name = re.sub(r"^[A-F] ", "", line)
        side = next((each for each in at.sides if name.startswith(each)), None)
        if side is not None and re.fullmatch(r"−?[\d½.]+(\s%)?", figure):
            score[side] = figure
    return score


def _true_score(r: Reading, at: AtTable) -> dict[str, str]:
    leading = r.truth.rules.ranking(at.options, r.truth.partners_change)[0]
    return {
        side: in_words([value], leading)[0]
        for side, value in zip(at.sides, at.score(leading), strict=True)
    }


def _dealt_on(page: Page, at: AtTable, *, until: int = 1000) -> Said:
    """Compare who is said to have dealt each hand, where the page has them all."""
    one = at.rules.unit.numbered % {"number": 0}
    dealt: dict[int, str | None] = {}
    for line, below in zip(page.lines, page.lines[1:], strict=False):
        if hand := re.fullmatch(rf"{one[:-1]}(\d+)(: .+)?", line):
            said = re.search(rf"({ANYBODY.pattern}) dealt$", below)
            if " · " in below:
                dealt[int(hand[1])] = said[1] if said else None
    there = [hand for hand in at.hands if hand.number < until]
    yield "who dealt", dealt, {hand.number: hand.dealt_by for hand in there}


@reads("sitting")
def the_table_of_the_scorer(r: Reading) -> Said:
    page = r.page("sitting", r.at.sitting.pk, by=r.organiser)
    yield "sides", " – ".join(r.at.sides) in page.text, True
    dealers = re.findall(rf"Dealt\s*({ANYBODY.pattern})", page.text)
    yield "dealt", dealers, [hand.dealt_by for hand in r.at.hands if hand.dealt_by is not None]


@reads("hand")
def one_hand(r: Reading) -> Said:
    for hand in r.at.hands[:: max(1, len(r.at.hands) - 1)]:  # the first and the last
        page = r.page("hand", r.at.sitting.pk, hand.number)
        yield "dealt", re.findall(rf"Dealt\s*({ANYBODY.pattern})", page.text), _known(hand)
        sides = " – ".join(r.at.sides_of(hand.people))
        yield "sides", [sides in line for line in page.lines if " – " in line][:1], [True]


def _known(hand: Played) -> list[str]:
    return [] if hand.dealt_by is None else [hand.dealt_by]


@reads("hand-correct", "paper")
def the_scorers_forms(r: Reading) -> Said:
    """The forms that begin with what stands: who dealt, or that nobody knows."""
    for hand in r.at.standing[:1]:
        path = reverse("hand-correct", args=[r.at.sitting.pk, hand.number])
        yield "correct", _dealers_in(r, path), {hand.number: hand.dealer}
    path = reverse("paper", args=[r.at.sitting.pk])
    prefilled = _dealers_in(r, path)
    known = {hand.number: hand.dealer for hand in r.at.standing}
    yield "paper", {n: d for n, d in prefilled.items() if n in known and d is not None}.items() <= known.items(), True  # fmt: skip


def _dealers_in(r: Reading, path: str) -> dict[int, int | None]:
    """Return by number who is chosen as the dealer of a hand."""
    page = r.organiser.get(path).content.decode()
    fields = {key: held for form in Forms(page, path).forms for key, held in form.fields.items()}
    return {
        int(found[1]): int(held[-1]) if held and held[-1] else None
        for key, held in fields.items()
        if (found := re.fullmatch(r"h(\d+)-dealer", key))
    }


@reads("round-undo")
def taking_a_round_back(r: Reading) -> Said:
    if r.open:
        page = r.page("round-undo", r.at.round.pk, by=r.organiser)
        one = r.at.rules.unit.numbered % {"number": 0}
        said = [int(number) for number in page.all(rf"{one[:-1]}(\d+): .+")]
        yield "hands", said, [hand.number for hand in r.at.standing]


@reads("desk", "night")
def the_desks(r: Reading) -> Said:
    """What the organiser has before them, of the tournament and of the night."""
    for name, key in (("desk", r.truth.tournament.pk), ("night", r.evening.night.pk)):
        if name == "night" and r.official:
            continue
        page = r.page(name, key, by=r.organiser)
        tile = _between(page.lines, "Tables", 12)
        playing = r.open and not r.at.finished
        deals = [line for line in tile if re.fullmatch(r"\w+ deals|Draw for the deal", line)]
        yield name, deals, [r.at.deals] if playing else []
        if (running := r.at.running) and playing:
            yield name, [running in line for line in tile].count(True), 1
        else:
            progress = f"{r.at.done}/{r.at.of}"
            yield name, [progress in line.split() for line in tile if "/" in line][:1], [True]
        yield name, " – ".join(r.at.sides) in tile, True
        yield name, "finished" in tile, not playing


def _between(lines: Sequence[str], head: str, many: int) -> Sequence[str]:
    at = lines.index(head)
    return lines[at : at + many]


@reads("tournament-display", "night-display")
def the_displays(r: Reading) -> Said:
    """The faces that the hall sees in turn."""
    for name, key in (
        ("tournament-display", r.truth.tournament.pk),
        ("night-display", r.evening.night.pk),
    ):
        sheets = [r.page(name, key)]
        if many := sheets[0].all(r"1/(\d)"):
            sheets += [r.page(name, key, query=f"?sheet={n}") for n in range(2, int(many[0]) + 1)]
        said = [line for page in sheets for line in page.lines]
        deals = [
            found[1].capitalize() if "raw for" in found[1] else found[1]
            for line in said
            if (found := re.fullmatch(r"(?:Table 1: )?(\w+ deals|[Dd]raw for the deal)", line))
        ]
        playing = r.open and not r.at.finished
        yield name, deals, [r.at.deals] if playing else []
        if playing and r.at.coming > 1:
            coming = [line for line in said if line.startswith(r.at.called)]
            yield name, len(coming), 1
            names = {name for line in coming for name in _next_in(line)}
            known = r.at.next_dealers if r.at.dealer is not None else {None}
            told = known if None not in known and len(known) <= 3 else set()
            yield name, names, told
        elif playing:
            yield name, [side in said for side in r.at.sides], [True] * len(r.at.sides)
        ranked = {
            (row["Place"], row["Who"], _points(row[r.points.label]))
            for page in sheets
            for row in page.table("Place", "Who", r.points.label)
        }
        if ranked:
            yield name, ranked, r.placed()


def _points(cell: str) -> str:
    """Return the points, which stand behind what decided between equal ones."""
    return cell.rpartition(" ")[2]


def _next_in(line: str) -> list[str]:
    _, _, told = line.partition("next: ")
    return ANYBODY.findall(told)


@reads("club", "home")
def the_front(r: Reading) -> Said:
    """The front page of the club, of a stranger and of somebody who sits at the table."""
    for by in (r.stranger, r.player):
        page = r.page("home", by=by)
        if r.official:
            *others, last = winners = [row.name for row in r.rows if row.place == 1]
            joint = " and " if any(" & " in name for name in winners) else " & "
            leaders = joint.join((*filter(None, [", ".join(others)]), last))
            said = re.findall(r"^(?:.+: )?(.+) won$", page.text, re.MULTILINE)
            yield "won", said, [leaders]
            continue
        if r.open:
            tile = _between(page.lines, "Who deals", 4)
            playing = not r.at.finished
            yield "deals", tile[2] if playing else tile[2:3], r.at.deals if playing else ["finished"]  # fmt: skip
            if playing:
                yield "the coming hand", tile[3], r.at.called
        first = {(row["Place"], row["Name"], row[r.points.label]) for row in page.table("Place", "Name", r.points.label)}  # fmt: skip
        if first:
            yield "leads", first <= r.placed() and len(first) == min(5, len(r.rows)), True
    if r.open and not r.at.finished:
        yield from _of_the_seated(r, page)


def _of_the_seated(r: Reading, page: Page) -> Said:
    """Compare what the front page tells Asha of herself."""
    me = NAMES[0]
    if me not in r.at.people:
        return
    own = next((row for row in r.rows if row.name == me), None)
    deals = r.at.dealer is not None and r.at.people[r.at.dealer] == me
    yield "I deal", "you deal now" in page.lines, deals
    if own is not None and r.begun:
        yield "my place", page.all(r"Place (\S+) in the standings"), [own.placed]


# A standing ---------------------------------------------------------------------------------------


@reads("tournament", "tournament-picture", "dealers")
def the_standing(r: Reading) -> Said:
    yield from _standing_on(r, r.standing, r.rows)
    key = r.truth.tournament.pk
    for table in r.truth.tables:
        number = table.round.number
        then = r.page("tournament", key, query=f"?round={number}")
        yield from _standing_on(r, then, r.truth.rows(r.criteria, upto=number))
    path = reverse("tournament", args=[key])
    yield from _standing_in(r, csv_rows(r.stranger, f"{path}?_export=csv"))
    yield from _standing_in(r, xlsx_rows(r.stranger, f"{path}?_export=xlsx"))
    if r.begun:
        lead = [row.name for row in r.rows if row.place == 1]
        told = r"^(?:In the lead: )?(.+?)(?: are tied| won|\. [^:.]+: )"
        said = re.search(told, r.standing.says)
        if len(lead) <= 3:
            yield "in a link", said and _sorted_names(said[1]), _sorted_names(" ".join(lead))
        yield "in a link", r.standing.says.endswith(r.figures(r.points)[lead[0]]), True
        path = reverse("tournament-picture", args=[r.truth.tournament.pk])
        drawn = _drawn_rows(r, path)
        yield "the picture", drawn <= r.placed() and len(drawn) == min(5, len(r.rows)), True
    if r.open:
        for page in (r.standing, r.page("dealers", key)):
            yield from _dealers_on(r, page)


def _sorted_names(words: str) -> list[str]:
    return sorted(ANYBODY.findall(words))


def _standing_on(r: Reading, page: Page, rows: Sequence[Row]) -> Said:
    read = {_name(row): row for row in page.table("Place", r.points.label)}
    if not any(row.hands for row in rows):
        return
    yield "place", {name: row["Place"] for name, row in read.items()}, {row.name: row.placed for row in rows}  # fmt: skip
    for label in rows[0].values:
        if any(label in row for row in read.values()):
            said = {name: row[label] for name, row in read.items()}
            yield label, said, r.figures(r.truth.criterion(label), rows)
    units = r.truth.rules.unit.many.capitalize()
    head = "Played" if units == "Deals" else units
    if r.truth.tournament.format == "players":
        for label, key in ((head, "hands"), ("Dealt first", "opened"), ("Dealt", "dealt")):
            said = {name: row[label] for name, row in read.items()}
            yield label, said, {row.name: str(getattr(row, key)) for row in rows}


def _name(row: Mapping[str, str]) -> str:
    return row.get("Player") or row.get("Team") or ""


def _standing_in(r: Reading, read: Sequence[Mapping[str, Any]]) -> Said:
    """Compare the rows of a file, in which numbers are numbers."""
    for row in r.rows:
        own = next(each for each in read if _name(each) == row.name)
        if r.begun:
            yield f"{row.name} in a file", int(own["Place"]), row.place
        for label, value in row.values.items():
            criterion = r.truth.criterion(label)
            head = f"{label}, %" if criterion.percent else label
            if head in own:
                yield f"{label} in a file", float(own[head]), plain(value, criterion)
        yield "dealt in a file", int(own["Dealt"]), row.dealt


def _drawn_rows(r: Reading, path: str) -> set[tuple[str, ...]]:
    """Return what is written on a picture to share, three words a row."""
    words: list[str] = []
    write = ImageDraw.text

    def listening(pen: ImageDraw, at: Any, text: str, *more: Any, **named: Any) -> Any:
        words.append(text)
        return write(pen, at, text, *more, **named)

    poster.draw_poster.cache_clear()  # one like another is drawn once
    with patch.object(ImageDraw, "text", listening):
        r.stranger.get(path)
    first = next((at for at, word in enumerate(words) if re.fullmatch(r"\d+=?", word)), len(words))
    rows = words[first:]
    starts = [at for at in range(0, len(rows) - 2, 3) if re.fullmatch(r"\d+=?", rows[at])]
    return {tuple(rows[at : at + 3]) for at in starts}


def _dealers_on(r: Reading, page: Page) -> Said:
    (row,) = [row for row in page.table("Table", "Deals") if "Table 1" in row["Table"]]
    if r.at.finished:
        yield "dealers", row["Deals"], "done"
        return
    yield "dealers", row["Deals"], r.at.deals
    yield "the coming hand", row["Table"].removeprefix("Table 1").strip(), r.at.called
    if r.at.dealer is not None:
        told = {name for head, cell in row.items() if "ext" in head for name in _names_last(cell)}
        known = {name for name in r.at.next_dealers if name}
        # Where whoever wins deals, only the others are named.
        each = "Whoever wins" in "".join(row.values())
        yield "next", told <= known if each else told, True if each else known
    deals = {
        _name(each): each["Deals"] for each in r.standing.table("Place", "Deals") if each["Deals"]
    }
    if deals:
        now = {name for name, words in deals.items() if words == "deals, table 1"}
        entrants = {str(stint.entrant) for stint in r.at.at(r.at.coming) if stint.place == r.at.dealer}  # fmt: skip
        yield "deals now", now, entrants


def _names_last(cell: str) -> list[str]:
    """Return whom a cell names as a dealer: after each colon, or at the beginning."""
    told = re.findall(rf": ({ANYBODY.pattern})", cell) or ANYBODY.findall(cell)[:1]
    return [name for name in told if name]


@reads("final-ranking")
def the_final_ranking(r: Reading) -> Said:
    page = r.page("final-ranking", r.truth.tournament.pk)
    said = {(row["Place"], row["Name"]) for row in page.table("Place", "Name")}
    if said:
        yield "places", said, {(row.placed, row.name) for row in r.rows}


@reads("story", "race")
def the_story(r: Reading) -> Said:
    key = r.truth.tournament.pk
    page = r.page("story", key)
    for table in r.truth.tables:
        number = table.round.number
        rows = r.truth.rows(r.criteria, upto=number)
        if table.round.state == "closed" and f"As it was announced after round {number}" in page.text:  # fmt: skip
            shown = [row for table in page.tables for row in table if len(row) == 3]
            yield "announced", r.placed(rows) <= set(map(tuple, shown)), True
        if any(row.hands for row in rows):
            points = r.figures(r.points, rows)
            lead = [row.name for row in rows if row.place == 1]
            section = page.text.rpartition(f"\nRound {number}")[2].partition("\nRound ")[0]
            if told := re.findall(r"lead.*, with (.+?)(?: each)?\.$", section, re.MULTILINE):
                yield "the lead", told[0], points[lead[0]]
    if r.begun and len(r.truth.tables) == 1:
        picture = r.stranger.get(reverse("race", args=[key])).content.decode()
        ends = dict(reversed(each) for each in re.findall(r">([^<\s]+?(?:\s%)?)\s\s(\w+)<", picture))  # fmt: skip
        yield "the race", ends, {n: f for n, f in r.figures(r.points).items() if n in ends}
        (title,) = re.findall(r"<title>(.+?)</title>", picture)
        first = [row.name for row in r.rows if row.place == 1]
        yield "who leads the race", _sorted_names(title), _sorted_names(" ".join(first))


@reads("entrant")
def one_entrant(r: Reading) -> Said:
    keys = {name: key for key, name in r.truth.tournament.entrants.names().items()}
    for row in r.rows[:1] if r.begun else ():
        page = r.page("entrant", r.truth.tournament.pk, keys[row.name])
        yield "place", page.all(r"Place (\d+=?), .*"), [row.placed]


@reads("crosstable")
def who_met_whom(r: Reading) -> Said:
    page = r.page("crosstable", r.truth.tournament.pk)
    read = {_name(row): row for row in page.table("No.", r.points.label)}
    if r.begun:
        for criterion in r.criteria:
            if criterion.key != DIRECT_ENCOUNTER.key and all(
                criterion.label in row for row in read.values()
            ):
                said = {name: row[criterion.label] for name, row in read.items()}
                yield criterion.label, said, r.figures(criterion)


@reads("hands")
def all_hands(r: Reading) -> Said:
    key = r.truth.tournament.pk
    page = r.page("hands", key, query="?per_page=100")
    known = {
        (table.round.number, hand.number): (table, hand)
        for table in r.truth.tables
        for hand in table.hands
    }
    one = r.truth.rules.unit.one.capitalize()
    seen = set()
    for row in page.table(one, "Dealt"):
        found = re.fullmatch(r"\w+ (\d+) Round (\d+), table 1", row[one])
        assert found, row
        table, hand = known[int(found[2]), int(found[1])]
        seen.add((int(found[2]), int(found[1])))
        yield f"{row[one]} dealt", _somebody(row["Dealt"]), hand.dealt_by
        yield f"{row[one]} sides", row["Who played"], " – ".join(table.sides_of(hand.people))
        given = [r.points.value(own) for own in table.of_sides(hand)]
        yield f"{row[one]} points", row[r.points.label], "–".join(in_words(given, r.points))
        yield f"{row[one]} deleted", row["Result"] == "Deleted", hand.struck
    if known:
        yield "hands", seen, set(known)
    path = f"{reverse('hands', args=[key])}?_export="
    true = dict(_sides_in_a_file(r))
    for read in (csv_rows(r.stranger, f"{path}csv"), xlsx_rows(r.stranger, f"{path}xlsx")):
        said = {}
        for row in read:
            at = (int(row["Round"]), int(row[one]), int(row["Side"]))
            players = [row[head] for head in row if head.startswith("Player ") and row[head]]
            rest = {head: row[head] or "" for head in ("Dealer", "State", "Count")}
            figures = {head: row[head] for head in (*true[at][2], "Count") if head in row}
            said[at] = (players, rest["Dealer"], {k: _number(v) for k, v in figures.items()}, rest["State"])  # fmt: skip
        yield "in a file", said, true


def _number(cell: Any) -> float | None:
    return None if cell in {None, ""} else float(cell)


def _sides_in_a_file(r: Reading) -> Iterator[tuple[tuple[int, int, int], Any]]:
    """Yield by round, hand and side its people, the dealer, its figures, and whether it counts."""
    columns = {
        each.label: each
        for each in r.truth.rules.columns_after(r.points, r.truth.tournament.house_rules)
        if not each.percent
    }
    for table in r.truth.tables:
        for hand in table.hands:
            given = table.of_sides(hand)
            counts = next((hand.scored.sheet[key] for key in ("eaten", "points") if key in hand.scored.sheet), None)  # fmt: skip
            for side, seats in enumerate(table.mode.sides):
                figures = {
                    label: plain(each.value(given[side]), each) if given else None
                    for label, each in columns.items()
                }
                if r.truth.rules.slug == "dalmuti":
                    figures["Place"] = float(given[side]["place"]) if given else None
                figures["Count"] = None if counts is None else float(counts[side])
                state = "deleted" if hand.struck else "counts"
                key = (table.round.number, hand.number, side + 1)
                people = [hand.people[seat] for seat in seats]
                yield key, (people, hand.dealt_by or "", figures, state)


def _somebody(cell: str) -> str | None:
    return cell if cell in NAMES else None


# People -------------------------------------------------------------------------------------------


@reads("player", "pair")
def the_careers(r: Reading) -> Said:
    if r.truth.tournament.format != "players":
        return
    points = r.figures(r.points)
    for person in (r.evening.people[0], r.evening.newcomer):
        own = next((row for row in r.rows if row.name == person.name), None)
        if own is None or not own.hands:
            continue
        page = r.page("player", person.pk)
        (row,) = page.table("Tournament", "Place")
        yield f"{person} place", row["Place"].split()[0], own.placed
        if r.points.label in row:
            yield f"{person} points", row[r.points.label], points[person.name]
        # What somebody has in all stands before the tables.
        yield f"{person} dealt", page.all(r"Dealt\s?(\d+)") or [page.after("Dealt")], [str(own.dealt)]  # fmt: skip


@reads("team")
def the_teams(r: Reading) -> Said:
    if r.truth.tournament.format == "players":
        return
    points = r.figures(r.points)
    for entrant in r.truth.tournament.entrants.select_related("team"):
        own = next(row for row in r.rows if row.name == str(entrant))
        if own.hands:
            page = r.page("team", entrant.team_id)
            (row,) = page.table("Tournament", "Place")
            yield f"{entrant} place", row["Place"].split()[0], own.placed
            if r.points.label in row:
                yield f"{entrant} points", row[r.points.label], points[own.name]
            dealt = [int(member["Dealt"]) for member in page.table("Player", "Dealt")]
            yield f"{entrant} dealt", sum(dealt), own.dealt


@reads("my-table")
def my_table(r: Reading) -> Said:
    if r.open and not r.at.finished and NAMES[0] in r.at.people:
        answer = r.player.get(reverse("my-table", args=[r.evening.club.pk]))
        yield "leads to", answer.headers.get("Location"), r.at.sitting.get_absolute_url()


@reads("why", "schedule")
def the_draw(r: Reading) -> Said:
    """How a round was drawn, which says who deals first unless the cards do."""
    page = r.page("why", r.truth.tournament.pk, r.at.round.number)
    if "new table" in r.moment:
        before = [a for a, b in itertools.pairwise(page.lines) if b == "deals first"]
        planned = r.truth.rules.first_dealer is not FirstDealer.DRAWN
        opens = {str(stint.entrant) for stint in r.at.stints if stint.place == r.at.dealer}
        yield "deals first", set(before), opens if planned else set()
    table = r.page("schedule", r.truth.tournament.pk).table("Who", str(r.at.round.number))
    if not r.official:
        yield "table", {row[str(r.at.round.number)] for row in table if _played_in(r, row["Who"])}, {"1"}  # fmt: skip


def _played_in(r: Reading, name: str) -> bool:
    return name in {str(stint.entrant) for stint in r.at.stints}


@reads("log")
def the_log(r: Reading) -> Said:
    page = r.page("log", r.evening.club.pk, by=r.organiser, query="?table=1&per_page=100")
    said = re.findall(rf"chose ({ANYBODY.pattern}) to deal next", page.text)
    yield "chosen", said, [r.truth.tables[at].people_at(number)[place] for at, number, place in r.evening.chosen]  # fmt: skip
    one = r.truth.rules.unit.numbered.lower() % {"number": 0}
    sent = re.findall(rf"wrote down {one[:-1]}(\d+)", page.text)
    yield "written down", sorted(map(int, sent)), sorted(r.evening.written_down)  # fmt: skip


@reads("season", "seasons", "season-picture")
def the_season(r: Reading) -> Said:
    page = r.page("season", r.evening.season.pk)
    said = {row["Player"]: row["Place"] for row in page.table("Place", "Player", "Season points")}
    played = [row for row in r.rows if row.hands]
    counts = r.official and len(played) >= 4 and r.truth.tournament.format == "players"
    if not r.official or counts:
        yield "places", said, {row.name: row.placed for row in played} if counts else {}
    if counts:
        drawn = _drawn_rows(r, reverse("season-picture", args=[r.evening.season.pk]))
        yield "picture", {(name, place) for place, name, *_ in drawn} <= said.items(), True


# On paper and in files ----------------------------------------------------------------------------


@reads("print-seats", "print-sheets", "round-seats")
def the_prints(r: Reading) -> Said:
    seats = r.page("print-seats", r.at.round.pk, by=r.organiser)
    around = [line for line in seats.lines if line.startswith("Around the table")]
    yield "seats", around, [f"Around the table: {', '.join(r.at.people)}"]
    papers = r.page("print-sheets", r.at.round.pk, by=r.organiser)
    yield "score sheet", [side in papers.text for side in r.at.sides], [True] * len(r.at.sides)


@reads("print-results")
def the_results(r: Reading) -> Said:
    """The sheet of the night, and the first three on its page and where prizes are settled."""
    if not r.official:
        return
    night, own = r.evening.night.pk, r.truth.tournament.pk
    for name, key in (("print-results", night), ("night", night), ("prizes", own)):
        rows = r.page(name, key, by=r.organiser).table("Place", "Name", r.points.label)
        said = {(row["Place"], row["Name"], _points(row[r.points.label])) for row in rows}
        yield name, said <= r.placed() and len(said) >= min(3, len(r.rows)), True


@reads("round-close")
def closing(r: Reading) -> Said:
    if r.open:
        page = r.page("round-close", r.at.round.pk, by=r.organiser)
        missing = r.at.running or f"{r.at.done} of {r.at.of} are in"
        yield "missing", missing in page.text, not r.at.finished


@reads("tournament-file")
def the_file_of_the_tournament(r: Reading) -> Said:
    answer = r.organiser.get(reverse("tournament-file", args=[r.truth.tournament.pk]))
    with zipfile.ZipFile(io.BytesIO(answer.getvalue())) as packed:
        (text,) = [packed.read(name) for name in packed.namelist() if name == "tournament.json"]
    (stage,) = json.loads(text)["stages"]
    said = {
        (round_["number"], hand["number"]): (hand["dealer"], hand["struck_at"] is not None)
        for round_ in stage["rounds"]
        for table in round_["tables"]
        for hand in table["hands"]
    }
    true = {
        (table.round.number, hand.number): (hand.dealer, hand.struck)
        for table in r.truth.tables
        for hand in table.hands
    }
    yield "hands", said, true


@reads()
def the_terminal(r: Reading) -> Said:
    """What ``manage.py standings`` prints, for people and for programs."""

    def printed(form: str) -> str:
        out = StringIO()
        call_command("standings", str(r.truth.tournament.pk), format=form, stdout=out)
        return out.getvalue()

    heads, *lines = [re.split(r"\s{2,}", line.strip()) for line in printed("table").splitlines()]
    if r.begun:
        figures = {line[1]: line[heads.index(r.points.label)] for line in lines}
        if not r.points.percent:
            yield "a table", figures, r.figures(r.points)
    told = {row["name"]: row[r.points.key] for row in json.loads(printed("json"))}
    if not r.points.percent:
        true = {row.name: plain(row.values[r.points.label], r.points) for row in r.rows}
        yield "JSON", told, true


@reads()
def the_api(r: Reading) -> Said:
    """What programs are answered: the table, everybody's place, every hand, and who deals."""

    def answered(path: str) -> Any:
        return r.stranger.get(f"/api/v1{path}").json()

    at, path = r.at, f"/tournaments/{r.truth.tournament.pk}"
    table = answered(f"/tables/{at.sitting.pk}")
    playing = r.open and not at.finished
    yield "deals", table["dealer_sentence"], at.deals
    yield "dealer", (table["dealer_place"], table["dealer"]), _placed_dealer(at)
    yield "people", [seat["name"] for seat in table["seats"]], [*at.people]
    sides = [[seat["place"] for seat in table["seats"] if seat["side"] == side] for side in range(len(at.mode.sides))]  # fmt: skip
    yield "sides", sides, [sorted(side) for side in at.mode.sides]
    yield "coming", table["coming_number"], at.coming
    yield "turns", {turn["dealer"] for turn in table["turns"]}, at.next_dealers
    yield (
        "progress",
        (table["progress"]["done"], table["done"]),
        (at.done, at.finished or not r.open),
    )
    yield "open", table["takes_reports"], r.open
    asked = [question["name"] for question in table["questions"]]
    yield "questions", asked, [each.name for each in at.rules.questions(at.coming_session)]
    of_round = answered(f"/rounds/{at.round.pk}")
    same = {name: table[name] for name in of_round["tables"][0]}
    yield "the round", (of_round["state"], of_round["tables"]), (at.round.state, [same])
    dealers = answered(f"{path}/dealers")
    yield "dealers", dealers["tables"], [same] if r.open else []
    now = {deals["entrant_id"] for deals in dealers["entrants"] if deals["when"] == "now"}
    dealing = [] if at.dealer is None or not playing else [at.at(at.coming)[at.dealer].entrant_id]
    yield "deals now", now, set(dealing)
    standing = answered(f"{path}/standings")
    if r.begun:
        all_in = "All results are in." in r.standing.text
        yield "all results", (standing["complete"], standing["missing"] == ""), (all_in, True)
    yield from _answered_standing(standing, r, r.rows)
    for one in r.truth.tables:
        if one.round.state == "closed":
            then = answered(f"{path}/standings?round={one.round.number}")
            yield from _answered_standing(then, r, r.truth.rows(r.criteria, upto=one.round.number))
    said = {
        (hand["round_number"], hand["number"], side["side"] + 1): (
            [player["name"] for player in side["players"]],
            hand["dealer"] or "",
            {**side["figures"], "Place": side["place"]},
            hand["state"],
        )
        for hand in answered(f"{path}/hands?limit=100")["items"]
        for side in hand["sides"]
    }
    columns = r.truth.rules.columns_after(r.points, r.truth.tournament.house_rules)
    heads = {**{each.label: each.key for each in columns}, "Place": "Place"}
    true = {
        key: (
            people,
            dealt,
            {
                heads[head]: value
                for head, value in figures.items()
                if head in heads and value is not None
            },
            state,
        )
        for key, (people, dealt, figures, state) in _sides_in_a_file(r)
    }
    shown = {
        key: (
            *head,
            {name: round(value, 4) for name, value in figures.items() if name in true[key][2]},
            state,
        )
        for key, (*head, figures, state) in said.items()
    }
    yield "hands", shown, true


def _placed_dealer(at: AtTable) -> tuple[int | None, str | None]:
    return at.dealer, None if at.dealer is None else at.people[at.dealer]


def _answered_standing(standing: Any, r: Reading, rows: Sequence[Row]) -> Said:
    """Compare the rows of a standing that a program is answered."""
    told = {row["name"]: row for row in standing["rows"]}
    if not any(row.hands for row in rows):
        return
    yield "ranked by", [each["label"] for each in standing["criteria"]], [each.label for each in r.criteria]  # fmt: skip
    figures = r.figures(r.points, rows)
    for row in rows:
        own = told[row.name]
        said = (own["place"], own["tied"], own["text"], own["hands"], own["opened"], own["dealt"])
        true = (row.place, row.tied, figures[row.name], row.hands, row.opened, row.dealt)
        if r.truth.tournament.format == "players":
            yield f"{row.name} in a standing", said, true
        for label, value in row.values.items():
            criterion = r.truth.criterion(label)
            if criterion.key in own["figures"]:
                figure = round(own["figures"][criterion.key], 4)
                yield f"{label} of {row.name}", figure, plain(value, criterion)


# What names nothing of the kind, and why ----------------------------------------------------------

_FORM = "a form: what is in it is what somebody is about to say"
_ACT = "an act: it leads back to a page that is read here"
_WHO = "who is a member, a player or here, and nothing of any table"
_CODE = "a code to be scanned"
NAMELESS: Mapping[str, str] = {
    **dict.fromkeys([
        "account", "api-tokens", "awards", "card-code", "claim", "club-edit", "club-new", "draw",
        "enter-result-type", "enter-wins", "entrants", "issue", "join", "night-door",
        "night-edit", "night-new", "night-people", "official", "paper-file", "password",
        "password-new", "plan", "player-edit", "player-erase", "player-merge",
        "players-import", "prizes", "ranked-by", "season-edit", "sign-in", "stage-new",
        "table-new", "team-edit", "tonight", "tournament-edit", "tournament-import",
        "tournament-look", "tournament-new", "wishes",
    ], _FORM),
    **dict.fromkeys([
        "delivery-again", "first-owner", "import-undo", "invitation-withdraw", "match-decide",
        "merge-undo", "player-login", "sign-out", "sitting-confirm", "table-call", "table-check",
        "table-confirm", "table-dealer", "table-next", "table-query", "table-settle",
        "table-side", "table-take-back", "webhook-withdraw",
    ], _ACT),
    **dict.fromkeys([
        "club-calendar", "door", "duplicates", "member", "members", "night-calendar", "night-rsvp",
        "nights", "player-calendar", "players", "search", "teams", "tournaments",
    ], _WHO),
    **dict.fromkeys([
        "card-qr", "door-qr", "invitation-qr", "my-table-qr", "print-cards", "table-keys",
    ], _CODE),
    **dict.fromkeys(["copies", "copy", "copy-file", "keeping"], "how the site fares"),
    "webhooks": "what other programs were told, which names no result",
    **dict.fromkeys(["guide", "how-to-play", "referee", "rules"], "the rules, of any table"),
    "api-tokens": "which programs may ask",
    **dict.fromkeys(["practice", "practice-game", "replay", "hand-record"], "a hand card by card"),
    **dict.fromkeys(["manifest", "no-network", "worker"], "the site as an app"),
    **dict.fromkeys(["print-blank", "print-rounds"], "the draw, before anything is played"),
    "api-docs": "what programs can ask for, of any table",
    "bracket": "matches, of which one table has none",
}  # fmt: skip


def addresses() -> set[str]:
    """Return the names of all addresses of the site."""
    return {name for name in get_resolver().reverse_dict if isinstance(name, str)}


def named() -> set[str]:
    """Return the addresses that some reader opens."""
    return {name for names in READERS.values() for name in names}


def told(evening: Evening, moment: str) -> Iterator[tuple[str, str, object, object]]:
    """Yield all that the pages say at this moment: which, of what, and what is true."""
    reading = Reading(evening, moment)
    for reader in READERS:
        for what, said, true in reader(reading):
            yield reader.__name__, what, said, true
