"""Commands as a person types them, against a real server."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.fleet_server.conftest import MakeDevice
from tests.fleet_server.fakes.forked_programs import template
from tests.fleet_server.fakes.packages import files
from tests.fleet_server.fakes.server_process import ServerProcess, eventually
from tests.packages import MakePackage

pytestmark = pytest.mark.system


def edgefleet(*arguments: str, server: str = "") -> subprocess.CompletedProcess[str]:
    return template().run(arguments, {**os.environ, **({"EDGEFLEET_SERVER": server} if server else {})})


def write(folder: Path, contents: dict[str, bytes]) -> Path:
    for path, data in contents.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return folder


def classifier(data: Path) -> dict[str, bytes]:
    """The files of a package that `edgefleet model validate` accepts: a real model, without labels."""
    contents = files()
    text = contents["model.toml"].decode().replace('labels = ["person"]\n', "").replace("detection", "classification")
    text = text.replace('"yolox"', '"classification"').replace("[1, 32, 32, 3]", "[1, 128, 128, 3]").replace('"image"', '"input"')
    contents["model.toml"] = text.partition("[[golden]]")[0].encode()
    del contents["golden/one.jpg"], contents["golden/one.json"]
    contents["model.tflite"] = (
        data / "models/tflite/mobilenet_v1_0.25_128_quant/mobilenet_v1_0.25_128_quant.tflite"
    ).read_bytes()
    return contents


@pytest.mark.timeout(1200)
def test_from_push_to_watch(server: ServerProcess, device: MakeDevice, data: Path, tmp_path: Path) -> None:
    """The whole way on the command line: push, look, roll out, watch, label, command, events."""
    url = server.state()["url"]
    [device(f"dev-{number}") for number in range(3)]
    eventually("online", lambda: server.get("/overview")["online"] == 3)
    folder = write(tmp_path / "package", classifier(data))
    done = edgefleet("model", "push", str(folder), server=url)
    assert (done.returncode, "spotter@1.0.0 pushed" in done.stdout) == (0, True), done.stderr
    assert "already" in edgefleet("model", "push", str(folder), server=url).stdout
    assert json.loads(edgefleet("model", "show", "spotter", "--json", server=url).stdout)["version"] == "1.0.0"
    assert "cpu-int8" in edgefleet("model", "list", server=url).stdout

    pointed = edgefleet("channel", "set", "spotter", "stable", "1.0.0", "--note", "the first", server=url)
    assert pointed.stdout == "spotter@stable points to 1.0.0; existing rollouts do not change\n", pointed.stderr
    assert "the first" in edgefleet("channel", "history", "spotter", "stable", server=url).stdout
    assert "3 of 3 devices have a variant of spotter@1.0.0" in edgefleet("model", "coverage", "spotter@1.0.0", server=url).stdout
    assert "a channel points to it" in edgefleet("model", "prune", "--keep", "1", server=url).stdout
    dry = edgefleet("rollout", "create", "spotter@stable", "--waves", "1,rest", "--dry-run", server=url)
    assert "3 devices will be updated" in dry.stdout
    for chosen, why in (("--label=site=moon", "the selector matches no device"), ("--device=dev-0", "")):
        dry = edgefleet("rollout", "create", "spotter@stable", chosen, "--dry-run", server=url)
        assert (dry.returncode, f"nothing to do: {why}" in dry.stdout) == (0, bool(why)), dry.stdout
    gate = ("--soak-s", "0", "--reported-min", "1")
    made = edgefleet("rollout", "create", "spotter@stable", "--waves", "1,rest", *gate, "--watch", server=url)
    assert made.returncode == 0, made.stdout + made.stderr
    assert "completed: canary 1/1 passed; rest 2/2 passed" in made.stdout
    assert "Completed" in edgefleet("rollout", "show", "1", server=url).stdout
    assert "completed" in edgefleet("rollout", "list", server=url).stdout
    again = edgefleet("rollout", "create", "spotter@stable", "--dry-run", server=url)
    assert "nothing to do: all selected devices already run it" in again.stdout

    assert "spotter@1.0.0" in edgefleet("device", "list", server=url).stdout
    assert "site=north" in edgefleet("device", "label", "dev-0", "site=north", "floor=2", server=url).stdout
    assert edgefleet("device", "label", "dev-0", "floor-", server=url).stdout.strip() == "site=north"
    found = json.loads(edgefleet("device", "list", "--label", "site=north", "--json", server=url).stdout)
    assert [row["id"] for row in found["items"]] == ["dev-0"]
    reply = edgefleet("device", "cmd", "dev-0", "identify", "seconds=3", "--json", server=url)
    assert json.loads(reply.stdout)["result"] == {"seconds": 3}
    assert edgefleet("event", "list", server=url).returncode == 0


def test_a_model_without_labels_is_noted(server: ServerProcess, device: MakeDevice, data: Path, tmp_path: Path) -> None:
    """By the check of a package, before a rollout and when it begins."""
    url = server.state()["url"]
    device("dev-0")
    eventually("online", lambda: server.get("/overview")["online"] == 1)
    folder = write(tmp_path / "package", classifier(data))
    checked = edgefleet("model", "validate", str(folder), "--no-run")
    assert "warning  model.toml: no labels; its classes are called class 0, class 1, ...;" in checked.stdout
    assert edgefleet("model", "push", str(folder), server=url).returncode == 0
    create = ("rollout", "create", "spotter@1.0.0", "--waves", "rest")
    for more in (("--dry-run",), ("--draft",)):
        done = edgefleet(*create, *more, server=url)
        assert "note: spotter@1.0.0 has no labels; its classes are called class 0, class 1, ..." in done.stdout, done.stderr
    assert server.get("/rollouts/1")["notes"] == ["spotter@1.0.0 has no labels; its classes are called class 0, class 1, ..."]


def test_a_model_that_fails_its_own_samples_is_not_pushed(server: ServerProcess, package: MakePackage) -> None:
    """Its version number stays free: the corrected model has it."""
    url = server.state()["url"]
    good, bad = (package("person_detection_retail_0013", version, copy=True) for version in ("1.0.0", "1.1.0"))
    done = edgefleet("model", "push", str(bad), server=url)
    assert done.returncode == 2
    assert "openvino-int8 on open_vino: golden_mismatch: " in done.stderr
    assert "nothing was pushed (--no-run pushes without running the model)" in done.stderr
    assert json.loads(edgefleet("model", "list", "--json", server=url).stdout)["items"] == []
    text = (good / "model.toml").read_text(encoding="utf-8")
    (good / "model.toml").write_text(text.replace('version = "1.0.0"', 'version = "1.1.0"'), encoding="utf-8")
    done = edgefleet("model", "push", str(good), server=url)
    assert "person_detection_retail_0013@1.1.0 pushed" in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (("device", "list", "--server", "http://127.0.0.1:9"), 4, "cannot connect to http://127.0.0.1:9"),
        (("model", "push", "/nonexistent"), 2, "has no model.toml"),
        (("rollout", "create", "spotter", "--server", "http://127.0.0.1:9"), 2, "must be NAME@VERSION"),
        (("rollout", "create", "a@1.0.0", "--waves", "x,rest", "--server", "http://127.0.0.1:9"), 2, "neither a percentage"),
        (("rollout", "create", "a@1.0.0", "--waves", "1,25%", "--server", "http://127.0.0.1:9"), 2, "'25%' is the last wave"),
        (("serve", "--host", "0.0.0.0"), 2, "loopback only"),
        (("serve", "--port", "70000"), 2, "must be between 0"),
        (("serve", "--broker", "http://x", "--port", "0"), 2, "not of the form mqtt://host:port"),
    ],
)
def test_errors_are_one_line_with_a_remedy(arguments: tuple[str, ...], code: int, text: str, tmp_path: Path) -> None:
    """No trace, and an exit code that says who has to act."""
    if arguments[0] == "serve":
        arguments = (*arguments, "--data", str(tmp_path / "data"))
    done = edgefleet(*arguments)
    assert done.returncode == code, done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("edgefleet: ")
    assert text in last
    assert "Traceback" not in done.stderr


def test_two_servers_do_not_share(server: ServerProcess, tmp_path: Path) -> None:
    """The port, and the folder, belong to one."""
    port = server.state()["url"].rpartition(":")[2]
    done = edgefleet("serve", "--data", str(tmp_path / "other"), "--port", port, "--mqtt-port", "0")
    assert (done.returncode, "choose another --host or --port" in done.stderr) == (4, True)
    done = edgefleet("serve", "--data", str(server.data), "--port", "0", "--mqtt-port", "0")
    assert done.returncode == 4
    assert "another server uses" in done.stderr.splitlines()[-1]
    done = edgefleet("serve", "--data", str(tmp_path / "other"), "--port", "0", "--mqtt-port", str(server.mqtt_port))
    assert done.returncode == 4
    assert "choose another port with --mqtt-port" in done.stderr.splitlines()[-1]
