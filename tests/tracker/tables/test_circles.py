"""No two acts wait for each other in a circle: see ``ledger.locks``.

On SQLite one transaction writes at a time, and these say no more than that nothing fails.
"""

from contextlib import suppress
from random import Random

import pytest
from django.db import transaction
from django.db.models import QuerySet

from tests import act, make
from tests.meeting import Meeting
from tests.one_file import file_from_elsewhere
from tracker.common.errors import Refused
from tracker.models import (
    Attendance,
    Misses,
    Movement,
    Player,
    Role,
    RoundState,
    Seat,
    Sitting,
    TokenState,
    Upload,
)
from tracker.nights.services import closing
from tracker.nights.services.attendance import arrive
from tracker.nights.services.closing import close_finished, close_round
from tracker.nights.services.tonight import begin_tonight
from tracker.people.services import claims, merging
from tracker.people.services.claims import claim_player
from tracker.people.services.merging import merge_players, move_wishes
from tracker.people.services.players import add_players
from tracker.results.queries.snapshot import take_snapshot
from tracker.results.services import corrections, preview as previews
from tracker.results.services.corrections import STRIKE
from tracker.results.services.preview import preview
from tracker.results.services.recount import recount
from tracker.seating.services import (
    player_replacement,
    rounds,
    seat_swaps,
    table_cards as card_services,
)
from tracker.seating.services.draws import draw_rounds
from tracker.seating.services.player_replacement import Reach, replace_player
from tracker.seating.services.round_opening import seat_round
from tracker.seating.services.rounds import undo_round
from tracker.seating.services.seat_swaps import substitute, swap_seats
from tracker.seating.services.stints import store_stints
from tracker.seating.services.table_cards import renew_cards
from tracker.standings.services import standings as standing_services
from tracker.standings.services.standings import finish_tournament
from tracker.tables import locks
from tracker.tables.failed_lookups import RateLimit, count_failed_lookup
from tracker.tables.locks import lock_free_players, lock_table
from tracker.tournament_files.logic.errors import InvalidFileError
from tracker.tournament_files.services.importing import (
    UPLOAD_LASTS,
    forget_uploads,
    import_tournament,
)
from tracker.tournaments.services import entry_lists
from tracker.tournaments.services.entering import enter_players
from tracker.tournaments.services.entry_lists import enter_by_name

SHEET = {"eaten": [70, 50]}
FOUR = ("Asha", "Neema", "Juma", "Baraka")
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def meeting() -> Meeting:
    return Meeting()


def test_somebody_takes_over_a_seat_that_is_being_exchanged(
    monkeypatch: pytest.MonkeyPatch, meeting: Meeting
) -> None:
    sitting = make.sitting(*FOUR)
    first, second = (seat.pk for seat in sitting.seats.order_by("place")[:2])
    late = make.player("Pendo", club=sitting.round.tournament.club)
    monkeypatch.setattr(seat_swaps, "lock_table", meeting.before(lock_table))

    meeting.of(
        lambda: substitute(seat_id=first, player_id=late.pk, by=make.actor()),
        lambda: swap_seats(seats=(first, second), by=make.actor()),
    )

    there = sitting.seats.values_list("player__name", flat=True)
    assert "Pendo" in there
    assert len(there) == 4


def test_somebody_is_replaced_by_one_who_becomes_another(
    monkeypatch: pytest.MonkeyPatch, meeting: Meeting
) -> None:
    sitting = make.sitting(*FOUR)
    make.report(sitting, SHEET)
    tournament = sitting.round.tournament
    right, same = (make.player(name, club=tournament.club) for name in ("Amina", "Amina K."))
    seat = sitting.seats.get(place=0).pk
    monkeypatch.setattr(player_replacement, "store_stints", meeting.before(store_stints))

    meeting.of(
        lambda: replace_player(
            seat_id=seat, player_id=right.pk, reach=Reach.TOURNAMENT, by=make.actor()
        ),
        lambda: merge_players(player_id=right.pk, into_id=same.pk, by=make.actor()),
    )

    assert sitting.seats.get(place=0).player == same
    assert recount(tournament_id=tournament.pk, by=make.actor()).findings == ()


def test_a_swap_is_looked_at_while_its_tournament_goes_on(
    monkeypatch: pytest.MonkeyPatch, meeting: Meeting
) -> None:
    sitting = make.sitting(*FOUR)
    make.report(sitting, SHEET)
    tournament = sitting.round.tournament
    night = make.night(tournament.club)
    sitting.round.night = night
    sitting.round.save()
    first, second = (seat.pk for seat in sitting.seats.order_by("place")[:2])
    monkeypatch.setattr(previews, "take_snapshot", meeting.before(take_snapshot))

    meeting.of(
        lambda: preview(
            lambda: swap_seats(seats=(first, second), by=make.actor()), tournament_id=tournament.pk
        ),
        lambda: close_round(round_id=sitting.round_id, anyway=True, by=make.actor()),
    )

    assert [seat.player.name for seat in sitting.seats.order_by("place")] == list(FOUR)
    assert tournament.rounds.get().state == RoundState.CLOSED


