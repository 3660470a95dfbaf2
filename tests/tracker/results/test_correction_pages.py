"""The pages on which scorers put hands right and settle what waits."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests import make
from tests.reading import Forms, seen_on
from tracker.models import (
    Confirm,
    Hand,
    Issue,
    IssueKind,
    LogEntry,
    Role,
    RoundState,
    Sitting,
    Tally,
)
from tracker.results.pages import correct_hand
from tracker.results.services.corrections import RESTORE, correct_sitting
from tracker.results.services.issues import query_hand
from tracker.results.services.preview import apply

pytestmark = pytest.mark.django_db
PEOPLE = ("Asha", "Neema", "Juma", "Baraka")


@pytest.fixture
def table() -> Sitting:
    return make.sitting(*PEOPLE, at=make.tournament(hands=8), number=3)


@pytest.fixture
def scorer(client: Client, table: Sitting) -> Client:
    client.force_login(make.user(role=Role.SCORER, club=table.round.tournament.club))
    return client


def words(page: Any) -> str:
    plain = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page.text)))
    return plain.replace(" ,", ",").replace(" :", ":")


def words_of(html: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", html)))


def path_of(table: Sitting, number: int = 1) -> str:
    return reverse("hand-correct", args=[table.pk, number])


def written(number: int, ours: int, theirs: int, **more: Any) -> dict[str, Any]:
    """Return what the page sends for one hand."""
    entry = f"00000000-0000-4000-8000-00000000000{number}"
    sent = {"entry": entry, "number": number, "eaten_0": ours, "eaten_1": theirs, **more}
    return {f"h{number}-{name}": value for name, value in sent.items()}


def seen(page: Any) -> str:
    match = re.search(r'name="seen" value="([^"]*)"', page.text)
    assert match
    return unescape(match.group(1))


def points(name: str) -> int:
    tally = Tally.objects.filter(entrant__player__name=name, key="victory_points").first()
    return tally.amount if tally else 0


# Who may --------------------------------------------------------------------------------------


def test_strangers_are_led_to_sign_in(client: Client, table: Sitting) -> None:
    page = client.get(reverse("sitting", args=[table.pk]))

    assert page.status_code == 302
    assert reverse("sign-in") in page.headers["Location"]


def test_members_of_other_clubs_may_not(client: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [70, 50]})
    client.force_login(make.user(role=Role.OWNER, club=make.club("Other")))

    assert client.get(path_of(table)).status_code == 403


# A table --------------------------------------------------------------------------------------


def test_table_shows_everything_that_is_known_of_a_hand(scorer: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [110, 10], "dealer": 1, "trump": "H"}, side=0)

    page = words(scorer.get(reverse("sitting", args=[table.pk])))

    assert "Hand 1: 110–10" in page
    assert "Asha & Juma win · 2 victory points · Neema & Baraka are under 20" in page
    assert "Neema dealt, but it was Asha’s turn to deal." in page  # S12
    assert "What were trumps? hearts" in page
    assert "Points 2, Eaten 110" not in page  # the line above says it
    assert "Written down by Asha & Juma at" in page


def test_a_hand_card_by_card_is_folded_away_until_somebody_asks(
    scorer: Client, table: Sitting
) -> None:
    for _ in range(2):
        make.report(table, {"eaten": [70, 50]})

    page = scorer.get(reverse("sitting", args=[table.pk])).text

    seen_at_once = re.sub("<details>.*?</details>", "", page, flags=re.DOTALL)
    assert [f"Replay hand {number} card by card" in page for number in (1, 2)] == [True, True]
    assert "Hand 2: " in words_of(seen_at_once)
    assert "card by card" not in seen_at_once


def test_table_tells_what_a_hand_gave_in_figures_that_people_write(client: Client) -> None:
    """Shares are kept in whole parts, which mean nothing to anybody."""
    tournament = make.tournament("dalmuti", "4i")
    table = make.sitting(*PEOPLE, at=tournament)
    make.report(table, {"order": [2, 0, 1, 3]})
    client.force_login(make.user(role=Role.SCORER, club=tournament.club))

    page = words(client.get(reverse("sitting", args=[table.pk])))

    assert "Asha Trader · 2 points Neema Trader · 1 point Juma Dalmuti · 3 points" in page
    assert "Beaten" not in page


@pytest.mark.parametrize("hands", [1, 3])
def test_table_costs_the_same_however_many_hands(
    scorer: Client,
    table: Sitting,
    hands: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for _ in range(hands):
        make.report(table, {"eaten": [70, 50]})

    # session, user, sitting, role, people, hands, what is open
    with django_assert_num_queries(7):
        scorer.get(reverse("sitting", args=[table.pk]))


# A hand ---------------------------------------------------------------------------------------


def test_what_moves_is_shown_before_it_is_kept(scorer: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [70, 50]})

    page = scorer.post(
        path_of(table), {**written(1, 50, 70, dealer=0), "reason": "Misread", "step": "look"}
    )

    assert (
        "Hand 1: 70–\u206050 becomes 50–\u206070; Neema & Baraka win · 1 victory point."
        in words(page)
    )
    assert "Asha 1 → 3 1 → 0" in words(page)  # place and points
    assert "Neema 3 → 1 0 → 1" in words(page)
    assert "stay as they are" not in words(page)
    assert Hand.objects.get().sheet["eaten"] == [70, 50]


def test_a_change_that_moves_nobody_is_shown_all_the_same(scorer: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [70, 50], "trump": "H"})

    page = words(
        scorer.post(path_of(table), {**written(1, 70, 50, dealer=1, trump="S"), "step": "look"})
    )

    assert (
        "Hand 1 stays 70–\u206050, Asha & Juma win · 1 victory point. What were trumps? hearts → spades"
        in page
    )
    assert "Dealt Asha → Neema Places and points stay as they are." in page
    assert "What else changes Asha Dealt 1 → 0" in page
    assert "says that already" not in page


def test_what_is_only_confirmed_is_said_to_be(client: Client) -> None:
    table = make.sitting(*PEOPLE, at=make.tournament(confirm=Confirm.BOTH))
    make.report(table, {"eaten": [70, 50]}, side=0)
    client.force_login(make.user(role=Role.SCORER, club=table.round.tournament.club))

    page = words(client.post(path_of(table), {**written(1, 70, 50, dealer=0), "step": "look"}))

    assert "It says that already: this confirms it. Why?" in page


def test_sides_are_swapped_with_one_button_and_that_is_the_reason(
    scorer: Client, table: Sitting
) -> None:
    make.report(table, {"eaten": [70, 50]})
    page = scorer.get(path_of(table))
    [form] = [form for form in Forms(page.text, path_of(table)).forms if "h1-number" in form.fields]
    assert ("swap", "0-1") in form.buttons
    assert form.buttons[0] == ("step", "look")  # which the return key presses

    look = scorer.post(path_of(table), form.pressing("swap", "0-1"))
    [form] = [form for form in Forms(look.text, path_of(table)).forms if "seen" in form.fields]
    scorer.post(path_of(table), form.pressing("step", "keep"))

    assert (
        "Hand 1: 70–\u206050 becomes 50–\u206070; Neema & Baraka win · 1 victory point."
        in words(look)
    )
    assert Hand.objects.get().sheet["eaten"] == [50, 70]
    assert LogEntry.objects.get().reason == "Sides swapped"


@pytest.mark.parametrize(("game", "mode"), [("dalmuti", "4i"), ("mambassa", "4i")])
def test_sides_are_not_swapped_where_nobody_counts_for_a_side(
    client: Client, game: str, mode: str
) -> None:
    table = make.sitting(*PEOPLE, at=make.tournament(game, mode))
    sheet = {"order": [2, 0, 1, 3]} if game == "dalmuti" else {"event": "normal", "payers": [0]}
    make.report(table, sheet)
    client.force_login(make.user(role=Role.SCORER, club=table.round.tournament.club))

    assert 'name="swap"' not in client.get(path_of(table)).text


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ({"why": "Typing slip"}, "Typing slip"),
        ({"why": "Typing slip", "reason": "A 5 for a 7"}, "A 5 for a 7"),
    ],
)
def test_a_reason_is_tapped_or_typed(
    scorer: Client, table: Sitting, said: dict[str, str], kept: str
) -> None:
    make.report(table, {"eaten": [70, 50]})
    sent = written(1, 60, 60)
    look = scorer.post(path_of(table), {**sent, "step": "look"})

    scorer.post(path_of(table), {**sent, **said, "step": "keep", "seen": seen(look)})

    assert LogEntry.objects.get().reason == kept
    assert "Typing slip Recounted Both sides agree Or in your own words" in words(look)


def test_only_whose_points_change_is_shown_at_once(scorer: Client, table: Sitting) -> None:
    """Eight play, and one slip moves four of them: the others are folded away."""
    other = make.sitting("Ali", "Bo", "Cleo", "Dan", at=table.round.tournament, number=4)
    for sitting in (table, other):
        make.report(sitting, {"eaten": [70, 50]})

    page = scorer.post(path_of(table), {**written(1, 5, 115, dealer=0), "step": "look"})

    shown = page.text.partition("<details")[0]
    assert {name for name in (*PEOPLE, "Ali", "Bo") if f'"row">{name}' in shown} == set(PEOPLE)
    assert "Eaten" not in words_of(shown)
    assert "Asha Won 1 → 0 Eaten 58.3 % → 4.2 %" in words(page)


def test_deleting_is_quiet_and_says_that_it_can_be_undone(scorer: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [70, 50]})

    page = scorer.get(path_of(table))
    look = scorer.post(path_of(table), {"change": "strike"})

    [delete] = re.findall(r'<button class="([^"]*)" name="change" value="strike">', page.text)
    assert delete == "button danger"
    assert "Delete hand 1 Cancel You can bring it back later." in words(look)


def test_a_link_that_undoes_shows_what_that_changes(scorer: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [70, 50]})
    sent = {**written(1, 50, 70, dealer=0), "reason": "Misread"}
    look = scorer.post(path_of(table), {**sent, "step": "look"})
    done = scorer.post(path_of(table), {**sent, "step": "keep", "seen": seen(look)}, follow=True)
    [undo] = re.findall(r'href="([^"]*)">Undo<', done.text)

    page = words(scorer.get(unescape(undo)))

    assert "Hand 1 corrected." in words(done)
    assert "Hand 1: 50–\u206070 becomes 70–\u206050; Asha & Juma win · 1 victory point." in page
    assert Hand.objects.get().sheet["eaten"] == [50, 70]


def test_what_was_looked_at_is_kept(scorer: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [70, 50]})
    sent = {**written(1, 50, 70, dealer=0), "reason": "Misread"}
    look = scorer.post(path_of(table), {**sent, "step": "look"})

    answer = scorer.post(path_of(table), {**sent, "step": "keep", "seen": seen(look)})

    assert answer.headers["Location"] == reverse("sitting", args=[table.pk])
    assert (points("Asha"), points("Neema")) == (0, 1)
    for page in (reverse("sitting", args=[table.pk]), reverse("hand", args=[table.pk, 1])):
        assert re.findall('class="pill done">(.*?)<', scorer.get(page).text) == ["corrected"]


def test_what_was_changed_since_is_looked_at_again(scorer: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [70, 50]})
    sent = {**written(1, 50, 70, dealer=0), "reason": "Misread"}
    look = scorer.post(path_of(table), {**sent, "step": "look"})

    page = scorer.post(
        path_of(table), {**sent, **written(1, 60, 60), "step": "keep", "seen": seen(look)}
    )

    assert page.status_code == 200
    assert Hand.objects.get().sheet["eaten"] == [70, 50]


def test_what_somebody_else_changed_since_is_looked_at_again(
    scorer: Client, table: Sitting
) -> None:
    make.report(table, {"eaten": [70, 50]})
    changes: Any = {1: {"eaten": [50, 70]}}
    correct_sitting(sitting_id=table.pk, changes=changes, reason="x", by=make.actor())
    sent = {"change": "restore", "reason": "Misread"}
    look = scorer.post(path_of(table), sent)
    correct_sitting(sitting_id=table.pk, changes={1: RESTORE}, reason="x", by=make.actor())

    page = scorer.post(path_of(table), {**sent, "step": "keep", "seen": seen(look)})

    assert page.status_code == 200
    assert Hand.objects.get().sheet["eaten"] == [70, 50]  # and not what it was in between


def test_a_reason_is_asked_for_and_what_was_typed_stays(scorer: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [70, 50]})

    sent = {**written(1, 50, 70), "reason": ""}

    look = scorer.post(path_of(table), {**sent, "step": "look"})
    page = scorer.post(path_of(table), {**sent, "step": "keep", "seen": seen(look)})

    assert "Say why" not in words(look)
    assert "Say why: tap a reason, or type one." in words(page)
    assert 'value="50"' in page.text
    assert Hand.objects.get().sheet["eaten"] == [70, 50]


def test_sheet_the_rules_refuse_is_refused_here_too(scorer: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [70, 50]})

    page = scorer.post(path_of(table), {**written(1, 70, 48), "reason": "x", "step": "look"})

    assert "Is a Queen missing?" in words(page)


def test_what_stands_already_is_not_a_correction(scorer: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [70, 50]})

    page = scorer.post(path_of(table), {"step": "look", **written(1, 70, 50)})

    assert "Nothing would change: it says that already. Change a figure, or go back." in words(page)
    assert 'value="70"' in page.text
    assert not LogEntry.objects.exists()


def test_hand_is_struck_and_restored(scorer: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [70, 50]})
    for change in ("strike", "restore"):
        sent = {"change": change, "reason": "Played twice"}
        look = scorer.post(path_of(table), sent)
        scorer.post(path_of(table), {**sent, "step": "keep", "seen": seen(look)})
        assert (Hand.objects.get().struck_at is not None) == (change == "strike")

    assert points("Asha") == 1
    assert "Undo the last change" not in words(scorer.get(path_of(table)))


def test_later_hand_that_cannot_follow_is_laid_beside_the_change(client: Client) -> None:
    table = make.sitting(*PEOPLE[:3], at=make.tournament("mambassa", "3i"))
    client.force_login(make.user(role=Role.OWNER, club=table.round.tournament.club))
    for payers in ([0], [0], [1], [1]):
        make.report(table, {"event": "normal", "payers": payers})
    entry = "00000000-0000-4000-8000-000000000003"
    sent = {"h3-entry": entry, "h3-number": 3, "h3-event": "normal", "h3-payers": ["0"]}

    make.report(table, {"event": "normal", "payers": [0]})
    page = client.post(path_of(table, 3), {**sent, "reason": "Asha paid", "step": "look"})

    assert "cannot stand: Asha is out of the game" in words(page)
    assert 'name="also"' in page.text
    assert 'name="h4-event"' in page.text


def test_what_is_written_at_that_moment_is_seen_first(
    scorer: Client, table: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    make.report(table, {"eaten": [70, 50]}, device="a")
    look = scorer.post(path_of(table), written(1, 60, 60))
    sent = {**written(1, 60, 60), "step": "keep", "reason": "Counted again"}
    others = [{"eaten": [115, 5]}]

    def wait(act: Callable[[], None], **how: Any) -> None:
        """Keep it once the table's own phone has let go of the table."""
        if others:
            make.report(table, others.pop(), number=1, device="a")
        apply(act, **how)

    monkeypatch.setattr(correct_hand, "apply", wait)
    page = scorer.post(path_of(table), {**sent, "seen": seen(look)})
    stood = Hand.objects.get().sheet["eaten"]
    scorer.post(path_of(table), {**sent, "seen": seen(page)})

    assert "115–5, Asha & Juma win" in words(page)
    assert stood == [115, 5]
    assert Hand.objects.get().sheet["eaten"] == [60, 60]


