"""What tables do: each act takes the club and its dice, and does one thing."""

from contextlib import suppress
from random import Random

from games.errors import RuleError
from tests import make
from tests.tracker import sheets
from tests.tracker.evenings.club import DEVICES, Evenings, running, some_hand, some_table
from tracker.models import CallReason, RoundState
from tracker.results.services.calls import call_organiser
from tracker.results.services.confirming import confirm_hand
from tracker.results.services.issues import query_hand
from tracker.results.services.report_hand import ASK, report_hand
from tracker.results.services.result_only import record_wins
from tracker.results.services.table_actions import bring_back, choose_dealer, take_back


def report(club: Evenings, dice: Random) -> None:
    if sitting := running(club, dice):
        number, undone = sitting.last_number + 1, make.undone_report(sitting)
        knows = undone and dice.choice([None, undone, undone])
        answer = club.send(dice, sitting, number, undone=knows)
        assert (answer.verdict, answer.number) == ("accepted" if knows == undone else ASK, number)


def report_more(club: Evenings, dice: Random) -> None:
    """Write down a hand at every table, as far as each takes one."""
    for sitting in club.sittings(RoundState.OPEN):
        with suppress(RuleError):
            club.send(dice, sitting, sitting.last_number + 1, undone=make.undone_report(sitting))


def repeat(club: Evenings, dice: Random) -> None:
    """Send something once more, whose reply was lost: it is answered as the first time."""
    if club.sent:
        token, submission, by, answer = dice.choice(club.sent)
        assert report_hand(token=token, submission=submission, by=by) == answer


def agree(club: Evenings, dice: Random) -> None:
    if hand := some_hand(club, dice):
        answer = club.send(dice, hand.sitting, hand.number, sheet=hand.sheet)
        # A sheet for a hand that was undone is asked about.
        undone = hand.number > hand.sitting.last_number
        assert (answer.verdict == "agrees") != undone


def amend(club: Evenings, dice: Random) -> None:
    if hand := some_hand(club, dice):
        club.send(dice, hand.sitting, hand.number, device=hand.accepted_report.device)


def differ(club: Evenings, dice: Random) -> None:
    if hand := some_hand(club, dice):
        is_next = dice.choice([None, True, False, False])
        club.send(dice, hand.sitting, hand.number, is_next=is_next)


def park(club: Evenings, dice: Random) -> None:
    if sitting := running(club, dice):
        number = sitting.last_number + dice.randrange(2) or 1
        bare = sheets.bare(dice, club.tournament.game, club.sides(sitting))
        sheet = {**club.sheet(dice, sitting), **bare}
        club.send(dice, sitting, number, sheet=sheet, parked=True)


def come_late(club: Evenings, dice: Random) -> None:
    """Send what was typed before the round closed, or was taken back."""
    if tables := club.sittings(RoundState.CLOSED, RoundState.UNDONE):
        sitting = dice.choice(tables)
        answer = club.send(dice, sitting, dice.randrange(1, sitting.last_number + 3))
        assert answer.verdict == "late"


def confirm(club: Evenings, dice: Random) -> None:
    """Say for a side that a hand is right as it stands."""
    if hand := some_hand(club, dice):
        confirm_hand(
            token=hand.sitting.token,
            number=hand.number,
            by=club.by(dice.choice([*DEVICES])),
            side=dice.choice([None, 0, 1, 1]),
            seen=dice.choice([None, hand.accepted_report_id]),
        )


def take_away(club: Evenings, dice: Random) -> None:
    """Take the last hand back, now and then another one, or bring one back."""
    if sitting := running(club, dice):
        act = dice.choice([take_back, take_back, bring_back])
        act(
            token=sitting.token,
            number=max(1, sitting.last_number + (act is bring_back) - (dice.randrange(4) == 0)),
            by=club.by(dice.choice([*DEVICES])),
            side=dice.choice([None, 0, 1]),
        )


def choose(club: Evenings, dice: Random) -> None:
    if sitting := running(club, dice):
        place = dice.choice([None, *sitting.may_deal])
        choose_dealer(token=sitting.token, place=place, by=club.by())


def query(club: Evenings, dice: Random) -> None:
    if sitting := some_table(club, dice):
        number = dice.randrange(1, sitting.last_number + 2)
        query_hand(token=sitting.token, number=number, note="Asha, no?", by=club.by("phone c"))


def call(club: Evenings, dice: Random) -> None:
    if sitting := running(club, dice):
        reason = dice.choice([*CallReason])
        call_organiser(token=sitting.token, reason=reason, by=club.by("phone a"))


def count_wins(club: Evenings, dice: Random) -> None:
    if sitting := running(club, dice):
        wins = [dice.randrange(3) for _ in club.sides(sitting)]
        first = max(1, sitting.last_number + dice.randrange(2))
        record_wins(token=sitting.token, first=first, wins=wins, ties=0, by=club.by("phone a"))
