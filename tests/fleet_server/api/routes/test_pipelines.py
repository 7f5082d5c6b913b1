"""Pipelines over the REST API and the command line, with a real server and devices behind it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fleet_server.fakes.forked_programs import template
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually, order
from tests.fleet_server.fakes.virtual_device import VirtualDevice

pytestmark = pytest.mark.system

DOCUMENT = """\
name = "gate"
[source]
kind = "device"
[[stages]]
name = "find"
kind = "detect"
model = "slot:detector"
[[stages]]
name = "follow"
kind = "track"
from = "find"
[[lines]]
name = "in"
points = [[0.0, 0.5], [1.0, 0.5]]
[[rules]]
name = "passed"
kind = "line"
line = "in"
"""


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Two devices, one whose agent is too old for pipelines of the fleet."""
    server = ServerProcess(tmp_path_factory.mktemp("pipelines") / "fleet").start()
    new, old = VirtualDevice("new-1", server.mqtt_port), VirtualDevice("old-1", server.mqtt_port)
    new.runtimes = [*new.runtimes, "pipelines"]
    for one in (new, old):
        one.start().wait_online()
    try:
        eventually("both are known", lambda: server.get("/overview")["online"] == 2)
        yield server
    finally:
        new.stop()
        old.stop()
        server.stop()


def test_a_document_is_checked_with_its_line_and_its_place(fleet: ServerProcess) -> None:
    good = fleet.post("/pipelines/check", {"text": DOCUMENT, "device": "new-1"})
    assert (good["ok"], good["name"], good["problem"]) == (True, "gate", None)
    assert good["effective"]["lines"][0]["name"] == "in"
    spec = good["spec"]
    spec["rules"][0]["line"] = "out"
    bad = fleet.post("/pipelines/check", {"spec": spec})
    assert bad["problem"]["path"] == ["rules", 0, "line"]
    assert bad["text"].splitlines()[bad["problem"]["line"] - 1] == 'line = "out"'
    assert "lines are in" in bad["problem"]["text"]
    torn = fleet.post("/pipelines/check", {"text": "name = \n"})
    assert fleet.post("/pipelines/check", {"text": 'name = "gate"\nsource = '})["problem"]["line"] == 2  # at the end
    late = good["text"].replace('kind = "track"', 'kind = "track"\noptions = { still = 5.0 }')
    judged = fleet.post("/pipelines/check", {"text": late})
    assert judged["problem"]["path"][:2] == ["stages", 1]
    assert late.splitlines()[judged["problem"]["line"] - 1] == "options = { still = 5.0 }"
    assert "unknown option 'still'; known are any_label, appearance, low_score" in judged["problem"]["text"]
    refused = fleet.http.post("/pipelines", json={"text": late})
    assert (refused.status_code, "unknown option 'still'" in refused.json()["detail"]) == (422, True)
    assert (torn["ok"], torn["spec"], torn["problem"]["line"]) == (False, None, 1)
    assert fleet.http.post("/pipelines/check", json={}).status_code == 422


def test_versions_follow_each_other_and_the_same_is_the_same(fleet: ServerProcess) -> None:
    text = DOCUMENT.replace('"gate"', '"hall"')
    first = fleet.post("/pipelines", {"text": text, "note": "begun"})
    again = fleet.http.post("/pipelines", json={"text": text})
    second = fleet.post("/pipelines", {"spec": {**first["spec"], "schedule": {"fps": 5.0}}})
    assert (first["version"], again.status_code, again.json()["version"], second["version"]) == ("1.0.0", 200, "1.0.0", "1.0.1")
    assert (first["slot"], first["signed"], first["note"], first["text"]) == ("pipeline-hall", True, "begun", text)
    row = next(row for row in fleet.get("/pipelines")["items"] if row["name"] == "hall")
    assert (row["latest"], [version["version"] for version in row["versions"]]) == ("1.0.1", ["1.0.1", "1.0.0"])
    assert fleet.get("/pipelines/hall", version="1.0.0")["text"] == text
    assert fleet.http.get("/pipelines/hall", params={"version": "9.9.9"}).status_code == 404
    assert fleet.http.get("/pipelines/nowhere").status_code == 404
    assert all(not row["name"].startswith("pipeline-") for row in fleet.get("/models")["items"])


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (('kind = "device"', 'kind = "rtsp"\nuri = "rtsp://u:p@cam/1"'), "line 4: a password has no place"),
        (('line = "in"', 'line = "out"'), "line 18: rule 'passed' names line 'out'"),
    ],
)
def test_an_invalid_document_is_not_stored(fleet: ServerProcess, change: tuple[str, str], text: str) -> None:
    answer = fleet.http.post("/pipelines", json={"text": DOCUMENT.replace('"gate"', '"wrong"').replace(*change)})
    assert answer.status_code == 422
    assert text in answer.json()["detail"]
    assert fleet.http.get("/pipelines/wrong").status_code == 404


