"""Files of a package on a stick, which anyone may have written: only regular files in its own folders, of the stated length, are
read; no link is followed, no pipe or device is opened, and each file has the digest that is its name."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from edgefleet_agent.model_store.trust import OFFER_BYTES_MAX
from edgefleet_contract.core.errors import InputError, ManifestError, MessageError
from edgefleet_contract.encoding.codec import MESSAGE_BYTES_MAX, decode
from edgefleet_contract.package.manifest import DESCRIPTOR_BYTES_MAX, Descriptor, read_descriptor
from edgefleet_contract.package.usb_bundle import BLOBS_FOLDER, BUNDLE_FILE, UsbBundle
from edgefleet_contract.wire.messages import MetadataFile

CHUNK_BYTES = 1024 * 1024


class StickFiles:
    """The open files of a bundle in the folder `place`. `required`: length of each blob of the package, by digest."""

    def __init__(self, place: Path, bundle: UsbBundle, opened: ExitStack) -> None:
        self._place = place
        self._opened = opened
        self._folder = self._folder_descriptor()
        self.descriptor = self._read_descriptor(bundle)
        self.trust = bundle.trust
        self.required = {bundle.target.digest: bundle.target.length, **{file.digest: file.length for file in bundle.trust}}
        self.required |= {entry.sha256: entry.length for entry in self.descriptor.files}
        self._sources = {digest: self._open(digest, length) for digest, length in self.required.items()}
        absent = [digest for digest, source in self._sources.items() if source is None]
        if absent:
            raise InputError(
                f"{place} is incomplete: {absent[0][:12]} and {len(absent) - 1} more are missing, truncated, or no files;"
                " export it again"
            )

    def metadata(self) -> dict[str, bytes]:
        """The files of signed metadata, by name.

        Raises:
            InputError: one is damaged, or all are larger than an offer may be.
        """
        if sum(file.length for file in self.trust) > OFFER_BYTES_MAX:
            raise InputError(f"{self._place}: its signed metadata is larger than {OFFER_BYTES_MAX} bytes; export it again")
        return {file.name: self._whole(file) for file in self.trust}

    def chunks(self, digest: str) -> Iterator[bytes]:
        """The bytes of a blob in order; its digest is compared at the end.

        Raises:
            InputError: they have another digest, or cannot be read; what was yielded must not be used.
        """
        source = self._sources[digest]
        assert source is not None
        found = hashlib.sha256()
        left = self.required[digest]
        try:
            source.seek(0)
            while left and (data := source.read(min(left, CHUNK_BYTES))):
                left -= len(data)
                found.update(data)
                yield data
        except OSError as error:
            raise InputError(f"cannot read {self._place / BLOBS_FOLDER / digest}: {error.strerror}; check the stick") from error
        if found.hexdigest() != digest:
            raise InputError(f"{self._place} is damaged: {digest[:12]} has other content than its name; export it again")

    def _whole(self, file: MetadataFile) -> bytes:
        return b"".join(self.chunks(file.digest))

    def _folder_descriptor(self) -> int:
        path = self._place / BLOBS_FOLDER
        with _as_input_error(path):
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        self._opened.callback(os.close, descriptor)
        return descriptor

    def _read_descriptor(self, bundle: UsbBundle) -> Descriptor:
        source = self._open(bundle.target.digest, bundle.target.length) if bundle.target.length <= DESCRIPTOR_BYTES_MAX else None
        data = source.read(DESCRIPTOR_BYTES_MAX) if source is not None else b""
        if hashlib.sha256(data).hexdigest() != bundle.target.digest:
            text = f"{bundle.target.digest[:12]}, the list of its files, is missing or damaged"
            raise InputError(f"{self._place}: {text}; export the bundle again")
        try:
            return read_descriptor(data)
        except ManifestError as error:
            raise InputError(f"{self._place}: {error}; export the bundle again") from error

    def _open(self, digest: str, length: int) -> IO[bytes] | None:
        source = open_regular(digest, self._place / BLOBS_FOLDER, self._folder, length)
        return self._opened.enter_context(source) if source is not None else None


def read_bundle(place: Path) -> UsbBundle:
    """`bundle.json` in `place`.

    Raises:
        InputError: it is not a regular file, too large, or not valid.
    """
    with _as_input_error(place):
        folder = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        source = open_regular(BUNDLE_FILE, place, folder)
    finally:
        os.close(folder)
    if source is None:
        raise InputError(f"{place / BUNDLE_FILE} is not a file; export the bundle again")
    with source:
        data = source.read(MESSAGE_BYTES_MAX + 1)
    try:
        return decode(data, UsbBundle)
    except MessageError as error:
        raise InputError(f"{place / BUNDLE_FILE}: {error}; export the bundle again") from error


def open_regular(name: str, place: Path, folder: int, length: int | None = None) -> IO[bytes] | None:
    """The regular file `name` in an open folder, of this length, opened; None if there is none. Root may read everything: a link
    is not followed, and a device is not opened, which could do something.

    Raises:
        InputError: this user may not read it.
    """
    with _as_input_error(place / name):
        try:
            if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
                return None
            descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
        except FileNotFoundError:
            return None
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode) or length not in (None, status.st_size):
        os.close(descriptor)
        return None
    return os.fdopen(descriptor, "rb")


@contextmanager
def _as_input_error(path: Path) -> Iterator[None]:
    try:
        yield
    except PermissionError as error:
        raise InputError(f"cannot read {path}: {error.strerror}; run this as a user who may read it") from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}; specify a folder made by `edgefleet bundle export`") from error
