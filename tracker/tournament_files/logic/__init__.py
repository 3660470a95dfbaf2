"""The file itself: its shapes, its words, how it is packed, and what in it makes no sense."""
