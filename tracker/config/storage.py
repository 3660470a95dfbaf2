"""Files with a hash in their names, imports between scripts included."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    # Without this, ``import "./pad.js"`` would go on naming the file without its hash.
    support_js_module_import_aggregation = True
