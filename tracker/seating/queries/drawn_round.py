"""A drawn round as people read it: tables with names, what repeats at each, and why."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext

from tracker.common.names import short_names
from tracker.common.wording import together
from tracker.models import Draw, Entrant, Format, Tournament
from tracker.movements.types import (
    MeetingKind,
    PlanAccount,
    Repeat,
    RoundSeating,
    TableSeating,
)
from tracker.seating.logic.saved_draws import round_from_json
from tracker.seating.queries.schedule import note_sentence
from tracker.standings.queries.brackets import match_name


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
    tournament: Tournament, number: int, plan: Mapping[str, Any], mode: str, seen: PlanAccount
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


def summary_of(seen: PlanAccount, tournament: Tournament) -> str:
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
class DrawnTable:
    """A table of a coming round, with its people by side."""

    number: int
    match: str
    sides: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnRound:
    """A round that is drawn, by table and by name; people without a table rest."""

    number: int
    tables: tuple[DrawnTable, ...]
    people: tuple[tuple[str, int | None], ...]
    resting: tuple[str, ...]


def published_round(tournament: Tournament, number: int) -> DrawnRound | None:
    """Return this round if its draw is published, with names as short as can be.

    It takes a query, and one more where there is something to see.
    """
    draws = Draw.objects.filter(tournament=tournament, number=number)
    draw = draws.filter(published_at__isnull=False).first()
    if draw is None:
        return None
    seating = round_from_json(draw.plan)
    names = Entrant.objects.filter(tournament=tournament).names()
    if tournament.format == Format.PLAYERS:
        in_it = seating.units
        names |= short_names({key: name for key, name in names.items() if key in in_it})
    return drawn_round(number, seating, names)


def drawn_round(number: int, seating: RoundSeating, names: Mapping[int, str]) -> DrawnRound:
    """Return who sits where in a round that is drawn; *names* are by name."""
    table_of = seating.table_of
    return DrawnRound(
        number=number,
        tables=tuple(
            DrawnTable(
                number=table.number or 0,
                match=match_name(table.label),
                sides=tuple(
                    together([names[table.units[place]] for place in side])
                    for side in table.shape.sides
                ),
            )
            for table in seating.tables
        ),
        people=tuple(
            (name, table_of.get(unit))
            for unit, name in names.items()
            if unit in table_of or unit in seating.resting
        ),
        resting=tuple(names[unit] for unit in seating.resting),
    )
