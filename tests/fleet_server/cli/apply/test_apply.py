"""`edgefleet apply` against a real server: each kind × what is to be done × role of the token × plan or apply."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from edgefleet_server.__main__ import main
from edgefleet_server.cli.apply.ownership import Ownership
from edgefleet_server.domain.policy.hidden_secrets import masked_url
from tests.fleet_server.auth.conftest import Peopled
from tests.fleet_server.auth.conftest import people as people
from tests.fleet_server.cli.test_commands import write
from tests.fleet_server.fakes.packages import files
from tests.fleet_server.fakes.server_process import eventually
from tests.fleet_server.fakes.virtual_device import VirtualDevice

pytestmark = pytest.mark.system

ROLES: Final = ("viewer", "operator", "admin")
NUMBERS = itertools.count(1)
PIPELINE: Final = """\
name = "NAME"
[source]
kind = "device"
uri = "gate"
[[stages]]
name = "find"
kind = "detect"
model = "slot:detector"
"""


@dataclass
class Site:
    """A server with a device and two versions of a model, and the folder of a configuration with a name of its own."""

    people: Peopled
    folder: Path
    name: str
    capture: pytest.CaptureFixture[str]
    patch: pytest.MonkeyPatch

    @property
    def admin(self) -> httpx.Client:
        return self.people.admin

    def get(self, path: str, **query: Any) -> Any:
        answer = self.admin.get(path, params=query)
        assert answer.status_code < 400, answer.text
        return answer.json()

    def write(self, text: str) -> None:
        (self.folder / "fleet.yaml").write_text(f"name: {self.name}\n{text}")

    def run(self, *options: str, role: str = "admin", confirmed: bool = True) -> tuple[int, str, str]:
        """Exit code, output and errors of the command."""
        self.patch.setenv("EDGEFLEET_TOKEN", self.people.tokens[role])
        yes = ("--yes",) if confirmed and "--plan" not in options else ()
        self.capture.readouterr()
        code = main(["apply", "-f", str(self.folder / "fleet.yaml"), "--server", self.people.url, *yes, *options])
        out, err = self.capture.readouterr()
        return code, out, err

    def must(self, *options: str) -> str:
        code, out, err = self.run(*options)
        assert code == 0, err
        return out

    def resources(self) -> dict[tuple[str, str], dict[str, Any]]:
        held = next((each for each in self.get("/configurations")["items"] if each["name"] == self.name), {"resources": []})
        return {(each["kind"], each["name"]): each for each in held["resources"]}


@pytest.fixture(scope="module")
def fleet(people: Peopled, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Peopled]:
    device = VirtualDevice("dev-0", people.server.mqtt_port)
    device.runtimes = [*device.runtimes, "pipelines"]
    device.start().wait_online()
    eventually("online", lambda: people.admin.get("/overview").json()["online"] == 1)
    yield people
    device.stop()


@pytest.fixture
def site(fleet: Peopled, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Site:
    made = Site(fleet, tmp_path, f"plant-{next(NUMBERS)}", capsys, monkeypatch)
    for version in ("1.0.0", "1.1.0"):
        write(tmp_path / version, files(made.name, version))
    return made


class Kind:
    """One kind of object: as text of the file (state 1 or 2), on the server, and changed by hand."""

    name = ""
    role = "operator"
    is_deleted = True

    def text(self, site: Site, state: int) -> str:
        raise NotImplementedError

    def held(self, site: Site) -> Any:
        raise NotImplementedError

    def change(self, site: Site) -> None:
        raise NotImplementedError


class Models(Kind):
    name = "model"
    is_deleted = False

    def text(self, site: Site, state: int) -> str:
        rows = "".join(f"      1.{n}.0: {{folder: 1.{n}.0}}\n" for n in range(state))
        return f"models:\n  {site.name}:\n    versions:\n{rows}"

    def held(self, site: Site) -> Any:
        rows = [each for each in site.get("/models")["items"] if each["name"] == site.name]
        return sorted(each["version"] for row in rows for each in row["versions"]) or None


class Channels(Kind):
    name = "channel"

    def text(self, site: Site, state: int) -> str:
        versions = "".join(f"      1.{n}.0: {{folder: 1.{n}.0}}\n" for n in range(2))
        return f"models:\n  {site.name}:\n    versions:\n{versions}    channels: {{stable: 1.{state - 1}.0}}\n"

    def held(self, site: Site) -> Any:
        items = site.get("/channels", model=site.name)["items"]
        return items[0]["version"] if items else None

    def change(self, site: Site) -> None:
        site.admin.put(f"/channels/{site.name}/stable", json={"version": "1.1.0"}).raise_for_status()


class Groups(Kind):
    name = "group"

    def text(self, site: Site, state: int) -> str:
        keys = f"{{query: site = lyon and not state = offline, devices: [dev-0], note: 'state {state}'}}"
        return f"groups:\n  {site.name}: {keys}\n"

    def held(self, site: Site) -> Any:
        return next((each["note"] for each in site.get("/groups")["items"] if each["name"] == site.name), None)

    def change(self, site: Site) -> None:
        site.admin.put(f"/groups/{site.name}", json={"selector": {"all": True}, "note": "by hand"}).raise_for_status()


class Pipelines(Kind):
    name = "pipeline"
    is_deleted = False

    def text(self, site: Site, state: int) -> str:
        (site.folder / "gate.toml").write_text(f"# state {state}\n" + PIPELINE.replace("NAME", site.name))
        return f"pipelines:\n  {site.name}:\n    file: gate.toml\n"

    def held(self, site: Site) -> Any:
        answer = site.admin.get(f"/pipelines/{site.name}")
        return answer.json()["text"].partition("\n")[0] if answer.status_code == 200 else None

    def change(self, site: Site) -> None:
        text = "# by hand\n" + PIPELINE.replace("NAME", site.name)
        site.admin.post("/pipelines", json={"text": text}).raise_for_status()


class Alerts(Kind):
    name = "alert"
    role = "admin"

    def text(self, site: Site, state: int) -> str:
        return f"alerts:\n  {site.name}:\n    kind: threshold\n    figure: temperature_c\n    above: {80 + state}\n"

    def _rule(self, site: Site) -> Any:
        return next((each for each in site.get("/alert-rules")["items"] if each["name"] == site.name), None)

    def held(self, site: Site) -> Any:
        rule = self._rule(site)
        return rule and rule["rule"]["above"]

    def change(self, site: Site) -> None:
        rule = self._rule(site)
        body = {"name": site.name, "rule": {**rule["rule"], "above": 7.0}}
        site.admin.put(f"/alert-rules/{rule['id']}", json=body).raise_for_status()


class Recipients(Kind):
    name = "recipient"
    role = "admin"

    def text(self, site: Site, state: int) -> str:
        return f"recipients:\n  {site.name}:\n    kind: ntfy\n    topic: state-{state}\n"

    def _recipient(self, site: Site) -> Any:
        return next((each for each in site.get("/alert-recipients")["items"] if each["name"] == site.name), None)

    def held(self, site: Site) -> Any:
        recipient = self._recipient(site)
        return recipient and recipient["topic"]

    def change(self, site: Site) -> None:
        body = {"name": site.name, "kind": "ntfy", "topic": "by-hand"}
        site.admin.put(f"/alert-recipients/{self._recipient(site)['id']}", json=body).raise_for_status()


class Rollouts(Kind):
    name = "rollout"

    def text(self, site: Site, state: int) -> str:
        versions = "".join(f"      1.{n}.0: {{folder: 1.{n}.0}}\n" for n in range(2))
        models = f"models:\n  {site.name}:\n    versions:\n{versions}"
        plan = f"model: {site.name}, version: 1.{state - 1}.0, all: true, waves: rest, start: false"
        return f"{models}rollouts:\n  {site.name}: {{{plan}}}\n"

    def _rollouts(self, site: Site) -> list[Any]:
        return [each for each in site.get("/rollouts", size=200)["items"] if each["package"] == site.name]

    def held(self, site: Site) -> Any:
        return [(each["version"], each["state"]) for each in self._rollouts(site)] or None

    def change(self, site: Site) -> None:
        site.admin.post(f"/rollouts/{self._rollouts(site)[0]['id']}/abort", json={}).raise_for_status()


KINDS: Final = {kind.name: kind for kind in (Models(), Channels(), Groups(), Pipelines(), Alerts(), Recipients(), Rollouts())}
TASKS: Final = ("create", "change", "unchanged", "drift", "prune")
CELLS: Final = [cell for cell in itertools.product(KINDS, TASKS) if cell != ("model", "drift")]
"""Packages are immutable: a version cannot be changed by hand."""


def prepare(site: Site, kind: Kind, task: str) -> tuple[str, ...]:
    """Bring server and files to where the task begins; returns the options."""
    site.write(kind.text(site, 1))
    if task == "create":
        if kind.name in ("channel", "rollout"):  # the versions are there, and the kind alone is to do
            text = kind.text(site, 1)
            site.write(text.partition("    channels")[0].partition("rollouts:")[0])
            site.must()
            site.write(text)
        return ()
    site.must()
    if task == "change":
        site.write(kind.text(site, 2))
    elif task == "drift":
        kind.change(site)
    elif task == "prune":
        site.write("")
        return ("--prune",)
    return ()


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("name", "task"), CELLS)
def test_every_cell(site: Site, name: str, task: str, role: str) -> None:
    """The plan shows what is to be done and changes nothing; the apply does it, if the role suffices; then nothing is to do."""
    kind = KINDS[name]
    options = prepare(site, kind, task)
    before = kind.held(site)
    recorded = site.resources()
    stopped = kind.name == "rollout" and task == "drift"
    has_work = task != "unchanged" and not stopped and (kind.is_deleted or task != "prune")
    code, out, err = site.run("--plan", "--detailed-exitcode", *options, role=role)
    assert (code, err) == (2 if has_work else 0, ""), out
    assert ("nothing to do" in out) is not has_work
    if has_work:
        symbol = {"create": "+", "prune": "-"}.get(task, "~")
        symbol = "+" if (kind.name, task) in (("model", "change"), ("rollout", "change")) else symbol
        assert f"{symbol} {kind.name} {site.name}" in out
    if task == "drift":
        expected = "it was stopped; `repeat`" if stopped else "changed outside of this configuration"
        assert (expected in out) is (kind.name != "pipeline"), "a pipeline's newest version belongs to all"
    assert (kind.held(site), site.resources()) == (before, recorded), "a plan changes nothing"

    code, out, err = site.run(*options, role=role)
    allowed = not has_work or ROLES.index(role) >= ROLES.index(kind.role)
    assert code == (0 if allowed else 7), err
    if not allowed:
        assert f"{kind.name} {site.name}" in err
        assert f"your role is {role}" in err
        assert (kind.held(site), site.resources()) == (before, recorded), "nothing was changed"
        return
    if task == "prune" and kind.is_deleted:
        left: Any = [("1.0.0", "aborted")] if kind.name == "rollout" else None
        assert kind.held(site) == left
        assert site.resources() == {}
    elif has_work:
        assert kind.held(site) != before
    code, out, _ = site.run("--plan", "--detailed-exitcode", *options, role=role)
    assert (code, "nothing to do" in out) == (0, True), "the second apply has nothing to do"


def test_what_others_made_is_adopted_and_never_deleted(site: Site) -> None:
    groups = KINDS["group"]
    site.admin.put(f"/groups/{site.name}", json={"selector": {"all": True}, "note": "by hand"}).raise_for_status()
    site.write(groups.text(site, 1))
    assert f"~ group {site.name}" in site.must()
    assert site.resources()["group", site.name]["made"] is False
    site.write("")
    assert "no longer in the files" in site.must()
    assert "it was there before, and stays" in site.must("--prune")
    assert groups.held(site) == "state 1"
    assert site.resources() == {}


def test_without_prune_nothing_is_deleted_and_the_plan_shows_it(site: Site) -> None:
    site.write(KINDS["group"].text(site, 1))
    site.must()
    site.write("")
    code, out, _ = site.run("--plan", "--detailed-exitcode")
    assert code == 0
    assert f"= group {site.name}: no longer in the files; --prune deletes what this configuration made" in out
    site.must()
    assert KINDS["group"].held(site) == "state 1"


def test_an_object_belongs_to_one_configuration(site: Site) -> None:
    site.write(KINDS["group"].text(site, 1))
    site.must()
    text = (site.folder / "fleet.yaml").read_text()
    (site.folder / "fleet.yaml").write_text(text.replace(f"name: {site.name}\n", "name: other\n"))
    code, _, err = site.run()
    assert (code, f"fleet.yaml:3: group '{site.name}' belongs to configuration '{site.name}'" in err) == (2, True), err


def test_what_was_deleted_by_hand_comes_back(site: Site) -> None:
    site.write(KINDS["group"].text(site, 1))
    site.must()
    site.admin.delete(f"/groups/{site.name}").raise_for_status()
    out = site.must()
    assert "! deleted outside of this configuration" in out
    assert KINDS["group"].held(site) == "state 1"


WHOLE: Final = """\
models:
  NAME:
    versions:
      1.0.0: {folder: 1.0.0}
    channels:
      stable: 1.0.0
