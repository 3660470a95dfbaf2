"""A tournament written down, and a file beside the people of a club."""
