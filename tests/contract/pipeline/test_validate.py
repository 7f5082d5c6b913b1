"""The editor refuses every pipeline that a device would refuse before its start."""

from __future__ import annotations

import pytest

from edgefleet_contract.core.errors import PipelineError
from edgefleet_contract.pipeline.fleet_pipeline import read_fleet_pipeline
from edgefleet_contract.pipeline.validate import check_fleet_work

CAMERA = """\
name = "hall"
[source]
kind = "device"
[[stages]]
name = "find"
kind = "detect"
model = "slot:detector"
[[stages]]
name = "follow"
kind = "track"
"""
SENSOR = """\
name = "press"
[source]
kind = "device"
[[stages]]
name = "cut"
kind = "window"
options = { length_s = 30.0, step_s = 10.0 }
[[stages]]
name = "odd"
kind = "score"
"""


def judged(text: str) -> None:
    check_fleet_work(read_fleet_pipeline(text, "p.toml"))


@pytest.mark.parametrize("text", [CAMERA, SENSOR, 'name = "bare"\n[source]\nkind = "device"\n'])
def test_good_ones_are_good(text: str) -> None:
    judged(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CAMERA.replace('"detect"', '"find"'), "p.toml:6: stage 'find': unknown kind 'find'; known are classify, crops"),
        (CAMERA + "options = { max_lost_s = -1 }\n", "p.toml:11: stage 'follow': option 'max_lost_s' is -1; it goes"),
        (
            CAMERA + 'options = { any_label = "yes" }\n',
            "p.toml:11: stage 'follow': option 'any_label' is 'yes'; give a value like",
        ),
        (CAMERA + "every = 3\n", "belong to a detect stage"),
        (SENSOR.replace("step_s", "steps"), "p.toml:7: stage 'cut': option 'steps' is unknown; known are channels, features"),
        (SENSOR.replace("10.0", '"often"'), "option 'step_s' is 'often'; give a value like 0.0"),
        (SENSOR.replace('"score"', '"track"'), "a sensor's stages are one of kind 'window'"),
        (SENSOR + '[[rules]]\nname = "r"\nkind = "crowd"\n', "kind 'crowd' is for cameras"),
        (
            CAMERA + '[[for]]\ndevices = ["hall-3"]\nstages = [{ name = "see", kind = "motion", options = { join = 0.9 } }]\n',
            "for hall-3: stage 'see': option 'join' is 0.9; it goes from 0 to 0.5",
        ),
    ],
)
def test_faults_name_their_line(text: str, expected: str) -> None:
    with pytest.raises(PipelineError) as refused:
        judged(text)
    assert expected in str(refused.value)
