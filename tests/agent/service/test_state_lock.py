"""One agent on a state folder: the second one is refused with the number of the first."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from edgefleet_agent.service.state_lock import only_one
from edgefleet_contract.core.errors import UnavailableError


def test_a_second_agent_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    with only_one(tmp_path) as fault:
        assert fault == ""
        with pytest.raises(UnavailableError, match=rf"pid {os.getpid()}\) is running on {tmp_path}"), only_one(tmp_path):
            pass
    with only_one(tmp_path) as fault:
        assert fault == ""


def test_on_a_full_disk_the_folder_itself_is_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = os.open

    def full(path: Path, flags: int, *mode: int) -> int:
        if flags & os.O_CREAT:
            raise OSError(errno.ENOSPC, "full")
        return opened(path, flags, *mode)

    with monkeypatch.context() as patched:
        patched.setattr("os.open", full)
        with only_one(tmp_path) as fault:
            assert "locking the folder instead" in fault
            with pytest.raises(UnavailableError, match="pid unknown"), only_one(tmp_path):
                pass
