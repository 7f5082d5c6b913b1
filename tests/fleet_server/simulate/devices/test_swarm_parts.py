"""The parts of virtual devices that need no line."""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.fleet import scale
from edgefleet_agent.backends import installed
from edgefleet_contract.package.manifest import FileEntry, describe, pack_descriptor, read_manifest
from edgefleet_contract.package.profile import choose_variant
from edgefleet_contract.wire.messages import Ack, SlotPhase, SlotTarget, Stream
from edgefleet_server.core.errors import InputError
from edgefleet_server.simulate.devices.blob_cache import BlobCache
from edgefleet_server.simulate.devices.counters import CountHistogram
from edgefleet_server.simulate.devices.device_behaviour import BadVersion, Connectivity, FleetModel, draw, fate, parse_profiles
from edgefleet_server.simulate.devices.fetching import RUNTIMES, STALL_S, Fetch
from edgefleet_server.simulate.devices.fleet import SOURCE_DEVICES_MAX, allow_files, loopback_sources
from edgefleet_server.simulate.devices.outbox import RECORDS_MAX, RESEND_S, Outbox
from edgefleet_server.simulate.scenarios import SCENARIOS
from edgefleet_server.simulate.simulate import add_arguments, model_of
from tests.fleet_server.fakes.packages import files
from tests.fleet_server.fakes.server_process import ROOT


def package(size: int = 300_000) -> tuple[SlotTarget, dict[str, bytes]]:
    """A target and its blobs by hash."""
    contents = files(size=size)
    entries = [describe(path, data) for path, data in contents.items()]
    descriptor = pack_descriptor(read_manifest(contents["model.toml"].decode(), "test"), entries)
    digest = hashlib.sha256(descriptor).hexdigest()
    blobs = {hashlib.sha256(data).hexdigest(): data for data in [*contents.values(), descriptor]}
    return SlotTarget(package="spotter", version="1.0.0", digest=digest, length=len(descriptor), attempt="1"), blobs


def serve(fetch: Fetch, blobs: dict[str, bytes], now: float = 0.0) -> int:
    """Answer everything that is asked until nothing is; blocks sent."""
    sent = 0
    while wants := fetch.wants(now):
        for want in wants:
            for first, count in want.ranges:
                for index in range(first, first + count):
                    block = blobs[want.blob][index * 131_072 : (index + 1) * 131_072]
                    assert fetch.take(want.blob, index, memoryview(block), now)
                    sent += 1
    return sent


def test_requests_name_all_missing_blocks() -> None:
    target, blobs = package(size=20 * 131_072)
    fetch = Fetch(target, "cpu-x86", BlobCache(), 2, set())
    largest: list[int] = []
    while wants := fetch.wants(0.0):
        for want in wants:
            assert sum(count for _, count in want.ranges) <= 2
            largest.append(sum(count for _, count in want.missing))
            for first, count in want.ranges:
                for index in range(first, first + count):
                    fetch.take(want.blob, index, memoryview(blobs[want.blob][index * 131_072 : (index + 1) * 131_072]), 0.0)
    assert max(largest) == 20
    assert largest[-1] <= 2


def test_fetches_what_it_needs_once() -> None:
    """Descriptor, manifest, files: each block once; a second device hashes nothing; a second fetch requests nothing."""
    target, blobs = package()
    shelf, stored = BlobCache(), set[str]()
    fetch = Fetch(target, "cpu-x86", shelf, 8, stored)
    assert serve(fetch, blobs) == 1 + 1 + 3 + 2
    assert fetch.done
    assert fetch.bytes_done == fetch.bytes_total
    hashed = shelf.hashed_blocks
    other = Fetch(target, "cpu-x86", shelf, 2, set())
    serve(other, blobs)
    assert other.done
    assert shelf.hashed_blocks == hashed
    assert Fetch(target, "cpu-x86", shelf, 8, stored).done


def test_wrong_and_unasked_blocks() -> None:
    """An invalid block is requested again; a block that is not missing changes nothing."""
    target, blobs = package()
    fetch = Fetch(target, "cpu-x86", BlobCache(), 8, set())
    assert fetch.wants(0.0)
    assert fetch.take(target.digest, 0, memoryview(b"nonsense"), 0.0) is False
    assert fetch.take("0" * 64, 0, memoryview(b"nonsense"), 0.0) is None
    assert not fetch.wants(STALL_S)
    assert [want.blob for want in fetch.wants(STALL_S + 0.1)] == [target.digest]
    fetch.ask_again()
    serve(fetch, blobs)
    assert fetch.done


