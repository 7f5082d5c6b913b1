"""The device of served models: the accelerator of this machine's profile, unless package or configuration name one."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from edgefleet_agent.serving.config.config_json import config_from_plain
from edgefleet_agent.serving.config.model_config import ServingConfig
from edgefleet_agent.serving.engine.model_registry import ServedModel
from edgefleet_agent.serving.models.model_loader import open_served
from edgefleet_agent.serving.models.model_source import LoadTarget
from edgefleet_contract.package.profile import Accelerator
from tests.packages import MakePackage

MODEL = "models/onnx/mobilenet_v2_1.0_224_quant/mobilenet_v2_1.0_224_quant.onnx"
GPU = Accelerator("onnx_runtime", "cuda", precisions=["f16", "f32"])
JOINED = Accelerator("open_vino", "auto:cpu", options={"precision": "f32"})
"""A device of OpenVINO by another name than `cpu`, which every machine has."""


def opened(path: Path, accelerators: tuple[Accelerator, ...], **config: Any) -> ServedModel:
    runtimes = ("onnx_runtime", "open_vino", "lite_rt")
    device = LoadTarget(runtimes, "some-gpu", accelerators=accelerators)
    return open_served(path, "m", "1", device, config_from_plain(config) if config else ServingConfig())


def group(served: ServedModel) -> dict[str, Any]:
    (found,) = json.loads(json.dumps(served.config_to_json()))["instance_group"]
    return {name: found.get(name) for name in ("kind", "device")}


def test_a_model_file_is_computed_on_the_accelerator_of_its_runtime(data: Path) -> None:
    served = opened(data / MODEL, (GPU, JOINED), runtime="open_vino")
    assert served.device == "auto:cpu"
    assert group(served) == {"kind": "KIND_CPU", "device": "auto:cpu"}
    served.engine.close()


def test_an_accelerator_that_does_not_work_is_named_and_the_cpu_serves(data: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        served = opened(data / MODEL, (GPU,))
    assert served.device == ""
    assert group(served) == {"kind": "KIND_CPU", "device": None}
    (line,) = [record.getMessage() for record in caplog.records]
    assert line.startswith("model m: this ONNX Runtime is built without CUDAExecutionProvider")
    assert line.endswith("; it is computed on the CPU")
    served.engine.close()


@pytest.mark.parametrize(
    "config", [{"instance_group": [{"kind": "KIND_CPU"}]}, {"instance_group": [{"device": "cpu"}]}, {"deterministic": True}]
)
def test_what_the_configuration_names_wins(data: Path, config: dict[str, Any]) -> None:
    served = opened(data / MODEL, (JOINED,), runtime="open_vino", **config)
    assert group(served)["device"] in (None, "cpu")
    assert group(served)["kind"] == "KIND_CPU"
    served.engine.close()


def test_a_variant_takes_an_accelerator_that_computes_its_precision(package: MakePackage) -> None:
    whole = package("mobilenet_v2")
    served = opened(whole, (Accelerator("onnx_runtime", "cuda", precisions=["f32"]), JOINED), runtime="open_vino")
    assert served.device == "auto:cpu"
    served.engine.close()
    served = opened(whole, (Accelerator("open_vino", "auto:cpu", precisions=["f32"]),), runtime="open_vino")
    assert served.device == ""  # an int8 variant
    served.engine.close()
    served = opened(whole, (Accelerator("open_vino", "auto:cpu", dedicated=True),), runtime="open_vino")
    assert served.device == ""
    served.engine.close()
