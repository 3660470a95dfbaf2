"""How the files that pages need are collected, and named by what is in them."""

from django.contrib.staticfiles.apps import StaticFilesConfig
from whitenoise.storage import CompressedManifestStaticFilesStorage


class CollectedFiles(StaticFilesConfig):
    # htmx's extensions import it by a bare name, which no file answers to; none is used here.
    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "django_htmx/ext/*"]


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    # Without this, ``import "./pad.js"`` would go on naming the file without its hash.
    support_js_module_import_aggregation = True
