"""The server behind ``manage.py serve``: a supervisor, workers, and in each worker a gateway and lanes.

``supervisor`` keeps the server process running, ``workers`` says how it runs, ``gateway`` reads
requests whole before anything works on them, ``lanes`` keeps the tables' reports apart from the
rest, and ``application`` calls the site.
"""
