"""Why a copy could not be made, or not be put back."""


class CopyFailed(Exception):
    """Why a copy cannot be made, read or put back; the sentence says what would help."""
