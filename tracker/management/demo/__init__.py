"""The demo: a club with two years of data, made by the site's own services from a seed."""
