"""Trust decisions: values read from signed metadata, staging of its files in memory, and the verdict on a desired package.

Signatures are verified in `tuf_client`, in a separate process: its libraries would double the supervisor's memory.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import Enum

import msgspec

from edgefleet_contract.encoding.codec import Wire
from edgefleet_contract.encoding.names import Digest, Text
from edgefleet_contract.package.blob import BlobSpec, BlockPut
from edgefleet_contract.wire.messages import METADATA_BYTES_MAX, Count, MetadataFile, SlotTarget
from edgefleet_contract.wire.reason_codes import Reason

OFFER_BYTES_MAX = METADATA_BYTES_MAX + 2 * 1024 * 1024
"""Limit of all files of one offer together, which are in memory until they are verified."""


class SignedTarget(Wire):
    """A signed package: length and SHA-256 of its descriptor, and its epoch. `expires_at`: of the signature of the team; 0 if
    only the repository's own dates count."""

    length: Count
    digest: Digest
    epoch: Count = 0
    expires_at: float = 0.0


class TrustVerdict(Wire):
    """Result of the verifier. `targets` (by `name/version`) count only where `reason` is NONE, and until `expires_at`.

    `epochs`: the lowest epoch that is taken, by package. `signed_at`: signing time of the timestamp role, by the server's clock;
    0 if it states none. `refused`: packages listed in a team's metadata whose signature does not count, with the reason. `held`:
    SHA-256 of each metadata file that is on the disk; these need not be fetched again. `damage`: one line for people, if the
    disk has lost metadata.
    """

    reason: Reason = Reason.NONE
    detail: Text = ""
    targets: dict[str, SignedTarget] = msgspec.field(default_factory=dict)
    refused: dict[str, Reason] = msgspec.field(default_factory=dict)
    epochs: dict[str, Count] = msgspec.field(default_factory=dict)
    expires_at: float = 0.0
    root_version: Count = 0
    signed_at: float = 0.0
    held: list[Digest] = msgspec.field(default_factory=list)
    damage: Text = ""


class MetadataBundle(Wire):
    """Metadata files by name, for the verifier."""

    files: dict[str, str] = msgspec.field(default_factory=dict)


class TrustDecision(str, Enum):
    """Decision about a desired package by its signatures."""

    TRUSTED = "trusted"
    WAITING = "waiting"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class EndorsedTarget:
    """A decision and, if it is REFUSED, the reason."""

    standing: TrustDecision
    reason: Reason = Reason.NONE
    detail: str = ""


TRUSTED = EndorsedTarget(TrustDecision.TRUSTED)
WAITING = EndorsedTarget(TrustDecision.WAITING)


def endorse(target: SlotTarget, verdict: TrustVerdict, epoch_min: int, wall: float) -> EndorsedTarget:
    """Decision about `target` by the signatures in `verdict`. `epoch_min`: a lower epoch is refused. Pure."""
    signed = verdict.targets.get(f"{target.package}/{target.version}")
    name = f"{target.package}@{target.version}"
    if wall >= verdict.expires_at:
        return _refused(Reason.METADATA_EXPIRED, "the signed metadata has expired; the server must sign it again")
    if signed is None and f"{target.package}/{target.version}" in verdict.refused:
        reason = verdict.refused[f"{target.package}/{target.version}"]
        return _refused(reason, f"the team signature of {name} is not valid: {reason.value}")
    if signed is None:
        return _refused(
            Reason.UNSIGNED, f"{name} is not signed with a key that this device trusts; sign it with `edgefleet sign`"
        )
    if signed.expires_at and wall >= signed.expires_at:
        return _refused(Reason.METADATA_EXPIRED, f"the team signature of {name} has expired; the team must sign it again")
    if signed.digest != target.digest:
        text = f"{name} was signed with different content ({signed.digest[:12]}, not {target.digest[:12]})"
        return _refused(Reason.UNSIGNED, text)
    if signed.length != target.length:
        text = f"{name} was signed with a descriptor of {signed.length} bytes, not {target.length}"
        return _refused(Reason.LENGTH_MISMATCH, text)
    lowest = verdict.epochs.get(target.package, 0)
    if signed.epoch < lowest:
        text = (
            f"{name} has been withdrawn: its epoch {signed.epoch} is below {lowest}, the lowest that is signed for this package"
        )
        return _refused(Reason.EPOCH_DOWNGRADE, f"{text}; roll out another version")
    if signed.epoch < epoch_min:
        return _refused(Reason.EPOCH_DOWNGRADE, f"epoch {signed.epoch} is older than the running package's {epoch_min}")
    return TRUSTED


class MetadataStaging:
    """Blocks of metadata files, in memory: no unverified metadata is written to the disk."""

    def __init__(self) -> None:
        self._parts: dict[str, dict[int, bytes]] = {}

    def missing(self, spec: BlobSpec) -> list[int]:
        """Indices of the missing blocks."""
        parts = self._parts.setdefault(spec.digest, {})
        return [index for index in range(spec.block_count) if index not in parts]

    def put(self, spec: BlobSpec, index: int, data: bytes) -> BlockPut:
        """Store one block if it has the length given by `spec`. `take` checks the whole file."""
        parts = self._parts.setdefault(spec.digest, {})
        if not 0 <= index < spec.block_count or len(data) != spec.block_length(index):
            return BlockPut.WRONG_LENGTH
        if index in parts:
            return BlockPut.DUPLICATE
        expected = spec.block_digest(index)
        if expected is not None and hashlib.sha256(data).hexdigest() != expected:
            return BlockPut.WRONG_HASH
        parts[index] = data
        return BlockPut.VERIFIED

    def take(self, spec: BlobSpec) -> bytes | None:
        """The whole file, or None if its hash is not that of `spec`."""
        parts = self._parts.get(spec.digest, {})
        data = b"".join(parts.get(index, b"") for index in range(spec.block_count))
        return data if hashlib.sha256(data).hexdigest() == spec.digest else None

    def clear(self) -> None:
        """Drop all blocks."""
        self._parts.clear()


def spec_of(file: MetadataFile) -> BlobSpec:
    """The blob of one metadata file."""
    return BlobSpec(file.digest, file.length)


def _refused(reason: Reason, detail: str) -> EndorsedTarget:
    return EndorsedTarget(TrustDecision.REFUSED, reason, detail)
