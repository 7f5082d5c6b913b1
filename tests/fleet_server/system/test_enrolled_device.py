"""A device with a certificate at the server's own broker, on each database: signed in, stored, acknowledged."""

from __future__ import annotations

import ssl
import threading
from pathlib import Path

import paho.mqtt.client as paho
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from paho.mqtt.enums import CallbackAPIVersion

from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import TelemetryBatch
from tests.fleet_server.fakes.server_process import ServerProcess, eventually
from tests.fleet_server.fakes.trust_metadata import request
from tests.fleet_server.fakes.virtual_device import sample

NAME = "hall-1"


@pytest.fixture
def server(where: Path | str, tmp_path: Path) -> ServerProcess:
    options = ("--database", where) if isinstance(where, str) else ()
    return ServerProcess(tmp_path / "fleet", *options, plain_devices=False)


def enrolled(server: ServerProcess, folder: Path) -> tuple[ssl.SSLContext, int]:
    """The credentials of the device, and the port of the broker."""
    key = ec.generate_private_key(ec.SECP256R1())
    token = server.post("/enrolment-tokens", {"device": NAME})["token"]
    issued = server.post("/enrol", {"token": token, "device": NAME, "request": request(NAME, key)})
    file = folder / "identity.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(private + issued["certificate"].encode())
    context = ssl.create_default_context(cadata=issued["authority"])
    context.load_cert_chain(file)
    return context, int(issued["broker_url"].rpartition(":")[2])


def test_enrolled_device_is_acknowledged(server: ServerProcess, tmp_path: Path) -> None:
    server.start()
    acknowledged = threading.Event()
    device = paho.Client(CallbackAPIVersion.VERSION2, client_id=NAME)
    device.on_connect = lambda *_: device.subscribe(topics.ack(NAME))
    batch = TelemetryBatch(device=NAME, epoch="e", first_seq=1, records=[sample(1)])
    device.on_subscribe = lambda *_: device.publish(topics.telemetry(NAME), encode(batch), 1)
    device.on_message = lambda *_: acknowledged.set()
    try:
        ready = server.state()["url"] + "/readyz"
        eventually("the server has its broker", lambda: server.http.get(ready).is_success)
        context, port = enrolled(server, tmp_path)
        device.tls_set_context(context)
        device.connect("127.0.0.1", port)
        device.loop_start()
        assert acknowledged.wait(120.0)
        assert [row["id"] for row in server.get("/devices")["items"]] == [NAME]
    finally:
        device.disconnect()
        device.loop_stop()
        server.stop()
