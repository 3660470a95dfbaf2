"""The path of every page of a toured club, by a name that says which."""

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.urls import get_resolver, reverse

from games import catalogue
from tracker.models import Sitting
from tracker.people.services.invitations import join_path
from tracker.practice.moves import deal_hand

if TYPE_CHECKING:
    from tests.tour import Tour

# What there is to read of a tournament, whatever its game.
TOLD = ("tournament", "dealers", "hands", "story", "crosstable", "tournament-display")
PLANNED = "?players=13&minutes=150&starts=19:30&game=albastini"


def path_of(name: str, parameters: dict[str, object]) -> str:
    """Return the path of an address, which takes from the parameters those that it has."""
    [(possible, *_)] = get_resolver().reverse_dict.getlist(name)
    return reverse(name, kwargs={key: parameters[key] for key in possible[0][1]})


def _plain(tour: "Tour", names: str) -> dict[str, str]:
    """Return the pages that the tour's parameters lead to, each by the name of its address."""
    parameters = tour.parameters()
    return {name: path_of(name, parameters) for name in names.split()}


def _by_game(
    tour: "Tour", name: str, key: Callable[[Sitting], object] = lambda table: table.pk, *more: int
) -> dict[str, str]:
    """Return a page of the table of every game, or of what *key* names of it."""
    return {
        f"{name}, {game}": reverse(name, args=[key(table), *more])
        for game, table in tour.tables.items()
    }


def of_the_site(tour: "Tour") -> dict[str, str]:
    return {
        **_plain(tour, "home no-network sign-in card-code account password api-docs"),
        "password-new, forged": reverse("password-new", args=["MQ", "forged"]),
        "join": join_path(tour.invitation.pk),
        "join, forged": reverse("join", args=["forged"]),
    }


def of_practice(tour: "Tour") -> dict[str, str]:
    practised = [game for game in tour.tables if catalogue.GAMES[game].play]
    return {
        **_plain(tour, "practice replay"),
        **{f"practice, {game}": reverse("practice-game", args=[game]) for game in practised},
        **{f"practice, {game}, dealt": _dealt(tour, game) for game in practised},
    }


def _dealt(tour: "Tour", game: str) -> str:
    """Return the address of a hand of practice that has just been dealt."""
    hand = deal_hand(
        game=game,
        mode=tour.tables[game].mode,
        options={},
        strength="beginner",
        name=tour.player.name,
        seed=7,
        clock=lambda: 0.0,
    )
    return f"{reverse('practice-game', args=[game])}?{urlencode({'hand': hand.signed()})}"


def of_the_rules(tour: "Tour") -> dict[str, str]:
    referee = reverse("referee", args=["albastini"])
    return {
        "rules": reverse("rules"),
        "rules searched": reverse("rules") + "?q=tie",
        "guide": reverse("guide"),
        **{f"how-to-play, {game}": reverse("how-to-play", args=[game]) for game in tour.tables},
        **{f"referee, {game}": reverse("referee", args=[game]) for game in tour.tables},
        "referee searched": referee + "?q=face-up+card",
        "referee searched, nothing": referee + "?q=xyz",
    }


def of_the_club(tour: "Tour") -> dict[str, str]:
    search, log = (reverse(name, args=[tour.club.pk]) for name in ("search", "log"))
    return {
        **_plain(tour, "club search"),
        "search, found": search + "?q=a",
        **_plain(tour, "club-new club-edit webhooks log api-tokens"),
        "log of a table": log + "?table=1",
        **_plain(tour, "claim members member seasons season season-edit my-table"),
    }


def of_players(tour: "Tour") -> dict[str, str]:
    return {
        **_plain(tour, "players-import duplicates player-merge player-erase players player"),
        "player of one game": reverse("player", args=[tour.player.pk]) + "?game=dalmuti",
        **_plain(tour, "pair player-edit wishes teams team team-edit"),
    }


def of_nights(tour: "Tour") -> dict[str, str]:
    return {
        **_plain(tour, "tonight plan"),
        "plan, proposed": reverse("plan", args=[tour.club.pk]) + PLANNED,
        **_plain(tour, "nights night-new night night-edit night-people night-door door"),
        **_plain(tour, "night-display night-rsvp"),
    }


