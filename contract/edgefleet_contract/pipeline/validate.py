"""Validation of pipelines that needs neither models, media nor the device: used by the device before it starts a pipeline, and
by the server while a user edits one.
"""

from __future__ import annotations

from edgefleet_contract.pipeline.fleet_pipeline import FleetPipeline
from edgefleet_contract.pipeline.graph import compile_graph
from edgefleet_contract.pipeline.sensor_options import OPTIONS, check_sensing
from edgefleet_contract.pipeline.spec import EVENTS, PipelineSpec


def check_work(spec: PipelineSpec) -> None:
    """Check kinds of stages, their options, and their inputs.

    Raises:
        PipelineError: names file and line, the wrong stage or rule, and a valid value.
    """
    if spec.source.kind == EVENTS:
        return
    if any(stage.kind in OPTIONS for stage in spec.stages):
        check_sensing(spec)
    elif spec.stages:
        compile_graph(spec)


def check_fleet_work(document: FleetPipeline) -> None:
    """Check the pipeline of every device with its own section, and that of all others.

    Raises:
        PipelineError: the first fault; for a fault in a section the text names the device.
    """
    check_work(document.spec)
    for device in document.devices:
        special = document.for_device(device)
        if special is not None:
            check_work(special)
