"""Every refusal of the engines says what would be right: the table has the words that say it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import games
from games import sheet_validation
from games.albastini.cards import BY_CODE
from games.errors import SheetError
from games.mode import teams
from tests import toy

FOLDER = Path(games.__file__).parent
REFUSERS = {"_no", "_refused"}  # functions that make an error of a code and a sentence

# By code: each sentence of it has one of these words or params.
RIGHT: dict[str, tuple[str, ...]] = {
    "after-the-end": ("leave it out",),
    "answer-missing": ("still missing",),
    "answer-unknown": ("%(asked)s",),
    "bare-unknown": ("%(sides)s",),
    "before": ("%(reason)s",),
    "bid-by-dealer": ("Leave this empty",),
    "bidding-first": ("bid a card, or pass",),
    "bidding-over": ("play a card",),
    "bids-one-suit": ("in a new suit",),
    "bot-unknown": ("%(known)s",),
    "card-twice": ("was another", "in one place only"),
    "card-unknown": ("%(example)s",),
    "chips-three": ("at least %(least)d",),
    "choice-unknown": ("%(known)s",),
    "choose-first": ("keep the four new cards, or leave them",),
    "chosen": ("swap, draw, or end",),
    "dealer-out": ("%(playing)s",),
    "dealt-before": ("for each of %(seats)d seats",),
    "declarer-hands": ("%(who)s declares",),
    "declarer-missing": ("Say who",),
    "declarer-needless": ("leave this empty",),
    "declarer-pays": ("the lowest other hand does",),
    "draw-card": ("from 1 to %(highest)d",),
    "draw-copies": ("there are only %(card)d",),
    "draw-needless": ("leave out",),
    "draw-tie": ("write the cards",),
    "drawn": ("end your turn",),
    "event-hands": ("normal deal", "must declare"),
    "face-up-missing": ("Its rank is enough",),
    "face-up-suit": ("%(suit)s",),
    "face-up-suit-missing": ("Name the suit",),
    "file": ("%(why)s",),
    "fill-one": ("must be counted",),
    "fill-too-much": ("count them again",),
    "game-unknown": ("%(known)s",),
    "hand-out": ("leave this hand empty",),
    "hand-size": ("%(size)d cards",),
    "indicator-suit": ("%(suit)s",),
    "key-twice": ("answer it once",),
    "knock-bare": ("just stand",),
    "knocked": ("swap, draw, or end",),
    "line-missing": ("needs a line “%(word)s”",),
    "line-twice": ("write it once",),
    "line-unknown": ("see RECORDS.md",),
    "mode-missing": ("%(known)s",),
    "mode-unknown": ("%(known)s",),
    "move-number": ("move %(due)d is due",),
    "move-shape": ("is written as",),
    "must-knock": ("now stand",),
    "must-lead": ("play cards",),
    "negative": ("Write 0 or more",),
    "no-hand": ("with --log",),
    "no-header": ("%(header)s",),
    "no-knock": ("stand, or take",),
    "no-such-number": ("from 1 to %(moves)d",),
    "no-swap": ("play a card",),
    "not-a-memory": ("write a list",),
    "not-a-move": ("Write ",),
    "not-a-number": ("write a whole number",),
    "not-counted": ("Write down",),
    "not-exchanged": ("%(bid)s was bid",),
    "not-held": ("%(card)s", "%(value)d"),  # the hand is in sight of whoever is refused
    "not-in-monte": ("%(monte)s",),
    "not-its-turn": ("%(who)s",),
    "not-json": ("such as",),
    "not-listed": ("such as",),
    "not-lower": ("lower than %(top)d",),
    "not-numbered": ("“moves all”",),
    "not-one": ("one hand is needed",),
    "not-played": ("score",),
    "not-text": ("UTF-8",),
    "not-the-indicator": ("stays the face-up card",),
    "not-whole": ("whole number",),
    "opening-draw": ("%(order)s",),
    "opening-late": ("Leave this empty",),
    "option-shape": ("NAME=VALUE",),
    "option-unknown": ("%(known)s",),
    "option-value": ("%(known)s",),
    "order-out": ("come last",),
    "order-short": ("%(missing)s",),
    "pack": ("%(missing)s",),
    "packs": ("%(needed)d",),
    "payer-none": ("who had the lowest hand?",),
    "payers-hands": ("%(who)s pays", "%(payers)s"),
    "payers-mambassa": ("everybody still in pays",),
    "player-order": ("sits at %(seat)d",),
    "players": ("%(seats)d seats",),
    "pool-differ": ("%(pool)d",),
    "pool-low": ("%(least)d",),
    "result": ("%(found)s",),
    "result-early": ("“result unfinished”",),
    "result-missing": ("write its result",),
    "seat-twice": ("name everybody once",),
    "seat-unknown": ("%(last)d", "%(known)s"),
    "seats": ("%(seats)d seats",),
    "sheet-shape": ("such as",),
    "side-on-one": ("0, or 2 or more",),
    "sides": ("%(sides)d sides",),
    "stock-closed": ("swap, or end your turn",),
    "stock-gone": ("swap, or end your turn",),
    "suit-bid": ("Bid another suit, or pass",),
    "swap-dealt": ("only a 7 that was drawn",),
    "swap-late": ("only before your first card", "play a card"),
    "swap-no-trick": ("First win a trick",),
    "swap-size": ("as many from the monte",),
    "swapped": ("draw, or end it",),
    "table-size": ("%(least)d to %(most)d",),
    "tokens-differ": ("%(tokens)d",),
    "tokens-sum": ("%(all)d",),
    "too-high": ("%(most)d",),
    "total": ("not %(all)d",),
    "two-bots": ("--bots ONE,OTHER",),
    "unattainable": ("count again",),
    "usage": ("Say ", "Name ", "%(message)s"),
    "version": ("%(header)s",),
    "wrong-count": ("%(asked)d",),
    # Nothing is right any more.
    "game-over": ("over",),
    "hand-over": ("over",),
}


def sentences(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the code and each sentence of every refusal in this file."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)]
    outside = [node for node in module.body if isinstance(node, ast.Assign)]
    for function in (*functions, ast.Module(list(outside), [])):
        # A sentence may have a name, of the function or the module.
        named: dict[str, list[str]] = {}
        for node in (*outside, *ast.walk(function)):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                named.setdefault(node.targets[0].id, []).extend(texts(node.value))
        for node in ast.walk(function):
            match node:
                case ast.Call(ast.Name(name), [ast.Constant(str(code)), sentence, *_]) if (
                    name.endswith("Error") or name in REFUSERS
                ):
                    held = [each.id for each in ast.walk(sentence) if isinstance(each, ast.Name)]
                    for text in (*texts(sentence), *(t for h in held for t in named.get(h, ()))):
                        yield code, text
                case ast.Tuple(
                    [ast.Constant(str(code)), ast.Call(ast.Name("gettext_noop")) as said]
                ):
                    yield from ((code, text) for text in texts(said) if code in RIGHT)
                case _:
                    pass


def texts(node: ast.expr) -> list[str]:
    return [
        str(each.args[0].value)
        for each in ast.walk(node)
        if isinstance(each, ast.Call)
        and isinstance(each.func, ast.Name)
        and each.func.id == "gettext_noop"
        and isinstance(each.args[0], ast.Constant)
    ]


def test_every_refusal_says_what_would_be_right() -> None:
    # Where the toy is made a fifth game, it is not for this table to say what its words are.
    files = [path for path in FOLDER.rglob("*.py") if toy.GAME.slug not in path.parts]
    found = {pair for path in files for pair in sentences(path)}
    assert len(found) > 115
    wrong = {
        (code, text)
        for code, text in found
        if not any(right in text for right in RIGHT.get(code, ()))
    }
    assert wrong == set()
    assert {code for code, _text in found} == RIGHT.keys()


@pytest.mark.parametrize(
    ("refused", "said"),
    [
        (lambda: sheet_validation.card("8D", BY_CODE, question="bids"), "Cards of this pack are written like 3C or QS."),
        (lambda: sheet_validation.bare_side({"bare": 2}, teams(4, 2, "")), "Name one of the sides at this table: side 0, side 1."),
    ],
)  # fmt: skip
def test_what_is_right_is_taken_from_the_table(refused: object, said: str) -> None:
    assert callable(refused)
    with pytest.raises(SheetError) as refusal:
        refused()
    assert str(refusal.value) == said
