"""An act, or what a table reported, in a sentence."""

from collections.abc import Callable, Mapping

from django.utils.text import capfirst
from django.utils.translation import gettext

from games.errors import gettext_noop as _
from games.sheet import VOID
from tracker.audit.logic import BY_PHONE, OTHERWISE, SENTENCES
from tracker.audit.queries.facts import Facts
from tracker.audit.queries.sentences.words import Words, phone_at
from tracker.models import BLACKENED, LogEntry, Report, Verdict

# Their reasons only say again, in the language of that day, what was done.
_TELL_IT_AGAIN = {"night-link-renewed", "card-renewed", "card-withdrawn", "address-renewed"}
_OF_REPORTS: Mapping[str, str] = {
    Verdict.ACCEPTED: _("%(who)s wrote down %(hand)s: %(result)s."),
    Verdict.AGREES: _("%(who)s sent the same for %(hand)s: %(result)s."),
    Verdict.AMENDS: _("%(who)s changed %(hand)s to %(result)s."),
    Verdict.CONFLICTS: _("%(who)s sent a different count for %(hand)s: %(result)s."),
    Verdict.LATE: _("%(who)s sent %(hand)s, which came after the round was closed: %(result)s."),
    Verdict.PARKED: _("%(who)s sent %(hand)s, which did not add up: %(result)s."),
    Verdict.PROPOSES: _("%(who)s asked to change %(hand)s to %(result)s."),
    Verdict.CORRECTION: _("%(hand)s was corrected: %(result)s."),
}


def said(entry: LogEntry, facts: Facts, *, nameless: bool = False) -> str:
    """Return a log entry as a sentence; *nameless* leaves out who runs the club."""
    words = Words(entry, facts, nameless=nameless)
    finer = _FINER.get(entry.verb)
    more = finer(words) if finer else ""
    kind = f"{entry.verb}, {more}" if more else entry.verb
    by_phone = BY_PHONE if words.by_phone else {}
    template = by_phone.get(kind) or SENTENCES.get(kind) or SENTENCES.get(entry.verb)
    if template is None:
        named = {"who": words["who"], "verb": entry.verb.replace("-", " ")}
        sentence = str(capfirst(gettext(OTHERWISE) % named))
    else:
        sentence = str(capfirst(gettext(template) % words))
    if entry.numbers.get("imported"):
        return gettext("Imported from a file: %(sentence)s") % {"sentence": sentence}
    return sentence


def reason_of(entry: LogEntry) -> str:
    """Return the reason given for an entry, unless its sentence tells it; empty without one."""
    if entry.verb in _TELL_IT_AGAIN or entry.reason == BLACKENED:
        return ""
    return gettext(entry.reason) if entry.reason else ""


def reported(report: Report, facts: Facts, *, nameless: bool = False) -> str:
    """Return what a table sent, in a sentence."""
    table = facts.tables[report.sitting_id]
    # Whoever is signed in on a phone of the table need not run the club.
    if report.sent_by_id is not None and not nameless:
        who = facts.user(report.sent_by_id)
    else:
        who = phone_at(table, report.number, report.side)
    return str(
        capfirst(
            gettext(_OF_REPORTS[report.verdict])
            % {
                "who": who,
                "hand": gettext("%(one)s %(number)s") % {"one": table.one, "number": report.number},
                "result": facts.result(report.sitting_id, report.number, report.sheet),
            }
        )
    )


def _correction(words: Words) -> str:
    numbers = words.hand_numbers
    if len(numbers) != 1:
        return "all struck" if all(words.sheet("after", at) == "struck" for at in numbers) else ""
    before, after = (words.sheet(when, numbers[0]) for when in ("before", "after"))
    if after == "struck":
        return "struck"
    return "back" if after == before else "one"


def _paper(words: Words) -> str:
    written = [words.sheet("after", number) for number in words.hand_numbers]
    void = all(isinstance(sheet, Mapping) and sheet.get("bare") == VOID for sheet in written)
    return "void" if written and void else ""


def _settled(words: Words) -> str:
    numbers = words.entry.numbers
    outcome = str(numbers.get("outcome", ""))
    late = numbers.get("kind") == "late" and outcome in {"take", "dismiss"}
    return f"{outcome} late" if late else outcome


def _closed(words: Words) -> str:
    numbers = words.entry.numbers
    short = "not played" if numbers.get("not_played") else "short"
    parts = [
        short if numbers.get("short") else "",
        "unconfirmed" if numbers.get("unconfirmed") else "",
    ]
    return ", ".join(filter(None, parts))


def _replaced(words: Words) -> str:
    reach = words.entry.numbers.get("reach")
    return str(reach) if reach in {"hands", "tournament"} else ""


def _alone(words: Words) -> str:
    return "alone" if words.entry.user_id is None else ""


def _exchanged(words: Words) -> str:
    if words.entry.on.get("round") not in words.facts.rounds:
        return ""
    return {0: "round", 1: "table"}.get(len(words.tables), "tables")


def _promised(words: Words) -> str:
    return "table" if words.entry.numbers.get("keeps") else ""


def _told(words: Words) -> str:
    return "told" if words.settings() else ""


def _if(name: str, value: object, more: str) -> Callable[[Words], str]:
    """Return what tells *more* of an entry where a number of it has this value."""
    return lambda words: more if words.entry.numbers.get(name) == value else ""


_FINER: Mapping[str, Callable[[Words], str]] = {
    "sitting-corrected": _correction,
    "issue-settled": _settled,
    "paper-written-down": _paper,
    "arrived": _alone,
    "left": _alone,
    "round-opened": _if("tables", 1, "alone"),
    "round-closed": _closed,
    "match-decided": _if("how", "lot", "lot"),
    "player-replaced": _replaced,
    "seats-exchanged": _exchanged,
    "call-ended": _if("outcome", "withdrawn", "withdrawn"),
    "tournament-in-season": lambda words: "" if words.entry.on.get("season") else "none",
    "tournament-imported": lambda words: (
        "" if words.entry.on.get("tournament") in words.facts.tournaments else "gone"
    ),
    "places-limited": _if("places", None, "no"),
    "club-changed": lambda words: _told(words) or _if("public", 1, "public")(words),
    "tournament-changed": _told,
    "night-changed": _told,
    "wish-made": _promised,
    "wish-dropped": _promised,
    "invited": _if("many", 1, "many"),
    "rsvp": _if("yes", 0, "no"),
}
