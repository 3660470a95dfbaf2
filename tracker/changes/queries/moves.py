"""What is one way before a change and another after it: hands, and whoever stands in a standing."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from django.utils.translation import gettext

from games.errors import gettext_noop as _
from tracker.changes.queries.picture import Line, WrittenHand
from tracker.common.sheet_lines import side_by_side

K = TypeVar("K")
NOBODY = "–"


@dataclass(frozen=True, slots=True)
class Move:
    """Something that was one way and is another."""

    what: str
    before: str
    after: str

    @property
    def moves(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A hand that was written down one way and is another: of its sheets, what differs."""

    before: WrittenHand | None
    after: WrittenHand | None

    @property
    def sentence(self) -> str:
        """Return what becomes of it, in a sentence."""
        was, now = self.before, self.after
        if was is None or now is None:
            template = _("%(hand)s goes: %(result)s.") if was else _("%(hand)s is new: %(result)s.")
            hand = was or now
            return _in_words(template, hand) if hand else ""
        if now.struck:
            return _in_words(_("%(hand)s would be deleted: %(result)s."), was)
        if was.struck:
            return _in_words(_("%(hand)s would count again: %(result)s."), now)
        if was.result == now.result:
            return _in_words(_("%(hand)s stays %(result)s."), now)
        if was.totals and now.totals and was.totals != now.totals:  # the winner is said once
            template = _("%(hand)s: %(was)s becomes %(now)s; %(headline)s.")
            return _in_words(template, now, was=was.totals, now=now.totals)
        return _in_words(_("%(hand)s: “%(was)s” becomes “%(result)s”."), now, was=was.result)

    @property
    def answers(self) -> Sequence[Move]:
        """Return the answers of the sheet that differ, besides what the sentence says."""
        was = {line.label: line.value for line in (self.before.lines if self.before else ())}
        now = {line.label: line.value for line in (self.after.lines if self.after else ())}
        return [
            Move(label, was.get(label, NOBODY), now.get(label, NOBODY))
            for label in dict.fromkeys((*was, *now))
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Somebody in a standing, as they stood and as they stand."""

    name: str
    place: Move
    points: Move
    credit: Move
    figures: tuple[Move, ...]  # beside the points, where they differ
    deals: tuple[Move, ...]  # how much they played and dealt, where it differs

    @property
    def ranks(self) -> bool:
        """Say whether anything differs by which people are ranked."""
        return self.place.moves or self.points.moves or bool(self.figures)

    @property
    def moves(self) -> bool:
        return self.ranks or bool(self.deals)

    @property
    def also(self) -> Sequence[Move]:
        """Return what differs besides place and points, each with what it is."""
        return (*self.figures, *self.deals)


def rows_of(
    before: Mapping[K, Line], after: Mapping[K, Line], called: Callable[[str], str]
) -> Iterator[Row]:
    """Yield whoever stands otherwise, as they stand after it, those who are gone last.

    They are *called* what the page calls them.
    """
    gone = [key for key in before if key not in after]
    for key in [*after, *gone]:
        was, now = before.get(key), after.get(key)
        stands: Line = now or was  # type: ignore[assignment]
        row = Row(
            name=called(stands.name),
            place=Move(gettext("Place"), *_figures(was, now, "place")),
            points=Move(stands.ranked_by, *_figures(was, now, "points")),
            credit=Move(gettext("Sat out"), *_figures(was, now, "credit")),
            figures=tuple(_besides(was, now)),
            deals=tuple(
                move
                for move in (
                    Move(gettext("Hands"), *_figures(was, now, "hands")),
                    Move(gettext("Dealt"), *_figures(was, now, "dealt")),
                    Move(gettext("Opened"), *_figures(was, now, "opened")),
                )
                if move.moves
            ),
        )
        if row.moves:
            yield row


def _besides(was: Line | None, now: Line | None) -> Iterator[Move]:
    """Yield the figures beside the points that differ, of whoever stood before and after."""
    if was is None or now is None:
        return  # they come or go with all they have
    known = dict(was.figures)
    for label, value in now.figures:
        move = Move(label, known.get(label, NOBODY), value)
        if move.moves:
            yield move


def _figures(was: Line | None, now: Line | None, name: str) -> tuple[str, str]:
    before = NOBODY if was is None else str(getattr(was, name))
    return before, NOBODY if now is None else str(getattr(now, name))


def rewritten(was: WrittenHand | None, now: WrittenHand | None) -> Rewritten:
    if was is None or now is None or was.struck or now.struck:
        return Rewritten(_without_lines(was), _without_lines(now))
    theirs, ours = side_by_side(was.lines, now.lines)
    return Rewritten(
        replace(was, lines=tuple(line for line in theirs if line.differs)),
        replace(now, lines=tuple(line for line in ours if line.differs)),
    )


def _without_lines(written: WrittenHand | None) -> WrittenHand | None:
    return None if written is None else replace(written, lines=())


def _in_words(template: str, hand: WrittenHand, **more: str) -> str:
    named = {"hand": hand.called, "result": hand.result, "headline": hand.headline, **more}
    return gettext(template) % named
