"""Tournament files: export of a tournament with its stages, and import by another club. See ``FORMAT.md``."""
