"""A drawn round with names: the full view for the organiser, and the seating list for everybody."""

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
class DrawnTable:
    """A table of a drawn round: its sides, and sentences about who met before.

    ``mode_name`` is empty where the table is played in the usual mode; ``met`` counts the pairs
    who met before, and ``repeats`` has a sentence for each.
    """

    number: int
    sides: tuple[tuple[SeatedEntrant, ...], ...]
    match: str
    mode_name: str
    locked: bool
    by_hand: bool
    repeats: tuple[str, ...]
    met: str

    @property
    def individual(self) -> bool:
        """Return whether everybody plays for themselves, more than two people."""
        return all(len(side) == 1 for side in self.sides) and len(self.sides) > 2


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnRound:
    """A round as it was drawn; ``resting_note`` says who sits out and why, if anybody does."""

    number: int
    tables: tuple[DrawnTable, ...]
    resting: tuple[SeatedEntrant, ...]
    summary: str
    resting_note: str
    notes: tuple[str, ...]


def drawn_round(
    tournament: Tournament, number: int, plan: Mapping[str, Any], mode: str, account: PlanAccount
) -> DrawnRound:
    """Return a saved seating with names and what *account* says of it, in one query."""
    seating = round_from_json(plan)
    units = seating.units | {unit for repeat in account.repeats for unit in repeat.units}
    units |= {unit for note in account.notes for unit in note.units}
    names = Entrant.objects.filter(pk__in=units).names()
    if tournament.format == Format.PLAYERS:
        names = short_names(names)
    rests = [note for note in account.notes if note.code == "rest"]
    return DrawnRound(
        number=number,
        tables=tuple(
            _drawn_table(table, tournament, saved=saved, mode=mode, names=names, account=account)
            for table, saved in zip(seating.tables, plan["tables"], strict=True)
        ),
        resting=tuple(SeatedEntrant(entrant=unit, name=names[unit]) for unit in seating.resting),
        summary=summary_of(account, tournament),
        resting_note=" ".join(note_sentence(note, names) for note in rests),
        notes=tuple(note_sentence(note, names) for note in account.notes if note not in rests),
    )


def _drawn_table(
    table: TableSeating,
    tournament: Tournament,
    *,
    saved: Mapping[str, Any],
    mode: str,
    names: Mapping[int, str],
    account: PlanAccount,
) -> DrawnTable:
    rules, options = tournament.rules, tournament.house_rules
    repeats = [repeat for repeat in account.repeats if repeat.units[0] in table.units]
    partners = [repeat for repeat in repeats if repeat.kind is MeetingKind.PARTNERS]
    as_partners = {repeat.units for repeat in partners}
    others = [
        repeat
        for repeat in repeats
        if repeat.kind is MeetingKind.MEETING and repeat.units not in as_partners
    ]
    sentences = [
        template
        % {
            "one": names[repeat.units[0]],
            "other": names[repeat.units[1]],
            "rounds": round_numbers(repeat.before),
        }
        for template, repeated in (
            (gettext("%(one)s and %(other)s were partners in %(rounds)s."), partners),
            (gettext("%(one)s and %(other)s met in %(rounds)s."), others),
        )
        for repeat in repeated
    ]
    usual = table.shape.code == mode
    return DrawnTable(
        number=table.number or 0,
        sides=tuple(
            tuple(
                SeatedEntrant(
                    entrant=table.units[place],
                    name=names[table.units[place]],
                    opens=place == table.opener,
                )
                for place in side
            )
            for side in table.shape.sides
        ),
        match=match_name(table.label),
        mode_name="" if usual else gettext(rules.mode(table.shape.code, options).name),
        locked=saved.get("locked", False),
        by_hand=saved.get("by_hand", False),
        repeats=tuple(sentences),
        met=_pairs_met(len(sentences), tournament),
    )


def summary_of(account: PlanAccount, tournament: Tournament) -> str:
    """Return a sentence on how many pairs of a round met before, and how many as partners."""
    met = _pairs_met(account.count(MeetingKind.MEETING), tournament)
    if not met:
        return gettext("All new opponents.")
    if not (partners := account.count(MeetingKind.PARTNERS)):
        return gettext("%(met)s.") % {"met": met}
    return gettext("%(met)s, %(count)d as partners.") % {"met": met, "count": partners}


def _pairs_met(pairs: int, tournament: Tournament) -> str:
    """Return a clause on how many pairs of entrants met before; empty for none."""
    who = gettext("players") if tournament.format == Format.PLAYERS else gettext("teams")
    clause = ngettext(
        "%(count)d pair of %(who)s has met before",
        "%(count)d pairs of %(who)s have met before",
        pairs,
    )
    return clause % {"count": pairs, "who": who} if pairs else ""


def round_numbers(numbers: Sequence[int]) -> str:
    """Return a phrase such as "rounds 1, 3 and 4"."""
    phrase = ngettext("round %(rounds)s", "rounds %(rounds)s", len(numbers))
    return phrase % {"rounds": get_text_list([*map(str, numbers)], gettext("and"))}


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingListTable:
    """A table of a seating list; each side is a phrase with the names of its people."""

    number: int
    match: str
    sides: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingList:
    """Who sits where in a drawn round, by table and by name.

    ``people`` are names with their tables; those without a table sit out.
    """

    number: int
    tables: tuple[SeatingListTable, ...]
    people: tuple[tuple[str, int | None], ...]
    resting: tuple[str, ...]


def published_seating_list(tournament: Tournament, number: int) -> SeatingList | None:
    """Return the seating list of a round with shortened names, if its draw is published.

    It takes a query, and one more if there is such a draw.
    """
    draws = Draw.objects.filter(tournament=tournament, number=number)
    draw = draws.filter(published_at__isnull=False).first()
    if draw is None:
        return None
    seating = round_from_json(draw.plan)
    names = Entrant.objects.filter(tournament=tournament).names()
    if tournament.format == Format.PLAYERS:
        units = seating.units
        names |= short_names({unit: name for unit, name in names.items() if unit in units})
    return seating_list(number, seating, names)


def seating_list(number: int, seating: RoundSeating, names: Mapping[int, str]) -> SeatingList:
    """Return who sits where in a drawn round, with people in the order of *names*."""
    table_of = seating.table_of
    return SeatingList(
        number=number,
        tables=tuple(
            SeatingListTable(
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
