"""Keeps the device's signed metadata up to date: fetches offered metadata, verifies it in a child process, and decides for each
desired package whether the signatures allow it.

The supervisor never reads a signature itself; it stores the last positive verdict, and the reason for which the last offer was
refused.
"""

from __future__ import annotations

import contextlib
import logging
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from edgefleet_agent.core.disk_faults import DiskFaults, DiskState
from edgefleet_agent.link.block_fetcher import BlockFetcher
from edgefleet_agent.model_store.trust import (
    OFFER_BYTES_MAX,
    TRUSTED,
    WAITING,
    EndorsedTarget,
    MetadataBundle,
    MetadataStaging,
    TrustDecision,
    TrustVerdict,
    endorse,
    spec_of,
)
from edgefleet_contract.core.atomic_files import as_store_error
from edgefleet_contract.core.errors import MessageError, StoreError
from edgefleet_contract.encoding.codec import decode, encode
from edgefleet_contract.package.blob import BlobSpec
from edgefleet_contract.wire.messages import SlotTarget, TrustOffer
from edgefleet_contract.wire.reason_codes import Reason

OWNER = "signed-metadata"
METADATA = "trust/metadata.json"
"""Name of the stored metadata among the faults of the disk."""
WINDOW = 8
CHECK_S_MAX = 60.0
RETRY_S = 10.0
PATIENCE_S = 3.0
"""Time for which an unsigned package waits for its metadata: package and metadata arrive in different messages."""
REQUESTED_MAX = 64
VERDICT_BYTES_MAX = 2 * OFFER_BYTES_MAX
DETAIL_CHARS_MAX = 500

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Check:
    process: subprocess.Popen[bytes]
    output: IO[bytes]
    errors: IO[bytes]
    ends_s: float
    metadata: dict[str, str]
    offered: bool


