"""What a newcomer is told of a game is what its engine plays and scores."""

import re
import shutil
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import games
from games import catalogue
from games.albastini import cards as albastini_cards
from games.albastini.options import threshold
from games.briscola import cards as briscola_cards
from games.cards import Face
from games.dalmuti.cards import PACK as DALMUTI_PACK
from games.dalmuti.scoring import points
from games.game import AnyGame
from games.how_to_play import Chapter, HowToPlay, HowToPlayError, Part, read_how_to_play
from games.mambassa.cards import parse_card
from games.mambassa.hand_ranking import HandClass, best_sum, strength
from games.records.format import Record
from games.records.parser import read
from games.records.replayer import Replay, replay

FOLDER = Path(games.__file__).parent
FILES = sorted(FOLDER.glob("*/how_to_play*.md"))
TOLD = sorted({file.parent.name for file in FILES})  # a game may do without


def told(slug: str, language: str = "en") -> HowToPlay:
    guide = read_how_to_play(catalogue.GAMES[slug], language)
    assert guide is not None
    return guide


@cache
def example(slug: str) -> tuple[Record, Replay]:
    """Return the hand that newcomers are shown, as it is written down and as it was played."""
    record = read((FOLDER / slug / "play/example.txt").read_text(encoding="utf-8"))
    return record, replay(record)


def chapters(guide: HowToPlay) -> tuple[Chapter, ...]:
    return (guide.nutshell, *guide.chapters, guide.example, guide.scored, guide.figures)


def parts(guide: HowToPlay) -> list[Part]:
    return [part for chapter in chapters(guide) for part in chapter.parts]


def sentences(guide: HowToPlay) -> str:
    """Return everything that is said but for the glossary."""
    said = [each for part in parts(guide) for each in (part, *part.entries)]
    return " ".join(f"{each.term} {each.text}".strip() for each in said)


def rows(chapter: Chapter) -> list[list[str]]:
    """Return the codes of the cards in each row of a chapter."""
    return [codes(part.cards) for part in chapter.parts if part.kind == "cards"]


def codes(faces: tuple[Face, ...]) -> list[str]:
    return [face.code for face in faces]


def sheet(slug: str) -> Any:
    _record, replayed = example(slug)
    assert replayed.sheet is not None
    return replayed.sheet


def test_every_file_is_read_cites_rules_and_shows_a_hand_to_its_end() -> None:
    assert {"albastini", "briscola", "dalmuti", "mambassa"} <= {*TOLD} <= catalogue.GAMES.keys()
    for file in FILES:
        slug, language = file.parent.name, (*file.name.split("."), "en")[1]
        guide = told(slug, "en" if language == "md" else language)
        record, replayed = example(slug)
        numbers = re.findall(r"\*\*([A-Z]-?\d+)\*\*", file.with_name("RULES.md").read_text("utf-8"))
        assert {rule for each in chapters(guide) for rule in each.rules} <= {*numbers}, file
        assert any(chapter.rules for chapter in guide.chapters), file
        assert guide.scored.parts[0].text, file  # a table's page shows it alone
        assert replayed.game.slug == slug
        assert replayed.sheet
        assert len(set(record.players)) == replayed.session.mode.seats


def test_every_trick_that_is_shown_was_played_and_taken_so_in_the_example() -> None:
    for slug in TOLD:
        record, replayed = example(slug)
        play = replayed.play
        layouts = [play.layout(play.view(state, 0)) for state in replayed.states]
        made = [
            (record.players[move.seat], card_of(replayed.game, move.code)) for move in record.moves
        ]
        tricks = [part.played for part in parts(told(slug)) if part.kind == "trick"]
        assert bool(tricks) == (slug != "mambassa")
        for trick in tricks:
            shown, length = [(who, card) for who, card, _takes in trick], len(trick)
            first = next(at for at in range(len(made)) if made[at : at + length] == shown)
            _before, *between, after = layouts[first : first + length + 1]
            assert not any(layout.cleared for layout in between)
            taker = None if after.taker is None else record.players[after.taker]
            taken = [at for at, (who, card) in enumerate(shown) if card and who == taker][-1:]
            assert [at for at, (_who, _card, takes) in enumerate(trick) if takes] == taken


