"""The API as clients meet it: a real server with a few devices behind it, asked over HTTP."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from edgefleet_contract.wire.messages import Stream
from edgefleet_server.__main__ import main
from edgefleet_server.api.schemas.fleet.devices import DeviceRow, TelemetryPoint
from edgefleet_server.api.schemas.fleet.events import EventRow
from edgefleet_server.api.schemas.fleet.overview import Overview
from edgefleet_server.api.schemas.rollouts import rollouts
from edgefleet_server.app.web import API
from tests.fleet_server.fakes.packages import files, tar
from tests.fleet_server.fakes.server_process import ServerProcess, eventually, order
from tests.fleet_server.fakes.virtual_device import VirtualDevice, event, sample

pytestmark = pytest.mark.system

DOCUMENT = Path(__file__).resolve().parents[4] / "docs" / "openapi.json"


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Four devices: two at site north, one of a profile without a variant, one that went away."""
    server = ServerProcess(tmp_path_factory.mktemp("rest") / "fleet").start()
    profiles = {"dev-0": "cpu", "dev-1": "cpu", "dev-2": "coral", "dev-3": "cpu"}
    devices = {name: VirtualDevice(name, server.mqtt_port, profile=profile) for name, profile in profiles.items()}
    try:
        fill(server, devices)
        yield server
    finally:
        for one in devices.values():
            one.stop()
        server.stop()


def fill(server: ServerProcess, devices: dict[str, VirtualDevice]) -> None:
    devices["dev-0"].labels = devices["dev-1"].labels = {"site": "north"}
    devices["dev-3"].labels = {"timezone": "Mars/X"}
    server.http.patch("/settings", json={"values": {"trust_reported": "site, timezone"}}).raise_for_status()
    for one in devices.values():
        one.start().wait_online()
    devices["dev-0"].record(Stream.TELEMETRY, *[sample(n) for n in range(30)])
    devices["dev-0"].record(Stream.EVENTS, *[event(n) for n in range(25)])
    eventually("all online", lambda: server.get("/overview")["online"] == 4)
    eventually("records", lambda: server.get("/overview")["events_24h"] == 25)
    devices["dev-3"].stop()
    eventually("one left", lambda: server.get("/overview")["offline"] == 1)
    for name in ("spotter", "looker"):
        assert server.push(tar(files(name, profiles='["cpu"]'))).status_code == 201


def test_an_invalid_field_is_one_plain_line(fleet: ServerProcess, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["alert", "add", "hot", "threshold", "--figure", "BAD", "--above", "80", "--server", fleet.state()["url"]]
    assert main(arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("edgefleet: rule.figure: must be one of fps, latency_p95_ms, dropped_per_s, ")
    with pytest.raises(SystemExit):
        main(["alert", "silence", "1", "--for", "-5", "--server", fleet.state()["url"]])
    assert "argument --for: '-5' is not a duration from 0s to 30d" in capsys.readouterr().err


def names(page: dict[str, Any]) -> list[str]:
    return [row["id"] for row in page["items"]]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, ["dev-0", "dev-1", "dev-2", "dev-3"]),
        ({"status": "offline"}, ["dev-3"]),
        ({"status": "online", "sort": "-id"}, ["dev-2", "dev-1", "dev-0"]),
        ({"label": "site=north"}, ["dev-0", "dev-1"]),
        ({"label": ["site=north", "floor=1"]}, []),
        ({"search": "v-2"}, ["dev-2"]),
        ({"search": "%"}, []),
        ({"search": "coral"}, ["dev-2"]),
        ({"package": "looker"}, []),
        ({"sort": "-fps", "size": 1}, ["dev-0"]),
        ({"page": 2, "size": 3}, ["dev-3"]),
        ({"status": "attention"}, []),
    ],
)
def test_lists_are_filtered_sorted_and_paged(fleet: ServerProcess, query: dict[str, Any], found: list[str]) -> None:
    """By the database, not by the client."""
    assert names(fleet.get("/devices", **query)) == found


