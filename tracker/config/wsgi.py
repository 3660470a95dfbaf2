"""The WSGI application, by which a web server runs the site."""

import os

from django.core.wsgi import get_wsgi_application

from tracker.config.postgresql.base import Connection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tracker.config.settings")
application = get_wsgi_application()
# Seconds. One thread answers many phones: a hanging database must not block it. Set here and not in
# the settings, which commands read, too: they may take long. SQLite does not use this class.
Connection.answer_timeout = 10
