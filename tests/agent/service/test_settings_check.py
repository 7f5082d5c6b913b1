"""`check agent.toml`: every fault of the settings, and of the pipelines and packages that they name."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from edgefleet_agent.__main__ import main
from edgefleet_agent.pipeline.model.loaded_model import read_package
from edgefleet_agent.settings import PIPELINES_MAX
from tests.packages import MakePackage

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "firmware_models/conveyor_inspector/1.1.0"
SETTINGS = f"""device = "line-7"
state = "state"
pipelines = "pipelines"

[factory]
detector = "{PACKAGE}"
"""
PIPELINE = """name = "belt"

[source]
kind = "synthetic"

[[stages]]
name = "find"
kind = "detect"
model = "slot:detector"
labels = ["gear"]
"""
Check = Callable[[str], tuple[int, list[str], list[str]]]


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    """Writes agent.toml and checks it. Returns the exit code, the faults without the folder, and the notes."""
    (tmp_path / "pipelines").mkdir()

    def run(settings: str) -> tuple[int, list[str], list[str]]:
        (tmp_path / "agent.toml").write_text(settings, encoding="utf-8")
        code = main(["check", str(tmp_path / "agent.toml"), "--json"])
        (row,) = json.loads(capsys.readouterr().out)
        assert row["ok"] is (code == 0)
        assert row["error"] == (row["errors"] or [""])[0]
        return code, [text.replace(f"{tmp_path}/", "") for text in row["errors"]], row["notes"]

    return run


def labels_of_package() -> str:
    return read_package(PACKAGE).labels[0]


def write_pipeline(tmp_path: Path, name: str = "belt", text: str = "") -> None:
    (tmp_path / f"pipelines/{name}.toml").write_text(text or PIPELINE.replace("gear", labels_of_package()), encoding="utf-8")


def test_valid_settings(check: Check, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_pipeline(tmp_path)
    assert check(SETTINGS) == (0, [], [])
    assert main(["check", str(tmp_path / "agent.toml")]) == 0
    shown = capsys.readouterr()
    assert shown.out == f"{tmp_path}/agent.toml: settings of line-7, pipeline belt, package conveyor_inspector@1.1.0: valid\n"
    assert shown.err == ""


def test_without_an_argument_the_settings_file_of_the_environment(
    check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_pipeline(tmp_path)
    check(SETTINGS)
    monkeypatch.setenv("EDGEFLEET_AGENT_CONFIG", str(tmp_path / "agent.toml"))
    assert main(["check"]) == 0
    assert "settings of line-7" in capsys.readouterr().out
    monkeypatch.setenv("EDGEFLEET_AGENT_CONFIG", str(tmp_path / "none.toml"))
    assert main(["check"]) == 2
    assert "none.toml: no such file" in capsys.readouterr().err


def test_every_wrong_key_in_one_run(check: Check) -> None:
    code, faults, _ = check('devise = "a"\ntelemetry_s = -1\n\n[local_api]\nhttp = 8002\n\n[link]\nblob = "x"\n')
    assert code == 2
    assert [text.partition(": ")[0] for text in faults] == [
        "agent.toml",
        "agent.toml:1",
        "agent.toml:2",
        "agent.toml:5",
        "agent.toml:8",
    ]
    assert "the key 'device' is missing" in faults[0]
    assert "link.blob: no such key; known are reconnect_min_s" in faults[4]


@pytest.mark.parametrize(
    ("added", "problem"),
    [
        ('secrets = "none.toml"', "agent.toml:4: secrets: no such file none.toml; create it or remove the setting"),
        ('trust_root = "root.json"', "agent.toml:4: trust_root: no such file root.json"),
        ('runtimes = ["abacus"]', "agent.toml:4: runtimes: unknown runtime 'abacus'; known are hailo, lite_rt"),
        ('profile = "toaster"', "agent.toml:4: profile: no device profile 'toaster'; `edgefleet-agent detect --all` lists"),
        ('[sinks.a]\nkind = "pigeon"', "agent.toml:5: sinks.a.kind: unknown kind 'pigeon'; known are jsonl, kafka"),
        (
            '[sinks.a]\nkind = "jsonl"\noptions = { pathh = "x" }',
            "agent.toml:6: sinks.a.options: unknown option 'pathh'; known are path, ",
        ),
        ('[sinks.a]\nkind = "jsonl"', "agent.toml:4: sinks.a.options: 'path' is missing"),
        ('[sinks.a]\nkind = "kafka"\noptions = { brokers = "k:1", topic = "a b" }', "agent.toml:6: sinks.a.options: topic: "),
        ('[local_api]\nhttp = "0.0.0.0:80"', "agent.toml:5: local_api.http: local API: 0.0.0.0:80 is reachable from other"),
        ('[local_api]\nhttp = "here"', "agent.toml:5: local_api.http: local API: 'here' is not an address"),
        ('[local_api]\napi_key_file = "key"', "agent.toml:5: local_api.api_key_file: no such file key"),
        ('[local_api.mqtt]\npassword_file = "p"', "agent.toml:5: local_api.mqtt.password_file: no such file p"),
        ('[serving]\ntls_cert = "c"', "agent.toml:5: serving.tls_cert: no such file c"),
        ('[link]\npassword_file = "p"', "agent.toml:5: link.password_file: no such file p"),
        ('[factory]\nother = "none"', "agent.toml:5: factory.other: none/model.toml: cannot be read (No such file"),
    ],
)
def test_what_the_settings_name(added: str, problem: str, check: Check, tmp_path: Path) -> None:
    write_pipeline(tmp_path, text=PIPELINE.replace('labels = ["gear"]\n', ""))
    code, faults, _ = check(f'device = "line-7"\nstate = "state"\npipelines = "pipelines"\n{added}\n')
    assert (code, len(faults)) == (2, 1), faults
    assert faults[0].startswith(problem)


def test_a_package_without_one_of_its_files(check: Check, tmp_path: Path, package: MakePackage) -> None:
    write_pipeline(tmp_path, text=PIPELINE.replace("gear", "person"))
    folder = package("yolox_nano", copy=True)
    settings = SETTINGS.replace(str(PACKAGE), str(folder))
    assert check(settings)[:2] == (0, [])
    (folder / "yolox_nano.onnx").unlink()
    code, faults, _ = check(settings)
    assert code == 2
    assert faults == [
        f"agent.toml:6: factory.detector: {folder}".replace(f"{tmp_path}/", "")
        + ": the file yolox_nano.onnx is missing; copy the package again"
    ]
    shutil.rmtree(folder)


def test_faults_of_the_pipelines(check: Check, tmp_path: Path) -> None:
    write_pipeline(tmp_path, "a")
    write_pipeline(tmp_path, "b")
    write_pipeline(tmp_path, "c", PIPELINE.replace('"belt"', '"c"').replace("gear", "zebra"))
    write_pipeline(tmp_path, "d", PIPELINE.replace('"belt"', '"d"').replace("labels", "label") + "minscore = 1\n")
    write_pipeline(tmp_path, "e", PIPELINE.replace('"belt"', '"e"').replace("synthetic", 'rtsp"\ncredentials = "front'))
    (tmp_path / "pipelines/f.toml").write_bytes(b"\xff\xfe")
    code, faults, _ = check(SETTINGS)
    assert code == 2
    assert faults[0].startswith("pipelines/b.toml:1: duplicate pipeline name 'belt'")
    assert "pipelines/c.toml:10: stage 'find': conveyor_inspector@1.1.0 has no label 'zebra'" in faults[1]
    assert faults[2].startswith("pipelines/d.toml:10: stages.0.label: no such key")
    assert faults[3].startswith("pipelines/d.toml:11: stages.0.minscore: no such key")
    assert "no credentials 'front'" in faults[4]
    assert faults[5] == "pipelines/f.toml: not UTF-8 text; write it again"
    assert len(faults) == 6


def test_notes(check: Check, tmp_path: Path) -> None:
    code, _, notes = check('device = "a"\n')
    text = f'; for those of {tmp_path}/pipelines, add pipelines = "pipelines" before the first table'
    assert (code, notes) == (0, [f"no `pipelines`: the device runs those of the fleet only{text}"])
    code, _, notes = check('device = "a"\npipelines = "pipelines"\n')
    assert (code, notes) == (0, [f"no *.toml in {tmp_path}/pipelines"])
    write_pipeline(tmp_path, text=PIPELINE)
    code, _, notes = check('device = "a"\npipelines = "pipelines"\n')
    assert (code, notes) == (
        0,
        ["slot:detector has no package in [factory]; its pipelines wait until the fleet assigns one"],
    )
    code, _, notes = check(SETTINGS.replace("[factory]", 'runtimes = ["ncs2"]\n[factory]').replace('["gear"]', "[]"))
    assert any(text.startswith("conveyor_inspector@1.1.0 does not run on this machine: ") for text in notes) or code == 2


def test_limits_and_folders(check: Check, tmp_path: Path) -> None:
    code, faults, _ = check('device = "a"\npipelines = "none"\n')
    assert (code, faults) == (2, ["agent.toml:2: pipelines: no such folder none; create it or remove the setting"])
    for number in range(PIPELINES_MAX + 1):
        write_pipeline(tmp_path, f"p{number:03}", PIPELINE.replace('"belt"', f'"p{number}"').replace('labels = ["gear"]\n', ""))
    code, faults, _ = check('device = "a"\npipelines = "pipelines"\n')
    assert (code, faults) == (
        2,
        [f"agent.toml:2: pipelines: {PIPELINES_MAX + 1} files in pipelines, the limit is {PIPELINES_MAX}; move some elsewhere"],
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('device = "a"\n', "settings of a: valid"),
        (PIPELINE, "belt, 1 stages, 0 rules: valid"),
        ("variants = []\n", "is the model.toml of a package; `edgefleet model validate"),
        ("nothing = 1\n", "x.toml:1: nothing: no such key; known are name, source"),
        ("device = \n", "not valid TOML"),
    ],
)
def test_the_content_decides(text: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.toml").write_text(text, encoding="utf-8")
    main(["check", str(tmp_path / "x.toml")])
    shown = capsys.readouterr()
    assert expected in shown.out + shown.err


def test_settings_and_pipelines_in_one_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "agent.toml").write_text('device = "a"\n', encoding="utf-8")
    (tmp_path / "belt.toml").write_text(PIPELINE, encoding="utf-8")
    assert main(["check", str(tmp_path)]) == 0
    assert len([line for line in capsys.readouterr().out.splitlines() if line.endswith(": valid")]) == 2


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (
            'kind = "rtsp"\n[source.options]\ntransprt = "udp"',
            "5: source of kind 'rtsp': option 'transprt' is unknown; known are ",
        ),
        ('kind = "synthetic"\noptions = { fps = 5000.0 }', "4: source of kind 'synthetic': option 'fps' is "),
        ('kind = "noisee"', "3: unknown source 'noisee'; known are camera, "),
        ('kind = "synthetic"\npace = "fast"', "3: source of kind 'synthetic': pace 'fast' requires an end"),
        (
            'kind = "mqtt"\nuri = "mqtt://h/t"\n[source.options]\nsilence_s = 0.0',
            "6: source of kind 'mqtt': option 'silence_s' is 0",
        ),
    ],
)
def test_a_fault_of_a_source_has_file_and_line(source: str, problem: str, check: Check, tmp_path: Path) -> None:
    """It says which of twenty cameras."""
    write_pipeline(
        tmp_path,
        text=PIPELINE.replace('kind = "synthetic"', source).replace("gear", labels_of_package()).replace("\n\n", "\n", 1),
    )
    code, faults, _ = check(SETTINGS)
    assert (code, len(faults)) == (2, 1), faults
    assert faults[0].startswith(f"pipelines/belt.toml:{problem}"), faults


def test_a_wrong_key_of_the_settings_hides_no_other_fault(check: Check, tmp_path: Path) -> None:
    rule = '[[rules]]\nname = "x"\nkind = "visit"\n'
    write_pipeline(tmp_path, text=PIPELINE.replace("gear", labels_of_package()) + rule)
    write_pipeline(tmp_path, "cam", PIPELINE.replace('"belt"', '"cam"').replace("detect", "detekt"))
    code, faults, _ = check(f'stat = "state"\ntelemetry_s = -1\n{SETTINGS}[sinks.a]\nkind = "jsonl"\n')
    assert code == 2
    assert [text.partition(": ")[0] for text in faults] == [
        "agent.toml:1", "agent.toml:2", "agent.toml:9", "pipelines/belt.toml:11", "pipelines/cam.toml:8",
    ], faults  # fmt: skip
    assert "rules need a stage of kind 'track'" in faults[3]


def test_values_of_a_choice_are_listed(check: Check, tmp_path: Path) -> None:
    rules = "".join(f'[[rules]]\nname = "{name}"\nkind = "vist"\n' for name in "ab")
    write_pipeline(tmp_path, text=PIPELINE.replace("gear", labels_of_package()) + rules)
    _, faults, _ = check(SETTINGS)
    assert faults[0].startswith("pipelines/belt.toml:13: rules.0.kind: 'vist' is not one of visit, zone, loiter, line")
