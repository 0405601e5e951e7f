import base64
import hashlib
import hmac
import re
import time


def is_genuine(secret: str, body: bytes, headers: dict[str, str]) -> bool:
    """`body` holds the bytes as they arrived; the names of `headers` are in lower case."""
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > 300:
        return False
    encoded = secret[6:]
    padded = encoded + "=" * (-len(encoded) % 4)
    key = base64.b64decode(padded) if secret.startswith("whsec_") else secret.encode()
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    signatures = headers.get("webhook-signature", "").encode().split()
    return any(hmac.compare_digest(signature, expected.encode()) for signature in signatures)
