"""The server of ``manage.py serve``.

``startup`` checks and prepares the data, ``supervisor`` keeps the server process running,
``gateway`` starts its workers and reads whole requests, ``lanes`` keep reports of tables apart from
slower work, and ``application`` calls Django.
"""
