"""Sealed blocks: readable with the key of the blob, and for the block that they were made for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_contract.core.errors import MessageError
from edgefleet_contract.wire.sealed_block import SEAL_BYTES, channel_of, key_of, seal, unseal

BLOB, OTHER = "ab" * 32, "cd" * 32
KEY = key_of("secret", BLOB)


@given(data=st.binary(max_size=2000), index=st.integers(0, 10**9))
def test_a_sealed_block_is_read_with_its_key(data: bytes, index: int) -> None:
    sealed = seal(KEY, BLOB, index, data)
    assert unseal(KEY, BLOB, index, sealed) == data
    assert len(sealed) == len(data) + SEAL_BYTES
    assert len(data) < 16 or data not in sealed
    assert seal(KEY, BLOB, index, data) == sealed, "a block that is sent again is the same"


@given(data=st.binary(max_size=200), at=st.integers(0, 10**6))
def test_nothing_else_is_read(data: bytes, at: int) -> None:
    sealed = seal(KEY, BLOB, 3, data)
    spoilt = bytearray(sealed)
    spoilt[at % len(sealed)] ^= 1
    for key, blob, index, bytes_ in (
        (key_of("secret", OTHER), BLOB, 3, sealed),
        (key_of("other", BLOB), BLOB, 3, sealed),
        (KEY, OTHER, 3, sealed),
        (KEY, BLOB, 4, sealed),
        (KEY, BLOB, 3, bytes(spoilt)),
        (KEY, BLOB, 3, data),
        (KEY, BLOB, 3, b""),
    ):
        with pytest.raises(MessageError, match="cannot be decrypted"):
            unseal(key, blob, index, bytes_)


def test_keys_and_channels_differ_by_blob_and_server() -> None:
    keys = [key_of(secret, blob) for secret in ("one", "two") for blob in (BLOB, OTHER)]
    names = {channel_of(key) for key in keys}
    assert len(set(keys)) == len(names) == 4
    assert not any(BLOB[:8] in name or key[:8] in name for name in names for key in keys)
