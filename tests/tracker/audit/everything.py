"""A club in which everything was done once that the log tells of, by the services alone."""

from dataclasses import dataclass
from datetime import timedelta
from random import Random

from tests import make, tour
from tests.make import NOON
from tests.one_file import file_from_elsewhere
from tracker.common.actor import Actor
from tracker.models import (
    ApiToken,
    AwardKind,
    CallReason,
    Club,
    Confirm,
    Entrant,
    Event,
    Format,
    Issue,
    IssueKind,
    LogEntry,
    Membership,
    Movement,
    RankedBy,
    Role,
    Round,
    Season,
    Sitting,
    Table,
    Tally,
    TieResolution,
    TokenScope,
    Tournament,
)
from tracker.nights.services.attendance import (
    answer_waiting,
    arrive,
    come_in,
    go_home,
    leave,
    open_door,
    record_rsvp,
)
from tracker.nights.services.closing import Unconfirmed, close_round, reopen_round
from tracker.nights.services.nights import (
    announce_night,
    current_or_new_night,
    edit_night,
    end_night,
    renew_link,
    reopen_night,
)
from tracker.nights.services.tonight import seat_table
from tracker.people.services.api_tokens import make_token, withdraw_token
from tracker.people.services.claims import answer_claim, claim_player, unlink_player
from tracker.people.services.clubs import edit_club, make_club
from tracker.people.services.erasing import erase_player
from tracker.people.services.importing import import_players
from tracker.people.services.invitations import invite, join, join_path, withdraw
from tracker.people.services.members import (
    change_role,
    give_password_link,
    remove_member,
    rename_user,
)
from tracker.people.services.merging import merge_players, unmerge
from tracker.people.services.players import add_players, rename_player
from tracker.people.services.teams import edit_team, make_team
from tracker.practice.services import detach_record
from tracker.results.services.calls import call_organiser, finish_call, take_call, withdraw_call
from tracker.results.services.confirming import confirm_hand, confirm_table
from tracker.results.services.corrections import RESTORE, STRIKE, correct_sitting
from tracker.results.services.issues import query_hand
from tracker.results.services.paper import Paper, write_down
from tracker.results.services.recount import recount
from tracker.results.services.settling import IssueOutcome, settle
from tracker.results.services.table_actions import bring_back, choose_dealer, take_back
from tracker.seating.services.clocks import (
    give_minutes,
    pause_clocks,
    resume_clocks,
    start_clock,
    take_break,
)
from tracker.seating.services.draws import (
    discard_draws,
    draw_rounds,
    lock_table,
    publish_draws,
    swap_entrants,
)
from tracker.seating.services.player_replacement import Reach, replace_player
from tracker.seating.services.round_opening import open_draw
from tracker.seating.services.rounds import (
    decide_match,
    reopen_match,
    restore_round,
    shorten_round,
    undo_round,
)
from tracker.seating.services.seat_swaps import substitute, swap_seats
from tracker.seating.services.table_cards import (
    create_cards,
    renew_address,
    renew_cards,
    withdraw_card,
)
from tracker.seating.services.wishes import drop_wish, keep_table
from tracker.standings.services.seasons import save_season
from tracker.standings.services.stages import StagePlan, begin_stage
from tracker.standings.services.standings import (
    finish_tournament,
    give_award,
    publish_standing,
    reopen_tournament,
    resolve_tie,
    withdraw_award,
)
from tracker.tournament_files.services.importing import import_tournament, undo_import
from tracker.tournaments.services.entering import (
    come_back,
    enter_players,
    limit_places,
    seed_entrants,
    withdraw as leave_tournament,
)
from tracker.tournaments.services.tournaments import (
    change_ranking,
    edit_tournament,
    make_tournament,
    put_in_season,
)
from tracker.webhooks.services.webhooks import (
    add_webhook,
    repeat_delivery,
    withdraw_webhook,
)

PHONE = make.actor(device="phone")
NAMES = ("Asha", "Neema", "Juma", "Baraka", "Zuwena", "Omari", "Rehema", "Ali", "Lulu", "Sefu")


@dataclass(frozen=True, slots=True)
class Done:
    """The club, who runs it, and a table at which hands were corrected."""

    club: Club
    by: Actor
    tournament: Tournament
    sitting: Sitting


