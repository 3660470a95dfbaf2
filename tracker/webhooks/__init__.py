"""Webhooks: the page of a club's addresses, and the sender that tells them of events."""
