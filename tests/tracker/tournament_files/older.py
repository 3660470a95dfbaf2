"""A database of the version before, in which a file left moments of the year 9999; run as a program.

It is brought up to date, and every page that shows such a moment is asked for: one line each.
"""

import django

django.setup()

from datetime import UTC, datetime  # noqa: E402

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.migrations.executor import MigrationExecutor  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402

BEFORE = ("tracker", "0009_words_of_choices")
NOON, LATE = datetime(2026, 11, 20, 12, tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def fill() -> tuple[int, int, int]:
    """Fill the tables as they were, and return the keys of the club, the tournament, a sitting."""
    apps = MigrationExecutor(connection).loader.project_state([BEFORE]).apps
    auth = MigrationExecutor(connection).loader.project_state().apps

    def make(model: str, **fields: object) -> int:
        return int(apps.get_model("tracker", model).objects.create(**fields).pk)

    user = auth.get_model("tracker", "User").objects.create(username="owner")
    club = make("Club", name="Upanga")
    make("Membership", club_id=club, user_id=user.pk, role="owner")
    cup = make(
        "Tournament",
        club_id=club,
        name="Friday Cup",
        game="albastini",
        mode="4t2",
        created_at=LATE,
        official_at=LATE,
    )
    nights = [LATE.strftime("%Y-%m-%dT%H:%M:%S.%fZ")]
    make("Origin", tournament_id=cup, club="Ilala", nights=nights, imported_at=NOON)
    round_ = make(
        "Round", tournament_id=cup, number=1, state="closed", opened_at=LATE, closed_at=LATE
    )
    sitting = make(
        "Sitting",
        round_id=round_,
        number=1,
        mode="4t2",
        token="t",
        token_state="closed",
        first_dealer=0,
        dealt_before=[None] * 4,
        next_dealer=0,
        may_deal=[0],
        started_at=LATE,
        session={"dealer": 0, "may_deal": [0], "dealt": [None] * 4},
    )
    for place, name in enumerate(("Asha", "Neema", "Juma", "Baraka")):
        player = make("Player", club_id=club, name=name, name_key=name.casefold())
        entrant = make("Entrant", tournament_id=cup, player_id=player)
        make(
            "Seat",
            sitting_id=sitting,
            round_id=round_,
            place=place,
            side=place % 2,
            player_id=player,
            entrant_id=entrant,
            from_hand=1,
        )
    sheet = {"eaten": [70, 50]}
    report = make(
        "Report",
        entry="0" * 31 + "1",
        sitting_id=sitting,
        number=1,
        sheet=sheet,
        received_at=LATE,
        verdict="accepted",
        answer={},
    )
    make(
        "Hand",
        sitting_id=sitting,
        number=1,
        accepted_report_id=report,
        session_before={"dealer": 0, "may_deal": [0], "dealt": [None] * 4},
        sheet={**sheet, "dealer": 0},
        dealer=0,
        marks=None,
        kind="counted",
        recorded_at=LATE,
    )
    on = {"tournament": cup, "sitting": sitting, "hand": 1}
    make("LogEntry", club_id=club, at=LATE, verb="hand-confirmed", on=on)
    return club, cup, sitting


def main() -> None:
    call_command("migrate", *BEFORE, verbosity=0)
    club, cup, sitting = fill()
    call_command("migrate", verbosity=0)
    client = Client(raise_request_exception=False, SERVER_NAME="localhost")
    from tracker.models import User

    client.force_login(User.objects.get())
    pages = [
        *(reverse(name, args=[club]) for name in ("club", "tournaments", "players", "log")),
        *(reverse(name, args=[cup]) for name in ("tournament", "story", "hands", "schedule")),
        reverse("hand", args=[sitting, 1]),
        f"{reverse('search', args=[club])}?q=friday",
        f"{reverse('player', args=[1])}",
    ]
    for page in pages:
        print(client.get(page).status_code, page)


main()