# What waits -----------------------------------------------------------------------------------


def issue_path() -> str:
    return reverse("issue", args=[Issue.objects.get(settled_at=None).pk])


def settles(scorer: Client, **sent: Any) -> Any:
    """Open what waits, and settle it by what is seen there."""
    page = scorer.get(issue_path())
    return scorer.post(issue_path(), {"seen": seen_on(page.text), **sent})


def disputed(table: Sitting) -> None:
    make.report(table, {"eaten": [70, 50]}, device="a", side=0)
    make.report(table, {"eaten": [50, 70]}, number=1, device="b", side=1, is_next=False)


def test_two_counts_are_laid_side_by_side(scorer: Client, table: Sitting) -> None:
    disputed(table)

    page = words(scorer.get(issue_path()))

    assert "Hand 1: 70–50 or 50–70?" in page
    assert re.search(r"By Asha & Juma counts now \S+ Asha & Juma 70 \(differs\)", page)
    assert re.search(r"By Neema & Baraka \S+ Asha & Juma 50 \(differs\)", page)
    assert page.count("This one counts") == 2


@pytest.mark.parametrize(
    ("outcome", "hands"),
    [("keep", [[70, 50]]), ("take", [[50, 70]]), ("two", [[70, 50], [50, 70]])],
)
def test_two_counts_are_settled(
    scorer: Client, table: Sitting, outcome: str, hands: list[list[int]]
) -> None:
    disputed(table)

    answer = settles(scorer, outcome=outcome, reason="Counted again")

    assert answer.headers["Location"] == reverse("desk", args=[table.round.tournament_id])
    assert "Table 3, Hand 1 is settled." in scorer.get(answer.headers["Location"]).text
    assert [hand.sheet["eaten"] for hand in Hand.objects.order_by("number")] == hands


