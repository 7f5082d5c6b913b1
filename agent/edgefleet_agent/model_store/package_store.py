"""Packages: folders assembled from blobs, `packages/<digest>/` with `model.toml` and the files of this device's variant.

A folder appears by one rename and is never changed afterwards. Its files are hard links to the blobs: no byte is stored twice.
Later damage by the disk is found by `inspect`: before the first load of each process, and when a load fails.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.core.state_file import prepare_folder
from edgefleet_agent.model_store.blob_store import BlobStore, describe_file
from edgefleet_agent.model_store.package_folder import manifest_of
from edgefleet_contract.core.atomic_files import as_store_error, make_folder, read_if_there, remove_folder, sync_folder
from edgefleet_contract.core.errors import ManifestError
from edgefleet_contract.package.blob import BlobSpec
from edgefleet_contract.package.manifest import (
    DESCRIPTOR_BYTES_MAX,
    MANIFEST_FILE,
    Descriptor,
    Manifest,
    Variant,
    pack_descriptor,
    read_descriptor,
    read_manifest,
)
from edgefleet_contract.package.profile import Profile, choose_variant, needed_variants
from edgefleet_contract.wire.messages import SlotTarget
from edgefleet_contract.wire.reason_codes import Reason

MANIFEST_BYTES_MAX = 1024 * 1024
KNOWN_MAX = 16
INSPECTED_MAX = 256


@dataclass(frozen=True, slots=True)
class DeviceTarget:
    """Properties of the device that select the files of a package."""

    profile: str
    runtimes: tuple[str, ...]
    kind: Profile | None = None
    fallback: bool = True

    def variants(self, manifest: Manifest) -> list[Variant]:
        """The best variant, and with an accelerator also the one for a fallback to the CPU; empty if none fits."""
        if self.kind is not None and (needed := needed_variants(manifest, self.kind, self.runtimes, fallback=self.fallback)):
            return needed
        chosen = choose_variant(manifest, self.profile, list(self.runtimes))
        return [chosen[0]] if chosen is not None else []


class PackageState(str, Enum):
    """Verification state of a package's files."""

    SOUND = "sound"
    UNKNOWN = "unknown"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class PackageIntegrity:
    """Whether the files of a package on the disk match its descriptor; `detail` names the first difference."""

    state: PackageState
    detail: str = ""


SOUND = PackageIntegrity(PackageState.SOUND)
UNKNOWN = PackageIntegrity(PackageState.UNKNOWN)


@dataclass(frozen=True, slots=True)
class PackageSurvey:
    """Progress of a package on this device.

    `missing`: blobs to fetch now (first the descriptor, then the manifest, then the rest). `unsealed`: blobs whose blocks are all
    present and whose whole is not yet checked. `bytes_total` grows from the descriptor's length to that of all needed files.
    """

    ready: bool = False
    missing: tuple[BlobSpec, ...] = ()
    unsealed: tuple[BlobSpec, ...] = ()
    bytes_done: int = 0
    bytes_total: int = 0
    reason: Reason = Reason.NONE
    detail: str = ""


@dataclass(slots=True)
class _Known:
    """A package whose descriptor, and later manifest, was read."""

    descriptor: Descriptor
    manifest: Manifest | None = None
    variant: Variant | None = None
    needed: tuple[BlobSpec, ...] = ()
    paths: tuple[str, ...] = field(default=())


