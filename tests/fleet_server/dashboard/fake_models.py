"""The models of the fake registry."""

from __future__ import annotations

import hashlib
from typing import Any

from tests.fleet_server.dashboard.fake_devices import digest

DAY = 86_400.0
LABELS = ["gear", "bolt", "washer", "bracket", "scratch", "dent"]


def _variants(scale: float) -> list[dict[str, Any]]:
    rows = [
        ("int8-edgetpu", "tflite", "int8", ["litert"], ["coral-usb"], 4.0),
        ("fp16", "onnx", "float16", ["tensorrt", "onnxruntime"], ["jetson-orin-nano"], 7.6),
        ("int8", "onnx", "int8", ["onnxruntime", "openvino"], ["x86-cpu", "intel-npu"], 4.2),
        ("int8-litert", "tflite", "int8", ["litert"], ["arm64-cpu"], 3.9),
    ]
    return [
        {"name": n, "format": f, "precision": p, "runtimes": r, "profiles": d, "length_bytes": int(mb * scale * 1e6)}
        for n, f, p, r, d, mb in rows
    ]


def _version(name: str, version: str, created_at: float, **more: Any) -> dict[str, Any]:
    detector = name != "bearing-anomaly"
    plain: dict[str, Any] = {
        "name": name,
        "version": version,
        "digest": digest(name, version),
        "title": "Parts detector" if detector else "Bearing anomaly",
        "task": "detection" if detector else "anomaly",
        "description": "Finds parts and surface faults on a conveyor, 320 × 320, trained on rendered scenes."
        if detector
        else "Scores vibration windows of a bearing: 0 is healthy, 1 is about to fail.",
        "licence": "Apache-2.0",
        "created_at": created_at,
        "length_bytes": 19_900_000 if detector else 610_000,
        "labels": LABELS if detector else ["anomaly"],
        "card": {},
        "epoch": 3,
        "variants": _variants(1.0) if detector else _variants(0.03)[2:],
        "golden_count": 6 if detector else 2,
        "running_on": 0,
    }
    return {**plain, **more}


def make_models(now: float) -> dict[tuple[str, str], dict[str, Any]]:
    """(name, version) → ModelVersion, oldest first."""
    card = {
        "mAP@0.5": 0.871,
        "mAP@0.5 int8": 0.864,
        "recall, dents": 0.91,
        "measured": {
            "fp32": {"mAP@0.5": 0.871, "gear": {"precision": 0.96, "recall": 0.97}, "dent": {"precision": 0.88, "recall": 0.91}},
            "int8": {"mAP@0.5": 0.864, "gear": {"precision": 0.96, "recall": 0.96}, "dent": {"precision": 0.87, "recall": 0.9}},
        },
        "images, test set": 2400,
        "calibration": "512 frames, 3 sites",
    }
    rows = [
        _version(
            "parts-detector", "1.0.0", now - 96 * DAY, card={"mAP@0.5": 0.812, "mAP@0.5 int8": 0.797, "images, test set": 2400}
        ),
        _version(
            "parts-detector", "1.0.2", now - 61 * DAY, card={"mAP@0.5": 0.818, "mAP@0.5 int8": 0.809, "images, test set": 2400}
        ),
        _version(
            "parts-detector", "1.1.0", now - 24 * DAY, card={"mAP@0.5": 0.846, "mAP@0.5 int8": 0.839, "images, test set": 2400}
        ),
        _version("parts-detector", "1.2.0", now - 2 * DAY, card=card),
        _version("parts-detector", "1.3.0-rc1", now - 0.2 * DAY, card={**card, "mAP@0.5": 0.889, "mAP@0.5 int8": 0.702}),
        _version("bearing-anomaly", "0.9.1", now - 40 * DAY, card={"AUROC": 0.987, "false alarms per day": 0.4}),
    ]
    return {(row["name"], row["version"]): row for row in rows}


def files(model: dict[str, Any]) -> list[dict[str, Any]]:
    """The files of a package."""
    ending = {"tflite": "tflite", "onnx": "onnx"}
    named = [("model.toml", 2_804)]
    named += [(f"{v['name']}.{ending[v['format']]}", v["length_bytes"]) for v in model["variants"]]
    named += [
        (f"golden/{n:02d}.{kind}", size) for n in range(model["golden_count"]) for kind, size in (("jpg", 48_210), ("json", 612))
    ]
    return [{"path": p, "length": n, "sha256": hashlib.sha256(f"{model['digest']}{p}".encode()).hexdigest()} for p, n in named]
