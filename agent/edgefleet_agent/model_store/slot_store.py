"""The slots' records on disk: `slots/<slot>.json`, one file a slot, one atomic rename a change."""

from __future__ import annotations

import logging
from pathlib import Path

from edgefleet_agent.model_store.slot_record import SlotRecord
from edgefleet_contract.core.atomic_files import as_store_error, make_folder, read_if_there, write_atomic
from edgefleet_contract.core.errors import MessageError
from edgefleet_contract.encoding.codec import decode, encode

RECORD_BYTES_MAX = 1024 * 1024

log = logging.getLogger(__name__)


class SlotStore:
    """All records, in memory as on disk: `write` returns after the record is flushed."""

    def __init__(self, root: Path) -> None:
        self._folder = make_folder(root / "slots")
        self._records = {path.stem: self._read(path) for path in sorted(self._folder.glob("*.json"))}

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
        write_atomic(self._folder / f"{slot}.json", encode(record))
        self._records[slot] = record

    def hold(self, slot: str, record: SlotRecord) -> None:
        """Replace the record in memory only; the next `write` stores it on disk."""
        self._records[slot] = record

    def _read(self, path: Path) -> SlotRecord:
        data = read_if_there(path, RECORD_BYTES_MAX)
        try:
            return decode(data or b"", SlotRecord, bytes_max=RECORD_BYTES_MAX)
        except MessageError as error:
            # Renames are atomic, so only a damaged disk leads here. The device then starts from the factory package.
            log.error("%s is damaged (%s); the file was moved aside and this slot starts empty", path, error)
            with as_store_error(path):
                path.replace(path.with_suffix(".damaged"))
            return SlotRecord()
