"""The Edge TPU's real code path with a stand-in library: everything except arithmetic, speed and the USB bus.

Every test runs in a child process: the library is found by its name on the loader's path, and some processes crash on purpose.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.agent.backends.edge_tpu.conftest import MODEL, Run

IN_TURN = """
import sys
from pathlib import Path
import numpy as np
from edgefleet_agent.backends.base import LoadOptions
from edgefleet_agent.backends.lite_rt.backend import LiteRtBackend
from edgefleet_contract.core.errors import EdgefleetError
for device in sys.argv[2:]:
    try:
        session = LiteRtBackend().load((Path(sys.argv[1]),), LoadOptions(device=device))
    except EdgefleetError as error:
        print(f"{type(error).__name__}: {error}")
        continue
    (answer,) = session.infer({"input": np.zeros((1, 224, 224, 3), np.uint8)}).values()
    print(session.placement.device, answer.size)
    session.close()
"""
AT_ONCE = """
import sys, threading
from pathlib import Path
import numpy as np
from edgefleet_agent.backends.base import LoadOptions
from edgefleet_agent.backends.lite_rt.backend import LiteRtBackend
backend = LiteRtBackend()
places = backend.devices()[:-1]
sessions = [backend.load((Path(sys.argv[1]),), LoadOptions(device=place, strict=True)) for place in places]
inputs = [np.full((1, 224, 224, 3), value, np.uint8) for value in (1, 2)]
answers = [[], []]
def work(index):
    for _ in range(20):
        (answer,) = sessions[index].infer({"input": inputs[index]}).values()
        answers[index].append(answer.tobytes())
threads = [threading.Thread(target=work, args=(index,)) for index in range(2)]
for thread in threads: thread.start()
for thread in threads: thread.join()
where = [session.placement.device for session in sessions]
print(places, where, [len(set(each)) for each in answers], answers[0][0] != answers[1][0])
"""

SHARED = """
import sys
from pathlib import Path
import numpy as np
from edgefleet_agent.backends.base import LoadOptions
from edgefleet_agent.backends.lite_rt.backend import LiteRtBackend
names = ("edgetpu", "edgetpu:usb:0", "edgetpu:pci:0")
first, second, other = [LiteRtBackend().load((Path(sys.argv[1]),), LoadOptions(device=name)) for name in names]
same, apart = first.pid == second.pid, first.pid == other.pid
first.close()
(answer,) = second.infer({"input": np.zeros((1, 224, 224, 3), np.uint8)}).values()
print(f"same {same}, other {apart}, after the first was closed {answer.size}")
"""

ALL = """
import os, sys, threading
from pathlib import Path
import numpy as np
from edgefleet_agent.backends.base import LoadOptions
from edgefleet_agent.backends.lite_rt.backend import LiteRtBackend
from edgefleet_contract.core.errors import ModelError
load = LoadOptions(device="edgetpu:all", strict=True, options={"performance": "max"})
session = LiteRtBackend().load((Path(sys.argv[1]),), load)
inputs = [np.full((1, 224, 224, 3), value, np.uint8) for value in (1, 2)]
wanted = [next(iter(session.infer({"input": each}).values())).tobytes() for each in inputs]
wrong = []
def work(index):
    for _ in range(30):
        (answer,) = session.infer({"input": inputs[index]}).values()
        if answer.tobytes() != wanted[index]:
            wrong.append(index)
threads = [threading.Thread(target=work, args=(index,)) for index in range(2)]
for thread in threads: thread.start()
for thread in threads: thread.join()
rows = ({"input": inputs[index % 2]} for index in range(9))
for number, (answer,) in enumerate(each.values() for each in session.infer_all(rows)):
    if answer.tobytes() != wanted[number % 2]:
        wrong.append(number)
