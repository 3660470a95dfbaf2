"""A phone at a table, with what its people do there."""

from typing import Any, TypeAlias
from uuid import uuid4

from django.test import Client
from django.urls import reverse

from tests.reading import words
from tracker.models import Hand, Issue, Sitting


class Phone(Client):
    """A phone that has come to a table by its card, and speaks for a side of it, if it said so."""

    def __init__(self, table: Sitting, side: int | None = None) -> None:
        super().__init__()
        self.table, self.path = table, table.get_absolute_url()
        self.get(self.path)
        if side is not None:
            self.post(self.at("table-side"), {"side": side})

    def at(self, name: str, *args: int) -> str:
        """Return an address of the table."""
        return reverse(name, args=[self.table.token, *args])

    def reads(self, query: str = "") -> str:
        return words(self.get(self.path + query))

    def writes(self, number: int, *counts: object, **more: Any) -> Any:
        """Send what each side has eaten, or other answers, and return the page that follows."""
        side = self.cookies["kula_side"].value if "kula_side" in self.cookies else ""
        eaten = {f"eaten_{side}": count for side, count in enumerate(counts)}
        sent = {"entry": str(uuid4()), "number": number, "side": side, **eaten, **more}
        return self.post(self.path, sent, follow=True)

    def confirms(self, number: int = 1, **more: Any) -> str:
        sent = {"seen": Hand.objects.get(number=number).accepted_report_id, **more}
        return words(self.post(self.at("table-confirm", number), sent, follow=True))

    def settles(self, outcome: str, seen: object = None) -> str:
        """Choose between two counts, by the page as it is or as it was *seen*."""
        seen = seen or Hand.objects.get(number=1).accepted_report_id
        path = self.at("table-settle", Issue.objects.get().pk)
        return words(self.post(path, {"outcome": outcome, "seen": seen}, follow=True))

    def takes_back(self, number: int, **more: Any) -> Any:
        return self.post(self.at("table-take-back", number), more, follow=True)


Phones: TypeAlias = tuple[Phone, Phone]
