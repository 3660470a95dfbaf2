"""Small changes to classes of Django that the settings name: hasher, upload handler, loaders."""

import re
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import MemoryFileUploadHandler
from django.template.loaders import app_directories, filesystem


class Argon2(Argon2PasswordHasher):
    """Argon2id with OWASP's parameters for 46 MiB, on one core, so that reports have the others.

    Django's class takes 100 MiB and eight threads. Hashes made with its parameters are still
    accepted, and replaced at the next sign-in.
    """

    time_cost = 1
    memory_cost = 47_104  # KiB
    parallelism = 1


class InMemoryOnly(MemoryFileUploadHandler):
    """Holds uploads in memory, without temporary files, and refuses larger bodies unread.

    Trap: a form is read before its sender is known, as the CSRF token is in the body.
    """

    def handle_raw_input(
        self,
        input_data: Any,
        META: Any,  # noqa: N803 - Django's name
        content_length: int,
        boundary: Any,
        encoding: str | None = None,
    ) -> None:
        if content_length > settings.FILE_UPLOAD_MAX_MEMORY_SIZE:
            raise RequestDataTooBig("A form is larger than FILE_UPLOAD_MAX_MEMORY_SIZE")
        super().handle_raw_input(input_data, META, content_length, boundary, encoding)


_INDENTATION = re.compile(r"\n\s+")


class Filesystem(filesystem.Loader):
    """Loads templates without their indentation, which is a tenth of the size of a page."""

    def get_contents(self, origin: Any) -> str:
        return _INDENTATION.sub("\n", super().get_contents(origin))


class AppDirectories(Filesystem, app_directories.Loader):
    """Loads templates of apps, such as Django's form widgets, also without their last newline."""

    def get_contents(self, origin: Any) -> str:
        return super().get_contents(origin).rstrip("\n")
