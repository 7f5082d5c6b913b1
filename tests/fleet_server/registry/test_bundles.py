"""Support bundles in the store of evidence: their limits of size, number and age."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from edgefleet_contract.wire.evidence_upload import SUPPORT_BYTES_MAX, Upload
from edgefleet_server.core.errors import InputError
from edgefleet_server.registry.evidence_store import BUNDLE_KEEP_S, BUNDLES_MAX, EvidenceStore


def upload(name: str, data: bytes, length: int = 0) -> Upload:
    digest = hashlib.sha256(data).hexdigest()
    return Upload(device="d", event=name, kind="support", digest=digest, length=length or len(data))


def test_size_number_and_age_are_limited(tmp_path: Path) -> None:
    store = EvidenceStore(tmp_path, keep_s=10 * BUNDLE_KEEP_S)
    with pytest.raises(InputError, match="support"):
        store.begin(upload("big", b"x", SUPPORT_BYTES_MAX + 1))
    for number in range(BUNDLES_MAX + 2):
        data = f"bundle {number}".encode()
        offer = upload(f"c{number}", data)
        assert store.begin(offer) == 0
        store.append(offer, 0, data)
        store.finish(offer)
        os.utime(store.find("d", f"c{number}", "support") or tmp_path, (1000.0 + number, 1000.0 + number))
    assert store.find("d", "c0", "support") is None
    assert store.find("d", "c9", "support") is not None
    assert store.tidy(1000.0 + BUNDLE_KEEP_S + 5) == 3, "c2 to c4 are old enough"
    store.delete("d", "c9", "support")
    assert store.find("d", "c9", "support") is None
