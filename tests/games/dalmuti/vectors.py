"""How the game answers its vectors: sheets, draws, and how many cards everybody gets."""

from typing import Any

from games.dalmuti import GAME
from games.dalmuti.cards import hand_sizes
from games.errors import SheetError


def answer(question: dict[str, Any], _expected: object) -> object:
    """Put one question of the vectors to the engine, in the engine's own words."""
    match question:
        case {"op": "sheet", "mode": code, "sheet": sheet}:
            options = GAME.complete_options(question.get("options", {}))
            session = GAME.open_session(GAME.mode(code, options), options, 0, ())
            scored = GAME.add_sheet(session, sheet)
            assert scored.marks is not None
            statuses = ("dalmuti", "trader", "slave")
            return {
                "order": scored.sheet.get("order", scored.sheet.get("bare")),
                "statuses": [
                    next(status for status in statuses if marked[status]) for marked in scored.marks
                ],
                "points": [marked["points"] for marked in scored.marks],
                "next_dealer": scored.session.dealer,
                "leader": scored.session.leader,
            }
        case {"op": "draw", "draw": draw}:
            options = GAME.complete_options({"draw_tie": question.get("draw_tie", "again")})
            session = GAME.open_session(GAME.mode(f"{len(draw)}i", options), options, 0, ())
            try:
                scored = GAME.add_sheet(session, {"order": list(range(len(draw))), "draw": draw})
            except SheetError as error:
                return error.code
            return scored.sheet["opening"]
        case {"op": "deal", "mode": code}:
            mode = GAME.mode(code, GAME.default_options())
            return list(hand_sizes(mode, question.get("extra_cards", "dalmuti_end")))
    raise LookupError(question["op"])
