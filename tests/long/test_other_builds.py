"""Our backends on builds of the runtimes that exclude each other, each in a Python of its own: without their hardware, what the
stand-ins of the quick tests show has to be what the real libraries do.

    EDGEFLEET_TEST_PYTHONS=folder     with virtual environments called as below, each also with msgspec and opencv-python-headless

    ort-gpu          onnxruntime-gpu                      ort-openvino     onnxruntime-openvino
    tflite-runtime   tflite-runtime==2.14.0 'numpy<2'     ncs2             openvino==2021.4.2 'numpy<1.20' (Python 3.9)
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.agent.backends.test_contract import EGYPTIAN_CAT
from tests.conftest import ROOT

pytestmark = pytest.mark.long

LOAD = """
import json, sys
from pathlib import Path
import cv2
import numpy as np
from edgefleet_agent.core import plugins
from edgefleet_agent.backends.base import LoadOptions
from edgefleet_contract.core.errors import EdgefleetError
runtime, model, picture, cases = sys.argv[1:]
backend = plugins.load("backends", runtime)()
rgb = cv2.imread(picture)[:, :, ::-1]
small = cv2.resize(np.ascontiguousarray(rgb), (224, 224), interpolation=cv2.INTER_AREA)[None]
answers = []
for case in json.loads(cases):
    try:
        session = backend.load((Path(model),), LoadOptions(**case))
        (scores,) = session.infer({session.inputs[0].name: small}).values()
        where = session.placement
        answers.append([where.device, where.fell_back, where.detail, int(scores.argmax())])
        session.close()
    except EdgefleetError as error:
        answers.append([type(error).__name__, str(error)])
print(json.dumps([backend.devices(), answers]))
"""
ONNX = "onnx/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.onnx"
TFLITE = "tflite/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.tflite"


def python(name: str) -> str:
    folder = os.environ.get("EDGEFLEET_TEST_PYTHONS")
    found = Path(folder or "/nowhere") / name / "bin/python"
    if not found.is_file():
        pytest.skip(f"no {found}: set EDGEFLEET_TEST_PYTHONS, see the head of this file")
    return str(found)


def load(interpreter: str, data: Path, runtime: str, model: str, *cases: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
    picture = str(data / "media/images/cat_720p.jpg")
    done = subprocess.run(
        [interpreter, "-c", LOAD, runtime, str(data / "models" / model), picture, json.dumps(cases)],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(str(ROOT / tree) for tree in ("contract", "agent"))},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    devices, answers = json.loads(done.stdout.splitlines()[-1])
    return devices, answers


def test_cuda_and_tensorrt_without_a_card(data: Path) -> None:
    cases = [{"device": device, "strict": strict} for device in ("cuda", "tensorrt") for strict in (True, False)]
    devices, answers = load(python("ort-gpu"), data, "onnx_runtime", ONNX, *cases)
    assert devices == ["tensorrt", "cuda", "cpu"]
    for device, strict, loose in (("cuda", *answers[:2]), ("tensorrt", *answers[2:])):
        assert strict[0] == "MissingError"
        assert strict[1].startswith(f"{device} does not work: ")
        assert loose[:2] == ["cpu", True]
        assert loose[2] == strict[1]
        assert loose[3] == EGYPTIAN_CAT


def test_another_provider_for_real(data: Path) -> None:
    devices, answers = load(
        python("ort-openvino"),
        data,
        "onnx_runtime",
        ONNX,
        {"device": "openvino:cpu", "strict": True},
        {"device": "openvino:cpu", "strict": True, "options": {"whole": True}},
        {"device": "openvino:gpu", "strict": True},
        {"device": "openvino:npu"},
        {"device": "openvino:myriad"},
    )
    assert devices == ["openvino:npu", "openvino:gpu", "cpu"]
    assert answers[0][:2] == answers[1][:2] == ["openvino:cpu", False]
    assert answers[0][3] == answers[1][3] == EGYPTIAN_CAT
    assert answers[2][0] == "MissingError"
    assert answers[3][:2] == ["cpu", True]
    assert answers[4][0] == "ModelError"


def test_the_older_runtime_for_tflite(data: Path) -> None:
    devices, answers = load(python("tflite-runtime"), data, "lite_rt", TFLITE, {}, {"device": "edgetpu", "strict": True})
    assert devices == ["cpu"]
    assert answers[0] == ["cpu", False, "", EGYPTIAN_CAT]
    assert answers[1][0] == "MissingError"


def test_the_old_openvino_of_the_stick(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEFLEET_NCS2_PYTHON", python("ncs2"))
    command = [sys.executable, "-m", "edgefleet_agent", "doctor", "--profile", "ncs2", "--runtime", "ncs2", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=ROOT, check=False)
    checks = {check["what"]: check for check in json.loads(done.stdout)["checks"]}
    assert "one int8 inference on cpu" in checks["ncs2 on cpu"]["detail"]
    assert "Can not init Myriad device" in checks["ncs2 on myriad"]["detail"]
