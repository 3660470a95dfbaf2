"""A drawn round as people read it: tables with names, what repeats at each, and why."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext

from tracker.common.figures import figure
from tracker.common.names import short_names
from tracker.models import Draw, Entrant, Format, Movement, RoundState, Tournament
from tracker.movements.account import account
from tracker.movements.catalogue import MOVEMENTS
from tracker.movements.types import Account, MeetingKind, Repeat, TableSeating
from tracker.seating.logic.drawn_seats import Company, OwnSeat, company_of, own_seat
from tracker.seating.logic.saved_draws import account_from_json, question_from_json, round_from_json
from tracker.seating.queries.schedule import Schedule, note_sentence
from tracker.standings.queries.brackets import match_name

_BY_CHANCE = {Movement.BY_LOT, Movement.IN_ORDER, Movement.FREE}


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedEntrant:
    entrant: int
    name: str
    opens: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTable:
    """A table by side; ``sits`` says how it is played where that is not as usual."""

    number: int
    sides: tuple[tuple[SeatedEntrant, ...], ...]
    match: str = ""
    sits: str = ""
    locked: bool = False
    by_hand: bool = False
    repeats: tuple[str, ...] = ()
    met: str = ""  # how many of them have met before

    @property
    def alone(self) -> bool:
        """Say whether everybody plays for themselves."""
        return all(len(side) == 1 for side in self.sides) and len(self.sides) > 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRound:
    """A round drawn or played, and what there is to say about it."""

    number: int
    tables: tuple[ShownTable, ...]
    resting: tuple[SeatedEntrant, ...]
    summary: str
    resting_note: str  # who sits out, and why; empty where nobody does
    notes: tuple[str, ...]


def shown_round(
    tournament: Tournament, number: int, plan: Mapping[str, Any], mode: str, seen: Account
) -> ShownRound:
    """Return a saved seating with names, in one query."""
    seating = round_from_json(plan)
    units = seating.units | {unit for repeat in seen.repeats for unit in repeat.units}
    units |= {unit for note in seen.notes for unit in note.units}
    names = Entrant.objects.filter(pk__in=units).names()
    if tournament.format == Format.PLAYERS:
        names = short_names(names)
    options = tournament.house_rules
    at_table: dict[int, list[Repeat]] = defaultdict(list)
    where = {unit: at for at, table in enumerate(seating.tables) for unit in table.units}
    for repeat in seen.repeats:
        if repeat.units[0] in where:
            at_table[where[repeat.units[0]]].append(repeat)
    return ShownRound(
        number=number,
        tables=tuple(
            _shown_table(
                table,
                saved=saved,
                sits=""
                if table.shape.code == mode
                else gettext(tournament.rules.mode(table.shape.code, options).name),
                names=names,
                repeats=at_table[at],
                tournament=tournament,
            )
            for at, (table, saved) in enumerate(zip(seating.tables, plan["tables"], strict=True))
        ),
        resting=tuple(SeatedEntrant(entrant=unit, name=names[unit]) for unit in seating.resting),
        summary=summary_of(seen, tournament),
        resting_note=" ".join(
            note_sentence(note, names) for note in seen.notes if note.code == "rest"
        ),
        notes=tuple(note_sentence(note, names) for note in seen.notes if note.code != "rest"),
    )


def summary_of(seen: Account, tournament: Tournament) -> str:
    """Say in a sentence how many have met before, and how many of them as partners."""
    met = met_before(seen.count(MeetingKind.MEETING), tournament)
    if not met:
        return gettext("All new opponents.")
    if not (partners := seen.count(MeetingKind.PARTNERS)):
        return gettext("%(met)s.") % {"met": met}
    return gettext("%(met)s, %(count)d as partners.") % {"met": met, "count": partners}


def met_before(pairs: int, tournament: Tournament) -> str:
    """Say how many pairs of entrants have met before; empty for none."""
    who = gettext("players") if tournament.format == Format.PLAYERS else gettext("teams")
    said = ngettext(
        "%(count)d pair of %(who)s has met before",
        "%(count)d pairs of %(who)s have met before",
        pairs,
    )
    return said % {"count": pairs, "who": who} if pairs else ""


def _shown_table(
    table: TableSeating,
    *,
    saved: Mapping[str, Any],
    sits: str,
    names: Mapping[int, str],
    repeats: Sequence[Repeat],
    tournament: Tournament,
) -> ShownTable:
    def entrant(place: int) -> SeatedEntrant:
        unit = table.units[place]
        return SeatedEntrant(entrant=unit, name=names[unit], opens=place == table.opener)

    by_kind = {kind: [each for each in repeats if each.kind is kind] for kind in MeetingKind}
    partners = by_kind[MeetingKind.PARTNERS]
    as_partners = {each.units for each in partners}
    others = [each for each in by_kind[MeetingKind.MEETING] if each.units not in as_partners]
    told = (
        *(
            gettext("%(one)s and %(other)s were partners in %(rounds)s.") % _words(each, names)
            for each in partners
        ),
        *(
            gettext("%(one)s and %(other)s met in %(rounds)s.") % _words(each, names)
            for each in others
        ),
    )
    return ShownTable(
        number=table.number or 0,
        sides=tuple(tuple(map(entrant, side)) for side in table.shape.sides),
        match=match_name(table.label),
        sits=sits,
        locked=saved.get("locked", False),
        by_hand=saved.get("by_hand", False),
        repeats=told,
        met=met_before(len(told), tournament),
    )


def _words(repeat: Repeat, names: Mapping[int, str]) -> dict[str, str]:
    one, other = repeat.units
    return {"one": names[one], "other": names[other], "rounds": _rounds(repeat.before)}


def _rounds(numbers: Sequence[int]) -> str:
    rounds = get_text_list([str(number) for number in numbers], gettext("and"))
    said = ngettext("round %(rounds)s", "rounds %(rounds)s", len(numbers))
    return said % {"rounds": rounds}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedRound:
    """A drawn round with what explains it: movement, repeats, seed and points."""

    round: ShownRound
    movement: Movement
    account: Account
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
    seen = account(question, [rounds.seatings[number]])
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
