"""Command that sends webhooks where another server than ``serve`` serves the site."""

from typing import Any

from django.core.management import BaseCommand

from tracker.management.server.supervisor import handle_stop_signals
from tracker.webhooks.services.sending import send_until


class Command(BaseCommand):
    help = "Send webhooks until Ctrl-C. “serve” does so by itself."

    def handle(self, **_: Any) -> None:
        send_until(handle_stop_signals())
