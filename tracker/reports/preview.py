"""What a sheet would come to, were it handed in."""

from dataclasses import dataclass

from games.errors import RuleError
from games.game import Session
from games.sheet import Sheet
from tracker.common.sheet_lines import totals
from tracker.common.wording import Names, say
from tracker.ledger.table import TableNow


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """``refusal`` is what the rules say against it; otherwise ``headline`` says the result."""

    totals: str
    headline: str = ""
    why: str = ""
    warnings: tuple[str, ...] = ()
    refusal: str = ""
    code: str = ""

    @property
    def accepted(self) -> bool:
        return not self.refusal


def preview(table: TableNow, session: Session, sheet: Sheet, names: Names) -> Preview:
    """Return what the rules say to this sheet; nothing is stored."""
    game = table.game
    try:
        scored = game.add_sheet(session, sheet)
    except RuleError as refusal:
        return Preview(
            totals=totals(game, session, sheet), refusal=say(refusal, names), code=refusal.code
        )
    why = game.explain(session, scored.sheet)
    return Preview(
        totals=totals(game, session, scored.sheet),
        headline=say(game.headline(session, scored.sheet), names),
        why=say(why, names) if why is not None else "",
        warnings=tuple(say(warning.text, names) for warning in scored.warnings),
    )
