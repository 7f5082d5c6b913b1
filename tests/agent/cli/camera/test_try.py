"""`edgefleet-agent try` by its command line: sources, models and options, errors, the page, and how it ends."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import numpy.typing as npt
import pytest
from av.video.stream import VideoStream

from edgefleet_agent.__main__ import main
from tests.agent.cli.test_analyze import VISITORS, beginning
from tests.agent.fakes.cameras import RtspCamera, TcpCamera, free_port, no_rtsp_server
from tests.packages import MakePackage
from tests.small_disk import mounted

pytestmark = pytest.mark.system

LINE = "0.5,1,0.5,0"
YOLOX = "models/onnx/yolox_nano/yolox_nano.onnx"
COCO = "models/onnx/yolox_nano/coco.names"
FILES = {
    "onnx": [YOLOX, "--labels", COCO],
    "tflite": ["models/tflite/ssd_mobilenet_v1_coco_quant/ssd_mobilenet_v1_coco_quant.tflite", "--labels", "coco_labels.txt"],
    "openvino": ["models/openvino/person-detection-retail-0013/FP16/person-detection-retail-0013.xml", "--labels", "person.txt"],
}
Summary = dict[str, Any]
Options = Callable[[str], list[str]]
Try = Callable[..., tuple[list[Summary], Summary]]


@pytest.fixture
def clip(data: Path, tmp_path: Path) -> Path:
    """The first visitor comes, and goes over the middle."""
    return beginning(data / "media/videos" / VISITORS, tmp_path / "visitors.mp4", 100)


@pytest.fixture
def model_options(data: Path, tmp_path: Path, package: MakePackage, monkeypatch: pytest.MonkeyPatch) -> Options:
    """The options of a kind of model, in an empty working folder."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (tmp_path / "person.txt").write_text("background\nperson\n", encoding="utf-8")

    def options(kind: str) -> list[str]:
        if kind == "package":
            return ["--model", str(package("ssd_mobilenet_v1"))]
        if kind == "catalogue":
            for version in ("1.0.0", "1.2.0"):
                shutil.copytree(package("yolox_nano", copy=True), folder / "firmware_models/yolox_nano" / version)
            return ["--model", "yolox_nano"]
        file, _, labels = FILES[kind]
        beside = {
            "person.txt": tmp_path / "person.txt",
            "coco_labels.txt": data / "models/tflite/ssd_mobilenet_v1_coco_quant/coco_labels.txt",
        }
        return ["--model", str(data / file), "--labels", str(beside.get(labels, data / labels))]

    return options


@pytest.fixture
def try_it(capsys: pytest.CaptureFixture[str]) -> Try:
    """Runs a successful try with `--json`. Returns (events, summary)."""

    def run(*arguments: str) -> tuple[list[Summary], Summary]:
        code = main(["try", *arguments, "--json"])
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert code == 0
        assert lines[-1]["kind"] == "summary"
        return lines[:-1], lines[-1]

    return run


def decoded(clip: Path) -> list[npt.NDArray[np.uint8]]:
    """The pictures of a video, BGR."""
    with av.open(str(clip)) as source:
        return [frame.to_ndarray(format="bgr24") for frame in source.decode(video=0)]


def turned(clip: Path, into: Path) -> Path:
    """The same pictures, stored lying on their side, with a display matrix that stands them up."""
    rotated = into / "rotated.mp4"
    with av.open(str(rotated), "w") as target:
        stream = target.add_stream("mpeg4", rate=10)
        assert isinstance(stream, VideoStream)
        stream.width, stream.height, stream.pix_fmt, stream.bit_rate = 432, 768, "yuv420p", 4_000_000
        stream.set_display_rotation(90)
        for number, picture in enumerate(decoded(clip)):
            lying = cv2.rotate(cv2.resize(picture, (768, 432)), cv2.ROTATE_90_CLOCKWISE)
            frame = av.VideoFrame.from_ndarray(lying, format="bgr24")
            frame.pts = number
            target.mux(stream.encode(frame))
        target.mux(stream.encode(None))
    return rotated


def pictures(clip: Path, into: Path) -> Path:
    """A folder with every second picture of the crossing."""
    folder = into / "pictures"
    folder.mkdir()
    for number, picture in enumerate(decoded(clip)[40::2]):
        cv2.imwrite(str(folder / f"{number}.png"), picture)
    return folder


