"""The server of ``manage.py serve``.

``startup`` checks and prepares the data, ``static_files`` collects the files, ``supervisor`` keeps
the server process running, ``workers`` configures it, ``gateway`` reads whole requests, ``lanes``
keep reports of tables apart from slower work, and ``application`` calls Django.
"""
