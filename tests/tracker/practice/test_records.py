"""The record of a hand at a table: kept with the hand whose sheet agrees with it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import catalogue
from games.errors import RuleError
from games.records.format import Record, write
from games.records.parser import read
from games.records.replayer import MoveError
from tests import act, make
from tests.games.hands import PLAYED, some_record
from tests.make import NOON
from tests.reading import costs
from tracker.models import Club, Hand, HandRecord, LogEntry, Role, Sitting
from tracker.people.services.erasing import erase_player
from tracker.practice.services import attach_record, detach_record

pytestmark = pytest.mark.django_db
PEOPLE = ("Asha", "Neema", "Juma", "Baraka")


def played(
    game: str = "briscola",
    *,
    earlier: int = 0,
    reported: Mapping[str, Any] | None = None,
) -> tuple[Sitting, Record]:
    """Return a table at which a hand was played and reported, and its record.

    It was *reported* like this, or else as it was played.
    """
    mode = "4i" if game in {"dalmuti", "mambassa"} else "4t2"
    record = some_record(catalogue.GAMES[game], mode, 3, earlier=earlier)
    assert record.sheet is not None
    tournament = make.tournament(game=game, mode=mode, options=record.options, hands=8)
    table = make.sitting(*PEOPLE, at=tournament, first_dealer=record.first_dealer)
    for sheet in (*record.before, reported or record.sheet):
        make.report(table, sheet)
    return table, record


def attach(table: Sitting, record: Record | str, number: int = 1) -> HandRecord:
    text = record if isinstance(record, str) else write(record)
    return attach_record(
        sitting_id=table.pk,
        number=number,
        text=text,
        by=make.actor(make.user(), device="a phone"),
    )


def refused(table: Sitting, record: Record | str, number: int = 1) -> RuleError:
    with pytest.raises(RuleError) as refusal:
        attach(table, record, number)
    assert not HandRecord.objects.exists()
    assert not LogEntry.objects.filter(verb="record-attached").exists()
    return refusal.value


def page_of(table: Sitting, number: int = 1) -> str:
    return reverse("hand-record", args=[table.pk, number])


# Kept -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("earlier", [0, 1])
@pytest.mark.parametrize("game", PLAYED)
def test_a_record_is_kept_with_the_hand_it_agrees_with(game: str, earlier: int) -> None:
    table, record = played(game, earlier=earlier)

    stored = attach(table, record, earlier + 1)

    again = read(stored.text)
    assert (again.packs, again.moves, again.sheet) == (record.packs, record.moves, record.sheet)
    assert stored.hand.number == earlier + 1
    log_entry = LogEntry.objects.get(verb="record-attached")
    assert (log_entry.on, log_entry.device) == (
        {
            "tournament": table.round.tournament_id,
            "sitting": table.pk,
            "hand": earlier + 1,
        },
        "a phone",
    )


def test_a_record_tells_who_dealt_where_the_table_does_not(client: Client) -> None:
    left = some_record(catalogue.GAMES["dalmuti"], "4i", 3, earlier=0).sheet
    assert left is not None
    table, record = played("dalmuti", reported={"order": left["order"]})

    attach(table, record)

    page = client.get(page_of(table))
    assert page.context["amiss"] == ""
    assert "refusal" not in page.context
    assert Hand.objects.get(sitting=table).dealer is None


def test_no_name_and_no_remark_is_kept() -> None:
    table, record = played()
    named = replace(record, players=PEOPLE)
    text = write(named, remarks=["Asha hesitates"]) + "# Neema was there\n"

    stored = attach(table, text)

    assert not any(name in stored.text for name in (*PEOPLE, "hesitates"))


def test_whoever_is_erased_stands_in_no_record(client: Client) -> None:
    table, record = played()
    attach(table, replace(record, players=PEOPLE))
    owner = make.user("the owner", role=Role.OWNER, club=Club.objects.get())

    asha = make.player("Asha", club=Club.objects.get())
    erase_player(player_id=asha.pk, team_names={}, by=make.actor(owner))

    client.force_login(owner)
    shown = client.get(page_of(table)).text
    assert "Asha" not in shown
    assert "Neema" in shown
    assert "Asha" not in HandRecord.objects.get().text


def test_another_record_takes_its_place() -> None:
    table, record = played()

    attach(table, record)
    attach(table, record)

    assert HandRecord.objects.count() == 1
    assert LogEntry.objects.filter(verb="record-attached").count() == 2


def test_a_record_is_taken_away_once() -> None:
    table, record = played()
    attach(table, record)
    user = make.user()

    for _ in range(2):
        detach_record(sitting_id=table.pk, number=1, by=make.actor(user))

    assert not HandRecord.objects.exists()
    assert LogEntry.objects.filter(verb="record-removed").count() == 1


# Refused --------------------------------------------------------------------------------------


def test_a_record_that_comes_to_another_sheet_is_refused() -> None:
    table, record = played(reported={"points": [61, 59]})

    refusal = refused(table, record)

    assert refusal.code == "record-differs"
    assert "How many card points" in str(refusal)


def test_what_the_table_did_not_write_down_a_record_may_tell() -> None:
    _table, record = played()
    assert record.sheet is not None
    table, _record = played(reported={"points": record.sheet["points"]})

    assert attach(table, record)


def test_another_dealer_than_the_tables_is_told_of() -> None:
    _table, record = played()
    assert record.sheet is not None
    other = (record.dealer + 1) % 4
    table, _record = played(reported={"points": record.sheet["points"], "dealer": other})

    assert str(refused(table, record)).endswith("who dealt")


def test_what_nobody_counted_cannot_agree() -> None:
    table, record = played(reported={"bare": 0})

    assert refused(table, record).code == "record-not-counted"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "albastini"}, "record-elsewhere"),
        ({"mode": "2i"}, "record-elsewhere"),
        ({"options": {"nonsense": 1}}, "option-unknown"),
        ({"packs": (("7S",),)}, "pack"),
    ],
)
def test_a_record_of_another_hand_is_refused(change: Any, code: str) -> None:
    table, record = played()

    assert refused(table, replace(record, **change)).code == code


def test_the_first_wrong_move_is_named() -> None:
    table, record = played()
    wrong = (*record.moves[:2], record.moves[0], *record.moves[3:])

    refusal = refused(table, replace(record, moves=wrong))

    assert isinstance(refusal, MoveError)
    assert refusal.number == 3


@pytest.mark.parametrize("text", ["", "nothing", "Kula hand 1\n" * 2])
def test_what_is_no_record_is_refused(text: str) -> None:
    table, _record = played()

    assert refused(table, text)


# On the site ----------------------------------------------------------------------------------


@pytest.fixture
def at_table() -> tuple[Sitting, Record]:
    return played()


@pytest.fixture
def scorer(client: Client, at_table: tuple[Sitting, Record]) -> Client:
    club = at_table[0].round.tournament.club
    client.force_login(make.user(role=Role.SCORER, club=club))
    return client


def test_a_scorer_keeps_and_takes_away_a_record(
    scorer: Client, at_table: tuple[Sitting, Record]
) -> None:
    table, record = at_table

    page = scorer.post(page_of(table), {"text": write(record)}, follow=True)
    assert "Moves saved" in page.text
    assert page.context["page"]["last"] == len(record.moves)
    step = scorer.get(page_of(table) + "?step=2").context["page"]
    assert (step["step"], step["seats"][0].name in PEOPLE) == (2, True)
    page = scorer.post(page_of(table), {"remove": "1"}, follow=True)

    assert "Moves deleted" in page.text
    assert page.context["record"] is None


def test_a_refusal_stands_beside_the_text(scorer: Client, at_table: tuple[Sitting, Record]) -> None:
    table, record = at_table
    begun = write(replace(record, moves=record.moves[:3], sheet=None))

    page = scorer.post(page_of(table), {"text": begun})

    assert page.context["form"].errors["text"] == ["The moves stop before the hand is over."]
    assert page.context["form"]["text"].value() == begun


def test_nothing_sent_is_refused(scorer: Client, at_table: tuple[Sitting, Record]) -> None:
    table, _record = at_table

    assert scorer.post(page_of(table), {}).context["form"].errors["text"]


def test_anybody_may_watch(client: Client) -> None:
    table, record = played()
    attach(table, record)

    with costs(4):  # the table, its people, the hand, its record
        page = client.get(page_of(table))

    assert page.context["page"]["moves"]
    assert "Add the moves" not in page.text
    assert client.get(page_of(table, 9)).status_code == 404


def test_the_list_of_hands_leads_to_those_that_were_written_down(client: Client) -> None:
    table, record = played("albastini", earlier=1)
    attach(table, record, 2)

    shown = client.get(reverse("hands", args=[table.round.tournament_id])).text

    assert page_of(table, 2) in shown
    assert page_of(table, 1) not in shown


def test_a_sheet_put_right_since_is_told_to_disagree(client: Client) -> None:
    table, record = played()
    attach(table, record)
    assert record.sheet is not None
    points = [60, 60] if record.sheet["points"] != [60, 60] else [70, 50]
    act.correct(table, {1: {"points": points}}, who=make.user())

    page = client.get(page_of(table))

    assert "no longer agrees" in page.text
    assert page.context["amiss"]


def test_a_record_from_before_the_rules_changed_is_told_of(client: Client) -> None:
    table, record = played()
    stored = attach(table, record)
    HandRecord.objects.filter(pk=stored.pk).update(
        text=stored.text.replace("briscola", "tressette")
    )

    page = client.get(page_of(table))

    assert "cannot be replayed any more" in page.text


def test_a_struck_hand_takes_no_record() -> None:
    table, record = played()
    Hand.objects.update(struck_at=NOON)

    assert refused(table, record).code == "record-not-counted"
