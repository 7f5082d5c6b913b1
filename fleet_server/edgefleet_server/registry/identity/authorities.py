"""The server's authority, and during a rotation the one that takes its place.

A rotation has three states, each of them safe to stop in:

- before: one authority signs all certificates.
- overlap: `next/` has the new one, which signs the certificates of devices. The old one still signs those of the broker and of
  HTTPS, which every device accepts; the broker accepts certificates of both. Devices renew, and get both authorities with it.
- finished: the new one signs everything, and the old one is trusted no more.

The files change by one rename (`next/`) and one replaced file (`next/rotation.json` with `finished`); what follows from that is
done again at the next start. Processes that share the folder see a change at their next use.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from edgefleet_contract.core.atomic_files import make_folder, move_folder, read_if_there, remove_folder, sync_names, write_atomic
from edgefleet_contract.encoding.codec import Wire, decode, encode
from edgefleet_server.core.errors import ConflictError, StoreError
from edgefleet_server.registry.identity.certificate_authority import FILES, NAME, CertificateAuthority, Issued, check
from edgefleet_server.registry.signing.keys import write_secret

NEXT: Final = "next"
STAGED: Final = "staged"
"""An authority that an operator has imported (`edgefleet ca import`), for the next rotation."""
RECORD: Final = "rotation.json"
TRUSTED: Final = "trusted.pem"
"""For an external broker: all authorities whose devices it has to accept."""
FILE_BYTES_MAX: Final = 64 * 1024


class Rotation(Wire):
    """`next/rotation.json`. began_at: wall time. endorsed: the old authority's certificate, signed by the new one, PEM."""

    began_at: float
    endorsed: str = ""
    finished: bool = False


