"""The tables of what can be plugged into a device: built in, and by the entry points of installed packages.

See `edgefleet_contract.core.plugins`.
"""

from __future__ import annotations

from typing import Any

from edgefleet_contract.core.errors import EdgefleetError, PipelineError
from edgefleet_contract.core.plugins import PluginTable

TABLES: dict[str, dict[str, str]] = {
    "backends": {
        "hailo": "edgefleet_agent.backends.hailo.backend:HailoBackend",
        "lite_rt": "edgefleet_agent.backends.lite_rt.backend:LiteRtBackend",
        "ncs2": "edgefleet_agent.backends.ncs2.backend:Ncs2Backend",
        "onnx_runtime": "edgefleet_agent.backends.onnx_runtime.backend:OnnxRuntimeBackend",
        "open_vino": "edgefleet_agent.backends.open_vino.backend:OpenVinoBackend",
        "rknn": "edgefleet_agent.backends.rknn.backend:RknnBackend",
    },
    "heads": {
        "classification": "edgefleet_agent.vision.heads.classification:ClassificationHead",
        "ctc": "edgefleet_agent.vision.heads.ctc:CtcHead",
        "dbnet": "edgefleet_agent.vision.heads.dbnet:DbnetHead",
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
        "regression": "edgefleet_agent.vision.heads.regression:RegressionHead",
        "segmentation": "edgefleet_agent.vision.heads.segmentation:SegmentationHead",
        "ssd": "edgefleet_agent.vision.heads.ssd:SsdHead",
        "ssd_anchors": "edgefleet_agent.vision.heads.ssd_anchors:SsdAnchorsHead",
        "ultraface": "edgefleet_agent.vision.heads.ultraface:UltraFaceHead",
        "yolo": "edgefleet_agent.vision.heads.yolo:YoloHead",
        "yolo_obb": "edgefleet_agent.vision.heads.yolo_parts:YoloObbHead",
        "yolo_pose": "edgefleet_agent.vision.heads.yolo_parts:YoloPoseHead",
        "yolo_segmentation": "edgefleet_agent.vision.heads.yolo_parts:YoloSegmentationHead",
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
        "device": "edgefleet_agent.backends.isolated.session:open_apart",
        "process": "edgefleet_agent.backends.isolated.session:open_isolated",
    },
    "sinks": {
        "jsonl": "edgefleet_agent.sinks.jsonl:JsonLinesSink",
        "kafka": "edgefleet_agent.sinks.kafka:KafkaSink",
    },
}

_TABLES = {group: PluginTable(group, group.removesuffix("s"), rows) for group, rows in TABLES.items()}


def names(table: str) -> list[str]:
    """Names available in `table`, built in and installed."""
    return _TABLES[table].names()


def installed(table: str) -> dict[str, str]:
    """Names that plug-ins bring to `table`, each with its distribution and version. Imports none of them."""
    return _TABLES[table].installed()


def load(table: str, name: str, error: type[EdgefleetError] = PipelineError) -> Any:
    """The class registered as `name`.

    Raises:
        error: no such name; the text lists the existing ones. MissingError: a library that it needs is not installed.
    """
    return _TABLES[table].load(name, error)
