"""The pages on which hands are put right, removed and brought back, and settled where they wait."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import act, make
from tests.reading import Form, form_with, lacks, seen_on, shows, words
from tests.tracker.results.stored import eaten, points
from tracker.models import (
    Confirm,
    Hand,
    Issue,
    IssueKind,
    LogEntry,
    Role,
    Round,
    RoundState,
    Sitting,
)
from tracker.results.pages import correct_hand
from tracker.results.services.corrections import RESTORE, STRIKE
from tracker.results.services.issues import query_hand
from tracker.results.services.preview import apply
from tracker.seating.services.rounds import restore_round, undo_round

pytestmark = pytest.mark.django_db
PEOPLE = ("Asha", "Neema", "Juma", "Baraka")
WON, LOST = {"eaten": [70, 50]}, {"eaten": [50, 70]}
PARKED = {"eaten": [70, 48], "bare": 0}
SAY_WHY = "Say why: tap a reason, or type one."
BECOMES = "Hand 1: 70–50 becomes 50–70; Neema & Baraka win · 1 victory point."


@pytest.fixture
def played(table: Sitting) -> Sitting:
    make.report(table, WON)
    return table


@pytest.fixture
def disputed(table: Sitting) -> Sitting:
    """Return the table, of whose first hand there are two counts."""
    make.report(table, WON, device="a", side=0)
    make.report(table, LOST, number=1, device="b", side=1, is_next=False)
    return table


def path_of(table: Sitting, number: int = 1) -> str:
    return reverse("hand-correct", args=[table.pk, number])


def written(number: int, ours: int, theirs: int, **more: Any) -> dict[str, Any]:
    """Return what the page sends for one hand."""
    entry = f"00000000-0000-4000-8000-00000000000{number}"
    sent = {"entry": entry, "number": number, "eaten_0": ours, "eaten_1": theirs, **more}
    return {f"h{number}-{name}": value for name, value in sent.items()}


def looks(scorer: Client, table: Sitting, sent: dict[str, Any]) -> Any:
    return scorer.post(path_of(table), {"step": "look", **sent})


def keeps(scorer: Client, table: Sitting, look: Any, sent: dict[str, Any]) -> Any:
    """Apply a change that was looked at, and return the page that follows."""
    seen = {"step": "keep", "seen": seen_on(look.text), "reason": "Misread"}
    return scorer.post(path_of(table), seen | sent, follow=True)


def test_strangers_sign_in_and_other_clubs_may_not(client: Client, played: Sitting) -> None:
    page = client.get(reverse("sitting", args=[played.pk]))
    assert page.headers["Location"].startswith(reverse("sign-in"))
    assert act.sign_in(Role.OWNER, make.club("Other")).get(path_of(played)).status_code == 403


# A table --------------------------------------------------------------------------------------


def test_table_shows_everything_that_is_known_of_a_hand(scorer: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [110, 10], "dealer": 1, "trump": "H"}, side=0)
    page = scorer.get(reverse("sitting", args=[table.pk]))
    shows(page, "Hand 1: 110–10", "What were trumps? hearts", "Written down by Asha & Juma at")
    shows(page, "Asha & Juma win · 2 victory points · Neema & Baraka are under 20")
    shows(page, "Neema dealt, but it was Asha’s turn to deal.")  # S12
    lacks(page, "Points 2, Eaten 110")  # the line above says it


def test_hand_card_by_card_is_folded_away_until_asked_for(scorer: Client, played: Sitting) -> None:
    make.report(played, WON)
    page = scorer.get(reverse("sitting", args=[played.pk])).text
    seen_at_once = re.sub("<details>.*?</details>", "", page, flags=re.DOTALL)
    shows(page, "Replay hand 1 card by card", "Replay hand 2 card by card")
    shows(seen_at_once, "Hand 2: ")
    lacks(seen_at_once, "card by card")


def test_table_tells_what_a_hand_gave_in_figures_that_people_write() -> None:
    """Shares are kept in whole parts, which mean nothing to anybody."""
    table = make.sitting(*PEOPLE, at=make.tournament("dalmuti", "4i"))
    make.report(table, {"order": [2, 0, 1, 3]})
    page = act.sign_in(Role.SCORER, table).get(reverse("sitting", args=[table.pk]))
    shows(page, "Asha Trader · 2 points Neema Trader · 1 point Juma Dalmuti · 3 points")
    lacks(page, "Beaten")


# A hand ---------------------------------------------------------------------------------------


def test_what_moves_is_shown_kept_and_undone_by_a_link(scorer: Client, played: Sitting) -> None:
    sent = written(1, 50, 70, dealer=0)

    look = looks(scorer, played, sent)
    shows(look, BECOMES, "Asha 1 → 3 1 → 0", "Neema 3 → 1 0 → 1")  # place and points
    lacks(look, "stay as they are")
    assert eaten() == [70, 50]

    done = keeps(scorer, played, look, sent)
    table = reverse("sitting", args=[played.pk])
    assert done.redirect_chain == [(table, 302)]
    assert (eaten(), points("Asha"), points("Neema")) == ([50, 70], 0, 1)
    for address in (table, reverse("hand", args=[played.pk, 1])):
        assert re.findall('class="pill done">(.*?)<', scorer.get(address).text) == ["corrected"]
    shows(done, "Hand 1 corrected.")
    [undo] = re.findall(r'href="([^"]*)">Undo<', done.text)
    back = "Hand 1: 50–70 becomes 70–50; Asha & Juma win · 1 victory point."
    shows(scorer.get(unescape(undo)), back)
    assert eaten() == [50, 70]


def test_a_change_that_moves_nobody_is_shown_all_the_same(scorer: Client, table: Sitting) -> None:
    make.report(table, {**WON, "trump": "H"})
    page = looks(scorer, table, written(1, 70, 50, dealer=1, trump="S"))
    stays = "Hand 1 stays 70–50, Asha & Juma win · 1 victory point."
    shows(page, f"{stays} What were trumps? hearts → spades")
    shows(page, "Dealt Asha → Neema Places and points stay as they are.")
    shows(page, "What else changes Asha Dealt 1 → 0")
    lacks(page, "says that already")


def test_what_is_only_confirmed_is_said_to_be() -> None:
    table = make.sitting(*PEOPLE, at=make.tournament(confirm=Confirm.BOTH))
    make.report(table, WON, side=0)
    page = looks(act.sign_in(Role.SCORER, table), table, written(1, 70, 50, dealer=0))
    shows(page, "It says that already: this confirms it. Why?")


def test_sides_are_swapped_with_one_button_and_no_reason(scorer: Client, played: Sitting) -> None:
    path = path_of(played)
    form = form_with(scorer.get(path), path, "h1-number")
    assert ("swap", "0-1") in form.buttons
    assert form.buttons[0] == ("step", "look")  # which the return key presses
    look = scorer.post(path, form.pressing("swap", "0-1"))
    scorer.post(path, form_with(look, path, "seen").pressing("step", "keep"))
    shows(look, BECOMES)
    assert eaten() == [50, 70]
    assert LogEntry.objects.get().reason == "Sides swapped"


@pytest.mark.parametrize(
    ("game", "sheet"),
    [("dalmuti", {"order": [2, 0, 1, 3]}), ("mambassa", {"event": "normal", "payers": [0]})],
)
def test_sides_are_not_swapped_where_none_is_counted(game: str, sheet: dict[str, Any]) -> None:
    table = make.sitting(*PEOPLE, at=make.tournament(game, "4i"))
    make.report(table, sheet)
    lacks(act.sign_in(Role.SCORER, table).get(path_of(table)), 'name="swap"')


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ({"why": "Typing slip", "reason": ""}, "Typing slip"),
        ({"why": "Typing slip", "reason": "A 5 for a 7"}, "A 5 for a 7"),
    ],
)
def test_a_reason_is_tapped_or_typed(scorer: Client, played: Sitting, said: Any, kept: str) -> None:
    sent = written(1, 60, 60)
    look = looks(scorer, played, sent)
    keeps(scorer, played, look, sent | said)
    assert LogEntry.objects.get().reason == kept
    shows(look, "Typing slip Recounted Both sides agree Or in your own words")


def test_only_whose_points_change_is_shown_at_once(scorer: Client, played: Sitting) -> None:
    """Eight play, and one slip moves four of them: the others are folded away."""
    others = ("Ali", "Bo", "Cleo", "Dan")
    make.report(make.sitting(*others, at=played.round.tournament, number=4), WON)
    page = looks(scorer, played, written(1, 5, 115, dealer=0))
    shown = page.text.partition("<details")[0]
    assert {name for name in (*PEOPLE, *others) if f'"row">{name}' in shown} == {*PEOPLE}
    assert "Eaten" not in words(shown)
    shows(page, "Asha Won 1 → 0 Eaten 58.3 % → 4.2 %")


def test_deleting_is_quiet_and_says_that_it_can_be_undone(scorer: Client, played: Sitting) -> None:
    page, look = scorer.get(path_of(played)), looks(scorer, played, {"change": "strike"})
    shows(page, '<button class="button danger" name="change" value="strike">')
    shows(look, "Delete hand 1 Cancel You can bring it back later.")


def test_what_was_changed_since_is_looked_at_again(scorer: Client, played: Sitting) -> None:
    look = looks(scorer, played, written(1, 50, 70, dealer=0))
    other = keeps(scorer, played, look, written(1, 60, 60))
    assert (other.redirect_chain, eaten()) == ([], [70, 50])
    act.correct(played, {1: LOST})
    restoring = {"change": "restore"}
    look = looks(scorer, played, restoring)
    act.correct(played, {1: RESTORE})  # by somebody else
    assert keeps(scorer, played, look, restoring).redirect_chain == []
    assert eaten() == [70, 50]  # and not what it was in between


def test_a_reason_is_asked_for_and_what_was_typed_stays(scorer: Client, played: Sitting) -> None:
    sent = {**written(1, 50, 70), "reason": ""}
    look = looks(scorer, played, sent)
    page = keeps(scorer, played, look, sent)
    assert "Say why" not in words(look)
    shows(page, SAY_WHY, 'value="50"')
    assert eaten() == [70, 50]


def test_what_rules_refuse_or_stands_is_no_correction(scorer: Client, played: Sitting) -> None:
    shows(looks(scorer, played, written(1, 70, 48)), "Is a Queen missing?")
    page = looks(scorer, played, written(1, 70, 50))
    shows(page, "Nothing would change: it says that already. Change a figure, or go back.")
    shows(page, 'value="70"')
    assert not LogEntry.objects.exists()


def test_hand_is_struck_and_restored(scorer: Client, played: Sitting) -> None:
    for change in ("strike", "restore"):
        keeps(scorer, played, looks(scorer, played, {"change": change}), {"change": change})
        assert (Hand.objects.get().struck_at is not None) == (change == "strike")
    assert points("Asha") == 1
    assert "Undo the last change" not in words(scorer.get(path_of(played)))


def test_later_hand_that_cannot_follow_is_laid_beside_the_change() -> None:
    table = make.sitting(*PEOPLE[:3], at=make.tournament("mambassa", "3i"))
    for payer in (0, 0, 1, 1, 0):
        make.report(table, {"event": "normal", "payers": [payer]})
    client, path = act.sign_in(Role.OWNER, table), path_of(table, 3)
    form = form_with(client.get(path), path, "h3-event")
    sent = {"h3-event": "normal", "h3-payers": ["0"], "h3-dealer": "", "reason": "Asha paid"}
    page = client.post(path, form.pressing("step", "look", **sent))
    shows(page, "cannot stand: Asha is out of the game", 'name="also"', 'name="h4-event"')


def test_what_is_written_at_that_moment_is_seen_first(
    scorer: Client, table: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    make.report(table, WON, device="a")
    sent = written(1, 60, 60)
    look = looks(scorer, table, sent)
    others = [{"eaten": [115, 5]}]

    def wait(change: Callable[[], None], **how: Any) -> None:
        """Keep it once the table's own phone has let go of the table."""
        if others:
            make.report(table, others.pop(), number=1, device="a")
        apply(change, **how)

    monkeypatch.setattr(correct_hand, "apply", wait)
    page = keeps(scorer, table, look, sent)

    shows(page, "115–5, Asha & Juma win")
    assert eaten() == [115, 5]
    keeps(scorer, table, page, sent)
    assert eaten() == [60, 60]


