"""Permissions of a device with a certificate at a real broker: allowed and refused operations."""

from __future__ import annotations

import shutil
import socket
import ssl
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from edgefleet_contract.core.pinned_authority import pinned_context
from edgefleet_contract.wire import topics
from edgefleet_server.core.ports import is_listening
from edgefleet_server.link.broker_access import take_over
from edgefleet_server.link.mosquitto import DeviceListener, ManagedBroker
from edgefleet_server.registry.identity.authorities import Authorities
from edgefleet_server.registry.identity.certificate_authority import CertificateAuthority
from tests.fleet_server.fakes.server_process import eventually
from tests.fleet_server.fakes.trust_metadata import identity_file
from tests.fleet_server.registry.identity.test_authorities import signed_below
from tests.fleet_server.registry.identity.test_certificate_authority import make

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(
        shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") is None,
        reason="mosquitto is not installed: apt-get install mosquitto",
    ),
]

SERVER = "edgefleet-server"


class Client:
    """One MQTT connection and what it hears."""

    def __init__(self, port: int, client_id: str, context: ssl.SSLContext | None = None, password: str | None = None) -> None:
        self.received: list[tuple[str, bytes]] = []
        self.up = self.ended = False
        self.paho = paho.Client(
            CallbackAPIVersion.VERSION2, client_id=client_id, protocol=MQTTProtocolVersion.MQTTv5, reconnect_on_failure=False
        )
        if context is not None:
            self.paho.tls_set_context(context)
        if password is not None:
            self.paho.username_pw_set(client_id, password)
        self.paho.on_message = lambda _client, _data, message: self.received.append((message.topic, message.payload))
        self.paho.on_connect = self._connected
        self.paho.on_disconnect = self._disconnected
        self.paho.connect("127.0.0.1", port)
        self.paho.loop_start()

    def _connected(self, _client: object, _data: object, _flags: object, code: object, _properties: object) -> None:
        self.up = code == "Success"

    def _disconnected(self, *_: object) -> None:
        self.ended = True

    def say(self, topic: str, payload: bytes = b"x", *, retain: bool = False) -> None:
        self.paho.publish(topic, payload, 1, retain)

    def subscribe(self, *filters: str) -> None:
        for one in filters:
            self.paho.subscribe(one, 1)

    def close(self) -> None:
        self.paho.disconnect()
        self.paho.loop_stop()


