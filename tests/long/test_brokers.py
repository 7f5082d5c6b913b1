"""The same fleet on other brokers than Mosquitto (`--broker`), over MQTT 3.1.1 where they speak no 5: an update by blocks, a
broker that dies while a camera counts, and every event in the server's table exactly once.

apt-get install nats-server rabbitmq-server; python -m pytest -m long tests/long/test_brokers.py
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgefleet_contract.mqtt.address import BrokerAddress, Login
from edgefleet_contract.mqtt.client import MqttClient
from edgefleet_contract.mqtt.events import Connected, Disconnected, LinkEvent, Outgoing, ReceivedMessage
from edgefleet_contract.wire import topics
from edgefleet_server.cli.models.push import push
from edgefleet_server.registry.identity.certificate_authority import CertificateAuthority
from edgefleet_server.simulate.conveyor import site
from edgefleet_server.simulate.conveyor.video import SiteCamera, write_site
from edgefleet_server.simulate.processes import Child
from tests.fleet_server.fakes.server_process import eventually
from tests.services.brokers import OWN_USERS, PASSWORD, Nats, Process, Rabbit
from tests.system.site import Deployment

pytestmark = [pytest.mark.long, pytest.mark.timeout(1200)]
nats_only = pytest.mark.skipif(bool(Nats.why_not), reason=Nats.why_not or "-")
rabbit_only = pytest.mark.skipif(bool(Rabbit.why_not), reason=Rabbit.why_not or "-")

PATIENCE_S = 300.0


class OnBroker(Deployment):
    """A deployment whose server uses an external broker (`options` of `edgefleet serve`)."""

    def __init__(self, folder: Path, *options: str) -> None:
        super().__init__(folder)
        self._options = options

    def start_server(self) -> None:
        argv = [sys.executable, "-m", "edgefleet_server", "serve", "--data", str(self.folder / "server"), *self._options]
        self._children["server"] = Child("server", [*argv, "--port", str(self.port)], self.folder / "server.log")
        self.wait("server and broker", lambda: self._health().get("broker", {}).get("state") == "up", PATIENCE_S)

    def add_plain(self, name: str, pipeline: str, url: str, password_file: Path | None = None) -> None:
        """An agent without a certificate."""
        files = site.write_agent(
            self.folder / "agents", device=name, pipeline=pipeline, factory=site.model_folder("1.0.0"), broker_url=url, labels={}
        )
        if password_file is not None:
            with files.config.open("a") as settings:  # [link] is the file's last table
                settings.write(f"password_file = {json.dumps(str(password_file))}\n")
        self.start_known_agent(files)

    def roll_out(self) -> None:
        push(self.rest, site.model_folder("1.1.0"))
        body = {
            "name": "to all",
            "package": site.MODEL,
            "version": "1.1.0",
            "slot": site.SLOT,
            "selector": {"all": True},
            "waves": [{"name": "all", "percent": 100.0}],
            "gate": {"error_percent_max": 100.0, "reported_min": 1, "offline_s": 600.0, "soak_s": 0.1},
            "policy": {"trial_s": 3.0, "trial_frames_min": 3, "shadow_s": 0.0},
            "wave_timeout_s": 600.0,
            "start": True,
        }
        self.rest.post("/rollouts", body)

    def stored(self, device: str) -> int:
        """A device's events in the server's table."""
        with self.database() as database:
            (rows,) = database.execute("SELECT count(*) FROM event WHERE device = ?", (device,)).fetchone()
        return int(rows)

    def outbox(self, device: str) -> int:
        """Number of records in the device's outbox."""
        output = subprocess.run(
            [sys.executable, "-m", "edgefleet_agent", "status", "--json", "--config", str(self.agents[device].config)],
            capture_output=True,
            text=True,
        ).stdout
        return int(json.loads(output)["outbox"]["records"]) if output else -1


@pytest.fixture
def camera(tmp_path: Path) -> SiteCamera:
    (camera,) = write_site(tmp_path / "site", cameras=1, seconds=6.0, seed=5)
    return camera


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[Nats]:
    broker = Nats(tmp_path)
    broker.start()
    yield broker
    broker.kill()


def secret(path: Path, text: str) -> Path:
    path.touch(0o600)
    path.write_text(f"{text}\n")
    return path


def story(deployment: OnBroker, broker: Process, devices: list[str]) -> None:
    """An update by blocks; then the broker is down for a while, and no counted record is lost or stored twice."""
    deployment.wait(
        "they run what they came with", lambda: all(deployment.running_version(name) == "1.0.0" for name in devices), PATIENCE_S
    )
    deployment.roll_out()
    deployment.wait("they are updated", lambda: all(deployment.running_version(name) == "1.1.0" for name in devices), PATIENCE_S)
    deployment.wait("and committed", lambda: all(deployment.slot(name).get("phase") == "committed" for name in devices))
    deployment.wait("events come", lambda: all(deployment.stored(name) >= 3 for name in devices))
    broker.kill()
    before = {name: deployment.outbox(name) for name in devices}
    deployment.wait("events wait on the device", lambda: all(deployment.outbox(name) >= before[name] + 5 for name in devices))
    waiting = {name: deployment.stored(name) + 5 for name in devices}
    broker.start()
    deployment.wait("they arrive", lambda: all(deployment.stored(name) >= waiting[name] for name in devices), PATIENCE_S)