# What waits -----------------------------------------------------------------------------------


def issue_path() -> str:
    return reverse("issue", args=[Issue.objects.get(settled_at=None).pk])


def settles(scorer: Client, outcome: str, reason: str = "Counted again", **sent: Any) -> Any:
    """Open what waits, and settle it by what is seen there."""
    path = issue_path()
    seen = {"seen": seen_on(scorer.get(path).text)}
    return scorer.post(path, {"outcome": outcome, "reason": reason, **seen, **sent})


def is_open() -> bool:
    return Issue.objects.filter(settled_at=None).exists()


def test_two_counts_lie_side_by_side_and_voiding_apart(scorer: Client, disputed: Sitting) -> None:
    page = scorer.get(issue_path())

    said = words(page)
    assert "Hand 1: 70–50 or 50–70?" in said
    assert re.search(r"By Asha & Juma counts now \S+ Asha & Juma 70 \(differs\)", said)
    assert re.search(r"By Neema & Baraka \S+ Asha & Juma 50 \(differs\)", said)
    assert said.count("This one counts") == 2
    buttons = re.findall(r'<button class="([^"]*)" name="outcome" value="(\w+)"', page.text)
    assert {outcome: look for look, outcome in buttons} == {
        "keep": "button block",
        "take": "button block",
        "two": "button",
        "mended": "button",
        "void": "button danger",
    }
    assert page.text.index('name="outcome" value="void"') > page.text.index('class="panel quiet')


