"""A table in the terminal: what it shows, and what is typed there."""
