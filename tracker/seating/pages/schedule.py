"""Public pages about draws: the schedule of all rounds, and the explanation of one round.

``me`` is the unit (key of an entrant) whom a page explains things to.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tracker.common.figures import figure
from tracker.common.web import access
from tracker.common.web.requests import key_in
from tracker.models import Movement, Tournament
from tracker.movements.catalogue import MOVEMENTS
from tracker.movements.plan_account import account_for
from tracker.movements.types import MeetingKind, PlanAccount
from tracker.seating.logic.saved_draws import account_from_json, question_from_json
from tracker.seating.logic.seatings import EntrantSeat, MeetingHistory, meeting_history, seat_of
from tracker.seating.queries.drawn_round import DrawnRound, drawn_round, round_numbers
from tracker.seating.queries.schedule import Schedule, note_sentence, read_schedule

# Movements that do not look at who has met before.
_IGNORING_MEETINGS = {Movement.BY_LOT, Movement.IN_ORDER, Movement.FREE}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedRound:
    """A drawn round with the facts that explain it; for ``plan`` see ``_plan_of``.

    ``account`` says what this round repeats and why. ``points`` maps each entrant to the points that
    the draw went by; it is empty if the draw did not go by points, as in the first round.
    """

    round: DrawnRound
    plan: Mapping[str, Any]
    movement: Movement
    account: PlanAccount
    points: Mapping[int, Fraction]

    @property
    def by_hand(self) -> set[int]:
        """Return the numbers of the tables that the organiser changed."""
        return {table.number for table in self.round.tables if table.by_hand}


@require_safe
@never_cache
def schedule(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show each entrant's table in each round, and for one entrant also partners and opponents."""
    tournament = access.tournament(request, tournament_id)
    all_rounds, me = read_schedule(tournament), _reader_entrant(request, tournament)
    if me not in all_rounds.names:
        me = None
    seats = () if me is None else all_rounds.seats_of(me)
    values = {"tournament": tournament, "schedule": all_rounds, "me": me, "seats": seats}
    return access.render(request, "seating/draws/schedule.html", tournament.club, **values)


