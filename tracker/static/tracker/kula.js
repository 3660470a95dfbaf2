// Behaviour at the table; every page works without it.