@pytest.mark.parametrize("outcome", ["keep", "take", "two", "void"])
def test_what_changed_since_it_was_looked_at_is_settled_by_nobody(
    scorer: Client, table: Sitting, outcome: str
) -> None:
    disputed(table)
    path, seen = issue_path(), seen_on(scorer.get(issue_path()).text)
    make.report(table, {"eaten": [115, 5]}, number=1, device="a", side=0)

    page = scorer.post(path, {"outcome": outcome, "reason": "Counted again", "seen": seen})

    assert "It has been changed meanwhile. Look at it again." in words(page)
    assert "Hand 1: 115–5 or 50–70?" in words(page)
    assert 'name="said" value="Counted again"' in page.text
    assert Issue.objects.get().settled_at is None
    assert Hand.objects.get().sheet["eaten"] == [115, 5]
    scorer.post(path, {"outcome": "keep", "seen": seen_on(page.text)})
    assert Issue.objects.get().outcome == "keep"


def test_late_hand_is_not_laid_over_one_that_came_since(scorer: Client, table: Sitting) -> None:
    type(table.round).objects.update(state=RoundState.CLOSED)
    make.report(table, {"eaten": [70, 50]})
    seen = seen_on(scorer.get(issue_path()).text)
    type(table.round).objects.update(state=RoundState.OPEN)
    make.report(table, {"eaten": [50, 70]})

    page = scorer.post(issue_path(), {"outcome": "take", "reason": "Found it", "seen": seen})

    assert seen == "0"
    assert "It has been changed meanwhile." in words(page)
    assert Hand.objects.get().sheet["eaten"] == [50, 70]


