"""Every constraint is attacked on the database itself, with a row in which nothing else is wrong."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any, TypeAlias
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, models, transaction
from django.db.models import F

from tests import make
from tracker.models import (
    ApiToken,
    Attendance,
    Award,
    Club,
    ClubNight,
    Delivery,
    Draw,
    Entrant,
    Hand,
    HandRecord,
    Invitation,
    Issue,
    IssueKind,
    LogEntry,
    Membership,
    Misses,
    Origin,
    Player,
    Report,
    Rest,
    Role,
    Round,
    Rsvp,
    Season,
    Seat,
    SeatingWish,
    SeatTally,
    Sitting,
    Table,
    Tally,
    Team,
    Tournament,
    Upload,
    User,
    Verdict,
    Webhook,
    WithdrawnKey,
)
from tracker.tables.writing import NewReport, add_report_unless_known

pytestmark = pytest.mark.django_db

LINK = uuid4()
EARLIER = make.NOON - timedelta(seconds=1)
Changes: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class World:
    """A club in which there is one good row of everything, and few things to change it to."""

    rows: Mapping[type[models.Model], models.Model]
    player: Player  # who neither plays nor entered
    entrant: Entrant  # who does not rest
    team: Team  # that did not enter
    report: Report  # that stands for no hand
    table: Table  # where nobody sits
    user: User  # without a membership


@dataclass(frozen=True)
class Other:
    """What the world has under this name and has not used, in a table of changes."""

    name: str


@pytest.fixture
def world() -> World:
    asha = make.player("Asha", club=make.club())
    club, user = asha.club, make.user(role=Role.OWNER, club=asha.club)
    Player.objects.filter(pk=asha.pk).update(user=user)
    tournament = make.tournament(club=club, hands=8)
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament)
    make.report(sitting, {"eaten": [70, 50]}, device="a")
    make.report(sitting, {"eaten": [50, 70]}, number=1, device="b", is_next=False)
    Entrant.objects.filter(player=asha).update(seed=1)
    good = [
        *rows_of_a_club(Player.objects.get(pk=asha.pk), user),
        *rows_of_a_night(asha),
        *rows_of_a_tournament(tournament, sitting.seats.get(place=0).entrant),
        *rows_of_a_table(Sitting.objects.get()),
    ]
    return World(
        rows={type(row): row for row in good},
        player=make.player("Ali", club=club),
        entrant=sitting.seats.get(place=1).entrant,
        team=make.team(make.player("Zuri", club=club)),
        report=Report.objects.get(device="b"),
        table=make.table(tournament, 9),
        user=make.user(),
    )


def rows_of_a_club(asha: Player, user: User) -> list[models.Model]:
    club = asha.club
    return [
        club,
        Membership.objects.get(),
        Invitation.objects.create(
            club=club,
            role=Role.MEMBER,
            player=asha,
            made_at=make.NOON,
            expires_at=make.NOON + timedelta(days=7),
        ),
        asha,
        make.team(asha),
        Season.objects.create(club=club, name="Winter"),
        SeatingWish.objects.create(
            club=club, kind="meet", player=asha, other=Player.objects.get(name="Neema")
        ),
        LogEntry.objects.create(club=club, verb="round-closed", at=make.NOON),
        Upload.objects.create(user=user, club=club, content=b"PK", uploaded_at=make.NOON),
        Misses.objects.create(who="strangers", paid_off=0.0),
        ApiToken.objects.create(
            membership=Membership.objects.get(), name="Website", digest="0" * 64, made_at=make.NOON
        ),
        Webhook.objects.create(club=club, url="https://club.example/", made_at=make.NOON),
    ]


def rows_of_a_night(asha: Player) -> list[models.Model]:
    night = ClubNight.objects.create(
        club=asha.club, starts_at=make.NOON, door_token="door", new_link=LINK
    )
    return [
        night,
        Attendance.objects.create(night=night, player=asha, since=make.NOON),
        Rsvp.objects.create(night=night, player=asha, yes=True, answered_at=make.NOON),
    ]


def rows_of_a_tournament(tournament: Tournament, entrant: Entrant) -> list[models.Model]:
    round_ = tournament.rounds.get()
    return [
        tournament,
        Origin.objects.create(tournament=tournament, club="Ilala", imported_at=make.NOON),
        entrant,
        Tally.objects.filter(entrant=entrant)[0],
        Award.objects.create(
            tournament=tournament, entrant=entrant, kind="penalty", amount=-1, reason="Late"
        ),
        Draw.objects.create(
            tournament=tournament, number=1, question={}, seed=1, plan={}, drawn_at=make.NOON
        ),
        round_,
        round_.rests.create(entrant=entrant),
        Delivery.objects.create(
            webhook=Webhook.objects.get(),
            event="round.closed",
            tournament=tournament,
            round=round_,
            occurred_at=make.NOON,
            due_at=make.NOON,
        ),
    ]


def rows_of_a_table(sitting: Sitting) -> list[models.Model]:
    table, hand = Table.objects.get(), Hand.objects.get()
    return [
        table,
        WithdrawnKey.objects.create(key="old", table=table, withdrawn_at=make.NOON),
        sitting,
        sitting.seats.get(place=0),
        SeatTally.objects.filter(seat__place=0)[0],
        Report.objects.get(device="a"),
        Issue.objects.get(),
        hand,
        HandRecord.objects.create(hand=hand, text="Kula hand 1\n", kept_at=make.NOON),
    ]


# Rows that must never be: the constraint, and what of a good row to change.
BAD: dict[str, tuple[type[models.Model], Changes]] = {
    "club_has_a_name": (Club, {"name": ""}),
    "membership_role_is_known": (Membership, {"role": "king"}),
    "invitation_role_is_known": (Invitation, {"role": "king"}),
    "invitation_once": (Invitation, {"used": 2}),
    "invitation_of_a_player_is_for_one": (Invitation, {"many": True}),
    "invitation_lasts_a_while": (Invitation, {"expires_at": make.NOON}),
    "player_has_a_name": (Player, {"name_key": ""}),
    "player_not_merged_into_itself": (Player, {"merged_into": F("pk")}),
    "team_has_a_name": (Team, {"name_key": ""}),
    "season_rule_is_known": (Season, {"rule": "luck"}),
    "season_best_of_at_least_one": (Season, {"best_of": 0}),
    "season_least_played_at_least_one": (Season, {"least_played": 0}),
    "attendance_ends_after_it_began": (Attendance, {"until": EARLIER}),
    "rsvp_is_a_player_or_a_name": (Rsvp, {"name": "Zuri"}),
    "tournament_format_is_known": (Tournament, {"format": "crowd"}),
    "tournament_confirm_is_known": (Tournament, {"confirm": "none"}),
    "tournament_counts_hands_or_games": (Tournament, {"games": 1}),
    "tournament_rounds_are_not_empty": (Tournament, {"hands": 0}),
    "tournament_plans_something": (Tournament, {"planned": 0}),
    "tournament_ranked_by_is_known": (Tournament, {"ranked_by": "beauty"}),
    "tournament_movement_is_known": (Tournament, {"movement": "dance"}),
    "tournament_leftover_is_known": (Tournament, {"leftover": "home"}),
    "tournament_rest_credit_is_known": (Tournament, {"rest_credit": "gold"}),
    "tournament_substitution_is_known": (Tournament, {"substitution": "nobody"}),
    "tournament_carry_over_is_known": (Tournament, {"carry_over": "most"}),
    "tournament_fixed_rest_has_points": (Tournament, {"rest_credit": "fixed"}),
    "tournament_has_places": (Tournament, {"places": 0}),
    "tournament_stage_follows_another": (Tournament, {"follows": F("pk"), "stage": "Final"}),
    "draw_numbered_from_one": (Draw, {"number": 0}),
    "seating_wish_kind_is_known": (SeatingWish, {"kind": "friend"}),
    "seating_wish_is_of_a_table_or_of_somebody": (SeatingWish, {"table": 3}),
    "seating_wish_is_of_two_people": (SeatingWish, {"other": F("player")}),
    "entrant_seeds_begin_at_one": (Entrant, {"seed": 0}),
    "entrant_waits_or_has_withdrawn": (
        Entrant,
        {"withdrawn_at": make.NOON, "reserve_since": make.NOON},
    ),
    "entrant_expelled_has_withdrawn": (Entrant, {"expelled": True}),
    "entrant_is_a_player_or_a_team": (Entrant, {"player": None}),
    "round_state_is_known": (Round, {"state": "lost"}),
    "round_numbered_from_one": (Round, {"number": 0}),
    "round_counts_hands_or_games": (Round, {"games": 1}),
    "round_is_not_empty": (Round, {"hands": 0}),
    "origin_is_a_club": (Origin, {"club": ""}),
    "log_entry_has_a_verb": (LogEntry, {"verb": ""}),
    "night_is_of_this_age": (ClubNight, {"starts_at": datetime(9999, 1, 1, tzinfo=UTC)}),
    "tournament_is_of_this_age": (Tournament, {"created_at": datetime(9999, 1, 1, tzinfo=UTC)}),
    "award_kind_is_known": (Award, {"kind": "gift"}),
    "award_is_an_amount_or_a_rule": (Award, {"rule": "average"}),
    "award_has_a_reason": (Award, {"reason": ""}),
    "table_of_a_night_or_a_tournament": (Table, {"tournament": None}),
    "table_numbered_from_one": (Table, {"number": 0}),
    "api_token_scope_is_known": (ApiToken, {"scope": "rule"}),
    "api_token_has_a_name": (ApiToken, {"name": ""}),
    "webhook_has_a_url": (Webhook, {"url": ""}),
    "delivery_event_is_known": (Delivery, {"event": "tea.served"}),
    "delivery_waits_or_was_made": (Delivery, {"delivered_at": make.NOON}),
    "delivery_of_a_round": (Delivery, {"round": None}),
    "withdrawn_key_is_not_empty": (WithdrawnKey, {"key": ""}),
    "withdrawn_key_of_a_table_or_a_sitting": (WithdrawnKey, {"table": None}),
    "misses_are_somebodys": (Misses, {"who": ""}),
    "sitting_token_state_is_known": (Sitting, {"token_state": "lost"}),
    "sitting_numbered_from_one": (Sitting, {"number": 0}),
    "sitting_dealer_chosen_after_a_hand": (Sitting, {"chosen_dealer": 1}),
    "sitting_dealer_chosen_after_a_played_hand": (
        Sitting,
        {"chosen_dealer": 1, "chosen_after": 2},
    ),
    "sitting_decided_for_a_side_in_a_known_way": (Sitting, {"decided_side": 0}),
    "sitting_counts_no_hand_it_does_not_have": (Sitting, {"hands_standing": 2}),
    "seat_from_hand_one": (Seat, {"from_hand": 0}),
    "seat_ends_after_it_began": (Seat, {"from_hand": 3, "to_hand": 1}),
    "report_verdict_is_known": (Report, {"verdict": "perhaps"}),
    "report_numbered_from_one": (Report, {"number": 0}),
    "hand_numbered_from_one": (Hand, {"number": 0}),
    "hand_kind_is_known": (Hand, {"kind": "guessed"}),
    "hand_dealer_unknown_by_its_sheet": (Hand, {"dealer": None}),
    "hand_confirmed_after_recorded": (Hand, {"confirmed_at": EARLIER}),
    "hand_struck_after_recorded": (Hand, {"struck_at": EARLIER}),
    "hand_not_played_out_for_a_reason": (Hand, {"result_type": "void"}),
    "issue_kind_is_known": (Issue, {"kind": "gossip"}),
    "record_is_of_a_hand": (HandRecord, {"text": "Asha won"}),
    "issue_settled_with_an_outcome": (Issue, {"outcome": "keep"}),
    "issue_is_about_a_report": (Issue, {"report": None}),
    "issue_call_has_a_reason": (Issue, {"kind": "call"}),
}
# Rows that must not be there twice: what of a second one differs, and what would set it right.
TWICE: dict[str, tuple[type[models.Model], Changes, Changes]] = {
    "membership_once_a_club": (Membership, {}, {"user": Other("user")}),
    "player_name_once_a_club": (Player, {"user": None}, {"name_key": "other"}),
    "player_once_a_user_and_club": (Player, {"name_key": "other"}, {"user": None}),
    "team_name_once_a_club": (Team, {}, {"name_key": "other"}),
    "season_name_once_a_club": (Season, {}, {"name": "Summer"}),
    "attendance_once_at_a_time": (Attendance, {}, {"player": Other("player")}),
    "rsvp_once_a_player": (Rsvp, {}, {"player": Other("player")}),
    "draw_once_a_round_to_come": (Draw, {}, {"number": 2}),
    "seating_wish_once_two_people": (SeatingWish, {}, {"kind": "partner"}),
    "entrant_player_once_a_tournament": (Entrant, {"seed": None}, {"player": Other("player")}),
    "entrant_seed_once_a_tournament": (Entrant, {"player": Other("player")}, {"seed": 2}),
    "round_number_once_a_tournament": (Round, {}, {"state": "undone"}),
    "rest_once_an_entrant_and_round": (Rest, {}, {"entrant": Other("entrant")}),
    "table_number_once_a_tournament": (Table, {}, {"number": 2}),
    "sitting_number_once_a_round": (Sitting, {"table": None}, {"number": 2}),
    "sitting_once_a_table_and_round": (
        Sitting,
        {"number": 2},
        {"table": Other("table")},
    ),
    "seat_one_running_a_player_and_round": (
        Seat,
        {"place": 7},
        {"player": Other("player")},
    ),
    "hand_number_once_a_sitting": (
        Hand,
        {"accepted_report": Other("report")},
        {"number": 2},
    ),
    "seat_tally_once_a_key": (SeatTally, {}, {"key": "other"}),
    "tally_once_a_key": (Tally, {}, {"key": "other"}),
    "Club.uid": (Club, {}, {"uid": uuid4()}),
    "Player.uid": (
        Player,
        {"name_key": "other", "user": None},
        {"uid": uuid4()},
    ),
    "Team.uid": (Team, {"name_key": "other"}, {"uid": uuid4()}),
    "Season.uid": (Season, {"name": "Summer"}, {"uid": uuid4()}),
    "ClubNight.uid": (ClubNight, {}, {"uid": uuid4()}),
    "ClubNight.door_token": (ClubNight, {}, {"door_token": "other"}),
    "ClubNight.new_link": (ClubNight, {"new_link": LINK}, {"new_link": uuid4()}),
    "Tournament.uid": (Tournament, {}, {"uid": uuid4()}),
    "Entrant.uid": (Entrant, {"player": Other("player"), "seed": None}, {"uid": uuid4()}),
    "Round.uid": (Round, {"number": 2}, {"uid": uuid4()}),
    "Award.uid": (Award, {}, {"uid": uuid4()}),
    "Table.uid": (Table, {"number": 2}, {"uid": uuid4()}),
    "Table.card_token": (Table, {"number": 2}, {"card_token": "other"}),
    "Table.code": (Table, {"number": 2}, {"code": "ABCD"}),
    "WithdrawnKey.key": (WithdrawnKey, {}, {"key": "other"}),
    "Sitting.uid": (
        Sitting,
        {"number": 2, "table": None},
        {"uid": uuid4()},
    ),
    "Sitting.token": (
        Sitting,
        {"number": 2, "table": None},
        {"token": "other"},
    ),
    "Upload.user": (Upload, {}, {"user": Other("user")}),
    "ApiToken.digest": (ApiToken, {}, {"digest": "1" * 64}),
    "Delivery.uid": (Delivery, {}, {"uid": LINK}),
    "Report.entry": (Report, {}, {"entry": uuid4()}),
    "Hand.accepted_report": (Hand, {"number": 2}, {"accepted_report": Other("report")}),
}
# More, of rows that the tables above do not start from: the row, and what of a second one differs.
TWICE_OTHERWISE: dict[str, Callable[[World], tuple[models.Model, Changes]]] = {
    "HandRecord.hand": lambda world: (world.rows[HandRecord], {}),
    "Origin.tournament": lambda world: (world.rows[Origin], {"club": "Kinondoni"}),
    "entrant_team_once_a_tournament": lambda world: (
        make.entrant(world.team, at=Tournament.objects.get()),
        {},
    ),
    "issue_one_open_call_a_table": lambda _world: (call(), {}),
    "seating_wish_one_table_a_player": lambda world: (
        SeatingWish.objects.create(
            club=world.player.club, kind="table", player=world.player, table=1
        ),
        {"table": 2},
    ),
    "rsvp_once_a_name": lambda _world: (
        Rsvp.objects.create(
            night=ClubNight.objects.get(),
            name="Zuri",
            name_key="zuri",
            yes=True,
            answered_at=make.NOON,
        ),
        {},
    ),
    "table_number_once_a_night": lambda _world: (
        Table.objects.create(night=ClubNight.objects.get(), number=1, card_token="x", code="x"),
        {},
    ),
    # A trigger would refuse it too; the index does so even where both begin at once.
    "seat_one_running_a_place": lambda world: (world.rows[Seat], {"player": world.player}),
}


def call() -> Issue:
    return Issue.objects.create(
        sitting=Sitting.objects.get(),
        number=1,
        kind=IssueKind.CALL,
        reason="ruling",
        raised_at=make.NOON,
    )


NEVER_CHANGED = {Report, LogEntry}


def declared() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield every constraint of ours, and every unique field, with the columns it is about."""
    for model in apps.get_app_config("tracker").get_models():
        for constraint in model._meta.constraints:
            fields = getattr(constraint, "fields", ())
            yield constraint.name, tuple(column_of(model, field) for field in fields)
        for field in model._meta.local_fields:
            if field.unique and not field.primary_key and model.__name__ != "User":
                yield f"{model.__name__}.{field.name}", (column_of(model, field.name),)


