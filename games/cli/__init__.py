"""The command line: what ``python -m games`` is asked, and what it shows."""
