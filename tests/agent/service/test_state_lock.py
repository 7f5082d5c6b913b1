"""One agent on a state folder: the second one is refused with the number of the first."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from edgefleet_agent.core.clock import ManualClock
from edgefleet_agent.core.disk_faults import DiskFaults, DiskState
from edgefleet_agent.service.state_lock import RETRY_S, StateLock
from edgefleet_contract.core.errors import UnavailableError
from tests.small_disk import mounted


def test_a_second_agent_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    refused = pytest.raises(UnavailableError, match=rf"pid {os.getpid()}\) is running on {tmp_path}")
    with StateLock(tmp_path, DiskFaults()), refused:
        StateLock(tmp_path, DiskFaults())
    faults = DiskFaults()
    with StateLock(tmp_path, faults):
        assert not faults.present()


def test_on_a_read_only_disk_the_folder_itself_is_locked(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "1m") as disk:
        disk.remount("ro")
        faults, clock = DiskFaults(), ManualClock()
        with StateLock(disk.folder, faults, clock.monotonic) as lock:
            assert faults.present()["agent.lock"].state is DiskState.READ_ONLY
            with pytest.raises(UnavailableError, match="pid unknown"):
                StateLock(disk.folder, DiskFaults())
            disk.remount("rw")
            clock.advance(RETRY_S)
            lock.turn()
            assert not faults.present()
            assert (disk.folder / "agent.lock").read_text().strip() == str(os.getpid())