@pytest.mark.parametrize(
    ("source", "model", "line"),
    [
        ("file", "onnx", True),
        ("file", "tflite", False),
        ("file", "openvino", True),
        ("file", "package", True),
        ("file", "catalogue", True),
        ("pictures", "package", True),
        ("pictures", "onnx", False),
    ],
)
def test_sources_and_models(
    source: str, model: str, line: bool, try_it: Try, clip: Path, model_options: Options, tmp_path: Path
) -> None:
    address = clip if source == "file" else pictures(clip, tmp_path)
    more = ["--line", LINE] if line else []
    events, summary = try_it(str(address), *model_options(model), "--classes", "person", *more)
    assert summary["analyzed"] == summary["frames"] == (100 if source == "file" else 30)
    assert summary["visits"] == {"person": 1}
    kinds = [event["kind"] for event in events]
    assert kinds == (["line", "visit"] if line else ["visit"])
    if line:
        assert summary["crossings"] == {"forward": {"person": 1}, "backward": {}}
    if model == "catalogue":
        assert summary["model"].startswith("yolox_nano@")
    left = {path.name for path in Path.cwd().iterdir()}
    assert left <= {"firmware_models"}


def test_a_video_of_a_turned_phone(try_it: Try, clip: Path, model_options: Options, tmp_path: Path) -> None:
    """Lying on the side, the person would go over the other axis; the agent stands the pictures up, as players do."""
    _, summary = try_it(str(turned(clip, tmp_path)), *model_options("onnx"), "--classes", "person", "--line", "0.43,1,0.43,0")
    assert summary["crossings"] == {"forward": {"person": 1}, "backward": {}}


