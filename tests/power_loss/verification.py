"""Looks up on a disk what a server has promised: in its database, its blobs, its signed metadata, its uploads and evidence."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tuf.api.exceptions import RepositoryError
from tuf.api.metadata import Metadata, Root, Snapshot, Targets, Timestamp

from edgefleet_contract.wire.messages import Stream
from edgefleet_server.registry.signing.keys import load_signer
from tests.power_loss.promises import Promises, Subject

Query = Callable[[str], list[tuple[Any, ...]]]
"""Runs a statement that SQLite and PostgreSQL have in common."""

_SAMPLE = '"outbox_records":'
_EVENT = '"id":"e'


def broken(promises: Promises, cut: int, query: Query, data: Path) -> tuple[int, list[str]]:
    """(acknowledged records that are missing, confirmed answers that are not true) at a cut. Each answer is one line."""
    lost = _lost_records(promises.records(cut), query)
    findings = _Findings(query, data)
    wrong = []
    for subject, values in sorted(promises.expected(cut).items()):
        found = findings.at(subject, values)
        if found not in values:
            wrong.append(f"{subject[0]} {subject[1]}: {found!r}, promised was {' or '.join(sorted(values))}")
    there = Counter((action, target) for action, target in query("SELECT action, target FROM audit WHERE status < 400"))
    for (action, target), count in promises.audits(cut).items():
        if there[action, target] < count:
            wrong.append(f"audit: {there[action, target]} of {count} entries {action} {target}")
    return lost, wrong


def _lost_records(promised: dict[tuple[str, str], int], query: Query) -> int:
    numbers: dict[tuple[str, str], set[int]] = {}
    for device, record in query("SELECT device, record FROM telemetry"):
        numbers.setdefault((device, Stream.TELEMETRY.value), set()).add(_number(record, _SAMPLE))
    for device, record in query("SELECT device, record FROM event"):
        numbers.setdefault((device, Stream.EVENTS.value), set()).add(_number(record, _EVENT))
    return sum(len(set(range(1, last + 1)) - numbers.get(of, set())) for of, last in promised.items())


def _number(record: str, mark: str) -> int:
    digits = record.partition(mark)[2]
    end = next(place for place, letter in enumerate(digits) if not letter.isdigit())
    return int(digits[:end])


class _Findings:
    """The values of subjects on the disk; each table is read once."""

    def __init__(self, query: Query, data: Path) -> None:
        self._query = query
        self._data = data
        self._tables: dict[str, dict[str, str]] = {}
        self._signed: dict[str, str] | None = None

    def at(self, subject: Subject, values: set[str]) -> str:
        kind, name = subject
        if kind == "package":
            return self._package(name)
        if kind == "trust":
            version = self._trust()["root version"]
            return next((value for value in sorted(values) if value <= version), version)
        if kind == "upload":
            return self._upload(name, values)
        if kind == "evidence":
            file = self._data / "evidence" / name
            return hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else "missing"
        if kind not in self._tables:
            self._tables[kind] = {str(row[0]): str(row[1]) for row in self._query(_TABLES[kind])}
        absent = "no" if "no" in values or "yes" in values else "missing"
        found = self._tables[kind].get(name, absent)
        return {"aborting": "aborted"}.get(found, found)

    def _package(self, name: str) -> str:
        if "package" not in self._tables:
            rows = self._query("SELECT name, version, digest, files FROM package WHERE retired_at IS NULL")
            self._tables["package"] = {
                f"{row[0]}/{row[1]}": json.dumps([row[2], json.loads(row[3]) if isinstance(row[3], str) else row[3]])
                for row in rows
            }
        if name not in self._tables["package"]:
            return "missing"
        digest, files = json.loads(self._tables["package"][name])
        for sha256 in (digest, *(file["sha256"] for file in files)):
            blob = self._data / "blobs" / sha256[:2] / sha256
            if not blob.is_file() or hashlib.sha256(blob.read_bytes()).hexdigest() != sha256:
                return f"blob {sha256[:12]} is {'damaged' if blob.is_file() else 'missing'}"
        return "stored" if self._trust().get(name) == digest else "not signed"

    def _trust(self) -> dict[str, str]:
        if self._signed is None:
            try:
                self._signed = read_trust(self._data / "trust")
            except (OSError, RepositoryError, ValueError, KeyError) as error:
                self._signed = {"root version": f"damaged: {error!r}"}
        return self._signed

    def _upload(self, name: str, values: set[str]) -> str:
        """Bytes may be there that were not confirmed; a finished one may be back, and go by age."""
        part, about = self._data / "uploads" / f"{name}.part", self._data / "uploads" / f"{name}.json"
        if "finished" in values:
            return "finished"
        if not part.is_file() or not about.is_file() or json.loads(about.read_bytes())["id"] != name:
            return "missing"
        promised = min(values, key=int)
        return promised if part.stat().st_size >= int(promised) else str(part.stat().st_size)


_TABLES = {
    "user": "SELECT name, role FROM person",
    "locked": "SELECT device, 'yes' FROM blocked_device",
    "rollout": "SELECT id, state FROM rollout",
    "setting": "SELECT name, CAST(CAST(CAST(value AS TEXT) AS REAL) AS BIGINT) FROM setting",
    "rule": "SELECT name, 'yes' FROM alert_rule",
    "group": "SELECT name, 'yes' FROM device_group",
    "channel": "SELECT c.model || '/' || c.name, p.version FROM channel c JOIN package p ON p.digest = c.package",
    "api token": "SELECT id, 'yes' FROM api_token",
    "enrolment": "SELECT id, 'yes' FROM enrolment_token",
    "identity": "SELECT device, COUNT(*) FROM device_certificate GROUP BY device",
    "used token": "SELECT id, CASE WHEN used_at IS NULL THEN 'no' ELSE 'yes' END FROM enrolment_token",
}


def read_trust(folder: Path) -> dict[str, str]:
    """Verify the signed metadata as a device would, from its first root on: the digest of each package, and `root version`.

    Raises:
        RepositoryError, OSError, ValueError: it is not complete, or a signature is wrong.
    """
    metadata = folder / "metadata"
    root = Metadata[Root].from_bytes((metadata / "1.root.json").read_bytes()).signed
    while (newer := metadata / f"{root.version + 1}.root.json").is_file():
        found = Metadata[Root].from_bytes(newer.read_bytes())
        root.verify_delegate(Root.type, found.signed_bytes, found.signatures)
        found.signed.verify_delegate(Root.type, found.signed_bytes, found.signatures)
        root = found.signed
    timestamp = Metadata[Timestamp].from_bytes((metadata / "timestamp.json").read_bytes())
    snapshot = Metadata[Snapshot].from_bytes((metadata / f"{timestamp.signed.snapshot_meta.version}.snapshot.json").read_bytes())
    targets = Metadata[Targets].from_bytes(
        (metadata / f"{snapshot.signed.meta['targets.json'].version}.targets.json").read_bytes()
    )
    for part in (timestamp, snapshot, targets):
        key = folder / "keys" / f"{part.signed.type}.pem"
        pending = key.with_name(f"{part.signed.type}.next.pem")
        known = {load_signer(file).public_key.keyid for file in (key, pending) if file.is_file()}
        if not known & set(root.roles[part.signed.type].keyids):
            raise ValueError(f"the key of {part.signed.type} is lost")
    digests = {path: target.hashes["sha256"] for path, target in targets.signed.targets.items()}
    return {**digests, "root version": str(root.version)}