def column_of(model: type[models.Model], name: str) -> str:
    field = model._meta.get_field(name)
    assert isinstance(field, models.Field)
    return str(field.column)


COLUMNS = dict(declared())


def copy_of(row: models.Model, fixed: str, **changes: Any) -> models.Model:
    """Return an unsaved copy; every unique field but *fixed* is made a new one."""
    copied = {
        field.name: getattr(row, field.name)
        for field in row._meta.local_fields
        if not field.primary_key
    }
    fresh = {
        field.name: uuid4() if isinstance(field, models.UUIDField) else uuid4().hex[:4]
        for field in row._meta.local_fields
        if field.unique and not field.is_relation and not field.primary_key
    }
    fresh.pop(fixed.rpartition(".")[2], None)
    return type(row)(**{**copied, **fresh, **changes})


def resolved(changes: Changes, world: World) -> Changes:
    return {
        name: getattr(world, value.name) if isinstance(value, Other) else value
        for name, value in changes.items()
    }


def attack(row: models.Model, name: str, changes: Changes) -> None:
    """Change a row to what must never be, or add such a one where no row is ever changed."""
    if type(row) in NEVER_CHANGED:
        insert(copy_of(row, name, **changes))
    else:
        type(row)._base_manager.filter(pk=row.pk).update(**changes)


