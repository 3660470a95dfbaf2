"""``play``: a person at a keyboard, with bots on the other seats, hand after hand.

``KeyboardPlayer`` is that person: what they see, and what their input does.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from itertools import cycle
from random import Random
from time import monotonic
from typing import Any

from games.cli.card_names import CardNames
from games.cli.evening import Evening, HandInPlay, add_evening, read_bots, read_evening
from games.cli.rulebook import look_up, nothing_under, overview, section_of_play
from games.cli.scoreboard import show_outcome, show_score, show_winner
from games.cli.screen import YOU, Ink, Screen, names_of, screen_on
from games.cli.table_setup import positive, read_budget, read_seat, read_setup
from games.cli.typed_moves import FEW, choices, helping, in_hand_order, kinds, meant, numbered
from games.errors import RuleError
from games.play.playing import Budget
from games.play.worth_knowing import worth_knowing
from games.rule_book import read_rule_book
from games.wording import Text

_NOTHING = "There is nothing to play now: Enter deals the next one."
INTERRUPTED = 130  # what a shell expects of a program that Ctrl-C ended


class _LeavesError(Exception):
    """The person gets up from the table; ``code`` is the command's exit code."""

    def __init__(self, code: int) -> None:
        super().__init__()
        self.code = code


class KeyboardPlayer:
    """A person, who sits with bots as “you”: shows what they see, and does what they type.

    ``read`` asks for a line, as ``input`` does, and raises ``EOFError`` when there are no more.
    """

    def __init__(
        self,
        evening: Evening,
        *,
        budget: Budget,
        screen: Screen,
        read: Callable[[str], str],
    ) -> None:
        self._evening = evening
        self._play = evening.play
        self._seat = evening.sitting.index(YOU)
        self._budget = budget
        self._screen = screen
        self._read = read
        self._names = names_of(evening.mode, evening.sitting, self._seat)
        self._cards = CardNames(evening.game, evening.session)
        self._anew = False  # the whole table is to be shown, and not only what is new
        self._keyed = False  # it was said how cards are typed
        self._numbered = False  # the moves were listed with their numbers

    def play(self, hands: int | None, time_is_up: Callable[[], bool]) -> int:
        """Play so many hands, or until time is up or the person leaves; return the exit code."""

        def goes_on() -> bool:
            return not time_is_up() and (hands is None or self._evening.hands < hands)

        try:
            while goes_on():
                if self._evening.hands:
                    self._choose_dealer()
                self._one_hand()
                if hands is None and goes_on():
                    # The person reads, and says when to go on.
                    self._screen.say()
                    while typed := self._typed(
                        "Enter deals the next one; score, rules, help, quit."
                    ):
                        self._obey(typed, None)
                        self._screen.say()
        except _LeavesError as leaving:
            return self._goodbye(leaving.code)
        except KeyboardInterrupt:
            return self._goodbye(INTERRUPTED)
        if time_is_up():
            self._screen.say("Time is up: that was the last.", Ink.STRONG)
        show_winner(self._screen, self._names, self._evening)
        return 0

    def _goodbye(self, code: int) -> int:
        self._screen.say()
        self._screen.say("You leave the table. Thank you for playing.", Ink.FAINT)
        if self._evening.hands:
            show_score(self._screen, self._names, self._evening)
            show_winner(self._screen, self._names, self._evening)
        return code

    def _choose_dealer(self) -> None:
        """Ask who of the winning side deals next, where it is for the person's side to say."""
        session = self._evening.session
        if self._seat not in session.may_deal or len(session.may_deal) < 2:
            return
        others = [seat for seat in session.may_deal if seat != self._seat]
        partners = " or ".join(self._names.seats[seat] for seat in others)
        usual = self._names.seats[session.dealer]
        while typed := self._typed(f"Who deals next, you or {partners}? Enter lets {usual} deal."):
            wanted = typed.lower().removeprefix("seat ")
            known = {str(seat): seat for seat in session.may_deal}
            known |= dict.fromkeys((YOU, "me", "i"), self._seat)
            if wanted in known:
                self._evening.session = replace(session, dealer=known[wanted])
                return
            self._obey(typed, None, f"Type “you”, or a seat: {', '.join(map(str, others))}.")

    def _one_hand(self) -> None:
        evening = self._evening
        before = evening.session
        numbered_hand = evening.game.unit.numbered % {"number": evening.hands + 1}
        self._screen.say()
        self._screen.say(f"{evening.game.name} · {evening.mode.name} · {numbered_hand}", Ink.TITLE)
        hand = evening.deal()
        if hand.seat not in {self._seat, None}:
            # Without what the prompt says at one's turn.
            view = hand.view(self._seat)
            later = self._play.prompt(view)
            sentences = [text for text in self._play.describe(view) if text not in later]
            self._screen.say_all(map(self._names.say, sentences))
        try:
            while (seat := hand.seat) is not None:
                if seat == self._seat:
                    self._turn(hand)
                else:
                    bot = self._play.bots[evening.sitting[seat]]
                    self._make(hand, seat, hand.ask(bot, seat, self._budget))
        except (_LeavesError, KeyboardInterrupt):
            if hand.steps:
                evening.log_hand(hand)
            raise
        show_outcome(self._screen, self._names, evening, hand, before)
        lesson = worth_knowing(self._play, hand.steps, self._seat, Random(evening.seed))
        if lesson is not None:
            self._screen.say()
            self._screen.say(f"Worth knowing: {self._names.say(lesson)}", Ink.GOOD)

    def _turn(self, hand: HandInPlay) -> None:
        """Show the table, and do what is typed until the person has moved."""
        if self._anew or not hand.steps:
            self._view(hand)
        else:
            self._screen.say()
            self._show(hand, self._play.prompt(hand.view(self._seat)))
        self._anew = False
        here = hand.state
        while hand.state is here:
            self._obey(self._typed(">"), hand)

    def _obey(self, typed: str, hand: HandInPlay | None, otherwise: str = _NOTHING) -> None:
        """Do what is typed: a command, or, in a hand, a move; say *otherwise* what to type."""
        # A word leads the program only where it is all there is: “q of spades” is a card.
        match typed.lower().split(" ", 1):
            case ["quit" | "exit" | "q"]:
                raise _LeavesError(0)
            case ["rules", *wanted]:
                self._rules(" ".join(wanted))
            case ["help" | "?"]:
                section = section_of_play(read_rule_book(self._evening.game.slug))
                self._screen.say_all((*helping(section), ""), hang=8)
                self._screen.say_all(self._cards.key())
            case ["cards"]:
                self._screen.say_all(self._cards.key())
            case ["score"]:
                show_score(self._screen, self._names, self._evening)
            case _ if hand is None:
                self._screen.say(otherwise, Ink.WRONG)
            case _:
                self._obey_in_hand(hand, typed)

    def _obey_in_hand(self, hand: HandInPlay, typed: str) -> None:
        """Do what is typed while a hand is played: one of its commands, or a move."""
        match typed.lower().split(" ", 1):
            # Enter plays the only move there is, and shows the table where there are several.
            case [""] if len(legal := self._legal(hand)) == 1:
                self._make(hand, self._seat, legal[0])
            case ["" | "view"]:
                self._view(hand)
            case ["last"]:
                last_trick = self._play.last_trick
                sentences = last_trick(hand.view(self._seat)) if last_trick else ()
                self._screen.say_all(map(self._names.say, sentences))
                if not sentences:
                    none = "has been no trick yet" if last_trick else "are no tricks in this game"
                    self._screen.say(f"There {none}.", Ink.WRONG)
            case ["moves", *kind]:
                self._moves(hand, "".join(kind))
            case ["hint"]:
                # Dice of its own: who asks for a hint changes nothing of what follows.
                dice = Random(len(hand.steps))
                move = self._play.bots["strong"](hand.view(self._seat), dice, self._budget)
                shown = self._cards.shown(self._play.move_code(move))
                self._screen.say(f"The strong bot would say: {shown}", Ink.GOOD)
            case ["undo"]:
                if hand.take_back(self._seat):
                    self._anew = True
                    self._screen.say("Taken back.", Ink.GOOD)
                else:
                    self._screen.say("You have made no move in this hand yet.", Ink.WRONG)
            case _:
                self._move(hand, typed)

    def _move(self, hand: HandInPlay, typed: str) -> None:
        legal = self._legal(hand)
        try:
            move = meant(
                typed,
                self._play,
                hand.state,
                legal,
                cards=self._cards,
                numbered=self._numbered or len(legal) <= FEW,
            )
        except RuleError as refusal:
            reason = self._names.say(refusal)
            self._screen.say(f"{reason} (“help” says what to type.)", Ink.WRONG)
        else:
            self._make(hand, self._seat, move)

    def _make(self, hand: HandInPlay, seat: int, move: object) -> None:
        before = hand.state
        sentence = self._names.say(self._play.describe_move(before, move))
        hand.make(seat, move)
        self._numbered = False
        self._screen.say(sentence, Ink.STRONG if seat == self._seat else None)
        learnt = self._play.learns and self._play.learns(before, hand.state, self._seat)
        if learnt:
            self._screen.say(self._names.say(learnt), Ink.STRONG)

    def _view(self, hand: HandInPlay) -> None:
        self._screen.say()
        self._show(hand, self._play.describe(hand.view(self._seat)))

    def _show(self, hand: HandInPlay, sentences: Sequence[Text]) -> None:
        """Show these sentences, and what may be done."""
        self._screen.say_all(map(self._names.say, sentences))
        self._moves(hand)
        if len(self._legal(hand)) == 1:
            self._screen.say("  (Enter does it)", Ink.FAINT)
        if self._cards.need_a_key and not self._keyed:
            self._keyed = True
            self._screen.say_all(self._cards.key(), Ink.FAINT)

    def _moves(self, hand: HandInPlay, kind: str = "") -> None:
        """List the moves of this kind, or “all”, with their numbers; otherwise the kinds of many."""
        codes = [self._play.move_code(move) for move in self._legal(hand)]
        by_kind = kinds(codes)
        alone = len(by_kind) == len(codes)
        if alone or len(codes) <= FEW or kind == "all" or kind in by_kind:
            self._numbered = True
            self._screen.show_words(numbered(codes, self._cards, by_kind.get(kind, codes)))
            return
        self._screen.say_all((f"  {line}" for line in choices(codes, self._cards)), hang=2)
        several = [f"“moves {word}”, " for word, alike in by_kind.items() if len(alike) > 1]
        self._screen.say(f"  ({''.join(several)}“moves all” list them)", Ink.FAINT)

    def _legal(self, hand: HandInPlay) -> list[Any]:
        return in_hand_order(self._play, hand.view(self._seat))

    def _rules(self, wanted: str) -> None:
        book = read_rule_book(self._evening.game.slug)
        if not wanted.strip():
            self._screen.say_all(overview(book))
        elif shown := look_up(book, wanted, self._screen.width):
            # A screen at a time, where there is a screen.
            page = self._screen.height - 1 if self._screen.height else len(shown)
            for first in range(0, len(shown), page):
                if first and self._typed("Enter shows more, q is enough.").lower().startswith("q"):
                    return
                self._screen.say_all(shown[first : first + page])
        else:
            self._screen.say(nothing_under(book, wanted), Ink.WRONG)

    def _typed(self, prompt: str) -> str:
        try:
            return " ".join(self._screen.ask(self._read, prompt).split())
        except EOFError:
            raise _LeavesError(0) from None


