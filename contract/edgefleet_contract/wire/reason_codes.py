"""Reason codes of updates: the same on the wire, in the database, the dashboard and the logs."""

from __future__ import annotations

from enum import Enum

DISK_READ_ONLY = "disk_read_only"
DISK_FAULT = "disk_fault"
"""Further codes of `SlotReport.wait_reason`; a server of version 0.2 refuses a report with a `Reason` that it does not know."""


class Reason(str, Enum):
    """Codes of an ended or waiting attempt. `still_good`: whether the device runs a committed version."""

    NONE = "none"
    # refused before anything changed
    MANIFEST_INVALID = "manifest_invalid"
    INCOMPATIBLE = "incompatible"
    NO_SPACE = "no_space"
    QUARANTINED = "quarantined"
    EPOCH_DOWNGRADE = "epoch_downgrade"
    # not signed, or not by a trusted key
    UNSIGNED = "unsigned"
    METADATA_EXPIRED = "metadata_expired"
    METADATA_ROLLBACK = "metadata_rollback"
    METADATA_MISMATCH = "metadata_mismatch"
    METADATA_INVALID = "metadata_invalid"
    # the bytes could not be fetched
    BLOB_UNKNOWN = "blob_unknown"
    NOT_ASSIGNED = "not_assigned"
    HASH_MISMATCH = "hash_mismatch"
    LENGTH_MISMATCH = "length_mismatch"
    FETCH_TIMEOUT = "fetch_timeout"
    # the model itself
    MODEL_REFUSED = "model_refused"
    GOLDEN_MISMATCH = "golden_mismatch"
    OVER_LATENCY = "over_latency"
    OVER_MEMORY = "over_memory"
    SELFTEST_CRASH = "selftest_crash"
    # on trial
    TRIAL_CRASH = "trial_crash"
    TRIAL_UNHEALTHY = "trial_unhealthy"
    TRIAL_TIMEOUT = "trial_timeout"
    SERVER_UNREACHABLE = "server_unreachable"
    # another part of its bundle failed; this one has no fault
    PART_FAILED = "part_failed"
    # the version is good, but its files on this device's disk are damaged: the device rolls back and fetches it again
    DAMAGED_ON_DISK = "damaged_on_disk"
    # requested
    SUPERSEDED = "superseded"
    CANCELLED = "cancelled"
    OPERATOR_ROLLBACK = "operator_rollback"
    # the device does not run a committed version
    ROLLBACK_FAILED = "rollback_failed"

    @property
    def still_good(self) -> bool:
        """True if the device runs a committed version."""
        return self is not Reason.ROLLBACK_FAILED
