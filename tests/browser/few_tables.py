"""Put a few tables of four into the database of a served site, and print where its pages are.

Run in a process of its own: ``python -m tests.browser.few_tables``.
"""

import json

import django

ORGANISER = ("organiser", "cards")  # the password is ``tests.make``'s
TABLES = 4


def main() -> None:
    django.setup()
    # Models can be imported only now.
    from django.urls import reverse

    from tests import make
    from tracker.models import Role

    club = make.club()
    make.user(ORGANISER[0], role=Role.ORGANISER, club=club)
    cup = make.tournament(club=club)
    pages = {
        "standings": reverse("tournament", args=[cup.pk]),
        "club": reverse("club", args=[club.pk]),
        "my table": reverse("my-table", args=[club.pk]),
    }
    for letter, number in zip("ABCD", range(1, TABLES + 1), strict=True):
        people = (f"{name} {letter}." for name in ("Asha", "Juma", "Neema", "Omari"))
        card = make.table(cup, number)
        sitting = make.sitting(*people, at=cup, number=number)
        pages[f"table {number}"] = reverse("table", args=[sitting.token])
        pages[f"card {number}"] = reverse("card", args=[card.card_token])
    print(json.dumps(pages))


if __name__ == "__main__":
    main()
