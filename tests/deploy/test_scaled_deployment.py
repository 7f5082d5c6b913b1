"""Files for a scaled server: broker configurations in use; compose, Helm and systemd as far as they can be checked here."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import paho.mqtt.client as paho
import pytest
import yaml
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from edgefleet_contract.wire.topics import ROOT as TOPICS
from edgefleet_server.app.serve import add_arguments
from edgefleet_server.registry.identity.certificate_authority import CertificateAuthority
from tests.fleet_server.fakes.scaled_server import free_port, mosquitto
from tests.fleet_server.fakes.server_process import ROOT, eventually
from tests.fleet_server.fakes.trust_metadata import request

DEPLOY = ROOT / "deploy"
PASSWORD = "of-the-servers-own-users"


class Broker:
    """Mosquitto with the configuration of `deploy/brokers`, on other ports and in another folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        now = time.time()
        authority = CertificateAuthority(folder / "authority")
        authority.open(now)
        key, certificate = authority.broker_identity(["127.0.0.1", "localhost"], now)
        files = {"broker.key": key, "broker.crt": certificate, "authority.crt": authority.certificate.encode()}
        files["revoked.pem"] = authority.revocation_list([], 1, now)
        for name in ("press-07", "thief"):
            key_of = ec.generate_private_key(ec.SECP256R1())
            files[f"{name}.key"] = key_of.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
            files[f"{name}.crt"] = authority.issue(request(name, key_of), name, 1.0, now).certificate.encode()
        for name, data in files.items():
            (folder / name).write_bytes(data)
        for name in ("devices.acl", "server.acl"):
            shutil.copy(DEPLOY / "brokers" / name, folder / name)
        (folder / "passwords").touch()
        for user in ("edgefleet-server", "edgefleet-blocks"):
            subprocess.run(["mosquitto_passwd", "-b", str(folder / "passwords"), user, PASSWORD], check=True, capture_output=True)
        self.ports = {"8883": free_port(), "8884": free_port()}
        text = (DEPLOY / "brokers" / "mosquitto.conf").read_text()
        for meant, port in self.ports.items():
            text = text.replace(f"listener {meant}", f"listener {port} 127.0.0.1")
        text = text.replace("/etc/edgefleet/broker", str(folder)).replace("/var/lib/mosquitto/", f"{folder}/")
        (folder / "mosquitto.conf").write_text(text + "user root\n")
        self._log = (folder / "log").open("wb")
        self._process = subprocess.Popen([mosquitto(), "-c", str(folder / "mosquitto.conf")], stdout=self._log, stderr=self._log)

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        self._log.close()

    def client(self, name: str, user: str = "", password: str = PASSWORD) -> Client:
        return Client(self, name, user, password)


