"""Changes of a file system, in the order in which they happened. Files and folders are numbers; the root is 0."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

import msgspec

ROOT: Final = 0
_LENGTH: Final = struct.Struct("<I")


class _Operation(msgspec.Struct, frozen=True, array_like=True, tag=True):
    pass


class Create(_Operation):
    """A new file, folder or symbolic link. `kind`: file, folder or link; `target`: that of a link."""

    folder: int
    name: str
    node: int
    kind: str
    target: str = ""


class Attributes(_Operation):
    """Mode, owner and group of a file or folder."""

    node: int
    mode: int
    uid: int
    gid: int


class Write(_Operation):
    """Bytes at an offset."""

    node: int
    offset: int
    data: bytes


class Truncate(_Operation):
    """A new length, shorter or longer; new bytes are zero."""

    node: int
    length: int


class Rename(_Operation):
    """A new name, which may have been that of another file."""

    folder: int
    name: str
    into: int
    new_name: str
    node: int


class Link(_Operation):
    """One more name of a file."""

    folder: int
    name: str
    node: int


class Unlink(_Operation):
    """The end of a name of a file or of an empty folder."""

    folder: int
    name: str


class Flush(_Operation):
    """fsync or fdatasync of a file or a folder, which has returned."""

    node: int


Operation = Create | Attributes | Write | Truncate | Rename | Link | Unlink | Flush
_decoder: Final = msgspec.msgpack.Decoder(Operation)
_encoder: Final = msgspec.msgpack.Encoder()


def append(log: IO[bytes], operation: Operation) -> None:
    """Add an operation to a log."""
    packed = _encoder.encode(operation)
    log.write(_LENGTH.pack(len(packed)) + packed)


def read(log: Path) -> Iterator[Operation]:
    """The operations of a log, in order."""
    with log.open("rb") as file:
        while head := file.read(_LENGTH.size):
            yield _decoder.decode(file.read(_LENGTH.unpack(head)[0]))