def everything() -> Done:
    """Do everything once, and return where."""
    marta = make.user("marta")
    by = make.actor(marta)
    club = make_club(name="Upanga", by=by)
    rename_user(name="Marta", by=by)
    edit_club(club_id=club.pk, name="Upanga", public=False, by=by)
    edit_club(club_id=club.pk, name="Upanga", public=True, by=by)
    people = [player.pk for player in add_players(club_id=club.pk, names=NAMES, by=by).players]
    _people(club, by)
    _logins(club, by)
    _night(club, by)
    tournament = _tournament(club, people, by)
    sitting = _hands(tournament, by)
    _seats(tournament, by)
    _rounds(tournament, sitting.round, by)
    _points(club, by)
    _stage(club, by)
    _level_match(club, by)
    _two_sides(club, by)
    _webhooks(tournament, by)
    return Done(club, by, tournament, sitting)


def _people(club: Club, by: Actor) -> None:
    import_players(club_id=club.pk, text="name\nFatma\nHamisi\n", by=by)
    fatma, hamisi = make.player("Fatma", club=club), make.player("Hamisi", club=club)
    rename_player(player_id=hamisi.pk, name="Hamisi K.", by=by)
    guest = make.user("guest", role=Role.MEMBER, club=club)
    for yes in (False, True):
        claim_player(player_id=fatma.pk, by=make.actor(guest))
        answer_claim(player_id=fatma.pk, yes=yes, by=by)
    unlink_player(player_id=fatma.pk, by=by)
    merger = merge_players(player_id=hamisi.pk, into_id=fatma.pk, by=by)
    unmerge(log_entry_id=merger.pk, by=by)
    merge_players(player_id=hamisi.pk, into_id=fatma.pk, by=by)
    asha = make.player("Asha", club=club)
    both = [fatma.pk, asha.pk]
    team = make_team(club_id=club.pk, name="Pwani", players=both, by=by)
    juma = make.player("Juma", club=club)
    edit_team(team_id=team.pk, name="Pwani", players=[*both, juma.pk], by=by)
    erased = make.player("Gone", club=club)
    erase_player(player_id=erased.pk, team_names={}, by=by)
    wish = keep_table(club_id=club.pk, player_id=asha.pk, table=2, by=by)
    drop_wish(wish_id=wish.pk, club_id=club.pk, by=by)


def _logins(club: Club, by: Actor) -> None:
    invitation = invite(club_id=club.pk, role=Role.SCORER, days=7, by=by)
    clerk = make.user("newcomer")
    join(token=join_path(invitation.pk).split("/")[-2], by=make.actor(clerk))
    many = invite(club_id=club.pk, role=Role.MEMBER, many=True, days=7, by=by)
    withdraw(invitation_id=many.pk, by=by)
    membership = Membership.objects.get(user=clerk)
    make_token(club_id=club.pk, name="Website", scope=TokenScope.READ, by=by)
    make_token(club_id=club.pk, name="Hall", scope=TokenScope.ORGANISE, by=by)
    withdraw_token(token_id=ApiToken.objects.get(name="Website").pk, by=by)
    change_role(membership_id=membership.pk, role=Role.ORGANISER, by=by)
    give_password_link(membership_id=membership.pk, by=by)
    remove_member(membership_id=membership.pk, by=by)


def _webhooks(tournament: Tournament, by: Actor) -> None:
    webhook = add_webhook(club_id=tournament.club_id, url="https://club.example/", by=by)
    told = webhook.deliveries.create(
        event=Event.STANDING_OFFICIAL, tournament=tournament, occurred_at=NOON
    )
    repeat_delivery(delivery_id=told.pk, by=by)
    withdraw_webhook(webhook_id=webhook.pk, by=by)


