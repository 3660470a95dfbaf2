"""One tournament as one file: written, looked at, and taken in by another club. See ``FORMAT.md``."""