def insert(row: models.Model) -> None:
    with transaction.atomic():
        row.save(force_insert=True)


def assert_refused(name: str, refusal: IntegrityError) -> None:
    """Look that it was this constraint, by its name or, as SQLite says it, by its columns."""
    # SQLite never comes to the unique entry: the trigger against REPLACE stands before it.
    said = str(refusal).replace("report_is_never_replaced", "Report.entry")
    columns = COLUMNS[name]
    assert name in said or (columns and all(column in said for column in columns)), said


def test_nothing_declared_goes_without_an_attack() -> None:
    elsewhere = {"seat_one_active_a_player"}  # in test_active_seats
    assert set(COLUMNS) == {*BAD, *TWICE, *TWICE_OTHERWISE, *elsewhere}


@pytest.mark.parametrize("name", BAD)
def test_row_that_must_never_be_is_refused(world: World, name: str) -> None:
    model, changes = BAD[name]

    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        attack(world.rows[model], name, changes)

    assert_refused(name, refusal.value)


@pytest.mark.parametrize("name", TWICE)
def test_row_that_is_there_already_is_refused_and_another_is_not(world: World, name: str) -> None:
    model, changes, mended = TWICE[name]
    row = world.rows[model]

    with pytest.raises(IntegrityError) as refusal:
        insert(copy_of(row, name, **resolved(changes, world)))
    insert(copy_of(row, name, **resolved({**changes, **mended}, world)))

    assert_refused(name, refusal.value)


