"""Hands written down: the text, its parser, and the hand played again."""
