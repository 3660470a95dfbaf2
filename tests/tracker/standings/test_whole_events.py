"""Whole events worked out by hand, in ``events/*.md``, entered as results and compared figure by figure.

A file is read from top to bottom. A section “Round …” is played, a “Correction” is made, and a
“Standing by …” is what the site must show at that point: its heading has the tie-breaks in their
order, and a column headed like a criterion has its figure, with the arithmetic in front of it. The
arithmetic is checked too: ``~~2~~`` is left out, and words only say where a number comes from.
"""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest

from games.sheet import Criterion
from tests import act, make
from tests.tracker.standings.test_prizes import placed
from tracker.criteria.ranking_criteria import criteria_of, offered_tie_breaks
from tracker.models import (
    Entrant,
    Format,
    Movement,
    RankedBy,
    ResultType,
    Round,
    Sitting,
    Tournament,
)
from tracker.results.services.result_only import record_result_type
from tracker.seating.queries.players import lineups
from tracker.seating.services.round_opening import TablePlan, open_round
from tracker.standings.logic.ranking import Comparison, compare
from tracker.standings.queries.standings import standings
from tracker.tournaments.services.entering import enter_players, enter_teams, withdraw
from tracker.tournaments.services.terms import Terms
from tracker.tournaments.services.tournaments import make_tournament

pytestmark = pytest.mark.django_db

EVENTS = Path(__file__).parent / "events"
OPEN = "not finished"  # a round with such a match stays open
Row: TypeAlias = Mapping[str, str]
Table: TypeAlias = Sequence[Row]


def sections(name: str) -> list[tuple[str, list[Table]]]:
    """Return the heading of each section of an event and its tables, whose rows are by heading."""
    _, *parts = re.split(r"^## ", (EVENTS / name).read_text(encoding="utf-8"), flags=re.MULTILINE)
    found: list[tuple[str, list[Table]]] = []
    for part in parts:
        heading, _, body = part.partition("\n")
        tables: list[Table] = []
        for lines in re.findall(r"(?:^\|.*\n)+", body, flags=re.MULTILINE):
            heads, _, *rows = [
                [cell.strip() for cell in line.strip().strip("|").split("|")]
                for line in lines.splitlines()
            ]
            tables.append([dict(zip(heads, row, strict=True)) for row in rows])
        found.append((heading, tables))
    return found


def value(cell: str) -> Fraction:
    """Return what a cell comes to; the two sides of each “=” must be equal."""
    sums = re.sub(r"~~.+?~~", "0", cell).translate(str.maketrans("×−", "*-"))
    sums = re.sub(r"\d+", r"Fraction(\g<0>)", re.sub(r"[A-Za-z’]+", "", sums))
    first, *others = (eval(each, {"Fraction": Fraction}) for each in sums.split("="))
    assert all(other == first for other in others), cell
    return Fraction(first)


