"""Real processes of brokers other than Mosquitto, with access rights of devices in each broker's own configuration.

NATS (`nats-server`): JetStream under MQTT 3.1.1. RabbitMQ (`rabbitmq-server`, MQTT plug-in): a user with a password, or a user
whom a certificate names, and topic permissions that pin each to its own branch.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path

import psutil

from edgefleet_contract.wire.topics import ROOT
from tests.fleet_server.fakes.server_process import eventually

RABBIT = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
START_S_MAX = 240.0
OWN_USERS = ("edgefleet-server", "edgefleet-blocks")
PASSWORD = "of-the-servers-own-users"

NATS_CONFIGURATION = """
server_name: fleet
listen: 127.0.0.1:{client}
jetstream {{ store_dir: "{folder}" }}
mqtt {{ port: {mqtt}, host: "127.0.0.1" }}
"""

RABBIT_CONFIGURATION = """
listeners.tcp = none
mqtt.listeners.tcp.default = 127.0.0.1:{plain}
mqtt.allow_anonymous = false
mqtt.vhost = /
mqtt.exchange = amq.topic
load_definitions = {folder}/definitions.json
log.console = true
log.console.level = warning
log.file = false
"""

RABBIT_TLS = """
mqtt.listeners.ssl.default = 127.0.0.1:{tls}
mqtt.ssl_cert_login = true
ssl_cert_login_from = common_name
ssl_options.cacertfile = {authority}
ssl_options.certfile = {certificate}
ssl_options.keyfile = {key}
ssl_options.verify = verify_peer
ssl_options.fail_if_no_peer_cert = true
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Process:
    """A broker that may be killed and started again on the same ports and files."""

    def __init__(self, folder: Path, command: Sequence[str], port: int, environment: dict[str, str] | None = None) -> None:
        self.port = port
        self.url = f"mqtt://127.0.0.1:{port}"
        self._log = folder / "broker.log"
        self._command = list(command)
        self._environment = {**os.environ, **(environment or {})}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Until it listens."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=self._environment, start_new_session=True
            )
        eventually("the broker listens", lambda: self._running() and listens(self.port), START_S_MAX)

    def kill(self) -> None:
        """SIGKILL to it and to what it started."""
        assert self._process is not None
        with contextlib.suppress(psutil.NoSuchProcess):
            broker = psutil.Process(self._process.pid)
            for process in [*broker.children(recursive=True), broker]:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
        self._process.wait(60.0)

    def _running(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self._log.read_text(errors="replace")[-2000:]
        return True


class Nats(Process):
    """A NATS server that speaks MQTT."""

    why_not = (
        "" if shutil.which("nats-server", path="/usr/sbin:/usr/bin:/usr/local/bin") else "no NATS: apt-get install nats-server"
    )

    def __init__(self, folder: Path) -> None:
        port, config = free_port(), folder / "nats.conf"
        config.write_text(NATS_CONFIGURATION.format(client=free_port(), folder=folder / "jetstream", mqtt=port))
        program = shutil.which("nats-server", path="/usr/sbin:/usr/bin:/usr/local/bin") or "nats-server"
        super().__init__(folder, [program, "-c", str(config)], port)


class Rabbit(Process):
    """A RabbitMQ with its MQTT plug-in. `devices`: user name → password; "": the certificate is enough.

    `papers` (authority of devices, own certificate, own key: PEM files) opens a listener that asks for certificates.
    """

    why_not = "" if RABBIT.is_file() else "no RabbitMQ: apt-get install rabbitmq-server"

    def __init__(self, folder: Path, devices: dict[str, str], certificates: tuple[Path, Path, Path] | None = None) -> None:
        home, port = folder / "rabbit", free_port()
        home.mkdir()
        self.tls_port, self._epmd = free_port(), free_port()
        text = RABBIT_CONFIGURATION.format(plain=port, folder=home)
        if certificates is not None:
            authority, certificate, key = certificates
            text += RABBIT_TLS.format(tls=self.tls_port, authority=authority, certificate=certificate, key=key)
        (home / "rabbitmq.conf").write_text(text)
        (home / "plugins").write_text("[rabbitmq_mqtt].\n")
        (home / "definitions.json").write_text(json.dumps(definitions(devices)))
        environment = {
            "HOME": str(home),
            "ERL_EPMD_PORT": str(self._epmd),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODENAME": f"edgefleet{port}@localhost",
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_CONFIG_FILE": str(home / "rabbitmq.conf"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(home / "plugins"),
            "RABBITMQ_MNESIA_BASE": str(home / "data"),
            "RABBITMQ_LOG_BASE": str(home / "log"),
            "RABBITMQ_FEATURE_FLAGS_FILE": str(home / "feature_flags"),
            "RABBITMQ_PID_FILE": str(home / "pid"),
        }
        super().__init__(folder, [str(RABBIT)], port, environment)

    def stop(self) -> None:
        """Stops it, and epmd, which Erlang leaves running."""
        self.kill()
        subprocess.run(["epmd", "-port", str(self._epmd), "-kill"], capture_output=True)


def definitions(devices: dict[str, str]) -> dict[str, object]:
    """The RabbitMQ definitions that an operator imports for a fleet (docs/brokers.md): users, permissions, topics of each device.

    A device may use its own queues and the topic exchange; the broker replaces `{username}` in a topic permission.
    """
    branch = re.escape(ROOT.replace("/", "."))
    queues = {device: f"mqtt-subscription-{re.escape(device)}qos[01]" for device in devices}
    own = [{"user": user, "vhost": "/", "configure": ".*", "write": ".*", "read": ".*"} for user in OWN_USERS]
    theirs = [
        {
            "user": user,
            "vhost": "/",
            "configure": f"^{queue}$",
            "write": rf"^(amq\.topic|{queue})$",
            "read": rf"^(amq\.topic|{queue})$",
        }
        for user, queue in queues.items()
    ]
    users = [{"name": user, "password": PASSWORD, "tags": ""} for user in OWN_USERS]
    users += [
        {"name": user, "password": password, "tags": ""} if password else {"name": user, "password_hash": "", "tags": ""}
        for user, password in devices.items()
    ]
    return {
        "users": users,
        "vhosts": [{"name": "/"}],
        "permissions": own + theirs,
        "topic_permissions": [
            {
                "user": user,
                "vhost": "/",
                "exchange": "amq.topic",
                "write": rf"^{branch}\.d\.{{username}}\.up\..*",
                "read": rf"^{branch}\.(d\.{{username}}\.down|b)\..*",
            }
            for user in devices
        ],
    }
