"""Rockchip's runtime on its stand-in: what a model gives, and what is refused."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest

from edgefleet_agent.backends.base import Array, LoadOptions
from edgefleet_agent.backends.rknn import adapter
from edgefleet_agent.backends.rknn.backend import RknnBackend
from edgefleet_contract.core.errors import MissingError, ModelError
from tests.agent.backends.hosted.conftest import RKNN, Hosted, write_rknn

PIXELS = np.arange(48, dtype=np.uint8).reshape(1, 4, 4, 3)


def expected(real: Array) -> Array:
    """The stored numbers: steps of 0.5, 10 is zero, channels first."""
    stored = np.clip(np.round((0.25 * real.astype(np.float64) - 1.0) / 0.5) + 10, -128, 127).astype(np.int8)
    return stored.transpose(0, 3, 1, 2)


def test_a_model_on_the_npu(rknn: Hosted) -> None:
    assert rknn.backend.installed()
    with contextlib.closing(rknn.load()) as session:
        assert (session.placement.runtime, session.placement.version, session.placement.device) == ("rknn", "2.3.2", "rknpu")
        assert [(spec.name, spec.shape, spec.dtype, spec.scale) for spec in session.inputs] == [
            ("images", (1, 4, 4, 3), np.uint8, 0.0)
        ]
        assert [(spec.name, spec.shape, spec.dtype, spec.scale, spec.zero_point) for spec in session.outputs] == [
            ("result", (1, 3, 4, 4), np.int8, 0.5, 10)
        ]
        assert np.array_equal(session.infer({"images": PIXELS})["result"], expected(PIXELS))
        for wrong in (PIXELS.astype(np.float32), PIXELS[:, :2].copy()):
            with pytest.raises(ModelError, match="uint8"):
                session.infer({"images": wrong})
        assert np.array_equal(session.infer({"images": PIXELS[:, ::-1].copy()})["result"], expected(PIXELS[:, ::-1]))


def test_inputs_as_they_are_stored(rknn: Hosted) -> None:
    options = LoadOptions(device="rknpu", options={"inputs": "stored", "cores": "0_1_2"})
    with contextlib.closing(rknn.backend.load(rknn.write(rknn.folder / "model"), options)) as session:
        assert [(spec.dtype, spec.scale, spec.zero_point) for spec in session.inputs] == [(np.int8, 1.0, -128)]
        stored = (PIXELS.astype(np.int16) - 128).astype(np.int8)
        assert np.array_equal(session.infer({"images": stored})["result"], expected(PIXELS))


def test_two_models_in_one_process(rknn: Hosted) -> None:
    with contextlib.closing(rknn.load("one")) as one, contextlib.closing(rknn.load("two")) as two:
        assert np.array_equal(one.infer({"images": PIXELS})["result"], two.infer({"images": PIXELS})["result"])


@pytest.mark.parametrize(
    ("model", "text"),
    [
        (RKNN.replace("rk3588", "rk3568"), r"rknn_init: RKNN_ERR_TARGET_PLATFORM_UNMATCH \(-13\)"),
        ("rk3588 4 4", r"rknn_init: RKNN_ERR_MODEL_INVALID \(-6\)"),
    ],
)
def test_files_that_it_refuses_are_one_line(rknn: Hosted, model: str, text: str) -> None:
    with pytest.raises(ModelError, match=rf"other.rknn: Rockchip's runtime cannot load it \({text}\); supported") as raised:
        rknn.backend.load(write_rknn(rknn.folder / "other", model), LoadOptions(device="rknpu"))
    assert "\n" not in str(raised.value)


def test_options_that_it_does_not_have(rknn: Hosted) -> None:
    files = rknn.write(rknn.folder / "model")
    with pytest.raises(ModelError, match="option cores = '3': must be one of auto, 0, 1, 2, 0_1, 0_1_2"):
        rknn.backend.load(files, LoadOptions(device="rknpu", options={"cores": "3"}))
    with pytest.raises(ModelError, match="unknown option 'library'"):
        rknn.backend.load(files, LoadOptions(device="rknpu", options={"library": "/tmp/evil.so"}))
    with pytest.raises(ModelError, match="has no device 'cpu'"):
        rknn.backend.load(files, LoadOptions())


def test_without_an_npu(rknn: Hosted) -> None:
    (rknn.folder / "device").unlink()
    assert rknn.backend.devices() == []
    with pytest.raises(MissingError, match=r"no device for .* \(rknn_init: RKNN_ERR_FAIL \(-1\)\): use the vendor"):
        rknn.load()


def test_the_driver_is_found_in_the_system(tmp_path: Path) -> None:
    assert not adapter.is_driver_loaded(str(tmp_path))
    (tmp_path / "sys/bus/platform/drivers/RKNPU").mkdir(parents=True)
    assert adapter.is_driver_loaded(str(tmp_path))


def test_a_missing_or_damaged_library_is_reported(rknn: Hosted, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = rknn.folder / "librknnrt.so"
    monkeypatch.setenv("EDGEFLEET_RKNN_LIBRARY", str(bad))
    assert not RknnBackend().installed()
    bad.write_bytes(b"no library")
    with pytest.raises(MissingError, match=r"the library of Rockchip's runtime cannot be used \(.*librknnrt.so: .*\): curl "):
        rknn.load()
