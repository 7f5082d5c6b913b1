"""Verifies signed metadata by the TUF client workflow (specification 1.0.34, section 5) and stores the verified metadata.

The workflow is python-tuf's `Updater`, which reads the files received by the link instead of a URL. It works in a scratch folder,
and its result becomes `trust/metadata.json` by one rename: after a power cut the four roles are all old or all new, never a
mixture (`trust_files`). Imported only by `edgefleet-agent trust`, a child of the supervisor: these libraries need some 30 MB.
"""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

from tuf.api.exceptions import (
    BadVersionNumberError,
    DownloadHTTPError,
    DownloadLengthMismatchError,
    ExpiredMetadataError,
    LengthOrHashMismatchError,
    RepositoryError,
    UnsignedMetadataError,
)
from tuf.api.metadata import DelegatedRole, Metadata, Root, Signed, Snapshot, TargetFile, Targets, Timestamp
from tuf.ngclient import FetcherInterface, Updater

from edgefleet_agent.model_store import trust_files
from edgefleet_agent.model_store.trust import SignedTarget, TrustVerdict
from edgefleet_contract.core.atomic_files import as_store_error
from edgefleet_contract.core.errors import InputError
from edgefleet_contract.wire.messages import LOWEST_EPOCHS, NUMBER_MAX, SIGNED_AT
from edgefleet_contract.wire.reason_codes import Reason

BASE = "edgefleet://metadata/"
PATHS_MAX = 10_000
ROOT_BYTES_MAX = 512_000
DETAIL_CHARS_MAX = 500

_REASONS: tuple[tuple[type[Exception], Reason], ...] = (
    (ExpiredMetadataError, Reason.METADATA_EXPIRED),
    (BadVersionNumberError, Reason.METADATA_ROLLBACK),
    (LengthOrHashMismatchError, Reason.METADATA_MISMATCH),
    (DownloadHTTPError, Reason.METADATA_MISMATCH),
    (UnsignedMetadataError, Reason.UNSIGNED),
    (DownloadLengthMismatchError, Reason.METADATA_INVALID),
    (RepositoryError, Reason.METADATA_INVALID),
)
"""Reasons by kind of error; the first match counts. A file that is named but was not offered does not belong to the others:
METADATA_MISMATCH."""


def install_root(state: Path, root: bytes, *, replace: bool = False) -> None:
    """Install the trust root `root`, which came over a trusted channel (enrolment, a file).

    Does nothing if a root is stored already, unless `replace` is set: then metadata verified under the old root is discarded.

    Raises:
        InputError: it is not signed root metadata.
        StoreError: the disk cannot be written.
    """
    if not replace and _has_root(state):
        return
    if not trust_files.is_root(root):
        raise InputError("the trust root is not self-signed root metadata; get it from the server again")
    trust_files.write(state, {trust_files.ROOT: root})
    trust_files.keep_anchor(state, {trust_files.ROOT: root}, {}, None)


def install_root_file(state: Path, file: Path) -> None:
    """Install the trust root of the settings, as `install_root`.

    Raises:
        InputError: it cannot be read, or is not signed root metadata.
        StoreError: the disk cannot be written.
    """
    try:
        with file.open("rb") as source:
            install_root(state, source.read(ROOT_BYTES_MAX))
    except OSError as error:
        raise InputError(f"trust root {file}: {error.strerror}; correct `trust_root` in the settings") from error


