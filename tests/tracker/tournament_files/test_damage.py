"""Files that are damaged, changed by hand or made to harm: refused with place and reason."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.db import transaction

from games.errors import RuleError
from tests import act, make
from tests.drilled import FULL
from tests.one_file import edited, file_from_elsewhere, from_elsewhere
from tests.tracker.tournament_files.elsewhere import everything, pages
from tests.zips import zipped
from tracker.models import AwardKind, Club, Tournament
from tracker.standings.services.standings import give_award
from tracker.tournament_files.logic.errors import InvalidFileError
from tracker.tournament_files.logic.packing import MOST_BYTES, pack, unpack
from tracker.tournament_files.queries.matches import refusal_sentence
from tracker.tournament_files.services.importing import import_tournament

pytestmark = pytest.mark.django_db
JUNK: list[Any] = [None, -1, 7, 2**40, 10**30, True, 1.5, [], [[]], {}, {"a": 1}]
JUNK += ["x", "\0", "x" * 2000]


@pytest.fixture
def tournament() -> Tournament:
    """Make one with two counts of a hand, a correction and a penalty."""
    tournament = make.tournament(hands=3, movement="in_order")
    sitting = make.sitting("Asha", "Neema", "Juma", "Baraka", at=tournament)
    make.report(sitting, {"eaten": [70, 50]}, device="a", side=0)
    make.report(sitting, {"eaten": [60, 60]}, number=1, device="b", side=1, is_next=False)
    make.report(sitting, {"eaten": [61, 59]}, device="b", side=1)
    act.correct(sitting, {2: {"eaten": [80, 40]}}, who=make.user())
    give_award(
        tournament_id=tournament.pk,
        entrant_id=tournament.entrants.earliest("pk").pk,
        kind=AwardKind.PENALTY,
        amount=-1,
        reason="Late",
        by=make.actor(),
    )
    return tournament


@pytest.fixture
def club() -> Club:
    return make.club("Ilala")


def refusal(club: Club, content: bytes) -> RuleError | None:
    """Return why a file is refused, nothing being stored; ``None`` if it would be taken in."""
    before = everything()
    with transaction.atomic():
        try:
            import_tournament(club_id=club.pk, content=content, choices=None, by=make.actor())
        except RuleError as refused:
            refusal_sentence(refused)
            assert everything() == before
            return refused
        transaction.set_rollback(True)
    return None


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the way to every value that holds no others."""
    if isinstance(value, dict | list) and value:
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, each in items:
            yield from leaves(each, (*path, key))
    else:
        yield path


