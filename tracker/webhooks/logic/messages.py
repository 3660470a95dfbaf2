"""Messages by the convention of Standard Webhooks (standardwebhooks.com): id, time, signature."""

import hashlib
import hmac
from base64 import b64decode, b64encode
from datetime import datetime
from uuid import UUID

SECRET_PREFIX = "whsec_"  # noqa: S105 - no secret: each begins with it


def signed_headers(uid: UUID, body: bytes, *, secret: str, now: datetime) -> dict[str, str]:
    """Return the headers of a message; its id is the same at each attempt, its signature is not."""
    message_id, seconds = f"msg_{uid.hex}", str(int(now.timestamp()))
    key = b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = b".".join((message_id.encode(), seconds.encode(), body))
    signature = b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return {
        "Content-Type": "application/json",
        "User-Agent": "Kula",
        "webhook-id": message_id,
        "webhook-timestamp": seconds,
        "webhook-signature": f"v1,{signature}",
    }