def test_a_hand_is_struck_in_an_early_round_whose_table_came_late(
    monkeypatch: pytest.MonkeyPatch, meeting: Meeting
) -> None:
    tournament = make.tournament()
    early = make.round_of(tournament)
    late = make.round_of(tournament)
    # It joined round 1 while round 2 was taken back, which came back.
    make.sitting(in_round=late)
    joined = make.sitting(*FOUR, in_round=early)
    make.report(joined, SHEET)
    monkeypatch.setattr(corrections, "hold_later_tables", meeting.before(locks.hold_later_tables))

    meeting.of(
        lambda: act.correct(joined, {1: STRIKE}),
        lambda: undo_round(round_id=late.pk, by=make.actor()),
    )

    late.refresh_from_db()
    assert late.state == RoundState.UNDONE


def test_all_rounds_that_are_full_are_closed_while_somebody_closes_one(
    monkeypatch: pytest.MonkeyPatch, meeting: Meeting
) -> None:
    tournament = make.tournament(hands=1, movement=Movement.FREE)
    both = [make.round_of(tournament) for _ in range(2)]
    for round_ in both:
        make.report(make.sitting(in_round=round_), SHEET)
    monkeypatch.setattr(closing, "hold_tables_of", meeting.after(locks.hold_tables_of))

    meeting.of(
        lambda: close_finished(tournament_id=tournament.pk, by=make.actor()),
        lambda: close_round(round_id=both[1].pk, by=make.actor()),
    )

    assert not tournament.rounds.exclude(state=RoundState.CLOSED).exists()


def test_somebody_new_walks_in_and_is_drawn_at_once(
    monkeypatch: pytest.MonkeyPatch, meeting: Meeting
) -> None:
    tournament = make.tournament()
    known = [make.entrant(make.player(name, club=tournament.club), at=tournament) for name in FOUR]
    monkeypatch.setattr(entry_lists, "enter_players", meeting.before(enter_players))

    meeting.of(
        lambda: enter_by_name(tournament_id=tournament.pk, lines=["Pendo"], by=make.actor()),
        lambda: draw_rounds(
            tournament_id=tournament.pk,
            entrants=[each.pk for each in known],
            new_names=["Pendo"],
            by=make.actor(),
            rng=Random(1),
        ),
    )

    assert tournament.entrants.count() == 5


def test_a_final_ends_its_event_while_two_of_its_players_become_one(
    monkeypatch: pytest.MonkeyPatch, meeting: Meeting
) -> None:
    qualifying = make.tournament()
    final = make.tournament(club=qualifying.club, follows=qualifying, stage="Final")
    player, same = (make.player(name, club=qualifying.club) for name in ("Juma", "Juma K."))
    for stage in (qualifying, final):
        make.entrant(player, at=stage)
    monkeypatch.setattr(
        standing_services,
        "refuse_open_round",
        meeting.before(standing_services.refuse_open_round),
    )

    meeting.of(
        lambda: finish_tournament(tournament_id=final.pk, by=make.actor()),
        lambda: merge_players(player_id=player.pk, into_id=same.pk, by=make.actor()),
    )

    qualifying.refresh_from_db()
    assert qualifying.official_at is not None
    assert final.entrants.get().player == same


def test_somebody_who_is_here_twice_becomes_one_while_a_table_forms(
    monkeypatch: pytest.MonkeyPatch, meeting: Meeting
) -> None:
    club = make.club()
    *others, player = [make.player(name, club=club) for name in FOUR]
    same = make.player("Baraka K.", club=club)
    arrive(night_id=make.night(club).pk, players=[same.pk], by=make.actor())
    monkeypatch.setattr(rounds, "lock_free_players", meeting.before(lock_free_players))

    meeting.of(
        lambda: begin_tonight(
            club_id=club.pk,
            game="albastini",
            title="Friday",
            players=[each.pk for each in (*others, player)],
            new_names=[],
            by=make.actor(),
            rng=Random(1),
        ),
        lambda: merge_players(player_id=same.pk, into_id=player.pk, by=make.actor()),
    )

    assert Attendance.objects.filter(player=player, until=None).count() == 1


def test_somebody_becomes_another_while_a_table_is_laid_for_them(
    monkeypatch: pytest.MonkeyPatch, meeting: Meeting
) -> None:
    tournament = make.tournament()
    people = [make.player(name, club=tournament.club) for name in FOUR]
    same = make.player("Asha K.", club=tournament.club)
    monkeypatch.setattr(merging, "move_wishes", meeting.before(move_wishes))

    def lay() -> None:
        # Found on the page before, and entered while nobody waits for those who merge.
        entrants = [make.entrant(person, at=tournament).pk for person in people]
        with pytest.raises(Refused, match="was merged into"):
            seat_round(
                tournament_id=tournament.pk, entrants=entrants, by=make.actor(), rng=Random(1)
            )

    meeting.of(lambda: merge_players(player_id=people[0].pk, into_id=same.pk, by=make.actor()), lay)

    assert not Seat.objects.filter(player__merged_into__isnull=False).exists()


