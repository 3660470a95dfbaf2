"""Copies of the whole site: making, inspecting, expiring and restoring them."""
