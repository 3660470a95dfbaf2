"""The process of ``manage.py serve`` that sends webhooks, at a low priority."""

import os
import signal

import django

from tracker.management.server.lanes import exit_with_parent
from tracker.management.server.supervisor import handle_stop_signals


def send_webhooks() -> None:
    """Send webhooks until SIGTERM, or until the supervisor ends; the rest waits for the next start."""
    stop = handle_stop_signals()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the supervisor handles Ctrl-C
    exit_with_parent()  # in a thread, which keeps its priority
    django.setup()  # for a process that was not forked
    from tracker.common.cpu_priority import lower_priority
    from tracker.webhooks.services.sending import send_until

    lower_priority()
    send_until(stop)
    os._exit(0)  # without waiting for a receiver that does not answer