def test_a_label_that_no_device_has_is_named(fleet: ServerProcess, capsys: pytest.CaptureFixture[str]) -> None:
    """In lists, dry runs, refusals, groups and commands; it is no error, and right names have no warning."""
    expected = ["no device has the label 'sight'; did you mean site?"]
    for wrong in ({"query": "sight = north"}, {"label": "sight=north"}, {"query": "not sight = north"}):
        assert fleet.get("/devices", **wrong)["warnings"] == expected
    assert fleet.get("/devices", query="site = nowhere")["warnings"] == []
    body = PREVIEW | {"selector": {"query": "sight = north"}, "waves": [{"name": "all"}]}
    answer = fleet.post("/rollouts/preview", body)
    assert (answer["eligible"], answer["warnings"]) == (0, expected)
    refused = fleet.http.post("/rollouts", json={**body, "name": "n"})
    assert (refused.status_code, f"the selector matches no device; {expected[0]}" in refused.text) == (422, True)
    group = fleet.http.put("/groups/misspelt", json={"selector": {"labels": {"sight": "north"}}}).json()
    assert (group["count"], group["warnings"]) == (0, expected)
    fleet.http.delete("/groups/misspelt")
    assert main(["device", "list", "--query", "sight = north", "--server", str(fleet.state()["url"])]) == 0
    assert capsys.readouterr().err == f"warning: {expected[0]}\n"


@pytest.mark.parametrize("query", [{}, {"label": "site=north"}, {"status": "offline"}, {"search": "%"}])
def test_ids_of_a_list_are_those_of_all_its_pages(fleet: ServerProcess, query: dict[str, Any]) -> None:
    """Whom a bulk action would be about."""
    assert fleet.get("/device-ids", **query)["items"] == names(fleet.get("/devices", size=500, **query))


def test_effective_settings_are_listed(fleet: ServerProcess) -> None:
    """With what changes it, and without a secret."""
    groups = fleet.get("/settings")["groups"]
    values = {item["name"]: item for group in groups for item in group["items"]}
    edit = values["telemetry_retention_s"].pop("edit")
    assert edit["low"] <= edit["default"] <= edit["high"]
    assert not edit["pinned"]
    assert values["telemetry_retention_s"] == {
        "name": "telemetry_retention_s",
        "title": "Telemetry samples",
        "value": 86_400.0,
        "unit": "s",
        "change": "--keep-samples-hours",
    }
    assert values["plain_devices"]["value"] is True
    report = fleet.get("/certificates")
    assert "authority" in report["authority"]["subject"]
    assert len(report["authority"]["fingerprint"]) == 64
    assert (report["items"], report["total"], report["blocked"]) == ([], 0, 0)


def test_the_fleet_as_a_whole(fleet: ServerProcess) -> None:
    """A device has no position until one is set; a model that no device runs has no figures."""
    assert fleet.get("/sites") == {"items": [], "unlocated": 4}
    before = fleet.get("/devices/dev-2")["labels"]
    fleet.http.patch("/devices/dev-2", json={"labels": {**before, "lat": "59.3", "lon": "18.1"}}).raise_for_status()
    try:
        assert [place["devices"] for place in fleet.get("/sites")["items"]] == [1]
    finally:
        fleet.http.patch("/devices/dev-2", json={"labels": before}).raise_for_status()
    assert fleet.get("/version-shares")["items"] == []
    assert fleet.push(tar(files("idle"))).status_code == 201
    assert fleet.get("/models/idle/1.0.0/field")["items"] == []
    assert fleet.get("/overview")["degraded"] == 0


def test_samples_are_thinned_evenly(fleet: ServerProcess) -> None:
    """Oldest first, the newest always there, every field filled."""
    points = fleet.get("/devices/dev-0/telemetry", points_max=10)["points"]
    assert [point["outbox_records"] for point in points] == list(range(2, 30, 3))
    assert set(points[0]) == set(TelemetryPoint.model_fields)
    assert fleet.get("/devices/dev-0/telemetry", since_at=time.time() + 60)["points"] == []