class Client:
    """A client of the broker: a device with a certificate, or a server process with user and password."""

    def __init__(self, broker: Broker, name: str, user: str, password: str) -> None:
        self.received: list[tuple[str, bytes]] = []
        self.answer = ""
        self._client = paho.Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=MQTTProtocolVersion.MQTTv5)
        self._client.on_connect = lambda _c, _d, _f, code, _p: setattr(self, "answer", str(code))
        self._client.on_message = lambda _c, _d, message: self.received.append((message.topic, message.payload))
        self._subscribed: list[int] = []
        self._client.on_subscribe = lambda _c, _d, mid, _codes, _p: self._subscribed.append(mid)
        identity = (None, None) if user else (str(broker.folder / f"{name}.crt"), str(broker.folder / f"{name}.key"))
        self._client.tls_set(str(broker.folder / "authority.crt"), *identity)
        if user:
            self._client.username_pw_set(user, password)
        port = broker.ports["8884" if user else "8883"]
        eventually("the broker answers", lambda: self._connected(port))
        self._client.loop_start()
        eventually("CONNACK", lambda: self.answer)

    def _connected(self, port: int) -> bool:
        try:
            self._client.connect("127.0.0.1", port)
        except ConnectionRefusedError:
            return False
        return True

    def subscribe(self, topic: str) -> None:
        _, mid = self._client.subscribe(topic, 1)
        eventually("SUBACK", lambda: mid in self._subscribed)

    def publish(self, topic: str, payload: bytes) -> None:
        self._client.publish(topic, payload, 1)

    def end(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    if shutil.which("mosquitto_passwd") is None:
        pytest.skip("mosquitto is not installed: apt-get install mosquitto")
    opened = Broker(tmp_path)
    yield opened
    opened.stop()


def test_mosquitto_lets_each_do_what_is_theirs(broker: Broker) -> None:
    """Two processes share the devices' messages, each message once; a device receives and takes no message of others."""
    up = f"{TOPICS}/d/press-07/up/events"
    takers = [broker.client(f"edgefleet-server-{n}", "edgefleet-server") for n in range(2)]
    for taker in takers:
        taker.subscribe(f"$share/secret-group/{TOPICS}/d/+/up/events")
    thief, press = broker.client("thief"), broker.client("press-07")
    thief.subscribe(f"$share/guess/{TOPICS}/d/+/up/events")
    thief.subscribe(f"{TOPICS}/d/press-07/down/cmd")
    for number in range(40):
        press.publish(up, str(number).encode())
        thief.publish(up, b"forged")
    eventually("every message came", lambda: sum(len(taker.received) for taker in takers) >= 40)
    takers[0].publish(f"{TOPICS}/d/press-07/down/cmd", b"not for the thief")
    press.subscribe(f"{TOPICS}/d/press-07/down/#")
    eventually("the press hears its own", lambda: _receives(takers[0], press))
    numbers = sorted(int(payload) for taker in takers for _, payload in taker.received)
    assert numbers == list(range(40))
    assert all(taker.received for taker in takers)
    assert thief.received == []
    for client in (*takers, thief, press):
        client.end()


def _receives(server: Client, device: Client) -> bool:
    server.publish(f"{TOPICS}/d/press-07/down/cmd", b"for you")
    time.sleep(0.1)
    return bool(device.received)


def test_mosquitto_knows_the_servers_users_by_password_only(broker: Broker) -> None:
    """A wrong one is refused."""
    stranger = broker.client("edgefleet-server", "edgefleet-server", "guessed")
    assert stranger.answer == "Not authorized"
    stranger.end()


def test_nats_reads_its_configuration() -> None:
    """Checks by `nats-server -t`, with paths and password of this machine."""
    program = shutil.which("nats-server", path="/usr/sbin:/usr/bin:/usr/local/bin")
    if program is None:
        pytest.skip("no NATS: apt-get install nats-server")
    environment = {"EDGEFLEET_BROKER_PASSWORD": PASSWORD}
    done = subprocess.run(
        [program, "-t", "-c", str(DEPLOY / "brokers" / "nats.conf")], env=environment, capture_output=True, text=True
    )
    unreadable = "broker.crt"  # everything before the certificates was understood
    assert done.returncode == 0 or unreadable in done.stderr, done.stderr


# -- compose, Helm, systemd


def _options() -> set[str]:
    """Options of `edgefleet serve`."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return {option for action in parser._actions for option in action.option_strings}


def _options_used(arguments: list[str]) -> set[str]:
    return {argument.partition("=")[0] for argument in arguments if argument.startswith("--")}


def test_compose_uses_existing_options() -> None:
    """Every role uses existing options and files."""
    compose = yaml.safe_load((DEPLOY / "compose" / "compose.yaml").read_text())
    roles = {name: its["command"] for name, its in compose["services"].items() if "command" in its}
    assert set(roles) == {"api", "ingest", "engine"}
    for name, command in roles.items():
        assert command[:3] == ["serve", "--role", name]
        assert _options_used(command) <= _options()
    assert (DEPLOY / "compose" / compose["x-server"]["build"]["dockerfile"].removeprefix("deploy/compose/")).is_file()
    assert (DEPLOY / "compose" / "../brokers/mosquitto.conf").is_file()


def test_secrets_are_made_once(tmp_path: Path) -> None:
    """A certificate that the broker's own authority signed, for the name that was given; a second run changes nothing."""
    for program in ("openssl", "mosquitto_passwd"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    shutil.copytree(DEPLOY, tmp_path / "deploy")
    script = str(tmp_path / "deploy" / "compose" / "prepare.sh")
    secrets = tmp_path / "deploy" / "compose" / "secrets"
    made = []
    for _ in range(2):
        done = subprocess.run(["sh", script, "fleet.example.org"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert "still missing: secrets/broker/authority.crt" in done.stderr
        made.append({path: path.read_bytes() for path in secrets.rglob("*") if path.is_file()})
    assert made[0] == made[1]
    checked = ["openssl", "verify", "-CAfile", str(secrets / "broker" / "broker-ca.crt"), "-verify_hostname", "fleet.example.org"]
    assert subprocess.run([*checked, str(secrets / "broker" / "broker.crt")], capture_output=True).returncode == 0
    assert (secrets / "server.env").stat().st_mode & 0o077 == 0
    database = dict(line.split("=", 1) for line in (secrets / "postgres.env").read_text().splitlines())
    assert database["POSTGRES_PASSWORD"] in (secrets / "server.env").read_text()


def _rendered(values: dict[str, Any]) -> list[dict[str, Any]]:
    """The chart's documents: by `helm template` where there is one, else by the few words of it that the chart uses."""
    chart = DEPLOY / "helm" / "edgefleet"
    documents: list[dict[str, Any]] = []
    for path in sorted((chart / "templates").glob("*.yaml")):
        text = _render(path.read_text(), {"Values": values, "Release": {"Name": "fleet"}})
        documents += [one for one in yaml.safe_load_all(text) if one]
    return documents


_WORD = re.compile(r"{{-?\s*(.*?)\s*-?}}")


def _render(text: str, scope: dict[str, Any]) -> str:
    """Supports range over a map, if, if not, end, values and `default (printf …)`; anything else fails."""
    lines, out = text.splitlines(), []

    def value(expression: str, names: dict[str, Any]) -> Any:
        first, _, rest = expression.partition(" | default ")
        found: Any = names if first.startswith(("$.", ".")) else names["$"]
        for part in first.lstrip("$").lstrip(".").split("."):
            found = found[part]
        if found in ("", None) and rest:
            shape, name = re.fullmatch(r'\(printf "(.*)" (\S+)\)', rest).groups()  # type: ignore[union-attr]
            return shape % value(name, names)
        return found

    def block(at: int, names: dict[str, Any], show: bool) -> int:
        while at < len(lines):
            words = _WORD.findall(lines[at])
            only = words[0] if words and _WORD.sub("", lines[at]).strip() == "" else ""
            if only == "end":
                return at
            if only.startswith("range "):
                key, its, where = re.fullmatch(r"range \$(\w+), \$(\w+) := (\S+)", only).groups()  # type: ignore[union-attr]
                entries = value(where, names)
                for name, entry in entries.items():
                    end = block(at + 1, {**names, key: name, its: entry, "$": {key: name, its: entry}}, show)
                at = end
            elif only.startswith("if "):
                required = not only.startswith("if not ")
                truth = bool(value(only.removeprefix("if ").removeprefix("not "), names)) is required
                at = block(at + 1, names, show and truth)
            elif show:
                out.append(_WORD.sub(lambda match: str(_of(match[1], names, value)), lines[at]))
            at += 1
        return at

    block(0, scope, True)
    return "\n".join(out)


def _of(expression: str, names: dict[str, Any], value: Callable[[str, dict[str, Any]], Any]) -> Any:
    local = re.fullmatch(r"\$(\w+)((?:\.\w+)*)", expression)
    if local:
        found = names[local[1]]
        for part in local[2].split(".")[1:]:
            found = found[part]
        return found
    return value(expression, names)


def test_chart_makes_each_role_with_probes_and_a_budget() -> None:
    """Every mounted volume and secret is defined."""
    values = yaml.safe_load((DEPLOY / "helm" / "edgefleet" / "values.yaml").read_text())
    documents = _rendered(values)
    by_kind: dict[str, list[dict[str, Any]]] = {}
    for document in documents:
        by_kind.setdefault(document["kind"], []).append(document)
    assert {kind: len(found) for kind, found in by_kind.items()} == {
        "Deployment": 3, "PodDisruptionBudget": 3, "Service": 1, "PersistentVolumeClaim": 1,
    }  # fmt: skip
    for deployment in by_kind["Deployment"]:
        role = deployment["metadata"]["labels"]["app.kubernetes.io/component"]
        spec = deployment["spec"]["template"]["spec"]
        (container,) = spec["containers"]
        assert f"--role={role}" in container["args"]
        assert _options_used(container["args"]) <= _options()
        assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in spec["volumes"]}
        probes = {container[f"{name}Probe"]["httpGet"]["path"] for name in ("liveness", "readiness", "startup")}
        assert probes == {"/livez", "/readyz"}
        assert container["securityContext"]["readOnlyRootFilesystem"]
    values["storage"]["claim"], values["broker"]["sharedSubscriptions"] = "ours", False
    changed = _rendered(values)
    assert "PersistentVolumeClaim" not in [document["kind"] for document in changed]
    assert any(
        "--one-ingest" in d["spec"]["template"]["spec"]["containers"][0]["args"] for d in changed if d["kind"] == "Deployment"
    )


def test_helm_agrees() -> None:
    """Rendered by Helm itself, if it is installed."""
    if shutil.which("helm") is None:
        pytest.skip("no Helm here: https://helm.sh")
    chart = str(DEPLOY / "helm" / "edgefleet")
    assert subprocess.run(["helm", "lint", "--strict", chart], capture_output=True).returncode == 0
    done = subprocess.run(["helm", "template", "fleet", chart], capture_output=True, text=True, check=True)
    assert len([one for one in yaml.safe_load_all(done.stdout) if one]) == 8


def test_systemd_reads_the_unit_of_a_role(tmp_path: Path) -> None:
    """Checks by `systemd-analyze verify`; the role is the part of the instance name before the dash."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd here")
    text = (DEPLOY / "systemd" / "edgefleet-server@.service").read_text()
    program = tmp_path / "edgefleet"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for name in ("edgefleet-server@ingest-1.service", "edgefleet-server@.service"):
        (tmp_path / name).write_text(text.replace("/opt/edgefleet-server/bin/edgefleet", str(program)))
    unit = str(tmp_path / "edgefleet-server@ingest-1.service")
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, timeout=60.0)
    warnings = [line for line in done.stderr.splitlines() if "edgefleet-server@" in line]
    assert warnings == []
    script = re.search(r"/bin/sh -c '(.*)'", text)
    assert script is not None
    shell = script[1].replace("$$", "$").replace("%%", "%").replace("exec /opt/edgefleet-server/bin/edgefleet", "echo")
    environment = {"INSTANCE": "ingest-1", "ARGS": "--port 0", "CREDENTIALS_DIRECTORY": "/c", "PATH": "/usr/bin:/bin"}
    ran = subprocess.run(["sh", "-c", shell], env=environment, capture_output=True, text=True)
    assert ran.stdout.strip() == (
        "serve --data /var/lib/edgefleet-server --role ingest --broker-password-file /c/broker-password --port 0"
    )