@pytest.mark.parametrize("name", TWICE_OTHERWISE)
def test_second_row_is_refused(world: World, name: str) -> None:
    row, changes = TWICE_OTHERWISE[name](world)

    with pytest.raises(IntegrityError) as refusal:
        insert(copy_of(row, "", **changes))

    assert_refused(name, refusal.value)


def test_a_table_calls_again_once_its_call_is_settled(world: World) -> None:
    insert(copy_of(call(), "", settled_at=make.NOON, outcome="done"))


# What only a trigger can say ------------------------------------------------------------------


def overlapping_later() -> None:
    """Let a stint that had ended before the next began run into it."""
    first = Seat.objects.get(place=0)
    Seat.objects.filter(pk=first.pk).update(to_hand=1)
    ali = Player.objects.get(name="Ali")
    insert(copy_of(first, "", player=ali, from_hand=2))
    Seat.objects.filter(pk=first.pk).update(to_hand=2)


def overlapping_stint() -> None:
    first = Seat.objects.get(place=0)
    insert(copy_of(first, "", player=Player.objects.get(name="Ali"), to_hand=1))


TRIGGERED: dict[str, Callable[[], object]] = {
    "report_is_never_changed": lambda: Report.objects.update(number=2),
    "report_is_never_deleted": lambda: _run("DELETE FROM tracker_report"),
    "log_entry_is_never_changed": lambda: LogEntry.objects.update(verb="nothing"),
    "log_entry_reason_is_only_blackened": lambda: LogEntry.objects.update(
        reason="Nothing happened"
    ),
    "log_entry_is_never_deleted": lambda: _run("DELETE FROM tracker_logentry"),
    "seat_stints_do_not_overlap": overlapping_stint,
    "seat_stints_do_not_overlap_later": overlapping_later,
}


