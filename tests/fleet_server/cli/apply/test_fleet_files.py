"""Files of a fleet: values as they look, faults with their line, limits."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest

from edgefleet_client.schemas import alerts as alert_types
from edgefleet_server.api.schemas.fleet.alerts import AlertRuleBody
from edgefleet_server.cli.apply import documents
from edgefleet_server.cli.apply.fleet_files import read_files
from edgefleet_server.cli.apply.located_yaml import BYTES_MAX, read_yaml
from edgefleet_server.core.errors import InputError

GROUP = "groups:\n  lyon:\n    labels: {site: lyon}\n"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("22:00", "22:00"),
        ("no", "no"),
        ("2024-01-02", "2024-01-02"),
        ("010", "010"),
        ("1.10", 1.1),
        ("'1.10'", "1.10"),
        ("1e3", 1000.0),
        ("-3", -3),
        ("true", True),
        ("null", None),
        ("~", None),
        ("", None),
        ("[1, {a: b}]", [1, {"a": "b"}]),
        ("&x {a: 1}", {"a": 1}),
    ],
)
def test_plain_values_are_those_of_json(text: str, value: Any) -> None:
    assert read_yaml(f"key: {text}\n", "f").value == {"key": value}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a: 1\na: 2\n", r"f:2: key 'a' is there twice"),
        ("a: [1\n", r"f:2: "),
        ("a: !!python/name:os.system x\n", r"f:1: tag '.*' is not supported"),
        ("a: !!binary aGk=\n", r"f:1: tag .* is not supported"),
        ("? [a]\n: 1\n", r"f:1: a key must be text"),
        ("a: &x [*x]\n", r"f:1: (too many|found undefined alias|.*recursive)"),
        ("a: 1\n---\nb: 2\n", r"f:\d: .*(expected a single document|another document)"),
        ("a: *nothing\n", r"f:1: found undefined alias"),
        ("\x00", r"f: .*(unacceptable|special) character"),
        ("x" * (BYTES_MAX + 1), r"f: larger than 1048576 bytes"),
        ("[" * 40 + "]" * 40, r"f:1: too many or too deeply nested"),
        ("[" * 20_000 + "]" * 20_000, r"f: too many or too deeply nested"),
    ],
)
def test_what_json_does_not_have_is_refused_with_its_line(text: str, fault: str) -> None:
    with pytest.raises(InputError, match=rf"^{fault}"):
        read_yaml(text, "f")


def test_aliases_count_as_what_they_stand_for() -> None:
    rows = ["a0: &a0 [1,1,1,1,1,1,1,1,1,1]"] + [f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 7)]
    with pytest.raises(InputError, match="too many"):
        read_yaml("\n".join(rows), "f")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("group: {}\n", r"fleet.yaml:1: unknown key 'group'; docs/reference/fleet.md lists the keys"),
        (GROUP + "    note: x\n    colour: red\n", r"fleet.yaml:5: unknown key 'groups.lyon.colour'"),
        (GROUP.replace("lyon:\n", "Lyon!:\n"), r"fleet.yaml:2: groups.Lyon!: .*correct the name"),
        (
            "groups:\n  lyon:\n    labels:\n      site: 7\n",
            r"fleet.yaml:\d: groups.lyon.labels: must be text, not a whole number",
        ),
        ("groups: [a]\n", r"fleet.yaml:1: groups must be a table"),
        ("- a\n", r"fleet.yaml:1: must be a table"),
        ("name: Big Name\n", r"fleet.yaml:1: name: .*correct the value"),
        (
            "models:\n  spotter:\n    versions:\n      1.0.0:\n        folder: x\n      1.1.0:\n        foldr: y\n",
            r"fleet.yaml:7: unknown key 'models.spotter.versions.1.1.0.foldr'",
        ),
        (
            "models:\n  spotter:\n    channels:\n      stable: 1.0\n",
            r"fleet.yaml:\d: models.spotter.channels: must be text, not a number",
        ),
        (
            "rollouts:\n  r:\n    model: spotter\n    version: 1.0.0\n    gate:\n      soak_s: -1\n",
            r"fleet.yaml:6: rollouts.r.gate.soak_s: must be a number from 0",
        ),
        (
            "rollouts:\n  r:\n    model: a\n    version: 1.0.0\n    wave_list:\n    - name: a\n    - name: b\n      share: 3\n",
            r"fleet.yaml:8: unknown key 'rollouts.r.wave_list.1.share'",
        ),
        ("rollouts:\n  r: {version: 1.0.0}\n", r"fleet.yaml:2: rollouts.r: 'model' is missing"),
        ("alerts:\n  hot:\n    kind: cold\n", r"fleet.yaml:3: alerts.hot.kind: 'cold' is not one of"),
    ],
)
def test_faults_name_file_line_and_key(tmp_path: Path, text: str, fault: str) -> None:
    file = tmp_path / "fleet.yaml"
    file.write_text(text)
    with pytest.raises(InputError, match=rf"^{tmp_path}/{fault}"):
        read_files(str(file))


def test_a_folder_is_one_configuration(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(f"name: plant\n{GROUP}")
    (tmp_path / "b.yml").write_text("alerts:\n  hot: {kind: absence}\n")
    (tmp_path / "c.txt").write_text("not read")
    found = read_files(str(tmp_path))
    assert (found.name, list(found.entries)) == ("plant", [("groups", "lyon"), ("alerts", "hot")])
    assert found.entries["alerts", "hot"].place == f"{tmp_path}/b.yml:2"
    (tmp_path / "b.yml").write_text(GROUP)
    with pytest.raises(InputError, match=rf"^{tmp_path}/b.yml:2: groups.lyon is also at {tmp_path}/a.yaml:3"):
        read_files(str(tmp_path))
    (tmp_path / "b.yml").write_text("name: other\n")
    with pytest.raises(InputError, match="the name is 'plant' in another file"):
        read_files(str(tmp_path))


def test_standard_input_and_what_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GROUP.encode())))
    assert ("groups", "lyon") in read_files("-").entries
    for source, fault in ((tmp_path, "has no"), (tmp_path / "none.yaml", "no such file")):
        with pytest.raises(InputError, match=fault):
            read_files(str(source))
    (tmp_path / "latin.yaml").write_bytes(b"name: \xe9\n")
    with pytest.raises(InputError, match="not UTF-8"):
        read_files(str(tmp_path))


def test_an_empty_file_describes_nothing(tmp_path: Path) -> None:
    (tmp_path / "fleet.yaml").write_text("# nothing yet\n")
    found = read_files(str(tmp_path / "fleet.yaml"))
    assert (found.name, found.entries) == ("fleet", {})


def test_the_defaults_of_an_alert_are_those_of_the_server() -> None:
    given = documents.plain(documents.FleetAlert(kind="absence"))
    given.pop("enabled")
    assert given == AlertRuleBody(kind="absence").model_dump()
    assert given.keys() == alert_types.AlertRuleBody.__annotations__.keys()


@pytest.mark.parametrize("value", ["1e999", "!!float .nan", "!!float -.inf"])
def test_a_number_that_is_not_finite_has_its_line(value: str) -> None:
    with pytest.raises(InputError, match=r"^fleet.yaml:2: .* is not a finite number"):
        read_yaml(f"kind: AlertRule\nabove: {value}\n", "fleet.yaml")
