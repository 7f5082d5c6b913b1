"""Names to classes: explicit tables first, then the entry points of installed packages.

Imported when chosen, never before: a broken vendor wheel cannot speak on a device that does not use it. An import path never
comes from a package, a pushed configuration or the wire; only a *name* does.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from agent.errors import EdgefleetError, MissingError, PipelineError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

TABLES: dict[str, dict[str, str]] = {
    "backends": {
        "lite_rt": "agent.backends.lite_rt:LiteRtBackend",
        "ncs2": "agent.backends.ncs2:Ncs2Backend",
        "onnx_runtime": "agent.backends.onnx_runtime:OnnxRuntimeBackend",
        "open_vino": "agent.backends.open_vino:OpenVinoBackend",
    },
    "heads": {
        "classification": "agent.vision.heads.classification:ClassificationHead",
        "ctc": "agent.vision.heads.ctc:CtcHead",
        "detection_output": "agent.vision.heads.detection_output:DetectionOutputHead",
        "detr": "agent.vision.heads.detr:DetrHead",
        "efficientdet": "agent.vision.heads.efficientdet:EfficientDetHead",
        "embedding": "agent.vision.heads.embedding:EmbeddingHead",
        "fcos": "agent.vision.heads.fcos:FcosHead",
        "heatmap": "agent.vision.heads.keypoints:HeatmapHead",
        "landmarks": "agent.vision.heads.keypoints:LandmarksHead",
        "movenet": "agent.vision.heads.keypoints:MoveNetHead",
        "nanodet": "agent.vision.heads.nanodet:NanodetHead",
        "reconstruction": "agent.vision.heads.reconstruction:ReconstructionHead",
        "segmentation": "agent.vision.heads.segmentation:SegmentationHead",
        "ssd": "agent.vision.heads.ssd:SsdHead",
        "ssd_anchors": "agent.vision.heads.ssd_anchors:SsdAnchorsHead",
        "ultraface": "agent.vision.heads.ultraface:UltraFaceHead",
        "yolo": "agent.vision.heads.yolo:YoloHead",
        "yolox": "agent.vision.heads.yolox:YoloxHead",
    },
    "sources": {
        "camera": "agent.sources.camera:CameraSource",
        "file": "agent.sources.file:FileSource",
        "images": "agent.sources.images:ImagesSource",
        "mjpeg": "agent.sources.mjpeg:MjpegSource",
        "rtsp": "agent.sources.rtsp:RtspSource",
        "synthetic": "agent.sources.synthetic:SyntheticSource",
    },
    "sensors": {
        "can": "agent.sources.can:CanSensor",
        "csv": "agent.sources.csv_replay:CsvSensor",
        "iio": "agent.sources.iio:IioSensor",
        "mqtt": "agent.pipeline.mqtt_sensor:MqttSensor",
        "serial": "agent.sources.serial_lines:SerialSensor",
    },
    "sinks": {
        "jsonl": "agent.sinks.jsonl:JsonLinesSink",
    },
}


def names(table: str) -> list[str]:
    """What can be chosen from `table`, ours and installed."""
    return sorted(set(TABLES[table]) | {point.name for point in _installed(table)})


def load(table: str, name: str, error: type[EdgefleetError] = PipelineError) -> Any:
    """The class called `name`.

    Raises:
        error: no such name; the text lists those that exist. MissingError: it exists, but what it needs is not installed.
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


def _installed(table: str) -> tuple[EntryPoint, ...]:
    # 4 MB and 50 ms that a device without plug-ins of others does not need.
    from importlib.metadata import entry_points

    return tuple(entry_points(group=f"edgefleet.{table}"))
