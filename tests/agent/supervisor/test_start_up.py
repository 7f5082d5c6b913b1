"""The start: a trial that the last run did not finish begins anew once, and factory packages are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgefleet_agent.core import state_file
from edgefleet_agent.model_store.package_store import PackageStore
from edgefleet_agent.supervisor import factory_packages
from edgefleet_contract.core.errors import StoreError
from edgefleet_contract.wire.reason_codes import Reason
from tests.agent.fakes.device import SLOT, Bench, server_with
from tests.agent.fakes.packages import make_package

FACTORY = make_package("1.0.0", 1000)
GOOD = make_package("1.1.0", 1000, attempt="good")


def life(tmp_path: Path) -> Bench:
    factory = tmp_path / "factory"
    bench = Bench(tmp_path / "state", server_with(GOOD))
    bench.start(factory if factory.exists() else FACTORY.write(factory))
    return bench


def switched_off_in_a_trial(tmp_path: Path) -> None:
    bench = life(tmp_path)
    bench.desire(1, GOOD.target)
    for _ in range(50):
        if bench.record().trial is not None:
            break
        bench.turn()
    assert bench.record().trial is not None
    bench.close()


def test_an_interrupted_trial_is_repeated_once_and_then_rolled_back(tmp_path: Path) -> None:
    switched_off_in_a_trial(tmp_path)
    second = life(tmp_path)
    assert second.record().trial is not None
    assert second.device.processes.worker.trials.watch(SLOT) is not None
    second.close()
    third = life(tmp_path)
    record = third.record()
    assert (record.trial, record.active) == (None, FACTORY.digest)
    assert record.quarantine[GOOD.digest].reason is Reason.TRIAL_CRASH
    assert not third.faults.present()
    third.close()


def test_a_disk_that_takes_nothing_does_not_prevent_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    switched_off_in_a_trial(tmp_path)

    def refuse(path: Path, _data: bytes) -> None:
        raise StoreError(f"no space left for {path}")

    with monkeypatch.context() as patched:
        patched.setattr(state_file, "write_atomic", refuse)
        bench = life(tmp_path)
    trial = bench.record().trial
    assert trial is not None
    assert trial.interruptions == 1
    assert f"slot {SLOT} is kept in memory only" in bench.faults.texts()[f"{SLOT}.json"]
    bench.close()


def test_a_damaged_desired_state_is_a_fault_until_the_server_has_sent_it_again(tmp_path: Path) -> None:
    first = life(tmp_path)
    first.desire(1, FACTORY.target)
    first.close()
    (tmp_path / "state" / "desired.json").write_bytes(b"\0" * 100)
    second = life(tmp_path)
    assert "waiting for the next desired state" in second.faults.texts()["desired.json"]
    second.desire(1, FACTORY.target)
    assert not second.faults.texts()
    second.close()


def test_a_factory_package_without_room_is_reported_and_installed_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full at the very first start: once there is room, the slot runs without another start."""

    def refuse(_store: PackageStore, source: Path) -> object:
        raise StoreError(f"no space left for {source}")

    def refuse_record(path: Path, _data: bytes) -> None:
        raise StoreError(f"no space left for {path}")

    with monkeypatch.context() as patched:
        patched.setattr(PackageStore, "install_folder", refuse)
        patched.setattr(state_file, "write_atomic", refuse_record)
        bench = life(tmp_path)
        start_s = bench.clock.monotonic()
        factory_packages.turn(bench.device, start_s + factory_packages.RETRY_S)
        text = f"the factory package of slot {SLOT} runs from {tmp_path / 'factory'}, because it cannot be copied: no space left"
        assert bench.device.state.missing_factories[SLOT].startswith(text)
        bench.rest()
        assert bench.device.processes.worker.running[SLOT].digest == FACTORY.digest
        assert bench.device.stores.packages.folder(FACTORY.digest) == tmp_path / "factory"
    factory_packages.turn(bench.device, start_s + factory_packages.RETRY_S + 1.0)  # too early
    assert bench.device.stores.packages.is_in_place(FACTORY.digest)
    start_s = bench.clock.monotonic()
    factory_packages.turn(bench.device, start_s + 2 * factory_packages.RETRY_S)
    assert bench.device.state.missing_factories == {}
    assert (bench.record().active, bench.record().factory) == (FACTORY.digest, FACTORY.digest)
    bench.rest()
    assert bench.device.processes.worker.running[SLOT].digest == FACTORY.digest
    assert bench.device.stores.packages.folder(FACTORY.digest) == tmp_path / "state" / "packages" / FACTORY.digest
    assert (tmp_path / "factory" / "model.onnx").is_file()
    bench.close()


def test_a_factory_package_without_room_runs_again_after_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The slot's record may be on the disk, which a package of megabytes is not."""

    def refuse(_store: PackageStore, source: Path) -> object:
        raise StoreError(f"no space left for {source}")

    monkeypatch.setattr(PackageStore, "install_folder", refuse)
    for _ in range(2):
        bench = life(tmp_path)
        bench.rest()
        assert bench.device.processes.worker.running[SLOT].digest == FACTORY.digest
        bench.close()
    assert not (tmp_path / "state" / "packages" / FACTORY.digest).exists()


def test_a_factory_package_is_renewed_only_where_the_slot_has_none(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    bench = life(tmp_path)
    digest = bench.record().factory
    assert digest == FACTORY.digest
    (tmp_path / "factory" / "model.onnx").unlink()
    factory_packages.renew(bench.device, SLOT)
    factory_packages.renew(bench.device, "counter")  # which has no factory package
    assert caplog.messages == []
    bench.device.options.factories["counter"] = tmp_path / "factory"
    factory_packages.renew(bench.device, "counter")
    assert "no factory package for slot counter" in caplog.text
    bench.close()