def test_a_pipeline_package_is_validated(fleet: ServerProcess) -> None:
    manifest = (
        'name = "pipeline-x"\nversion = "1.0.0"\ntask = "pipeline"\n[head]\nfamily = "pipeline"\n'
        '[[variants]]\nname = "all"\nformat = "pipeline"\nfiles = ["pipeline.toml"]\nruntimes = ["pipelines"]\n'
    )
    torn = fleet.push(tar({"model.toml": manifest.encode(), "pipeline.toml": b"name = "}))
    other = fleet.push(tar({"model.toml": manifest.encode(), "pipeline.toml": DOCUMENT.encode()}))
    assert (torn.status_code, other.status_code) == (422, 422)
    assert "name the package pipeline-gate" in other.json()["detail"]


@pytest.mark.timeout(1200)
def test_it_is_rolled_out_like_a_model_to_those_that_take_it(fleet: ServerProcess, tmp_path: Path) -> None:
    file = tmp_path / "gate.toml"
    file.write_text(DOCUMENT)
    assert typed(fleet, "check", str(file))[0] == 0
    saved = typed(fleet, "set", str(file), "--note", "first", "--json")
    assert json.loads(saved[1])["version"] == "1.0.0"
    assert typed(fleet, "get", "gate")[1] == DOCUMENT
    assert typed(fleet, "get", "gate", "--package", str(tmp_path / "out"))[0] == 0
    saved_files = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert (set(saved_files), saved_files["pipeline.toml"]) == ({"model.toml", "pipeline.toml"}, DOCUMENT.encode())
    plan = typed(fleet, "rollout", "gate", "--waves", "rest", "--dry-run", "--json")
    preview = json.loads(plan[1])
    assert (preview["eligible"], preview["ineligible"][0]["device"]) == (1, "old-1")
    assert "pipelines" in preview["ineligible"][0]["reason"]
    code, text, _ = typed(fleet, "set", str(file), "--device", "new-1", "--watch")
    assert (code, "completed" in text) == (0, True)
    slots = fleet.get("/devices/new-1")["slots"]
    assert {slot["slot"]: slot["running"]["version"] for slot in slots if slot["running"]}["pipeline-gate"] == "1.0.0"
    assert fleet.get("/pipelines/gate")["running_on"] == 1
    file.write_text(DOCUMENT.replace('line = "in"', 'line = "on"'))
    code, _, errors = typed(fleet, "check", str(file))
    assert (code, f"{file}:18: rule 'passed' names line 'on'" in errors) == (2, True)


def test_pipelines_and_models_keep_to_their_slots(fleet: ServerProcess) -> None:
    fleet.push(tar(files("spotter")))
    fleet.post("/pipelines", {"text": DOCUMENT.replace('"gate"', '"yard"')})
    wrong: list[dict[str, Any]] = [
        order("spotter", "1.0.0", [{"name": "all"}], slot="pipeline-yard"),
        order("pipeline-yard", "1.0.0", [{"name": "all"}]),
    ]
    for body in wrong:
        answer = fleet.http.post("/rollouts", json=body)
        assert (answer.status_code, "slot" in answer.json()["detail"]) == (422, True)


def typed(fleet: ServerProcess, *arguments: str) -> tuple[int, str, str]:
    """`edgefleet pipeline ARGUMENTS`."""
    done = template().run(["pipeline", *arguments, "--server", fleet.state()["url"]], os.environ)
    return done.returncode, done.stdout, done.stderr
