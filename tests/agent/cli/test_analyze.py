"""`edgefleet-agent analyze` by its command line, compared with the labelled truth of the clips."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import av
import pytest

from edgefleet_agent.__main__ import main
from tests.agent.fakes.films import jpeg_with_exif
from tests.packages import MakePackage

EXAMPLES = Path(__file__).resolve().parents[3] / "docs/examples"
VISITORS = "one-by-one-person-detection.mp4"
Analyze = Callable[..., tuple[list[dict[str, Any]], dict[str, Any]]]


@pytest.fixture
def analyze(capsys: pytest.CaptureFixture[str]) -> Analyze:
    """Runs a successful analysis. Returns (events, summary)."""

    def run(video: Path, pipeline: str, package: Path, *more: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        code = main(["analyze", str(video), "--pipeline", str(EXAMPLES / pipeline), "--package", str(package), "--json", *more])
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert code == 0
        assert lines[-1]["kind"] == "summary"
        return lines[:-1], lines[-1]

    return run


@pytest.fixture(scope="session")
def truth(data: Path) -> dict[str, Any]:
    videos: dict[str, Any] = json.loads((data / "media/videos/expected.json").read_text())["videos"]
    return videos


def beginning(video: Path, into: Path, frames: int) -> Path:
    """The first frames of a video, without re-encoding."""
    with av.open(str(video)) as source, av.open(str(into), "w") as target:
        stream = source.streams.video[0]
        copy = target.add_stream_from_template(stream)
        for number, packet in enumerate(source.demux(stream)):
            if packet.dts is None or number >= frames:
                break
            packet.stream = copy
            target.mux(packet)
    return into


def check_visits(events: list[dict[str, Any]], truth: dict[str, Any], count: int) -> None:
    visits = [event for event in events if event["kind"] == "visit"]
    seen = truth["ground_truth"]
    assert len(visits) == count
    for visit, real in zip(visits, seen["visits"], strict=False):
        assert visit["start_frame"] == pytest.approx(real["first_frame"], abs=seen["tolerance_frames"]), real["person"]
        assert visit["end_frame"] == pytest.approx(real["last_frame"], abs=seen["tolerance_frames"]), real["person"]
        assert (visit["label"], visit["coverage"]) == ("person", 1.0)
        assert visit["start_s"] == pytest.approx(visit["start_frame"] / 10)


@pytest.mark.parametrize(("frames", "visitors"), [(470, 2), pytest.param(1394, 6, marks=pytest.mark.long)])
def test_visitors(
    frames: int, visitors: int, analyze: Analyze, data: Path, package: MakePackage, truth: dict[str, Any], tmp_path: Path
) -> None:
    video = beginning(data / "media/videos" / VISITORS, tmp_path / "clip.mp4", frames)
    events, summary = analyze(video, "person-visits.toml", package("ssd_mobilenet_v1"))
    check_visits(events, truth[VISITORS], visitors)
    stays = [event for event in events if event["kind"] == "zone"]
    example = truth[VISITORS]["zone_example"]
    assert len(stays) == visitors
    for stay, real in zip(stays, example["stays"], strict=False):
        assert [stay["start_frame"], stay["end_frame"]] == pytest.approx(real, abs=example["tolerance_frames"])
    assert (summary["frames"], summary["visits"], summary["coverage"]) == (frames, visitors, 1.0)
    assert summary["events"] == summary["counts"] == {"visits": visitors, "at_table": visitors}
    assert (summary["model"], summary["runtime"], summary["device"]) == ("ssd_mobilenet_v1@1.0.0", "lite_rt", "cpu")
    assert summary["latency_ms"]["invoke"]["p50_ms"] > 0


@pytest.mark.parametrize(("model", "backend"), [("yolox_nano", "onnx_runtime"), ("person_detection_retail_0013", "open_vino")])
def test_the_same_visitors_whatever_the_model(
    model: str, backend: str, analyze: Analyze, data: Path, package: MakePackage, truth: dict[str, Any], tmp_path: Path
) -> None:
    """The first of the six, to keep the test short; benchmarks/pipeline/visits.py runs the whole clip."""
    clip = beginning(data / "media/videos" / VISITORS, tmp_path / "clip.mp4", 226)
    events, summary = analyze(clip, "person-visits.toml", package(model), "--backend", backend)
    check_visits(events, truth[VISITORS], 1)
    assert summary["runtime"] == backend


def test_traffic_over_a_line(analyze: Analyze, data: Path, package: MakePackage, truth: dict[str, Any]) -> None:
    events, summary = analyze(data / "media/videos/car-detection.mp4", "crossing.toml", package("ssd_mobilenet_v1"))
    seen = truth["car-detection.mp4"]["ground_truth"]
    crossings = [(event["start_frame"], event["direction"]) for event in events if event["kind"] == "line"]
    assert [way for _, way in crossings] == [
        "up" if "upwards" in car["car"] else "down" for car in seen["cars"]
    ]  # fmt: skip
    for (frame, _), car in zip(crossings, seen["cars"], strict=True):
        assert frame == pytest.approx(car["crosses_y216_at_frame"], abs=seen["tolerance_frames"])
    assert summary["counts"] == {"gate": {"up": 2, "down": 2}, "total": {"total": 4, "up": 2, "down": 2}}


def test_a_gate_misses_no_visitor_and_runs_the_model_less(
    analyze: Analyze, data: Path, package: MakePackage, truth: dict[str, Any], tmp_path: Path
) -> None:
    """`python -m benchmarks.pipeline.motion_gate` does this with all six."""
    video = beginning(data / "media/videos" / VISITORS, tmp_path / "two.mp4", 470)
    events, summary = analyze(video, "gated-visits.toml", package("ssd_mobilenet_v1"))
    check_visits(events, truth[VISITORS], 2)
    assert 465 <= summary["frames"] <= 470
    assert summary["quiet"] > 120
    assert summary["coverage"] == 1.0
    assert {event["coverage"] for event in events} == {1.0}


def test_four_cars_with_their_direction_by_motion_alone(
    data: Path, truth: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    video = data / "media/videos/car-detection.mp4"
    assert main(["analyze", str(video), "--pipeline", str(EXAMPLES / "motion-crossing.toml"), "--json"]) == 0
    *events, summary = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    seen = truth["car-detection.mp4"]["ground_truth"]
    assert len(events) == seen["cars_total"] == 4
    for event, car in zip(events, seen["cars"], strict=True):
        assert event["start_frame"] == pytest.approx(car["crosses_y216_at_frame"], abs=seen["tolerance_frames"])
        assert car["car"].endswith(event["direction"] + "wards")
    assert summary["counts"] == {"gate": {"up": 2, "down": 2}}
    assert summary["model"] == ""


Analysis = tuple[list[dict[str, Any]], dict[str, Any]]


def series(capsys: pytest.CaptureFixture[str], path: Path, pipeline: str) -> Analysis:
    """Analyzes a sensor's recording. Returns (events, summary)."""
    assert main(["analyze", str(path), "--pipeline", str(EXAMPLES / pipeline), "--json"]) == 0
    *events, summary = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return events, summary


