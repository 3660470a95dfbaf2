"""``watch`` and ``replay``: a hand told as it happens, with nobody to ask."""

from games.playing import Budget
from games.record import Record, replay
from games.terminal.evening import Evening
from games.terminal.names import names
from games.terminal.score import show_outcome
from games.terminal.screen import Ink, Screen


def watch(
    evening: Evening, sitting: tuple[str, ...], *, hands: int, budget: Budget, screen: Screen
) -> None:
    """Let bots play so many hands, and tell every move of them."""
    called = names(evening.mode, sitting)
    for number in range(1, hands + 1):
        before = evening.session
        numbered = evening.game.unit.numbered % {"number": number}
        screen.say(f"{evening.game.name} · {evening.mode.name} · {numbered}", Ink.TITLE)
        hand = evening.deal()
        while (seat := hand.seat) is not None:
            move = hand.ask(evening.play.bots[sitting[seat]], seat, budget)
            screen.say(called.tell(evening.play.describe_move(hand.state, move)))
            hand.make(seat, move)
        show_outcome(screen, called, evening, evening.finish(hand), before)
        screen.say()


def tell_record(record: Record, screen: Screen) -> None:
    """Tell a hand that is written down, move by move, and what it came to.

    :raises RecordError: with the first thing that cannot have been.
    """
    played = replay(record)
    mode = played.session.mode
    sitting = record.players or ("?",) * mode.seats
    called = names(mode, sitting)
    screen.say(f"{played.game.name} · {mode.name}", Ink.TITLE)
    for number, step in enumerate(played.steps, start=1):
        told = called.tell(played.play.describe_move(step.before, step.move))
        screen.say(f"{number:4}  {played.play.move_code(step.move):<8}  {told}")
    screen.say()
    if played.sheet is None:
        screen.say("The hand is unfinished.", Ink.WRONG)
    else:
        headline = played.game.headline(played.session, played.sheet)
        screen.say(f"{called.tell(headline)}.", Ink.GOOD)
