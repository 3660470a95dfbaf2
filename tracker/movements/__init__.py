"""Movements: who sits where in a round, a module for every way to find it; see ``seam``."""
