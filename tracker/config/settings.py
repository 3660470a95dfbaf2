"""Django's settings, read from the environment; the defaults are for a laptop on a local network.

``KULA_URL``       the address of the site; with ``https://`` cookies and redirects are strict
``KULA_PROXIES``   the proxies whose headers on address and protocol are trusted
``KULA_HSTS``      additional HSTS directives: ``subdomains``, ``preload``
``KULA_DATA``      the folder of the database and the secret (``.kula`` beside ``manage.py``)
``KULA_PHONES``    the address by which phones on the local network reach it, found by ``serve``
``KULA_HOSTS``     more host names or addresses to answer to, with commas between
``KULA_TIME_ZONE`` the club's time zone, UTC otherwise
``KULA_SECRET``    the secret, if it is not to be kept in ``KULA_DATA``
``KULA_STATIC``    the folder of collected static files, ``static`` in ``KULA_DATA`` otherwise
``KULA_FONTS``     the folder of the font's subsets, ``fonts`` in ``KULA_STATIC`` otherwise
``KULA_WEBHOOK_LOOPBACK``  for tests only: the address and port of this machine, such as
                   ``127.0.0.1:8001``, to which webhooks are sent although it is private
``DATABASE_URL``   a PostgreSQL database instead of the SQLite file; it may name several hosts
"""

import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from tracker.backups.data_folder import finish_swap, make_private, stored_secret
from tracker.common.server_log import logging_to
from tracker.config import environment

BASE_DIR = Path(__file__).resolve().parents[2]
DATA_DIR = Path(os.environ.get("KULA_DATA") or BASE_DIR / ".kula")
SITE_URL = environment.site_url(os.environ.get("KULA_URL", ""))
PHONES_URL = os.environ.get("KULA_PHONES", "")
HTTPS = urlsplit(SITE_URL).scheme == "https"
# https needs a proxy in front of the site, usually on the same machine.
_OWN_MACHINE = "127.0.0.1,::1" if HTTPS else ""
TRUSTED_PROXIES = environment.networks(os.environ.get("KULA_PROXIES") or _OWN_MACHINE)
make_private(DATA_DIR)
finish_swap(DATA_DIR)  # finishes an interrupted restore, which may bring another secret
SECRET_KEY = os.environ.get("KULA_SECRET") or stored_secret(DATA_DIR)
DEBUG = False
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS += filter(None, [urlsplit(SITE_URL).hostname])
ALLOWED_HOSTS += environment.names(os.environ.get("KULA_HOSTS", ""))

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "tracker.config.static_files.CollectedFiles",
    "axes",
    "csp",
    "django.forms",  # its widgets, for FORM_RENDERER
    "django_filters",
    "django_htmx",
    "django_tables2",
    "template_partials.apps.SimpleAppConfig",  # its loader is named below
    "tracker",
]

MIDDLEWARE = [
    "tracker.config.middleware.health",  # answers health checks, before all that could refuse them
    "tracker.config.middleware.Proxies",  # before all that need the client's address
    "tracker.config.middleware.note_slow",
    "tracker.config.middleware.CountPhones",  # for ``serve``, into PHONES_FOLDER
    "tracker.config.middleware.to_https",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "tracker.config.middleware.keep_private",  # sets Cache-Control
    # A hall's Wi-Fi is slow. This comes after WhiteNoise, whose files are compressed already. Its
    # padding and Django's masked CSRF tokens hide secrets from attacks by the length (BREACH).
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "tracker.config.middleware.refuse_nul",  # which PostgreSQL refuses
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "tracker.config.urls"
WSGI_APPLICATION = "tracker.config.wsgi.application"
FORM_RENDERER = "tracker.common.web.renderer.Renderer"
_LOADERS = ["tracker.config.overrides.Filesystem", "tracker.config.overrides.AppDirectories"]
_CACHED = ("django.template.loaders.cached.Loader", _LOADERS)
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [("template_partials.loader.Loader", [_CACHED])],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "libraries": {"kula": "tracker.common.template_tags"},
        },
    }
]

# Database -------------------------------------------------------------------------------------