def _night(club: Club, by: Actor) -> None:
    later = NOON + timedelta(days=7)
    night = announce_night(club_id=club.pk, starts_at=later, by=by)
    edit_night(night_id=night.pk, starts_at=later, place="The hall", games="", by=by)
    renew_link(night_id=night.pk, by=by)
    asha = make.player("Asha", club=club)
    record_rsvp(night_id=night.pk, player_id=asha.pk, yes=True, by=PHONE)
    record_rsvp(night_id=night.pk, player_id=None, name="Zuri", yes=False, by=PHONE)
    on_now = current_or_new_night(club_id=club.pk, by=by)
    open_door(night_id=on_now.pk, by=by)
    open_door(night_id=on_now.pk, by=by, renew=True)
    mzee = come_in(night_id=on_now.pk, player_id=None, name="Mzee", by=PHONE)
    assert mzee is not None
    go_home(night_id=on_now.pk, player_id=mzee.pk, by=PHONE)
    for name in ("Mzee 2", "Mzee 3", "Mzee 4", "Mzee 5"):
        come_in(night_id=on_now.pk, player_id=None, name=name, by=PHONE)
    waiting = on_now.rsvps.order_by("pk").values_list("pk", flat=True)
    answer_waiting(night_id=on_now.pk, rsvps=list(waiting[:1]), let_in=False, by=by)
    sefu = make.player("Sefu", club=club)
    arrive(night_id=on_now.pk, players=[sefu.pk], by=by)
    leave(night_id=on_now.pk, players=[sefu.pk], by=by)
    end_night(night_id=on_now.pk, by=by)
    reopen_night(night_id=on_now.pk, by=by)
    take_break(night_id=on_now.pk, minutes=15, by=by)
    resume_clocks(night_id=on_now.pk, by=by)


def _tournament(club: Club, people: list[int], by: Actor) -> Tournament:
    """Make a tournament of eight players, whose first round is drawn and opened."""
    several = make_tournament(club_id=club.pk, name="Cards", game="dalmuti", mode="4i", by=by)
    change_ranking(
        tournament_id=several.pk, ranked_by=RankedBy.SHARE, tie_breaks=["lots"], seed=1, by=by
    )
    season = save_season(Season(club=club, name="Autumn"), by=by)
    save_season(season, by=by)
    made = make_tournament(
        club_id=club.pk, name="Cup", game="albastini", mode="4t2", length=8, by=by
    )
    edit_tournament(tournament_id=made.pk, name="Friday Cup", length=8, confirm=Confirm.BOTH, by=by)
    for season_id in (season.pk, None):
        put_in_season(tournament_id=made.pk, season_id=season_id, by=by)
    limit_places(tournament_id=made.pk, places=8, by=by)
    entered = enter_players(tournament_id=made.pk, players=people[:9], by=by)
    leave_tournament(entrant_id=entered[7].pk, by=by)  # the ninth moves up
    limit_places(tournament_id=made.pk, places=None, by=by)
    come_back(entrant_id=entered[7].pk, by=by)
    leave_tournament(entrant_id=entered[8].pk, by=by)
    leave_tournament(entrant_id=entered[8].pk, by=by, expelled=True, reason="He cheated")
    seed_entrants(tournament_id=made.pk, seeds={entered[0].pk: 1}, by=by)
    create_cards(tournament_id=made.pk, tables=3, rng=Random(1), by=by)
    _draw(made, by)
    return made


def _draw(tournament: Tournament, by: Actor) -> None:
    key, rng = tournament.pk, Random(7)
    playing = [entrant.pk for entrant in tournament.entrants.filter(withdrawn_at=None)]
    draw_rounds(tournament_id=key, entrants=playing, by=by, rng=rng)
    discard_draws(tournament_id=key, by=by)
    [draw, *_] = draw_rounds(tournament_id=key, entrants=playing, by=by, rng=rng)
    first, second = (table["units"][0] for table in draw.plan["tables"])
    swap_entrants(tournament_id=key, units=(first, second), by=by)
    for locked in (True, False):
        lock_table(tournament_id=key, number=1, locked=locked, by=by)
    publish_draws(tournament_id=key, by=by)
    open_draw(tournament_id=key, by=by, rng=rng)


