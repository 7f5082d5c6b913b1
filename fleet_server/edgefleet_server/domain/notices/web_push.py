"""Notices to browsers: the request of RFC 8030 to a push service, its content encrypted for the browser (RFC 8291), and the
server's identification (VAPID, RFC 8292)."""

from __future__ import annotations

import base64
import json
import struct
from typing import Any, Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from edgefleet_server.core.errors import InputError
from edgefleet_server.domain.notices.formats import NoticeRequest
from edgefleet_server.domain.notices.notice import SUMMARY, TEST, Notice, cut
from edgefleet_server.domain.notices.recipients import Recipient, unpadded

RECORD_BYTES: Final = 4096
"""Push services need not take more."""
LIFE_S: Final = 86_400
"""Time for which the push service keeps a notice for a browser that is not there."""
TOKEN_S: Final = 12 * 3600
"""Validity of an identification; RFC 8292 allows a day."""
TITLE_MAX: Final = 100
TEXT_MAX: Final = 500
"""At most six bytes a character in JSON, so that title and text fit into a record."""
SALT_BYTES: Final = 16
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Of the curve P-256."""
_URGENCY: Final = {"critical": "high", "warning": "normal", "info": "low"}


class ServerKey:
    """The key by which push services know this server; browsers subscribe for its public part."""

    def __init__(self, secret: str) -> None:
        """secret: the same for all processes and starts of a server."""
        number = int.from_bytes(_derived(secret.encode(), b"", b"edgefleet web push", 48), "big")
        self._key = ec.derive_private_key(number % (_ORDER - 1) + 1, ec.SECP256R1())
        self.public = text_of(_point(self._key.public_key()))

    def identification(self, url: str, contact: str, now: float) -> str:
        """The header `Authorization` for a request to the push service at `url`. contact: mailto: or https: address."""
        parts = urlsplit(url)
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(now) + TOKEN_S, "sub": contact}
        signed = ".".join(text_of(json.dumps(part, separators=(",", ":")).encode()) for part in (_HEAD, claims))
        one, two = decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        signature = one.to_bytes(32, "big") + two.to_bytes(32, "big")
        return f"vapid t={signed}.{text_of(signature)}, k={self.public}"


_HEAD: Final = {"typ": "JWT", "alg": "ES256"}


def push_request(
    recipient: Recipient,
    notice: Notice,
    server: ServerKey,
    contact: str,
    now: float,
    once: tuple[ec.EllipticCurvePrivateKey, bytes],
) -> NoticeRequest:
    """The request for a notice. once: a key and a salt that are used for nothing else.

    Raises:
        InputError: the stored subscription has no valid key.
    """
    is_alert = notice.what not in (TEST, SUMMARY)
    tag = f"alert-{notice.record['id']}" if is_alert else f"{notice.what}-{notice.record['began_at']:.0f}"
    content: dict[str, Any] = {
        "title": cut(notice.title, TITLE_MAX),
        "body": cut(notice.text, TEXT_MAX),
        "tag": tag,
        "path": notice.path,
        "over": notice.is_over,
    }
    headers = {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(LIFE_S),
        "Urgency": _URGENCY[notice.severity],
        "Topic": tag,
        "Authorization": server.identification(recipient.url, contact, now),
    }
    plain = json.dumps(content, ensure_ascii=False).encode()
    return NoticeRequest(recipient.url, encrypted(plain, unpadded(recipient.key), unpadded(recipient.secret), *once), headers)


def encrypted(plain: bytes, browser: bytes, shared: bytes, key: ec.EllipticCurvePrivateKey, salt: bytes) -> bytes:
    """A message in one record of aes128gcm. browser: its public key. shared: the secret of its subscription.

    Raises:
        InputError: `browser` is no point of the curve.
    """
    try:
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), browser)
    except ValueError as error:
        raise InputError("key: not a public key of a browser's subscription; subscribe again in the browser") from error
    own = _point(key.public_key())
    input_key = _derived(key.exchange(ec.ECDH(), point), shared, b"WebPush: info\0" + browser + own, 32)
    content_key = _derived(input_key, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(input_key, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + struct.pack("!IB", RECORD_BYTES, len(own)) + own
    return head + AESGCM(content_key).encrypt(nonce, plain + b"\x02", None)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def text_of(data: bytes) -> str:
    """Bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