@pytest.mark.parametrize(
    "manifest", sorted(ROOT.glob("firmware_models/*/*/model.toml")), ids=lambda path: "@".join(path.parts[-3:-1])
)
def test_a_virtual_device_runs_the_packages_of_the_repository(manifest: Path) -> None:
    """It says of itself what an agent says that has every runtime."""
    assert tuple(RUNTIMES) == installed.RUNTIMES
    assert choose_variant(read_manifest(manifest.read_text(), str(manifest)), "cpu-x86", RUNTIMES) is not None


def test_the_benchmark_has_devices_that_take_its_package() -> None:
    """Kinds of its own, so that its figures stay comparable whatever `simulate` does by default."""
    manifest = read_manifest(scale.MANIFEST.format(version="1.0.0"), "benchmark")
    profiles = parse_profiles(scale.PROFILES)
    assert profiles == {"cpu-x86": 2.0, "coral-usb": 1.0, "jetson-orin": 1.0}
    for profile in profiles:
        assert choose_variant(manifest, profile, RUNTIMES) is not None


def test_no_variant_fits() -> None:
    """The device finds out from the manifest."""
    contents = files(profiles='["jetson-orin"]')
    descriptor = pack_descriptor(
        read_manifest(contents["model.toml"].decode(), "test"), [describe(path, data) for path, data in contents.items()]
    )
    blobs = {hashlib.sha256(data).hexdigest(): data for data in [*contents.values(), descriptor]}
    digest = hashlib.sha256(descriptor).hexdigest()
    target = SlotTarget(package="spotter", version="1.0.0", digest=digest, length=len(descriptor))
    fetch = Fetch(target, "cpu-x86", BlobCache(), 8, set())
    serve(fetch, blobs)
    assert not fetch.fits


def test_shelf_refuses_what_has_no_hash() -> None:
    """A long file without block hashes cannot be verified, so no block of it is right."""
    entry = FileEntry(path="x", length=10**6, sha256="0" * 64)
    assert not BlobCache().is_right(entry, 0, memoryview(b"a"))