def test_parked_hand_shows_its_count_and_is_mended(scorer: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [70, 48], "bare": 0}, parked=True)

    page = scorer.get(issue_path())
    assert "The totals make 118, not 120: 2 too few. Is a Queen missing?" in words(page)
    assert 'name="h1-eaten_1" value="48"' in page.text

    settles(scorer, **written(1, 70, 50), outcome="mended", reason="Found the Queen")

    assert Hand.objects.get().sheet["eaten"] == [70, 50]


def test_parked_hand_that_still_does_not_add_up_is_refused(scorer: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [70, 48], "bare": 0}, parked=True)

    page = settles(scorer, **written(1, 70, 48), outcome="mended", reason="x")

    assert page.status_code == 200
    assert Issue.objects.get().settled_at is None


def test_settling_by_a_change_wants_a_reason(scorer: Client, table: Sitting) -> None:
    disputed(table)

    look = settles(scorer, outcome="take", reason="")
    page = settles(scorer, outcome="take", reason="", step="keep")

    assert (
        "Hand 1: 70–\u206050 becomes 50–\u206070; Neema & Baraka win · 1 victory point."
        in words(look)
    )
    assert "Say why" not in words(look)
    assert "Say why: tap a reason, or type one." in words(page)
    assert Issue.objects.get().settled_at is None


