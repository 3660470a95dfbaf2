"""A seating as people read it: tables with names, what repeats at each, and why."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext

from tracker.common.names import short_names
from tracker.draws.logic.saved import round_from_json
from tracker.models import Entrant, Format, Tournament
from tracker.seating.logic.movements.seam import (
    Account,
    MeetingKind,
    PlanNote,
    Repeat,
    TableSeating,
)
from tracker.standings.queries.match_names import match_name


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
    named = Entrant.objects.filter(pk__in=units).select_related("player", "team")
    names = {entrant.pk: str(entrant) for entrant in named}
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
    rounds = get_text_list([str(number) for number in repeat.before], gettext("and"))
    return {
        "one": names[repeat.units[0]],
        "other": names[repeat.units[1]],
        "rounds": ngettext("round %(rounds)s", "rounds %(rounds)s", len(repeat.before))
        % {"rounds": rounds},
    }


def note_sentence(note: PlanNote, names: Mapping[int, str]) -> str:
    """Say what a note of an account does, with names."""
    who = get_text_list([names[unit] for unit in note.units], gettext("and"))
    return gettext(note.template) % {**note.params, "who": who}