def refresh(state: Path, offered: dict[str, bytes], at: float = 0.0) -> TrustVerdict:
    """Update the stored metadata under `state` with the files `offered` (none: verify the stored files again). Returns the
    verdict.

    Dates are judged by `at` (wall time) if the machine's clock is behind it.

    Raises:
        InputError: there is no trust root.
        StoreError: the disk cannot be written.
    """
    found_on_disk = trust_files.read(state)
    if found_on_disk is None:
        raise InputError(f"no trust root under {state}; `edgefleet-agent enroll URL --token-file FILE --again` brings it")
    stored = found_on_disk.files
    with as_store_error(Path("temporary files")), tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        for role, data in stored.items():
            if role != "root.json":
                (scratch / role).write_bytes(data)
        verdict = TrustVerdict()
        updater = Updater(name, BASE, fetcher=_Offered({**stored, **offered}), bootstrap=stored["root.json"])
        judged_at = datetime.fromtimestamp(max(at, time.time()), timezone.utc)
        updater._trusted_set.reference_time = judged_at  # noqa: SLF001 (it has no public way to set the time)
        try:
            updater.refresh()
            found = _roles(scratch)
            if "targets.json" in found:
                _load_team_targets(updater, scratch, found, {**stored, **offered}, verdict)
        except tuple(kind for kind, _ in _REASONS) as error:
            verdict = TrustVerdict(reason=_reason(error), detail=str(error)[:DETAIL_CHARS_MAX])
        found = _roles(scratch)
    older = _older(found, trust_files.versions_min(found[trust_files.ROOT], found_on_disk.anchor))
    if older:
        verdict, found = TrustVerdict(reason=Reason.METADATA_ROLLBACK, detail=older), stored
    if found != stored or found_on_disk.damage:
        trust_files.write(state, found)
    epochs = _lowest_epochs(found, trust_files.epochs_min(found[trust_files.ROOT], found_on_disk.anchor))
    trust_files.keep_anchor(state, found, epochs, found_on_disk.anchor)
    verdict.damage = found_on_disk.damage
    verdict.held = sorted(hashlib.sha256(data).hexdigest() for data in found.values())
    verdict.root_version = _signed(Root, found["root.json"]).version
    if verdict.reason is Reason.NONE:
        _fill_verdict(verdict, found)
        verdict.epochs = epochs
    return verdict


def appraise(state: Path, offered: dict[str, bytes], at: float, root: Path | None = None) -> list[TrustVerdict]:
    """Verdicts on the stored files alone, and with the files `offered`, as `refresh` gives them; nothing under `state` changes.
    root: trust root of the settings, used if none is stored.

    Raises:
        InputError: there is no trust root.
        StoreError: a file cannot be read, or the temporary folder cannot be written.
    """
    with as_store_error(Path("temporary files")), tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        trust_files.copy(state, scratch)
        if root is not None:
            install_root_file(scratch, root)
        try:
            return [refresh(scratch, files, at) for files in ({}, offered)]
        except InputError as error:
            raise InputError(str(error).replace(name, str(state))) from error


def _has_root(state: Path) -> bool:
    """False also for a stored root that the disk has damaged beyond repair: a trusted channel may bring it again."""
    try:
        return trust_files.read(state) is not None
    except InputError:
        return False


def _lowest_epochs(found: dict[str, bytes], known: dict[str, int]) -> dict[str, int]:
    """The lowest epoch that is taken, by package: the highest of those known and those that are signed, by the repository for any
    package, by a team for its own."""
    lowest = dict(known)
    if "targets.json" not in found:
        return lowest
    own = _signed(Targets, found["targets.json"])
    assert isinstance(own, Targets)
    teams = (own.delegations.roles if own.delegations is not None else None) or {}
    signed = [
        (own, None),
        *((_signed(Targets, found[f"{team}.json"]), role) for team, role in teams.items() if f"{team}.json" in found),
    ]
    for part, role in signed:
        named = part.unrecognized_fields.get(LOWEST_EPOCHS, {})
        for package, epoch in list(named.items())[:PATHS_MAX] if isinstance(named, dict) else ():
            if type(epoch) is int and 0 < epoch <= NUMBER_MAX and (role is None or role.is_delegated_path(f"{package}/0")):
                lowest[package] = max(epoch, lowest.get(package, 0))
    return lowest


def _older(found: dict[str, bytes], versions_min: dict[str, int]) -> str:
    """Names a role that is older than this device has seen; empty: none is."""
    for role, version in trust_files.versions(found).items():
        if version < versions_min.get(role, 0):
            return f"{role} has version {version}, this device has seen {versions_min[role]}"
    return ""