groups:
  NAME: {devices: [dev-0]}
pipelines:
  NAME:
    file: gate.toml
    assign:
      cameras: {group: NAME, waves: rest, start: false}
alerts:
  NAME: {kind: absence, group: NAME, for_s: 600}
rollouts:
  NAME:
    model: NAME
    version: stable
    group: NAME
    waves: rest
    slot: NAME
    start: false
"""


def test_a_whole_fleet_in_one_go(site: Site) -> None:
    """From nothing: what depends on what is made in order. A moved channel and a changed pipeline are new rollouts."""
    KINDS["pipeline"].text(site, 1)
    site.write(WHOLE.replace("NAME", site.name))
    out = site.must("--json")
    answer = json.loads(out)
    assert (answer["configuration"], answer["applied"]) == (site.name, True)
    made = [(change["kind"], change["action"]) for change in answer["changes"]]
    assert made == [(kind, "create") for kind in ("model", "channel", "group", "pipeline", "alert", "rollout", "rollout")]
    assert json.loads(site.must("--json", "--plan"))["changes"][-1]["action"] == "none"
    assert {key: each["made"] for key, each in site.resources().items()} == {
        ("channel", f"{site.name}/stable"): True,
        ("group", site.name): True,
        ("alert", site.name): True,
        ("rollout", site.name): True,
        ("rollout", f"{site.name}/cameras"): True,
    }
    KINDS["pipeline"].text(site, 2)
    moved = WHOLE.replace("stable: 1.0.0", "stable: 1.1.0").replace(
        "{folder: 1.0.0}", "{folder: 1.0.0}\n      1.1.0: {folder: 1.1.0}"
    )
    site.write(moved.replace("NAME", site.name))
    out = site.must()
    for line in (f"~ channel {site.name}/stable", f"+ rollout {site.name}\n", f"+ rollout {site.name}/cameras"):
        assert line in out
    assert "nothing to do" in site.must()
    site.write("")
    out = site.must("--prune")
    assert out.count("- ") >= 5
    assert site.resources() == {}
    assert KINDS["rollout"].held(site)[0] == ("1.1.0", "aborted")


def test_two_applies_at_once_start_one_rollout(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both have planned before either begins: one goes on, and even without this guard the key is used once."""
    text = KINDS["rollout"].text(site, 1)
    site.write(text.partition("rollouts:")[0])
    site.must()
    site.write(text)
    barrier = threading.Barrier(2)
    claim = Ownership.claim

    def together(self: Ownership) -> None:
        barrier.wait(120.0)
        claim(self)

    monkeypatch.setattr(Ownership, "claim", together)
    argv = ["apply", "-f", str(site.folder / "fleet.yaml"), "--server", site.people.url, "--yes"]
    with ThreadPoolExecutor(2) as pool:
        codes = sorted(pool.map(lambda _: main(argv), range(2)))
    assert codes == [0, 2]
    assert "was changed by ada; plan again" in site.capture.readouterr().err
    site.admin.post(f"/rollouts/{KINDS['rollout']._rollouts(site)[0]['id']}/abort", json={})  # type: ignore[attr-defined]

    site.write(text.replace("start: false", "start: false, repeat: 1"))
    monkeypatch.setattr(Ownership, "claim", lambda _self: barrier.wait(120.0))
    with ThreadPoolExecutor(2) as pool:
        codes = list(pool.map(lambda _: main(argv), range(2)))
    assert codes == [0, 0], site.capture.readouterr().err
    assert len(KINDS["rollout"].held(site)) == 2, "the first, and one for `repeat: 1`"


