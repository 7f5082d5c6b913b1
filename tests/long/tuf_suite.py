"""Runs python-tuf's own updater tests, from the folder of its source, against this project's client, in a process of its own:
both have a package `tests`.

    python tests/long/tuf_suite.py FOLDER

It prints one JSON object: test -> "" if it passed, else the last line of its error.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import json
import shutil
import sys
import tempfile
import time
import types
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import tuf.ngclient
from tuf.api.exceptions import (
    BadVersionNumberError,
    DownloadHTTPError,
    DownloadLengthMismatchError,
    ExpiredMetadataError,
    LengthOrHashMismatchError,
    RepositoryError,
    UnsignedMetadataError,
)
from tuf.api.metadata import TargetFile
from tuf.ngclient import UpdaterConfig

from edgefleet_agent.model_store import trust_files
from edgefleet_agent.model_store.trust import TrustVerdict
from edgefleet_agent.model_store.tuf_client import install_root, refresh
from edgefleet_contract.core.errors import EdgefleetError
from edgefleet_contract.wire.reason_codes import Reason

MODULES = ("top_level_update", "key_rotations", "consistent_snapshot", "delegation_graphs", "fetch_target", "validation")


class MismatchError(LengthOrHashMismatchError, DownloadHTTPError):
    """The kinds of errors behind `metadata_mismatch`."""

    def __init__(self, text: str) -> None:
        DownloadHTTPError.__init__(self, text, 404)


class InvalidError(DownloadLengthMismatchError, UnsignedMetadataError):
    """The kinds of errors behind `metadata_invalid` and `unsigned`."""


ERRORS: dict[Reason, type[Exception]] = {
    Reason.METADATA_EXPIRED: ExpiredMetadataError,
    Reason.METADATA_ROLLBACK: BadVersionNumberError,
    Reason.METADATA_MISMATCH: MismatchError,
    Reason.UNSIGNED: InvalidError,
    Reason.METADATA_INVALID: InvalidError,
}
_STATES: dict[str, Path] = {}


class DeviceUpdater:
    """The device's client with the interface of python-tuf's `Updater`. The state is one folder for each folder of metadata."""

    def __init__(self, metadata_dir: str, _metadata_url: str = "", *rest: Any, **named: Any) -> None:
        self._folder = Path(metadata_dir)
        self._repository: Any = named.get("fetcher") or rest[2]
        self.config: UpdaterConfig = UpdaterConfig()
        if metadata_dir not in _STATES:
            _STATES[metadata_dir] = Path(tempfile.mkdtemp(prefix="tuf-suite-"))
            atexit.register(shutil.rmtree, _STATES[metadata_dir], ignore_errors=True)
        self._state = _STATES[metadata_dir]
        self._verdict = TrustVerdict()
        self._bootstrap: bytes | None = named.get("bootstrap")

    def refresh(self) -> None:
        """Verify all that the repository has."""
        try:
            self._adopt()
            self._verdict = refresh(self._state, self._offered(), time.time())
        except EdgefleetError as error:
            raise OSError(str(error)) from error
        self._folder.mkdir(parents=True, exist_ok=True)
        for name, data in self._stored().items():
            (self._folder / name).write_bytes(data)
        if self._verdict.reason is not Reason.NONE:
            raise ERRORS[self._verdict.reason](self._verdict.detail)

    def get_targetinfo(self, path: str) -> TargetFile | None:
        """A target that the device would take."""
        if not self._verdict.expires_at:
            self.refresh()
        if path in self._verdict.refused:
            raise ERRORS[self._verdict.refused[path]](f"{path} is refused")
        found = self._verdict.targets.get(path)
        return None if found is None else TargetFile(found.length, {"sha256": found.digest}, path)

    def _stored(self) -> dict[str, bytes]:
        found = trust_files.read(self._state)
        return found.files if found is not None else {}

    def _adopt(self) -> None:
        """Take the folder of metadata, which a test may have changed, as the device's own."""
        found = {path.name: path.read_bytes() for path in self._folder.glob("*.json")} if self._folder.is_dir() else {}
        if not found:
            shutil.rmtree(self._state, ignore_errors=True)
        if self._bootstrap is not None:
            install_root(self._state, self._bootstrap)
        if found and found != self._stored():
            trust_files.write(self._state, found)

    def _offered(self) -> dict[str, bytes]:
        """The files of the repository, by the names under which a server offers them."""
        sim = self._repository
        files = {f"{number}.root.json": data for number, data in enumerate(sim.signed_roots, 1)}
        prefix = sim.root.consistent_snapshot

        def offer(role: str, version: int | None) -> None:
            with contextlib.suppress(RepositoryError, DownloadHTTPError, KeyError):
                data = sim.fetch_metadata(role, version if prefix else None)
                files[f"{version}.{role}.json"] = files[f"{role}.json"] = data

        offer("snapshot", sim.timestamp.snapshot_meta.version)
        for role in ("targets", *sim.md_delegates):
            meta = sim.snapshot.meta.get(f"{role}.json")
            if meta is not None:
                offer(role, meta.version)
        files["timestamp.json"] = sim.fetch_metadata("timestamp")
        return {name: data for name, data in files.items() if name == "timestamp.json" or name[0].isdigit()}


class _Results(unittest.TestResult):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def startTest(self, test: unittest.TestCase) -> None:  # noqa: N802 (unittest's name)
        super().startTest(test)
        self.found.setdefault(_name(test), "")

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:  # noqa: N802
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._note(test, err)

    def addError(self, test: unittest.TestCase, err: Any) -> None:  # noqa: N802
        self._note(test, err)

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:  # noqa: N802
        self._note(test, err)

    def _note(self, test: unittest.TestCase, err: Any) -> None:
        self.found[_name(test)] = f"{err[0].__name__}: {err[1]}".split("\n", maxsplit=1)[0][:200]


def _name(test: unittest.TestCase) -> str:
    return ".".join(test.id().split(".")[-3:]).removeprefix("test_updater_")


def run(folder: Path) -> dict[str, str]:
    """The result of each test; an error that a module cannot be imported counts as one."""
    sys.path.insert(0, str(folder))
    results = _Results()
    with mock.patch.object(tuf.ngclient, "Updater", DeviceUpdater), contextlib.redirect_stdout(io.StringIO()):
        for name in MODULES:
            module: types.ModuleType = __import__(f"tests.test_updater_{name}", fromlist=["x"])
            unittest.defaultTestLoader.loadTestsFromModule(module).run(results)
    return results.found


if __name__ == "__main__":
    print(json.dumps(run(Path(sys.argv[1])), indent=1))