class PackageStore:
    """The folder `packages/` under `root`, filled from `blobs`."""

    def __init__(self, root: Path, blobs: BlobStore, device: DeviceTarget, faults: DiskFaults | None = None) -> None:
        self.blobs = blobs
        self._device = device
        self._folder = prepare_folder(root / "packages", faults or DiskFaults())
        self._known: dict[str, _Known] = {}
        self._inspected: dict[str, tuple[tuple[Path, str], ...]] = {}
        self._damaged: dict[str, str] = {}
        self._in_place: dict[str, tuple[Path, bytes]] = {}  # folder and descriptor of packages that the disk does not take
        for left_over in self._folder.glob(".*"):
            shutil.rmtree(left_over, ignore_errors=True)

    def folder(self, digest: str) -> Path:
        """The folder of a package: its own one, where the disk has not taken a copy."""
        in_place = self._in_place.get(digest)
        return self._folder / digest if in_place is None else in_place[0]

    def all(self) -> set[str]:
        """Digests of the assembled packages."""
        return {path.name for path in self._folder.glob("*") if not path.name.startswith(".")}

    def survey(self, target: SlotTarget, epoch_min: int = 0) -> PackageSurvey:
        """Present and missing files of `target`. `epoch_min`: a lower epoch is refused.

        Raises:
            StoreError: the disk cannot be used.
        """
        head = BlobSpec(target.digest, target.length)
        if target.length > DESCRIPTOR_BYTES_MAX or target.length == 0:
            return _refused(
                Reason.MANIFEST_INVALID, f"descriptor size {target.length} bytes: must be between 1 and {DESCRIPTOR_BYTES_MAX}"
            )
        if not self.blobs.has(target.digest):
            return self._on_the_way((head,), (head,))
        try:
            known = self._know(target.digest)
        except ManifestError as error:
            return _refused(Reason.MANIFEST_INVALID, str(error))
        descriptor = known.descriptor
        if (descriptor.name, descriptor.version) != (target.package, target.version):
            expected = f"{target.package}@{target.version}"
            problem = f"the digest given for {expected} belongs to {descriptor.name}@{descriptor.version}"
            return _refused(Reason.MANIFEST_INVALID, problem)
        if descriptor.epoch < epoch_min:
            return _refused(Reason.EPOCH_DOWNGRADE, f"epoch {descriptor.epoch} is older than the running package's {epoch_min}")
        if known.manifest is None:
            entry = BlobSpec.of(descriptor.file(MANIFEST_FILE))
            if entry.length > MANIFEST_BYTES_MAX:
                detail = f"{MANIFEST_FILE} has {entry.length} bytes; the limit is {MANIFEST_BYTES_MAX}"
                return _refused(Reason.MANIFEST_INVALID, detail)
            return self._on_the_way((head, entry), (entry,))
        if known.variant is None:
            return _refused(Reason.INCOMPATIBLE, self._why_incompatible(known.manifest))
        if self._has_all(target.digest, known):
            total = head.length + sum(spec.length for spec in known.needed)
            return PackageSurvey(ready=True, bytes_done=total, bytes_total=total)
        return self._on_the_way((head, *known.needed), known.needed)

    def assemble(self, digest: str) -> Path:
        """Assemble the folder of a package; all its needed blobs are sealed.

        Raises:
            StoreError: the disk cannot be written.
            ManifestError: the descriptor or the manifest is not valid.
        """
        known = self._know(digest)
        beside = self._folder / f".{digest}.new"
        final = self._folder / digest
        with as_store_error(final):
            make_folder(self._folder)
            shutil.rmtree(beside, ignore_errors=True)
            for path in known.paths:
                place = beside / path
                place.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
                self._link(known.descriptor.file(path).sha256, place)
            for folder in {place.parent for place in beside.rglob("*")} | {beside}:
                sync_folder(folder)
            if final.exists():
                final.replace(self._folder / f".{digest}.old")
            beside.replace(final)
            sync_folder(self._folder)
            shutil.rmtree(self._folder / f".{digest}.old", ignore_errors=True)
        self._damaged.pop(digest, None)
        return final

    def install_folder(self, source: Path) -> SlotTarget:
        """Install a package from a local folder, such as the factory package, which was installed with the agent.

        Raises:
            ManifestError: `model.toml` is missing or invalid, or a file that it names is missing.
            StoreError: the disk cannot be written.
        """
        where, manifest = source / MANIFEST_FILE, manifest_of(source)
        descriptor_files = [self.blobs.add_file(source / path, path) for path in manifest.paths()]
        descriptor = pack_descriptor(manifest, descriptor_files)
        digest = self.blobs.add_bytes(descriptor)
        self._take_copy(digest)
        target = SlotTarget(package=manifest.name, version=manifest.version, digest=digest, length=len(descriptor))
        survey = self.survey(target)
        if survey.reason is not Reason.NONE:
            raise ManifestError(f"{where}: {survey.detail}")
        if self.inspect(digest, sum(entry.length for entry in descriptor_files) + 1).state is not PackageState.SOUND:
            self.assemble(digest)
        return target

    def use_in_place(self, source: Path) -> str:
        """Use a package from its own folder until `install_folder` finds room for a copy. Returns its digest.

        Raises:
            ManifestError: `model.toml` is missing or invalid, or a file that it names is missing.
            StoreError: a file cannot be read.
        """
        manifest = manifest_of(source)
        with as_store_error(source):
            descriptor = pack_descriptor(manifest, [describe_file(source / path, path) for path in manifest.paths()])
        digest = hashlib.sha256(descriptor).hexdigest()
        self._known.pop(digest, None)
        self._in_place[digest] = source, descriptor
        known = self._know(digest)
        if known.manifest is not None and known.variant is None:
            del self._in_place[digest]
            raise ManifestError(f"{source / MANIFEST_FILE}: {self._why_incompatible(known.manifest)}")
        return digest

    def is_in_place(self, digest: str | None) -> bool:
        """Whether a package is used from its own folder."""
        return digest in self._in_place

    def _take_copy(self, digest: str) -> None:
        """The copy of a package that was used in place is complete."""
        if self._in_place.pop(digest, None) is not None:
            self._known.pop(digest, None)
            self._inspected.pop(digest, None)

    def describe(self, digest: str) -> Descriptor:
        """The descriptor of a package whose descriptor blob is present.

        Raises:
            ManifestError: it is missing or not valid.
        """
        return self._know(digest).descriptor

    def blobs_of(self, digest: str) -> set[str]:
        """All known blobs of the package, including its descriptor."""
        try:
            return {digest} | {entry.sha256 for entry in self._know(digest).descriptor.files}
        except ManifestError:
            return {digest}

    def soundness(self, digest: str) -> PackageIntegrity:
        """Verification state of its files without reading them; `UNKNOWN` if their metadata changed."""
        if digest in self._damaged:
            return PackageIntegrity(PackageState.DAMAGED, self._damaged[digest])
        files = self._inspected.get(digest)
        digest_of = self.blobs.verified.digest_of
        return SOUND if files is not None and all(digest_of(path) == required for path, required in files) else UNKNOWN

    def inspect(self, digest: str, budget_bytes: int) -> PackageIntegrity:
        """Hash at most `budget_bytes` more of its files, including its descriptor and manifest. Call until the result is not
        `UNKNOWN`.

        A package without a folder is assembled first, if its blobs are present.

        Raises:
            StoreError: the disk cannot be used.
        """
        self._known.pop(digest, None)
        try:
            known = self._know(digest)
            if known.manifest is None:
                raise ManifestError(MANIFEST_FILE)
            files = [(self.folder(digest) / path, known.descriptor.file(path).sha256) for path in known.paths]
            if not self.folder(digest).is_dir() and all(self.blobs.keeps(required) for _, required in files):
                self.assemble(digest)
        except ManifestError as error:
            return self._spoilt(digest, str(error))
        for path, required in files:
            known_already = self.blobs.verified.digest_of(path) is not None
            found = self.blobs.verified.find_out(path, budget_bytes)
            if found is None:
                return UNKNOWN
            if found != required:
                return self._spoilt(digest, str(path.relative_to(self.folder(digest))))
            budget_bytes -= 0 if known_already else path.stat().st_size
            if budget_bytes <= 0:
                return UNKNOWN
        self._inspected[digest] = tuple(files)
        while len(self._inspected) > INSPECTED_MAX:
            del self._inspected[next(iter(self._inspected))]
        return SOUND

    def doubt(self, digest: str) -> None:
        """Hash its files again: it does not load, or it was imported again."""
        for path, _ in self._inspected.pop(digest, ()):
            self.blobs.verified.doubt(path)
        self._damaged.pop(digest, None)

    def remove(self, digest: str) -> None:
        """Remove a package."""
        self._known.pop(digest, None)
        self._inspected.pop(digest, None)
        self._damaged.pop(digest, None)
        self._in_place.pop(digest, None)
        remove_folder(self._folder / digest)

    def _know(self, digest: str) -> _Known:
        known = self._known.get(digest)
        if known is None:
            data = self._in_place[digest][1] if digest in self._in_place else self.blobs.read(digest, DESCRIPTOR_BYTES_MAX)
            if data is None:
                raise ManifestError(f"the descriptor of {digest} is not on this device")
            if hashlib.sha256(data).hexdigest() != digest:
                raise ManifestError("its descriptor")
            known = self._known[digest] = _Known(read_descriptor(data))
            while len(self._known) > KNOWN_MAX:
                del self._known[next(iter(self._known))]
        if known.manifest is None:
            self._read_manifest(digest, known)
        return known

    def _read_manifest(self, digest: str, known: _Known) -> None:
        entry = known.descriptor.file(MANIFEST_FILE)
        own = self.folder(digest) / MANIFEST_FILE if digest in self._in_place else None
        data = self.blobs.read(entry.sha256, MANIFEST_BYTES_MAX) if own is None else read_if_there(own, MANIFEST_BYTES_MAX)
        if data is None or hashlib.sha256(data).hexdigest() != entry.sha256:
            return
        where = f"{MANIFEST_FILE} of {known.descriptor.name}@{known.descriptor.version}"
        try:
            manifest = read_manifest(data.decode(), where)
        except UnicodeDecodeError as error:
            raise ManifestError(f"{where}: not UTF-8: {error}") from error
        variants = self._device.variants(manifest)
        if variants:
            known.variant = variants[0]
            known.paths = tuple(dict.fromkeys(path for variant in variants for path in manifest.paths_for(variant)))
            entries = [known.descriptor.file(path) for path in known.paths]
            known.needed = tuple(dict.fromkeys(BlobSpec.of(entry) for entry in entries))
            if len({spec.digest for spec in known.needed}) != len(known.needed):
                raise ManifestError(f"{where}: two files share a SHA-256 but not their length or blocks")
        known.manifest = manifest

    def _link(self, digest: str, place: Path) -> None:
        """Makes a hard link, or a copy on a file system without hard links (vfat)."""
        blob = self.blobs.path(digest)
        try:
            os.link(blob, place)
        except (PermissionError, NotImplementedError):
            shutil.copyfile(blob, place)
            self.blobs.verified.find_out(place, blob.stat().st_size + 1)

    def _on_the_way(self, counted: Iterable[BlobSpec], required: Iterable[BlobSpec]) -> PackageSurvey:
        absent = [spec for spec in required if not self.blobs.has(spec.digest)]
        started = {spec.digest: self.blobs.verified_bytes(spec) for spec in counted}
        full = [spec for spec in absent if started[spec.digest] == spec.length]
        return PackageSurvey(
            missing=tuple(spec for spec in absent if spec not in full),
            unsealed=tuple(full),
            bytes_done=sum(started.values()),
            bytes_total=sum(spec.length for spec in counted),
        )

    def _has_all(self, digest: str, known: _Known) -> bool:
        folder, digest_of = self.folder(digest), self.blobs.verified.digest_of
        return all(digest_of(folder / path) == known.descriptor.file(path).sha256 for path in known.paths)

    def _spoilt(self, digest: str, detail: str) -> PackageIntegrity:
        self._damaged[digest] = detail
        return PackageIntegrity(PackageState.DAMAGED, detail)

    def _why_incompatible(self, manifest: Manifest) -> str:
        offered = ", ".join(f"{variant.name} ({'/'.join(variant.runtimes)})" for variant in manifest.variants)
        have = ", ".join(self._device.runtimes) or "no runtime"
        return f"{manifest.id} offers {offered}; this device has {have} and profile {self._device.profile or 'none'}"


def _refused(reason: Reason, detail: str) -> PackageSurvey:
    return PackageSurvey(reason=reason, detail=detail)
