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
"""All files of one offer together: they wait in memory until they are verified."""


class SignedTarget(Wire):
    """A package that the signatures name: length and SHA-256 of its descriptor, and its epoch. `expires_at` of the team that
    signed it; 0: only the repository's own dates count."""

    length: Count
    digest: Digest
    epoch: Count = 0
    expires_at: float = 0.0


class TrustVerdict(Wire):
    """Result of the verifier. `targets` (by `name/version`) count only where `reason` is NONE, and until `expires_at`.

    `signed_at`: when the timestamp was signed, by the server's clock; 0 where it does not say.
    `refused`: packages that a team is said to have signed, and why that does not count. `held`: SHA-256 of each file of metadata
    that is on the disk now; those need not be fetched again.
    """

    reason: Reason = Reason.NONE
    detail: Text = ""
    targets: dict[str, SignedTarget] = msgspec.field(default_factory=dict)
    refused: dict[str, Reason] = msgspec.field(default_factory=dict)
    expires_at: float = 0.0
    root_version: Count = 0
    signed_at: float = 0.0
    held: list[Digest] = msgspec.field(default_factory=list)


class MetadataBundle(Wire):
    """Files of metadata by name, for the verifier."""

    files: dict[str, str] = msgspec.field(default_factory=dict)


class TrustDecision(str, Enum):
    """Decision of the signatures about a desired package."""

    TRUSTED = "trusted"
    WAITING = "waiting"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class EndorsedTarget:
    """A standing and, where it is REFUSED, why."""

    standing: TrustDecision
    reason: Reason = Reason.NONE
    detail: str = ""


TRUSTED = EndorsedTarget(TrustDecision.TRUSTED)
WAITING = EndorsedTarget(TrustDecision.WAITING)


def endorse(target: SlotTarget, verdict: TrustVerdict, epoch_min: int, wall: float) -> EndorsedTarget:
    """Decision of the signatures of `verdict` about `target`. `epoch_min`: a lower epoch is refused. Pure."""
    signed = verdict.targets.get(f"{target.package}/{target.version}")
    name = f"{target.package}@{target.version}"
    if wall >= verdict.expires_at:
        return _refused(Reason.METADATA_EXPIRED, "the signed metadata is over its date; the server has to sign it anew")
    if signed is None and f"{target.package}/{target.version}" in verdict.refused:
        reason = verdict.refused[f"{target.package}/{target.version}"]
        return _refused(reason, f"what the team of {name} is said to have signed does not count: {reason.value}")
    if signed is None:
        return _refused(Reason.UNSIGNED, f"no key that this device trusts has signed {name}; `edgefleet sign` does")
    if signed.expires_at and wall >= signed.expires_at:
        return _refused(Reason.METADATA_EXPIRED, f"the signature of {name}'s team is over its date; the team has to sign anew")
    if signed.digest != target.digest:
        text = f"{name} was signed with other content ({signed.digest[:12]}, not {target.digest[:12]})"
        return _refused(Reason.UNSIGNED, text)
    if signed.length != target.length:
        text = f"{name} was signed with {signed.length} bytes of descriptor, not {target.length}"
        return _refused(Reason.LENGTH_MISMATCH, text)
    if signed.epoch < epoch_min:
        return _refused(Reason.EPOCH_DOWNGRADE, f"epoch {signed.epoch} is older than the running package's {epoch_min}")
    return TRUSTED


class MetadataStaging:
    """Blocks of metadata files, in memory: nothing of them touches the disk before it is verified."""

    def __init__(self) -> None:
        self._parts: dict[str, dict[int, bytes]] = {}

    def missing(self, spec: BlobSpec) -> list[int]:
        """Indices of the blocks that are not here yet."""
        parts = self._parts.setdefault(spec.digest, {})
        return [index for index in range(spec.block_count) if index not in parts]

    def put(self, spec: BlobSpec, index: int, data: bytes) -> BlockPut:
        """Keep one block, if it has the length that `spec` says. The whole is checked by `take`."""
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
        """The whole file, or None where its bytes are not those that were promised."""
        parts = self._parts.get(spec.digest, {})
        data = b"".join(parts.get(index, b"") for index in range(spec.block_count))
        return data if hashlib.sha256(data).hexdigest() == spec.digest else None

    def clear(self) -> None:
        """Forget everything."""
        self._parts.clear()


def spec_of(file: MetadataFile) -> BlobSpec:
    """The blob behind one file of metadata."""
    return BlobSpec(file.digest, file.length)


def _refused(reason: Reason, detail: str) -> EndorsedTarget:
    return EndorsedTarget(TrustDecision.REFUSED, reason, detail)