@pytest.mark.parametrize(
    ("outcome", "hands"),
    [("keep", [[70, 50]]), ("take", [[50, 70]]), ("two", [[70, 50], [50, 70]])],
)
def test_counts_are_settled_once(
    scorer: Client, disputed: Sitting, outcome: str, hands: list[list[int]]
) -> None:
    path = issue_path()
    answer = settles(scorer, outcome)
    desk = reverse("desk", args=[disputed.round.tournament_id])
    assert answer.headers["Location"] == desk
    shows(scorer.get(desk), "Table 3, Hand 1 is settled.")
    assert [hand.sheet["eaten"] for hand in Hand.objects.order_by("number")] == hands
    shows(scorer.get(path), "This has been settled.")
    again = scorer.post(path, {"outcome": "take", "reason": "x"})
    shows(again, "Somebody has settled this already.")


@pytest.mark.parametrize("outcome", ["keep", "take", "two", "void"])
def test_what_changed_since_it_was_looked_at_is_settled_by_nobody(
    scorer: Client, disputed: Sitting, outcome: str
) -> None:
    path, seen = issue_path(), seen_on(scorer.get(issue_path()).text)
    make.report(disputed, {"eaten": [115, 5]}, number=1, device="a", side=0)
    page = settles(scorer, outcome, seen=seen)
    shows(page, "It has been changed meanwhile. Look at it again.", "Hand 1: 115–5 or 50–70?")
    shows(page, 'name="said" value="Counted again"')
    assert (is_open(), eaten()) == (True, [115, 5])
    scorer.post(path, {"outcome": "keep", "seen": seen_on(page.text)})
    assert Issue.objects.get().outcome == "keep"


