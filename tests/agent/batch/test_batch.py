"""`edgefleet-agent batch` on real pictures, a real video and tables; killed and resumed."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from edgefleet_agent.__main__ import main
from edgefleet_agent.batch.predictor import BatchJob, Predictor
from edgefleet_agent.batch.work_units import PICTURES_EACH, WorkUnit, cut, find_files, fingerprint
from edgefleet_contract.core.program_end import EXIT_INTERRUPTED
from tests.agent.serving import onnx_file
from tests.import_path import import_path
from tests.packages import MakePackage

ROOT = Path(__file__).resolve().parents[3]
WAIT_S = 60.0


def archive(data: Path, folder: Path, copies: int = 1) -> Path:
    """Two pictures, `copies` times each, and an invalid file."""
    pictures = folder / "archive" / "deep"
    pictures.mkdir(parents=True)
    for number in range(copies):
        for name in ("bird.bmp", "cat.bmp"):
            (pictures / f"{number:03d}-{name}").symlink_to(data / "media/images" / name)
    (folder / "archive" / "broken.png").write_bytes(b"no picture")
    return folder / "archive"


def records(output: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]


@pytest.mark.system
def test_pictures_and_a_video(data: Path, tmp_path: Path, package: MakePackage, capsys: pytest.CaptureFixture[str]) -> None:
    folder = archive(data, tmp_path)
    (folder / "clip.gif").symlink_to(data / "media/videos/worker-zone-detection.gif")
    output = tmp_path / "found.jsonl"
    command = ["batch", str(folder), "--package", str(package("ssd_mobilenet_v1")), "--output", str(output)]
    code = main([*command, "--every", "30", "--processes", "2", "--json"])
    summary = json.loads(capsys.readouterr().out)
    assert (code, summary["files"], summary["unreadable"], summary["resumed_pieces"]) == (2, 4, 1, 0)
    rows = records(output)
    assert len(rows) == summary["records"]
    assert [Path(row["file"]).name for row in rows if "frame" not in row] == ["broken.png", "000-bird.bmp", "000-cat.bmp"]
    assert "error" in rows[0]
    frames = [row for row in rows if "frame" in row]
    assert [row["frame"] for row in frames] == [0, 30, 60]
    assert any(found["label"] == "person" for row in frames for found in row["detections"])
    assert not list(tmp_path.glob("*.parts"))
    assert main(command) != 0  # the output already exists


@pytest.mark.system
def test_a_killed_job_is_resumed(data: Path, tmp_path: Path, package: MakePackage) -> None:
    folder = archive(data, tmp_path, 2 * PICTURES_EACH)
    output = tmp_path / "found.jsonl"
    command = [sys.executable, "-m", "edgefleet_agent", "batch", str(folder), "--package", str(package("mobilenet_v2"))]
    command += ["--output", str(output), "--processes", "1", "--json"]
    environment = {**os.environ, "PYTHONPATH": import_path()}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, start_new_session=True) as first:
        give_up_s = time.monotonic() + WAIT_S
        while len(list((tmp_path / "found.jsonl.parts").glob("0*"))) < 2:
            assert time.monotonic() < give_up_s
            time.sleep(0.01)
        os.killpg(first.pid, signal.SIGKILL)
    assert not output.exists()
    other = subprocess.run([*command, "--top", "1"], env=environment, capture_output=True, text=True)
    assert (other.returncode != 0, "holds results of a job with other files or options" in other.stderr) == (True, True)
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240)
    summary = json.loads(ended.stdout)
    assert (ended.returncode, summary["resumed_pieces"] >= 2, summary["records"]) == (2, True, summary["files"])
    rows = records(output)
    assert [row["file"] for row in rows] == [str(path) for path in find_files([str(folder)])]
    assert {row["classes"][0]["label"] for row in rows if "cat" in row["file"]} != {""}


@contextlib.contextmanager
def in_a_long_piece(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], psutil.Process]]:
    """A job and its process, which computes a piece that lasts for minutes: a table of millions of rows."""
    model, table, output = tmp_path / "model.onnx", tmp_path / "rows.csv", tmp_path / "found.jsonl"
    model.write_bytes(onnx_file.identity("FP32", ("n", 1)))
    with table.open("w") as stream:
        for _ in range(64):
            stream.write("1\n" * 500_000)
    command = [sys.executable, "-c", IN_FRONT, "batch", str(table), "--model", str(model), "--output", str(output)]
    with subprocess.Popen([*command, "--processes", "1"], stderr=subprocess.PIPE, text=True, start_new_session=True) as job:
        try:
            reader = reader_of(table, job.pid)
            table.unlink()  # stays readable for who has it open
            yield job, reader
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(job.pid, signal.SIGKILL)


def reader_of(table: Path, parent: int) -> psutil.Process:
    give_up_s = time.monotonic() + WAIT_S
    while time.monotonic() < give_up_s:
        for child in psutil.Process(parent).children():
            with contextlib.suppress(psutil.Error):
                if any(file.path == str(table) for file in child.open_files()):
                    return child
        time.sleep(0.05)
    raise AssertionError("no process reads the table")


IN_FRONT = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where a shell runs the tests in its background
from edgefleet_agent.__main__ import program
program()
"""


def has_ended(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.TimeoutExpired):
        process.wait(WAIT_S)
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


@pytest.mark.system
def test_one_ctrl_c_ends_a_job_and_its_processes_in_a_long_piece(tmp_path: Path) -> None:
    with in_a_long_piece(tmp_path) as (job, reader):
        os.killpg(job.pid, signal.SIGINT)
        _, errors = job.communicate(timeout=WAIT_S)
        assert (job.returncode, errors) == (EXIT_INTERRUPTED, "")
        assert has_ended(reader)


