"""Proposing formats and simulating them, without Django."""
