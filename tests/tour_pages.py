"""The path of every page of a toured club, by a name that says which."""

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.urls import reverse

from games import catalogue
from tracker.models import Sitting
from tracker.people.services.invitations import join_path
from tracker.practice.moves import deal_hand

if TYPE_CHECKING:
    from tests.tour import Tour

# What there is to read of a tournament, whatever its game.
TOLD = ("tournament", "dealers", "hands", "story", "crosstable", "tournament-display")
PLANNED = "?players=13&minutes=150&starts=19:30&game=albastini"


def of_the_site(tour: "Tour") -> dict[str, str]:
    return {
        "home": reverse("home"),
        "no-network": reverse("no-network"),
        "sign-in": reverse("sign-in"),
        "card-code": reverse("card-code"),
        "account": reverse("account"),
        "password": reverse("password"),
        "password-new, forged": reverse("password-new", args=["MQ", "forged"]),
        "join": join_path(tour.invitation.pk),
        "join, forged": reverse("join", args=["forged"]),
    }


def of_practice(tour: "Tour") -> dict[str, str]:
    plays = {game: catalogue.GAMES[game].play for game in tour.tables}
    practised = [game for game, play in plays.items() if play]
    return {
        "practice": reverse("practice"),
        "replay": reverse("replay"),
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
    return {
        "rules": reverse("rules"),
        "rules searched": reverse("rules") + "?q=tie",
        "guide": reverse("guide"),
        **{f"how-to-play, {game}": reverse("how-to-play", args=[game]) for game in tour.tables},
        **{f"referee, {game}": reverse("referee", args=[game]) for game in tour.tables},
        "referee searched": reverse("referee", args=["albastini"]) + "?q=face-up+card",
        "referee searched, nothing": reverse("referee", args=["albastini"]) + "?q=xyz",
    }


def of_the_club(tour: "Tour") -> dict[str, str]:
    club = [tour.club.pk]
    return {
        "club": reverse("club", args=club),
        "search": reverse("search", args=club),
        "search, found": reverse("search", args=club) + "?q=a",
        "club-new": reverse("club-new"),
        "club-edit": reverse("club-edit", args=club),
        "log": reverse("log", args=club),
        "log of a table": reverse("log", args=club) + "?table=1",
        "claim": reverse("claim", args=club),
        "members": reverse("members", args=club),
        "member": reverse("member", args=[tour.membership.pk]),
        "seasons": reverse("seasons", args=club),
        "season": reverse("season", args=[tour.season.pk]),
        "season-edit": reverse("season-edit", args=[tour.season.pk]),
        "my-table": reverse("my-table", args=club),
    }


def of_players(tour: "Tour") -> dict[str, str]:
    club, player, team = [tour.club.pk], [tour.player.pk], [tour.team.pk]
    return {
        "players-import": reverse("players-import", args=club),
        "duplicates": reverse("duplicates", args=club),
        "player-merge": reverse("player-merge", args=player),
        "player-erase": reverse("player-erase", args=player),
        "players": reverse("players", args=club),
        "player": reverse("player", args=player),
        "player of one game": reverse("player", args=player) + "?game=dalmuti",
        "pair": reverse("pair", args=[*player, tour.other.pk]),
        "player-edit": reverse("player-edit", args=player),
        "wishes": reverse("wishes", args=club),
        "teams": reverse("teams", args=club),
        "team": reverse("team", args=team),
        "team-edit": reverse("team-edit", args=team),
    }


def of_nights(tour: "Tour") -> dict[str, str]:
    club, night = [tour.club.pk], [tour.night.pk]
    return {
        "tonight": reverse("tonight", args=club),
        "plan": reverse("plan", args=club),
        "plan, proposed": reverse("plan", args=club) + PLANNED,
        "nights": reverse("nights", args=club),
        "night-new": reverse("night-new", args=club),
        "night": reverse("night", args=night),
        "night-edit": reverse("night-edit", args=night),
        "night-people": reverse("night-people", args=night),
        "night-door": reverse("night-door", args=night),
        "door": reverse("door", args=[tour.night.door_token]),
        "night-display": reverse("night-display", args=night),
        "night-rsvp": reverse("night-rsvp", args=[tour.night.uid]),
    }


def of_tournaments(tour: "Tour") -> dict[str, str]:
    club, tournament = [tour.club.pk], [tour.tournament.pk]
    new = reverse("tournament-new", args=club)
    return {
        "tournaments": reverse("tournaments", args=club),
        "tournament-new": new,
        **{f"tournament-new, {game}": f"{new}?game={game}" for game in tour.tables},
        "tournament-edit": reverse("tournament-edit", args=tournament),
        "tournament-import": reverse("tournament-import", args=club),
        "tournament-look": reverse("tournament-look", args=club),
        "entrants": reverse("entrants", args=tournament),
        "desk": reverse("desk", args=tournament),
        "official": reverse("official", args=tournament),
        "prizes": reverse("prizes", args=tournament),
        "awards": reverse("awards", args=tournament),
        "stage-new": reverse("stage-new", args=tournament),
        "final-ranking": reverse("final-ranking", args=tournament),
        **{
            f"{name}, {game}": reverse(name, args=[table.round.tournament_id])
            for name in TOLD
            for game, table in tour.tables.items()
        },
    }


def of_rounds(tour: "Tour") -> dict[str, str]:
    tournament, round_ = [tour.tournament.pk], [tour.round.pk]
    return {
        "draw": reverse("draw", args=tournament),
        "round-close": reverse("round-close", args=round_),
        "round-close, not confirmed": reverse("round-close", args=[tour.both.round_id]),
        "desk, not confirmed": reverse("desk", args=[tour.both.round.tournament_id]),
        "round-undo": reverse("round-undo", args=round_),
        "schedule": reverse("schedule", args=tournament),
        "why": reverse("why", args=[*tournament, 1]),
    }


def of_paper(tour: "Tour") -> dict[str, str]:
    """Return what is printed, and what is typed in from it."""
    tournament, tables = [tour.tournament.pk], tour.tables.items()
    return {
        "table-keys": reverse("table-keys", args=tournament),
        "print-cards": reverse("print-cards", args=tournament),
        "print-rounds": reverse("print-rounds", args=tournament),
        "print-seats": reverse("print-seats", args=[tour.round.pk]),
        "print-results": reverse("print-results", args=[tour.night.pk]),
        **{
            f"print-sheets, {game}": reverse("print-sheets", args=[table.round_id])
            for game, table in tables
        },
        **{
            f"print-blank, {game}": reverse("print-blank", args=[table.round.tournament_id])
            for game, table in tables
        },
        "paper-file": reverse("paper-file", args=tournament),
        **{f"paper, {game}": reverse("paper", args=[table.pk]) for game, table in tables},
    }


def of_hands(tour: "Tour") -> dict[str, str]:
    """Return where an organiser looks at hands and corrects them."""
    dealt, tables = tour.tables["dalmuti"], tour.tables.items()
    recorded = reverse("hand-record", args=[dealt.pk, dealt.last_number])
    return {
        **{f"sitting, {game}": reverse("sitting", args=[table.pk]) for game, table in tables},
        **{f"hand, {game}": reverse("hand", args=[table.pk, 1]) for game, table in tables},
        "hand-record": reverse("hand-record", args=[tour.tables["briscola"].pk, 1]),
        "hand-record, kept": f"{recorded}?step=5",  # some moves after the deal
        **{
            f"enter-result-type, {game}": reverse("enter-result-type", args=[table.pk])
            for game, table in tables
        },
        **{
            f"hand-correct, {game}": reverse("hand-correct", args=[table.pk, 1])
            for game, table in tables
        },
        "hand-correct, previewed": (
            reverse("hand-correct", args=[tour.tables["albastini"].pk, 1]) + "?change=strike"
        ),
        "issue": reverse("issue", args=[tour.issue.pk]),
        "sitting, not confirmed": reverse("sitting", args=[tour.both.pk]),
    }


def of_tables(tour: "Tour") -> dict[str, str]:
    """Return what phones show that were led there by a card."""
    addresses = {game: reverse("table", args=[t.token]) for game, t in tour.tables.items()}
    over = Sitting.objects.get(round__tournament__season=tour.season)
    return {
        "enter-wins": reverse("enter-wins", args=[tour.sitting.token]),
        **{f"table, {game}": address for game, address in addresses.items()},
        **{f"table, {game}, changing": f"{address}?hand=1" for game, address in addresses.items()},
        "table, which side": tour.both.get_absolute_url(),
        "table, is that right": tour.both.get_absolute_url() + "?side=1",
        "table, our count": tour.both.get_absolute_url() + "?side=1&hand=1&own",
        "table, ask to change": tour.both.get_absolute_url() + "?side=0&hand=1",
        "table, waits": tour.both.get_absolute_url() + "?side=0&saved=2&as=accepted",
        "table, asked to change": addresses["briscola"] + "?saved=1&as=proposes",
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
