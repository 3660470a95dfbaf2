"""Criteria: what a tournament can be ranked by, and what it is ranked by now.

``tie_breaks`` is the catalogue of those that every game offers, ``results`` the meetings that they
read, both without the database. ``ranking_criteria`` are the criteria of one tournament.
"""