def add_play(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``play``: the table, the bots, the person, and how long to play."""
    add_evening(parser, bots="who else plays, from the seat after yours on")
    parser.add_argument(
        "--seat", type=int, default=0, metavar="K", help="your seat (0), unless all draw for theirs"
    )
    parser.add_argument("--name", metavar="NAME", help="what you are called in the log")
    parser.add_argument(
        "--hands", type=positive, metavar="N", help="how many hands; without it, until you leave"
    )
    parser.add_argument("--minutes", type=positive, metavar="N", help="deal no more after so long")


def run_play(
    arguments: argparse.Namespace,
    *,
    clock: Callable[[], float] = monotonic,
    read: Callable[[str], str] | None = None,
) -> int:
    """Play with a person, who types at the keyboard unless *read* is given."""
    setup = read_setup(arguments)
    mode = setup.mode
    own = read_seat(arguments.seat, mode)
    bots = cycle(read_bots(arguments, setup))
    others = {mode.after(own, step): next(bots) for step in range(1, mode.seats)}
    arrived = tuple(others.get(place, YOU) for place in range(mode.seats))
    evening, draw = read_evening(arguments, setup, arrived)
    screen = screen_on(sys.stdout)
    screen.say(f"Dealt by --seed {evening.seed}. “help” says what to type.", Ink.FAINT)
    screen.say_all(draw)
    if sys.stdin.isatty():
        with suppress(ImportError):  # not every Python has it
            import_module("readline")  # which lets a line be edited before it is sent
    person = KeyboardPlayer(
        evening, budget=read_budget(arguments), screen=screen, read=read or input
    )
    begun, most = clock(), arguments.minutes
    return person.play(arguments.hands, lambda: most is not None and clock() - begun >= 60 * most)