# What only one of the two databases knows how to do.
TRIGGERED_ON: dict[str, dict[str, Callable[[], object]]] = {
    "sqlite": {
        "report_is_never_replaced": lambda: _run(
            "REPLACE INTO tracker_report SELECT * FROM tracker_report"
        ),
        "log_entry_is_never_replaced": lambda: _run(
            "REPLACE INTO tracker_logentry SELECT * FROM tracker_logentry"
        ),
    },
    "postgresql": {
        "report_is_never_emptied": lambda: _run("TRUNCATE tracker_report CASCADE"),
        "log_entry_is_never_emptied": lambda: _run("TRUNCATE tracker_logentry"),
    },
}


def _run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


triggers = import_module("tracker.migrations.0013_one_running_seat_a_player")


def test_every_trigger_is_in_place_whatever_a_later_migration_rebuilt() -> None:
    where = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
    }

    with connection.cursor() as cursor:
        cursor.execute(where[connection.vendor])
        names = {name for (name,) in cursor.fetchall()}

    delivering = import_module("tracker.migrations.0019_programs").TRIGGERS
    assert names >= {*triggers.tables(connection.vendor), *delivering}


def test_no_trigger_goes_without_an_attack() -> None:
    for vendor, more in TRIGGERED_ON.items():
        refusing = triggers.tables(vendor).keys() - triggers.KEEPING  # see test_active_seats
        assert {**TRIGGERED, **more}.keys() == refusing