def test_late_hand_is_taken_in(scorer: Client, table: Sitting) -> None:
    table.round.state = RoundState.CLOSED
    table.round.save()
    make.report(table, {"eaten": [70, 50]})
    assert "Add it as hand 1" in words(scorer.get(issue_path()))

    settles(scorer, outcome="take", reason="The Wi-Fi was gone")

    assert Hand.objects.get().sheet["eaten"] == [70, 50]


@pytest.mark.parametrize("outcome", ["void", "mended", "keep", "nonsense"])
def test_late_hand_is_settled_only_as_its_page_offers(
    scorer: Client, table: Sitting, outcome: str
) -> None:
    make.report(table, {"eaten": [60, 60]})
    table.round.state = RoundState.CLOSED
    table.round.save()
    make.report(table, {"eaten": [70, 50]}, number=1)

    answer = settles(scorer, **written(1, 80, 40), outcome=outcome, reason="Forged")
    assert answer.status_code == 200

    assert Hand.objects.get().sheet["eaten"] == [60, 60]
    assert Issue.objects.get().settled_at is None


def test_two_results_of_one_side_say_which_came_first(scorer: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [70, 50]}, device="a", side=0)
    make.report(table, {"eaten": [50, 70]}, number=1, device="b", side=0, is_next=False)

    page = words(scorer.get(issue_path()))

    assert "By Asha & Juma, first" in page
    assert "By Asha & Juma, another phone" in page


