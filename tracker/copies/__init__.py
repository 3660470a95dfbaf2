"""Copies of everything the site knows: made, looked at, kept for a time, put back."""
