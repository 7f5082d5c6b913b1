"""Other MQTT libraries as hostile devices: paho, gmqtt and mqtt.js with a valid certificate, at a real broker and server.

    pytest -m long tests/long/test_hostile_clients.py

gmqtt comes from the package index and mqtt.js from npm, each into a temporary folder. Each client subscribes to everything,
publishes on foreign topics, floods with retained messages, sends payloads that are too long or no UTF-8, takes a foreign client
id, and leaves a will on the topic of another device. Nothing of the other device is read or changed. Floods against the server
are in `test_hostile_fleet.py`.
"""

from __future__ import annotations

import base64
import json
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import paho.mqtt.client as paho
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from paho.mqtt.enums import CallbackAPIVersion

from edgefleet_contract.encoding.codec import encode
from edgefleet_contract.mqtt.packets import connect
from edgefleet_contract.wire import topics
from edgefleet_contract.wire.messages import BlockRequest, PresenceMessage
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually, order
from tests.fleet_server.fakes.trust_metadata import request
from tests.import_path import import_path

pytestmark = [pytest.mark.long, pytest.mark.system, pytest.mark.timeout(900)]

CLIENTS = Path(__file__).with_name("hostile_clients")
VICTIM, THIEF = "press", "thief"
SECONDS = 4.0
RETAINED = 200


@dataclass
class Site:
    """A server, the victim's connection, and the files of both devices."""

    server: ServerProcess
    folder: Path
    port: int
    victim: paho.Client
    blob: str
    ended: list[str]
    received: list[str]

    def context(self, name: str) -> ssl.SSLContext:
        context = ssl.create_default_context(cafile=self.folder / "authority.crt")
        context.load_cert_chain(self.folder / f"{name}.pem")
        return context

    def plan(self, client_id: str) -> Path:
        """The attacks of one connection."""
        foreign = [topics.reported(VICTIM), topics.presence(VICTIM), topics.telemetry(VICTIM), topics.desired(VICTIM)]
        foreign += [topics.command(VICTIM), topics.desired(THIEF), topics.trust(), topics.broadcast_block(self.blob, 0)]
        flood = [f"{topics.ROOT}/d/{VICTIM}/up/{number}" for number in range(RETAINED)]
        own = [(topics.telemetry(THIEF), b"x" * 300_000), (topics.telemetry(THIEF), b'{"epoch": "\xff\xfe"}')]
        steal = encode(BlockRequest(blob=self.blob, ranges=[(0, 8)], reads_refusals=True))
        messages = [(topics.block_request(THIEF), steal, False), *((topic, b"{}", True) for topic in (*foreign, *flood))]
        messages += [(topic, payload, False) for topic, payload in own]
        plan = {
            "id": client_id, "port": self.port, "seconds": SECONDS, "will": topics.presence(VICTIM),
            "authority": str(self.folder / "authority.crt"), "identity": str(self.folder / f"{THIEF}.pem"),
            "subscribe": ["#", "+/+/+/+/+/#", topics.all_down(VICTIM), topics.ALL_UP, "$share/g/#", "$SYS/#"],
            "publish": [(topic, base64.b64encode(payload).decode(), retain) for topic, payload, retain in messages],
        }  # fmt: skip
        path = self.folder / f"plan-{client_id}.json"
        path.write_text(json.dumps(plan))
        return path


def enrol(server: ServerProcess, folder: Path, name: str) -> int:
    """Get a certificate for a device; returns the port of the broker."""
    key = ec.generate_private_key(ec.SECP256R1())
    token = server.post("/enrolment-tokens", {"device": name})["token"]
    issued = server.post("/enrol", {"token": token, "device": name, "request": request(name, key)})
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / f"{name}.pem").write_bytes(private + issued["certificate"].encode())
    (folder / "authority.crt").write_text(issued["authority"])
    return int(issued["broker_url"].rpartition(":")[2])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("hostile")
    server = ServerProcess(folder / "fleet", plain_devices=False).start()
    ready = server.state()["url"] + "/readyz"
    eventually("the server has its broker", lambda: server.http.get(ready).is_success)
    ports = [enrol(server, folder, name) for name in (VICTIM, THIEF)]
    digest = server.push(tar(files())).json()["digest"]
    victim = paho.Client(CallbackAPIVersion.VERSION2, client_id=VICTIM)
    made = Site(server, folder, ports[0], victim, digest, [], [])
    victim.tls_set_context(made.context(VICTIM))
    victim.on_disconnect = lambda *_: made.ended.append(VICTIM)
    victim.on_message = lambda _client, _data, message: made.received.append(message.topic)
    victim.on_connect = lambda *_: victim.subscribe(topics.all_down(VICTIM), 1)
    victim.connect("127.0.0.1", made.port)
    victim.loop_start()
    birth = PresenceMessage(
        device=VICTIM, online=True, boot="b", connection=1, agent_version="0.3.0", profile="cpu-x86", runtimes=["lite_rt"]
    )
    victim.publish(topics.presence(VICTIM), encode(birth), 1, retain=True)
    eventually("the victim is online", lambda: server.get("/overview")["online"] == 1)
    server.post("/rollouts", order("spotter", "1.0.0", [{"name": "all"}], selector={"ids": [VICTIM]}))
    eventually("it has its document", lambda: topics.desired(VICTIM) in made.received)
    yield made
    victim.disconnect()
    victim.loop_stop()
    server.stop()


