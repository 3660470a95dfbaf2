"""The site."""

VERSION = "2026-11"  # the newest of the README's changes
