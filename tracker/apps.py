"""The Django app: what is connected when the site starts."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_login_failed


class TrackerConfig(AppConfig):
    name = "tracker"
    verbose_name = "Kula"

    def ready(self) -> None:
        # Imported here: models may not be imported before the apps are ready.
        from tracker.common.forms import replace_error_messages
        from tracker.common.server_log import log_refused_sign_in

        replace_error_messages()
        user_login_failed.connect(log_refused_sign_in)