@pytest.mark.parametrize("name", TRIGGERED)
def test_trigger_refuses_it(world: World, name: str) -> None:
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        TRIGGERED[name]()


def test_trigger_refuses_what_only_this_database_can_do(world: World) -> None:
    connection.check_constraints()  # PostgreSQL empties no table of which it has still to look
    for name, attack in TRIGGERED_ON[connection.vendor].items():
        with pytest.raises(IntegrityError, match=name), transaction.atomic():
            attack()


sqlite_alone = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="SQLite's own words")


@sqlite_alone
@pytest.mark.parametrize(
    "statement",
    [
        (
            "INSERT OR REPLACE INTO tracker_report SELECT NULL, entry, number, side, device, sheet,"
            " received_at, verdict, answer, sent_by_id, sitting_id FROM tracker_report"
        ),
        "UPDATE OR REPLACE tracker_report SET rowid = 1000",
        "UPDATE OR REPLACE tracker_logentry SET rowid = 1000",
        "UPDATE tracker_logentry SET _rowid_ = _rowid_ + 1000",
    ],
)
def test_nothing_of_sqlite_replaces_what_was_written(world: World, statement: str) -> None:
    with pytest.raises(IntegrityError, match=r"never_(replaced|changed)"), transaction.atomic():
        _run(statement)