def test_somebody_says_who_they_are_after_all_while_a_round_opens(
    monkeypatch: pytest.MonkeyPatch, meeting: Meeting
) -> None:
    tournament = make.tournament()
    people = [make.player(name, club=tournament.club) for name in FOUR]
    entrants = [make.entrant(person, at=tournament) for person in people]
    user = make.user(role=Role.MEMBER, club=tournament.club)
    Player.objects.filter(pk=people[0].pk).update(claimed_by=user)
    monkeypatch.setattr(
        claims, "_check_no_other_player", meeting.before(claims._check_no_other_player)
    )

    meeting.of(
        lambda: claim_player(player_id=people[1].pk, by=make.actor(user)),
        lambda: seat_round(
            tournament_id=tournament.pk,
            entrants=[each.pk for each in entrants],
            by=make.actor(),
            rng=Random(1),
        ),
    )

    assert Player.objects.get(claimed_by=user) == people[1]
    assert tournament.rounds.count() == 1


def test_a_file_brings_somebody_who_comes_in_just_now(meeting: Meeting) -> None:
    file = file_from_elsewhere(make.sitting(*FOUR).round.tournament)
    club = make.club("Ilala")

    @transaction.atomic
    def add() -> None:
        add_players(club_id=club.pk, names=["Juma"], by=make.actor())
        meeting.before(lambda: None)()

    def take_in() -> None:
        with suppress(InvalidFileError):  # whoever sends it again is told that Juma is here
            import_tournament(club_id=club.pk, content=file, choices=None, by=make.actor())

    meeting.of(add, take_in)

    assert club.players.filter(name="Juma").count() == 1


def test_two_who_left_a_file_lying_forget_both(
    monkeypatch: pytest.MonkeyPatch, meeting: Meeting
) -> None:
    club = make.club()
    first, second = (make.actor(make.user(), at=make.NOON) for _ in range(2))
    for by in (first, second):
        Upload.objects.create(
            user_id=by.signed_in(), club=club, content=b"", uploaded_at=make.NOON - UPLOAD_LASTS
        )
    monkeypatch.setattr(QuerySet, "delete", meeting.after(QuerySet.delete))

    meeting.of(
        transaction.atomic(lambda: forget_uploads(first)),
        transaction.atomic(lambda: forget_uploads(second)),
    )

    assert not Upload.objects.exists()


def test_who_missed_long_ago_is_forgotten_unless_they_miss_again_just_then(
    meeting: Meeting,
) -> None:
    for who in ("strangers", "address 192.0.2.7"):
        Misses.objects.create(who=who, paid_off=1.0)

    @transaction.atomic
    def miss() -> None:
        """Do in two statements what ``count_failed_lookup`` does in one."""
        Misses.objects.filter(who="address 192.0.2.7").update(paid_off=100.0)
        meeting.before(Misses.objects.filter(who="strangers").update)(paid_off=100.0)

    meeting.of(
        miss, lambda: count_failed_lookup({"players": RateLimit(burst=2, seconds=9)}, now=50.0)
    )

    assert "address 192.0.2.7" in Misses.objects.values_list("who", flat=True)


def test_who_may_miss_no_more_since_just_then_puts_off_nobody_else(meeting: Meeting) -> None:
    allowed = {"address 192.0.2.7": RateLimit(burst=2, seconds=9), "strangers": RateLimit(9, 9)}
    assert count_failed_lookup(allowed, now=50.0)

    @transaction.atomic
    def last_miss() -> None:
        assert count_failed_lookup(allowed, now=50.0)
        meeting.before(Misses.objects.count)()

    meeting.of(last_miss, lambda: count_failed_lookup(allowed, now=50.0))

    assert Misses.objects.get(who="strangers").paid_off == 50.0 + 2 * 9


def test_cards_are_renewed_while_the_round_is_taken_back(
    monkeypatch: pytest.MonkeyPatch, meeting: Meeting
) -> None:
    tournament = make.tournament()
    cards = [make.table(tournament, number).pk for number in (1, 2)]
    for number in (2, 1):
        sitting = make.sitting(at=tournament, number=number)
    Sitting.objects.update(token_state=TokenState.REVOKED)
    monkeypatch.setattr(card_services, "_record", meeting.after(card_services._record))

    meeting.of(
        lambda: renew_cards(tables=cards, rng=Random(1), by=make.actor()),
        lambda: undo_round(round_id=sitting.round_id, by=make.actor()),
    )

    assert {*Sitting.objects.values_list("token_state", flat=True)} == {TokenState.CLOSED}
