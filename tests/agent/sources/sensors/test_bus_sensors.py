"""Sensors on a CAN bus and on a broker, and kinds of other packages."""

from __future__ import annotations

import math
import socket
import struct
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from edgefleet_agent.sources.sensors.base import Reading
from edgefleet_agent.sources.sensors.can import FRAME, CanSensor, Signal
from edgefleet_agent.sources.sensors.mqtt import MqttSensor
from edgefleet_contract.core.errors import PipelineError, UnavailableError
from edgefleet_contract.pipeline.spec import SourceSpec
from tests.agent.fakes.bench import Broker

BUS = "vcan77"


@pytest.mark.parametrize(
    ("text", "data", "value"),
    [
        ("rpm=0CF00400x:24|16@1+*0.125", bytes([0, 0, 0, 0x68, 0x13, 0, 0, 0]), 621.0),
        ("t=100:0|8@1-+0", bytes([0xFE]) + bytes(7), -2.0),
        ("t=100:0|8@1+*0.5-40", bytes([200]) + bytes(7), 60.0),
        ("big=100:7|16@0+", bytes([0x12, 0x34]) + bytes(6), 0x1234),
        ("big=100:15|8@0-", bytes([0, 0xFF]) + bytes(6), -1.0),
        ("nibble=7FF:4|4@1+", bytes([0xA5]) + bytes(7), 10.0),
    ],
)
def test_values_are_cut_out_as_dbc_files_say(text: str, data: bytes, value: float) -> None:
    assert Signal.parse(text).read(data) == value


@pytest.mark.parametrize(
    "text", ["", "rpm", "rpm=800:0|8@1+", "rpm=100:60|8@1+", "rpm=100:0|65@1+", "rpm=20000000x:0|8@1+", "a=1:0|8@1+*x"]
)
def test_signals_that_cannot_be(text: str) -> None:
    with pytest.raises(PipelineError):
        CanSensor(SourceSpec(kind="can", uri="can0", options={"signals": text}))


def test_no_such_bus() -> None:
    with pytest.raises(UnavailableError, match="ip link set can987 up type can"):
        CanSensor(SourceSpec(kind="can", uri="can987", options={"signals": "a=100:0|8@1+"})).open()
    with pytest.raises(PipelineError, match="set uri to an interface like can0"):
        CanSensor(SourceSpec(kind="can", uri="../x", options={"signals": "a=100:0|8@1+"}))


@pytest.fixture
def bus() -> Iterator[socket.socket]:
    made = subprocess.run(["ip", "link", "add", BUS, "type", "vcan"], capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"this kernel has no virtual CAN bus: {made.stderr.strip()[:100]}")
    subprocess.run(["ip", "link", "set", BUS, "up"], check=True)
    try:
        with socket.socket(socket.AF_CAN, socket.SOCK_RAW, socket.CAN_RAW) as sender:
            sender.bind((BUS,))
            yield sender
    finally:
        subprocess.run(["ip", "link", "delete", BUS], check=True)


def test_a_virtual_bus(bus: socket.socket) -> None:
    sensor = CanSensor(SourceSpec(kind="can", uri=BUS, options={"signals": "rpm=100:0|16@1+, t=200:0|8@1-", "silence_s": 0.3}))
    sensor.open()
    for number, payload in ((0x100, struct.pack("<H", 900)), (0x300, b"\x01"), (0x200, b"\xfb")):
        bus.send(FRAME.pack(number, len(payload), payload.ljust(8, b"\0")))
    readings = sensor.readings()
    first, second = next(readings).values, next(readings).values
    assert first[0] == 900.0
    assert math.isnan(first[1])
    assert second == (900.0, -5.0)
    with pytest.raises(UnavailableError, match="silent"):
        next(readings)
    sensor.close()


class Plant:
    """Publishes messages for the test."""

    def __init__(self, port: int) -> None:
        self._client = paho.Client(CallbackAPIVersion.VERSION2)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def say(self, topic: str, payload: str, *, retain: bool = False) -> None:
        self._client.publish(topic, payload, qos=1, retain=retain).wait_for_publish(30)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def taken(sensor: MqttSensor, count: int) -> list[Reading]:
    readings = sensor.readings()
    return [next(readings) for _ in range(count)]