def test_a_failure_records_what_was_made_before_it(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.write(KINDS["group"].text(site, 1) + "alerts:\n  " + site.name + ": {kind: threshold, for_s: 60}\n")
    code, _, err = site.run()
    assert (code, "a threshold rule requires" in err or "figure" in err) == (2, True), err
    assert f"alert {site.name} failed; what came before it was made" in err
    assert list(site.resources()) == [("group", site.name)]
    assert site.resources()["group", site.name]["made"] is True


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("rollouts:\n  r: {model: NAME, version: 9.9.9, all: true}\n", "NAME@9.9.9 is not in the registry"),
        ("rollouts:\n  r: {model: NAME, version: nightly, all: true}\n", "model 'NAME' has no channel 'nightly'"),
        ("models:\n  NAME: {versions: {9.9.9: {}}}\n", "NAME@9.9.9 is not in the registry; push it, or set its `folder`"),
        ("models:\n  NAME: {versions: {1.1.0: {folder: 1.0.0}}}\n", "is NAME@1.0.0, not NAME@1.1.0"),
        ("models:\n  NAME: {versions: {1.0.0: {folder: nowhere}}}\n", "has no model.toml"),
        ("models:\n  NAME: {channels: {stable: 9.9.9}}\n", "channel NAME/stable: no version 9.9.9"),
        ("groups:\n  NAME: {note: nothing}\n", "groups.NAME selects nothing"),
        ("groups:\n  NAME: {query: 'a = 1 or'}\n", "groups.NAME: query, position 9: expected"),
        ("groups:\n  NAME: {query: 'a = 1', all: true}\n", "groups.NAME: set one of `query` and `all`"),
        ("pipelines:\n  NAME: {file: none.toml}\n", "none.toml: no such file"),
        ("pipelines:\n  other: {file: gate.toml}\n", "is pipeline 'NAME', not 'other'"),
        (
            "alerts:\n  NAME: {kind: absence, webhooks: [{url: 'http://x.example/', secret_env: NOT_SET_HERE}]}\n",
            "$NOT_SET_HERE is not set",
        ),
    ],
)
def test_faults_are_found_before_anything_is_changed(site: Site, text: str, fault: str) -> None:
    KINDS["pipeline"].text(site, 1)
    site.write(text.replace("NAME", site.name))
    code, out, err = site.run()
    assert (code, out) == (2, "")
    assert fault.replace("NAME", site.name) in err
    assert site.run("--plan", "--detailed-exitcode")[0] == 1, "2 means changes there"