print(session.placement.device, session.parallel, wrong, getattr(session, "lost", []))
"""


def bare(data: Path, device: str, *, images: int = 1) -> list[str]:
    pictures = [str(data / "media/images/cat.bmp")] * images
    return [
        "infer",
        "--model",
        str(data / f"{MODEL}_edgetpu.tflite"),
        "--head",
        "classification",
        "--device",
        device,
        "--json",
        *pictures,
    ]


OPENED = {
    "edgetpu": "/sys/bus/usb/devices/1-0",
    "edgetpu:usb:1": "/sys/bus/usb/devices/1-2",
    "edgetpu:pci:0": "/dev/apex_1",
    "edgetpu::2": "/sys/bus/usb/devices/1-2",
    "edgetpu:/dev/apex_1": "/dev/apex_1",
    "edgetpu:/sys/bus/usb/devices/1-2": "/sys/bus/usb/devices/1-2",
}
"""Requested device -> path of the opened one, with usb, pci and usb devices plugged in."""


def test_the_requested_device_is_opened(data: Path, tmp_path: Path, run: Run) -> None:
    done = run(str(data / f"{MODEL}_edgetpu.tflite"), *OPENED, code=IN_TURN, TPU_DEVICES="usb,pci,usb")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "opened").read_text(encoding="utf-8").split() == list(OPENED.values())
    assert done.stdout.splitlines() == [f"{device} 1001" for device in OPENED]


def test_a_package_less_file_on_a_device(data: Path, run: Run) -> None:
    done = run(*bare(data, "edgetpu:pci:0"), TPU_DEVICES="usb,pci")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)
    assert (row["runtime"], row["device"]) == ("lite_rt", "edgetpu:pci:0")
    assert len({each["class_id"] for each in row["classes"]}) == 5


def test_a_place_stays_the_same_when_the_order_changes(data: Path, tmp_path: Path, run: Run) -> None:
    place = "/sys/bus/usb/devices/2-3"
    for listed in (f"usb={place},usb=/sys/bus/usb/devices/1-1", f"usb=/sys/bus/usb/devices/1-1,usb={place}"):
        model = str(data / f"{MODEL}_edgetpu.tflite")
        assert run(model, f"edgetpu:{place}", code=IN_TURN, TPU_DEVICES=listed).returncode == 0
    assert (tmp_path / "opened").read_text(encoding="utf-8").split() == [place, place]


@pytest.mark.parametrize(
    ("device", "listed", "expected"),
    [
        ("edgetpu", "", "no Edge TPU found as 'edgetpu' (found: none)"),
        ("edgetpu:usb:1", "usb,pci", "(found: edgetpu:usb:0 at /sys/bus/usb/devices/1-0, edgetpu:pci:0 at /dev/apex_1)"),
        ("edgetpu:/dev/apex_7", "pci", "no Edge TPU found as 'edgetpu:/dev/apex_7'"),
    ],
)
def test_a_missing_device_is_reported_with_those_present(data: Path, run: Run, device: str, listed: str, expected: str) -> None:
    done = run(str(data / f"{MODEL}_edgetpu.tflite"), device, code=IN_TURN, TPU_DEVICES=listed)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("MissingError: ")
    assert expected in done.stdout
    assert "plug it in" in done.stdout


def test_two_devices_compute_at_the_same_time(data: Path, tmp_path: Path, run: Run) -> None:
    spans = tmp_path / "spans"
    model = str(data / f"{MODEL}_edgetpu.tflite")
    done = run(model, code=AT_ONCE, TPU_DEVICES="usb,usb", TPU_LATENCY_US="5000", TPU_SPANS=str(spans))
    assert done.returncode == 0, done.stderr
    places = "['edgetpu:usb:0', 'edgetpu:usb:1']"
    assert done.stdout.strip() == f"{places} {places} [1, 1] True"
    assert "begin\nbegin\n" in spans.read_text(encoding="utf-8")
    assert len((tmp_path / "opened").read_text(encoding="utf-8").split()) == 2


def test_one_model_on_all_devices_uses_the_one_that_is_free(data: Path, tmp_path: Path, run: Run) -> None:
    runs = tmp_path / "runs"
    model = str(data / f"{MODEL}_edgetpu.tflite")
    done = run(model, code=ALL, TPU_DEVICES="usb,pci", TPU_LATENCY_US="3000", TPU_RUNS=str(runs))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "edgetpu:usb:0,edgetpu:pci:0 2 [] []"
    opened = (tmp_path / "opened").read_text(encoding="utf-8").splitlines()
    assert sorted(opened) == ["/dev/apex_1 Max", "/sys/bus/usb/devices/1-0 Max"]
    shares = Counter(runs.read_text(encoding="utf-8").split())
    assert sum(shares.values()) == 2 + 60 + 9
    assert min(shares.values()) >= 20, shares


def test_one_of_two_that_breaks_loses_no_run(data: Path, tmp_path: Path, run: Run) -> None:
    runs = tmp_path / "runs"
    model, broken = str(data / f"{MODEL}_edgetpu.tflite"), "/dev/apex_1"
    done = run(model, code=ALL, TPU_DEVICES="usb,pci", TPU_BROKEN=broken, TPU_RUNS=str(runs))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "edgetpu:usb:0,edgetpu:pci:0 2 [] ['edgetpu:pci:0']"
    assert runs.read_text(encoding="utf-8").split() == ["/sys/bus/usb/devices/1-0"] * (2 + 60 + 9)


def test_all_of_one_is_one_and_all_of_none_is_missing(data: Path, run: Run) -> None:
    model = str(data / f"{MODEL}_edgetpu.tflite")
    assert run(model, "edgetpu:all", code=IN_TURN, TPU_DEVICES="usb").stdout == "edgetpu:usb:0 1001\n"
    assert "no Edge TPU found as 'edgetpu'" in run(model, "edgetpu:all", code=IN_TURN, TPU_DEVICES="").stdout


@pytest.mark.parametrize(("held", "works"), [("/sys/bus/usb/devices/1-0", "edgetpu:pci:0"), ("/dev/apex_1", "edgetpu:usb:0")])
def test_all_works_without_one_that_cannot_be_opened(data: Path, run: Run, held: str, works: str) -> None:
    done = run(str(data / f"{MODEL}_edgetpu.tflite"), "edgetpu:all", code=IN_TURN, TPU_DEVICES="usb,pci", TPU_HELD=held)
    assert done.stdout == f"{works} 1001\n", done.stderr


@pytest.mark.parametrize(
    ("held", "answers"), [("", True), ("/sys/bus/usb/devices/1-1", False), ("/sys/bus/usb/devices/1-0", True)]
)
def test_whether_there_is_one_more_is_found_out_without_those_in_use(run: Run, held: str, answers: bool) -> None:
    what = "lite_rt@edgetpu:beyond:/sys/bus/usb/devices/1-0"
    done = run("doctor", "--probe", what, TPU_DEVICES="usb,usb", TPU_HELD=held)
    assert ("error" not in json.loads(done.stdout)) == answers, done.stdout
    alone = run("doctor", "--probe", what, TPU_DEVICES="usb")
    assert "no other Edge TPU found" in json.loads(alone.stdout)["error"]


def test_a_device_that_fails_is_one_line(data: Path, run: Run) -> None:
    assert run(*bare(data, "edgetpu", images=3), TPU_DEVICES="usb", TPU_LOST_AFTER="3").returncode == 0
    done = run(*bare(data, "edgetpu", images=4), TPU_DEVICES="usb", TPU_LOST_AFTER="3")
    assert done.returncode == 2
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("edgefleet-agent:")]
    assert "LiteRT failed: stand-in: the device is gone" in line


def test_an_abort_is_one_line_and_the_next_command_works(data: Path, run: Run) -> None:
    done = run(*bare(data, "edgetpu", images=2), TPU_DEVICES="usb", TPU_ABORT_AFTER="1")
    assert done.returncode == 2
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("edgefleet-agent:")]
    assert "was ended by SIGABRT" in line
    assert run(*bare(data, "edgetpu"), TPU_DEVICES="usb", TPU_ABORT_AFTER="1").returncode == 0


def test_a_library_of_the_old_kind_is_one_line(data: Path, run: Run) -> None:
    done = run(*bare(data, "edgetpu"), old=True, TPU_DEVICES="usb")
    assert done.returncode == 2
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("edgefleet-agent:")]
    assert "was ended by SIGSEGV" in line
    assert "16.0tf2.16.1 or later" in line


def test_models_on_one_device_share_its_process(data: Path, run: Run) -> None:
    """A device is open in one process at a time; the names of the device are different."""
    done = run(str(data / f"{MODEL}_edgetpu.tflite"), code=SHARED, TPU_DEVICES="usb,pci")
    assert done.stdout == "same True, other False, after the first was closed 1001\n", done.stderr


def selftest(run: Run, folder: Path, *arguments: str, **environment: str) -> tuple[int, dict[str, object]]:
    done = run("selftest", str(folder), "--profile", "coral-usb", "--json", *arguments, **environment)
    verdict: dict[str, object] = json.loads(done.stdout)
    return done.returncode, verdict


def test_the_profile_puts_the_model_on_the_device(run: Run, folder: Path) -> None:
    code, verdict = selftest(run, folder, TPU_DEVICES="usb")
    assert (code, verdict["variant"], verdict["device"]) == (0, "tpu", "edgetpu")


@pytest.mark.parametrize("library", ["new", "none"])
def test_without_the_device_the_variant_for_the_cpu_runs_where_the_policy_allows_it(
    run: Run, folder: Path, tmp_path: Path, library: str
) -> None:
    environment = {"TPU_DEVICES": ""} if library == "new" else {"TPU_DEVICES": "usb", "LD_LIBRARY_PATH": str(tmp_path)}
    code, verdict = selftest(run, folder, **environment)
    assert (code, verdict["variant"], verdict["device"]) == (0, "cpu", "cpu")
    expected = "no Edge TPU found" if library == "new" else "libedgetpu.so.1 is not installed"
    assert expected in str(verdict["detail"])
    code, verdict = selftest(run, folder, "--strict", **environment)
    assert (code, verdict["reason"]) == (5, "incompatible")
    assert expected in str(verdict["detail"])


def doctor(run: Run, *arguments: str, old: bool = False, **environment: str) -> tuple[int, dict[str, dict[str, object]]]:
    done = run("doctor", "--profile", "coral-usb", "--runtime", "lite_rt", "--json", *arguments, old=old, **environment)
    return done.returncode, {check["what"]: check for check in json.loads(done.stdout)["checks"]}


def test_the_doctor_runs_a_package_on_the_device(run: Run, folder: Path) -> None:
    code, checks = doctor(run, "--package", str(folder), TPU_DEVICES="usb,usb")
    assert code == 0
    assert checks["lite_rt on edgetpu:usb:1"]["ok"] is True
    assert "tpu on lite_rt, edgetpu" in str(checks[f"package {folder}"]["detail"])


def test_the_doctor_runs_what_is_installed_without_a_package(run: Run, folder: Path, tmp_path: Path) -> None:
    installed = tmp_path / "state/packages" / ("a" * 64)
    shutil.copytree(folder, installed)
    code, checks = doctor(run, "--state", str(tmp_path / "state"), TPU_DEVICES="usb")
    assert code == 0
    assert "tpu on lite_rt, edgetpu" in str(checks[f"package {installed}"]["detail"])


def test_the_doctor_outlives_a_library_that_kills(run: Run, folder: Path) -> None:
    code, checks = doctor(run, "--package", str(folder), old=True, TPU_DEVICES="usb")
    assert code == 3
    expected = str(checks[f"package {folder}"]["detail"])
    assert "was ended by SIGSEGV" in expected
    assert "16.0tf2.16.1 or later" in expected


def test_the_doctor_opens_the_device_without_a_package(run: Run) -> None:
    code, checks = doctor(run, TPU_DEVICES="usb,pci")
    assert code == 0
    expected = str(checks["lite_rt on edgetpu"]["detail"])
    assert expected.startswith("opens with stand-in, compatible with LiteRT 2.")
    assert "--package" in expected
    assert checks["lite_rt on edgetpu:pci:0"]["ok"] is True
    assert "one int8 inference on cpu" in str(checks["lite_rt on cpu"]["detail"])


def test_the_doctor_reports_what_is_missing(run: Run, tmp_path: Path) -> None:
    code, checks = doctor(run, LD_LIBRARY_PATH=str(tmp_path))
    assert code == 3
    assert checks["libedgetpu.so.1"] == {
        "needed": True,
        "what": "libedgetpu.so.1",
        "ok": False,
        "detail": "not found",
        "fix": "apt install ./libedgetpu1-std_16.0tf2.*.deb   # 2.16.1 or later: https://github.com/feranick/libedgetpu/releases",
    }
    assert checks["lite_rt on edgetpu"]["ok"] is False
    assert checks["lite_rt on cpu"]["ok"] is True
