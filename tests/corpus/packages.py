"""Packages as they travel: a model's folder and tar, an ensemble, a delta manifest, a bundle for a stick, an agent's archive."""

from __future__ import annotations

import hashlib
import io
import tempfile
from pathlib import Path

from msgspec.structs import replace

from edgefleet_contract.encoding.codec import encode, to_plain
from edgefleet_contract.package.delta import DeltaManifest, chunk_name, chunks
from edgefleet_contract.package.ensemble import EnsembleManifest, read_ensemble
from edgefleet_contract.package.manifest import (
    MANIFEST_FILE,
    Manifest,
    describe,
    digest_of,
    pack_descriptor,
    read_manifest,
)
from edgefleet_contract.package.usb_bundle import BLOBS_FOLDER, BUNDLE_FILE, UsbBundle
from edgefleet_contract.wire.messages import SlotTarget
from edgefleet_server.cli.models import push
from tests.agent.fakes.packages import RUNTIME, make_agent
from tests.corpus import samples
from tests.corpus.fixed import NOW
from tests.corpus.folder import write_json
from tests.corpus.toml_text import toml_text

FOLDER = "packages"
MODEL, TAR, ENSEMBLE, DELTA, BUNDLE, AGENT = "model", "model.tar", "ensemble", "delta.json", "bundle", "agent.zip"
DESCRIPTOR, MEANING, ENSEMBLE_MEANING = "descriptor.json", "model.json", "ensemble.json"
OLD = b"".join(hashlib.sha256(number.to_bytes(4, "big")).digest() for number in range(6000))
"""Of the file before, from which the delta is."""
NEW = OLD[:20_000] + b"inserted" + OLD[20_000:]


def manifest() -> Manifest:
    """Every field of a manifest, with references that fit."""
    whole = samples.full(Manifest)
    # An input is a state or a constant.
    inputs = [replace(whole.inputs[0], value=[]), replace(whole.inputs[0], feedback="", shape=[1])]
    variant = replace(whole.variants[0], name="cpu", format="onnx", files=["model.onnx"], runtimes=[RUNTIME], profiles=[])
    variant = replace(variant, inputs=inputs)
    golden = replace(whole.golden[0], input="golden/1.bin", expect="golden/1.json")
    tuned = [replace(tuning, variant="cpu") for tuning in whole.tuned]
    whole = replace(whole, name="noise", task="detection", inputs=inputs, variants=[variant])
    return replace(whole, golden=[golden], tuned=tuned, labels_file="labels.txt")


def files() -> dict[str, bytes]:
    """The files of the package, by path."""
    text = toml_text(to_plain(manifest()))
    found = {MANIFEST_FILE: text.encode(), "model.onnx": b"no model", "labels.txt": b"part\n"}
    return found | {"golden/1.bin": b"input", "golden/1.json": b"[]"}


def descriptor_of(contents: dict[str, bytes]) -> bytes:
    """The descriptor of a package with these files."""
    return pack_descriptor(read_manifest(contents[MANIFEST_FILE].decode(), MODEL), [describe(*item) for item in contents.items()])


def delta() -> DeltaManifest:
    """Instructions that assemble the new file from chunks."""
    view = memoryview(NEW)
    parts = [(length, chunk_name(view[at : at + length])) for at, length in chunks(view)]
    return DeltaManifest(files={hashlib.sha256(NEW).hexdigest(): parts})


def record(folder: Path) -> None:
    """Write the packages."""
    home, contents = folder / FOLDER, files()
    _write(home / MODEL, contents)
    head = descriptor_of(contents)
    (home / DESCRIPTOR).write_bytes(head)
    write_json(home / MEANING, samples.complete(read_manifest(contents[MANIFEST_FILE].decode(), MODEL)))
    with tempfile.TemporaryDirectory() as name:
        _write(Path(name) / MODEL, contents)
        tar = io.BytesIO()
        push.pack(Path(name) / MODEL, tar)
        (home / TAR).write_bytes(tar.getvalue())
    ensemble = samples.full(EnsembleManifest)
    text = toml_text(to_plain(ensemble))
    _write(home / ENSEMBLE, {MANIFEST_FILE: text.encode()})
    write_json(home / ENSEMBLE_MEANING, samples.complete(read_ensemble(text, ENSEMBLE)))
    (home / DELTA).write_bytes(encode(delta()))
    target = SlotTarget(package=manifest().name, version=manifest().version, digest=digest_of(head), length=len(head))
    bundle = {BUNDLE_FILE: encode(UsbBundle(target=target, trust=[], made_at=NOW)), f"{BLOBS_FOLDER}/{digest_of(head)}": head}
    blobs = {f"{BLOBS_FOLDER}/{hashlib.sha256(data).hexdigest()}": data for data in contents.values()}
    _write(home / BUNDLE, bundle | blobs)
    (home / AGENT).write_bytes(make_agent("0.2.0").files["agent.zip"])


def _write(folder: Path, contents: dict[str, bytes]) -> None:
    for path, data in contents.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
