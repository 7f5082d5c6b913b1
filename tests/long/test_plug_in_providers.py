"""A real plug-in execution provider of ONNX Runtime, that of WebGPU, on a graphics card or on Vulkan in software.

    EDGEFLEET_TEST_PYTHONS=folder     with the virtual environment `ort-webgpu`: onnxruntime onnxruntime-ep-webgpu msgspec
                                      opencv-python-headless

Without a graphics card the library offers the CPU if `ORT_WEBGPU_EP_ALLOW_SOFTWARE_ADAPTER` is set, and needs a Vulkan driver in
software: SwiftShader, which is in Debian's `chromium-common`. Mesa 22's llvmpipe lacks what it needs.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.long.test_other_builds import python

pytestmark = pytest.mark.long

FLOATS = ("onnx/ultraface_rfb_320/version-RFB-320.onnx", "onnx/osnet_x0_25_msmt17/osnet_x0_25_msmt17.onnx")
QUANTIZED = "onnx/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.onnx"
SWIFTSHADER = Path("/usr/lib/chromium/vk_swiftshader_icd.json")
LOAD = """
import json, sys
from pathlib import Path
import numpy as np
from edgefleet_agent.backends.base import LoadOptions
from edgefleet_agent.backends.installed import find_backend
from edgefleet_contract.core.errors import EdgefleetError
backend = find_backend("onnx_runtime")
answers = []
for model, device, options, runs in json.loads(sys.argv[1]):
    answer = {}
    try:
        session = backend.load((Path(model),), LoadOptions(device=device, strict=True, options=options, threads=1))
        where = session.placement
        answer = {"device": where.device, "fell_back": where.fell_back, "detail": where.detail, "differences": []}
        reference = backend.load((Path(model),), LoadOptions()) if runs else None
        for seed in range(runs):
            random = np.random.default_rng(seed)
            inputs = {spec.name: random.standard_normal([max(side, 1) for side in spec.shape]).astype(spec.dtype)
                      for spec in session.inputs}
            found = {name: array.copy() for name, array in session.infer(inputs).items()}
            for name, array in reference.infer(inputs).items():
                answer["differences"].append(float(np.abs(found[name] - array).max() / np.abs(array).max()))
        session.close()
    except EdgefleetError as error:
        answer = {"error": f"{type(error).__name__}: {error}"}
    answers.append(answer)
print(json.dumps([backend.devices(), answers]))
"""


def environment(home: Path) -> dict[str, str]:
    trees = os.pathsep.join(str(ROOT / tree) for tree in ("contract", "agent"))
    own = {"PYTHONPATH": trees, "ORT_WEBGPU_EP_ALLOW_SOFTWARE_ADAPTER": "1", "HOME": str(home)}
    if not Path("/dev/dri").exists() and SWIFTSHADER.is_file():
        own["VK_ICD_FILENAMES"] = str(SWIFTSHADER)
    return {**os.environ, **own}


def load(home: Path, *cases: tuple[str, str, dict[str, Any], int]) -> list[dict[str, Any]]:
    """Load a model for each case in one process, and compare so many runs with those of the CPU. home: stays empty."""
    command = [python("ort-webgpu"), "-c", LOAD, json.dumps(cases)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment(home), check=False)
    assert done.returncode == 0, done.stderr
    assert not list(home.iterdir())  # where its telemetry would keep what it sends
    devices, answers = json.loads(done.stdout.splitlines()[-1])
    if not any(device.startswith("ep:webgpu:") for device in devices):
        pytest.skip("onnxruntime-ep-webgpu offers no device here: it needs libvulkan.so.1")
    if any("No supported adapters" in answer.get("error", "") for answer in answers):
        pytest.skip("no Vulkan driver that WebGPU can use: apt-get install chromium-common")
    found: list[dict[str, Any]] = answers
    return found


def test_real_models_compute_on_the_plug_in_what_they_compute_on_the_cpu(data: Path, tmp_path: Path) -> None:
    models = [str(data / "models" / model) for model in FLOATS]
    answers = load(tmp_path, *((model, "ep:webgpu", {"whole": True}, 2) for model in models), (models[0], "ep:webgpu", {}, 1))
    for answer in answers:
        assert (answer["device"], answer["fell_back"], answer["detail"]) == ("ep:webgpu", False, "")
        assert answer["differences"]
        assert max(answer["differences"]) < 1e-4


def test_a_model_of_which_a_part_is_elsewhere(data: Path, tmp_path: Path) -> None:
    model = str(data / "models" / QUANTIZED)
    part, whole, absent, apart = load(
        tmp_path,
        (model, "ep:webgpu", {}, 0),
        (model, "ep:webgpu", {"whole": True}, 0),
        (model, "ep:webgpu:npu", {}, 0),
        (str(data / "models" / FLOATS[1]), "ep:webgpu", {"isolation": "process"}, 1),
    )
    found = re.fullmatch(r"(\d+) of (\d+) operators run on cpu", part["detail"])
    assert found is not None
    assert 0 < int(found[1]) < int(found[2])
    assert "part of the model would run on the CPU" in whole["error"]
    assert "does not offer this device on this machine; it offers ep:webgpu:" in absent["error"]
    assert (apart["device"], apart["detail"]) == ("ep:webgpu", "")
    assert max(apart["differences"]) < 1e-4
