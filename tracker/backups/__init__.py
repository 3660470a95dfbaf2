"""Copies of the whole site: making, inspecting, expiring and restoring them.

A *copy* is a backup of everything: a zip with a note about it (``copy.json``), the database and the
site's secret key. A copy's *kind* says why it was made. PostgreSQL has its own tools and no copies.

- ``copies``: the note, the file name and the folder of copies, and which of them expire
- ``archive``: makes a copy and unpacks one; ``sqlite`` copies the database
- ``automatic``: copies before destructive actions, and while people play
- ``restoring``: replaces the site by a copy; ``data_folder`` swaps its files; ``losses`` says what
  of the present data the copy lacks
- ``pages``: the superuser's pages of copies
"""