def test_a_folder_that_differs_from_the_registry_is_refused(site: Site) -> None:
    site.write(KINDS["model"].text(site, 1))
    site.must()
    (site.folder / "1.0.0/model.tflite").write_bytes(b"other")
    code, _, err = site.run()
    assert (code, "packages are immutable: raise its version" in err) == (2, True), err


def test_secrets_of_webhooks_are_sent_and_not_shown(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOOK", "very secret")
    hook = "webhooks: [{url: 'http://127.0.0.1:9/x', secret_env: HOOK}]"
    site.write(f"alerts:\n  {site.name}: {{kind: absence, {hook}}}\n")
    assert "very secret" not in site.must()
    assert "nothing to do" in site.must()
    rule = KINDS["alert"]._rule(site)  # type: ignore[attr-defined]
    assert rule["rule"]["webhooks"] == [{"url": masked_url("http://127.0.0.1:9/x"), "secret": "(hidden)"}]


def test_secrets_of_recipients_are_sent_and_not_shown(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY", "0123456789abcdef0123456789abcdef")
    site.write(f"recipients:\n  {site.name}: {{kind: pagerduty, secret_env: KEY, severities: [critical]}}\n")
    assert "0123456789abcdef" not in site.must()
    assert "nothing to do" in site.must()
    assert KINDS["recipient"]._recipient(site)["secret"] == "(hidden)"  # type: ignore[attr-defined]


def test_without_a_terminal_yes_is_required(site: Site) -> None:
    site.write(KINDS["group"].text(site, 1))
    code, _, err = site.run(confirmed=False)
    assert (code, "use --yes" in err) == (2, True)
    assert KINDS["group"].held(site) is None


def test_a_draft_is_started_when_the_files_say_so(site: Site) -> None:
    text = KINDS["rollout"].text(site, 1).replace("waves: rest", f"waves: rest, slot: {site.name}")
    site.write(text)
    site.must()
    site.write(text.replace("start: false", "start: true"))
    assert f"~ rollout {site.name}" in site.must()
    assert KINDS["rollout"].held(site)[0][1] in ("running", "completed")
    assert "nothing to do" in site.must()


def test_a_rollout_without_devices_is_not_called_created(site: Site) -> None:
    """Whether a group of the same files has devices is known only afterwards."""
    site.write(
        f"models:\n  {site.name}:\n    versions:\n      1.0.0: {{folder: 1.0.0}}\n"
        f"groups:\n  {site.name}: {{labels: {{site: nowhere}}}}\n"
        f"rollouts:\n  {site.name}: {{model: {site.name}, version: 1.0.0, group: {site.name}, waves: rest, slot: {site.name}}}\n"
    )
    out = site.must()
    assert f"rollout {site.name}: nothing to do: the selector matches no device\n" in out
    assert site.resources()["rollout", site.name]["made"] is False
