"""Whether a device could begin with a pipeline, as far as neither models, media nor the device itself are needed to tell: the one
judgement for the device, which makes it before it starts, and for the office, which makes it while somebody types.
"""

from __future__ import annotations

from edgefleet_contract.pipeline.fleet_pipeline import FleetPipeline
from edgefleet_contract.pipeline.graph import compile_graph
from edgefleet_contract.pipeline.sensor_options import OPTIONS, check_sensing
from edgefleet_contract.pipeline.spec import EVENTS, PipelineSpec


def check_work(spec: PipelineSpec) -> None:
    """Kinds of stages, what each is told, and what it reads.

    Raises:
        PipelineError: names file and line, the stage or rule at fault, and what would be right.
    """
    if spec.source.kind == EVENTS:
        return
    if any(stage.kind in OPTIONS for stage in spec.stages):
        check_sensing(spec)
    elif spec.stages:
        compile_graph(spec)


def check_fleet_work(document: FleetPipeline) -> None:
    """The same for every device that has a section of its own, and for all others.

    Raises:
        PipelineError: the first fault; one of a section names the device.
    """
    check_work(document.spec)
    for device in document.devices:
        special = document.for_device(device)
        if special is not None:
            check_work(special)
