"""Five bad versions and a good one against an untouched template, on real agents: each bad one is stopped with a sentence that
names its cause, and the good one is not stopped by a busy host.

Of eight devices one is the canary. Its failure alone may be chance, so up to three more join its wave before the gate decides;
the second wave never begins.

None of them has golden samples, with which three of them would not be loaded at all.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import onnx
import pytest

from edgefleet_server.cli.models.push import push
from edgefleet_server.simulate.conveyor import site
from edgefleet_server.simulate.conveyor.video import SiteCamera
from tests.long.untouched_template import plan_of
from tests.system.site import Deployment

pytestmark = [pytest.mark.system, pytest.mark.long(minutes=45), pytest.mark.alone, pytest.mark.timeout(3600)]

DEVICES = 8
TEMPLATE = "fast"
"""The one with the shortest soak: 5 %, rest; three minutes."""
DRAWN = 4
"""Devices that start before the gate decides."""
BEFORE_S = 60.0
ROLLOUT_S = 1500.0
MODEL_FILE, LABELS = "model.int8.onnx", '"part_ok", "part_scratched", "part_missing_hole"'
ZERO_POINT_OFF = 92
PLUG_IN = Path(__file__).resolve().parent / "spoilt_runtime"


@pytest.fixture(autouse=True)
def plug_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """The runtime of spoilt models, installed for every process that the test starts."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(PLUG_IN), *filter(None, [os.environ.get("PYTHONPATH")])]))


def ruin(folder: Path) -> tuple[str, ...]:
    """The logits are read with another zero point than they were stored with: boxes everywhere."""
    model = onnx.load(folder / MODEL_FILE)
    (read,) = [node for node in model.graph.node if node.input[0] == "logits_stored"]
    (zero,) = [each for each in model.graph.initializer if each.name == read.input[2]]
    value = onnx.numpy_helper.to_array(zero)
    model.graph.initializer.append(onnx.numpy_helper.from_array(value - value.dtype.type(ZERO_POINT_OFF), "other_zero_point"))
    read.input[2] = "other_zero_point"
    onnx.save(model, folder / MODEL_FILE)
    return "detections", "agree"


def shuffle_labels(folder: Path) -> tuple[str, ...]:
    _edit(folder, LABELS, '"part_scratched", "part_missing_hole", "part_ok"')
    return "class", "agree"


def spoil(fault: str, *causes: str) -> Callable[[Path], tuple[str, ...]]:
    """The model run by the plug-in, with a fault."""

    def change(folder: Path) -> tuple[str, ...]:
        model = folder / MODEL_FILE
        model.with_suffix(".spoilt").write_bytes(fault.encode() + b"\n" + model.read_bytes())
        model.unlink()
        _edit(folder, f'"{MODEL_FILE}"', f'"{model.with_suffix(".spoilt").name}"')
        _edit(folder, 'format = "onnx"', 'format = "spoilt"')
        _edit(folder, '"onnx_runtime", "open_vino"', '"spoilt"')
        return causes

    return change


BAD: dict[str, Callable[[Path], tuple[str, ...]]] = {
    "ruined": ruin,
    "slow": spoil("slow", "latency"),
    "leaking": spoil("leak", "memory"),
    "ending": spoil("end", "ended", "crash"),
    "shuffled": shuffle_labels,
}


def _edit(folder: Path, old: str, new: str) -> None:
    manifest = folder / "model.toml"
    text = manifest.read_text()
    assert old in text
    manifest.write_text(text.replace(old, new))


def made(into: Path, version: str) -> Path:
    """The good version with another number, its ONNX variant alone, and no golden samples."""
    folder = into / site.MODEL / version
    shutil.copytree(site.model_folder(site.FIRST), folder)
    shutil.rmtree(folder / "golden")
    (folder / "model.int8.tflite").unlink()
    text = (folder / "model.toml").read_text()
    head, _, rest = text.partition("[[golden]]")
    head = head.partition('[[variants]]\nname = "int8-tflite"')[0]
    text = (head + "[budgets]" + rest.partition("[budgets]")[2]).replace('version = "1.0.0"', f'version = "{version}"')
    (folder / "model.toml").write_text(text)
    return folder


def spin() -> None:
    while True:
        pass


@contextmanager
def busy_host() -> Iterator[None]:
    """Every core has other work."""
    spinning = [multiprocessing.Process(target=spin, daemon=True) for _ in range(os.cpu_count() or 1)]
    for process in spinning:
        process.start()
    yield
    for process in spinning:
        process.kill()


def rolled_out(deployment: Deployment, version: str) -> dict[str, Any]:
    """A rollout with an untouched template, until it ends or is stopped."""
    request = {
        "name": version,
        "package": site.MODEL,
        "version": version,
        "slot": site.SLOT,
        "selector": {"all": True},
        "start": True,
        **plan_of(deployment.rest.get("/rollouts/templates")["items"], TEMPLATE),
    }
    number = deployment.rest.post("/rollouts", request)["id"]
    deployment.wait(
        f"the end of the rollout of {version}",
        lambda: deployment.rest.get(f"/rollouts/{number}")["state"] not in ("running", "starting"),
        ROLLOUT_S,
    )
    return dict(deployment.rest.get(f"/rollouts/{number}"))


def test_bad_versions_are_stopped_in_the_first_wave_and_a_good_one_is_not(
    deployment: Deployment, cameras: list[SiteCamera], tmp_path: Path
) -> None:
    good = made(tmp_path / "made", "1.0.0")
    for number in range(DEVICES):
        pipeline = site.conveyor_pipeline(cameras[number % len(cameras)].video)
        deployment.add_agent(f"line-{number}", pipeline, good)
    push(deployment.rest, good)
    names = list(deployment.agents)
    deployment.wait("all on the first version", lambda: all(deployment.running_version(name) == "1.0.0" for name in names))
    time.sleep(BEFORE_S)

    for number, (kind, change) in enumerate(BAD.items(), start=1):
        folder = made(tmp_path / "made", f"1.{number}.0")
        causes = change(folder)
        push(deployment.rest, folder)
        rollout = rolled_out(deployment, f"1.{number}.0")
        attempts = deployment.rest.get(f"/rollouts/{rollout['id']}/attempts")["items"]
        texts = [text for each in attempts if (text := each["explanation"])]
        print(kind, rollout["state"], len(attempts), rollout["state_reason"], *texts, sep="\n    ", flush=True)
        assert rollout["state"] == "paused", kind
        assert rollout["waves"][1]["state"] == "pending", kind
        assert rollout["counts"].get("queued", 0) >= DEVICES - DRAWN, kind
        assert any(cause in text for text in (rollout["state_reason"], *texts) for cause in causes), kind
        deployment.rest.post(f"/rollouts/{rollout['id']}/rollback", {})
        deployment.wait("the good version back", lambda: all(deployment.running_version(name) == "1.0.0" for name in names))

    good_again = made(tmp_path / "made", "1.9.0")
    push(deployment.rest, good_again)
    with busy_host():
        rollout = rolled_out(deployment, "1.9.0")
    print("good", rollout["state"], rollout["state_reason"], flush=True)
    assert rollout["state"] == "completed"
    deployment.wait(
        "all on the good version, those that were offline meanwhile too",
        lambda: all(deployment.running_version(name) == "1.9.0" for name in names),
    )