def test_events_page_by_page(fleet: ServerProcess) -> None:
    """Newest first, without overlap, until there is no more."""
    seen: list[int] = []
    before: int | None = None
    while True:
        page = fleet.get("/events", limit=10, kind="visit", **({"before_id": before} if before else {}))
        seen += [item["event"]["count"] for item in page["items"]]
        before = page["next_before_id"]
        if before is None:
            break
    assert seen == list(range(24, -1, -1))


def test_events_are_counted_and_marked(fleet: ServerProcess) -> None:
    """The summary counts what the list shows; a mark names who made it, and is taken back."""
    now = time.time()
    found = fleet.get("/events/summary", parts=4, site="north")
    assert (len(found["counts"]), sum(found["counts"]), found["total"]) == (4, 25, 25)
    assert found["facets"]["device"] == [{"value": "dev-0", "count": 25}]
    assert found["facets"]["site"] == [{"value": "north", "count": 25}]
    assert fleet.get("/events/summary", since_at=now + 1, until_at=now + 2)["total"] == 0
    assert fleet.http.get("/events/summary", params={"since_at": now, "until_at": now}).status_code == 422
    for wrong in ({"since_at": "-inf"}, {"until_at": "inf"}, {"since_at": "nan"}, {"since_at": "-1e308", "until_at": "1e308"}):
        assert fleet.http.get("/events/summary", params=wrong).status_code == 422, wrong
    chosen = [item["id"] for item in fleet.get("/events", limit=2)["items"]]
    assert fleet.post("/events/reviews", {"events": [*chosen, 2**60], "verdict": "false_alarm"}) == {"changed": 2}
    marked = fleet.get("/events", reviewed=True)["items"]
    assert [item["id"] for item in marked] == chosen
    assert {item["review"]["verdict"] for item in marked} == {"false_alarm"}
    assert fleet.get("/events/summary")["unreviewed"] == 23
    assert fleet.post("/events/reviews", {"events": chosen, "verdict": None}) == {"changed": 2}
    assert fleet.get("/events", reviewed=True)["items"] == []


def choices_of_numbers() -> list[tuple[str, str, int]]:
    """(address, parameter, value) of each number that an address may choose, of the whole document."""
    paths = json.loads(DOCUMENT.read_text(encoding="utf-8"))["paths"]
    return [
        (path.removeprefix(API).format(device="dev-0"), parameter["name"], value)
        for path, operations in paths.items()
        for parameter in operations.get("get", {}).get("parameters", [])
        for value in parameter["schema"].get("enum", [])
        if not isinstance(value, str)
    ]


@pytest.mark.parametrize(("path", "name", "value"), choices_of_numbers())
def test_numbers_are_chosen_in_the_address(fleet: ServerProcess, path: str, name: str, value: int) -> None:
    """Text there, numbers in the document and in the answer."""
    assert fleet.get(path, **{name: value})[name] == value


def test_preview_lists_devices_and_reasons(fleet: ServerProcess) -> None:
    """Before anything is started."""
    body = {
        "package": "looker",
        "version": "1.0.0",
        "selector": {"all": True},
        "waves": [{"name": "a", "percent": 10}, {"name": "b"}],
    }
    answer = fleet.post("/rollouts/preview", body)
    assert (answer["eligible"], answer["offline"], [wave["count"] for wave in answer["waves"]]) == (3, 1, [1, 2])
    assert answer["ineligible"][0]["device"] == "dev-2"
    assert "no variant for profile 'coral'" in answer["ineligible"][0]["reason"]
    assert answer["bytes_total"] > 900_000
    assert answer["warnings"] == []  # the package has golden samples


def test_labels_are_replaced_as_a_whole(fleet: ServerProcess) -> None:
    """Also those that the device brought along; the operator has the last word."""
    answer = fleet.http.patch("/devices/dev-1", json={"labels": {"floor": "2"}})
    assert answer.json()["labels"] == {"floor": "2"}
    answer = fleet.http.patch("/devices/dev-1", json={"labels": {"site": "north"}})
    assert answer.json()["labels"] == {"site": "north"}