def test_late_hand_is_taken_in(scorer: Client, table: Sitting) -> None:
    Round.objects.update(state=RoundState.CLOSED)
    make.report(table, WON)
    shows(scorer.get(issue_path()), "Add it as hand 1")
    settles(scorer, "take", "The Wi-Fi was gone")
    assert eaten() == [70, 50]


def test_late_hand_is_not_laid_over_one_that_came_since(scorer: Client, table: Sitting) -> None:
    Round.objects.update(state=RoundState.CLOSED)
    make.report(table, WON)
    seen = seen_on(scorer.get(issue_path()).text)
    Round.objects.update(state=RoundState.OPEN)
    make.report(table, LOST)
    page = settles(scorer, "take", "Found it", seen=seen)
    assert seen == "0"
    shows(page, "It has been changed meanwhile.")
    assert eaten() == [50, 70]


@pytest.mark.parametrize("outcome", ["void", "mended", "keep", "nonsense"])
def test_late_hand_is_settled_as_offered(scorer: Client, table: Sitting, outcome: str) -> None:
    make.report(table, {"eaten": [60, 60]})
    Round.objects.update(state=RoundState.CLOSED)
    make.report(table, WON, number=1)
    assert settles(scorer, outcome, "Forged", **written(1, 80, 40)).status_code == 200
    assert (eaten(), is_open()) == ([60, 60], True)