def of_tournaments(tour: "Tour") -> dict[str, str]:
    new = reverse("tournament-new", args=[tour.club.pk])
    return {
        **_plain(tour, "tournaments tournament-new"),
        **{f"tournament-new, {game}": f"{new}?game={game}" for game in tour.tables},
        **_plain(tour, "tournament-edit tournament-import tournament-look entrants desk official"),
        **_plain(tour, "prizes awards stage-new final-ranking entrant"),
        **{
            page: path
            for name in TOLD
            for page, path in _by_game(tour, name, lambda table: table.round.tournament_id).items()
        },
    }


def of_rounds(tour: "Tour") -> dict[str, str]:
    return {
        **_plain(tour, "draw round-close"),
        "round-close, not confirmed": reverse("round-close", args=[tour.both.round_id]),
        "desk, not confirmed": reverse("desk", args=[tour.both.round.tournament_id]),
        **_plain(tour, "round-undo schedule why"),
    }


def of_paper(tour: "Tour") -> dict[str, str]:
    """Return what is printed, and what is typed in from it."""
    return {
        **_plain(tour, "table-keys print-cards print-rounds print-seats print-results"),
        **_by_game(tour, "print-sheets", lambda table: table.round_id),
        **_by_game(tour, "print-blank", lambda table: table.round.tournament_id),
        "paper-file": reverse("paper-file", args=[tour.tournament.pk]),
        **_by_game(tour, "paper"),
    }


def of_hands(tour: "Tour") -> dict[str, str]:
    """Return where an organiser looks at hands and corrects them."""
    dealt = tour.tables["dalmuti"]
    recorded = reverse("hand-record", args=[dealt.pk, dealt.last_number])
    corrected = reverse("hand-correct", args=[tour.sitting.pk, 1])
    return {
        **_by_game(tour, "sitting"),
        **_by_game(tour, "hand", lambda table: table.pk, 1),
        "hand-record": reverse("hand-record", args=[tour.tables["briscola"].pk, 1]),
        "hand-record, kept": f"{recorded}?step=5",  # some moves after the deal
        **_by_game(tour, "enter-result-type"),
        **_by_game(tour, "hand-correct", lambda table: table.pk, 1),
        "hand-correct, previewed": f"{corrected}?change=strike",
        "issue": reverse("issue", args=[tour.issue.pk]),
        "sitting, not confirmed": reverse("sitting", args=[tour.both.pk]),
    }


def of_tables(tour: "Tour") -> dict[str, str]:
    """Return what phones show that were led there by a card."""
    tables = _by_game(tour, "table", lambda table: table.token)
    over = Sitting.objects.get(round__tournament__season=tour.season)
    both = tour.both.get_absolute_url()
    return {
        **_plain(tour, "enter-wins"),
        **tables,
        **{f"{name}, changing": f"{address}?hand=1" for name, address in tables.items()},
        "table, which side": both,
        "table, is that right": both + "?side=1",
        "table, our count": both + "?side=1&hand=1&own",
        "table, ask to change": both + "?side=0&hand=1",
        "table, waits": both + "?side=0&saved=2&as=accepted",
        "table, asked to change": tables["table, briscola"] + "?saved=1&as=proposes",
        "table, saved": tour.sitting.get_absolute_url() + "?saved=1&as=accepted",
        "table, over": over.get_absolute_url(),
        "table, closed": tour.closed.get_absolute_url(),
        "card, waiting": reverse("card", args=[tour.card.card_token]),
        "card, replaced": reverse("card", args=[tour.replaced]),
    }


SUBJECTS = (
    of_the_site,
    of_practice,
    of_the_rules,
    of_the_club,
    of_players,
    of_nights,
    of_tournaments,
    of_rounds,
    of_paper,
    of_hands,
    of_tables,
)


def pages(tour: "Tour") -> dict[str, str]:
    """Return the path of every page to be read."""
    return {name: path for subject in SUBJECTS for name, path in subject(tour).items()}
