"""Keys of broadcast blocks: one for each blob, made of a secret of the server, and put into the documents of devices that have a
package with that blob."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from edgefleet_contract.wire.messages import BROADCAST_KEYS_MAX, Desired, SlotTarget
from edgefleet_contract.wire.sealed_block import key_of
from edgefleet_server.registry.identity.entitlements import Entitlements

KEY_SEED: Final = "broadcast-blocks"
"""Name of the secret in the database."""
TARGETS_MAX: Final = 16
"""Targets of one document that have keys: a document has to stay below the longest message."""


class BroadcastKeys:
    """The keys of all blobs. Thread-safe."""

    def __init__(self, secret: str, entitlements: Entitlements) -> None:
        self._secret = secret
        self._entitlements = entitlements

    def of(self, blob: str) -> str:
        """The key of a blob, 64 hexadecimal digits."""
        return key_of(self._secret, blob)

    def add(self, desired: Desired) -> Desired:
        """Add the keys to the targets of a document that is about to be published."""
        slots = {
            slot: replace(target, keys=self._keys(target)) if number < TARGETS_MAX else target
            for number, (slot, target) in enumerate(desired.slots.items())
        }
        return replace(desired, slots=slots)

    def _keys(self, target: SlotTarget) -> dict[str, str]:
        """Those of the descriptor, the delta manifest and the largest files."""
        lengths = dict(self._entitlements.blobs_of(target.digest))
        first = [target.digest, *([target.delta] if target.delta else [])]
        files = sorted(lengths.keys() - set(first), key=lambda blob: (-lengths[blob], blob))
        return {blob: self.of(blob) for blob in [*first, *files][:BROADCAST_KEYS_MAX]}