def put(document: dict[str, Any], path: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    """Return the document with another value in one place."""
    copy: Any = json.loads(json.dumps(document))
    held = copy
    for step in path[:-1]:
        held = held[step]
    held[path[-1]] = value
    return dict(copy)


def place_of(path: tuple[str | int, ...]) -> str:
    """Return the way as a refusal writes it."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(
        "."
    )


def test_the_file_itself_is_taken_also_of_an_earlier_version(
    tournament: Tournament, club: Club
) -> None:
    for version in (4, 3, 2, 1):
        document = {**from_elsewhere(tournament), "version": version}

        assert refusal(club, pack(document)) is None


def test_a_file_cut_short_is_refused(tournament: Tournament, club: Club) -> None:
    content = file_from_elsewhere(tournament)

    for length in [*range(0, len(content), 251 if FULL else 499), len(content) - 1]:
        assert refusal(club, content[:length]), length


def test_a_file_with_a_bit_flipped_is_refused(tournament: Tournament, club: Club) -> None:
    content, rng = file_from_elsewhere(tournament), Random(5)

    for _ in range(150 if FULL else 40):
        at, bit = rng.randrange(len(content)), 1 << rng.randrange(8)
        assert refusal(club, content[:at] + bytes([content[at] ^ bit]) + content[at + 1 :]), at


def test_every_value_changed_by_hand_is_refused_with_its_place(
    tournament: Tournament, club: Club
) -> None:
    document = from_elsewhere(tournament)
    assert unpack(pack(document)).document == document
    ways, rng = list(leaves(document)), Random(6)
    for path in rng.sample(ways, 80 if FULL else 30):
        value: Any = document
        for step in path:
            value = value[step]
        other: Any = value + 1 if type(value) is int else f"{value}x"
        refused = refusal(club, hand_edited(document, put(document, path, other)))

        assert isinstance(refused, InvalidFileError), path
        if path[0] in {"format", "version"}:  # asked before whether anything was changed
            continue
        assert refused.changed
        where, part = place_of(path), refused.where
        # The place itself, or what cannot be any more because of it, at the same table or stage.
        assert part.split(".")[0].split("[")[0] == where.split(".")[0].split("[")[0], (where, part)


def hand_edited(before: dict[str, Any], after: dict[str, Any]) -> bytes:
    """Return what an editor and a program that packs leave of a file."""
    whole = json.dumps(before, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    changed = json.dumps(after, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return edited(pack(before), whole, changed)


def test_the_rules_say_what_cannot_be(tournament: Tournament, club: Club) -> None:
    """Of a changed sheet the rules' own reason is given, whoever made the checksums right or not."""
    document = from_elsewhere(tournament)
    way = ("stages", 0, "rounds", 0, "tables", 0, "hands", 0, "sheet", "eaten")
    forged = put(document, way, [70, 60])

    by_hand, forger = refusal(club, hand_edited(document, forged)), refusal(club, pack(forged))

    said = "stages[0].rounds[0].tables[0].hands[0].sheet.eaten: "
    assert by_hand is not None
    assert forger is not None
    assert refusal_sentence(forger).startswith(said)
    assert "130" in refusal_sentence(forger)
    assert (
        refusal_sentence(by_hand)
        == f"This file was changed after it was written. {refusal_sentence(forger)}"
    )


@pytest.mark.parametrize("what", ["marks", "dealer", "session_before", "kind"])
def test_hands_must_come_out_as_the_file_says(
    tournament: Tournament, club: Club, what: str
) -> None:
    document = from_elsewhere(tournament)
    hand = document["stages"][0]["rounds"][0]["tables"][0]["hands"][0]
    values = {"marks": [{}] * 4, "dealer": 3, "session_before": {"dealer": 2}, "kind": "bare"}
    hand[what] = values[what]

    refused = refusal(club, pack(document))

    assert isinstance(refused, InvalidFileError)
    assert refused.where.startswith("stages[0].rounds[0].tables[0].hands[0]")


def test_nothing_that_somebody_forges_is_more_than_refused(
    tournament: Tournament, club: Club
) -> None:
    """Every value in turn is something else, with the checksums made right: a sentence, or taken."""
    document, rng = from_elsewhere(tournament), Random(7)
    ways = list(leaves(document))
    refused = 0
    for _ in range(150 if FULL else 60):
        path, junk = rng.choice(ways), rng.choice(JUNK)
        refused += refusal(club, zipped_right(put(document, path, junk))) is not None

    assert refused


def zipped_right(document: dict[str, Any]) -> bytes:
    try:
        return pack(document)
    except (AttributeError, TypeError):  # so odd that no checksum can be made of its parts
        return zipped({"tournament.json": json.dumps(document), "checksums.json": "{}"})


def test_what_is_taken_can_be_read(client: Any, tournament: Tournament, club: Club) -> None:
    """Whatever a forger may write where no rule looks, no page breaks on it."""
    document, rng = from_elsewhere(tournament), Random(8)
    ways = list(leaves(document))
    for _ in range(30 if FULL else 15):
        path, junk = rng.choice(ways), rng.choice(JUNK)
        with transaction.atomic():
            try:
                made = import_tournament(
                    club_id=club.pk,
                    content=zipped_right(put(document, path, junk)),
                    choices=None,
                    by=make.actor(),
                )
            except RuleError:
                continue
            for name, address in pages(made):
                assert client.get(address).status_code == 200, (path, junk, name)
            transaction.set_rollback(True)


def with_text(tournament: str, **more: str) -> bytes:
    return zipped({"tournament.json": tournament, "checksums.json": "{}", **more})


NO_FILES = {
    b"": "file-broken",
    b"Asha;Neema\n": "file-broken",
    zipped({"tournament.json": "{}"}): "file-members",
    zipped({"../tournament.json": "{}", "checksums.json": "{}"}): "file-members",
    with_text("{}", **{"more/": ""}): "file-members",
    with_text("Asha"): "json",
    with_text("[]"): "file-kind",
    with_text('{"format":"pbn"}'): "file-kind",
    with_text('{"format":"kula-tournament","format":"x"}'): "key-twice",
    with_text('{"format":NaN}'): "json-values",
    with_text("[" * 100_000): "json-extent",
    with_text("9" * 10_000): "json-values",
    with_text('{"format":"\\ud800"}'): "json-values",
    with_text('{"format":"kula-tournament","version":99}'): "file-version",
    with_text('{"format":"kula-tournament","version":"3"}'): "version",
    with_text('{"format":"kula-tournament","version":2}'): "missing",
    with_text(" " * (MOST_BYTES + 1)): "file-large",
}


def test_what_is_no_file_of_a_tournament_is_refused(club: Club) -> None:
    for content, code in NO_FILES.items():
        refused = refusal(club, content)

        assert refused is not None
        assert refused.code == code
        if code == "file-version":
            sentence = refusal_sentence(refused)
            assert "this is version 99, and only those up to 4 are known here" in sentence


def test_another_programs_packing_is_refused(tournament: Tournament, club: Club) -> None:
    content = file_from_elsewhere(tournament)
    refused = refusal(club, edited(content, "Friday Cup", "Friday Cup"))

    assert refused is not None
    assert "another program packed it" in refusal_sentence(refused)
    assert refusal(club, content + b"more") is not None
