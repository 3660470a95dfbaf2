"""View model of the how-to-play page of a game."""

from dataclasses import dataclass
from typing import Any, assert_never

from django.utils.translation import gettext

from games.game import AnyGame
from games.how_to_play import HowToPlay
from games.option import Option, OptionKind
from games.records.parser import read
from games.records.replayer import replay
from tracker.common.sheet_lines import counts
from tracker.common.wording import names_of, say
from tracker.practice.state import practisable
from tracker.tournaments.queries.games import summary_of


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A question that clubs answer each in their way."""

    asks: str
    usual: str
    others: tuple[str, ...]


def how_to_play_page(game: AnyGame) -> dict[str, Any]:
    """Return what the page of a game shows, in the reader's language."""
    usual = game.default_options()
    modes = game.modes(usual)
    seats = [mode.seats for mode in modes]
    mode = next((mode for mode in modes if not mode.individual), modes[0])
    session = game.open_session(mode, usual, 0, (None,) * mode.seats)
    return {
        "name": gettext(game.name),
        "unit": gettext(game.unit.one),
        "summary": summary_of(game),
        "least": min(seats),
        "most": max(seats),
        # What a table of the usual kind is asked after every hand.
        "asked": [
            question
            for question in game.questions(session)
            if question.required and not question.aside and question.depends_on is None
        ],
        "compared": game.ranking(usual, False),
        "house_rules": [_house_rule(option) for option in game.options],
        "practised": game in practisable(),
        "guide": game.how_to_play,
        "result": _example_result(game, game.how_to_play) if game.how_to_play else None,
    }


def _example_result(game: AnyGame, guide: HowToPlay) -> dict[str, Any]:
    """Return the result of the guide's example, in the words of a table page."""
    record = read(guide.record)
    replayed = replay(record)
    session: Any = replayed.session
    names = names_of(session.mode, record.players)
    after = game.add_sheet(session, replayed.sheet or {})  # a test plays the example to its end
    why = say(game.explain(session, after.sheet), names)
    dealer = names.at(after.session.dealer)
    counted = counts(game, session, after.sheet)
    return {
        "headline": say(game.headline(session, after.sheet), names),
        "why": why,
        "counted": [(names.of(side), total) for side, total in enumerate(counted)],
        # Unless that is said already.
        "deals": "" if dealer in why else dealer,
    }


def _house_rule(option: Option) -> HouseRule:
    match option.kind:
        case OptionKind.FLAG:
            answers = {True: gettext("Yes"), False: gettext("No")}
            usual = answers.pop(bool(option.default))
            others = tuple(answers.values())
        case OptionKind.CHOICE:
            labels = {value: gettext(label) for value, label in option.choices}
            usual = labels.pop(option.default)
            others = tuple(labels.values())
        case OptionKind.NUMBER:
            (_, least), (_, most) = option.choices
            usual = str(option.default)
            others = (gettext("any from %(least)s to %(most)s") % {"least": least, "most": most},)
        case _:
            assert_never(option.kind)
    return HouseRule(gettext(option.label), usual, others)
