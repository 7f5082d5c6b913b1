"""Hostile bytes in every input of a device: they must have no effect. For the suite, the full run and the fuzzer.

Each `*_case` takes any bytes, plays them to a device, and raises AssertionError when something untrusted is taken; any exception
that the agent does not declare is a crash.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from edgefleet_agent.model_store.trust import endorse
from edgefleet_agent.model_store.tuf_client import install_root, refresh
from edgefleet_agent.supervisor import desired_state
from edgefleet_agent.supervisor.observation import observe
from edgefleet_contract.core.errors import EdgefleetError
from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.mqtt.events import ReceivedMessage
from edgefleet_contract.package.blob import BlobSpec, BlockPut
from edgefleet_contract.package.manifest import MANIFEST_FILE, read_descriptor, read_manifest
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import Desired
from edgefleet_contract.wire.reason_codes import Reason
from tests.agent.fakes.device import SLOT, Bench, server_with
from tests.agent.fakes.packages import make_package
from tests.agent.fakes.repository import Repository

FACTORY = make_package("1.0.0", 1000)
GOOD = make_package("1.1.0", 300_000, attempt="good")
UNSIGNED = make_package("6.6.6", 2000, attempt="evil")


@lru_cache
def ground() -> Path:
    return Path(tempfile.mkdtemp(dir="/dev/shm" if Path("/dev/shm").is_dir() else None, prefix="mutations-"))


@lru_cache
def device() -> Bench:
    """A device that receives many hostile messages in sequence."""
    root = ground() / "device"
    bench = Bench(root, server_with(GOOD))
    bench.start(FACTORY.write(ground() / "factory"))
    return bench


@lru_cache
def believer() -> tuple[Path, dict[str, bytes], Repository]:
    """A device's trust folder with one signed package, and a valid offer that is new to it."""
    state, repository = ground() / "believer", Repository()
    install_root(state, repository.roots[1])
    repository.add(FACTORY.target)
    refresh(state, repository.publish())
    repository.add(GOOD.target)
    return state, repository.publish(), repository


def desired_seed() -> bytes:
    return encode(Desired(device="d", generation=7, slots={SLOT: GOOD.target}, pipelines={"p": 'name = "p"'}))


def desired_case(data: bytes) -> None:
    """A desired document: a refused one changes nothing; an accepted one never makes the device run an absent package."""
    bench = device()
    uplink, before = bench.device.link.uplink, bench.device.state.desired
    message = uplink.handle(ReceivedMessage(topics.desired("d"), data, False), 0.0, 0.0)
    if not isinstance(message, Desired):
        assert bench.device.state.desired is before
        return
    desired_state.accept(bench.device, message)
    bench.device.state.desired = before
    observed = observe(bench.device, 0.0, 0.0)
    assert observed.slots[SLOT].record.active == FACTORY.digest


def manifest_seed() -> bytes:
    return GOOD.files[MANIFEST_FILE]


def manifest_case(data: bytes) -> None:
    """`model.toml` and descriptor: read or refused, nothing else."""
    with contextlib.suppress(EdgefleetError, UnicodeDecodeError):
        read_manifest(data.decode(), "fuzz")
    with contextlib.suppress(EdgefleetError):
        read_descriptor(data)


def descriptor_seed() -> bytes:
    return GOOD.blobs[GOOD.digest]


def block_seed() -> bytes:
    return f"{topics.block('d', GOOD.model.digest, 1)}\n".encode() + GOOD.blobs[GOOD.model.digest][131072:]


def block_case(data: bytes) -> None:
    """A block's topic and bytes: only the block that the descriptor names is stored."""
    head, _, body = data.partition(b"\n")
    bench, spec = device(), BlobSpec(GOOD.model.digest, GOOD.model.length, tuple(GOOD.model.blocks))
    topic = head.decode(errors="replace")
    bench.device.link.uplink.handle(ReceivedMessage(topic, body, False), 0.0, 0.0)
    found = topics.parse_block(topic)
    index = found[1] if found else 1
    put = bench.device.stores.packages.blobs.put(spec, index, body)
    honest = GOOD.blobs[GOOD.model.digest]
    expected = honest[index * 131072 : (index + 1) * 131072]
    assert (put in (BlockPut.VERIFIED, BlockPut.DUPLICATE)) <= (body == expected or put is BlockPut.DUPLICATE)
    if put is BlockPut.VERIFIED:
        assert body == expected
        bench.device.stores.packages.blobs.remove(spec.digest)


def metadata_seeds() -> dict[str, bytes]:
    return dict(believer()[1])


def metadata_case(name: str, data: bytes) -> None:
    """A file of signed metadata in place of the valid one: content without the keys' signature is refused."""
    state, files, _ = believer()
    beside = Path(tempfile.mkdtemp(dir=ground()))
    try:
        shutil.copytree(state / "trust", beside / "trust")
        verdict = refresh(beside, {**files, name: data})
        assert endorse(UNSIGNED.target, verdict, 0, 0.0).reason is not Reason.NONE
        for path, target in verdict.targets.items():
            honest = {f"{p.target.package}/{p.target.version}": p.target.digest for p in (FACTORY, GOOD)}
            assert honest.get(path) == target.digest, "only what was signed"
    except EdgefleetError:
        pass
    finally:
        shutil.rmtree(beside)
    written = {path.name for path in (state / "trust").iterdir()}
    assert written == {"anchor.json", "metadata.json"}


CASES: dict[str, tuple[Callable[[], bytes], Callable[[bytes], None]]] = {
    "desired": (desired_seed, desired_case),
    "manifest": (manifest_seed, manifest_case),
    "descriptor": (descriptor_seed, manifest_case),
    "block": (block_seed, block_case),
}