@pytest.mark.system
def test_the_processes_end_with_a_killed_job(tmp_path: Path) -> None:
    with in_a_long_piece(tmp_path) as (job, reader):
        job.kill()
        job.wait(WAIT_S)
        assert has_ended(reader)


@pytest.mark.skipif(importlib.util.find_spec("pyarrow") is None, reason="pyarrow (edgefleet-agent[parquet]) is not installed")
def test_parquet(data: Path, tmp_path: Path, package: MakePackage) -> None:
    import pyarrow.parquet

    folder = archive(data, tmp_path)
    output = tmp_path / "found.parquet"
    command = ["batch", str(folder / "**" / "*"), "--package", str(package("mobilenet_v2")), "--output", str(output)]
    assert main([*command, "--processes", "1"]) == 2
    table = pyarrow.parquet.read_table(output).to_pylist()
    assert [(Path(row["file"]).name, row["kind"]) for row in table] == [
        ("broken.png", None),
        ("000-bird.bmp", "classes"),
        ("000-cat.bmp", "classes"),
    ]
    assert table[0]["error"]
    assert 0 < table[1]["found"][0]["score"] <= 1
    assert table[1]["model"] == "mobilenet_v2@1.0.0"


def test_tables(tmp_path: Path) -> None:
    model = tmp_path / "model" / "model.onnx"
    model.parent.mkdir()
    model.write_bytes(onnx_file.identity("FP32", ("n", 3)))
    (model.parent / "other.onnx").write_bytes(onnx_file.add())
    (tmp_path / "good.csv").write_text("a,b,c\n" + "".join(f"{number},0.5,-1\n" for number in range(600)))
    (tmp_path / "narrow.csv").write_text("1,2\n")
    (tmp_path / "words.csv").write_text("1,2,3\n1,two,3\n")
    output = tmp_path / "found.jsonl"
    command = ["batch", str(tmp_path / "*.csv"), "--model", str(model), "--output", str(output), "--processes", "1"]
    assert main(command) == 2
    rows = records(output)
    good = [row for row in rows if row["file"].endswith("good.csv")]
    assert [row["row"] for row in good] == list(range(600))
    assert good[599]["outputs"] == {"OUTPUT": [599.0, 0.5, -1.0]}
    errors = {Path(row["file"]).name: row["error"] for row in rows if "error" in row}
    assert "line 1 has 2 numbers, the model expects 3" in errors["narrow.csv"]
    assert "line 2 has a cell that is not a number" in errors["words.csv"]


def test_rows_of_a_table_are_computed_apart_where_they_change_each_other(tmp_path: Path) -> None:
    steps = [("CumSum", ["x", "zero"], "y")]
    model = tmp_path / "model.onnx"
    model.write_bytes(onnx_file.chain(steps, {"zero": np.array(0, np.int64)}, {"x": ("t", 2)}, {"y": ("t", 2)}))
    (tmp_path / "rows.csv").write_text("1,2\n3,4\n5,6\n")
    found = Predictor(BatchJob(model=str(model))).predict(WorkUnit(0, "table", (str(tmp_path / "rows.csv"),)))
    assert [json.loads(line)["outputs"]["y"] for line in found.splitlines()] == [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray (edgefleet-agent[ray]) is not installed")
def test_ray_gives_the_same(data: Path, tmp_path: Path, package: MakePackage) -> None:
    folder, made = archive(data, tmp_path), str(package("mobilenet_v2"))
    for name, extra in (("one", []), ("two", ["--ray"])):
        command = [
            "batch",
            str(folder),
            "--package",
            made,
            "--output",
            str(tmp_path / f"{name}.jsonl"),
            "--processes",
            "2",
            *extra,
        ]
        assert main(command) == 2
    assert records(tmp_path / "one.jsonl") == records(tmp_path / "two.jsonl")


def test_an_impossible_job_is_refused_at_once(tmp_path: Path, package: MakePackage) -> None:
    (tmp_path / "a.jpg").write_bytes(b"x")
    made, pattern = str(package("mobilenet_v2")), str(tmp_path / "*.jpg")
    for wrong in (
        [str(tmp_path / "*.nothing"), "--package", made, "--output", "x.jsonl"],
        [pattern, "--package", made, "--output", str(tmp_path / "x.txt")],
        [pattern, "--package", str(tmp_path), "--output", str(tmp_path / "x.jsonl")],
        [pattern, "--model", str(tmp_path / "a.jpg"), "--output", str(tmp_path / "x.jsonl")],
        [pattern, "--package", made, "--head", "ssd", "--output", str(tmp_path / "x.jsonl")],
    ):
        assert main(["batch", *wrong]) != 0
    for option in ("--every", "--top"):
        with pytest.raises(SystemExit, match="2"):
            main(["batch", pattern, "--package", made, option, "0", "--output", str(tmp_path / "x.jsonl")])


def test_pieces_and_what_makes_a_job(tmp_path: Path) -> None:
    for number in range(PICTURES_EACH + 1):
        (tmp_path / f"{number:03d}.jpg").write_bytes(b"x")
    (tmp_path / "v.mp4").write_bytes(b"x")
    (tmp_path / "text.txt").write_bytes(b"x")
    files = find_files([str(tmp_path), str(tmp_path / "*.jpg")])
    assert len(files) == PICTURES_EACH + 2
    assert [(unit.number, unit.kind, len(unit.files)) for unit in cut(files)] == [
        (0, "pictures", PICTURES_EACH),
        (1, "pictures", 1),
        (2, "video", 1),
    ]
    before = fingerprint(files, "a")
    assert before != fingerprint(files, "b")
    shutil.copyfile(__file__, files[0])
    assert before != fingerprint(files, "a")
