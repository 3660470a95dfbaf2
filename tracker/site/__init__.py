"""Pages about the whole site and no club.

``pages.health`` shows superusers errors, backups ("copies") and the disk. ``pages.installed_app``
has the files with which browsers install the site on a phone.
"""
