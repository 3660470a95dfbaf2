"""A club with two years behind it, made through the site's own services from seeded dice."""

from tracker.management.demo.cast import MEMBER, ORGANISER, OWNER, PASSWORD
from tracker.management.demo.story import NIGHTS, make_demo

__all__ = ["MEMBER", "NIGHTS", "ORGANISER", "OWNER", "PASSWORD", "make_demo"]