def commands(folder: Path) -> dict[str, list[str]]:
    """The programs by library; those that cannot be installed are left out."""
    found = {"paho": [sys.executable, str(CLIENTS / "paho_client.py")]}
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder / "python"), "gmqtt==0.8.0"]
    if subprocess.run(pip, capture_output=True, check=False).returncode == 0:
        found["gmqtt"] = [sys.executable, str(CLIENTS / "gmqtt_client.py")]
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm and node:
        script = shutil.copy(CLIENTS / "mqttjs_client.cjs", folder)
        install = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), "mqtt@5.16.0"]
        if subprocess.run(install, capture_output=True, check=False, timeout=600).returncode == 0:
            found["mqtt.js"] = [node, str(script)]
    return found


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, list[str]]]:
    folder = tmp_path_factory.mktemp("clients")
    return folder, commands(folder)


@pytest.mark.parametrize("library", ["paho", "gmqtt", "mqtt.js"])
@pytest.mark.parametrize("client_id", [THIEF, VICTIM])
def test_nothing_of_another_device_is_read_or_changed(
    site: Site, programs: tuple[Path, dict[str, list[str]]], library: str, client_id: str
) -> None:
    folder, known = programs
    if library not in known:
        pytest.skip(f"{library} cannot be installed: no package index, or no Node.js with npm")
    before, own = device_row(site), len(site.received)
    environment = {
        "PYTHONPATH": f"{folder / 'python'}:{import_path()}",
        "PATH": "/usr/bin:/bin",
        "NODE_PATH": str(folder / "node_modules"),
    }
    command = [*known[library], str(site.plan(client_id))]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]
    came = set(json.loads(ended.stdout))
    shared = {topics.trust(), topics.authorities()}
    assert {topic for topic in came - shared if not topic.startswith(f"{topics.ROOT}/d/{THIEF}/down/")} == set()
    assert not any("/down/block/" in topic for topic in came), "the blob is not assigned to it"
    assert came & shared, "it was connected, and received what is for all devices"
    assert topics.block_refusal(THIEF) in came, "its request for blocks was refused"
    time.sleep(1.0)  # its will is published by now
    assert device_row(site) == before
    assert site.ended == []
    assert not [topic for topic in site.received[own:] if topic == topics.command(VICTIM)]


def test_topics_that_are_no_utf8_end_the_connection_and_nothing_else(site: Site) -> None:
    for topic in (b"edgefleet/\xff\xfe", b"\xc0\x80", b"edgefleet/v1/d/press/up/\x00"):
        line = site.context(THIEF).wrap_socket(
            socket.create_connection(("127.0.0.1", site.port), 5.0), server_hostname="127.0.0.1"
        )
        with line:
            line.sendall(connect(THIEF, 60, topics.presence(THIEF), b"{}"))
            assert line.recv(64)[:1] == b"\x20", "the broker takes the connection"
            body = len(topic).to_bytes(2, "big") + topic + b"payload"
            line.sendall(bytes((0x30, len(body))) + body)
            line.settimeout(10.0)
            assert line.recv(64)[:1] in (b"", b"\xe0"), "the broker ends it"
    assert site.ended == []
    assert site.server.get("/overview")["online"] >= 1


def device_row(site: Site) -> dict[str, object]:
    """The facts that the server has of the victim, and that a message could change."""
    row = site.server.get(f"/devices/{VICTIM}")
    fields = ("id", "online", "boot", "connection", "agent_version", "profile", "runtimes", "labels", "reported_labels")
    return {name: row[name] for name in (*fields, "generation_reported", "flapping")}