def _hands(tournament: Tournament, by: Actor) -> Sitting:
    """Play at table 1 what is corrected, asked about, settled and written from paper."""
    sitting = Sitting.objects.get(round__tournament=tournament, number=1)
    for eaten in ([70, 50], [60, 60], [80, 40]):
        make.report(sitting, {"eaten": eaten}, device="phone", side=0)
    make.report(sitting, {"eaten": [50, 70]}, number=3, device="phone", side=0)
    make.report(sitting, {"eaten": [50, 70]}, number=3, device="other", side=1)
    take_back(token=sitting.token, number=3, by=PHONE, side=0)
    bring_back(token=sitting.token, number=3, by=PHONE, side=0)
    make.report(sitting, {"eaten": [61, 59]}, number=2, device="phone", side=0)
    change = Issue.objects.get(kind=IssueKind.CHANGE)
    settle(issue_id=change.pk, outcome=IssueOutcome.DISMISS, reason="", by=by)
    confirm_table(sitting_id=sitting.pk, by=by)
    for number, outcome in ((1, IssueOutcome.TAKE), (2, IssueOutcome.KEEP)):
        conflict = {"eaten": [90, 30]}
        make.report(sitting, conflict, number=number, device="other", side=1, is_next=False)
        issue = Issue.objects.get(kind=IssueKind.CONFLICT, settled_at=None)
        settle(issue_id=issue.pk, outcome=outcome, reason="counted again", by=by)
    query = query_hand(token=sitting.token, number=1, note="90?", by=PHONE)
    settle(issue_id=query.pk, outcome=IssueOutcome.DISMISS, reason="", by=by)
    _correct(sitting, by)
    paper = Paper(sheets={4: {"eaten": [100, 20]}, 5: {"bare": 1}})
    write_down({sitting.pk: paper}, reason="the phone was dead", by=by)
    sitting.refresh_from_db()
    dealer = next(place for place in sitting.may_deal if place != make.coming_dealer(sitting))
    choose_dealer(token=sitting.token, place=dealer, by=PHONE)
    for end in (finish_call, None):
        call = call_organiser(token=sitting.token, reason=CallReason.CARDS, by=PHONE)
        if end is None:
            withdraw_call(token=sitting.token, by=PHONE)
        else:
            take_call(call_id=call.pk, by=by)
            end(call_id=call.pk, by=by)
    dalmuti = tour.played("dalmuti", club=tournament.club)
    tour.write_down(dalmuti)
    dalmuti.refresh_from_db()
    detach_record(sitting_id=dalmuti.pk, number=dalmuti.last_number, by=by)
    close_round(round_id=dalmuti.round_id, anyway=True, by=by)
    Tally.objects.filter(entrant__tournament=tournament).delete()
    recount(tournament_id=tournament.pk, by=by, write=True)
    return sitting


def _two_sides(club: Club, by: Actor) -> None:
    """Play where another side has to agree; the last hand is taken back, an older one asked about."""
    cup = make.tournament("albastini", club=club, name="Pairs", hands=3, confirm=Confirm.BOTH)
    sitting = make.sitting(*NAMES[:4], at=cup)
    for _hand in range(3):
        make.report(sitting, {"eaten": [70, 50]}, device="phone", side=0)
    other = make.actor(device="other")
    confirm_hand(token=sitting.token, number=1, by=other, side=1)
    make.report(sitting, {"eaten": [50, 70]}, number=2, device="phone", side=0)
    for act in (take_back, bring_back):
        act(token=sitting.token, number=3, by=PHONE)
    confirm_table(sitting_id=sitting.pk, numbers=[2], by=by)
    close_round(round_id=sitting.round_id, anyway=True, unconfirmed=Unconfirmed.LEAVE, by=by)


def _correct(sitting: Sitting, by: Actor) -> None:
    slip = "typing slip"
    for changes in (
        {1: {"eaten": [50, 70]}},
        {1: {"eaten": [40, 80]}, 2: {"eaten": [70, 50]}},
        {2: STRIKE},
        {2: RESTORE},
    ):
        correct_sitting(sitting_id=sitting.pk, changes=changes, reason=slip, by=by)


def _seats(tournament: Tournament, by: Actor) -> None:
    other = Sitting.objects.get(round__tournament=tournament, number=2)
    first, second, third, _fourth = other.seats.order_by("place")
    swap_seats(seats=(first.pk, second.pk), by=by)
    sefu = make.player("Sefu", club=tournament.club)
    substitute(seat_id=third.pk, player_id=sefu.pk, by=by)
    for reach, name in zip(Reach, ("Sabra", "Sauda", "Said"), strict=True):
        came = make.player(name, club=tournament.club)
        replace_player(seat_id=third.pk, player_id=came.pk, reach=reach, by=by)
    renew_address(sitting_id=other.pk, by=by)
    card = Table.objects.get(tournament=tournament, number=3)
    withdraw_card(table_id=card.pk, rng=Random(1), by=by)
    renew_cards(tables=[card.pk], rng=Random(2), by=by)