@nats_only
def test_nats(nats: Nats, camera: SiteCamera, tmp_path: Path) -> None:
    deployment = OnBroker(tmp_path, "--broker", nats.url)
    try:
        deployment.start_server()
        deployment.add_plain("press", site.conveyor_pipeline(camera.video), nats.url)
        story(deployment, nats, ["press"])
        deployment.nothing_is_lost_or_doubled(["press"])
    finally:
        deployment.stop()


@rabbit_only
def test_rabbitmq_by_password_and_by_certificate(camera: SiteCamera, tmp_path: Path) -> None:
    """`press` has a password of its own; `lathe` enrols, and its certificate is its only credential."""
    authority = CertificateAuthority(tmp_path / "server" / "authority")
    authority.open(time.time())  # as a first start of the server does: the broker has to know whom to believe
    key, certificate = authority.broker_identity(["127.0.0.1"], time.time())
    certificates = (tmp_path / "server" / "authority" / "authority.crt", tmp_path / "broker.crt", tmp_path / "broker.key")
    certificates[1].write_bytes(certificate)
    secret(certificates[2], key.decode())
    rabbit = Rabbit(tmp_path, {"press": "of-the-press", "lathe": ""}, certificates)
    rabbit.start()
    password = secret(tmp_path / "own.password", PASSWORD)
    devices_url = f"mqtts://127.0.0.1:{rabbit.tls_port}"
    deployment = OnBroker(
        tmp_path, "--broker", rabbit.url, "--broker-password-file", str(password), "--device-broker", devices_url
    )
    try:
        deployment.start_server()
        pipeline = site.conveyor_pipeline(camera.video)
        deployment.add_plain("press", pipeline, rabbit.url, secret(tmp_path / "press.password", "of-the-press"))
        deployment.add_agent("lathe", pipeline, site.model_folder("1.0.0"))
        story(deployment, rabbit, ["press", "lathe"])
        is_blocked(deployment)
        deployment.nothing_is_lost_or_doubled(["press", "lathe"])
        pinned(rabbit)
    finally:
        deployment.stop()
        rabbit.stop()


class MqttSession:
    """A client with a device's password that tries forbidden operations."""

    def __init__(self, rabbit: Rabbit, user: str, password: str, listens_to: str) -> None:
        self.received: list[bytes] = []
        self.lost = threading.Event()
        self.up = threading.Event()
        self.link = MqttClient(
            BrokerAddress("127.0.0.1", rabbit.port),
            user,
            [(listens_to, 1)],
            self._deliver,
            lambda: (1, Outgoing(topics.presence(user), b"")),
            login=Login(user, password),
        )

    def _deliver(self, event: LinkEvent) -> None:
        if isinstance(event, Connected):
            self.up.set()
        elif isinstance(event, Disconnected):
            self.lost.set()
        elif isinstance(event, ReceivedMessage):
            self.received.append(event.payload)


def pinned(rabbit: Rabbit) -> None:
    """Another device's topics are refused by the broker, which ends the connection of a client that tries."""
    server = MqttSession(rabbit, OWN_USERS[0], PASSWORD, topics.presence("lathe"))
    thief = MqttSession(rabbit, "press", "of-the-press", topics.all_down("lathe"))
    for line in (server, thief):
        line.link.start()
    assert server.up.wait(60.0)
    assert thief.lost.wait(60.0), "listening to another device ends the connection"
    thief.link.close(None)
    liar = MqttSession(rabbit, "press", "of-the-press", topics.trust())
    liar.link.start()
    eventually("it is disconnected for its message", lambda: publishes_for_another(liar), 60.0)
    assert b"it is me" not in server.received
    assert server.received, "the server receives the device's own messages"
    for line in (server, liar):
        line.link.close(None)


def publishes_for_another(liar: MqttSession) -> bool:
    liar.link.publish(Outgoing(topics.presence("lathe"), b"it is me"))
    return liar.lost.wait(1.0)


def is_blocked(deployment: OnBroker) -> None:
    """The server ends the session and keeps the list of revoked certificates where the broker may read it."""
    folder = deployment.folder / "server" / "authority"
    before = (folder / "revoked.pem").read_bytes()
    deployment.rest.put("/devices/lathe/block", {"reason": "stolen"})
    assert (folder / "revoked.pem").read_bytes() != before
