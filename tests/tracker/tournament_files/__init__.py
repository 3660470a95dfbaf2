"""Tests of tournaments as files."""