def seconds(text: str) -> float:
    moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return (moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).timestamp()


def meets(event: dict[str, Any], window: list[str]) -> bool:
    return seconds(event["data"]["from"]) <= seconds(window[1]) and seconds(event["data"]["to"]) >= seconds(window[0])


@pytest.mark.parametrize("name", ["other_9", "valve1_0", "valve1_1", "valve1_6"])
def test_every_fault_of_the_pump_once_and_nothing_else(name: str, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sensors = data / "media/sensors"
    events, summary = series(capsys, sensors / f"skab/{name}.csv", "pump.toml")
    truth = json.loads((sensors / "expected.json").read_text())["series"][f"skab/{name}.csv"]
    assert len(events) == len(truth["anomaly_intervals"]) == 1
    (window,) = truth["anomaly_intervals"]
    assert meets(events[0], window)
    assert seconds(events[0]["data"]["from"]) == pytest.approx(seconds(window[0]), abs=90)
    assert summary["frames"] == truth["rows"]


def test_failures_of_the_machine(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Finds all four labelled windows, and one more episode in eleven weeks."""
    sensors = data / "media/sensors"
    events, summary = series(capsys, sensors / "nab/machine_temperature_system_failure.csv", "machine-temperature.toml")
    truth = json.loads((sensors / "expected.json").read_text())["series"]["nab/machine_temperature_system_failure.csv"]
    assert all(any(meets(event, window) for event in events) for window in truth["anomaly_windows"])
    assert len(events) <= 5
    assert summary["frames"] == truth["rows"]


def test_people_get_a_table(data: Path, package: MakePackage, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    into = tmp_path / "events.jsonl"
    video = data / "media/videos/worker-zone-detection.gif"
    arguments = ["analyze", str(video), "--pipeline", str(EXAMPLES / "person-visits.toml")]
    assert main([*arguments, "--package", str(package("ssd_mobilenet_v1")), "--json", str(into), "--all-phases"]) == 0
    shown = capsys.readouterr().out
    assert "person 1" in shown
    assert "71 frames" in shown
    assert "ssd_mobilenet_v1@1.0.0" in shown
    lines = [json.loads(line) for line in into.read_text().splitlines()]
    assert {line.get("phase") for line in lines[:-1]} == {"new", "end"}
    assert lines[-1]["frames"] == 71


def test_scores_can_be_raised(analyze: Analyze, data: Path, package: MakePackage) -> None:
    clip = data / "media/videos/worker-zone-detection.gif"
    events, _ = analyze(clip, "person-visits.toml", package("ssd_mobilenet_v1"), "--min-score", "0.99")
    assert events == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("VIDEO", "nothing.mp4"), "nothing.mp4: no such file"),
        (("VIDEO", "text.mp4"), "text.mp4: cannot be decoded as video"),
        (("kind = \"visit\"", "kind = \"vist\""), "unknown kind 'vist'; known are visit, zone, loiter, line"),
        (("kind = \"track\"", "kind = \"trak\""), "unknown kind 'trak'; known are classify, crops, detect"),
        (("labels = [\"person\"]", "labels = [\"unicorn\"]"), "has no label 'unicorn'; it has person, bicycle"),
        (("family = \"ssd\"", "family = \"sdd\""), "unknown head 'sdd'; known are classification,"),
        (("zone = \"table\"", "zone = \"tabel\""), "names zone 'tabel'; zones are table"),
        (("MODEL", "nowhere"), "nowhere/model.toml: cannot be read"),
        (("min_score = 0.5", "min_score = 5"), "must be a number up to 1"),
        (("name = \"person\"", "name = [\"person\""), "not valid TOML"),
    ],
)  # fmt: skip
def test_an_error_is_one_line(
    change: tuple[str, str], problem: str, data: Path, package: MakePackage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.mp4").write_text("no video")
    folder = package("ssd_mobilenet_v1", copy=True)
    video = tmp_path / change[1] if change[0] == "VIDEO" else data / "media/videos/traffic_frames.mp4"
    manifest = folder / "model.toml"
    manifest.write_text(manifest.read_text().replace(*change))
    pipeline = tmp_path / "pipeline.toml"
    pipeline.write_text((EXAMPLES / "person-visits.toml").read_text().replace(*change))
    chosen = tmp_path / change[1] if change[0] == "MODEL" else folder
    code = main(["analyze", str(video), "--pipeline", str(pipeline), "--package", str(chosen)])
    error = capsys.readouterr().err.strip().splitlines()[-1]
    assert code == 2
    assert error.startswith("edgefleet-agent: ")
    assert problem in error


@pytest.mark.parametrize(
    "command", [["analyze", "--pipeline", str(EXAMPLES / "motion-crossing.toml")], ["infer", "--package", "p"]]
)
def test_the_address_of_a_camera_is_no_file(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The error shows the address without its password, and the remedy."""
    with pytest.raises(SystemExit) as ended:
        main([*command, "rtsp://ann:s3cret@cam.example:554/stream?a=b//c"])
    assert ended.value.code == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert "rtsp://***@cam.example:554/stream?a=b//c is an address, but this command reads files" in error
    assert "edgefleet-agent run" in error
    assert "s3cret" not in error


def test_a_pipeline_of_the_service_needs_a_package(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    video = data / "media/videos/traffic_frames.mp4"
    assert main(["analyze", str(video), "--pipeline", str(EXAMPLES / "person-visits.toml")]) == 2
    assert "specify --package find=DIR" in capsys.readouterr().err


def test_a_folder_of_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In place of the source of any pipeline; its options that such a folder has stay."""
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for number in range(4):
        (pictures / f"{number}.jpg").write_bytes(jpeg_with_exif(number, 1))
    pipeline = tmp_path / "p.toml"
    pipeline.write_text((EXAMPLES / "motion-crossing.toml").read_text() + "\n[source.options]\nrotate = 90\n")
    assert main(["analyze", str(pictures), "--pipeline", str(pipeline), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (summary["frames"], summary["coverage"]) == (4, 1.0)
