"""What organisers do with hands: corrections, issues, paper, results nobody played out."""

from random import Random

from games.sheet import Sheet
from tests.tracker import sheets
from tests.tracker.evenings.club import Evenings, some_table
from tracker.models import Issue, IssueKind, ResultType
from tracker.results.queries.effect import effect
from tracker.results.queries.snapshot import take_snapshot
from tracker.results.services.confirming import confirm_table
from tracker.results.services.corrections import RESTORE, STRIKE, Change, correct_sitting
from tracker.results.services.paper import Paper, write_down
from tracker.results.services.preview import preview
from tracker.results.services.result_only import record_result_type
from tracker.results.services.settling import IssueOutcome, settle


def correct(club: Evenings, dice: Random) -> None:
    """Change hands; what the preview says is what becomes of it."""
    sitting = some_table(club, dice)
    if sitting is None:
        return
    numbers = range(1, sitting.last_number + 1)
    chosen = dice.sample(numbers, min(len(numbers), dice.choice([1, 1, 2, 3])))
    kinds: list[Sheet | Change] = [
        STRIKE,
        RESTORE,
        club.sheet(dice, sitting),
        club.sheet(dice, sitting),
    ]
    changes = {number: dice.choice(kinds) for number in chosen}
    by = club.by("desk", organiser=True)

    def change() -> None:
        correct_sitting(sitting_id=sitting.pk, changes=changes, reason="Counted", by=by)

    tournament, tables = club.tournament.pk, [sitting.pk]
    before = take_snapshot(tournament, sittings=tables)
    previewed = preview(change, tournament_id=tournament, sittings=tables)
    change()
    assert previewed == effect(before, take_snapshot(tournament, sittings=tables))


def settle_issue(club: Evenings, dice: Random) -> None:
    about_hands = Issue.objects.exclude(kind=IssueKind.CALL).filter(settled_at=None)
    if issues := list(about_hands.select_related("sitting").order_by("pk")):
        issue = dice.choice(issues)
        sheet = club.sheet(dice, issue.sitting)
        settle(
            issue_id=issue.pk,
            outcome=dice.choice([*IssueOutcome]),
            sheet=dice.choice([None, sheet, sheet]),
            reason="Both agree",
            by=club.by("desk", organiser=True),
            at_table=dice.randrange(5) == 0,
        )


def write_paper(club: Evenings, dice: Random) -> None:
    if sitting := some_table(club, dice):
        first = dice.randrange(1, sitting.last_number + 2)
        numbers = range(first, first + dice.randrange(1, 4))
        seen = dict(sitting.hands.values_list("number", "accepted_report"))
        paper = Paper(sheets={each: club.sheet(dice, sitting) for each in numbers}, seen=seen)
        write_down({sitting.pk: paper}, reason="Paper", by=club.by(organiser=True))


def record_result(club: Evenings, dice: Random) -> None:
    if sitting := some_table(club, dice):
        record_result_type(
            sitting_id=sitting.pk,
            result_type=dice.choice([*ResultType]),
            bare=sheets.bare(dice, club.tournament.game, club.sides(sitting))["bare"],
            times=dice.choice([1, 2, None]),
            reason="Nobody came",
            by=club.by(organiser=True),
        )


def confirm_all(club: Evenings, dice: Random) -> None:
    if sitting := some_table(club, dice):
        numbers = dice.choice([None, [sitting.last_number]])
        confirm_table(sitting_id=sitting.pk, by=club.by(organiser=True), numbers=numbers)