def test_readings_from_a_broker(broker: Broker) -> None:
    plant = Plant(broker.port)
    plant.say("plant/press/1", '{"motor": {"t": 1.0}, "p": 1}', retain=True)  # an old message
    options = {"channels": "motor.t, p", "time": "at", "silence_s": 30.0}
    sensor = MqttSensor(SourceSpec(kind="mqtt", uri=f"mqtt://127.0.0.1:{broker.port}/plant/+/1", options=options))
    sensor.open()
    time.sleep(0.3)  # the subscription is in transfer
    for payload in ("no json", "[]", '{"p": true}', '{"at": "x", "p": 2}', "[" * 5000):
        plant.say("plant/press/1", payload)
    plant.say("plant/press/1", '{"at": 1700000000.5, "motor": {"t": 21.5}, "p": 3}')
    plant.say("plant/mill/1", '{"at": 1700000001, "motor": {}, "p": 4}')
    first, second = taken(sensor, 2)
    assert first == Reading(1700000000.5, (21.5, 3.0))
    assert math.isnan(second.values[0])
    assert second.values[1] == 4.0
    broker.stop()
    with pytest.raises(UnavailableError):
        taken(sensor, 1)
    sensor.close()
    plant.close()


def test_a_plain_number_and_silence(broker: Broker) -> None:
    sensor = MqttSensor(SourceSpec(kind="mqtt", uri=f"mqtt://127.0.0.1:{broker.port}/t", options={"silence_s": 1.0}))
    sensor.open()
    plant = Plant(broker.port)
    over = threading.Event()

    def speak() -> None:
        while not over.wait(0.1):
            plant.say("t", "-3.25")

    thread = threading.Thread(target=speak, daemon=True)
    thread.start()
    assert taken(sensor, 1)[0].values == (-3.25,)
    over.set()
    thread.join()
    with pytest.raises(UnavailableError, match="no reading for 1 s"):
        for _ in sensor.readings():
            pass
    sensor.close()
    plant.close()


@pytest.mark.parametrize("uri", ["", "mqtt://", "mqtt://host", "http://host/t", "mqtt://me:geheim@host:x/t"])
def test_addresses_of_no_broker(uri: str) -> None:
    with pytest.raises(PipelineError, match="use a URL like mqtt://") as error:
        MqttSensor(SourceSpec(kind="mqtt", uri=uri))
    assert "geheim" not in str(error.value)


PLUG_IN = """
    from edgefleet_agent.sources.sensors.base import Reading, Sensor
    from edgefleet_agent.sources.base import Source, SourceInfo

    class Lamp(Sensor):
        def open(self):
            self.channels = ["lux"]
        def readings(self):
            yield Reading(1.0, (42.0,))
        def close(self):
            pass

    class Wall(Source):
        def open(self):
            return SourceInfo(4, 2, 1.0)
        def frames(self):
            return iter(())
        def close(self):
            self.stop()
"""


def test_kinds_of_an_installed_package(tmp_path: Path) -> None:
    """A third-party package, known by its entry points only; built-in kinds cannot be replaced."""
    (tmp_path / "lamp_kind.py").write_text(textwrap.dedent(PLUG_IN))
    info = tmp_path / "lamp_kind-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lamp-kind\nVersion: 1.0\n")
    sensors = "lamp = lamp_kind:Lamp\ncsv = lamp_kind:Lamp\nbroken = not_there:X\n"
    (info / "entry_points.txt").write_text(f"[edgefleet.sensors]\n{sensors}[edgefleet.sources]\nwall = lamp_kind:Wall\n")
    script = """
        import sys
        from edgefleet_agent.core import plugins
        from edgefleet_contract.pipeline.spec import SourceSpec
        from edgefleet_contract.core.errors import MissingError
        assert "lamp_kind" not in sys.modules
        assert "lamp" in plugins.names("sensors") and "wall" in plugins.names("sources")
        lamp = plugins.load("sensors", "lamp")(SourceSpec(kind="lamp"))
        lamp.open()
        assert [reading.values for reading in lamp.readings()] == [(42.0,)]
        assert plugins.load("sources", "wall")(SourceSpec(kind="wall")).open().width == 4
        assert plugins.load("sensors", "csv").__module__ == "edgefleet_agent.sources.sensors.csv"
        try:
            plugins.load("sensors", "broken")
        except MissingError as error:
            print(error)
    """
    root = Path(__file__).resolve().parents[4]
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        env={"PYTHONPATH": f"{root}:{tmp_path}", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "sensor 'broken' needs the Python module 'not_there'" in done.stdout
