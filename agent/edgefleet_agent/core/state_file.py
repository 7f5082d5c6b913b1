"""A small file of the device's state: read whatever is on the disk, written whenever the disk takes it.

Every file of state that the device can work without uses `StateFile`. A missing file is nothing; one that is damaged is put aside
and read as nothing; one that cannot be written stays in memory and is tried again. A checksum at the end shows damage that leaves
the file readable, such as a field whose name has changed; files of older versions have none. Each fault is reported under the
file's name (`core.disk_faults`) and ends when the file is written; the notice of a loss is shown for an hour.
"""

from __future__ import annotations

import logging
import random
import re
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, TypeVar

from edgefleet_agent.core.damaged_files import is_unreadable, make_way, make_way_for_folder, put_aside
from edgefleet_agent.core.disk_faults import DiskFaults, DiskState, state_of
from edgefleet_contract.core.atomic_files import make_folder, read_if_there, write_atomic
from edgefleet_contract.core.errors import MessageError, StoreError
from edgefleet_contract.core.fault_text import fault_text
from edgefleet_contract.encoding.codec import Wire, decode, encode
from edgefleet_contract.wire.backoff import full_jitter

FILE_BYTES_MAX = 4096
RETRY_MIN_S = 1.0
RETRY_MAX_S = 60.0

CHECKSUM: Final = "checksum"
"""The last field of a file: CRC-32 of what is before it."""
CHECKSUM_BYTES: Final = len(f',"{CHECKSUM}":"00000000"')
_ENDING: Final = re.compile(rb',"checksum":"([0-9a-f]{8})"\}\Z')

W = TypeVar("W", bound=Wire)


@dataclass(frozen=True, slots=True)
class Consequences:
    """Texts for people, or empty. damaged: what follows where the file was damaged; unwritten: where it cannot be written. waits:
    `damaged` says what is waited for, which is over when the file is written."""

    damaged: str = ""
    unwritten: str = ""
    waits: bool = False


log = logging.getLogger(__name__)


class StateFile(Generic[W]):
    """The file `path` with one value of `kind`, as JSON. name: in `faults`, if not that of the file. Used from one
    thread."""

    def __init__(
        self,
        path: Path,
        kind: type[W],
        faults: DiskFaults | None = None,
        consequences: Consequences | None = None,
        bytes_max: int = FILE_BYTES_MAX,
        clock: Callable[[], float] = time.monotonic,
        name: str = "",
    ) -> None:
        self.path = path
        self._name = name or path.name
        self._kind = kind
        self._faults = faults or DiskFaults()
        self._consequences = consequences or Consequences()
        self._bytes_max = bytes_max + CHECKSUM_BYTES
        self._clock = clock
        self._waiting: W | None = None
        self._tries, self._next_try_s = 0, 0.0

    def read(self) -> W | None:
        """The value; None if there is none, or none that can be used."""
        try:
            data = read_if_there(self.path, self._bytes_max)
            if data is None and not self.path.exists():
                return None
        except (StoreError, OSError) as error:
            if make_way(self.path):
                self._report_damage("something else was in its place")
                return None
            if is_unreadable((self.path,)):
                self._put_aside(error)
                return None
            state = state_of(error, self.path.parent) if isinstance(error, StoreError) else DiskState.UNUSABLE
            self._faults.set(self._name, state, f"{fault_text(error)}{_further(self._consequences.damaged)}")
            return None
        try:
            return _checked(data or b"", self._kind, self._bytes_max)
        except MessageError as error:
            self._put_aside(error)
            return None

    def write(self, value: W) -> bool:
        """Store the value. False: the disk refused it; `turn` and the next `write` try again."""
        try:
            self.store(value)
        except StoreError as error:
            folder, text = self.path.parent, f"{error}{_further(self._consequences.unwritten)}"
            self._faults.set(self._name, state_of(error, folder), text, folder)
            self._waiting = value
            pause_s = full_jitter(self._tries, RETRY_MIN_S, RETRY_MAX_S, 0.5 + random.random() / 2)  # noqa: S311 (no secret)
            self._tries, self._next_try_s = self._tries + 1, self._clock() + pause_s
            return False
        return True

    def store(self, value: W) -> None:
        """Store the value now.

        Raises:
            StoreError: the disk cannot store it; the old content is unchanged.
        """
        try:
            self._put(value)
        except StoreError:
            if not make_way(self.path):
                raise
            self._put(value)
        self._waiting, self._tries = None, 0
        self._faults.clear(self._name)

    def _put(self, value: W) -> None:
        make_folder(self.path.parent)
        write_atomic(self.path, _with_checksum(encode(value)))

    def turn(self) -> None:
        """Write again what the disk refused, if a try is due."""
        if self._waiting is not None and self._clock() >= self._next_try_s:
            self.write(self._waiting)

    def _put_aside(self, error: Exception) -> None:
        try:
            aside = put_aside(self.path, time.time()).name
        except StoreError as refused:
            log.warning("%s", refused)
            aside = self.path.name
        self._report_damage(fault_text(error), f"; see {aside}")

    def _report_damage(self, why: str, further: str = "") -> None:
        follows = self._consequences
        text = f"{self.path} was damaged ({why}){_further(follows.damaged)}{further}"
        self._faults.set(self._name, DiskState.DAMAGED, text, waits=follows.waits)


def _with_checksum(data: bytes) -> bytes:
    """An object of JSON with its checksum as the last field."""
    if len(data) <= len(b"{}"):
        return data
    return data[:-1] + f',"{CHECKSUM}":"{zlib.crc32(data[:-1]):08x}"}}'.encode()


def _checked(data: bytes, kind: type[W], bytes_max: int) -> W:
    """The value of a file.

    Raises:
        MessageError: it is damaged.
    """
    ending = _ENDING.search(data)
    if ending is not None and int(ending[1], 16) != zlib.crc32(data[: ending.start()]):
        raise MessageError("its checksum is wrong")
    value = decode(data, kind, bytes_max=bytes_max)
    value.unknown_fields.pop(CHECKSUM, None)  # an older version kept it, as it does with fields that it does not know
    return value


def _further(text: str) -> str:
    return f"; {text}" if text else ""


def prepare_folder(folder: Path, faults: DiskFaults) -> Path:
    """Create `folder` if the disk takes it now; otherwise it is reported, and made when something is written to it."""
    make_way_for_folder(folder)
    try:
        make_folder(folder)
    except StoreError as error:
        faults.set(f"{folder.name}/", state_of(error, folder), str(error), folder)
    else:
        faults.clear(f"{folder.name}/")
    return folder