def test_a_result_is_chosen_by_seeing_it_and_tapping_why(scorer: Client, table: Sitting) -> None:
    disputed(table)
    path = issue_path()
    seen = seen_on(scorer.get(path).text)

    look = scorer.post(path, {"outcome": "take", "seen": seen})
    [form] = [form for form in Forms(look.text, path).forms if "outcome" in form.fields]
    assert Issue.objects.get().settled_at is None
    scorer.post(path, form.pressing("step", "keep", why="Both sides agree"))

    assert "Hand 1: 70–\u206050 becomes 50–\u206070; Neema & Baraka win" in words(look)
    assert Hand.objects.get().sheet["eaten"] == [50, 70]
    assert LogEntry.objects.get(verb="issue-settled").reason == "Both sides agree"


def test_voiding_stands_apart_and_is_not_filled(scorer: Client, table: Sitting) -> None:
    disputed(table)

    page = scorer.get(issue_path()).text

    buttons = re.findall(r'<button class="([^"]*)" name="outcome" value="(\w+)"', page)
    assert dict(map(reversed, buttons)) == {
        "keep": "button block",
        "take": "button block",
        "two": "button",
        "mended": "button",
        "void": "button danger",
    }
    assert page.index('name="outcome" value="void"') > page.index('class="panel quiet')


def test_query_is_answered_without_a_change(scorer: Client, table: Sitting) -> None:
    make.report(table, {"eaten": [70, 50]})
    query_hand(token=table.token, number=1, note="We had 60", by=make.actor())
    assert "We had 60" in words(scorer.get(issue_path()))

    settles(scorer, outcome="dismiss", reason="")

    issue = Issue.objects.get(kind=IssueKind.QUERY)
    assert issue.outcome == "dismiss"


def test_two_results_are_called_as_the_game_calls_them(client: Client) -> None:
    table = make.sitting(at=make.tournament("briscola", games=1))
    make.report(table, {"points": [70, 50]}, device="a", side=0)
    make.report(table, {"points": [50, 70]}, number=1, device="b", side=1, is_next=False)
    client.force_login(make.user(role=Role.SCORER, club=table.round.tournament.club))

    assert "These are two different deals" in client.get(issue_path()).text


def test_settled_issue_offers_nothing_more(scorer: Client, table: Sitting) -> None:
    disputed(table)
    path = issue_path()
    settles(scorer, outcome="keep", reason="")

    assert "This has been settled." in words(scorer.get(path))
    assert "Somebody has settled this already." in words(
        scorer.post(path, {"outcome": "take", "reason": "x"})
    )