class SignatureChecker:
    """Fetches and verifies the signed metadata of this device. `command` verifies metadata (`edgefleet-agent trust`); None: this
    device has no trust root and accepts every package. faults: where metadata that the disk has damaged is reported.

    `fault`: the reason for which nothing can be verified now, if the disk and not the metadata is the cause; verification is
    retried. Times are monotonic seconds; used from one thread.
    """

    def __init__(self, command: list[str] | None, metadata_staging: MetadataStaging, faults: DiskFaults | None = None) -> None:
        self._command = command
        self._faults = faults or DiskFaults()
        self._latest: TrustOffer | None = None
        self._metadata_staging = metadata_staging
        self._offer: TrustOffer | None = None
        self._check: _Check | None = None
        self._waiting: dict[str, str] | None = None
        self.fault = ""
        self._loaded = False
        self._not_before_s = 0.0
        self._good = TrustVerdict(reason=Reason.UNSIGNED)
        self._refusal: EndorsedTarget | None = None
        self._held: frozenset[str] = frozenset()
        self._judged_s = 0.0
        self._wall_s = 0.0
        self._requested: dict[tuple[str, str], float] = {}

    @property
    def required(self) -> bool:
        return self._command is not None

    @property
    def busy(self) -> bool:
        return self._check is not None

    @property
    def signed_at(self) -> float:
        """Signing time (wall time) stated in the trusted metadata; 0 if it states none, or no metadata is trusted."""
        return self._good.signed_at

    @property
    def summary(self) -> dict[str, object]:
        """Plain data for the command `status`."""
        refusal = f"{self._refusal.reason.value}: {self._refusal.detail}" if self._refusal else ""
        good = self._good
        return {
            "required": self.required,
            "root_version": good.root_version,
            "targets": len(good.targets),
            "expires_at": good.expires_at,
            "refused": refusal,
        }

    def offer(self, offer: TrustOffer) -> None:
        """Take the server's current metadata offer."""
        if self.required:
            self._offer = self._latest = offer

    def endorsement(self, target: SlotTarget, epoch_min: int, now: float, wall: float, *, connected: bool) -> EndorsedTarget:
        """Whether `target` may be installed. An unsigned one waits while newer metadata may be in transfer."""
        if not self.required:
            return TRUSTED
        if not self._loaded:
            return WAITING
        found = endorse(target, self._good, epoch_min, wall)
        if found.standing is TrustDecision.TRUSTED:
            return found
        requested_s = self._requested.setdefault((target.digest, target.attempt), now)
        while len(self._requested) > REQUESTED_MAX:
            del self._requested[next(iter(self._requested))]
        patient = self._judged_s < requested_s and now - requested_s < PATIENCE_S
        unread = self._check is not None or self._offer is not None or self._waiting is not None
        if not connected or unread or patient:
            return WAITING
        absent = found.reason in (Reason.UNSIGNED, Reason.METADATA_EXPIRED)
        return self._refusal if absent and self._refusal is not None else found

    def turn(self, fetch: BlockFetcher, now: float, wall: float = 0.0) -> None:
        """Take one step: poll the verifier, request missing files, or start to verify. `wall`: time by which dates are judged."""
        self._wall_s = wall
        if self._command is None:
            return
        if self._check is not None:
            self._poll_check(self._check, now)
        elif now < self._not_before_s:
            return
        elif not self._loaded:
            self._begin({}, now, offered=False)
        elif self._offer is not None:
            self._waiting = None  # a newer offer replaces it
            self._pursue(self._offer, fetch, now)
        elif self._waiting is not None:
            self._begin(self._waiting, now, offered=True)

    def stop(self) -> None:
        """End the verifier; results that it has not written count as not verified."""
        if self._check is not None:
            self._check.process.kill()
            self._check.process.wait()
            self._close(self._check)

    def _pursue(self, offer: TrustOffer, fetch: BlockFetcher, now: float) -> None:
        if sum(file.length for file in offer.files) > OFFER_BYTES_MAX:
            self._give_up(fetch, Reason.METADATA_INVALID, f"the offered metadata is larger than {OFFER_BYTES_MAX} bytes", now)
            return
        files = {file.name: spec_of(file) for file in offer.files if file.digest not in self._held}
        absent = [spec for spec in files.values() if self._metadata_staging.missing(spec)]
        if absent:
            failure = fetch.failure(OWNER)
            if failure is not None:
                self._give_up(fetch, failure.reason, failure.detail, now)
            elif fetch.requested(OWNER) != {spec.digest for spec in absent}:
                fetch.want(OWNER, absent, WINDOW, now)
            return
        fetch.want(OWNER, (), WINDOW, now)
        self._offer = None
        if files:
            self._verify(files, fetch, now)
        else:
            self._judged_s = now

    def _verify(self, files: dict[str, BlobSpec], fetch: BlockFetcher, now: float) -> None:
        metadata: dict[str, str] = {}
        for name, spec in files.items():
            data = self._metadata_staging.take(spec)
            try:
                metadata[name] = (data or b"\xff").decode()
            except UnicodeDecodeError:
                self._give_up(fetch, Reason.METADATA_INVALID, f"the content of {name} does not match the offer", now)
                return
        self._metadata_staging.clear()
        self._begin(metadata, now, offered=True)

    def _begin(self, metadata: dict[str, str], now: float, *, offered: bool) -> None:
        assert self._command is not None
        command = [*self._command, "--at", f"{self._wall_s:.0f}"]
        try:
            with as_store_error(Path("temporary files")), contextlib.ExitStack() as files:
                stdin, output, errors = (files.enter_context(tempfile.TemporaryFile()) for _ in range(3))
                stdin.write(encode(MetadataBundle(files=metadata)))
                stdin.seek(0)
                process = subprocess.Popen(command, stdin=stdin, stdout=output, stderr=errors)
                stdin.close()
                files.pop_all()  # closed in `_close`
        except StoreError as error:
            self._postpone(metadata, str(error), now, offered=offered)
            return
        self._waiting = None
        self._check = _Check(process, output, errors, now + CHECK_S_MAX, metadata, offered)

    def _poll_check(self, check: _Check, now: float) -> None:
        code = check.process.poll()
        if code is None:
            if now > check.ends_s:
                check.process.kill()
            return
        check.output.seek(0)
        data = check.output.read(VERDICT_BYTES_MAX)
        check.errors.seek(0)
        words = check.errors.read(2000).decode(errors="replace").strip().splitlines()[-1:] or [f"exited with code {code}"]
        self._close(check)
        if code == StoreError.exit_code:
            self._postpone(check.metadata, words[0].removeprefix("edgefleet-agent: "), now, offered=check.offered)
            return
        try:
            verdict = decode(data, TrustVerdict, bytes_max=VERDICT_BYTES_MAX)
        except MessageError:
            verdict = TrustVerdict(reason=Reason.METADATA_INVALID, detail=f"verification failed: {words[0]}"[:500])
            if not check.offered:  # the stored metadata cannot be read now; retried later, no package is trusted meanwhile
                self._postpone({}, words[0].removeprefix("edgefleet-agent: "), now, offered=False)
                return
        self.fault = ""
        self._take(verdict, check, now)

    def _postpone(self, metadata: dict[str, str], why: str, now: float, *, offered: bool) -> None:
        """Retry after a fault of the disk, which is no verdict on the metadata: the offer waits, and the last good verdict
        counts."""
        fault = f"signed metadata cannot be verified now: {why}"[:DETAIL_CHARS_MAX]
        if fault != self.fault:
            log.error("%s", fault)
        self.fault, self._not_before_s = fault, now + RETRY_S
        self._waiting = metadata if offered else None

    def _take(self, verdict: TrustVerdict, check: _Check, now: float) -> None:
        self._loaded = True
        self._held = frozenset(verdict.held) or self._held
        if verdict.damage:  # what the server offered last is needed as a whole
            self._faults.set(METADATA, DiskState.DAMAGED, verdict.damage, waits=True)
            self._offer = self._latest
        if check.offered:
            self._judged_s = now
        if verdict.reason is Reason.NONE:
            self._good, self._refusal = verdict, None
            if verdict.targets and not verdict.damage:
                self._faults.clear(METADATA)
            log.info("signed metadata: %d packages, root %d", len(verdict.targets), verdict.root_version)
        elif check.offered:
            self._refusal = EndorsedTarget(TrustDecision.REFUSED, verdict.reason, verdict.detail)
            log.error("signed metadata of the server rejected: %s: %s", verdict.reason.value, verdict.detail)

    def _give_up(self, fetch: BlockFetcher, reason: Reason, detail: str, now: float) -> None:
        """Reject this offer; the next one is checked independently of it."""
        log.error("signed metadata of the server rejected: %s: %s", reason.value, detail)
        fetch.want(OWNER, (), WINDOW, now)
        self._metadata_staging.clear()
        self._offer = None
        self._judged_s = now
        self._refusal = EndorsedTarget(TrustDecision.REFUSED, reason, detail)

    def _close(self, check: _Check) -> None:
        check.output.close()
        check.errors.close()
        self._check = None
