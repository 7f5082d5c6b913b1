"""Settings in `[serving]` of agent.toml reach the worker and have the effect of the options of `serve`."""

from __future__ import annotations

import argparse
import json
import shutil
import time
from pathlib import Path

import msgspec
import pytest

from edgefleet_agent.cli import serve
from edgefleet_agent.cli.internal import worker
from edgefleet_agent.cli.support.serving_options import as_options
from edgefleet_agent.settings import ServingSettings
from edgefleet_contract import worker_process as wire
from tests.agent.fakes.bench import Broker
from tests.agent.pipeline.scheduling.test_worker_server import Supervisor, start
from tests.agent.serving.mqtt.test_service import InferenceClient
from tests.packages import MakePackage

WAIT_S = 60.0
GIVEN = ServingSettings(
    http="127.0.0.1:1", grpc="127.0.0.1:2", tls_cert="/c", tls_key="/k", tls_client_ca="/ca", api_keys="/keys", rate_per_s=5.0,
    allow_unauthenticated=True, allowed_hosts=["cam", "cam.lan"], shared_memory=True,
    trace_file="/t", access_log="/a", otlp="http://c", otlp_share=0.5,
    mqtt="mqtt://b", mqtt_root="r", mqtt_user="u", mqtt_password_file="/p", mqtt_ca="/m",
    split={"gate": {"1.0.0": 95, "1.1.0": 5}},
)  # fmt: skip
NAMES = {"rate_per_s": "rate", "shared_memory": "allow_client_shm", "allowed_hosts": "allowed_host"}
"""Settings whose option has another name."""


@pytest.mark.parametrize("command", [worker, serve])
def test_every_setting_is_an_option(command: object) -> None:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)  # type: ignore[attr-defined]  # a module of a command
    needed = ["--fd", "3"] if command is worker else ["models"]
    parsed = vars(parser.parse_args([*needed, *as_options(GIVEN)]))
    plain = ServingSettings()
    for field in msgspec.structs.fields(GIVEN):
        if field.name == "unknown_fields":
            continue
        given = getattr(GIVEN, field.name)
        assert given != getattr(plain, field.name), f"{field.name}: this test has to give another value than the usual one"
        value = parsed[NAMES.get(field.name, field.name)]
        assert (str(value) if isinstance(value, Path) else dict(value) if isinstance(given, dict) else value) == given


@pytest.mark.system
@pytest.mark.skipif(shutil.which("mosquitto") is None, reason="mosquitto is not installed")
def test_a_worker_answers_over_a_broker_and_keeps_an_access_log(tmp_path: Path, data: Path, package: MakePackage) -> None:
    broker = Broker(tmp_path)
    broker.start()
    log = tmp_path / "access"
    address = f"mqtt://127.0.0.1:{broker.port}"
    supervisor = Supervisor(
        tmp_path, "--http", f"unix:{tmp_path / 'api.sock'}", "--access-log", str(log), "--mqtt", address, "--mqtt-root", "here"
    )
    try:
        supervisor.until(wire.Heartbeat)
        start(supervisor, data, package("ssd_mobilenet_v1"))
        asker = InferenceClient(broker.port, root="here")
        asker.ask("here/ssd_mobilenet_v1/infer", bytes(300 * 300 * 3))
        answer = json.loads(asker.next().payload)
        assert answer["model_name"] == "ssd_mobilenet_v1"
        asker.close()
    finally:
        supervisor.close()
        broker.stop()
    give_up_s = time.monotonic() + WAIT_S
    while not log.is_file() and time.monotonic() < give_up_s:
        time.sleep(0.05)
    assert log.is_file()


@pytest.mark.system
def test_a_listener_that_cannot_open_is_reported_and_cameras_continue(tmp_path: Path, data: Path, package: MakePackage) -> None:
    supervisor = Supervisor(
        tmp_path, "--http", f"unix:{tmp_path / 'api.sock'}", "--access-log", str(tmp_path / "none" / "access")
    )
    try:
        assert "access log" in supervisor.until(wire.WorkerFault).text
        start(supervisor, data, package("ssd_mobilenet_v1"))
    finally:
        supervisor.close()