def test_parked_hand_shows_its_count_and_is_mended(scorer: Client, table: Sitting) -> None:
    make.report(table, PARKED, parked=True)
    page = scorer.get(issue_path())
    shows(page, "The totals make 118, not 120: 2 too few. Is a Queen missing?")
    shows(page, 'name="h1-eaten_1" value="48"')
    assert settles(scorer, "mended", **written(1, 70, 48)).status_code == 200
    assert is_open()
    settles(scorer, "mended", "Found the Queen", **written(1, 70, 50))
    assert eaten() == [70, 50]


def test_a_result_is_chosen_by_seeing_it_and_tapping_why(scorer: Client, disputed: Sitting) -> None:
    path = issue_path()
    look = settles(scorer, "take", "")
    shows(look, BECOMES)
    assert "Say why" not in words(look)
    shows(settles(scorer, "take", "", step="keep"), SAY_WHY)
    assert is_open()
    form: Form = form_with(look, path, "step")
    scorer.post(path, form.pressing("step", "keep", why="Both sides agree"))
    assert eaten() == [50, 70]
    assert LogEntry.objects.get(verb="issue-settled").reason == "Both sides agree"


def test_two_results_of_one_side_say_which_came_first(scorer: Client, table: Sitting) -> None:
    make.report(table, WON, device="a", side=0)
    make.report(table, LOST, number=1, device="b", side=0, is_next=False)
    shows(scorer.get(issue_path()), "By Asha & Juma, first", "By Asha & Juma, another phone")


def test_query_is_answered_without_a_change(scorer: Client, played: Sitting) -> None:
    query_hand(token=played.token, number=1, note="We had 60", by=make.actor())
    shows(scorer.get(issue_path()), "We had 60")
    settles(scorer, "dismiss", "")
    assert Issue.objects.get(kind=IssueKind.QUERY).outcome == "dismiss"


def test_two_results_are_called_as_the_game_calls_them() -> None:
    table = make.sitting(at=make.tournament("briscola", games=1))
    make.report(table, {"points": [70, 50]}, device="a", side=0)
    make.report(table, {"points": [50, 70]}, number=1, device="b", side=1, is_next=False)
    shows(act.sign_in(Role.SCORER, table).get(issue_path()), "These are two different deals")


# Whatever removes hands names them, and each can be brought back ----------------------------------


@pytest.fixture
def two(table: Sitting) -> Sitting:
    make.report(table, {"eaten": [70, 50]})
    make.report(table, {"eaten": [45, 75]})
    return table


