"""A living fleet made of formulas: the same seed gives the same devices, and telemetry of any moment is a function of time."""

from __future__ import annotations

import hashlib
import math
import random
from dataclasses import dataclass, field
from typing import Any

PROFILES = {
    "coral-usb": ("litert", "edgetpu", "int8-edgetpu", 31.0, 11.5),
    "jetson-orin-nano": ("tensorrt", "cuda:0", "fp16", 58.0, 6.2),
    "intel-npu": ("openvino", "NPU", "int8", 44.0, 8.4),
    "x86-cpu": ("onnxruntime", "cpu", "int8", 22.0, 24.0),
    "arm64-cpu": ("litert", "cpu (XNNPACK)", "int8", 12.0, 46.0),
}
"""profile → runtime, placement, variant, frames/s, milliseconds of one inference."""

SITES = {"bremen": 4, "lyon": 3, "osaka": 5, "toledo": 2}
LINES = ("press", "paint", "pack", "gate")
HARDWARE = {
    "coral-usb": {"board": "Raspberry Pi 5", "accelerator": "Coral USB Accelerator", "memory": "8 GB", "arch": "aarch64"},
    "jetson-orin-nano": {
        "board": "Jetson Orin Nano",
        "accelerator": "Ampere GPU, 1024 cores",
        "memory": "8 GB",
        "arch": "aarch64",
    },
    "intel-npu": {"board": "UP Xtreme i14", "accelerator": "Intel AI Boost NPU", "memory": "16 GB", "arch": "x86_64"},
    "x86-cpu": {"board": "Intel NUC 11", "accelerator": "none", "memory": "16 GB", "arch": "x86_64"},
    "arm64-cpu": {"board": "Raspberry Pi 4", "accelerator": "none", "memory": "4 GB", "arch": "aarch64"},
}
RUNTIMES = {
    "coral-usb": ["litert 2.3.0", "libedgetpu 16"],
    "jetson-orin-nano": ["onnxruntime 1.31.1 (CUDA)", "tensorrt 10.7"],
    "intel-npu": ["openvino 2026.4.1"],
    "x86-cpu": ["onnxruntime 1.31.1", "openvino 2026.4.1"],
    "arm64-cpu": ["litert 2.3.0", "onnxruntime 1.31.1"],
}


@dataclass
class Slot:
    """The running and the desired package of one slot."""

    package: str
    version: str
    since_at: float
    target: tuple[str, str] | None = None
    phase: str = "committed"
    reason: str = "none"
    detail: str = ""
    changed_at: float = 0.0
    bytes_done: int = 0
    bytes_total: int = 0
    attempt: str | None = None


@dataclass
class Device:
    """One device of the fake fleet."""

    id: str
    profile: str
    labels: dict[str, str]
    slots: dict[str, Slot]
    online: bool
    since_at: float
    phase: float
    hot: float = 0.0
    attention: list[str] = field(default_factory=list)
    connection: int = 1
    pins: dict[str, str] = field(default_factory=dict)

    @property
    def status(self) -> str:
        """The one word that the table shows."""
        if self.attention:
            return "attention"
        if not self.online:
            return "offline"
        busy = any(slot.phase not in ("committed", "rolled_back", "refused", "absent") for slot in self.slots.values())
        return "updating" if busy else "online"


def digest(package: str, version: str) -> str:
    """The digest of a fake package."""
    return hashlib.sha256(f"{package}@{version}".encode()).hexdigest()


def make_devices(now: float, seed: int = 7) -> dict[str, Device]:
    """The fleet: a few hundred devices at four sites, some offline, some hot, some behind."""
    luck = random.Random(seed)
    devices: dict[str, Device] = {}
    for site, lines in SITES.items():
        for line in range(1, lines + 1):
            for role in LINES:
                for cam in range(1, 5):
                    profile = luck.choices(list(PROFILES), weights=[4, 3, 3, 2, 2])[0]
                    name = f"{site}-{role}{line}-cam{cam:02d}"
                    version = luck.choices(["1.1.0", "1.0.2", "1.0.0"], weights=[80, 14, 6])[0]
                    online = luck.random() > 0.06
                    since = now - luck.uniform(600, 9 * 86400)
                    slot = Slot("parts-detector", version, since - luck.uniform(0, 20 * 86400), bytes_total=4_194_304)
                    device = Device(
                        id=name,
                        profile=profile,
                        labels={"site": site, "line": f"{role}{line}", "ring": "canary" if cam == 1 and line == 1 else "main"},
                        slots={"detector": slot},
                        online=online,
                        since_at=since if online else now - luck.uniform(300, 3 * 86400),
                        phase=luck.uniform(0, math.tau),
                        hot=luck.uniform(20, 29) if luck.random() < 0.012 else luck.uniform(-4, 6),
                        connection=luck.randint(3, 90),
                    )
                    if role == "press":
                        device.slots["vibration"] = Slot("bearing-anomaly", "0.9.1", since - 864000, bytes_total=610_000)
                    if device.hot > 18:
                        device.attention.append("Temperature 84 °C: over the limit of 80 °C for 12 min")
                    devices[name] = device
    return devices


