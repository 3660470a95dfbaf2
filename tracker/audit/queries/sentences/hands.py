"""The hands that an entry of the log is about: which they are, what each was and what it became."""

from collections.abc import Mapping

from django.utils.translation import gettext, ngettext, pgettext

from games.sheet import Sheet
from tracker.audit.queries.facts import Facts, keys_on
from tracker.audit.queries.sentences.phrases import listed
from tracker.ledger.table import TableNow
from tracker.models import LogEntry

MOST_HANDS = 3


class HandsOfEntry:
    """The hands of one entry, by number; nothing is said of a hand that was not there."""

    def __init__(self, entry: LogEntry, facts: Facts, table: TableNow | None) -> None:
        self._entry, self._facts, self._table = entry, facts, table

    @property
    def numbers(self) -> list[int]:
        """Return the hands that the entry wrote, by number."""
        after = self._entry.numbers.get("after")
        written = [key for key in after if str(key).isdigit()] if isinstance(after, Mapping) else []
        numbers = sorted(map(int, written)) or [*keys_on(self._entry, "hands")]
        return numbers or [*keys_on(self._entry, "hand")]

    @property
    def first(self) -> int | None:
        """Return the hand that the entry names, or else the first that it wrote."""
        return next(iter([*keys_on(self._entry, "hand"), *self.numbers]), None)

    def sheet(self, when: str, number: object) -> Sheet | str | None:
        """Return the sheet of a hand *before* or *after*: of one alone, or by the number."""
        stored = self._entry.numbers.get(when)
        if not isinstance(stored, Mapping):
            return None
        if str(number) in stored:
            by_number: Sheet | str = stored[str(number)]
            return by_number
        return None if all(str(key).isdigit() for key in stored) else stored

    def called(self, number: object) -> str:
        """Return what a hand is called within a sentence: "hand 5"."""
        unit = self._table.one if self._table else gettext("hand")
        return gettext("%(one)s %(number)s") % {"one": unit, "number": number}

    def which(self) -> str:
        """Return which hands the entry is about: "hands 1 to 6"."""
        first, *others = self.numbers or [0]
        if not others:
            return self.called(first)
        many = gettext(self._table.game.unit.many) if self._table else gettext("hands")
        if [first, *others] == [*range(first, others[-1] + 1)]:
            named = {"many": many, "first": first, "last": others[-1]}
            return gettext("%(many)s %(first)d to %(last)d") % named
        return gettext("%(many)s %(numbers)s") % {
            "many": many,
            "numbers": listed([str(number) for number in (first, *others)]),
        }

    def results(self) -> str:
        """Return the hands that were written, each with what it became."""
        numbers = self.numbers
        results = [
            gettext("%(hand)s: %(result)s") % {"hand": self.called(number), "result": after}
            for number in numbers[:MOST_HANDS]
            if (after := self._before_and_after(number)[1])
        ]
        more = len(numbers) - len(results)
        if more > 0:
            results.append(ngettext("%(more)d more", "%(more)d more", more) % {"more": more})
        return pgettext("between several results", "; ").join(results)

    def before(self) -> str:
        """Return what the hand, or the first of several, was."""
        return self._before_and_after(next(iter(self.numbers), 0))[0]

    def after(self) -> str:
        """Return what the hand, or the first of several, became."""
        return self._before_and_after(next(iter(self.numbers), 0))[1]

    def _before_and_after(self, number: int) -> tuple[str, str]:
        """Return what a hand was and became; where its count stays, with the answers that do not."""
        before, after = self.sheet("before", number), self.sheet("after", number)
        was, became = self._result(number, before), self._result(number, after)
        if was != became or self._table is None:
            return was, became
        if not isinstance(before, Mapping) or not isinstance(after, Mapping):
            return was, became
        more = self._facts.differing(self._table.sitting_id, number, (before, after))
        return _besides(was, more[0]), _besides(became, more[1])

    def _result(self, number: int, sheet: Sheet | str | None) -> str:
        """Return what a hand was or became, in a few words; nothing where it was not there."""
        if sheet == "struck":
            return gettext("deleted")
        if self._table is None or not isinstance(sheet, Mapping):
            return ""
        return self._facts.result(self._table.sitting_id, number, sheet)


def _besides(result: str, more: str) -> str:
    return gettext("%(result)s (%(more)s)") % {"result": result, "more": more} if more else result
