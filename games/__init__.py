"""The engines: rules and scoring of card games, in the standard library alone."""
