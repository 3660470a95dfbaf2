"""Files kept for a look, and tournaments taken in from them."""
