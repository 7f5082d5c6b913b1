"""Traffic splits in the service: configured before the versions are served, changed through the API, and persistent."""

from __future__ import annotations

import argparse
import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from edgefleet_agent.cli.support.serving_options import as_options, split
from edgefleet_agent.serving.models.traffic_split_store import MODELS_MAX, TrafficSplitStore
from edgefleet_agent.serving.protocol.errors import CallError
from edgefleet_agent.settings import read_settings
from edgefleet_contract import worker_process as wire
from edgefleet_contract.core.errors import InputError
from tests.agent.pipeline.scheduling.test_worker_server import FIRST, SECOND, Supervisor
from tests.agent.serving.models.test_slot_models import UnixConnection
from tests.packages import MakePackage

MODEL = "mobilenet_v2"
RUNTIMES = ["lite_rt", "onnx_runtime"]
SETTINGS = 'device = "cam-01"\n[serving]\nhttp = "127.0.0.1:0"\n[serving.split.gate]\n'


def test_the_settings_become_options(tmp_path: Path) -> None:
    file = tmp_path / "agent.toml"
    file.write_text(SETTINGS + '"1.0.0" = 95\n"1.1.0-rc.1" = 5\n')
    options = as_options(read_settings(file).serving)
    assert split(options[options.index("--split") + 1]) == ("gate", {"1.0.0": 95, "1.1.0-rc.1": 5})


@pytest.mark.parametrize("shares", ['"1.0.0" = 0', '"1.0.0" = -1', '"1.0.0" = 0.5', "one = 1", ""])
def test_an_invalid_share_is_reported_with_its_position(tmp_path: Path, shares: str) -> None:
    file = tmp_path / "agent.toml"
    file.write_text(SETTINGS + shares)
    with pytest.raises(InputError, match=r"split"):
        read_settings(file)


@pytest.mark.parametrize("text", ["gate", "gate=", "=1.0.0:1", "gate=1.0.0", "gate=1.0.0:x", "gate=:1", "gate=1.0.0:-1"])
def test_an_option_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="must be MODEL="):
        split(text)


def test_a_change_holds_until_the_configuration_changes(tmp_path: Path) -> None:
    file = tmp_path / "splits.json"
    planned = {"gate": {"1": 95, "2": 5}}
    TrafficSplitStore(planned, file).keep("gate", {"1": 50, "2": 50})
    TrafficSplitStore(planned, file).keep("other", {"7": 1})
    assert TrafficSplitStore(planned, file).standing() == {"gate": {"1": 50, "2": 50}, "other": {"7": 1}}
    assert TrafficSplitStore({"gate": {"1": 1}}, file).standing() == {"gate": {"1": 1}, "other": {"7": 1}}
    book = TrafficSplitStore(planned, file)
    book.keep("gate", {})
    assert TrafficSplitStore(planned, file).standing()["gate"] == {}
    book.keep("gate", planned["gate"])
    book.keep("other", {})
    assert file.read_text() == "{}"


def test_a_damaged_file_and_a_full_book(tmp_path: Path) -> None:
    file = tmp_path / "splits.json"
    file.write_text('{"gate": 3}')
    assert TrafficSplitStore({"gate": {"1": 1}}, file).standing() == {"gate": {"1": 1}}
    full = {f"m{number}": {"shares": {"1": 1}, "planned": {}} for number in range(MODELS_MAX)}
    file.write_text(json.dumps(full))
    with pytest.raises(CallError, match="more than"):
        TrafficSplitStore({}, file).keep("one too many", {"1": 1})
    with pytest.raises(CallError, match="cannot be stored"):
        TrafficSplitStore({}, tmp_path / "nowhere" / "splits.json").keep("gate", {"1": 1})


class Served:
    """A worker whose slots `first` and `second` hold two versions of one package."""

    def __init__(self, folder: Path, address: Path, packages: tuple[Path, Path]) -> None:
        options = ["--http", f"unix:{address}", "--splits", str(folder / "splits.json")]
        self.supervisor = Supervisor(folder, *options, "--split", f"{MODEL}=1.0.0:3,1.1.0:1")
        self.supervisor.until(wire.Heartbeat)
        for slot, package, digest in zip(("first", "second"), packages, (FIRST, SECOND), strict=True):
            named = {"slot": slot, "package": MODEL, "version": package.name, "digest": digest}
            request_id = self.supervisor.send(wire.SetSlot, **named, folder=str(package), runtimes=RUNTIMES)
            assert self.supervisor.done(request_id).ok
        self.line = UnixConnection(address)

    def versions(self, model: str, calls: int, body: bytes) -> Counter[str]:
        headers = {"Inference_Header_Content_Length": "0"}
        found = []
        for _ in range(calls):
            status, answer = self.line.ask("POST", f"/v2/models/{model}/infer", body, **headers)
            assert status == 200
            found += [version for version in ("1.0.0", "1.1.0") if f'"model_version":"{version}"'.encode() in answer]
        return Counter(found)

    def counted(self, model: str) -> dict[str, int]:
        rows = self.line.ask("GET", f"/v2/models/{model}/stats")[1]["model_stats"]
        return {each["version"]: each["inference_stats"]["success"]["count"] for each in rows}

    def close(self) -> None:
        self.line.close()
        self.supervisor.close()


@pytest.mark.system
def test_two_slots_share_the_calls_and_a_change_outlives_the_process(tmp_path: Path, package: MakePackage) -> None:
    newer = tmp_path / MODEL / "1.1.0"
    shutil.copytree(package(MODEL, copy=True), newer)
    manifest = (newer / "model.toml").read_text(encoding="utf-8")
    (newer / "model.toml").write_text(manifest.replace('version = "1.0.0"', 'version = "1.1.0"'), encoding="utf-8")
    packages, address, raw = (package(MODEL), newer), tmp_path / "api.sock", bytes(224 * 224 * 3)
    served = Served(tmp_path, address, packages)
    try:
        assert served.line.ask("GET", f"/v2/models/{MODEL}/split") == (200, {"1.0.0": 3, "1.1.0": 1})
        assert served.versions(MODEL, 8, raw) == {"1.0.0": 6, "1.1.0": 2}
        assert served.counted(MODEL) == {"1.0.0": 6, "1.1.0": 2}
        assert served.line.ask("GET", f"/v2/models/{MODEL}.picture/split") == (200, {"1.0.0": 3, "1.1.0": 1})
        changed = served.line.ask("POST", f"/v2/models/{MODEL}/split", b'{"1.0.0": 1, "1.1.0": 1}')
        assert changed == (200, {"1.0.0": 1, "1.1.0": 1})
        assert served.versions(MODEL, 4, raw) == {"1.0.0": 2, "1.1.0": 2}
    finally:
        served.close()
    served = Served(tmp_path, address, packages)
    try:
        assert served.line.ask("GET", f"/v2/models/{MODEL}/split") == (200, {"1.0.0": 1, "1.1.0": 1})
    finally:
        served.close()
