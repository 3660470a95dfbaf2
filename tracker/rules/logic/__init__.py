"""Rule books, read and searched."""