def test_a_report_that_is_known_is_not_added_again(world: World) -> None:
    known = Report.objects.get(device="a")
    again = NewReport(
        entry=known.entry,
        sitting_id=known.sitting_id,
        number=2,
        sheet={"eaten": [120, 0]},
        by=make.actor(),
        verdict=Verdict.ACCEPTED,
        answer={},
    )

    assert add_report_unless_known(again) is None
    assert Report.objects.count() == 2


SAID = "Asha [sic] said 100% of_it? *No* \\ Asha […] went"


@pytest.mark.parametrize(
    "left",
    [
        SAID,
        SAID.replace("Asha", "[…]"),
        SAID.replace("Asha", "[…]", 1),
        SAID.replace("Asha […] went", "[…]"),
        "[…]",
        "[…] […]",
        "[…] [sic] […]",
    ],
)
def test_a_reason_may_be_blackened(world: World, left: str) -> None:
    entry = LogEntry.objects.create(verb="round-closed", at=make.NOON, reason=SAID)

    LogEntry.objects.filter(pk=entry.pk).update(reason=left)

    assert LogEntry.objects.get(pk=entry.pk).reason == left


@pytest.mark.parametrize(
    "written",
    [
        "",
        "Nothing happened […]",
        "Neema […]",
        "[…] Neema",
        "[…]!",
        SAID.replace("Asha", "asha"),
        SAID.replace("Asha", "[…]").replace("went", "stayed"),
        SAID.replace("100%", "100 […] percent"),
        "%",
        "*",
        "\x01",
        SAID + "[…]",
        "[…] went Asha […]",
        SAID.replace("Asha ", ""),
    ],
)
def test_a_reason_is_not_rewritten_under_a_mark(world: World, written: str) -> None:
    entry = LogEntry.objects.create(verb="round-closed", at=make.NOON, reason=SAID)

    with (
        pytest.raises(IntegrityError, match="log_entry_reason_is_only_blackened"),
        transaction.atomic(),
    ):
        LogEntry.objects.filter(pk=entry.pk).update(reason=written)


def test_stints_one_after_another_are_allowed(world: World) -> None:
    first = Seat.objects.get(place=0)
    Seat.objects.filter(pk=first.pk).update(to_hand=1)

    insert(copy_of(first, "", player=world.player, from_hand=2))

    assert Seat.objects.filter(place=0).count() == 2


def test_place_that_nobody_took_is_free_again(world: World) -> None:
    """A stint that ended before it began, from_hand - 1, is empty and overlaps with none."""
    first = Seat.objects.get(place=0)
    Seat.objects.filter(pk=first.pk).update(to_hand=0)

    insert(copy_of(first, "", player=world.player))

    assert Seat.objects.filter(place=0).count() == 2


@pytest.mark.parametrize("model", [Report, Hand])
def test_what_was_reported_is_protected_from_deletion(
    world: World, model: type[models.Model]
) -> None:
    with pytest.raises(models.ProtectedError):
        Sitting.objects.all().delete()

    assert model._base_manager.exists()
