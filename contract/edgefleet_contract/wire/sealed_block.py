"""Sealed blocks: the form in which blocks of packages are broadcast to several devices, AES-256-GCM with a key for each blob.

The nonce is the block's number. A blob is named by its SHA-256, so a key encrypts one content only, and no nonce is used for
two. The channel, the name under which the blocks are broadcast, is made of the key: a device without it does not learn which blob
it is. The seal protects against readers; whether the bytes are right is decided by the SHA-256 of the block.
"""

from __future__ import annotations

import hashlib
import hmac

from edgefleet_contract.core.errors import MessageError

SEAL_BYTES = 16
"""By so many bytes a sealed block is longer."""

_KEY = "edgefleet broadcast key"
_CHANNEL = b"edgefleet broadcast channel"


def key_of(secret: str, blob: str) -> str:
    """The key of a blob (64 hexadecimal digits), made of a secret of the server."""
    return hmac.new(secret.encode(), f"{_KEY}\n{blob}".encode(), hashlib.sha256).hexdigest()


def channel_of(key: str) -> str:
    """The name of the broadcasts with this key, 32 hexadecimal digits."""
    return hmac.new(bytes.fromhex(key), _CHANNEL, hashlib.sha256).hexdigest()[:32]


def seal(key: str, blob: str, index: int, data: bytes) -> bytes:
    """Encrypt block `index` of a blob."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(bytes.fromhex(key)).encrypt(_nonce(index), data, blob.encode())


def unseal(key: str, blob: str, index: int, sealed: bytes) -> bytes:
    """Decrypt block `index` of a blob.

    Raises:
        MessageError: it was not made with this key, of this blob and for this block.
    """
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        return AESGCM(bytes.fromhex(key)).decrypt(_nonce(index), sealed, blob.encode())
    except (InvalidTag, ValueError) as error:
        raise MessageError(f"sealed block {index} of {blob[:12]} cannot be decrypted") from error


def _nonce(index: int) -> bytes:
    return index.to_bytes(12, "big")
