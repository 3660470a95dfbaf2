"""What is true of an evening, worked out from its sheets by the rules of the game alone."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, groupby
from typing import Any, TypeAlias

from games.game import AnyGame, FirstDealer, Session
from games.mode import Mode
from games.option import Options
from games.sheet import Criterion, Scored, Sheet, side_marks
from tracker.criteria.tie_breaks import DIRECT_ENCOUNTER
from tracker.models import Round, RoundState, Seat, Sitting, Tournament

Sums: TypeAlias = Mapping[str, Counter[str]]  # by name, by mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A sheet as it was sent, and who dealt it: ``None`` where nobody knows."""

    number: int
    sheet: Sheet
    dealer: int | None
    struck: bool = False


@dataclass(slots=True)
class Book:
    """The sheets of one table, and the dealer that it chose for the coming hand, if any."""

    round_number: int
    first_dealer: int
    sheets: list[Written] = field(default_factory=list)
    chosen: int | None = None

    def strike(self, number: int) -> None:
        self.sheets[number - 1] = replace(self.sheets[number - 1], struck=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A hand as it counts; without marks it gives nobody anything."""

    number: int
    struck: bool
    dealer: int | None
    before: Session
    scored: Scored[Any]
    people: tuple[str, ...]  # by place

    @property
    def marks(self) -> Sequence[Mapping[str, int]] | None:
        return None if self.struck else self.scored.marks

    @property
    def dealt_by(self) -> str | None:
        return None if self.dealer is None else self.people[self.dealer]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Where somebody stands, and with what."""

    name: str
    place: int
    tied: bool
    values: Mapping[str, Fraction]  # by the label of a figure
    hands: int
    opened: int
    dealt: int

    @property
    def placed(self) -> str:
        return f"{self.place}=" if self.tied else str(self.place)


class AtTable:
    """One table as its sheets leave it."""

    def __init__(self, book: Book, sitting: Sitting, rules: AnyGame, before: list[Any]) -> None:
        self.book, self.sitting, self.rules = book, sitting, rules
        self.round = sitting.round
        self.options: Options = rules.resume_options(sitting.options)
        self.mode: Mode = rules.mode(sitting.mode, self.options)
        self.stints = list(
            Seat.objects.filter(sitting=sitting).select_related(
                "player", "entrant__player", "entrant__team"
            )
        )
        self.session: Session = rules.open_session(
            self.mode, self.options, book.first_dealer, before
        )
        self.hands = list(self._fold())

    def _fold(self) -> Iterator[Played]:
        for written in self.book.sheets:
            known = {} if written.dealer is None else {"dealer": written.dealer}
            before = self.session
            scored = self.rules.add_sheet(before, {**written.sheet, **known})
            if not written.struck:
                self.session = scored.session
            yield Played(
                number=written.number,
                struck=written.struck,
                dealer=written.dealer,
                before=before,
                scored=scored,
                people=self.people_at(written.number),
            )

    def at(self, number: int) -> list[Seat]:
        """Return the stints that a hand lies in, by place."""
        there = [
            stint
            for stint in self.stints
            if stint.from_hand <= number <= (number if stint.to_hand is None else stint.to_hand)
        ]
        return sorted(there, key=lambda stint: stint.place)

    def people_at(self, number: int) -> tuple[str, ...]:
        return tuple(stint.player.name for stint in self.at(number))

    # The coming hand --------------------------------------------------------------------------

    @property
    def coming(self) -> int:
        """Return the number of the next hand; an undone last hand frees its number."""
        return max((hand.number for hand in self.standing), default=0) + 1

    @property
    def people(self) -> tuple[str, ...]:
        """Return by place who plays the coming hand."""
        return self.people_at(self.coming)

    @property
    def sides(self) -> tuple[str, ...]:
        return self.sides_of(self.people)

    def sides_of(self, people: Sequence[str]) -> tuple[str, ...]:
        return tuple(together([people[seat] for seat in side]) for side in self.mode.sides)

    @property
    def standing(self) -> list[Played]:
        return [hand for hand in self.hands if not hand.struck]

    @property
    def dealer(self) -> int | None:
        """Return who deals the coming hand; ``None`` while the cards are to decide it."""
        if self.book.chosen is not None:
            return self.book.chosen
        drawn = self.rules.first_dealer is FirstDealer.DRAWN and not self.standing
        return None if drawn else self.session.dealer

    @property
    def deals(self) -> str:
        """Return what people are told of the coming deal."""
        return "Draw for the deal" if self.dealer is None else f"{self.people[self.dealer]} deals"

    @property
    def coming_session(self) -> Session:
        if self.book.chosen is None:
            return self.session
        return replace(self.session, dealer=self.book.chosen)  # type: ignore[type-var]

    @property
    def next_dealers(self) -> set[str | None]:
        """Return who may deal after the coming hand; nothing known is ``None``."""
        forecast = self.rules.forecast(self.coming_session)
        return {None if each.dealer is None else self.people[each.dealer] for each in forecast}

    # How far it is ----------------------------------------------------------------------------

    @property
    def done(self) -> int:
        if self.round.games is None:
            return len(self.standing)
        return sum(hand.scored.ends_game for hand in self.standing)

    @property
    def of(self) -> int | None:
        return self.round.hands if self.round.games is None else self.round.games

    @property
    def finished(self) -> bool:
        return self.of is not None and self.done >= self.of

    @property
    def running(self) -> str:
        """Return which deal of the running game comes, where a round counts games."""
        return "" if self.round.games is None else self.called

    @property
    def called(self) -> str:
        """Return what the coming hand is called, and of how many it is one where that is true."""
        unit, of = self.rules.unit, self.round.hands
        if of is None or self.coming > of:
            return unit.numbered % {"number": self.coming}
        return unit.numbered_of % {"number": self.coming, "all": of}

    def score(self, criterion: Criterion) -> list[Fraction]:
        """Return what each side has gathered at this table."""
        sums: list[Counter[str]] = [Counter() for _ in self.mode.sides]
        for hand in self.hands:
            for side, own in enumerate(self.of_sides(hand)):
                sums[side].update(own)
        return [criterion.value(own) for own in sums]

    def of_sides(self, hand: Played) -> list[dict[str, int]]:
        if hand.marks is None:
            return []
        return [side_marks(hand.marks, side, self.rules.seat_scoped) for side in self.mode.sides]


class Truth:
    """A tournament as its sheets leave it, with one table in each of its rounds."""

    def __init__(self, tournament: Tournament, books: Sequence[Book]) -> None:
        self.tournament, self.rules = tournament, tournament.rules
        self.tables: list[AtTable] = []
        rounds = Round.objects.filter(tournament=tournament).exclude(state=RoundState.UNDONE)
        for book, round_ in zip(books, rounds.order_by("number"), strict=True):
            sitting = Sitting.objects.select_related("round").get(round=round_)
            self.tables.append(AtTable(book, sitting, self.rules, self._dealt_before(sitting)))

    @property
    def table(self) -> AtTable:
        """Return the table of the last round."""
        return self.tables[-1]

    def _dealt_before(self, sitting: Sitting) -> list[int | None]:
        """Return by place how long ago everybody dealt at the tables before: below 0, later is more."""
        dealt: dict[str, tuple[int, int]] = {}
        for table in self.tables:
            for hand in table.standing:
                if hand.dealt_by is not None:
                    dealt[hand.dealt_by] = (table.round.number, hand.number)
        opening = Seat.objects.filter(sitting=sitting, from_hand=1).order_by("place")
        last = [dealt.get(seat.player.name) for seat in opening.select_related("player")]
        moments = sorted({moment for moment in last if moment})
        return [moments.index(moment) - len(moments) if moment else None for moment in last]

    @cached_property
    def partners_change(self) -> bool:
        return self.tournament.format == "players" and not self.table.mode.individual

    def rows(self, criteria: Sequence[Criterion], upto: int | None = None) -> list[Row]:
        """Return the standing by these criteria, after a round or now."""
        tables = [table for table in self.tables if upto is None or table.round.number <= upto]
        per_table = [self._sums([table]) for table in tables]
        sums = self._sums(tables)
        merits: dict[str, tuple[Fraction, ...]] = dict.fromkeys(sums, ())
        for criterion in criteria:
            for equals in _level(merits):
                for name in equals:
                    value = (
                        self._among(name, equals, criteria[0], per_table)
                        if criterion.key == DIRECT_ENCOUNTER.key
                        else criterion.value(sums[name])
                    )
                    merits[name] += (-value if criterion.fewest else value,)
        ranked = sorted(merits.values(), reverse=True)
        known = {each.label: each for each in self._figures() if each.key != DIRECT_ENCOUNTER.key}
        return sorted(
            (
                Row(
                    name=name,
                    place=ranked.index(merit) + 1,
                    tied=ranked.count(merit) > 1,
                    values={label: each.value(sums[name]) for label, each in known.items()},
                    hands=sums[name]["hands"],
                    opened=sums[name]["opened"],
                    dealt=sums[name]["dealt"],
                )
                for name, merit in merits.items()
            ),
            key=lambda row: (row.place, row.name),
        )

    def _among(
        self, name: str, equals: Sequence[str], points: Criterion, tables: Sequence[Sums]
    ) -> Fraction:
        """Return the points somebody got where those who are level met, if all met.

        Two who met often count with their average. It asks nothing of the pages: the evenings have
        no three who are level, of whom two still are by these points.
        """
        among: dict[str, list[Fraction]] = defaultdict(list)
        met: set[frozenset[str]] = set()
        for table in tables:
            there = [each for each in equals if table.get(each, Counter())["hands"]]
            met.update(map(frozenset, combinations(there, 2)))
            if name in there:
                for other in there:
                    if other != name:
                        among[other].append(points.value(table[name]))
        if len(met) < len(equals) * (len(equals) - 1) // 2:
            return Fraction(0)
        return sum((sum(each, Fraction(0)) / len(each) for each in among.values()), Fraction(0))

    def _figures(self) -> list[Criterion]:
        rules, options = self.rules, self.tournament.house_rules
        across = rules.across or rules.ranking
        rankings = [
            *rules.ranking(options, self.partners_change),
            *across(options, False),
            *across(options, True),
        ]
        return [*rankings, *rules.columns(options)]

    def criterion(self, label: str) -> Criterion:
        """Return the figure that a page calls so."""
        return next(each for each in self._figures() if each.label == label)

    def _sums(self, tables: Sequence[AtTable]) -> Sums:
        """Return by entrant what the hands gave."""
        sums: dict[str, Counter[str]] = defaultdict(Counter)
        for entrant in self.tournament.entrants.select_related("player", "team"):
            sums[str(entrant)]  # who has played nothing stands there, too
        for table in tables:
            for hand in table.standing:
                self._give(sums, table, hand)
            self._give_latest(sums, table)
        return sums

    def _give(self, sums: Mapping[str, Counter[str]], table: AtTable, hand: Played) -> None:
        anew = {mark.key for mark in self.rules.marks if mark.anew}
        given: set[tuple[str, int, str]] = set()
        for stint in table.at(hand.number):
            own = sums[str(stint.entrant)]
            if hand.marks is not None:
                for key, amount in {**hand.marks[stint.place], "hands": 1}.items():
                    once = (str(stint.entrant), stint.side, key)
                    if key not in anew and (key in self.rules.seat_scoped or once not in given):
                        own[key] += amount
                        given.add(once)
            if hand.dealer == stint.place:
                own["dealt"] += 1
                own["opened"] += hand.number == 1

    def _give_latest(self, sums: Mapping[str, Counter[str]], table: AtTable) -> None:
        """Give everybody how the last hand left them, of what only tells the last."""
        for mark in self.rules.marks:
            for stint in table.stints if mark.anew else ():
                own = [
                    hand.marks[stint.place][mark.anew]
                    for hand in table.standing
                    if hand.marks is not None and stint in table.at(hand.number)
                ]
                sums[str(stint.entrant)][mark.key] += own[-1] if own else 0


def _level(merits: Mapping[str, tuple[Fraction, ...]]) -> list[list[str]]:
    """Return those who are level so far, together."""
    ordered = sorted(merits, key=lambda name: merits[name])
    return [list(equals) for _, equals in groupby(ordered, key=lambda name: merits[name])]


def together(people: Sequence[str]) -> str:
    """Return the name of a side."""
    *others, last = people
    return f"{', '.join(others)} & {last}" if others else last


def in_words(values: Sequence[Fraction], criterion: Criterion) -> list[str]:
    """Return the figures of one column as people write them: halves as ½, thirds in decimals."""
    if criterion.percent:
        return [f"{float(round(value * 1000)) / 10:.1f}\N{NO-BREAK SPACE}%" for value in values]
    if all(value.denominator <= 2 for value in values):
        return [_halves(value) for value in values]
    return [f"{float(round(value * 100)) / 100:.2f}" for value in values]


def _halves(value: Fraction) -> str:
    whole, rest = divmod(abs(value), 1)
    sign = "−" if value < 0 else ""
    return f"{sign}{whole}" if not rest else f"{sign}{whole or ''}½"


def plain(value: Fraction, criterion: Criterion) -> float:
    """Return a figure as a program reads it, a share of a hundred to one place."""
    return float(round(value * 1000)) / 10 if criterion.percent else round(float(value), 4)
