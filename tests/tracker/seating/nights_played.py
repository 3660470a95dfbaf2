"""One night of three rounds, played at any kind of table, to be compared with another."""