def test_the_newest_version_of_a_fetched_model(
    try_it: Try, clip: Path, package: MakePackage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    source = package("yolox_nano", copy=True)
    for version in ("1.9.0", "1.10.0", "1.10.0-rc.1"):
        folder = tmp_path / "firmware_models/yolox_nano" / version
        shutil.copytree(source, folder)
        manifest = folder / "model.toml"
        manifest.write_text(manifest.read_text(encoding="utf-8").replace('"1.0.0"', f'"{version}"', 1), encoding="utf-8")
    _, summary = try_it(str(clip), "--model", "yolox_nano")
    assert summary["model"] == "yolox_nano@1.10.0"
    _, summary = try_it(str(clip), "--model", str(tmp_path / "firmware_models/yolox_nano/1.9.0/model.toml"))
    assert summary["model"] == "yolox_nano@1.9.0"


def test_lines_for_people(clip: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = ["--model", str(data / YOLOX)]
    assert main(["try", str(clip), *model, "--labels", str(data / COCO), "--classes", "person", "--line", LINE]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines()[0] == "     6.6 s  person #1 crosses forward (forward 1)"
    assert "forward   1 (person 1)\nbackward  0\nseen      1 (person 1)\n100 of 100 frames analyzed" in shown.out
    assert shown.err == ""
    assert main(["try", str(clip), *model]) == 0
    shown = capsys.readouterr()
    assert "class 0 #1 appears" in shown.out
    assert "no labels: classes are called class 0" in shown.err
    assert main(["try", str(clip), *model, "--labels", str(data / COCO), "--classes", "zebra"]) == 0
    assert "nothing was found; a lower --min-score (now 0.5)" in capsys.readouterr().out
    assert main(["try", str(clip), *model, "--labels", str(data / COCO), "--line", "0,0.01,1,0.01"]) == 0
    assert "none crossed the line; it counts the middle of a box's lower edge" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "problem"),
    [
        (["TMP/none.mp4", "--model", "DATA/" + YOLOX], 2, "none.mp4: no such file or folder; give a video file"),
        (["TMP/text.mp4", "--model", "DATA/" + YOLOX], 2, "text.mp4: cannot be decoded as video"),
        (["TMP", "--model", "DATA/" + YOLOX], 2, "contains no image that can be decoded"),
        (["TMP/one.png", "--model", "DATA/" + YOLOX], 2, "one.png: is one picture; use `edgefleet-agent infer"),
        (["TMP/one.csv", "--model", "DATA/" + YOLOX], 2, "one.csv: is a time series; use `edgefleet-agent analyze"),
        (["ftp://host/a", "--model", "DATA/" + YOLOX], 2, "ftp://host/a: unknown kind of address"),
        (["/dev/video99", "--model", "DATA/" + YOLOX], 4, "/dev/video99: no such camera; plug it in"),
        (["rtsp://u:geheim@127.0.0.1:9/a", "--model", "DATA/" + YOLOX], 4, "rtsp://***@127.0.0.1:9/a does not respond"),
        (["http://127.0.0.1:9/a", "--model", "DATA/" + YOLOX], 4, "does not respond (Connection refused)"),
        (["CLIP", "--model", "TMP/none.onnx"], 2, "none.onnx: no such file or folder; give a model file, a package folder"),
        (["CLIP", "--model", "yolox_tiny"], 2, "`edgefleet model fetch yolox_tiny` downloads it, if the catalogue has it"),
        (["CLIP", "--model", "TMP"], 2, "no model.toml in this folder; give a package folder or a model file"),
        (["CLIP", "--model", "TMP/text.onnx"], 2, "text.onnx: ONNX Runtime cannot load it"),
        (["CLIP", "--model", "TMP/text.txt"], 2, "text.txt: unknown model format; specify a file ending in .onnx"),
        (["CLIP", "--model", "DATA/models/onnx/osnet_x0_25_msmt17/osnet_x0_25_msmt17.onnx"], 2, "not a detector that is"),
        (["CLIP", "--model", "DATA/" + YOLOX, "--head", "ssd"], 2, "head"),
        (["CLIP", "--model", "DATA/" + YOLOX, "--labels", "TMP/text.txt"], 2, "text.txt: 1 labels, but the model has 80 classes"),
        (["CLIP", "--model", "DATA/" + YOLOX, "--labels", "TMP/none.txt"], 2, "none.txt: cannot be read (No such file"),
        (
            ["CLIP", "--model", "DATA/" + YOLOX, "--labels", "DATA/" + COCO, "--classes", "persn"],
            2,
            "persn: the model has no such",
        ),
        (["CLIP", "--model", "DATA/" + YOLOX, "--classes", "person"], 2, "the model has no labels; give them with --labels"),
        (["CLIP", "--model", "PACKAGE", "--labels", "DATA/" + COCO], 2, "a package has its own labels and head; leave --labels"),
        (["CLIP", "--model", "CLASSIFIER"], 2, "does classification, which is no detection"),
        (["CLIP", "--model", "DATA/" + YOLOX, "--page", "here"], 2, "'here' is not an address; use HOST:PORT"),
    ],
)
def test_faults_are_one_line(
    arguments: list[str],
    code: int,
    problem: str,
    data: Path,
    clip: Path,
    package: MakePackage,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "made"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in ("text.mp4", "text.onnx", "text.txt", "one.csv", "one.png"):
        (folder / name).write_text("text\n", encoding="utf-8")
    if arguments[0] == "TMP":
        (folder / "one.png").unlink()
    places = {"CLIP": str(clip), "PACKAGE": "", "CLASSIFIER": ""}
    if "PACKAGE" in arguments:
        places["PACKAGE"] = str(package("yolox_nano"))
    if "CLASSIFIER" in arguments:
        places["CLASSIFIER"] = str(package("mobilenet_v2"))
    made = [places.get(each, each.replace("TMP", str(folder), 1).replace("DATA", str(data), 1)) for each in arguments]
    assert main(["try", *made]) == code
    shown = capfd.readouterr()
    assert problem in shown.err, shown.err
    assert len(shown.err.splitlines()) == 1
    assert (shown.out, "geheim" in shown.err) == ("", False)


@pytest.mark.parametrize(
    ("option", "text", "problem"),
    [
        ("--line", "1,2,3", "is not x1,y1,x2,y2"),
        ("--line", "0,300,600,300", "points are fractions of the picture's width and height"),
        ("--line", "0.5,0.5,0.5,0.5", "the two points of a line are different"),
        ("--classes", "person,", "is not a list of labels"),
        ("--min-score", "1.5", "is not a number from 0 to 1"),
        ("--seconds", "0", "is not a duration from 0.001s to 100d"),
        ("--seconds", "soon", "is not a duration from 0.001s to 100d"),
    ],
)
def test_options_that_cannot_be(option: str, text: str, problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["try", "a.mp4", "--model", "b.onnx", option, text])
    assert ended.value.code == 2
    assert problem in " ".join(capsys.readouterr().err.split())


@pytest.fixture
def started(data: Path, tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts the command as a shell in a terminal does, with a temporary folder of its own."""
    running: list[subprocess.Popen[str]] = []

    def start(source: str, *more: str, tmp: Path = tmp_path / "tmp", **options: Any) -> subprocess.Popen[str]:
        tmp.mkdir(exist_ok=True)
        (tmp_path / "empty").mkdir(exist_ok=True)
        command = [
            sys.executable,
            "-m",
            "edgefleet_agent",
            "try",
            source,
            "--model",
            str(data / YOLOX),
            "--labels",
            str(data / COCO),
        ]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        environment = {**os.environ, "TMPDIR": str(tmp), "PYTHONPATH": os.pathsep.join(sys.path)}
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell without job control has it ignored
        try:
            process = subprocess.Popen(
                [*command, *more], text=True, env=environment, cwd=tmp_path / "empty", stdin=subprocess.DEVNULL, **pipes
            )
        finally:
            signal.signal(signal.SIGINT, before)
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.communicate()


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def fetched(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=30) as response:
        body: bytes = response.read()
        return body


def events_of(address: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(fetched(address + "api/events"))["events"]
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_page_and_its_end(number: int, started: Callable[..., subprocess.Popen[str]], clip: Path, tmp_path: Path) -> None:
    """Live picture, events with snapshots and clips, from a temporary folder; nothing is left of it, however it ends."""
    process = started(str(clip), "--classes", "person", "--line", LINE, "--page", f"127.0.0.1:{free_port()}")
    address = first_line(process).removeprefix("Page: ").strip()
    assert b"<html" in fetched(address)
    assert fetched(address + "api/try/latest.jpg")[:2] == b"\xff\xd8"
    assert " crosses forward (forward 1)" in first_line(process)
    deadline = time.monotonic() + 120
    while not any(event["kind"] == "line" and event["has_snapshot"] for event in events_of(address)):
        assert time.monotonic() < deadline, events_of(address)
        time.sleep(0.2)
    status = json.loads(fetched(address + "api/status"))
    assert (status["device"], status["pipelines"][0]["gauges"]["placement"]) == ("try", "cpu")
    assert [path.name.startswith("edgefleet-try-") for path in (tmp_path / "tmp").iterdir()] == [True]
    process.send_signal(number)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert "forward   1 (person 1)" in output
    assert list((tmp_path / "tmp").iterdir()) == list((tmp_path / "empty").iterdir()) == []


def test_the_page_stays_after_a_video(started: Callable[..., subprocess.Popen[str]], data: Path, tmp_path: Path) -> None:
    clip = beginning(data / "media/videos" / VISITORS, tmp_path / "short.mp4", 20)
    process = started(str(clip), "--page", f"127.0.0.1:{free_port()}")
    address = first_line(process).removeprefix("Page: ").strip()
    assert process.stderr is not None
    assert process.stderr.readline() == "edgefleet-agent: the video is over; the page stays until Ctrl-C\n"
    assert json.loads(fetched(address + "api/status"))["pipelines"][0]["gauges"]["state"] in ("ended", "running")
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert " of 20 frames analyzed" in output


def test_a_page_for_other_machines_has_a_key(started: Callable[..., subprocess.Popen[str]], clip: Path) -> None:
    process = started(str(clip), "--page", f"0.0.0.0:{free_port()}")
    address = first_line(process).removeprefix("Page: ").strip()
    assert address.startswith(f"http://{socket.gethostname()}:")
    plain, _, key = address.partition("?key=")
    local = plain.replace(socket.gethostname(), "127.0.0.1", 1)
    assert len(key) >= 20
    assert fetched(f"{local}api/status?key={key}")
    with pytest.raises(urllib.error.HTTPError, match="401"):
        fetched(f"{local}api/status")


def test_a_port_in_use(started: Callable[..., subprocess.Popen[str]], clip: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        process = started(str(clip), "--page", f"127.0.0.1:{taken.getsockname()[1]}")
        output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (4, "")
    assert "Address already in use; use a free HOST:PORT" in errors
    assert list((tmp_path / "tmp").iterdir()) == []


def test_ctrl_c_gives_the_counts(started: Callable[..., subprocess.Popen[str]], data: Path) -> None:
    process = started(str(data / "media/videos" / VISITORS), "--classes", "person", "--line", LINE)
    assert "person #1 crosses forward" in first_line(process)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert "forward   " in output
    assert " frames analyzed in " in output


def test_a_full_disk_for_temporary_files(started: Callable[..., subprocess.Popen[str]], clip: Path, tmp_path: Path) -> None:
    """Without a page nothing is written; with one the counts come, and what the disk refuses is shown on the page."""
    with mounted(tmp_path / "small", "64k") as disk:
        disk.fill()
        process = started(str(clip), "--classes", "person", "--line", LINE, tmp=disk.folder)
        output, errors = process.communicate(timeout=120)
        assert (process.returncode, errors) == (0, "")
        assert "forward   1 (person 1)" in output
        process = started(str(clip), "--classes", "person", "--line", LINE, "--page", f"127.0.0.1:{free_port()}", tmp=disk.folder)
        assert first_line(process).startswith("Page: ")
        assert "crosses forward" in first_line(process)
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
        assert "forward   1 (person 1)" in output


@pytest.mark.parametrize("page", [False, True])
@pytest.mark.parametrize("output", ["full", "closed"])
def test_an_output_that_cannot_be_written(
    output: str, page: bool, started: Callable[..., subprocess.Popen[str]], clip: Path, tmp_path: Path
) -> None:
    """One line for a full disk, none for a reader that went away; the temporary folder goes as always."""
    if output == "full":
        stdout = os.open("/dev/full", os.O_WRONLY)
    else:
        reader, stdout = os.pipe()
        os.close(reader)
    more = ["--json", "--page", f"127.0.0.1:{free_port()}"] if page else []
    process = started(str(clip), "--classes", "person", "--line", LINE, *more, stdout=stdout)
    os.close(stdout)
    _, errors = process.communicate(timeout=120)
    lines = [line for line in errors.splitlines() if not line.startswith("Page: ")]
    if output == "full":
        assert lines == ["edgefleet-agent: no space left on a disk that this command writes to; free some space"]
    assert (process.returncode, len(lines)) == ((6, 1) if output == "full" else (141, 0))
    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_terminal_has_a_progress_line(started: Callable[..., subprocess.Popen[str]], clip: Path) -> None:
    ours, theirs = pty.openpty()
    process = started(str(clip), "--line", LINE, stderr=theirs)
    os.close(theirs)
    seen = bytearray()

    def read() -> None:
        try:
            while part := os.read(ours, 4096):
                seen.extend(part)
        except OSError:  # the other side is closed
            return

    reader = threading.Thread(target=read)
    reader.start()
    output, _ = process.communicate(timeout=120)
    reader.join()
    os.close(ours)
    assert "100 of 100 frames analyzed" in output
    assert b"/100 frames, " in seen
    assert seen.endswith(b"\r\x1b[K")


@pytest.fixture
def camera() -> Iterator[RtspCamera]:
    if no_rtsp_server():
        pytest.skip(no_rtsp_server())
    with RtspCamera(login=("u", "geheim")) as made:
        made.on()
        yield made


def test_a_camera(camera: RtspCamera, started: Callable[..., subprocess.Popen[str]]) -> None:
    process = started(camera.url(), "--min-score", "0.05")
    assert " appears" in first_line(process)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert " frames analyzed in " in output


def test_a_time_limit(camera: RtspCamera, started: Callable[..., subprocess.Popen[str]]) -> None:
    """A camera never ends by itself."""
    process = started(camera.url(), "--seconds", "2", "--json")
    output, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (0, "")
    assert json.loads(output.splitlines()[-1])["source"] == f"rtsp://***@127.0.0.1:{camera.port}/main"


@pytest.mark.parametrize(
    ("change", "problem"),
    [(("geheim", "wrong"), "rejects the user name or password"), (("/main", "/none"), "has no such stream")],
)
def test_what_a_camera_refuses(
    change: tuple[str, str], problem: str, camera: RtspCamera, data: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["try", camera.url().replace(*change), "--model", str(data / YOLOX)]) == 4
    shown = capfd.readouterr()
    assert problem in shown.err
    assert len(shown.err.splitlines()) == 1


def test_a_camera_that_is_away_for_a_time(camera: RtspCamera, started: Callable[..., subprocess.Popen[str]]) -> None:
    process = started(camera.url(), "--min-score", "0.05")
    assert " appears" in first_line(process)
    camera.kill()
    assert process.stderr is not None
    assert process.stderr.readline().endswith("closed the connection; retrying, restart the camera if this repeats\n")
    camera.on()
    causes = list(iter(process.stderr.readline, "edgefleet-agent: the source delivers frames again\n"))
    assert len(set(causes)) == len(causes), "each cause once"
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert " frames analyzed in " in output


def test_an_mjpeg_camera(clip: Path, started: Callable[..., subprocess.Popen[str]]) -> None:
    bodies = [cv2.imencode(".jpg", picture)[1].tobytes() for picture in decoded(clip)[60:75]]

    def serve(connection: socket.socket) -> None:
        connection.recv(4096)
        connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=part\r\n\r\n")
        while True:
            for body in bodies:
                head = b"--part\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(body)
                connection.sendall(head + body + b"\r\n")
                time.sleep(0.1)

    with TcpCamera(serve) as camera:
        process = started(f"http://127.0.0.1:{camera.port}/video", "--classes", "person")
        assert " person #1 appears" in first_line(process)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert re.search(r"^seen +[1-9]", output, re.MULTILINE)
