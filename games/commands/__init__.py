"""What ``python -m games`` is told, and what it does."""