def card_of(game: AnyGame, code: str) -> Face | None:
    """Return the card that a move plays, if it plays one."""
    try:
        return game.face(code)
    except ValueError:
        return None


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """Return what writes a file of Albastini into a folder where there is only this game."""
    monkeypatch.setattr("games.how_to_play._GAMES", tmp_path)
    shutil.copytree(FOLDER / "albastini", tmp_path / "albastini")

    def write(name: str, text: str) -> Path:
        file = tmp_path / "albastini" / name
        file.write_text(text, encoding="utf-8")
        return file

    return write


def test_a_language_has_its_own_file_and_others_are_told_in_english(
    written: Callable[[str, str], Path],
) -> None:
    original = (FOLDER / "albastini/how_to_play.md").read_text("utf-8")
    written("how_to_play.xx.md", original.replace("## Three tips", "## Xyz").replace("Stock", "Yx"))
    guide, other = told("albastini", "xx"), told("albastini", "yy")
    assert (guide.language, guide.chapters[-1].title) == ("xx", "Xyz")
    assert (other.language, other.chapters[-1].title) == ("en", "Three tips")
    assert guide.example == other.example
    assert read_how_to_play(catalogue.GAMES["briscola"], "xx") is None


NAMED = "".join(f"## {name} {{#{name}}}\n\nText.\n\n" for name in ("scored", "figures", "words"))


@pytest.mark.parametrize("name", ["how_to_play.md", "how_to_play.xx.md"])
def test_a_mistake_is_told_with_its_file_and_line(
    written: Callable[[str, str], Path], name: str
) -> None:
    mistakes = {
        "[[KS 9S]]\nNo nine.": "not a card: '9S'",
        "[[trick: Asha KS, Juma 9S takes]]": "not a card: '9S'",
        "[[trick: Asha KS, Juma]]": "“Juma” is not like “Asha 5H”",
        "The [[KS]] is high.": "a token stands before",
        "[[KS\nopen": "a token stands before",
        "- One\n\n  - within": "one paragraph",
        "| a | b |\n|---|---|\n| c | d |": "no table",
    }
    for wrong, said in mistakes.items():
        file = written(name, f"# A\n\nText.\n\n## B {{#example}}\n\n{wrong}\n\n{NAMED}")
        with pytest.raises(HowToPlayError, match=rf"{re.escape(str(file))}, line [57]: .*{said}"):
            told("albastini", "xx")
    for game in catalogue.GAMES.values():
        with pytest.raises(ValueError, match="zz"):
            game.face("zz")
    written(name, f"# A\n\n{NAMED}")
    with pytest.raises(HowToPlayError, match="example, figures, scored, words"):
        told("albastini", "xx")


def test_cards_are_worth_what_is_said_and_stand_in_their_order() -> None:
    for slug, cards, worth in (
        ("albastini", albastini_cards, "Aces are worth 11, sevens 10, kings 4, jacks 3, queens 2,"),
        ("briscola", briscola_cards, "Aces are worth 11, threes 10, kings 4, horses 3, jacks 2,"),
    ):
        row = next(row for row in rows(told(slug).chapters[0]) if len(row) > 4)
        suit = [cards.parse_card(code) for code in row]
        assert worth in sentences(told(slug))
        assert [card.value for card in suit if card.value] == [*map(int, re.findall(r"\d+", worth))]
        assert suit == sorted(suit, key=lambda card: -card.strength)
        assert len(suit) == len(cards.PACK) / 4
        assert sum(card.value for card in suit) == 30