PREVIEW = {"package": "spotter", "version": "1.0.0", "selector": {"all": True}}
REFUSED = [
    ("GET", "/devices/nobody", None, 404, "no device 'nobody'"),
    ("GET", "/rollouts/999", None, 404, "no rollout 999"),
    ("GET", "/models/spotter/9.9.9", None, 404, "its versions are 1.0.0"),
    ("GET", "/blobs/" + "0" * 64, None, 404, "no blob"),
    ("GET", "/blobs/nonsense", None, 422, ""),
    ("GET", "/stream?topics=nonsense", None, 422, "no topic 'nonsense'"),
    ("GET", "/devices?sort=shoe_size", None, 422, ""),
    ("GET", "/devices/dev-0/figures?span_s=61", None, 422, "one of 60, 3600"),
    ("GET", "/devices/dev-0/figures?span_s=minutes", None, 422, "one of 60, 3600"),
    ("GET", "/devices/..%2f..%2fetc", None, 404, ""),
    ("POST", "/devices/nobody/commands", {"op": "identify"}, 404, "no device"),
    ("POST", "/devices/dev-0/commands", {"op": "UPPER CASE"}, 422, ""),
    ("PATCH", "/devices/dev-0", {"labels": {"Bad Key": "x"}}, 422, ""),
    ("POST", "/rollouts", {**order("spotter", "1.0.0", [{"name": "a"}]), "selector": {}}, 422, "selector: empty"),
    (
        "POST",
        "/rollouts",
        order("spotter", "1.0.0", [{"name": "a"}, {"name": "b"}]),
        422,
        "requires exactly one of percent, count",
    ),
    ("POST", "/rollouts", order("spotter", "1.0.0", [{"name": "a", "count": 1}, {"name": "a"}]), 422, "duplicate wave name"),
    ("POST", "/rollouts", {**order("spotter", "1.0.0", [{"name": "a"}]), "waive": 1}, 422, ""),
    ("POST", "/rollouts", order("spotter", "1.0.0", [{"name": "a", "count": 1}]), 422, "'a' is the last wave"),
    ("POST", "/rollouts/preview", PREVIEW | {"waves": [{"name": "a", "percent": 10}]}, 422, "end with a wave rest"),
    ("POST", "/rollouts", order("unknown", "1.0.0", [{"name": "a"}]), 404, "no package unknown@1.0.0"),
    (
        "POST",
        "/rollouts",
        {**order("spotter", "1.0.0", [{"name": "a"}]), "selector": {"ids": ["dev-2"]}},
        422,
        "nothing to do: 1 cannot run it (dev-2",
    ),
    ("POST", "/rollouts/998/pause", {}, 404, "no rollout 998"),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "text"), REFUSED)
