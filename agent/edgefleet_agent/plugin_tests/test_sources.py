"""The contract of sources and sensors (`edgefleet_agent.sources.base`, `edgefleet_agent.sources.sensors.base`)."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from edgefleet_agent.core import plugins
from edgefleet_agent.plugin_tests.examples import PACE_S_MAX, example, installed
from edgefleet_agent.sources.base import Source
from edgefleet_agent.sources.sensors.base import CHANNELS_MAX, Reading, Sensor
from edgefleet_agent.vision.frame import Frame
from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.spec import SourceSpec

FRAMES = 5


@pytest.mark.parametrize("kind", installed("sources"))
def test_frames_are_numbered_and_end_when_stopped(kind: str, tmp_path: Path) -> None:
    source = plugins.load("sources", kind)(example("sources", kind, tmp_path))
    assert isinstance(source, Source)
    info = source.open()
    assert info.fps > 0
    guard = threading.Timer(PACE_S_MAX, source.stop)
    guard.start()
    got: list[Frame] = []
    for frame in source.frames():
        assert frame.planes[0].shape[:2] == (frame.height, frame.width)
        assert all(plane.dtype == "uint8" for plane in frame.planes)
        got.append(frame)
        if len(got) == FRAMES:
            source.stop()
            stopped_s = time.monotonic()
    guard.cancel()
    source.close()
    assert len(got) >= FRAMES, f"{len(got)} frames within {PACE_S_MAX:.0f} s"
    assert time.monotonic() - stopped_s < 1.0, "frames() ends soon after stop()"
    assert [frame.index for frame in got] == sorted({frame.index for frame in got})
    assert [frame.media_s for frame in got] == sorted(frame.media_s for frame in got)


@pytest.mark.parametrize("kind", installed("sensors"))
def test_readings_fit_the_channels_and_end_when_stopped(kind: str, tmp_path: Path) -> None:
    sensor = plugins.load("sensors", kind)(example("sensors", kind, tmp_path))
    assert isinstance(sensor, Sensor)
    sensor.open()
    assert 0 < len(set(sensor.channels)) == len(sensor.channels) <= CHANNELS_MAX
    guard = threading.Timer(PACE_S_MAX, sensor.stop)
    guard.start()
    got: list[Reading] = []
    for reading in sensor.readings():
        assert len(reading.values) == len(sensor.channels)
        got.append(reading)
        if len(got) == FRAMES:
            sensor.stop()
    guard.cancel()
    sensor.close()
    assert len(got) >= FRAMES, f"{len(got)} readings within {PACE_S_MAX:.0f} s"


@pytest.mark.parametrize("table", ["sources", "sensors"])
def test_unknown_options_are_refused_without_input_or_output(table: str, tmp_path: Path) -> None:
    for kind in plugins.installed(table):
        spec: SourceSpec = example(table, kind, tmp_path)
        with pytest.raises(PipelineError, match="flux"):
            plugins.load(table, kind)(replace(spec, options={**spec.options, "flux": 1}))