def link(page: Any, said: str) -> str:
    """Return where the link in a message leads."""
    [address] = re.findall(rf'<a href="([^"]+)">{said}</a>', page.text)
    return str(address)


def test_a_round_names_hands_that_go_out_and_come_back(organiser: Client, two: Sitting) -> None:
    url = reverse("round-undo", args=[two.round_id])
    asked = words(organiser.get(url))
    desk = organiser.post(url, follow=True)
    gone = words(organiser.get(link(desk, "See which, or bring it back")))
    shows(asked, "2 results will not count", "Table 3: 2 results Asha & Juma – Neema & Baraka")
    shows(asked, "Hand 1: 70–50, Asha & Juma win", "Hand 2: 45–75, Neema & Baraka win")
    assert "Round 1 is undone: 2 results no longer count." in words(desk)
    shows(gone, "2 results that do not count now", "Hand 2: 45–75")
    assert "Round 1 is back: 2 results count again." in words(organiser.post(url, follow=True))


def test_of_a_round_without_hands_none_are_said_to_go(organiser: Client, two: Sitting) -> None:
    act.close(two.round, anyway=True)
    empty = make.round_of(two.round.tournament)
    url = reverse("round-undo", args=[make.sitting(in_round=empty).round_id])
    gone, back = organiser.post(url, follow=True), organiser.post(url, follow=True)
    assert "Round 2 is undone; it had no results. Bring it back" in words(gone)
    assert "Round 2 is back." in words(back)


def test_the_log_keeps_which_hands_went_with_a_round(two: Sitting) -> None:
    act.correct(two, {1: STRIKE})
    undo_round(round_id=two.round_id, by=make.actor())
    restore_round(round_id=two.round_id, by=make.actor())
    entries = LogEntry.objects.filter(verb__in=["round-undone", "round-restored"])
    assert [entry.numbers["hands"] for entry in entries] == [{"3": [2]}, {"3": [2]}]


def test_a_struck_hand_is_named_and_comes_back_as_it_was(organiser: Client, two: Sitting) -> None:
    url = reverse("hand-correct", args=[two.pk, 1])
    sent = {"change": "strike", "reason": "Twice"}
    asked = organiser.post(url, sent)
    keep = {"step": "keep", "seen": seen_on(asked.text)}
    struck = organiser.post(url, sent | keep, follow=True)
    assert "Hand 1 would be deleted: 70–50, Asha & Juma win" in words(asked)
    assert "Table 3, Hand 1 no longer counts: 70–50, Asha & Juma win" in words(struck)
    back = organiser.get(link(struck, "Bring it back"))
    assert "Hand 1 would count again: 70–50, Asha & Juma win" in words(back)
    assert Hand.objects.get(number=1).struck_at  # what was only looked at is not kept


def test_a_void_hand_is_named_and_comes_back_as_it_was(organiser: Client, two: Sitting) -> None:
    before = points("Asha")
    query = query_hand(token=two.token, number=1, note="", by=make.actor(device="phone"))
    issue = reverse("issue", args=[query.pk])
    asked = organiser.get(issue)
    sent = {"outcome": "void", "reason": "Misdeal", "seen": seen_on(asked.text)}
    settled = organiser.post(issue, sent, follow=True)
    void = points("Asha")
    offered = words(organiser.get(link(settled, "Bring it back")))
    act.correct(two, {1: RESTORE})

    won = "70–50, Asha & Juma win · 1 victory point"
    assert f"table 3, Hand 1 ({won}) then counts for nobody" in words(asked)
    assert "Table 3, Hand 1 no longer counts: 70–50, Asha & Juma win" in words(settled)
    assert f"the same dealer deals again” becomes “{won}”." in offered
    assert (before, void, points("Asha")) == (1, 0, 1)
    assert Hand.objects.get(number=1).sheet["eaten"] == [70, 50]


def test_a_hand_that_was_never_changed_has_nothing_to_go_back_to(two: Sitting) -> None:
    with act.refused("nothing-changed"):
        act.correct(two, {1: RESTORE})