_SQLITE: dict[str, Any] = {
    "ENGINE": "tracker.config.sqlite",
    "NAME": DATA_DIR / "kula.sqlite3",
    "CONN_MAX_AGE": None,
    "OPTIONS": {
        # Deferred transactions of several writers fail at once with "database is locked";
        # immediate ones wait for their turn.
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"
            "PRAGMA cache_size=-16000; PRAGMA temp_store=MEMORY"
        ),
    },
}
DATABASE_URL = os.environ.get("DATABASE_URL", "")
DATABASES = {"default": environment.postgresql(DATABASE_URL) if DATABASE_URL else _SQLITE}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# People ---------------------------------------------------------------------------------------

AUTH_USER_MODEL = "tracker.User"
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
PASSWORD_HASHERS = [
    "tracker.config.overrides.Argon2",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
_VALIDATORS = ("MinimumLengthValidator", "CommonPasswordValidator")
AUTH_PASSWORD_VALIDATORS = [{"NAME": f"tracker.common.forms.{name}"} for name in _VALIDATORS]
# All phones in a hall may have one address: only a user and an address together are locked out.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_FAILURE_LIMIT = 8
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_TEMPLATE = "people/accounts/locked_out.html"
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False
SESSION_COOKIE_AGE = 60 * 60 * 24 * 90  # seconds
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "tracker.common.web.error_pages.csrf_failure"
# How many rendered pages a process keeps in memory for all who are not signed in.
SHARED_PAGES = 64

# Language, time, static files -----------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
FORMAT_MODULE_PATH = ["tracker.config.formats"]
LOCALE_PATHS = [BASE_DIR / "tracker" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = environment.time_zone(os.environ.get("KULA_TIME_ZONE", ""))

STATIC_URL = "/static/"
STATIC_HOME = Path(os.environ.get("KULA_STATIC") or DATA_DIR / "static")
# ``static_files.prepare`` sets one of two variables for the processes that ``serve`` starts:
# KULA_GATHERED to the folder of this version's files or, if they could not be written,
# KULA_STATIC_SOURCES, so that the source files are served.
STATIC_ROOT = Path(os.environ.get("KULA_GATHERED") or STATIC_HOME)
STATIC_SOURCES = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_USE_FINDERS = "KULA_STATIC_SOURCES" in os.environ
FONTS_HOME = Path(os.environ.get("KULA_FONTS") or STATIC_HOME / "fonts")
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "tracker.config.fonts.FontFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": STATIC_SOURCES
    if WHITENOISE_USE_FINDERS
    else {"BACKEND": "tracker.config.static_files.HashedFiles"},
}
DJANGO_TABLES2_TEMPLATE = "parts/table.html"

NINJA_NUM_PROXIES = 0  # the middleware ``Proxies`` has found the client's address

# What a browser may send ----------------------------------------------------------------------

FILE_UPLOAD_HANDLERS = ["tracker.config.overrides.InMemoryOnly"]
# Bytes of a form with its files; ``InMemoryOnly`` refuses a larger form unread.
FILE_UPLOAD_MAX_MEMORY_SIZE = 12_000_000
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000  # bytes of everything but files
DATA_UPLOAD_MAX_NUMBER_FILES = 4

# What a browser may do ------------------------------------------------------------------------

_FROM_THIS_SITE = ("script", "style", "img", "font", "connect", "manifest", "worker")
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        **{f"{kind}-src": [SELF] for kind in _FROM_THIS_SITE},
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"  # never no-referrer: the CSRF check needs it
CSRF_COOKIE_AGE = 60 * 60 * 24 * 365  # seconds

if HTTPS:
    # ``Proxies`` has removed it unless a trusted proxy sent it.
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365
    _DIRECTIVES = environment.hsts(os.environ.get("KULA_HSTS", ""))
    SECURE_HSTS_INCLUDE_SUBDOMAINS = "subdomains" in _DIRECTIVES
    SECURE_HSTS_PRELOAD = "preload" in _DIRECTIVES
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    CSRF_TRUSTED_ORIGINS = [SITE_URL]
    # The first two checks want subdomains and preloading, which the owner of the site's name
    # decides by KULA_HSTS; the third wants Django's redirect to https, which ``to_https`` replaces.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021", "security.W008"]
else:
    # Over plain http a browser ignores this header and warns about it on its console: none is sent.
    SECURE_CROSS_ORIGIN_OPENER_POLICY = None

LOG_FILE = DATA_DIR / "kula.log"
WEBHOOK_LOOPBACK = os.environ.get("KULA_WEBHOOK_LOOPBACK", "")  # for tests only
PHONES_FOLDER = DATA_DIR / "phones"  # one empty file for each phone that has reached the site
LOGGING = logging_to(LOG_FILE)
