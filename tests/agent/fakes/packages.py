"""Packages with random content, as stored by a server: a descriptor and blobs by digest."""

from __future__ import annotations

import io
import random
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from edgefleet_agent.updates.agent_versions import own_tag
from edgefleet_contract.package.blob import BlobSpec
from edgefleet_contract.package.manifest import MANIFEST_FILE, describe, digest_of, pack_descriptor, read_manifest
from edgefleet_contract.wire.messages import SlotTarget

RUNTIME = "onnx_runtime"

_MANIFEST = """\
name = "noise"
version = "{version}"
task = "detection"
description = "{description}"
epoch = {epoch}
labels = ["part"]

[head]
family = "yolox"

[[inputs]]
shape = [1, 3, 32, 32]

[[variants]]
name = "cpu"
format = "onnx"
files = ["model.onnx"]
runtimes = ["{runtime}"]
"""


@dataclass(frozen=True)
class Package:
    """A package. `blobs`: all blobs by SHA-256, including the descriptor."""

    target: SlotTarget
    files: dict[str, bytes]
    blobs: dict[str, bytes] = field(repr=False)

    @property
    def digest(self) -> str:
        return self.target.digest

    @property
    def model(self) -> BlobSpec:
        return BlobSpec.of(describe("model.onnx", self.files["model.onnx"]))

    def write(self, folder: Path) -> Path:
        """Write the package as a folder with `model.toml`."""
        folder.mkdir(parents=True)
        for path, data in self.files.items():
            (folder / path).write_bytes(data)
        return folder


_ONE_FILE_MANIFEST = """\
name = "{name}"
version = "{version}"
task = "{task}"

[head]
family = "{task}"

[[variants]]
name = "all"
format = "{task}"
files = ["{file}"]
runtimes = ["{runtime}"]
"""


def make_pipeline(name: str, version: str, document: str, *, attempt: str = "") -> Package:
    """A package with a pipeline of the fleet."""
    text = _ONE_FILE_MANIFEST.format(
        name=f"pipeline-{name}", version=version, task="pipeline", file="pipeline.toml", runtime="pipelines"
    )
    return _packed(text, {MANIFEST_FILE: text.encode(), "pipeline.toml": document.encode()}, attempt)


def make_agent(version: str, *, attempt: str = "") -> Package:
    """A version of the agent: an archive of two small modules."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as files:
        files.writestr(zipfile.ZipInfo("entry"), "edgefleet_agent\n")
        files.writestr(zipfile.ZipInfo("edgefleet_agent/version.py"), f"# version {version}\n")
    text = _ONE_FILE_MANIFEST.format(name="edgefleet-agent", version=version, task="agent", file="agent.zip", runtime=own_tag())
    return _packed(text, {MANIFEST_FILE: text.encode(), "agent.zip": archive.getvalue()}, attempt)


def make_package(
    version: str, length: int = 300_000, description: str = "", *, epoch: int = 0, runtime: str = RUNTIME, attempt: str = ""
) -> Package:
    """A package whose model is `length` bytes of noise that depends on the version."""
    text = _MANIFEST.format(version=version, description=description, epoch=epoch, runtime=runtime)
    files = {MANIFEST_FILE: text.encode(), "model.onnx": random.Random(version).randbytes(length)}
    return _packed(text, files, attempt)


def _packed(text: str, files: dict[str, bytes], attempt: str) -> Package:
    manifest = read_manifest(text, "model.toml")
    entries = [describe(path, data) for path, data in files.items()]
    descriptor = pack_descriptor(manifest, entries)
    digest = digest_of(descriptor)
    blobs = {entry.sha256: files[entry.path] for entry in entries} | {digest: descriptor}
    name, version = manifest.name, manifest.version
    return Package(
        SlotTarget(package=name, version=version, digest=digest, length=len(descriptor), attempt=attempt), files, blobs
    )