def test_refusals_say_what_to_do(fleet: ServerProcess, method: str, path: str, body: Any, status: int, text: str) -> None:
    """A status that fits, and one line for a person."""
    answer = fleet.http.request(method, path, json=body)
    assert answer.status_code == status, answer.text
    assert text in str(answer.json()["detail"])


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PATCH", "/devices/dev-0", r'{"labels": {"site": "x\ud800"}}'),
        ("POST", "/devices/dev-0/commands", r'{"op": "identify", "params": {"\udc00": 1}}'),
        ("POST", "/session", r'{"name": "\ud800", "password": "x"}'),
        ("POST", "/alert-rules", r'{"name": "\ud800", "rule": {"kind": "absence"}}'),
    ],
)
def test_a_lone_surrogate_is_named_with_its_place(fleet: ServerProcess, method: str, path: str, body: str) -> None:
    answer = fleet.http.request(method, path, content=body.encode(), headers={"content-type": "application/json"})
    place = body.index("\\u")
    lone = body[place : place + 6]
    expected = f"the body is not JSON: the text at byte {place} has a lone surrogate, {lone}, which is no character"
    problem = answer.json()
    assert (answer.status_code, problem.pop("instance")) == (400, f"/api/v1{path}")
    assert problem == {"type": "about:blank", "title": "Bad Request", "status": 400, "detail": expected}


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "-1e999", "1" + "0" * 400])
@pytest.mark.parametrize("kind", ["threshold", "rate"])
def test_a_number_that_is_not_finite_is_refused(fleet: ServerProcess, kind: str, number: str) -> None:
    """Also in fields that no schema knows."""
    body = (
        f'{{"name": "hot", "rule": {{"kind": "{kind}", "figure": "temperature_c", "above": {number}, "unknown": [1, {number}]}}}}'
    )
    answer = fleet.http.post("/alert-rules", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    found = [(each["pointer"], each["detail"]) for each in answer.json()["errors"]]
    assert found == [("#/rule/above", "must be a finite number"), ("#/rule/unknown/1", "must be a finite number")]


def test_a_rule_that_always_holds_is_refused(fleet: ServerProcess) -> None:
    rule = {"kind": "threshold", "figure": "temperature_c", "above": 10, "below": 20}
    answer = fleet.http.post("/alert-rules", json={"name": "always", "rule": rule})
    assert (answer.status_code, answer.json()["detail"]) == (
        422, "above 10 with below 20 always holds; above must be more than below",
    )  # fmt: skip


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e309", "1e300"])
@pytest.mark.parametrize(
    "path",
    ["/audit", "/events", "/events/summary", "/devices/dev-0/telemetry", "/devices/dev-0/figures", "/version-shares"],
)
def test_a_time_that_no_calendar_has_is_refused(fleet: ServerProcess, path: str, value: str) -> None:
    answer = fleet.http.get(path, params={"since_at": value})
    assert (answer.status_code, answer.json()["errors"][0]["parameter"]) == (422, "since_at")


def test_a_method_that_an_operation_does_not_have(fleet: ServerProcess) -> None:
    answer = fleet.http.delete("/rollouts")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, POST")
    assert fleet.http.delete("/none").status_code == 404


@pytest.mark.parametrize("kind", ["application/xml", "text/plain", "multipart/form-data; boundary=x"])
def test_a_body_of_another_type_is_refused(fleet: ServerProcess, kind: str) -> None:
    answer = fleet.http.post("/alert-rules", content=b"<rule/>", headers={"content-type": kind})
    assert (answer.status_code, "application/json" in answer.json()["detail"]) == (415, True)


def test_terms_that_make_no_sense(fleet: ServerProcess) -> None:
    """A time zone and a rate that do not exist are refused; a window that never closes is said in the dry run."""
    refused = fleet.http.patch("/devices/dev-0", json={"labels": {"timezone": "Mars/X"}})
    assert (refused.status_code, "use a name such as Europe/Lisbon" in refused.json()["detail"]) == (422, True)
    body: dict[str, Any] = {
        "package": "spotter",
        "version": "1.0.0",
        "slot": "odd",
        "selector": {"all": True},
        "waves": [{"name": "all"}],
    }

    def preview(**terms: Any) -> Any:
        return fleet.http.post("/rollouts/preview", json={**body, "terms": terms}).json()

    window = {"start": "10:00", "end": "10:00"}
    assert preview(window={**window, "timezone": "Mars/X"})["detail"].startswith(
        "terms.window.timezone: 'Mars/X' is no time zone"
    )
    assert "is more than per_minute_max 5" in preview(rate={"per_minute": 10, "per_minute_max": 5})["detail"]
    assert preview(window=window)["warnings"][:2] == [
        "the window 10:00-10:00 ends when it starts: it is open always",
        "label timezone=Mars/X of dev-3: no such time zone; the window has UTC there",
    ]
    fleet.http.patch("/devices/dev-1", json={"labels": {"site": "north"}}).raise_for_status()


def test_the_label_of_a_list_that_is_too_long_is_named(fleet: ServerProcess) -> None:
    answer = fleet.http.get("/devices", params={"label": ["site=north", "site=" + "x" * 300]})
    assert answer.status_code == 422
    text = "must have at most 264 characters, has 305"
    error = {"type": "string_too_long", "loc": ["query", "label", 1], "msg": text, "detail": text, "parameter": "label"}
    assert answer.json()["errors"] == [error]
    assert answer.json()["detail"] == f"label.1: {text}"
    answer = fleet.http.patch("/devices/dev-0", json={"labels": {"site": "x" * 201}})
    assert [(each["loc"], each["pointer"], each["detail"]) for each in answer.json()["errors"]] == [
        (["body", "labels", "site"], "#/labels/site", "must have at most 200 characters, has 201")
    ]


@pytest.mark.parametrize(
    ("method", "path", "more", "status"),
    [
        ("GET", "/devices/none", {}, 404),
        ("GET", "/nothing", {}, 404),
        ("PATCH", "/devices", {}, 405),
        ("POST", "/groups", {}, 405),
        ("POST", "/rollouts", {"content": b"{", "headers": {"content-type": "application/json"}}, 422),
        ("POST", "/rollouts", {"content": b"{" * (9 << 20), "headers": {"content-type": "application/json"}}, 413),
        ("POST", "/rollouts", {"headers": {"origin": "https://other.example"}}, 403),
        ("POST", "/rollouts", {"headers": {"authorization": "Bearer nobody"}}, 401),
        ("POST", "/session", {"json": {"name": "nobody", "password": "wrong"}}, 401),
        ("POST", "/models", {"files": {"package": b"nonsense"}}, 422),
    ],
)
def test_every_error_is_a_problem(fleet: ServerProcess, method: str, path: str, more: dict[str, Any], status: int) -> None:
    """Of a route, the framework or a middleware that answers by itself: the media type and the members of RFC 9457."""
    answer = fleet.http.request(method, path, **more)
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    problem = answer.json()
    assert (answer.status_code, problem["status"], problem["instance"]) == (status, status, f"/api/v1{path}")
    assert problem["type"]
    assert problem["title"]
    assert isinstance(problem["detail"], str)
    assert problem["detail"]


@pytest.mark.parametrize("lost", ["blobs", "blobs/a7", "trust/metadata/timestamp.json", "trust/keys"])
def test_a_folder_that_is_deleted_under_the_server_degrades_it_until_it_is_back(fleet: ServerProcess, lost: str) -> None:
    assert fleet.get("/health")["status"] == "ok"
    path = fleet.data / lost
    aside = path.rename(fleet.data / "aside")
    try:
        health = fleet.get("/health")
        effect = "models are neither taken nor sent" if lost.startswith("blobs") else "packages cannot be signed"
        expected = f"{path} is missing: {effect}; put it back, or restore the last backup into a new folder: `edgefleet restore "
        assert [text for text in health["storage_warnings"] if text.startswith(expected)], health
        assert health["status"] == "degraded"
    finally:
        aside.rename(path)
    assert fleet.get("/health")["status"] == "ok"


def test_uploads_over_http(fleet: ServerProcess) -> None:
    """Created, there already, conflict, refused; and the bytes come back, in parts if asked."""
    assert fleet.push(tar(files(version="2.0.0"))).status_code == 201
    assert fleet.push(tar(files(version="2.0.0"))).status_code == 200
    assert fleet.push(tar(files(version="2.0.0", seed=9))).status_code == 409
    refused = fleet.push(b"nonsense")
    assert (refused.status_code, "not a tar archive" in refused.json()["detail"]) == (422, True)
    assert fleet.http.post("/models", files={"other": b"x"}).status_code == 422
    model = fleet.get("/models/spotter/2.0.0")
    weights = next(file for file in model["files"] if file["path"] == "model.tflite")
    whole = fleet.http.get(f"/blobs/{weights['sha256']}").content
    assert whole == files(version="2.0.0")["model.tflite"]
    part = fleet.http.get(f"/blobs/{weights['sha256']}", headers={"Range": "bytes=100-199"})
    assert (part.status_code, part.content) == (206, whole[100:200])
    latest = next(model for model in fleet.get("/models")["items"] if model["name"] == "spotter")
    assert (latest["latest"], [version["version"] for version in latest["versions"]]) == ("2.0.0", ["2.0.0", "1.0.0"])


def test_commands_are_answered_or_expire(fleet: ServerProcess) -> None:
    """Once, and never later than the deadline."""
    sent = fleet.post("/devices/dev-0/commands", {"op": "identify", "args": {"n": 1}, "deadline_s": 20})
    done = eventually("answer", lambda: _ended(fleet, "dev-0", sent["id"]))
    assert (done["state"], done["result"]) == ("done", {"n": 1})
    sent = fleet.post("/devices/dev-3/commands", {"op": "identify", "deadline_s": 0.5})
    assert eventually("expiry", lambda: _ended(fleet, "dev-3", sent["id"]))["state"] == "expired"


def _ended(fleet: ServerProcess, device: str, command: str) -> dict[str, Any] | None:
    found: dict[str, Any] = fleet.get(f"/devices/{device}/commands/{command}")
    return None if found["state"] == "pending" else found


def test_live_stream_matches_the_lists(fleet: ServerProcess) -> None:
    """Messages of each kind, each with an id, each a whole body of the API."""
    kinds: dict[str, Any] = {
        "overview": Overview,
        "device": DeviceRow,
        "rollout": rollouts.Rollout,
        "attempt": rollouts.AttemptRow,
    }
    first = fleet.post("/rollouts", {**order("spotter", "1.0.0", [{"name": "all"}]), "start": False})["id"]
    seen: dict[str, Any] = {}
    last_id = 0
    topics = f"overview,devices,device:dev-0,rollouts,rollout:{first},events"
    with fleet.http.stream("GET", "/stream", params={"topics": topics}) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = stream.iter_lines()
        next(lines)
        fleet.post(f"/rollouts/{first}/start", {})
        while not kinds.keys() <= seen.keys():
            line = next(lines)
            if line.startswith("id: "):
                number = int(line[4:])
                assert number > last_id
                last_id = number
                name, data = next(lines)[7:], next(lines)[6:]
                seen[name] = kinds.get(name, EventRow).model_validate(json.loads(data)) if name in kinds else data
    assert seen["rollout"].id == first
    eventually("done", lambda: fleet.get(f"/rollouts/{first}")["counts"].get("committed") == 2)
    by_version = fleet.get("/devices", package="spotter", version="1.0.0", slot="detector")
    assert names(by_version) == ["dev-0", "dev-1"]


def test_channels_over_http(fleet: ServerProcess) -> None:
    made = fleet.http.put("/channels/looker/stable", json={"version": "1.0.0", "note": "good"})
    assert (made.status_code, made.json()["version"]) == (200, "1.0.0")
    assert [one["channel"] for one in fleet.get("/channels", model="looker")["items"]] == ["stable"]
    plan = {"package": "looker", "slot": "looker", "selector": {"all": True}, "waves": [{"name": "all"}]}
    by_channel = fleet.post("/rollouts/preview", {**plan, "version": "stable"})
    assert by_channel == fleet.post("/rollouts/preview", {**plan, "version": "1.0.0"})
    made = fleet.http.post("/rollouts", json={**plan, "version": "stable", "name": "by channel", "start": False})
    assert (made.status_code, made.json()["version"]) == (201, "1.0.0")
    missing = fleet.http.post("/rollouts/preview", json={**plan, "version": "beta"})
    assert (missing.status_code, missing.json()["detail"]) == (404, "no channel 'beta' of looker; its channels are stable")
    assert fleet.http.put("/channels/looker/2nd", json={"version": "1.0.0"}).status_code == 422, "no version looks like a channel"
    assert fleet.http.delete("/channels/looker/stable").status_code == 204
    assert [one["version"] for one in fleet.get("/channels/looker/stable/history")["items"]] == ["", "1.0.0"]


def test_coverage_lists_variants_and_reasons(fleet: ServerProcess) -> None:
    body = {"digest": fleet.get("/models/looker/1.0.0")["digest"], "profile": "cpu", "machine": "bench", "rows": [_setting()]}
    assert fleet.http.put("/models/looker/1.0.0/measurements", json=body).status_code == 200
    found = fleet.get("/models/looker/1.0.0/coverage")
    assert (found["devices"], found["covered"]) == (4, 3)
    cpu, coral = found["rows"]
    assert (cpu["profile"], cpu["devices"], cpu["online"], cpu["variant"], cpu["reason"]) == ("cpu", 3, 2, "cpu-int8", "")
    assert [(one["machine"], one["p95_ms"]) for one in cpu["measured"]] == [("bench", 3.0)]
    assert (coral["profile"], coral["variant"]) == ("coral", None)
    assert coral["reason"] == "no variant for profile 'coral'; the package has cpu"
    assert {one["name"] for one in found["rollouts"]} <= {"by channel"}, "what another test of this fleet makes"


def _setting() -> dict[str, Any]:
    setting = {"variant": "cpu-int8", "runtime": "lite_rt", "device": "cpu", "threads": 4, "streams": 1, "instances": 1}
    figures = {"batch": 1, "p50_ms": 2.0, "p95_ms": 3.0, "per_s": 400.0, "memory_bytes": 0, "load_ms": 1.0, "best": True}
    return setting | figures


def test_a_package_in_pieces_over_http(fleet: ServerProcess) -> None:
    archive = tar(files("piecemeal", profiles='["cpu"]'))
    body = {"length_bytes": len(archive), "sha256": hashlib.sha256(archive).hexdigest()}
    state = fleet.post("/uploads", body)
    path, half = f"/uploads/{state['id']}", len(archive) // 2
    assert fleet.http.patch(path, params={"offset_bytes": 0}, content=archive[:half]).json()["offset_bytes"] == half
    assert fleet.post("/uploads", body)["offset_bytes"] == half, "who begins the same again goes on"
    twice = fleet.http.patch(path, params={"offset_bytes": 0}, content=archive[:half])
    assert (twice.status_code, twice.json()["detail"]) == (409, f"wrong offset 0; the upload continues at byte {half}")
    assert fleet.http.post(f"{path}/finish").status_code == 409
    too_long = fleet.http.patch(path, params={"offset_bytes": half}, content=b"x" * (9 * 1024 * 1024))
    assert too_long.status_code == 413
    assert fleet.http.patch(path, params={"offset_bytes": half}, content=archive[half:]).status_code == 200
    done = fleet.http.post(f"{path}/finish")
    assert (done.status_code, done.json()["name"]) == (201, "piecemeal")
    assert fleet.http.get(path).status_code == 404
    again = fleet.post("/uploads", body)
    fleet.http.patch(f"/uploads/{again['id']}", params={"offset_bytes": 0}, content=archive)
    assert fleet.http.post(f"/uploads/{again['id']}/finish").status_code == 200


def test_pruning_has_a_dry_run(fleet: ServerProcess) -> None:
    assert fleet.push(tar(files("fader", "1.0.0"))).status_code == 201
    assert fleet.push(tar(files("fader", "1.1.0"))).status_code == 201
    plan = {"model": "fader", "keep": 1, "age_s": 0}
    would = fleet.post("/models/prune", plan)
    assert (would["dry_run"], [one["version"] for one in would["retired"]], would["freed_bytes"]) == (True, ["1.0.0"], 0)
    assert [(one["version"], one["reason"]) for one in would["retained"]] == [("1.1.0", "one of the newest 1")]
    assert [one["version"] for one in fleet.post("/models/prune", {**plan, "dry_run": False})["retired"]] == ["1.0.0"]
    assert fleet.http.get("/models/fader/1.0.0").status_code == 404
    assert [
        one["version"] for model in fleet.get("/models")["items"] if model["name"] == "fader" for one in model["versions"]
    ] == ["1.1.0"]
