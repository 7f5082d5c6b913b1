"""Maps names to classes: explicit tables first, then the entry points of installed packages.

A class is imported only when it is chosen: a broken vendor wheel has no effect on a device that does not use it. An import path
never comes from a package, a pushed configuration or the wire; only a *name* does.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from edgefleet_agent.core.distributions import declares
from edgefleet_contract.core.errors import EdgefleetError, MissingError, PipelineError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

TABLES: dict[str, dict[str, str]] = {
    "backends": {
        "lite_rt": "edgefleet_agent.backends.lite_rt.backend:LiteRtBackend",
        "ncs2": "edgefleet_agent.backends.ncs2.backend:Ncs2Backend",
        "onnx_runtime": "edgefleet_agent.backends.onnx_runtime.backend:OnnxRuntimeBackend",
        "open_vino": "edgefleet_agent.backends.open_vino.backend:OpenVinoBackend",
    },
    "heads": {
        "classification": "edgefleet_agent.vision.heads.classification:ClassificationHead",
        "ctc": "edgefleet_agent.vision.heads.ctc:CtcHead",
        "detection_output": "edgefleet_agent.vision.heads.detection_output:DetectionOutputHead",
        "detr": "edgefleet_agent.vision.heads.detr:DetrHead",
        "efficientdet": "edgefleet_agent.vision.heads.efficientdet:EfficientDetHead",
        "embedding": "edgefleet_agent.vision.heads.embedding:EmbeddingHead",
        "fcos": "edgefleet_agent.vision.heads.fcos:FcosHead",
        "heatmap": "edgefleet_agent.vision.heads.keypoints:HeatmapHead",
        "landmarks": "edgefleet_agent.vision.heads.keypoints:LandmarksHead",
        "movenet": "edgefleet_agent.vision.heads.keypoints:MoveNetHead",
        "nanodet": "edgefleet_agent.vision.heads.nanodet:NanodetHead",
        "reconstruction": "edgefleet_agent.vision.heads.reconstruction:ReconstructionHead",
        "segmentation": "edgefleet_agent.vision.heads.segmentation:SegmentationHead",
        "ssd": "edgefleet_agent.vision.heads.ssd:SsdHead",
        "ssd_anchors": "edgefleet_agent.vision.heads.ssd_anchors:SsdAnchorsHead",
        "ultraface": "edgefleet_agent.vision.heads.ultraface:UltraFaceHead",
        "yolo": "edgefleet_agent.vision.heads.yolo:YoloHead",
        "yolox": "edgefleet_agent.vision.heads.yolox:YoloxHead",
    },
    "sources": {
        "camera": "edgefleet_agent.sources.cameras.v4l2:CameraSource",
        "file": "edgefleet_agent.sources.cameras.file:FileSource",
        "images": "edgefleet_agent.sources.cameras.images:ImagesSource",
        "mjpeg": "edgefleet_agent.sources.cameras.mjpeg:MjpegSource",
        "rtsp": "edgefleet_agent.sources.cameras.rtsp:RtspSource",
        "synthetic": "edgefleet_agent.sources.cameras.synthetic:SyntheticSource",
    },
    "sensors": {
        "can": "edgefleet_agent.sources.sensors.can:CanSensor",
        "csv": "edgefleet_agent.sources.sensors.csv:CsvSensor",
        "iio": "edgefleet_agent.sources.sensors.iio:IioSensor",
        "mqtt": "edgefleet_agent.sources.sensors.mqtt:MqttSensor",
        "serial": "edgefleet_agent.sources.sensors.serial:SerialSensor",
    },
    "isolation": {
        "process": "edgefleet_agent.backends.isolated.session:open_isolated",
    },
    "sinks": {
        "jsonl": "edgefleet_agent.sinks.jsonl:JsonLinesSink",
    },
}


def names(table: str) -> list[str]:
    """Names available in `table`, built in and installed."""
    return sorted(set(TABLES[table]) | {point.name for point in _installed(table)})


def load(table: str, name: str, error: type[EdgefleetError] = PipelineError) -> Any:
    """The class registered as `name`.

    Raises:
        error: no such name; the text lists the existing ones. MissingError: a library that it needs is not installed.
    """
    path = TABLES[table].get(name)
    if path is None:
        found = [point for point in _installed(table) if point.name == name]
        if not found:
            raise error(f"unknown {table.removesuffix('s')} {name!r}; known are {', '.join(names(table))}")
        path = found[0].value
    module, _, attribute = path.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except ModuleNotFoundError as cause:
        raise MissingError(f"{table.removesuffix('s')} {name!r} needs the Python module {cause.name!r}; install it") from cause
    except (Exception, SystemExit) as cause:  # a broken plug-in has no effect on a device that does not use it
        text = f"{type(cause).__name__}: {cause}".splitlines()[0]
        raise MissingError(f"{table.removesuffix('s')} {name!r} cannot be imported ({text}); install it again") from cause


def _installed(table: str) -> tuple[EntryPoint, ...]:
    if not declares("edgefleet."):
        return ()
    # Costs 4 MB and 60 ms, which a device without third-party plug-ins does not need.
    from importlib.metadata import entry_points

    return tuple(entry_points(group=f"edgefleet.{table}"))
