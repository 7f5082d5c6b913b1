"""A cache of compiled models on a disk that takes nothing: the model runs all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgefleet_agent.backends.base import LoadOptions
from edgefleet_agent.core import plugins
from edgefleet_agent.core.disk_faults import DiskFaults
from edgefleet_agent.pipeline.model.compile_cache import load_with_cache
from tests.agent.backends.test_contract import MODELS, cat
from tests.small_disk import mounted


@pytest.mark.parametrize("fault", ["full", "read-only"])
@pytest.mark.parametrize("filled", [False, True])
def test_a_model_loads(data: Path, tmp_path: Path, fault: str, filled: bool) -> None:
    pytest.importorskip("openvino")
    files = tuple(data / "models" / path for path in MODELS["open_vino"])
    with mounted(tmp_path / "disk", "32m") as disk:
        cache = disk.folder / "engines"
        faults = DiskFaults()

        def load() -> object:
            def loaded(folder: Path | None) -> object:
                return plugins.load("backends", "open_vino")().load(files, LoadOptions(threads=1, cache_dir=folder))

            session = load_with_cache(loaded, cache, faults)
            session.infer({"input": cat(data)})
            session.close()
            return session

        if filled:
            load()
            assert not faults.present()
        disk.fill() if fault == "full" else disk.remount("ro")
        load()
        if fault == "read-only":  # OpenVINO itself says nothing of a full disk
            assert bool(faults.present()) != filled
        disk.free() if fault == "full" else disk.remount("rw")
        load()
        assert not faults.present()
        assert any(cache.iterdir()), "the cache is used again"
