"""Our MQTT 3.1.1 against a real Mosquitto and against bytes cut at every place."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgefleet_contract.mqtt import packets
from edgefleet_server.simulate.devices import mqtt_client
from edgefleet_server.simulate.devices.mqtt_client import SimulatedMqttClient

ACCEPTED = b"\x20\x02\x00\x00"


class Recorder:
    """Ears that write down what they hear."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, bytes]] = []
        self.ups = 0
        self.text = ""

    def up(self) -> None:
        self.ups += 1

    def on_message(self, topic: str, payload: memoryview) -> None:
        self.messages.append((topic, bytes(payload)))

    def down(self, text: str) -> None:
        self.text = text


class Pipe(asyncio.Transport):
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.aborted = False
        self.waiting = 0

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return self.waiting

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += bytes(data)

    def abort(self) -> None:
        self.aborted = True


def line() -> tuple[SimulatedMqttClient, Recorder, Pipe]:
    ears, pipe = Recorder(), Pipe()
    made = SimulatedMqttClient(packets.connect("dev", 60, "will", b"gone"), ears)
    made.connection_made(pipe)
    return made, ears, pipe


@given(st.integers(0, 268_435_455))
def test_length_survives(size: int) -> None:
    """Every length that the standard allows is read as it was written."""
    coded = packets.length(size)
    assert packets.read_length(coded, 0) == (size, len(coded))
    assert packets.read_length(coded[:-1], 0) is None


@given(
    st.lists(st.tuples(st.text(min_size=1, max_size=20), st.binary(max_size=400), st.integers(0, 3)), max_size=8),
    st.lists(st.integers(1, 300), max_size=30),
)
def test_messages_survive_any_cut(messages: list[tuple[str, bytes, int]], cuts: list[int]) -> None:
    """A message split into pieces of any length is delivered whole, once and in order; each QoS 1 message gets its PUBACK."""
    made, ears, pipe = line()
    stream = ACCEPTED + b"".join(packets.publish(topic, data, number, retain=False) for topic, data, number in messages)
    pipe.written = b""
    for cut in cuts:
        made.data_received(stream[:cut])
        stream = stream[cut:]
    made.data_received(stream)
    assert ears.ups == 1
    assert ears.messages == [(topic, data) for topic, data, _ in messages]
    assert pipe.written == b"".join(b"\x40\x02" + number.to_bytes(2, "big") for _, _, number in messages if number)


@given(st.binary(max_size=200))
def test_noise_does_not_raise(data: bytes) -> None:
    """A broker that talks nonsense ends the connection at worst."""
    made, _, _ = line()
    made.data_received(data)


def test_refusal_and_back_pressure() -> None:
    """A refused CONNECT ends the line; a line whose buffer is full takes nothing more."""
    made, ears, pipe = line()
    made.data_received(b"\x20\x02\x00\x05")
    made.connection_lost(None)
    assert pipe.aborted
    assert "code 5" in ears.text
    made, ears, pipe = line()
    assert not made.say("topic", b"too early")
    made.data_received(ACCEPTED)
    assert made.say("topic", b"now")
    pipe.waiting = mqtt_client.WAITING_BYTES_MAX + 1
    assert not made.say("topic", b"too much")


def test_a_packet_without_end_is_refused() -> None:
    """Lengths over the limit are not waited for."""
    made, _, pipe = line()
    made.data_received(ACCEPTED + b"\x30" + packets.length(mqtt_client.PACKET_BYTES_MAX + 1))
    assert pipe.aborted


@pytest.mark.parametrize("cut", range(1, 5))
def test_a_length_of_five_bytes_is_refused(cut: int) -> None:
    """Also when it comes in pieces."""
    made, _, pipe = line()
    bad = b"\x30\xff\xff\xff\xff\x01"
    made.data_received(bad[:cut])
    made.data_received(bad[cut:])
    assert pipe.aborted
