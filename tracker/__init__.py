"""The site."""

__version__ = "2026.11"