def _noise(seed: float, at: float) -> float:
    """Smooth, bounded, repeatable: -1..1."""
    return 0.5 * math.sin(at / 7.3 + seed * 5) + 0.3 * math.sin(at / 2.1 + seed * 11) + 0.2 * math.sin(at / 0.83 + seed * 17)


def gauges(device: Device, at: float) -> dict[str, Any]:
    """PipelineGauges of the device's camera pipeline at a moment."""
    runtime, placement, _, fps_max, invoke_ms = PROFILES[device.profile]
    slot = device.slots["detector"]
    wave = _noise(device.phase, at)
    camera = 30.0 if fps_max > 20 else 15.0
    done = min(camera, fps_max) * (1 - 0.02 * abs(wave))
    invoke = invoke_ms * (1 + 0.06 * wave)
    busy = 0.5 + 0.5 * math.sin(at / 41 + device.phase)

    def stage(p50: float, tail: float) -> dict[str, float]:
        return {"p50_ms": round(p50, 2), "p95_ms": round(p50 * tail, 2), "max_ms": round(p50 * tail * 1.8, 2)}

    return {
        "state": "running",
        "camera_fps": round(camera + 0.2 * wave, 2),
        "process_fps": round(done, 2),
        "skipped_fps": round(max(0.0, camera - done), 2),
        "frames_total": int(at * done) % 10_000_000,
        "dropped": {"newest_wins": round(max(0.0, camera - done) * 2), "decode_error": int(wave > 0.93)},
        "latency": {
            "decode": stage(2.1 + 0.2 * wave, 1.3),
            "pre": stage(0.7 + 0.05 * wave, 1.4),
            "invoke": stage(invoke, 1.12),
            "post": stage(0.4 + 0.2 * busy, 1.5),
            "track": stage(0.2 + 0.15 * busy, 1.6),
        },
        "frame_age_ms": round(invoke + 9 + 3 * busy, 1),
        "coverage": round(min(1.0, done / camera), 3),
        "detections_per_frame": round(1.2 + 2.4 * busy, 2),
        "confidence": [int(busy * 9 * (1 + wave)) + round(220 * math.exp(-(((i - 8.4) / 1.5) ** 2))) for i in range(10)],
        "model": f"{slot.package}@{slot.version}",
        "model_digest": digest(slot.package, slot.version),
        "placement": f"{runtime}/{placement}",
    }


def telemetry(device: Device, at: float, window_s: float = 2.0) -> dict[str, Any]:
    """One telemetry record at a moment, shaped like `edgefleet_contract.wire.messages.Telemetry`."""
    wave = _noise(device.phase + 1, at)
    warmth = {"coral-usb": 56, "jetson-orin-nano": 61, "intel-npu": 52, "x86-cpu": 64, "arm64-cpu": 66}[device.profile]
    pipelines = {"camera": gauges(device, at)}
    if "vibration" in device.slots:
        sensor = {**gauges(device, at + 99), "camera_fps": 10.0, "process_fps": 10.0, "skipped_fps": 0.0, "dropped": {}}
        sensor |= {"latency": {"features": {"p50_ms": 0.8, "p95_ms": 1.1, "max_ms": 2.0}}, "coverage": 1.0, "confidence": []}
        slot = device.slots["vibration"]
        sensor |= {
            "model": f"{slot.package}@{slot.version}",
            "model_digest": digest(slot.package, slot.version),
            "placement": "cpu",
        }
        pipelines["vibration"] = sensor
    return {
        "at": at,
        "window_s": window_s,
        "pipelines": pipelines,
        "cpu_percent": round(38 + 9 * wave + 12 * (device.profile.endswith("cpu")), 1),
        "supervisor_rss_bytes": int(38e6 + 1e6 * wave),
        "worker_rss_bytes": int(131e6 + 6e6 * math.sin(at / 300 + device.phase)),
        "temperature_c": round(warmth + device.hot + 2.5 * math.sin(at / 120 + device.phase) + 0.6 * wave, 1),
        "disk_free_bytes": int(11.4e9 - (at % 86400) * 900),
        "outbox_records": max(0, int(3 + 4 * wave)),
        "outbox_lost": 0,
        "worker_restarts": 0,
    }
