"""The reserve holds real blocks, and gives them to a slot record on a full disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgefleet_agent.core.clock import ManualClock
from edgefleet_agent.core.disk_reserve import FILE, RESERVE_BYTES, RETRY_S, DiskReserve
from edgefleet_agent.model_store.slot_record import SlotRecord
from edgefleet_agent.model_store.slot_store import SlotStore
from edgefleet_contract.core.errors import StoreError
from tests.small_disk import mounted


def test_a_slot_record_is_written_on_a_full_disk(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "16m") as disk:
        slots = SlotStore(disk.folder)
        assert (disk.folder / FILE).stat().st_blocks * 512 >= RESERVE_BYTES, "not sparse"
        disk.fill()
        with pytest.raises(OSError, match="No space"):
            (disk.folder / "other").write_bytes(b"x" * 8192)
        record = SlotRecord(factory="a" * 64)
        slots.write("detector", record)
        assert not (disk.folder / FILE).exists()
        assert SlotStore(disk.folder).read("detector") == record


def test_the_reserve_is_made_again_when_there_is_room(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "16m") as disk:
        clock = ManualClock()
        reserve = DiskReserve(disk.folder, clock.monotonic)
        disk.fill()

        def write() -> None:
            if (disk.folder / FILE).exists():
                error = OSError(28, "full")
                raise StoreError("full") from error

        reserve.write(write)
        clock.advance(RETRY_S)
        reserve.turn()
        assert not (disk.folder / FILE).exists(), "the disk is full"
        disk.free()
        clock.advance(RETRY_S)
        reserve.turn()
        assert (disk.folder / FILE).exists()
