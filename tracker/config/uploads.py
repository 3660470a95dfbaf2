"""File uploads held in memory; a request body that is too large is not read."""

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import MemoryFileUploadHandler


class InMemoryOnly(MemoryFileUploadHandler):
    """Take what a form hands in, without a temporary file.

    Trap: a form is read before anybody has asked who sends it, as its token stands in it.
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
            raise RequestDataTooBig(
                "The files of a form are larger than FILE_UPLOAD_MAX_MEMORY_SIZE"
            )
        super().handle_raw_input(input_data, META, content_length, boundary, encoding)