def test_what_is_said_is_what_the_engines_count_and_what_happened_in_the_example() -> None:
    reach = {mode.code: threshold(mode) for mode in catalogue.GAMES["albastini"].modes({})}
    albastini, briscola, dalmuti, mambassa = map(
        sheet, ("albastini", "briscola", "dalmuti", "mambassa")
    )
    left = sorted(example("dalmuti")[1].states[-1].hands[2])
    places = [points(place, 4, "status") for place in (1, 2, 3, 4)]
    facts: list[tuple[str, str, Any, Any]] = [
        ("albastini", "a pair under 20", {reach["4t2"], reach["6t2"]}, {20}),
        ("albastini", "under 30, a player alone under 10", [reach["6t3"], reach["3i"]], [30, 10]),
        ("albastini", "She bids the 4♦", albastini["bids"], ["4D", None, "3H", None]),
        ("albastini", "leaves her 4♦ for it", albastini["face_up"], "4D"),
        ("albastini", "Asha and Juma ate 81, Neema and Baraka 39", albastini["eaten"], [81, 39]),
        ("briscola", "He now has 54, Asha 46", briscola["points"], [46 + 20, 54]),
        ("dalmuti", "a 6, Juma a 12 and Baraka a 4", dalmuti["draw"], [[8], [6], [12], [4]]),
        ("dalmuti", "Neema goes out second and Baraka third", dalmuti["order"], [0, 1, 3, 2]),
        ("dalmuti", "Juma still holds an 8 and a 10", left, [8, 10]),
        ("dalmuti", "of four players 3, 2, 1 and 0", places, [3, 2, 1, 0]),
        ("mambassa", "she stands, which is a knock", mambassa["knocker"], 0),
        ("mambassa", "only Juma has nothing better", mambassa["payers"], [2]),
        ("mambassa", "Still 25", best_sum([*map(parse_card, mambassa["hands"][2])]), 25),
    ]
    for slug, said, counted, expected in facts:
        assert said in sentences(told(slug))
        assert counted == expected, said


def test_the_cards_in_the_example_are_those_that_were_dealt_and_held() -> None:
    for slug, turned_up in (("albastini", "indicator"), ("briscola", "face_up")):
        dealt = example(slug)[1].states[0].hands[0]
        held, turned = rows(told(slug).example)
        assert (set(held), turned) == (set(map(str, dealt)), [sheet(slug)[turned_up]])
    monte, *hands = map(set, rows(told("mambassa").example))
    assert set(map(str, example("mambassa")[1].states[1].monte)) == monte
    assert [set(hand) for hand in sheet("mambassa")["hands"]] == hands


def test_dalmuti_draws_every_card_as_often_as_there_are() -> None:
    row = next(part for part in told("dalmuti").chapters[0].parts if part.kind == "cards")
    assert {int(face.rank): face.count for face in row.cards} == Counter(DALMUTI_PACK)


def test_mambassas_hands_stand_from_the_best_to_the_worst_of_every_class() -> None:
    options = catalogue.GAMES["mambassa"].default_options()
    (ladder,) = (part for part in parts(told("mambassa")) if part.kind == "ladder")
    hands = [list(map(parse_card, codes(entry.cards))) for entry in ladder.entries]
    strengths = [strength(hand, options) for hand in hands]
    assert strengths == sorted(strengths, reverse=True)
    assert [held[0] for held in strengths] == sorted(HandClass, reverse=True)
    suit = map(parse_card, rows(told("mambassa").chapters[0])[0])
    assert [card.height for card in suit] == [*range(9, -1, -1)]
    assert "Here 26 in swords." in ladder.entries[-1].text
    assert best_sum(hands[-1]) == 26


def test_mambassas_suits_part_cards_in_a_row_and_never_points() -> None:
    options = catalogue.GAMES["mambassa"].default_options()

    def worth(*cards: str) -> tuple[int, ...]:
        return tuple(strength([parse_card(code) for code in cards], options))

    assert "between cards in a row, never between equal points" in sentences(told("mambassa"))
    assert worth("7D", "6D", "5D", "2K") > worth("7B", "6B", "5B", "2K")
    assert worth("13D", "7D", "2K", "3S") == worth("13B", "7B", "2K", "3S")