@require_safe
@never_cache
def why(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    """Explain how a round was drawn, and to one entrant their own seat in it."""
    tournament = access.tournament(request, tournament_id)
    plan = _plan_of(tournament, number)
    if plan is None:
        raise Http404
    context = access.context(request, tournament.club, tournament=tournament, number=number)
    if plan:  # otherwise the page says that there is no record of a draw
        all_rounds, me = read_schedule(tournament), _reader_entrant(request, tournament)
        explained = explain_round(tournament, number, plan, all_rounds)
        context |= {
            "drawn": explained,
            "me": me,
            "people": all_rounds.rows,
            "name": all_rounds.names.get(me or 0),
            "answer": explain_seat(explained, all_rounds, me) if me else None,
        }
    return render(request, "seating/draws/why.html", context)


def _reader_entrant(request: HttpRequest, tournament: Tournament) -> int | None:
    """Return the key of the entrant in ``?who=``, or else of the signed-in player's entrant."""
    if "who" in request.GET:
        return key_in(request.GET["who"])
    if request.user.pk is None:
        return None
    entrants = tournament.entrants.filter(player__user=request.user.pk)
    return entrants.values_list("pk", flat=True).first()


def _plan_of(tournament: Tournament, number: int) -> Mapping[str, Any] | None:
    """Return how a round was drawn, in at most two queries; empty if it was opened without a draw.

    ``None`` means that there is no such round: neither opened, nor with a published draw. The keys
    are ``seating`` (who sits where), its ``account``, ``question`` (what the movement was asked),
    ``settings``, and ``order`` (the entrants who were drawn).
    """
    opened = tournament.rounds.not_undone().filter(number=number)
    opened_plan = opened.values_list("seating_plan", flat=True).first()
    if opened_plan is not None:
        return dict(opened_plan) if "seating" in opened_plan else {}
    draw = tournament.draws.exclude(published_at=None).filter(number=number).first()
    if draw is None:
        return None
    # A draw's ``question`` column has what the organiser chose (``settings``, who is ``present``),
    # and in it, under ``question``, what the movement was asked.
    chosen, plan = draw.question, draw.plan
    return {**chosen, "order": chosen["present"], "seating": plan, "account": plan["account"]}


def explain_round(
    tournament: Tournament, number: int, plan: Mapping[str, Any], all_rounds: Schedule
) -> ExplainedRound:
    """Return facts that explain a round, in one query; *plan* is from ``_plan_of``, not empty."""
    earlier = tuple(seating for each, seating in all_rounds.seatings.items() if each < number)
    question = replace(question_from_json(plan["question"]), played=earlier)
    # Repeats are counted for this round alone, even if several were drawn at once. Only the account
    # saved with the draw knows why the movement did what it did in this round.
    account = account_for(question, [all_rounds.seatings[number]])
    notes = [note for note in account_from_json(plan["account"]).notes if note.round == number]
    notes += [note for note in account.notes if note.round is None]
    account = replace(account, notes=tuple(notes))
    points: dict[int, Fraction] = {}
    if question.points and earlier:  # the first round does not go by points
        # ``standing`` has groups of units with equal points, ``points`` the points of each group.
        for group, points_of_each in zip(question.standing, question.points, strict=True):
            points |= dict.fromkeys(group, points_of_each)
    settings = plan["settings"]
    return ExplainedRound(
        round=drawn_round(tournament, number, plan["seating"], settings["mode"], account),
        plan=plan,
        movement=Movement(settings["movement"]),
        account=account,
        # ``present`` has the same entrants for each of the rounds that were drawn at once.
        points={unit: points[unit] for unit in question.present[0] if unit in points},
    )


def explain_seat(explained: ExplainedRound, all_rounds: Schedule, me: int) -> Sequence[str] | None:
    """Return sentences that explain an entrant's seat; ``None`` if there is no such entrant."""
    number, names = explained.round.number, all_rounds.names
    if me not in names:
        return None
    seat = seat_of(all_rounds.seatings[number], me)
    notes = [note_sentence(note, names) for note in explained.account.notes if me in note.units]
    if seat.resting:
        return [gettext("You sit out this round."), *notes]
    if seat.table is None:
        return [gettext("You are not in this round.")]
    history = meeting_history(me, all_rounds.seatings, number)
    again = []
    for other in seat.others:
        if other in history.partners:
            template = gettext("You play with %(name)s again (%(rounds)s).")
            numbers = history.partners[other]
        elif other in history.again:
            template = gettext("You meet %(name)s again (%(rounds)s).")
            numbers = history.again[other]
        else:
            continue
        again.append(template % {"name": names[other], "rounds": round_numbers(numbers)})
    reasons = _reasons_for_repeats(history, explained, seat) if again else ()
    again = again or [gettext("You meet nobody again.")]
    return [*_points_compared(explained, all_rounds, me, seat), *again, *reasons, *notes]


def _points_compared(
    explained: ExplainedRound, all_rounds: Schedule, me: int, seat: EntrantSeat
) -> Iterator[str]:
    """Say how many points an entrant and the only opponent have; if unequal, why they meet."""
    points = explained.points
    if len(seat.opponents) != 1 or not {me, *seat.opponents} <= points.keys():
        return
    (opponent,) = seat.opponents
    own, theirs = figure(points[me]), figure(points[opponent])
    placeholders = {"own": own, "theirs": theirs, "name": all_rounds.names[opponent]}
    plural = 1 if points[me] == 1 else 2  # points may be fractions
    if points[me] == points[opponent]:
        both = ngettext("You both have %(own)s point.", "You both have %(own)s points.", plural)
        yield both % placeholders
        return
    unequal = ngettext(
        "You have %(own)s point and %(name)s has %(theirs)s.",
        "You have %(own)s points and %(name)s has %(theirs)s.",
        plural,
    )
    yield unequal % placeholders
    if seat.table in explained.by_hand:
        return
    number = explained.round.number
    seats = [seat_of(seating, me) for each, seating in all_rounds.seatings.items() if each < number]
    met = {unit for seat_before in seats for unit in seat_before.opponents}
    not_met = all_rounds.seatings[number].seated - met - {me}
    # Somebody with equal points, not met yet, was there: the draw preferred the whole. Otherwise
    # there was nobody.
    if any(points.get(unit) == points[me] for unit in not_met):
        yield gettext("The draw looks at everybody at once: all who meet are as close as can be.")
    else:
        yield gettext("Nobody left to meet has %(own)s.") % placeholders


def _reasons_for_repeats(
    history: MeetingHistory, explained: ExplainedRound, seat: EntrantSeat
) -> Iterator[str]:
    """Say why an entrant meets others again: there was no other way, or something else counts."""
    if seat.table in explained.by_hand:
        yield gettext("The organiser changed this table by hand.")
    least_in_all, repeats_so_far = history.least_repeats, history.repeats
    if least_in_all:
        yield (
            ngettext(
                "With %(people)d taking part and %(rounds)d rounds you must meet somebody"
                " again %(least)d time; no plan can have fewer.",
                "With %(people)d taking part and %(rounds)d rounds you must meet somebody"
                " again %(least)d times; no plan can have fewer.",
                least_in_all,
            )
            % {"people": history.others + 1, "rounds": history.rounds, "least": least_in_all}
        )
        if repeats_so_far == least_in_all:  # as few as possible: that is the whole reason
            return
        yield gettext("So far it is %(times)d for you.") % {"times": repeats_so_far}
    if not history.never_met:
        yield gettext("You have met everybody: it has to be somebody again.")
    elif explained.movement in _IGNORING_MEETINGS:
        yield gettext("These tables were not drawn by who met before.")
    # Movements that cannot draw ahead follow the results; of them only Swiss avoids repeats first.
    elif not MOVEMENTS[explained.movement].ahead and explained.movement != Movement.SWISS:
        yield gettext("These tables follow the results; who met before comes second.")
    else:
        yield gettext(
            "The draw looks at everybody at once, and at partners before opponents: %(count)d pairs"
            " in this round have met before, and at least %(least)d must."
        ) % {
            "count": explained.account.count(MeetingKind.MEETING),
            "least": explained.account.bounds.get(MeetingKind.MEETING, 0),
        }


urlpatterns = [
    path("tournaments/<int:tournament_id>/schedule/", schedule, name="schedule"),
    path("tournaments/<int:tournament_id>/rounds/<int:number>/why/", why, name="why"),
]
