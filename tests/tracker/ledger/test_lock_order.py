"""Whoever changes several rows takes them in one order: see ``ledger.locks``."""

