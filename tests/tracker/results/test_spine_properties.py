"""Whatever tables send and organisers change, what is kept is what the sheets make it."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction
from hypothesis import given, strategies as st

from games import catalogue
from games.errors import RuleError
from tests import act, make
from tests.drilled import examples
from tests.tracker import sheets
from tests.tracker.results.stored import everything
from tracker.common.actor import Actor
from tracker.models import (
    Confirm,
    Hand,
    Issue,
    IssueKind,
    Report,
    RoundState,
    SeatTally,
    Sitting,
)
from tracker.results.queries.effect import effect
from tracker.results.queries.snapshot import take_snapshot
from tracker.results.services.confirming import confirm_hand
from tracker.results.services.corrections import RESTORE, STRIKE, Change
from tracker.results.services.issues import query_hand
from tracker.results.services.preview import preview
from tracker.results.services.report_hand import ASK, Submission, SubmissionResult, report_hand
from tracker.results.services.settling import IssueOutcome
from tracker.results.services.table_actions import bring_back, choose_dealer, take_back

pytestmark = pytest.mark.django_db

MODES = {"albastini": "4t2 3i 5i", "briscola": "2i 4t2", "dalmuti": "4i", "mambassa": "3i 4i"}
TABLES = [(game, mode) for game, modes in MODES.items() for mode in modes.split()]
DEVICES = {"a": 0, "b": 1, "c": None}


class Evening:
    """One table on which everything happens that can happen."""

    def __init__(self, game: str, mode: str, rng: Random) -> None:
        self.game, self.rng = game, rng
        tournament = make.tournament(game, mode, teams=rng.randrange(2) == 0)
        tournament.confirm = rng.choice(Confirm.values)
        tournament.save()
        self.made = make.sitting(at=tournament)
        self.rules = catalogue.GAMES[game]
        self.sides = self.rules.mode(mode, tournament.options).sides
        self.sent: list[tuple[Submission, Actor, SubmissionResult]] = []
        self.used_up: set[int] = set()  # numbers of struck hands after which others have stood

    @property
    def sitting(self) -> Sitting:
        return Sitting.objects.get(pk=self.made.pk)

    def sheet(self) -> sheets.Sheet:
        """Return a sheet, usually a counted one that fits the coming hand."""
        rng = self.rng
        if rng.randrange(8) == 0:
            sheet = sheets.bare(rng, self.game, self.sides)
        else:
            sheet = sheets.MAKERS[self.game](rng, self.sides, self.sitting.session)
        seats = sum(map(len, self.sides))
        return {**sheet, "dealer": rng.randrange(seats)} if rng.randrange(4) == 0 else sheet

    def send(self, number: int, sheet: sheets.Sheet, **more: Any) -> SubmissionResult:
        device = more.pop("device", None) or self.rng.choice([*DEVICES])
        entry = UUID(int=self.rng.getrandbits(128))
        said: dict[str, Any] = {"sheet": sheet, "side": DEVICES.get(device), **more}
        submission = Submission(entry=entry, number=number, **said)
        by = make.actor(device=device)
        answer = self._report(submission, by)
        if answer.verdict != ASK:
            self.sent.append((submission, by, answer))
        return answer

    def some_hand(self) -> Hand | None:
        hands = Hand.objects.order_by("number").select_related("accepted_report")
        some: list[Hand | None] = [*hands, None]
        return self.rng.choice(some)

    # What can happen

    def report(self) -> None:
        """Send the coming hand, from a page that shows what was undone, or from an older one."""
        number, undone = self.sitting.last_number + 1, make.undone_report(self.made)
        knows = self.rng.choice([None, undone, undone])
        before = everything()
        answer = self.send(number, self.sheet(), undone=knows)
        assert (answer.verdict, answer.number) == ("accepted" if knows == undone else ASK, number)
        assert answer.verdict != ASK or everything() == before

    def repeat(self) -> None:
        if self.sent:
            submission, by, answer = self.rng.choice(self.sent)
            before = everything()
            assert self._report(submission, by) == answer
            assert everything() == before

    def skip_ahead(self) -> None:
        self.send(self.sitting.last_number + 2, self.sheet())

    def agree(self) -> None:
        if hand := self.some_hand():
            answer = self.send(hand.number, hand.sheet)
            # Of one that its table took back there is nothing to agree with.
            assert answer.verdict == (ASK if hand.struck_at else "agrees")

    def mend(self) -> None:
        if hand := self.some_hand():
            answer = self.send(hand.number, self.sheet(), device=hand.accepted_report.device)
            first = ("accepted", "parked")
            anew = Report.objects.filter(number=hand.number, verdict__in=first).count() > 1
            changed = {"amends", "agrees", "proposes", *([ASK] if anew else [])}
            assert answer.verdict in ({ASK} if hand.struck_at else changed)

    def confirm(self) -> None:
        if hand := self.some_hand():
            device = self.rng.choice([*DEVICES])
            by, side = make.actor(device=device), DEVICES[device]
            confirm_hand(token=self.made.token, number=hand.number, by=by, side=side)

    def take_back(self) -> None:
        if hand := self.some_hand():
            by = make.actor(device=hand.accepted_report.device)
            act = self.rng.choice([take_back, take_back, bring_back])
            act(token=self.made.token, number=hand.number, by=by)

    def differ(self) -> None:
        if hand := self.some_hand():
            is_next = self.rng.choice([None, True, False, False])
            self.send(hand.number, self.sheet(), is_next=is_next)

    def park(self) -> None:
        number = self.sitting.last_number + self.rng.randrange(2) or 1
        bare = sheets.bare(self.rng, self.game, self.sides)
        self.send(number, {**self.sheet(), **bare}, parked=True)

    def come_late(self) -> None:
        self._round(RoundState.CLOSED)
        number = self.rng.randrange(1, self.sitting.last_number + 3)
        try:
            assert self.send(number, self.sheet()).verdict == "late"
        finally:
            self._round(RoundState.OPEN)

    def choose(self) -> None:
        place = self.rng.choice([None, *self.sitting.may_deal])
        choose_dealer(token=self.made.token, place=place, by=make.actor())

    def query(self) -> None:
        number = self.rng.randrange(1, self.sitting.last_number + 2)
        query_hand(token=self.made.token, number=number, note="", by=make.actor(device="c"))

    def correct(self) -> None:
        numbers = range(1, self.sitting.last_number + 1)
        chosen = self.rng.sample(numbers, self.rng.randrange(min(3, len(numbers) + 1)))
        changes = {number: self._change() for number in chosen}

        def change() -> None:
            act.correct(self.made, changes, device="desk")

        before, tournament = everything(), self.made.round.tournament_id
        seen, tables = take_snapshot(tournament, sittings=[self.made.pk]), [self.made.pk]
        previewed = preview(change, tournament_id=tournament, sittings=tables)
        assert everything() == before
        change()
        assert previewed == effect(seen, take_snapshot(tournament, sittings=tables))

    def settle(self) -> None:
        waiting = Issue.objects.filter(settled_at=None).exclude(kind=IssueKind.CALL)
        issues = [*waiting.order_by("pk")]
        if issues:
            issue, outcome = self.rng.choice(issues), self.rng.choice([*IssueOutcome])
            sheet = self.rng.choice([None, self.sheet(), self.sheet()])
            act.settle(outcome, issue, sheet=sheet, by=make.actor(device="desk"))

    def _change(self) -> sheets.Sheet | Change:
        kinds: list[sheets.Sheet | Change] = [STRIKE, RESTORE, self.sheet(), self.sheet()]
        return self.rng.choice(kinds)

    def _report(self, submission: Submission, by: Actor) -> SubmissionResult:
        return report_hand(token=self.made.token, submission=submission, by=by)

    def _round(self, state: RoundState) -> None:
        type(self.made.round).objects.update(state=state)


_ONCE = "repeat skip_ahead agree mend confirm take_back park come_late choose query"
_OFTEN = "report report report differ differ correct correct settle settle"
HAPPENINGS: list[Callable[[Evening], None]] = [
    getattr(Evening, name) for name in f"{_OFTEN} {_ONCE}".split()
]


def check_replay(evening: Evening) -> None:
    """Read the sheets by the game alone: sitting and marks are what it says, hand by hand."""
    sitting, rules = evening.sitting, evening.rules
    mode = rules.mode(sitting.mode, sitting.options)
    session = rules.open_session(mode, sitting.options, sitting.first_dealer, sitting.dealt_before)
    hands = [*Hand.objects.order_by("number")]
    assert [hand.number for hand in hands] == [*range(1, len(hands) + 1)]
    for hand in hands:
        if hand.struck_at is None:
            scored = rules.add_sheet(session, hand.sheet)
            assert hand.marks == (scored.marks and [dict(marks) for marks in scored.marks])
            assert hand.dealer == scored.sheet["dealer"]
            session = scored.session
    assert rules.resume_session(mode, sitting.options, sitting.session) == session
    standing = {hand.number for hand in hands if hand.struck_at is None}
    evening.used_up &= {hand.number for hand in hands} - standing
    evening.used_up |= set(range(1, max(standing, default=0))) - standing
    last = max(standing | evening.used_up, default=0)
    assert (sitting.last_number, sitting.next_dealer) == (last, session.dealer)
    assert sitting.may_deal == [*session.may_deal]


def check_sums(evening: Evening) -> None:
    """Add up the marks of every standing hand, and compare with the tallies of the seats."""
    seats = {seat.place: seat.pk for seat in evening.made.seats.all()}
    sums: Counter[tuple[int, str]] = Counter()
    for hand in Hand.objects.filter(struck_at=None):
        if hand.dealer is not None:
            sums[seats[hand.dealer], "dealt"] += 1
            sums[seats[hand.dealer], "opened"] += hand.number == 1
        for place, marks in enumerate(hand.marks or ()):
            sums[seats[place], "hands"] += 1
            for key, amount in marks.items():
                sums[seats[place], key] += amount
    tallies = Counter({(row.seat_id, row.key): row.amount for row in SeatTally.objects.all()})
    assert {
        key: sums[key] - tallies[key] for key in sums | tallies if sums[key] != tallies[key]
    } == {}


def check_marks_conserve(evening: Evening) -> None:
    """Look at what a game can never make or lose."""
    hands = [hand for hand in Hand.objects.filter(struck_at=None) if hand.marks is not None]
    session = evening.sitting.session
    seats = len(evening.sides)
    match evening.game:
        case "albastini":
            for hand in hands:
                assert points_by_side(evening, hand) == albastini_points(evening, hand.sheet)
        case "briscola":
            counted = [hand for hand in hands if "points" in hand.sheet]
            assert all(sum(hand.sheet["points"]) == 120 for hand in counted)  # R7
        case "dalmuti":
            totals: Counter[str] = Counter()
            for row in SeatTally.objects.all():
                totals[row.key] += row.amount
            games = len(hands)  # S23
            assert (totals["dalmuti"], totals["slave"]) == (games, games)
            assert totals["trader"] == games * (seats - 2)
        case "mambassa":
            assert sum(session["tokens"]) + session["pool"] == 4 * seats  # S31g
            assert session["pool"] >= seats
            won = SeatTally.objects.filter(key="tokens").values_list("amount", flat=True)
            assert sum(won) == 4 * seats * evening.sitting.games_over


def points_by_side(evening: Evening, hand: Hand) -> list[int]:
    assert hand.marks is not None
    marks = hand.marks
    return [marks[side[0]]["victory_points"] for side in evening.sides]


def albastini_points(evening: Evening, sheet: sheets.Sheet) -> list[int]:
    """Return what each side should have by R10 and S14, read from the sheet alone."""
    if "bare" in sheet:
        return [int(side == sheet["bare"]) for side in range(len(evening.sides))]
    eaten = sheet["eaten"]
    reached = all(total >= 10 * len(evening.sides[0]) for total in eaten)
    best = [total == max(eaten) for total in eaten]
    return [0 if sum(best) > 1 or not wins else 1 if reached else 2 for wins in best]


@pytest.mark.parametrize(("game", "mode"), TABLES)
@examples(8, full=25)
@given(
    seed=st.integers(0, 2**32),
    happenings=st.lists(st.sampled_from(HAPPENINGS), min_size=3, max_size=14),
)
def test_nothing_that_happens_at_a_table_leaves_a_difference(
    game: str, mode: str, seed: int, happenings: list[Callable[[Evening], None]]
) -> None:
    with transaction.atomic():
        evening = Evening(game, mode, Random(seed))
        for happening in [Evening.report, *happenings]:
            before = everything()
            try:
                happening(evening)
            except RuleError:
                assert everything() == before  # what is refused leaves no trace

            check_replay(evening)
            check_sums(evening)
            check_marks_conserve(evening)
            assert act.is_as_its_sheets_say(evening.made)
        transaction.set_rollback(True)
