"""A drawn round with names: who sits where, and for the organiser also what repeats and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext

from tracker.common.names import short_names
from tracker.common.wording import together
from tracker.models import Entrant, Format, Tournament
from tracker.movements.types import MeetingKind, PlanAccount, Repeat, RoundSeating
from tracker.seating.logic.saved_draws import round_from_json
from tracker.seating.queries.schedule import note_sentence
from tracker.standings.queries.brackets import match_name


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedEntrant:
    """An entrant (by key) in a drawn round; ``opens`` is true if they deal first at their table."""

    entrant: int
    name: str
    opens: bool = False

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnTable:
    """A table of a drawn round: its sides, and what there is to say about it.

    ``match`` names a match of a knock-out. ``mode_name`` is empty if the table is played in the
    round's mode (how many sit down, in which sides). ``locked`` tables stay if the round is drawn
    again; ``by_hand`` marks tables that the organiser changed. ``met`` says how many pairs met
    before (a clause), and ``repeats`` which pairs (sentences).
    """

    number: int
    match: str
    sides: tuple[tuple[SeatedEntrant, ...], ...]
    mode_name: str = ""
    locked: bool = False
    by_hand: bool = False
    repeats: tuple[str, ...] = ()
    met: str = ""

    @property
    def individual(self) -> bool:
        """Return whether more than two people play, each for themselves."""
        return all(len(side) == 1 for side in self.sides) and len(self.sides) > 2

    @property
    def side_names(self) -> tuple[str, ...]:
        return tuple(together([person.name for person in side]) for side in self.sides)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnRound:
    """Who sits where in a drawn round, and what there is to say about it.

    ``people`` has a pair for each entrant, in order of name: the name and the table number, which
    is ``None`` for those who rest (sit out); ``resting_note`` says who rests and why. ``notes`` are
    other remarks, such as why an entrant sits at a table of another size.
    """

    number: int
    tables: tuple[DrawnTable, ...]
    resting: tuple[SeatedEntrant, ...]
    people: tuple[tuple[str, int | None], ...]
    summary: str = ""
    resting_note: str = ""
    notes: tuple[str, ...] = ()


def published_round(tournament: Tournament, number: int) -> DrawnRound | None:
    """Return who sits where in a round, with shortened names, if its draw is published."""
    draw = tournament.draws.exclude(published_at=None).filter(number=number).first()
    if draw is None:
        return None
    seating = round_from_json(draw.plan)
    names = Entrant.objects.filter(tournament=tournament).names()
    if tournament.format == Format.PLAYERS:
        units = seating.units
        names |= short_names({unit: name for unit, name in names.items() if unit in units})
    return named_round(number, seating, names)


def named_round(number: int, seating: RoundSeating, names: Mapping[int, str]) -> DrawnRound:
    """Return who sits where and nothing else; *names*, keyed by entrant, are in order of name."""
    table_of = seating.table_of

    def seated(unit: int, *, opens: bool = False) -> SeatedEntrant:
        return SeatedEntrant(entrant=unit, name=names[unit], opens=opens)

    return DrawnRound(
        number=number,
        tables=tuple(
            DrawnTable(
                number=table.number or 0,
                match=match_name(table.label),
                sides=tuple(
                    tuple(seated(table.units[place], opens=place == table.opener) for place in side)
                    for side in table.shape.sides
                ),
            )
            for table in seating.tables
        ),
        resting=tuple(map(seated, seating.resting)),
        people=tuple(
            (name, table_of.get(unit))
            for unit, name in names.items()
            if unit in table_of or unit in seating.resting
        ),
    )


def drawn_round(
    tournament: Tournament, number: int, plan: Mapping[str, Any], mode: str, account: PlanAccount
) -> DrawnRound:
    """Return the round of a draw's *plan* with names and the sentences of its account, in one query.

    *mode* is the code of the round's mode: how many sit at a table, and in which sides.
    """
    seating = round_from_json(plan)
    units = seating.units | {unit for repeat in account.repeats for unit in repeat.units}
    units |= {unit for note in account.notes for unit in note.units}
    names = Entrant.objects.filter(pk__in=units).names()
    if tournament.format == Format.PLAYERS:
        names = short_names(names)
    rules, options = tournament.rules, tournament.house_rules
    named = named_round(number, seating, names)
    tables = []
    for table, seated, saved in zip(named.tables, seating.tables, plan["tables"], strict=True):
        code = seated.shape.code
        # The first unit of a repeat will do: both sit at this table.
        repeats = [repeat for repeat in account.repeats if repeat.units[0] in seated.units]
        sentences = _repeat_sentences(repeats, names)
        full_table = replace(
            table,
            mode_name="" if code == mode else gettext(rules.mode(code, options).name),
            locked=saved.get("locked", False),
            by_hand=saved.get("by_hand", False),
            repeats=sentences,
            met=_pairs_met(len(sentences), tournament),
        )
        tables.append(full_table)
    notes = [(note.code, note_sentence(note, names)) for note in account.notes]
    return replace(
        named,
        tables=tuple(tables),
        summary=summary_of(account, tournament),
        resting_note=" ".join(sentence for code, sentence in notes if code == "rest"),
        notes=tuple(sentence for code, sentence in notes if code != "rest"),
    )


def _repeat_sentences(repeats: Sequence[Repeat], names: Mapping[int, str]) -> tuple[str, ...]:
    """Return a sentence on each pair that meets again; if as partners again, it says only that."""
    # The kind ``MEETING`` has every pair that meets again, also those that are partners again.
    partners = [repeat for repeat in repeats if repeat.kind is MeetingKind.PARTNERS]
    meetings = [repeat for repeat in repeats if repeat.kind is MeetingKind.MEETING]
    partner_pairs = {repeat.units for repeat in partners}
    others = [repeat for repeat in meetings if repeat.units not in partner_pairs]
    sentences = []
    for template, chosen_repeats in (
        (gettext("%(one)s and %(other)s were partners in %(rounds)s."), partners),
        (gettext("%(one)s and %(other)s met in %(rounds)s."), others),
    ):
        for repeat in chosen_repeats:
            one, other = (names[unit] for unit in repeat.units)
            words = {"one": one, "other": other, "rounds": round_numbers(repeat.before)}
            sentences.append(template % words)
    return tuple(sentences)


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
