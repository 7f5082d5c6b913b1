"""`edgefleet-agent init`: files that pass `check`, for every kind of camera and choice."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgefleet_agent.__main__ import main
from edgefleet_agent.cli.camera.init_command import device_name
from edgefleet_agent.settings import read_pipelines, read_settings
from tests.agent.cli.test_analyze import VISITORS
from tests.packages import MakePackage

CAMERAS = [
    ("rtsp://192.168.1.20/stream1", "rtsp", False),
    ("rtsp://user:p%22w@192.168.1.20:554/a?b=c", "rtsp", True),
    ("rtsps://192.168.1.20/stream1", "rtsp", False),
    ("http://192.168.1.21/video?token=abc", "mjpeg", True),
    ("/dev/video0", "camera", False),
    ("VIDEO", "file", False),
    ("FOLDER", "images", False),
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("line", [[], ["--line", "0.25,1,0.75,0"]])
@pytest.mark.parametrize("classes", [[], ["--classes", "person,traffic light"]])
@pytest.mark.parametrize(("camera", "kind", "secret"), CAMERAS)
def test_the_files_pass_check(
    camera: str,
    kind: str,
    secret: bool,
    line: list[str],
    classes: list[str],
    here: Path,
    data: Path,
    package: MakePackage,
    capsys: pytest.CaptureFixture[str],
) -> None:
    places = {"VIDEO": str(data / "media/videos" / VISITORS), "FOLDER": str(data / "media/images")}
    folder = package("yolox_nano")
    arguments = ["--camera", places.get(camera, camera), "--package", str(folder), "--device", "door-1", "--pipeline", "door"]
    assert main(["init", *arguments, *line, *classes, "--min-score", "0.4"]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines() == [
        "wrote agent.toml",
        "wrote pipelines/door.toml",
        "edgefleet-agent check agent.toml",
        "edgefleet-agent run --config agent.toml",
    ]
    assert ("holds the camera's password" in shown.err) is secret
    assert (Path("pipelines/door.toml").stat().st_mode & 0o077 == 0) is secret
    assert main(["check", "agent.toml"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "agent.toml: settings of door-1, pipeline door, package yolox_nano@1.0.0: valid\n"
    settings = read_settings(Path("agent.toml"))
    assert settings.factory == {"detector": str(folder)}
    spec = read_pipelines(settings.pipelines).specs["door"]
    assert (spec.source.kind, spec.source.uri) == (kind, places.get(camera, camera))
    assert spec.stages[0].labels == (["person", "traffic light"] if classes else [])
    assert spec.stages[0].min_score == 0.4
    assert [rule.kind for rule in spec.rules] == (["visit", "line"] if line else ["visit"])
    if line:
        assert spec.lines[0].points == ((0.25, 1.0), (0.75, 0.0))


def test_existing_files_are_not_replaced(here: Path, package: MakePackage, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["init", "--camera", "/dev/video0", "--package", str(package("yolox_nano")), "--folder", "a b"]
    assert main(arguments) == 0
    assert "edgefleet-agent run --config 'a b/agent.toml'" in capsys.readouterr().out
    settings, pipeline = here / "a b/agent.toml", here / "a b/pipelines/camera.toml"
    settings.write_text("# mine\n", encoding="utf-8")
    pipeline.unlink()
    assert main(arguments) == 2
    assert capsys.readouterr().err == (
        "edgefleet-agent: a b/agent.toml: exists already; use --force to replace, or another --folder\n"
    )
    assert (settings.read_text(encoding="utf-8"), pipeline.exists()) == ("# mine\n", False)
    assert main([*arguments, "--force"]) == 0
    assert "device = " in settings.read_text(encoding="utf-8")
    assert pipeline.exists()


def test_a_package_in_the_folder_is_named_relative_to_it(here: Path, package: MakePackage) -> None:
    made = package("yolox_nano", copy=True)
    (here / "firmware_models").mkdir()
    made.parent.rename(here / "firmware_models/yolox_nano")
    assert main(["init", "--camera", "/dev/video0", "--package", "yolox_nano"]) == 0
    assert '\ndetector = "firmware_models/yolox_nano/1.0.0"\n' in (here / "agent.toml").read_text(encoding="utf-8")
    assert main(["init", "--camera", "/dev/video0", "--package", "yolox_nano", "--folder", "other"]) == 0
    assert f'\ndetector = "{here}/firmware_models/yolox_nano/1.0.0"\n' in (here / "other/agent.toml").read_text(encoding="utf-8")
    assert main(["check", "agent.toml", "other/agent.toml"]) == 0


def test_editors_find_the_schema(here: Path, package: MakePackage) -> None:
    assert main(["init", "--camera", "/dev/video0", "--package", str(package("yolox_nano"))]) == 0
    for file, name in (("agent.toml", "agent"), ("pipelines/camera.toml", "pipeline")):
        first = (here / file).read_text(encoding="utf-8").splitlines()[0]
        assert first.startswith("#:schema ")
        schema = ((here / file).parent / first.removeprefix("#:schema ")).resolve()
        assert schema.name == f"{name}.schema.json"
        assert schema.is_file()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--camera", "none.mp4", "--package", "P"], "none.mp4: no such file or folder"),
        (["--camera", "ftp://a/b", "--package", "P"], "ftp://a/b: unknown kind of address"),
        (["--camera", "rtsp://", "--package", "P"], "rtsp"),
        (["--camera", "/dev/video0", "--package", "yolox_tiny"], "`edgefleet model fetch yolox_tiny` downloads it"),
        (["--camera", "/dev/video0", "--package", "C"], "does classification, which is no detection"),
        (["--camera", "/dev/video0", "--package", "P", "--classes", "persn"], "has no such label; it has person, bicycle"),
        (["--camera", "/dev/video0", "--package", "P", "--folder", "taken"], "taken"),
    ],
)
def test_faults_are_one_line_and_nothing_is_written(
    arguments: list[str], problem: str, here: Path, package: MakePackage, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "taken").write_text("a file", encoding="utf-8")
    made = {"P": str(package("yolox_nano")), "C": str(package("mobilenet_v2"))}
    assert main(["init", *[made.get(each, each) for each in arguments]]) != 0
    shown = capsys.readouterr()
    assert problem in shown.err
    assert (len(shown.err.splitlines()), shown.out) == (1, "")
    assert [path.name for path in here.iterdir()] == ["taken"]


@pytest.mark.parametrize(("option", "text"), [("--device", "Door 1"), ("--pipeline", "../x"), ("--pipeline", "")])
def test_names_that_cannot_be(option: str, text: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["init", "--camera", "/dev/video0", "--package", "x", option, text])
    assert "is not a name: a-z, 0-9" in " ".join(capsys.readouterr().err.split())
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("host", "name"), [("Door-7.local", "door-7-local"), ("---", "device"), ("a" * 80, "a" * 64), ("büro", "b-ro")]
)
def test_the_name_of_a_device_from_its_host(host: str, name: str) -> None:
    assert device_name(host) == name
