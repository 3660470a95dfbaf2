"""Public pages about draws: the schedule, and the explanation of a round."""

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
from tracker.models import Draw, Movement, RoundState, Tournament
from tracker.movements.catalogue import MOVEMENTS
from tracker.movements.plan_account import account_for
from tracker.movements.types import MeetingKind, PlanAccount
from tracker.seating.logic.drawn_seats import Company, OwnSeat, company_of, own_seat
from tracker.seating.logic.saved_draws import account_from_json, question_from_json
from tracker.seating.queries.drawn_round import ShownRound, _rounds, shown_round
from tracker.seating.queries.schedule import Schedule, note_sentence, schedule_of

_BY_CHANCE = {Movement.BY_LOT, Movement.IN_ORDER, Movement.FREE}


@require_safe
@never_cache
def schedule(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show each entrant's table in each round, and to a known reader their own rounds."""
    tournament = access.tournament(request, tournament_id)
    seatings, me = schedule_of(tournament), _me(request, tournament)
    known = me in seatings.names
    context = access.context(
        request,
        tournament.club,
        tournament=tournament,
        schedule=seatings,
        me=me if known else None,
        own=seatings.own(me) if me is not None and known else (),
    )
    return render(request, "seating/draws/schedule.html", context)


@require_safe
@never_cache
def why(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    """Explain how a round was drawn, and to a known reader their own seat in it."""
    tournament = access.tournament(request, tournament_id)
    plan = plan_of(tournament, number)
    if plan is None:
        raise Http404
    context = access.context(request, tournament.club, tournament=tournament, number=number)
    if plan:
        rounds = schedule_of(tournament)
        drawn = explain_round(tournament, number, plan, rounds)
        me = _me(request, tournament)
        context |= {
            "drawn": drawn,
            "me": me,
            "people": rounds.rows,
            "name": rounds.names.get(me or 0),
            "answer": explain_seat(drawn, rounds, me) if me else None,
        }
    return render(request, "seating/draws/why.html", context)


def _me(request: HttpRequest, tournament: Tournament) -> int | None:
    """Return the entrant that the address names, or else the one who is signed in."""
    if "who" in request.GET:
        return key_in(request.GET["who"])
    if request.user.pk is None:
        return None
    mine = tournament.entrants.filter(player__user=request.user.pk)
    return mine.values_list("pk", flat=True).first()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedRound:
    """A drawn round with what explains it: movement, repeats, seed and points."""

    round: ShownRound
    movement: Movement
    account: PlanAccount
    by_hand: frozenset[int]  # numbers of tables that the organiser changed
    seed: int
    players: int
    points: Mapping[int, Fraction]  # by entrant, of everybody who plays; empty before round 2


def plan_of(tournament: Tournament, number: int) -> Mapping[str, Any] | None:
    """Return the draw plan of a round that was opened or has a published draw.

    A round opened from no draw has an empty plan; without such a round it is ``None``. It takes
    a query, and one more for a round to come.
    """
    standing = tournament.rounds.exclude(state=RoundState.UNDONE).filter(number=number)
    plan = standing.values_list("seating_plan", flat=True).first()
    if plan is not None:
        return dict(plan) if "seating" in plan else {}
    published = Draw.objects.filter(tournament=tournament, published_at__isnull=False)
    draw = published.filter(number=number).first()
    if draw is None:
        return None
    return {
        "seating": draw.plan,
        "account": draw.plan["account"],
        "question": draw.question["question"],
        "settings": draw.question["settings"],
        "order": draw.question["present"],
    }


def explain_round(
    tournament: Tournament, number: int, plan: Mapping[str, Any], rounds: Schedule
) -> ExplainedRound:
    """Return a round by the plan it was drawn with, in one query.

    Where several rounds were planned at once, what repeats is said of this one alone.
    """
    saved = account_from_json(plan["account"])
    before = [seating for at, seating in rounds.seatings.items() if at < number]
    question = replace(question_from_json(plan["question"]), played=tuple(before))
    seen = account_for(question, [rounds.seatings[number]])
    turns = tuple(note for note in saved.notes if note.round == number)
    repeats = tuple(note for note in seen.notes if note.round is None)
    seen = replace(seen, notes=(*turns, *repeats))
    mode = plan["settings"]["mode"]
    levels = zip(question.places, question.points, strict=True) if question.points else ()
    points = {unit: value for level, value in levels for unit in level}
    return ExplainedRound(
        round=shown_round(tournament, number, plan["seating"], mode, seen),
        movement=Movement(plan["settings"]["movement"]),
        account=seen,
        by_hand=frozenset(
            table["number"] for table in plan["seating"]["tables"] if table.get("by_hand")
        ),
        seed=plan["question"]["seed"],
        players=len(plan["order"]),
        # The first round is drawn by seeds or by lot.
        points={unit: points[unit] for unit in question.present[0] if unit in points and before},
    )


def explain_seat(drawn: ExplainedRound, rounds: Schedule, me: int) -> Sequence[str] | None:
    """Explain to an entrant their seat in a round; ``None`` if there is no such entrant."""
    number = drawn.round.number
    if me not in rounds.names or number not in rounds.seatings:
        return None
    seat = own_seat(rounds.seatings[number], me)
    notes = [note_sentence(note, rounds.names) for note in drawn.account.notes if me in note.units]
    if seat.resting:
        says = [gettext("You sit out this round."), *notes]
    elif seat.table is None:
        says = [gettext("You are not in this round.")]
    else:
        company = company_of(me, rounds.seatings, number)
        again = []
        for other in (*seat.partners, *seat.opponents):
            words = {"name": rounds.names[other]}
            if other in company.partners:
                words["rounds"] = _rounds(company.partners[other])
                again.append(gettext("You play with %(name)s again (%(rounds)s).") % words)
            elif other in company.again:
                words["rounds"] = _rounds(company.again[other])
                again.append(gettext("You meet %(name)s again (%(rounds)s).") % words)
        reasons = list(_reasons(company, drawn, seat)) if again else []
        again = again or [gettext("You meet nobody again.")]
        says = [*_by_points(drawn, rounds, me, seat), *again, *reasons, *notes]
    return says


def _by_points(drawn: ExplainedRound, rounds: Schedule, me: int, seat: OwnSeat) -> Iterator[str]:
    """Say how many points both sides have, and if unequal, why they meet."""
    points = drawn.points
    if len(seat.opponents) != 1 or not {me, *seat.opponents} <= points.keys():
        return
    (other,) = seat.opponents
    own, theirs = figure(points[me]), figure(points[other])
    words = {"own": own, "theirs": theirs, "name": rounds.names[other]}
    many = 1 if points[me] == 1 else 2
    before = [seating for at, seating in rounds.seatings.items() if at < drawn.round.number]
    met = {other for seating in before for other in own_seat(seating, me).opponents}
    sits = rounds.seatings[drawn.round.number].seated
    left = [each for each in sits - met - {me} if points.get(each) == points[me]]
    if points[me] == points[other]:
        yield (
            ngettext("You both have %(own)s point.", "You both have %(own)s points.", many) % words
        )
        return
    yield (
        ngettext(
            "You have %(own)s point and %(name)s has %(theirs)s.",
            "You have %(own)s points and %(name)s has %(theirs)s.",
            many,
        )
        % words
    )
    if left and seat.table not in drawn.by_hand:
        yield gettext("The draw looks at everybody at once: all who meet are as close as can be.")
    elif seat.table not in drawn.by_hand:
        yield gettext("Nobody left to meet has %(own)s.") % words


def _reasons(company: Company, drawn: ExplainedRound, seat: OwnSeat) -> Iterator[str]:
    """Say why they meet again: it cannot be avoided, or the draw went by something else."""
    numbers = {
        "people": company.others + 1,
        "rounds": company.rounds,
        "least": company.least,
        "times": company.repeats,
    }
    if seat.table in drawn.by_hand:
        yield gettext("The organiser changed this table by hand.")
    if company.least:
        yield (
            ngettext(
                "With %(people)d taking part and %(rounds)d rounds you must meet somebody"
                " again %(least)d time; no plan can have fewer.",
                "With %(people)d taking part and %(rounds)d rounds you must meet somebody"
                " again %(least)d times; no plan can have fewer.",
                company.least,
            )
            % numbers
        )
        if company.repeats == company.least:
            return
        yield gettext("So far it is %(times)d for you.") % numbers
    if not company.new:
        yield gettext("You have met everybody: it has to be somebody again.")
    elif drawn.movement in _BY_CHANCE:
        yield gettext("These tables were not drawn by who met before.")
    # Not Swiss: it repeats nothing while that can be avoided.
    elif not MOVEMENTS[drawn.movement].ahead and drawn.movement != Movement.SWISS:
        yield gettext("These tables follow the results; who met before comes second.")
    else:
        seen = drawn.account
        yield gettext(
            "The draw looks at everybody at once, and at partners before opponents: %(count)d pairs"
            " in this round have met before, and at least %(least)d must."
        ) % {
            "count": seen.count(MeetingKind.MEETING),
            "least": seen.bounds.get(MeetingKind.MEETING, 0),
        }


urlpatterns = [
    path("tournaments/<int:tournament_id>/schedule/", schedule, name="schedule"),
    path("tournaments/<int:tournament_id>/rounds/<int:number>/why/", why, name="why"),
]
