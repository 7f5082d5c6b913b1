"""The slots' records on disk: `slots/<slot>.json`, one file a slot, one atomic rename a change."""

from __future__ import annotations

from pathlib import Path

from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.core.disk_reserve import DiskReserve
from edgefleet_agent.core.state_file import Consequences, StateFile, prepare_folder
from edgefleet_agent.model_store.slot_record import SlotRecord

RECORD_BYTES_MAX = 1024 * 1024


class SlotStore:
    """All records, in memory as on disk: `write` returns after the record is flushed. A reserve of space is kept for it."""

    def __init__(self, root: Path, faults: DiskFaults | None = None) -> None:
        self._faults = faults or DiskFaults()
        self._reserve = DiskReserve(root)
        self._folder = prepare_folder(root / "slots", self._faults)
        self._files: dict[str, StateFile[SlotRecord]] = {}
        names = [path.stem for path in sorted(self._folder.glob("*.json"))]
        self._records = {slot: self._file(slot).read() or SlotRecord() for slot in names}

    def names(self) -> list[str]:
        return list(self._records)

    def read(self, slot: str) -> SlotRecord:
        """The record of `slot`; an empty one if there is none."""
        return self._records.get(slot) or SlotRecord()

    def write(self, slot: str, record: SlotRecord) -> None:
        """Replace the record in one step.

        Raises:
            StoreError: the disk cannot be written; the old record stays valid, on disk and in memory.
        """
        self._reserve.write(lambda: self._file(slot).store(record))
        self._records[slot] = record

    def hold(self, slot: str, record: SlotRecord) -> None:
        """Replace the record in memory; it is stored on disk by `turn` or the next `write`."""
        self._file(slot).write(record)
        self._records[slot] = record

    def turn(self) -> None:
        """Store the records that the disk refused, and make the reserve again, if a try is due."""
        for file in self._files.values():
            file.turn()
        self._reserve.turn()

    def _file(self, slot: str) -> StateFile[SlotRecord]:
        follows = Consequences(f"slot {slot} began with the factory package", f"slot {slot} is kept in memory only")
        new = StateFile(self._folder / f"{slot}.json", SlotRecord, self._faults, follows, RECORD_BYTES_MAX)
        return self._files.setdefault(slot, new)
