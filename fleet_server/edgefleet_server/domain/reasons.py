"""Reason codes of attempts: what each says, and against whom it speaks. Gates, retries, exclusion, evidence, the API and the
pages share this table.

A code that the table does not have speaks against the version: what is not understood must not pass a gate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from edgefleet_contract.wire.reason_codes import DISK_FAULT, DISK_READ_ONLY, Reason
from edgefleet_server.domain import states


class Against(str, Enum):
    """Whom a reason speaks against. `line`: everything between the registry and the device, the server's part included;
    `operator`: a person's decision or setting."""

    VERSION = "version"
    DEVICE = "device"
    LINE = "line"
    OPERATOR = "operator"


@dataclass(frozen=True, slots=True)
class ReasonMeaning:
    """A row of the table. `text`: what happened, as a part of a sentence."""

    against: Against
    text: str


_V, _D, _L, _O = Against.VERSION, Against.DEVICE, Against.LINE, Against.OPERATOR

MEANINGS: Final[Mapping[str, ReasonMeaning]] = {
    code.value if isinstance(code, Reason) else code: ReasonMeaning(against, text)
    for code, against, text in (
        (Reason.MANIFEST_INVALID, _V, "invalid manifest"),
        (Reason.INCOMPATIBLE, _D, "the package is not compatible with the device"),
        (Reason.NO_SPACE, _D, "not enough free disk space"),
        (DISK_READ_ONLY, _D, "the disk of the device is read-only"),
        (DISK_FAULT, _D, "the disk of the device does not work"),
        (Reason.QUARANTINED, _V, "the version is quarantined on the device because it failed before"),
        (
            Reason.EPOCH_DOWNGRADE,
            _O,
            "the version has been withdrawn, or its epoch is lower than that of an earlier version on the device",
        ),
        (Reason.UNSIGNED, _O, "the package is not signed with a trusted key"),
        (Reason.METADATA_EXPIRED, _L, "the signature metadata on the device has expired"),
        (Reason.METADATA_ROLLBACK, _O, "the signature metadata is older than that on the device"),
        (Reason.METADATA_MISMATCH, _L, "the signature metadata is inconsistent"),
        (Reason.METADATA_INVALID, _L, "invalid signature metadata"),
        (Reason.BLOB_UNKNOWN, _L, "the server does not have the file"),
        (Reason.NOT_ASSIGNED, _L, "the server does not assign the file to the device"),
        (Reason.HASH_MISMATCH, _L, "hash mismatch"),
        (Reason.LENGTH_MISMATCH, _L, "file length mismatch"),
        (Reason.FETCH_TIMEOUT, _L, "fetch timeout"),
        (Reason.MODEL_REFUSED, _V, "the runtime cannot load the model"),
        (Reason.GOLDEN_MISMATCH, _V, "the results for the golden samples do not match"),
        (Reason.OVER_LATENCY, _V, "inference latency exceeds the budget of the package"),
        (Reason.OVER_MEMORY, _V, "memory use exceeds the budget of the package, or the ceiling of the device"),
        (Reason.SELFTEST_CRASH, _V, "the runtime crashed in the self-test"),
        (Reason.TRIAL_CRASH, _V, "the worker crashed during the trial"),
        (Reason.TRIAL_UNHEALTHY, _V, "pipelines were unhealthy during the trial"),
        (Reason.TRIAL_TIMEOUT, _V, "too few frames during the trial"),
        (Reason.SERVER_UNREACHABLE, _V, "the device lost the connection to the server during the trial"),
        (Reason.PART_FAILED, _V, "another part of the bundle failed"),
        (Reason.DAMAGED_ON_DISK, _D, "files of the version are damaged on disk; the device fetches them again"),
        (Reason.SUPERSEDED, _O, "superseded by a newer version"),
        (Reason.CANCELLED, _O, "withdrawn"),
        (Reason.OPERATOR_ROLLBACK, _O, "rolled back by an operator"),
        (Reason.ROLLBACK_FAILED, _V, "the rollback failed; the device needs manual recovery"),
        (states.OFFLINE_AFTER_UPDATE, _V, "the device went offline after the update"),
        (states.WAVE_TIMEOUT, _V, "wave timeout"),
        (states.REGRESSION, _V, "performance regression after the update"),
        (states.PINNED, _O, "the device is pinned to another version"),
        (states.WAVE_SKIPPED, _O, "an operator skipped the wave; the device keeps its version"),
        (states.NO_FRAMES, _O, "not tried on frames: no pipeline used the version in its trial"),
        (states.FRAMES_REQUIRED, _O, "not tried on frames, which the gate requires: no pipeline used the version in its trial"),
        (states.WINDOW, _O, "waiting for the maintenance window"),
        (states.DEVICE_EXCLUDED, _D, "excluded after repeated failures; `edgefleet device release` ends the exclusion"),
        (states.BACK_OFF, _L, "waiting for the next attempt"),
        (states.RAMP, _O, "waiting because of the rate limit"),
        (states.SMALL_STEPS, _V, "waiting for the results of other devices, which start in small steps"),
        (states.HIGHER_PRIORITY_ROLLOUT, _O, "waiting for a rollout with higher priority"),
    )
}
"""By code; every `Reason` but `none`, and every reason of the server.

A device that is lost with the update (`offline_after_update`, `server_unreachable`, `wave_timeout` once it has the files) may
have lost its line by chance, but nothing shows that: a version that cuts devices off must be stopped.
"""

RETRIED: Final = frozenset(code for code, meaning in MEANINGS.items() if meaning.against in (Against.DEVICE, Against.LINE))
"""An update that was refused for such a reason is tried again."""


def against(reason: str) -> Against | None:
    """Whom a reason speaks against; None without a reason."""
    if reason in ("", Reason.NONE.value):
        return None
    return MEANINGS[reason].against if reason in MEANINGS else Against.VERSION


def text(reason: str) -> str:
    """The meaning of a reason in words; the code itself if it is unknown, empty without a reason."""
    if reason in ("", Reason.NONE.value):
        return ""
    return MEANINGS[reason].text if reason in MEANINGS else reason.replace("_", " ")
