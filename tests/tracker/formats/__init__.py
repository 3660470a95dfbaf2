"""Whole tournaments, played through the pages to their final ranking."""
