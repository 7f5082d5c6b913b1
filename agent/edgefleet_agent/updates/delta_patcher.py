"""Builds files of a new version from older versions by a delta manifest, in a separate process, before blocks are fetched.

It does so only if the device has a version of the same package and the delta is small compared with the missing bytes.
"""

from __future__ import annotations

import logging
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from edgefleet_agent.link.block_fetcher import BlockFetcher
from edgefleet_agent.model_store.local_sources import LocalSources
from edgefleet_agent.model_store.trust import MetadataStaging
from edgefleet_contract.core.atomic_files import write_atomic
from edgefleet_contract.package.blob import BlobSpec
from edgefleet_contract.package.delta_limits import DELTA_BYTES_MAX, DELTA_SHARE_MAX
from edgefleet_contract.wire.messages import SlotTarget

OWNER = "delta"
WINDOW = 8
FETCH_S_MAX = 30.0
PATCH_S_MAX = 120.0

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Job:
    target: SlotTarget
    missing: tuple[BlobSpec, ...]
    have: list[Path]
    began_s: float
    process: subprocess.Popen[bytes] | None = None
    done: bool = False


class DeltaPatcher:
    """Patches one package at a time. `command` builds the files (`edgefleet-agent patch`). Times are monotonic seconds."""

    def __init__(self, command: list[str], root: Path, metadata_staging: MetadataStaging, local_sources: LocalSources) -> None:
        self._command = command
        self._folder = root / "patched"
        self._metadata_staging = metadata_staging
        self._local_sources = local_sources
        self._job: _Job | None = None
        shutil.rmtree(self._folder, ignore_errors=True)

    def waits_for_patch(self, target: SlotTarget, missing: tuple[BlobSpec, ...], have: list[Path], now: float) -> bool:
        """Whether fetching `missing` has to wait, because the folders `have` may contain parts of these blobs."""
        job = self._job
        if job is not None and job.target.digest == target.digest:
            return not job.done
        size = sum(spec.length for spec in missing if spec.blocks)
        worth = 0 < target.delta_length <= min(DELTA_BYTES_MAX, size * DELTA_SHARE_MAX)
        if not worth or not have or (job is not None and not job.done):
            return False
        self.clear()
        self._job = _Job(target, tuple(spec for spec in missing if spec.blocks), have, now)
        return True

    def turn(self, fetch: BlockFetcher, now: float) -> bool:
        """Takes one step. Returns True if new bytes are available from local sources."""
        job = self._job
        if job is None or job.done or job.target.delta is None:
            return False
        if job.process is not None:
            return self._poll_process(job, now)
        spec = BlobSpec(job.target.delta, job.target.delta_length)
        if self._metadata_staging.missing(spec):
            if fetch.failure(OWNER) is not None or now - job.began_s > FETCH_S_MAX:
                log.info("no delta manifest received; fetching the full package")
                self._end(job, fetch, now)
            elif fetch.requested(OWNER) != {spec.digest}:
                fetch.want(OWNER, [spec], WINDOW, now)
            return False
        data = self._metadata_staging.take(spec)
        self._end(job, fetch, now)
        if data is not None:
            job.done = False
            self._start(job, data)
        return False

    def clear(self) -> None:
        """Drops the last patch and its files."""
        if self._job is not None and self._job.process is not None:
            self._job.process.kill()
            self._job.process.wait()
        self._job = None
        self._local_sources.forget(self._folder)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _start(self, job: _Job, delta: bytes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        write_atomic(self._folder / "delta", delta)
        requested = [spec.digest for spec in job.missing]
        command = [*self._command, "--delta", str(self._folder / "delta"), "--into", str(self._folder), "--files", *requested]
        folders = ["--", *(str(folder) for folder in job.have)]
        job.process = subprocess.Popen([*command, *folders], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def _poll_process(self, job: _Job, now: float) -> bool:
        assert job.process is not None
        code = job.process.poll()
        if code is None:
            if now - job.began_s > PATCH_S_MAX:
                job.process.kill()
            return False
        job.done = True
        if code:
            log.warning("cannot reuse local files (exit code %d); fetching the full package", code)
            return False
        self._local_sources.add(self._folder)
        return True

    def _end(self, job: _Job, fetch: BlockFetcher, now: float) -> None:
        fetch.want(OWNER, (), WINDOW, now)
        job.done = True