def _rounds(tournament: Tournament, round_: Round, by: Actor) -> None:
    night = current_or_new_night(club_id=tournament.club_id, by=by)
    Round.objects.filter(pk=round_.pk).update(night=night)
    names = ["Mwajuma", "Salum", "Tatu", "Uledi"]
    seat_table(tournament_id=tournament.pk, new_names=names, by=by, rng=Random(3))
    start_clock(round_id=round_.pk, minutes=40, by=by)
    sitting = round_.sittings.get(number=1)
    give_minutes(sitting_id=sitting.pk, minutes=5, by=by)
    pause_clocks(night_id=night.pk, by=by)
    resume_clocks(night_id=night.pk, by=by)
    shorten_round(round_id=round_.pk, length=6, by=by)
    close_round(round_id=round_.pk, not_played=True, by=by)
    reopen_round(round_id=round_.pk, by=by)
    close_round(round_id=round_.pk, anyway=True, unconfirmed=Unconfirmed.LEAVE, by=by)
    make.report(sitting, {"eaten": [70, 50]}, number=1, device="late", side=1)
    late = Issue.objects.get(kind=IssueKind.LATE, settled_at=None)
    settle(issue_id=late.pk, outcome=IssueOutcome.DISMISS, reason="", by=by)
    undo_round(round_id=round_.pk, by=by, reason="the wrong draw")
    restore_round(round_id=round_.pk, by=by)


def _points(club: Club, by: Actor) -> None:
    """Let a tournament end in a tie."""
    cup = make.tournament("albastini", club=club, name="Short Cup", hands=1)
    make.report(make.sitting(*NAMES[:4], at=cup), {"eaten": [70, 50]})
    close_round(round_id=cup.rounds.get().pk, by=by)
    entrant = Entrant.objects.get(tournament=cup, player__name="Asha")
    given = give_award(
        tournament_id=cup.pk,
        entrant_id=entrant.pk,
        kind=AwardKind.PENALTY,
        amount=-1,
        reason="came late",
        by=by,
    )
    withdraw_award(tournament_id=cup.pk, award_id=given.pk, by=by)
    publish_standing(tournament_id=cup.pk, until=NOON + timedelta(minutes=20), by=by)
    for _again in range(2):
        finish_tournament(tournament_id=cup.pk, by=by)
        level = Entrant.objects.filter(tournament=cup, player__name__in=["Asha", "Juma"])
        order = [each.pk for each in level]
        resolve_tie(tournament_id=cup.pk, how=TieResolution.CUT, order=order, seed=1, by=by)
        reopen_tournament(tournament_id=cup.pk, by=by)


def _stage(club: Club, by: Actor) -> None:
    cup = Tournament.objects.get(club=club, name="Short Cup")
    everybody = list(cup.entrants.values_list("pk", flat=True))
    plan = StagePlan(
        stage="Final",
        mode="4t2",
        format_=Format.PLAYERS,
        movement=Movement.FEWEST_REPEATS,
        length=8,
    )
    begin_stage(sources=[cup.pk], entrants=everybody, plan=plan, by=by)
    import_tournament(club_id=club.pk, content=file_from_elsewhere(cup), choices=None, by=by)
    gone = import_tournament(club_id=club.pk, content=file_from_elsewhere(cup), choices=None, by=by)
    undo_import(tournament_id=gone.pk, by=by)


def _level_match(club: Club, by: Actor) -> None:
    duel = make.tournament("albastini", "2i", club=club, name="Duel")
    sitting = make.sitting("Asha", "Juma", at=duel)
    Sitting.objects.filter(pk=sitting.pk).update(side_points=[0, 0])
    decide_match(sitting_id=sitting.pk, side=None, by=by, rng=Random(1))
    reopen_match(sitting_id=sitting.pk, by=by)
    decide_match(sitting_id=sitting.pk, side=1, by=by, rng=Random(1))
    close_round(round_id=sitting.round_id, anyway=True, by=by)


def verbs_done(club: Club) -> set[str]:
    return set(LogEntry.objects.filter(club=club).values_list("verb", flat=True))
