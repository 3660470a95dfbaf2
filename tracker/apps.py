from django.apps import AppConfig
from django.contrib.auth.signals import user_login_failed


class TrackerConfig(AppConfig):
    name = "tracker"
    verbose_name = "Kula"

    def ready(self) -> None:
        # Only now: the log is set up, and nothing of the site may be imported before.
        from tracker.common.form_words import say_it_in_our_words
        from tracker.config.log import note_refused_sign_in

        say_it_in_our_words()
        user_login_failed.connect(note_refused_sign_in)