@given(st.lists(st.sampled_from(["add", "send", "ack", "half", "break"]), max_size=60))
def test_outbox_loses_nothing(steps: list[str]) -> None:
    """Whatever the order of events: a number leaves only when acknowledged, and batches have no gap before them."""
    box = Outbox("d", "e")
    stored = 0
    now = 0.0
    for step in steps:
        now += 1.0
        if step == "add":
            box.add({"n": box.made + 1})
        elif step == "send":
            batch = box.next(now)
            if batch is not None:
                assert batch.records[0]["n"] == batch.first_seq
                assert batch.first_seq <= stored + 1, "a gap"
                stored = max(stored, batch.records[-1]["n"])
        elif step == "break":
            box.ask_again()
        else:
            box.on_ack(Ack(stream=Stream.TELEMETRY, epoch="e", seq=stored if step == "ack" else stored // 2), now)
        assert box.acked + len(box) + box.lost == box.made
    while (batch := box.next(now)) is not None:
        last = batch.first_seq + len(batch.records) - 1
        box.on_ack(Ack(stream=Stream.TELEMETRY, epoch="e", seq=max(stored, last)), now)
    box.on_ack(Ack(stream=Stream.TELEMETRY, epoch="e", seq=box.made), now)
    assert len(box) == 0


def test_outbox_is_bounded_and_sends_again() -> None:
    """The oldest are dropped first and counted; without acks it sends everything again."""
    box = Outbox("d", "e")
    for number in range(RECORDS_MAX + 7):
        box.add({"n": number})
    assert box.lost == 7
    first = box.next(0.0)
    assert first is not None
    assert (first.first_seq, first.lost_before) == (8, 7)
    again = box.next(RESEND_S + 1.0)
    assert again is not None
    assert again.first_seq == 8
    assert box.on_ack(Ack(stream=Stream.TELEMETRY, epoch="another", seq=20), 40.0) == []
    assert box.on_ack(Ack(stream=Stream.TELEMETRY, epoch="e", seq=57), 40.0) == [40.0], "measured from the first time"
    assert box.acked == 50


def test_outbox_repeats_at_once_what_was_lost_on_the_way() -> None:
    """The acknowledgement of a later batch repeats the number from before the lost one; that is believed once."""

    def ack(seq: int) -> Ack:
        return Ack(stream=Stream.TELEMETRY, epoch="e", seq=seq)

    box = Outbox("d", "e")
    sent = []
    for now in (0.0, 5.0):
        box.add({"n": now})
        sent.append(box.next(now))
    assert [batch.first_seq for batch in sent if batch is not None] == [1, 2]
    assert box.on_ack(ack(0), 5.1) == []
    again = box.next(5.1)
    assert again is not None
    assert (again.first_seq, len(again.records), box.sent_again) == (1, 2, 1)
    box.add({"n": 10.0})
    assert box.next(10.0) is not None
    box.on_ack(ack(0), 10.1)
    assert box.next(10.1) is None
    assert box.on_ack(ack(3), 10.2) == pytest.approx([10.2, 5.2, 0.2])


def test_same_seed_same_fleet() -> None:
    """A fleet can be repeated; the bad version fails about as often as ordered, and only where it should."""
    model = FleetModel(seed=7, profiles={"a": 1, "b": 1}, bad=BadVersion("2.0.0", 0.5, "rollback", "a"))
    fleet = [draw(model, number) for number in range(400)]
    assert fleet == [draw(model, number) for number in range(400)]
    failed = [nature.profile for nature in fleet if fate(model, nature, "2.0.0").phase is not SlotPhase.COMMITTED]
    assert set(failed) == {"a"}
    assert 60 < len(failed) < 140
    assert all(fate(model, nature, "1.0.0").phase is SlotPhase.COMMITTED for nature in fleet)


def test_offline_rate_is_what_was_ordered() -> None:
    """Time away over all time."""
    model = FleetModel(offline_rate=0.2)
    away = stayed = 0.0
    for number in range(100):
        connectivity = Connectivity(model, draw(model, number))
        for _ in range(50):
            away += connectivity.away_s()
            stayed += connectivity.stay_s() or 0.0
    assert 0.17 < away / (away + stayed) < 0.23
    assert Connectivity(FleetModel(), draw(model, 1)).stay_s() is None


@pytest.mark.parametrize("text", ["cpu=x", "", "cpu=-1"])
def test_bad_profiles(text: str) -> None:
    """One line that says what to write."""
    with pytest.raises(InputError, match="--profiles"):
        FleetModel(profiles=parse_profiles(text))


def test_too_many_files() -> None:
    """More than the kernel gives anyone is refused with what to do about it."""
    with pytest.raises(InputError, match="ulimit -Hn"):
        allow_files(2**40)


@given(st.lists(st.floats(1e-4, 1e3), min_size=1, max_size=200))
def test_quantiles_are_close(times: list[float]) -> None:
    """Within the width of a bucket."""
    histogram = CountHistogram()
    for seconds in times:
        histogram.add(seconds)
    middle = sorted(times)[(len(times) + 1) // 2 - 1]
    assert middle / 1.1 <= histogram.quantile_s(0.5) <= middle * 1.1
    assert json.dumps(histogram.quantile_s(1.0))


def test_many_devices_connect_from_several_loopback_addresses() -> None:
    """One address has 28,000 local ports for one broker."""
    assert loopback_sources(SOURCE_DEVICES_MAX) == [None]
    assert loopback_sources(50_000) == [("127.0.0.2", 0), ("127.0.0.3", 0), ("127.0.0.4", 0)]


def test_every_scenario_is_a_fleet() -> None:
    for name in SCENARIOS:
        parser = argparse.ArgumentParser()
        add_arguments(parser)
        model = model_of(parser.parse_args(["--scenario", name, "--bad-version", "2.0.0"]))
        assert model != FleetModel(profiles=model.profiles, bad=BadVersion("2.0.0")), name


def test_an_option_replaces_that_of_the_scenario() -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    model = model_of(parser.parse_args(["--scenario", "flapping-line", "--offline-rate", "0.5"]))
    assert (model.offline_rate, model.away_s) == (0.5, 5.0)


def test_clocks_and_late_joiners_are_as_many_as_chosen() -> None:
    model = FleetModel(clock_days=21.0, late_rate=0.3, late_s=90.0)
    drawn = [draw(model, number) for number in range(2000)]
    assert max(abs(one.clock_s) for one in drawn) <= 21 * 86_400
    assert sum(abs(one.clock_s) > 7 * 86_400 for one in drawn) > 1000
    assert 0.25 < sum(one.begin_s == 90.0 for one in drawn) / 2000 < 0.35
    plain = draw(FleetModel(), 7)
    assert (plain.clock_s, plain.begin_s) == (0.0, 0.0)
    assert plain.latency_ms == drawn[7].latency_ms, "one draw does not change another"


def test_versions_that_stick_or_become_slower() -> None:
    one = draw(FleetModel(), 1)
    assert fate(FleetModel(bad=BadVersion("2.0.0", 1.0, "stuck")), one, "2.0.0").sticks
    slow = fate(FleetModel(bad=BadVersion("2.0.0", 1.0, "slow")), one, "2.0.0")
    assert (slow.phase, slow.slows) == (SlotPhase.COMMITTED, True)