class AccessBroker:
    """A broker with an authority; devices come by name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.authority = CertificateAuthority(folder / "authority")
        self.authority.open(time.time())
        key, certificate = self.authority.broker_identity(["127.0.0.1", "localhost"], time.time())
        authority = self.authority.chain.encode()
        revoked = self.authority.revocation_list([], 1, time.time())
        self.broker = ManagedBroker(
            folder / "broker", 0, DeviceListener("127.0.0.1", 0, authority, certificate, key, revoked), [SERVER]
        )
        self.serials: dict[str, str] = {}
        self.clients: list[Client] = []

    def context(self, name: str = "", authority: CertificateAuthority | None = None) -> ssl.SSLContext:
        context = pinned_context(self.authority.certificate)
        if name:
            file, self.serials[name] = identity_file(authority or self.authority, name, self.folder, time.time())
            context.load_cert_chain(file)
        return context

    def device(self, name: str, client_id: str = "") -> Client:
        self.clients.append(Client(self.broker.device_port, client_id or name, self.context(name)))
        eventually(f"{name} is connected", lambda: self.clients[-1].up)
        return self.clients[-1]

    def server(self) -> Client:
        """Hears everything."""
        self.clients.append(Client(self.broker.address.port, SERVER, password=self.broker.access.password))
        eventually("the server is connected", lambda: self.clients[-1].up)
        self.clients[-1].subscribe("edgefleet/#")
        return self.clients[-1]

    def close(self) -> None:
        for client in self.clients:
            client.close()
        self.broker.stop()


@pytest.fixture
def access(tmp_path: Path) -> Iterator[AccessBroker]:
    made = AccessBroker(tmp_path)
    made.broker.start()
    yield made
    made.close()


def refused(connect: Callable[[], Client]) -> bool:
    """Whether the broker does not take this connection."""
    try:
        client = connect()
    except (ssl.SSLError, ConnectionError):
        return True
    try:
        eventually("an answer", lambda: client.up or client.ended, 10.0)
        return not client.up
    finally:
        client.close()


def test_a_device_speaks_for_itself_only(access: AccessBroker) -> None:
    server, thief = access.server(), access.device("thief")
    forbidden = [
        topics.reported("victim"),
        topics.presence("victim"),
        topics.desired("victim"),
        topics.desired("thief"),
        topics.command("thief"),
        topics.trust(),
        topics.broadcast_block("0" * 64, 0),
        "edgefleet/v1/d/thief/other",
        "edgefleet/v1/d/thief",
        "anything",
    ]
    for topic in forbidden:
        thief.say(topic, retain=True)
    thief.say(topics.reported("thief"), b"mine")
    eventually("its own word arrives", lambda: (topics.reported("thief"), b"mine") in server.received)
    assert server.received == [(topics.reported("thief"), b"mine")]


def test_a_device_receives_its_own_topics_and_broadcasts(access: AccessBroker) -> None:
    server, victim, thief = access.server(), access.device("victim"), access.device("thief")
    victim.subscribe(topics.all_down("victim"))
    thief.subscribe(
        "#",
        "edgefleet/v1/d/+/down/#",
        topics.all_down("victim"),
        "edgefleet/v1/d/+/up/#",
        "$SYS/#",
        "$share/thieves/edgefleet/v1/d/+/up/#",
        "$share/thieves/edgefleet/v1/d/victim/down/#",
        "$share/thieves/#",
    )
    time.sleep(0.3)  # its subscriptions are in force
    for number in range(50):
        server.say(topics.command("victim"), b"%d" % number)
        victim.say(topics.telemetry("victim"), b"%d" % number)
    server.say(topics.trust(), b"for all")
    server.say(topics.command("thief"), b"for the thief")
    eventually("the victim has all", lambda: len(victim.received) == 50)
    eventually(
        "the server has all", lambda: len([1 for topic, _ in server.received if topic == topics.telemetry("victim")]) == 50
    )
    eventually("the thief has its own", lambda: (topics.command("thief"), b"for the thief") in thief.received)
    assert {topic for topic, _ in thief.received} == {topics.command("thief"), topics.trust()}


def test_a_client_id_cannot_be_taken_over(access: AccessBroker) -> None:
    server, victim = access.server(), access.device("victim")
    access.device("thief", client_id=SERVER)
    access.device("thief2", client_id="victim").say(topics.reported("victim"))
    victim.say(topics.reported("victim"), b"still here")
    eventually("both stay", lambda: (topics.reported("victim"), b"still here") in server.received)
    assert not server.ended
    assert not victim.ended
    assert len(server.received) == 1


def test_who_is_not_let_in(access: AccessBroker) -> None:
    stranger = CertificateAuthority(access.folder / "stranger")
    stranger.open(time.time())
    port, plain = access.broker.device_port, access.broker.address.port
    assert refused(lambda: Client(port, "nobody", access.context()))
    assert refused(lambda: Client(port, "thief", access.context("thief", stranger)))
    assert refused(lambda: Client(plain, SERVER))
    assert refused(lambda: Client(plain, SERVER, password="guess"))
    assert refused(lambda: Client(plain, "press-07", password=access.broker.access.password))
    assert not refused(lambda: Client(plain, SERVER, password=access.broker.access.password))
    secret = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (access.folder / "broker").iterdir()}
    assert {secret[name] for name in ("broker.key", "passwords")} == {0o600}
    assert access.broker.access.password not in repr(access.broker.access)


def test_a_device_that_is_blocked(access: AccessBroker) -> None:
    """The same moment, twice: a list that follows another one within a second counts too."""
    revoked: list[tuple[str, float]] = []
    for name in ("stolen-1", "stolen-2"):
        device, other = access.device(name), access.device(f"neighbour-of-{name}")
        context = ssl.create_default_context(cadata=access.authority.certificate)
        context.load_cert_chain(access.folder / f"{name}.pem")
        revoked.append((access.serials[name], time.time()))
        access.broker.revoke(access.authority.revocation_list(revoked, len(revoked), time.time()))
        eventually("no new session", lambda context=context: refused(lambda: Client(access.broker.device_port, "x", context)))
        assert take_over(access.broker.access, SERVER, [name])
        eventually("the old session ends", lambda device=device: device.ended)
        assert not other.ended


def test_an_authority_of_ones_own(tmp_path: Path) -> None:
    """RSA, made by OpenSSL before the first start: its devices come in, those of another one do not."""
    make(tmp_path / "authority")
    access = AccessBroker(tmp_path)
    access.broker.start()
    try:
        assert "plant devices" in access.authority.facts()["subject"]
        access.device("press-07")
        stranger = CertificateAuthority(tmp_path / "stranger")
        stranger.open(time.time())
        assert refused(lambda: Client(access.broker.device_port, "thief", access.context("thief", stranger)))
    finally:
        access.close()


def test_an_authority_below_a_companys_root(tmp_path: Path) -> None:
    """Its devices come in; those of the root itself, and of another authority below it, do not."""
    root = make(tmp_path / "root")
    for name in ("middle", "other"):
        chain, key = signed_below(root, tmp_path / f"made-{name}", name)
        folder = tmp_path / ("authority" if name == "middle" else name)
        folder.mkdir()
        (folder / "authority.crt").write_bytes(chain)
        (folder / "authority.key").write_bytes(key)
    access = AccessBroker(tmp_path)
    access.broker.start()
    try:
        access.device("press-07")
        for folder in (tmp_path / "other", root):
            stranger = CertificateAuthority(folder)
            stranger.open(time.time() + 1.0)
            assert refused(
                lambda stranger=stranger: Client(access.broker.device_port, "thief", access.context("thief", stranger))
            )
        access.broker.revoke(access.authority.revocation_list([(access.serials["press-07"], time.time())], 2, time.time()))
        context = pinned_context(access.authority.certificate)
        context.load_cert_chain(access.folder / "press-07.pem")
        eventually("it is blocked", lambda: refused(lambda: Client(access.broker.device_port, "x", context)))
    finally:
        access.close()


def test_a_broker_gets_another_authority_while_it_runs(access: AccessBroker, caplog: pytest.LogCaptureFixture) -> None:
    """The broker follows both steps of a rotation: devices of both come in, then those of the new one only."""
    authorities = Authorities(access.folder / "authority")
    authorities.open(time.time())
    files = {"old": identity_file(access.authority, "old", access.folder, time.time())[0]}
    authorities.begin(time.time())
    files["new"] = identity_file(authorities.newest, "new", access.folder, time.time())[0]
    overlap = authorities.bundle

    def comes_in(name: str) -> bool:
        context = pinned_context(overlap)
        context.load_cert_chain(files[name])
        return not refused(lambda: Client(access.broker.device_port, name, context))

    for welcome in ({"old", "new"}, {"new"}):
        key, certificate = authorities.broker_identity(["127.0.0.1"], time.time())
        revoked = authorities.revocation_list([], 1, time.time())
        trusted = authorities.broker_authorities.encode()
        port, before = access.broker.device_port, access.broker.pid
        access.broker.use(DeviceListener("127.0.0.1", 0, trusted, certificate, key, revoked))
        eventually(
            "it runs again",
            lambda before=before, port=port: access.broker.pid not in (None, before) and is_listening("127.0.0.1", port),
        )
        assert {each for each in files if comes_in(each)} == welcome
        assert access.broker.device_port == port
        if len(welcome) > 1:
            authorities.finish()
    assert "died" not in caplog.text


def test_a_certificate_that_is_suspended_and_let_in_again(access: AccessBroker) -> None:
    """A list without it that follows more than a second later counts."""
    device = access.device("flood")
    context = ssl.create_default_context(cadata=access.authority.certificate)
    context.load_cert_chain(access.folder / "flood.pem")
    suspended = [(access.serials["flood"], time.time())]
    access.broker.revoke(access.authority.revocation_list(suspended, 1, time.time()))
    eventually("no new session", lambda: refused(lambda: Client(access.broker.device_port, "x", context)))
    assert take_over(access.broker.access, SERVER, ["flood"])
    eventually("the old session ends", lambda: device.ended)
    time.sleep(1.1)
    access.broker.revoke(access.authority.revocation_list([], 2, time.time()))
    eventually("it is let in", lambda: not refused(lambda: Client(access.broker.device_port, "x", context)))


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_a_resumed_session_does_not_outlast_its_certificate(access: AccessBroker, version: ssl.TLSVersion) -> None:
    access.device("stolen")
    context = ssl.create_default_context(cadata=access.authority.certificate)
    context.minimum_version = context.maximum_version = version
    context.load_cert_chain(access.folder / "stolen.pem")
    port = access.broker.device_port
    session = _session(port, context)
    assert session is not None
    assert _session(port, context, session) is not None
    access.broker.revoke(access.authority.revocation_list([(access.serials["stolen"], time.time())], 1, time.time()))
    eventually("no new session", lambda: _session(port, context) is None)
    assert _session(port, context, session) is None


def _session(port: int, context: ssl.SSLContext, session: ssl.SSLSession | None = None) -> ssl.SSLSession | None:
    """Connect by MQTT 3.1.1; returns the TLS session, None if the broker does not answer CONNECT."""
    try:
        with (
            socket.create_connection(("127.0.0.1", port), 5.0) as plain,
            context.wrap_socket(plain, server_hostname="127.0.0.1", session=session) as line,
        ):
            line.sendall(bytes((0x10, 13, 0, 4)) + b"MQTT" + bytes((4, 2, 0, 60, 0, 1)) + b"x")
            return line.session if line.recv(4)[:1] == b"\x20" else None
    except (ssl.SSLError, ConnectionError):
        return None
