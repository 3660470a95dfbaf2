"""How passwords are hashed."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class Argon2(Argon2PasswordHasher):
    """Argon2id as OWASP recommends for 46 MiB: on one core, so that the tables keep the others.

    Django's own takes 100 MiB and eight threads. Its hashes are still read, and made anew at the
    next sign-in.
    """

    time_cost = 1
    memory_cost = 47_104  # KiB
    parallelism = 1
