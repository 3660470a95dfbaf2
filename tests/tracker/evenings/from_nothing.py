"""A tournament counted from nothing: from its sheets, stints and awards, and from no sum that is kept.

It is worked out apart from the site's own way, one hand after another from the first round
on, as somebody with a pencil would. What it makes a standing is then compared with the one shown.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from games.sheet import Criterion
from tracker.criteria.ranking_criteria import criteria_after, criteria_of
from tracker.criteria.results import Kind, Results, RoundRecord
from tracker.models import (
    Award,
    AwardKind,
    AwardRule,
    Entrant,
    Hand,
    Movement,
    Progress,
    ResultType,
    Round,
    RoundState,
    Seat,
    SeatTally,
    Sitting,
    Tally,
    Tournament,
)
from tracker.standings.logic.ranking import RankedEntrant, rank_entrants
from tracker.standings.queries.standings import standings

Sums: TypeAlias = Counter[tuple[int, str]]  # of seats or entrants, by mark


@dataclass(slots=True)
class AtTable:
    """What one table of a round gave."""

    sitting: Sitting
    stints: list[Seat]
    counted: int = 0  # hands that gave marks
    played: bool = False  # whether there is a hand that is no walkover and the like
    seats: Sums = field(default_factory=Counter)
    entrants: Sums = field(default_factory=Counter)
    latest: dict[tuple[int, str], int] = field(default_factory=dict)  # by stint and mark


class FromNothing:
    """What the sheets of a tournament make of everybody."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.rounds = list(
            tournament.rounds.exclude(state=RoundState.UNDONE).order_by("number", "pk")
        )
        self.dealt: dict[int, list[tuple[int, int]]] = defaultdict(list)  # by player
        self.tables: dict[int, list[AtTable]] = {}  # by round
        stints, hands = self._rows()
        for round_ in self.rounds:
            self.tables[round_.number] = [
                self._played(sitting, round_, stints[sitting.pk], hands[sitting.pk])
                for sitting in round_.sittings.all()
            ]

    def _rows(self) -> tuple[Mapping[int, list[Seat]], Mapping[int, list[Hand]]]:
        stints: dict[int, list[Seat]] = defaultdict(list)
        for seat in Seat.objects.filter(round__in=self.rounds).order_by("from_hand", "pk"):
            stints[seat.sitting_id].append(seat)
        hands: dict[int, list[Hand]] = defaultdict(list)
        for hand in Hand.objects.filter(sitting__round__in=self.rounds).order_by("number"):
            hands[hand.sitting_id].append(hand)
        return stints, hands

    def _played(
        self, sitting: Sitting, round_: Round, stints: list[Seat], hands: Iterable[Hand]
    ) -> AtTable:
        """Read the sheets of a table by the rules alone, and give everybody their marks."""
        rules = self.tournament.rules
        options = rules.resume_options(sitting.options)
        mode = rules.mode(sitting.mode, options)
        opened = {seat.place: seat.player_id for seat in reversed(stints)}
        before = self._dealt_before(round_.number, [opened[place] for place in range(mode.seats)])
        assert sitting.dealt_before == before, (sitting.pk, sitting.dealt_before, before)
        table = AtTable(sitting, stints)
        session = rules.open_session(mode, options, sitting.first_dealer, before)
        assert max(seat.from_hand for seat in stints) <= sitting.last_number + 1, sitting.pk
        for hand in hands:
            if hand.struck_at is not None:
                continue
            assert hand.number <= sitting.last_number, hand.pk
            scored = rules.add_sheet(session, hand.sheet)
            marks = None if scored.marks is None else [dict(each) for each in scored.marks]
            assert (hand.marks, hand.dealer) == (marks, scored.sheet["dealer"]), hand.pk
            assert hand.dealer is not None or rules.is_drawn(session.may_deal), hand.pk
            self._give(table, hand, marks, round_)
            session = scored.session
        stored = rules.resume_session(mode, options, sitting.session)
        assert (stored, sitting.next_dealer) == (session, session.dealer), sitting.pk
        _add_the_last_of_each(table)
        return table

    def _dealt_before(self, number: int, players: list[int]) -> list[int | None]:
        """Return how long ago these dealt in the rounds before: the later, the nearer to nothing."""
        last = [
            max((when for when in self.dealt[player] if when[0] < number), default=None)
            for player in players
        ]
        moments = sorted({when for when in last if when})
        return [when and moments.index(when) - len(moments) for when in last]

    def _give(
        self, table: AtTable, hand: Hand, marks: list[dict[str, int]] | None, round_: Round
    ) -> None:
        rules = self.tournament.rules
        whole = {mark.key: mark.anew for mark in rules.marks if mark.anew}
        table.counted += marks is not None
        table.played |= hand.result_type in {"", ResultType.ASSIGNED, ResultType.VOID}
        sides: set[tuple[int, int, str]] = set()  # what a side's entrant has of this hand already
        for stint in table.stints:
            if hand.number < stint.from_hand or hand.number > (stint.to_hand or hand.number):
                continue
            assert stint.to_hand != 0
            own = {**marks[stint.place], "hands": 1} if marks is not None else {}
            for key, amount in own.items():
                if key in whole:  # not what has changed, but how it stands now
                    table.latest[stint.pk, key] = own[whole[key]]
                    continue
                table.seats[stint.pk, key] += amount
                counted = (stint.side, stint.entrant_id, key)
                if key in rules.seat_scoped or counted not in sides:
                    table.entrants[stint.entrant_id, key] += amount
                    sides.add(counted)
            if not hand.result_type and hand.dealer == stint.place:
                self.dealt[stint.player_id].append((round_.number, hand.number))
                for sums, whose in ((table.seats, stint.pk), (table.entrants, stint.entrant_id)):
                    sums[whose, "dealt"] += 1
                    sums[whose, "opened"] += hand.number == 1

    def check_sums(self) -> None:
        """Compare with what is kept of every seat and of every entrant."""
        seats: Sums = Counter()
        entrants: Sums = Counter()
        for table in self._tables():
            seats.update(table.seats)
            entrants.update(table.entrants)
        here = self.tournament
        of_seats = SeatTally.objects.filter(seat__round__in=self.rounds)
        of_entrants = Tally.objects.filter(entrant__tournament=here)
        kept_seats = {(row.seat_id, row.key): row.amount for row in of_seats}
        kept_entrants = {(row.entrant_id, row.key): row.amount for row in of_entrants}
        assert _counts(kept_seats) == _counts(seats)
        assert _counts(kept_entrants) == _counts(entrants)

    def check_standing(self, upto: Round | None = None) -> None:
        """Compare with the standing that is shown, now or of the rounds up to one."""
        shown = standings(self.tournament, upto=upto)
        ranked = self._ranked(upto)
        sums = self._sums(upto.number if upto else None)
        assert {
            row.entrant: _shown(row, row.hands, row.opened, row.dealt) for row in shown.rows
        } == {
            row.entrant: _shown(
                row, *(sums[row.entrant][key] for key in ("hands", "opened", "dealt"))
            )
            for row in ranked
        }

    def _ranked(self, round_: Round | None) -> list[RankedEntrant[int]]:
        tournament, upto = self.tournament, round_.number if round_ else None
        criteria = criteria_after(round_) if round_ else criteria_of(tournament)
        sums = self._sums(upto)
        awards = list(self._awards(criteria[0], sums, round_))
        announced = {
            row["entrant"]
            for published in [round_.published_standing if round_ else None]
            for row in (published or {"standing": []})["standing"]
        }
        named = announced | {entrant for entrant, _ in awards}
        there = {
            each.pk: sums[each.pk]
            for each in Entrant.objects.filter(tournament=tournament).by_name()
            if (each.reserve_since is None and not announced) or each.pk in named or +sums[each.pk]
        }
        return rank_entrants(
            there,
            criteria,
            awards=awards,
            results=self._results(criteria[0], upto),
            resolved=tournament.resolved_orders if upto is None else (),
            columns=tournament.rules.columns_after(criteria[0], tournament.house_rules),
        )

    def _tables(self, upto: int | None = None) -> Iterable[AtTable]:
        for number, tables in self.tables.items():
            if upto is None or number <= upto:
                yield from tables

    def _sums(self, upto: int | None) -> Mapping[int, Counter[str]]:
        sums: dict[int, Counter[str]] = defaultdict(Counter)
        for table in self._tables(upto):
            for (entrant, key), amount in table.entrants.items():
                sums[entrant][key] += amount
        return sums

    def _results(self, points: Criterion, upto: int | None) -> Results[int]:
        """Return who met whom at tables that are over, as direct encounters read it."""
        records: dict[int, list[RoundRecord[int]]] = defaultdict(list)
        for round_ in self.rounds:
            for table in (
                self.tables[round_.number] if upto is None or round_.number <= upto else ()
            ):
                sums: dict[int, Counter[str]] = defaultdict(Counter)
                for (entrant, key), amount in table.entrants.items():
                    sums[entrant][key] += amount
                in_order = sorted(table.stints, key=lambda seat: (seat.place, seat.from_hand))
                # Of two sides the first counts.
                sides = {seat.entrant_id: seat.side for seat in reversed(in_order)}
                met = {entrant: side for entrant, side in sides.items() if sums[entrant]["hands"]}
                if not self._is_over(round_, table.sitting):
                    continue
                for entrant, side in met.items():
                    record = RoundRecord(
                        round=round_.number,
                        points=points.value(sums[entrant]),
                        kind=Kind.PLAYED if table.played else Kind.FORFEIT_WON,
                        opponents=tuple(other for other, where in met.items() if where != side),
                    )
                    records[entrant].append(record)
        movement = self.tournament.movement
        return Results(records=records, everybody_meets=movement == Movement.ROUND_ROBIN)

    def _is_over(self, round_: Round, sitting: Sitting) -> bool:
        progress = Progress.of_counts(
            round_,
            hands_standing=sitting.hands_standing,
            games_over=sitting.games_over,
            not_played=sitting.not_played,
        )
        return round_.state == RoundState.CLOSED or progress.whole

    def _awards(
        self, points: Criterion, sums: Mapping[int, Counter[str]], round_: Round | None
    ) -> Iterable[tuple[int, Fraction]]:
        upto = round_.number if round_ else None
        live = Award.objects.filter(tournament=self.tournament, withdrawn_at=None)
        for award in live.select_related("round"):
            if award.round and award.round.state == RoundState.UNDONE:
                continue
            if award.round and upto is not None and award.round.number > upto:
                continue
            closed_at = round_.closed_at if round_ else None
            given_at = award.given_at
            if award.round is None and closed_at and given_at and given_at > closed_at:
                continue
            if award.unit in {"", points.key}:
                yield award.entrant_id, self._worth(award, points, sums[award.entrant_id], upto)

    def _worth(
        self, award: Award, points: Criterion, own: Counter[str], upto: int | None
    ) -> Fraction:
        if award.amount is not None:
            better = -1 if points.fewest else 1
            worth = Fraction(award.amount, 100 if points.percent else 1)
            if award.kind == AwardKind.PENALTY:
                return -better * abs(worth)
            return better * worth if award.kind == AwardKind.AWARD else worth
        if points.per or not own["hands"]:
            return Fraction(0)
        hands = award.round.hands if award.round else self.tournament.hands
        share = self._share_of(award)
        if hands is not None:
            return points.value(own) * hands / own["hands"] * share
        played = sum(
            any(table.entrants[award.entrant_id, "hands"] for table in tables)
            for number, tables in self.tables.items()
            if upto is None or number <= upto
        )
        return points.value(own) / played * share

    def _share_of(self, award: Award) -> Fraction:
        """Return how much of its round a rest stands for: what its tables played of it."""
        resting = award.kind == AwardKind.RESTING and award.rule == AwardRule.AVERAGE
        if not resting or award.round is None:
            return Fraction(1)
        tables = self.tables[award.round.number]
        played = [table.counted for table in tables]
        if award.round.hands is None:
            played = [int(counted > 0) for counted in played]
        whole = (len(tables) or 1) * (award.round.hands or 1)
        return min(Fraction(1), Fraction(sum(played), whole))


def _add_the_last_of_each(table: AtTable) -> None:
    """Where only the last hand tells, let everybody have how it left them at a place.

    Who comes back to a place goes on there, so that all stints together make the last.
    """
    for (seat, key), amount in table.latest.items():
        stint = next(stint for stint in table.stints if stint.pk == seat)
        before = [
            table.latest[other.pk, key]
            for other in table.stints
            if (other.pk, key) in table.latest
            and (other.place, other.entrant_id) == (stint.place, stint.entrant_id)
            and other.from_hand < stint.from_hand
        ]
        change = amount - (before[-1] if before else 0)
        table.seats[seat, key] += change
        table.entrants[stint.entrant_id, key] += change


def _counts(sums: Mapping[tuple[int, str], int]) -> dict[tuple[int, str], int]:
    """Leave out what came to nothing."""
    return {key: amount for key, amount in sums.items() if amount}


def _shown(row: Any, *numbers: int) -> tuple[Any, ...]:
    return (row.place, row.tied, dict(row.figures), *numbers)