def _load_team_targets(
    updater: Updater, scratch: Path, found: dict[str, bytes], files: dict[str, bytes], verdict: TrustVerdict
) -> None:
    """Adds the targets signed by teams within their delegated paths to `verdict`; the updater walks the delegations.

    The paths to look up come from the teams' files before verification; only the updater's answer counts. A team whose metadata
    is missing, expired or signed by too few of its keys loses only its own packages.
    """
    own = _signed(Targets, found["targets.json"])
    assert isinstance(own, Targets)
    if own.delegations is None or not own.delegations.roles:
        return
    for team in own.delegations.roles:
        paths = [path for path in _delegated_paths(team, files) if path not in own.targets]
        try:
            for path in paths[:PATHS_MAX]:
                file = updater.get_targetinfo(path)
                signed = _signed_target(file) if file is not None else None
                if signed is not None:
                    signed.expires_at = _team_expiry(own.delegations.roles, path, scratch)
                    verdict.targets[path] = signed
        except tuple(kind for kind, _ in _REASONS) as error:
            verdict.refused |= {path: _reason(error) for path in paths if path not in verdict.targets}


def _team_expiry(roles: dict[str, DelegatedRole], path: str, scratch: Path) -> float:
    """Earliest expiry (wall time) of the metadata of the teams that may sign `path`."""
    files = [scratch / f"{team}.json" for team, role in roles.items() if role.is_delegated_path(path)]
    return min(_signed(Targets, file.read_bytes()).expires.timestamp() for file in files if file.is_file())


def _delegated_paths(team: str, files: dict[str, bytes]) -> list[str]:
    """Paths listed in any file of the team, verified or not."""
    paths: list[str] = []
    with contextlib.suppress(RepositoryError, ValueError, AttributeError):
        for name in files:
            if name.split(".", 1)[-1] == f"{team}.json" or name == f"{team}.json":
                paths += Metadata[Targets].from_bytes(files[name]).signed.targets
    return paths


class _Offered(FetcherInterface):
    """Received metadata by URL, for the updater."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self._files = files

    def _fetch(self, url: str) -> Iterator[bytes]:
        name = url.removeprefix(BASE)
        if name not in self._files:
            raise DownloadHTTPError(f"the server did not offer {name}", 404)
        return iter((self._files[name],))


def _fill_verdict(verdict: TrustVerdict, found: dict[str, bytes]) -> None:
    targets = _signed(Targets, found["targets.json"])
    assert isinstance(targets, Targets)
    parts: list[Signed] = [targets, _signed(Root, found["root.json"])]
    parts += [_signed(Timestamp, found["timestamp.json"]), _signed(Snapshot, found["snapshot.json"])]
    verdict.expires_at = min(part.expires.timestamp() for part in parts)
    signed_at = parts[2].unrecognized_fields.get(SIGNED_AT, 0)
    if (
        isinstance(signed_at, int | float) and 0 < signed_at < verdict.expires_at
    ):  # who has the server's keys cannot end what others signed
        verdict.signed_at = float(signed_at)
    for path, file in targets.targets.items():
        signed = _signed_target(file)
        if signed is not None:
            verdict.targets[path] = signed


def _signed_target(file: TargetFile) -> SignedTarget | None:
    """Converts an entry of signed targets; None if it has no SHA-256, or an invalid epoch."""
    digest, epoch = file.hashes.get("sha256"), (file.custom or {}).get("epoch", 0)
    if digest is None or not isinstance(epoch, int) or epoch < 0:
        return None
    return SignedTarget(length=file.length, digest=digest, epoch=epoch)


def _signed(kind: type[Signed], data: bytes) -> Signed:
    """Parse metadata of one role that was verified before."""
    signed = Metadata[kind].from_bytes(data).signed  # type: ignore[valid-type]  # the role is a value here
    assert isinstance(signed, kind)
    return signed


def _reason(error: Exception) -> Reason:
    return next(reason for kind, reason in _REASONS if isinstance(error, kind))


def _roles(folder: Path) -> dict[str, bytes]:
    """The files of the roles, and of the teams that the updater has verified."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.json")) if path.is_file()}
