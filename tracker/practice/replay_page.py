"""A hand that was written down, as a page shows it: one state of it, and what happened."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from games.errors import gettext_noop
from games.play.layout import Pile
from games.records.format import RecordError
from games.records.parser import read_all
from games.records.replayer import Replay, narrate, replay
from tracker.common.sheet_lines import Line, lines
from tracker.common.wording import NAMELESS, Names, names_of, say
from tracker.practice.drawing import Remark, SeatOnPage, TablePicture, in_order

LONGEST = 300_000  # letters of a text that is read at all: of thirty hands, however long


@dataclass(frozen=True, slots=True)
class RecordedHand:
    """The hand at this place of a text, from 0, played again; ``many`` are recorded there."""

    replayed: Replay
    names: Names
    place: int
    many: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayPage:
    """A table between two moves, with every hand open; ``step`` counts the moves made.

    ``moves`` say what happened in each; ``lines`` are the sheet that the hand left, once it is
    over.
    """

    game: str
    mode: str
    step: int
    last: int
    sentence: str
    remarks: tuple[Remark, ...]
    seats: tuple[SeatOnPage, ...]
    heaps: tuple[Pile, ...]
    cleared: bool
    laid: bool
    moves: tuple[str, ...]
    headline: str = ""
    why: str = ""
    lines: tuple[Line, ...] = ()
    unfinished: bool

    @property
    def before(self) -> int:
        return max(0, self.step - 1)

    @property
    def after(self) -> int:
        return min(self.last, self.step + 1)


def recorded_hand(text: str, place: int = 0) -> RecordedHand:
    """Play again the hand at this place of a text; the last one, if there are not so many.

    :raises RuleError: if the text holds no hand, or one that cannot have been.
    """
    records = read_all(text)
    if not records:
        raise RecordError(
            "no-hand", gettext_noop("There is no hand in this text: one begins with “Kula hand 1”.")
        )
    place = min(place, len(records) - 1)
    record = records[place]
    replayed = replay(record)
    mode = replayed.session.mode
    names = names_of(mode, record.players) if record.players else NAMELESS
    return RecordedHand(replayed, names, place, len(records))


def replay_page(replayed: Replay, names: Names, step: int) -> ReplayPage:
    """Return the table after so many moves; after the last one, if there are not so many."""
    last = len(replayed.steps)
    step = min(step, last)
    sentences = [say(text, names) for text in narrate(replayed)]
    play, state = replayed.play, replayed.states[step]
    assert play.layout is not None  # noqa: S101 - every game that is played is drawn
    # As every seat sees it: together they show every hand.
    layouts = [play.layout(play.view(state, seat)) for seat in range(replayed.session.mode.seats)]
    to_move = play.seat_to_move(state)
    looking = layouts[to_move or 0]
    picture = TablePicture(names, replayed.session.mode)
    result: dict[str, Any] = {}
    if step == last and replayed.sheet is not None:
        game, session = replayed.game, replayed.session
        sheet = game.add_sheet(session, replayed.sheet).sheet
        result = {
            "headline": say(game.headline(session, sheet), names),
            "why": say(game.explain(session, sheet), names),
            "lines": lines(game, session, sheet, names),
        }
    return ReplayPage(
        game=gettext(replayed.game.name),
        mode=gettext(replayed.session.mode.name),
        step=step,
        last=last,
        sentence=sentences[step - 1] if step else "",
        remarks=picture.remarks(looking),
        seats=tuple(
            picture.seat(
                seat,
                layouts[seat],
                to_move=to_move,
                known=tuple(held.face for held in layouts[seat].hand),
            )
            for seat in in_order(looking)
        ),
        heaps=looking.piles,
        cleared=looking.cleared,
        laid=looking.laid,
        moves=tuple(sentences),
        unfinished=step == last and replayed.sheet is None,
        **result,
    )
