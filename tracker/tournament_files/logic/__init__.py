"""The file itself: its schemas, how it is packed, and what in it makes no sense."""