class Event:
    """A tournament that is played as a file says."""

    def __init__(self, game: str, teams: bool, movement: Movement, **more: Any) -> None:
        format_ = Format.TEAMS if teams else Format.PLAYERS
        self.tournament = make_tournament(
            club_id=make.club().pk,
            name="Cup",
            game=game,
            mode="4t2",
            by=make.actor(),
            format_=format_,
            terms=Terms(movement=movement),
            **more,
        )
        self.entrants: dict[str, Entrant] = {}
        self.sheet = {"albastini": "eaten", "briscola": "points"}[game]

    def run(self, name: str) -> None:
        for heading, tables in sections(name):
            if heading.startswith("Round"):
                self.play_round(*tables)
            elif heading == "Correction":
                self.correct(tables[0][0])
            else:
                self.check(heading.partition(" by ")[2].split(", "), tables)

    def enter(self, side: str) -> list[Entrant]:
        """Return the entrants of a side, entered if they are new."""
        at = self.tournament
        for name in side.split(" & "):
            if name in self.entrants:
                continue
            if at.format == Format.TEAMS:
                people = [make.player(f"{name} {number}", club=at.club) for number in (1, 2)]
                entered = enter_teams(
                    tournament_id=at.pk,
                    teams=[make.team(*people, name=name).pk],
                    by=make.actor(),
                )
            else:
                person = make.player(name, club=at.club).pk
                entered = enter_players(tournament_id=at.pk, players=[person], by=make.actor())
            [self.entrants[name]] = entered
        return [self.entrants[name] for name in side.split(" & ")]

    def play_round(self, matches: Table, others: Table = ()) -> None:
        tables = [self.seats(row["One side"], row["Other side"]) for row in matches]
        named = [(row["Name"], row["What"]) for row in others]
        round_ = open_round(
            tournament_id=self.tournament.pk,
            tables=tables,
            resting=[self.enter(name)[0].pk for name, what in named if what == "sits out"],
            by=make.actor(),
            rng=Random(1),
        )
        for row, sitting in zip(matches, round_.sittings.order_by("number"), strict=True):
            if row["Hands"] == "walkover":
                record_result_type(
                    sitting_id=sitting.pk,
                    result_type=ResultType.WALKOVER,
                    bare=0,
                    times=None,
                    reason="They did not come",
                    by=make.actor(),
                )
            else:
                for hand in row["Hands"].split():
                    make.report(sitting, {self.sheet: [int(each) for each in hand.split(":")]})
        if all(row["Points"] != OPEN for row in matches):
            act.close(round_)
        for name, what in named:
            if what == "leaves after it":
                withdraw(entrant_id=self.entrants[name].pk, by=make.actor())

    def seats(self, one: str, other: str) -> TablePlan:
        """Return the plan of a table where the first of *one* deals first."""
        teams = self.tournament.format == Format.TEAMS
        by_side = [self.enter(side) * (2 if teams else 1) for side in (one, other)]
        entrants = [by_side[place % 2][place // 2] for place in range(4)]
        lineup_of = lineups(entrants)
        players = [
            lineup_of[each.pk][place // 2 if teams else 0] for place, each in enumerate(entrants)
        ]
        return TablePlan(
            mode="4t2", players=tuple(players), entrants=tuple(each.pk for each in entrants)
        )

    def correct(self, row: Row) -> None:
        first_round = Round.objects.get(tournament=self.tournament, number=row["Round"])
        name = row["One side"].split(" & ")[0]
        sitting = Sitting.objects.get(
            round=first_round, seats__place=0, seats__entrant=self.entrants[name]
        )
        now = [int(each) for each in row["Now"].split(":")]
        act.correct(sitting, {int(row["Hand"]): {self.sheet: now}})

    def rank_by(self, names: Sequence[str], columns: Sequence[str] = ()) -> dict[str, Criterion]:
        """Set the tie-breaks by the names that tables use, and return all criteria by these names."""
        offered = offered_tie_breaks(self.tournament, self.tournament.ranked_by).values()
        points = criteria_of(self.tournament)[0]
        by_name = {each.short or each.label: each for each in (points, *offered)}
        wanted = dict.fromkeys([*names, *(name for name in columns if name in by_name)])
        keys = [by_name[name].key for name in wanted if by_name[name] != points]
        Tournament.objects.filter(pk=self.tournament.pk).update(tie_breaks=keys)
        self.tournament.refresh_from_db()
        assert [each.key for each in criteria_of(self.tournament)] == [points.key, *keys]
        return by_name

    def check(self, tie_breaks: Sequence[str], tables: Sequence[Table]) -> None:
        """Compare places, what separates neighbours, direct encounters, and every figure."""
        first, *others = tables
        criterion_of = self.rank_by(tie_breaks)
        standing = standings(self.tournament)
        places = [(f"{each.place}{'=' * each.tied}", each.name) for each in standing.rows]
        assert places == [(row["Place"], row["Name"]) for row in first]
        now = [(each.name, each.place, each.tied) for each in standing.rows]
        assert placed(self.tournament) == now
        ahead = [
            in_words(compare(above.ranked, below.ranked, standing.criteria))
            for above, below in pairwise(standing.rows)
        ]
        assert ahead == [row["Ahead of the next by"] for row in first[:-1]]
        name_of = {entrant.pk: name for name, entrant in self.entrants.items()}
        encounters = {
            (frozenset((name_of[key], score) for key, score in each.scores.items()), each.complete)
            for own in standing.rows
            for each in own.ranked.encounters
        }
        assert encounters == {
            (scores_in(row["Points against each other"]), row["All met"] == "yes")
            for table in others
            for row in table
            if "All met" in row
        }
        self.rank_by(tie_breaks, [column for table in tables for column in table[0]])
        figures = {each.name: each.figures for each in standings(self.tournament).rows}
        for row in (row for table in tables for row in table):
            for column, cell in row.items():
                if column in criterion_of:
                    figure = figures[row["Name"]][criterion_of[column].key]
                    assert figure == value(cell), (row["Name"], column)
                elif " = " in cell:
                    value(cell)


def in_words(comparison: Comparison) -> str:
    """Return what sets two neighbours apart, as the tables of an event say it."""
    if comparison.criterion is None:
        return "level"
    own, other = comparison.figures
    name = comparison.criterion.short or comparison.criterion.label
    return f"{name} {own} : {other}{'' if comparison.complete else ', not all met'}"


def scores_in(cell: str) -> frozenset[tuple[str, Fraction]]:
    """Return the scores in a cell such as “Simba 4, Tembo 2”."""
    pairs = (each.split(" ") for each in cell.split(", "))
    return frozenset((name, Fraction(score)) for name, score in pairs)


def test_a_swiss_with_byes_walkovers_a_late_arrival_and_an_early_leaver() -> None:
    Event("albastini", teams=True, movement=Movement.SWISS, length=2).run("swiss.md")


def test_changing_partners_at_tables_of_four_with_rests() -> None:
    event = Event("albastini", teams=False, movement=Movement.FEWEST_REPEATS, length=2)
    event.run("tables_of_four.md")


def test_a_round_robin_broken_off_in_a_match() -> None:
    event = Event(
        "briscola",
        teams=True,
        movement=Movement.ROUND_ROBIN,
        length=1,
        ranked_by=RankedBy.MATCH_POINTS,
    )
    event.run("round_robin.md")