class Authorities:
    """The authorities in `folder`. `open` has to be called first. Thread-safe."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.RLock()
        self._seen: tuple[int, ...] = ()
        self._rotation: Rotation | None = None

    def open(self, now: float) -> None:
        """Load the authorities, or create the first; end a rotation that was cut off after its finish.

        Raises:
            StoreError: the folder cannot be used, or its files are damaged.
        """
        with self._lock:
            make_folder(self._folder, 0o700)
            sync_names(self._folder)
            self._settle()
            CertificateAuthority(self._folder).open(now)
            self._load()
            self._write_trusted()

    # -- what is in use

    @property
    def serving(self) -> CertificateAuthority:
        """The authority of the certificates of the broker and of HTTPS."""
        return self._present()[0]

    @property
    def newest(self) -> CertificateAuthority:
        """The authority of the certificates that devices get."""
        return self._present()[-1]

    @property
    def all(self) -> tuple[CertificateAuthority, ...]:
        """The authorities in use, the newest last."""
        return self._present()

    @property
    def bundle(self) -> str:
        """The certificates that devices trust, PEM."""
        return "".join(each.certificate for each in self._present())

    @property
    def broker_authorities(self) -> str:
        """The certificates by which the broker checks those of devices, up to their roots, PEM."""
        return "".join(each.chain for each in self._present())

    @property
    def rotating_since(self) -> float | None:
        """Wall time of the begin of the overlap; None outside of one."""
        self._present()
        return self._rotation.began_at if self._rotation is not None else None

    @property
    def https_chain(self) -> str:
        """The certificates that follow that for HTTPS, PEM: during the overlap with a path to the new authority, for devices that
        know only its fingerprint."""
        serving = self.serving
        if self._rotation is None or not self._rotation.endorsed:
            return serving.chain
        return self._rotation.endorsed + self.newest.chain + serving.chain

    @property
    def is_staged(self) -> bool:
        """Whether an authority waits for the next rotation."""
        return (self._folder / STAGED).is_dir()

    def facts(self) -> dict[str, Any]:
        """The facts about the certificate of the newest authority (`CertificateAuthority.facts`)."""
        return self.newest.facts()

    def pin(self) -> str:
        """The fingerprint for new tokens: it is valid now and after the rotation."""
        with self._lock:
            newest = self.newest
            leads_there = self._rotation is None or self._rotation.endorsed
            return str((newest if leads_there else self.serving).facts()["fingerprint"])

    def issue(self, request: str, device: str, days: float, now: float) -> Issued:
        """Issue a client certificate (`CertificateAuthority.issue`)."""
        return self.newest.issue(request, device, days, now)

    def broker_identity(self, hosts: Iterable[str], now: float) -> tuple[bytes, bytes]:
        """(key, certificate) of the broker, PEM, for these host names and addresses."""
        return self.serving.broker_identity(hosts, now)

    def https_identity(self, hosts: Iterable[str], now: float) -> tuple[bytes, bytes]:
        """(key, certificate) for HTTPS, PEM, for these host names and addresses."""
        return self.serving.https_identity(hosts, now)

    def revocation_list(self, revoked: Iterable[tuple[str, float]], number: int, now: float) -> bytes:
        """A revocation list of each authority, PEM, all of the same certificates: serial numbers do not repeat."""
        items = list(revoked)
        return b"".join(each.revocation_list(items, number, now) for each in self._present())

    # -- rotation

    def begin(self, now: float) -> None:
        """Begin a rotation, with the staged authority if there is one, else with a new one.

        Raises:
            ConflictError: one is going on.
            StoreError: the disk refuses, or the staged authority cannot be used; nothing has changed.
        """
        with self._lock:
            if self._refreshed() and self._rotation is not None:
                raise ConflictError(
                    "a rotation is going on; `edgefleet ca show` says who is missing, `edgefleet ca finish` ends it"
                )
            fresh, staged = self._folder / f".{NEXT}.new", self._folder / STAGED
            shutil.rmtree(fresh, ignore_errors=True)
            if staged.is_dir():
                check(staged, staged)
                make_folder(fresh, 0o700)
                for name in FILES:
                    write_secret(fresh / name, (staged / name).read_bytes())
            coming = CertificateAuthority(fresh)
            coming.open(now, f"{NAME} {int(now)}")
            endorsed = coming.endorse(self.serving)
            write_atomic(fresh / RECORD, encode(Rotation(began_at=now, endorsed=endorsed)), 0o600)
            move_folder(fresh, self._folder / NEXT)
            remove_folder(staged)
            self._load()
            self._write_trusted()

    def finish(self) -> None:
        """End the overlap: from here on the old authority is trusted no more.

        Raises:
            ConflictError: no rotation is going on.
            StoreError: the disk refuses; the rotation may be finished, then the next start goes on with it.
        """
        with self._lock:
            if not self._refreshed() or self._rotation is None:
                raise ConflictError("no rotation is going on; `edgefleet ca rotate` begins one")
            record = Rotation(began_at=self._rotation.began_at, finished=True)
            write_atomic(self._folder / NEXT / RECORD, encode(record), 0o600)
            self._settle()
            self._load()
            self._write_trusted()

    def _settle(self) -> None:
        """Put a finished rotation's authority in the place of the old one."""
        shutil.rmtree(self._folder / f".{NEXT}.new", ignore_errors=True)
        rotation = self._record()
        if rotation is None or not rotation.finished:
            return
        for name in reversed(FILES):
            write_secret(self._folder / name, (self._folder / NEXT / name).read_bytes())
        remove_folder(self._folder / NEXT)

    def _record(self) -> Rotation | None:
        content = read_if_there(self._folder / NEXT / RECORD, FILE_BYTES_MAX)
        return None if content is None else decode(content, Rotation, bytes_max=FILE_BYTES_MAX)

    def _load(self) -> None:
        """Load all, again if another process has changed the files meanwhile."""
        while True:
            seen = self._signature()
            try:
                rotation = self._record()
                coming = [] if rotation is None else [CertificateAuthority(self._folder / NEXT)]
                found = coming if rotation is not None and rotation.finished else [CertificateAuthority(self._folder), *coming]
                for each in found:
                    each.load()
            except StoreError:
                if seen != self._signature():
                    continue
                raise
            if seen == self._signature():
                break
        self._seen = seen
        self._rotation = None if rotation is None or rotation.finished else rotation
        self._all = tuple(found)

    def _write_trusted(self) -> None:
        write_atomic(self._folder / TRUSTED, self.broker_authorities.encode())

    def _present(self) -> tuple[CertificateAuthority, ...]:
        with self._lock:
            self._refreshed()
            return self._all

    def _refreshed(self) -> bool:
        """Load the files again if another process has changed them. Always true."""
        if self._signature() != self._seen:
            self._load()
        return True

    def _signature(self) -> tuple[int, ...]:
        files = (self._folder / FILES[0], self._folder / NEXT / RECORD)
        return tuple(part for file in files for part in _identity(file))


def stage(folder: Path, given: tuple[bytes, bytes] | None, now: float) -> None:
    """Keep an authority in `folder` for the next rotation: an operator's (certificate with those above it, key; PEM), or a new
    one. `trusted.pem` has it from now on, for a broker that has to know it before the rotation begins.

    Raises:
        StoreError: it cannot be the authority of a fleet, or the disk refuses.
    """
    fresh, staged = folder / f".{STAGED}.new", folder / STAGED
    shutil.rmtree(fresh, ignore_errors=True)
    make_folder(fresh, 0o700)
    try:
        for name, content in zip(FILES, given or (), strict=False):
            write_secret(fresh / name, content)
        coming = CertificateAuthority(fresh)
        coming.open(now, f"{NAME} {int(now)}")
        remove_folder(staged)
        move_folder(fresh, staged)
        present = CertificateAuthority(folder)
        present.load()
        write_atomic(folder / TRUSTED, (present.chain + coming.chain).encode())
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _identity(file: Path) -> tuple[int, int]:
    try:
        found = file.stat()
    except FileNotFoundError:
        return (0, 0)
    except OSError as error:
        raise StoreError(f"{file}: {error.strerror}; check the owner and the state of the disk") from error
    return (found.st_ino, found.st_mtime_ns)
