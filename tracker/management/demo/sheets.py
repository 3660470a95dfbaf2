"""How the demo's hands come out: played by the engines, or dealt by the dice where they cannot yet."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from games.errors import SheetError
from games.game import AnyGame, Session
from games.play.playing import play_hand, shuffled
from games.sheet import Card, Choice, Number, Order, Question, Seat, Seats, Sheet

_TRIES = 200


def finished_hand(
    game: AnyGame, session: Session, skills: Sequence[float], rng: Random
) -> Mapping[str, Any]:
    """Return the sheet of one hand of these people; the rules accept it."""
    if game.play is None:
        return _dealt(game, session, rng)
    beginner = game.play.bots["beginner"]
    steady = game.play.bots.get("steady", beginner)  # a game may have learnt no more yet
    seated = [steady if rng.random() < skill else beginner for skill in skills]
    packs = shuffled(game.play, session, rng)
    *_, last = play_hand(game.play, session, packs, bots=seated, rng=rng)
    # Only what a table would write down: who counts the tricks remembers no bids.
    asked = {question.name for question in game.questions(session) if question.required}
    sheet = game.play.fill_sheet(last.after)
    return {name: answer for name, answer in sheet.items() if name in asked or name == "dealer"}


def _dealt(game: AnyGame, session: Session, rng: Random) -> Sheet:
    """Answer a game's questions by the dice until the rules accept it."""
    for _ in range(_TRIES):
        sheet: dict[str, Any] = {}
        for question in game.questions(session):
            name, values = question.depends_on or ("", ())
            if question.required and (not name or sheet.get(name) in values):
                sheet[question.name] = _answer(question, rng)
        try:
            game.add_sheet(session, sheet)
        except SheetError:
            continue
        return sheet
    return {"bare": "void"}


def _answer(question: Question, rng: Random) -> Any:
    match question:
        case Number():
            return rng.randint(question.low, question.high)
        case Order():
            return rng.sample(question.seats, question.count[1])
        case Choice():
            # The usual answer comes first, and comes nearly always.
            return question.choices[0 if rng.random() < 0.93 else -1][0]
        case Card():
            return rng.choice(question.cards)[0]
        case Seat():
            return rng.choice(question.seats)
        case Seats():
            return [rng.choice(question.seats)]
