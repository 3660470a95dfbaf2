"""The demo: a club with two years of data, made by the site's own services from a seed."""

from tracker.management.demo.evening import MEMBER, ORGANISER, OWNER, PASSWORD
from tracker.management.demo.history import NIGHTS, make_demo

__all__ = ["MEMBER", "NIGHTS", "ORGANISER", "OWNER", "PASSWORD", "make_demo"]
